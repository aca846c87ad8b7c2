"""`taptrail predictions import|check`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from episodes.errors import KnownError
from taptrail.cli.output import (
    ListedOption,
    json_option,
    known_dialects,
    known_protocols,
    library_option,
    print_json,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from replay.findings import RunFinding
    from scoring.protocol import Metric
    from taptrail.usecases.predictions import CheckedRun

LISTED = 20
MOST_WORKERS = 64


@dataclass(frozen=True, slots=True)
class Declaration:
    """How prediction files are to be read, and which steps they answer, from the options."""

    dialect: str
    dialect_of_text: str
    coords: str
    scroll: str | None
    level: str | None
    dataset: str
    dataset_version: str
    split: str
    order: Path | None
    first_step: int
    workers: int

    def for_use(self) -> dict[str, Any]:
        """Returns the arguments of the use cases."""
        from replay.dialect import Declared
        from taptrail.usecases.step_sets import split_of

        return {
            "dialect": self.dialect,
            "dialect_of_text": self.dialect_of_text,
            "declared": Declared(self.coords, self.scroll or "", self.level or ""),
            "dataset": self.dataset,
            "dataset_version": self.dataset_version,
            "split": split_of(self.split) if self.split else None,
            "order": self.order,
            "first_step": self.first_step,
            "workers": self.workers,
        }


def _declaring(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the files and the options about them, passed as one `Declaration`."""

    @functools.wraps(command)
    def declared(files: tuple[Path, ...], **given: Any) -> Any:
        said = {name: given.pop(name) for name in Declaration.__slots__}
        return command(files, Declaration(**said), **given)

    gathered: Callable[..., Any] = declared
    options = (
        click.argument(
            "files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path)
        ),
        click.option(
            "--dialect",
            required=True,
            cls=ListedOption,
            known=known_dialects,
            help=tr("How the predictions are written."),
        ),
        click.option(
            "--dialect-of-text",
            default="",
            help=tr("For --dialect raw: how its texts are written."),
        ),
        click.option(
            "--coords",
            default="",
            help=tr("0-1, 0-999, 0-1000, pixels or resized:WxH; prefix yx: if y comes before x."),
        ),
        click.option(
            "--scroll",
            type=click.Choice(["finger", "content"]),
            default=None,
            help=tr("The direction of scrolls: finger or content."),
        ),
        click.option(
            "--level",
            type=click.Choice(["high", "low", "both"]),
            default=None,
            help=tr("Which instructions the model was given."),
        ),
        click.option("--dataset", default="", help=tr("The data set they answer.")),
        click.option("--dataset-version", default="", help=tr("The data set's version.")),
        click.option("--split", default="", help=tr("Only the episodes of SPLIT or SPLIT/PART.")),
        click.option(
            "--order",
            type=click.Path(dir_okay=False, path_type=Path),
            default=None,
            help=tr("A file that lists the steps, for rows that name none."),
        ),
        click.option(
            "--first-step",
            type=click.IntRange(0, 1),
            default=0,
            help=tr("Number of an episode's first step in the files: 0 or 1."),
        ),
        click.option(
            "--workers",
            type=click.IntRange(2, MOST_WORKERS),
            default=None,
            callback=lambda context, parameter, value: value or 0,
            help=tr("Number of workers that wrote rows without step names, each every N-th row."),
        ),
    )
    for option in reversed(options):
        gathered = option(gathered)
    return gathered


@click.group(help=tr("Import a model's predictions as a run, or check how they are written."))
def predictions() -> None:
    """`taptrail predictions`"""


