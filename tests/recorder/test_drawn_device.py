"""A device that is no adb phone is recorded through the interface, and nothing above differs."""

from __future__ import annotations

import time
from pathlib import Path

from episodes.actions import Ending, Finish, Key, OpenApp, PressKey, Tap, TypeText
from episodes.episodes import EpisodeState, Task
from episodes.geometry import Point
from episodes.screens import AppFit, TreeFit
from recorder.device.interface import Device, DeviceStream, TreeSource
from recorder.events import SessionState
from recorder.inputs import TypedText
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.script_player import ScriptPlayer
from recorder.session import Session
from tests.recorder import drawn_device
from tests.recorder.drawn_device import APP, SIZE, DrawnDevice, DrawnStream, DrawnTrees

MIDDLE = Point(80, 200)


def names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_a_device_needs_at_most_150_lines() -> None:
    assert names(Device) <= names(DrawnDevice)
    assert names(DeviceStream) <= names(DrawnStream)
    assert names(TreeSource) <= names(DrawnTrees)
    source = Path(drawn_device.__file__).read_text()
    assert len(source.splitlines()) <= 150
    assert "adbutils" not in source


def test_a_device_without_adb_is_recorded_as_an_episode(tmp_path: Path) -> None:
    device = DrawnDevice()
    mirror = Mirror(device)
    mirror.start()
    try:
        with LibraryThread(tmp_path / "library") as library:
            session = Session(mirror, library, Task("draw"))
            session.start()
            assert session.wait_for(SessionState.RECORDING)
            player = ScriptPlayer(session, mirror)
            actions = [Tap(MIDDLE), TypeText("hi"), PressKey(Key.BACK), OpenApp("Drawn")]
            assert player.run(actions) == 4
            player.rest()
            session.finish(Ending.COMPLETE)
            assert session.ended.wait(30)
            episode = library.call(lambda lib: lib.episode(session.episode))
    finally:
        mirror.stop()
    assert episode.state is EpisodeState.FINISHED
    assert episode.device.model == "Drawn device"
    tap, *others = [step.action for step in episode.steps]
    assert isinstance(tap, Tap)
    assert (tap.at, others) == (MIDDLE, [*actions[1:], Finish(Ending.COMPLETE)])
    assert "".join(i.text for i in device.inputs if isinstance(i, TypedText)) == "hi"
    for number, step in enumerate(episode.steps[:4]):
        assert step.frame is not None
        assert step.frame.size == SIZE
        assert step.tree is not None
        assert (step.tree.fit, step.tree.record.source) == (TreeFit.FRESH, "drawn")
        assert f"screen {(0, 1, 3, 4)[number]}".encode() in step.tree.record.data
        assert step.foreground is not None
        assert (step.foreground.package, step.foreground.fit) == (APP, AppFit.FRESH)
        assert step.began.device_us is not None
        assert step.began.host_ns is not None
        assert abs(step.began.device_us - step.began.host_ns // 1000) < 1_000_000
        assert step.began.host_ns < time.monotonic_ns()
