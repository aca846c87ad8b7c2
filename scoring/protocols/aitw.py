"""The step rule of Android in the Wild: `check_actions_match`, in float32 and in its order.

Two actions match if they would lead to a similar screen. Gestures are classified by length alone:
up to 0.04 of the screen is a tap, more is a drag. Drags are compared by axis and not by direction.
The rules are described in `docs/protocols/aitw.md`.

Source: action_matching.py of google-research/google-research, android_in_the_wild (the copy in
cooelf/Auto-GUI at 26ea0f2 is the same).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.native_boxes import FRACTION, YXHW
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import CannotSay, Counts, ScoringProtocol, unscored
from scoring.protocols.aitw_answers import (
    DUAL_POINT,
    SPACE,
    YX,
    AitwAction,
    of_native,
    of_pixels,
    of_prediction,
)
from scoring.protocols.aitw_metrics import aggregate
from scoring.protocols.aitw_screen import (
    ReadBoxes,
    boxes_of_any_tree,
    fractions,
    native_boxes,
    pixel_boxes,
)
from scoring.rounding import format_pair

TAP_DISTANCE = 0.14
SWIPE_DISTANCE = 0.04
ENLARGEMENT = 1.4

AITZ = "aitz"  # the space of AITZ's steps
Value = str | int | float | bool | None

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Real: TypeAlias = type[np.float32] | type[np.float64]
    Boxes: TypeAlias = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class AitwGold:
    """The gold that a prediction is compared with.

    Attributes:
        boxes: of all elements, (y, x, height, width) in fractions; None if unknown, which is
            allowed only for actions without a place.
        size: of the step's frame, for predictions in pixels.
    """

    action: AitwAction
    boxes: tuple[YXHW, ...] | None
    size: Size | None = None


def gold(step: Step, episode: Episode, *, read: ReadBoxes = pixel_boxes) -> AitwGold | CannotSay:
    """Returns the gold of a step from the data set's own numbers, or from pixels and the tree."""
    size = step.frame.size if step.frame is not None else None
    boxes: tuple[YXHW, ...] | CannotSay | None
    if step.native is not None and step.native.space in (SPACE, AITZ):
        action: AitwAction | Unreadable | CannotSay = of_native(step.native.value)
        boxes = native_boxes(step.native, FRACTION, size)
    else:
        action = of_pixels(step.action, size)
        found = read(step)
        boxes = None
        if found is not None and size is not None:
            boxes = tuple(fractions(box, size) for box in found)
    if isinstance(action, Unreadable):
        return CannotSay(f"the step's annotation cannot be read: {action.reason}")
    if isinstance(action, CannotSay):
        return action
    if isinstance(boxes, CannotSay):
        return boxes
    if boxes is None and action.code == DUAL_POINT:
        return CannotSay("the boxes of the step's screen are unknown: it has no tree, no regions")
    return AitwGold(action, boxes, size)


def judge(prediction: Prediction | None, gold: AitwGold) -> Verdict:
    """Returns the verdict on one prediction."""
    if prediction is None:
        reason = "There is no prediction; the step counts in its episode's length."
        return _verdict(False, "missing", reason, {"type": False})
    action = of_prediction(prediction, gold.size)
    if isinstance(action, Unreadable):
        reason = f"No action could be read: {action.reason}."
        return _verdict(False, "unreadable", reason, {"type": False, "parse": False})
    if isinstance(action, CannotSay):
        return unscored("no-place", action.reason)
    return judge_action(action, gold.action, gold.boxes)


