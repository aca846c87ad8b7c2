"""Published scores, shown beside the user's own with a note on comparability.

The figures are in `assets/published.json`, in groups of one data set, metric, step set and source.
If a source names no evaluator, `rules` is empty.
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
    """A published score in percent.

    Attributes:
        setting: instruction level, history and similar; "" if the source does not say.
    """

    model: str
    setting: str
    value: float


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """Published scores of one source under one setting.

    Attributes:
        rules: key of the protocol; "" if the source names none.
        steps: description of the steps, in the source's words.
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
    """Returns all published figures, by data set."""
    data = (importlib.resources.files("assets") / "published.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[PublishedFigures, ...])


def published_beside(runs: Iterable[Run], protocols: Iterable[str]) -> tuple[PublishedFigures, ...]:
    """Returns the figures for the runs' data sets, those under the same protocols first."""
    datasets, keys = {run.dataset for run in runs}, set(protocols)
    found = [one for one in published() if one.dataset in datasets]
    return tuple(sorted(found, key=lambda one: one.rules not in keys))


def unlike(figures: PublishedFigures, keys: Iterable[str]) -> str:
    """Returns a sentence on how far figures can be compared with scores under these protocols."""
    if not figures.rules:
        return "By rules nobody published: not comparable."
    if figures.rules not in set(keys):
        return f"By other rules ({figures.rules}): not comparable."
    return "By the same rules; steps, prompt and history may differ."


def published_to_json(
    found: Iterable[PublishedFigures], keys: Iterable[str]
) -> list[Mapping[str, Any]]:
    """Returns figures as JSON, each group with a note on comparability with `keys`."""
    asked = tuple(keys)
    return [
        {
            **msgspec.to_builtins(one),
            **({"mark": unlike(one, asked)} if asked else {}),
        }
        for one in found
    ]
