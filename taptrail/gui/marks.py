"""Draws actions and regions on frames, in the same style for mirror, strip, review and reports.

Marks of people are round and amber, marks of runs are squares with a letter. Sizes are in dp of the
phone's screen, so a mark is as large as a fingertip on every phone; on a small frame marks keep at
least 80 % of their size in the window. Every stroke has a dark and a light halo, so it is visible
on any background.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from episodes import actions as a
from episodes.geometry import Box, Direction, Point
from episodes.key_names import format_key
from episodes.visible_text import visible_text
from taptrail.gui import icons, theme
from taptrail.gui.fit import Fit
from taptrail.gui.fonts import font
from taptrail.words import tr

PERSON = "G"
_NAMES = {"G": "person", "A": "name1", "B": "name2", "C": "name3", "D": "name4"}
_DIRECTIONS = {
    Direction.UP: QPointF(0, -1),
    Direction.DOWN: QPointF(0, 1),
    Direction.LEFT: QPointF(-1, 0),
    Direction.RIGHT: QPointF(1, 0),
}


@dataclass(frozen=True)
class MarkScale:
    """Position of the frame in the window, and the size of a dp of its phone there.

    Attributes:
        dp: pixels of the frame per dp of the phone's screen.
    """

    fit: Fit
    dp: float

    @property
    def unit(self) -> float:
        """Window pixels for one dp of a mark."""
        return max(self.fit.zoom * self.dp, 0.8)


def draw(
    painter: QPainter,
    action: a.Action,
    who: str,
    scale: MarkScale,
    *,
    off: QPointF | None = None,
    row: int = 0,
) -> None:
    """Draws an action on a frame.

    Args:
        who: PERSON, or a run's letter "A" to "D".
        off: offset of the mark from its point in window pixels, with a leader line.
        row: number of pills below this one at the bottom of the frame.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _Mark(painter, who, scale, off, row).draw(action)
    painter.restore()


def draw_small(painter: QPainter, action: a.Action, fit: Fit, who: str = PERSON) -> None:
    """Draws an action on a thumbnail: a dot of 8 px, or a line with a dot at its end."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = theme.on_frames(_NAMES[who])
    if isinstance(action, a.Swipe):
        start, end = fit.to_window(action.start), fit.to_window(action.end)
        painter.setPen(_pen(theme.on_frames("halo_dark"), 5))
        painter.drawLine(start, end)
        painter.setPen(_pen(colour, 2))
        painter.drawLine(start, end)
        _dot(painter, end, colour, 2.6)
    else:
        point = a.place(action)
        if point is not None:
            _dot(painter, fit.to_window(point), colour, 3.2)
    painter.restore()


def draw_target(painter: QPainter, box: Box, scale: MarkScale, label: str = "") -> None:
    """Draws the target region of a step, with its sources as label."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    unit = scale.unit
    rect = scale.fit.box_to_window(box)
    colour = theme.on_frames("person")
    fill = QColor(colour)
    fill.setAlphaF(0.14)
    outline = QPainterPath()
    outline.addRoundedRect(rect, 4 * unit, 4 * unit)
    painter.fillPath(outline, fill)
    painter.strokePath(outline, _pen(_dark(0.6), 3.4 * unit))
    painter.strokePath(outline, _pen(colour, 1.6 * unit))
    if label:
        _label_beside(painter, rect, label, colour, scale)
    painter.restore()


