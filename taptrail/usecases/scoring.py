"""Scores a library's runs; the gold always comes from the library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from episodes.runs import Run
from episodes.store.library import Library
from replay.score_runs import ScoreResult, score
from scoring.protocol import ScoringProtocol
from scoring.protocols import PROTOCOLS, lookup
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

    A note says when the steps are not those the run was imported for.

    Args:
        keep_facts: whether to keep what `replay.breakdown` counts.

    Raises:
        KnownError: there is no such run, protocol or library.
    """
    rules = lookup(protocol)
    with Library.read(library_folder) as library:
        run = library.run(run_name)
        query = query_of(run)
        result = score(
            run,
            library.iterate(query),
            lambda episode: library.predictions(run.name, episode.name),
            rules,
            orphans=library.orphans(run.name),
            keep_steps=keep_steps,
            keep_facts=keep_facts,
            on_progress=on_progress,
            episode_count=library.count(query),
        )
    said = difference(run, result.step_set)
    if not said:
        return result
    metrics = replace(result.metrics, notes=(said, *result.metrics.notes))
    return replace(result, metrics=metrics)


def list_protocols() -> tuple[ScoringProtocol, ...]:
    """Returns all protocols, in the order of the table."""
    return tuple(PROTOCOLS.values())


def list_runs(library_folder: Path) -> tuple[Run, ...]:
    """Returns the manifests of all runs.

    Raises:
        KnownError: there is no library.
    """
    with Library.read(library_folder) as library:
        return tuple(library.runs())
