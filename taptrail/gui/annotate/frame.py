"""The frame of a step with its tools: zoom, draw a box, move a point.

The marks are painted by another module. This one handles the pointer, the keys of the frame, the
drawn box and the loupe. Edges of a box lie between pixels of the frame.
"""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen

from episodes.annotations import RegionSource
from episodes.geometry import Box, Point, Size
from taptrail.gui import marks, theme
from taptrail.gui.annotate.loupe import paint_loupe
from taptrail.gui.annotate.navigator import paint_banner, paint_navigator, paint_percent
from taptrail.gui.annotate.regions import (
    DrawnRegion,
    draw_cross,
    draw_handles,
    draw_regions,
    handles,
)
from taptrail.gui.components.frame_view import FrameView, Zoom
from taptrail.gui.components.scaled import ScaledPicture
from taptrail.gui.fit import Fit
from taptrail.words import tr

_REACH = 9.0
_MOVES = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Tool(Enum):
    """What the pointer does on the frame."""

    SELECT = "select"
    BOX = "box"
    PLACE = "place"  # place of an action, while its form is open
    POINT = "point"  # a point inside the target
    AVOID = "avoid"  # a point outside the target
    POLYGON = "polygon"  # an outline, corner by corner


POINTING = (Tool.POINT, Tool.AVOID, Tool.POLYGON)
"""Tools that set one place after the other, and stay in the hand."""


