"""Steps at the edges of a recording: its first moment, and a disk that takes no more."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from episodes.actions import Ending, Key, Phase, PressKey, kind
from episodes.geometry import Point
from episodes.media import packets, pictures, signature
from episodes.recordings import Packet
from episodes.screens import Frame
from recorder.events import Problem, SessionState, StepSaved
from recorder.inputs import KeyPress, Touch
from tests.demophone.phones import RunningPhone
from tests.recorder.conftest import Recorder, until

MIDDLE = Point(360, 700)


def press(recorder: Recorder, key: Key = Key.HOME) -> None:
    recorder.session.send(KeyPress(key, recorder.hand.see(), time.monotonic_ns()))


def in_the_way(folder: Path) -> Path:
    """A file where the pictures' folder is to be; returns where the folder is meanwhile."""
    aside = folder.with_name("frames aside")
    if folder.exists():
        folder.rename(aside)
    folder.write_bytes(b"no room")
    return aside


def packets_of(recorder: Recorder, frame: Frame) -> list[Packet]:
    """The packets of a frame's segment."""
    assert frame.segment is not None
    number = frame.segment
    return recorder.read(lambda library: library.packets(recorder.session.episode, number))


def drawn(recorder: Recorder, frame: Frame) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The picture of a frame's packet."""
    assert frame.packet is not None
    index = packets_of(recorder, frame)
    assert frame.segment is not None
    uuid = recorder.session.episode
    segment = recorder.episode().segments[frame.segment]
    path = recorder.library.folder / "episodes" / uuid / segment.file
    with packets.SegmentReader(path, index) as reader:
        return packets.rgb(reader.frame(frame.packet))


def test_a_press_on_what_was_painted_before_the_first_kept_frame_has_its_packet(
    recorder: Recorder, phone: RunningPhone
) -> None:
    session, hand = recorder.session, recorder.hand
    session.pause()
    assert session.wait_for(SessionState.PAUSED)
    count = recorder.mirror.latest.count
    press(recorder, Key.RECENTS)
    phone.wait_for("input", keycode=187, action="up")
    until(
        lambda: recorder.mirror.latest.count > count and hand.see().segment is None,
        "a frame that is not kept",
    )
    until(lambda: hand.see().pts_us > phone.truth("screen")[-1]["t_us"], "the newest screen")
    painted = hand.see()
    session.resume()
    assert session.wait_for(SessionState.RECORDING)
    for phase in (Phase.DOWN, Phase.UP):
        session.send(Touch.of(phase, MIDDLE, painted, time.monotonic_ns(), painted.decoded_ns))
    frame = recorder.wait(StepSaved).step.frame
    session.finish(Ending.COMPLETE)
    assert session.ended.wait(30)
    assert frame is not None
    assert (frame.pts_us, frame.segment, frame.packet) == (painted.pts_us, 1, 0)
    assert frame.still is not None
    kept = pictures.decode(recorder.library.stills.read(frame.still.sha256, frame.still.media_type))
    same = (signature.signature(signature.luma_of(p)) for p in (kept, drawn(recorder, frame)))
    assert not signature.differs(*same)  # coded anew, but the same screen


def test_a_step_whose_picture_has_no_room_is_kept_with_its_packet(recorder: Recorder) -> None:
    recorder.hand.rest()
    frames = recorder.library.folder / "frames"
    aside = in_the_way(frames)
    press(recorder, Key.RECENTS)
    bare = recorder.wait(StepSaved).step
    frames.unlink()
    if aside.exists():
        aside.rename(frames)
    press(recorder)
    whole = recorder.wait(StepSaved, 2).step
    recorder.session.finish(Ending.COMPLETE)
    assert recorder.session.ended.wait(30)
    assert bare.frame is not None
    assert bare.frame.still is None
    assert drawn(recorder, bare.frame).shape == (1600, 720, 3)
    assert bare.frame.packet is not None
    assert packets_of(recorder, bare.frame)[bare.frame.packet].pts_us == bare.frame.pts_us
    assert whole.frame is not None
    assert whole.frame.still is not None
    assert [kind(step.action) for step in recorder.episode().steps] == [
        "press_key",
        "press_key",
        "finish",
    ]
    (told,) = recorder.all_of(Problem)  # the screen after it found no room either
    assert "a picture" in str(told.error)


def test_a_step_that_would_show_nothing_is_not_stored_and_is_reported(recorder: Recorder) -> None:
    press(recorder, Key.RECENTS)
    recorder.wait(StepSaved)
    folder = recorder.library.folder
    video = folder / "episodes" / recorder.session.episode
    for name in ("segment-001.h264", "segment-002.h264", "segment-003.h264"):
        (video / name).write_bytes(b"no room")
    recorder.mirror.rotate()
    recorder.wait(Problem)  # the video has broken off
    until(lambda: recorder.hand.see().size.width == 1600, "the turned screen comes")
    frames = folder / "frames"
    aside = in_the_way(frames)
    press(recorder)
    until(
        lambda: any("neither" in str(told.error) for told in recorder.all_of(Problem)),
        "that the step is not kept",
    )
    frames.unlink()
    aside.rename(frames)
    press(recorder, Key.RECENTS)
    last = recorder.wait(StepSaved, 2).step
    assert (last.index, last.action) == (1, PressKey(Key.RECENTS))
    assert last.frame is not None
    assert (last.frame.still is not None, last.frame.packet) == (True, None)
    assert [step.index for step in recorder.episode().steps] == [0, 1]
