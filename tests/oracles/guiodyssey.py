"""The GUIOdyssey step rule and its totals, transcribed from the rule's description in prose.

Plain and slow on purpose. It shares no code with the product and knows nothing about files,
pictures, stored episodes or how a verdict is shown. Where the description is silent, the choice
made here is written next to the code that makes it; `tests.oracles.guiodyssey_cases.SILENT`
names the inputs whose result depends on such a choice.

Source: the evaluator of OpenGVLab/GUI-Odyssey (GUIOdyssey_action_matching.py,
evaluate_GUIOdyssey.py, format_converter.py), as described by the project's notes on it.
"""

import ast
import math
import operator
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

ACTION_FAIL = "action_fail"
ACTION_CORRECT = "action_correct"
TYPE_CORRECT = "type_correct"
TYPE_FAIL = "type_fail"
SCROLL_CORRECT = "scroll_correct"
SCROLL_FAIL = "scroll_fail"
CLICK_CORRECT = "click_correct"
CLICK_FAIL = "click_fail"
INVALID = "invalid"

LABELS = (
    ACTION_FAIL,
    ACTION_CORRECT,
    TYPE_CORRECT,
    TYPE_FAIL,
    SCROLL_CORRECT,
    SCROLL_FAIL,
    CLICK_CORRECT,
    CLICK_FAIL,
    INVALID,
)

PRESSED_KEYS = {
    "KEY_HOME": "PRESS_HOME",
    "KEY_BACK": "PRESS_BACK",
    "KEY_APPSELECT": "PRESS_RECENT",
}
POINT_TYPES = ("CLICK", "LONG_PRESS")
DISTANCE_THRESHOLD = 0.14
SIMILARITY_THRESHOLD = 0.5

# Bounds on the arithmetic. The official evaluator has none, so nothing here is its rule. An
# integer over 4096 bits lies far beyond every float, and no coordinate is nested 100 deep.
MAX_INTEGER_BITS = 4096
MAX_DEPTH = 100

# What reading or matching a hostile answer can raise. Each counts as a wrong step.
SWALLOWED = (
    SyntaxError,
    ValueError,
    TypeError,
    ArithmeticError,
    LookupError,
    RecursionError,
    MemoryError,
)


# --------------------------------------------------------------------------------- gold answers


def decode_action(action: str, info: Any) -> str:
    """The answer string of an annotated step.

    `info` is a key name or a list of [x, y] points in 0..1000 for CLICK and LONG_PRESS, two
    points for SCROLL, the typed string for TEXT, and is ignored for COMPLETE and INCOMPLETE.

    Raises: ValueError for an action, or an `info`, that has no answer.
    """
    if action in POINT_TYPES:
        if isinstance(info, str):
            if info not in PRESSED_KEYS:
                raise ValueError(f"{action} has the unknown key {info!r}")
            return PRESSED_KEYS[info]
        x, y = info[0]
        return f"{action}: ({x}, {y})"
    if action == "SCROLL":
        return f"SCROLL: {scroll_direction(info[0], info[1])}"
    if action == "TEXT":
        return f"TYPE: {info}"
    if action == "COMPLETE":
        return "COMPLETE"
    if action == "INCOMPLETE":
        return "IMPOSSIBLE"
    raise ValueError(f"unknown action {action!r}")


def scroll_direction(start: Sequence[float], end: Sequence[float]) -> str:
    """The way the finger moved. Ties, and no movement at all, count as vertical."""
    dx = end[0] - start[0]
    dy = end[1] - start[1]
    if abs(dx) > abs(dy):
        return "LEFT" if dx < 0 else "RIGHT"
    return "UP" if dy < 0 else "DOWN"


# ------------------------------------------------------------------------------------- one step


def judge(
    gold_answer: str, prediction: str, sam2_bbox: Sequence[float] | None, version: int
) -> tuple[bool, str]:
    """Whether one prediction is right, and the label that says why.

    `sam2_bbox` is None, [] or [x1, y1, x2, y2] in 0..1000. `version` 1 knows no boxes and
    ignores it; version 2 applies it.

    Raises: ValueError for a version that does not exist. A bad answer never raises: any error
    in parsing or matching is a wrong step with the label "invalid".
    """
    if version not in (1, 2):
        raise ValueError(f"there is no version {version!r}")
    box = sam2_bbox if version == 2 else None
    try:
        label = _match(gold_answer, prediction, box)
    except SWALLOWED:
        label = INVALID
    return label.endswith("_correct"), label


