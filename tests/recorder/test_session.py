"""Recordings of the demo phone, through the real adb and scrcpy protocol, against its truth."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from episodes.actions import (
    DoubleTap,
    ElementRef,
    Ending,
    Finish,
    Key,
    LongPress,
    OpenApp,
    Phase,
    Pinch,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    TypeText,
    kind,
    place,
)
from episodes.episodes import EpisodeState
from episodes.geometry import Box, Direction, Point, Size
from episodes.media import packets, pictures
from episodes.screens import Basis, TreeFit, TreeStatus
from episodes.steps import Step
from episodes.store.library import Library
from episodes.trees.hits import nodes_at
from episodes.trees.readers import read_record
from recorder.events import (
    AfterSaved,
    Back,
    Lost,
    Problem,
    SessionState,
    StateChanged,
    StepDropped,
    StepSaved,
    TreeState,
)
from recorder.inputs import KeyPress, Touch, TypedText
from tests.demophone.phones import AdbServer, RunningPhone, StartPhone
from tests.recorder.conftest import ARGUMENTS, Recorder, until

MIDDLE = Point(360, 700)


def icon(phone: RunningPhone, name: str) -> Point:
    """The middle of what has this text or description on the screen, by the truth log."""
    for element in phone.truth("screen")[-1]["elements"]:
        if name in (element["text"], element["desc"]):
            return Box(*map(float, element["box"])).centre
    raise AssertionError(f"{name} is not on the screen")


class Truth:
    """The phone's own log, looked at by the phone's clock."""

    def __init__(self, phone: RunningPhone) -> None:
        self.lines = phone.truth()

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["event"] == event]

    def at(self, event: str, time_us: int) -> dict[str, Any]:
        """The newest line of an event before a time."""
        return [x for x in self.lines if x["event"] == event and x["t_us"] <= time_us][-1]

    def input(self, step: Step) -> dict[str, Any]:
        """The first input of the step's kind that arrived after it had begun here.

        However late the phone was: it cannot have come before, by more than the clocks' error.
        """
        began, error = step.began.device_us, step.began.error_us
        assert began is not None
        assert error is not None
        assert error < 1_000_000
        wanted = {"press_key": "key", "scroll": "scroll", "type_text": "text"}
        sort = wanted.get(kind(step.action), "touch")
        for line in self.lines:
            if line["event"] == "input" and line["kind"] == sort and line["t_us"] >= began - error:
                return line
        raise AssertionError(f"nothing arrived for step {step.index}")


def check(step: Step, truth: Truth) -> None:
    """The step's frame, app and tree are the phone's at the moment its first input arrived."""
    arrived = truth.input(step)
    frame, tree, app = step.frame, step.tree, step.foreground
    assert frame is not None
    assert tree is not None
    assert app is not None
    in_front = truth.at("foreground", arrived["t_us"] - 1)
    assert (app.package, app.label) == (in_front["package"], in_front["label"])
    screen = truth.at("screen", arrived["t_us"] - 1)
    assert frame.size == Size(screen["width"], screen["height"])
    # The frame shows the screen that was drawn last before the input; a caret that blinked just
    # then may still have been under way.
    (shown,) = {x["screen"] for x in truth.of("frame") if x["pts_us"] == frame.pts_us}
    since = [x["reason"] for x in truth.of("screen") if shown < x["screen"] <= screen["screen"]]
    assert set(since) <= {"cursor"}
    if tree.fit is TreeFit.FRESH and arrived["element"] is not None and place(step.action):
        at = place(step.action)
        assert at is not None
        boxes = [node.box for _, node in nodes_at(read_record(tree.record, frame.size), at)]
        keyboard = arrived["element"]["window"] == "keyboard"
        assert keyboard or Box(*map(float, arrived["element"]["box"])) in boxes


def test_every_kind_of_action_agrees_with_the_phones_truth(
    recorder: Recorder, phone: RunningPhone
) -> None:
    hand = recorder.hand
    actions = [
        OpenApp("com.taptrail.demo.contacts"),
        Swipe(Point(360, 1100), Point(360, 500)),
        Scroll(Direction.DOWN, MIDDLE),
        LongPress(MIDDLE),
        PressKey(Key.BACK),
        DoubleTap(MIDDLE),
        PressKey(Key.HOME),
        Pinch(MIDDLE, 2.0),
        PressKey(Key.RECENTS),
        PressKey(Key.HOME),
    ]
    for action in actions:
        hand.rest()
        recorder.until_seen(phone)
        hand.do(action)
    for words in ("Phone", "5"):
        hand.find(words)
        recorder.until_seen(phone)
        hand.do(Tap(ElementRef(text=words)))
    hand.rest()
    recorder.session.finish(Ending.COMPLETE, " done ")
    assert recorder.session.ended.wait(30)
    steps = recorder.episode().steps
    assert [kind(step.action) for step in steps] == [
        "open_app",
        "swipe",
        "scroll",
        "long_press",
        "press_key",
        "double_tap",
        "press_key",
        "pinch",
        "press_key",
        "press_key",
        "tap",
        "tap",
        "finish",
    ]
    truth = Truth(phone)
    for step in steps[1:-1]:
        check(step, truth)
    assert steps[0].action == OpenApp("Contacts")
    assert steps[0].source == "command"
    fits = [step.tree.fit for step in steps if step.tree is not None]
    assert fits.count(TreeFit.FRESH) >= len(steps) - 1, fits
    assert all(step.after is not None for step in steps[:-1])
    assert [step.index for step in steps] == list(range(13))


def test_a_recording_holds_device_clock_video_and_claim(
    recorder: Recorder, phone: RunningPhone
) -> None:
    recorder.hand.rest()
    recorder.hand.do(Tap(icon(phone, "Phone")))
    recorder.wait(AfterSaved)
    recorder.session.finish(Ending.IMPOSSIBLE, "no money")
    assert recorder.session.ended.wait(30)
    episode = recorder.episode()
    assert (episode.state, episode.name, episode.finish, episode.origin.dataset) == (
        EpisodeState.FINISHED,
        "e-0001",
        Finish(Ending.IMPOSSIBLE, "no money"),
        "recorded",
    )
    assert (episode.device.model, episode.device.size, episode.device.density) == (
        "Demo Phone",
        Size(720, 1600),
        280,
    )
    assert dict(episode.device.app_versions).keys() == {
        "com.taptrail.demo.launcher",
        "com.taptrail.demo.phone",
    }
    assert {sample.method for sample in episode.clock_samples} >= {"uptime"}
    (segment,) = episode.segments
    assert (segment.size, segment.rotation, segment.server, segment.codec) == (
        Size(720, 1600),
        0,
        "3.3.4",
        "h264",
    )
    assert segment.ended is not None
    assert episode.gaps == ()
    finish = episode.steps[1]
    assert finish.action == episode.finish
    assert episode.final == finish.frame
    assert finish.frame is not None
    assert finish.frame.basis is Basis.FINAL


def test_the_still_of_a_step_is_the_very_frame_of_the_video(
    recorder: Recorder, phone: RunningPhone
) -> None:
    recorder.hand.rest()
    recorder.hand.do(Tap(icon(phone, "Phone")))
    recorder.wait(StepSaved)
    recorder.session.finish(Ending.COMPLETE)
    assert recorder.session.ended.wait(30)
    episode = recorder.episode()
    frame = episode.steps[0].frame
    assert frame is not None
    assert frame.still is not None
    assert frame.segment is not None
    assert frame.packet is not None
    folder = recorder.library.folder / "episodes" / episode.uuid
    index = recorder.read(lambda library: library.packets(episode.uuid, 0))
    with packets.SegmentReader(folder / episode.segments[0].file, index) as reader:
        shown = packets.rgb(reader.frame(frame.packet))
    assert index[frame.packet].pts_us == frame.pts_us
    kept = pictures.decode(recorder.library.stills.read(frame.still.sha256, frame.still.media_type))
    assert kept.shape == shown.shape
    # The mirror's and the reader's conversion from YUV may round differently.
    assert int(np.abs(kept.astype(np.int16) - shown).max()) <= 2


def test_a_step_is_emitted_after_its_commit(recorder: Recorder) -> None:
    found: list[list[int]] = []

    def look(event: object) -> None:
        if isinstance(event, StepSaved):
            with Library.read(recorder.library.folder) as library:
                steps = library.episode(recorder.session.episode).steps
                found.append([step.index for step in steps])

    recorder.session.on_event(look)
    for key in (Key.RECENTS, Key.HOME, Key.RECENTS):
        recorder.session.send(KeyPress(key, recorder.hand.see(), time.monotonic_ns()))
    until(lambda: len(found) == 3, "three steps are told")
    assert found == [[0], [0, 1], [0, 1, 2]]


def test_typed_text_is_one_step_with_its_field_and_arrives_whole(
    recorder: Recorder, phone: RunningPhone
) -> None:
    hand = recorder.hand
    hand.run([Swipe(Point(360, 1100), Point(360, 500))])
    hand.rest()
    field = icon(phone, "Search apps")
    hand.do(Tap(field))
    hand.rest()
    for character in "Grüße 3":
        recorder.session.send(TypedText(character, hand.see(), time.monotonic_ns()))
    for key in (Key.DELETE, Key.ENTER):
        recorder.session.send(KeyPress(key, hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved, 4)
    typed, enter = recorder.episode().steps[-2:]
    assert isinstance(typed.action, TypeText)
    assert (typed.action.text, typed.source) == ("Grüße ", "keyboard")
    assert isinstance(typed.action.target, Box)
    assert field in typed.action.target
    assert enter.action == PressKey(Key.ENTER)
    phone.wait_for("input", keycode=66, action="up")
    texts = [x["element"]["text"] for x in phone.truth("input") if x.get("keycode") == 66]
    assert texts[-1] == "Grüße "


def test_inputs_during_a_pause_reach_the_phone_and_are_not_steps(
    recorder: Recorder, phone: RunningPhone
) -> None:
    session = recorder.session
    session.send(KeyPress(Key.RECENTS, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved)
    session.pause()
    assert session.wait_for(SessionState.PAUSED)
    count = len(phone.truth("input"))
    session.send(KeyPress(Key.HOME, recorder.hand.see(), time.monotonic_ns()))
    until(lambda: len(phone.truth("input")) > count, "the key arrives")
    session.resume()
    assert session.wait_for(SessionState.RECORDING)
    session.send(KeyPress(Key.RECENTS, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved, 2)
    session.finish(Ending.COMPLETE)
    assert session.ended.wait(30)
    episode = recorder.episode()
    assert [step.action for step in episode.steps] == [
        PressKey(Key.RECENTS),
        PressKey(Key.RECENTS),
        Finish(Ending.COMPLETE),
    ]
    assert [segment.number for segment in episode.segments] == [0, 1]
    (gap,) = episode.gaps
    assert gap.reason == "paused"
    assert gap.ended is not None
    assert gap.started.host_ns is not None
    assert gap.ended.host_ns is not None
    assert gap.ended.host_ns > gap.started.host_ns


def test_the_last_step_can_be_taken_out_again_and_the_next_one_counts_on(
    recorder: Recorder,
) -> None:
    session = recorder.session
    for key in (Key.RECENTS, Key.HOME):
        session.send(KeyPress(key, recorder.hand.see(), time.monotonic_ns()))
    session.drop_last()
    assert recorder.wait(StepDropped).index == 1
    session.send(KeyPress(Key.RECENTS, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved, 3)
    assert [(step.index, step.action) for step in recorder.episode().steps] == [
        (0, PressKey(Key.RECENTS)),
        (2, PressKey(Key.RECENTS)),
    ]


def test_a_gesture_during_which_the_screen_turns_is_not_a_step(
    recorder: Recorder, phone: RunningPhone
) -> None:
    session, hand = recorder.session, recorder.hand
    hand.rest()
    shown = hand.see()
    session.send(Touch.of(Phase.DOWN, MIDDLE, shown, time.monotonic_ns()))
    phone.wait_for("input", lambda line: line["x"] == 360.0, action="down")
    recorder.mirror.rotate()
    recorder.wait(Problem)
    session.send(Touch.of(Phase.UP, MIDDLE, shown, time.monotonic_ns()))
    hand.rest()
    recorder.until_seen(phone)
    wide = hand.see()
    assert wide.size == Size(1600, 720)
    hand.do(Tap(Point(800, 350)))
    recorder.wait(StepSaved)
    session.finish(Ending.COMPLETE)
    assert session.ended.wait(30)
    episode = recorder.episode()
    assert [kind(step.action) for step in episode.steps] == ["tap", "finish"]
    check(episode.steps[0], Truth(phone))
    assert [(gap.reason, gap.ended is not None) for gap in episode.gaps] == [("rotated", True)]
    assert [(s.size, s.rotation) for s in episode.segments] == [
        (Size(720, 1600), 0),
        (Size(1600, 720), 1),
    ]


def test_a_session_goes_on_when_the_phone_is_back(
    demo_phone: StartPhone, record: Callable[..., Recorder], adb_server: AdbServer
) -> None:
    phone = demo_phone(*ARGUMENTS)
    recorder = record(phone)
    recorder.begin()
    session = recorder.session
    session.send(KeyPress(Key.RECENTS, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved)
    adb_server.run("disconnect", phone.serial)
    recorder.wait(Lost)
    assert session.wait_for(SessionState.LOST)
    session.send(
        KeyPress(Key.HOME, recorder.hand.see(), time.monotonic_ns())
    )  # goes nowhere, is no step
    phone.connect()
    recorder.wait(Back)
    assert session.wait_for(SessionState.RECORDING)
    session.send(KeyPress(Key.HOME, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved, 2)
    session.stop()
    episode = recorder.episode()
    assert episode.state is EpisodeState.INCOMPLETE
    assert [step.action for step in episode.steps] == [
        PressKey(Key.RECENTS),
        PressKey(Key.HOME),
    ]
    assert [(gap.reason, gap.ended is not None) for gap in episode.gaps] == [("unplugged", True)]
    assert len(episode.segments) == 2
    assert [event.state for event in recorder.all_of(StateChanged)] == [
        SessionState.STARTING,
        SessionState.RECORDING,
        SessionState.LOST,
        SessionState.RECORDING,
        SessionState.STOPPED,
    ]


def received(phone: RunningPhone) -> str:
    """The characters that reached the phone."""
    return "".join(line["text"] for line in phone.truth("input") if line["kind"] == "text")


def recorded(recorder: Recorder) -> str:
    """The characters that are in the library."""
    actions = [step.action for step in recorder.episode().steps]
    return "".join(action.text for action in actions if isinstance(action, TypeText))


def test_each_character_is_sent_and_recorded_or_neither(
    demo_phone: StartPhone, record: Callable[..., Recorder], adb_server: AdbServer
) -> None:
    phone = demo_phone(*ARGUMENTS)
    recorder = record(phone)
    recorder.begin()
    session = recorder.session
    sent: list[str] = []

    def type_until(reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 30
        while not reached() and time.monotonic() < deadline:
            character = chr(ord("a") + len(sent) % 26)
            if session.send(TypedText(character, recorder.hand.see(), time.monotonic_ns())):
                sent.append(character)
            time.sleep(0.003)

    type_until(lambda: len(sent) > 5)
    adb_server.run("disconnect", phone.serial)
    type_until(lambda: bool(recorder.all_of(Lost)))
    phone.connect()
    type_until(lambda: session.state is SessionState.RECORDING)
    count = len(sent)
    type_until(lambda: len(sent) > count + 5)
    session.stop()
    until(lambda: received(phone).endswith("".join(sent[-5:])), "the last characters arrive")
    # What was sent in the moment of the loss may not have arrived; everything else is in both.
    assert recorded(recorder).endswith("".join(sent[count:]))
    assert len(recorded(recorder)) >= len(received(phone))
    assert set(received(phone)[count:]) <= set(sent)
    assert any("send this to the phone" in str(told.error) for told in recorder.all_of(Problem))


def test_a_claim_while_the_phone_is_away_leaves_the_episode_incomplete(
    demo_phone: StartPhone, record: Callable[..., Recorder], adb_server: AdbServer
) -> None:
    phone = demo_phone(*ARGUMENTS)
    recorder = record(phone)
    recorder.begin()
    recorder.session.send(KeyPress(Key.RECENTS, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved)
    adb_server.run("disconnect", phone.serial)
    assert recorder.session.wait_for(SessionState.LOST)
    recorder.session.finish(Ending.COMPLETE)
    assert recorder.session.ended.wait(30)
    episode = recorder.episode()
    assert (recorder.session.state, episode.state, episode.finish) == (
        SessionState.STOPPED,
        EpisodeState.INCOMPLETE,
        None,
    )
    assert "the phone was away at the end" in str(recorder.all_of(Problem)[-1].error)


def test_an_app_that_comes_to_the_front_by_itself_is_reported(
    recorder: Recorder, phone: RunningPhone
) -> None:
    recorder.hand.rest()
    time.sleep(2.5)  # what changes sooner may be the effect of what was done last
    phone.shell("monkey -p com.taptrail.demo.clock -c android.intent.category.LAUNCHER 1")
    told = recorder.wait(Problem)
    assert "“Clock” came to the front although nothing was done here" in str(told.error)
    recorder.session.send(KeyPress(Key.HOME, recorder.hand.see(), time.monotonic_ns()))
    recorder.wait(StepSaved)
    recorder.session.finish(Ending.COMPLETE)
    assert recorder.session.ended.wait(30)
    episode = recorder.episode()
    assert episode.state is EpisodeState.FINISHED
    assert [gap.reason for gap in episode.gaps] == ["foreign"]


def test_an_app_that_is_opened_here_is_not_reported(
    recorder: Recorder, phone: RunningPhone
) -> None:
    recorder.hand.run([Tap(icon(phone, "Phone")), PressKey(Key.HOME), PressKey(Key.RECENTS)])
    recorder.wait(StepSaved, 3)
    recorder.hand.rest()
    assert recorder.all_of(Problem) == []


def test_a_second_program_that_mirrors_the_phone_is_reported(
    record: Callable[..., Recorder], phone: RunningPhone
) -> None:
    first, second = record(phone, "first"), record(phone, "second")
    first.begin()
    assert "another program can control the phone" in str(first.wait(Problem).error)
    second.session.stop()


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ("idle", TreeStatus.NOT_IDLE),
        ("root", TreeStatus.NO_ROOT),
        ("killed", TreeStatus.KILLED),
    ],
)
def test_a_failed_tree_is_kept_as_a_fact(
    demo_phone: StartPhone, record: Callable[..., Recorder], fault: str, status: TreeStatus
) -> None:
    recorder = record(demo_phone(*ARGUMENTS, "--faults", f"dump-fails={fault}"))
    recorder.begin()
    until(lambda: any(told.status for told in recorder.all_of(TreeState)), "the dump has failed")
    recorder.hand.do(Tap(MIDDLE))
    tree = recorder.wait(StepSaved).step.tree
    assert tree is not None
    assert (tree.fit, tree.record.status, tree.record.data) == (TreeFit.FAILED, status, b"")
    assert tree.record.detail != ""


def test_a_quick_person_gets_late_or_stale_trees_and_never_wrong_ones(
    demo_phone: StartPhone, record: Callable[..., Recorder]
) -> None:
    slow = ("--faults", "dump-slow=400")
    phone = demo_phone("--size", "720x1600", "--density", "280", "--seed", "3", *slow)
    recorder = record(phone)
    recorder.begin()
    hand = recorder.hand
    assert recorder.session.wait_quiet(30)
    for name in ("Phone", "5", "8", "1", "2"):
        recorder.until_seen(phone)
        hand.do(Tap(icon(phone, name)))
        assert recorder.session.wait_quiet(30, with_tree=False)
    recorder.wait(StepSaved, 5)
    truth = Truth(phone)
    steps = recorder.episode().steps
    for step in steps:
        check(step, truth)
    fits = [step.tree.fit for step in steps if step.tree is not None]
    assert fits[0] is TreeFit.FRESH
    assert any(fit in (TreeFit.LATE, TreeFit.STALE) for fit in fits[1:])


def test_a_full_library_is_reported_and_the_next_step_gets_the_number(
    recorder: Recorder,
) -> None:
    def limit(pages: int | None) -> None:
        """SQLite's own way to run out of room."""

        def set_limit(library: Library) -> None:
            connection = library._db.conn
            (count,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages or count}")

        recorder.read(set_limit)

    def press() -> None:
        recorder.session.send(KeyPress(Key.HOME, recorder.hand.see(), time.monotonic_ns()))

    press()
    recorder.wait(StepSaved)
    recorder.wait(AfterSaved)
    limit(None)
    for _ in range(40):
        told = len(recorder.all_of(StepSaved)) + len(recorder.all_of(Problem))
        press()
        until(
            lambda: len(recorder.all_of(StepSaved)) + len(recorder.all_of(Problem)) > told,  # noqa: B023
            "a step, or that there is no room",
        )
        if recorder.all_of(Problem):
            break
    assert "full" in str(recorder.all_of(Problem)[0].error)
    saved = len(recorder.all_of(StepSaved))
    limit(1 << 30)
    press()
    recorder.wait(StepSaved, saved + 1)
    recorder.session.finish(Ending.COMPLETE)
    assert recorder.session.ended.wait(30)
    episode = recorder.episode()
    assert [step.index for step in episode.steps] == list(range(len(episode.steps)))
    # Every packet has its row, also those whose first try found no room.
    index = recorder.read(lambda library: library.packets(episode.uuid, 0))
    path = recorder.library.folder / "episodes" / episode.uuid / "segment-000.h264"
    assert index == list(packets.read_index(path))


def test_a_session_stopped_before_it_began_leaves_nothing(
    record: Callable[..., Recorder], phone: RunningPhone
) -> None:
    recorder = record(phone)
    recorder.session.stop()
    assert recorder.session.state is SessionState.STOPPED
    assert recorder.read(lambda library: library.count()) == 0
