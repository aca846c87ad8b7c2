# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""A run's steps out of the database as columns, in batches of whole episodes.

One query a batch brings steps, frames and predictions together; regions, golds and trees are asked
for where there are any. What a batch holds in memory is bounded by its number of steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import zstandard
from sqlite_utils import Database

from episodes.geometry import Size
from episodes.runs import Orphan, Stray
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.step_columns import EpisodeRow, GoldRow, RegionRow, StepColumns
from episodes.store import columns as c
from episodes.store import queries, runs
from episodes.store.faults import told
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery

STEPS_AT_ONCE = 20_000
EPISODES_AT_ONCE = 30_000  # SQLite binds 32,766 values

_STEPS = """
    SELECT step.id, step.episode, step.number, frame.width, frame.height, step.action,
        step.native_space, step.native_text, step.tree, step.tree_fit,
        said.raw, said.action, said.native_space, said.native_text, said.unreadable, said.guess,
        said.line
    FROM step
    JOIN episode ON episode.id = step.episode
    LEFT JOIN frame ON frame.id = step.frame
    LEFT JOIN prediction AS said
        ON said.run = ? AND said.episode = episode.name AND said.step = step.number
    WHERE step.episode IN ({marks}) AND step.deleted = 0
    ORDER BY step.episode, step.number
"""


def step_columns(
    library: Library,
    run: str,
    query: EpisodeQuery = EVERYTHING,
    steps_at_once: int = STEPS_AT_ONCE,
) -> Iterator[StepColumns]:
    """Yields the steps of the episodes a query finds, with what the run said of them.

    The order is that of `Library.iterate`; second answers for a step stand after their episode's
    steps. A batch ends with the episode that fills it.

    Raises:
        RunNotFound: there is no such run.
    """
    with told(f"read the run “{run}”"):
        db = library._db
        key = runs.run_key(db, run)
        again: dict[str, list[Orphan]] = defaultdict(list)
        for orphan in runs.orphans(db, run):
            if orphan.why is Stray.DOUBLED:
                again[orphan.prediction.episode].append(orphan)
        for episodes in _batches(db, queries.keys(db, query), steps_at_once):
            yield _read(db, key, episodes, again)


def _batches(db: Database, keys: Sequence[int], steps_at_once: int) -> Iterator[dict[int, int]]:
    """Yields episodes' keys with their numbers of steps."""
    counts: dict[int, int] = dict(
        db.conn.execute("SELECT episode, count(*) FROM step WHERE deleted = 0 GROUP BY episode")
    )
    batch: dict[int, int] = {}
    steps = 0
    for key in keys:
        batch[key] = counts.get(key, 0)
        steps += batch[key]
        if steps >= steps_at_once or len(batch) >= EPISODES_AT_ONCE:
            yield batch
            batch, steps = {}, 0
    if batch:
        yield batch


def _read(
    db: Database, run: int, counts: dict[int, int], again: Mapping[str, Sequence[Orphan]]
) -> StepColumns:
    keys = list(counts)
    marks = ", ".join("?" * len(keys))
    episodes = _episodes(db, counts, marks)
    places = {key: place for place, key in enumerate(keys)}
    rows = db.conn.execute(_STEPS.format(marks=marks), (run, *keys)).fetchall()
    steps: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * 17
    ids = steps[0]
    columns = StepColumns(
        episodes,
        np.fromiter(map(places.__getitem__, steps[1]), np.int64, len(rows)),
        np.array(steps[2], np.int64),
        _whole(steps[3]),
        _whole(steps[4]),
        steps[5],
        steps[6],
        steps[7],
        _grouped(db, "region", RegionRow, keys, marks, ids),
        _grouped(db, "gold", GoldRow, keys, marks, ids),
        _trees(db, keys, marks, steps[8], steps[9]),
        np.fromiter((raw is not None for raw in steps[10]), np.bool_, len(rows)),
        steps[10],
        steps[11],
        steps[12],
        steps[13],
        steps[14],
        steps[15],
        _whole(steps[16]),
        np.zeros(len(rows), np.bool_),
    )
    return _with_again(columns, again) if again else columns


