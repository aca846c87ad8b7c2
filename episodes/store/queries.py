# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Lists, finds and counts episodes."""

from __future__ import annotations

import hashlib
import json
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from episodes.annotations import Author, Decision
from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.runs import StepSet
from episodes.screens import Still
from episodes.store import columns as c
from episodes.store import filters
from episodes.store.filters import UNJUDGED, Chosen, FilterKind
from episodes.store.finding_counts import TOLD
from episodes.store.reading import read_still, rows

if TYPE_CHECKING:
    from sqlite_utils import Database


class EpisodeNotFound(KnownError):
    """The library has no such episode."""


class AmbiguousName(KnownError):
    """Several data sets have an episode of that name."""


UNDECIDED: Literal["undecided"] = "undecided"
ANY, NONE = "any", "none"
"""Of findings: at least one is open, or none is in an episode that was looked at."""


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """Selects episodes. Empty text and None do not restrict the selection.

    Attributes:
        text: words that are all in the instruction, or the beginning of a name or uuid.
        dataset, version, app, category: exactly so.
        state: None for all that are not in the bin.
        split: (split, part); part "" for any part.
        run: name of a run that has predictions for the episode, joined to a step or not.
        verdict: (run, protocol as "name@version", outcome): a step of the episode has that stored
            verdict. Only stored verdicts are searched.
        review: the decision on the episode; UNDECIDED if there is none.
        finding: name of a rule that has an open finding in the episode, ANY or NONE. Notes do not
            count. Only stored findings are searched.
        judged: the attempt's outcome as judged by a person; UNJUDGED if it is not judged.
        chosen: several values of a kind, see `filters`; a chosen state replaces `state`.
    """

    text: str = ""
    dataset: str = ""
    version: str = ""
    app: str = ""
    category: str = ""
    state: EpisodeState | None = None
    split: tuple[str, str] | None = None
    run: str = ""
    verdict: tuple[str, str, str] | None = None
    review: Decision | Literal["undecided", ""] = ""
    finding: str = ""
    judged: str = ""
    chosen: Chosen = ()


class Order(StrEnum):
    """Sort key of a list of episodes; equal ones are sorted by when they were added."""

    ADDED = "added"
    STARTED = "started"
    NAME = "name"
    INSTRUCTION = "instruction"
    STEPS = "steps"
    DURATION = "duration"
    STATE = "state"
    FINDINGS = "findings"


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """One line of a list of episodes.

    Attributes:
        apps: those the task names; else those that were in front, in order.
        duration_us: as computed by `episodes.durations`; None if no times are stored.
        actor: name of the person, or of the agent.
        target_count: steps with a chosen region.
        first_still: picture of the first step that has one.
        review: the decision on it; None if there is none.
        errors, looks, notes: open findings of each severity; None if the episode was not linted
            since it changed.
    """

    uuid: str
    name: str
    dataset: str
    version: str
    instruction: str
    category: str
    apps: tuple[str, ...]
    step_count: int
    declared_steps: int | None
    target_count: int
    duration_us: int | None
    state: EpisodeState
    started_utc: str
    actor: str
    private: bool
    first_still: Still | None
    review: Decision | None = None
    errors: int | None = None
    looks: int | None = None
    notes: int | None = None

    @property
    def findings(self) -> int | None:
        """Number of open findings without notes."""
        return None if self.errors is None else self.errors + (self.looks or 0)


@dataclass(frozen=True, slots=True)
class Facets:
    """How many episodes of each kind, largest first; those in the bin only under `states`.

    Attributes:
        reviews: of each decision; undecided ones are not counted.
        findings: of each rule that has an open finding, notes left out.
        judged: of each outcome a person has judged.
    """

    datasets: tuple[tuple[str, int], ...]
    apps: tuple[tuple[str, int], ...]
    categories: tuple[tuple[str, int], ...]
    states: tuple[tuple[EpisodeState, int], ...]
    splits: tuple[tuple[tuple[str, str], int], ...]
    reviews: tuple[tuple[Decision, int], ...] = ()
    findings: tuple[tuple[str, int], ...] = ()
    judged: tuple[tuple[str, int], ...] = ()


