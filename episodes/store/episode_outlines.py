# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Outlines of episodes, without screens: actor, task, number of steps and duration.

Attempts, reference times and budgets are computed from them. No frame, tree or region is read, so
all tasks of a library with thousands of episodes load in a few seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from episodes.actions import Ending, Finish
from episodes.annotations import Author
from episodes.clocks import Moment
from episodes.durations import EpisodeTimes, measure_times
from episodes.episodes import Actor, Attempt, EpisodeState
from episodes.store import columns as c
from episodes.store.queries import words_in_text
from episodes.store.reading import rows

if TYPE_CHECKING:
    from sqlite_utils import Database

AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class AskedTask:
    """An instruction of the library, with the number of its episodes.

    Attributes:
        apps, category: of the first of these episodes.
    """

    instruction: str
    episodes: int
    apps: tuple[str, ...]
    category: str


@dataclass(frozen=True, slots=True)
class EpisodeOutline:
    """An episode without its screens.

    Attributes:
        goal_id: the name of the task in its bench; "" for an instruction alone.
        device: what the device or the benchmark says of that task, by its newest verdict:
            "success", "partial", "failed", "unknown"; "" without one.
        steps: how many are not deleted.
        finishes: how many of them end the episode.
    """

    uuid: str
    name: str
    instruction: str
    goal_id: str
    device: str
    state: EpisodeState
    started_utc: str
    actor: Actor
    attempt: Attempt | None
    finish: Finish | None
    steps: int
    finishes: int
    times: EpisodeTimes


def asked_tasks(db: Database) -> list[AskedTask]:
    """Returns all instructions, the oldest first, without episodes in the bin."""
    found = db.conn.execute(
        """
        SELECT text, count(*), episode.apps, category, min(episode.id) FROM episode
        JOIN task ON task.id = episode.task
        JOIN instruction ON instruction.id = task.instruction
        WHERE state != 'deleted'
        GROUP BY instruction.id ORDER BY 5
        """
    )
    return [
        AskedTask(text, count, c.read_texts(apps, "apps"), category)
        for text, count, apps, category, _ in found
    ]


def instructions_with(db: Database, text: str) -> list[str]:
    """Returns the instructions that contain all words of a text. Long words use the search
    index."""
    condition, values = words_in_text(text.replace("\0", " "))
    sql = (
        "SELECT text FROM instruction WHERE id IN "
        f"(SELECT rowid FROM instruction_fts WHERE {condition})"
    )
    return [str(found) for (found,) in db.conn.execute(sql, values)]


def outlines(db: Database, instructions: Iterable[str] | None = None) -> Iterator[EpisodeOutline]:
    """Yields the episodes with exactly these instructions, or all, in the order they were added.

    Episodes in the bin are left out.
    """
    keys = _keys(db, instructions)
    authors = {
        key: Author(uuid, name, kind)
        for key, uuid, name, kind in db.conn.execute("SELECT id, uuid, name, kind FROM author")
    }
    for start in range(0, len(keys), AT_ONCE):
        yield from _batch(db, keys[start : start + AT_ONCE], authors)


def _keys(db: Database, instructions: Iterable[str] | None) -> list[int]:
    if instructions is None:
        sql = "SELECT id FROM episode WHERE state != 'deleted' ORDER BY id"
        return [key for (key,) in db.conn.execute(sql)]
    sql = (
        "SELECT episode.id FROM instruction JOIN task ON task.instruction = instruction.id "
        "JOIN episode ON episode.task = task.id WHERE text = ? AND state != 'deleted'"
    )
    return sorted(key for text in set(instructions) for (key,) in db.conn.execute(sql, [text]))


def _batch(
    db: Database, keys: Sequence[int], authors: dict[int, Author]
) -> Iterator[EpisodeOutline]:
    among = f"IN ({', '.join('?' * len(keys))})"
    steps: dict[int, list[tuple[Moment, Moment]]] = defaultdict(list)
    finishes: dict[int, int] = defaultdict(int)
    for key, kind, *moments in db.conn.execute(
        "SELECT episode, kind, began_device_us, began_host_ns, ended_device_us, ended_host_ns "
        f"FROM step WHERE deleted = 0 AND episode {among}",
        keys,
    ):
        steps[key].append((Moment(*moments[:2]), Moment(*moments[2:])))
        finishes[key] += kind == "finish"
    videos: dict[int, list[Moment | None]] = defaultdict(list)
    for key, *moment in db.conn.execute(
        f"SELECT episode, started_device_us, started_host_ns FROM segment WHERE episode {among}",
        keys,
    ):
        videos[key].append(Moment(*moment))
    gaps: dict[int, list[tuple[str, Moment | None, Moment | None]]] = defaultdict(list)
    for key, reason, ended, *moments in db.conn.execute(
        "SELECT episode, reason, has_ended, started_device_us, started_host_ns, ended_device_us, "
        f"ended_host_ns FROM gap WHERE episode {among}",
        keys,
    ):
        end = Moment(*moments[2:]) if ended else None
        gaps[key].append((reason, Moment(*moments[:2]), end))
    for row in rows(
        db,
        f"""
        SELECT episode.*, text, actor.kind AS actor_kind, actor.author AS actor_author, agent,
            attempt.number AS attempt_number, outcome, left_out, taken_in, task.goal_id,
            (SELECT verdict FROM task_verdict WHERE task_verdict.episode = episode.id
                AND task_verdict.task = task.goal_id ORDER BY task_verdict.id DESC LIMIT 1
            ) AS device
        FROM episode
        JOIN task ON task.id = episode.task
        JOIN instruction ON instruction.id = task.instruction
        JOIN actor ON actor.id = episode.actor
        LEFT JOIN attempt ON attempt.episode = episode.id
        WHERE episode.id {among} ORDER BY episode.id
        """,
        keys,
    ):
        key = row["id"]
        yield EpisodeOutline(
            uuid=row["uuid"],
            name=row["name"],
            instruction=row["text"],
            goal_id=row["goal_id"],
            device=row["device"] or "",
            state=c.read_member(EpisodeState, row, "state"),
            started_utc=row["started_utc"],
            actor=Actor(row["actor_kind"], authors.get(row["actor_author"]), row["agent"]),
            attempt=None
            if row["attempt_number"] is None
            else Attempt(row["attempt_number"], row["outcome"], row["left_out"], row["taken_in"]),
            finish=None
            if row["finish_ending"] is None
            else Finish(c.read_member(Ending, row, "finish_ending"), row["finish_reason"]),
            steps=len(steps[key]),
            finishes=finishes[key],
            times=measure_times(steps[key], videos[key], gaps[key]),
        )
