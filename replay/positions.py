"""Rows that name no step, put beside steps by their order: the last way to join a file.

Several evaluators write answers in the order of a list of steps and nothing else. Such rows are
joined only where there are as many of them as steps, and whoever imports them is told: one row that
is lacking would shift all that follow.

Source: eval/eval_scripts of OS-Copilot/OS-Atlas at bad0840, which joins so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from episodes.episodes import Episode
from episodes.errors import KnownError
from replay.dialect import NO_STEP, Limits, Row
from replay.dialects.layouts import place_of, place_of_picture, told_in
from replay.dialects.lines import too_many

Place = tuple[str, int]

_MAX_LINE = 10_000
_OBJECT = re.compile(rb"(\xef\xbb\xbf)?\s*[\[{]")


def name_no_step(rows: Sequence[Row]) -> bool:
    """Says whether no row tells which step it answers, and one of them answers at all."""
    nowhere = all(row.step == NO_STEP and not row.episode for row in rows)
    return nowhere and any(row.value is not None for row in rows)


def in_order(rows: Sequence[Row], places: Sequence[Place]) -> list[Row]:
    """Returns the rows with the places of that number; both are as many.

    A row whose only fault was that it names no step has none any more.
    """
    return [
        replace(
            row,
            episode=episode,
            step=step,
            problem="" if row.value is not None else row.problem,
        )
        for row, (episode, step) in zip(rows, places, strict=True)
    ]


def places_of(episodes: Iterable[Episode]) -> list[Place]:
    """Returns the places of all steps, in order."""
    return [(episode.name, step.index) for episode in episodes for step in episode.steps]


def places_in(path: Path, limits: Limits) -> list[Place]:
    """Returns the steps a file lists: JSON objects that name a step, or names of pictures.

    A line may be `episode_140_screenshot_0`, with or without folder and ending.

    Raises:
        KnownError: the file cannot be read, or one of its lines names no step.
    """
    found: list[Place] = []
    for number, told in _lines(path, limits):
        if isinstance(told, str):
            raise KnownError(
                f"read the order of steps in {path.name}",
                f"row {number} names no step: {told}",
                "Give the file the answers were made from, or a list of its pictures.",
            )
        found.append(told)
    return found


def _lines(path: Path, limits: Limits) -> Iterable[tuple[int, Place | str]]:
    try:
        with path.open("rb") as file:
            objects = _OBJECT.match(file.read(4096)) is not None
    except OSError as error:
        raise KnownError(
            f"read {path.name}", f"{error.strerror}", "Check the file's place and its rights."
        ) from error
    if objects:
        for number, told in told_in(path, limits):
            yield number, told.problem if isinstance(told, Row) else place_of(told)
        return
    with path.open("rb") as file:
        number = 0
        while line := file.readline(_MAX_LINE):
            number += 1
            if number > limits.rows:
                raise too_many(path, limits)
            name = line.decode("utf-8", "replace").strip()
            if name:
                picture = name if "." in name.rsplit("/", 1)[-1] else f"{name}.png"
                yield number, place_of_picture(picture) or f"“{name[:60]}” is no picture's name"
