"""Word overlap of two texts: the F1 used by OS-Atlas and later evaluators."""

from __future__ import annotations


def word_f1(one: str, other: str) -> float:
    """Returns the F1 of both texts' sets of words, in lower case, split at white space; 0..1.

    Computed in float64 in this order of operations, so that a text that is on a threshold falls
    on the same side as in the evaluators' own code. Two texts without words have none in common.
    """
    words, wanted = set(one.lower().split()), set(other.lower().split())
    common = len(words & wanted)
    precision = common / len(words) if words else 0.0
    recall = common / len(wanted) if wanted else 0.0
    if precision + recall == 0:
        return 0.0
    return 2 * (precision * recall) / (precision + recall)


def lenient_f1(one: str, other: str) -> float:
    """Returns GUI-R1's F1: square brackets are left out, and of two single words it is 1 when one
    is a part of the other."""
    told, wanted = (text.replace("[", "").replace("]", "") for text in (one, other))
    words, right = set(told.lower().split()), set(wanted.lower().split())
    if len(words) == len(right) == 1:
        (word,), (other_word,) = words, right
        if word in other_word or other_word in word:
            return 1.0
    return word_f1(told, wanted)
