"""`taptrail report`: writes an HTML report about runs, and tables for papers."""

from __future__ import annotations

from pathlib import Path

import click

from taptrail.cli.compare import budget_option
from taptrail.cli.output import (
    json_option,
    library_option,
    print_json,
    printable,
    progress,
    say,
)
from taptrail.words import tr

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(help=tr("Write a report about runs as one HTML file."))
@click.option("--run", "runs", multiple=True, required=True, help=tr("A run's name; up to four."))
@click.option(
    "--protocol",
    "protocols",
    multiple=True,
    required=True,
    help=tr("NAME or NAME@VERSION; several for one run."),
)
@click.option("--out", type=FILE, help=tr("The HTML file."))
@click.option("--csv", "csv_folder", type=FOLDER, help=tr("Folder for CSV files."))
@click.option("--markdown", type=FILE, help=tr("File for Markdown tables."))
@click.option("--latex", type=FILE, help=tr("File for LaTeX tables."))
@click.option(
    "--steps",
    "only",
    default="",
    help=tr(
        "Which steps to show: differ (with several runs), mismatch (with one), all-wrong, "
        "unscored, all, b-right, ..."
    ),
)
@click.option(
    "--limit", default=40, show_default=True, help=tr("The maximum number of steps to show.")
)
@budget_option
@library_option
@json_option
def report(
    runs: tuple[str, ...],
    protocols: tuple[str, ...],
    out: Path | None,
    csv_folder: Path | None,
    markdown: Path | None,
    latex: Path | None,
    only: str,
    limit: int,
    budget: int | str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail report --run A --protocol P --out report.html`"""
    from taptrail.usecases.report_files import ReportOptions, write_report

    if out is None and csv_folder is None and markdown is None and latex is None:
        raise click.UsageError(tr("Give --out, --csv, --markdown or --latex."))
    wanted = ReportOptions(out, csv_folder, markdown, latex, only, limit)
    with progress(tr("Reporting")) as on_progress:
        done = write_report(
            library, runs, protocols, wanted, budget=budget, on_progress=on_progress
        )
    if as_json:
        print_json(
            {
                "shown": done.shown,
                "found": done.found,
                "without_picture": done.without_picture,
                "private": {"steps": done.private_steps, "episodes": done.private_episodes},
                "files": [{"path": str(path), "bytes": size} for path, size in done.files],
            }
        )
        return
    for path, size in done.files:
        say(f"{printable(str(path))}  {tr('{size:.1f} kB', size=size / 1000)}")
    if out is not None:
        say(tr("{shown} of {n} step shown", "{shown} of {n} steps shown", n=done.found,
               shown=done.shown))  # fmt: skip
    if done.without_picture:
        say(tr("! {n} step has no picture", "! {n} steps have no picture", n=done.without_picture))
    if done.private_steps or done.private_episodes:
        say(
            tr(
                "left out as private: {steps} steps, {episodes} episodes",
                steps=done.private_steps,
                episodes=done.private_episodes,
            )
        )
