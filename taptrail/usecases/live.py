"""Connects and mirrors one phone at a time, and records an episode on it.

Blocking calls (adb, phone, disk) must come from one thread. Input methods are thread-safe and
return at once. This module does not depend on the window.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from episodes.actions import Ending
from episodes.annotations import Author
from episodes.episodes import Actor, Task
from episodes.errors import KnownError
from episodes.recordings import DeviceFacts
from recorder.device.interface import Device, Devices, ListedPhone
from recorder.events import Health, MirrorEvent, SessionEvent
from recorder.frames import LiveFrame
from recorder.inputs import Input
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.screen_context import StepContext
from recorder.session import Session
from taptrail.usecases.demo_phone import running_demo_phone
from taptrail.usecases.live_agent import LiveAgent
from taptrail.usecases.tree_choice import phone_trees

_MOMENT_S = 0.3
Listener = Callable[[MirrorEvent | SessionEvent], None]


@dataclass(frozen=True, slots=True)
class Connected:
    """A phone that is mirrored now.

    Attributes:
        locked: whether its lock screen is in front.
    """

    serial: str
    facts: DeviceFacts
    locked: bool = False

    @property
    def name(self) -> str:
        """What people call the phone."""
        return self.facts.model or self.serial


class Desk:
    """A phone, its mirror, and the session that records it.

    Args:
        folder: of the library recordings go into.
        on_frame: called when a frame waits to be taken with `frame`; any thread.
        on_event: called with what mirror and session tell; any thread.
    """

    def __init__(
        self,
        folder: Path,
        devices: Devices,
        on_frame: Callable[[], None],
        on_event: Listener,
    ) -> None:
        self._folder, self._devices = folder, devices
        self._on_frame, self._on_event = on_frame, on_event
        self._demo = ExitStack()
        self._given_up = threading.Event()
        self._trying: Device | None = None
        self._port: int | None = None
        self._mirror: Mirror | None = None
        self._session: Session | None = None
        self._library: LibraryThread | None = None
        self._agent: LiveAgent | None = None

    # --- what waits: one thread -------------------------------------------------------------
    def phones(self) -> tuple[ListedPhone, ...]:
        """Returns the phones adb knows.

        Raises:
            KnownError: there is no adb, or its server does not come up.
        """
        return tuple(self._devices.phones())

    def start_demo_phone(self) -> Connected:
        """Starts the demo phone and mirrors it.

        Raises:
            KnownError: it does not start.
        """
        self.disconnect()
        demo = self._demo.enter_context(running_demo_phone())
        return self._connect(demo.serial, demo.devices)

    def connect(self, serial: str) -> Connected:
        """Mirrors a phone that adb knows; an address ("192.168.0.7:5555") is connected first.

        Raises:
            KnownError: it cannot be mirrored now.
        """
        self.disconnect()
        known = {name: phone for phone in self._devices.phones() for name in phone.names}
        if serial not in known and ":" in serial:
            serial = self._devices.connect(serial)
        elif serial in known and not known[serial].ready:
            phone = known[serial]
            raise KnownError(f"connect {serial}", f"the phone is {phone.meaning}", phone.remedy)
        return self._connect(serial, self._devices)

    def pair(self, address: str, code: str) -> None:
        """Pairs this computer with a phone's wireless debugging; connecting comes after.

        Raises:
            KnownError: nobody answers there, or the code is another.
        """
        self._devices.pair(address, code)

    @property
    def adb_port(self) -> int:
        """Port of the server that has the connected phone, else where phones are looked for.

        Any thread.
        """
        port = self._port
        return self._devices.port if port is None else port

    def use(self, devices: Devices) -> None:
        """Looks for phones at another server from now on; a connected one stays. Any thread."""
        self._devices = devices

    def disconnect(self) -> None:
        """Ends recording, mirror and demo phone."""
        self.end_recording()
        if self._mirror is not None:
            self._mirror.stop()
            self._mirror = None
        self._port = None
        self._demo.close()

    def begin(self, task: Task, author: Author | None, agent: LiveAgent | None = None) -> str:
        """Begins an episode and returns its uuid.

        Args:
            agent: acts in it; None for a person.

        Raises:
            KnownError: there is no phone, the library cannot be written, or the agent may not act
                on this phone.
        """
        if self._mirror is None:
            raise KnownError("record", "no phone is connected", "Connect one.")
        self.end_recording()
        if agent is not None:
            agent.check(self._mirror)
        library = LibraryThread(self._folder).start()
        device = self._mirror.device
        session = Session(
            self._mirror,
            library,
            task,
            Actor(author=author) if agent is None else Actor("agent", agent=agent.name),
            tree_source=lambda: phone_trees(device),
        )
        session.on_event(self._on_event)
        self._library, self._session, self._agent = library, session, agent
        session.start()
        if agent is not None:
            agent.start(session, self._mirror, library)
        return session.episode

    def end_recording(self) -> str:
        """Ends the session, closes the library, and returns the episode's name.

        Without a claim before, the episode is incomplete; "" if nothing was recorded.
        """
        session, library, agent = self._session, self._library, self._agent
        self._session = self._agent = None
        if agent is not None:
            agent.close()
        if session is not None:
            session.stop()
        self._library = None
        if library is not None:
            library.close()
        return session.name if session is not None else ""

    def close(self) -> None:
        """Ends everything; returns when it has ended."""
        self.disconnect()

    def give_up(self) -> None:
        """Lets no phone be connected any more and breaks off what is tried now; any thread."""
        self._given_up.set()
        trying = self._trying
        if trying is not None:
            trying.interrupt()

    def _connect(self, serial: str, devices: Devices) -> Connected:
        device = devices.device(serial)
        self._trying = device
        if self._given_up.is_set():
            raise KnownError("connect the phone", "nobody waits for it any more", "Connect again.")
        mirror = Mirror(device)
        mirror.on_frame(self._on_frame)
        mirror.on_event(self._on_event)
        mirror.start()
        self._mirror, self._port = mirror, devices.port
        return Connected(serial, device.facts(), bool(device.locked()))

    # --- what a hand does: any thread, at once -----------------------------------------------
    def frame(self) -> LiveFrame | None:
        """Returns the newest frame if it has not been taken yet."""
        mirror = self._mirror
        return mirror.latest.take() if mirror is not None else None

    @property
    def folder(self) -> Path:
        """Folder of the library that recordings go into."""
        return self._folder

    @property
    def agent(self) -> LiveAgent | None:
        """The model that acts in the current recording; None if a person has control."""
        agent = self._agent
        return agent if agent is not None and agent.acts else None

    @property
    def session(self) -> Session | None:
        """The session of the current recording; None if nothing is recorded."""
        return self._session

    def surroundings(self, shown: LiveFrame) -> StepContext | None:
        """Returns what is around a frame while it is recorded; None if nothing is, or in vain.

        The phone is asked nothing for it. It may wait a moment for the session's thread, so it is
        not for the thread of a window.
        """
        session = self._session
        return session.surroundings(shown, _MOMENT_S) if session is not None else None

    def health(self) -> Health | None:
        """Returns how the mirror is; None without one."""
        mirror = self._mirror
        return mirror.health() if mirror is not None else None

    def send(self, one: Input) -> None:
        """Sends an input to the phone; recorded while a recording runs.

        If a model acts, the person takes over.
        """
        agent = self._agent
        if agent is not None and agent.acts:
            agent.send_by_person(one)
            return
        target = self._session or self._mirror
        if target is not None:
            target.send(one)

    def rotate(self) -> None:
        """Turns the phone by a quarter."""
        if self._mirror is not None:
            self._mirror.rotate()

    def pause(self) -> None:
        """Keeps nothing until `resume`."""
        if self._session is not None:
            self._session.pause()

    def resume(self) -> None:
        """Goes on recording."""
        if self._session is not None:
            self._session.resume()

    def drop_last(self) -> None:
        """Takes the last step out again."""
        if self._session is not None:
            self._session.drop_last()

    def restore_last(self) -> None:
        """Puts back the step that was taken out last."""
        if self._session is not None:
            self._session.restore_last()

    def finish(self, ending: Ending, reason: str = "") -> None:
        """Ends the episode with a claim; FINISHED is told when all of it is saved."""
        if self._session is not None:
            self._session.finish(ending, reason)

    def leave(self) -> None:
        """Ends the episode without a claim; STOPPED is told when all of it is saved."""
        if self._session is not None:
            self._session.leave()
