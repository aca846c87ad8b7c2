"""The rule of `aitz/agentcpm@1` and its totals, transcribed from their description.

Plain and slow on purpose. It shares no code with the product and knows nothing about files,
pictures, stored episodes or how a verdict is shown. The distance to the click is a float64, as the
description says; all else is compared as exact fractions, so that no rounding decides. What the
description did not say when this was first written has been added to it since, and is done here as
it now says. `tests.oracles.aitz_agentcpm_cases.SILENT` names the inputs on which it still leaves a
choice.

A gold step is {"type": code, "touch": (y, x), "lift": (y, x), "text": str} with the codes of
Android in the Wild and points in 0..1. A box is (y, x, height, width) in 0..1 as well; boxes are a
list, or None if unknown. An answer is the JSON object of AgentCPM-GUI as a
dictionary, or None if none could be read.

Source: docs/protocols/guiodyssey.md, `aitz/agentcpm` and `guiodyssey/agentcpm`.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.aitw import (
    DUAL_POINT,
    PRESS_BACK,
    PRESS_ENTER,
    PRESS_HOME,
    STATUS_TASK_COMPLETE,
    STATUS_TASK_IMPOSSIBLE,
    TYPE,
)

BUTTONS = {PRESS_BACK: "BACK", PRESS_HOME: "HOME", PRESS_ENTER: "ENTER"}
PRESSES = (*BUTTONS.values(), "APPSELECT")
ENDINGS = ("finish", "satisfied", "impossible", "interrupt", "need_feedback")
WORDS = ("up", "down", "left", "right")
GOING_ON = ("continue", "start")
ACTS = ("POINT", "PRESS", "TYPE", "CLEAR", "DEEP_LINK")
KEYS = {*ACTS, "to", "duration", "STATUS", "thought"}

FULL = 1000
TAP_MS = 200
TAP_LENGTH = Fraction(4, 100)
REACH = 0.14
GROWTH = Fraction(2, 10)  # added to each side of a box

# Why a step is judged as it is.
UNREADABLE = "unreadable"
REFUSED = "refused_by_the_schema"
KIND = "kind"
BOX = "box"
DISTANCE = "distance"
DIRECTION = "direction"
TEXT = "text"
BUTTON = "button"
STOP = "stop"
REASONS = (UNREADABLE, REFUSED, KIND, BOX, DISTANCE, DIRECTION, TEXT, BUTTON, STOP)

Gold = dict[str, Any]
Answer = dict[str, Any]
Boxes = Sequence[Sequence[float]]


# ------------------------------------------------------------------------------------- one step


def judge(gold: Gold, answer: Answer | None, boxes: Boxes | None) -> tuple[bool, bool, str] | None:
    """Whether the answer is right, whether its kind is, and which clause decided.

    None for a step that cannot be scored: a gesture where nobody knows the boxes.
    """
    if boxes is None and gold["type"] == DUAL_POINT:
        return None
    if answer is None:
        return False, False, UNREADABLE
    if not allowed(answer):
        return False, False, REFUSED
    kind = kind_of(answer)
    if kind != gold_kind(gold):
        return False, False, KIND
    if kind == "stop":  # complete and impossible are one
        return True, True, STOP
    if kind == "type":
        return same_text(gold["text"], answer["TYPE"]), True, TEXT
    if kind == "press":
        return answer["PRESS"] == BUTTONS[gold["type"]], True, BUTTON
    if kind == "scroll":
        meant = direction(_xy(gold["touch"]), _xy(gold["lift"]))
        return predicted_direction(answer) == meant, True, DIRECTION
    touch, point = _xy(gold["touch"]), _shares(answer["POINT"])
    if any(holds(box, touch) and holds(box, point) for box in map(enlarge, boxes or ())):
        return True, True, BOX
    return distance(gold["touch"], answer["POINT"]) <= REACH, True, DISTANCE


def allowed(answer: Answer) -> bool:
    """What the schema lets through: one act or a duration or an ending, in its form."""
    if not set(answer) <= KEYS or sum(act in answer for act in ACTS) > 1:
        return False
    if "POINT" in answer and not _on_screen(answer["POINT"]):
        return False
    if "to" in answer:
        if "POINT" not in answer:
            return False
        to = answer["to"]
        if not (to in WORDS if isinstance(to, str) else _on_screen(to)):
            return False
    if "duration" in answer and not (_is_whole(answer["duration"]) and answer["duration"] >= 0):
        return False
    if "PRESS" in answer and answer["PRESS"] not in PRESSES:
        return False
    if "TYPE" in answer and not isinstance(answer["TYPE"], str):
        return False
    if any(act in answer and answer[act] is not None for act in ("CLEAR", "DEEP_LINK")):
        return False
    if "thought" in answer and not isinstance(answer["thought"], str):
        return False
    status = answer.get("STATUS", "continue")
    if status in GOING_ON:
        return "duration" in answer or any(act in answer for act in ACTS)
    return status in ENDINGS


def kind_of(answer: Answer) -> str:
    """The keys decide: an ending, a text, a point, a key; whatever is left is a stop."""
    if answer.get("STATUS") in ENDINGS:
        return "stop"
    if "TYPE" in answer:
        return "type"
    if "POINT" in answer:
        held = answer.get("duration", TAP_MS)
        if held != TAP_MS:
            return "long_press" if held > TAP_MS else "stop"
        return "scroll" if "to" in answer else "click"
    return "press" if "PRESS" in answer else "stop"


def gold_kind(gold: Gold) -> str:
    """The kind of the recorded step; a gesture is a click up to 0.04."""
    code = gold["type"]
    if code == DUAL_POINT:
        near = squared(_xy(gold["touch"]), _xy(gold["lift"])) <= TAP_LENGTH**2
        return "click" if near else "scroll"
    if code == TYPE:
        return "type"
    if code in (STATUS_TASK_COMPLETE, STATUS_TASK_IMPOSSIBLE):
        return "stop"
    if code in BUTTONS:
        return "press"
    raise ValueError(f"no step has the type {code!r}")


def same_text(gold: str, predicted: str) -> bool:
    """In small letters and stripped one is a part of the other; the empty text is of every text."""
    a, b = gold.lower().strip(), predicted.lower().strip()
    return a in b or b in a


# --------------------------------------------------------------------------------------- places


def direction(start: Sequence[Any], end: Sequence[Any]) -> str | None:
    """The nearest of four from one (x, y) to another; up or down on ties; None without a way."""
    across = Fraction(end[0]) - Fraction(start[0])
    down = Fraction(end[1]) - Fraction(start[1])
    if across == 0 and down == 0:
        return None
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"


def predicted_direction(answer: Answer) -> str | None:
    """The word, or what the two points say in thousandths."""
    if isinstance(answer["to"], str):
        return str(answer["to"])
    return direction(answer["POINT"], answer["to"])


def enlarge(box: Sequence[float]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Left, top, right, bottom of the box 1.2 times as large, around its middle.

    The top left is moved onto the screen, the sides end at 1, and what was moved is not taken
    off them.
    """
    y, x, height, width = (Fraction(number) for number in box)
    left = max(Fraction(0), x - width * GROWTH / 2)
    top = max(Fraction(0), y - height * GROWTH / 2)
    right = left + min(Fraction(1), width * (1 + GROWTH))
    return left, top, right, top + min(Fraction(1), height * (1 + GROWTH))


