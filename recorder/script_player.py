"""Plays a list of actions at human speed.

It uses a session as the window does: the newest frame is what it sees, and each touch carries the
frame it was made on. For scripts, the demo without a window, and tests.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from episodes.actions import (
    Action,
    DoubleTap,
    ElementRef,
    LongPress,
    OpenApp,
    Phase,
    Pinch,
    PressKey,
    Scroll,
    Swipe,
    Tap,
    Target,
    TypeText,
    Wait,
)
from episodes.errors import KnownError
from episodes.geometry import Box, Direction, Point
from episodes.screens import TreeRecord
from episodes.trees.readers import read_record
from recorder.device.interface import PhoneGone
from recorder.frames import LiveFrame
from recorder.inputs import Input, KeyPress, StartApp, Touch, TypedText, WheelTurn
from recorder.mirror import Mirror

MOVE_EVERY_S = 0.016
SEE_TIMEOUT_S = 10.0


class Controls(Protocol):
    """What a player needs of a `Session`."""

    def send(self, one: Input) -> bool:
        """As the session's."""

    def end_action(self) -> None:
        """As the session's."""

    def wait_quiet(self, timeout: float = 10, with_tree: bool = True) -> bool:
        """As the session's."""

    def tree(self) -> TreeRecord | None:
        """As the session's."""


