# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Review records of steps and episodes: operations of the journal, and queries.

They are accepted findings, decisions on whole episodes, objections to steps and verdicts, and
targets chosen blind in a round. Rows name a step by its origin, so that they follow it when its
number changes. They name their author by uuid and name, so that another library's journal can be
replayed here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from episodes.annotations import (
    AcceptedFinding,
    Author,
    BlindChoice,
    Decision,
    EpisodeReview,
    Objection,
    RegionSource,
    StepJudgement,
)
from episodes.geometry import Box
from episodes.store import columns as c
from episodes.store.errors import NotStorable
from episodes.store.journal_values import Operation, State, Target, a_text
from episodes.store.reading import rows as query
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

_EDGES = ("left", "top", "right", "bottom")


def accepted_findings(db: Database, episode: int) -> tuple[AcceptedFinding, ...]:
    """Returns the accepted findings of an episode, without those of deleted steps."""
    found = query(
        db,
        "SELECT step.number AS step, accepted_finding.* FROM accepted_finding "
        "LEFT JOIN step ON step.episode = accepted_finding.episode "
        "AND step.origin = accepted_finding.origin AND step.deleted = 0 "
        "WHERE accepted_finding.episode = ? AND (step.id IS NOT NULL OR "
        "accepted_finding.origin = '') ORDER BY step.number, rule",
        (episode,),
    )
    return tuple(
        AcceptedFinding(row["step"], row["rule"], row["reason"], _author(row)) for row in found
    )


def episode_review(db: Database, episode: int) -> EpisodeReview | None:
    """Returns the current decision on an episode; None if there is none."""
    found = next(query(db, "SELECT * FROM episode_review WHERE episode = ?", (episode,)), None)
    if found is None:
        return None
    return EpisodeReview(
        c.read_member(Decision, found, "decision"), found["reason"], _author(found)
    )


def step_judgements(db: Database, episode: int | None) -> tuple[tuple[str, StepJudgement], ...]:
    """Returns (uuid of the episode, objection) of an episode or of all, without deleted steps."""
    where, values = ("", ()) if episode is None else ("AND episode.id = ?", (episode,))
    found = query(
        db,
        "SELECT episode.uuid AS uuid, step.number AS step, step_judgement.* FROM step_judgement "
        "JOIN episode ON episode.id = step_judgement.episode "
        "JOIN step ON step.episode = step_judgement.episode "
        "AND step.origin = step_judgement.origin AND step.deleted = 0 "
        f"WHERE episode.state != 'deleted' {where} "
        "ORDER BY episode.id, step.number, objection, run, protocol, author_uuid",
        values,
    )
    return tuple(
        (
            row["uuid"],
            StepJudgement(
                row["step"],
                c.read_member(Objection, row, "objection"),
                row["run"],
                row["protocol"],
                row["reason"],
                _author(row),
            ),
        )
        for row in found
    )


def blind_choices(db: Database, episode: int, round_name: str | None) -> tuple[BlindChoice, ...]:
    """Returns all blind choices in an episode, of one round or of all rounds."""
    where = "" if round_name is None else "AND round = ?"
    values = (episode,) if round_name is None else (episode, round_name)
    found = query(
        db,
        "SELECT step.number AS step, blind_choice.* FROM blind_choice "
        "JOIN step ON step.episode = blind_choice.episode "
        "AND step.origin = blind_choice.origin AND step.deleted = 0 "
        f"WHERE blind_choice.episode = ? {where} ORDER BY round, step.number, author_uuid",
        values,
    )
    return tuple(
        BlindChoice(
            row["round"],
            row["step"],
            _author(row),
            c.read_box(row),
            c.read_member(RegionSource, row, "source"),
            row["label"],
            row["seconds"],
        )
        for row in found
    )


def rounds(db: Database) -> tuple[tuple[str, int, int], ...]:
    """Returns (round, choices, authors) of each blind round."""
    return tuple(
        tuple(row)
        for row in db.conn.execute(
            "SELECT round, count(*), count(DISTINCT author_uuid) FROM blind_choice "
            "GROUP BY 1 ORDER BY 1"
        )
    )


def of_author(author: Author) -> State:
    """Returns the fields that name an author in a state."""
    return {"author_uuid": author.uuid, "author_name": author.name}


def _author(row: Any) -> Author:
    return Author(row["author_uuid"], row["author_name"])


def _origin(db: Database, target: Target) -> str:
    if target.step is None:
        return ""
    return str(
        db.conn.execute("SELECT origin FROM step WHERE id = ?", (target.step,)).fetchone()[0]
    )


def _state(row: Any | None, names: tuple[str, ...]) -> State | None:
    return None if row is None else {name: row[name] for name in names}


def _inner(state: State, name: str) -> State | None:
    found = state.get(name)
    if found is not None and not isinstance(found, dict):
        raise NotStorable(f"{name} is no state")
    return found


_FINDING = ("reason", "author_uuid", "author_name")


