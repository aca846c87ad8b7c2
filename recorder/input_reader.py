"""Turns inputs into steps: touches, wheel turns, keys and typed text.

Belongs to the session's thread; sends nothing to the phone and commits nothing. The caller asks
`due_ns` when to call `tick`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from episodes import gestures
from episodes.actions import (
    Action,
    Key,
    PressKey,
    Scroll,
    TypeText,
)
from episodes.geometry import Direction, Point, Size
from episodes.gestures import GestureLimits, GestureState, RecognizedActions
from episodes.screens import Basis
from recorder.frames import LiveFrame
from recorder.inputs import KeyPress, StartApp, Touch, TypedText, WheelTurn
from recorder.pending_step import PendingStep

TEXT_SILENCE_NS = 1_500_000_000
WHEEL_SILENCE_NS = 500_000_000
# Android allows 100 dp, but two keys of a soft keyboard lie closer, and a mouse hits what it means.
DOUBLE_CLICK_SLOP_DP = 24.0


@dataclass(slots=True)
class _Typed:
    text: str
    shown: LiveFrame | None
    painted_ns: int | None
    began_ns: int
    last_ns: int


@dataclass(slots=True)
class _Wheel:
    direction: Direction
    at: Point
    shown: LiveFrame
    painted_ns: int | None
    began_ns: int
    last_ns: int


class InputReader:
    """Collects one person's input until it makes a step.

    Args:
        add: gets each step, in the order in which they began.
        on_text: gets the text typed so far; "" when it has become a step.
    """

    def __init__(self, add: Callable[[PendingStep], None], on_text: Callable[[str], None]) -> None:
        self._add = add
        self._on_text = on_text
        self._state = gestures.IDLE
        self._limits = GestureLimits(double_tap_slop_dp=DOUBLE_CLICK_SLOP_DP)
        self._presses: dict[int, Touch] = {}
        self._typed: _Typed | None = None
        self._wheel: _Wheel | None = None

    @property
    def touching(self) -> bool:
        """Whether a finger is on the glass."""
        return self._state.active

    @property
    def fingers(self) -> tuple[tuple[int, Point], ...]:
        """The fingers on the glass, with where they came down."""
        return self._state.down

    @property
    def size(self) -> Size | None:
        """Of the frame the gesture under way was begun on; None for none."""
        return next((press.shown.size for press in self._presses.values()), None)

    def set_density(self, per_dp: float) -> None:
        """Sets how many pixels of the frame one dp covers."""
        self._limits = GestureLimits(per_dp, double_tap_slop_dp=DOUBLE_CLICK_SLOP_DP)

    # --- input -------------------------------------------------------------------------------
    def touch(self, one: Touch) -> None:
        """Adds the position of one finger."""
        self._close_text()
        self._close_wheel()
        if one.is_down and not self._state.active:
            if self._state.tap and self.size != one.shown.size:
                self._flush_taps()
            self._presses[one.contact.time_us] = one
        self._take(gestures.advance(self._state, one.contact, self._limits))

    def key(self, one: KeyPress) -> None:
        """Adds a key. Delete removes the last typed character while there is one."""
        self._flush_taps()
        self._close_wheel()
        if one.key is Key.DELETE and self._typed is not None and self._typed.text:
            self._typed.text = self._typed.text[:-1]
            self._typed.last_ns = one.host_ns
            self._on_text(self._typed.text)
            return
        self._close_text()
        source = "button" if one.key in (Key.BACK, Key.HOME, Key.RECENTS) else "keyboard"
        self.command(PressKey(one.key, one.name), source, one)

    def command(self, action: Action, source: str, one: KeyPress | StartApp) -> None:
        """Adds an input that is a whole action by itself."""
        self._flush_taps()
        self._close_wheel()
        self._close_text()
        at_ns = one.host_ns
        self._add(PendingStep(action, source, one.shown, Basis.BEFORE_ACTION, at_ns, at_ns))

    def text(self, one: TypedText) -> None:
        """Adds typed or pasted characters."""
        self._flush_taps()
        self._close_wheel()
        if self._typed is None:
            self._typed = _Typed("", one.shown, one.painted_ns, one.host_ns, one.host_ns)
        self._typed.text += one.text
        self._typed.last_ns = one.host_ns
        self._on_text(self._typed.text)

    def wheel(self, one: WheelTurn) -> None:
        """Adds a turn of the wheel."""
        self._flush_taps()
        self._close_text()
        across, down = one.across, one.down
        if not across and not down:
            return
        # A wheel turned up moves the content down, as a finger that goes down does.
        if abs(across) > abs(down):
            direction = Direction.LEFT if across > 0 else Direction.RIGHT
        else:
            direction = Direction.DOWN if down > 0 else Direction.UP
        if self._wheel is not None and self._wheel.direction is not direction:
            self._close_wheel()
        if self._wheel is None:
            self._wheel = _Wheel(
                direction, one.at, one.shown, one.painted_ns, one.host_ns, one.host_ns
            )
        self._wheel.last_ns = one.host_ns

    # --- time --------------------------------------------------------------------------------
    def due_ns(self) -> int | None:
        """Returns the host time at which `tick` has something to do; None for never."""
        due: list[int] = []
        tap_us = gestures.due_us(self._state, self._limits)
        if tap_us is not None:
            due.append(tap_us * 1000)
        if self._typed is not None:
            due.append(self._typed.last_ns + TEXT_SILENCE_NS)
        if self._wheel is not None:
            due.append(self._wheel.last_ns + WHEEL_SILENCE_NS)
        return min(due, default=None)

    def tick(self, now_ns: int) -> None:
        """Makes steps of what has been silent long enough."""
        self._take(gestures.settle(self._state, now_ns // 1000, self._limits))
        if self._typed is not None and now_ns >= self._typed.last_ns + TEXT_SILENCE_NS:
            self._close_text()
        if self._wheel is not None and now_ns >= self._wheel.last_ns + WHEEL_SILENCE_NS:
            self._close_wheel()

    def end_action(self) -> None:
        """Makes steps of what waits; a gesture under way goes on."""
        self._flush_taps()
        self._close_text()
        self._close_wheel()

    def flush(self) -> None:
        """Makes steps of all that waits; a gesture under way is dropped."""
        self.cancel()
        self._close_text()
        self._close_wheel()

    def cancel(self) -> bool:
        """Drops the gesture under way; returns whether there was one. A tap before it stays."""
        was_touching = self._state.active
        self._take(gestures.cancel(self._state))
        self._presses.clear()
        return was_touching

    def drop_tap(self, since_ns: int) -> bool:
        """Drops a tap that waits for a second one if it ended at `since_ns` or later."""
        tap = self._state.tap
        if not tap or tap[-1].time_us * 1000 < since_ns:
            return False
        self._state = GestureState(
            self._state.path, self._state.down, self._state.moved, self._state.fingers
        )
        return True

    # --- inside ------------------------------------------------------------------------------
    def _flush_taps(self) -> None:
        self._take(gestures.flush(self._state))

    def _take(self, result: tuple[GestureState, RecognizedActions]) -> None:
        self._state, readings = result
        for reading in readings:
            press = self._presses[reading.began_us]
            self._add(
                PendingStep(
                    reading.action,
                    "mirror",
                    press.shown,
                    Basis.PAINTED,
                    press.host_ns,
                    reading.ended_us * 1000,
                    press.painted_ns,
                )
            )
        if not self._state.path and not self._state.tap:
            self._presses.clear()

    def _close_text(self) -> None:
        typed, self._typed = self._typed, None
        if typed is None:
            return
        self._on_text("")
        if typed.text:
            self._add_held(TypeText(typed.text), "keyboard", typed)

    def _close_wheel(self) -> None:
        wheel, self._wheel = self._wheel, None
        if wheel is not None:
            self._add_held(Scroll(wheel.direction, wheel.at), "mirror", wheel)

    def _add_held(self, action: Action, source: str, held: _Typed | _Wheel) -> None:
        self._add(
            PendingStep(
                action,
                source,
                held.shown,
                Basis.PAINTED if held.painted_ns is not None else Basis.BEFORE_ACTION,
                held.began_ns,
                held.last_ns,
                held.painted_ns,
            )
        )
