# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Reads a run's steps from the database as columns, in batches of whole episodes.

One query per batch joins steps, frames and predictions. Regions, golds and trees are queried only
if there are any. The memory of a batch is bounded by its number of steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from episodes.garbage_collection import without_garbage_collection
from episodes.packed import FORMS
from episodes.runs import Orphan, OrphanReason
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.step_columns import EpisodeRow, GoldRow, RegionRow, StepColumns, box_of
from episodes.store import columns as c
from episodes.store import queries, runs
from episodes.store.errors import Damaged, convert_errors
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery

if TYPE_CHECKING:
    from sqlite_utils import Database

STEPS_AT_ONCE = 20_000
EPISODES_AT_ONCE = 30_000  # SQLite binds 32,766 values

_STEPS = """
    SELECT step.id, step.episode, step.number, step.numbers, said.numbers, said.line,
        said.id IS NOT NULL, {columns}
    FROM step
    JOIN episode ON episode.id = step.episode
    LEFT JOIN prediction AS said
        ON said.run = ? AND said.episode = episode.name AND said.step = step.number
    WHERE step.episode IN ({marks}) AND step.deleted = 0 {where}
    ORDER BY step.episode, step.number
"""


_TEXTS = (
    "(SELECT width FROM frame WHERE id = step.frame)",
    "(SELECT height FROM frame WHERE id = step.frame)",
    "step.action", "step.native_space", "step.native_text", "step.tree", "step.tree_fit",
    "said.raw", "said.action", "said.native_space", "said.native_text", "said.unreadable",
    "said.guess",
)  # fmt: skip
_OTHERS = """
    AND (step.numbers IS NULL OR said.numbers IS NULL
    OR substr(step.numbers, 1, 1) != {form} OR substr(said.numbers, 1, 1) != {form})
"""
_SHOWN = """
    WITH hiding AS (
        SELECT step.id, step.episode, step.private OR EXISTS (
            SELECT 1 FROM private_box WHERE private_box.step = step.id AND withdrawn = 0
        ) AS hidden, coalesce(frame.protected, 0) AS protected, frame.still
        FROM step LEFT JOIN frame ON frame.id = step.frame WHERE step.deleted = 0
    )
    SELECT uuid, number, tree_fit, hiding.protected, hidden, hiding.still, after.still,
        final.still, final.protected
    FROM hiding
    JOIN step ON step.id = hiding.id
    JOIN episode ON episode.id = hiding.episode
    LEFT JOIN frame AS after ON after.id = step.frame_after
    LEFT JOIN frame AS final ON final.id = episode.final_frame
    WHERE hiding.episode IN (SELECT episode FROM hiding WHERE hidden OR protected)
        OR final.protected
    ORDER BY hiding.episode, number
"""
_BOX = """
    (SELECT native_text FROM region WHERE region.step = step.id AND withdrawn = 0
    AND native_space = 'guiodyssey' ORDER BY region.number LIMIT 1)
"""


def step_columns(
    library: Library,
    run: str,
    query: EpisodeQuery = EVERYTHING,
    steps_at_once: int = STEPS_AT_ONCE,
    *,
    lean: str = "",
) -> Iterator[StepColumns]:
    """Yields the steps of a query's episodes with the run's answers.

    The order is that of `Library.iterate`; second answers for a step follow their episode's steps.
    A batch ends with the episode that fills it.

    Args:
        lean: a coordinate space, if only its protocols will judge the rows. Rows whose step and
            answer are packed numbers of that space come without texts, golds and trees, and with
            only the first region that has GUIOdyssey's numbers.

    Raises:
        RunNotFound: there is no such run.
    """
    with convert_errors(f"read the run “{run}”"):
        db = library._db
        key = runs.run_key(db, run)
        again: dict[str, list[Orphan]] = defaultdict(list)
        for orphan in runs.orphans(db, run):
            if orphan.why is OrphanReason.DOUBLED:
                again[orphan.prediction.episode].append(orphan)
        for episodes in _batches(db, queries.keys(db, query), steps_at_once):
            yield _read(db, key, episodes, again, lean)


