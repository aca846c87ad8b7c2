"""Numbers of open findings of each episode, stored for lists and filters.

They are a cache: linting an episode again replaces them, and a change of the episode deletes them
(`summary_columns.refresh`). This module does not know what a finding is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


SEVERITIES = ("error", "look", "note")
TOLD = "severity != 'note'"
"""The condition on `episode_finding` for those that count in lists and filters."""


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """Open findings of an episode.

    Attributes:
        revision: the episode's, when it was looked at.
        open: the number of not accepted ones, by (rule, severity).
    """

    uuid: str
    revision: int
    open: Mapping[tuple[str, str], int]


def due(db: Database, rules: str) -> list[str]:
    """Returns the uuids of the episodes that must be linted, in the order they were added.

    Args:
        rules: the version of the lint rules. Episodes linted with other rules are included.
    """
    found = db.conn.execute(
        "SELECT uuid FROM episode LEFT JOIN episode_lint ON episode_lint.episode = episode.id "
        "WHERE state NOT IN ('recording', 'deleted') AND (rules IS NULL OR rules != ?) "
        "ORDER BY episode.id",
        (rules,),
    )
    return [uuid for (uuid,) in found]


def keep(db: Database, rules: str, counted: Iterable[FindingCounts]) -> int:
    """Stores counts and returns the number of episodes stored. Episodes that changed since are
    skipped."""
    kept = 0
    with db.atomic():
        for one in counted:
            found = db.conn.execute(
                "SELECT id FROM episode WHERE uuid = ? AND revision = ?", (one.uuid, one.revision)
            ).fetchone()
            if found is None:
                continue
            kept += 1
            (key,) = found
            sums = [
                sum(n for (_, how), n in one.open.items() if how == severity)
                for severity in SEVERITIES
            ]
            db.conn.execute("DELETE FROM episode_lint WHERE episode = ?", (key,))
            db.conn.execute(
                "INSERT INTO episode_lint (episode, rules, error_count, look_count, note_count) "
                "VALUES (?, ?, ?, ?, ?)",
                (key, rules, *sums),
            )
            db.conn.executemany(
                "INSERT INTO episode_finding (episode, rule, severity, count) VALUES (?, ?, ?, ?)",
                [(key, rule, severity, n) for (rule, severity), n in one.open.items()],
            )
    return kept
