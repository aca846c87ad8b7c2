"""Chips: short texts on a background; verdicts with shape and word; letters of gold and runs."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from episodes.verdicts import Outcome
from episodes.visible_text import visible_text
from taptrail.gui import icons, theme
from taptrail.gui.fonts import CAPTION, FACTS, font
from taptrail.words import tr

HEIGHT = 20
_TONES = {
    "plain": ("unscored_tint", "text2"),
    "outline": ("", "text2"),
    "chosen": ("accent_tint", "accent"),
    "match": ("match_tint", "match"),
    "mismatch": ("mismatch_tint", "mismatch"),
    "record": ("record_tint", "record"),
    "person": ("person_tint", "person"),
}
VERDICT_WORDS = {
    Outcome.MATCH: "Match",
    Outcome.MISMATCH: "Mismatch",
    Outcome.UNSCORED: "Not scored",
}


def chip_width(text: str, icon: str = "") -> float:
    """Returns the width of a chip."""
    across = QFontMetricsF(font(CAPTION, 500)).horizontalAdvance(text)
    return across + 14 + (17 if icon else 0)


def paint_chip(
    painter: QPainter, left: float, middle: float, text: str, tone: str = "plain", icon: str = ""
) -> float:
    """Draws a chip vertically centred on a y coordinate. Returns its width."""
    ground, ink = _TONES[tone]
    across = chip_width(text, icon)
    box = QRectF(left, middle - HEIGHT / 2, across, HEIGHT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if ground:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(ground))
    else:
        painter.setPen(theme.colour("line2"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        box.adjust(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(box, 4, 4)
    x = left + 7
    if icon:
        icons.paint(painter, icon, QPointF(x + 6, middle), 13, ink)
        x += 17
    painter.setFont(font(CAPTION, 500))
    painter.setPen(theme.colour(ink))
    painter.drawText(
        QRectF(x, box.top(), across, box.height()), Qt.AlignmentFlag.AlignVCenter, text
    )
    painter.restore()
    return across


def paint_letter(painter: QPainter, left: float, middle: float, who: str, size: int = 20) -> None:
    """Draws the letter of a run in a square, or of gold in a circle."""
    ground, ink = theme.letter(who)
    box = QRectF(left, middle - size / 2, size, size)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    corner = size / 2 if who == "G" else 4
    painter.drawRoundedRect(box, corner, corner)
    painter.setFont(font(CAPTION if size >= 18 else 10, 700))
    painter.setPen(ink)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, who)
    painter.restore()


class Chip(QWidget):
    """A short text on a background."""

    def __init__(self, text: str, tone: str = "plain", icon: str = "") -> None:
        super().__init__()
        self._text = text = visible_text(text)
        self._tone, self._icon = tone, icon
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        """Returns the word."""
        return self._text

    def set_words(self, text: str, tone: str = "", icon: str | None = None) -> None:
        """Sets the text, and the tone if one is given."""
        self._text = text = visible_text(text)
        self._tone = tone or self._tone
        self._icon = self._icon if icon is None else icon
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(chip_width(self._text, self._icon) + 0.5), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_chip(painter, 0, self.height() / 2, self._text, self._tone, self._icon)


class ChipButton(QAbstractButton):
    """A chip that can be clicked, or removed with its cross."""

    def __init__(self, text: str, *, cross: bool = False) -> None:
        super().__init__()
        text = visible_text(text)
        self.setText(text)
        self.setShortcut(QKeySequence())  # "&" in a name makes no shortcut
        self._cross = cross
        self.setCheckable(not cross)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Take away {term}", term=text) if cross else text)

    def sizeHint(self) -> QSize:
        return QSize(round(chip_width(self.text()) + (16 if self._cross else 0) + 0.5), 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked() or self._cross
        token = "accent_tint" if on else "hover" if self.underMouse() else "unscored_tint"
        box = QRectF(0, 2, self.width(), HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(token))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(font(CAPTION, 500))
        ink = "accent" if on else "text2"
        painter.setPen(theme.colour(ink))
        painter.drawText(box.adjusted(7, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._cross:
            icons.paint(painter, "close", QPointF(self.width() - 11, 12), 12, ink)


class VerdictChip(QWidget):
    """A verdict chip: shape, word and background; never colour alone."""

    def __init__(self, outcome: Outcome | None = None) -> None:
        super().__init__()
        self._outcome = outcome
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_outcome(outcome)

    def show_outcome(self, outcome: Outcome | None) -> None:
        """Shows a verdict; None hides the chip."""
        self._outcome = outcome
        self.setVisible(outcome is not None)
        self.setAccessibleName(self.word())
        self.updateGeometry()
        self.update()

    def word(self) -> str:
        """Returns the verdict's word."""
        return tr(VERDICT_WORDS[self._outcome]) if self._outcome is not None else ""

    def sizeHint(self) -> QSize:
        across = QFontMetricsF(font(FACTS, 600)).horizontalAdvance(self.word())
        return QSize(round(across + 34.5), 22)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._outcome is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        icon, ink = icons.of_outcome(self._outcome)
        box = QRectF(self.rect())
        if self._outcome is Outcome.UNSCORED:
            pen = QPen(theme.colour("text3"), 1)
            pen.setDashPattern([3, 2])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            box.adjust(0.5, 0.5, -0.5, -0.5)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour(f"{ink}_tint"))
        painter.drawRoundedRect(box, 4, 4)
        icons.paint(painter, icon, QPointF(14, 11), 15, ink)
        painter.setFont(font(FACTS, 600))
        painter.setPen(theme.colour(ink))
        painter.drawText(
            QRectF(26, 0, self.width(), 22), Qt.AlignmentFlag.AlignVCenter, self.word()
        )


class Letter(QWidget):
    """The letter of a run, or G for gold."""

    def __init__(self, who: str, name: str = "") -> None:
        super().__init__()
        self._who = who
        self.setFixedSize(20, 20)
        self.setAccessibleName(name or (tr("Gold") if who == "G" else tr("Run {who}", who=who)))

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_letter(QPainter(self), 0, 10, self._who)
