"""What the screen showed when, and when this end acted: trees and apps are joined by it.

A change is a decoded frame with new content. It was drawn between two host times, as the phone's
clock is known only with an error; answers are on the safe side. Two pictures are the same screen if
their signatures say so, or if nothing but a proven cursor blinked in between. Not thread-safe.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from episodes.geometry import Box
from episodes.media.signature import Luma, blocks_differ
from recorder.blinking import PROOF
from recorder.clock import ClockMap
from recorder.frames import FrameNote, LiveFrame

SURE_NS = 40_000_000
MOTION_NS = 300_000_000
"""Changes closer together than this are frames of one motion."""

_KEPT = 1000
_KEPT_PICTURES = 200
_KEPT_DELAYS = 40

IsCursor = Callable[[Box], bool]


def no_cursor(place: Box) -> bool:
    """Says of no place that a cursor may blink there."""
    return False


@dataclass(slots=True)
class ScreenChange:
    """A new picture, drawn between two host times.

    Attributes:
        seen_ns: host time it was received.
        content: its content number; None for the time in which the phone was away.
        blocks: its luma, scaled down; None if it is not kept any more.
        blink: where a cursor blinks, in pixels of the frame, if it proved to be nothing else.
        sharpens: whether an encoder that had just begun may have made it of the one before.
    """

    earliest_ns: int
    latest_ns: int
    seen_ns: int
    content: int | None
    blocks: Luma | None = None
    blink: Box | None = None
    sharpens: bool = False

    @property
    def is_timed(self) -> bool:
        """Whether its time is known well."""
        return self.latest_ns - self.earliest_ns <= SURE_NS


class ScreenLog:
    """The last changes of one screen."""

    def __init__(self, clock: ClockMap) -> None:
        self._clock = clock
        self._changes: deque[ScreenChange] = deque(maxlen=_KEPT)
        self._acts: deque[int] = deque(maxlen=_KEPT)
        self._delays: deque[int] = deque(maxlen=_KEPT_DELAYS)
        self.acted_ns = 0  # host time of the last input of this end
        self.content_ns = 0  # host time the last change of the picture was received
        self.cadence_ns = 0  # between the last two changes if they were of one motion, else 0

    @property
    def changed_ns(self) -> int:
        """Host time of the last change, or input of this end."""
        return max(self.content_ns, self.acted_ns)

    @property
    def delay_ns(self) -> int:
        """How long the slowest of the last frames took from the phone to here."""
        return max(self._delays, default=0)

    def see(self, frame: FrameNote, now_ns: int | None = None) -> bool:
        """Takes a decoded frame; returns whether the screen has changed.

        A cursor's blinking is not a change, nor is a picture that an encoder may just sharpen.
        """
        newest = self._changes[-1] if self._changes else None
        if newest is not None and newest.content == frame.content:
            return False
        earliest, latest = self._clock.host_range(frame.pts_us, frame.received_ns)
        self._delays.append(max(frame.received_ns, now_ns or 0) - latest)
        self._changes.append(
            ScreenChange(
                earliest,
                latest,
                frame.received_ns,
                frame.content,
                frame.blocks,
                sharpens=frame.sharpens,
            )
        )
        if len(self._changes) > _KEPT_PICTURES:
            self._changes[-_KEPT_PICTURES - 1].blocks = None
        if frame.blink is not None:
            self._blinked(frame.blink)
            return False
        if frame.sharpens:
            return False
        gap = frame.received_ns - self.content_ns
        self.cadence_ns = gap if 0 < gap < MOTION_NS else 0
        self.content_ns = max(self.content_ns, frame.received_ns)
        return True

    def act(self, host_ns: int) -> None:
        """Takes an input of this end: it may change what the screen means without a picture."""
        self._acts.append(host_ns)
        self.acted_ns = max(self.acted_ns, host_ns)

    def lose(self, host_ns: int) -> None:
        """Handles the loss of the phone: its screen is unknown until the next frame."""
        self._changes.append(ScreenChange(host_ns, host_ns, host_ns, None))

    def changed(self, after_ns: int, before_ns: int, is_cursor: IsCursor = no_cursor) -> bool:
        """Returns whether anything may have changed after one host time and before an input.

        Args:
            is_cursor: whether something that blinks here, in pixels of the frame, can be a cursor;
                if so it does not count.

        A change that was certainly not after `after_ns`, or not before the input, does not count.
        One that may have been on either side of the input is taken for its effect if the clocks
        are known well: a button answers at once, and something else rarely happens just then.
        """
        return any(after_ns < at < before_ns for at in self._acts) or any(
            change.latest_ns > after_ns
            and change.earliest_ns < before_ns
            and not (change.blink is not None and is_cursor(change.blink))
            for change in self._changes
            if change.latest_ns < before_ns or not change.is_timed
        )

    def acted(self, after_ns: int, before_ns: int) -> bool:
        """Returns whether this end acted after one host time and before another."""
        return any(after_ns < at < before_ns for at in self._acts)

    def next_act_ns(self, after_ns: int) -> int | None:
        """Returns the first input of this end after a host time; None if there is none."""
        return min((at for at in self._acts if at > after_ns), default=None)

    def shown_at(self, host_ns: int) -> ScreenChange | None:
        """Returns the last picture that was certainly drawn before a host time; None for none."""
        before = [change for change in self._changes if change.latest_ns <= host_ns]
        return before[-1] if before else None

    def shows(
        self,
        picture: ScreenChange | LiveFrame | FrameNote,
        from_ns: int,
        to_ns: int,
        is_cursor: IsCursor = no_cursor,
    ) -> bool:
        """Returns whether the screen certainly showed this picture, and no other, all the time.

        If an input of this end came at `to_ns`, a change with a well-known time that may have been
        on either side of it is its effect.
        """
        changes = list(self._changes)
        if not changes or changes[0].latest_ns > from_ns:
            return False  # what was shown before is not known any more
        acted = to_ns in self._acts
        return all(
            _same(changes, number, picture, is_cursor)
            for number, change in enumerate(changes)
            if change.earliest_ns <= to_ns
            and not (acted and change.latest_ns >= to_ns and change.is_timed)
            and (number + 1 == len(changes) or changes[number + 1].latest_ns > from_ns)
        )

    def showed_at_press(
        self,
        picture: ScreenChange | LiveFrame | FrameNote,
        pressed_ns: int,
        is_cursor: IsCursor = no_cursor,
    ) -> bool:
        """Returns whether the phone still showed this picture when an input came.

        A change with a well-known time that may have been on either side is the input's effect.
        """
        changes = [
            change
            for change in self._changes
            if change.earliest_ns < pressed_ns
            and (change.latest_ns < pressed_ns or not change.is_timed)
        ]
        return all(
            _same(changes, number, picture, is_cursor)
            for number, change in enumerate(changes)
            if number + 1 == len(changes) or changes[number + 1].latest_ns > pressed_ns
        )

    def _blinked(self, place: Box) -> None:
        """The last changes of the picture were a cursor's: what was before them still holds."""
        for change in list(self._changes)[-PROOF:]:
            change.blink = place
        real = [one for one in self._changes if one.blink is None and not one.sharpens]
        self.content_ns = max((change.seen_ns for change in real), default=0)


