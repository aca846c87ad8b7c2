"""Messages in the window: empty states, error bands, job progress, toasts."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from episodes.errors import KnownError
from taptrail.gui import theme
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Icon, WidgetRow
from taptrail.gui.fonts import BODY, FACTS, LARGE, TITLE
from taptrail.gui.remedies import error_words
from taptrail.words import tr


class EmptyState(QWidget):
    """An empty state: a text, a main button and a secondary button.

    Args:
        aside: whether it is in a side panel, where the text is smaller.
    """

    def __init__(
        self,
        icon: str,
        text: str,
        more: str = "",
        buttons: list[QWidget] | None = None,
        *,
        aside: bool = False,
    ) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(2)
        column.addWidget(Icon(icon, 24 if aside else 32, "text3"), 0, Qt.AlignmentFlag.AlignHCenter)
        self.title = label(text, TITLE if aside else LARGE, 600, wrap=True)
        self.more = label(more, BODY, tone="2", wrap=True)
        for part in (self.title, self.more):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            part.setMaximumWidth(520)
            part.setMinimumWidth(200 if aside else 280)
            # No alignment here: a wrapped label would get the height of a wider one.
            between = QHBoxLayout()
            between.addStretch(1)
            between.addWidget(part, 1000)
            between.addStretch(1)
            column.addLayout(between)
        if buttons:
            column.addSpacing(8)
            column.addWidget(WidgetRow(*buttons), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def say(self, text: str, more: str = "") -> None:
        """Sets the text."""
        self.title.setText(text)
        self.more.setText(more)
        self.more.setVisible(bool(more))


class ErrorBand(QWidget):
    """An error message inside the panel it concerns: what was done, what was found, what to do.

    Signals:
        again: the user pressed Try again.
    """

    again = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._about = ""
        self._text = label("", FACTS, wrap=True, selectable=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._again = Button(tr("Try again"), size="s")
        self._again.clicked.connect(self.again)
        close = Button("", "close", kind=QUIET, size="s", tip=tr("Close the message"))
        close.clicked.connect(self.hide)
        row = WidgetRow(Icon("alert-octagon", 17, "record"), self._text, gap=8)
        row.row.setStretch(1, 1)
        row.row.addWidget(self._again)
        row.row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 9, 8, 10)
        column.addWidget(row)
        self.hide()

    def tell(self, error: KnownError, *, again: bool = False, about: str = "") -> None:
        """Shows a known error as one sentence; `about` identifies it for `settle`."""
        self._about = about
        words = error_words(error)
        self._text.setText(words)
        self._again.setVisible(again)
        self.setAccessibleName(words)
        self.show()

    def settle(self, about: str) -> None:
        """Hides the message if it is about this; other messages stay until they are closed."""
        if self._about == about:
            self.hide()

    def text(self) -> str:
        """Returns the shown text."""
        return self._text.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("record_tint"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class Bar(QWidget):
    """A progress bar of known or unknown length; 6 px high, or 2 px under a head."""

    def __init__(self, height: int = 6, name: str = "") -> None:
        super().__init__()
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self._parts: list[tuple[float, str]] = []
        self._unknown = False
        self._beat = QTimer(self)
        self._beat.setInterval(40)
        self._beat.timeout.connect(self.update)

    def set_parts(self, *parts: tuple[float, str]) -> None:
        """Fills the bar from the left with parts of (share, colour token)."""
        self._unknown, self._parts = False, list(parts)
        self._beat.stop()
        self.update()

    def set_unknown(self) -> None:
        """Shows progress of unknown length."""
        self._unknown = True
        self._beat.start()

    def hideEvent(self, event: object) -> None:
        self._beat.stop()

    def showEvent(self, event: object) -> None:
        if self._unknown:
            self._beat.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("hover"))
        box = QRectF(self.rect())
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        if self._unknown:
            at = (time.monotonic() * 0.5) % 1.4 - 0.2
            left, right = max(0.0, at), min(1.0, at + 0.22)
            if right > left:
                painter.setBrush(theme.colour("accent"))
                part = QRectF(left * box.width(), 0, (right - left) * box.width(), box.height())
                painter.drawRoundedRect(part, box.height() / 2, box.height() / 2)
            return
        x = 0.0
        for share, ink in self._parts:
            width = max(0.0, min(1.0, share)) * box.width()
            painter.setBrush(theme.colour(ink))
            part = QRectF(x, 0, width, box.height())
            painter.drawRoundedRect(part, min(width, box.height()) / 2, box.height() / 2)
            x += width


EPISODES_DONE = ("{done} of 1 episode", "{done} of {n} episodes")
"""How far work over episodes is, for one and for several."""


class JobBar(QWidget):
    """Progress of a job, 44 px high: what, how far, time left, and Cancel.

    Signals:
        cancelled: the user pressed Cancel.
    """

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(44)
        self._icon = Icon("import", 17, "accent")
        self._title = label("", FACTS, 600)
        self._count = label("", FACTS, tone="2")
        self._left = label("", FACTS, tone="2")
        self._bar = Bar()
        self._cancel = Button(tr("Cancel"), size="s")
        self._cancel.clicked.connect(self._stop)
        self._row = WidgetRow(
            self._icon,
            WidgetRow(self._title, self._count, gap=4),
            self._bar,
            self._left,
            self._cancel,
            gap=12,
            margins=(12, 1, 12, 0),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._row)
        self._unit = ("", "")
        self._began = 0.0
        self.hide()

    def begin(self, title: str, unit: tuple[str, str], icon: str = "import") -> None:
        """Shows that a job has started; `unit` is a text such as EPISODES_DONE."""
        self._title.setText(title)
        self._icon.set_icon(icon, "accent")
        self._unit, self._began = unit, time.monotonic()
        self._count.setText("")
        self._left.setText("")
        self._cancel.show()
        self._cancel.setEnabled(True)
        self._bar.set_unknown()
        self.show()

    def moved(self, done: int, total: int) -> None:
        """Shows the progress; a total of 0 means unknown."""
        if not total:
            self._count.setText(f"{done:,}")
            return
        self._count.setText(tr(*self._unit, n=total, done=f"{done:,}"))
        self._bar.set_parts((done / total, "accent"))
        taken = time.monotonic() - self._began
        if taken > 3 and done:
            self._left.setText(_time_left(taken * (total - done) / done))

    def _stop(self) -> None:
        self._cancel.setEnabled(False)
        self._count.setText(tr("stopping; finished work is kept"))
        self.cancelled.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))


def _time_left(seconds: float) -> str:
    if seconds < 60:
        return tr("{seconds} s left", seconds=max(1, round(seconds)))
    return tr("{minutes} min left", minutes=round(seconds / 60))


class Toast(QWidget):
    """A one-line message at the bottom right for 6 s; it stays while the pointer is on it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._icon = Icon("check", 17, "text2")
        self._text = ElidedLabel("", BODY)
        self._action = Button("", size="s")
        self._action.clicked.connect(self._act)
        self._does: Callable[[], None] | None = None
        self._row = WidgetRow(
            self._icon, self._text, self._action, gap=8, margins=(12, 0, 14, 0), height=40
        )
        self._row.row.setStretch(1, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self._row)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(6000)
        self._timer.timeout.connect(self._end)
        self.hide()

    def tell(
        self,
        text: str,
        icon: str = "check",
        action: str = "",
        does: Callable[[], None] | None = None,
    ) -> None:
        """Shows a message, optionally with a button."""
        self._does = does
        self._action.set_words(action)
        self._action.setVisible(does is not None)
        self._icon.set_icon(icon)
        self._text.set_text(text)
        self.place()
        self.show()
        self.raise_()
        self._timer.start()

    def place(self) -> None:
        """Moves to the bottom right of the window, over the status bar."""
        window = self.parentWidget()
        if window is not None:
            # The size is computed here because hidden layouts keep the size of the previous text.
            across = 12 + 17 + 8 + self._text.sizeHint().width() + 14
            if self._does is not None:
                across += 8 + self._action.sizeHint().width()
            size = QSize(min(across, window.width() - 32), 40)
            self.setGeometry(
                window.width() - size.width() - 16,
                window.height() - size.height() - 42,
                size.width(),
                size.height(),
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.colour("line2"))
        painter.setBrush(theme.colour("raised"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def text(self) -> str:
        """Returns the shown text."""
        return self._text.text()

    def _act(self) -> None:
        self.hide()
        if self._does is not None:
            self._does()

    def _end(self) -> None:
        if self.underMouse() or self._action.hasFocus():
            self._timer.start()
        else:
            self.hide()
