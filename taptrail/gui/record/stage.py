"""The mirror on its background, with the phone's buttons beside it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from episodes.actions import Key
from episodes.geometry import Box
from recorder.inputs import Input, Touch
from taptrail.gui import theme
from taptrail.gui.components.button import Button
from taptrail.gui.mirror import MirrorView
from taptrail.words import tr

_SIDE, _AWAY = 44, 20


class MirrorStage(QWidget):
    """The mirror in the middle, with the phone's buttons at its left."""

    def __init__(self, mirror: MirrorView, rotate: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("ground", "stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._mirror, self._tools = mirror, _tools(mirror, rotate)
        mirror.setParent(self)
        self._tools.setParent(self)
        self.outline = ElementOutline(mirror)
        mirror.entered.connect(self._hide_outline)
        # The mirror computes the position of the phone only when it paints.
        mirror.laid.connect(self._place_tools, Qt.ConnectionType.QueuedConnection)

    def _hide_outline(self, one: Input) -> None:
        if isinstance(one, Touch):
            self.outline.show_box(None)

    def resizeEvent(self, event: object) -> None:
        self._mirror.setGeometry(_SIDE, 0, self.width() - 2 * _SIDE, self.height())
        self.outline.setGeometry(self._mirror.rect())
        self._place_tools()

    def paintEvent(self, event: object) -> None:
        self._place_tools()

    def _place_tools(self) -> None:
        fit = self._mirror.fit()
        left = fit.rect.left() + _SIDE if fit is not None else self.width() / 3
        width = self._tools.sizeHint().width()
        self._tools.setGeometry(max(8, int(left - _AWAY - 28 - width)), 0, width, self.height())


class ElementOutline(QWidget):
    """Overlay with the box of the element under the pointer; ignores the mouse."""

    def __init__(self, mirror: MirrorView) -> None:
        super().__init__(mirror)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._mirror = mirror
        self._box: Box | None = None
        mirror.laid.connect(self.update)

    def box(self) -> Box | None:
        """Returns the shown box, in frame pixels."""
        return self._box

    def show_box(self, box: Box | None) -> None:
        """Shows a box on the painted frame; None hides it."""
        if box != self._box:
            self._box = box
            self.update()

    def paintEvent(self, event: object) -> None:
        fit = self._mirror.fit()
        if self._box is None or fit is None:
            return
        ink = theme.on_frames("name1")
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(fit.rect)
        rect = fit.box_to_window(self._box).intersected(fit.rect).adjusted(1, 1, -1, -1)
        fill = QColor(ink)
        fill.setAlphaF(0.1)
        painter.setBrush(fill)
        # A halo on both sides makes it visible on any background.
        painter.setPen(QPen(theme.on_frames("halo_light"), 4))
        painter.drawRect(rect)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ink, 2))
        painter.drawRect(rect)


def _tools(mirror: MirrorView, rotate: Callable[[], None]) -> QWidget:
    def _act(action: Callable[[], None]) -> None:
        action()
        mirror.setFocus(Qt.FocusReason.OtherFocusReason)  # the next typed keys go to the phone

    tools = QWidget()
    column = QVBoxLayout(tools)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    column.addStretch(1)
    for key, icon, words in (
        (Key.BACK, "arrow-left", tr("Back")),
        (Key.HOME, "circle-outline", tr("Home")),
        (Key.RECENTS, "square-outline", tr("Recents")),
    ):
        button = Button("", icon, tip=words)
        button.clicked.connect(lambda _=False, k=key: _act(lambda: mirror.press(k)))
        column.addWidget(button)
    column.addSpacing(8)
    turn = Button("", "screen-rotation", tip=tr("Turn the phone"))
    turn.clicked.connect(lambda: _act(rotate))
    column.addWidget(turn)
    column.addStretch(1)
    return tools
