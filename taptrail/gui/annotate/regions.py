"""How candidates are drawn on a frame: line, corner and label tell who found each of them.

The one in focus is drawn whole and labelled, the others thin with their key. Labels stand where
they cover least, never over the region they name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from episodes.annotations import RegionSource
from episodes.geometry import Box
from taptrail.gui import theme
from taptrail.gui.fonts import font
from taptrail.gui.marks import Scale

MOST = 5
"""So many candidates are drawn at once."""
_COLOURS = {
    RegionSource.TREE: "name1",
    RegionSource.SAM2: "name2",
    RegionSource.PERSON: "person",
    RegionSource.SUGGESTION: "suggestion",
    RegionSource.IMPORT: "person",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """One region on a frame.

    Attributes:
        key: stands beside it where it is thin.
        label: stands beside it where it is drawn whole.
        whole: whether it is the one in focus.
        settled: whether it is the step's target.
    """

    box: Box
    source: RegionSource
    key: str = ""
    label: str = ""
    whole: bool = False
    settled: bool = False


def nearest(count: int, focus: int | None) -> list[int]:
    """Returns which of so many candidates are drawn: at most MOST, about the one in focus."""
    if count <= MOST:
        return list(range(count))
    first = min(max(0, (focus or 0) - MOST // 2), count - MOST)
    return list(range(first, first + MOST))


def draw_regions(painter: QPainter, drawn: Sequence[Drawn], scale: Scale) -> None:
    """Draws regions, the one in focus last; then their labels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    in_order = sorted(drawn, key=lambda one: (one.whole, -one.box.area))
    for one in in_order:
        _region(painter, one, scale)
    taken: list[QRectF] = [scale.fit.box_to_window(one.box) for one in drawn if one.whole]
    for one in reversed(in_order):
        words = (f"{one.key}  {one.label}" if one.key else one.label) if one.whole else one.key
        if words:
            taken.append(_label(painter, one, words, scale, taken))
    painter.restore()


def draw_handles(painter: QPainter, box: Box, scale: Scale) -> None:
    """Draws the eight handles by which a person's box is pulled."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    half = 3 * max(1.0, min(scale.unit, 1.4))
    for at in handles(scale.fit.box_to_window(box)):
        spot = QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)
        painter.fillRect(spot.adjusted(-1, -1, 1, 1), theme.on_frames("halo_dark"))
        painter.fillRect(spot, theme.on_frames("halo_light"))
        painter.fillRect(spot.adjusted(1, 1, -1, -1), theme.on_frames("person"))
    painter.restore()


def handles(rect: QRectF) -> list[QPointF]:
    """Returns where the handles are: corners and middles, from the top left by rows."""
    xs = (rect.left(), rect.center().x(), rect.right())
    ys = (rect.top(), rect.center().y(), rect.bottom())
    return [QPointF(x, y) for y in ys for x in xs if (x, y) != (xs[1], ys[1])]


def _region(painter: QPainter, one: Drawn, scale: Scale) -> None:
    rect, u = scale.fit.box_to_window(one.box), scale.unit
    colour = theme.on_frames(_COLOURS[one.source])
    outline = QPainterPath()
    round_by = 0.0
    if one.source is RegionSource.SAM2:
        round_by = min(rect.width(), rect.height(), 16 * u) / 2
    if one.settled:
        colour, round_by = theme.on_frames("person"), 4 * u
    outline.addRoundedRect(rect, round_by, round_by)
    if one.whole:
        fill = QColor(colour)
        if one.settled or one.source is RegionSource.TREE:
            fill.setAlphaF(0.14 if one.settled else 0.10)
            painter.fillPath(outline, fill)
        elif one.source is RegionSource.SAM2:
            _dots(painter, outline, rect, colour, u)
    width = 1.2
    if one.whole:
        width = 1.6 if one.settled else 2.4 if one.source is RegionSource.PERSON else 2.0
    grow = 1.0 if one.whole else 0.7
    painter.strokePath(outline, _pen(_dark(0.62), (width + 2.4 * grow) * u))
    if one.whole:
        painter.strokePath(outline, _pen(theme.on_frames("halo_light"), (width + 1.2) * u))
    pen = _pen(colour, width * u)
    if one.source is RegionSource.SUGGESTION:
        pen.setDashPattern([5 / width, 4 / width])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.strokePath(outline, pen)


def _dots(painter: QPainter, outline: QPainterPath, rect: QRectF, colour: QColor, u: float) -> None:
    painter.save()
    painter.setClipPath(outline)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    step = 5 * u
    for row in range(int(rect.height() / step) + 1):
        for column in range(int(rect.width() / step) + 1):
            at = rect.topLeft() + QPointF((column + 0.5) * step, (row + 0.5) * step)
            painter.drawEllipse(at, 0.8 * u, 0.8 * u)
    painter.restore()


def _label(
    painter: QPainter, one: Drawn, words: str, scale: Scale, taken: Sequence[QRectF]
) -> QRectF:
    rect, frame, u = (
        scale.fit.box_to_window(one.box),
        scale.fit.rect,
        min(max(scale.unit, 1.0), 1.4),
    )
    face = font(max(11, round(10.5 * u)), 600)
    metrics = QFontMetricsF(face)
    widest = max(40.0, frame.width() - 8)
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, widest - 10 * u)
    width, height = max(16 * u, metrics.horizontalAdvance(shown) + 10 * u), 16 * u
    gap = 5 * u
    places = [
        QPointF(rect.left(), rect.top() - height - gap),
        QPointF(rect.right() - width, rect.top() - height - gap),
        QPointF(rect.left(), rect.bottom() + gap),
        QPointF(rect.right() - width, rect.bottom() + gap),
        QPointF(rect.left() - width - gap, rect.top()),
        QPointF(rect.right() + gap, rect.top()),
        QPointF(rect.left() + gap, rect.top() + gap),
        QPointF(rect.right() - width - gap, rect.bottom() - height - gap),
    ]
    boxes = [QRectF(at.x(), at.y(), width, height) for at in places]
    inside = [box for box in boxes if frame.adjusted(-1, -1, 1, 1).contains(box)] or [
        QRectF(
            min(max(boxes[0].left(), frame.left() + 2), frame.right() - width - 2),
            min(max(boxes[0].top(), frame.top() + 2), frame.bottom() - height - 2),
            width,
            height,
        )
    ]
    box = min(inside, key=lambda b: sum(_shared(b, other) for other in taken))
    amber = one.settled or one.source in (RegionSource.PERSON, RegionSource.IMPORT)
    colour = theme.on_frames("person" if amber else _COLOURS[one.source])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.on_frames("halo_dark"))
    painter.drawRoundedRect(box.adjusted(-u, -u, u, u), 4 * u, 4 * u)
    painter.setBrush(colour)
    painter.drawRoundedRect(box, 3 * u, 3 * u)
    painter.setFont(face)
    dark = amber or one.source is RegionSource.SUGGESTION
    painter.setPen(theme.on_frames("on_light" if dark else "pill_text"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)
    return box


def _shared(one: QRectF, other: QRectF) -> float:
    both = one.intersected(other)
    return both.width() * both.height()


def _pen(colour: QColor, width: float) -> QPen:
    return QPen(
        colour,
        width,
        Qt.PenStyle.SolidLine,
        Qt.PenCapStyle.SquareCap,
        Qt.PenJoinStyle.MiterJoin,
    )


def _dark(opacity: float) -> QColor:
    made = theme.on_frames("halo_dark")
    made.setAlphaF(opacity)
    return made
