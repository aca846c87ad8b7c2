"""The strip of steps in Review, with the words beside it."""

from __future__ import annotations

from collections.abc import Sequence

from taptrail.gui.components.panel import Panel, Row
from taptrail.gui.components.strip import StepStrip
from taptrail.gui.components.words import ElidedLabel, label
from taptrail.gui.fonts import BODY, CAPTION, FACTS
from taptrail.words import tr


class Foot(Panel):
    """112 px: which episode and step, and all its steps."""

    def __init__(self, strip: StepStrip) -> None:
        super().__init__(tr("Steps"))
        self._name = ElidedLabel("", FACTS, mono=True, ink="text2")
        self._step = label("", BODY, 600)
        self._under = label("", CAPTION, tone="3", wrap=True)
        words = Panel(tr("Episode"))
        words.setFixedWidth(140)
        words.column.setContentsMargins(12, 0, 8, 0)
        words.column.setSpacing(3)
        words.add(None, self._name, self._step, self._under, None)
        row = Row(words, strip, gap=0)
        row.row.setStretch(1, 1)
        self.setFixedHeight(112)
        self.add(row)

    def show_step(self, episode: str, number: int, count: int, letters: Sequence[str]) -> None:
        """Says which step of which episode it is, and whose verdicts stand under each step."""
        self._name.set_text(episode)
        self._step.setText(tr("Step {n} of {all}", n=number, all=count))
        names = ", ".join(tr("run {who}", who=letter) for letter in letters)
        self._under.setText(tr("Under each step: {names}", names=names) if names else "")
