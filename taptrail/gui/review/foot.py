"""Foot of the Review page: the strip of steps, with texts beside it."""

from __future__ import annotations

from collections.abc import Sequence

from episodes.annotations import Decision
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Panel, WidgetRow
from taptrail.gui.components.strip import StepStrip
from taptrail.gui.components.tips import tip
from taptrail.gui.decisions import decision_words
from taptrail.gui.fonts import BODY, CAPTION, FACTS
from taptrail.words import tr


class Foot(Panel):
    """Foot, 112 px high: episode, step, and all steps of the episode."""

    def __init__(self, strip: StepStrip) -> None:
        super().__init__(tr("Steps"))
        self._name = ElidedLabel("", FACTS, mono=True, ink="text2")
        self._step = label("", BODY, 600)
        self._under = label("", CAPTION, tone="3", wrap=True)
        self._review = Chip("")
        self._review.hide()
        words = Panel(tr("Episode"))
        words.setFixedWidth(140)
        words.column.setContentsMargins(12, 0, 8, 0)
        words.column.setSpacing(3)
        words.add(None, self._name, self._step, self._under, self._review, None)
        row = WidgetRow(words, strip, gap=0)
        row.row.setStretch(1, 1)
        self.setFixedHeight(112)
        self.add(row)

    def show_review(self, found: tuple[Decision, str] | None) -> None:
        """Shows the decision on the episode with author and reason; None hides it."""
        self._review.setVisible(found is not None)
        if found is not None:
            icon, tone, word = decision_words(found[0])
            self._review.set_words(word, tone, icon)
            self._review.setToolTip(tip(found[1]))

    def review_word(self) -> str:
        """Returns the word of the shown decision; "" if there is none."""
        return self._review.text() if self._review.isVisibleTo(self) else ""

    def show_step(self, episode: str, number: int, count: int, letters: Sequence[str]) -> None:
        """Shows the episode, the step, and the letters of the runs with verdicts."""
        self._name.set_text(episode)
        self._step.setText(tr("Step {n} of {all}", n=number, all=count))
        names = ", ".join(tr("run {who}", who=letter) for letter in letters)
        self._under.setText(tr("Under each step: {names}", names=names) if names else "")
