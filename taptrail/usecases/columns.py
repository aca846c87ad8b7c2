"""Writes a run's steps and answers as Parquet columns, and scores them here or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from episodes.runs import Run
from episodes.screens import StepTree
from episodes.step_columns import StepColumns
from episodes.store.library import Library
from episodes.store.step_columns import closed_steps, private_parts, step_columns
from episodes.trees.passwords import without_passwords
from replay import cluster, column_files
from replay.column_files import ColumnsManifest
from replay.score_columns import refuse_ends, score_columns
from replay.score_runs import ScoreResult
from scoring.bulk.table import BULK
from scoring.protocols import lookup
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.step_sets import difference, query_of
from taptrail.words import tr


def write_columns(
    run_name: str, library_folder: Path, out: Path, *, on_progress: OnProgress | None = None
) -> ColumnsManifest:
    """Writes the data that protocols need of a run's steps and answers into a new folder.

    The folder may go to other machines. So it leaves out private episodes, private steps, steps
    with a private part, trees of screens that apps protect, and words in password fields. The
    notes count them.

    Raises:
        KnownError: there is no such run or library, the folder is not empty, or pyarrow is not
            installed.
    """
    with Library.read(library_folder) as library:
        run = library.run(run_name)
        query = query_of(run)
        held = run.step_set.name if run.step_set is not None else "all"
        steps = library.step_set(query, held)
        said = difference(run, steps)
        total, done = library.count(query), 0

        def manifest(parts: int) -> ColumnsManifest:
            notes = (
                *((said,) if said else ()),
                *_hidden_words(len(hidden), len(steps_hidden)),
                *closed.in_words(),
            )
            return ColumnsManifest(run.name, str(library_folder), steps, parts, notes)

        def count(batch: StepColumns) -> None:
            nonlocal done
            done += len(batch.episodes)
            if on_progress is not None:
                on_progress(done, total)

        hidden, steps_hidden = private_parts(library)
        closed = _Closed(closed_steps(library))
        batches = (
            (batch.without(hidden, steps_hidden) if hidden or steps_hidden else batch).with_trees(
                closed.tree
            )
            for batch in step_columns(library, run.name, query)
        )
        return column_files.write(batches, out, manifest, count)


class _Closed:
    """Removes words of protected screens and password fields from trees, and counts them."""

    def __init__(self, closed: frozenset[tuple[str, int]]) -> None:
        self._closed = closed
        self._left_out = self._hidden = 0

    def tree(self, uuid: str, number: int, tree: StepTree) -> StepTree | None:
        """Returns a step's tree without hidden words; None if the whole tree is hidden."""
        data = None
        if (uuid, number) not in self._closed:
            data = without_passwords(tree.record.format, tree.record.data)
        if data == tree.record.data:
            return tree
        if data is None:
            self._left_out += 1
            return None
        self._hidden += 1
        return replace(tree, record=replace(tree.record, data=data))

    def in_words(self) -> tuple[str, ...]:
        """Returns sentences with the number of changed trees."""
        told = []
        if self._left_out:
            told.append(
                tr(
                    "left out: the tree of {n} step that may show a hidden screen",
                    "left out: the trees of {n} steps that may show a hidden screen",
                    n=self._left_out,
                )
            )
        if self._hidden:
            told.append(
                tr(
                    "starred: the words in password fields of {n} tree",
                    "starred: the words in password fields of {n} trees",
                    n=self._hidden,
                )
            )
        return tuple(told)


def _hidden_words(episodes: int, steps: int) -> tuple[str, ...]:
    if not episodes and not steps:
        return ()
    return (
        tr(
            "left out as private: {episodes} and {steps} of others; the library's own score "
            "counts them",
            episodes=tr("1 episode", "{n} episodes", n=episodes),
            steps=tr("1 step", "{n} steps", n=steps),
        ),
    )


def score_columns_in(
    folder: Path,
    protocol: str,
    *,
    scheduler: str = "",
    workers: int = 0,
    on_progress: OnProgress | None = None,
) -> ScoreResult:
    """Returns the metrics of a folder's columns under a protocol, without the list of steps.

    Args:
        scheduler: address of a Dask scheduler whose workers can read the folder.
        workers: how many worker processes to start on this machine; 0 for none.

    Raises:
        KnownError: the folder holds no columns; the protocol needs data that columns do not have;
            Dask is not installed or does not answer.
    """
    rules = lookup(protocol)
    refuse_ends(rules)
    manifest = column_files.manifest_in(folder)
    parts = column_files.parts_of(folder)
    run = Run(manifest.run, "")
    if scheduler or workers:
        with cluster.connected(scheduler, workers) as client:
            metrics = cluster.score_parts(client, rules, parts)
        result = ScoreResult(rules, run, manifest.step_set, metrics, ())
    else:

        def read() -> Iterator[StepColumns]:
            for number, part in enumerate(parts, start=1):
                yield column_files.read(part, BULK[rules.key].lean)
                if on_progress is not None:
                    on_progress(number, len(parts))

        result = score_columns(run, read(), rules, manifest.step_set)
    metrics = replace(result.metrics, notes=(*manifest.notes, *result.metrics.notes))
    return replace(result, metrics=metrics)
