"""What a demo phone is like, by name: `--habit NAME=VALUE`.

A habit is something that some real phones do; a fault is something that goes wrong.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

HABITS: dict[str, str] = {
    "tree-latency": "=P50/P90/P99[/FAIL]: milliseconds that uiautomator2's server takes for a"
    " tree, as quantiles, and the share of its answers that are errors, in percent. It does not"
    " wait for a screen at rest.",
    "dump-latency": "=P50/P90/P99[/FAIL]: the same for `uiautomator dump`, which also waits for a"
    " screen at rest.",
    "refuse-injection": ": the phone refuses touches and keys from the computer, as Xiaomi's do"
    " without “USB debugging (Security settings)”.",
    "no-runtime-line": ": `dumpsys alarm` does not print how long the phone has slept.",
    "vendor-noise": ": commands that run Java print a vendor's stack trace first.",
    "long-names": ": the scrcpy server lists apps under long names with blanks and other scripts.",
    "old-lock": ": `dumpsys window` reports the lock screen in the words of Android 10.",
    "resizable": ": `wm size WIDTHxHEIGHT` gives the screen another size, as unfolding does;"
    " `wm size reset` gives the first one back.",
    "second-display": ": `dumpsys window` lists a second display, with its own focused window,"
    " before the first.",
}


@dataclass(frozen=True, slots=True)
class Latency:
    """How long answers take, in milliseconds, and how many percent of them fail."""

    p50: float
    p90: float
    p99: float
    failing: float = 0.0

    def seconds(self, chance: float) -> float:
        """Returns the quantile `chance` (0..1); between the known ones logarithms are linear."""
        known = ((0.0, self.p50 / 2), (0.5, self.p50), (0.9, self.p90), (0.99, self.p99))
        points = (*known, (1.0, self.p99 * 1.3))
        for (low, first), (high, last) in itertools.pairwise(points):
            if chance <= high:
                part = (chance - low) / (high - low)
                return math.exp(math.log(first) * (1 - part) + math.log(last) * part) / 1000
        return points[-1][1] / 1000

    def fails(self, chance: float) -> bool:
        """Returns whether an answer is an error, for a chance of 0..1."""
        return chance * 100 < self.failing


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of one phone.

    Attributes:
        latency: by name, those that are about time.
        names: all of them.
    """

    latency: dict[str, Latency] = field(default_factory=dict)
    names: frozenset[str] = frozenset()


def parse_habits(words: Iterable[str]) -> Habits:
    """Returns the habits of a command line.

    Raises:
        ValueError: there is no such habit, or its value is not of its form.
    """
    found: dict[str, Latency] = {}
    names: set[str] = set()
    for word in words:
        name, _, value = word.partition("=")
        if name not in HABITS:
            raise ValueError(f"there is no habit '{name}'; there are {', '.join(HABITS)}")
        names.add(name)
        if not HABITS[name].startswith("="):
            if value:
                raise ValueError(f"the habit '{name}' takes no value")
            continue
        try:
            numbers = [float(part) for part in value.split("/")]
        except ValueError:
            numbers = []
        rising = len(numbers) in (3, 4) and 0 < numbers[0] <= numbers[1] <= numbers[2] < 1e6
        if not rising or not all(0 <= share <= 100 for share in numbers[3:]):
            raise ValueError(f"the habit '{name}' is written as {name}=100/400/900/1")
        found[name] = Latency(*numbers)
    return Habits(found, frozenset(names))
