"""When the screen changed, and when this end touched it: what trees and apps are joined by.

A change is a decoded frame whose content differs (repeated frames are none). It was drawn between
two host times, as the phone's clock is known only so well; whoever asks gets the cautious answer.
What has proved to be a cursor's blinking does not keep the screen from being still.
Belongs to one thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from episodes.geometry import Box
from recorder.blinking import PROOF
from recorder.clock import ClockMap
from recorder.frames import FrameNote

SURE_NS = 40_000_000

_KEPT = 2000


@dataclass(slots=True)
class Change:
    """Something that made the screen another one, between two host times.

    Attributes:
        seen_ns: host time it was received, or made by this end.
        picture: whether it was seen; else it is an input of this end.
        blink: where a cursor blinks, in pixels of the frame, if it proved to be nothing else.
    """

    earliest_ns: int
    latest_ns: int
    seen_ns: int
    picture: bool = True
    blink: Box | None = None


class ScreenLog:
    """The last changes of one screen."""

    def __init__(self, clock: ClockMap) -> None:
        self._clock = clock
        self._changes: deque[Change] = deque(maxlen=_KEPT)
        self._content: int | None = None
        self.changed_ns = 0  # host time the last change was received, or made by this end
        self.content_ns = 0  # the same for changes of the picture alone

    def see(self, frame: FrameNote) -> bool:
        """Takes a decoded frame; returns whether its content is new, and no cursor's blinking."""
        if frame.content == self._content:
            return False
        self._content = frame.content
        earliest, latest = self._clock.host_range(frame.pts_us, frame.received_ns)
        self._changes.append(Change(earliest, latest, frame.received_ns))
        if frame.blink is not None:
            self._blinked(frame.blink)
            return False
        self.changed_ns = max(self.changed_ns, frame.received_ns)
        self.content_ns = max(self.content_ns, frame.received_ns)
        return True

    def act(self, host_ns: int) -> None:
        """Takes an input of this end: it may change what the screen means without a picture."""
        self._changes.append(Change(host_ns, host_ns, host_ns, picture=False))
        self.changed_ns = max(self.changed_ns, host_ns)

    def changed(
        self,
        after_ns: int,
        before_ns: int,
        is_cursor: Callable[[Box], bool] = lambda place: False,
    ) -> bool:
        """Returns whether anything may have changed after one host time and before an input.

        Args:
            is_cursor: whether something that blinks here, in pixels of the frame, can be a cursor;
                if so it does not count.

        What was certainly no later than `after_ns` does not count, nor what was certainly not
        before the input. What may have been on either side of the input is taken for its effect
        if the clocks are known well enough: that something else happens in those few milliseconds
        is far less likely than that a button answers at once.
        """
        return any(
            change.latest_ns > after_ns
            and change.earliest_ns < before_ns
            and not (change.blink is not None and is_cursor(change.blink))
            for change in self._changes
            if change.latest_ns < before_ns or change.latest_ns - change.earliest_ns > SURE_NS
        )

    def acted(self, after_ns: int, before_ns: int) -> bool:
        """Returns whether this end touched the screen after one host time and before another."""
        return any(
            not change.picture and after_ns < change.seen_ns < before_ns for change in self._changes
        )

    def _blinked(self, place: Box) -> None:
        """The last changes of the picture were a cursor's: what was before them still holds."""
        pictures = [change for change in self._changes if change.picture]
        for change in pictures[-PROOF:]:
            change.blink = place
        real = [change for change in self._changes if change.blink is None]
        self.changed_ns = max((change.seen_ns for change in real), default=0)
        self.content_ns = max((change.seen_ns for change in real if change.picture), default=0)
