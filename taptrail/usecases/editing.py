"""Edits of episodes and steps, with undo, redo and a readable history.

All functions take an open library. Each change adds one line to the journal.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotator.corrections import ActionChange, correct_action
from annotator.gold_actions import current_gold
from annotator.step_merging import cut_step, join_steps
from episodes.actions import Action
from episodes.annotations import Author, Edit, Objection
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.steps import Step
from episodes.store.library import Library


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A line of the journal in readable form.

    Attributes:
        episode: its uuid.
        stands: whether it is in force; False if it was undone.
        words: description, e.g. "Accept a region".
        reason: as given by its author.
        by_program: whether a program made it; undo takes edits by people first.
    """

    number: int
    made_utc: str
    author: str
    episode: str
    step: int | None
    operation: str
    words: str
    reason: str
    stands: bool
    by_program: bool = False


def change_action(
    library: Library,
    episode: Episode,
    step: Step,
    change: ActionChange,
    author: Author,
    reason: str = "",
) -> int:
    """Corrects the action in force and returns the number of the new gold action.

    Raises:
        KnownError: the action is not possible, or nothing changes.
    """
    action = _changed(step, change)
    return library.editor(author).correct_action(episode.uuid, step.index, action, reason)


def add_alternative(
    library: Library,
    episode: Episode,
    step: Step,
    change: ActionChange,
    author: Author,
    reason: str = "",
) -> int:
    """Adds an alternative, given as a change of the action in force; returns its number.

    Raises:
        KnownError: as `change_action`.
    """
    action = _changed(step, change)
    return library.editor(author).add_alternative(episode.uuid, step.index, action, reason)


def return_to_recorded(
    library: Library, episode: Episode, step: Step, author: Author, reason: str = ""
) -> Edit | None:
    """Makes the recorded action the gold action again; returns None if it is already."""
    return library.editor(author).return_to_recorded(episode.uuid, step.index, reason)


def merge_steps(
    library: Library,
    episode: Episode,
    indices: Sequence[int],
    author: Author,
    reason: str = "",
    action: Action | None = None,
) -> Step:
    """Merges neighbouring steps and returns the result; `action` is the action of the merged step.

    Raises:
        KnownError: they are not neighbours, or the merged action is unknown.
    """
    by_index = {step.index: step for step in episode.steps}
    missing = [index for index in indices if index not in by_index]
    if missing:
        raise KnownError(
            f"merge steps of {episode.name}",
            f"it has no step {missing[0]}",
            "Name neighbouring steps.",
        )
    made = join_steps(
        [replace(by_index[at], action=current_gold(by_index[at]).action) for at in indices], action
    )
    library.editor(author).replace_steps(episode.uuid, list(indices), [made], reason)
    return made


def split_step(
    library: Library,
    episode: Episode,
    step: Step,
    author: Author,
    at: int | None = None,
    reason: str = "",
) -> tuple[Step, Step]:
    """Splits a step and returns the two new steps; a text is cut before character `at`.

    Raises:
        KnownError: it cannot be split, or later steps with answers of a run would be renumbered.
    """
    first, second = cut_step(replace(step, action=current_gold(step).action), at)
    library.editor(author).replace_steps(episode.uuid, [step.index], [first, second], reason)
    return first, second


def mark_private(
    library: Library,
    episode: Episode,
    author: Author,
    step: Step | None = None,
    box: Box | None = None,
    reason: str = "",
) -> Edit:
    """Marks an episode, a step or a box as private, which excludes it from every export."""
    editor = library.editor(author)
    if step is not None and box is not None:
        return editor.add_private_box(episode.uuid, step.index, box, reason)
    return editor.set_private(episode.uuid, None if step is None else step.index, True)


def mark_public(
    library: Library,
    episode: Episode,
    author: Author,
    step: Step | None = None,
    box: int | None = None,
) -> Edit:
    """Removes a private mark; `box` is an index in `Step.private_boxes`."""
    editor = library.editor(author)
    if step is not None and box is not None:
        return editor.remove_private_box(episode.uuid, step.index, box)
    return editor.set_private(episode.uuid, None if step is None else step.index, False)


def history(library: Library, uuid: str | None = None) -> tuple[HistoryLine, ...]:
    """Returns the readable journal of an episode or of all, oldest first."""
    edits = library.edits(uuid)
    by_number = {edit.number: edit for edit in edits}
    by_turn = {edit.undone_by: edit for edit in edits if edit.undone_by is not None}

    def turned(edit: Edit) -> Edit | None:
        """Returns the edit of an undo or redo; None for other edits, or if it was not stored."""
        found = by_number.get(edit.turns) if edit.turns is not None else by_turn.get(edit.number)
        return turned(found) if found is not None and found.operation in _TURNS else found

    return tuple(_line(edit, turned(edit)) for edit in edits)