_ORDERS = {
    Order.ADDED: "episode.id",
    Order.STARTED: "started_utc",
    Order.NAME: "name",
    Order.INSTRUCTION: "text COLLATE NOCASE",
    Order.STEPS: "step_count",
    Order.DURATION: "duration_us",
    Order.STATE: "state",
    Order.FINDINGS: "coalesce(finding_count, -1)",
}
_COUNTED = (
    "(SELECT error_count + look_count FROM episode_lint WHERE episode_lint.episode = episode.id)"
    " AS finding_count, "
)


def list_episodes(
    db: Database, query: EpisodeQuery, order: Order, descending: bool, limit: int, offset: int
) -> list[EpisodeSummary]:
    """Returns one page of the list; `limit` -1 for all."""
    where, values = _where(query)
    way = "DESC" if descending else "ASC"
    counted = _COUNTED if order is Order.FINDINGS else ""
    found = rows(
        db,
        f"""
        SELECT uuid, name, dataset, version, text, category, episode.apps AS apps, step_count,
            declared_steps, target_count, duration_us, state, started_utc, agent,
            (SELECT author.name FROM author WHERE author.id = actor.author) AS person, private,
            sha256, media_type, still.width, still.height, byte_count, signature, still_source,
            still_lossless, episode_review.decision AS decision, error_count, look_count, note_count
        FROM (
            SELECT episode.*, {counted}text, category FROM episode
            JOIN task ON task.id = episode.task
            JOIN instruction ON instruction.id = task.instruction
            WHERE {where}
            ORDER BY {_ORDERS[order]} {way}, episode.id {way} LIMIT ? OFFSET ?
        ) AS episode
        JOIN actor ON actor.id = episode.actor
        LEFT JOIN frame ON frame.id = episode.first_frame
        LEFT JOIN still ON still.id = frame.still
        LEFT JOIN episode_review ON episode_review.episode = episode.id
        LEFT JOIN episode_lint ON episode_lint.episode = episode.id
        ORDER BY {_ORDERS[order]} {way}, episode.id {way}
        """,
        [*values, limit, offset],
    )
    return [c.read_row(_summary, row, "episode") for row in found]


def _summary(row: Any) -> EpisodeSummary:
    return EpisodeSummary(
        uuid=row["uuid"],
        name=row["name"],
        dataset=row["dataset"],
        version=row["version"],
        instruction=row["text"],
        category=row["category"],
        apps=c.read_texts(row["apps"], "apps"),
        step_count=row["step_count"],
        declared_steps=row["declared_steps"],
        target_count=row["target_count"],
        duration_us=row["duration_us"],
        state=c.read_member(EpisodeState, row, "state"),
        started_utc=row["started_utc"],
        actor=row["person"] or row["agent"],
        private=bool(row["private"]),
        first_still=None if row["sha256"] is None else read_still(row),
        review=None if row["decision"] is None else c.read_member(Decision, row, "decision"),
        errors=row["error_count"],
        looks=row["look_count"],
        notes=row["note_count"],
    )


def count_episodes(db: Database, query: EpisodeQuery) -> int:
    """Returns how many episodes a query finds."""
    where, values = _where(query)
    (count,) = db.conn.execute(
        f"SELECT count(*) FROM episode JOIN task ON task.id = task WHERE {where}",
        values,
    ).fetchone()
    return int(count)


def rows_of(
    db: Database, query: EpisodeQuery, order: Order, descending: bool, uuids: Sequence[str]
) -> dict[str, int]:
    """Returns the row of each episode in the list, from 0. Episodes not in the list are left
    out."""
    where, values = _where(query)
    way = "DESC" if descending else "ASC"
    counted = _COUNTED if order is Order.FINDINGS else ""
    found = db.conn.execute(
        f"""
        SELECT uuid, place - 1 FROM (
            SELECT uuid, row_number() OVER (ORDER BY {_ORDERS[order]} {way}, id {way}) AS place
            FROM (
                SELECT episode.*, {counted}text FROM episode
                JOIN task ON task.id = episode.task
                JOIN instruction ON instruction.id = task.instruction
                WHERE {where}
            ) AS episode
        ) WHERE uuid IN (SELECT value FROM json_each(?))
        """,
        [*values, json.dumps(list(uuids))],
    )
    return dict(found.fetchall())


