"""The window's frame: rail, head and status bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from taptrail.gui import icons, theme
from taptrail.gui.components import keycap
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Icon, WidgetRow
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, FACTS, TITLE, font
from taptrail.words import tr


class Logo(QWidget):
    """A trail of dots that ends in a tap."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(63, 44)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_logo(QPainter(self), QPointF(17.5, 8))


def paint_logo(painter: QPainter, corner: QPointF, scale: float = 1.0) -> None:
    """Draws the logo, 28 px wide at scale 1."""
    painter.save()
    painter.translate(corner)
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for x, y, r, ink in (
        (4.5, 21.5, 1.6, "text3"),
        (8.2, 17.8, 1.9, "text2"),
        (12.2, 14.6, 2.2, "text1"),
        (19.0, 9.0, 2.3, "accent"),
    ):
        painter.setBrush(theme.colour(ink))
        painter.drawEllipse(QPointF(x, y), r, r)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.colour("accent"), 2.2))
    painter.drawEllipse(QPointF(19, 9), 6.2, 6.2)
    painter.restore()


class Rail(QWidget):
    """The pages, one below the other.

    Signals:
        chosen: the number of the page the user selected.
    """

    chosen = Signal(int)

    def __init__(self, places: list[tuple[str, str, str]], low: int = 0) -> None:
        """`places` are (name, icon, key) triples; the last `low` of them are at the bottom."""
        super().__init__()
        self.setFixedWidth(64)
        self.setAccessibleName(tr("Places"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 8)
        column.setSpacing(2)
        column.addWidget(Logo())
        column.addSpacing(2)
        self._items = []
        for number, (name, icon, key) in enumerate(places):
            if low and number == len(places) - low:
                column.addStretch(1)
            item = _RailItem(name, icon, key)
            item.clicked.connect(lambda _=False, n=number: self.chosen.emit(n))
            column.addWidget(item, 0, Qt.AlignmentFlag.AlignHCenter)
            self._items.append(item)
        if not low:
            column.addStretch(1)

    def set_place(self, number: int) -> None:
        """Shows which page is open."""
        for n, item in enumerate(self._items):
            item.setChecked(n == number)
        self.update()

    def mark(self, number: int, time: str, words: str) -> None:
        """Shows on a page's entry that a recording runs, and for how long; "" for none."""
        self._items[number].mark(time, words)

    def marked(self, number: int) -> tuple[str, str]:
        """Returns the time and the text shown at a page's entry."""
        return self._items[number].marked

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("window"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme.colour("line"))
        for item in self._items:
            if item.isChecked():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.colour("accent"))
                painter.drawRoundedRect(QRectF(0, item.y() + 12, 3, 26), 2, 2)


class _RailItem(QAbstractButton):
    def __init__(self, name: str, icon: str, key: str) -> None:
        super().__init__()
        self._icon, self._tip = icon, f"{name}  {keycap.words(key)}"
        self.marked = ("", "")
        self.setText(name)
        self.setCheckable(True)
        self.setFixedSize(56, 50)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(name)
        self.setToolTip(tip(self._tip))

    def mark(self, time: str, words: str) -> None:
        if self.marked != (time, words):
            self.marked = (time, words)
            self.setAccessibleDescription(f"{words} {time}".strip())
            self.setToolTip(tip(f"{self._tip}\n{words} {time}".strip()))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        if on or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent_tint" if on else "hover"))
            painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        ink = "accent" if on else "text2"
        time = self.marked[0]
        if time:  # replaces the icon: there is no room for both
            self._paint_time(painter, time)
        else:
            icons.paint(painter, self._icon, QPointF(28, 17), 20, ink)
        painter.setFont(font(CAPTION, 500 if on else 400))
        painter.setPen(theme.colour(ink))
        painter.drawText(QRectF(0, 29, 56, 16), Qt.AlignmentFlag.AlignCenter, self.text())

    def _paint_time(self, painter: QPainter, time: str) -> None:
        painter.setFont(font(CAPTION, 600))
        across = max(34.0, painter.fontMetrics().horizontalAdvance(time) + 12.0)
        box = QRectF(28 - across / 2, 8, across, 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("record_fill"))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme.colour("on_accent"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, time)


