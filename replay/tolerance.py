"""The area of a frame in which a touch is right: a protocol's limits as shapes in pixels.

Benchmarks measure in fractions of width and height, so their circle is an ellipse on a screen.
`tolerance` derives the shape from the same gold that the protocol's judge gets. A test compares it
with the judge, point by point.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from episodes import actions as a
from episodes.episodes import Episode
from episodes.geometry import Box, Point, Size
from episodes.steps import Step
from scoring.protocol import CannotSay, ScoringProtocol
from scoring.protocols import agentcpm, aitw, guiodyssey, guiodyssey_gui_r1, guiodyssey_os_atlas
from scoring.protocols.aitw_answers import DUAL_POINT
from scoring.protocols.androidcontrol import agentcpm as androidcontrol_agentcpm
from scoring.protocols.androidcontrol import clawgui, gui_r1, mimo, os_atlas, qwen25vl, touches
from scoring.protocols.guiodyssey_steps import OdysseyStep
from scoring.protocols.taptrail_strict import StrictGold, covers_screen

YXHW = tuple[float, float, float, float]
_TOUCH = (a.Tap, a.DoubleTap, a.LongPress)


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An ellipse with its axes along the frame's sides, in pixels."""

    centre: Point
    across: float
    down: float

    def __contains__(self, point: Point) -> bool:
        x, y = (point.x - self.centre.x) / self.across, (point.y - self.centre.y) / self.down
        return x * x + y * y <= 1


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A touch in any of these shapes is right. Boxes are in pixels; all edges are inside."""

    ellipses: tuple[Ellipse, ...] = ()
    boxes: tuple[Box, ...] = ()

    def __contains__(self, point: Point) -> bool:
        return any(point in ellipse for ellipse in self.ellipses) or any(
            box.left <= point.x <= box.right and box.top <= point.y <= box.bottom
            for box in self.boxes
        )


def tolerance(protocol: ScoringProtocol, step: Step, episode: Episode) -> Tolerance | None:
    """Returns the area in which a touch of the gold's kind is right.

    Returns None if the gold is not a touch, its place is unknown, or the protocol has no such
    shape: some compare elements, others check a predicted box against the gold point.
    """
    size = step.frame.size if step.frame is not None else None
    gold = protocol.gold(step, episode)
    if size is None or isinstance(gold, CannotSay):
        return None
    for kind, shape in _SHAPES:
        if isinstance(gold, kind):
            found: Tolerance | None = shape(gold, size, protocol)
            return found
    return None


def _strict(gold: StrictGold, size: Size, _: ScoringProtocol) -> Tolerance | None:
    points = [a.place(action) for action in gold.right if isinstance(action, _TOUCH)]
    known = [point for point in points if point is not None]
    if gold.reach is None or not known:
        return None
    region = gold.region
    covers = region is not None and covers_screen(region, size)
    trusted = region is not None and not covers and any(point in region for point in known)
    return Tolerance(
        tuple(Ellipse(point, gold.reach, gold.reach) for point in known),
        (region,) if region is not None and trusted else (),
    )


def _odyssey(
    gold: guiodyssey.GuiOdysseyGold, size: Size, protocol: ScoringProtocol
) -> Tolerance | None:
    kind, _, argument = gold.answer.partition(":")
    numbers = _PAIR.fullmatch(argument.strip())
    if kind.strip() not in guiodyssey.POINTED or numbers is None:
        return None
    x, y = (float(number) for number in numbers.groups())
    box = gold.box if protocol.version != "1" else None
    boxes: tuple[Box, ...] = ()
    if box is not None:
        if not (isinstance(box, list) and len(box) == 4 and all(_is_number(n) for n in box)):
            return None  # every touch is wrong then
        boxes = (_scaled(box, size.width / 1000, size.height / 1000),)
    return Tolerance((_share(x / 1000, y / 1000, guiodyssey.DISTANCE_LIMIT, size),), boxes)


def _odyssey_os_atlas(
    gold: guiodyssey_os_atlas.OsAtlasGold, size: Size, _: ScoringProtocol
) -> Tolerance | None:
    if gold.step.point is None:
        return None
    x, y = (round(number) / 1000 for number in gold.step.point)
    return Tolerance((_share(x, y, guiodyssey_os_atlas.DISTANCE_LIMIT / 1000, size),))


def _odyssey_gui_r1(gold: OdysseyStep, size: Size, _: ScoringProtocol) -> Tolerance | None:
    if gold.point is None:
        return None
    x, y = gold.point
    return Tolerance((_share(x / 1000, y / 1000, guiodyssey_gui_r1.LIMIT, size),))


def _cpm(gold: agentcpm.CpmGold, size: Size, protocol: ScoringProtocol) -> Tolerance | None:
    if gold.action.point is None:
        return None
    x, y = gold.action.point
    if protocol.name == androidcontrol_agentcpm.V1.name:
        return _nearest(x, y, gold.boxes, size)
    larger = (agentcpm.enlarged(box) for box in gold.boxes)
    holding = [box for box in larger if touches.holds(box, x, y)]
    return Tolerance((_share(x, y, agentcpm.DISTANCE_LIMIT, size),), _boxes(holding, size))


def _aitw(gold: aitw.AitwGold, size: Size, _: ScoringProtocol) -> Tolerance | None:
    action = gold.action
    if action.code != DUAL_POINT or not gold.boxes:
        return None
    if not aitw.is_tap(action.touch, action.lift):
        return None
    larger = aitw.enlarged(np.array(gold.boxes, dtype=np.float32))
    holding = larger[aitw.inside(action.touch, larger)]
    y, x = action.touch
    found = [(float(t), float(left), float(h), float(w)) for t, left, h, w in holding]
    return Tolerance((_share(x, y, aitw.TAP_DISTANCE, size),), _boxes(found, size))


def _mimo(gold: mimo.MimoGold, size: Size, _: ScoringProtocol) -> Tolerance | None:
    point: Any = gold.action.get("start_point")
    if gold.action["action_name"] not in ("click", "longpress") or not _is_pair(point):
        return None
    return _nearest(point[0], point[1], gold.boxes, size)


def _nearest(x: float, y: float, boxes: Sequence[YXHW], size: Size) -> Tolerance:
    five = touches.nearest([touches.enlarged(box) for box in boxes], x, y)
    return Tolerance((_share(x, y, mimo.DISTANCE_LIMIT, size),), _boxes(five, size))


def _qwen(gold: qwen25vl.QwenGold, size: Size, _: ScoringProtocol) -> Tolerance | None:
    check, picture = gold.check, gold.picture
    if check.get("action") not in ("click", "long_press") or not _is_pair(check["coordinate"]):
        return None
    x, y = check["coordinate"]
    limit = qwen25vl.DISTANCE_LIMIT * max(picture.width, picture.height)
    ellipse = Ellipse(
        Point(x, y), limit * size.width / picture.width, limit * size.height / picture.height
    )
    boxes = [qwen25vl.enlarged(box) for box in check["candidate_bbox"] or ()]
    return Tolerance((ellipse,), tuple(Box(*box) for box in boxes))


def _claw(gold: clawgui.ClawGold, size: Size, _: ScoringProtocol) -> Tolerance | None:
    points = gold.answer.get("arguments", {}).get("points")
    if gold.answer.get("action") not in ("click", "long_press") or not points:
        return None
    boxes = gold.answer.get("candidate_bbox") or ()
    if len(boxes) > clawgui.NEAREST:
        return None  # which of them count depends on the predicted point
    screen, limit = clawgui.SCREEN, clawgui.DISTANCE_LIMIT
    across, down = size.width / screen.width, size.height / screen.height
    x, y = points[0]
    ellipse = Ellipse(
        size.at(int(x * screen.width / 1000) / screen.width, int(y * 2.4) / screen.height),
        limit * across,
        limit * down,
    )
    return Tolerance((ellipse,), tuple(_scaled(box, across, down) for box in boxes))


def _os_atlas(
    gold: os_atlas.AndroidControlOsAtlasGold, size: Size, _: ScoringProtocol
) -> Tolerance | None:
    numbers = _NUMBERS.findall(gold.command)
    if gold.command.split(" ")[0] not in ("CLICK", "LONG_PRESS") or len(numbers) < 2:
        return None
    x, y = (int(number) / 1000 for number in numbers[:2])
    return Tolerance((_share(x, y, os_atlas.DISTANCE_LIMIT / 1000, size),))


def _gui_r1(gold: gui_r1.GuiR1Gold, size: Size, _: ScoringProtocol) -> Tolerance | None:
    if gold.point is None:
        return None
    x, y = gold.point
    return Tolerance((_share(x / gold.size.width, y / gold.size.height, gui_r1.LIMIT, size),))


_SHAPES: tuple[tuple[type, Callable[[Any, Size, ScoringProtocol], Tolerance | None]], ...] = (
    (StrictGold, _strict),
    (guiodyssey.GuiOdysseyGold, _odyssey),
    (guiodyssey_os_atlas.OsAtlasGold, _odyssey_os_atlas),
    (OdysseyStep, _odyssey_gui_r1),
    (agentcpm.CpmGold, _cpm),
    (aitw.AitwGold, _aitw),
    (mimo.MimoGold, _mimo),
    (qwen25vl.QwenGold, _qwen),
    (clawgui.ClawGold, _claw),
    (os_atlas.AndroidControlOsAtlasGold, _os_atlas),
    (gui_r1.GuiR1Gold, _gui_r1),
)

_PAIR = re.compile(r"\(\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*\)")
_NUMBERS = re.compile(r"\d+")


def _share(x: float, y: float, limit: float, size: Size) -> Ellipse:
    """Returns the ellipse around a point in fractions, with a limit as a fraction of width and
    height."""
    return Ellipse(size.at(x, y), limit * size.width, limit * size.height)


def _boxes(found: Iterable[YXHW], size: Size) -> tuple[Box, ...]:
    return tuple(
        Box(
            left * size.width,
            top * size.height,
            (left + width) * size.width,
            (top + height) * size.height,
        )
        for top, left, height, width in found
    )


def _scaled(box: Sequence[float], across: float, down: float) -> Box:
    return Box(box[0] * across, box[1] * down, box[2] * across, box[3] * down)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_number, value))