def _episodes(db: Database, counts: Mapping[int, int], marks: str) -> list[EpisodeRow]:
    sql = f"""
        SELECT episode.id, uuid, name, category, declared_steps, device.density, device.width,
            device.height
        FROM episode JOIN task ON task.id = episode.task
        LEFT JOIN device ON device.episode = episode.id
        WHERE episode.id IN ({marks}) ORDER BY episode.id
    """
    return [
        EpisodeRow(
            uuid, name, category, declared or counts[key], density or 0, width or 0, height or 0
        )
        for key, uuid, name, category, declared, density, width, height in db.conn.execute(
            sql, list(counts)
        )
    ]


_PARTS = {
    "region": "status, chosen, left, top, right, bottom, native_space, native_text",
    "gold": "number, role, status, action",
}


def _grouped(
    db: Database,
    table: str,
    read: type[RegionRow] | type[GoldRow],
    keys: Sequence[int],
    marks: str,
    ids: Sequence[int],
) -> Sequence[tuple[Any, ...]]:
    """Returns the rows of a table that belong to each step, in order."""
    if db.conn.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is None:
        return [()] * len(ids)
    found = db.conn.execute(
        f"SELECT step, {_PARTS[table]} FROM {table} WHERE withdrawn = 0 AND step IN "
        f"(SELECT id FROM step WHERE episode IN ({marks}) AND deleted = 0) ORDER BY step, number",
        keys,
    )
    by_step = {
        step: tuple(read(*row[1:]) for row in rows)
        for step, rows in groupby(found, key=itemgetter(0))
    }
    return [by_step.get(step, ()) for step in ids]


def _trees(
    db: Database,
    keys: Sequence[int],
    marks: str,
    trees: Sequence[int | None],
    fits: Sequence[str | None],
) -> Sequence[StepTree | None]:
    if not any(tree is not None for tree in trees):
        return [None] * len(trees)
    unpack = zstandard.ZstdDecompressor()
    found = {
        key: TreeRecord(
            form,
            b"" if packed is None else unpack.decompress(packed, c.MAX_TREE),
            source,
            TreeStatus(status),
            size=None if width is None else Size(width, height),
            rotation=rotation,
            detail=detail,
        )
        for key, form, source, status, width, height, rotation, detail, packed in db.conn.execute(
            "SELECT tree.id, format, source, status, width, height, rotation, detail, zstd "
            "FROM tree LEFT JOIN tree_data ON tree_data.id = tree.data "
            f"WHERE tree.episode IN ({marks})",
            keys,
        )
    }
    return [
        None if tree is None else StepTree(found[tree], TreeFit(fit or ""))
        for tree, fit in zip(trees, fits, strict=True)
    ]


def _with_again(columns: StepColumns, again: Mapping[str, Sequence[Orphan]]) -> StepColumns:
    """Returns the columns with rows for second answers after their episodes' steps."""
    chosen: list[int] = []
    changed = {}
    at = 0
    episode, number = columns.episode.tolist(), columns.number.tolist()
    for place, told_of in enumerate(columns.episodes):
        own = {}
        while at < len(number) and episode[at] == place:
            own[number[at]] = at
            chosen.append(at)
            at += 1
        for orphan in again.get(told_of.name, ()):
            row = own.get(orphan.prediction.step)
            if row is not None:
                changed[len(chosen)] = orphan.prediction
                chosen.append(row)
    if not changed:
        return columns
    with_rows = columns.rows(np.array(chosen, np.int64)).with_predictions(dict(changed))
    rows = list(changed)
    with_rows.doubled[rows] = True
    with_rows.place[rows] = [prediction.line for prediction in changed.values()]
    return with_rows


def _whole(told_of: Sequence[int | None]) -> Any:
    return np.fromiter((number or 0 for number in told_of), np.int64, len(told_of))
