"""The user's judgement of the shown step: three buttons with keys, and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from taptrail.gui import icons, theme
from taptrail.gui.commands import key
from taptrail.gui.components import cells, keycap
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.fields import FormField
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Section, WidgetRow, section_head
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.words import tr


class Says(StrEnum):
    """The possible judgements of a step; the value is the command name."""

    RIGHT = "judge-right"
    GOLD = "judge-gold"
    VERDICT = "judge-verdict"


_ICONS = {
    Says.RIGHT: ("check", "match"),
    Says.GOLD: ("flag-outline", "mismatch"),
    Says.VERDICT: ("scale-balance", "text2"),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """State of one of the three judgements.

    Attributes:
        off: why it is disabled; "" if it is enabled.
        reason: the user's reason; None if the user has not made this judgement.
    """

    off: str = ""
    reason: str | None = None


class Judgement(Section):
    """The section "Your judgement".

    Signals:
        said: the judgement and its reason; the reason is "" for an alternative.
        taken_back: the objection that the user withdrew.
        left: the user left the form; the focus should return to where it was.
    """

    said = Signal(object, str)
    taken_back = Signal(object)
    left = Signal()

    def __init__(self) -> None:
        self._who = ElidedLabel("", CAPTION, ink="text3")
        self.buttons = {says: _Choice(says) for says in Says}
        self._about = label("", FACTS, 600, wrap=True)
        self.reason = FormField(tr("Reason"), tr("reason, shown in the history"))
        self._wrong = label("", CAPTION, tone="record", wrap=True)
        self.go = Button("", kind=MAIN)
        self._back = Button(tr("Take it back"), "undo-variant", kind=QUIET)
        cancel = Button(tr("Cancel"), kind=QUIET)
        self._form = Section(
            None,
            self._about,
            self.reason,
            self._wrong,
            WidgetRow(self.go, self._back, None, cancel),
        )
        self._form.column.setContentsMargins(0, 0, 0, 0)
        self._note = label("", CAPTION, tone="3", wrap=True)
        super().__init__(
            section_head(tr("Your judgement"), None, self._who),
            *self.buttons.values(),
            self._form,
            self._note,
            line=False,
        )
        self._standing: dict[Says, Standing] = {}
        self._asking = Says.GOLD
        for says, button in self.buttons.items():
            button.clicked.connect(lambda _=False, s=says: self.say(s))
        self.reason.done.connect(self._send)
        self.reason.left.connect(self.close_form)
        self.go.clicked.connect(self._send)
        self._back.clicked.connect(self._take_back)
        cancel.clicked.connect(self.close_form)
        self.close_form(quiet=True)

    def show_standing(self, who: str, standing: dict[Says, Standing], note: str = "") -> None:
        """Shows the user's judgements and the enabled buttons.

        Args:
            note: the consequence, as one sentence.
        """
        self._who.set_text(who)
        self._standing = standing
        for says, button in self.buttons.items():
            button.show_standing(standing.get(says, Standing(tr("Choose a step"))))
        self._note.setText(note)
        self._note.setVisible(bool(note))

    def say(self, says: Says) -> None:
        """Accepts an answer as an alternative, or asks for the reason of an objection."""
        found = self._standing.get(says, Standing(tr("Choose a step")))
        if found.off:
            return
        if says is Says.RIGHT:
            self.said.emit(says, "")
            return
        self._asking = says
        gold = says is Says.GOLD
        self._about.setText(
            tr("What is wrong with the gold?") if gold else tr("Why is the verdict wrong?")
        )
        self.go.set_words(tr("The gold is wrong") if gold else tr("Disagree"))
        self.reason.setText(found.reason or "")
        self._back.setVisible(found.reason is not None)
        self._say_wrong("")
        for button in self.buttons.values():
            button.hide()
        self._form.show()
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.reason.selectAll()

    def form_open(self) -> bool:
        """Returns whether the form for the reason is open."""
        return self._form.isVisibleTo(self)

    def close_form(self, *, quiet: bool = False) -> None:
        """Closes the form and shows the three buttons again."""
        self._form.hide()
        for button in self.buttons.values():
            button.show()
        if not quiet:
            self.left.emit()

    def words(self) -> list[str]:
        """Returns the texts of the three buttons."""
        return [button.text() for button in self.buttons.values()]

    def _send(self) -> None:
        words = self.reason.text().strip()
        if not words:
            self._say_wrong(tr("Say why."))
            return
        self.close_form()
        self.said.emit(self._asking, words)

    def _take_back(self) -> None:
        self.close_form()
        self.taken_back.emit(self._asking)

    def _say_wrong(self, words: str) -> None:
        self.reason.say_wrong(wrong=bool(words))
        self._wrong.setText(words)
        self._wrong.setVisible(bool(words))


class _Choice(QAbstractButton):
    """A button with key, icon and text; shows the reason if the judgement was made."""

    def __init__(self, says: Says) -> None:
        super().__init__()
        self._says, self._cap = says, keycap.words(key(says.value))
        self._more = ""
        self.setFixedHeight(28)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCheckable(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.show_standing(Standing())

    def show_standing(self, found: Standing) -> None:
        said = found.reason is not None
        words = {
            Says.RIGHT: tr("Accepted as right, too")
            if said
            else tr("Accept as another right action"),
            Says.GOLD: tr("Gold is wrong") if said else tr("The gold step is wrong…"),
            Says.VERDICT: tr("You disagree") if said else tr("Disagree with the verdict…"),
        }[self._says]
        self._more = found.reason or ""
        self.setText(words)
        self.setEnabled(not found.off)
        self.setProperty("said", said)
        self.setAccessibleName(f"{words}: {self._more}" if self._more else words)
        self.setToolTip(
            tip("\n".join(x for x in (f"{words}  {self._cap}", found.off, self._more) if x))
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        said = bool(self.property("said"))
        if not (self.isEnabled() or said):
            painter.setOpacity(0.55)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        down = self.isEnabled() and (self.underMouse() or self.isDown())
        ground = "accent_tint" if said else "hover" if down else "button"
        painter.setPen(QPen(theme.colour("line2"), 1))
        painter.setBrush(theme.colour(ground))
        painter.drawRoundedRect(box, 5, 5)
        middle = self.height() / 2
        x = 10 + keycap.paint(painter, 10, middle, self._cap) + 8
        icon, ink = _ICONS[self._says]
        icons.paint(painter, icon, QPointF(x + 8, middle), 16, ink)
        x += 24
        room = QRectF(x, 0, self.width() - x - 8, self.height())
        cells.line(painter, room, self.text(), font(BODY, 500), "text1")
        if self._more:
            painter.setFont(font(BODY, 500))
            across = painter.fontMetrics().horizontalAdvance(self.text()) + 6.0
            cells.line(painter, room.adjusted(across, 0, 0, 0), self._more, font(FACTS), "text2")
