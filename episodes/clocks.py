"""When things happened, and by which clock.

Both clocks are monotonic and neither is corrected: what links them are samples, stored as they
were taken. Wall-clock time exists once an episode.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant on either clock, or on both.

    Attributes:
        device_us: the phone's CLOCK_MONOTONIC in microseconds, as in the video's PTS.
        host_ns: the recording computer's monotonic clock in nanoseconds.
        error_us: None if `device_us` was read from the phone; where it was mapped from
            `host_ns`, the largest error of that mapping in microseconds.
    """

    device_us: int | None = None
    host_ns: int | None = None
    error_us: int | None = None


@dataclass(frozen=True, slots=True)
class ClockSample:
    """One look at both clocks.

    Attributes:
        host_before_ns: just before the phone was asked.
        host_after_ns: just after it had answered.
        device_us: what it answered, on its monotonic clock.
        method: how it was asked: "packet" (arrival of a video packet; then `host_before_ns` is
            unknown and equal to `host_after_ns`) or "uptime".
    """

    host_before_ns: int
    host_after_ns: int
    device_us: int
    method: str
