"""The hand of an agent: it acts through a session, and a person can take over at any moment.

Nothing of an answer reaches a shell: touches, keys and text go through the mirror's control
connection, and apps are looked up in the phone's own list.
"""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace

from episodes import actions as a
from episodes.actions import Phase
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.screens import TreeRecord
from recorder.frames import LiveFrame
from recorder.inputs import Input, KeyPress, Touch, TypedText
from recorder.mirror import Mirror
from recorder.script_player import ScriptPlayer
from recorder.session import Session

KEY_NAME = re.compile(r"KEYCODE_[A-Z0-9_]{1,40}")
SELECT_ALL = "META_CTRL_ON+KEYCODE_A"
MAX_TEXT = 5_000


class TakenOver(Exception):
    """A person acts now; the agent must not."""


class CannotDo(KnownError):
    """An action the hand cannot do; nothing was sent."""


class AgentSession:
    """A session as the hand sees it: inputs count as the agent's, until a person takes over.

    The person's inputs go through `send_by_person`. Thread-safe.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._fingers: dict[int, Touch] = {}
        self._taken = False

    @property
    def taken(self) -> bool:
        """Whether a person has taken over."""
        return self._taken

    def take_over(self) -> None:
        """Ends the agent's control at once; its fingers leave the glass."""
        with self._lock:
            self._lift()

    def send_by_person(self, one: Input) -> bool:
        """Takes over, then sends and records the input as the person's."""
        with self._lock:
            self._lift()
            return self._session.send(one)

    def send(self, one: Input) -> bool:
        """Sends an input as the agent's.

        Raises:
            TakenOver: a person acts.
        """
        with self._lock:
            if self._taken:
                raise TakenOver
            if isinstance(one, Touch):
                if one.is_lift:
                    self._fingers.pop(one.contact.pointer, None)
                else:
                    self._fingers[one.contact.pointer] = one
            return self._session.send(one, by_agent=True)

    def add_action(self, action: a.Wait | a.Answer) -> None:
        """Records an action that sends nothing.

        Raises:
            TakenOver: a person acts.
        """
        with self._lock:
            if self._taken:
                raise TakenOver
            self._session.add_action(action, by_agent=True)

    def end_action(self) -> None:
        """As the session's."""
        self._session.end_action()

    def wait_quiet(self, timeout: float = 10, with_tree: bool = True) -> bool:
        """As the session's."""
        return self._session.wait_quiet(timeout, with_tree)

    def tree(self) -> TreeRecord | None:
        """As the session's."""
        return self._session.tree()

    def _lift(self) -> None:
        self._taken = True
        for finger in self._fingers.values():
            now_ns = time.monotonic_ns()
            contact = finger.contact
            gone = Touch.of(
                Phase.CANCEL, contact.at, finger.shown, now_ns, finger.painted_ns, contact.pointer
            )
            self._session.send(gone, by_agent=True)
        self._fingers.clear()


class AgentHand:
    """Does an agent's actions on the phone."""

    def __init__(self, session: AgentSession, mirror: Mirror, seed: int = 1) -> None:
        self._session = session
        self._mirror = mirror
        self._player = ScriptPlayer(session, mirror, seed)

    def see(self) -> LiveFrame:
        """Returns the newest frame.

        Raises:
            KnownError: none has come.
        """
        return self._player.see()

    def do(self, action: a.Action) -> None:
        """Does an action whose place is a point; returns when it is sent.

        Raises:
            CannotDo: the hand has no such action, or the phone no such app.
            TakenOver: a person acts.
            PhoneGone: the phone is away.
        """
        match action:
            case a.TypeText():
                self._type(action)
            case a.Wait(duration_us=duration_us):
                self._session.add_action(action)
                self._sleep(min((duration_us or 1_000_000) / 1e6, 10))
            case a.Answer():
                self._session.add_action(action)
            case a.OpenApp(app=app):
                self._player.do(a.OpenApp(self._package(app)))
            case a.PressKey(key=a.Key.OTHER, name=name):
                if name is None or not KEY_NAME.fullmatch(name):
                    raise CannotDo("press a key", f"there is no key “{name}”", "Name another.")
                self._player.do(action)
            case a.PressKey() | a.Pinch():
                self._player.do(action)
            case a.Swipe():
                held = 300_000 if action.duration_us is None else action.duration_us
                self._player.do(replace(action, duration_us=min(held, 3_000_000)))
            case a.LongPress(duration_us=duration_us):
                self._player.do(replace(action, duration_us=min(duration_us or 800_000, 3_000_000)))
            case a.Tap() | a.DoubleTap() | a.Scroll():
                self._player.do(action)
            case _:
                raise CannotDo(
                    "act on the phone", f"{a.kind(action)} is no touch", "Act otherwise."
                )

    def _package(self, name: str) -> str:
        try:
            return self._mirror.device.find_app(name)
        except KnownError as error:
            raise CannotDo(error.doing, error.found, error.remedy) from error

    def _type(self, action: a.TypeText) -> None:
        if len(action.text) > MAX_TEXT:
            raise CannotDo("type", f"the text has {len(action.text)} characters", "Type less.")
        target = action.target.centre if isinstance(action.target, Box) else action.target
        if isinstance(target, Point):
            self._player.do(a.Tap(target))
            self._session.wait_quiet(3, False)
        if action.clear:
            self._press(a.PressKey(a.Key.OTHER, SELECT_ALL))
            self._press(a.PressKey(a.Key.DELETE))
        if action.text:
            shown = self.see()
            # Pasted in one piece: a keyboard has no keys for most scripts.
            typed = TypedText(
                action.text, shown, time.monotonic_ns(), shown.decoded_ns, not action.text.isascii()
            )
            self._player.send(typed)
            self._session.end_action()
        if action.submit:
            self._press(a.PressKey(a.Key.ENTER))

    def paste(self, text: str) -> None:
        """Sends text again, in one piece.

        Raises: as `do`.
        """
        shown = self.see()
        now_ns = time.monotonic_ns()
        self._player.send(TypedText(text, shown, now_ns, shown.decoded_ns, pasted=True))
        self._session.end_action()

    def _press(self, key: a.PressKey) -> None:
        self._player.send(KeyPress(key.key, self.see(), time.monotonic_ns(), key.name))
        self._session.end_action()

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self._session.taken:
                raise TakenOver
            time.sleep(min(0.1, max(0.0, until - time.monotonic())))
