"""AITZ's own rule, as CoAT's evaluator applies it: it compares boxes with boxes and texts with
texts.

The released evaluator leaves the gold's click at (0, 0), and so does `aitz`. `aitz/lift` places it
where the finger left the screen, as the data set's own reader does. Version 2 judges as the
evaluator's text mode, in which a click that only has an element's number is wrong. Version 1 left
such clicks out. The rules are described in `docs/protocols/aitz.md`.

Native form of a step, space "aitz": that of "aitw" with "boxes" in pixels of the frame, and
"description", the data set's sentence about the action, when it has one. With
`"box_unit": "fraction"` the boxes are fractions.

Source: coat/evaluate.py at 9ab1a9f, coat/screen_utils.py and coat/action_utils.py at bddd262 of
IMNearth/CoAT.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.native_boxes import PIXEL
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import CannotSay, Counts, ScoringProtocol, unscored
from scoring.protocols import aitw_answers as codes
from scoring.protocols.aitw import is_tap
from scoring.protocols.aitw_screen import (
    ReadBoxes,
    boxes_of_any_tree,
    native_boxes,
    pixel_boxes,
)
from scoring.protocols.aitz_answers import CoatAction, Corners, action_name, of_prediction
from scoring.protocols.aitz_metrics import aggregate
from scoring.rounding import format_pair

SCALE = 1.2
IOU_LIMIT = 0.5
RATIO_LIMIT = 0.8
VERTICAL = 0.9

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class AitzGold:
    """The gold that a prediction is compared with.

    Attributes:
        kind: "click", "scroll", "type", "press" or "stop".
        text: the direction, the typed text or the button.
        click: (x, y) in pixels, of a click.
        boxes: of the screen, (left, top, right, bottom) in pixels; None if unknown.
        size: of the step's frame.
    """

    kind: str
    text: str = ""
    click: tuple[float, float] = (0, 0)
    boxes: tuple[Corners, ...] | None = ()
    size: Size | None = None


def gold(
    step: Step, episode: Episode, *, lift: bool, read: ReadBoxes = pixel_boxes
) -> AitzGold | CannotSay:
    """Returns the gold of a step from the data set's own numbers, or from pixels and the tree.

    Args:
        lift: whether a click is at its lift, or at (0, 0) as in the released evaluator.
        read: returns the boxes of a step that has none of its own.
    """
    size = step.frame.size if step.frame is not None else None
    told = step.native.value if step.native is not None else None
    own = step.native is not None and step.native.space in ("aitz", codes.SPACE)
    action = codes.of_native(told) if own else codes.of_pixels(step.action, size)
    if isinstance(action, Unreadable):
        return CannotSay(f"the step's annotation cannot be read: {action.reason}")
    if isinstance(action, CannotSay):
        return action
    described = told.get("description") if own and isinstance(told, dict) else None
    kind, text = _meant(action) if not isinstance(described, str) else _described(described, action)
    if not kind:
        return CannotSay(f"AITZ knows no {described or action}")
    if kind != "click":
        return AitzGold(kind, text, size=size)
    boxes = _boxes(step, size, read)
    if isinstance(boxes, CannotSay):
        return boxes
    if size is None or boxes is None:
        return CannotSay("the boxes or the size of the step's screen are unknown")
    click = (round(action.lift[1] * size.width), round(action.lift[0] * size.height))
    return AitzGold(kind, "", click if lift else (0, 0), boxes, size)


def judge(prediction: Prediction | None, gold: AitzGold, *, text_mode: bool) -> Verdict:
    """Returns the verdict on one prediction.

    Args:
        text_mode: whether a click that only has an element's number is wrong; else it is left out.
    """
    if prediction is None:
        parts = {"kind": gold.kind, "type": False, "format": False}
        return _verdict(False, "missing", "There is no prediction for this step.", {**parts})
    action = of_prediction(prediction, gold.size, text_mode=text_mode)
    if isinstance(action, CannotSay):
        return unscored("no-place", action.reason)
    if isinstance(action, Unreadable):
        parts = {"kind": gold.kind, "type": False, "format": False}
        reason = f"No action could be read: {action.reason}."
        return _verdict(False, "unreadable", reason, {**parts})
    if action.numbered and not text_mode:
        return unscored("no-place", "the answer names an element by the number on a tagged picture")
    return judge_action(action, gold)


def judge_action(action: CoatAction, gold: AitzGold) -> Verdict:
    """Returns the verdict on an action."""
    parts: dict[str, Value] = {
        "kind": gold.kind,
        "type": action.kind == gold.kind,
        "format": True,
    }
    if action.kind != gold.kind:
        reason = f"The gold is {_said(gold)}, the prediction {action}."
        return _verdict(False, "type", reason, parts)
    if action.stops:
        return _verdict(False, "unreadable", f"No text could be read: {action.stops}.", parts)
    match gold.kind:
        case "click":
            return _click(action, gold, parts)
        case "type":
            return _text(action.text, gold.text, parts)
        case "stop":
            return _verdict(True, "type", "Both stop; how is not compared.", parts)
    right = action.text == gold.text
    rule, what = ("direction", "finger goes") if gold.kind == "scroll" else ("button", "button is")
    reason = f"The gold's {what} {gold.text}, the prediction's {action.text or 'nothing'}."
    return _verdict(right, rule, reason, parts)


def enlarged(box: Corners) -> Corners:
    """Returns a box enlarged 1.2 times around its centre, not clipped to the screen."""
    left, top, right, bottom = box
    across, down = (left + right) / 2, (top + bottom) / 2
    width, height = (right - left) * SCALE, (bottom - top) * SCALE
    return across - width / 2, down - height / 2, across + width / 2, down + height / 2


def overlap(one: Corners, other: Corners) -> float:
    """Returns intersection over union; an area counts as at least one pixel."""
    width = max(0, min(one[2], other[2]) - max(one[0], other[0]))
    height = max(0, min(one[3], other[3]) - max(one[1], other[1]))
    areas = [max((box[2] - box[0]) * (box[3] - box[1]), 1) for box in (one, other)]
    shared = width * height
    return shared / (areas[0] + areas[1] - shared)


def direction(touch: codes.YX, lift: codes.YX) -> str:
    """Returns the finger's direction: vertical if the vertical part is at least 0.9 of the
    horizontal one."""
    down, across = abs(touch[0] - lift[0]), abs(lift[1] - touch[1])
    if down >= VERTICAL * across:
        return "up" if lift[0] < touch[0] else "down"
    return "left" if lift[1] < touch[1] else "right"


def _meant(action: codes.AitwAction) -> tuple[str, str]:
    """Returns kind and text of an action given as codes; "" if AITZ does not know it."""
    match action.code:
        case codes.DUAL_POINT if is_tap(action.touch, action.lift):
            return "click", ""
        case codes.DUAL_POINT:
            return "scroll", direction(action.touch, action.lift)
        case codes.TYPE:
            return "type", action.text
        case codes.PRESS_BACK:
            return "press", "back"
        case codes.PRESS_HOME:
            return "press", "home"
        case codes.PRESS_ENTER:
            return "press", "enter"
        case codes.COMPLETE | codes.IMPOSSIBLE:
            return "stop", ""
    return "", ""


def _described(words: str, action: codes.AitwAction) -> tuple[str, str]:
    """Returns kind and text of a step from its description, as the evaluator does."""
    parts = words.split(" ")
    kind = action_name(parts[0])
    match kind:
        case "scroll":
            return kind, parts[1].strip() if len(parts) > 1 else ""
        case "type":
            return kind, action.text
        case "press":
            return kind, next((word for word in ("enter", "back", "home") if word in words), "")
    return kind or "", ""


def _boxes(
    step: Step, size: Size | None, read: ReadBoxes
) -> tuple[Corners, ...] | CannotSay | None:
    native = step.native
    if native is None or native.space not in ("aitz", codes.SPACE):
        found = read(step)
        if found is None:
            return None
        return tuple((box.left, box.top, box.right, box.bottom) for box in found)
    told = native_boxes(native, PIXEL, size)
    if told is None or isinstance(told, CannotSay):
        return told
    return tuple((x, y, x + width, y + height) for y, x, height, width in told)


def _click(action: CoatAction, gold: AitzGold, parts: dict[str, Value]) -> Verdict:
    box = action.box
    if box is None:
        reason = "The prediction names no box."
        if action.numbered:
            reason = "The prediction has an element's number and no box; only boxes are compared."
        return _verdict(False, "no-box", reason, parts)
    large = enlarged(box)
    where = f"the gold's click at ({gold.click[0]:g}, {gold.click[1]:g})"
    if _holds(large, gold.click):
        reason = f"The predicted box, made 1.2 times as large, holds {where}."
        return _verdict(True, "box-holds-click", reason, parts)
    if not gold.boxes:
        reason = "The screen has no box: the original stops here. The step counts as wrong."
        return _verdict(False, "no-boxes", reason, {**parts, "error": "IndexError"})
    holding = [b for b in (enlarged(other) for other in gold.boxes) if _holds(b, gold.click)]
    best = max((overlap(large, other) for other in holding), default=0.0)
    reason = f"The predicted box does not hold {where}; "
    if not holding:
        reason += "neither does any box of the screen."
    else:
        told, limit = format_pair(best, IOU_LIMIT)
        reason += (
            f"its best overlap with a box that does is {told}, both made 1.2 times as large; more "
            f"than {limit} is asked."
        )
    more: dict[str, Value] = {"overlap": best, "limit": IOU_LIMIT, "gold_boxes": len(holding)}
    return _verdict(best > IOU_LIMIT, "overlap", reason, {**parts, **more})


def _text(text: str, wanted: str, parts: dict[str, Value]) -> Verdict:
    from rapidfuzz.distance import Indel

    ratio = Indel.normalized_similarity(text, wanted)
    more: dict[str, Value] = {**parts, "similarity": ratio, "empty_text": not text or not wanted}
    told = f"“{_short(text)}” and “{_short(wanted)}”"
    if text in wanted or wanted in text:
        return _verdict(True, "text-contains", f"Of {told} one is a part of the other.", more)
    alike, limit = format_pair(ratio, RATIO_LIMIT)
    reason = f"{told} are alike by {alike}; more than {limit} is asked."
    return _verdict(ratio > RATIO_LIMIT, "text-similarity", reason, more)


def _holds(box: Corners, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _said(gold: AitzGold) -> str:
    return f"{gold.kind} {_short(gold.text)}".strip()


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"


def _verdict(right: bool, rule: str, reason: str, parts: dict[str, Any]) -> Verdict:
    return Verdict(Outcome.MATCH if right else Outcome.MISMATCH, rule, reason, parts)


_COUNTS = Counts(
    missing="wrong",
    unreadable="wrong",
    unscored="left out",
    doubled="the first counts",
)
_QUIRKS = (
    "Clicks are boxes: the predicted box, made 1.2 times as large, must hold the gold's click or "
    "overlap by more than half with an enlarged box of the screen that does.",
    "A predicted point is a box without size, and right only on the gold's click itself.",
    "A scroll is vertical as soon as it goes 0.9 times as far down as across, in fractions.",
    "Typed texts are right when one is a part of the other, the empty one too, or at a ratio of "
    "insertions and deletions over 0.8; upper and lower case are told apart.",
    "Complete and impossible are one: stop.",
)
_NUMBERED = {
    "1": "A click that only has an element's number is left out.",
    "2": "As in the evaluator's text mode, a click that only has an element's number is wrong.",
}
# Version 1 reads trees that are stale or of a turned screen as well.
_READ: dict[str, ReadBoxes] = {"1": boxes_of_any_tree, "2": pixel_boxes}
_SOURCE = "IMNearth/CoAT@9ab1a9f, coat/evaluate.py"


def _released(version: str) -> ScoringProtocol:
    return ScoringProtocol(
        name="aitz",
        version=version,
        title="AITZ, as CoAT's evaluator is released",
        source=_SOURCE,
        quirks=(
            "The gold's click is always (0, 0): nearly every click is wrong.",
            _NUMBERED[version],
            *_QUIRKS,
        ),
        counts=_COUNTS,
        gold=partial(gold, lift=False, read=_READ[version]),
        judge=partial(judge, text_mode=version == "2"),
        aggregate=aggregate,
    )


def _at_lift(version: str) -> ScoringProtocol:
    return ScoringProtocol(
        name="aitz/lift",
        version=version,
        title="AITZ, with the gold's click where the finger left the screen",
        source=f"{_SOURCE}; the click as in coat/action_utils.py",
        quirks=(
            "The click is the lift in whole pixels. No released code judges so.",
            _NUMBERED[version],
            *_QUIRKS,
        ),
        counts=_COUNTS,
        gold=partial(gold, lift=True, read=_READ[version]),
        judge=partial(judge, text_mode=version == "2"),
        aggregate=aggregate,
    )


V2, V1 = _released("2"), _released("1")
LIFT_2, LIFT_1 = _at_lift("2"), _at_lift("1")
