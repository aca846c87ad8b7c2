"""Random runs of Android in the Wild steps with an answer each, for Auto-GUI's loop.

Two of every five steps lie on a threshold of the rule or one float32 beside it, as far as the
training target lets them. No case says what is right: `tests.oracles.auto_gui` does.
"""

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.oracles.aitw import (
    CODES,
    DUAL_POINT,
    SWIPE_DISTANCE,
    TAP_DISTANCE,
    TYPE,
    F,
    distance,
    enlarge,
    fused_distance,
    fused_enlarge,
    holds,
)
from tests.oracles.auto_gui import PARTS, target

Case = dict[str, Any]
Pair = tuple[float, float]

# Kinds of step whose result the description leaves open.
SILENT = {
    "last_bit": "a verdict that changes when a product is added without being rounded first",
}

NAMES = ["general", "google_apps", "install", "single", "web_shopping"]
SCREENS = [(1080, 540), (2400, 1080), (1920, 1080), (732, 412)]  # height, width
TEXTS = [
    "", "hello", "Hello", " hello ", "hello world", "hello  world", "weather in Paris", "10:30",
    "天気", 'say "hi"', "say hi", "it's", "its", "a\\b", "ab", "a b", "İ",
]  # fmt: skip


def runs(seed: int, n: int) -> Iterator[list[Case]]:
    """Lists of 1 to 12 steps {kind, gold, answer, boxes, part, threshold}, `n` steps in all.

    About a third of the answers cannot be read in part or as a whole, and a few are missing.
    """
    rng = random.Random(seed)
    while n > 0:
        length = min(n, rng.randint(1, 12))
        yield [_step(rng) for _ in range(length)]
        n -= length


def totals_cases(seed: int, n: int) -> Iterator[list[Case]]:
    """`n` lists of rows {part, outcome, text_right} for `tests.oracles.auto_gui.accuracies`."""
    rng = random.Random(seed)
    for _ in range(n):
        rows = []
        for part in rng.sample(NAMES, rng.randint(1, 5)):
            for _ in range(rng.randint(1, 20)):
                outcome = rng.choice(["match", "match", "mismatch", "unscored"])
                text = outcome == "match" and rng.random() < 0.7
                rows.append({"part": part, "outcome": outcome, "text_right": text})
        yield rows


def _step(rng: random.Random) -> Case:
    on_threshold = rng.random() < 0.4
    case = rng.choice(ON_THRESHOLD if on_threshold else ELSEWHERE)(rng)
    case["threshold"] = on_threshold
    case["part"] = rng.choice(NAMES[:3])
    if rng.random() < 0.04:
        case["boxes"] = []
    elif rng.random() < 0.04:
        case["boxes"] = None
    answer = case["answer"]
    if rng.random() < 0.33:
        case["kind"] = "unreadable"
        for part in rng.sample(PARTS, rng.choice([1, 1, 2, 4])):
            answer[part] = None
    elif rng.random() < 0.03:
        case["kind"], case["answer"] = "missing", None
    return case


# ------------------------------------------------------------------------------------ thresholds


def _grid_tap(rng: random.Random) -> Case:
    """Two taps exactly 0.14 apart on the 0.01 grid: float32 calls some of them too far."""
    low, across = rng.randint(0, 86), rng.randint(0, 100) / 100
    first, second = _turned(rng, [(low / 100, across), ((low + 14) / 100, across)])
    return _gestures("grid_tap", (first, _near(rng, first)), (second, second), _far_boxes(rng))


def _edge_tap(rng: random.Random) -> Case:
    """A tap 0.14 from the rounded gold; the gold of the file lies beside, on either side."""
    first = _rounded(_place(rng))
    second = _at_edge(rng, first, float(TAP_DISTANCE))
    file = (first[0] + rng.uniform(-4e-5, 4e-5), first[1] + rng.uniform(-4e-5, 4e-5))
    file = rng.choice([file, first])
    return _gestures("edge_tap", (file, _near(rng, file)), (second, second), _far_boxes(rng))


def _box_edge(rng: random.Random) -> Case:
    """The gold deep in a box, the tap on an edge of the enlarged box or one float32 beside."""
    box = _box(rng, 0.2, 0.4)
    y, x, height, width = (float(number) for number in enlarge(box))
    edge = rng.choice([(y, None), (y + height, None), (None, x), (None, x + width)])
    point = (
        y + 0.5 * height if edge[0] is None else _beside(rng, edge[0]),
        x + 0.5 * width if edge[1] is None else _beside(rng, edge[1]),
    )
    deep = (2 * y + height - point[0], 2 * x + width - point[1])
    deep = (0.95 * deep[0] + 0.05 * point[0], 0.95 * deep[1] + 0.05 * point[1])
    return _gestures("box_edge", (deep, deep), (point, point), [*_far_boxes(rng), box])