def filter_counts(
    db: Database, query: EpisodeQuery
) -> dict[FilterKind, tuple[tuple[str, int], ...]]:
    """Returns for each kind the values left by the filters of the other kinds, with their
    counts."""
    counts = {}
    for kind in FilterKind:
        others = tuple(one for one in query.chosen if one[0] is not kind)
        # Among the states the bin is offered too.
        where, values = _where(replace(query, chosen=others), with_bin=kind is FilterKind.STATE)
        counts[kind] = filters.count_values(db, kind, where, values)
    return counts


def keys(db: Database, query: EpisodeQuery) -> list[int]:
    """Returns the keys of a query's episodes, in the order they were added."""
    where, values = _where(query)
    sql = f"SELECT episode.id FROM episode JOIN task ON task.id = task WHERE {where} ORDER BY 1"
    return [key for (key,) in db.conn.execute(sql, values)]


_counted: weakref.WeakKeyDictionary[Database, tuple[tuple[int, int], Facets]] = (
    weakref.WeakKeyDictionary()
)


def facets(db: Database) -> Facets:
    """Returns the counts of the list of filters; recounted only after a change."""
    (others,) = db.conn.execute("PRAGMA data_version").fetchone()
    state = (int(others), db.conn.total_changes)
    kept = _counted.get(db)
    if kept is None or kept[0] != state:
        kept = state, _facets(db)
        _counted[db] = kept
    return kept[1]


_ALL_APPS = "SELECT app, count(*) FROM episode_app GROUP BY app"
_ALL_CATEGORIES = (
    "SELECT category, sum(n) FROM (SELECT task, count(*) AS n FROM episode GROUP BY task) "
    "JOIN task ON task.id = task GROUP BY category"
)
_ALL_SPLITS = (
    "SELECT split, part, count(*) FROM (SELECT DISTINCT split, part, episode FROM episode_split) "
    "GROUP BY split, part"
)
_ALL_REVIEWS = (
    "SELECT decision, count(*) FROM episode_review JOIN episode ON episode.id = "
    "episode_review.episode WHERE state != 'deleted' GROUP BY 1"
)
_ALL_FINDINGS = (
    f"SELECT rule, count(DISTINCT episode) FROM episode_finding WHERE {TOLD} GROUP BY rule"
)
_BINNED_FINDINGS = (
    "SELECT rule, count(DISTINCT episode) FROM episode_finding "
    f"JOIN episode ON episode.id = episode_finding.episode WHERE {TOLD} AND state = 'deleted' "
    "GROUP BY rule"
)
_ALL_JUDGED = (
    "SELECT outcome, count(*) FROM attempt JOIN episode ON episode.id = attempt.episode "
    "WHERE outcome != '' AND state != 'deleted' GROUP BY 1"
)
_BINNED = "FROM episode JOIN {} WHERE state = 'deleted' GROUP BY 1"


def _facets(db: Database) -> Facets:
    """Counts all episodes by index, and subtracts the few in the bin."""

    def counts(sql: str) -> Counter[Any]:
        found: Counter[Any] = Counter()
        for *key, count in db.conn.execute(sql):
            found[key[0] if len(key) == 1 else tuple(key)] = count
        return found

    def largest(found: Counter[Any]) -> tuple[tuple[Any, int], ...]:
        return tuple(sorted((+found).items(), key=lambda one: (-one[1], one[0])))

    states = counts("SELECT state, count(*) FROM episode GROUP BY state")
    apps, categories, splits = map(counts, (_ALL_APPS, _ALL_CATEGORIES, _ALL_SPLITS))
    datasets = counts("SELECT dataset, count(*) FROM episode GROUP BY dataset")
    findings = counts(_ALL_FINDINGS)
    if states[EpisodeState.DELETED.value]:
        apps -= counts(
            "SELECT app, count(*) " + _BINNED.format("episode_app ON episode_app.episode = id")
        )
        categories -= counts(
            "SELECT category, count(*) " + _BINNED.format("task ON task.id = task")
        )
        splits -= counts(
            "SELECT split, part, count(DISTINCT episode) "
            + _BINNED.format("episode_split ON episode_split.episode = episode.id")
            + ", 2"
        )
        findings -= counts(_BINNED_FINDINGS)
        datasets -= counts(
            "SELECT dataset, count(*) FROM episode WHERE state = 'deleted' GROUP BY 1"
        )
    del categories[""]

    def members(
        kind: type[c.Member], found: Counter[Any], column: str
    ) -> tuple[tuple[c.Member, int], ...]:
        return tuple(
            (c.read_member(kind, {column: value}, column), count) for value, count in largest(found)
        )

    return Facets(
        datasets=largest(datasets),
        apps=largest(apps),
        categories=largest(categories),
        states=members(EpisodeState, states, "state"),
        splits=tuple(sorted((+splits).items())),
        reviews=members(Decision, counts(_ALL_REVIEWS), "decision"),
        findings=largest(findings),
        judged=largest(counts(_ALL_JUDGED)),
    )


