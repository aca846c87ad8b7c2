"""Review plays a recording at the person's pace, and stills where there is no video."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from episodes import actions as a
from episodes.clocks import Moment
from episodes.geometry import Point, Size
from episodes.media.packets import SegmentReader, rgb
from episodes.media.segment_files import SegmentWriter
from episodes.recordings import Gap, Packet, Segment
from episodes.store.library import Library
from taptrail.gui.components.frame_view import FrameView
from taptrail.gui.review import texts
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.services import WindowServices
from tests.episodes.media.clips import make_clip
from tests.gui import story

BOOT_US, HOST_NS = 4_000_000_000, 9_000_000_000
PAUSED = (500_000, 900_000)
UUID = "0c8d3c1e-1111-4111-8111-000000000412"


def at(us: int) -> Moment:
    return Moment(device_us=BOOT_US + us, host_ns=HOST_NS + us * 1000)


def build(folder: Path) -> tuple[Path, list[Packet]]:
    """Makes the story's library with a video: twenty frames, a pause after the tenth."""
    whole = story.build(folder)[1]
    clip = make_clip()
    steps = []
    for n, step in enumerate(whole.steps[:4]):
        began = (60_000, 400_000, 1_000_000, 1_150_000)[n]
        steps.append(replace(step, began=at(began), ended=at(began + 50_000)))
    segment = Segment(
        0,
        "segment-000.h264",
        "h264",
        Size(96, 160),
        clip.config,
        0,
        0,
        "3",
        at(0),
        ended=at(1_233_000),
    )
    filmed = replace(
        whole,
        uuid=UUID[:-1] + "9",
        name="e-0419",
        steps=tuple(steps),
        segments=(segment,),
        gaps=(Gap("paused", at(PAUSED[0]), at(PAUSED[1])),),
    )
    with Library.open(folder) as library:
        assert not library.save_episodes([filmed]).refused
        path = library.episode_folder(filmed.uuid) / segment.file
        with SegmentWriter(path, clip.config) as writer:
            packets = []
            for number, (data, pts, key) in enumerate(clip.packets):
                shown = pts + (600_000 if number >= 10 else 0)
                packets.append(
                    writer.write(data, BOOT_US + shown, key, HOST_NS + shown * 1000 + 9_000_000)
                )
        library.add_packets(filmed.uuid, 0, packets)
        for run, said in story.runs([replace(filmed, name="e-0419")]):
            library.save_run(replace(run, name=f"{run.name}-film"), said)
    return path, packets


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[Packet]]:
    folder = tmp_path_factory.mktemp("film") / "library"
    return folder, *build(folder)


@pytest.fixture
def place(qtbot: QtBot, film: tuple[Path, Path, list[Packet]]) -> Iterator[ReviewPlace]:
    parts = WindowServices(film[0])
    made = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(made)
    made.resize(1500, 900)
    made.show()
    made.open_at(UUID[:-1] + "9")
    qtbot.waitUntil(lambda: made.where() == ("e-0419", 0) and made.video.film() is not None)
    qtbot.waitUntil(lambda: made.columns.views()[0].image() is not None)
    made.strip.setFocus()
    yield made
    made.leaving()
    parts.stop()


def pixels(image: QImage | None) -> list[tuple[int, ...]]:
    assert image is not None
    spots = [(20, y) for y in range(0, image.height(), 8)]
    return [image.pixelColor(x, y).getRgb()[:3] for x, y in spots]


def is_frame(place: ReviewPlace, film: tuple[Path, Path, list[Packet]], number: int) -> bool:
    """Returns whether gold's column shows the pixels of this packet."""
    image = place.columns.views()[0].image()
    if image is None or (image.width(), image.height()) != (96, 160):
        return False
    with SegmentReader(film[1], film[2]) as reader:
        right = rgb(reader.frame(number))
    shown = pixels(image)
    return all(
        max(abs(int(one) - int(other)) for one, other in zip(spot, right[y * 8, 20], strict=True))
        <= 3
        for y, spot in enumerate(shown)
    )