def _box_around_gold(rng: random.Random) -> Case:
    """The rounded gold on an edge of the enlarged box, or a ten-thousandth beside."""
    touch = _rounded((rng.uniform(0.3, 0.6), rng.uniform(0.1, 0.9)))
    off = rng.choice([0.0, 1e-4, -1e-4, 4e-5, -4e-5])
    size = 0.15
    box = [touch[0] + 0.7 * size, touch[1] - 0.05, size, 0.1]
    file = (touch[0] + off, touch[1])
    answer = (touch[0] + 0.3, touch[1])
    return _gestures("box_around_gold", (file, file), (answer, answer), [_f32(box)])


def _gold_length(rng: random.Random) -> Case:
    """A gold gesture of 0.04, or one float32 beside: a tap that is rounded, or a drag."""
    touch = _place(rng)
    gesture = (touch, _at_edge(rng, touch, float(SWIPE_DISTANCE)))
    answer = rng.choice([(touch, touch), _drag(rng, "y"), _drag(rng, "x")])
    return _gestures("gold_length", gesture, answer, _far_boxes(rng))


def _answer_length(rng: random.Random) -> Case:
    """An answer as long as 0.04, or one float32 beside."""
    touch = _rounded(_place(rng))
    answer = (touch, _at_edge(rng, touch, float(SWIPE_DISTANCE)))
    gold = rng.choice([(touch, touch), _drag(rng, "y"), _drag(rng, "x")])
    return _gestures("answer_length", gold, answer, _far_boxes(rng))


def _answer_tie(rng: random.Random) -> Case:
    """An answer's drag equally long on both axes, or one float32 more on one of them."""
    touch = _place(rng)
    length = rng.choice([0.0625, 0.125, 0.25, 0.1, 0.3])
    lift = (_beside(rng, touch[0] + length), touch[1] + rng.choice([-1, 1]) * length)
    return _gestures("answer_tie", _drag(rng, rng.choice("yx")), (touch, lift), _some_boxes(rng))


# -------------------------------------------------------------------------------------- elsewhere


def _taps(rng: random.Random) -> Case:
    boxes = _some_boxes(rng)
    first = _place(rng)
    second = (first[0] + rng.gauss(0, 0.1), first[1] + rng.gauss(0, 0.1))
    if rng.random() < 0.5:
        y, x, height, width = rng.choice(boxes)
        first = (y + height / 2, x + width / 2)
        second = (y + rng.uniform(-1, 2) * height, x + rng.uniform(-1, 2) * width)
    return _gestures("taps", (first, _near(rng, first)), (second, _near(rng, second)), boxes)


def _drags(rng: random.Random) -> Case:
    gold, answer = _drag(rng, rng.choice("yx")), _drag(rng, rng.choice("yx"))
    return _gestures("drags", gold, answer, _some_boxes(rng))


def _tap_and_drag(rng: random.Random) -> Case:
    drag = _drag(rng, rng.choice("yx"))
    pair = [drag, (drag[0], drag[0])]
    rng.shuffle(pair)
    return _gestures("tap_and_drag", pair[0], pair[1], _some_boxes(rng))


def _codes(rng: random.Random) -> Case:
    """Any two codes; often the same one twice."""
    case = rng.choice([_taps, _drags])(rng) | {"kind": "codes"}
    gold = rng.choice(CODES)
    case["gold"]["type"] = gold
    case["answer"]["type"] = gold if rng.random() < 0.5 else rng.choice(CODES)
    for action in (case["gold"], case["answer"]):
        if action["type"] != DUAL_POINT:
            action["touch"] = action["lift"] = (-1.0, -1.0)
    if gold == TYPE:
        case["gold"]["text"] = rng.choice(TEXTS)
    if rng.random() < 0.7:
        case["answer"]["text"] = rng.choice([*TEXTS, case["gold"]["text"]])
    return case


def _rounding_tie(rng: random.Random) -> Case:
    """A gold touch between two numbers of four decimals; the tap so far that it matters."""
    touch = (0.03125 * rng.choice([1, 3, 5, 7]), 0.5)
    up = math.floor(touch[0] * 10000) / 10000 + 1e-4
    second = _at_edge(rng, (up, touch[1]), float(TAP_DISTANCE))
    return _gestures("taps", (touch, touch), (second, second), _far_boxes(rng))


# ------------------------------------------------------------------ where the description is silent


def silent_kind(gold: Case, heard: Case | None, boxes: Any) -> str | None:
    """The kind in SILENT of a step, given what the loop holds once the answer is read.

    `heard` is None if something was never read or no answer was there.
    """
    if heard is None or not boxes or gold["type"] != DUAL_POINT or heard["type"] != DUAL_POINT:
        return None
    aim = target(gold)
    if not _is_near_a_limit(gold, heard, aim, boxes):
        return None
    touches = [_small(gold["touch"]), _small(heard["touch"]), _small(aim["touch"])]
    lifts = [_small(gold["lift"]), _small(heard["lift"])]
    pairs = [(touches[0], lifts[0], SWIPE_DISTANCE), (touches[1], lifts[1], SWIPE_DISTANCE)]
    pairs.append((touches[1], touches[2], TAP_DISTANCE))
    fragile = any((distance(a, b) <= t) != (fused_distance(a, b) <= t) for a, b, t in pairs)
    fragile = fragile or any(
        holds(enlarge(box), point) != holds(fused_enlarge(box), point)
        for box in boxes
        for point in touches[1:]
    )
    return "last_bit" if fragile else None


