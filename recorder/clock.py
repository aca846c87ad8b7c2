"""The phone's clock and this computer's, held against each other.

Two kinds of samples bound the offset between them. A video packet arrives after its frame was
drawn, so its arrival is a bound from above. An answer to `cat /proc/uptime` was made between two
readings of the host clock, so it bounds from both sides. What is mapped carries the largest error
it can have; nothing is mapped while only one side is bounded.
"""

from __future__ import annotations

import threading
from collections import deque

from episodes.clocks import ClockSample, Moment

UPTIME_STEP_US = 10_000  # /proc/uptime counts hundredths, cut or rounded
DRIFT = 50e-6  # of two quartz clocks against each other, generously

_KEPT = 64
_PACKET_WINDOW_NS = 10_000_000_000


class ClockMap:
    """What is known of the offset (host minus phone, in microseconds). Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: deque[ClockSample] = deque(maxlen=_KEPT)
        self._packets: deque[ClockSample] = deque(maxlen=_KEPT)
        self._unsaved: list[ClockSample] = []
        self._window_began = 0

    def add_packet(self, received_ns: int, pts_us: int) -> None:
        """Takes the arrival of a packet; keeps the quickest of each ten seconds."""
        sample = ClockSample(received_ns, received_ns, pts_us, "packet")
        with self._lock:
            if not self._packets or received_ns - self._window_began > _PACKET_WINDOW_NS:
                if self._packets:
                    self._unsaved.append(self._packets[-1])
                self._window_began = received_ns
                self._packets.append(sample)
            elif _late(sample) < _late(self._packets[-1]):
                self._packets[-1] = sample

    def add_asked(self, before_ns: int, after_ns: int, device_us: int) -> None:
        """Takes an answer of the phone's monotonic clock, cut to hundredths of a second."""
        sample = ClockSample(before_ns, after_ns, device_us, "uptime")
        with self._lock:
            self._asked.append(sample)
            self._unsaved.append(sample)

    def forget(self) -> None:
        """Drops what was known: the phone was away and may have started anew."""
        with self._lock:
            if self._packets:
                self._unsaved.append(self._packets[-1])
            self._asked.clear()
            self._packets.clear()

    def take_unsaved(self) -> tuple[ClockSample, ...]:
        """Returns the samples not yet taken for the library, and lets them go."""
        with self._lock:
            taken, self._unsaved = tuple(self._unsaved), []
            return taken

    def bounds(self, host_ns: int) -> tuple[float | None, float | None]:
        """Returns the least and the greatest offset at a host time; None where unbounded."""
        with self._lock:
            lows = [
                sample.host_before_ns / 1000
                - (sample.device_us + UPTIME_STEP_US)
                - _drift(host_ns, sample)
                for sample in self._asked
            ]
            highs = [_late(sample) + _drift(host_ns, sample) for sample in self._packets]
            highs += [
                _late(sample) + UPTIME_STEP_US + _drift(host_ns, sample) for sample in self._asked
            ]
        return max(lows, default=None), min(highs, default=None)

    def to_device(self, host_ns: int) -> Moment:
        """Returns a host time with the phone's time mapped, as far as it is bounded."""
        low, high = self.bounds(host_ns)
        if low is None or high is None:
            return Moment(host_ns=host_ns)
        middle, error = (low + high) / 2, abs(high - low) / 2
        return Moment(
            device_us=round(host_ns / 1000 - middle), host_ns=host_ns, error_us=round(error) + 1
        )

    def host_range(self, pts_us: int, received_ns: int) -> tuple[int, int]:
        """Returns between which host times a received frame was drawn on the phone.

        Without an answer of the phone the earliest is unknown; half a second before its arrival
        is taken, which is far more than a picture needs.
        """
        low, high = self.bounds(received_ns)
        latest = received_ns if high is None else min(received_ns, round((pts_us + high) * 1000))
        earliest = received_ns - 500_000_000 if low is None else round((pts_us + low) * 1000)
        return min(earliest, latest), latest


def _late(sample: ClockSample) -> float:
    return sample.host_after_ns / 1000 - sample.device_us


def _drift(host_ns: int, sample: ClockSample) -> float:
    return abs(host_ns - sample.host_after_ns) / 1000 * DRIFT