def test_one_frame_on_and_back_shows_exactly_that_packet(
    qtbot: QtBot, place: ReviewPlace, film: tuple[Path, Path, list[Packet]]
) -> None:
    qtbot.keyClick(place.strip, Qt.Key.Key_Period)  # the step is made during packet 1
    qtbot.waitUntil(lambda: is_frame(place, film, 2))
    for code, number in ((Qt.Key.Key_Period, 3), (Qt.Key.Key_Comma, 2), (Qt.Key.Key_Comma, 1)):
        qtbot.keyClick(place.strip, code)
        qtbot.waitUntil(lambda n=number: is_frame(place, film, n))
    assert place.video.at_us() == film[2][1].pts_us - BOOT_US
    others = [view.image() for view in place.columns.views()[1:]]
    assert len(others) == 2
    assert all(image is not None and image.width() == 540 for image in others)
    place.turn_to(1)
    qtbot.waitUntil(lambda: getattr(place.columns.views()[0].image(), "width", lambda: 0)() == 540)


def test_space_plays_to_the_end_and_turns_the_steps_on(
    qtbot: QtBot, place: ReviewPlace, film: tuple[Path, Path, list[Packet]]
) -> None:
    rows: list[int] = []
    notes: set[str] = set()
    place.video.projected.connect(lambda _: rows.append(place.where()[1]))
    place.video.moved.connect(lambda _: notes.add(place.playback.note()))
    place.playback.choose_speed(0.5)
    assert place.playback.bar.at_us() == 60_000
    qtbot.keyClick(place.strip, Qt.Key.Key_Space)
    assert place.video.direction() == 1
    qtbot.waitUntil(lambda: place.video.direction() == 0)
    qtbot.waitUntil(lambda: is_frame(place, film, 19))
    qtbot.waitUntil(lambda: place.playback.bar.at_us() == place.video.at_us() == 1_233_327)
    assert rows == sorted(rows)
    assert rows[-1] == 3
    assert "Paused" in notes
    assert place.playback.clock() == "0:01"
    qtbot.keyClick(place.strip, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: 0 < place.video.at_us() < 1_000_000)
    qtbot.keyClick(place.strip, Qt.Key.Key_K)
    assert place.video.direction() == 0


class PaintCount(QObject):
    """Collects the pictures that a view has painted."""

    def __init__(self, view: FrameView) -> None:
        super().__init__(view)
        self.keys: set[int] = set()
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and self._view.image() is not None:
            self.keys.add(self._view.image().cacheKey())
        return False


def test_the_frame_paints_new_pictures_while_it_plays_and_while_the_playhead_is_dragged(
    qtbot: QtBot, place: ReviewPlace
) -> None:
    painted = PaintCount(place.columns.views()[0])
    qtbot.keyClick(place.strip, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: place.video.direction() == 0)
    assert len(painted.keys) >= 9, "half of the 18 pictures after the step's"
    bar = place.playback.bar
    painted.keys.clear()
    qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(round(bar.x_of(0)), 18))
    for us in range(0, 1_200_000, 40_000):
        qtbot.mouseMove(bar, QPoint(round(bar.x_of(us)), 18))
        qtbot.wait(15)
    assert len(painted.keys) >= 9
    qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(round(bar.x_of(1_200_000)), 18))


def test_j_and_l_play_back_and_on(
    qtbot: QtBot, place: ReviewPlace, film: tuple[Path, Path, list[Packet]]
) -> None:
    place.playback.bar.sought.emit(1_000_000.0)
    qtbot.waitUntil(lambda: is_frame(place, film, 12))
    assert place.where() == ("e-0419", 2)
    qtbot.keyClick(place.strip, Qt.Key.Key_J)
    assert place.video.direction() == -1
    qtbot.waitUntil(lambda: place.video.direction() == 0)
    qtbot.waitUntil(lambda: is_frame(place, film, 0) and place.where()[1] == 0)
    qtbot.keyClick(place.strip, Qt.Key.Key_L)
    assert place.video.direction() == 1
    place.turn_to(3)
    assert place.video.direction() == 0
    assert place.playback.bar.at_us() == 1_150_000


