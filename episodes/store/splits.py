# ruff: noqa: S608 - only names of our own columns are put in; values are bound
"""Splits of a data set: the part of each episode, and how the split was made.

A split is written once and never changed: runs are measured on it by its name. A split that came
with a data set's own files has members and need not have a row of its own.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from episodes.errors import KnownError
from episodes.store import columns as c
from episodes.store.app_keys import AppKeys
from episodes.store.columns import Columns, checked
from episodes.store.errors import convert_errors
from episodes.store.reading import rows
from episodes.store.summary_columns import next_revision

if TYPE_CHECKING:
    from sqlite_utils import Database

_WHOSE = "dataset = ? AND version = ? AND name = ?"
_MEMBERS = """
    SELECT uuid, part FROM episode JOIN episode_split ON episode = episode.id
    WHERE dataset = ? AND version = ? AND split = ? AND state != 'deleted'
    ORDER BY episode.id, position
"""


class SplitExists(KnownError):
    """The data set has a split of that name."""


class SplitNotFound(KnownError):
    """The data set has no split of that name."""


@dataclass(frozen=True, slots=True)
class Split:
    """How a data set was split.

    Attributes:
        rule: in words; "" if unknown.
        masking: of templates: the rule and what it made of each instruction, JSON text.
        made_by: the method, seed and shares, and the part of each label, JSON text.
        file: name of the file it was read from; `sha256` of its bytes.
    """

    dataset: str
    version: str
    name: str
    rule: str = ""
    masking: str = ""
    made_by: str = ""
    file: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class KnownSplit:
    """A split, with the number of episodes of each part. An episode may be in several parts."""

    split: Split
    parts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Divided:
    """The properties of one episode by which a data set may be split. Empty texts and None:
    unknown.

    Attributes:
        apps: names for people: those in the task, else those of the apps in front.
        app_keys: identifiers of the apps: the package if a step of the data set has it, else the
            name in lower case.
    """

    uuid: str
    name: str
    instruction: str
    template: str
    category: str
    apps: tuple[str, ...]
    manufacturer: str
    model: str
    product: str
    android_release: str
    sdk: int | None
    app_keys: tuple[str, ...] = ()


class Splits:
    """The splits of a library. Belongs to the thread of its library."""

    def __init__(
        self, db: Database, writing: Callable[[str], AbstractContextManager[None]]
    ) -> None:
        """Called by `Library.splits` only."""
        self._db = db
        self._writing = writing

    def save(self, split: Split, members: Iterable[tuple[str, str]]) -> None:
        """Saves a split with its (uuid, part) pairs, all or nothing.

        Raises:
            SplitExists: the data set has one of that name.
        """
        with self._writing(f"save the split “{split.name}”"):
            _save(self._db, split, members)

    def take(self, split: Split, members: Sequence[tuple[str, str]]) -> str:
        """Adds a split from an export. Returns why it was refused, or "".

        Its (uuid, part) pairs may exist already, from the data set's own files. A split that was
        imported in parts is completed: its facts are combined.
        """
        with self._writing(f"take the split “{split.name}”"):
            return _take(self._db, split, members)

    def all(self) -> list[KnownSplit]:
        """Returns all splits by data set, version and name."""
        with convert_errors("list the splits"):
            return known_splits(self._db)

    def find(self, name: str, dataset: str = "", version: str = "") -> KnownSplit:
        """Returns one split. Data set and version may be omitted if only one has it.

        Raises:
            SplitNotFound: there is none, or several data sets have one.
        """
        with convert_errors(f"open the split “{name}”"):
            return _find(self._db, name, dataset, version)

    def members(self, split: Split) -> list[tuple[str, str]]:
        """Returns (uuid, part) of the episodes in a split, in the order they were added."""
        with convert_errors(f"read the split “{split.name}”"):
            return [
                (uuid, part)
                for uuid, part in self._db.conn.execute(
                    _MEMBERS, (split.dataset, split.version, split.name)
                )
            ]

    def versions(self, dataset: str) -> list[str]:
        """Returns the versions of a data set that have episodes."""
        with convert_errors("look for a data set"):
            return [
                version
                for (version,) in self._db.conn.execute(
                    "SELECT DISTINCT version FROM episode WHERE dataset = ? "
                    "AND state NOT IN ('deleted', 'recording') ORDER BY version",
                    (dataset,),
                )
            ]

    def divided(self, dataset: str, version: str) -> list[Divided]:
        """Returns the split properties of a data set's episodes, in the order they were added."""
        with convert_errors("read what episodes may be split by"):
            return _divided(self._db, dataset, version)


