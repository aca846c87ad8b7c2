"""The Android in the Wild step rule and its totals, transcribed from the rule's description.

Plain and slow on purpose. It shares no code with the product and knows nothing about files,
pictures, stored episodes or how a verdict is shown. Where the description is silent, the choice
made here is written next to the code that makes it; `tests.oracles.aitw_cases.SILENT` names the
inputs whose result depends on such a choice.

An action is {"type": code, "touch": (y, x), "lift": (y, x), "text": str}, points in 0..1 of the
screen, y first. "touch" and "lift" matter for DUAL_POINT only, "text" only for Auto-GUI's text
accuracy; a key that does not matter may be missing. A prediction that could not be read is None.
A box is (y, x, height, width) in 0..1.

Source: action_matching.py and action_type.py of google-research/android_in_the_wild, and main.py
of cooelf/Auto-GUI, as described by the project's notes on them.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

TYPE = 3
DUAL_POINT = 4
PRESS_BACK = 5
PRESS_HOME = 6
PRESS_ENTER = 7
STATUS_TASK_COMPLETE = 10
STATUS_TASK_IMPOSSIBLE = 11
CODES = (
    TYPE,
    DUAL_POINT,
    PRESS_BACK,
    PRESS_HOME,
    PRESS_ENTER,
    STATUS_TASK_COMPLETE,
    STATUS_TASK_IMPOSSIBLE,
)
UNUSED_CODES = (0, 1, 2, 8, 9)

# Every number of the rule is a float32, the thresholds too.
F = np.float32
SWIPE_DISTANCE = F(0.04)
TAP_DISTANCE = F(0.14)
ENLARGEMENT = F(1.4)  # added to the size, so a box becomes 2.4 times as large
HALF_ENLARGEMENT = F(0.7)

TYPE_SAME = "type_same"
TYPE_DIFFERS = "type_differs"
TAP_AND_SWIPE = "tap_and_swipe"
TAP_IN_BOX = "tap_in_box"
TAP_NEAR = "tap_near"
TAP_FAR = "tap_far"
AXIS_SAME = "axis_same"
AXIS_DIFFERS = "axis_differs"
UNREADABLE = "unreadable"
NO_BOXES = "no_boxes"

CORRECT_LABELS = frozenset({TYPE_SAME, TAP_IN_BOX, TAP_NEAR, AXIS_SAME})
LABELS = (
    *sorted(CORRECT_LABELS),
    TYPE_DIFFERS,
    TAP_AND_SWIPE,
    TAP_FAR,
    AXIS_DIFFERS,
    UNREADABLE,
    NO_BOXES,
)

Action = dict[str, Any]
Boxes = Sequence[Sequence[float]]
Point = tuple[Any, Any]  # (y, x), two float32


class NoBoxes(ValueError):
    """The screen has no annotated box, on which the official function raises."""


# ------------------------------------------------------------------------------------- one step


def judge(
    gold: Action, prediction: Action | None, boxes: Boxes, *, raise_without_boxes: bool = True
) -> tuple[bool, str]:
    """Whether the two actions match on a screen with these boxes, and the label that says why.

    Raises: NoBoxes for a screen without boxes, whatever the actions, as the official function
    does. With `raise_without_boxes` false such a screen has no box to be in, and the rest of
    the rule applies.
    """
    if len(boxes) == 0 and raise_without_boxes:
        raise NoBoxes("the screen has no boxes")
    with np.errstate(all="ignore"):
        label = _match(gold, prediction, boxes)
    return label in CORRECT_LABELS, label


def is_readable(prediction: Action | None) -> bool:
    """Whether there is a type, and for DUAL_POINT two points of two numbers each."""
    if prediction is None or type(prediction.get("type")) is not int:
        return False
    if prediction["type"] != DUAL_POINT:
        return True
    return _is_point(prediction.get("touch")) and _is_point(prediction.get("lift"))


def _match(gold: Action, prediction: Action | None, boxes: Boxes) -> str:
    # The official function never sees an unreadable prediction. Here it is a wrong step.
    if prediction is None or not is_readable(prediction):
        return UNREADABLE
    # 1. One of the two is no gesture: only the types are compared, not even the typed text.
    if gold["type"] != DUAL_POINT or prediction["type"] != DUAL_POINT:
        return TYPE_SAME if gold["type"] == prediction["type"] else TYPE_DIFFERS
    gold_touch, gold_lift = _point(gold["touch"]), _point(gold["lift"])
    touch, lift = _point(prediction["touch"]), _point(prediction["lift"])
    # 2. and 3. Each is a tap or a swipe.
    gold_taps, taps = is_tap(gold_touch, gold_lift), is_tap(touch, lift)
    if gold_taps != taps:
        return TAP_AND_SWIPE
    # 4. Two taps: one enlarged box holds both touches, or they are near.
    if taps:
        for box in boxes:
            enlarged = enlarge(box)
            if holds(enlarged, gold_touch) and holds(enlarged, touch):
                return TAP_IN_BOX
        return TAP_NEAR if distance(gold_touch, touch) <= TAP_DISTANCE else TAP_FAR
    # 5. Two swipes: the axis alone. Up matches down.
    gold_axis, axis = main_axis(gold_touch, gold_lift), main_axis(touch, lift)
    return AXIS_SAME if gold_axis is not None and gold_axis == axis else AXIS_DIFFERS


def is_tap(touch: Point, lift: Point) -> bool:
    """Whether the finger stayed within 0.04. With a NaN it did not."""
    return bool(distance(touch, lift) <= SWIPE_DISTANCE)


def distance(a: Point, b: Point) -> Any:
    """The length of a - b: subtract, square, add, take the root, each rounded to float32."""
    dy = a[0] - b[0]
    dx = a[1] - b[1]
    return np.sqrt(dy * dy + dx * dx)


def main_axis(touch: Point, lift: Point) -> str | None:
    """ "y" or "x", the larger movement; a tie is "y". None with a NaN, which matches nothing."""
    dy = abs(touch[0] - lift[0])
    dx = abs(touch[1] - lift[1])
    if np.isnan(dy) or np.isnan(dx):
        return None
    return "y" if dy >= dx else "x"


def enlarge(box: Sequence[float]) -> tuple[Any, Any, Any, Any]:
    """The box 2.4 times as large. Top and left stop at 0 and height and width at 1.

    The size is not reduced when the top or left stops, so the box slides. Bottom and right do
    not stop at 1.
    """
    y, x, height, width = [F(value) for value in box]
    return (
        np.maximum(F(0), y - HALF_ENLARGEMENT * height),
        np.maximum(F(0), x - HALF_ENLARGEMENT * width),
        np.minimum(F(1), height + ENLARGEMENT * height),
        np.minimum(F(1), width + ENLARGEMENT * width),
    )


def holds(box: tuple[Any, Any, Any, Any], point: Point) -> bool:
    """Whether the point lies in the box (y, x, height, width), all four edges included."""
    y, x, height, width = box
    bottom, right = y + height, x + width
    return bool(y <= point[0] <= bottom and x <= point[1] <= right)


def fused_distance(a: Point, b: Point) -> Any:
    """The distance when the first square is added without being rounded first.

    A compiler may do so, and jax 0.10.2 does. The description does not tell; `aitw_cases` marks the
    steps where it matters.
    """
    dy = a[0] - b[0]
    dx = a[1] - b[1]
    return np.sqrt(F(np.float64(dx * dx) + np.float64(dy) * np.float64(dy)))


def fused_enlarge(box: Sequence[float]) -> tuple[Any, Any, Any, Any]:
    """The enlarged box when products are added without being rounded first."""
    y, x, height, width = [np.float64(F(value)) for value in box]
    half, whole = np.float64(HALF_ENLARGEMENT), np.float64(ENLARGEMENT)
    return (
        np.maximum(F(0), F(y - half * height)),
        np.maximum(F(0), F(x - half * width)),
        np.minimum(F(1), F(height + whole * height)),
        np.minimum(F(1), F(width + whole * width)),
    )


def _point(value: Sequence[float]) -> Point:
    y, x = value
    return F(y), F(x)


def _is_point(value: Any) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return all(isinstance(number, int | float) for number in value)


# --------------------------------------------------------------------------------- its Auto-GUI kin


def judge_like_auto_gui(steps: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The verdicts of Auto-GUI's loop over {gold, prediction, boxes}, in the order given.

    Each verdict is {correct, label, in_text_accuracy, text_correct}. The same step rule, but:

    - An unreadable prediction is scored with the action of the last readable one before it,
      because the loop's variables keep their values. Several in a row reuse the same one, and
      neither an episode's nor a data set's end clears it (silent: the loop is one list here).
      Before the first readable prediction there is nothing to reuse: wrong (silent).
    - A screen without boxes is a wrong step, not an error. Its prediction can be reused.

    The text accuracy counts TYPE steps answered with a TYPE, and there texts equal once stripped
    (silent: the description names this rate and does not define it).
    """
    verdicts = []
    current: Action | None = None
    for step in steps:
        if is_readable(step["prediction"]):
            current = step["prediction"]
        try:
            correct, label = judge(step["gold"], current, step["boxes"])
        except NoBoxes:
            correct, label = False, NO_BOXES
        gold = step["gold"]
        typed = current is not None and gold["type"] == TYPE and current["type"] == TYPE
        verdicts.append(
            {
                "correct": correct,
                "label": label,
                "in_text_accuracy": typed,
                "text_correct": typed and _text(gold) == _text(current or {}),
            }
        )
    return verdicts


