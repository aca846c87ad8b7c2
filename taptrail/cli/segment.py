"""`taptrail segment`: segments the target of each press of a library with SAM 2."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, library_option, print_json, progress, say
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.segment_queue import SegmentationProgress


@click.command(
    help=tr(
        "Segment each press with SAM 2 and store the masks as candidates. Finished presses are "
        "skipped, so the command can be stopped and continued."
    )
)
@click.option("--episode", "names", multiple=True, help=tr("Only this one; may be given again."))
@click.option("--dataset", default="", help=tr("Only episodes of this data set."))
@click.option("--model", default="", help=tr("Name of the checkpoint; see taptrail models list."))
@click.option("--limit", type=click.IntRange(0), help=tr("The maximum number of presses."))
@click.option(
    "--accept",
    "level",
    type=click.Choice(("high", "medium")),
    help=tr("Accept the rules' choice from this confidence on."),
)
@library_option
@json_option
def segment(
    names: tuple[str, ...],
    dataset: str,
    model: str,
    limit: int | None,
    level: str | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail segment`"""
    from annotator.candidates import Level
    from episodes.store.queries import EpisodeQuery
    from taptrail.cli.author import author, kept_settings
    from taptrail.usecases import models
    from taptrail.usecases.segment_queue import segment_library

    newest: list[SegmentationProgress] = []
    try:
        with (
            models.open_segmenter(kept_settings(), model) as segmenter,
            progress(tr("Segmenting")) as on_progress,
        ):
            told = segment_library(
                library,
                segmenter,
                author(),
                query=EpisodeQuery(dataset=dataset),
                names=names,
                dataset=dataset or None,
                limit=limit,
                accept_from=Level(level) if level else None,
                on_progress=on_progress,
                on_step=lambda told: newest.__setitem__(slice(None), [told]),
            )
    except KeyboardInterrupt:
        done = newest[0].done if newest else 0
        words = tr("{n} press is stored.", "{n} presses are stored.", n=done)
        click.echo(f"{words} {tr('Run the same command again to continue.')}", err=True)
        raise
    if as_json:
        print_json(told_as_json(told))
    else:
        _say(told)


def told_as_json(told: SegmentationProgress) -> dict[str, Any]:
    """Returns the result for `--json`."""
    return {
        "model": told.model.name,
        "version": told.model.version,
        "waiting": told.waiting,
        "done": told.done,
        "left": told.left,
        "regions": told.regions,
        "accepted": told.accepted,
        "levels": dict(sorted(told.levels.items())),
        "without_mask": [{"where": where, "why": why} for where, why in told.without_mask],
        "failed": [{"where": where, "why": why} for where, why in told.failed],
        "seconds_per_press": None if told.seconds is None else round(told.seconds, 3),
    }


def _say(told: SegmentationProgress) -> None:
    if not told.waiting:
        say(tr("{model} was asked about every press.", model=told.model.name))
        return
    say(
        tr(
            "{done} of {waiting} presses were asked about; {regions} candidates are new, "
            "{accepted} are accepted.",
            done=f"{told.done:,}",
            waiting=f"{told.waiting:,}",
            regions=f"{told.regions:,}",
            accepted=f"{told.accepted:,}",
        )
    )
    for where, why in (*told.failed, *told.without_mask):
        say(f"{where}: {why}")
    if low := told.levels.get("low"):
        say(tr("A person must decide {n} step.", "A person must decide {n} steps.", n=low))