def parse_answer(answer: str) -> tuple[str, Any]:
    """(type, argument). The argument of CLICK and LONG_PRESS is evaluated, others are strings.

    Evaluation belongs to parsing, so an unreadable point raises here, before any type is
    compared: "CLICK: here" is invalid for a SCROLL step too, not action_fail.
    """
    parts = answer.split(":")
    action_type = parts[0].strip()
    argument = parts[1].strip() if len(parts) > 1 else ""
    if action_type in POINT_TYPES:
        return action_type, evaluate(argument)
    return action_type, argument


def _match(gold_answer: str, prediction: str, box: Sequence[float] | None) -> str:
    gold_type, gold_argument = parse_answer(gold_answer)
    predicted_type, predicted_argument = parse_answer(prediction)
    if gold_type != predicted_type:
        return ACTION_FAIL
    if gold_type == "TYPE":
        return TYPE_CORRECT if same_text(gold_argument, predicted_argument) else TYPE_FAIL
    if gold_type == "SCROLL":
        # lower(), not upper() or casefold(): only they differ, on letters such as a dotless i.
        same = gold_argument.lower() == predicted_argument.lower()
        return SCROLL_CORRECT if same else SCROLL_FAIL
    if gold_type in POINT_TYPES:
        hit = point_hits(gold_argument, predicted_argument, box)
        return CLICK_CORRECT if hit else CLICK_FAIL
    return ACTION_CORRECT


def same_text(gold: str, predicted: str) -> bool:
    """Either holds the other (an empty text is in every text), or at least half is alike."""
    gold = gold.strip()
    predicted = predicted.strip()
    if gold in predicted or predicted in gold:
        return True
    similarity = 1 - levenshtein(gold, predicted) / max(len(gold), len(predicted))
    return similarity >= SIMILARITY_THRESHOLD


def levenshtein(a: str, b: str) -> int:
    """The fewest insertions, deletions and substitutions of code points from `a` to `b`."""
    row = list(range(len(b) + 1))
    for i, from_a in enumerate(a, start=1):
        above, row = row, [i]
        for j, from_b in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (from_a != from_b)))
    return row[-1]


def point_hits(gold: Any, predicted: Any, box: Sequence[float] | None) -> bool:
    """In the box, edges included, or within 0.14 of the gold point.

    A box that is missed leaves the distance rule in force.

    Raises: ValueError or TypeError for what is not two numbers, and for a box that is not four.
    """
    gold_x, gold_y = _two_numbers(gold)
    x, y = _two_numbers(predicted)
    if box is not None:
        x1, y1, x2, y2 = box
        if x1 <= x <= x2 and y1 <= y <= y2:
            return True
    dx = x / 1000 - gold_x / 1000
    dy = y / 1000 - gold_y / 1000
    return fused_norm(dx, dy) <= DISTANCE_THRESHOLD


def plain_norm(dx: float, dy: float) -> float:
    """The length of (dx, dy), with every operation rounded to float64."""
    return math.sqrt(dx * dx + dy * dy)


def fused_norm(dx: float, dy: float) -> float:
    """The length of (dx, dy) as numpy.linalg.norm gives it on today's processors.

    numpy takes the dot product from BLAS, whose kernels add the second square without rounding
    it first. The last bit can differ from `plain_norm`. No verdict on integer coordinates
    depends on it; a float point within a last bit of the circle can go either way.
    """
    if not (abs(dx) < 10 and abs(dy) < 10):
        return plain_norm(dx, dy)  # nowhere near the threshold, infinite, or not a number
    return math.sqrt(float(Fraction(dx * dx) + Fraction(dy) * Fraction(dy)))


def _two_numbers(value: Any) -> tuple[float, float]:
    # Exactly two, flat. numpy would stretch a lone number or a list of points over the gold
    # point; the description only says that pairs work, so nothing is stretched here.
    if not isinstance(value, tuple | list):
        raise TypeError(f"a {type(value).__name__} is not a point")
    x, y = value
    return _number(x), _number(y)


def _number(value: Any) -> Any:
    if not isinstance(value, int | float):  # True and False are the numbers 1 and 0 in Python
        raise TypeError(f"a {type(value).__name__} is not a number")
    return value


