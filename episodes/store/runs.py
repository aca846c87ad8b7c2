# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Runs: a model's answers with their manifest, and verdicts that can be computed again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from episodes.errors import KnownError
from episodes.runs import (
    Answered,
    Ended,
    Orphan,
    OrphanReason,
    Prediction,
    Run,
    RunFile,
    StepSet,
    Unreadable,
)
from episodes.store import columns as c
from episodes.store.digests import Digests
from episodes.store.errors import NotStorable
from episodes.store.reading import rows
from episodes.verdicts import Outcome, Verdict

if TYPE_CHECKING:
    from sqlite_utils import Database


class RunNotFound(KnownError):
    """The library has no such run."""


class RunExists(KnownError):
    """The library has a run of that name."""


_MANIFEST = (
    "name", "dialect", "model", "coordinates", "scroll", "level", "history", "observation",
    "dataset", "dataset_version", "imported_utc", "asking",
)  # fmt: skip


def save_run(
    db: Database,
    run: Run,
    predictions: Iterable[Prediction],
    orphans: Iterable[Orphan],
    replace: bool,
) -> None:
    """Saves a run with all its answers, in one transaction."""
    with db.atomic():
        if db.conn.execute("SELECT 1 FROM run WHERE name = ?", (run.name,)).fetchone():
            if not replace:
                raise RunExists(
                    f"save the run “{run.name}”",
                    "the library has a run of that name",
                    "Give it another name, or ask for the old one to be replaced.",
                )
            db.conn.execute("DELETE FROM run WHERE name = ?", (run.name,))
        key = _insert(db, "run", _manifest(db, run))
        db.conn.executemany(
            "INSERT INTO run_file (run, position, name, sha256, lines) VALUES (?, ?, ?, ?, ?)",
            [(key, at, file.name, file.sha256, file.lines) for at, file in enumerate(run.files)],
        )
        _insert_all(db, "prediction", _prediction_rows(key, predictions))
        _insert_all(db, "orphan", _orphan_rows(key, orphans))


def list_runs(db: Database) -> list[Run]:
    """Returns the manifests of all runs, in the order they were added."""
    return [_run(db, row) for row in rows(db, f"{_RUN} ORDER BY run.id")]


def find_run(db: Database, name: str) -> Run:
    """Returns the manifest of one run.

    Raises:
        RunNotFound: there is none of that name.
    """
    return _run(db, next(rows(db, f"{_RUN} WHERE run.id = ?", (run_key(db, name),))))


def delete_run(db: Database, name: str) -> None:
    """Removes a run with its answers and verdicts.

    Raises:
        RunNotFound: there is none of that name.
    """
    with db.atomic():
        db.conn.execute("DELETE FROM run WHERE id = ?", (run_key(db, name),))


def run_key(db: Database, name: str) -> int:
    """Returns the key of a run.

    Raises:
        RunNotFound: there is none of that name.
    """
    found = db.conn.execute("SELECT id FROM run WHERE name = ?", (name,)).fetchone()
    if found is None:
        names = [known for (known,) in db.conn.execute("SELECT name FROM run ORDER BY id DESC")]
        listed = ", ".join(f"“{known}”" for known in names[:5])
        raise RunNotFound(
            f"open the run “{name}”",
            f"the library has {listed or 'no runs'}" + (" and more" if len(names) > 5 else ""),
            "Import its predictions first, or choose one of those.",
        )
    return int(found[0])


def predictions(db: Database, run: str, episode: str | None) -> Iterator[Prediction]:
    """Yields a run's answers by episode and step, of one episode by name or of all."""
    only = "" if episode is None else " AND episode = ?"
    values = (run_key(db, run),) if episode is None else (run_key(db, run), episode)
    for row in rows(
        db, f"SELECT * FROM prediction WHERE run = ?{only} ORDER BY episode, step", values
    ):
        yield c.read_row(_prediction, row, f"run “{run}”, prediction")


