"""Similarity of two texts by code points."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache


def edit_distance(one: str, other: str) -> int:
    """Returns the Levenshtein distance in code points."""
    return int(_levenshtein()(one, other))


@cache
def _levenshtein() -> Callable[[str, str], int]:
    """Imports the package at the first comparison: listing protocols needs none."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance


def similarity(one: str, other: str) -> float:
    """Returns 1 - edit distance / length of the longer, 0..1; 1.0 for two empty texts.

    Computed in float64 in this order of operations, so that a text that is on a benchmark's
    threshold falls on the same side as in the benchmark's own code.
    """
    longer = max(len(one), len(other))
    if longer == 0:
        return 1.0
    return 1 - float(edit_distance(one, other)) / float(longer)


def composed(text: str) -> str:
    """Returns the text in Unicode's composed form (NFC), without white space around it."""
    return unicodedata.normalize("NFC", text).strip()
