"""Upgrades runs to schema 3: their splits get their own columns.

Before, a run's split was only in the name of its step set, after the data set's: "guiodyssey@2
random/test (answered)".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


_ANSWERED = "(answered)"


def name_splits(db: Database) -> None:
    """Gives every run the split, and whether only answered episodes count, that its set names."""
    for key, dataset, version, name in db.conn.execute(
        "SELECT run.id, dataset, dataset_version, step_set.name "
        "FROM run JOIN step_set ON step_set.id = run.step_set"
    ).fetchall():
        whole = f"{dataset}@{version}" if version else dataset or "all"
        if not f"{name} ".startswith(f"{whole} "):
            continue
        rest = name[len(whole) + 1 :]
        answered = rest == _ANSWERED or rest.endswith(f" {_ANSWERED}")
        split, _, part = rest.removesuffix(_ANSWERED).rstrip(" ").partition("/")
        db.conn.execute(
            "UPDATE run SET split = ?, split_part = ?, only_answered = ? WHERE id = ?",
            (split or None, part if split else None, int(answered), key),
        )