def orphans(db: Database, run: str) -> Iterator[Orphan]:
    """Yields a run's answers that were joined to no step, in the order they were read."""
    for row in rows(db, "SELECT * FROM orphan WHERE run = ? ORDER BY id", (run_key(db, run),)):
        yield Orphan(_prediction(row), c.read_member(OrphanReason, row, "why"))


def keep_verdicts(
    db: Database,
    run: str,
    protocol: str,
    version: str,
    revision: int,
    verdicts: Mapping[tuple[str, int], Verdict],
) -> None:
    """Stores computed verdicts and deletes those of the same run and protocol at other
    revisions."""
    with db.atomic():
        db.conn.execute(
            "DELETE FROM score WHERE run = ? AND protocol = ? AND version = ?",
            (run_key(db, run), protocol, version),
        )
        score = _insert(
            db,
            "score",
            {
                "run": run_key(db, run),
                "protocol": protocol,
                "version": version,
                "revision": revision,
            },
        )
        _insert_all(db, "verdict", _verdict_rows(score, verdicts))


def kept_scores(db: Database, run: str) -> list[tuple[str, str, int]]:
    """Returns (protocol, version, revision) of the stored verdicts of a run."""
    sql = "SELECT protocol, version, revision FROM score WHERE run = ?"
    return [(row[0], row[1], row[2]) for row in db.conn.execute(sql, (run_key(db, run),))]


def kept_verdicts(
    db: Database, run: str, protocol: str, version: str, revision: int
) -> dict[tuple[str, int], Verdict] | None:
    """Returns stored verdicts by (episode name, step), or None if none fit."""
    score = db.conn.execute(
        "SELECT id FROM score WHERE run = ? AND protocol = ? AND version = ? AND revision = ?",
        (run_key(db, run), protocol, version, revision),
    ).fetchone()
    if score is None:
        return None
    return {
        (row["episode"], row["step"]): Verdict(
            c.read_member(Outcome, row, "outcome"),
            row["rule"],
            row["reason"],
            c.read_json(row["parts"], dict, "parts"),
        )
        for row in rows(db, "SELECT * FROM verdict WHERE score = ?", score)
    }


_RUN = (
    "SELECT run.*, step_set.name AS step_set_name, count, sha256 "
    "FROM run LEFT JOIN step_set ON step_set.id = run.step_set"
)


def _manifest(db: Database, run: Run) -> c.Columns:
    manifest: c.Columns = {name: getattr(run, name) for name in _MANIFEST}
    manifest["split"], manifest["split_part"] = run.split or (None, None)
    manifest["only_answered"] = int(run.only_answered)
    if run.step_set is None:
        return manifest | {"step_set": None}
    steps: c.Columns = {
        "name": run.step_set.name,
        "count": run.step_set.count,
        "sha256": run.step_set.sha256,
    }
    found = db.conn.execute(
        "SELECT id FROM step_set WHERE name = :name AND count = :count AND sha256 = :sha256", steps
    ).fetchone()
    return manifest | {"step_set": found[0] if found else _insert(db, "step_set", steps)}


def _run(db: Database, row: Any) -> Run:
    files = rows(db, "SELECT * FROM run_file WHERE run = ? ORDER BY position", (row["id"],))
    if row["asking"]:
        c.read_json(row["asking"], dict, "asking")
    return Run(
        **{name: row[name] for name in _MANIFEST},
        split=None if row["split"] is None else (row["split"], row["split_part"]),
        only_answered=bool(row["only_answered"]),
        step_set=None
        if row["step_set"] is None
        else StepSet(row["step_set_name"], row["count"], row["sha256"]),
        files=tuple(RunFile(file["name"], file["sha256"], file["lines"]) for file in files),
    )


