"""Exports the selected episodes into a folder in a format."""

from __future__ import annotations

from pathlib import Path

from episodes.formats.output_files import Loss
from taptrail.gui.components.messages import EPISODES_DONE
from taptrail.gui.episodes.import_bar import ImportBar, ImportOutcome
from taptrail.gui.episodes.import_controller import title_of
from taptrail.usecases import exporting
from taptrail.words import tr


def export(
    imports: ImportBar,
    folder: Path,
    format_name: str,
    version: str,
    parent: Path,
    uuids: tuple[str, ...],
) -> None:
    """Writes episodes of a library into a new folder inside `parent`; `imports` shows progress."""

    def outcome(result: exporting.ExportResult) -> ImportOutcome:
        words = [
            tr("1 episode", "{n} episodes", n=result.episodes),
            tr("1 step", "{n} steps", n=result.steps),
            tr("1 picture", "{n} pictures", n=result.pictures),
        ]
        text = tr("Exported to {place}: {what}", place=result.folder, what=", ".join(words))
        losses = tuple((first_met(loss), loss.what, loss.count) for loss in result.losses)
        return ImportOutcome(text, losses, result.episodes > 0, "{n} with no place in it")

    imports.run(
        tr("Exporting {name}", name=title_of(format_name)),
        EPISODES_DONE,
        lambda progress: exporting.export_into(
            format_name,
            parent,
            folder,
            version=version,
            uuids=uuids,
            on_progress=progress,
        ),
        outcome,
        "export",
        tr("Stopped. Nothing was left in the folder."),
    )


def first_met(loss: Loss) -> str:
    """Returns where a loss first occurred; steps are counted as in the window."""
    if loss.number is None:
        return tr("first in {place}", place=loss.first)
    episode = loss.first.rpartition(" step ")[0]
    return tr("first in {episode}, step {n}", episode=episode, n=loss.number)
