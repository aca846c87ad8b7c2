"""Actions and regions as SVG over a frame, in the frame's own pixels.

They look as in the window: a person's mark is round and amber, a run's is square with a letter.
Each stroke has a dark and a light halo. Sizes are dp of the phone's screen, and at least 80 % of
that in pixels of the page.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from episodes import actions as a
from episodes.density import likely_pixels_per_dp
from episodes.geometry import Box, Direction, Point, Size
from episodes.recordings import DeviceFacts
from episodes.visible_text import visible_text
from replay.report.formatting import Tr, key_words, short

PERSON = "G"
COLOURS = {"G": "#FFB01F", "A": "#2A94EE", "B": "#E5479D", "C": "#A4BF2E", "D": "#9A6CF5"}
DARK, LIGHT, PILL, ON_LIGHT = "#0B0C0E", "#FFFFFF", "#16171A", "#14151A"
_WAYS = {
    Direction.UP: (0.0, -1.0),
    Direction.DOWN: (0.0, 1.0),
    Direction.LEFT: (-1.0, 0.0),
    Direction.RIGHT: (1.0, 0.0),
}
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of the frame.

    Attributes:
        dp: pixels of the frame per dp of the phone's screen.
        zoom: pixels of the page per pixel of the frame.
    """

    size: Size
    dp: float
    zoom: float

    @property
    def unit(self) -> float:
        """Pixels of the frame for one dp of a mark."""
        return max(self.dp, 0.8 / self.zoom)


def scale_of(size: Size, device: DeviceFacts, shown_width: float) -> Scale:
    """Returns the scale of a frame that is shown this wide."""
    return Scale(size, likely_pixels_per_dp(device, size), shown_width / size.width)


def action_svg(action: a.Action, who: str, scale: Scale, tr: Tr) -> Markup:
    """Returns an action's marks; `who` is PERSON or a run's letter."""
    return _Mark(who, scale, tr).of(action)


def target_svg(box: Box, scale: Scale) -> Markup:
    """Returns the target's region."""
    u = scale.unit
    amber = COLOURS[PERSON]
    rect = Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}" ').format(
        _n(box.left), _n(box.top), _n(max(0.0, box.width)), _n(max(0.0, box.height)), _n(4 * u)
    )
    return (
        rect
        + Markup('fill="{0}" fill-opacity=".14" stroke="{1}" stroke-opacity=".6" ').format(
            amber, DARK
        )
        + Markup('stroke-width="{}"/>').format(_n(3.4 * u))
        + rect
        + Markup('fill="none" stroke="{}" stroke-width="{}"/>').format(amber, _n(1.6 * u))
    )


def target_label_svg(box: Box, scale: Scale, label: str) -> Markup:
    """Returns the region's label: above it, else below, never over it."""
    above = box.top - 21 * scale.unit
    y = above if above >= 0 else box.bottom + 5 * scale.unit
    return _label(scale, PERSON, (box.left, y), label)


def ellipse_svg(centre: Point, across: float, down: float, scale: Scale) -> Markup:
    """Returns the ellipse in which a touch is right: half axes in pixels of the frame."""
    shape = Markup('<ellipse cx="{}" cy="{}" rx="{}" ry="{}" fill="none" ').format(
        _n(centre.x), _n(centre.y), _n(across), _n(down)
    )
    return _dotted(shape, scale)


def tolerance_box_svg(box: Box, scale: Scale) -> Markup:
    """Returns a box in which a touch is right."""
    shape = Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="none" ').format(
        _n(box.left), _n(box.top), _n(box.width), _n(box.height)
    )
    return _dotted(shape, scale)


def _dotted(shape: Markup, scale: Scale) -> Markup:
    """Draws a shape with white dots on a dark line, which is visible on any screen."""
    u = scale.unit
    dots = f"{_n(1.3 * u)} {_n(3.4 * u)}"
    return (
        shape
        + Markup('stroke="{}" stroke-opacity=".7" stroke-width="{}"/>').format(DARK, _n(2.6 * u))
        + shape
        + Markup('stroke="{}" stroke-width="{}" stroke-linecap="round" stroke-dasharray="{}"/>')
        .format(LIGHT, _n(1.3 * u), dots)
    )  # fmt: skip


def thinned(way: Sequence[Point], most: int = 80) -> list[Point]:
    """Returns at most `most` points of a path, always with its first and last."""
    if len(way) <= most:
        return list(way)
    return [way[round(n * (len(way) - 1) / (most - 1))] for n in range(most)]