def find_episode(db: Database, name_or_uuid: str, dataset: str | None, version: str | None) -> int:
    """Returns the key of one episode, also of one in the bin.

    Raises:
        EpisodeNotFound: there is none.
        AmbiguousName: there are several.
    """
    doing = f"open the episode “{name_or_uuid}”"
    found = db.conn.execute(
        """
        SELECT id, dataset, version FROM episode WHERE uuid = :name
        UNION
        SELECT id, dataset, version FROM episode
        WHERE name = :name AND dataset = coalesce(:dataset, dataset)
            AND version = coalesce(:version, version)
        ORDER BY 2, 3
        """,
        {"name": name_or_uuid, "dataset": dataset, "version": version},
    ).fetchall()
    if not found:
        of = f" of the data set “{dataset}”" if dataset else ""
        raise EpisodeNotFound(doing, f"the library has no episode{of} of that name", _LIST)
    if len(found) > 1:
        sets = ", ".join(f"{name} {version}".strip() for _, name, version in found)
        raise AmbiguousName(doing, f"there is one in each of {sets}", "Say which data set.")
    return int(found[0][0])


_LIST = "`taptrail episodes list` shows their names."


def key_of(db: Database, uuid: str) -> int:
    """Returns the key of the episode with this uuid.

    Raises:
        EpisodeNotFound: there is none.
    """
    found = db.conn.execute("SELECT id FROM episode WHERE uuid = ?", (uuid,)).fetchone()
    if found is None:
        raise EpisodeNotFound(f"open the episode {uuid}", "the library does not have it", _LIST)
    return int(found[0])


def authors(db: Database) -> list[Author]:
    """Returns all authors, in the order they were added."""
    found = db.conn.execute("SELECT uuid, name, kind FROM author ORDER BY id")
    return [Author(uuid, name, kind) for uuid, name, kind in found]


def library_uuid(db: Database) -> str:
    """Returns the library's own uuid."""
    return str(db.conn.execute("SELECT uuid FROM library WHERE id = 1").fetchone()[0])


def revision(db: Database, uuid: str | None) -> int:
    """Returns the number of the last change of an episode, or of the library."""
    if uuid is None:
        sql, value = "SELECT revision FROM library WHERE id = ?", 1
    else:
        sql, value = "SELECT revision FROM episode WHERE id = ?", key_of(db, uuid)
    return int(db.conn.execute(sql, (value,)).fetchone()[0])


def step_lines(db: Database, query: EpisodeQuery) -> Iterator[str]:
    """Yields "dataset/version/episode/step" for each step of a query's episodes."""
    where, values = _where(query)
    yield from (
        f"{dataset}/{version}/{name}/{number}"
        for dataset, version, name, number in db.conn.execute(
            "SELECT dataset, version, name, number FROM episode JOIN task ON task.id = task "
            f"JOIN step ON step.episode = episode.id WHERE deleted = 0 AND {where}",
            values,
        )
    )


def step_set(db: Database, query: EpisodeQuery, name: str) -> StepSet:
    """Returns the steps of a query's episodes as a set with a hash."""
    lines = sorted(step_lines(db, query))
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode("utf-8"))
    return StepSet(name, len(lines), digest.hexdigest())


