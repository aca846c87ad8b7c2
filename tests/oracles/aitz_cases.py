"""Random AITZ steps with a prediction each, for comparing a scorer with the oracle.

Every other case lies on a threshold of the rule or directly beside one. No case says what
is right: `tests.oracles.aitz` does.
"""

import difflib
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.oracles.aitz import (
    BUTTONS,
    CLICK_FAIL,
    CORRECT_LABELS,
    DIRECTIONS,
    DUAL_POINT,
    STATUS_TASK_COMPLETE,
    STATUS_TASK_IMPOSSIBLE,
    TAP_DISTANCE,
    TYPE,
    VERTICAL_SHARE,
    action_of,
    common_ratio,
    corners_of,
    is_readable,
    lift_in_pixels,
    match_click,
    match_text,
    scroll_direction,
)
from tests.oracles.guiodyssey import levenshtein

Case = dict[str, Any]

# Kinds of case whose result follows from a choice of the oracle, not from the description.
# A scorer that differs there has chosen otherwise; it has not broken the rule.
SILENT = {
    "tap_edge": "a gesture so close to 0.04 that float32, or pixels, could call it the other thing",
    "scroll_units": "a swipe whose direction is another one in pixels, or in float32",
    "direction_case": "a direction not in small letters: here letter case is ignored",
    "text_reading": "a text right by one reading of substring, letter case, spaces or ratio only",
    "same_box": "a click near the gold one inside of one enlarged box: here that earns nothing",
    "click_reading": "a click right by one reading of gold box, edge or rounding only",
    "predicted_point": "a click predicted as a point: here a box without size",
    "inverted_box": "a predicted box with its corners swapped: here it has no area",
    "no_boxes": "a click on a screen without boxes: here only the predicted box can be right",
}
SILENT_TOTALS = {
    "missing_steps": "an episode with fewer rows than its length: here it fails at the gap",
}

SIZES = [(1080, 2400), (540, 1080), (1440, 3120), (1024, 1024), (2208, 1840)]  # width, height
TEXTS = [
    "hello", "Hello World", "weather in Paris", "10:30 am", "a", "天気予報", "schöne Grüße",
    "cafe\u0301", "café", "😀", "https://example.org/a:b", "best rated coffee maker",
]  # fmt: skip
UNREADABLE: list[Any] = [
    None,
    {},
    {"action": None},
    {"action": "fly"},
    {"action": "CLICK", "box": (0, 0, 9, 9)},
    {"action": "click"},
    {"action": "click", "box": None},
    {"action": "click", "box": (1, 2, 3)},
    {"action": "click", "box": (1, 2, 3, 4, 5)},
    {"action": "click", "box": ("1", "2", "3", "4")},
    {"action": "click", "box": "(1, 2, 3, 4)"},
    {"action": "click", "box": (math.nan, 0, 9, 9)},
    {"action": "click", "box": (0, 0, math.inf, 9)},
    {"action": "click", "point": (1,)},
    {"action": "click", "point": 1},
    {"action": "click", "point": (None, 2)},
    {"action": "scroll"},
    {"action": "scroll", "direction": "sideways"},
    {"action": "scroll", "direction": ""},
    {"action": "scroll", "direction": 1},
    {"action": "type"},
    {"action": "type", "text": None},
    {"action": "type", "text": 10},
    {"action": "press"},
    {"action": "press", "button": "recent"},
    {"action": ["click"], "box": (0, 0, 9, 9)},
    {"box": (0, 0, 9, 9)},
]


def cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {kind, gold, prediction, boxes, gold_click, threshold}, the same for a seed.

    `kind` names the maker, or is one of SILENT. `threshold` says whether the case was made to
    lie on a threshold or directly beside one.
    """
    rng = random.Random(seed)
    for i in range(n):
        on_threshold = i % 2 == 0
        case = rng.choice(ON_THRESHOLD if on_threshold else ELSEWHERE)(rng)
        case["threshold"] = on_threshold
        case["kind"] = _silent_kind(case) or case["kind"]
        yield case


def totals_cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {kind, steps} for the totals. Steps are {episode, step, episode_length,
    correct}."""
    rng = random.Random(seed)
    for _ in range(n):
        kind = rng.choice(["whole", "whole", "missing_steps"])
        steps = []
        for episode in range(rng.randint(1, 6)):
            length, right = rng.randint(1, 8), rng.choice([0.0, 0.5, 0.9, 1.0])
            rows = [
                {
                    "episode": f"0{episode}",
                    "step": step,
                    "episode_length": length,
                    "correct": rng.random() < right,
                }
                for step in range(length)
            ]
            if kind == "missing_steps" and length > 1:
                rows.pop(rng.randrange(length))
            steps += rows
        yield {"kind": kind, "steps": steps}


