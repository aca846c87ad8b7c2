"""Panels: heads, sections, facts, and the splitter between panels. 1 px lines, no cards."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QSplitterHandle,
    QVBoxLayout,
    QWidget,
)

from taptrail.gui import icons, theme
from taptrail.gui.components.labels import ElidedLabel, WrappedLabel, label
from taptrail.gui.fonts import FACTS, font
from taptrail.gui.window_state import WindowState

_NARROW = 1360 - 64


class Panel(QWidget):
    """A column of heads and sections on the panel background."""

    def __init__(self, name: str, ground: str = "panel") -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("ground", ground)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)

    def add(self, *parts: QWidget | None) -> None:
        """Adds widgets from top to bottom; None adds a stretch."""
        for part in parts:
            if part is None:
                self.column.addStretch(1)
            else:
                self.column.addWidget(part)


class WidgetRow(QWidget):
    """Widgets side by side; None adds a stretch."""

    def __init__(
        self,
        *parts: QWidget | None,
        gap: int = 8,
        height: int | None = None,
        margins: tuple[int, int, int, int] = (0, 0, 0, 0),
    ) -> None:
        super().__init__()
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(*margins)
        self.row.setSpacing(gap)
        for part in parts:
            if part is None:
                self.row.addStretch(1)
            else:
                self.row.addWidget(part)
        if height is not None:
            self.setFixedHeight(height)


class PanelHead(WidgetRow):
    """The 36 px at the top of a panel, with a line below."""

    def __init__(self, *parts: QWidget | None, right: int = 12) -> None:
        super().__init__(*parts, height=36, margins=(12, 0, right, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class Section(QWidget):
    """A section of a panel: padding, an optional head, and a line below."""

    def __init__(self, head: QWidget | None = None, *parts: QWidget, line: bool = True) -> None:
        super().__init__()
        self._line = line
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(12, 12, 12, 13 if line else 12)
        self.column.setSpacing(8)
        if head is not None:
            self.column.addWidget(head)
        for part in parts:
            self.column.addWidget(part)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._line:
            painter = QPainter(self)
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class Icon(QWidget):
    """An icon that is not a button."""

    def __init__(self, name: str, px: int = 16, ink: str = "text3", means: str = "") -> None:
        super().__init__()
        self._name, self._px, self._token = name, px, ink
        self.setFixedSize(px, px)
        self.setAccessibleName(means)

    def set_icon(self, name: str, ink: str = "") -> None:
        """Sets the icon."""
        self._name, self._token = name, ink or self._token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        icons.paint(
            QPainter(self), self._name, self.rect().toRectF().center(), self._px, self._token
        )


def section_head(text: str, *more: QWidget | None, icon: str = "", ink: str = "text3") -> WidgetRow:
    """Returns the head of a section (12 px, weight 600) with widgets beside it."""
    parts: list[QWidget | None] = []
    if icon:
        parts.append(Icon(icon, 15, ink))
    parts.append(label(text, FACTS, 600))
    return WidgetRow(*parts, *more, gap=6)


class Facts(QWidget):
    """Names and values in two columns, 12 px.

    Args:
        across: width of the names.
        wrap: whether long values wrap instead of being elided.
    """

    def __init__(self, across: int = 88, *, wrap: bool = False) -> None:
        super().__init__()
        self._across, self._wrap = across, wrap
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(5)
        self._rows: dict[str, tuple[WidgetRow, Icon, ElidedLabel | WrappedLabel]] = {}

    def put(
        self,
        name: str,
        value: str,
        *,
        icon: str = "",
        ink: str = "text2",
        weight: int = 400,
        mono: bool = False,
    ) -> None:
        """Sets the value of a name; an empty value hides both."""
        if name not in self._rows:
            said = WrappedLabel(FACTS, "3") if self._wrap else ElidedLabel(name, FACTS, ink="text3")
            said.set_text(name)
            said.setFixedWidth(self._across)
            said.setSizePolicy(QSizePolicy.Policy.Fixed, said.sizePolicy().verticalPolicy())
            mark = Icon("circle-small", 14)
            shown = WrappedLabel(FACTS) if self._wrap else ElidedLabel("", FACTS)
            values = WidgetRow(mark, shown, gap=4)
            values.row.setStretch(1, 1)
            row = WidgetRow(said, values, gap=8)
            row.row.setStretch(1, 1)
            if self._wrap:
                values.row.setAlignment(mark, Qt.AlignmentFlag.AlignTop)
                row.row.setAlignment(said, Qt.AlignmentFlag.AlignTop)
            self._rows[name] = (row, mark, shown)
            self._column.addWidget(row)
        row, mark, shown = self._rows[name]
        row.setVisible(bool(value))
        mark.setVisible(bool(icon and value))
        if icon:
            mark.set_icon(icon, ink)
        shown.setFont(font(FACTS, weight, mono=mono))
        shown.set_text(value)
        shown.setAccessibleName(f"{name}: {value}")

    def value(self, name: str) -> str:
        """Returns the value of a name; "" if there is none."""
        found = self._rows.get(name)
        return found[2].text() if found else ""

    def clear(self) -> None:
        """Removes all values."""
        for name in self._rows:
            self.put(name, "")


class Scrolled(QScrollArea):
    """A panel that scrolls vertically."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