class _Mark:
    def __init__(self, who: str, scale: Scale, tr: Tr) -> None:
        self.who, self.scale, self.tr, self.u = who, scale, tr, scale.unit
        self.colour = COLOURS[who]
        self.person = who == PERSON

    def of(self, action: a.Action) -> Markup:
        match action:
            case a.Tap(at):
                return self.touch(at, [14 if self.person else 13], 2.5)
            case a.DoubleTap(at):
                return self.touch(at, [17, 10] if self.person else [15, 9], 2)
            case a.LongPress(at, duration_us):
                return self.touch(at, [14 if self.person else 13], 2.5, held=True, us=duration_us)
            case a.Swipe(start, end, duration_us, path):
                way = thinned([c.at for c in path if c.pointer == 0]) or [start, end]
                seconds = self.seconds(duration_us) if duration_us else ""
                return self.arrow([(p.x, p.y) for p in way], seconds)
            case a.Scroll(direction, at):
                return self.scroll(direction, at)
            case a.Pinch(centre, scale):
                return self.pinch(centre, apart=scale > 1)
            case a.TypeText(text, target):
                return self.text(f"“{short(text, 30)}”", target)
            case a.PressKey(key, name):
                return self.pill(key_words(key, name, self.tr), icon=_KEYS.get(key, ""))
            case a.OpenApp(app):
                return self.pill(short(app, 24))
            case a.Wait(duration_us):
                return self.pill(self.seconds(duration_us) if duration_us else self.tr("Wait"))
            case a.Answer(text):
                return self.pill(f"“{short(text, 24)}”")
            case a.Finish(ending):
                done = ending is a.Ending.COMPLETE
                words = self.tr("Done") if done else self.tr("Impossible")
                return self.pill(words, icon=_FLAG)
            case a.Other(name):
                return self.pill(short(name, 24))

    def touch(
        self,
        at: a.Target,
        sizes: Sequence[float],
        width: float,
        *,
        held: bool = False,
        us: int | None = None,
    ) -> Markup:
        point = self.point_of(at)
        if isinstance(point, Markup):
            return point
        if not self.inside(point):
            return self.edge_arrow(point)
        x, y = point
        drawn = Markup("").join(self.halo(self.ring(point, size), width) for size in sizes)
        reach = max(sizes)
        if held:
            reach, r = 20, 20 * self.u
            arc = f"M{_n(x)} {_n(y - r)}A{_n(r)} {_n(r)} 0 1 1 {_n(x - r)} {_n(y)}"
            drawn += self.halo(self.path(arc), 2.5)
            if us:
                place = (x + 26 * self.u, y - 8 * self.u)
                drawn += _label(self.scale, self.who, place, self.seconds(us))
        drawn += self.dot(point, 3)
        return drawn + self.letter((x + (reach - 6) * self.u, y - (reach + 10) * self.u))

    def scroll(self, direction: Direction, at: a.Target | None) -> Markup:
        size = self.scale.size
        point = self.point_of(at) if at is not None else None
        x, y = point if isinstance(point, tuple) else (size.width / 2, size.height / 2)
        dx, dy = (60 * self.u * part for part in _WAYS[direction])
        return self.arrow([(x - dx, y - dy), (x + dx, y + dy)], "")

    def arrow(self, way: list[Spot], words: str) -> Markup:
        (x, y), end = way[0], way[-1]
        far = (p for p in reversed(way) if math.dist(p, end) > 6 * self.u)
        line = "M" + "L".join(f"{_n(px)} {_n(py)}" for px, py in way)
        drawn = self.halo(self.path(line), 3)
        drawn += self.halo(self.head(next(far, way[0]), end, 13, 0.5), 3)
        drawn += self.halo(self.ring((x, y), 7 if self.person else 6.5), 2.5, fill=LIGHT)
        if words:
            place = (x + (14 if self.person else 26) * self.u, y - 8 * self.u)
            drawn += _label(self.scale, self.who, place, words)
        return drawn + self.letter((x + 9 * self.u, y - 22 * self.u))

    def pinch(self, centre: Point, *, apart: bool) -> Markup:
        slant = math.sqrt(0.5) * self.u
        drawn = Markup("")
        for side in (1, -1):
            near, far = (
                (centre.x + slant * reach * side, centre.y - slant * reach * side)
                for reach in (10, 34)
            )
            tail, tip = (near, far) if apart else (far, near)
            line = f"M{_n(tail[0])} {_n(tail[1])}L{_n(tip[0])} {_n(tip[1])}"
            drawn += self.halo(self.path(line), 2.5) + self.halo(self.head(tail, tip, 9, 0.55), 2.5)
        drawn += self.dot((centre.x, centre.y), 2.4)
        return drawn + self.letter((centre.x + 26 * self.u, centre.y - 44 * self.u))

    def text(self, words: str, target: a.Target | None) -> Markup:
        point = self.point_of(target) if target is not None else None
        if not isinstance(point, tuple):
            return self.pill(words)
        if isinstance(target, Box):
            return self.pill(words, (target.centre.x, target.bottom + 6 * self.u))
        return self.dot(point, 3) + self.pill(words, (point[0], point[1] + 22 * self.u))

    def pill(self, words: str, top: Spot | None = None, *, icon: str = "") -> Markup:
        u, size = self.u, self.scale.size
        height, room = 26 * u, size.width - 16 * u
        words = visible_text(words)
        while len(words) > 4 and _width(words) * 12.5 * u + 24 * u > room:
            words = words[: -max(2, len(words) // 10)] + "…"
        width = min(_width(words) * 12.5 * u + (42 if icon else 24) * u, room)
        if top is None:
            top = (size.width / 2, size.height - 48 * u)
        x = _between(top[0] - width / 2, 4 * u, size.width - width - 4 * u)
        y = _between(top[1], 4 * u, size.height - height - 4 * u)
        corner = height / 2 if self.person else 6 * u
        drawn = Markup("")
        for grow, fill in ((2.6, DARK), (1.6, self.colour), (0.0, PILL)):
            g = grow * u
            drawn += Markup(
                '<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{}"/>'
            ).format(
                _n(x - g), _n(y - g), _n(width + 2 * g), _n(height + 2 * g), _n(corner + g), fill
            )
        middle = x + width / 2
        if icon:
            drawn += Markup(
                '<path transform="translate({} {}) scale({})" d="{}" fill="none" stroke="{}" '
                'stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>'
            ).format(_n(x + 9 * u), _n(y + 6 * u), _n(14 * u / 24, 4), icon, self.colour)
            middle += 9 * u
        drawn += _text((middle, y + height / 2), words, 12.5 * u, 500, LIGHT)
        return drawn + self.letter((x + width - 4 * u, y - 11 * u))

    def edge_arrow(self, point: Spot) -> Markup:
        size = self.scale.size
        tip = (_between(point[0], 6, size.width - 6), _between(point[1], 6, size.height - 6))
        away = math.dist(tip, point) or 1.0
        dx, dy = (point[0] - tip[0]) / away, (point[1] - tip[1]) / away
        tail = (tip[0] - dx * 30 * self.u, tip[1] - dy * 30 * self.u)
        line = f"M{_n(tail[0])} {_n(tail[1])}L{_n(tip[0])} {_n(tip[1])}"
        drawn = self.halo(self.path(line), 3) + self.halo(self.head(tail, tip, 13, 0.5), 3)
        words = f"{point[0]:.0f}, {point[1]:.0f}"
        place = (tail[0] - dx * 14 * self.u, tail[1] - dy * 14 * self.u)
        drawn += _label(self.scale, self.who, place, words, centred=True)
        return drawn + self.letter((tail[0] + 9 * self.u, tail[1] - 22 * self.u))

    def ring(self, at: Spot, half: float) -> Markup:
        (x, y), reach = at, half * self.u
        if self.person:
            return Markup('<circle cx="{}" cy="{}" r="{}" ').format(_n(x), _n(y), _n(reach))
        return Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}" ').format(
            _n(x - reach), _n(y - reach), _n(2 * reach), _n(2 * reach), _n(0.385 * reach)
        )

    def path(self, d: str) -> Markup:
        return Markup('<path d="{}" ').format(d)

    def head(self, tail: Spot, tip: Spot, length: float, spread: float) -> Markup:
        angle, reach = math.atan2(tip[1] - tail[1], tip[0] - tail[0]), length * self.u
        one, other = (
            f"{_n(tip[0] - math.cos(angle + turn) * reach)} "
            f"{_n(tip[1] - math.sin(angle + turn) * reach)}"
            for turn in (-spread, spread)
        )
        return self.path(f"M{one}L{_n(tip[0])} {_n(tip[1])}L{other}")

    def halo(self, shape: Markup, width: float, fill: str = "none") -> Markup:
        """Draws an opened element three times: dark, light, and in its colour."""
        ends = Markup('stroke-linecap="round" stroke-linejoin="round" ')
        drawn = Markup("")
        for grow, stroke, opacity, inside in (
            (3.2, DARK, Markup('stroke-opacity=".62" '), "none"),
            (1.6, LIGHT, Markup(""), "none"),
            (0.0, self.colour, Markup(""), fill),
        ):
            drawn += shape + ends + opacity
            drawn += Markup('fill="{}" stroke="{}" stroke-width="{}"/>').format(
                inside, stroke, _n((width + grow) * self.u)
            )
        return drawn

    def dot(self, at: Spot, radius: float) -> Markup:
        grow = radius / 3
        return Markup("").join(
            Markup('<circle cx="{}" cy="{}" r="{}" fill="{}"/>').format(
                _n(at[0]), _n(at[1]), _n((radius + more * grow) * self.u), fill
            )
            for more, fill in ((1.6, DARK), (0.9, LIGHT), (0.0, self.colour))
        )

    def letter(self, at: Spot) -> Markup:
        if self.person:
            return Markup("")
        u, size = self.u, self.scale.size
        x = _between(at[0], 0, size.width - 15 * u)
        y = _between(at[1], 0, size.height - 15 * u)
        square = Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{}"/>')
        side = 13 * u
        return (
            square.format(_n(x), _n(y), _n(15 * u), _n(15 * u), _n(3.5 * u), LIGHT)
            + square.format(_n(x + u), _n(y + u), _n(side), _n(side), _n(3 * u), self.colour)
            + _text((x + 7.5 * u, y + 7.5 * u), self.who, 10 * u, 700, _on(self.who))
        )

    def seconds(self, us: int) -> str:
        return self.tr("{seconds:.1f} s", seconds=us / 1e6)

    def inside(self, point: Spot) -> bool:
        size = self.scale.size
        return -0.5 <= point[0] <= size.width + 0.5 and -0.5 <= point[1] <= size.height + 0.5

    def point_of(self, target: a.Target) -> Spot | Markup:
        """Returns a target's point, or a pill that names an element without one."""
        match target:
            case Point(x, y):
                return (x, y)
            case Box():
                return (target.centre.x, target.centre.y)
            case a.ElementRef(index, text, path):
                named = text or path or (f"#{index}" if index is not None else "")
                return self.pill(self.tr("element {name}", name=short(named, 24)))


