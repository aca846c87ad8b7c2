"""Scores a run from columns; the results equal those of `replay.score_runs`.

If only the metrics are asked for, batches are judged one after another, or on other machines
(`replay.cluster`), and only counts are kept of each. Otherwise each step gets a verdict with its
reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from episodes.errors import KnownError
from episodes.runs import Run, StepSet
from episodes.step_columns import EpisodeRow, StepColumns
from episodes.store.step_properties import EpisodeProperties
from episodes.verdicts import Outcome, Verdict
from replay.score_runs import ScoreResult
from replay.step_facts import chosen_kind
from scoring.bulk.auto_gui import carried
from scoring.bulk.counts import Partial, together
from scoring.bulk.reasons import verdicts_of
from scoring.bulk.table import BULK, score_batch
from scoring.numbers import MISSING, UNREADABLE, StepFacts
from scoring.protocol import ScoredStep, ScoringProtocol

AT_ONCE = 64  # counts of so many batches are put together before more come in


def fits(protocol: ScoringProtocol) -> bool:
    """Whether columns hold all steps that a protocol judges. They do not hold added end steps."""
    return protocol.end is None


def refuse_ends(protocol: ScoringProtocol) -> None:
    """Raises:
    KnownError: the protocol judges ends that no column holds.
    """
    if not fits(protocol):
        raise KnownError(
            f"score columns under {protocol.key}",
            "it puts ends behind episodes, and columns hold none",
            "Score the library: `taptrail score`.",
        )


PropertiesOf = Callable[[Sequence[str]], Mapping[str, EpisodeProperties]]


def score_columns(
    run: Run,
    batches: Iterable[StepColumns],
    protocol: ScoringProtocol,
    step_set: StepSet,
    *,
    properties: PropertiesOf | None = None,
    keep_steps: bool = False,
    keep_facts: bool = False,
    on_step: Callable[[ScoredStep], None] | None = None,
    on_facts: Callable[[Sequence[StepFacts]], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> ScoreResult:
    """Returns the run's metrics over the steps of the batches, which form the step set.

    Args:
        properties: returns the properties of episodes by uuid; needed for facts.
        keep_steps: whether to return each step's verdict.
        keep_facts: whether to return the facts that `replay.breakdown` counts.
        on_step: called with each judged step.
        on_facts: called with the facts of each episode's steps.
        on_progress: called with (episodes done, `episode_count`) after each batch.
    """
    kept: list[ScoredStep] = []
    facts: list[StepFacts] = []
    with_steps = keep_steps or on_step is not None
    with_facts = properties if keep_facts or on_facts is not None else None

    def read() -> Iterator[StepColumns]:
        done = 0
        for batch in carried(protocol, batches):
            yield batch
            done += len(batch.episodes)
            if on_progress is not None:
                on_progress(done, episode_count)

    def judged() -> Iterator[ScoredStep]:
        for batch in read():
            scored = _scored(batch, verdicts_of(protocol, batch))
            for one in _by_episode(batch, scored, with_facts) if with_facts is not None else ():
                if keep_facts:
                    facts.extend(one.facts)
                if on_facts is not None:
                    on_facts(one.facts)
            if keep_steps:
                kept.extend(scored)
            for step in scored:
                if on_step is not None:
                    on_step(step)
                yield step

    if with_steps or with_facts is not None:
        metrics = protocol.aggregate(judged())
    else:
        metrics = BULK[protocol.key].totals(
            in_groups(score_batch(protocol, batch) for batch in read())
        )
    return ScoreResult(protocol, run, step_set, metrics, tuple(kept), tuple(facts))


def _scored(batch: StepColumns, verdicts: Sequence[Verdict]) -> list[ScoredStep]:
    rows = batch.episodes
    return [
        ScoredStep(
            rows[episode].name,
            number,
            verdict,
            rows[episode].category,
            rows[episode].declared,
            place,
            doubled,
        )
        for episode, number, verdict, place, doubled in zip(
            batch.episode.tolist(),
            batch.number.tolist(),
            verdicts,
            batch.place.tolist(),
            batch.doubled.tolist(),
            strict=True,
        )
    ]


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """An episode's verdicts, with the facts of its steps; `scored` has second answers, too."""

    row: EpisodeRow
    properties: EpisodeProperties
    scored: list[ScoredStep]
    facts: list[StepFacts]


def judge_rows_by_episode(
    protocol: ScoringProtocol, batches: Iterable[StepColumns], properties: PropertiesOf
) -> Iterator[JudgedRows]:
    """Yields the episodes of a run's batches, judged, in order; also those without steps."""
    for batch in carried(protocol, batches):
        yield from _by_episode(batch, _scored(batch, verdicts_of(protocol, batch)), properties)


def _by_episode(
    batch: StepColumns, scored: Sequence[ScoredStep], properties: PropertiesOf
) -> Iterator[JudgedRows]:
    found = properties([row.uuid for row in batch.episodes])
    steps: list[list[ScoredStep]] = [[] for _ in batch.episodes]
    for place, one in zip(batch.episode.tolist(), scored, strict=True):
        steps[place].append(one)
    for row, mine in zip(batch.episodes, steps, strict=True):
        told = found[row.uuid]
        first = [one for one in mine if not one.doubled]
        yield JudgedRows(row, told, mine, _facts_of_episode(row, told, first))


def _facts_of_episode(
    row: EpisodeRow, told: EpisodeProperties, scored: Iterable[ScoredStep]
) -> list[StepFacts]:
    facts = []
    splits = tuple(told.splits)
    for position, (one, step) in enumerate(zip(scored, told.steps, strict=True), start=1):
        kind = MISSING if step.predicted is None else step.predicted or UNREADABLE
        right = one.verdict.outcome is Outcome.MATCH
        facts.append(
            StepFacts(
                row.uuid,
                row.name,
                one.step,
                one.verdict,
                chosen_kind(step.golds, kind, right=right),
                kind,
                position,
                len(told.steps),
                told.apps if step.app is None else (step.app,),
                row.category,
                splits,
                told.device,
            )
        )
    return facts


def in_groups(partials: Iterator[Partial]) -> Partial:
    """Returns the counts of all batches, combined a few at a time."""
    groups = []
    while group := list(islice(partials, AT_ONCE)):
        groups.append(together(group))
    return together(groups)
