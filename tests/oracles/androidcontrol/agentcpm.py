"""AgentCPM-GUI's rule, with and without its AndroidControl flag.

Source: OpenBMB/AgentCPM-GUI, eval/, as described in prose.
"""

import json
from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.parts import (
    REVERSED,
    SWALLOWED,
    Box,
    Verdict,
    centre,
    contains_either_way,
    distance,
    enlarged,
    finger_direction,
    inside,
    pair,
    parts,
)

ENLARGED = 1.2
NEAREST = 5
RADIUS_WITH_FLAG = 0.04
RADIUS_WITHOUT_FLAG = 0.14
WORDS = ("up", "down", "left", "right")


def judge(gold: dict[str, Any], prediction: str, flag: bool = True) -> Verdict:
    """`gold` has "action", "size" and "boxes": every box of the dump, windows too.

    The prediction is the model's JSON, points in 0..1000. (None, ...) means that the step is not
    scored: the conversion drops open_app.
    """
    action = gold["action"]
    kind = action["action_type"]
    if kind == "open_app":
        return None, parts(error="open_app is not scored")
    try:
        got, value = read(prediction)
    except SWALLOWED as problem:
        return False, parts(False, error=repr(problem))
    # A long press is stored as a tap, and waiting is stored as the end.
    wanted = {
        "click": "click",
        "long_press": "click",
        "scroll": "swipe",
        "input_text": "type",
        "navigate_back": "press",
        "navigate_home": "press",
        "wait": "stop",
        "status": "stop",
    }[kind]
    if got != wanted:
        return False, parts(False)
    if wanted == "stop":
        return True, parts(True)
    if wanted == "click":
        width, height = gold["size"]
        boxes = [unit_box(box, gold["size"]) for box in gold["boxes"]]
        gold_point = action["x"] / width, action["y"] / height
        hit = point_hits(gold_point, (value[0] / 1000, value[1] / 1000), boxes, flag)
        return hit, parts(True, target=hit)
    if wanted == "swipe":
        same = value == REVERSED[action["direction"]]
    elif wanted == "type":
        same = contains_either_way(action["text"].lower().strip(), value.lower().strip())
    else:
        same = value == ("BACK" if kind == "navigate_back" else "HOME")
    return same, parts(True, argument=same)


def read(prediction: str) -> tuple[str, Any]:
    """(type, value) of an answer. The value of a swipe is the way the finger moved.

    Raises: one of SWALLOWED for an answer without a type, such as {}.
    """
    answer = json.loads(prediction)
    if not isinstance(answer, dict):
        raise TypeError("the answer is not an object")
    if "STATUS" in answer:
        return "stop", None  # every status is the same class
    if "TYPE" in answer:
        if not isinstance(answer["TYPE"], str):
            raise TypeError("TYPE is not a text")
        return "type", answer["TYPE"]
    if "PRESS" in answer:
        return "press", answer["PRESS"]
    if "POINT" in answer:
        x, y = (float(number) for number in pair(answer["POINT"]))
        if "to" in answer:
            to = answer["to"]
            if isinstance(to, str):
                if to not in WORDS:
                    raise ValueError("that is no direction")
                return "swipe", to
            x2, y2 = pair(to)
            return "swipe", finger_direction(x2 - x, y2 - y)
        return ("long_press" if "duration" in answer else "click"), (x, y)
    if "duration" in answer:
        return "stop", None  # waiting
    raise ValueError("the answer has no type")


def unit_box(box: Box, size: Sequence[int]) -> list[float]:
    """The box with the screen's sides as its units."""
    left, top, right, bottom = box
    return [left / size[0], top / size[1], right / size[0], bottom / size[1]]


def point_hits(
    gold: tuple[float, float], point: tuple[float, float], boxes: Sequence[Box], flag: bool
) -> bool:
    """Whether a point hits, everything in 0..1.

    With the flag, the five boxes count whose centres are nearest to the gold point; they need not
    contain it. Without, the boxes that contain it count. That these are enlarged too is a choice.
    """
    if flag:
        by_distance = sorted(boxes, key=lambda box: distance(*gold, *centre(box)))
        candidates = by_distance[:NEAREST]
        radius = RADIUS_WITH_FLAG
    else:
        candidates = [box for box in boxes if inside(box, *gold)]
        radius = RADIUS_WITHOUT_FLAG
    if any(inside(enlarged(box, ENLARGED), *point) for box in candidates):
        return True
    return distance(*point, *gold) <= radius


def aggregate(steps: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The totals of the scored steps, in order within their episodes.

    A step is {"episode", "correct", "parts"}. "hit_rate" is the share of answers that have a type.
    "episode_success" is the share of episodes with every step right, "goal_progress" the mean
    share of an episode that comes before its first wrong step; both readings are choices.

    Raises: ZeroDivisionError without steps.
    """
    episodes: dict[Any, list[bool]] = {}
    for step in steps:
        episodes.setdefault(step["episode"], []).append(step["correct"])
    progress = [
        (right.index(False) if False in right else len(right)) / len(right)
        for right in episodes.values()
    ]
    count = len(steps)
    return {
        "step_accuracy": sum(step["correct"] for step in steps) / count,
        "type_accuracy": sum(step["parts"]["type"] is True for step in steps) / count,
        "hit_rate": sum(step["parts"]["error"] is None for step in steps) / count,
        "episode_success": sum(all(right) for right in episodes.values()) / len(episodes),
        "goal_progress": sum(progress) / len(progress),
    }
