"""`taptrail columns write|score`: writes a run as Parquet columns, and scores such columns."""

from __future__ import annotations

from pathlib import Path

import click

from taptrail.cli.output import (
    ListedOption,
    json_option,
    known_protocols,
    library_option,
    print_json,
    progress,
    say,
)
from taptrail.cli.scoring import metrics_table, say_beside
from taptrail.words import tr


@click.group(help=tr("A run's steps and answers as Parquet columns, to score on many machines."))
def columns() -> None:
    """`taptrail columns`"""


@columns.command(help=tr("Write a run's columns into a new folder."))
@click.option("--run", "run_name", required=True, help=tr("The run's name; see taptrail runs."))
@click.option(
    "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help=tr("New folder.")
)
@library_option
@json_option
def write(run_name: str, out: Path, library: Path, as_json: bool) -> None:
    """`taptrail columns write --run RUN --out DIR`"""
    from taptrail.usecases.columns import write_columns

    with progress(tr("Writing columns")) as on_progress:
        manifest = write_columns(run_name, library, out, on_progress=on_progress)
    if as_json:
        print_json({"run": manifest.run, "steps": manifest.step_set.count, "parts": manifest.parts})
        return
    say(
        tr(
            "{n} step in {parts} parts.",
            "{n} steps in {parts} parts.",
            n=manifest.step_set.count,
            parts=manifest.parts,
        )
    )


@columns.command(
    help=tr("Score columns: the numbers of taptrail score, without the list of steps.")
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--protocol",
    required=True,
    cls=ListedOption,
    known=known_protocols,
    help=tr("NAME or NAME@VERSION; see taptrail protocols."),
)
@click.option("--scheduler", default="", help=tr("Address of a Dask scheduler."))
@click.option(
    "--workers", type=click.IntRange(min=0), default=0, help=tr("Number of workers to start here.")
)
@json_option
def score(folder: Path, protocol: str, scheduler: str, workers: int, as_json: bool) -> None:
    """`taptrail columns score DIR --protocol NAME`"""
    from replay.score_runs import score_to_json
    from taptrail.usecases.columns import score_columns_in

    if scheduler and workers:
        raise click.UsageError(tr("Give --scheduler or --workers, not both."))
    with progress(tr("Scoring")) as on_progress:
        result = score_columns_in(
            folder, protocol, scheduler=scheduler, workers=workers, on_progress=on_progress
        )
    if as_json:
        print_json(score_to_json(result, str(folder)))
        return
    metrics_table(result)
    say_beside(result)