def _where(query: EpisodeQuery, *, with_bin: bool = False) -> tuple[str, Sequence[Any]]:
    """Returns the condition and its values, for `episode` joined with `task`.

    The plus before `episode.id` keeps SQLite from going through a whole list of ids for each task.
    """
    terms: list[str] = []
    values: list[Any] = []

    def need(term: str, *given: Any) -> None:
        terms.append(term)
        values.extend(given)

    chosen, given = filters.conditions(query.chosen)
    terms += chosen
    values += given
    if query.state is not None:
        need("state = ?", query.state.value)
    elif not with_bin and FilterKind.STATE not in dict(query.chosen):
        need("state != 'deleted'")
    for column in ("dataset", "version", "category"):
        if wanted := getattr(query, column):
            need(f"{column} = ?", wanted)
    if query.review == UNDECIDED:
        need("episode.id NOT IN (SELECT episode FROM episode_review)")
    elif query.review:
        need(
            "episode.id IN (SELECT episode FROM episode_review WHERE decision = ?)",
            Decision(query.review).value,
        )
    if query.finding == ANY:
        need("episode.id IN (SELECT episode FROM episode_lint WHERE error_count + look_count > 0)")
    elif query.finding == NONE:
        need("episode.id IN (SELECT episode FROM episode_lint WHERE error_count + look_count = 0)")
    elif query.finding:
        need(
            f"+episode.id IN (SELECT episode FROM episode_finding WHERE rule = ? AND {TOLD})",
            query.finding,
        )
    if query.judged == UNJUDGED:
        need("episode.id NOT IN (SELECT episode FROM attempt WHERE outcome != '')")
    elif query.judged:
        need("+episode.id IN (SELECT episode FROM attempt WHERE outcome = ?)", query.judged)
    if query.app:
        need("+episode.id IN (SELECT episode FROM episode_app WHERE app = ?)", query.app)
    if query.split is not None:
        split, part = query.split
        need(
            "+episode.id IN (SELECT episode FROM episode_split WHERE split = ? AND part = "
            "coalesce(nullif(?, ''), part))",
            split,
            part,
        )
    if query.run:
        need(
            "EXISTS (SELECT 1 FROM run WHERE run.name = ? "
            "AND run.dataset IN ('', episode.dataset) "
            "AND run.dataset_version IN ('', episode.version) "
            "AND (EXISTS (SELECT 1 FROM prediction "
            "WHERE prediction.run = run.id AND prediction.episode = episode.name) "
            "OR EXISTS (SELECT 1 FROM orphan WHERE orphan.run = run.id "
            "AND orphan.episode = episode.name AND orphan.why != 'no_episode')))",
            query.run,
        )
    if query.verdict is not None:
        run, protocol, outcome = query.verdict
        name, _, version = protocol.partition("@")
        need(
            "+episode.name IN (SELECT verdict.episode FROM run JOIN score ON score.run = run.id "
            "JOIN verdict ON verdict.score = score.id WHERE run.name = ? AND score.protocol = ? "
            "AND score.version = ? AND outcome = ?) "
            "AND EXISTS (SELECT 1 FROM run WHERE run.name = ? "
            "AND run.dataset IN ('', episode.dataset) "
            "AND run.dataset_version IN ('', episode.version))",
            *(run, name, version, outcome, run),
        )
    if text := query.text.replace("\0", " ").strip():
        found, given = words_in_text(text)
        need(
            "(+task.instruction IN (SELECT rowid FROM instruction_fts WHERE "
            f"{found}) OR name LIKE ? ESCAPE '\\' OR uuid LIKE ? ESCAPE '\\')",
            *given,
            _escaped(text) + "%",
            _escaped(text) + "%",
        )
    return " AND ".join(terms) or "1", values


def words_in_text(text: str) -> tuple[str, list[str]]:
    """Returns the condition that `instruction_fts` contains all words. Long words use the index.

    The index holds trigrams, so shorter words need a scan of all texts.
    """
    words = text.split()
    long = [word for word in words if len(word) >= 3]
    terms = ["text LIKE ? ESCAPE '\\'" for word in words if len(word) < 3]
    values = [f"%{_escaped(word)}%" for word in words if len(word) < 3]
    if long:
        terms.append("instruction_fts MATCH ?")
        values.append(" ".join('"' + word.replace('"', '""') + '"' for word in long))
    return " AND ".join(terms) or "1", values


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