def text_accuracy(verdicts: Sequence[dict[str, Any]]) -> Fraction | None:
    """The share of right texts among `judge_like_auto_gui`'s verdicts. None without any."""
    typed = [verdict for verdict in verdicts if verdict["in_text_accuracy"]]
    if not typed:
        return None
    return Fraction(sum(verdict["text_correct"] for verdict in typed), len(typed))


def _text(action: Action) -> str:
    return str(action.get("text", "")).strip()


# --------------------------------------------------------------------------------------- totals


def partial_match(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The headline score: {"datasets": {name: share}, "overall": share}, exact, 0..1.

    A step is {dataset, episode, episode_length, correct}. An episode's share is its right steps
    by its length; a data set's is the mean over episodes; overall is the mean over data sets,
    however large they are. The length is the declared one of the episode's first row, so a
    missing step counts as wrong (silent).

    Raises: ZeroDivisionError without any step.
    """
    datasets = {
        name: _mean([_share(rows) for rows in episodes])
        for name, episodes in _episodes_by_dataset(steps).items()
    }
    return {"datasets": datasets, "overall": _mean(list(datasets.values()))}


def average_score(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Completed episodes of all episodes in each data set, and the mean over data sets.

    Same form as `partial_match`. An episode is completed when its partial match is 1.
    """
    datasets = {
        name: _mean([Fraction(_share(rows) == 1) for rows in episodes])
        for name, episodes in _episodes_by_dataset(steps).items()
    }
    return {"datasets": datasets, "overall": _mean(list(datasets.values()))}


def complete_match(steps: Sequence[dict[str, Any]]) -> Fraction:
    """The share of episodes, of whatever data set, whose partial match is 1."""
    groups = _episodes_by_dataset(steps).values()
    return _mean([Fraction(_share(rows) == 1) for episodes in groups for rows in episodes])


def pooled_match(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Auto-GUI's score: right steps of all steps in each data set, episodes forgotten.

    Same form as `partial_match`. Overall is the mean over data sets (silent: the description
    says how one data set is scored). Steps that are missing are not in the denominator.
    """
    by_dataset: dict[str, list[Fraction]] = {}
    for step in steps:
        by_dataset.setdefault(step["dataset"], []).append(Fraction(bool(step["correct"])))
    datasets = {name: _mean(values) for name, values in by_dataset.items()}
    return {"datasets": datasets, "overall": _mean(list(datasets.values()))}


def _episodes_by_dataset(
    steps: Sequence[dict[str, Any]],
) -> dict[str, list[list[dict[str, Any]]]]:
    """The rows of each episode of each data set. Two data sets may use the same episode id."""
    datasets: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for step in steps:
        datasets.setdefault(step["dataset"], {}).setdefault(step["episode"], []).append(step)
    return {name: list(episodes.values()) for name, episodes in datasets.items()}


def _share(rows: Sequence[dict[str, Any]]) -> Fraction:
    return Fraction(sum(bool(row["correct"]) for row in rows), rows[0]["episode_length"])


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
