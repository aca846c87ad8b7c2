"""Accepts, clears and labels the target of the current step, and goes to the next step."""

from __future__ import annotations

from PySide6.QtCore import QObject

from episodes.annotations import Status
from taptrail.gui.annotate.modes import ChosenTarget
from taptrail.gui.annotate.navigation import StepNavigation
from taptrail.gui.annotate.sam2_prompts import PromptPoints
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.step_edits import StepEdits
from taptrail.gui.annotate.tool_controller import ToolController
from taptrail.gui.annotate.view import AnnotateView


class TargetAcceptance(QObject):
    """Implements the main button, `Del` and the label field."""

    def __init__(
        self,
        state: AnnotateState,
        parts: AnnotateView,
        changes: StepEdits,
        prompts: PromptPoints,
        tool_control: ToolController,
        navigation: StepNavigation,
    ) -> None:
        super().__init__()
        self._state, self._parts, self._changes = state, parts, changes
        self._prompts, self._tool_control, self._navigation = prompts, tool_control, navigation
        decision = parts.decision
        decision.accept.connect(self.accept)
        decision.clear.connect(self.clear_target)
        decision.labelled.connect(self._label)
        tool_control.confirmed.connect(self.accept)

    def accept(self) -> None:
        """Accepts the drawn box or the candidate in focus, then goes to the next step to review."""
        state, decision = self._state, self._parts.decision
        opened = state.opened()
        if opened is None or state.read_only or decision.form_open() or self._parts.screens.after:
            return
        decision.keep()
        drawing = self._tool_control.drawing()
        drawn, choice = self._tool_control.drawn(), state.chosen()
        if (drawing and drawn is None) or (
            not drawing and choice is None and opened.candidates is not None
        ):
            return
        words = state.labels.get(state.label_key(drawing=drawing))
        if drawn is not None:
            self._changes.take(ChosenTarget(drawn, words, state.seconds()))
        elif choice is not None and not self._is_so(choice.region.chosen, choice.region.status):
            self._changes.take(ChosenTarget(choice.region, words, state.seconds()))
        if opened.candidates is not None or drawn is not None or choice is not None:
            state.ahead.add(opened.step.index)
        self._done_here()

    def clear_target(self) -> None:
        """Removes the prompt points; if there are none, clears the target of the step."""
        state = self._state
        opened = state.opened()
        if opened is None or state.read_only or self._prompts.clear():
            return
        if not state.round:
            if opened.step.target is not None:
                self._changes.take(ChosenTarget(None))
        elif opened.candidates is not None:
            self._changes.take(ChosenTarget(None, None, state.seconds()))
            state.ahead.add(opened.step.index)
            self._done_here()

    def _done_here(self) -> None:
        state = self._state
        state.forget_labels(state.index)
        state.points.pop(state.index, None)
        state.corners = []
        self._tool_control.after_step()
        self._navigation.go_on()

    def _is_so(self, chosen: bool, status: Status) -> bool:
        """Returns whether the target is already set. Settling a round saves it even then."""
        settling = self._state.whole is not None and bool(self._state.whole.letters)
        return chosen and status is Status.ACCEPTED and not settling

    def _label(self, words: str) -> None:
        state, drawing = self._state, self._tool_control.drawing()
        choice = state.chosen()
        settled = choice is not None and choice.region.chosen and choice.stored is not None
        if not settled or choice is None or drawing or state.round:
            state.labels[state.label_key(drawing=drawing)] = words
        elif choice.stored is not None:
            self._changes.label(choice.stored, words)
