"""Scores a library's runs; the gold always comes from the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from episodes.store.library import Library
from episodes.store.step_columns import step_columns
from episodes.store.step_properties import step_properties
from replay.judging import JudgedEpisode
from replay.score_columns import fits, score_columns
from replay.score_runs import ScoreResult, score
from scoring.bulk.table import BULK
from scoring.numbers import StepFacts
from scoring.protocol import ScoredStep
from scoring.protocols import lookup
from taptrail.usecases.step_sets import difference, query_of

if TYPE_CHECKING:
    from taptrail.usecases.importing import OnProgress


def score_run(
    run_name: str,
    protocol: str,
    library_folder: Path,
    *,
    keep_steps: bool = True,
    keep_facts: bool = False,
    on_step: Callable[[ScoredStep], None] | None = None,
    on_facts: Callable[[Sequence[StepFacts]], None] | None = None,
    on_progress: OnProgress | None = None,
) -> ScoreResult:
    """Returns a run's verdicts and numbers under a protocol ("guiodyssey@2", "guiodyssey").

    A note reports if the steps differ from those the run was imported for. Steps are judged from
    database columns, unless the protocol adds end steps. If neither steps nor facts are asked for,
    the metrics are computed without reasons, many times faster.

    Args:
        keep_steps: whether to return each step's verdict with its reason.
        keep_facts: whether to return the facts that `replay.breakdown` counts.
        on_step: called with each judged step, so that none need be kept.
        on_facts: called with the facts of each episode's steps.

    Raises:
        KnownError: there is no such run, protocol or library.
    """
    rules = lookup(protocol)

    def hand_on(judged: JudgedEpisode) -> None:
        if on_facts is not None:
            on_facts(list(judged.facts()))
        if on_step is not None:
            for step in judged.steps:
                on_step(step)

    with Library.read(library_folder) as library, library.snapshot():
        run = library.run(run_name)
        query = query_of(run)
        count = library.count(query)
        if fits(rules):
            held = run.step_set.name if run.step_set is not None else "all"
            batches = step_columns(library, run.name, query, lean=BULK[rules.key].lean)
            result = score_columns(
                run,
                batches,
                rules,
                library.step_set(query, held),
                properties=partial(step_properties, library, run.name),
                keep_steps=keep_steps,
                keep_facts=keep_facts,
                on_step=on_step,
                on_facts=on_facts,
                on_progress=on_progress,
                episode_count=count,
            )
        else:
            result = score(
                run,
                library.iterate(query),
                lambda episode: library.predictions(run.name, episode.name),
                rules,
                orphans=library.orphans(run.name),
                keep_steps=keep_steps,
                keep_facts=keep_facts,
                on_episode=hand_on,
                on_progress=on_progress,
                episode_count=count,
            )
    said = difference(run, result.step_set)
    if not said:
        return result
    metrics = replace(result.metrics, notes=(said, *result.metrics.notes))
    return replace(result, metrics=metrics)
