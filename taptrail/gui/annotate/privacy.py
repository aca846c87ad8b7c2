"""Marks an episode, a step or a box on its screen as private, and removes these marks."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from episodes.annotations import Author, Edit
from episodes.episodes import Episode
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui import icons
from taptrail.gui.annotate.edit_queue import EditQueue
from taptrail.gui.annotate.frame import Tool
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.tool_controller import ToolController
from taptrail.gui.annotate.view import AnnotateView
from taptrail.usecases import editing
from taptrail.words import tr

_Make = Callable[[Library, Episode, Step, Author], Edit]


class PrivacyMarks(QObject):
    """The menu entries and commands for private marks.

    Signals:
        said: a message about what is missing.
    """

    said = Signal(str)

    def __init__(
        self,
        state: AnnotateState,
        parts: AnnotateView,
        edits: EditQueue,
        tool_control: ToolController,
    ) -> None:
        super().__init__()
        self._state, self._parts, self._edits, self._tool_control = (
            state,
            parts,
            edits,
            tool_control,
        )
        parts.decision.menu_opened.connect(self._add_to)

    def toggle_step(self) -> None:
        """Marks the step as private, or removes the mark."""
        self._change(
            lambda library, episode, step, author: (
                editing.mark_public(library, episode, author, step)
                if step.private
                else editing.mark_private(library, episode, author, step)
            )
        )

    def toggle_episode(self) -> None:
        """Marks the whole episode as private, or removes the mark."""
        self._change(
            lambda library, episode, _, author: (
                editing.mark_public(library, episode, author)
                if episode.private
                else editing.mark_private(library, episode, author)
            )
        )

    def hide_box(self) -> None:
        """Marks the drawn box as private: it is black in every export."""
        box = self._parts.frame.draft()
        if box is None:
            self.said.emit(tr("Draw a box first, then mark it as private"))
            return
        made = self._change(
            lambda library, episode, step, author: editing.mark_private(
                library, episode, author, step, box
            )
        )
        if made:
            self._tool_control.take(Tool.SELECT)

    def show_box(self, number: int) -> None:
        """Removes the mark from the private box with this place in `Step.private_boxes`."""
        self._change(
            lambda library, episode, step, author: editing.mark_public(
                library, episode, author, step, number
            )
        )

    def _change(self, make: _Make) -> bool:
        whole, opened = self._state.whole, self._state.opened()
        if whole is None or opened is None or self._state.read_only or self._state.round:
            return False
        episode, step = whole.episode, opened.step
        self._edits.make(episode.uuid, lambda library, author: make(library, episode, step, author))
        return True

    def _add_to(self, menu: QMenu) -> None:
        whole, opened = self._state.whole, self._state.opened()
        if whole is None or opened is None:
            return
        step = opened.step
        entries: list[tuple[str, str, Callable[[], object]]] = []
        if self._parts.frame.draft() is not None:
            entries.append((tr("Mark the drawn box as private"), "eye-off-outline", self.hide_box))
        for number in range(len(step.private_boxes)):
            words = tr("Remove private box {n}", n=number + 1)
            entries.append((words, "eye-outline", lambda n=number: self.show_box(n)))  # type: ignore[misc]
        step_words = (
            tr("Remove the private mark of the step")
            if step.private
            else tr("Mark the step as private")
        )
        episode_words = (
            tr("Remove the private mark of the episode")
            if whole.episode.private
            else tr("Mark the episode as private")
        )
        entries.append((step_words, "lock-outline", self.toggle_step))
        entries.append((episode_words, "lock-outline", self.toggle_episode))
        menu.addSeparator()
        for words, icon, does in entries:
            action = menu.addAction(icons.icon(icon), words)
            action.setEnabled(not self._state.round)
            action.triggered.connect(lambda _=False, d=does: d())
