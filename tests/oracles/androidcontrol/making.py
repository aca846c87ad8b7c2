"""What the makers of cases share: random steps, hostile answers, and other ways of rounding.

A case is {"kind", "threshold", "arguments"}; the arguments are those of the evaluator's `judge`.
"""

import json
import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

Case = dict[str, Any]
Maker = Callable[[random.Random], Case]

SIZES = [(1080, 2400), (1080, 2400), (1440, 3120), (2400, 1080), (1080, 2340), (720, 1280)]
WORDS = [
    "hello", "Hello World", "weather in Paris", "10", "a", "天気予報", "schöne Grüße", "10:30 am",
    "don't", '"quoted"', "back\\slash", "ﬁne", "😀", "مرحبا", "two  spaces", "user@example.org",
]  # fmt: skip
APPS = ["Zoho Meeting", "Chrome", "Clock", "Google Maps", "X", "Coursera", "Gmail", "Google Meet"]
DIRECTIONS = ["up", "down", "left", "right"]
KINDS = [
    "click", "long_press", "scroll", "input_text", "open_app", "navigate_back", "navigate_home",
    "wait", "status",
]  # fmt: skip
# Nothing that any JSON reader takes for an action.
NO_JSON = [
    "", " ", "\n", "null", "true", "[]", "{}", "5", '"x"', "not json", "{", "}", '{"', "[[", "NaN",
    "I would tap the button.", "{'", '{"a": }', "\x00", "\ud83d", "undefined", "{" * 200,
    "[" * 100_000, '{"a":' * 20_000, "9" * 5000, "a" * 100_000, "__import__('os').getcwd()",
]  # fmt: skip
# Values that are no point whatever the reader. A third number or a quoted one may pass somewhere.
NO_POINT: list[Any] = [None, [], [5], {}, "here", "", [None, None], ["a", "b"], [[], []], [{}, {}]]
NO_POINT += [[math.nan, math.nan], [math.inf, -math.inf], [10**400, 5], [5, -(10**400)]]
ODD_POINT: list[Any] = [["500", "500"], [True, False], "[500, 500]"]


def case(kind: str, threshold: bool = False, **arguments: Any) -> Case:
    return {"kind": kind, "threshold": threshold, "arguments": arguments}


def action(rng: random.Random, size: tuple[int, int], kind: str | None = None) -> dict[str, Any]:
    """An action JSON of the kind, of any kind without one."""
    kind = kind or rng.choice(KINDS)
    made: dict[str, Any] = {"action_type": kind}
    if kind in ("click", "long_press"):
        made |= {"x": rng.randrange(size[0]), "y": rng.randrange(size[1])}
    elif kind == "scroll":
        made["direction"] = rng.choice(DIRECTIONS)
    elif kind == "input_text":
        made["text"] = rng.choice(WORDS)
    elif kind == "open_app":
        made["app_name"] = rng.choice(APPS)
    elif kind == "status":
        made["goal_status"] = rng.choice(["successful", "infeasible"])
    return made


