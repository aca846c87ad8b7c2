"""`taptrail attempts scores`: scores of runs if an agent stops at the budget of each task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import (
    ListedOption,
    json_option,
    known_protocols,
    library_option,
    print_json,
    printable,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from episodes.verdicts import Share
    from taptrail.usecases.budget_scores import BudgetScore


def rule_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--factor`, `--aggregate`, `--floor` and `--without-finish`."""
    for add in (
        click.option(
            "--without-finish", is_flag=True, help=tr("Do not count the step that ends it.")
        ),
        click.option(
            "--floor",
            type=click.IntRange(min=0),
            default=10,
            show_default=True,
            help=tr("The minimum number of steps."),
        ),
        click.option(
            "--aggregate",
            type=click.Choice(("median", "mean", "max")),
            default="mean",
            show_default=True,
            help=tr("The statistic to use."),
        ),
        click.option(
            "--factor",
            default="2",
            show_default=True,
            callback=_factor,
            help=tr("Multiple of what people need."),
        ),
    ):
        command = add(command)
    return command


def _factor(context: click.Context, parameter: click.Parameter, value: str) -> str:
    from taptrail.usecases.reference_times import is_factor

    if not is_factor(value):
        raise click.BadParameter(
            tr(
                "“{value}” is not a number above 0 with at most four decimals. Give one such as 2 "
                "or 1.5.",
                value=printable(value),
            )
        )
    return value


@click.command(help=tr("Score runs at the budget that follows from people's attempts."))
@click.option("--task", help=tr("Only episodes with this instruction."))
@click.option("--run", "runs", multiple=True, help=tr("A run's name; without it, all runs."))
@click.option(
    "--protocol",
    default="guiodyssey",
    show_default=True,
    cls=ListedOption,
    known=known_protocols,
    help=tr("NAME or NAME@VERSION; see taptrail protocols."),
)
@rule_options
@library_option
@json_option
def scores(
    task: str | None,
    runs: tuple[str, ...],
    protocol: str,
    factor: str,
    aggregate: str,
    floor: int,
    without_finish: bool,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail attempts scores`"""
    from episodes.store.library import Library
    from taptrail.usecases.budget_scores import scores_at_budget
    from taptrail.usecases.reference_times import Aggregate, BudgetRule

    with Library.read(library) as kept, progress(tr("Scoring")) as on_progress:
        found = scores_at_budget(
            kept,
            protocol,
            task=task or "",
            runs=runs,
            rule=BudgetRule(factor, Aggregate(aggregate), floor),
            with_finish=not without_finish,
            on_progress=on_progress,
        )
    if as_json:
        print_json({"scores": [asdict(one) for one in found]})
    elif not found:
        say(tr("No run has an answer for that task."))
    else:
        table(tr("At {factor} x {aggregate}", factor=factor, aggregate=aggregate), *_rows(found))


def _rows(
    found: tuple[BudgetScore, ...],
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    columns = (
        *(tr("run"), tr("protocol"), tr("metric"), tr("at the budget"), tr("without")),
        *(tr("whole episodes"), tr("without"), tr("steps beyond it")),
    )
    return columns, [
        (
            *(one.run, one.protocol, one.metric, _share(one.steps), _share(one.steps_without)),
            *(_share(one.whole), _share(one.whole_without), str(one.past)),
        )
        for one in found
    ]


def _share(share: Share | None) -> str:
    return tr("none") if share is None else f"{share.hits} / {share.total}"
