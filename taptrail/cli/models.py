"""`taptrail models list|get|add`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from taptrail.cli.output import json_option, print_json, progress, say, table
from taptrail.words import tr

if TYPE_CHECKING:
    from annotator.sam2.local_checkpoints import LocalCheckpoint
    from taptrail.settings import Settings
    from taptrail.usecases.models import ListedCheckpoint


@click.group(help=tr("SAM 2's checkpoints, which find the element under a press in the picture."))
def models() -> None:
    """The group."""


@models.command(
    "list", help=tr("List the checkpoints: memory, place, speed, and which one is recommended.")
)
@click.option(
    "--measure",
    "measuring",
    is_flag=True,
    help=tr("First measure the time for a screen; needs torch, sam2 and a minute."),
)
@click.option("--check", is_flag=True, help=tr("Check the sha256 of the local files."))
@json_option
def list_(measuring: bool, check: bool, as_json: bool) -> None:
    """`taptrail models list`"""
    from dataclasses import replace

    from taptrail.usecases import models as usecases

    if measuring:
        with progress(tr("measuring")) as on_progress:
            usecases.measure_models(on_progress)
    found = usecases.list_models(_settings())
    if check:
        found = tuple(
            replace(one, found=usecases.check_model(one.found)) if one.found else one
            for one in found
        )
    if as_json:
        print_json({"models": [_shown(one) for one in found]})
        return
    table(
        "",
        (tr("name"), tr("MB"), tr("memory"), tr("a screen here"), tr("where"), ""),
        [
            (
                one.name,
                f"{one.published.size / 1e6:.0f}" if one.published else "",
                f"{one.published.memory / 1000:.1f} GB" if one.published else "",
                f"{one.measured.embed:.1f} s" if one.measured else tr("not measured"),
                _where(one.found),
                _notes(one),
            )
            for one in found
        ],
    )
    best = next(one for one in found if one.suggested)
    if best.found is None:
        say(tr("Download the recommended one with: taptrail models get {name}", name=best.name))
    if best.measured is None:
        say(tr("Measure them with: taptrail models list --measure"))


@models.command(help=tr("Download a checkpoint; an interrupted download is resumed."))
@click.argument("name")
@click.option("--mirror", default="", help=tr("Address of a folder that has the file."))
@json_option
def get(name: str, mirror: str, as_json: bool) -> None:
    """`taptrail models get NAME`"""
    from taptrail.usecases.models import get_model

    with progress(tr("fetching {name}", name=name)) as on_progress:
        found = get_model(name, _settings(), mirror=mirror, on_progress=on_progress)
    _tell(found, as_json)


@models.command(help=tr("Add a checkpoint from a file; an unlisted one needs --trust."))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--trust", is_flag=True, help=tr("Accept an unlisted file; its masks are marked."))
@click.option("--config", default="", help=tr("Name of sam2's configuration for an unlisted file."))
@json_option
def add(file: Path, trust: bool, config: str, as_json: bool) -> None:
    """`taptrail models add FILE`"""
    from taptrail.usecases.models import add_model

    with progress(tr("reading {name}", name=file.name)) as on_progress:
        found = add_model(file, trust=trust, config=config, on_progress=on_progress)
    _tell(found, as_json)


def _settings() -> Settings:
    from taptrail.settings import load_settings, settings_file

    return load_settings(settings_file())


def _tell(found: LocalCheckpoint, as_json: bool) -> None:
    if as_json:
        print_json(_place(found))
    else:
        say(tr("{name} is ready: {path}", name=found.name, path=found.weights.path))


def _place(found: LocalCheckpoint) -> dict[str, Any]:
    model = found.weights.model
    return {
        "name": found.name,
        "path": str(found.weights.path),
        "where": found.where,
        "sha256": model.checkpoint,
        "listed": model.listed,
        "config": found.weights.config,
        "problem": found.problem,
    }


def _shown(one: ListedCheckpoint) -> dict[str, Any]:
    published, measured = one.published, one.measured
    return {
        "name": one.name,
        "bytes": published.size if published else None,
        "memory_mb": published.memory if published else None,
        "sha256": published.sha256 if published else None,
        "config": published.config if published else None,
        "found": _place(one.found) if one.found else None,
        "seconds_per_screen": round(measured.embed, 3) if measured else None,
        "seconds_per_press": round(measured.ask, 3) if measured else None,
        "suggested": one.suggested,
        "used": one.used,
    }


def _where(found: LocalCheckpoint | None) -> str:
    if found is None:
        return ""
    return f"{found.weights.path}: {found.problem}" if found.problem else str(found.weights.path)


def _notes(one: ListedCheckpoint) -> str:
    notes = []
    if one.used:
        notes.append(tr("used"))
    if one.suggested:
        notes.append(tr("suits here"))
    if one.published is None:
        notes.append(tr("unlisted"))
    return ", ".join(notes)
