"""GUI-R1's rule, whose step accuracy never looks at the action type.

Source: ritzz-ai/GUI-R1, guir1/, as described in prose.
"""

import ast
import re
import warnings
from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.parts import (
    SWALLOWED,
    Verdict,
    contains_either_way,
    pair,
    parts,
    token_f1,
)

RADIUS = 0.14
NO_POINT = -100
NO_TEXT = "no input text"
# The names of the actions are not described. These stand for the data set's.
NAMES = {
    "click": "click",
    "long_press": "long_press",
    "scroll": "scroll",
    "input_text": "type",
    "open_app": "open_app",
    "navigate_back": "press_back",
    "navigate_home": "press_home",
    "wait": "wait",
    "status": "complete",
}


def judge(gold: dict[str, Any], prediction: str) -> Verdict:
    """`gold` has "action" and "size". The prediction is an answer, points in pixels of that size.

    (None, ...) with no error means that the step is not in the step accuracy. That home and the
    end are not either, like back and wait, is a choice.
    """
    action = gold["action"]
    kind = action["action_type"]
    row = read(prediction)
    same_type = row["pred_action"] == NAMES[kind]
    if kind in ("click", "long_press"):
        hit = point_hits((action["x"], action["y"]), row["pred_coord"], gold["size"])
        return hit, parts(same_type, target=hit)
    if kind in ("input_text", "open_app", "scroll"):
        wanted = action.get("text", action.get("app_name", action.get("direction", "")))
        same = same_text(row["pred_input_text"], wanted)
        return same, parts(same_type, argument=same)
    return None, parts(same_type)


def read(prediction: str) -> dict[str, Any]:
    """The row of the prediction file: pred_action, pred_coord and pred_input_text.

    All three are None when the answer cannot be read.
    """
    try:
        found = re.search(r"<answer>(.*?)</answer>", prediction, re.DOTALL)
        if found is None:
            raise ValueError("there is no answer")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parser warns about odd literals
            answer = ast.literal_eval(found.group(1).strip())[0]
        return {
            "pred_action": answer["action"],
            "pred_coord": answer["point"],
            "pred_input_text": answer["input_text"],
        }
    except SWALLOWED:
        return {"pred_action": None, "pred_coord": None, "pred_input_text": None}


def point_hits(gold: tuple[float, float], point: Any, size: Sequence[int]) -> bool:
    """Strictly less than 0.14, compared as squares, the screen's sides being the units.

    The point (-100, -100) means that there is none. No special case is made of it here.
    """
    try:
        x, y = pair(point)
        dx = x / size[0] - gold[0] / size[0]
        dy = y / size[1] - gold[1] / size[1]
        return dx * dx + dy * dy < RADIUS * RADIUS
    except SWALLOWED:
        return False


def same_text(predicted: Any, gold: str) -> bool:
    """At least half by the F1 of the sets of words, or containment between two single words."""
    if not isinstance(predicted, str):
        return False
    predicted, gold = predicted.lower(), gold.lower()
    predicted_words, gold_words = set(predicted.split()), set(gold.split())
    if len(predicted_words) == 1 and len(gold_words) == 1:
        # Containment either way; that it is not one way only is a choice.
        return contains_either_way(predicted_words.pop(), gold_words.pop())
    return token_f1(predicted, gold) >= 0.5


def aggregate(steps: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Sums over the gold action types that had a hit at least once.

    A step is {"gold_type", "correct", "type"}. A type without any hit leaves both the numerator
    and the denominator. Steps whose `correct` is None are not in the step accuracy. That the type
    accuracy is summed in the same way is a choice.

    Raises: ZeroDivisionError when nothing was hit.
    """
    return {
        "step_accuracy": _over_hit_keys(
            [(step["gold_type"], step["correct"]) for step in steps if step["correct"] is not None]
        ),
        "type_accuracy": _over_hit_keys([(step["gold_type"], step["type"]) for step in steps]),
    }


def _over_hit_keys(outcomes: Sequence[tuple[str, bool]]) -> float:
    hit_keys = {key for key, hit in outcomes if hit}
    counted = [hit for key, hit in outcomes if key in hit_keys]
    return sum(counted) / len(counted)
