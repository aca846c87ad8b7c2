"""MiMo's rule in its copy of lmms-eval, on a set converted to AgentCPM's fields.

Source: XiaomiMiMo/lmms-eval, lmms_eval/tasks/android_control, as described in prose.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.agentcpm import point_hits, unit_box
from tests.oracles.androidcontrol.parts import (
    REVERSED,
    SWALLOWED,
    Verdict,
    contains_either_way,
    finger_direction,
    pair,
    parts,
)

# "scroll" with a direction word and "open" with an app_name are forms the description only hints
# at; click, long_press, drag, input, press, wait and finished are named.
NAMES = {
    "click": "click",
    "long_press": "long_press",
    "input": "input_text",
    "scroll": "scroll",
    "drag": "scroll",
    "open": "open_app",
    "press": "press",
    "wait": "wait",
    "finished": "status",
}
WORD_SWAPPED = {"up": "down", "down": "up", "left": "left", "right": "right"}


def judge(gold: dict[str, Any], prediction: str) -> Verdict:
    """`gold` has "action", "size" and "boxes" (every box of the dump).

    The prediction is a fenced JSON list, points in original pixels; its first action counts.
    """
    action = gold["action"]
    kind = action["action_type"]
    wanted = "press" if kind in ("navigate_back", "navigate_home") else kind
    try:
        predicted = read(prediction)
        if NAMES[predicted["action"]] != wanted:
            return False, parts(False)
        return _judge(action, gold, predicted)
    except SWALLOWED:
        return False, parts(False, error="parse_error")


def read(prediction: str) -> dict[str, Any]:
    """The first action of the first fenced list. Raises: one of SWALLOWED without one."""
    fenced = re.search(r"```json(.*?)```", prediction, re.DOTALL)
    if fenced is None:
        raise ValueError("there is no fenced JSON")
    actions = json.loads(fenced.group(1))
    if not isinstance(actions, list) or not isinstance(actions[0], dict):
        raise TypeError("that is no list of actions")
    return actions[0]


def _judge(action: dict[str, Any], gold: dict[str, Any], predicted: dict[str, Any]) -> Verdict:
    kind = action["action_type"]
    if kind in ("click", "long_press"):
        x, y = pair(predicted["start_point"])
        width, height = gold["size"]
        boxes = [unit_box(box, gold["size"]) for box in gold["boxes"]]
        gold_point = action["x"] / width, action["y"] / height
        hit = point_hits(gold_point, (x / width, y / height), boxes, flag=True)
        return hit, parts(True, target=hit)
    if kind in ("wait", "status"):
        return True, parts(True)  # any status
    if kind == "scroll":
        if predicted["action"] == "drag":
            (x1, y1), (x2, y2) = pair(predicted["start_point"]), pair(predicted["end_point"])
            shown = REVERSED[finger_direction(x2 - x1, y2 - y1)]
        else:
            shown = WORD_SWAPPED[predicted["direction"]]
        same = shown == action["direction"]
    elif kind == "input_text":
        same = contains_either_way(predicted["text"], action["text"])
    elif kind == "open_app":
        same = predicted["app_name"] == action["app_name"]
    else:
        same = predicted["keys"] == ["back" if kind == "navigate_back" else "home"]
    return same, parts(True, argument=same)


def aggregate(steps: Sequence[Verdict]) -> dict[str, float]:
    """The mean over the steps. Raises: ZeroDivisionError without steps."""
    return {
        "step_accuracy": sum(correct is True for correct, _ in steps) / len(steps),
        "type_accuracy": sum(found["type"] is True for _, found in steps) / len(steps),
    }