# ------------------------------------------------------------------------------------ thresholds


def _iou_half(rng: random.Random) -> Case:
    """Two boxes that overlap by one half, or a pixel more or less.

    The gold point is in the corner of its box that lies far from the predicted box.
    """
    width, height = rng.randint(10, 30) * 12, rng.randint(10, 60) * 12
    x, y = rng.randint(0, 300), rng.randint(100, 600)
    off = rng.choice([0, 0, -1, 1])
    left, top, right, bottom = x, y, x + width, y + height
    box = rng.choice(
        [
            (left + width // 2 + off, top, right, bottom),  # inside, one half of it
            (left, top + height // 2 + off, right, bottom),
            (left + width // 3 + off, top, right + width // 3 + off, bottom),  # as large, moved
            (left, top + height // 3 + off, right, bottom + height // 3 + off),
        ]
    )
    gold = (x + rng.randint(1, width // 10), y + rng.randint(1, height // 10))
    return _click("iou_half", rng, gold, box, [[y, x, height, width]], "lift")


def _same_box_edge(rng: random.Random) -> Case:
    """A small predicted box whose middle is on an edge of the enlarged box, or a bit beside."""
    height, width = rng.randint(10, 60) * 10, rng.randint(10, 30) * 10
    x, y = rng.randint(50, 300), rng.randint(100, 600)
    off = rng.choice([-1, -0.5, 0, 0.5, 1])
    middle = rng.choice(
        [
            (x - width / 10 + off, y + height / 2),
            (x + width * 1.1 + off, y + height / 2),
            (x + width / 2, y - height / 10 + off),
            (x + width / 2, y + height * 1.1 + off),
        ]
    )
    box = (middle[0] - 2, middle[1] - 2, middle[0] + 2, middle[1] + 2)
    gold = (x + width // 2, y + height // 2)
    return _click("same_box_edge", rng, gold, box, [[y, x, height, width]], "lift")


def _predicted_edge(rng: random.Random) -> Case:
    """The gold point on an edge of the enlarged predicted box, or a bit beside."""
    width, height = rng.randint(2, 30) * 10, rng.randint(2, 60) * 10
    x, y = rng.randint(100, 400), rng.randint(200, 800)
    off = rng.choice([-1, -0.5, 0, 0.5, 1])
    gold = rng.choice(
        [
            (x - width / 10 + off, y + height / 2),
            (x + width * 1.1 + off, y + height / 2),
            (x + width / 2, y - height / 10 + off),
            (x + width / 2, y + height * 1.1 + off),
        ]
    )
    boxes = rng.choice([[], [[5000, 5000, 9, 9]], [[5000, 5000, 9, 9]]])
    return _click("predicted_edge", rng, gold, (x, y, x + width, y + height), boxes, "lift")


def _origin_edge(rng: random.Random) -> Case:
    """A predicted box whose enlargement just reaches, or just misses, the point (0, 0)."""
    width, height = rng.randint(2, 40) * 10, rng.randint(2, 80) * 10
    x = width / 10 + rng.choice([-1, -0.5, 0, 0.5, 1])
    y = height / 10 + rng.choice([-2, -1, -0.5])
    boxes = [[5000, 5000, 9, 9]]
    if rng.random() < 0.4:  # a screen box instead, the prediction far off in it
        boxes = [[y, x, height, width]]
        middle = (x + width * 0.9, y + height * 0.9)
        box = (middle[0] - 1, middle[1] - 1, middle[0] + 1, middle[1] + 1)
        return _click("origin_edge", rng, (500, 500), box, boxes, "released")
    box = (x, y, x + width, y + height)
    return _click("origin_edge", rng, (500, 500), box, boxes, "released")


def _scroll_near_tie(rng: random.Random) -> Case:
    """A swipe with |dy| = 0.9 * |dx|, or one last bit beside."""
    width = rng.choice([0.5, 0.25, 0.125, 0.0625, 0.1, 0.3, rng.uniform(0.06, 0.9)])
    height = VERTICAL_SHARE * width
    height = rng.choice(
        [
            height,
            math.nextafter(height, 0),
            math.nextafter(height, 1),
            height - 1e-3,
            height + 1e-3,
            float(np.nextafter(np.float32(height), np.float32(0))),
        ]
    )
    dy, dx = rng.choice([-1, 1]) * height, rng.choice([-1, 1]) * width
    touch = (0.0, 0.0) if rng.random() < 0.7 else (rng.random(), rng.random())
    gold = _gold(rng, DUAL_POINT, touch=touch, lift=(touch[0] + dy, touch[1] + dx))
    if rng.random() < 0.5:
        gold["size"] = (1024, 1024)
    words = ["down" if dy > 0 else "up", "right" if dx > 0 else "left"]
    return _case("scroll_near_tie", gold, _scroll_to(rng.choice(words)), [], rng)


def _ratio_near(rng: random.Random) -> Case:
    """Texts of 5k letters with k of them changed: exactly 0.8 alike; one more or less beside."""
    length = rng.choice([5, 10, 15])
    changed = length // 5 + rng.choice([0, 0, -1, 1])
    letters = rng.sample("abcdefghijklmnopqrstuvwxyz", length)
    text = list(letters)
    # Spread, and none at the ends only, so that neither text holds the other.
    for place in rng.sample(range(length), max(changed, 1)):
        text[place] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[place] if rng.random() < 0.1 else "0123456789"[
            place % 10
        ]  # fmt: skip
    return _typed("ratio_near", rng, "".join(letters), "".join(text))


def _tap_edge(rng: random.Random) -> Case:
    """A gesture as long as 0.04, or beside, answered with a click and a scroll."""
    length = rng.choice([TAP_DISTANCE, math.nextafter(TAP_DISTANCE, 1), 0.0399, 0.0401, 0.039])
    touch = (0.0, rng.choice([0.0, 0.5]))
    gold = _gold(rng, DUAL_POINT, touch=touch, lift=(length, touch[1]))
    click = {"action": "click", "box": (0, 0, 2000, 3000)}
    return _case("tap_edge_beside", gold, rng.choice([click, _scroll_to("down")]), [], rng)


# -------------------------------------------------------------------------------------- elsewhere


def _plain_click(rng: random.Random) -> Case:
    boxes = [_box(rng) for _ in range(rng.randint(1, 5))]
    y, x, height, width = rng.choice(boxes)
    gold = (x + rng.randint(0, width), y + rng.randint(0, height))
    jitter = [rng.choice([-3, 0, 2, 10, 60]) for _ in range(4)]
    box = (x - jitter[0], y - jitter[1], x + width + jitter[2], y + height + jitter[3])
    if rng.random() < 0.4:
        box = (x + width // 2, y + height // 2, x + width // 2 + 6, y + height // 2 + 6)
    if rng.random() < 0.3:
        left, top = rng.randint(0, 800), rng.randint(0, 1600)
        box = (left, top, left + rng.randint(1, 300), top + rng.randint(1, 300))
    return _click("plain_click", rng, gold, box, boxes, rng.choice(["lift", "lift", "released"]))


def _origin_click(rng: random.Random) -> Case:
    """A click at the top left corner, which is where the released evaluator puts them all."""
    box = (rng.randint(-20, 30), rng.randint(-20, 30), rng.randint(60, 900), rng.randint(60, 900))
    boxes = rng.choice([[[0, 0, 200, 1080]], [[0, 0, 30, 30]], [_box(rng)]])
    return _click("origin_click", rng, (700, 900), box, boxes, "released")


def _predicted_point(rng: random.Random) -> Case:
    case = _plain_click(rng)
    left, top, right, bottom = case["prediction"]["box"]
    case["prediction"] = {"action": "click", "point": ((left + right) / 2, (top + bottom) / 2)}
    return case | {"kind": "predicted_point"}


def _inverted_box(rng: random.Random) -> Case:
    case = _plain_click(rng)
    left, top, right, bottom = case["prediction"]["box"]
    case["prediction"] = {"action": "click", "box": (right, top, left, bottom)}
    return case | {"kind": "inverted_box"}


def _scroll(rng: random.Random) -> Case:
    touch = (rng.random(), rng.random())
    lift = (rng.random(), rng.random())
    gold = _gold(rng, DUAL_POINT, touch=touch, lift=lift)
    word = rng.choice([*DIRECTIONS, scroll_direction(touch, lift), scroll_direction(touch, lift)])
    kind = "scroll"
    if rng.random() < 0.1:
        word, kind = rng.choice([word.upper(), word.title()]), "direction_case"
    return _case(kind, gold, _scroll_to(word), [_box(rng)], rng)


def _text(rng: random.Random) -> Case:
    gold, text = rng.choice(TEXTS), rng.choice(TEXTS)
    if rng.random() < 0.7:
        text = rng.choice(
            [gold, gold, gold.upper(), gold.lower(), f" {gold}", f"{gold}\n", gold[1:], gold[:-1],
             f"{gold} please", f"x{gold}", gold[::-1], "", gold[:2] + "_" + gold[2:],
             gold.replace("e", "3")]
        )  # fmt: skip
    if rng.random() < 0.05:
        gold = ""
    return _typed("text", rng, gold, text)


def _other_action(rng: random.Random) -> Case:
    """Any gold step against an answer drawn without looking at it."""
    codes = [TYPE, DUAL_POINT, *BUTTONS, STATUS_TASK_COMPLETE, STATUS_TASK_IMPOSSIBLE]
    prediction = rng.choice(
        [
            {"action": "stop"}, {"action": "stop", "status": "impossible"},
            {"action": "press", "button": rng.choice(list(BUTTONS.values()))},
            {"action": "press", "button": rng.choice(list(BUTTONS.values()))},
            {"action": "type", "text": rng.choice(TEXTS)},
            {"action": "click", "box": (100, 100, 200, 200)},
            _scroll_to(rng.choice(DIRECTIONS)),
        ]
    )  # fmt: skip
    return _case("other_action", _gold(rng, rng.choice(codes)), prediction, [_box(rng)], rng)


def _unreadable(rng: random.Random) -> Case:
    codes = [TYPE, DUAL_POINT, DUAL_POINT, *BUTTONS, STATUS_TASK_COMPLETE]
    gold = _gold(rng, rng.choice(codes))
    boxes = rng.choice([[], [[0, 0, 100, 100]]])
    return _case("unreadable", gold, rng.choice(UNREADABLE), boxes, rng)


# ------------------------------------------------------------------ where the description is silent


def _silent_kind(case: Case) -> str | None:
    """The kind in SILENT of a case on which two readings of the description differ."""
    gold, prediction = case["gold"], case["prediction"]
    if prediction is None or not is_readable(prediction):
        return None
    if gold["type"] == DUAL_POINT and len(set(_gesture_readings(gold))) > 1:
        return "tap_edge" if prediction["action"] in ("click", "scroll") else None
    action = action_of(gold)
    if action != prediction["action"] or case["kind"] in SILENT:
        return case["kind"] if case["kind"] in SILENT else None
    if action == "scroll" and len(set(_direction_readings(gold))) > 1:
        return "scroll_units"
    if action == "type":
        readings = _text_readings(gold["text"], prediction["text"])
        return "text_reading" if len(set(readings)) > 1 else None
    if action == "click":
        if not case["boxes"]:
            return "no_boxes"
        if len(set(_click_readings(case, same_box=False))) > 1:
            return "click_reading"
        both = _click_readings(case, same_box=False) + _click_readings(case, same_box=True)
        return "same_box" if len(set(both)) > 1 else None
    return None


def _gesture_readings(gold: Case) -> list[bool]:
    """Whether it is a tap: in float64 and in float32. A last bit less or more also counts."""
    dy, dx = gold["lift"][0] - gold["touch"][0], gold["lift"][1] - gold["touch"][1]
    small = [np.float32(v) for v in (*gold["touch"], *gold["lift"])]
    short = np.sqrt((small[2] - small[0]) ** 2 + (small[3] - small[1]) ** 2)
    return [
        math.hypot(dy, dx) <= TAP_DISTANCE,
        math.hypot(dy, dx) < TAP_DISTANCE,
        math.sqrt(dy * dy + dx * dx) <= TAP_DISTANCE,
        bool(short <= np.float32(TAP_DISTANCE)),
    ]


def _direction_readings(gold: Case) -> list[str]:
    width, height = gold["size"]
    shares = [gold["touch"], gold["lift"]]
    pixels = [(y * height, x * width) for y, x in shares]
    small = [(np.float32(y), np.float32(x)) for y, x in shares]
    return [scroll_direction(*points) for points in (shares, pixels, small)]


def _text_readings(gold: str, text: str) -> list[bool]:
    """Whether the text is right, by each way to read substring, letter case, spaces and ratio."""
    verdicts = []
    for change in (str, str.lower, str.strip, lambda value: value.strip().lower()):
        a, b = change(gold), change(text)
        if "" in (a, b):
            verdicts += [True, False]  # nothing says what an empty text is
        for ratio in (common_ratio, _sequence_ratio, _edit_ratio):
            both = match_text(a, b, ratio) in CORRECT_LABELS
            alike = bool(a or b) and ratio(a, b) > 0.8
            verdicts += [both, a in b or alike, b in a or alike]
    return verdicts


def _sequence_ratio(a: str, b: str) -> float:
    return difflib.SequenceMatcher(None, a, b).ratio()


def _edit_ratio(a: str, b: str) -> float:
    return 1 - levenshtein(a, b) / max(len(a), len(b))


def _click_readings(case: Case, same_box: bool) -> list[bool]:
    exact = (0.0, 0.0) if case["gold_click"] == "released" else lift_in_pixels(case["gold"])
    predicted = corners_of(case["prediction"])
    points = [exact, (float(round(exact[0])), float(round(exact[1])))]
    points.append((float(int(exact[0])), float(int(exact[1]))))
    return [
        match_click(
            point, predicted, case["boxes"], gold_boxes=which, edges=edges, same_box=same_box
        )
        != CLICK_FAIL
        for point in points
        for which in ("holding", "any", "near", "enlarged")
        for edges in (False, True)
    ]


# ------------------------------------------------------------------------------------------ parts


def _case(kind: str, gold: Case, prediction: Any, boxes: list[Any], rng: random.Random) -> Case:
    return {
        "kind": kind,
        "gold": gold,
        "prediction": prediction,
        "boxes": boxes,
        "gold_click": rng.choice(["released", "lift"]),
    }


def _click(
    kind: str,
    rng: random.Random,
    gold: tuple[float, float],
    box: tuple[float, float, float, float],
    boxes: list[Any],
    gold_click: str,
) -> Case:
    """A tap whose lift is the pixel `gold`, answered with a box."""
    width, height = rng.choice(SIZES)
    lift = (gold[1] / height, gold[0] / width)
    touch = (lift[0], lift[1] + rng.choice([0, 0.01]))
    step = _gold(rng, DUAL_POINT, touch=touch, lift=lift) | {"size": (width, height)}
    return _case(kind, step, {"action": "click", "box": box}, boxes, rng) | {
        "gold_click": gold_click
    }


def _typed(kind: str, rng: random.Random, gold: str, text: str) -> Case:
    step = _gold(rng, TYPE) | {"text": gold}
    return _case(kind, step, {"action": "type", "text": text}, [_box(rng)], rng)


def _gold(
    rng: random.Random,
    code: int,
    touch: tuple[float, float] | None = None,
    lift: tuple[float, float] | None = None,
) -> Case:
    if code == DUAL_POINT and touch is None:
        touch = (rng.random(), rng.random())
        lift = rng.choice([touch, (rng.random(), rng.random())])
    return {
        "type": code,
        "touch": touch or (-1.0, -1.0),
        "lift": lift or (-1.0, -1.0),
        "text": rng.choice(TEXTS) if code == TYPE else "",
        "size": rng.choice(SIZES),
    }


def _scroll_to(word: str) -> Case:
    return {"action": "scroll", "direction": word}


def _box(rng: random.Random) -> list[int]:
    return [rng.randint(0, 900), rng.randint(0, 450), rng.randint(1, 200), rng.randint(1, 400)]


ON_THRESHOLD: list[Callable[[random.Random], Case]] = [
    _iou_half, _iou_half, _same_box_edge, _predicted_edge, _predicted_edge, _origin_edge,
    _scroll_near_tie, _scroll_near_tie, _ratio_near, _ratio_near, _tap_edge,
]  # fmt: skip
ELSEWHERE: list[Callable[[random.Random], Case]] = [
    *[_plain_click] * 6, *[_origin_click] * 2, _predicted_point, _inverted_box, *[_scroll] * 4,
    *[_text] * 5, *[_other_action] * 4, *[_unreadable] * 3,
]  # fmt: skip
