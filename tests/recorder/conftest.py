"""A demo phone, a mirror of it and a session, for the tests that need the real parts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from episodes.episodes import Episode, Task
from episodes.store.library import Library
from recorder.device.interface import Device, TreeSource, VideoOptions
from recorder.devices import open_devices
from recorder.events import SessionEvent, SessionState
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.script_player import ScriptPlayer
from recorder.session import Session
from tests.demophone.phones import (
    AdbServer,
    RunningPhone,
    adb_server,
    demo_phone,
    start_phone,
)

__all__ = ["adb_server", "demo_phone"]

ARGUMENTS = ("--deterministic", "--no-animations", "--size", "720x1600", "--density", "280")
E = TypeVar("E")


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """Whatever a test started has ended with it."""
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(2)
    assert [thread.name for thread in left if thread.is_alive()] == []


@pytest.fixture(scope="session")
def lasting_phone(
    adb_server: AdbServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningPhone]:
    folder = tmp_path_factory.mktemp("recorder") / "phone"
    phone = start_phone(adb_server, folder, *ARGUMENTS)
    phone.connect()
    yield phone
    phone.stop()
    adb_server.run("disconnect", phone.serial)


@pytest.fixture
def phone(lasting_phone: RunningPhone) -> RunningPhone:
    """One phone for all tests, upright and at its home screen."""
    lasting_phone.shell("wm user-rotation lock 0; input keyevent HOME")
    return lasting_phone


@dataclass
class Recorder:
    """A mirror, a library and a session, with all that the session has told."""

    mirror: Mirror
    library: LibraryThread
    session: Session
    events: list[SessionEvent] = field(default_factory=list)
    _told: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self.session.on_event(self._tell)
        self.hand = ScriptPlayer(self.session, self.mirror, patience_s=30)

    def _tell(self, event: SessionEvent) -> None:
        with self._told:
            self.events.append(event)
            self._told.notify_all()

    def all_of(self, kind: type[E]) -> list[E]:
        """The events of one kind so far."""
        return [event for event in tuple(self.events) if isinstance(event, kind)]

    def wait(self, kind: type[E], count: int = 1, timeout: float = 30) -> E:
        """The event that is number `count` of its kind, as soon as it is told."""
        with self._told:
            there = self._told.wait_for(lambda: len(self.all_of(kind)) >= count, timeout)
        assert there, (kind, self.events[-8:])
        return self.all_of(kind)[count - 1]

    def until_seen(self, phone: RunningPhone) -> None:
        """Waits until the newest frame shows the newest screen of its phone."""

        def newest() -> bool:
            sent = {line["pts_us"]: line["screen"] for line in phone.truth("frame")}
            return sent.get(self.hand.see().pts_us) == phone.truth("screen")[-1]["screen"]

        until(newest, "the newest screen has come")

    def begin(self) -> None:
        """Starts and waits until the session records."""
        self.session.start()
        assert self.session.wait_for(SessionState.RECORDING, timeout=30), self.events

    def episode(self) -> Episode:
        """The episode as the library has it."""
        return self.library.call(lambda library: library.episode(self.session.episode))

    def read(self, look: Callable[[Library], E]) -> E:
        return self.library.call(look)


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Callable[..., Recorder]]:
    """Makes recorders of demo phones; they end with the test."""
    recorders: list[Recorder] = []

    def make(
        phone: RunningPhone,
        name: str = "library",
        trees: Callable[[Device], TreeSource] = lambda device: device.tree_source("uiautomator"),
        options: VideoOptions | None = None,
    ) -> Recorder:
        mirror = Mirror(open_devices(port=phone.adb_port).device(phone.serial), options)
        mirror.start()
        library = LibraryThread(tmp_path / name).start()
        session = Session(mirror, library, Task("do it"), tree_source=lambda: trees(mirror.device))
        recorder = Recorder(mirror, library, session)
        recorders.append(recorder)
        return recorder

    yield make
    for recorder in recorders:
        recorder.session.stop()
        recorder.mirror.stop()
        recorder.library.close()


@pytest.fixture
def recorder(record: Callable[..., Recorder], phone: RunningPhone) -> Recorder:
    """A recorder of the lasting phone, recording."""
    made = record(phone)
    made.begin()
    return made


def until(holds: Callable[[], bool], what: str, timeout: float = 30) -> None:
    """Waits until something holds that nobody tells of."""
    deadline = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)
