"""Draws candidates on a frame; line style, corners and label show the source of each.

The candidate in focus has a full outline and a label, the others a thin outline and their key.
Labels are placed where they cover least, never over their own region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from episodes.annotations import RegionSource
from episodes.geometry import Box, Point
from episodes.visible_text import visible_text
from taptrail.gui import theme
from taptrail.gui.fonts import font
from taptrail.gui.marks import MarkScale

_ON_A_LABEL = 20.0
"""So much worse it is to cover another label than anything else."""
MOST = 5
"""So many candidates are drawn at once."""
_COLOURS = {
    RegionSource.TREE: "name1",
    RegionSource.SAM2: "name2",
    RegionSource.PERSON: "person",
    RegionSource.SUGGESTION: "suggestion",
    RegionSource.IMPORT: "person",
}
_LETTERS = {"A": "person", "B": "name4", "C": "name1", "D": "name3"}
_DASHES = {"B": (9, 4), "C": (3, 3), "D": (9, 3, 3, 3)}
"""How the choices of several people are told apart: letter and line, then colour."""


@dataclass(frozen=True, slots=True)
class DrawnRegion:
    """One region on a frame.

    Attributes:
        key: shown beside a thin outline.
        label: shown beside a full outline.
        whole: whether it is in focus.
        settled: whether it is the target of the step.
        outlines: of its mask, in frame pixels; if empty, its box is drawn.
        inside: whether its mask is filled with dots.
        letter: letters of the people who chose it in a blind round ("A", "AB").
    """

    box: Box
    source: RegionSource
    key: str = ""
    label: str = ""
    whole: bool = False
    settled: bool = False
    outlines: tuple[tuple[Point, ...], ...] = ()
    inside: bool = True
    letter: str = ""


def nearest(count: int, focus: int | None) -> list[int]:
    """Returns which candidates are drawn: at most MOST, around the one in focus."""
    if count <= MOST:
        return list(range(count))
    first = min(max(0, (focus or 0) - MOST // 2), count - MOST)
    return list(range(first, first + MOST))


def draw_regions(
    painter: QPainter, drawn: Sequence[DrawnRegion], scale: MarkScale, worded: Sequence[Box] = ()
) -> None:
    """Draws regions, the one in focus last; then their labels.

    Args:
        worded: boxes with content, which labels avoid if they can.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    in_order = sorted(drawn, key=lambda one: (one.whole, -one.box.area))
    for one in in_order:
        _region(painter, one, scale)
    in_focus = [scale.fit.box_to_window(one.box) for one in drawn if one.whole]
    said = [(scale.fit.box_to_window(box), 1.0) for box in worded]
    labels: list[tuple[QRectF, float]] = []
    for one in reversed(in_order):
        parts = (one.key, one.letter, one.label if one.whole else "")
        words = "  ".join(part for part in parts if part)
        if words:
            own = scale.fit.box_to_window(one.box)
            around = [(box, 1.0) for box in in_focus if one.whole or not box.contains(own)]
            placed = _label(painter, one, words, scale, (*said, *labels, *around))
            labels.append((placed, _ON_A_LABEL))
    painter.restore()


def draw_handles(painter: QPainter, box: Box, scale: MarkScale) -> None:
    """Draws the eight resize handles of a drawn box."""
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
    """Returns the places of the handles: corners and edge middles, row by row from the top left."""
    xs = (rect.left(), rect.center().x(), rect.right())
    ys = (rect.top(), rect.center().y(), rect.bottom())
    return [QPointF(x, y) for y in ys for x in xs if (x, y) != (xs[1], ys[1])]


def draw_cross(painter: QPainter, at: Point, scale: MarkScale) -> None:
    """Draws the cursor that arrow keys move: a cross with a free middle."""
    centre, u = scale.fit.to_window(at), max(1.0, scale.unit)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for width, ink in ((3.4 * u, "halo_dark"), (1.4 * u, "halo_light")):
        painter.setPen(_pen(theme.on_frames(ink), width))
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            near, far = QPointF(x, y) * 4 * u, QPointF(x, y) * 11 * u
            painter.drawLine(centre + near, centre + far)
    painter.restore()


