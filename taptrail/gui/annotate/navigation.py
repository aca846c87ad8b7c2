"""Moves between steps and between candidates; changes no data."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from taptrail.gui.annotate.frame import Tool
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.view import AnnotateView
from taptrail.usecases.annotating import StepState


class StepNavigation(QObject):
    """Signals:
    leaving: another step is about to be shown; typed text must be saved.
    turned: the current step changed.
    """

    leaving = Signal()
    turned = Signal()

    def __init__(self, state: AnnotateState, parts: AnnotateView) -> None:
        super().__init__()
        self._state, self._parts = state, parts

    def show_step(self, *, moved: bool) -> None:
        """Shows the current step; `moved` is whether the step changed."""
        state, opened = self._state, self._state.opened()
        if opened is None:
            return
        if moved:
            state.node = self._parts.painting.hover = None
            state.corners = []
            state.focus = state.first_focus()
            state.note_shown()
            self.turned.emit()
        elif (
            state.focus is None
            or state.focus >= len(opened.choices)
            or state.target() != state.target_shown
        ):
            state.focus = (
                state.first_focus()
            )  # the next key must not replace the target that was just accepted
        state.target_shown = state.target()
        self._parts.show_step()

    def turn_to(self, row: int) -> None:
        """Shows another step of the open episode."""
        steps = self._state.steps()
        if 0 <= row < len(steps) and steps[row].index != self._state.index:
            self.leaving.emit()
            self._state.index = steps[row].index
            self._parts.decision.close_forms(quiet=True)
            self._parts.frame.zoom_out()
            self.show_step(moved=True)

    def turn_by(self, rows: int) -> None:
        """Goes to the next or previous step."""
        self.turn_to(self._state.row() + rows)

    def next_low(self, by: int) -> None:
        """Goes to the next or previous step that needs a decision by a person."""
        steps = self._state.steps()
        for row in self._state.rows_after(by):
            if self._state.step_state(steps[row].index) is StepState.LOW:
                self.turn_to(row)
                return

    def next_unreviewed(self, by: int) -> None:
        """Goes to the next or previous step that needs a target and has none."""
        row = self._state.next_unreviewed(by)
        if row is not None:
            self.turn_to(row)

    def go_on(self) -> None:
        """Goes to the next step to review; stays if there is none."""
        row = self._state.next_open()
        if row is None:
            self.show_step(moved=False)
        else:
            self.turn_to(row)
        self._parts.frame.setFocus(Qt.FocusReason.OtherFocusReason)

    def order(self, *, by_level: bool) -> None:
        """Sets the order of the queue: by level, or by step."""
        self._state.by_level = by_level
        self._parts.show_queue()

    def focus_on(self, at: int) -> None:
        """Puts a candidate in focus."""
        opened = self._state.opened()
        if opened is not None and 0 <= at < len(opened.choices):
            if self._parts.frame.tool() in (Tool.BOX, Tool.POLYGON):
                self._state.corners = []
                self._parts.frame.set_tool(Tool.SELECT)
                self._parts.show_tools()
            self.set_focus(at)

    def focus_by(self, by: int) -> None:
        """Puts the next larger or smaller candidate in focus."""
        beside = self._state.focus_beside(by)
        if beside is not None and not self._parts.decision.form_open():
            self.focus_on(beside)

    def set_focus(self, at: int | None) -> None:
        """Puts a candidate in focus; by default the proposed one."""
        self._state.focus, self._state.node = at, None
        self._parts.screens.follow()
        self._parts.show_focus()
