"""The timeline of Record has its room from the start, and shows what a pause leaves out."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from episodes import actions as a
from episodes.clocks import Moment
from episodes.geometry import Point
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from taptrail.gui.record.timeline import HEIGHT, RecordingTimeline, RecordingTrack

S = 1_000_000_000


def test_the_video_has_a_gap_where_the_recording_paused() -> None:
    track = RecordingTrack(began_ns=10 * S, now_ns=40 * S, running=True)
    assert track.videos() == [(10 * S, 40 * S)]
    track.pauses.append((15 * S, 20 * S, "Paused 5.0 s"))
    assert track.videos() == [(10 * S, 15 * S), (20 * S, 40 * S)]
    track.paused_since_ns = 30 * S
    assert track.videos() == [(10 * S, 15 * S), (20 * S, 30 * S)]


def test_forty_steps_stand_beside_one_another(qtbot: QtBot) -> None:
    tree = StepTree(TreeRecord("uiautomator", b"", "d", TreeStatus.OK), TreeFit.FRESH)
    steps = [
        Step(
            n,
            a.Tap(Point(1, 1)),
            began=Moment(host_ns=(1 + n) * S),
            ended=Moment(host_ns=(1 + n) * S + S // 10),
            tree=tree,
        )
        for n in range(40)
    ]
    timeline = RecordingTimeline()
    qtbot.addWidget(timeline)
    timeline.resize(1280, HEIGHT)
    timeline.track = RecordingTrack(began_ns=S, now_ns=42 * S)
    timeline.show()
    assert blocks(timeline) == 0
    timeline.track.steps = steps
    assert blocks(timeline) == 40
    timeline.track.steps = [
        replace(one, began=Moment(host_ns=S + n * S // 4), ended=Moment(host_ns=S + n * S // 4))
        for n, one in enumerate(steps)
    ]
    timeline.track.now_ns = 500 * S
    assert blocks(timeline) == 1, "too close for a gap, but none is wider than its place"
    timeline.resize(4000, HEIGHT)
    timeline.track.now_ns = 12 * S
    assert blocks(timeline) == 40


def blocks(timeline: RecordingTimeline) -> int:
    """Returns how many blocks stand apart in the row of steps, by its lower edge."""
    image = timeline.grab().toImage()
    row = [
        abs(image.pixelColor(x, 41).blue() - image.pixelColor(x, 41).red()) > 60
        for x in range(image.width())
    ]
    return sum(now and not before for before, now in zip([False, *row], row, strict=False))
