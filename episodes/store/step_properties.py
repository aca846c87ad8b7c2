# ruff: noqa: S608 - only names of our own tables and columns are put in; values are bound
"""Reads the properties that steps are grouped by, without reading whole episodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from episodes.actions import KINDS
from episodes.annotations import Status
from episodes.store import columns as c
from episodes.store import runs
from episodes.store.errors import Damaged, convert_errors
from episodes.store.library import Library


class StepProperties(NamedTuple):
    """Properties of a step.

    Attributes:
        golds: kinds of its right actions: of the accepted correction or else the recorded action,
            then of every accepted gold.
        predicted: kind of the run's action; "" if its answer is unreadable, None without an answer.
        app: label or package of the app in front; None if unknown.
    """

    number: int
    golds: tuple[str, ...]
    predicted: str | None
    app: str | None
    private: bool


@dataclass(frozen=True, slots=True)
class EpisodeProperties:
    """Properties of an episode; `steps` are in order, `splits` like "random/test"."""

    dataset: str
    version: str
    private: bool
    apps: tuple[str, ...]
    device: str
    splits: list[str] = field(default_factory=list)
    steps: list[StepProperties] = field(default_factory=list)


_EPISODES = """
    SELECT episode.id, uuid, dataset, episode.version, episode.private, task.apps,
        device.manufacturer, device.model, device.product
    FROM episode JOIN task ON task.id = episode.task
    LEFT JOIN device ON device.episode = episode.id
    WHERE uuid IN ({marks})
"""
_STEPS = """
    SELECT step.id, step.episode, step.number, json_extract(step.action, '$.kind'),
        said.id IS NOT NULL, json_extract(said.action, '$.kind'), step.package, step.app_label,
        step.private
    FROM step
    JOIN episode ON episode.id = step.episode
    LEFT JOIN prediction AS said
        ON said.run = ? AND said.episode = episode.name AND said.step = step.number
    WHERE step.episode IN ({marks}) AND step.deleted = 0
    ORDER BY step.episode, step.number, step.id
"""
_GOLDS = """
    SELECT step, role, json_extract(action, '$.kind') FROM gold
    WHERE status = ? AND withdrawn = 0
        AND step IN (SELECT id FROM step WHERE episode IN ({marks})) ORDER BY number
"""


def step_properties(
    library: Library, run: str, uuids: Sequence[str]
) -> dict[str, EpisodeProperties]:
    """Returns the properties of some episodes, by uuid, with the kinds of a run's actions.

    Raises:
        RunNotFound: there is no such run.
        Damaged: an action is not of a known kind.
    """
    with convert_errors(f"read the run “{run}”"):
        db = library._db
        key = runs.run_key(db, run)
        marks = ", ".join("?" * len(uuids))
        found: dict[str, EpisodeProperties] = {}
        by_key: dict[int, EpisodeProperties] = {}
        for (
            episode,
            uuid,
            dataset,
            version,
            private,
            apps,
            maker,
            model,
            product,
        ) in db.conn.execute(_EPISODES.format(marks=marks), uuids):
            device = " ".join(filter(None, (maker, model))) or product or ""
            found[uuid] = by_key[episode] = EpisodeProperties(
                dataset, version, bool(private), c.read_texts(apps, "apps"), device
            )
        keys = list(by_key)
        for episode, split, part in db.conn.execute(
            f"SELECT episode, split, part FROM episode_split WHERE episode IN ({marks}) "
            "ORDER BY position",
            keys,
        ):
            by_key[episode].splits.append(f"{split}/{part}")
        golds: dict[int, list[tuple[str, str]]] = defaultdict(list)
        sql = _GOLDS.format(marks=marks)
        for step, role, kind in db.conn.execute(sql, (Status.ACCEPTED.value, *keys)):
            golds[step].append((role, kind))
        kinds: set[str | None] = set()
        for step, episode, number, kind, is_said, said, package, label, private in db.conn.execute(
            _STEPS.format(marks=marks), (key, *keys)
        ):
            by_key[episode].steps.append(
                StepProperties(
                    number,
                    _kinds(kind, golds[step]) if step in golds else (kind,),
                    (said or "") if is_said else None,
                    None if package is None else label or package,
                    bool(private),
                )
            )
            kinds |= {kind, said}
        _check(kinds - {None})
        return found


def _kinds(recorded: str, accepted: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    _check(kind for _, kind in accepted)
    first = next((kind for role, kind in accepted if role == "correction"), recorded)
    return (first, *(kind for _, kind in accepted))


def _check(kinds: Iterable[str | None]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            raise Damaged(f"action: there is no action “{str(kind)[:40]}”")