def _region(painter: QPainter, one: DrawnRegion, scale: MarkScale) -> None:
    u, colour = scale.unit, _colour(one)
    outline = _outline(one, scale)
    person = one.source in (RegionSource.PERSON, RegionSource.IMPORT)
    if one.whole:
        fill = QColor(colour)
        if one.source is RegionSource.SAM2 and one.inside and not one.letter:
            _dots(painter, outline, outline.boundingRect(), theme.on_frames("name2"), u)
        if one.settled or (one.source is RegionSource.TREE and not one.letter):
            fill.setAlphaF(0.14 if one.settled else 0.10)
            painter.fillPath(outline, fill)
    width = 1.2
    if one.whole:
        width = 1.6 if one.settled else 2.4 if person or one.letter else 2.0
    elif one.letter:
        width = 2.0
    grow = 1.0 if one.whole else 0.7
    painter.strokePath(outline, _pen(_dark(0.62), (width + 2.4 * grow) * u))
    if one.whole or one.letter:
        painter.strokePath(outline, _pen(theme.on_frames("halo_light"), (width + 1.2) * u))
    pen = _pen(colour, width * u)
    if one.letter in _DASHES:
        pen.setDashPattern([part / width for part in _DASHES[one.letter]])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    elif one.source is RegionSource.SUGGESTION and not one.letter and not one.settled:
        pen.setDashPattern([5 / width, 4 / width])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.strokePath(outline, pen)
    if one.whole and one.source is RegionSource.PERSON and not (one.settled or one.letter):
        draw_handles(painter, one.box, scale)


def _outline(one: DrawnRegion, scale: MarkScale) -> QPainterPath:
    """Returns the mask's outline, else the box; boxes of masks have round corners."""
    path, u = QPainterPath(), scale.unit
    for corners in one.outlines:
        path.addPolygon([scale.fit.to_window(corner) for corner in corners])
        path.closeSubpath()
    if one.outlines:
        return path
    rect, round_by = scale.fit.box_to_window(one.box), 0.0
    if one.settled:
        round_by = 4 * u
    elif one.source is RegionSource.SAM2:
        round_by = min(rect.width(), rect.height(), 16 * u) / 2
    path.addRoundedRect(rect, round_by, round_by)
    return path


def _colour(one: DrawnRegion) -> QColor:
    if one.letter:
        return theme.on_frames(_LETTERS.get(one.letter, "person"))
    return theme.on_frames("person" if one.settled else _COLOURS[one.source])


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
    painter: QPainter,
    one: DrawnRegion,
    words: str,
    scale: MarkScale,
    taken: Sequence[tuple[QRectF, float]],
) -> QRectF:
    """Draws a label where it covers the least weight of occupied boxes. Returns its place."""
    rect, frame, u = (
        scale.fit.box_to_window(one.box),
        scale.fit.rect,
        min(max(scale.unit, 1.0), 1.4),
    )
    face = font(max(11, round(10.5 * u)), 600)
    metrics = QFontMetricsF(face)
    widest = max(40.0, frame.width() - 8)
    shown = visible_text(words)
    shown = metrics.elidedText(shown, Qt.TextElideMode.ElideRight, widest - 10 * u)
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
    box = min(inside, key=lambda b: sum(_shared(b, other) * weight for other, weight in taken))
    colour = _colour(one)
    amber = colour == theme.on_frames("person")
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.on_frames("halo_dark"))
    round_by = height / 2 if one.letter else 3 * u  # people have circles
    painter.drawRoundedRect(box.adjusted(-u, -u, u, u), round_by + u, round_by + u)
    painter.setBrush(colour)
    painter.drawRoundedRect(box, round_by, round_by)
    painter.setFont(face)
    dark = amber or colour == theme.on_frames("suggestion")
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
