"""Compares several runs under one protocol, or one run under several protocols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.store.step_columns import step_columns
from episodes.store.step_properties import step_properties
from replay.comparison import Comparison, compare
from replay.judging import Member, Side
from replay.score_columns import JudgedRows, fits, judge_rows_by_episode
from replay.sides import LETTERS, JudgedSide, judge_sides, judge_sides_from_columns
from scoring.at_budget import BudgetOf, at_budget
from scoring.bulk.table import BULK
from scoring.protocol import ScoringProtocol
from scoring.protocols import lookup
from taptrail.usecases.attempts import reference, same_task
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.step_sets import difference, query_of

PEOPLE = "people"
Budget: TypeAlias = int | str | None


@dataclass(frozen=True, slots=True)
class LibraryComparison:
    """A comparison with the uuid and gold revision of its library."""

    comparison: Comparison
    library_uuid: str
    gold_revision: int


def compare_runs(
    library_folder: Path,
    runs: Sequence[str],
    protocols: Sequence[str],
    *,
    budget: Budget = None,
    private: bool = True,
    on_progress: OnProgress | None = None,
) -> LibraryComparison:
    """Compares one to four runs under one protocol, or one run under up to four protocols.

    Args:
        budget: steps allowed in each episode, later ones are wrong; PEOPLE for the budget that
            follows from people's attempts of each task; None for no limit.
        private: whether private steps and episodes are counted.

    Raises:
        KnownError: there is no such run, protocol or library, or these cannot be compared.
    """
    with Library.read(library_folder) as library:
        return compare_in(
            library, runs, protocols, budget=budget, private=private, on_progress=on_progress
        )


def compare_in(
    library: Library,
    runs: Sequence[str],
    protocols: Sequence[str],
    *,
    budget: Budget = None,
    private: bool = True,
    on_progress: OnProgress | None = None,
) -> LibraryComparison:
    """Compares like `compare_runs`, from an open library."""
    judged = judge(
        library, runs, protocols, budget=budget, private=private, on_progress=on_progress
    )
    changed = changes(library, judged)
    return LibraryComparison(compare(judged, changed), library.uuid, library.gold_revision())


def judge(
    library: Library,
    runs: Sequence[str],
    protocols: Sequence[str],
    *,
    budget: Budget = None,
    private: bool = True,
    on_progress: OnProgress | None = None,
) -> tuple[JudgedSide, ...]:
    """Returns the verdicts of all sides, from an open library."""
    budget_of = _budget_of(library, budget)
    rules = [lookup(name) for name in protocols]
    if budget_of is not None:
        rules = [at_budget(protocol, budget_of) for protocol in rules]
    sides = _sides(library, runs, rules)
    queries = {query_of(side.run) for side in sides}
    if budget_of is None and len(queries) == 1 and all(fits(side.protocol) for side in sides):
        (query,) = queries

        def judged(side: Side) -> Iterator[JudgedRows]:
            name, lean = side.run.name, BULK[side.protocol.key].lean
            batches = step_columns(library, name, query, lean=lean)
            properties = partial(step_properties, library, name)
            return judge_rows_by_episode(side.protocol, batches, properties)

        with library.snapshot():
            return judge_sides_from_columns(
                sides,
                judged,
                private=private,
                on_progress=on_progress,
                episode_count=library.count(query),
            )
    names = dict.fromkeys(runs)
    return judge_sides(
        sides,
        _members(library, sides),
        lambda run, episode: library.predictions(run, episode.name),
        {name: tuple(library.orphans(name)) for name in names},
        private=private,
        on_progress=on_progress,
        episode_count=max(library.count(query_of(side.run)) for side in sides),
    )


def changes(library: Library, judged: Sequence[JudgedSide]) -> tuple[str, ...]:
    """Returns for each side a sentence if its run's steps changed since the import, or "".

    The library is asked for the steps: private steps that were left out are no change.
    """
    return tuple(
        difference(one.side.run, library.step_set(query_of(one.side.run))) for one in judged
    )


def _budget_of(library: Library, budget: Budget) -> BudgetOf | None:
    if budget is None:
        return None
    if isinstance(budget, int):
        return lambda _: budget
    if budget != PEOPLE:
        raise _cannot(f"there is no budget “{budget}”", f"Give a number of steps, or {PEOPLE}.")
    allowed: dict[str, int | None] = {}

    def of(episode: Episode) -> int | None:
        task = same_task(episode.task.instruction)
        if task not in allowed:
            allowed[task] = reference(library, task).budget().steps if task else None
        return allowed[task]

    return of


def _sides(
    library: Library, runs: Sequence[str], protocols: Sequence[ScoringProtocol]
) -> tuple[Side, ...]:
    if not runs or not protocols:
        raise _cannot("there is no run, or no protocol", "Name at least one of each.")
    if len(runs) > 1 and len(protocols) > 1:
        raise _cannot(
            f"there are {len(runs)} runs and {len(protocols)} protocols",
            "Take one of the two alone: several runs under one protocol, or one under several.",
        )
    pairs = [(run, protocol) for run in runs for protocol in protocols]
    keys = [(run, protocol.key) for run, protocol in pairs]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise _cannot(f"“{twice[0]}” under {twice[1]} is named twice", "Name each once.")
    if len(pairs) > len(LETTERS):
        raise _cannot(f"there are {len(pairs)} sides", f"Name at most {len(LETTERS)}.")
    return tuple(
        Side(letter, library.run(run), protocol)
        for letter, (run, protocol) in zip(LETTERS, pairs, strict=False)
    )


def _members(library: Library, sides: Sequence[Side]) -> Iterator[Member]:
    """Yields each episode any side is measured on, once."""
    queries = {side.letter: query_of(side.run) for side in sides}
    found = {
        query: {summary.uuid for summary in library.episodes(query)}
        for query in dict.fromkeys(queries.values())
    }
    seen: set[str] = set()
    for query in found:
        for episode in library.iterate(query):
            if episode.uuid not in seen:
                seen.add(episode.uuid)
                letters = (x for x, asked in queries.items() if episode.uuid in found[asked])
                yield Member(episode, frozenset(letters))


def _cannot(found: str, remedy: str) -> KnownError:
    return KnownError("compare these", found, remedy)
