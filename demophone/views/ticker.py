"""Runs animations on the event loop, and only while there are any."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from demophone.views.motion import (
    Animation,
    ScrollPosition,
    fling_distance,
    fling_duration,
    fling_offset,
)

TICK_SECONDS = 1 / 60


class Ticker:
    """All that moves on the screen.

    Args:
        loop: where the ticks run.
        now_us: the phone's clock.
        factor: how much longer than designed animations take; 0 if there are none.
        moved: called with the purpose of an animation after each of its steps.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        now_us: Callable[[], int],
        factor: Callable[[], float],
        moved: Callable[[str], None],
    ) -> None:
        self._loop = loop
        self._now_us = now_us
        self._factor = factor
        self._moved = moved
        self._running: dict[str, Animation] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def moving(self) -> bool:
        """Whether an animation is in flight."""
        return bool(self._running)

    def animate(self, purpose: str, milliseconds: float, step: Callable[[float], None]) -> None:
        """Calls `step` with 0 to 1 during the animation; once with 1 if animations are off."""
        self._start(purpose, milliseconds * self._factor(), step)

    def fling(self, scroll: ScrollPosition, velocity: float) -> None:
        """Flings a list with a velocity in dp per second; at once if animations are off."""
        origin = scroll.offset
        if self._factor() <= 0:
            scroll.to(origin + fling_distance(velocity))
            return
        seconds = fling_duration(velocity)

        def step(share: float) -> None:
            wanted = origin + fling_offset(velocity, share * seconds)
            scroll.to(wanted)
            if abs(scroll.offset - wanted) > 1:
                self.cancel("fling")

        self._start("fling", seconds * 1000, step)

    def cancel(self, purpose: str) -> None:
        """Stops an animation at its current state."""
        self._running.pop(purpose, None)

    def clear(self) -> None:
        """Stops all."""
        self._running.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start(self, purpose: str, milliseconds: float, step: Callable[[float], None]) -> None:
        self._running.pop(purpose, None)
        if milliseconds <= 0:
            step(1.0)
            self._moved(purpose)
            return
        self._running[purpose] = Animation(self._now_us(), round(milliseconds * 1000), step)
        step(0.0)
        self._moved(purpose)
        if self._timer is None:
            self._timer = self._loop.call_later(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        self._timer = None
        now = self._now_us()
        for purpose, animation in list(self._running.items()):
            goes_on = animation.advance(now)
            if not goes_on and self._running.get(purpose) is animation:
                del self._running[purpose]
            self._moved(purpose)
        if self._running:
            self._timer = self._loop.call_later(TICK_SECONDS, self._tick)
