"""How long people take for a target: from a step's being shown to their choice.

The journal tells it beside each target that a person accepted in the window, and each blind choice.
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
"""Who takes longer than this has been away."""


@dataclass(frozen=True, slots=True)
class BoxTime:
    """One target that a person chose.

    Attributes:
        episode: its uuid.
        round: of a blind round, or of the one that was settled; "" for neither.
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
    """How long one person took. All in seconds."""

    author: Author
    boxes: int
    median: float
    quickest: float
    slowest: float


def box_times(edits: Iterable[Edit]) -> list[BoxTime]:
    """Returns the times that edits tell, those left out that were taken back or lasted too long."""
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
    """Returns how long each person took, those with most boxes first."""
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
    """Returns the times of some episodes by name, or of all; of one round, or of all that was done.

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
    """Returns what is told where there is no such blind round."""
    there = ", ".join(round_name for round_name, _, _ in library.blind_rounds())
    return KnownError(
        f"read the blind round {name}",
        "nobody has chosen anything in it",
        f"Rounds are: {there}." if there else "Begin one: taptrail regions blind start.",
    )