def _answer(prediction: Prediction) -> c.Columns:
    parsed = prediction.parsed
    unreadable = parsed if isinstance(parsed, Unreadable) else None
    action = None if isinstance(parsed, Unreadable) else parsed
    return {
        "episode": prediction.episode,
        "step": prediction.step,
        "raw": prediction.raw,
        "action": None if action is None else c.action_text(action),
        "unreadable": None if unreadable is None else unreadable.reason,
        "guess": None if unreadable is None else unreadable.guess,
        **c.native_columns(prediction.native),
        "file": prediction.file,
        "line": prediction.line,
        **_answered_columns(prediction.answered),
    }


def _answered_columns(answered: Answered | None) -> c.Columns:
    if answered is None:
        return dict.fromkeys(("ended", "finish", "reasoning", "tokens_in", "tokens_out"))
    tokens = answered.tokens or (None, None)
    return {
        "ended": answered.ended.value,
        "finish": answered.finish,
        "reasoning": answered.reasoning,
        "tokens_in": tokens[0],
        "tokens_out": tokens[1],
    }


def _answered(row: Any) -> Answered | None:
    if row["ended"] is None:
        return None
    tokens = (row["tokens_in"], row["tokens_out"])
    return Answered(
        c.read_member(Ended, row, "ended"),
        row["finish"] or "",
        row["reasoning"] or "",
        None if None in tokens else tokens,
    )


def _prediction_rows(run: int, found: Iterable[Prediction]) -> Iterator[c.Columns]:
    from episodes.packed import pack  # loads numpy: only where rows are written

    nothing = dict.fromkeys(("kind", "x", "y", "end_x", "end_y", "direction", "text", "key"))
    for prediction in found:
        parsed = prediction.parsed
        typed = nothing if isinstance(parsed, Unreadable) else c.action_columns(parsed)
        numbers = {"numbers": pack(prediction.native)}
        yield {"run": run, **_answer(prediction), **typed, **numbers}


def _orphan_rows(run: int, found: Iterable[Orphan]) -> Iterator[c.Columns]:
    for orphan in found:
        yield {"run": run, "why": orphan.why.value, **_answer(orphan.prediction)}


def _prediction(row: Any) -> Prediction:
    return Prediction(
        episode=row["episode"],
        step=row["step"],
        raw=row["raw"],
        parsed=Unreadable(row["unreadable"], row["guess"])
        if row["action"] is None
        else c.read_action(row["action"]),
        native=c.read_native(row),
        file=row["file"],
        line=row["line"],
        answered=_answered(row),
    )


def _verdict_rows(score: int, verdicts: Mapping[tuple[str, int], Verdict]) -> Iterator[c.Columns]:
    for (episode, step), verdict in verdicts.items():
        yield {
            "score": score,
            "episode": episode,
            "step": step,
            "outcome": verdict.outcome.value,
            "rule": verdict.rule,
            "reason": verdict.reason,
            "parts": json.dumps(dict(verdict.parts), ensure_ascii=False, allow_nan=False),
        }


def _insert(db: Database, table: str, columns: c.Columns) -> int:
    return int(db.conn.execute(_sql(table, columns), c.checked(columns)).lastrowid or 0)


def _insert_all(db: Database, table: str, found: Iterator[c.Columns]) -> None:
    """Inserts rows with their digests. Where the table has an `id`, they get the next ones."""
    layout = Digests(db).tables[table]
    first = next(found, None)
    if first is None:
        return
    if layout.keys == ("id",):
        (last,) = db.conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
        ids = count(last + 1)
        numbered: Iterator[c.Columns] = ({"id": next(ids)} | row for row in chain([first], found))
    else:
        numbered = chain([first], found)
    complete = layout.completed(first.keys() | set(layout.keys))
    columns = {**first, **layout.defaults, "digest": 0}
    try:
        db.conn.executemany(_sql(table, columns), (complete(c.checked(row)) for row in numbered))
    except sqlite3.IntegrityError:
        raise NotStorable("the run has two answers for the same step") from None


def _sql(table: str, columns: c.Columns) -> str:
    marks = ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
