"""Opens the forms for actions and steps (correct, delete, merge, split), and sends their edits."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from annotator.corrections import ActionChange
from taptrail.gui.annotate.reshape_form import Reshaping
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.step_edits import StepEdits
from taptrail.gui.annotate.tool_controller import ToolController
from taptrail.gui.annotate.view import AnnotateView


class FormController(QObject):
    """Signals:
    waits: a form waits until its edit is saved.
    """

    waits = Signal()

    def __init__(
        self,
        state: AnnotateState,
        parts: AnnotateView,
        changes: StepEdits,
        tool_control: ToolController,
    ) -> None:
        super().__init__()
        self._state, self._parts, self._changes, self._tool_control = (
            state,
            parts,
            changes,
            tool_control,
        )
        d = parts.decision
        d.edit.connect(self.edit_action)
        d.text.connect(changes.write)
        d.reshape.connect(self.reshape)
        d.drop.connect(self._drop_alternative)
        d.action_form.wanted.connect(self._change_action)
        d.action_form.recorded.connect(self._as_recorded)
        d.action_form.placed.connect(tool_control.show_place)
        d.reshape_form.wanted.connect(self._reshape)

    def edit_action(self) -> None:
        """Opens the form that corrects the action."""
        opened = self._state.opened()
        if opened is not None and not self._state.read_only and not self._state.round:
            self._parts.decision.open_action(opened)
            self._tool_control.show_place(self._parts.decision.action_form.place())

    def reshape(self, doing: Reshaping) -> None:
        """Opens the form that deletes, merges or splits the step."""
        opened, row = self._state.opened(), self._state.row()
        last = row + 1 >= len(self._state.steps())
        if opened is None or self._state.read_only or self._state.round:
            return
        if not (doing is Reshaping.MERGE and last):
            after = None if last else row + 2
            self._parts.decision.open_reshape(doing, opened, row + 1, after)

    def _drop_alternative(self, number: int) -> None:
        if not self._state.read_only:
            self._changes.drop_alternative(number)

    def _change_action(self, change: ActionChange, reason: str, also: bool) -> None:
        self.waits.emit()
        self._changes.change_action(change, reason, also=also)

    def _as_recorded(self, reason: str) -> None:
        self.waits.emit()
        self._changes.as_recorded(reason)

    def _reshape(self, doing: Reshaping, reason: str, at: int | None) -> None:
        self.waits.emit()
        self._changes.reshape(doing, reason, at)
