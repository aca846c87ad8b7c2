"""Measures how long an episode took: the one definition for lists, budgets and displays.

Pure: moments in, microseconds out. It knows nothing of episodes' other contents, nor of tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from episodes.clocks import Moment

PAUSED = "paused"
LONGEST_US = 10 * 366 * 86_400 * 1_000_000
"""Limit for plausible durations: moments more than ten years apart give no time."""


@dataclass(frozen=True, slots=True)
class EpisodeTimes:
    """Times of an attempt in microseconds; None if not recorded.

    Attributes:
        wall: from the first frame (else the first press) to the end of the last step, pauses
            taken out.
        acting: while a finger was down or text was typed.
        thinking: the rest of `wall`.
        paused: taken out of `wall`.
        uncaptured: other gaps, such as a phone unplugged; they stay in `wall`.
    """

    wall: int | None = None
    thinking: int | None = None
    acting: int | None = None
    paused: int = 0
    uncaptured: int = 0


def measure_times(
    steps: Sequence[tuple[Moment, Moment]],
    videos: Sequence[Moment | None],
    gaps: Sequence[tuple[str, Moment | None, Moment | None]],
) -> EpisodeTimes:
    """Returns how long it took, by the computer's clock where all steps have it.

    Args:
        steps: (began, ended) of each.
        videos: when each segment of the video began.
        gaps: (reason, began, ended) of each; ended None for one that lasts to the end.
    """
    known = [moment for step in steps for moment in step if moment != Moment()]
    host = all(moment.host_ns is not None for moment in known)

    def at(moment: Moment | None) -> int | None:
        if moment is None:
            return None
        return _host(moment) if host else moment.device_us

    marks = [mark for moment in known if (mark := at(moment)) is not None]
    if not marks:
        return EpisodeTimes()
    end = max(marks)
    begins = [mark for moment in videos if (mark := at(moment)) is not None]
    start = min([*marks, *begins])
    if end - start > LONGEST_US:
        return EpisodeTimes()
    inside = []
    for reason, gap_began, gap_ended in gaps:
        began, ended = at(gap_began), at(gap_ended)
        if began is not None:
            inside.append((reason, max(start, began), min(end, end if ended is None else ended)))
    pauses = [(began, ended) for reason, began, ended in inside if reason == PAUSED]
    paused = _length(pauses)
    acting = 0
    for step_began, step_ended in steps:
        began, ended = at(step_began), at(step_ended)
        if began is not None and ended is not None:
            idle = [(max(began, one), min(ended, other)) for one, other in pauses]
            acting += max(0, ended - began) - _length(idle)
    wall = end - start - paused
    return EpisodeTimes(
        wall=wall,
        thinking=wall - acting,
        acting=acting,
        paused=paused,
        uncaptured=_length([(b, e) for reason, b, e in inside if reason != PAUSED]),
    )


def format_duration(microseconds: float) -> str:
    """Returns a time of any list as "1:38" or "1:02:38", rounded to the nearest second."""
    whole = round(microseconds / 1_000_000)
    hours, minutes, left = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _host(moment: Moment) -> int | None:
    return None if moment.host_ns is None else moment.host_ns // 1000


def _length(stretches: Sequence[tuple[int, int]]) -> int:
    """Returns the total length of intervals; overlaps count once."""
    total, reached = 0, None
    for began, ended in sorted(stretches):
        start = began if reached is None else max(began, reached)
        if ended > start:
            total += ended - start
            reached = ended
    return total