def test_the_timeline_seeks_by_mouse_and_by_keyboard(
    qtbot: QtBot, place: ReviewPlace, film: tuple[Path, Path, list[Packet]]
) -> None:
    bar = place.playback.bar
    x = round(bar.x_of(film[2][6].pts_us - BOOT_US + 15_000))
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(x, 18))
    qtbot.waitUntil(lambda: is_frame(place, film, 6))
    bar.setFocus()
    qtbot.keyClick(bar, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: is_frame(place, film, 19))
    qtbot.keyClick(bar, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: is_frame(place, film, 6))
    assert place.where() == ("e-0419", 1)
    assert bar.accessibleDescription() == "0:00 of 0:01, Swipe up"
    qtbot.keyClick(bar, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: is_frame(place, film, 0))
    assert bar._words_at(bar.x_of(420_000)) == "0:00\nSwipe up"
    assert bar._words_at(bar.x_of(700_000)) == "0:00\nPaused"


def test_a_swipe_grows_along_its_way_at_its_time(place: ReviewPlace) -> None:
    whole, opened = place.video.film(), place.shown.opened
    assert whole is not None
    assert opened is not None
    episode = opened.episode
    swipe = episode.steps[1].action
    assert isinstance(swipe, a.Swipe)

    def shown(us: int) -> a.Action | None:
        return texts.acted(episode, whole.track, us)

    assert shown(300_000) is None or isinstance(shown(300_000), a.OpenApp)
    half = shown(425_000)
    assert isinstance(half, a.Swipe)
    assert half.end == Point(266, 660)
    assert shown(450_000) == swipe
    path = tuple(
        a.Contact(phase, Point(270, 900 - us / 100), us)
        for phase, us in (
            (a.Phase.DOWN, 0),
            (a.Phase.MOVE, 20_000),
            (a.Phase.MOVE, 40_000),
            (a.Phase.UP, 50_000),
        )
    )
    along = replace(episode.steps[1], action=replace(swipe, path=path))
    drawn = replace(episode, steps=(episode.steps[0], along, *episode.steps[2:]))
    part = texts.acted(drawn, whole.track, 441_000)
    assert isinstance(part, a.Swipe)
    assert (part.path, part.end) == (path[:3], Point(270, 500))


def test_an_episode_without_video_plays_its_stills(qtbot: QtBot, place: ReviewPlace) -> None:
    place.open_at(UUID)
    qtbot.waitUntil(lambda: place.where()[0] == "e-0412" and place.video.film() is not None)
    film = place.video.film()
    assert film is not None
    assert (film.files, film.track.even) == ({}, False)
    assert film.track.length_us == 1_000_000 + 7 * 2_400_000 + 120_000 + 1_000_000
    place.playback.bar.sought.emit(film.track.steps[4].ended_us + 1)  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: place.where()[1] == 5)
    place.open_at("0c8d3c1e-1111-4111-8111-000000000410")
    qtbot.waitUntil(lambda: place.where()[0] == "e-0410" and place.video.film() is not film)
    qtbot.waitUntil(lambda: place.playback.note() == "No times recorded: 1 s a step")
    place.playback.choose_speed(2.0)
    qtbot.mouseClick(place.playback.play, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: place.where()[1] == 2 and place.video.direction() == 0)


def test_played_over_and_over_it_begins_again_at_its_end_until_it_is_stopped(
    qtbot: QtBot, place: ReviewPlace
) -> None:
    place.playback.choose_speed(2.0)
    qtbot.keyClick(place.strip, Qt.Key.Key_R)
    assert place.playback.loop.isChecked()
    film = place.video.film()
    assert film is not None
    places: list[float] = []
    place.video.moved.connect(places.append)
    place.video.seek(film.track.length_us - 100_000)
    qtbot.keyClick(place.strip, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: any(at < places[0] / 2 for at in places[1:]))
    assert place.video.direction() == 1
    qtbot.keyClick(place.strip, Qt.Key.Key_K)
    assert place.video.direction() == 0
    qtbot.keyClick(place.strip, Qt.Key.Key_R)
    place.video.seek(film.track.length_us - 50_000)
    qtbot.keyClick(place.strip, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: place.video.direction() == 0)
    assert place.video.at_us() == film.track.length_us


def test_a_video_that_is_gone_leaves_the_stills(qtbot: QtBot, tmp_path: Path) -> None:
    path, _ = build(tmp_path / "library")
    path.unlink()
    parts = WindowServices(tmp_path / "library")
    place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(place)
    place.show()
    place.open_at(UUID[:-1] + "9")
    qtbot.waitUntil(lambda: place.video.film() is not None)
    film = place.video.film()
    assert film is not None
    assert film.files == {}
    assert len(film.track.pictures) == 4
    place.leaving()
    parts.stop()
