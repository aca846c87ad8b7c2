"""The loop of `aitw/auto-gui` and its totals, transcribed from their description.

Plain and slow on purpose. It shares no code with the product and knows nothing about files,
pictures, stored episodes or how a verdict is shown. The step rule of Android in the Wild is the
one of `tests.oracles.aitw`, which is such a transcription itself. What the description did not say
when this was first written has been added to it since, and is done here as it now says.
`tests.oracles.auto_gui_cases.SILENT` names the inputs on which it still leaves a choice.

A gold step is {"type": code, "touch": (y, x), "lift": (y, x), "text": str} as in the data set's
file, points in 0..1. A box is (y, x, height, width); boxes are a list, or None if unknown
them. An answer is {"touch", "lift", "type", "text"} with None for what cannot be read, or None
where there is no answer at all.

Source: docs/protocols/aitw.md, and main.py, utils_data.py of cooelf/Auto-GUI as described there.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.aitw import DUAL_POINT, NO_BOXES, F, is_tap, main_axis
from tests.oracles.aitw import judge as judge_step

PARTS = ("touch", "lift", "type", "text")  # in the order in which they are read

MATCH = "match"
MISMATCH = "mismatch"
UNSCORED = "unscored"

MISSING = "missing"
NOTHING_LEFT = "nothing_left"
UNKNOWN_BOXES = "unknown_boxes"

# the length and the direction are not told, and no verdict depends on them
STROKE = ((0.8, 0.5), (0.2, 0.5))
STROKE_ACROSS = ((0.5, 0.8), (0.5, 0.2))

Action = dict[str, Any]
Answer = dict[str, Any]


def judge_run(steps: Sequence[dict[str, Any]], version: int = 2) -> list[dict[str, Any]]:
    """The verdicts of the loop over {gold, answer, boxes}, in the order given.

    Each is {outcome, label, reused, text_right}: `reused` are the parts that an earlier answer
    left, `text_right` whether the step counts for `text_acc`.

    What is left is kept across episodes and parts, and on screens without boxes: the answer is
    read before anything else. A step without an answer changes nothing.
    """
    left: Action = {}
    return [_judge(step, left, version) for step in steps]


def judge_alone(step: dict[str, Any], version: int = 2) -> dict[str, Any]:
    """The verdict on one step for which no earlier answer left anything."""
    return _judge(step, {}, version)


def _judge(step: dict[str, Any], left: Action, version: int) -> dict[str, Any]:
    answer, boxes = step["answer"], step["boxes"]
    reused = read_into(left, answer) if answer is not None else ()
    if boxes is None and step["gold"]["type"] == DUAL_POINT:  # whatever was answered, or nothing
        return _verdict(UNSCORED, UNKNOWN_BOXES, reused)
    if answer is None:
        return _verdict(MISMATCH, MISSING)
    if any(part not in left for part in PARTS):
        # Nothing was left: wrong, whatever the screen or the gold is.
        return _verdict(MISMATCH, NOTHING_LEFT, reused)
    gold = target(step["gold"], version)
    if boxes is None:
        boxes = [(0.0, 0.0, 0.0, 0.0)]  # the rest is judged, and there no box is asked for
    if len(boxes) == 0:
        return _verdict(MISMATCH, NO_BOXES, reused)
    right, label = judge_step(gold, left, boxes)
    wanted, told = gold["text"].lower(), left["text"].lower().strip()
    part = wanted in told or told in wanted
    return _verdict(MATCH if right else MISMATCH, label, reused) | {"text_right": right and part}


def _verdict(outcome: str, label: str, reused: Sequence[str] = ()) -> dict[str, Any]:
    return {"outcome": outcome, "label": label, "reused": tuple(reused), "text_right": False}


def read_into(left: Action, answer: Answer) -> tuple[str, ...]:
    """Puts the parts in that can be read, up to the first that cannot; returns the others.

    Parts behind an unreadable one are not read, however well they are written.
    """
    for number, part in enumerate(PARTS):
        if answer[part] is None:
            return PARTS[number:]
        left[part] = answer[part]
    return ()


def target(gold: Action, version: int = 2) -> Action:
    """The gold as the training target: taps rounded, drags as a stroke along their axis (upright
    in version 1), the text without quotes and backslashes and with single blanks."""
    for mark in "\"'\\":
        gold = gold | {"text": gold["text"].replace(mark, "")}
    gold = gold | {"text": " ".join(gold["text"].split())}
    if gold["type"] != DUAL_POINT:
        return gold
    touch = (F(gold["touch"][0]), F(gold["touch"][1]))
    lift = (F(gold["lift"][0]), F(gold["lift"][1]))
    if is_tap(touch, lift):  # told apart as in the step rule
        point = (round(float(touch[0]), 4), round(float(touch[1]), 4))
        return gold | {"touch": point, "lift": point}
    stroke = STROKE_ACROSS if version == 2 and main_axis(touch, lift) == "x" else STROKE
    return gold | {"touch": stroke[0], "lift": stroke[1]}


# ---------------------------------------------------------------------------------------- totals


def accuracies(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """{"parts": {name: share}, "mean": share, "text": {name: share}}, exact, 0..1.

    A row is {part, outcome, text_right}. Right steps of scored steps of each part, the mean over
    parts, and steps that count for `text_acc` of the same steps.
    """
    right: dict[str, list[bool]] = {}
    text: dict[str, list[bool]] = {}
    for row in rows:
        if row["outcome"] != UNSCORED:
            right.setdefault(row["part"], []).append(row["outcome"] == MATCH)
            text.setdefault(row["part"], []).append(row["text_right"])
    parts = {name: Fraction(sum(marks), len(marks)) for name, marks in right.items()}
    return {
        "parts": parts,
        "mean": sum(parts.values(), Fraction(0)) / len(parts) if parts else None,
        "text": {name: Fraction(sum(marks), len(marks)) for name, marks in text.items()},
    }
