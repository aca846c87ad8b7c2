"""The focus ring: 2 px of accent, 1 px outside the focused control."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from shiboken6 import isValid

from taptrail.gui import theme

_OFF = 4


class FocusRing(QWidget):
    """One ring per window, drawn over the focused widget.

    Lists, strips, frames and widgets with the property `ring` = "own" draw their own focus and get
    no ring. With `ring` = "parent" the ring is drawn around the parent.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._round: QWidget | None = None
        self._watched: list[QWidget] = []
        self.hide()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (
            QEvent.Type.Move,
            QEvent.Type.Resize,
            QEvent.Type.Show,
            QEvent.Type.Hide,
        ):
            self._lay()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("accent"), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 7, 7)

    def _follow(self, _old: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self):  # the window is closing, and its widgets lose the focus one by one
            return
        for part in self._watched:
            if isValid(part):
                part.removeEventFilter(self)
        self._round = None
        if now is not None and now.window() is self.parentWidget() and _wants(now):
            self._round = now.parentWidget() if now.property("ring") == "parent" else now
        self._watched = _with_parents(self._round, self.parentWidget())
        for part in self._watched:  # scrolling a parent moves the widget too
            part.installEventFilter(self)
        self._lay()

    def _lay(self) -> None:
        around, window = self._round, self.parentWidget()
        if around is None or window is None or not isValid(around) or not around.isVisible():
            self.hide()
            return
        corner = around.mapTo(window, QPoint(0, 0))
        self.setGeometry(
            corner.x() - _OFF,
            corner.y() - _OFF,
            around.width() + 2 * _OFF,
            around.height() + 2 * _OFF,
        )
        self.raise_()
        self.show()


def _with_parents(part: QWidget | None, window: QWidget | None) -> list[QWidget]:
    found: list[QWidget] = []
    while part is not None and part is not window:
        found.append(part)
        part = part.parentWidget()
    return found


def _wants(widget: QWidget) -> bool:
    return widget.property("ring") != "own" and not isinstance(widget, QAbstractItemView)
