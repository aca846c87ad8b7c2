"""Published figures, to be read beside one's own: never in one table with them without a mark.

They ship as `assets/published.json`: groups of figures of one data set, one metric, one step set
and one source. Where a source names no evaluator, the rules are empty.
"""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from episodes.runs import Run


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """One number somebody published, in percent.

    Attributes:
        setting: instruction level, history and the like; "" where the source says nothing.
    """

    model: str
    setting: str
    value: float


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """Numbers of one source about one thing.

    Attributes:
        rules: key of the protocol they were counted by; "" where none was published.
        steps: the steps they are about, in the source's words.
    """

    dataset: str
    metric: str
    rules: str
    steps: str
    source: str
    note: str
    rows: tuple[PublishedFigure, ...]


@cache
def published() -> tuple[PublishedFigures, ...]:
    """Returns all figures that ship, by data set."""
    data = (importlib.resources.files("assets") / "published.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[PublishedFigures, ...])


def published_beside(runs: Iterable[Run], protocols: Iterable[str]) -> tuple[PublishedFigures, ...]:
    """Returns the figures about the runs' data sets, those by the same rules first."""
    datasets, keys = {run.dataset for run in runs}, set(protocols)
    found = [one for one in published() if one.dataset in datasets]
    return tuple(sorted(found, key=lambda one: one.rules not in keys))


def unlike(figures: PublishedFigures, keys: Iterable[str]) -> str:
    """Returns in a sentence why figures cannot stand beside numbers by these protocols; what can
    only be told by their own step set and prompts is said in any case."""
    if not figures.rules:
        return "By rules nobody published: not comparable."
    if figures.rules not in set(keys):
        return f"By other rules ({figures.rules}): not comparable."
    return "By the same rules; steps, prompt and history may differ."


def published_to_json(
    found: Iterable[PublishedFigures], keys: Iterable[str]
) -> list[Mapping[str, Any]]:
    """Returns figures as JSON, each group with what keeps it apart from numbers by `keys`."""
    asked = tuple(keys)
    return [
        {
            **msgspec.to_builtins(one),
            **({"mark": unlike(one, asked)} if asked else {}),
        }
        for one in found
    ]
