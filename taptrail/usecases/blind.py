"""Blind rounds: several annotators mark the same steps without seeing each other's choices.

In a round, a step shows its candidates and the annotator's own choice. It shows no target, and no
box, label or mask from other people. A choice does not change the target; the round is settled
later (`taptrail.usecases.adjudicating`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotator.candidates import needs_target
from annotator.gold_actions import current_gold
from episodes.annotations import (
    Author,
    BlindChoice,
    Edit,
    Provenance,
    Region,
    RegionSource,
    Status,
)
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases.annotating import Choice, OpenStep, StepState, open_step

OWN = ("blind.choose", "region.propose")
"""Operations of an annotator in a round that can be undone: choices and mask requests."""
_SHOWN = (RegionSource.SAM2, RegionSource.SUGGESTION)


@dataclass(frozen=True, slots=True)
class BlindRound:
    """A blind round with its number of choices and annotators."""

    name: str
    choices: int
    authors: int


def rounds(library: Library) -> tuple[BlindRound, ...]:
    """Returns the rounds with at least one choice, by name."""
    return tuple(BlindRound(*one) for one in library.blind_rounds())


def blind_step(step: Step, author: Author) -> Step:
    """Returns a step as an annotator sees it in a blind round: without others' annotations."""
    shown = tuple(
        replace(region, chosen=False, status=Status.PROPOSED, label="", author=None)
        for region in step.regions
        if region.provenance.source in _SHOWN and _nobody_elses(region, author)
    )
    return replace(step, regions=shown)


def open_blind(
    episode: Episode, step: Step, author: Author, own: BlindChoice | None = None
) -> OpenStep:
    """Returns a step for a blind round; `own` is the author's choice."""
    opened = open_step(episode, blind_step(step, author))
    if own is None:
        return opened
    at = next((at for at, one in enumerate(opened.choices) if one.region.box == own.box), None)
    choices = list(opened.choices)
    if at is None:
        provenance = Provenance(RegionSource.PERSON if own.box is None else own.source)
        choices.append(Choice(Region(own.box, provenance, author=author), None, None, False))
        at = len(choices) - 1
    region = choices[at].region
    words = own.label or region.label
    chosen = replace(region, chosen=True, status=Status.ACCEPTED, label=words)
    choices[at] = replace(choices[at], region=chosen)
    return replace(opened, choices=tuple(choices), state=StepState.ACCEPTED)


def own_choices(
    library: Library, episode: Episode, round_name: str, author: Author
) -> Mapping[int, BlindChoice]:
    """Returns an author's choices in a round, by step index."""
    all_ = library.blind_choices(episode.uuid, checked_round(round_name))
    return {one.step: one for one in all_ if one.author.uuid == author.uuid}


def open_round(
    library: Library, episode: Episode, round_name: str, author: Author
) -> dict[int, OpenStep]:
    """Returns all steps of an episode as an author sees them in a round, by index."""
    own = own_choices(library, episode, round_name, author)
    return {
        step.index: open_blind(episode, step, author, own.get(step.index)) for step in episode.steps
    }


def choose(
    library: Library,
    episode: Episode,
    step: Step,
    round_name: str,
    region: Region | None,
    author: Author,
    label: str | None = None,
    seconds: float | None = None,
) -> Edit:
    """Stores an author's choice for a step in a round.

    Args:
        region: None if the step has no target.
        label: replaces the region's label.

    Raises:
        KnownError: the round has no name, or the step's action needs no target.
    """
    if not needs_target(current_gold(step).action):
        raise KnownError(
            f"choose in step {step.index} of {episode.name}",
            "its action needs no target",
            "Go to the next step.",
        )
    words = label if label is not None else region.label if region is not None else ""
    return library.editor(author).choose_blind(
        episode.uuid,
        step.index,
        checked_round(round_name),
        region.box if region is not None else None,
        region.provenance.source if region is not None else RegionSource.PERSON,
        words,
        seconds,
    )


def undo(library: Library, uuid: str, round_name: str, author: Author) -> Edit | None:
    """Undoes the author's last choice; returns None if there is none.

    Raises:
        KnownError: another person made the newest edit of the episode, which the round hides.
    """
    standing = [
        edit
        for edit in library.edits(uuid)
        if edit.operation not in ("undo", "redo") and edit.undone_by is None
    ]
    if not standing:
        return None
    last = standing[-1]
    if last.author.uuid != author.uuid or last.operation not in OWN:
        raise KnownError(
            f"take your last choice of the round {round_name} back",
            "somebody has changed the episode since",
            "Choose again at the step: the newer choice counts.",
        )
    return library.undo(author, uuid)


def redo(library: Library, uuid: str, round_name: str, author: Author) -> Edit | None:
    """Redoes the author's choice that was undone last; returns None if there is none."""
    edits = library.edits(uuid)
    undone = [edit for edit in edits if edit.operation == "undo" and edit.undone_by is None]
    if not undone or undone[-1].author.uuid != author.uuid:
        return None
    first = next((edit for edit in edits if edit.undone_by == undone[-1].number), None)
    if first is None or first.operation not in OWN:
        return None
    return library.redo(author, uuid)


def checked_round(name: str) -> str:
    """Returns the normalized name of a round.

    Raises:
        KnownError: it is empty or longer than 80 characters.
    """
    found = " ".join(name.split())
    if not found or len(found) > 80:
        raise KnownError(
            "open a blind round",
            "its name is empty" if not found else f"its name has {len(found)} characters",
            "Give it a short name, such as first-round.",
        )
    return found


def _nobody_elses(region: Region, author: Author) -> bool:
    asked = region.author
    return asked is None or asked.kind != "person" or asked.uuid == author.uuid