class Head(QWidget):
    """Head of a page, 44 px high: page name, subject, mode, progress and the main button.

    Three groups: `left` beside the name, `middle` centred in the window, `right`.
    """

    def __init__(
        self,
        name: str,
        left: list[QWidget] | None = None,
        middle: list[QWidget] | None = None,
        right: list[QWidget] | None = None,
    ) -> None:
        super().__init__()
        self.setFixedHeight(44)
        self._left = WidgetRow(
            label(name, TITLE, 600),
            *([_Bar(), *left] if left else []),
            gap=8,
            margins=(16, 0, 0, 0),
        )
        self._middle = WidgetRow(*(middle or []))
        self._right = WidgetRow(*(right or []), margins=(0, 0, 12, 0))
        for group in (self._left, self._middle, self._right):
            group.setParent(self)

    def resizeEvent(self, event: object) -> None:
        self._lay()

    def layout_again(self) -> None:
        """Updates the layout of the groups after a part has changed."""
        self._lay()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._lay()
        return super().event(event)

    def _lay(self) -> None:
        high = self.height() - 1
        left = self._left.sizeHint().width()
        right = self._right.sizeHint().width()
        wide = self._middle.sizeHint().width()
        self._right.setGeometry(self.width() - right, 0, right, high)
        room = self.width() - right - 16
        start = max(left + 16, min((self.width() - wide) // 2, room - wide))
        self._middle.setGeometry(start, 0, max(0, min(wide, room - start)), high)
        self._left.setGeometry(0, 0, min(left, room), high)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class _Bar(QWidget):
    """The short line between groups of the head and the status bar."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(1, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.colour("line2"))


class StatusBar(QWidget):
    """Status bar, 26 px high: saved state, health, and the keys of the page."""

    def __init__(self, keys: list[QWidget]) -> None:
        super().__init__()
        self.setFixedHeight(26)
        self._icon = Icon("check-circle", 14, "match")
        self._saved = ElidedLabel("", FACTS, ink="text2")
        self._bar = _Bar()
        self._health = ElidedLabel("", FACTS, ink="text2")
        self._undo = ElidedLabel("", FACTS, ink="text3")
        self._keys = WidgetRow(gap=14)
        self._runs = ElidedLabel("", FACTS, 600, ink="record")
        self._elsewhere = WidgetRow(Icon("record-circle-outline", 14, "record"), self._runs, gap=5)
        self._state = WidgetRow(self._icon, self._saved, gap=5)
        row = WidgetRow(
            self._elsewhere,
            self._state,
            self._bar,
            self._health,
            self._undo,
            None,
            self._keys,
            gap=14,
            margins=(14, 1, 14, 0),
        )
        row.setParent(self)
        self._row = row
        self.show_keys(keys)
        self.say("")
        self.say_health("")
        self.say_undo("")
        self.say_recording("")

    def say_recording(self, text: str) -> None:
        """Shows that a recording runs on another page; "" hides it."""
        if text != self._runs.text() or not text:
            self._runs.set_text(text)
            self._elsewhere.setVisible(bool(text))

    def recording_words(self) -> str:
        """Returns the shown text about a recording on another page."""
        return self._runs.text()

    def say(self, text: str, icon: str = "check-circle", ink: str = "match") -> None:
        """Shows the saved state."""
        self._saved.set_text(text)
        self._icon.set_icon(icon, ink)
        self._state.setVisible(bool(text))
        self._bar.setVisible(bool(text and self._health.text()))

    def say_health(self, text: str) -> None:
        """Shows the state of the page in a few words."""
        self._health.set_text(text)
        self._health.setVisible(bool(text))
        self._bar.setVisible(bool(text and self._saved.text()))

    def say_undo(self, words: str) -> None:
        """Shows what Undo would undo; "" hides it."""
        self._undo.set_text(tr("Undo: {what}", what=words[:1].lower() + words[1:]) if words else "")
        self._undo.setVisible(bool(words))

    def undo_words(self) -> str:
        """Returns the shown text about Undo."""
        return self._undo.text()

    def show_keys(self, keys: list[QWidget]) -> None:
        """Shows the keys that work now."""
        row = self._keys.row
        while (item := row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for key in keys:
            row.addWidget(key)

    def resizeEvent(self, event: object) -> None:
        self._row.setGeometry(self.rect())

    def sizeHint(self) -> QSize:
        return QSize(400, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("window"))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))


class Page(QWidget):
    """Base of the pages of the window: head and body; its status bar also spans the rail."""

    head: Head
    status: StatusBar

    def __init__(self, name: str) -> None:
        """`name` is the English name, as in the command table."""
        super().__init__()
        self.name_in_table, self.key = name, name.lower()
        name = tr(name)
        self.setAccessibleName(name)
        self.setProperty("ring", "own")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.name = name

    def furnish(self, head: Head, body: QWidget, status: StatusBar) -> None:
        """Builds the layout; called once, by the page itself."""
        self.head, self.status = head, status
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(body, 1)
        body.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def more_keys(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Returns (description, keys) of the keys that widgets of the page handle."""
        return ()

    def takes_key(self, key: str) -> bool:
        """Returns whether a widget of the page handles this key now; no command gets it then."""
        return False

    def entered(self) -> None:
        """Called when the user opens this page."""

    def to_ask(self) -> tuple[str, str, str]:
        """Returns what quitting would end, as question, details and button text; "" for nothing."""
        return "", "", ""

    def leaving(self) -> None:
        """Called before the window closes; stops everything the page started."""
