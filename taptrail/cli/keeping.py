"""`taptrail episodes check|merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from episodes.errors import KnownError
from taptrail.cli.output import json_option, library_option, print_json, progress, say, table
from taptrail.words import tr

LISTED = 20


@click.command(help=tr("Check the library: files, hashes, counts, order, trees."))
@click.option("--dataset", default="", help=tr("Only episodes of this data set."))
@click.option("--repair", is_flag=True, help=tr("Repair what is possible, and list the repairs."))
@library_option
@json_option
def check(dataset: str, repair: bool, library: Path, as_json: bool) -> None:
    """`taptrail episodes check`"""
    from episodes.store.queries import EpisodeQuery
    from taptrail.usecases.library_maintenance import check_library

    with progress(tr("Checking")) as on_progress:
        query = EpisodeQuery(dataset=dataset)
        found = check_library(library, query, repair=repair, on_progress=on_progress)
    if as_json:
        print_json(
            {
                "episodes": found.episodes,
                "rows": found.rows,
                "pictures": found.pictures,
                "segments": found.segments,
                "trees": found.trees,
                "made": found.made,
                "orphans": found.orphans,
                "moved": [{"from": old, "to": new} for old, new in found.moved],
                "findings": [
                    {
                        "episode": fault.episode,
                        "place": fault.place,
                        "found": fault.found,
                        "repaired": fault.repaired,
                    }
                    for fault in found.faults
                ],
            }
        )
    elif found.faults:
        table(
            "",
            (tr("episode"), tr("place"), tr("found"), tr("repaired")),
            [(one.episode, one.place, one.found, one.repaired) for one in found.faults],
        )
    if found.made and not as_json:
        say(
            tr(
                "{n} picture that was never written is made from the video.",
                "{n} pictures that were never written are made from the video.",
                n=found.made,
            )
        )
    if found.orphans and not as_json:
        say(
            tr(
                "{n} file that belongs to no step is in the folder “orphans” of the library.",
                "{n} files that belong to no step are in the folder “orphans” of the library.",
                n=found.orphans,
            )
        )
    if found.left:
        first = found.left[0]
        raise KnownError(
            tr("check the library {library}", library=library),
            tr(
                "{n} thing is wrong, first {first}",
                "{n} things are wrong, first {first}",
                n=len(found.left),
                first=", ".join(part for part in (first.episode, first.place) if part)
                + f": {first.found}",
            ),
            tr("Copy the files from a backup, or import the episodes again.")
            if repair
            else tr("Repair it with --repair, or copy the files from a backup."),
        )
    if not as_json:
        say(
            tr(
                "{episodes} episodes, {pictures} pictures and {segments} videos are whole.",
                episodes=f"{found.episodes:,}",
                pictures=f"{found.pictures:,}",
                segments=f"{found.segments:,}",
            )
        )


@click.command(help=tr("Merge the episodes and edits of another library into this one."))
@click.argument("other", type=click.Path(file_okay=False, path_type=Path))
@library_option
@json_option
def merge(other: Path, library: Path, as_json: bool) -> None:
    """`taptrail episodes merge OTHER`"""
    from taptrail.usecases.library_maintenance import merge_libraries

    with progress(tr("Merging")) as on_progress:
        done = merge_libraries(library, other, on_progress)
    if not (done.added or done.merged or done.unchanged or done.runs or done.refused):
        raise KnownError(
            tr("merge {other}", other=other),
            tr("it contains no episode"),
            tr("Name the folder of the library that holds the episodes."),
        )
    if as_json:
        print_json(_json(done))
        return
    say(
        tr(
            "{added} episodes are new, {merged} got edits, {unchanged} had nothing new; "
            "{edits} edits and {files} files were copied.",
            added=f"{len(done.added):,}",
            merged=f"{len(done.merged):,}",
            unchanged=f"{done.unchanged:,}",
            edits=f"{done.edits:,}",
            files=f"{done.files:,}",
        )
    )
    if done.runs:
        say(tr("Runs that were copied: {names}.", names=", ".join(done.runs)))
    _list(
        tr("Renamed here"),
        (tr("there"), tr("here")),
        [pair for pair in done.added if pair[0] != pair[1]],
    )
    _list(
        tr("Different in both; unchanged here"),
        (tr("episode"), tr("step"), tr("edit"), tr("here"), tr("there")),
        [
            (
                one.episode,
                "" if one.step is None else str(one.step),
                one.operation,
                one.here,
                one.there,
            )
            for one in done.conflicts
        ],
    )
    _list(tr("Not imported"), (tr("what"), tr("why")), done.refused)
    _list(tr("Missing there"), (tr("what"),), [(name,) for name in done.missing])


def _list(title: str, columns: tuple[str, ...], rows: list[Any]) -> None:
    if not rows:
        return
    shown = [tuple(cell[:200] for cell in row) for row in rows[:LISTED]]
    if len(rows) > LISTED:
        more = tr("and {more} more", more=len(rows) - LISTED)
        shown.append((more, *[""] * (len(columns) - 1)))
    table(f"{title} ({len(rows):,})", columns, shown)


def _json(done: Any) -> dict[str, Any]:
    return {
        "added": [{"there": there, "here": here} for there, here in done.added],
        "merged": done.merged,
        "unchanged": done.unchanged,
        "edits": done.edits,
        "files": done.files,
        "runs": done.runs,
        "conflicts": [
            {
                "episode": one.episode,
                "step": one.step,
                "operation": one.operation,
                "here": one.here,
                "there": one.there,
            }
            for one in done.conflicts
        ],
        "refused": [{"what": what, "why": why} for what, why in done.refused],
        "missing": done.missing,
    }


COMMANDS = (check, merge)
