"""Metrics from counts: each protocol's own aggregation, with counts instead of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import repeat

from episodes.verdicts import Outcome
from scoring.bulk.counts import Partial
from scoring.bulk.marks import Mark
from scoring.protocol import Metrics, ScoredStep
from scoring.protocols import (
    agentcpm_metrics,
    aitw_metrics,
    aitz_metrics,
    guiodyssey_metrics,
    taptrail_strict,
)

Totals = Callable[[Partial], Metrics]


def replayed(found: Partial, *, aggregate: Callable[[Iterator[ScoredStep]], Metrics]) -> Metrics:
    """Returns the metrics of a protocol without episode metrics: repeats each mark as often as
    counted."""
    return aggregate(
        step
        for category, doubled, mark, count in _groups(found)
        for step in repeat(_step(category, doubled, mark), count)
    )


def of_aitw(found: Partial) -> Metrics:
    """Returns the numbers of `aitw`."""
    return aitw_metrics.numbers_of(_aitw_episodes(found))


def of_aitz(found: Partial) -> Metrics:
    """Returns the numbers of AITZ's own rule."""
    kinds = aitz_metrics.Kinds()
    for category, doubled, mark, count in _groups(found):
        for step in repeat(_step(category, doubled, mark), count):
            kinds.add(step)
    return aitz_metrics.numbers_of(_aitw_episodes(found), kinds)


def of_agentcpm(found: Partial) -> Metrics:
    """Returns the metrics of AgentCPM-GUI's evaluator, in which second answers are rows, too."""
    rows = agentcpm_metrics.CpmRows()
    for category, doubled, mark, count in _groups(found):
        for step in repeat(_step(category, doubled, mark), count):
            rows.add_kind(step)
    for told, first, again in found.by_episode:
        stretch = first.then(again)
        if stretch.scored:
            key = told.category, told.name
            one = rows.episodes.setdefault(key, agentcpm_metrics.AgentCpmEpisodeRows())
            one.steps += stretch.scored
            one.leading += 0 if one.failed else stretch.leading
            one.failed = one.failed or bool(stretch.failed)
    return agentcpm_metrics.numbers_of(rows)


def of_guiodyssey(found: Partial, *, sr_of_nothing: float | None) -> Metrics:
    """Returns the numbers of GUIOdyssey's evaluators, in which second answers are rows, too."""
    rows = guiodyssey_metrics.StepCounts(sr_of_nothing)
    for category, _, mark, count in _groups(found):
        if mark.outcome is Outcome.UNSCORED:
            rows.left_out[mark.rule] += count
            continue
        first = found.places[category]
        one = rows.categories.setdefault(category, guiodyssey_metrics.CategoryRows(first))
        one.rows += count
        one.right += count if mark.outcome is Outcome.MATCH else 0
        rows.labels[str(mark.verdict.parts.get("label", ""))] += count
    both = found.stretches[:, :, :2].sum(axis=1).tolist()  # `scored` and `right` of a `Stretch`
    for told, (scored, right) in zip(found.episodes, both, strict=True):
        if scored:
            rows.add_episode(told.category, told.name, told.declared, scored, right)
    return guiodyssey_metrics.numbers_of(rows)


def of_strict(found: Partial) -> Metrics:
    """Returns the numbers of `taptrail-strict`."""
    counted = taptrail_strict.StrictSteps()
    for category, doubled, mark, count in _groups(found):
        for step in repeat(_step(category, doubled, mark), count):
            counted.add_rule(step)
    for told, first, _ in found.by_episode:
        if first.steps:
            steps = taptrail_strict.EpisodeSteps(told.category, told.declared)
            steps = counted.episodes.setdefault(told.name, steps)
            steps.steps += first.steps
            steps.unscored += first.unscored
            steps.wrong += first.failed
    return taptrail_strict.numbers_of(counted)


GUIODYSSEY_2 = partial(of_guiodyssey, sr_of_nothing=0.0)
GUIODYSSEY_1 = partial(of_guiodyssey, sr_of_nothing=None)


def _aitw_episodes(found: Partial) -> aitw_metrics.Episodes:
    episodes = aitw_metrics.Episodes()
    for told, first, _ in found.by_episode:
        if not first.steps:
            continue
        key = told.category, told.name
        one = episodes.by_name.setdefault(
            key, aitw_metrics.AitwEpisodeSteps(told.category, told.declared)
        )
        one.leading += 0 if one.failed else first.leading
        one.scored += first.scored
        one.right += first.right
        one.unscored += first.unscored
        one.failed = one.failed or bool(first.failed)
    for category, doubled, mark, count in _groups(found):
        alone = aitw_metrics.Episodes()
        alone.add(_step(category, doubled, mark))
        for name in alone.tally:
            episodes.tally[name] += count
        for right in alone.types:
            episodes.types[right] += count
    return episodes


def _groups(found: Partial) -> Iterator[tuple[str, bool, Mark, int]]:
    for (category, doubled, mark), count in found.marks.items():
        yield category, doubled, mark, count


def _step(category: str, doubled: bool, mark: Mark) -> ScoredStep:
    return ScoredStep("", 0, mark.verdict, category=category, doubled=doubled)
