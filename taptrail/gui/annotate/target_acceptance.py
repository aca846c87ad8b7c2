"""Accepts, clears and labels the target of the current step, and goes to the next step."""

from __future__ import annotations

from PySide6.QtCore import QObject

from episodes.annotations import Status
from taptrail.gui.annotate.modes import TargetChoice
from taptrail.gui.annotate.navigation import StepNavigation
from taptrail.gui.annotate.sam2_prompts import PromptPoints
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.step_edits import StepEdits
from taptrail.gui.annotate.tool_controller import ToolController
from taptrail.gui.annotate.view import AnnotateView


class TargetAcceptance(QObject):
    """What the main button, `Del` and the field of the label do."""

    def __init__(
        self,
        at: AnnotateState,
        parts: AnnotateView,
        changes: StepEdits,
        prompting: PromptPoints,
        handling: ToolController,
        walking: StepNavigation,
    ) -> None:
        super().__init__()
        self._at, self._parts, self._changes = at, parts, changes
        self._prompting, self._handling, self._walking = prompting, handling, walking
        decision = parts.decision
        decision.accept.connect(self.accept)
        decision.clear.connect(self.clear_target)
        decision.labelled.connect(self._label)
        handling.confirmed.connect(self.accept)

    def accept(self) -> None:
        """Takes what is in focus or drawn, and goes on to the next step to look at."""
        at, decision = self._at, self._parts.decision
        opened = at.opened()
        if opened is None or at.read_only or decision.form_open() or self._parts.sights.after:
            return
        decision.keep()
        drawing = self._handling.drawing()
        drawn, choice = self._handling.drawn(), at.chosen()
        if (drawing and drawn is None) or (
            not drawing and choice is None and opened.candidates is not None
        ):
            return
        words = at.labels.get(at.label_key(drawing=drawing))
        if drawn is not None:
            self._changes.take(TargetChoice(drawn, words, at.seconds()))
        elif choice is not None and not self._is_so(choice.region.chosen, choice.region.status):
            self._changes.take(TargetChoice(choice.region, words, at.seconds()))
        if opened.candidates is not None or drawn is not None or choice is not None:
            at.ahead.add(opened.step.index)
        self._done_here()

    def clear_target(self) -> None:
        """Takes places away; without any leaves the step without a target, or says so blind."""
        at = self._at
        opened = at.opened()
        if opened is None or at.read_only or self._prompting.clear():
            return
        if not at.round:
            if opened.step.target is not None:
                self._changes.take(TargetChoice(None))
        elif opened.candidates is not None:
            self._changes.take(TargetChoice(None, None, at.seconds()))
            at.ahead.add(opened.step.index)
            self._done_here()

    def _done_here(self) -> None:
        at = self._at
        at.forget_labels(at.index)
        at.points.pop(at.index, None)
        at.corners = []
        self._handling.after_step()
        self._walking.go_on()

    def _is_so(self, chosen: bool, status: Status) -> bool:
        """Whether there is nothing to do: what a round settles is told even then."""
        settling = self._at.whole is not None and bool(self._at.whole.letters)
        return chosen and status is Status.ACCEPTED and not settling

    def _label(self, words: str) -> None:
        at, drawing = self._at, self._handling.drawing()
        choice = at.chosen()
        settled = choice is not None and choice.region.chosen and choice.stored is not None
        if not settled or choice is None or drawing or at.round:
            at.labels[at.label_key(drawing=drawing)] = words
        elif choice.stored is not None:
            self._changes.label(choice.stored, words)
