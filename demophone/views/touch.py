"""Fingers on the glass: from touches to taps, presses, drags and pinches.

Works in dp of the present rotation, on the trees of views that the stage shows. Knows nothing
of apps, and nothing of where the touches come from.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from demophone.views.view import Drag, PinchTarget, View

LONG_PRESS_US = 500_000
DOUBLE_TAP_US = 300_000
SLOP = 8.0
"""dp that a finger may tremble."""
DOUBLE_SLOP = 48.0
NOMINAL_STEP_US = 16_667
"""Time between two positions where the clock must not count."""


class Stage(Protocol):
    """What the fingers act on."""

    deterministic: bool

    def now_us(self) -> int: ...
    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle: ...
    def chain(self, x: float, y: float) -> list[View]:
        """The views under a point, from the window's root to the innermost."""

    def system_drag(self, x: float, y: float, dx: float, dy: float) -> Drag | None:
        """The system's own drag (home, back, shade) that begins so, if one does."""

    def pressed(self, view: View | None) -> None:
        """Shows the pressed state."""

    def tapped(self, view: View | None, x: float, y: float) -> None: ...
    def double_tapped(self, view: View, x: float, y: float) -> None: ...
    def long_pressed(self, view: View, x: float, y: float) -> None: ...
    def concluded(
        self, kind: str, view: View | None, start: tuple[float, float], end: tuple[float, float]
    ) -> None:
        """Notes a gesture in the truth log."""


@dataclass(slots=True)
class _Finger:
    x: float
    y: float
    start: tuple[float, float]
    trail: list[tuple[int, float, float]] = field(default_factory=list)