@predictions.command("import", help=tr("Import prediction files as one run."))
@_declaring
@click.option("--name", required=True, help=tr("The run's name."))
@click.option("--model", default="", help=tr("The model's name, for the record."))
@click.option(
    "--history", default="", help=tr('What the model saw before, e.g. "4 actions, gold".')
)
@click.option("--observation", default="", help=tr('What the model saw, e.g. "screenshot".'))
@click.option(
    "--only-answered", is_flag=True, help=tr("Score it only on the episodes named in the files.")
)
@click.option("--replace", is_flag=True, help=tr("Replace the run of that name."))
@library_option
@json_option
def import_(
    files: tuple[Path, ...],
    declaration: Declaration,
    name: str,
    model: str,
    history: str,
    observation: str,
    only_answered: bool,
    replace: bool,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail predictions import FILE...`"""
    from replay.findings import findings_to_json
    from replay.joining import counts_to_json
    from taptrail.usecases.predictions import import_predictions

    with progress(tr("Joining")) as on_progress:
        done = import_predictions(
            files,
            name,
            library,
            **declaration.for_use(),
            model=model,
            history=history,
            observation=observation,
            only_answered=only_answered,
            replace=replace,
            on_progress=on_progress,
        )
    if as_json:
        print_json(
            counts_to_json(name, done.counts)
            | {"notes": list(done.notes), "findings": findings_to_json(done.findings)}
        )
        return
    _say_counts(done.counts)
    if (steps := done.run.step_set) is not None:
        say(
            tr(
                "It is scored on {steps}, {n} step.",
                "It is scored on {steps}, {n} steps.",
                n=steps.count,
                steps=steps.name,
            )
        )
    _say_notes(done.notes, done.findings)


@predictions.command(help=tr("Read prediction files under every declaration; stores nothing."))
@_declaring
@click.option(
    "--protocol",
    default="taptrail-strict",
    show_default=True,
    cls=ListedOption,
    known=known_protocols,
    help=tr("The protocol to score them with."),
)
@library_option
@json_option
def check(
    files: tuple[Path, ...],
    declaration: Declaration,
    protocol: str,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail predictions check FILE...`"""
    from dataclasses import asdict

    from replay.findings import findings_to_json
    from taptrail.usecases.predictions import check_predictions

    with progress(tr("Reading")) as on_progress:
        done = check_predictions(
            files,
            library,
            **declaration.for_use(),
            protocol=protocol,
            on_progress=on_progress,
        )
    if as_json:
        readings = []
        for reading in done.readings:
            share = reading.score.share if reading.score is not None else None
            readings.append(
                {
                    "coords": reading.coordinates,
                    "scroll": reading.scroll,
                    "declared": reading.declared,
                    "points": reading.points,
                    "outside": reading.outside,
                    "unreadable": reading.unreadable,
                    "score": {
                        "value": reading.score.value if reading.score is not None else None,
                        "unit": "%",
                        "hits": share.hits if share is not None else None,
                        "total": share.total if share is not None else None,
                    },
                }
            )
        print_json(
            asdict(done.counts)
            | {
                "protocol": done.protocol,
                "metric": done.metric,
                "readings": readings,
                "notes": list(done.notes),
                "findings": findings_to_json(done.findings),
            }
        )
    else:
        _say_check(done)
    if not done.counts.joined:
        raise KnownError(
            tr("check the predictions"),
            tr("no row belongs to a step"),
            tr("Check the dialect, the data set and how episodes and steps are named."),
        )


def _say_check(done: CheckedRun) -> None:
    _say_counts(done.counts)
    say(tr("Scored under {protocol}; choose another with --protocol.", protocol=done.protocol))
    table(
        tr("Scores under each declaration"),
        (
            tr("coordinates"),
            tr("scroll"),
            tr("points"),
            tr("outside"),
            tr("unreadable"),
            done.metric,
        ),
        [
            (
                reading.coordinates + (f" ({tr('declared')})" if reading.declared else ""),
                reading.scroll,
                str(reading.points),
                str(reading.outside),
                str(reading.unreadable),
                _score(reading.score) if reading.score is not None else "",
            )
            for reading in done.readings
        ],
    )
    _say_notes(done.notes, done.findings)


def _score(metric: Metric) -> str:
    if metric.share is not None:
        return str(metric.share)
    return tr("none") if metric.value is None else f"{metric.value:.1f}%"


def _say_counts(counts: Any) -> None:
    say(
        tr(
            "{n} row read, {joined} joined to a step; {unreadable} unreadable, {doubled} "
            "doubled, {surplus} without a step; without a row: {missing} of the steps.",
            "{n} rows read, {joined} joined to a step; {unreadable} unreadable, {doubled} "
            "doubled, {surplus} without a step; without a row: {missing} of the steps.",
            n=counts.read,
            joined=f"{counts.joined:,}",
            unreadable=f"{counts.unreadable:,}",
            doubled=f"{counts.doubled:,}",
            surplus=f"{counts.surplus:,}",
            missing=f"{counts.missing:,}",
        )
    )


def _say_notes(notes: tuple[str, ...], findings: tuple[RunFinding, ...]) -> None:
    for option in dict.fromkeys(one.declare for one in findings if one.declare):
        say(tr("Perhaps {option} must be declared.", option=option))
    for note in notes[:LISTED]:
        say(f"- {note}")
    if len(notes) > LISTED:
        say(tr("- and {more} more", more=len(notes) - LISTED))