def _finding(db: Database, target: Target, after: State) -> State:
    row = next(
        query(
            db,
            "SELECT * FROM accepted_finding WHERE episode = ? AND origin = ? AND rule = ?",
            (target.episode, _origin(db, target), a_text(after, "rule")),
        ),
        None,
    )
    return {"rule": after["rule"], "accepted": _state(row, _FINDING)}


def _set_finding(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    key = {
        "episode": target.episode,
        "origin": _origin(db, target),
        "rule": a_text(state, "rule"),
    }
    accepted = _inner(state, "accepted")
    values = None if accepted is None else {name: a_text(accepted, name) for name in _FINDING}
    _put(db, "accepted_finding", key, values)


_REVIEW = ("decision", "reason", "author_uuid", "author_name")


def _review(db: Database, target: Target, after: State) -> State:
    found = query(db, "SELECT * FROM episode_review WHERE episode = ?", (target.episode,))
    return {"review": _state(next(found, None), _REVIEW)}


def _set_review(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    review = _inner(state, "review")
    values = None if review is None else {name: a_text(review, name) for name in _REVIEW}
    if values is not None and values["decision"] not in tuple(Decision):
        raise NotStorable(f"“{values['decision'][:40]}” is no decision on an episode")
    _put(db, "episode_review", {"episode": target.episode}, values)


_JUDGEMENT = ("author_name", "reason")
_JUDGED = ("objection", "run", "protocol", "author_uuid")


def _judgement_key(db: Database, target: Target, state: State) -> State:
    return {"episode": target.episode, "origin": _origin(db, target)} | {
        name: a_text(state, name) for name in _JUDGED
    }


def _judgement(db: Database, target: Target, after: State) -> State:
    key = _judgement_key(db, target, after)
    where = " AND ".join(f"{name} = ?" for name in key)
    row = next(query(db, f"SELECT * FROM step_judgement WHERE {where}", tuple(key.values())), None)
    return {name: key[name] for name in _JUDGED} | {"judgement": _state(row, _JUDGEMENT)}


def _set_judgement(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    key = _judgement_key(db, target, state)
    if key["objection"] not in tuple(Objection):
        raise NotStorable(f"“{key['objection'][:40]}” is no objection to a step")
    if (key["objection"] == Objection.VERDICT) != bool(key["run"] and key["protocol"]):
        raise NotStorable("an objection to a verdict names run and protocol, one to the gold none")
    judgement = _inner(state, "judgement")
    values = None if judgement is None else {name: a_text(judgement, name) for name in _JUDGEMENT}
    _put(db, "step_judgement", key, values)


_CHOICE = ("author_name", *_EDGES, "source", "label", "seconds")


def _blind_key(db: Database, target: Target, state: State) -> State:
    return {
        "episode": target.episode,
        "origin": _origin(db, target),
        "round": a_text(state, "round"),
        "author_uuid": a_text(state, "author_uuid"),
    }


def _blind(db: Database, target: Target, after: State) -> State:
    key = _blind_key(db, target, after)
    where = " AND ".join(f"{name} = ?" for name in key)
    row = next(query(db, f"SELECT * FROM blind_choice WHERE {where}", tuple(key.values())), None)
    named = {"round": key["round"], "author_uuid": key["author_uuid"]}
    return named | {"choice": _state(row, _CHOICE)}


def _set_blind(db: Database, rows: LibraryRows, target: Target, state: State) -> None:
    key = _blind_key(db, target, state)
    choice = _inner(state, "choice")
    if choice is None:
        _put(db, "blind_choice", key, None)
        return
    values: State = {name: a_text(choice, name) for name in ("author_name", "source", "label")}
    if values["source"] not in tuple(RegionSource):
        raise NotStorable(f"“{values['source'][:40]}” is no source of a region")
    for name in (*_EDGES, "seconds"):
        number = choice.get(name)
        sound = type(number) in (int, float) and math.isfinite(number)  # type: ignore[arg-type]
        if number is not None and not sound:
            raise NotStorable(f"{name} of a choice is no number")
        values[name] = number
    if len({values[edge] is None for edge in _EDGES}) > 1:
        raise NotStorable("a choice has a part of a box")
    _put(db, "blind_choice", key, values)


def _put(db: Database, table: str, key: State, values: State | None) -> None:
    where = " AND ".join(f"{name} = ?" for name in key)
    db.conn.execute(f"DELETE FROM {table} WHERE {where}", tuple(key.values()))
    if values is None:
        return
    row = c.checked(key | values)
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    db.conn.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def box_state(box: Box | None) -> State:
    """Returns the box's edges as stored in the state of a blind choice."""
    if box is None:
        return dict.fromkeys(_EDGES)
    return dict(zip(_EDGES, (box.left, box.top, box.right, box.bottom), strict=True))


REVIEW_OPERATIONS: dict[str, Operation] = {
    "finding.accept": Operation(_finding, _set_finding),
    "finding.accept_of_episode": Operation(_finding, _set_finding, of_step=False),
    "episode.review": Operation(_review, _set_review, of_step=False),
    "step.judge": Operation(_judgement, _set_judgement),
    "blind.choose": Operation(_blind, _set_blind),
}
