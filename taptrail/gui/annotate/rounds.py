"""Form that starts or settles a blind round, and the band shown during a round."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent

from taptrail.gui import theme
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.fields import FormField, named
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Icon, Section, WidgetRow
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.usecases.agreement import RoundAgreement
from taptrail.usecases.blind import BlindRound
from taptrail.words import tr


class RoundForm(Section):
    """Signals:
    blind: the name of the round to join, without seeing others' choices.
    settle: the name of the round to settle.
    closed: the user cancelled the form.
    """

    blind = Signal(str)
    settle = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        close = Button(tr("Cancel"), kind=QUIET, size="s")
        self.name = FormField(tr("Round"), tr("a name, such as first-round"))
        self.name.setMaxLength(80)
        self._rounds = label("", CAPTION, tone="3", wrap=True)
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self.choose = Button(tr("Choose blind"), "account-multiple-outline", kind=MAIN, size="l")
        self.decide = Button(tr("Settle it"), "gavel", size="l")
        super().__init__(
            WidgetRow(label(tr("Blind round"), FACTS, 600), None, close),
            label(
                tr("Several people mark the same steps. Nobody sees what the others choose."),
                FACTS,
                tone="2",
                wrap=True,
            ),
            named(tr("Round"), self.name),
            self._rounds,
            self._wrong,
            WidgetRow(self.choose, self.decide, None),
        )
        self._known: set[str] = set()
        self.name.done.connect(lambda: self._send(settle=False))
        self.name.left.connect(self.closed)
        self.choose.clicked.connect(lambda: self._send(settle=False))
        self.decide.clicked.connect(lambda: self._send(settle=True))
        close.clicked.connect(self.closed)
        self.hide()

    def open_with(self, rounds: Sequence[BlindRound]) -> None:
        """Opens the form; `rounds` are the rounds with at least one choice."""
        self._known = {one.name for one in rounds}
        told = [
            tr(
                "{name}: {choices} by {people}",
                name=one.name,
                choices=tr("1 choice", "{n} choices", n=one.choices),
                people=tr("1 person", "{n} people", n=one.authors),
            )
            for one in rounds
        ]
        self._rounds.setText("\n".join(told) or tr("There is no round yet."))
        if not self.name.text() and rounds:
            self.name.setText(rounds[-1].name)
        self.say_wrong("")
        self.show()
        self.name.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.name.selectAll()

    def say_wrong(self, words: str) -> None:
        """Shows why the values are not accepted; "" hides the message."""
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))

    def _send(self, *, settle: bool) -> None:
        name = " ".join(self.name.text().split())
        wrong = ""
        if not name:
            wrong = tr("Give the round a name.")
        elif settle and name not in self._known:
            wrong = tr("Nobody has chosen anything in “{name}”.", name=name)
        self.name.say_wrong(wrong=bool(wrong))
        self.say_wrong(wrong)
        if not wrong:
            (self.settle if settle else self.blind).emit(name)


class RoundBand(WidgetRow):
    """The line above the frame during a round.

    Signals:
        left: the user asked to leave the round.
    """

    left = Signal()

    def __init__(self) -> None:
        self._icon = Icon("account-multiple-outline", 16, "accent")
        self._title = label("", FACTS, 600)
        self._title.setMaximumWidth(280)
        self._more = ElidedLabel("", FACTS, ink="text2")
        self.leave = Button(tr("Leave the round"), "close", kind=QUIET, size="s")
        super().__init__(
            self._icon, self._title, self._more, None, self.leave, height=36, margins=(12, 0, 8, 0)
        )
        self.leave.clicked.connect(self.left)
        self.hide()

    def show_blind(self, name: str, who: str, left: int) -> None:
        """Shows a blind round, and how many steps are left."""
        self._icon.set_icon("account-multiple-outline", "accent")
        self._title.setText(tr("Blind round {name}", name=name))
        self._more.set_text(
            tr("{n} left. {who} chooses; what others chose is not shown.", who=who, n=left)
        )
        self.show()

    def show_settling(self, name: str, agreement: RoundAgreement | None) -> None:
        """Shows that a round is being settled, with the agreement in this episode."""
        self._icon.set_icon("gavel", "accent")
        self._title.setText(tr("Settle round {name}", name=name))
        self._more.set_text(agreement_words(agreement))
        self._more.setToolTip(tip(agreement_words(agreement)))
        self.show()

    def words(self) -> str:
        """Returns the shown text."""
        return f"{self._title.text()}. {self._more.text()}"

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("accent_tint"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


def agreement_words(found: RoundAgreement | None) -> str:
    """Returns the agreement of people, one line for each pair."""
    lines = []
    for one in found.pairs if found is not None else ():
        all_ = one.all
        parts = [tr("same region at {n} of {all}", n=all_.same, all=all_.steps)]
        if all_.mean_iou is not None:
            parts.append(tr("IoU {iou:.2f}", iou=all_.mean_iou))
        parts.append(
            tr("kappa {kappa:.2f}", kappa=all_.kappa)
            if all_.kappa is not None
            else tr("kappa is undefined")
        )
        names = f"{one.first.name} · {one.second.name}"
        lines.append(f"{names}: {', '.join(parts)}")
    return "; ".join(lines) or tr("No two people have chosen at the same step.")
