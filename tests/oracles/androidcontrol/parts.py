"""What several evaluators share: boxes, distances, directions, words, and reading JSON."""

import json
import math
import re
from collections.abc import Sequence
from typing import Any

Box = Sequence[float]
Parts = dict[str, Any]
Verdict = tuple[bool | None, Parts]

REVERSED = {"up": "down", "down": "up", "left": "right", "right": "left"}

# What reading or matching a hostile answer can raise.
SWALLOWED = (
    SyntaxError,
    ValueError,
    TypeError,
    ArithmeticError,
    LookupError,
    AttributeError,
    RecursionError,
    MemoryError,
)


def parts(
    type_: bool | None = None,
    target: bool | None = None,
    argument: bool | None = None,
    error: str | None = None,
) -> Parts:
    return {"type": type_, "target": target, "argument": argument, "error": error}


def inside(box: Box, x: float, y: float) -> bool:
    """Whether the point is in the box, edges included."""
    left, top, right, bottom = box
    return left <= x <= right and top <= y <= bottom


def centre(box: Box) -> tuple[float, float]:
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2


def enlarged(box: Box, factor: float) -> list[float]:
    """The box with both sides `factor` times as long, about the same centre. Nothing is clipped."""
    left, top, right, bottom = box
    x, y = centre(box)
    half_width = (right - left) * factor / 2
    half_height = (bottom - top) * factor / 2
    return [x - half_width, y - half_height, x + half_width, y + half_height]


def distance(ax: float, ay: float, bx: float, by: float) -> float:
    return math.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by))


def finger_direction(dx: float, dy: float) -> str:
    """The way a finger moved, y growing downwards. Ties are vertical, no movement is "up"."""
    if abs(dx) > abs(dy):
        return "right" if dx > 0 else "left"
    return "down" if dy > 0 else "up"


def pair(value: Any) -> tuple[float, float]:
    """Exactly two numbers. Raises: TypeError or ValueError for anything else."""
    if not isinstance(value, list | tuple):
        raise TypeError(f"a {type(value).__name__} is not a point")
    x, y = value
    for number in (x, y):
        if not isinstance(number, int | float):
            raise TypeError(f"a {type(number).__name__} is not a number")
    return x, y


def contains_either_way(a: str, b: str) -> bool:
    """Whether one text holds the other. An empty text is in every text."""
    return a in b or b in a


def token_f1(predicted: str, gold: str) -> float:
    """F1 of the two sets of words, 0 when they share none. Letter case is the caller's."""
    predicted_words = set(predicted.split())
    gold_words = set(gold.split())
    common = len(predicted_words & gold_words)
    if common == 0:
        return 0.0
    precision = common / len(predicted_words)
    recall = common / len(gold_words)
    return 2 * precision * recall / (precision + recall)


def mobile_use(text: str) -> dict[str, Any]:
    """The arguments of the first Qwen tool call of an answer.

    The call stands between <tool_call> and </tool_call>, or is all that follows any </think>.

    Raises: one of SWALLOWED for an answer without a call.
    """
    tagged = re.search(r"<tool_call>(.*?)</tool_call>", text, re.DOTALL)
    body = tagged.group(1) if tagged else text.rpartition("</think>")[2]
    call = json.loads(body)
    arguments = call["arguments"]
    if not isinstance(arguments, dict) or not isinstance(arguments["action"], str):
        raise TypeError("the call names no action")
    return arguments