def _label(scale: Scale, who: str, at: Spot, words: str, *, centred: bool = False) -> Markup:
    u, size = scale.unit, scale.size
    words = visible_text(words)
    width = min(_width(words) * 10.5 * u + 10 * u, size.width - 4 * u)
    x = _between(at[0] - width / 2 if centred else at[0], 2 * u, size.width - width - 2 * u)
    y = _between(at[1], 2 * u, size.height - 18 * u)
    rect = Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{}"/>')
    return (
        rect.format(_n(x - u), _n(y - u), _n(width + 2 * u), _n(18 * u), _n(4 * u), DARK)
        + rect.format(_n(x), _n(y), _n(width), _n(16 * u), _n(3 * u), COLOURS[who])
        + _text((x + width / 2, y + 8 * u), words, 10.5 * u, 600, _on(who))
    )


def _text(middle: Spot, words: str, size: float, weight: int, fill: str) -> Markup:
    return Markup(
        '<text x="{}" y="{}" font-size="{}" font-weight="{}" fill="{}" text-anchor="middle" '
        'dominant-baseline="central">{}</text>'
    ).format(_n(middle[0]), _n(middle[1]), _n(size), weight, fill, words)


def _on(who: str) -> str:
    return ON_LIGHT if who in (PERSON, "C") else LIGHT


def _width(words: str) -> float:
    """Returns about how many times the font's size a text is wide."""
    return sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.57 for c in words)


def _between(value: float, low: float, high: float) -> float:
    return max(low, min(value, high))


def _n(number: float, digits: int = 1) -> str:
    """Returns a number in SVG syntax, clipped to the range a screen can have."""
    if not math.isfinite(number):
        number = 0.0
    text = f"{_between(number, -1e6, 1e6):.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# Ours, drawn on 24 x 24.
_FLAG = "M5 21V4M5 4h13l-3 4 3 4H5"
_KEYS = {
    a.Key.BACK: "M20 12H4M11 5l-7 7 7 7",
    a.Key.HOME: "M12 4a8 8 0 1 0 .01 0z",
    a.Key.RECENTS: "M5 5h14v14H5z",
    a.Key.ENTER: "M20 6v7H4M10 7l-6 6 6 6",
}
