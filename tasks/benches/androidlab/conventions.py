"""Small rules of Android Lab's agents: app names, leading zeros, boxes, judge replies, stopping.

Source: templates/packages.py, page_executor/text_executor.py, evaluation/definition.py,
recorder/json_recoder.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rapidfuzz.distance import Levenshtein

SAME_BEFORE_STOP = 5
"""So many equal actions in a row stop an agent, once there are more than that."""

"""So many equal actions in a row are evaluated; the next ends the reading of a trace."""

_LEADING_ZEROS = re.compile(r"\b0+(\d)")


def package_of(name: str) -> str:
    """Returns the package of the app whose name is nearest by edit distance.

    There is always an answer, however far the nearest name is: the benchmark's quirk.
    """
    packages = _packages()
    if name in packages:
        return packages[name]
    squeezed = _squeezed(name)
    if squeezed in packages:
        return packages[squeezed]
    nearest = min(packages, key=lambda known: Levenshtein.distance(squeezed, _squeezed(known)))
    return packages[nearest]


def strip_leading_zeros(code: str) -> str:
    """Returns a reply without leading zeros of its numbers, also inside typed text."""
    return _LEADING_ZEROS.sub(r"\1", code)


def box_in_pixels(box: Sequence[float], screen: tuple[int, int]) -> list[float]:
    """Returns a box of thousandths of the screen in pixels."""
    return [value * screen[number % 2] / 1000 for number, value in enumerate(box)]


def judge_verdict(reply: str) -> bool | None:
    """Returns what a judge model's reply means: "True" is looked for first, then "False"."""
    if "True" in reply:
        return True
    return False if "False" in reply else None


def stopping_step(actions: Iterable[Any]) -> int | None:
    """Returns the step after which an agent is stopped for repeating itself; None for never."""
    same, last = 0, object()
    for index, action in enumerate(actions):
        same = same + 1 if action == last else 1
        last = action
        if index >= SAME_BEFORE_STOP and same >= SAME_BEFORE_STOP:
            return index
    return None


@cache
def _packages() -> dict[str, str]:
    lines = files(__package__).joinpath("packages.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def _squeezed(name: str) -> str:
    return name.replace(" ", "").lower()
