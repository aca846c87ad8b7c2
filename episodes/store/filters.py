# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Filters of the list of episodes: several values of a kind, with the number of episodes of each.

An episode passes if it has one of the chosen values of each kind. The count beside a value is the
number of episodes that pass all filters of the other kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from episodes.store.finding_counts import TOLD

if TYPE_CHECKING:
    from sqlite_utils import Database

UNDECIDED, UNJUDGED = "undecided", "unjudged"


class FilterKind(StrEnum):
    """Kinds of filters."""

    PERSON = "person"
    REVIEW = "review"
    TARGETS = "targets"
    APP = "app"
    FINDING = "finding"
    STATE = "state"
    JUDGED = "judged"
    DATASET = "dataset"
    CATEGORY = "category"
    SPLIT = "split"


ALL_TARGETS, SOME_TARGETS, NO_TARGETS = "all", "some", "none"
"""Values of TARGETS: each press has a target; some have; none has."""

Chosen = tuple[tuple[FilterKind, tuple[str, ...]], ...]
"""The chosen values of each kind; a kind without any is left out."""

_PRESSES = "('tap', 'double_tap', 'long_press')"
_MISSING = (
    "EXISTS (SELECT 1 FROM step WHERE step.episode = episode.id AND deleted = 0 "
    f"AND kind IN {_PRESSES} AND NOT EXISTS (SELECT 1 FROM region "
    "WHERE region.step = step.id AND chosen = 1 AND withdrawn = 0))"
)
_VALUES = {
    FilterKind.PERSON: (
        "(SELECT coalesce((SELECT author.name FROM author WHERE author.id = actor.author), agent) "
        "FROM actor WHERE actor.id = episode.actor)"
    ),
    FilterKind.REVIEW: (
        "coalesce((SELECT decision FROM episode_review WHERE episode_review.episode = episode.id), "
        f"'{UNDECIDED}')"
    ),
    FilterKind.TARGETS: (
        f"CASE WHEN NOT {_MISSING} THEN '{ALL_TARGETS}' "
        f"WHEN target_count > 0 THEN '{SOME_TARGETS}' ELSE '{NO_TARGETS}' END"
    ),
    FilterKind.STATE: "state",
    FilterKind.JUDGED: (
        "coalesce(nullif((SELECT outcome FROM attempt WHERE attempt.episode = episode.id), ''), "
        f"'{UNJUDGED}')"
    ),
    FilterKind.DATASET: "dataset",
    FilterKind.CATEGORY: "category",
}
"""SQL for the one value of an episode joined with its task."""

_LISTS = {
    FilterKind.APP: ("episode_app", "app", "1"),
    FilterKind.FINDING: ("episode_finding", "rule", TOLD),
    FilterKind.SPLIT: ("episode_split", "split || char(0) || part", "1"),
}
"""(table, SQL for a value, condition) of the kinds of which an episode has several values."""


def conditions(chosen: Chosen) -> tuple[list[str], list[Any]]:
    """Returns SQL conditions for `episode` joined with `task`, and the values to bind."""
    terms: list[str] = []
    values: list[Any] = []
    for kind, wanted in chosen:
        marks = ", ".join("?" * len(wanted))
        if kind in _LISTS:
            table, value, condition = _LISTS[kind]
            terms.append(
                f"+episode.id IN (SELECT episode FROM {table} "
                f"WHERE {condition} AND {value} IN ({marks}))"
            )
        else:
            terms.append(f"{_VALUES[kind]} IN ({marks})")
        values += wanted
    return terms, values


def count_values(
    db: Database, kind: FilterKind, where: str, values: Sequence[Any]
) -> tuple[tuple[str, int], ...]:
    """Returns (value, number of episodes), largest first, of the episodes that pass `where`."""
    source = f"FROM episode JOIN task ON task.id = episode.task WHERE {where}"
    if kind in _LISTS:
        table, value, condition = _LISTS[kind]
        sql = (
            f"SELECT value, count(*) FROM (SELECT DISTINCT {value} AS value, episode FROM {table} "
            f"WHERE {condition} AND episode IN (SELECT episode.id {source})) GROUP BY value"
        )
    else:
        sql = f"SELECT {_VALUES[kind]} AS value, count(*) {source} GROUP BY value"
    found: Mapping[str, int] = dict(db.conn.execute(sql, values))
    return tuple(sorted(((v, n) for v, n in found.items() if v), key=lambda one: (-one[1], one[0])))