class AnnotateFrame(FrameView):
    """Signals:
    hovered: the place under the pointer, or None outside the frame.
    picked: the clicked place.
    drafted: the box being drawn, or None.
    confirmed: Enter was pressed to accept the box.
    moved: (x, y) in frame pixels by which an arrow key moves the point.
    low: 1 for the next low step, -1 for the previous one.
    masked: Space was pressed to show or hide the fill of masks.
    """

    hovered = Signal(object)
    picked = Signal(object)
    drafted = Signal(object)
    confirmed = Signal()
    moved = Signal(int, int)
    low = Signal(int)
    masked = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Frame"), margin=16)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setProperty("ring", "own")
        self._tool = Tool.SELECT
        self._box: Box | None = None
        self._seed: Box | None = None
        self._grip: int | None = None
        self._from: Point | None = None
        self._was: Box | None = None
        self._at: Point | None = None
        self._cursor: Point | None = None
        self._pinned: Point | None = None
        self._small = ScaledPicture()
        self._banner = ""

    def set_tool(self, tool: Tool) -> None:
        """Selects another tool and discards the drawn box."""
        self._tool = tool
        self._cursor = None
        self.set_draft(None)
        shape = Qt.CursorShape.ArrowCursor if tool is Tool.SELECT else Qt.CursorShape.CrossCursor
        self.setCursor(shape)
        self.update()

    def tool(self) -> Tool:
        """Returns the selected tool."""
        return self._tool

    def draft(self) -> Box | None:
        """Returns the box being drawn, in frame pixels."""
        return self._box

    def set_draft(self, box: Box | None) -> None:
        """Sets the box being drawn; None removes it."""
        if box != self._box:
            self._box = box
            self.drafted.emit(box)
            self.update()

    def set_seed(self, box: Box | None) -> None:
        """Sets the box that the arrow keys start from if none is drawn."""
        self._seed = box

    def set_cursor(self, point: Point | None) -> None:
        """Sets the cursor: the place that arrow keys move and Enter sets."""
        self._cursor = point
        self.update()

    def cursor_place(self) -> Point | None:
        """Returns the place of the cursor."""
        return self._cursor

    def set_banner(self, words: str) -> None:
        """Shows a banner over a frame that is not the step's own; "" hides it."""
        self._banner = words
        self.update()

    def banner(self) -> str:
        """Returns the text of the banner."""
        return self._banner

    def pin_loupe(self, point: Point | None) -> None:
        """Pins the loupe to a place; None unpins it."""
        self._pinned = point
        self.update()

    def loupe_place(self) -> Point | None:
        """Returns the place shown in the loupe: the pointer, the cursor, or the pinned place."""
        return self._at or self._cursor or self._pinned

    def zoom_by(self, times: float) -> None:
        """Zooms in or out about the middle."""
        self._zoom_at(QPointF(self.rect().center()), min(16.0, max(1.0, self._zoom.times * times)))

    def zoom_to(self, pixels: float, about: Point) -> None:
        """Zooms to `pixels` window pixels per frame pixel, about a place of the frame."""
        self.set_zoom(Zoom())
        fit = self.fit()
        if fit is not None:
            centre = QPointF(about.x / fit.size.width, about.y / fit.size.height)
            self._choose(Zoom(pixels / fit.zoom, centre))

    def zoom_out(self) -> None:
        """Zooms out until the whole frame fits."""
        self._choose(Zoom())

    def percent(self) -> int:
        """Returns the zoom in percent; 100 is one window pixel per frame pixel."""
        fit = self.fit()
        return round(fit.zoom * 100) if fit is not None else 0

    # --- the pointer ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        fit = self.fit()
        if event.button() is not Qt.MouseButton.LeftButton or fit is None:
            super().mousePressEvent(event)
            return
        at = event.position()
        if self._tool is not Tool.BOX:
            point = fit.to_frame(at)
            if point is not None:
                self.picked.emit(point)
            return
        self._from, self._was = _edge(at, fit), self._box
        self._grip = self._handle_at(at, fit)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        fit = self.fit()
        if fit is None:
            return
        if self._from is not None:
            self._pull(_edge(event.position(), fit), fit.size)
        else:
            super().mouseMoveEvent(event)
        point = fit.to_frame(event.position())
        if point != self._at:
            self._at = point
            self.hovered.emit(point)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._from = self._was = self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._tool is Tool.SELECT:
            super().mouseDoubleClickEvent(event)
        else:
            self.mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._at = None
        self.hovered.emit(None)
        self.update()
        super().leaveEvent(event)

    def _handle_at(self, at: QPointF, fit: Fit) -> int | None:
        if self._box is None:
            return None
        spots = handles(fit.box_to_window(self._box))
        near = [(QPointF(spot - at).manhattanLength(), n) for n, spot in enumerate(spots)]
        distance, number = min(near)
        return number if distance <= _REACH else None

    def _pull(self, to: Point, size: Size) -> None:
        start, was = self._from, self._was
        assert start is not None
        if was is not None and self._grip is not None:
            self.set_draft(_pulled(was, self._grip, to))
            return
        if was is not None and start in was:
            self.set_draft(_moved(was, round(to.x - start.x), round(to.y - start.y), size))
            return
        left, right = sorted((round(start.x), round(to.x)))
        top, bottom = sorted((round(start.y), round(to.y)))
        if right > left and bottom > top:
            self.set_draft(Box(left, top, right, bottom))

    # --- the keys of the frame -----------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                back = key is Qt.Key.Key_Backtab or bool(event.modifiers() & _SHIFT)
                if event.modifiers() & _CONTROL:
                    self.focusNextPrevChild(not back)
                else:
                    self.low.emit(-1 if back else 1)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _MOVES and self._tool is not Tool.SELECT:
            far = 10 if event.modifiers() & _SHIFT else 1
            x, y = (far * step for step in _MOVES[key])
            if self._tool is Tool.PLACE:
                self.moved.emit(x, y)
            elif self._tool in POINTING:
                self._move_cursor(x, y)
            elif self._box is None:
                self.set_draft(self._seed)
            else:
                self._move(x, y, grow=bool(event.modifiers() & _CONTROL))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._tool is not Tool.SELECT:
            if self._tool not in POINTING:
                self.confirmed.emit()
            elif self._cursor is not None:
                self.picked.emit(self._cursor)
        elif key == Qt.Key.Key_Space:
            self.masked.emit()
        else:
            super().keyPressEvent(event)

    def _move_cursor(self, x: int, y: int) -> None:
        fit = self.fit()
        if fit is None:
            return
        size, at = fit.size, self._cursor or fit.size.at(0.5, 0.5)
        right, down = (
            min(max(0.0, p), far - 1.0)
            for p, far in ((at.x + x, size.width), (at.y + y, size.height))
        )
        self.set_cursor(Point(right, down))

    def _move(self, x: int, y: int, *, grow: bool) -> None:
        box, fit = self._box, self.fit()
        if box is None or fit is None:
            return
        size = fit.size
        if not grow:
            self.set_draft(_moved(box, x, y, size))
            return
        right = min(max(box.right + x, box.left + 1), size.width)
        bottom = min(max(box.bottom + y, box.top + 1), size.height)
        self.set_draft(Box(box.left, box.top, right, bottom))

    # --- painting ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        fit = self.fit()
        if fit is None:
            return
        painter = QPainter(self)
        scale = marks.MarkScale(fit, self._dp)
        if self._box is not None:
            words = f"{self._box.width:.0f} × {self._box.height:.0f}"
            one = DrawnRegion(self._box, RegionSource.PERSON, label=words, whole=True)
            draw_regions(painter, [one], scale)
            draw_handles(painter, self._box, scale)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            shown = fit.rect.intersected(QRectF(self.rect()).adjusted(4, 4, -4, -4))
            painter.drawRoundedRect(shown.adjusted(-3, -3, 3, 3), 10, 10)
        if self._zoom.times > 1 and self._image is not None:
            paint_navigator(painter, self.rect(), fit, self._image, self._small)
        else:
            paint_percent(painter, self.width(), self.height() - 28, fit)
        looked_at = self.loupe_place()
        if self._cursor is not None:
            draw_cross(painter, self._cursor, scale)
        if self._banner:
            paint_banner(painter, self._banner, fit)
        if looked_at is not None and self._image is not None:
            paint_loupe(painter, self.width(), fit, looked_at, self._image)