class Fingers:
    """Reads the gestures of all fingers."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._fingers: dict[int, _Finger] = {}
        self._target: View | None = None
        self._held: View | None = None
        self._chain: list[View] = []
        self._timer: asyncio.TimerHandle | None = None
        self._state = "idle"  # idle, pressed, long, drag, swipe, pinch
        self._drag: Drag | None = None
        self._pinch: PinchTarget | None = None
        self._pinch_view: View | None = None
        self._pinch_start = (0.0, 0.0)
        self._spread = 0.0
        self._last_tap: tuple[int, float, float, str] | None = None

    @property
    def down(self) -> bool:
        """Whether a finger is on the glass."""
        return bool(self._fingers)

    def holds(self, pointer: int) -> bool:
        """Whether this finger is on the glass."""
        return pointer in self._fingers

    def press(self, pointer: int, x: float, y: float) -> View | None:
        """A finger came down. Returns the innermost interactive view it hit."""
        now = self._stage.now_us()
        self._fingers[pointer] = _Finger(x, y, (x, y), [(now, x, y)])
        chain = self._stage.chain(x, y)
        hit = next((v for v in reversed(chain) if v.interactive), None)
        if len(self._fingers) == 1:
            self._chain = chain
            self._target = self._touchable(chain)
            self._held = self._holdable(chain)
            self._state = "pressed"
            self._stage.pressed(self._target)
            self._arm()
        elif len(self._fingers) == 2 and self._state in ("pressed", "drag", "swipe"):
            self._begin_pinch()
        return hit

    def move(self, pointer: int, x: float, y: float) -> None:
        """A finger went to (x, y)."""
        finger = self._fingers.get(pointer)
        if finger is None:
            return
        dx, dy = x - finger.x, y - finger.y
        finger.x, finger.y = x, y
        finger.trail.append((self._stage.now_us(), x, y))
        del finger.trail[:-8]
        if self._state == "pinch":
            self._spread_to(self._distance())
        elif self._state == "drag" and self._drag is not None:
            self._drag.move(dx, dy)
        elif self._state in ("pressed", "long"):
            total = (x - finger.start[0], y - finger.start[1])
            if self._state == "pressed" and math.hypot(*total) > SLOP:
                self._begin_drag(finger, *total)

    def lift(self, pointer: int, x: float, y: float) -> None:
        """A finger left the glass at (x, y)."""
        if pointer not in self._fingers:
            return
        finger = self._fingers[pointer]
        if (x, y) != (finger.x, finger.y):
            self.move(pointer, x, y)
        state = self._state
        if state == "pinch":
            if self._pinch_view is not None or len(self._fingers) == 2:
                self._end_pinch()
            del self._fingers[pointer]
        else:
            del self._fingers[pointer]
            if self._fingers:
                return
            self._disarm()
            self._stage.pressed(None)
            self._state = "idle"
            if state == "pressed":
                self._tap(x, y)
            elif state in ("drag", "swipe"):
                self._stage.concluded("swipe", self._target, finger.start, (x, y))
                if state == "drag" and self._drag is not None:
                    self._drag.end(*self._velocity(finger))
        if not self._fingers:
            self._reset()

    def cancel(self) -> None:
        """The touches are taken back: nothing is concluded."""
        drag = self._drag if self._state == "drag" else None
        self._fingers.clear()
        self._disarm()
        self._stage.pressed(None)
        self._reset()
        if drag is not None:
            drag.end(0.0, 0.0)

    # --- the parts ---------------------------------------------------------------------------
    def _touchable(self, chain: list[View]) -> View | None:
        """The innermost view that a tap or a press does something to."""
        for view in reversed(chain):
            if view.clickable or view.long_clickable or (view.enabled and view.double_tap):
                return view
        return None

    def _holdable(self, chain: list[View]) -> View | None:
        """What a long press is for: also the text that a pressed link is a part of."""
        target = self._target
        if target is None or target.long_clickable:
            return target
        outer = reversed(chain[: chain.index(target)])
        whole = next((view for view in outer if view.opaque), None)
        return whole if whole is not None and whole.long_clickable else None

    def _arm(self) -> None:
        if self._held is not None:
            self._timer = self._stage.later(LONG_PRESS_US / 1e6, self._long)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _long(self) -> None:
        self._timer = None
        target = self._held
        if self._state != "pressed" or target is None or not self._fingers:
            return
        finger = next(iter(self._fingers.values()))
        self._state = "long"
        self._stage.pressed(None)
        self._stage.concluded("long_press", target, finger.start, (finger.x, finger.y))
        self._stage.long_pressed(target, finger.x, finger.y)

    def _tap(self, x: float, y: float) -> None:
        now = self._stage.now_us()
        target = self._target
        key = target.key if target is not None else ""
        last, self._last_tap = self._last_tap, (now, x, y, key)
        doubles = target is not None and (target.double_tap is not None or target.field is not None)
        if doubles and last is not None and target is not None:
            at, lx, ly, before = last
            near = math.hypot(x - lx, y - ly) <= DOUBLE_SLOP
            if before == key and near and now - at <= DOUBLE_TAP_US:
                self._last_tap = None
                self._stage.concluded("double_tap", target, (x, y), (x, y))
                self._stage.double_tapped(target, x, y)
                return
        self._stage.concluded("tap", target, (x, y), (x, y))
        self._stage.tapped(target, x, y)

    def _begin_drag(self, finger: _Finger, dx: float, dy: float) -> None:
        self._disarm()
        self._stage.pressed(None)
        self._drag = self._stage.system_drag(*finger.start, dx, dy)
        if self._drag is None:
            for view in reversed(self._chain):
                if view.enabled and view.drag is not None and view.drag.takes(dx, dy):
                    self._drag = view.drag
                    break
        if self._drag is None:
            self._state = "swipe"
            return
        self._state = "drag"
        length = math.hypot(dx, dy)
        share = (length - SLOP) / length
        self._drag.move(dx * share, dy * share)

    def _begin_pinch(self) -> None:
        self._disarm()
        self._stage.pressed(None)
        self._state = "pinch"
        self._spread = self._distance()
        self._pinch_start = self._middle()
        chain = self._stage.chain(*self._pinch_start)
        for view in reversed(chain or self._chain):
            if view.enabled and view.pinch is not None:
                self._pinch_view, self._pinch = view, view.pinch
                break

    def _spread_to(self, distance: float) -> None:
        if len(self._fingers) < 2:
            return
        if self._pinch is not None and self._spread > 1 and distance > 1:
            self._pinch.pinch(distance / self._spread)
        self._spread = distance

    def _end_pinch(self) -> None:
        if len(self._fingers) >= 2:
            self._stage.concluded("pinch", self._pinch_view, self._pinch_start, self._middle())
        self._pinch = self._pinch_view = None

    def _distance(self) -> float:
        fingers = list(self._fingers.values())
        if len(fingers) < 2:
            return 0.0
        return math.hypot(fingers[0].x - fingers[1].x, fingers[0].y - fingers[1].y)

    def _middle(self) -> tuple[float, float]:
        fingers = list(self._fingers.values())[:2]
        return sum(f.x for f in fingers) / len(fingers), sum(f.y for f in fingers) / len(fingers)

    def _velocity(self, finger: _Finger) -> tuple[float, float]:
        trail = finger.trail
        if self._stage.deterministic:
            trail = [(i * NOMINAL_STEP_US, x, y) for i, (_, x, y) in enumerate(trail)]
        else:
            now = self._stage.now_us()
            trail = [point for point in trail if now - point[0] <= 100_000]
        if len(trail) < 2:
            return 0.0, 0.0
        seconds = max(0.004, (trail[-1][0] - trail[0][0]) / 1e6)
        return (trail[-1][1] - trail[0][1]) / seconds, (trail[-1][2] - trail[0][2]) / seconds

    def _reset(self) -> None:
        self._state = "idle"
        self._target = self._held = None
        self._chain = []
        self._drag = None
        self._pinch = self._pinch_view = None
