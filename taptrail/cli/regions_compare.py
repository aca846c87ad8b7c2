"""`taptrail regions compare`: agreement of two sources of regions, as a table."""

from __future__ import annotations

import importlib.metadata
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, library_option, print_json, progress, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from annotator.region_agreement import RegionAgreement
    from taptrail.usecases.region_comparison import RegionComparison

_SIDES = click.Choice(("sam2", "suggestion", "accessibility", "person", "import"))


@click.command(
    "compare", help=tr("Show the agreement of two sources of regions, by kind of element.")
)
@click.option(
    "--source", type=_SIDES, default="sam2", show_default=True, help=tr("The source to measure.")
)
@click.option(
    "--against",
    type=_SIDES,
    default="accessibility",
    show_default=True,
    help=tr("The reference; accessibility is the tree."),
)
@click.option("--episode", "names", multiple=True, help=tr("Only this one; may be given again."))
@click.option("--dataset", default="", help=tr("Only episodes of this data set."))
@click.option("--model", default="", help=tr("The model, if several made regions."))
@click.option("--markdown", is_flag=True, help=tr("Print a table for a text, with its command."))
@library_option
@json_option
def compare(
    source: str,
    against: str,
    names: tuple[str, ...],
    dataset: str,
    model: str,
    markdown: bool,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail regions compare`"""
    from episodes.store.library import Library
    from episodes.store.queries import EpisodeQuery
    from taptrail.usecases.region_comparison import compare_regions

    if markdown and as_json:
        raise click.UsageError(tr("Give one of --json and --markdown."))
    with Library.read(library) as kept, progress(tr("Comparing")) as on_progress:
        told = compare_regions(
            kept,
            source,
            against,
            query=EpisodeQuery(dataset=dataset),
            names=names,
            dataset=dataset or None,
            model=model,
            on_progress=on_progress,
        )
    command = _command(told, names, dataset)
    if as_json:
        print_json(_as_json(told, command))
    elif markdown:
        say(_as_markdown(told, command))
    else:
        table(_title(told), _columns(), [_cells(row) for row in told.rows])
        say(_about(told))


def _command(told: RegionComparison, names: tuple[str, ...], dataset: str) -> str:
    """Returns the command that prints this table again, without the library's path."""
    words = ["taptrail", "regions", "compare", "--source", told.source, "--against", told.against]
    for name in names:
        words += ["--episode", name]
    if dataset:
        words += ["--dataset", dataset]
    if told.model:
        words += ["--model", f"{told.model} {told.version}"]
    return shlex.join(words)


def _title(told: RegionComparison) -> str:
    made = f" ({told.model} {told.version})" if told.model else ""
    return tr(
        "{source}{made} against {against}", source=told.source, made=made, against=told.against
    )


def _about(told: RegionComparison) -> str:
    steps = told.step_set
    return tr(
        "{n} of {presses} presses have a box to measure by. Steps: {name}, sha256 {sha256}.",
        n=steps.count,
        presses=f"{told.presses:,}",
        name=steps.name,
        sha256=steps.sha256,
    )


def _columns() -> tuple[str, ...]:
    return (
        tr("kind"),
        "n",
        tr("none"),
        tr("mean IoU"),
        "> 0.5",
        "> 0.75",
        tr("inside"),
        tr("covered"),
        tr("best IoU"),
    )


def _cells(row: RegionAgreement) -> tuple[str, ...]:
    def number(value: float | None) -> str:
        return "" if value is None else f"{value:.2f}"

    def share(hits: int) -> str:
        return tr("{hits} of {total}", hits=hits, total=row.n)

    return (
        tr("all") if row.kind is None else tr(row.kind.value),
        str(row.n),
        str(row.missing),
        number(row.mean_iou),
        share(row.above_half),
        share(row.above_three_quarters),
        number(row.inside),
        number(row.covered),
        number(row.best_iou),
    )


def _as_markdown(told: RegionComparison, command: str) -> str:
    cells = [_columns(), *(_cells(row) for row in told.rows)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    lines.insert(1, "| --- |" + " ---: |" * (len(_columns()) - 1))
    return "\n".join(
        (
            f"**{_title(told)}**",
            "",
            *lines,
            "",
            _about(told),
            "",
            tr(
                "n: presses both have a box for; none: only the second has one; inside: share of "
                "the box inside the other; covered: share of the other it covers; best IoU: of the "
                "best box there is."
            ),
            "",
            f"Taptrail {_taptrail()}: `{command}`",
        )
    )


def _as_json(told: RegionComparison, command: str) -> dict[str, Any]:
    steps = told.step_set
    return {
        "source": told.source,
        "against": told.against,
        "model": told.model,
        "version": told.version,
        "step_set": {"name": steps.name, "n": steps.count, "sha256": steps.sha256},
        "presses": told.presses,
        "unknown": told.unknown,
        "rows": [
            {
                "kind": "all" if row.kind is None else row.kind.value,
                "n": row.n,
                "none": row.missing,
                "mean_iou": row.mean_iou,
                "above_0.5": row.above_half,
                "above_0.75": row.above_three_quarters,
                "inside": row.inside,
                "covered": row.covered,
                "best_iou": row.best_iou,
            }
            for row in told.rows
        ],
        "command": command,
        "taptrail": _taptrail(),
    }


def _taptrail() -> str:
    try:
        return importlib.metadata.version("taptrail")
    except importlib.metadata.PackageNotFoundError:  # run from a folder, not installed
        return "0"