def boxes_near(rng: random.Random, x: int, y: int, size: tuple[int, int]) -> list[list[int]]:
    """Up to four boxes, some around the point, some elsewhere, some past the screen."""
    boxes = []
    for _ in range(rng.randint(0, 4)):
        left, top = x - rng.randint(0, 90), y - rng.randint(0, 90)
        if rng.random() < 0.3:
            left, top = rng.randrange(size[0]), rng.randrange(size[1])
        boxes.append([left, top, left + rng.randint(0, 200), top + rng.randint(0, 200)])
    if boxes and rng.random() < 0.2:
        boxes.append(list(boxes[0]))
    if rng.random() < 0.1:
        boxes.append([0, size[1] // 6, size[0] + 4, size[1]])
    return boxes


def text_beside(rng: random.Random, text: str) -> str:
    """The text, or one that differs from it in a letter."""
    at = rng.randrange(len(text))
    return rng.choice([text, text + "q", text[:at] + text[at + 1 :], text[:at] + "q" + text[at:]])


def words_for_half(rng: random.Random) -> tuple[str, str]:
    """Two texts whose sets of words have an F1 of exactly one half, or just beside it.

    F1 is twice the shared words by all the words of both sets, so one half is a quarter shared.
    """
    shared = rng.randint(1, 4)
    others = 2 * shared + rng.choice([0, 0, -1, 1])  # words of one text alone, in both texts
    split = rng.randint(0, others)
    a = [f"both{i}" for i in range(shared)] + [f"first{i}" for i in range(split)]
    b = [f"both{i}" for i in range(shared)] + [f"second{i}" for i in range(others - split)]
    rng.shuffle(a)
    rng.shuffle(b)
    return " ".join(a), " ".join(b)


def half_is_settled(a: str, b: str) -> bool:
    """Whether all ways of rounding an F1 of exactly one half agree that it is one half."""
    first, second = set(a.split()), set(b.split())
    common = len(first & second)
    if common == 0 or 4 * common != len(first) + len(second):
        return True
    precision, recall = common / len(first), common / len(second)
    return {
        2 * precision * recall / (precision + recall),
        2 * (precision * recall) / (precision + recall),
        2 * ((precision * recall) / (precision + recall)),
        2 * common / (len(first) + len(second)),
    } == {0.5}


def norms(dx: float, dy: float) -> list[float]:
    """The length of (dx, dy) by the usual routes, which differ in the last bit at most."""
    fused_x = math.sqrt(float(Fraction(dx * dx) + Fraction(dy) * Fraction(dy)))
    fused_y = math.sqrt(float(Fraction(dy * dy) + Fraction(dx) * Fraction(dx)))
    return [math.sqrt(dx * dx + dy * dy), math.hypot(dx, dy), fused_x, fused_y]


def enlargements(box: Sequence[float], factor: float) -> list[list[float]]:
    """The enlarged box by the usual routes, which differ in the last bit at most."""
    left, top, right, bottom = box
    width, height, more = right - left, bottom - top, (factor - 1) / 2
    x, y = (left + right) / 2, (top + bottom) / 2
    wide, high = width / 2 * factor, height / 2 * factor
    corner_x, corner_y = x - width * factor / 2, y - height * factor / 2
    return [
        [corner_x, corner_y, x + width * factor / 2, y + height * factor / 2],
        [corner_x, corner_y, corner_x + width * factor, corner_y + height * factor],
        [left - width * more, top - height * more, right + width * more, bottom + height * more],
        [left - width * 0.1, top - height * 0.1, right + width * 0.1, bottom + height * 0.1],
        [x - wide, y - high, x + wide, y + high],
    ]


def agree(verdicts: Iterable[bool]) -> bool:
    return len(set(verdicts)) == 1


def without(made: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in made.items() if name != key}


# ---------------------------------------------------------------------------- Qwen's tool calls


def tool_call(rng: random.Random, arguments: dict[str, Any]) -> str:
    """One of the ways to write the call that all mean the same."""
    body = json.dumps({"name": "mobile_use", "arguments": arguments}, ensure_ascii=False)
    return rng.choice(
        [
            f"<tool_call>\n{body}\n</tool_call>",
            f"<tool_call>\n{body}\n</tool_call>",
            f"<think>first <step>look</step></think>\n<tool_call>\n{body}\n</tool_call>",
            f"<tool_call>{body}</tool_call>",
            body,
        ]
    )


def qwen_arguments(rng: random.Random, size: tuple[int, int]) -> dict[str, Any]:
    """The arguments of any call, points in pixels of the size."""

    def point() -> list[int]:
        return [rng.randrange(size[0]), rng.randrange(size[1])]

    return rng.choice(
        [
            {"action": "click", "coordinate": point()},
            {"action": "long_press", "coordinate": point(), "time": 2},
            {"action": "swipe", "coordinate": point(), "coordinate2": point()},
            {"action": "type", "text": rng.choice(WORDS)},
            {"action": "open", "text": rng.choice(APPS)},
            {"action": "system_button", "button": rng.choice(["Back", "Home", "Menu", "Enter"])},
            {"action": "wait", "time": 2},
            {"action": "terminate", "status": "success"},
            {"action": "key", "text": "volume_up"},
            {"action": "dance"},
        ]
    )


def broken_call(rng: random.Random) -> str:
    """An answer without a readable call."""
    good = tool_call(rng, {"action": "click", "coordinate": [500, 500]})
    inner = rng.choice(NO_JSON)
    return rng.choice(
        [
            inner,
            f"<tool_call>\n{inner}\n</tool_call>",
            good.replace("[500, 500]}}", "[500, 500]"),
            good.replace('"arguments"', '"args"'),
            good.replace('"action"', '"act"'),
            good.replace("{", "").replace("}", ""),
            '<tool_call>{"name": "mobile_use", "arguments": null}</tool_call>',
            '<tool_call>{"name": "mobile_use", "arguments": [1]}</tool_call>',
            '<tool_call>{"name": "mobile_use", "arguments": {"action": null}}</tool_call>',
            '<tool_call>{"name": "mobile_use", "arguments": {"action": ["click"]}}</tool_call>',
        ]
    )
