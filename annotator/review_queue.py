"""Orders the steps to review: low first, then medium, then a sample of the high ones.

One in ten of the high steps is reviewed too, so that errors of the rules are found. The sample
follows from the episode's uuid and the step's number: it is the same for everybody and in every
copy of the library, and does not change while steps are reviewed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from annotator.candidates import Level

SAMPLE_ONE_IN = 10
"""One of this many high steps is in the sample."""
_ORDER = {Level.LOW: 0, Level.MEDIUM: 1, Level.HIGH: 2}


def is_sampled(episode: str, step: int) -> bool:
    """Returns whether a high step of an episode, by its uuid, is one of those to look at."""
    digest = hashlib.sha256(f"taptrail:sample/{episode}/{step}".encode()).digest()
    return int.from_bytes(digest[:8]) % SAMPLE_ONE_IN == 0


def order_for_review(episode: str, levels: Iterable[tuple[int, Level]]) -> list[int]:
    """Returns the indices of the steps to look at, of (index, level) pairs, in order."""
    wanted = [
        (_ORDER[level], index)
        for index, level in levels
        if level is not Level.HIGH or is_sampled(episode, index)
    ]
    return [index for _, index in sorted(wanted)]
