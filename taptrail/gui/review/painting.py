"""Paints the frames of Review: target, candidates, tolerance, and marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from episodes.actions import Action, PressKey, TypeText, place
from episodes.geometry import Box
from replay.tolerance import Tolerance
from taptrail.gui import marks, theme
from taptrail.words import tr

Paint = Callable[[QPainter, marks.MarkScale], None]
_TOGETHER_DP = 20


@dataclass(frozen=True)
class MarkUnderlay:
    """What is painted below the marks of a frame.

    Attributes:
        region: the target, with its label if it has one.
        candidates: boxes that could have been the target.
        tolerance: the region in which a touch counts as right.
    """

    region: Box | None = None
    label: str = ""
    candidates: Sequence[Box] = ()
    tolerance: Tolerance | None = None


def marked(said: Sequence[tuple[str, Action | None]], ground: MarkUnderlay) -> Paint:
    """Returns a function that paints (who, action) pairs over what lies below."""

    def paint(painter: QPainter, scale: marks.MarkScale) -> None:
        if ground.tolerance is not None:
            marks.draw_tolerance(painter, outline(ground.tolerance, scale), scale)
        for box in ground.candidates:
            _candidate(painter, scale.fit.box_to_window(box), scale)
        if ground.region is not None:
            marks.draw_target(painter, ground.region, scale, ground.label)
        drawn: list[QPointF] = []
        pills = 0
        for who, action in said:
            if action is None:
                continue
            off = _beside(action, drawn, scale)
            marks.draw(painter, action, who, scale, off=off, row=pills)
            point = place(action)
            if point is not None:
                drawn.append(scale.fit.to_window(point))
            if isinstance(action, PressKey | TypeText) or point is None:
                pills += 1

    return paint


def outline(tolerance: Tolerance, scale: marks.MarkScale) -> QPainterPath:
    """Returns the tolerance in window pixels, clipped to the frame."""
    fit = scale.fit
    whole = QPainterPath()
    across, down = fit.rect.width() / fit.size.width, fit.rect.height() / fit.size.height
    for ellipse in tolerance.ellipses:
        path = QPainterPath()
        centre = fit.to_window(ellipse.centre)
        path.addEllipse(centre, ellipse.across * across, ellipse.down * down)
        whole = whole.united(path)
    for box in tolerance.boxes:
        path = QPainterPath()
        path.addRect(fit.box_to_window(box))
        whole = whole.united(path)
    frame = QPainterPath()
    frame.addRect(QRectF(fit.rect))
    return whole.intersected(frame)


def words(ground: MarkUnderlay) -> str:
    """Returns a description of what lies below the marks, for a screen reader."""
    said = []
    if ground.region is not None:
        said.append(tr("Target shown"))
    if ground.candidates:
        said.append(tr("1 candidate", "{n} candidates", n=len(ground.candidates)))
    if ground.tolerance is not None:
        said.append(tr("Tolerance shown"))
    return ", ".join(said)


def _candidate(painter: QPainter, rect: QRectF, scale: marks.MarkScale) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    dark = QColor(theme.on_frames("halo_dark"))
    dark.setAlphaF(0.5)
    for ink, wide in ((dark, 2.6), (theme.on_frames("name1"), 1.2)):
        painter.setPen(QPen(ink, wide * scale.unit))
        painter.drawRect(rect)
    painter.restore()


def _beside(action: Action, drawn: list[QPointF], scale: marks.MarkScale) -> QPointF | None:
    """Returns the offset of a mark that is within 20 dp of another one."""
    point = place(action)
    if point is None:
        return None
    at = scale.fit.to_window(point)
    near = [d for d in drawn if hypot(d.x() - at.x(), d.y() - at.y()) < _TOGETHER_DP * scale.unit]
    if not near:
        return None
    side = -1 if at.x() > scale.fit.rect.center().x() else 1
    return QPointF(side * 31 * scale.unit, (len(near) - 1) * 40 * scale.unit - 22 * scale.unit)
