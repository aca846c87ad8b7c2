"""Adjudicates a blind round: shows each annotator's choice for a step and sets the target.

The choices of a step are shown side by side, with a letter for each annotator in order of name. A
settled target is an ordinary edit that also names its round, so that open steps can be listed. Undo
removes it.
"""

from __future__ import annotations

import json
import uuid as uuids
from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotator.agreement import SAME_REGION_IOU
from annotator.candidates import Candidates, Level
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
from episodes.geometry import Box
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases.annotating import Choice, OpenStep, StepState, drawn_box, open_step
from taptrail.usecases.blind import checked_round
from taptrail.usecases.box_times import no_round

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class RoundAnnotator:
    """An annotator of a round and their letter."""

    letter: str
    author: Author


@dataclass(frozen=True, slots=True)
class DisputedStep:
    """A step of a round with the choices of all annotators.

    Attributes:
        opened: the distinct choices. The state is LOW if they differ, WAITING if they agree,
            ACCEPTED once the step is settled.
        letters: for each choice, the letters of its annotators ("A", "AB").
        sides: for each choice, the names of its annotators.
        seconds: for each choice, the measured times of its annotators.
    """

    opened: OpenStep
    letters: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    seconds: tuple[tuple[float, ...], ...]


def sides(library: Library, episode: Episode, round_name: str) -> tuple[RoundAnnotator, ...]:
    """Returns the annotators of a round in an episode, sorted by name, with their letters."""
    authors = {one.author for one in library.blind_choices(episode.uuid, round_name)}
    in_order = sorted(authors, key=lambda one: (one.name, one.uuid))
    return tuple(
        RoundAnnotator(LETTERS[at % len(LETTERS)], author) for at, author in enumerate(in_order)
    )


def disputed_steps(library: Library, episode: Episode, round_name: str) -> dict[int, DisputedStep]:
    """Returns all steps of an episode with the choices of a round, by index.

    Raises:
        KnownError: nobody has chosen anything in this round, in this episode.
    """
    wanted = checked_round(round_name)
    choices = library.blind_choices(episode.uuid, wanted)
    if not choices and wanted in {name for name, _, _ in library.blind_rounds()}:
        raise KnownError(
            f"settle the blind round {wanted} in {episode.name}",
            "nobody has chosen anything in it there",
            "Leave the round to mark this episode openly.",
        )
    if not choices:
        raise no_round(library, wanted)
    people = {side.author.uuid: side for side in sides(library, episode, wanted)}
    settled = _settled(library.edits(episode.uuid), wanted)
    return {
        step.index: _disputed(
            episode,
            step,
            [one for one in choices if one.step == step.index],
            people,
            step.index in settled,
        )
        for step in episode.steps
    }


def settle(
    library: Library,
    episode: Episode,
    step: Step,
    round_name: str,
    region: Region | Box | None,
    author: Author,
    label: str | None = None,
    seconds: float | None = None,
) -> Edit:
    """Makes a chosen region or a new box the step's target; None leaves it without a target.

    Raises:
        KnownError: the box covers nothing of the frame.
    """
    editor, named = library.editor(author), checked_round(round_name)
    if isinstance(region, Box):
        region = drawn_box(step, region, author, label or "")
    if region is None or region.box is None:
        return editor.clear_target(episode.uuid, step.index, seconds=seconds, round_name=named)
    plain = replace(region, chosen=False, status=Status.PROPOSED)
    return editor.accept_region(
        episode.uuid, step.index, plain, label, seconds=seconds, round_name=named
    )


def _disputed(
    episode: Episode,
    step: Step,
    choices: list[BlindChoice],
    people: Mapping[str, RoundAnnotator],
    settled: bool,
) -> DisputedStep:
    opened = open_step(episode, step)
    in_order = sorted(choices, key=lambda one: people[one.author.uuid].letter)
    boxes: dict[Box | None, list[BlindChoice]] = {}
    for choice in in_order:
        boxes.setdefault(choice.box, []).append(choice)
    made = [_choice(opened, episode, step, all_) for all_ in boxes.values()]
    if settled and step.target is not None and not any(one.region.chosen for one in made):
        at = opened.target
        made += [opened.choices[at]] if at is not None else []
    found = opened.candidates
    if found is None:
        return DisputedStep(opened, (), (), ())
    level, reason = _level(in_order, people)
    state = StepState.WAITING if level is not Level.LOW else StepState.LOW
    if settled:
        state = StepState.ACCEPTED
    proposed = 0 if level is Level.HIGH else None
    made = [replace(one, proposed=at == proposed) for at, one in enumerate(made)]
    judged: Candidates = replace(found, proposed=None, level=level, reason=reason)
    shown = replace(opened, state=state, choices=tuple(made), candidates=judged)
    letters = ["".join(people[one.author.uuid].letter for one in all_) for all_ in boxes.values()]
    names = [tuple(one.author.name for one in all_) for all_ in boxes.values()]
    times = [
        tuple(one.seconds for one in all_ if one.seconds is not None) for all_ in boxes.values()
    ]
    more = len(made) - len(letters)
    return DisputedStep(
        shown, (*letters, *[""] * more), (*names, *[()] * more), (*times, *[()] * more)
    )


def _choice(opened: OpenStep, episode: Episode, step: Step, said: list[BlindChoice]) -> Choice:
    """Returns the candidate with exactly the chosen box, or else the drawn box."""
    first = said[0]
    for one in opened.choices:
        if one.region.box == first.box and first.box is not None:
            return one
    box = first.box
    edges = "" if box is None else f"{box.left},{box.top},{box.right},{box.bottom}"
    name = f"taptrail:blind/{episode.uuid}/{step.index}/{first.author.uuid}/{edges}"
    region = Region(
        box,
        Provenance(RegionSource.PERSON),
        first.label,
        author=first.author,
        uuid=str(uuids.uuid5(uuids.NAMESPACE_URL, name)),
        chosen=False,
    )
    stored = next((at for at, one in enumerate(step.regions) if one.uuid == region.uuid), None)
    return Choice(region if stored is None else step.regions[stored], stored, None, False)


def _level(said: list[BlindChoice], people: Mapping[str, RoundAnnotator]) -> tuple[Level, str]:
    if not said:
        return Level.LOW, "Nobody has chosen anything here in this round."
    names = ", ".join(one.author.name or "somebody" for one in said)
    if len(said) == 1:
        return Level.MEDIUM, f"Only {names} has chosen here."
    boxes = [one.box for one in said if one.box is not None]
    if not boxes:
        return Level.HIGH, f"{names}: all say that there is no target."
    without = [people[one.author.uuid].letter for one in said if one.box is None]
    if without:
        return Level.LOW, f"{', '.join(without)}: there is no target. The others marked one."
    least = min(one.overlap(other) for one in boxes for other in boxes)
    if least >= SAME_REGION_IOU:
        return Level.HIGH, f"All chose the same region, IoU {least:.2f}."
    return Level.LOW, f"They chose different regions, IoU {least:.2f}."


def _settled(edits: list[Edit], round_name: str) -> set[int]:
    """Returns the indices of steps that an edit in force has settled for this round."""
    accepted = [
        edit for edit in edits if edit.operation == "region.accept" and edit.undone_by is None
    ]
    return {
        edit.step
        for edit in accepted
        if edit.step is not None and json.loads(edit.after).get("round") == round_name
    }
