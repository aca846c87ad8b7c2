"""`taptrail import` and `taptrail export`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from episodes.errors import KnownError
from taptrail.cli.output import (
    json_option,
    library_option,
    print_json,
    printable,
    progress,
    say,
    table,
)
from taptrail.words import tr

if TYPE_CHECKING:
    from taptrail.usecases.exporting import ExportResult
    from taptrail.usecases.importing import ImportRemark, ImportResult

LISTED = 20


@click.command("import", help=tr("Import a data set's files into the library."))
@click.argument("format_name", metavar="FORMAT")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--version", default="", help=tr("Version of the data set, if the files do not name it.")
)
@click.option("--replace", is_flag=True, help=tr("Replace existing episodes that differ."))
@library_option
@json_option
def import_(
    format_name: str, path: Path, version: str, replace: bool, library: Path, as_json: bool
) -> None:
    """`taptrail import FORMAT PATH`"""
    from taptrail.usecases.importing import import_episodes

    with progress(tr("Importing")) as on_progress:
        found = import_episodes(
            format_name, path, library, version=version, replace=replace, on_progress=on_progress
        )
    if as_json:
        print_json(
            {
                "format": found.format,
                "episodes": found.episodes,
                "steps": found.steps,
                "screens": found.screens,
                "missing_screens": found.missing_screens,
                "splits": list(found.splits),
                "refused": remarks(found.refused),
                "notes": remarks(found.notes),
            }
        )
    else:
        _say_import(found, library)
    _check_import(found, path)


def _check_import(found: ImportResult, path: Path) -> None:
    """Raises KnownError if nothing was imported."""
    if found.episodes or found.splits:
        return
    total = sum(remark.count for remark in found.refused)
    if not total:
        raise KnownError(
            tr("import {path}", path=path),
            tr("it contains no episode"),
            tr("Name the folder or file of the data set."),
        )
    first = found.refused[0]
    raise KnownError(
        tr("import {path}", path=path),
        tr(
            "nothing was imported: {where}: {reason}",
            "nothing was imported; the first of {n} refused items is {where}: {reason}",
            n=total,
            where=printable(first.where),
            reason=printable(first.reason),
        ),
        tr("Check the path, the format and its version."),
    )


def remarks(found: tuple[ImportRemark, ...]) -> list[dict[str, Any]]:
    """Returns remarks as JSON."""
    return [{"where": r.where, "reason": r.reason, "count": r.count} for r in found]


def _say_import(found: ImportResult, library: Path) -> None:
    say(
        tr(
            "{episodes} episodes with {steps} steps are in {library} ({unchanged} were there).",
            episodes=f"{found.episodes:,}",
            steps=f"{found.steps:,}",
            library=library,
            unchanged=f"{found.unchanged:,}",
        )
    )
    say(
        tr(
            "{screens} steps have their picture, {missing} do not.",
            screens=f"{found.screens:,}",
            missing=f"{found.steps - found.screens:,}",
        )
    )
    if found.splits:
        say(
            tr(
                "The split {names} was imported, too.",
                "{n} splits were imported, too: {names}.",
                n=len(found.splits),
                names=", ".join(map(printable, found.splits)),
            )
        )
    _list(tr("Not imported"), found.refused)
    _list(tr("Worth knowing"), found.notes)


def _list(title: str, found: tuple[ImportRemark, ...]) -> None:
    if not found:
        return
    total = sum(remark.count for remark in found)
    rows = [(r.where, r.reason, str(r.count)) for r in found]
    if len(found) > LISTED:
        rows = _by_reason(found)
    if len(rows) > LISTED:
        more = len(rows) - LISTED
        rows = [*rows[:LISTED], (tr("and {more} more reasons", more=more), "", "")]
    table(f"{title} ({total:,})", (tr("where"), tr("why"), tr("how many")), rows)


def _by_reason(found: tuple[ImportRemark, ...]) -> list[tuple[str, str, str]]:
    """Returns a line for each reason, with the first place, so that no rare reason is hidden."""
    places: dict[str, list[ImportRemark]] = {}
    for remark in found:
        places.setdefault(remark.reason, []).append(remark)
    return [
        (
            tr("{where} and {n} more", where=many[0].where, n=len(many) - 1)
            if len(many) > 1
            else many[0].where,
            reason,
            str(sum(remark.count for remark in many)),
        )
        for reason, many in places.items()
    ]


@click.command("export", help=tr("Write episodes as files of a format."))
@click.argument("format_name", metavar="FORMAT")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--version",
    default="",
    help=tr("Version of the format; the newest without it. Of chat: the answers' dialect."),
)
@click.option("--episode", "names", multiple=True, help=tr("Name or uuid; may be given again."))
@click.option("--dataset", default="", help=tr("Only episodes of this data set."))
@click.option("--split", default="", help=tr("Only the episodes of SPLIT or SPLIT/PART."))
@click.option("--coords", default=None, help=tr("Of chat: 0-1, 0-1000, pixels or resized:WxH."))
@click.option(
    "--scroll",
    type=click.Choice(["finger", "content"]),
    default=None,
    help=tr("Of chat: the direction of scrolls: finger or content."),
)
@click.option(
    "--level",
    type=click.Choice(["high", "low", "both"]),
    default=None,
    help=tr("Of chat: level of the instructions; default high."),
)
@click.option(
    "--style",
    type=click.Choice(["conversations", "messages"]),
    default=None,
    help=tr("Of chat: turns with from and value, or with role and content."),
)
@click.option(
    "--history",
    type=click.IntRange(0, 1000),
    default=None,
    help=tr("Of chat: number of previous answers in a row; default 4."),
)
@library_option
@json_option
def export(
    format_name: str,
    folder: Path,
    version: str,
    names: tuple[str, ...],
    dataset: str,
    split: str,
    coords: str | None,
    scroll: str | None,
    level: str | None,
    style: str | None,
    history: int | None,
    library: Path,
    as_json: bool,
) -> None:
    """`taptrail export FORMAT FOLDER`"""
    from episodes.store.queries import EpisodeQuery
    from replay.chat.rows import ChatForm
    from taptrail.usecases.exporting import export_episodes
    from taptrail.usecases.step_sets import split_of

    told = {
        "coordinates": coords,
        "scroll": scroll,
        "level": level,
        "style": style,
        "history": history,
    }
    said: dict[str, Any] = {name: value for name, value in told.items() if value is not None}

    with progress(tr("Exporting")) as on_progress:
        done = export_episodes(
            format_name,
            folder,
            library,
            version=version,
            names=names,
            query=EpisodeQuery(dataset=dataset, split=split_of(split) if split else None),
            form=ChatForm(version, **said) if said else None,
            on_progress=on_progress,
        )
    if as_json:
        print_json(
            {
                "format": done.format,
                "version": done.version,
                "folder": str(done.folder),
                "episodes": done.episodes,
                "steps": done.steps,
                "pictures": done.pictures,
                "losses": [
                    {"what": loss.what, "first": loss.first, "count": loss.count}
                    for loss in done.losses
                ],
            }
        )
    else:
        _say_export(done)
    if not done.episodes:
        raise KnownError(
            tr("export to {folder}", folder=folder),
            tr("no episode could be written"),
            tr("See what was left out, and why, in the list above."),
        )


def _say_export(done: ExportResult) -> None:
    say(
        tr(
            "{episodes} episodes with {steps} steps and {pictures} pictures are in {folder}.",
            episodes=f"{done.episodes:,}",
            steps=f"{done.steps:,}",
            pictures=f"{done.pictures:,}",
            folder=done.folder,
        )
    )
    if done.losses:
        table(
            tr("The format cannot store"),
            (tr("what"), tr("first in"), tr("how many")),
            [(loss.what, loss.first, str(loss.count)) for loss in done.losses],
        )
