"""Scores of runs if an agent stops at the step budget that follows from people's attempts.

Nothing is run again: the stored answers are scored, and steps beyond the budget count as wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from episodes.errors import KnownError
from episodes.runs import Run
from episodes.store.library import Library
from episodes.verdicts import Share
from replay.judging import Member, Side
from replay.sides import JudgedSide, judge_sides, lead_metric, whole_metric
from scoring.at_budget import BUDGET, BudgetOf, at_budget
from scoring.protocol import ScoringProtocol
from scoring.protocols import lookup
from taptrail.usecases.attempts import Reference, references, same_task
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.reference_times import BudgetRule
from taptrail.usecases.step_sets import query_of

_BOTH = frozenset("AB")


@dataclass(frozen=True, slots=True)
class BudgetScore:
    """A run's shares with and without the budget.

    Attributes:
        metric, whole_metric: names of the protocol's metrics over steps and over whole episodes;
            "" and no shares if the protocol has none.
        steps, whole: with the budget.
        steps_without, whole_without: without it.
        past: number of steps beyond the budget.
    """

    run: str
    protocol: str
    metric: str
    steps: Share | None
    steps_without: Share | None
    whole_metric: str
    whole: Share | None
    whole_without: Share | None
    past: int


def scores_at_budget(
    library: Library,
    protocol: str,
    *,
    task: str = "",
    runs: tuple[str, ...] = (),
    rule: BudgetRule | None = None,
    with_finish: bool = True,
    on_progress: OnProgress | None = None,
) -> tuple[BudgetScore, ...]:
    """Returns the shares of runs within the budget of each task.

    Args:
        task: only episodes of this task, and only runs with answers for them; "" for all episodes
            each run is measured on.
        runs: names; () for all runs.
        rule: how a budget follows from attempts; None for AndroidWorld's rule.

    Raises:
        KnownError: there is no such run or protocol.
    """
    rules, task = lookup(protocol), same_task(task)
    chosen = [library.run(name) for name in runs] if runs else list(library.runs())
    if not chosen:
        raise KnownError(
            "score runs at the budget",
            "the library has no run",
            "Import one with: taptrail predictions import.",
        )
    told = references(library, [task] if task else None, with_finish=with_finish)
    allowed = _budgets(told, rule or BudgetRule())
    found = []
    for number, run in enumerate(chosen):
        query = replace(query_of(run), text=task)
        members = _members(library, run, task)
        if task and not any(_says_something(library, run, member) for member in members):
            continue
        sides = judge_sides(
            _sides(run, rules, allowed),
            members if task else _all(library, run),
            lambda name, episode: library.predictions(name, episode.name),
            {run.name: list(library.orphans(run.name))},
            on_progress=_within(on_progress, number, len(chosen)),
            episode_count=library.count(query),
        )
        found.append(_score(run, rules, *sides))
    return tuple(found)


def people_within(reference: Reference, steps: int | None) -> Share:
    """Returns how many of the complete attempts fit into a budget."""
    done = [one for one in reference.attempts if one.outcome == "complete"]
    return Share(sum(steps is None or one.steps <= steps for one in done), len(done))


def _budgets(told: dict[str, Reference], rule: BudgetRule) -> BudgetOf:
    allowed = {
        words: one.budget(rule.factor, rule.aggregate, rule.floor).steps
        for words, one in told.items()
    }
    return lambda episode: allowed.get(same_task(episode.task.instruction))


def _sides(run: Run, rules: ScoringProtocol, allowed: BudgetOf) -> tuple[Side, Side]:
    return Side("A", run, at_budget(rules, allowed)), Side("B", run, rules)


def _members(library: Library, run: Run, task: str) -> list[Member]:
    if not task:
        return []
    query = replace(query_of(run), text=task)
    return [
        Member(episode, _BOTH)
        for episode in library.iterate(query)
        if same_task(episode.task.instruction) == task
    ]


def _all(library: Library, run: Run) -> Iterator[Member]:
    return (Member(episode, _BOTH) for episode in library.iterate(query_of(run)))


def _says_something(library: Library, run: Run, member: Member) -> bool:
    return any(True for _ in library.predictions(run.name, member.episode.name))


def _score(run: Run, rules: ScoringProtocol, cut: JudgedSide, free: JudgedSide) -> BudgetScore:
    metric, whole = lead_metric(free), whole_metric(free)
    return BudgetScore(
        run.name,
        rules.key,
        metric,
        _share(cut, metric),
        _share(free, metric),
        whole,
        _share(cut, whole),
        _share(free, whole),
        sum(facts.verdict.rule == BUDGET for facts in cut.steps.values()),
    )


def _share(judged: JudgedSide, name: str) -> Share | None:
    metric = judged.metrics.values.get(name)
    return metric.share if metric is not None else None


def _within(on_progress: OnProgress | None, number: int, of: int) -> OnProgress | None:
    """Returns a callback that reports the progress of one run as thousandths of all runs."""
    if on_progress is None:
        return None
    told = on_progress

    def tell(done: int, total: int | None) -> None:
        share = done / total if total else 0.0
        told(round(1000 * (number + share) / of), 1000)

    return tell
