"""ClawGUI's rule: a parser for each model family, then one judge on a screen of 1080x2400.

Source: ZJU-REAL/ClawGUI, clawgui-eval/, as described in prose.
"""

from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.parts import (
    REVERSED,
    SWALLOWED,
    Verdict,
    centre,
    distance,
    finger_direction,
    inside,
    mobile_use,
    pair,
    parts,
    token_f1,
)

WIDTH, HEIGHT = 1080, 2400  # whatever the picture's size is
NEAREST = 5
RADIUS = ((0.14 * WIDTH) ** 2 + (0.14 * HEIGHT) ** 2) ** 0.5  # 368.45...
MODELS = ("qwen2.5-vl", "qwen3-vl")
NAMES = {"click": "click", "long_press": "long_press", "swipe": "scroll", "type": "input_text"}
BUTTONS = {"Back": "navigate_back", "Home": "navigate_home"}


def judge(gold: dict[str, Any], prediction: str, model: str) -> Verdict:
    """`gold` has "action" and "candidates" (boxes). The prediction is a Qwen tool call.

    parts["error"] is set when the answer could not be parsed; the per-action rows leave such
    steps out.
    """
    action = gold["action"]
    try:
        predicted = read(prediction, model)
    except SWALLOWED as problem:
        return False, parts(False, error=repr(problem))
    kind = action["action_type"]
    if predicted["action_type"] != kind:
        return False, parts(False)
    if kind in ("click", "long_press"):
        hit = point_hits((action["x"], action["y"]), predicted["point"], gold["candidates"])
        return hit, parts(True, target=hit)
    if kind == "scroll":
        same = predicted["finger"] == REVERSED[action["direction"]]
    elif kind == "input_text":
        same = same_text(predicted["text"], action["text"])
    elif kind == "open_app":
        same = same_text(predicted["text"], action["app_name"])
    else:  # navigate_back, navigate_home, wait
        return True, parts(True)
    return same, parts(True, argument=same)


def read(prediction: str, model: str) -> dict[str, Any]:
    """The action, points in pixels of 1080x2400.

    Qwen2.5-VL's pixels are taken as pixels of that screen, Qwen3-VL's as thousandths of it.

    Raises: one of SWALLOWED for what is not an action of the family: terminate, and Qwen3-VL's
    open.
    """
    arguments = mobile_use(prediction)
    name = arguments["action"]
    if name in ("click", "long_press"):
        x, y = (float(number) for number in pair(arguments["coordinate"]))
        if model == "qwen3-vl":
            x, y = x / 1000 * WIDTH, y / 1000 * HEIGHT
        return {"action_type": NAMES[name], "point": (x, y)}
    if name == "swipe":
        # The way is found in the model's own units: a square for Qwen3-VL, pixels for Qwen2.5-VL.
        (x1, y1), (x2, y2) = pair(arguments["coordinate"]), pair(arguments["coordinate2"])
        return {"action_type": "scroll", "finger": finger_direction(x2 - x1, y2 - y1)}
    if name == "type":
        return {"action_type": "input_text", "text": _text(arguments)}
    if name == "open" and model == "qwen2.5-vl":
        return {"action_type": "open_app", "text": _text(arguments)}
    if name == "system_button":
        return {"action_type": BUTTONS[arguments["button"]]}
    if name == "wait":
        return {"action_type": "wait"}
    raise ValueError(f"{name} is no action of {model}")


def _text(arguments: dict[str, Any]) -> str:
    if not isinstance(arguments["text"], str):
        raise TypeError("the text is not a text")
    return arguments["text"]


def point_hits(
    gold: tuple[float, float], point: tuple[float, float], candidates: Sequence[Sequence[float]]
) -> bool:
    """In one of the five candidates nearest to the predicted point, or near the gold point.

    Nearest by their centres; that is a choice. The boxes are taken as they are.
    """
    by_distance = sorted(candidates, key=lambda box: distance(*point, *centre(box)))
    if any(inside(box, *point) for box in by_distance[:NEAREST]):
        return True
    return distance(*point, *gold) <= RADIUS


def same_text(predicted: str, gold: str) -> bool:
    """Equal, or more than half by the F1 of the sets of words. Ignoring letter case is a choice."""
    predicted, gold = predicted.lower(), gold.lower()
    return predicted == gold or token_f1(predicted, gold) > 0.5


def aggregate(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Right steps of all steps, and for each gold action type of the steps that were parsed.

    A step is {"gold_type", "correct", "parts"}.

    Raises: ZeroDivisionError without steps.
    """
    rows: dict[str, list[bool]] = {}
    for step in steps:
        if step["parts"]["error"] is None:
            rows.setdefault(step["gold_type"], []).append(step["correct"])
    return {
        "step_accuracy": sum(step["correct"] for step in steps) / len(steps),
        "type_accuracy": sum(step["parts"]["type"] is True for step in steps) / len(steps),
        "by_action": {kind: sum(right) / len(right) for kind, right in rows.items()},
    }