class PanelSplitter(QSplitter):
    """A splitter with a 1 px line and a 5 px grip; a double click restores the widths.

    Args:
        sizes: initial size of each part; 0 takes the remaining space.
        compact: initial sizes in a window narrower than 1360 px.
    """

    def __init__(
        self,
        across: Qt.Orientation,
        parts: list[QWidget],
        sizes: list[int],
        least: list[int],
        compact: list[int] | None = None,
    ) -> None:
        super().__init__(across)
        self._compact, self._small = compact or sizes, False
        self._remembered, self._name = WindowState(), ""
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self._first = sizes
        for number, (part, size, low) in enumerate(zip(parts, sizes, least, strict=True)):
            self.addWidget(part)
            if across is Qt.Orientation.Horizontal:
                part.setMinimumWidth(low)
            else:
                part.setMinimumHeight(low)
            self.setStretchFactor(number, 0 if size else 1)
        self.splitterMoved.connect(lambda *_: self._keep())
        self.lay()

    def remember(self, remembered: WindowState, name: str) -> None:
        """Restores the stored sizes and stores changes from now on."""
        self._remembered, self._name = remembered, name
        self.lay()

    def restore(self) -> None:
        """Resets each part to its initial size."""
        self._remembered.keep(self._key(), None)
        self.lay()

    def lay(self) -> None:
        """Applies the last size of each part, or its initial size."""
        plain = self._compact if self._small else self._first
        sizes = self._remembered.sizes(self._key(), self.count()) or plain
        left = self.width() if self.orientation() is Qt.Orientation.Horizontal else self.height()
        self.setSizes([size or max(1, left - sum(sizes)) for size in sizes])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        small = self.width() < _NARROW
        if small != self._small:
            self._small = small
            self.lay()

    def _keep(self) -> None:
        """Stores the widths; the stretching part as 0, a hidden part unchanged."""
        before = self._remembered.sizes(self._key(), self.count()) or self._first
        sizes = [
            0 if not first else now or was
            for first, now, was in zip(self._first, self.sizes(), before, strict=True)
        ]
        self._remembered.keep(self._key(), sizes)

    def _key(self) -> str:
        return f"{self._name} {'narrow' if self._small else 'wide'}"

    def createHandle(self) -> QSplitterHandle:
        return _Grip(self.orientation(), self)


class _Grip(QSplitterHandle):
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        split = self.splitter()
        if isinstance(split, PanelSplitter):
            split.restore()