class ScriptPlayer:
    """Plays actions on one session.

    Args:
        seed: of the small random differences in its timing.
        with_tree: whether it waits for the tree of the screen before it acts.
        patience_s: how long it waits for a still screen; then it acts all the same.

    Attributes:
        sent: how many inputs of the newest action the phone got.
    """

    def __init__(
        self,
        session: Controls,
        mirror: Mirror,
        seed: int = 1,
        with_tree: bool = True,
        patience_s: float = 8.0,
    ) -> None:
        self._session = session
        self._mirror = mirror
        self._random = random.Random(seed)  # noqa: S311  timing, no secret
        self._with_tree = with_tree
        self._patience_s = patience_s
        self.sent = 0

    def run(self, actions: Iterable[Action]) -> int:
        """Plays all actions, each on a screen at rest; returns how many."""
        count = 0
        for action in actions:
            self.rest()
            self.do(action)
            count += 1
        return count

    def rest(self) -> bool:
        """Waits until the screen is still, as a person looks before acting."""
        return self._session.wait_quiet(self._patience_s, self._with_tree)

    def see(self) -> LiveFrame:
        """Returns the newest frame.

        Raises:
            KnownError: none has come.
        """
        frame = self._mirror.latest.peek() or self._mirror.latest.wait_beyond(0, SEE_TIMEOUT_S)
        if frame is None:
            raise KnownError(
                "act on the phone", "no picture of it has come", "Unlock the phone and try again."
            )
        return frame

    def do(self, action: Action) -> None:
        """Plays one action now, on the newest frame; returns when the last finger has left.

        An `ElementRef` with a text is looked up by `find` first, the name of an app in the
        phone's list of apps.

        Raises:
            KnownError: the phone is away, or has no such element or app.
            ValueError: the action is of a kind that cannot be played.
        """
        self.sent = 0
        match action:
            case Tap(at=at) | DoubleTap(at=at) | LongPress(at=at) if not isinstance(at, Point):
                action = replace(action, at=self._point(at))
            case Scroll(at=ElementRef() | Box() as at):
                action = replace(action, at=self._point(at))
            case _:
                pass
        shown = self.see()
        match action:
            case Tap(at=Point() as at):
                self._tap(at, shown)
            case DoubleTap(at=Point() as at):
                self._tap(at, shown)
                self._pause(0.10, 0.16)
                self._tap(at, shown)
            case LongPress(at=Point() as at, duration_us=duration_us):
                self._hold(at, shown, (duration_us or 800_000) / 1e6)
            case Swipe(start=start, end=end, duration_us=duration_us):
                self._glide([(start, end)], shown, (duration_us or 300_000) / 1e6)
            case Pinch(centre=centre, scale=scale):
                self._glide(_pinch(centre, scale, shown), shown, 0.4)
            case Scroll(direction=direction, at=place):
                middle = shown.size.at(0.5, 0.5)
                self._scroll(direction, place if isinstance(place, Point) else middle, shown)
            case TypeText(text=text):
                for character in text:
                    self.send(TypedText(character, shown, _now(), shown.decoded_ns))
                    self._pause(0.04, 0.09)
            case PressKey(key=key, name=name):
                self.send(KeyPress(key, shown, _now(), name))
            case OpenApp(app=app):
                package = self._mirror.device.find_app(app)
                self.send(StartApp(package, shown, _now()))
            case Wait(duration_us=duration_us):
                time.sleep((duration_us or 1_000_000) / 1e6)
            case _:
                raise ValueError(f"{action} cannot be played")
        self._session.end_action()

    def find(self, words: str) -> Box:
        """Returns where on the newest frame something has these words, by the screen's tree.

        Its text, description or hint counts, or the last part of its resource id.

        Raises:
            KnownError: the tree is not known, or has no such node.
        """
        self.rest()
        record = self._session.tree()
        if record is None:
            raise KnownError(
                f"find “{words}” on the screen", "its tree is not known", "Wait, or try again."
            )
        for node in read_record(record, self.see().size).walk():
            told = (node.text, node.description, node.hint, node.resource_id.rpartition("/")[2])
            if node.visible and node.box.area and words in told:
                return node.box
        raise KnownError(
            f"find “{words}” on the screen", "no element has these words", "Look at the screen."
        )

    # --- fingers -------------------------------------------------------------------------------
    def _point(self, target: Target) -> Point:
        match target:
            case Point():
                return target
            case Box():
                return target.centre
            case ElementRef(text=str(words)):
                return self.find(words).centre
            case _:
                raise ValueError(f"{target} cannot be looked up")

    def _touch(self, phase: Phase, at: Point, shown: LiveFrame, pointer: int = 0) -> None:
        self.send(Touch.of(phase, at, shown, _now(), shown.decoded_ns, pointer))

    def _tap(self, at: Point, shown: LiveFrame) -> None:
        self._touch(Phase.DOWN, at, shown)
        self._pause(0.06, 0.11)
        self._touch(Phase.UP, at, shown)

    def _hold(self, at: Point, shown: LiveFrame, seconds: float) -> None:
        self._touch(Phase.DOWN, at, shown)
        time.sleep(seconds)
        self._touch(Phase.UP, at, shown)

    def _glide(self, ways: list[tuple[Point, Point]], shown: LiveFrame, seconds: float) -> None:
        """One finger for each way, all at once, in even steps."""
        for pointer, (start, _) in enumerate(ways):
            self._touch(Phase.DOWN, start, shown, pointer)
        moves = max(4, round(seconds / MOVE_EVERY_S))
        for number in range(1, moves + 1):
            time.sleep(seconds / moves)
            for pointer, (start, end) in enumerate(ways):
                part = number / moves
                at = Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
                self._touch(Phase.MOVE, at, shown, pointer)
        for pointer, (_, end) in enumerate(ways):
            self._touch(Phase.UP, end, shown, pointer)

    def _scroll(self, direction: Direction, at: Point, shown: LiveFrame) -> None:
        """Three notches of the wheel; the direction is the finger's, as everywhere."""
        across, down = {
            Direction.UP: (0.0, -1.0),
            Direction.DOWN: (0.0, 1.0),
            Direction.LEFT: (1.0, 0.0),
            Direction.RIGHT: (-1.0, 0.0),
        }[direction]
        for _ in range(3):
            self.send(WheelTurn(at, across, down, shown, _now(), shown.decoded_ns))
            self._pause(0.04, 0.08)

    def send(self, one: Input) -> None:
        """Sends and counts an input; raises PhoneGone if it was not sent."""
        if not self._session.send(one):
            raise PhoneGone(
                "act on the phone", "the phone is away", "Connect it, and record the task again."
            )
        self.sent += 1

    def _pause(self, least_s: float, most_s: float) -> None:
        time.sleep(self._random.uniform(least_s, most_s))


def _pinch(centre: Point, scale: float, shown: LiveFrame) -> list[tuple[Point, Point]]:
    """The ways of two fingers on a slanted line through the centre."""
    near = min(shown.size.width, shown.size.height) * 0.1
    first, last = (near, near * scale) if scale >= 1 else (near / scale, near)
    return [
        (
            Point(centre.x + side * first * 0.7, centre.y + side * first * 0.7),
            Point(centre.x + side * last * 0.7, centre.y + side * last * 0.7),
        )
        for side in (-1, 1)
    ]


def _now() -> int:
    return time.monotonic_ns()