def judge_action(action: AitwAction, gold: AitwAction, boxes: tuple[YXHW, ...] | None) -> Verdict:
    """Returns the verdict on an action; symmetric in action and gold.

    Args:
        boxes: of the screen, (y, x, height, width) in fractions; None if unknown.
    """
    parts: dict[str, Value] = {"type": action.code == gold.code}
    if boxes is not None and not boxes:
        reason = (
            "The screen has no annotated box: the original stops here, whatever the actions are, "
            "and its users count the step as wrong."
        )
        return _verdict(False, "no-boxes", reason, {**parts, "error": "ValueError"})
    if action.code != DUAL_POINT or gold.code != DUAL_POINT:
        same = action.code == gold.code
        told = f"Both are {gold}" if same else f"The gold is {gold}, the prediction {action}"
        return _verdict(same, "type", f"{told}; no more is compared.", parts)
    import numpy as np

    table = np.array(boxes or [[math.nan] * 4], dtype=np.float64)
    decision = _decide(action, gold, table, np.float32)
    exact = _decide(action, gold, table, np.float64)
    fragile = exact.right is not decision.right
    reason = decision.reason + (
        " In float64 it would be otherwise; the original's float32 decides." if fragile else ""
    )
    return _verdict(
        decision.right, decision.rule, reason, {**parts, **decision.parts, "float_fragile": fragile}
    )


def is_tap(touch: YX, lift: YX, real: Real | None = None) -> bool:
    """Whether a gesture is a tap: touch and lift at most 0.04 of the screen apart.

    Args:
        real: the precision; None for float32, the original's.
    """
    if real is None:
        import numpy as np

        real = np.float32
    return bool(_distance(touch, lift, real) <= real(SWIPE_DISTANCE))


def main_axis(touch: YX, lift: YX, real: Real | None = None) -> int:
    """Returns 0 for a vertical drag, 1 for a horizontal one; a tie is vertical.

    Args:
        real: the precision; None for float32, the original's.
    """
    import numpy as np

    real = np.float32 if real is None else real
    with np.errstate(all="ignore"):
        return int(np.argmax(np.abs(np.array(lift, dtype=real) - np.array(touch, dtype=real))))


def enlarged(boxes: Boxes) -> Boxes:
    """Returns boxes (y, x, height, width) 2.4 times as large, their top left kept on the screen.

    Height and width stop at 1, but are not made smaller by what the top left was moved.
    """
    import numpy as np

    change = boxes.dtype.type(ENLARGEMENT) * boxes[:, 2:]
    start = np.maximum(boxes.dtype.type(0), boxes[:, :2] - change / boxes.dtype.type(2))
    size = np.minimum(boxes.dtype.type(1), boxes[:, 2:] + change)
    return np.concatenate([start, size], axis=1)


def inside(point: YX, boxes: Boxes) -> npt.NDArray[np.bool_]:
    """Returns for each box (y, x, height, width) whether it holds the point, edges included."""
    import numpy as np

    at = np.array(point, dtype=boxes.dtype)
    last = boxes[:, :2] + boxes[:, 2:]
    held: npt.NDArray[np.bool_] = np.logical_and.reduce((at >= boxes[:, :2]) & (at <= last), axis=1)
    return held


@dataclass(frozen=True, slots=True)
class _Decision:
    right: bool
    rule: str
    reason: str
    parts: dict[str, Value]


def _decide(action: AitwAction, gold: AitwAction, boxes: Boxes, real: Real) -> _Decision:
    import numpy as np

    with np.errstate(all="ignore"):
        taps = is_tap(action.touch, action.lift, real), is_tap(gold.touch, gold.lift, real)
        if taps[0] is not taps[1]:
            return _tap_and_drag(action, gold, taps[1], real)
        if not taps[0]:
            return _drags(action, gold, real)
        return _taps(action, gold, boxes.astype(real), real)


def _tap_and_drag(action: AitwAction, gold: AitwAction, gold_taps: bool, real: Real) -> _Decision:
    lengths = [float(_distance(one.touch, one.lift, real)) for one in (gold, action)]
    words = ("a tap", "a drag") if gold_taps else ("a drag", "a tap")
    told = [format_pair(length, float(real(SWIPE_DISTANCE))) for length in lengths]
    limit = max((limit for _, limit in told), key=len)
    reason = (
        f"The gold is {words[0]} of {told[0][0]} of the screen, the prediction "
        f"{words[1]} of {told[1][0]}; up to {limit} is a tap."
    )
    return _Decision(False, "tap-or-drag", reason, {"gesture": False})