def private_parts(library: Library) -> tuple[frozenset[str], frozenset[tuple[str, int]]]:
    """Returns the uuids of private episodes, and (uuid, number) of the others' steps of which
    anything is private."""
    with convert_errors("look what is private"):
        db = library._db
        episodes = {uuid for (uuid,) in db.conn.execute("SELECT uuid FROM episode WHERE private")}
        steps = db.conn.execute(
            "SELECT uuid, number FROM (SELECT episode.uuid, step.number, step.private OR EXISTS "
            "(SELECT 1 FROM private_box WHERE private_box.step = step.id AND withdrawn = 0) "
            "AS hidden FROM step JOIN episode ON episode.id = step.episode "
            "WHERE step.deleted = 0 AND NOT episode.private) WHERE hidden"
        ).fetchall()
    return frozenset(episodes), frozenset((uuid, number) for uuid, number in steps)


def closed_steps(library: Library) -> frozenset[tuple[str, int]]:
    """Returns (uuid, number) of the steps whose tree may contain text of a hidden screen.

    These are steps with a protected screen, and steps that show the same picture as a step with a
    private part. Neighbours are included: a stale tree may belong to the screen of the step before,
    a late one to the screen that followed.
    """
    with convert_errors("look what is protected"):
        found = [_Shown(*row) for row in library._db.conn.execute(_SHOWN)]
    return frozenset(
        closed for _, steps in groupby(found, itemgetter(0)) for closed in _closed(list(steps))
    )


class _Shown(NamedTuple):
    uuid: str
    number: int
    fit: str
    protected: int
    hidden: int
    still: int | None
    after: int | None
    final: int | None
    final_protected: int | None


def _closed(steps: list[_Shown]) -> Iterator[tuple[str, int]]:
    last = steps[-1]
    pictures = {step.still for step in steps if step.hidden}
    pictures |= {one.after for one, step in pairwise(steps) if step.hidden}
    pictures |= {last.after, last.final} if last.hidden else set()
    pictures.discard(None)
    shut = [bool(one.protected or one.hidden) or one.still in pictures for one in steps]
    end = shut[-1] or bool(last.final_protected) or last.final in pictures
    for step, before, own, behind in zip(
        steps, (False, *shut), shut, (*shut[1:], end), strict=False
    ):
        stale, late = step.fit == TreeFit.STALE, step.fit == TreeFit.LATE
        if own or (stale and before) or (late and behind):
            yield step.uuid, step.number


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
    db: Database,
    run: int,
    counts: dict[int, int],
    again: Mapping[str, Sequence[Orphan]],
    lean: str,
) -> StepColumns:
    keys = list(counts)
    marks = ", ".join("?" * len(keys))
    episodes = _episodes(db, counts, marks)
    with without_garbage_collection():
        columns = _columns(db, run, keys, marks, lean)
    columns = replace(columns, episodes=episodes)
    return _with_again(columns, again) if again else columns


def _columns(db: Database, run: int, keys: Sequence[int], marks: str, lean: str) -> StepColumns:
    """Returns the columns of some episodes' steps, without the episodes."""
    places = {key: place for place, key in enumerate(keys)}
    form = FORMS.get(lean)
    more = ", ".join(_TEXTS) if form is None else _BOX if _any(db, "region") else "NULL"
    sql = _STEPS.format(marks=marks, columns=more, where="")
    rows = db.conn.execute(sql, (run, *keys)).fetchall()
    steps: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * (7 + len(_TEXTS))
    ids, numbers, said_numbers = steps[0], steps[3], steps[4]
    asked: Sequence[int] = range(len(ids))
    texts, box = steps[7:], None
    if form is not None:
        box = steps[7]
        asked = [
            n
            for n, (own, said) in enumerate(zip(numbers, said_numbers, strict=True))
            if own is None or said is None or own[0] != form or said[0] != form
        ]
        where = _OTHERS.format(form=f"x'{form:02x}'")
        texts = _texts(db, run, keys, marks, asked, len(ids), where)
    parts = _Parts(db, keys, marks, ids) if asked else None
    regions = parts.grouped("region", RegionRow) if parts is not None else [()] * len(ids)
    golds = parts.grouped("gold", GoldRow) if parts is not None else [()] * len(ids)
    trees = parts.trees(texts[5], texts[6]) if parts is not None else [None] * len(ids)
    return StepColumns(
        (),
        np.fromiter(map(places.__getitem__, steps[1]), np.int64, len(ids)),
        np.array(steps[2], np.int64),
        _whole(texts[0]),
        _whole(texts[1]),
        [action or "" for action in texts[2]],
        texts[3],
        texts[4],
        numbers,
        [box_of(own) for own in regions] if box is None else box,
        regions,
        golds,
        trees,
        np.fromiter(steps[6], np.bool_, len(ids)),
        texts[7],
        texts[8],
        texts[9],
        texts[10],
        said_numbers,
        texts[11],
        texts[12],
        _whole(steps[5]),
        np.zeros(len(ids), np.bool_),
    )


