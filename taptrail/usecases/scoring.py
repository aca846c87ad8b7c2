"""Scores a library's runs; the gold always comes from the library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from episodes.store.library import Library
from episodes.store.step_columns import step_columns
from replay.score_columns import fits, score_columns
from replay.score_runs import ScoreResult, score
from scoring.bulk.table import BULK
from scoring.protocols import lookup
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.step_sets import difference, query_of


def score_run(
    run_name: str,
    protocol: str,
    library_folder: Path,
    *,
    keep_steps: bool = True,
    keep_facts: bool = False,
    on_progress: OnProgress | None = None,
) -> ScoreResult:
    """Returns a run's verdicts and numbers under a protocol ("guiodyssey@2", "guiodyssey").

    A note reports if the steps differ from those the run was imported for. If neither steps nor
    facts are kept, the same metrics are computed from database columns, many times faster.

    Args:
        keep_steps: whether to return each step's verdict with its reason.
        keep_facts: whether to return the facts that `replay.breakdown` counts.

    Raises:
        KnownError: there is no such run, protocol or library.
    """
    rules = lookup(protocol)
    with Library.read(library_folder) as library:
        run = library.run(run_name)
        query = query_of(run)
        count = library.count(query)
        if not keep_steps and not keep_facts and fits(rules):
            held = run.step_set.name if run.step_set is not None else "all"
            result = score_columns(
                run,
                step_columns(library, run.name, query, lean=BULK[rules.key].lean),
                rules,
                library.step_set(query, held),
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
                on_progress=on_progress,
                episode_count=count,
            )
    said = difference(run, result.step_set)
    if not said:
        return result
    metrics = replace(result.metrics, notes=(said, *result.metrics.notes))
    return replace(result, metrics=metrics)
