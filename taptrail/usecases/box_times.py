"""Times that people need to choose a target, from showing the step to the choice.

The journal stores the time with each target accepted in the window and with each blind choice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from episodes.annotations import Author, Edit
from episodes.errors import KnownError
from episodes.store.library import Library

LONGEST_S = 300.0
"""Longer times are ignored: the person was away."""


@dataclass(frozen=True, slots=True)
class BoxTime:
    """A target that a person chose, with the time.

    Attributes:
        episode: its uuid.
        round: the blind round of the choice or of its adjudication; "" if there is none.
        made_utc: ISO 8601.
    """

    episode: str
    step: int
    author: Author
    seconds: float
    made_utc: str
    round: str


@dataclass(frozen=True, slots=True)
class AuthorTimes:
    """Statistics of one person's times, in seconds."""

    author: Author
    boxes: int
    median: float
    quickest: float
    slowest: float


def box_times(edits: Iterable[Edit]) -> list[BoxTime]:
    """Returns the times stored with edits, without undone edits and times that are too long."""
    found = []
    for edit in edits:
        if edit.undone_by is not None or edit.step is None:
            continue
        if edit.operation not in ("region.accept", "blind.choose"):
            continue
        after = json.loads(edit.after)
        told = after.get("choice") or {} if edit.operation == "blind.choose" else after
        seconds = told.get("seconds")
        if isinstance(seconds, int | float) and 0 < seconds <= LONGEST_S:
            named = str(after.get("round", ""))
            found.append(
                BoxTime(edit.episode, edit.step, edit.author, float(seconds), edit.made_utc, named)
            )
    return found


def by_author(times: Iterable[BoxTime]) -> list[AuthorTimes]:
    """Returns each person's statistics, most boxes first."""
    each: dict[Author, list[float]] = {}
    for one in times:
        each.setdefault(one.author, []).append(one.seconds)
    found = [
        AuthorTimes(author, len(all_), median(all_), min(all_), max(all_))
        for author, all_ in each.items()
    ]
    return sorted(found, key=lambda one: (-one.boxes, one.author.name))


def times_of(
    library: Library, names: tuple[str, ...] = (), round_name: str | None = None
) -> list[BoxTime]:
    """Returns the times in the named episodes or in all, in one round or in all edits.

    Raises:
        KnownError: there is no such episode or round.
    """
    if round_name and round_name not in {name for name, _, _ in library.blind_rounds()}:
        raise no_round(library, round_name)
    uuids = [library.episode(name).uuid for name in names]
    edits = [edit for uuid in uuids for edit in library.edits(uuid)] if names else library.edits()
    found = box_times(edits)
    return [one for one in found if round_name is None or one.round == round_name]


def no_round(library: Library, name: str) -> KnownError:
    """Returns the error for an unknown blind round."""
    there = ", ".join(round_name for round_name, _, _ in library.blind_rounds())
    return KnownError(
        f"read the blind round {name}",
        "nobody has chosen anything in it",
        f"Rounds are: {there}." if there else "Begin one: taptrail regions blind start.",
    )