def holds(box: Sequence[Fraction], point: Sequence[Any]) -> bool:
    """Whether the point (x, y) lies in it, all four edges included."""
    left, top, right, bottom = box
    return bool(left <= point[0] <= right and top <= point[1] <= bottom)


def distance(touch: Sequence[float], point: Sequence[int]) -> float:
    """From the gold's (y, x) in fractions to the answer's (x, y) in thousandths, in float64."""
    across, down = point[0] / FULL - touch[1], point[1] / FULL - touch[0]
    return math.sqrt(across * across + down * down)


def squared(a: Sequence[Any], b: Sequence[Any]) -> Fraction:
    """The squared distance, exactly."""
    return (Fraction(a[0]) - Fraction(b[0])) ** 2 + (Fraction(a[1]) - Fraction(b[1])) ** 2


def _xy(yx: Sequence[float]) -> tuple[Fraction, Fraction]:
    return Fraction(yx[1]), Fraction(yx[0])


def _shares(point: Sequence[int]) -> tuple[Fraction, Fraction]:
    return Fraction(point[0]) / FULL, Fraction(point[1]) / FULL


def _on_screen(value: Any) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return all(_is_whole(number) and 0 <= number <= FULL for number in value)


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


# ---------------------------------------------------------------------------------------- totals


def totals(episodes: Sequence[Sequence[tuple[bool, bool] | None]]) -> dict[str, tuple[Any, Any]]:
    """The four numbers, each as (how much, of how much).

    An episode is its steps in order as (right, kind right), None for a step without an answer:
    it is left out, and an episode is as long as it has judged steps.
    """
    judged = [[row for row in rows if row is not None] for rows in episodes]
    judged = [rows for rows in judged if rows]
    steps = [row for rows in judged for row in rows]
    progress = Fraction(0)
    for rows in judged:
        run = 0
        while run < len(rows) and rows[run][0]:
            run += 1
        progress += Fraction(run, len(rows))
    return {
        "exact_acc": (sum(right for right, _ in steps), len(steps)),
        "type_acc": (sum(kind for _, kind in steps), len(steps)),
        "success_rate": (sum(all(right for right, _ in rows) for rows in judged), len(judged)),
        "goal_progress": (progress, len(judged)),
    }