# --------------------------------------------------------------------- reading a point's argument


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def evaluate(source: str) -> Any:
    """The value of a Python expression of literals, tuples, lists, sets and arithmetic.

    Names, calls, attributes, subscripts, comparisons and bit operators are not arithmetic and
    are refused, though Python could evaluate some of them.

    Raises: SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError or MemoryError.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the parser warns about odd literals such as "1or 2"
        tree = ast.parse(source, mode="eval")
    return _value(tree.body, 0)


def _value(node: ast.expr, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ValueError("nested too deep")
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Tuple):
        return tuple([_value(item, depth + 1) for item in node.elts])
    if isinstance(node, ast.List):
        return [_value(item, depth + 1) for item in node.elts]
    if isinstance(node, ast.Set):
        return {_value(item, depth + 1) for item in node.elts}
    if isinstance(node, ast.Dict) and not node.keys:
        return {}  # any other dict holds a colon, and an argument never does
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        operand = _number(_value(node.operand, depth + 1))
        return -operand if isinstance(node.op, ast.USub) else +operand
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        left = _number(_value(node.left, depth + 1))
        right = _number(_value(node.right, depth + 1))
        if isinstance(node.op, ast.Pow):
            _check_power(left, right)
        return _bounded(_BINARY[type(node.op)](left, right))
    raise ValueError(f"a {type(node).__name__} is not arithmetic")


def _check_power(base: Any, exponent: Any) -> None:
    """Refuses a power before computing it, when only computing it would show its size."""
    if isinstance(base, float) or isinstance(exponent, float):
        return  # floats overflow by themselves
    if abs(base) > 1 and exponent * int(base).bit_length() > MAX_INTEGER_BITS:
        raise OverflowError("the power is too large")


def _bounded(value: Any) -> Any:
    if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
        raise OverflowError("the integer is too large")
    return value


# --------------------------------------------------------------------------------------- totals


def type_rate_correct(label: str) -> bool:
    """Whether the printed action_type rate counts the step as right. It counts "invalid" too."""
    return label != ACTION_FAIL


def in_text_rate(type_step: bool, label: str) -> bool:
    """Whether the step is in the text rate's denominator: a TYPE step answered with a TYPE.

    "invalid" is not: the type of an answer that could not be read was not predicted right.
    """
    return type_step and label in (TYPE_CORRECT, TYPE_FAIL)


def aggregate(steps: Sequence[dict[str, Any]], mode: str) -> dict[str, Any]:
    """The totals of scored steps, AMS and SR in percent, rounded to 2 decimals.

    `mode` "per_step" is the official 'macro': right steps / all steps. "per_category" is the
    official 'micro': the mean of six categories. A step is {episode, step, category,
    step_length, correct, label, type_step}.

    Raises: AssertionError when "per_category" has not exactly six categories;
    ZeroDivisionError without any step, and without any TYPE step answered with a TYPE;
    ValueError for another mode.
    """
    if mode == "per_step":
        ams, sr = step_rate(steps), success_rate(steps)
    elif mode == "per_category":
        by_category: dict[str, list[dict[str, Any]]] = {}
        for step in steps:
            by_category.setdefault(step["category"], []).append(step)
        if len(by_category) != 6:
            raise AssertionError(f"{len(by_category)} categories, not six")
        ams = round(sum(step_rate(group) for group in by_category.values()) / 6, 2)
        sr = round(sum(success_rate(group) for group in by_category.values()) / 6, 2)
    else:
        raise ValueError(f"there is no mode {mode!r}")
    type_right = sum(type_rate_correct(step["label"]) for step in steps)
    text_right = sum(step["type_step"] and step["label"] == TYPE_CORRECT for step in steps)
    text_total = sum(in_text_rate(step["type_step"], step["label"]) for step in steps)
    return {
        "AMS": ams,
        "SR": sr,
        "total": len(steps),
        "action_type": _rate(type_right, len(steps)),
        "action_type_correct": type_right,
        "action_type_total": len(steps),
        "text": _rate(text_right, text_total),
        "text_correct": text_right,
        "text_total": text_total,
    }


def step_rate(steps: Sequence[dict[str, Any]]) -> float:
    """Right steps of all steps, in percent, 2 decimals."""
    right = [step for step in steps if step["correct"]]
    return round(100 * len(right) / len(steps), 2)


def success_rate(steps: Sequence[dict[str, Any]]) -> float:
    """Episodes with every step right of the episodes that are whole, in percent, 2 decimals.

    Whole means as many rows as the step_length of the episode's first row. Other episodes are
    left out, not failed. 0 when none is whole.
    """
    episodes: dict[str, list[dict[str, Any]]] = {}
    for step in steps:
        episodes.setdefault(step["episode"], []).append(step)
    whole = [rows for rows in episodes.values() if len(rows) == rows[0]["step_length"]]
    if not whole:
        return 0.0
    right = [rows for rows in whole if all(row["correct"] for row in rows)]
    return round(100 * len(right) / len(whole), 2)


def _rate(right: int, total: int) -> str:
    return f"{right} / {total} = {100 * right / total:.2f}%"