def merge_splits(ours: Database, theirs: Database, added: Iterable[str]) -> list[tuple[str, str]]:
    """Merges the splits of another library, and returns (name, reason) of those refused.

    Call it after the episodes are merged.

    Args:
        added: our names of the episodes that were added; they are in no split that is refused.
    """
    refused = []
    for row in list(rows(theirs, "SELECT * FROM split ORDER BY id")):
        split = _split(row)
        whose = (split.dataset, split.version, split.name)
        here = next(rows(ours, f"SELECT * FROM split WHERE {_WHOSE}", whose), None)
        if here is not None and _split(here) != split:
            refused.append((split.name, "another split has its name here"))
            with ours.atomic():
                ours.conn.executemany(
                    "DELETE FROM episode_split WHERE split = ? AND episode IN "
                    "(SELECT id FROM episode WHERE dataset = ? AND version = ? AND name = ?)",
                    [(split.name, split.dataset, split.version, name) for name in added],
                )
            continue
        told_there = theirs.conn.execute(
            "SELECT uuid, name, part FROM episode JOIN episode_split ON episode = episode.id "
            "WHERE dataset = ? AND version = ? AND split = ?",
            whose,
        ).fetchall()
        with ours.atomic():
            if here is None:
                _insert(ours, split)
            ours.conn.executemany(
                "INSERT INTO episode_split (episode, position, split, part) "
                "SELECT id, (SELECT coalesce(max(position) + 1, 0) "
                "FROM episode_split WHERE episode = episode.id), :split, :part FROM episode "
                "WHERE dataset = :dataset AND version = :version "
                "AND (uuid = :uuid OR dataset != 'recorded' AND name = :name) "
                "AND NOT EXISTS (SELECT 1 FROM episode_split WHERE episode = episode.id "
                "AND split = :split AND part = :part)",
                [
                    {
                        "split": split.name,
                        "part": part,
                        "dataset": split.dataset,
                        "version": split.version,
                        "uuid": uuid,
                        "name": name,
                    }
                    for uuid, name, part in told_there
                ],
            )
            if here is None:
                next_revision(ours)
    return refused


def _save(db: Database, split: Split, members: Iterable[tuple[str, str]]) -> None:
    whose = (split.dataset, split.version, split.name)
    with db.atomic():
        if _has_row(db, whose) or _parts(db, whose):
            raise SplitExists(
                f"save the split “{split.name}” of {_said(split.dataset, split.version)}",
                "it has a split of that name, and splits are never changed",
                "Give it another name.",
            )
        _insert(db, split)
        _add(db, split.name, members)
        next_revision(db)


def _take(db: Database, split: Split, members: Sequence[tuple[str, str]]) -> str:
    whose = (split.dataset, split.version, split.name)
    here = next(rows(db, f"SELECT * FROM split WHERE {_WHOSE}", whose), None)
    whole = split if here is None else _together(_split(here), split)
    if whole is None:
        return "another split has its name here"
    there: dict[str, set[str]] = defaultdict(set)
    for uuid, part in db.conn.execute(_MEMBERS, whose):
        there[uuid].add(part)
    told: dict[str, set[str]] = defaultdict(set)
    for uuid, part in members:
        told[uuid].add(part)
    if any(uuid in there and there[uuid] != parts for uuid, parts in told.items()) or (
        here is None and not there.keys() <= told.keys()
    ):
        return "the parts of its episodes are others here"
    new = [(uuid, part) for uuid, part in dict.fromkeys(members) if uuid not in there]
    if not new and here is not None and whole == _split(here):
        return ""
    with db.atomic():
        if here is not None:
            db.conn.execute(f"DELETE FROM split WHERE {_WHOSE}", whose)
        _insert(db, whole)
        _add(db, split.name, new)
        next_revision(db)
    return ""


def _together(here: Split, told: Split) -> Split | None:
    """Combines two records of one split, each perhaps for some of its episodes. Returns None if
    they are different splits."""
    if here == told:
        return here
    if (here.rule, here.file, here.sha256) != (told.rule, told.file, told.sha256):
        return None
    masking = _one_of(here.masking, told.masking, ("output",))
    made_by = _one_of(here.made_by, told.made_by, ("labels", "parts"))
    if masking is None or made_by is None:
        return None
    return replace(here, masking=masking, made_by=made_by)


def _one_of(here: str, told: str, maps: tuple[str, ...]) -> str | None:
    """Returns a JSON object with the maps of both; None if they contradict each other."""
    if here == told or not here or not told:
        return here if here == told else None
    ours, theirs = json.loads(here), json.loads(told)
    whole = dict(ours)
    for key in maps:
        first, second = ours.pop(key, {}), theirs.pop(key, {})
        if any(first.get(one, value) != value for one, value in second.items()):
            return None
        if first or second:
            whole[key] = first | second
    return json.dumps(whole, ensure_ascii=False, sort_keys=True) if ours == theirs else None


