"""The AITZ (Chain-of-Action-Thought) step rule and its totals, transcribed from a description.

Plain and slow on purpose. It shares no code with the product and knows nothing about files,
pictures, stored episodes or how a verdict is shown. The description is a column of a table, so
much is left open. Each choice made here is written next to the code that makes it;
`tests.oracles.aitz_cases.SILENT` names the inputs whose result depends on one.

A gold step is {"type": code, "touch": (y, x), "lift": (y, x), "text": str, "size": (width,
height)} with the codes of Android in the Wild, touch and lift in 0..1 and the size in pixels.
A box of the screen is (y, x, height, width) in pixels. A prediction is one of

    {"action": "click", "box": (left, top, right, bottom)} or {"action": "click", "point": (x, y)}
    {"action": "scroll", "direction": "up"}, the way the finger moves
    {"action": "type", "text": "..."}
    {"action": "press", "button": "back"}, or home, or enter
    {"action": "stop"}

with pixels for box and point, or None when it could not be read.

Source: coat/evaluate.py and action_utils.py of IMNearth/CoAT, as described by the project's notes.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

TYPE = 3
DUAL_POINT = 4
PRESS_BACK = 5
PRESS_HOME = 6
PRESS_ENTER = 7
STATUS_TASK_COMPLETE = 10
STATUS_TASK_IMPOSSIBLE = 11
BUTTONS = {PRESS_BACK: "back", PRESS_HOME: "home", PRESS_ENTER: "enter"}
DIRECTIONS = ("up", "down", "left", "right")

TAP_DISTANCE = 0.04
VERTICAL_SHARE = 0.9
BOX_SCALE = 1.2
IOU_THRESHOLD = 0.5
RATIO_THRESHOLD = 0.8

CLICK_SAME_BOX = "click_same_box"  # only in another reading, see match_click
CLICK_OVERLAP = "click_overlap"
CLICK_AROUND_GOLD = "click_around_gold"
CLICK_FAIL = "click_fail"
SCROLL_SAME = "scroll_same"
SCROLL_FAIL = "scroll_fail"
TEXT_SUBSTRING = "text_substring"
TEXT_RATIO = "text_ratio"
TEXT_FAIL = "text_fail"
TYPE_SAME = "type_same"
TYPE_FAIL = "type_fail"
INVALID = "invalid"

CORRECT_LABELS = frozenset(
    {
        CLICK_OVERLAP,
        CLICK_AROUND_GOLD,
        SCROLL_SAME,
        TEXT_SUBSTRING,
        TEXT_RATIO,
        TYPE_SAME,
    }
)
LABELS = (*sorted(CORRECT_LABELS), CLICK_FAIL, SCROLL_FAIL, TEXT_FAIL, TYPE_FAIL, INVALID)

Gold = dict[str, Any]
Prediction = dict[str, Any]
Boxes = Sequence[Sequence[float]]
Point = tuple[float, float]  # x, y in pixels
Corners = tuple[float, float, float, float]  # left, top, right, bottom in pixels


# ------------------------------------------------------------------------------------- one step


def judge(
    gold: Gold, prediction: Prediction | None, boxes: Boxes, gold_click: str
) -> tuple[bool, str]:
    """Whether the prediction is right, and the label that says why.

    `gold_click` says where the gold click lies: "released" is (0, 0), which is where the
    released evaluator leaves it; "lift" is the lift in pixels, which it means to use.

    Raises: ValueError for another `gold_click`. A bad prediction never raises.
    """
    if gold_click not in ("released", "lift"):
        raise ValueError(f"there is no gold click {gold_click!r}")
    label = _match(gold, prediction, boxes, gold_click)
    return label in CORRECT_LABELS, label


def _match(gold: Gold, prediction: Prediction | None, boxes: Boxes, gold_click: str) -> str:
    if prediction is None or not is_readable(prediction):
        return INVALID
    action = prediction["action"]
    if action != action_of(gold):
        return TYPE_FAIL
    if action == "press":
        return TYPE_SAME if prediction["button"] == BUTTONS[gold["type"]] else TYPE_FAIL
    if action == "stop":  # complete and impossible are one
        return TYPE_SAME
    if action == "type":
        return match_text(gold["text"], prediction["text"])
    if action == "scroll":
        direction = scroll_direction(gold["touch"], gold["lift"])
        # Letter case of the word: ignored (silent).
        return SCROLL_SAME if prediction["direction"].lower() == direction else SCROLL_FAIL
    point = (0.0, 0.0) if gold_click == "released" else lift_in_pixels(gold)
    return match_click(point, corners_of(prediction), boxes)


def action_of(gold: Gold) -> str:
    """The name of the gold step's action.

    A gesture is a click up to 0.04 between touch and lift, like in Android in the Wild (silent).
    """
    code = gold["type"]
    if code == DUAL_POINT:
        dy = gold["lift"][0] - gold["touch"][0]
        dx = gold["lift"][1] - gold["touch"][1]
        return "click" if math.sqrt(dy * dy + dx * dx) <= TAP_DISTANCE else "scroll"
    if code == TYPE:
        return "type"
    if code in (STATUS_TASK_COMPLETE, STATUS_TASK_IMPOSSIBLE):
        return "stop"
    if code in BUTTONS:
        return "press"
    raise ValueError(f"no step has the type {code!r}")


def is_readable(prediction: Prediction) -> bool:
    """Whether the action is known and has what it needs."""
    action = prediction.get("action")
    if action == "click":
        if "box" in prediction:
            return _are_numbers(prediction["box"], 4)
        return _are_numbers(prediction.get("point"), 2)
    if action == "scroll":
        direction = prediction.get("direction")
        return isinstance(direction, str) and direction.lower() in DIRECTIONS
    if action == "type":
        return isinstance(prediction.get("text"), str)
    if action == "press":
        return prediction.get("button") in BUTTONS.values()
    return bool(action == "stop")


def _are_numbers(value: Any, count: int) -> bool:
    if not isinstance(value, list | tuple) or len(value) != count:
        return False
    return all(isinstance(number, int | float) and math.isfinite(number) for number in value)


# -------------------------------------------------------------------------------------- scrolling


def scroll_direction(touch: Sequence[float], lift: Sequence[float]) -> str:
    """The way the finger moved from touch to lift, both (y, x) in 0..1.

    Vertical as soon as |dy| >= 0.9 * |dx|. Measured in shares of the screen, not in pixels
    (silent).
    """
    dy, dx = lift[0] - touch[0], lift[1] - touch[1]
    if abs(dy) >= VERTICAL_SHARE * abs(dx):
        return "up" if dy < 0 else "down"
    return "left" if dx < 0 else "right"


# ------------------------------------------------------------------------------------------- text


def match_text(gold: str, predicted: str, ratio: Callable[[str, str], float] | None = None) -> str:
    """Right when either text holds the other, or they are more than 0.8 alike.

    Silent: that either way counts, that an empty text is held by every text, that letter case
    and outer spaces count, and which likeness is meant (here `common_ratio`).
    """
    if gold in predicted or predicted in gold:
        return TEXT_SUBSTRING
    likeness = (ratio or common_ratio)(gold, predicted)
    return TEXT_RATIO if likeness > RATIO_THRESHOLD else TEXT_FAIL


def common_ratio(a: str, b: str) -> float:
    """Twice the longest common subsequence by the sum of the lengths, in code points."""
    row = [0] * (len(b) + 1)
    for from_a in a:
        above, row = row, [0]
        for j, from_b in enumerate(b, start=1):
            row.append(above[j - 1] + 1 if from_a == from_b else max(above[j], row[-1]))
    return 2 * row[-1] / (len(a) + len(b))


# ----------------------------------------------------------------------------------------- clicks


def match_click(
    gold: Point,
    predicted: Corners,
    boxes: Boxes,
    *,
    gold_boxes: str = "holding",
    edges: bool = True,
    same_box: bool = False,
) -> str:
    """Right in either of two ways, tried in this order.

    1. The predicted box overlaps a gold box with an intersection over union above 0.5.
    2. The predicted box, made 1.2 times as large, holds the gold point.

    The keywords are for other readings of the description, never for a verdict (all silent).
    `gold_boxes` says which boxes of the screen are gold ones: "holding" those that hold the gold
    point, "any" all, "near" those that hold it once enlarged, "enlarged" the same but compared
    enlarged. `edges` false leaves edges out of a box. `same_box` adds a third way: one enlarged
    box of the screen holds the gold point and the middle of the predicted box. It is left out
    because a predicted box that overlaps a gold box by more than half always has its middle in
    it, so the first way would never decide anything.
    """
    for annotated in boxes:
        box = corners(annotated)
        if gold_boxes == "holding" and not holds(box, gold, edges):
            continue
        if gold_boxes in ("near", "enlarged") and not holds(enlarge(box), gold, edges):
            continue
        if overlap(enlarge(box) if gold_boxes == "enlarged" else box, predicted) > IOU_THRESHOLD:
            return CLICK_OVERLAP
    if holds(enlarge(predicted), gold, edges):
        return CLICK_AROUND_GOLD
    middle = ((predicted[0] + predicted[2]) / 2, (predicted[1] + predicted[3]) / 2)
    if same_box and any(
        holds(enlarge(corners(box)), gold, edges) and holds(enlarge(corners(box)), middle, edges)
        for box in boxes
    ):
        return CLICK_SAME_BOX
    return CLICK_FAIL


def lift_in_pixels(gold: Gold) -> Point:
    """The gold lift as x, y in pixels, not rounded (silent)."""
    width, height = gold["size"]
    return gold["lift"][1] * width, gold["lift"][0] * height


def corners_of(prediction: Prediction) -> Corners:
    """The predicted box, corners as they were given. A point is a box without size (silent)."""
    if "box" in prediction:
        left, top, right, bottom = prediction["box"]
        return left, top, right, bottom
    x, y = prediction["point"]
    return x, y, x, y


def corners(box: Sequence[float]) -> Corners:
    """The corners of a box (y, x, height, width)."""
    y, x, height, width = box
    return x, y, x + width, y + height


def enlarge(box: Corners) -> Corners:
    """The box 1.2 times as wide and as high around its middle. Nothing stops at the screen."""
    left, top, right, bottom = box
    width, height = (right - left) * BOX_SCALE, (bottom - top) * BOX_SCALE
    left, top = (left + right) / 2 - width / 2, (top + bottom) / 2 - height / 2
    return left, top, left + width, top + height


def holds(box: Corners, point: Point, edges: bool = True) -> bool:
    """Whether the point lies in the box, edges included."""
    left, top, right, bottom = box
    if not edges:
        return left < point[0] < right and top < point[1] < bottom
    return left <= point[0] <= right and top <= point[1] <= bottom


def overlap(a: Corners, b: Corners) -> float:
    """Intersection over union. 0 when the union is empty."""
    width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    shared = width * height
    union = _area(a) + _area(b) - shared
    return shared / union if union > 0 else 0.0


def _area(box: Corners) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


# ------------------------------------------------------------------------------------------ totals


def exact_match(steps: Sequence[dict[str, Any]]) -> Fraction:
    """Right steps of all steps, episodes forgotten. A step is
    {episode, step, episode_length, correct} with steps counted from 0.

    Raises: ZeroDivisionError without any step, like the other totals.
    """
    return Fraction(sum(bool(step["correct"]) for step in steps), len(steps))


def success_rate(steps: Sequence[dict[str, Any]]) -> Fraction:
    """Episodes with every step right of all episodes. A missing step is not right (silent)."""
    episodes = _episodes(steps)
    whole = [rows for rows in episodes if _leading(rows) == rows[0]["episode_length"]]
    return Fraction(len(whole), len(episodes))


def goal_progress(steps: Sequence[dict[str, Any]]) -> Fraction:
    """The mean over episodes of right steps before the first wrong one, by the length.

    A missing step ends the run as a wrong one does (silent). Rows may come in any order.
    """
    episodes = _episodes(steps)
    shares = [Fraction(_leading(rows), rows[0]["episode_length"]) for rows in episodes]
    return sum(shares, Fraction(0)) / len(episodes)


def _episodes(steps: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    episodes: dict[str, list[dict[str, Any]]] = {}
    for step in steps:
        episodes.setdefault(step["episode"], []).append(step)
    return [sorted(rows, key=lambda row: row["step"]) for rows in episodes.values()]


def _leading(rows: Sequence[dict[str, Any]]) -> int:
    count = 0
    while count < len(rows) and rows[count]["step"] == count and rows[count]["correct"]:
        count += 1
    return count