def _same(
    changes: Sequence[ScreenChange],
    number: int,
    picture: ScreenChange | LiveFrame | FrameNote,
    is_cursor: IsCursor,
) -> bool:
    """Whether a change's picture shows the same screen as another picture."""
    change = changes[number]
    if change.content is None or picture.content is None:
        return False
    if change.content == picture.content:
        return True
    number = _sharpest(changes, number)
    change = changes[number]
    if change.content == picture.content:
        return True
    places = [at for at, one in enumerate(changes) if one.content == picture.content]
    places = [_sharpest(changes, at) for at in places[-1:]]
    blocks = changes[places[-1]].blocks if places else None
    blocks = picture.blocks if blocks is None else blocks
    if (
        change.blocks is not None
        and blocks is not None
        and not blocks_differ(change.blocks, blocks)
    ):
        return True
    if not places:
        return False
    first, last = sorted((number, places[-1]))
    between = changes[first + 1 : last + 1]
    return all(one.blink is not None and is_cursor(one.blink) for one in between)


def _sharpest(changes: Sequence[ScreenChange], number: int) -> int:
    """Returns the change whose picture represents that of another one.

    An encoder that begins anew sends a coarse picture and sharpens it. If the result has the
    signature of the screen before, the screen was the same all the time.
    """
    first = number
    while first and changes[first].sharpens:
        first -= 1
    last = number
    while last + 1 < len(changes) and changes[last + 1].sharpens:
        last += 1
    before, after = changes[first].blocks, changes[last].blocks
    if first == last or before is None or after is None or blocks_differ(before, after):
        return number
    return last
