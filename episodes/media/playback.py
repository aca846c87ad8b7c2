"""Which picture of an episode shows at which moment, at the pace of the person who acted.

Time is the person's: microseconds since the first picture, gaps and pauses included. It knows
nothing of files, threads or windows; the clock is handed in.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from episodes.clocks import Moment
from episodes.episodes import Episode
from episodes.recordings import Packet
from episodes.steps import Step

SPEEDS = (0.5, 1.0, 2.0)
EVEN_US = 1_000_000
"""Time for each still if the steps have no times."""

_APART_US = 2_000_000
"""Where the phone's clock and the computer's differ by more, the phone's has begun anew."""


@dataclass(frozen=True, slots=True)
class VideoPicture:
    """The frame of one packet of one segment."""

    segment: int
    packet: int


@dataclass(frozen=True, slots=True)
class StillPicture:
    """The still of the step at an index of `Episode.steps`."""

    row: int


Picture: TypeAlias = VideoPicture | StillPicture


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the person's time.

    Attributes:
        reason: of a gap, as it was recorded; "" for what is none.
    """

    began_us: int
    ended_us: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlaybackTrack:
    """All pictures of an episode in the order they came on.

    Attributes:
        pictures, times_us: equally long; times never go back. Of pictures that came at the same
            time the last one shows.
        length_us: when the last thing known of the episode ended.
        steps: by row, when each was made; None if unknown.
        gaps: without pictures, in order.
        segments: the stretches of video, in order.
        even: whether no times are known, and each still has `EVEN_US`.
    """

    pictures: tuple[Picture, ...]
    times_us: tuple[int, ...]
    length_us: int
    steps: tuple[Span | None, ...]
    gaps: tuple[Span, ...] = ()
    segments: tuple[Span, ...] = ()
    even: bool = False

    def frame(self, at_us: float) -> Picture | None:
        """Returns the picture that shows at a moment: the last one that has come on.

        Before the first it is the first; None if there are no pictures at all.
        """
        return self.pictures[self.number(at_us)] if self.pictures else None

    def number(self, at_us: float) -> int:
        """Returns the place in `pictures` of what shows at a moment."""
        return max(0, bisect_right(self.times_us, at_us) - 1)

    def row(self, at_us: float) -> int:
        """Returns the row of the step that is the next to be made or is being made at a moment.

        After the last one it is the last one; -1 where no step has a time.
        """
        last = -1
        for row, span in enumerate(self.steps):
            if span is not None:
                last = row
                if at_us <= span.ended_us:
                    return row
        return last

    def gap(self, at_us: float) -> Span | None:
        """Returns the gap that contains a moment."""
        return next((gap for gap in self.gaps if gap.began_us <= at_us < gap.ended_us), None)


def make_track(episode: Episode, packets: Mapping[int, Sequence[Packet]]) -> PlaybackTrack:
    """Returns the track of an episode.

    Args:
        packets: the index of each segment by its number. Packets before a segment's first key
            frame show nothing and are left out. Without any, the steps' stills are played: at
            the times of their actions if all of them have one, else `EVEN_US` each.
    """
    shown = {number: list(_shown(found)) for number, found in packets.items()}
    if not any(shown.values()):
        return _of_stills(episode)
    clock = _Clock(episode, shown)
    pictures: list[Picture] = []
    times: list[int] = []
    segments = []
    last = 0
    for segment in sorted(shown):
        for packet in shown[segment]:
            last = max(last, clock.of_packet(segment, packet))
            pictures.append(VideoPicture(segment, packet.number))
            times.append(last)
        if shown[segment]:
            first = times[-len(shown[segment])]
            ended = next((s.ended for s in episode.segments if s.number == segment), None)
            segments.append(Span(first, max(last, clock.of(ended) or 0)))
    steps = tuple(_span(clock, step) for step in episode.steps)
    gaps = []
    for gap in episode.gaps:
        began, ended_us = clock.of(gap.started), clock.of(gap.ended)
        if began is not None:
            began = max(0, began)
            after = bisect_left(times, began + 1)
            open_end = times[after] if after < len(times) else last
            gaps.append(Span(began, max(began, ended_us or open_end), gap.reason))
    ends = [span.ended_us for span in (*steps, *gaps, *segments) if span is not None]
    gaps.sort(key=lambda gap: gap.began_us)
    return PlaybackTrack(
        tuple(pictures), tuple(times), max([last, *ends]), steps, tuple(gaps), tuple(segments)
    )


class Player:
    """Position in a track during playback. Thread-safe.

    Args:
        now_ns: the clock, in nanoseconds.

    Attributes:
        changes: counts what people do: seek, play, stop, another speed.
    """

    def __init__(self, track: PlaybackTrack, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.track = track
        self.changes = 0
        self._now_ns = now_ns
        self._lock = threading.RLock()
        self._at_us = 0.0
        self._since_ns = 0
        self._speed = 1.0
        self._direction = 0

    def play(self, direction: int = 1) -> None:
        """Goes on (1) or back (-1) from here; from the end it begins again."""
        with self._lock:
            self._hold()
            if direction > 0 and self._at_us >= self.track.length_us:
                self._at_us = 0
            self._direction = direction
            self.changes += 1

    def pause(self) -> None:
        """Stops here."""
        with self._lock:
            self._hold()
            self._direction = 0
            self.changes += 1

    def seek(self, at_us: float) -> None:
        """Goes to a moment; whether it plays stays as it is."""
        with self._lock:
            self._hold()
            self._at_us = min(max(0.0, float(at_us)), float(self.track.length_us))
            self.changes += 1

    def step(self, pictures: int) -> None:
        """Stops, and moves by a number of pictures; backwards if negative."""
        with self._lock:
            self.pause()
            times = self.track.times_us
            if times:
                wanted = self.track.number(self._at_us) + pictures
                self._at_us = float(times[min(max(0, wanted), len(times) - 1)])

    def set_speed(self, speed: float) -> None:
        """Sets the speed as a multiple of the original."""
        with self._lock:
            self._hold()
            self._speed = speed
            self.changes += 1

    @property
    def speed(self) -> float:
        """How many times as fast as the person it plays."""
        return self._speed

    def direction(self) -> int:
        """Returns 1 while playing, -1 while playing backwards, 0 while stopped or at an end."""
        with self._lock:
            self._hold()
            return self._direction

    def at_us(self) -> float:
        """Returns the current position."""
        with self._lock:
            self._hold()
            return self._at_us

    def frame(self) -> Picture | None:
        """Returns what shows now."""
        return self.track.frame(self.at_us())

    def due_ns(self) -> int | None:
        """Returns when the next picture is due, by its clock; None while stopped."""
        with self._lock:
            self._hold()
            if not self._direction:
                return None
            times = self.track.times_us
            next_us = float(self.track.length_us if self._direction > 0 else 0)
            if self._direction > 0:
                after = bisect_right(times, self._at_us)
                next_us = times[after] if after < len(times) else next_us
            elif times:
                here = times[self.track.number(self._at_us)]
                next_us = min(max(0.0, here - 1), self._at_us)
            return self._since_ns + round(abs(next_us - self._at_us) * 1000 / self._speed) + 1

    def _hold(self) -> None:
        """Moves on to now."""
        now = self._now_ns()
        if self._direction:
            self._at_us += self._direction * self._speed * (now - self._since_ns) / 1000
            end = float(self.track.length_us)
            if not 0 <= self._at_us <= end:
                self._direction = 0
            self._at_us = min(max(0.0, self._at_us), end)
        self._since_ns = now


class _Clock:
    """From the phone's and the computer's time to the person's.

    The phone's clock counts; a segment whose phone time does not fit the computer's (it was
    started again in between) is laid where the computer's says.
    """

    def __init__(self, episode: Episode, shown: Mapping[int, Sequence[Packet]]) -> None:
        firsts = {number: found[0] for number, found in sorted(shown.items()) if found}
        first = next(iter(firsts.values()))
        self._late_us = {
            number: min(packet.received_ns // 1000 - packet.pts_us for packet in found)
            for number, found in shown.items()
            if found
        }
        self._zero = {}
        late = self._late_us[next(iter(firsts))]
        for number in firsts:
            moved = self._late_us[number] - late
            self._zero[number] = first.pts_us - (moved if abs(moved) > _APART_US else 0)
        self._host_zero_us = first.pts_us + late
        self._phone = all(zero == first.pts_us for zero in self._zero.values())

    def of_packet(self, segment: int, packet: Packet) -> int:
        return packet.pts_us - self._zero[segment]

    def of(self, moment: Moment | None) -> int | None:
        if moment is None:
            return None
        if moment.device_us is not None and (self._phone or moment.host_ns is None):
            return moment.device_us - next(iter(self._zero.values()))
        if moment.host_ns is not None:
            return moment.host_ns // 1000 - self._host_zero_us
        return None


def _shown(packets: Sequence[Packet]) -> Iterator[Packet]:
    started = False
    for packet in packets:
        started = started or packet.key
        if started:
            yield packet


def _span(clock: _Clock, step: Step) -> Span | None:
    began = clock.of(step.began)
    if began is None:
        return None
    ended = clock.of(step.ended)
    began = max(0, began)
    return Span(began, max(began, ended if ended is not None else began))


def _of_stills(episode: Episode) -> PlaybackTrack:
    """Each still shows until its step has been made."""
    recorded = _recorded(episode.steps)
    even = [
        Span((row + 1) * EVEN_US - 1, (row + 1) * EVEN_US - 1) for row in range(len(episode.steps))
    ]
    spans = recorded if recorded is not None else even
    pictures = []
    times = []
    for row, step in enumerate(episode.steps):
        if step.frame is not None and step.frame.still is not None:
            pictures.append(StillPicture(row))
            at = spans[row - 1].ended_us if recorded is not None and row else row * EVEN_US
            times.append(at if recorded is None or row else 0)
    length = max((span.ended_us for span in spans), default=0)
    length += EVEN_US if recorded is not None else len(spans[:1])
    return PlaybackTrack(tuple(pictures), tuple(times), length, tuple(spans), even=recorded is None)


def _recorded(steps: Sequence[Step]) -> list[Span] | None:
    """Returns when each step was made, by the one clock that all of them have; else None."""
    for device in (True, False):
        pairs = []
        for step in steps:
            began, ended = _read(step.began, device), _read(step.ended, device)
            if began is None:
                break
            pairs.append((began, max(began, ended if ended is not None else began)))
        if pairs and len(pairs) == len(steps):
            zero = pairs[0][0] - EVEN_US  # the first screen shows for as long
            spans = [Span(began - zero, ended - zero) for began, ended in pairs]
            if all(one.ended_us <= other.ended_us for one, other in pairwise(spans)):
                return spans
    return None


def _read(moment: Moment, device: bool) -> int | None:
    if device:
        return moment.device_us
    return moment.host_ns // 1000 if moment.host_ns is not None else None
