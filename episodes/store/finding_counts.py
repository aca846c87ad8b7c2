"""How many findings are open in each episode, kept so that lists and filters need not look.

They are no facts: whoever looks at an episode again makes them anew, and a change of the episode
takes them away (`summary_columns.refresh`). What a finding is, this module does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlite_utils import Database

SEVERITIES = ("error", "look", "note")
TOLD = "severity != 'note'"
"""The condition on `episode_finding` for those that count in lists and filters."""


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """What somebody found in an episode.

    Attributes:
        revision: the episode's, when it was looked at.
        open: how many nobody has accepted, by (rule, severity).
    """

    uuid: str
    revision: int
    open: Mapping[tuple[str, str], int]


def due(db: Database, rules: str) -> list[str]:
    """Returns the uuids of the episodes that wait to be looked at, in the order they came in.

    Args:
        rules: what they are to be looked at with; those looked at with others wait too.
    """
    found = db.conn.execute(
        "SELECT uuid FROM episode LEFT JOIN episode_lint ON episode_lint.episode = episode.id "
        "WHERE state NOT IN ('recording', 'deleted') AND (rules IS NULL OR rules != ?) "
        "ORDER BY episode.id",
        (rules,),
    )
    return [uuid for (uuid,) in found]


def keep(db: Database, rules: str, counted: Iterable[FindingCounts]) -> int:
    """Keeps counts, and returns of how many episodes: those that have changed since still wait."""
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
