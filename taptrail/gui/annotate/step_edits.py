"""Edits of the current step; each is one line of the journal."""

from __future__ import annotations

from annotator.corrections import ActionChange
from episodes.annotations import Author, Status
from episodes.store.library import Library
from taptrail.gui.annotate.edit_queue import EditQueue
from taptrail.gui.annotate.modes import ChosenTarget
from taptrail.gui.annotate.reshape_form import Reshaping
from taptrail.gui.annotate.state import AnnotateState
from taptrail.usecases import editing


class StepEdits:
    """Queues each edit; the EditQueue reports the result."""

    def __init__(self, state: AnnotateState, edits: EditQueue) -> None:
        self._state, self._edits = state, edits

    def take(self, taken: ChosenTarget) -> None:
        """Makes a region the target of the step, or the author's choice in a round."""
        opened, whole = self._state.opened(), self._state.whole
        if opened is not None and whole is not None:
            self._edits.take(whole.episode, opened.step, taken)

    def label(self, place: int, words: str) -> None:
        """Sets the label of one of the step's regions, by its list position."""
        uuid, index = self._state.uuid(), self._state.index
        self._edits.make(
            uuid,
            lambda library, author: library.editor(author).label_region(uuid, index, place, words),
        )

    def write(self, name: str, words: str) -> None:
        """Changes texts of the step."""
        uuid, index = self._state.uuid(), self._state.index
        self._edits.make(
            uuid,
            lambda library, author: library.editor(author).change_texts(
                uuid, index, **{name: words}
            ),
        )

    def change_action(self, change: ActionChange, reason: str, *, also: bool) -> None:
        """Corrects the action, or adds an alternative."""
        opened, whole = self._state.opened(), self._state.whole
        if opened is None or whole is None:
            return
        episode, step = whole.episode, opened.step
        make = editing.add_alternative if also else editing.change_action
        self._edits.make(
            episode.uuid,
            lambda library, author: make(library, episode, step, change, author, reason),
        )

    def as_recorded(self, reason: str) -> None:
        """Makes the recorded action the gold again."""
        opened, whole = self._state.opened(), self._state.whole
        if opened is None or whole is None:
            return
        episode, step = whole.episode, opened.step
        self._edits.make(
            episode.uuid,
            lambda library, author: editing.return_to_recorded(
                library, episode, step, author, reason
            ),
        )

    def drop_alternative(self, number: int) -> None:
        """Rejects an alternative action."""
        uuid, index = self._state.uuid(), self._state.index
        self._edits.make(
            uuid,
            lambda library, author: library.editor(author).set_gold_status(
                uuid, index, number, Status.REJECTED
            ),
        )

    def reshape(self, doing: Reshaping, reason: str, at: int | None) -> None:
        """Deletes the step, splits it, or merges it with the next one."""
        opened, whole = self._state.opened(), self._state.whole
        if opened is None or whole is None:
            return
        episode, step, steps, row = (
            whole.episode,
            opened.step,
            self._state.steps(),
            self._state.row(),
        )

        def change(library: Library, author: Author) -> object:
            if doing is Reshaping.DELETE:
                return library.editor(author).delete_step(episode.uuid, step.index, reason)
            if doing is Reshaping.SPLIT:
                return editing.split_step(library, episode, step, author, at, reason)
            both = [steps[row].index, steps[row + 1].index]
            return editing.merge_steps(library, episode, both, author, reason)

        self._edits.make(episode.uuid, change)