def _drags(action: AitwAction, gold: AitwAction, real: Real) -> _Decision:
    axes = [main_axis(one.touch, one.lift, real) for one in (gold, action)]
    words = ["horizontally" if axis else "vertically" for axis in axes]
    right = axes[0] == axes[1]
    reason = (
        f"Both drag {words[0]}; which way is not compared."
        if right
        else f"The gold drags {words[0]}, the prediction {words[1]}."
    )
    return _Decision(right, "axis", reason, {"gesture": True})


def _taps(action: AitwAction, gold: AitwAction, boxes: Boxes, real: Real) -> _Decision:
    large = enlarged(boxes)
    both = inside(gold.touch, large) & inside(action.touch, large)
    apart = _distance(action.touch, gold.touch, real)
    near = bool(apart <= real(TAP_DISTANCE))
    parts: dict[str, Value] = {
        "gesture": True,
        "in_one_box": bool(both.any()),
        "distance": float(apart) if math.isfinite(apart) else None,
        "limit": TAP_DISTANCE,
    }
    if both.any():
        number = int(both.argmax())
        reason = f"Box {number} of the screen, made 2.4 times as large, holds both touches."
        return _Decision(True, "box", reason, {**parts, "box": number})
    told, limit = format_pair(float(apart), float(real(TAP_DISTANCE)))
    reason = (
        f"No enlarged box holds both touches; they are {told} of the screen apart, and the limit "
        f"is {limit}."
    )
    return _Decision(near, "distance", reason, parts)


def _distance(one: YX, other: YX, real: Real) -> np.floating[Any]:
    """Returns the length of the difference; each step is rounded to `real`, but for one.

    The square of the first axis is added before it is rounded: jax compiles its norm to a fused
    multiply-add. That decides some pairs that lie on a limit on both axes together.
    """
    import numpy as np

    with np.errstate(all="ignore"):
        down, across = real(one[0]) - real(other[0]), real(one[1]) - real(other[1])
        squares = real(float(down) * float(down) + float(across * across))
        found: np.floating[Any] = np.sqrt(squares)
    return found


def _verdict(right: bool, rule: str, reason: str, parts: dict[str, Value]) -> Verdict:
    return Verdict(Outcome.MATCH if right else Outcome.MISMATCH, rule, reason, parts)


RULE_QUIRKS = (
    "Drags are compared by axis: up matches down.",
    "Typed text is not compared.",
    "A box is made 2.4 times as large before it is asked whether it holds both taps.",
    "Taps in different boxes match when they are at most 0.14 of the screen apart.",
    "Arithmetic is float32; of taps exactly 0.14 apart some match and some do not.",
)
V1 = ScoringProtocol(
    name="aitw",
    version="1",
    title="Android in the Wild",
    source="google-research/google-research, android_in_the_wild/action_matching.py "
    "(the copy in cooelf/Auto-GUI@26ea0f2)",
    quirks=(
        *RULE_QUIRKS,
        "On a screen without boxes the original stops, for every action; the step counts as wrong.",
        "No code for adding up is published: the numbers follow the paper's definitions.",
    ),
    counts=Counts(
        missing="wrong, counted in the episode's length",
        unreadable="wrong",
        unscored="left out of the episode's length",
        doubled="the first counts",
    ),
    gold=partial(gold, read=boxes_of_any_tree),
    judge=judge,
    aggregate=aggregate,
)
V2 = replace(
    V1,
    version="2",
    quirks=(*V1.quirks, "A recorded tree that is late, stale or of a turned screen is not used."),
    gold=gold,
)