def _is_near_a_limit(gold: Case, heard: Case, aim: Case, boxes: Any) -> bool:
    """Whether a length or an edge is so near that the last bit may decide; quick and generous."""
    lengths = (
        math.dist(gold["touch"], gold["lift"]) - 0.04,
        math.dist(heard["touch"], heard["lift"]) - 0.04,
        math.dist(heard["touch"], aim["touch"]) - 0.14,
    )
    if any(abs(length) < 1e-5 for length in lengths):
        return True
    for box in boxes:
        for axis in (0, 1):
            start = max(0.0, box[axis] - 0.7 * box[axis + 2])
            end = start + min(1.0, 2.4 * box[axis + 2])
            for point in (heard["touch"], aim["touch"]):
                if min(abs(point[axis] - start), abs(point[axis] - end)) < 1e-5:
                    return True
    return False


def _small(point: Any) -> tuple[Any, Any]:
    return F(point[0]), F(point[1])


# ------------------------------------------------------------------------------------------ parts


def _gestures(kind: str, gold: Any, answer: Any, boxes: Any) -> Case:
    return {
        "kind": kind,
        "gold": _action(*gold),
        "answer": _action(*answer),
        "boxes": [_f32(box) for box in boxes],
    }


def _action(touch: Any, lift: Any) -> Case:
    return {"type": DUAL_POINT, "touch": _f32(touch), "lift": _f32(lift), "text": ""}


def _f32(numbers: Any) -> tuple[float, ...]:
    return tuple(float(F(number)) for number in numbers)


def _rounded(point: Pair) -> Pair:
    return round(point[0], 4), round(point[1], 4)


def _beside(rng: random.Random, value: float) -> float:
    here = F(value)
    return float(rng.choice([here, np.nextafter(here, F(-9)), np.nextafter(here, F(9))]))


def _near(rng: random.Random, point: Pair) -> Pair:
    return (point[0] + rng.uniform(-0.02, 0.02), point[1] + rng.uniform(-0.02, 0.02))


def _turned(rng: random.Random, ends: list[Pair]) -> tuple[Pair, Pair]:
    first, second = ends if rng.random() < 0.5 else ends[::-1]
    if rng.random() < 0.5:
        return first[::-1], second[::-1]
    return first, second


def _at_edge(rng: random.Random, start: Pair, radius: float) -> Pair:
    """A point `radius` up, down, left or right of `start`, to within two float32."""
    axis, sign = rng.randrange(2), rng.choice([-1, 1])
    point = [F(start[0]), F(start[1])]
    moved = F(float(point[axis]) + sign * radius)
    for _ in range(rng.randint(0, 2)):
        moved = np.nextafter(moved, F(rng.choice([-9, 9])))
    point[axis] = moved
    return float(point[0]), float(point[1])


def _place(rng: random.Random) -> Pair:
    """A pixel's share, a hundredth, or any number."""
    height, width = rng.choice(SCREENS)
    return rng.choice(
        [
            (rng.randint(0, height) / height, rng.randint(0, width) / width),
            (rng.randint(0, 100) / 100, rng.randint(0, 100) / 100),
            (rng.random(), rng.random()),
        ]
    )


def _drag(rng: random.Random, axis: str) -> tuple[Pair, Pair]:
    y, x = _place(rng)
    along = rng.choice([-1, 1]) * rng.uniform(0.06, 0.7)
    across = along * rng.uniform(-0.95, 0.95)
    dy, dx = (along, across) if axis == "y" else (across, along)
    return (y, x), (y + dy, x + dx)


def _box(rng: random.Random, smallest: float, largest: float) -> Any:
    """A box of whole pixels as shares of the screen."""
    tall, wide = rng.choice(SCREENS)
    height = rng.randint(int(smallest * tall), int(largest * tall))
    width = rng.randint(int(smallest * wide), int(largest * wide))
    y, x = rng.randint(0, tall - height), rng.randint(0, wide - width)
    return _f32([y / tall, x / wide, height / tall, width / wide])


def _some_boxes(rng: random.Random) -> list[Any]:
    return [_box(rng, 0.0, rng.choice([0.05, 0.2])) for _ in range(rng.randint(1, 4))]


def _far_boxes(rng: random.Random) -> list[Any]:
    """At least one box, off the screen, so that it decides nothing."""
    return [(5.0 + i, 5.0, 0.1, 0.1) for i in range(rng.randint(1, 2))]


ON_THRESHOLD: list[Callable[[random.Random], Case]] = [
    _grid_tap, *[_edge_tap] * 2, *[_box_edge] * 2, _box_around_gold, _gold_length, _answer_length,
    _answer_tie,
]  # fmt: skip
ELSEWHERE: list[Callable[[random.Random], Case]] = [
    *[_taps] * 4, *[_drags] * 4, *[_tap_and_drag] * 2, *[_codes] * 6, _rounding_tie,
]  # fmt: skip