def next_undo(lines: Sequence[HistoryLine]) -> HistoryLine | None:
    """Returns the line of a `history` that undo would take back."""
    edits = [line for line in lines if line.operation not in _TURNS and line.stands]
    found = [line for line in edits if not line.by_program] or edits
    return found[-1] if found else None


def next_redo(lines: Sequence[HistoryLine]) -> HistoryLine | None:
    """Returns the undo line of a `history` that redo would reverse."""
    undone = [line for line in lines if line.operation == "undo" and line.stands]
    edits = [line for line in lines if line.operation not in _TURNS and not line.by_program]
    if not undone or (edits and undone[-1].number < edits[-1].number):
        return None
    return undone[-1]


def words_of(edit: Edit) -> str:
    """Returns a description of an edit."""
    after = json.loads(edit.after)
    if edit.operation == "region.accept" and after.get("round"):
        return "Settle a blind choice"
    if edit.operation == "region.accept" and not _chosen(after):
        return "Reject a region"
    if edit.operation == "region.choose":
        return "Choose a region" if after.get("chosen") else "Clear the target"
    if edit.operation == "step.judge" and after.get("judgement"):
        gold = after.get("objection") == Objection.GOLD
        return "Say that the gold is wrong" if gold else "Disagree with a verdict"
    if edit.operation == "episode.state":
        return "Delete the episode" if after.get("state") == "deleted" else "Restore the episode"
    if edit.operation in _EITHER:
        name, yes, no = _EITHER[edit.operation]
        return yes if after.get(name) else no
    return _WORDS.get(edit.operation, edit.operation)


def _changed(step: Step, change: ActionChange) -> Action:
    action = current_gold(step).action
    made = correct_action(action, change)
    if made == action:
        raise KnownError(
            f"change the action of step {step.index}", "it is so already", "Change something of it."
        )
    return made


def _reason(after: Any) -> str:
    """Returns the author's reason for the change, or for what it settles."""
    if not isinstance(after, dict):
        return ""
    for state in (after, after.get("accepted"), after.get("review"), after.get("judgement")):
        if isinstance(state, dict) and isinstance(state.get("reason"), str):
            return str(state["reason"])
    return ""


def _line(edit: Edit, about: Edit | None) -> HistoryLine:
    after = json.loads(edit.after)
    reason = _reason(after)
    words = words_of(edit)
    return HistoryLine(
        edit.number,
        edit.made_utc,
        edit.author.name,
        edit.episode,
        edit.step,
        edit.operation,
        f"{words}: {words_of(about).lower()}" if about is not None else words,
        str(reason),
        edit.undone_by is None,
        edit.author.kind == "program",
    )


def _chosen(after: dict[str, object]) -> bool:
    parts = after.get("parts")
    return isinstance(parts, list) and any(
        part["operation"] == "region.choose" and part["state"]["chosen"] for part in parts
    )


_TURNS = ("undo", "redo")
_EITHER = {
    "step.delete": ("deleted", "Delete a step", "Restore a step"),
    "step.private": ("private", "Mark a step as private", "Let a step out again"),
    "episode.private": ("private", "Mark the episode as private", "Let the episode out again"),
    "private_box.add": ("there", "Mark a box as private", "Show a private box"),
    "finding.accept": ("accepted", "Accept a finding", "Open a finding again"),
    "finding.accept_of_episode": ("accepted", "Accept a finding", "Open a finding again"),
    "episode.review": ("review", "Judge the episode", "Take the judgement back"),
    "blind.choose": ("choice", "Choose blind", "Take a blind choice back"),
    "step.judge": ("judgement", "Object", "Take an objection back"),
}
_WORDS = {
    "undo": "Undo",
    "redo": "Redo",
    "instruction.change": "Change the instruction",
    "attempt.set": "Judge the attempt",
    "step.instruction": "Change a step's instruction",
    "step.texts": "Change a step's words",
    "region.add": "Add a region",
    "region.accept": "Accept a region",
    "region.propose": "Propose regions",
    "region.label": "Name a region",
    "region.status": "Judge a region",
    "gold.add": "Add an alternative",
    "gold.status": "Judge a gold action",
    "action.change": "Change the action",
    "steps.merge": "Merge steps",
    "step.split": "Split a step",
}