def draw_tolerance(painter: QPainter, outline: QPainterPath, scale: MarkScale) -> None:
    """Draws the area in which a point counts as right; the outline is in window pixels."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    unit = scale.unit
    painter.strokePath(outline, _pen(_dark(0.7), 2.6 * unit))
    dots = _pen(theme.on_frames("halo_light"), 1.3 * unit)
    dots.setDashPattern([1.5, 2.7])
    painter.strokePath(outline, dots)
    painter.restore()


class _Mark:
    """One action of one person or run, being drawn."""

    def __init__(
        self, painter: QPainter, who: str, scale: MarkScale, off: QPointF | None, row: int
    ) -> None:
        self.p, self.who, self.scale, self.off, self.row = painter, who, scale, off, row
        self.u = scale.unit
        self.colour = theme.on_frames(_NAMES[who])
        self.person = who == PERSON

    def draw(self, action: a.Action) -> None:
        match action:
            case a.Tap(at):
                self.touch(at, [14 if self.person else 13], 2.5)
            case a.DoubleTap(at):
                self.touch(at, [17, 10] if self.person else [15, 9], 2)
            case a.LongPress(at, duration_us):
                self.touch(at, [14 if self.person else 13], 2.5, held_us=duration_us, held=True)
            case a.Swipe():
                self.swipe(action)
            case a.Scroll(direction, at):
                self.scroll(direction, at)
            case a.Pinch(centre, scale):
                self.pinch(centre, apart=scale > 1)
            case a.TypeText(text, target):
                self.text(text, target)
            case a.PressKey(key, name):
                self.pill(icons.of_action(action), _key_words(key, name))
            case a.OpenApp(app):
                self.pill("apps", app)
            case a.Wait(duration_us):
                self.pill("timer-sand", _seconds(duration_us) if duration_us else tr("Wait"))
            case a.Answer(text):
                self.pill("message-reply-text-outline", _short(text))
            case a.Finish(ending):
                done = ending is a.Ending.COMPLETE
                self.pill("flag-checkered", tr("Done") if done else tr("Impossible"))
            case a.Other(name):
                self.pill("dots-horizontal", _short(name))

    def touch(
        self,
        at: a.Target,
        sizes: Sequence[float],
        width: float,
        *,
        held: bool = False,
        held_us: int | None = None,
    ) -> None:
        point = self.point_of(at)
        if point is None:
            return
        dot = self.scale.fit.to_window(point)
        if self.outside(dot):
            self.edge_arrow(dot, point)
            return
        centre = dot
        if self.off is not None:
            centre = dot + self.off
            self.p.setPen(_pen(theme.on_frames("halo_dark"), 2.6 * self.u))
            self.p.drawLine(dot, centre)
            self.p.setPen(_pen(self.colour, 1 * self.u))
            self.p.drawLine(dot, centre)
        for size in sizes:
            self.halo(self.shape(centre, size), width)
        reach = max(sizes)
        if held:
            arc = QPainterPath()
            box = _square(centre, 20 * self.u)
            arc.arcMoveTo(box, 90)
            arc.arcTo(box, 90, -270)
            self.halo(arc, 2.5)
            reach = 20
            if held_us:
                self.label(centre + QPointF(26, -8) * self.u, _seconds(held_us))
        _dot(self.p, dot, self.colour, 3 * self.u)
        self.letter(centre + QPointF(reach - 6, -reach - 10) * self.u)

    def swipe(self, action: a.Swipe) -> None:
        points = [c.at for c in action.path if c.pointer == 0] or [action.start, action.end]
        way = [self.scale.fit.to_window(point) for point in points]
        seconds = _seconds(action.duration_us) if action.duration_us else ""
        self.arrow(way, seconds)

    def scroll(self, direction: Direction, at: a.Target | None) -> None:
        size = self.scale.fit.size
        point = (self.point_of(at) if at is not None else None) or size.at(0.5, 0.5)
        middle = self.scale.fit.to_window(point)
        step = _DIRECTIONS[direction] * 60 * self.u
        self.arrow([middle - step, middle + step], "")

    def arrow(self, way: list[QPointF], words: str) -> None:
        start, end = way[0], way[-1]
        before = next((p for p in reversed(way) if QLineF(p, end).length() > 6 * self.u), way[0])
        line = QPainterPath(start)
        for point in way[1:]:
            line.lineTo(point)
        self.halo(line, 3)
        self.halo(self.head(before, end, 13, 0.5), 3)
        ring = self.shape(start, 7 if self.person else 6.5)
        self.halo(ring, 2.5)
        self.p.fillPath(ring, theme.on_frames("halo_light"))
        if words:
            self.label(start + QPointF(14 if self.person else 26, -8) * self.u, words)
        self.letter(start + QPointF(9, -22) * self.u)

    def pinch(self, centre: Point, *, apart: bool) -> None:
        middle = self.scale.fit.to_window(centre)
        slant = QPointF(math.sqrt(0.5), -math.sqrt(0.5)) * self.u
        for side in (1, -1):
            near, far = middle + slant * (10 * side), middle + slant * (34 * side)
            tail, tip = (near, far) if apart else (far, near)
            line = QPainterPath(tail)
            line.lineTo(tip)
            self.halo(line, 2.5)
            self.halo(self.head(tail, tip, 9, 0.55), 2.5)
        _dot(self.p, middle, self.colour, 2.4 * self.u)
        self.letter(middle + QPointF(26, -44) * self.u)

    def text(self, text: str, target: a.Target | None) -> None:
        words = f"“{_short(text)}”"
        point = self.point_of(target) if target is not None else None
        if point is None:
            self.pill("form-textbox", words)
            return
        below = self.scale.fit.to_window(point) + QPointF(0, 22 * self.u)
        if isinstance(target, Box):
            rect = self.scale.fit.box_to_window(target)
            below = QPointF(rect.center().x(), rect.bottom() + 6 * self.u)
        else:
            _dot(self.p, self.scale.fit.to_window(point), self.colour, 3 * self.u)
        self.pill("form-textbox", words, below)

    def pill(self, icon: str, words: str, top: QPointF | None = None) -> None:
        u, frame = self.u, self.scale.fit.rect
        face = font(max(1, round(12.5 * u)), 500)
        height = 26 * u
        widest = max(60 * u, frame.width() - 12 * u)
        width = min(QFontMetricsF(face).horizontalAdvance(words) + 42 * u, widest)
        if top is None:
            top = QPointF(frame.center().x(), frame.bottom() - (48 + 36 * self.row) * u)
        half = width / 2 + 4 * u
        x = min(max(top.x(), frame.left() + half), frame.right() - half)
        y = min(max(top.y(), frame.top() + 4 * u), frame.bottom() - height - 4 * u)
        box = QRectF(x - width / 2, y, width, height)
        round_by = height / 2 if self.person else 6 * u
        self.p.setPen(Qt.PenStyle.NoPen)
        for grow, ground in ((2.6, "halo_dark"), (1.6, ""), (0.0, "pill")):
            self.p.setBrush(theme.on_frames(ground) if ground else self.colour)
            g = grow * u
            self.p.drawRoundedRect(box.adjusted(-g, -g, g, g), round_by + g, round_by + g)
        icons.paint(self.p, icon, QPointF(box.left() + 16 * u, y + height / 2), 15 * u, self.colour)
        self.p.setFont(face)
        self.p.setPen(theme.on_frames("pill_text"))
        room = box.adjusted(28 * u, 0, -10 * u, 0)
        shown = visible_text(words)
        shown = QFontMetricsF(face).elidedText(shown, Qt.TextElideMode.ElideRight, room.width() + u)
        self.p.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        self.letter(QPointF(box.right() - 4 * u, y - 11 * u))

    def edge_arrow(self, at: QPointF, point: Point) -> None:
        frame = self.scale.fit.rect.adjusted(6, 6, -6, -6)
        tip = QPointF(
            min(max(at.x(), frame.left()), frame.right()),
            min(max(at.y(), frame.top()), frame.bottom()),
        )
        way = QLineF(tip, at)
        away = QPointF(way.dx(), way.dy()) / max(way.length(), 1e-6)
        tail = tip - away * 30 * self.u
        line = QPainterPath(tail)
        line.lineTo(tip)
        self.halo(line, 3)
        self.halo(self.head(tail, tip, 13, 0.5), 3)
        self.label(tail - away * 14 * self.u, f"{point.x:.0f}, {point.y:.0f}", middle=True)
        self.letter(tail + QPointF(9, -22) * self.u)

    def shape(self, centre: QPointF, half: float) -> QPainterPath:
        path = QPainterPath()
        box = _square(centre, half * self.u)
        if self.person:
            path.addEllipse(box)
        else:
            corner = half * 0.385 * self.u
            path.addRoundedRect(box, corner, corner)
        return path

    def head(self, tail: QPointF, tip: QPointF, length: float, spread: float) -> QPainterPath:
        angle = math.atan2(tip.y() - tail.y(), tip.x() - tail.x())
        reach = length * self.u
        sides = [
            tip - QPointF(math.cos(angle + turn), math.sin(angle + turn)) * reach
            for turn in (-spread, spread)
        ]
        path = QPainterPath(sides[0])
        path.lineTo(tip)
        path.lineTo(sides[1])
        return path

    def halo(self, path: QPainterPath, width: float) -> None:
        self.p.strokePath(path, _pen(_dark(0.62), (width + 3.2) * self.u))
        self.p.strokePath(path, _pen(theme.on_frames("halo_light"), (width + 1.6) * self.u))
        self.p.strokePath(path, _pen(self.colour, width * self.u))

    def label(self, at: QPointF, words: str, *, middle: bool = False) -> None:
        _label(self.p, at, words, self.colour, self.u, self.scale.fit.rect, middle=middle)

    def letter(self, at: QPointF) -> None:
        if self.person:
            return
        u, frame = self.u, self.scale.fit.rect
        x = min(max(at.x(), frame.left()), frame.right() - 15 * u)
        y = min(max(at.y(), frame.top()), frame.bottom() - 15 * u)
        box = QRectF(x, y, 15 * u, 15 * u)
        self.p.setPen(Qt.PenStyle.NoPen)
        self.p.setBrush(theme.on_frames("halo_light"))
        self.p.drawRoundedRect(box, 3.5 * u, 3.5 * u)
        self.p.setBrush(self.colour)
        self.p.drawRoundedRect(box.adjusted(u, u, -u, -u), 3 * u, 3 * u)
        self.p.setFont(font(max(1, round(10 * u)), 700))
        self.p.setPen(_text_on(self.colour))
        self.p.drawText(box, Qt.AlignmentFlag.AlignCenter, self.who)

    def outside(self, at: QPointF) -> bool:
        return not self.scale.fit.rect.adjusted(-0.5, -0.5, 0.5, 0.5).contains(at)

    def point_of(self, target: a.Target) -> Point | None:
        match target:
            case Point():
                return target
            case Box():
                return target.centre
            case a.ElementRef(index, text, path):
                named = text or path or (f"#{index}" if index is not None else "")
                self.pill("gesture-tap", tr("element {name}", name=_short(named)))
                return None


def _label_beside(
    painter: QPainter, rect: QRectF, words: str, colour: QColor, scale: MarkScale
) -> None:
    """Places the label above the region, else below it; never over it."""
    u, frame = scale.unit, scale.fit.rect
    above = rect.top() - 21 * u
    y = above if above >= frame.top() else rect.bottom() + 5 * u
    _label(painter, QPointF(rect.left(), y), words, colour, u, frame)


def _label(
    painter: QPainter,
    at: QPointF,
    words: str,
    colour: QColor,
    u: float,
    frame: QRectF,
    *,
    middle: bool = False,
) -> None:
    face = font(max(1, round(10.5 * u)), 600)
    width = QFontMetricsF(face).horizontalAdvance(words) + 10 * u
    x = at.x() - width / 2 if middle else at.x()
    x = min(max(x, frame.left() + 2 * u), frame.right() - width - 2 * u)
    y = min(max(at.y(), frame.top() + 2 * u), frame.bottom() - 18 * u)
    box = QRectF(x, y, width, 16 * u)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.on_frames("halo_dark"))
    painter.drawRoundedRect(box.adjusted(-u, -u, u, u), 4 * u, 4 * u)
    painter.setBrush(colour)
    painter.drawRoundedRect(box, 3 * u, 3 * u)
    painter.setFont(face)
    painter.setPen(_text_on(colour))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _dot(painter: QPainter, at: QPointF, colour: QColor, radius: float) -> None:
    grow = radius / 3
    painter.setPen(Qt.PenStyle.NoPen)
    for more, ground in ((1.6, "halo_dark"), (0.9, "halo_light"), (0.0, "")):
        painter.setBrush(theme.on_frames(ground) if ground else colour)
        size = radius + more * grow
        painter.drawEllipse(at, size, size)


def _square(centre: QPointF, half: float) -> QRectF:
    return QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half)


def _pen(colour: QColor, width: float) -> QPen:
    return QPen(
        colour,
        width,
        Qt.PenStyle.SolidLine,
        Qt.PenCapStyle.RoundCap,
        Qt.PenJoinStyle.RoundJoin,
    )


def _dark(opacity: float) -> QColor:
    made = theme.on_frames("halo_dark")
    made.setAlphaF(opacity)
    return made


def _text_on(colour: QColor) -> QColor:
    light = colour in (theme.on_frames("person"), theme.on_frames("name3"))
    return theme.on_frames("on_light" if light else "pill_text")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 24 else line[:23] + "…"


def _seconds(duration_us: int) -> str:
    return tr("{seconds:.1f} s", seconds=duration_us / 1e6)


def _key_words(key: a.Key, name: str | None) -> str:
    if key is a.Key.OTHER:
        return format_key(name) or tr("Key")
    return tr(key.value.replace("_", " ").capitalize())