def _texts(
    db: Database,
    run: int,
    keys: Sequence[int],
    marks: str,
    asked: Sequence[int],
    size: int,
    where: str,
) -> list[Sequence[Any]]:
    """Returns the texts of the rows at some places, None elsewhere."""
    nothing: Sequence[Any] = [None] * size
    if not asked:
        return [nothing] * len(_TEXTS)
    sql = _STEPS.format(marks=marks, columns=", ".join(_TEXTS), where=where)
    found = [list(nothing) for _ in _TEXTS]
    rows = db.conn.execute(sql, (run, *keys))
    for place, row in zip(asked, rows, strict=True):
        for column, value in zip(found, row[7:], strict=True):
            column[place] = value
    return list(found)


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


_GROUPED = {
    "region": "status, chosen, left, top, right, bottom, native_space, native_text",
    "gold": "number, role, status, action",
}


class _Parts:
    """Rows of other tables that belong to a batch's steps."""

    def __init__(self, db: Database, keys: Sequence[int], marks: str, ids: Sequence[int]) -> None:
        self._db = db
        self._keys = keys
        self._marks = marks
        self._ids = ids

    def grouped(
        self, table: str, read: type[RegionRow] | type[GoldRow]
    ) -> Sequence[tuple[Any, ...]]:
        """Returns the rows of a table that belong to each step, in order."""
        if not _any(self._db, table):
            return [()] * len(self._ids)
        found = self._db.conn.execute(
            f"SELECT step, {_GROUPED[table]} FROM {table} WHERE withdrawn = 0 AND step IN "
            f"(SELECT id FROM step WHERE episode IN ({self._marks}) AND deleted = 0) "
            "ORDER BY step, number",
            self._keys,
        )
        by_step = {
            step: tuple(read(*row[1:]) for row in rows)
            for step, rows in groupby(found, key=itemgetter(0))
        }
        return [by_step.get(step, ()) for step in self._ids]

    def trees(
        self, trees: Sequence[int | None], fits: Sequence[str | None]
    ) -> Sequence[StepTree | None]:
        """Returns each step's tree, unpacked."""
        if not any(tree is not None for tree in trees):
            return [None] * len(trees)
        found = {
            key: TreeRecord(
                form,
                c.unpack_tree(packed),
                source,
                c.read_member(TreeStatus, {"status": status}, "status"),
                size=None if width is None else c.size_of(width, height),
                rotation=rotation,
                detail=detail,
            )
            for key, form, source, status, width, height, rotation, detail, packed in (
                self._db.conn.execute(
                    "SELECT tree.id, format, source, status, width, height, rotation, detail, zstd "
                    "FROM tree LEFT JOIN tree_data ON tree_data.id = tree.data "
                    f"WHERE tree.episode IN ({self._marks})",
                    self._keys,
                )
            )
        }
        return [
            None if tree is None else _step_tree(found, tree, fit)
            for tree, fit in zip(trees, fits, strict=True)
        ]


def _step_tree(found: Mapping[int, TreeRecord], tree: int, fit: str | None) -> StepTree:
    if tree not in found:
        raise Damaged(f"a step points to tree {tree}, which its episode does not have")
    return StepTree(found[tree], c.read_member(TreeFit, {"tree_fit": fit}, "tree_fit"))


def _any(db: Database, table: str) -> bool:
    return db.conn.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None


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