def box_about(point: Point, size: Size, dp: float) -> Box:
    """Returns a box of 48 dp (the size of a fingertip) about a point, clipped to the frame."""
    half = 24 * dp
    left, top = max(0, round(point.x - half)), max(0, round(point.y - half))
    right = min(size.width, round(point.x + half))
    bottom = min(size.height, round(point.y + half))
    return Box(left, top, max(right, left + 1), max(bottom, top + 1))


def whole_pixels(box: Box, size: Size) -> Box:
    """Returns a box rounded to whole pixels, clipped to the frame."""
    left, top = max(0, round(box.left)), max(0, round(box.top))
    return Box(left, top, min(size.width, round(box.right)), min(size.height, round(box.bottom)))


def hint_keys() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns (description, keys) of the keys that the frame handles itself, for the key map."""
    return (
        (tr("Next or previous low step (on the frame)"), ("Tab", "Shift+Tab")),
        (tr("Move the box or point by 1 px, by 10 px"), ("Left", "Shift+Left")),
        (tr("Set the box or point"), ("Return",)),
        (tr("Show or hide the fill of masks (on the frame)"), ("Space",)),
        (tr("Make the box wider or narrower"), ("Ctrl+Right",)),
        (tr("Set the box or point"), ("Return",)),
        (tr("Leave the frame"), ("Ctrl+Tab",)),
    )


def _edge(at: QPointF, fit: Fit) -> Point:
    """Returns the place on the frame, right and lower edges included: a box may end there."""
    x = (at.x() - fit.rect.left()) * fit.size.width / fit.rect.width()
    y = (at.y() - fit.rect.top()) * fit.size.height / fit.rect.height()
    return Point(min(max(x, 0.0), fit.size.width), min(max(y, 0.0), fit.size.height))


def _moved(box: Box, x: float, y: float, size: Size) -> Box:
    x = min(max(x, -box.left), size.width - box.right)
    y = min(max(y, -box.top), size.height - box.bottom)
    return Box(box.left + x, box.top + y, box.right + x, box.bottom + y)


def _pulled(box: Box, grip: int, to: Point) -> Box:
    """Returns the box with one handle moved to a place; edges never cross."""
    column, row = ((0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2))[grip]
    left, top, right, bottom = box.left, box.top, box.right, box.bottom
    x, y = round(to.x), round(to.y)
    if column == 0:
        left = min(x, right - 1)
    elif column == 2:
        right = max(x, left + 1)
    if row == 0:
        top = min(y, bottom - 1)
    elif row == 2:
        bottom = max(y, top + 1)
    return Box(left, top, right, bottom)
