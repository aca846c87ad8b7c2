"""The column of tools at the left of the frame: an icon and its key for each."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton

from taptrail.gui import icons, theme
from taptrail.gui.commands import key
from taptrail.gui.components import keycap
from taptrail.gui.components.panel import Panel
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import CAPTION, font
from taptrail.words import tr


class ToolButton(QAbstractButton):
    """A tool button; the page handles its shortcut."""

    def __init__(self, name: str, icon: str, command: str, *, cap: str = "") -> None:
        super().__init__()
        self._icon = icon
        self._cap = cap or keycap.words(key(command))
        self._name = name
        self._key = keycap.words(key(command))
        self.setFixedSize(44, 30)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.set_off("")

    def set_words(self, name: str) -> None:
        """Sets the name of the tool."""
        self._name = name
        self.set_off("")

    def set_off(self, why: str) -> None:
        """Disables the tool and shows the reason; "" enables it."""
        self.setEnabled(not why)
        self.setAccessibleName(self._name)
        self.setToolTip(tip(why or f"{self._name}  {self._key}"))

    def sizeHint(self) -> QSize:
        return QSize(44, 30)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        if not self.isEnabled():
            painter.setOpacity(0.5)
        if on or (self.underMouse() and self.isEnabled()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent_tint" if on else "hover"))
            painter.drawRoundedRect(QRectF(self.rect()), 5, 5)
        icons.paint(painter, self._icon, QPointF(15, 15), 18, "accent" if on else "text2")
        painter.setFont(font(CAPTION, 500))
        painter.setPen(theme.colour("accent" if on else "text3"))
        room = QRectF(28, 0, 16, 30)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self._cap)


class ToolBar(Panel):
    """All tools, from top to bottom."""

    def __init__(self) -> None:
        super().__init__(tr("Tools"))
        self.setFixedWidth(55)
        self.column.setContentsMargins(5, 6, 6, 6)
        self.column.setSpacing(2)
        self.select = ToolButton(tr("Select"), "cursor-default-outline", "select")
        self.point = ToolButton(tr("Add a point inside the target"), "plus-circle-outline", "point")
        self.avoid = ToolButton(
            tr("Add a point outside the target"), "minus-circle-outline", "avoid"
        )
        self.box = ToolButton(tr("Draw a box"), "vector-rectangle", "box")
        self.polygon = ToolButton(tr("Draw an outline"), "vector-polygon", "polygon")
        self.closer = ToolButton(tr("Look closer"), "magnify-plus-outline", "zoom-in", cap="+")
        self.fit = ToolButton(tr("Fit the frame"), "fit-to-screen-outline", "zoom-fit", cap="0")
        self.loupe = ToolButton(tr("Pin the loupe to the press"), "magnify-scan", "loupe")
        self.marks = ToolButton(tr("Marks"), "layers-outline", "hide-marks")
        self.tolerance = ToolButton(tr("Tolerance"), "crosshairs-gps", "tolerance-here")
        self.after = ToolButton(tr("The screen after the step"), "image-multiple-outline", "after")
        self.tree = ToolButton(tr("Tree"), "file-tree-outline", "tree")
        pointing = (self.select, self.point, self.avoid, self.box, self.polygon)
        for part in (*pointing, self.loupe, self.marks, self.tolerance, self.after):
            part.setCheckable(True)
        line = Panel("", "line")
        line.setFixedSize(36, 1)
        self.add(*pointing)
        self.column.addSpacing(6)
        self.column.addWidget(line, 0, Qt.AlignmentFlag.AlignHCenter)
        self.column.addSpacing(6)
        self.add(self.closer, self.fit, self.loupe, self.marks, self.tolerance, self.tree)
        second = Panel("", "line")
        second.setFixedSize(36, 1)
        self.column.addSpacing(6)
        self.column.addWidget(second, 0, Qt.AlignmentFlag.AlignHCenter)
        self.column.addSpacing(6)
        self.add(self.after, None)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(self.width() - 1, 0, 1, self.height(), theme.colour("line"))
