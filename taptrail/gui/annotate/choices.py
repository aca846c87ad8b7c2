"""List of a step's candidates: key, line style on the frame, name, size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from episodes.annotations import RegionSource
from taptrail.gui import icons, theme
from taptrail.gui.annotate import texts
from taptrail.gui.annotate.regions import nearest
from taptrail.gui.components import cells, keycap
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, font
from taptrail.usecases.annotating import Choice
from taptrail.words import tr

ROW, _MORE = 46, 28


@dataclass(frozen=True, slots=True)
class _Row:
    key: str
    source: RegionSource
    name: str
    detail: str
    size: str
    settled: bool
    letters: str = ""


class ChoiceList(QWidget):
    """One row for each candidate, and a last row for a box drawn by the user.

    Signals:
        chosen: the list position of the candidate the user selected.
        own: the user asked to draw a box.
    """

    chosen = Signal(int)
    own = Signal()

    def __init__(self, box_key: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self._box_key = box_key
        self._rows: list[_Row] = []
        self._focus: int | None = None
        self._over = -1
        self._shown: list[int] = []
        self._hidden = 0
        self._whole = False
        self._of: list[str] = []
        self.setFixedHeight(ROW)

    def show_choices(
        self,
        choices: tuple[Choice, ...],
        focus: int | None,
        *,
        own: bool,
        who: Sequence[texts.Who] = (),
    ) -> None:
        """Shows candidates.

        Args:
            own: whether the user is drawing a box.
            who: during the settling of a round, the people who chose each candidate.
        """
        if [one.region.uuid for one in choices] != self._of:
            self._of = [one.region.uuid for one in choices]
            self._whole = False
        self._rows = [
            _Row(
                str(at + 1) if at < 9 else "",
                one.region.provenance.source,
                texts.taken_title(one, who[at]) if who else texts.title_of(one),
                texts.taken_detail(one, who[at]) if who else texts.detail_of(one),
                texts.size_of(one),
                one.region.chosen,
                who[at].letters if who else "",
            )
            for at, one in enumerate(choices)
        ]
        self._rows.append(
            _Row(
                keycap.words(self._box_key),
                RegionSource.PERSON,
                tr("Draw a box yourself"),
                tr("drag, or use the arrow keys"),
                "",
                False,
            )
        )
        self._focus = len(choices) if own else focus
        self._lay()
        self.setAccessibleName(tr("Candidates"))
        self.setAccessibleDescription(". ".join(self.lines()))
        self.update()

    def _lay(self) -> None:
        """Shows the candidates next to the one in focus, like the frame, or all of them."""
        last = len(self._rows) - 1
        focus = self._focus if self._focus is not None and self._focus < last else None
        self._shown = list(range(last)) if self._whole else nearest(last, focus)
        if last - len(self._shown) == 1:  # its row is as tall as a row of text
            self._shown = list(range(last))
        self._hidden = last - len(self._shown)
        rows = len(self._shown) + 1
        self.setFixedHeight(ROW * rows + (_MORE if self._hidden else 0))

    def hidden(self) -> int:
        """Returns the number of candidates without a row."""
        return self._hidden

    def _row_at(self, y: float) -> int | None:
        """Returns the row at a y coordinate; None for the texts between and below the rows."""
        at = int(y // ROW)
        if at < len(self._shown):
            return self._shown[at]
        below = y - ROW * len(self._shown) - (_MORE if self._hidden else 0)
        return len(self._rows) - 1 if 0 <= below < ROW else None

    def lines(self) -> list[str]:
        """Returns the rows as a screen reader reads them."""
        said = []
        for number, row in enumerate(self._rows):
            words = [row.key, row.letters, row.name, row.detail, row.size]
            if row.settled:
                words.append(tr("accepted"))
            if number == self._focus:
                words.append(tr("in focus"))
            said.append(", ".join(word for word in words if word))
        return said

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._row_at(event.position().y())
        if number == len(self._rows) - 1:
            self.own.emit()
        elif number is not None:
            self.chosen.emit(number)
        elif self._hidden:
            self._whole = True
            self._lay()
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self._row_at(event.position().y())
        self._over = -1 if found is None else found
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self._row_at(event.pos().y())
            words = self.lines()[number] if number is not None else ""
            QToolTip.showText(event.globalPos(), tip(words), self)
            return True
        return super().event(event)

    def leaveEvent(self, event: object) -> None:
        self._over = -1
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        y = 0.0
        for number in (*self._shown, len(self._rows) - 1):
            if number == len(self._rows) - 1 and self._hidden:
                self._paint_more(painter, QRectF(0, y, self.width(), _MORE))
                y += _MORE
            rect, row = QRectF(0, y, self.width(), ROW), self._rows[number]
            y += ROW
            on = number == self._focus
            cells.row_ground(painter, rect, chosen=on, hover=number == self._over)
            self._paint_row(painter, rect, row, on)

    def _paint_more(self, painter: QPainter, rect: QRectF) -> None:
        words = tr("{n} more with [ and ], or show all", n=self._hidden)
        cells.line(painter, rect.adjusted(76, 0, -12, 0), words, font(CAPTION), "accent")
        painter.fillRect(QRectF(0, rect.bottom() - 1, rect.width(), 1), theme.colour("line"))

    def _paint_row(self, painter: QPainter, rect: QRectF, row: _Row, on: bool) -> None:
        middle = rect.center().y() - 0.5
        if row.key:
            keycap.paint(painter, 12, middle, row.key)
        if row.letters:
            paint_people(painter, QPointF(54, middle), row.letters)
        else:
            paint_swatch(painter, QPointF(54, middle), row.source)
        right = rect.right() - 12
        if row.settled:
            icons.paint(painter, "check-circle", QPointF(right - 9, middle), 17, "match")
        else:
            icon = "radiobox-marked" if on else "radiobox-blank"
            ink = "accent" if on else "text3"
            icons.paint(painter, icon, QPointF(right - 9, middle), 17, ink)
        right -= 26
        left = 76.0
        name = QRectF(left, rect.top() + 5, right - left, 18)
        cells.line(painter, name, row.name, font(BODY, 500), "text1", middle=True)
        if row.size:  # below: the name needs the width
            across = QFontMetricsF(font(CAPTION)).horizontalAdvance(row.size) + 1
            room = QRectF(right - across, rect.top() + 23, across, 16)
            cells.line(painter, room, row.size, font(CAPTION), "text2", right=True)
            right -= across + 8
        detail = QRectF(left, rect.top() + 23, right - left, 16)
        cells.line(painter, detail, row.detail, font(CAPTION), "text3")


def paint_people(painter: QPainter, centre: QPointF, letters: str) -> None:
    """Draws the letters of people in circles, with the line style of their box."""
    across = 20.0 if len(letters) == 1 else 26.0
    box = QRectF(centre.x() - across / 2, centre.y() - 10, across, 20)
    painter.save()
    painter.setBrush(theme.colour("person_tint"))
    pen = QPen(theme.colour("person_mark" if letters != "B" else "name4"), 2)
    if letters == "B":
        pen.setDashPattern([3, 1.5])
    painter.setPen(pen)
    painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 9, 9)
    painter.setFont(font(CAPTION, 700))
    painter.setPen(theme.colour("text1"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letters)
    painter.restore()


def paint_swatch(painter: QPainter, centre: QPointF, source: RegionSource) -> None:
    """Draws how a source's regions look on a frame, 22 px wide."""
    box = QRectF(centre.x() - 10.5, centre.y() - 6.5, 21, 13)
    painter.save()
    tokens = {
        RegionSource.TREE: "name1",
        RegionSource.SAM2: "name2",
        RegionSource.SUGGESTION: "text2",
        RegionSource.PERSON: "person_mark",
        RegionSource.IMPORT: "person_mark",
    }
    colour = theme.colour(tokens[source])
    pen = QPen(colour, 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if source is RegionSource.TREE:
        fill = theme.colour("name1")
        fill.setAlphaF(0.16)
        painter.setBrush(fill)
    if source is RegionSource.SUGGESTION:
        pen.setDashPattern([2, 1.5])
    painter.setPen(pen)
    if source is RegionSource.SAM2:
        painter.drawRoundedRect(box, 6, 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for x in (-4, 0, 4):
            painter.drawEllipse(centre + QPointF(x, 0), 1, 1)
    else:
        painter.drawRect(box)
    if source is RegionSource.PERSON:
        for at in (box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()):
            painter.fillRect(QRectF(at.x() - 2.5, at.y() - 2.5, 5, 5), colour)
    painter.restore()