def known_splits(db: Database) -> list[KnownSplit]:
    """Returns all splits: those with a row, and those that only have members."""
    found = {
        (row["dataset"], row["version"], row["name"]): _split(row)
        for row in rows(db, "SELECT * FROM split")
    }
    used = db.conn.execute(
        "SELECT DISTINCT dataset, version, split FROM episode "
        "JOIN episode_split ON episode = episode.id WHERE state != 'deleted'"
    ).fetchall()
    keys = sorted({*found, *map(tuple, used)})
    return [KnownSplit(found.get(key, Split(*key)), _parts(db, key)) for key in keys]


def _find(db: Database, name: str, dataset: str, version: str) -> KnownSplit:
    known = known_splits(db)
    found = [
        one
        for one in known
        if one.split.name == name
        and dataset in ("", one.split.dataset)
        and version in ("", one.split.version)
    ]
    if len(found) == 1:
        return found[0]
    doing = f"open the split “{name}”"
    if not found:
        names = ", ".join(dict.fromkeys(one.split.name for one in known)) or "none at all"
        raise SplitNotFound(
            doing, f"there is no such split; there are: {names}", "See `taptrail splits list`."
        )
    sets = ", ".join(_said(one.split.dataset, one.split.version) for one in found)
    raise SplitNotFound(
        doing,
        f"{sets} have one each",
        "Say which with --dataset NAME and --dataset-version V.",
    )


def _divided(db: Database, dataset: str, version: str) -> list[Divided]:
    keys = AppKeys(db, dataset, version)
    return [
        Divided(
            row["uuid"],
            row["name"],
            row["text"],
            row["template"],
            row["category"],
            c.read_texts(row["apps"], "apps"),
            row["manufacturer"] or "",
            row["model"] or "",
            row["product"] or "",
            row["android_release"] or "",
            row["sdk"],
            keys.of(row["id"], c.read_texts(row["named"], "apps")),
        )
        for row in rows(
            db,
            "SELECT episode.id AS id, task.apps AS named, uuid, name, text, template, category, "
            "episode.apps AS apps, manufacturer, model, product, android_release, sdk FROM episode "
            "JOIN task ON task.id = task JOIN instruction ON instruction.id = task.instruction "
            "LEFT JOIN device ON device.episode = episode.id "
            "WHERE dataset = ? AND version = ? AND state NOT IN ('deleted', 'recording') "
            "ORDER BY episode.id",
            (dataset, version),
        )
    ]


def _insert(db: Database, split: Split) -> None:
    values: Columns = {
        "dataset": split.dataset,
        "version": split.version,
        "name": split.name,
        "rule": split.rule,
        "masking": split.masking,
        "templates": split.made_by,
        "file": split.file,
        "sha256": split.sha256,
    }
    db.conn.execute(
        "INSERT INTO split (dataset, version, name, rule, masking, templates, file, sha256) "
        "VALUES (:dataset, :version, :name, :rule, :masking, :templates, :file, :sha256)",
        checked(values),
    )


def _add(db: Database, split: str, members: Iterable[tuple[str, str]]) -> None:
    db.conn.executemany(
        "INSERT INTO episode_split (episode, position, split, part) "
        "SELECT id, (SELECT coalesce(max(position) + 1, 0) "
        "FROM episode_split WHERE episode = episode.id), ?, ? FROM episode WHERE uuid = ?",
        [(split, part, uuid) for uuid, part in members],
    )


def _has_row(db: Database, whose: tuple[str, str, str]) -> bool:
    return db.conn.execute(f"SELECT 1 FROM split WHERE {_WHOSE}", whose).fetchone() is not None


def _parts(db: Database, whose: tuple[str, str, str]) -> tuple[tuple[str, int], ...]:
    return tuple(
        (part, count)
        for part, count in db.conn.execute(
            "SELECT part, count(DISTINCT episode) FROM episode_split JOIN episode "
            "ON episode.id = episode WHERE dataset = ? AND version = ? AND split = ? "
            "AND state != 'deleted' GROUP BY part ORDER BY part",
            whose,
        )
    )


def _split(row: Any) -> Split:
    return Split(
        row["dataset"],
        row["version"],
        row["name"],
        row["rule"],
        row["masking"],
        row["templates"],
        row["file"],
        row["sha256"],
    )


def _said(dataset: str, version: str) -> str:
    return f"{dataset}@{version}" if version else dataset
