"""The rule of Qwen2.5-VL's script as InfiGUI-R1 adapted it.

Every error, in the answer or in the gold step, is swallowed and counts as a wrong step.

Source: InfiXAI/InfiGUI-R1, eval/android_control, as described in prose.
"""

from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.parts import (
    SWALLOWED,
    Verdict,
    contains_either_way,
    distance,
    enlarged,
    finger_direction,
    inside,
    mobile_use,
    pair,
    parts,
)

ENLARGED = 1.2
RADIUS = 0.04

GOLD_NAMES = {
    "click": "click",
    "long_press": "long_press",
    "scroll": "swipe",
    "input_text": "type",
    "open_app": "open",
    "navigate_back": "system_button",
    "navigate_home": "system_button",
    "wait": "wait",
}


def judge(gold: dict[str, Any], prediction: str) -> Verdict:
    """`gold` has "action", "size", "answer_size" and "candidates" (boxes, or None).

    The prediction is a tool call in pixels of the resized picture, whose (width, height) is
    "answer_size".
    """
    try:
        return _judge(gold, mobile_use(prediction))
    except SWALLOWED as problem:
        return False, parts(error=repr(problem))


def _judge(gold: dict[str, Any], predicted: dict[str, Any]) -> Verdict:
    action = gold["action"]
    wanted = GOLD_NAMES[action["action_type"]]  # a status is not supported and raises
    got = predicted["action"]
    if wanted == "open" and got == "click":
        # Whether the candidates are enlarged here too is not said; they are.
        hit = _in_candidates(gold, *_original(gold, predicted["coordinate"]))
        return hit, parts(hit, target=hit)
    if wanted != got:
        return False, parts(False)
    if wanted in ("click", "long_press"):
        x, y = _original(gold, predicted["coordinate"])
        hit = _in_candidates(gold, x, y)
        near = distance(x, y, action["x"], action["y"]) <= RADIUS * max(gold["size"])
        return hit or near, parts(True, target=hit or near)
    if wanted == "wait":
        return True, parts(True)
    if wanted == "swipe":
        # The data set's word for the content is compared with the finger's way as it is.
        (x1, y1), (x2, y2) = pair(predicted["coordinate"]), pair(predicted["coordinate2"])
        width, height = gold["answer_size"]
        moved = finger_direction((x2 - x1) / width, (y2 - y1) / height)
        same = moved == action["direction"]
    elif wanted == "type":
        same = _same_text(action["text"], predicted["text"])
    elif wanted == "open":
        same = _same_text(action["app_name"], predicted["text"])
    else:
        button = "back" if action["action_type"] == "navigate_back" else "home"
        same = predicted["button"].lower() == button
    return same, parts(True, argument=same)


def _original(gold: dict[str, Any], coordinate: Any) -> tuple[float, float]:
    """The point in pixels of the original picture. Nobody says in which of the two it is judged."""
    x, y = pair(coordinate)
    return x * gold["size"][0] / gold["answer_size"][0], y * gold["size"][1] / gold["answer_size"][
        1
    ]


def _in_candidates(gold: dict[str, Any], x: float, y: float) -> bool:
    if gold["candidates"] is None:
        raise TypeError("there is no list of candidates")
    return any(inside(enlarged(box, ENLARGED), x, y) for box in gold["candidates"])


def _same_text(gold: str, predicted: str) -> bool:
    return contains_either_way(gold.lower().strip(), predicted.lower().strip())


def aggregate(steps: Sequence[Verdict]) -> dict[str, float]:
    """Right steps, and steps of the right type, of all steps.

    Raises: ZeroDivisionError without steps.
    """
    return {
        "step_accuracy": sum(correct is True for correct, _ in steps) / len(steps),
        "type_accuracy": sum(found["type"] is True for _, found in steps) / len(steps),
    }
