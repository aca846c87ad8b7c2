"""Random Android in the Wild steps with a prediction each, to compare a scorer with the oracle.

Two of every five cases lie on a threshold of the rule or one float32 beside it. No case says what
is right: `tests.oracles.aitw` does.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tests.oracles.aitw import (
    CODES,
    DUAL_POINT,
    SWIPE_DISTANCE,
    TAP_DISTANCE,
    TYPE,
    UNUSED_CODES,
    F,
    distance,
    enlarge,
    fused_distance,
    fused_enlarge,
    holds,
    is_readable,
)

Case = dict[str, Any]
Pair = tuple[float, float]

# Kinds of case whose result follows from a choice of the oracle, not from the description.
# A scorer that differs there has chosen otherwise; it has not broken the rule.
SILENT = {
    "unreadable": "a prediction that is no action, on a screen with boxes: here a wrong step",
    "unreadable_no_boxes": "the same on a screen without boxes: here the screen comes first",
    "nan_swipe": "two swipes, one with a NaN: here they do not match",
    "nan_box": "a box with a NaN: here it holds no point",
    "last_bit": "a verdict that changes when a product is added without being rounded first",
}
# The same for totals.
SILENT_TOTALS = {
    "missing_steps": "fewer rows than the episode's length: here missing steps are wrong",
    "repeated_steps": "more rows than the length: here right rows are counted, share above 1 too",
}

DATASETS = ["GOOGLEAPPS", "INSTALL", "WEBSHOPPING", "GENERAL", "SINGLE"]
SCREENS = [(1080, 540), (2400, 1080), (1920, 1080), (732, 412)]  # height, width
TEXTS = ["", "hello", "Hello", " hello ", "weather in Paris", "10:30", "天気", "😀"]
UNREADABLE: list[Any] = [
    None,
    {},
    {"type": None},
    {"type": "4"},
    {"type": 4.0, "touch": (0.5, 0.5), "lift": (0.5, 0.5)},
    {"type": [4]},
    {"type": DUAL_POINT},
    {"type": DUAL_POINT, "touch": (0.5, 0.5)},
    {"type": DUAL_POINT, "touch": None, "lift": (0.5, 0.5)},
    {"type": DUAL_POINT, "touch": (0.5,), "lift": (0.5, 0.5)},
    {"type": DUAL_POINT, "touch": (0.5, 0.5, 0.5), "lift": (0.5, 0.5)},
    {"type": DUAL_POINT, "touch": ("0.5", "0.5"), "lift": (0.5, 0.5)},
    {"type": DUAL_POINT, "touch": 0.5, "lift": (0.5, 0.5)},
    {"type": DUAL_POINT, "touch": "0.5, 0.5", "lift": (0.5, 0.5)},
    {"type": DUAL_POINT, "touch": (None, 0.5), "lift": (0.5, 0.5)},
    {"touch": (0.5, 0.5), "lift": (0.5, 0.5)},
]


def cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {kind, gold, prediction, boxes, threshold}, the same for a seed.

    `kind` names the maker, or is one of SILENT. `threshold` says whether the case was made to
    lie on a threshold or directly beside one. About one in 25 screens has no boxes.
    """
    rng = random.Random(seed)
    for i in range(n):
        on_threshold = i % 5 in (0, 2)
        case = rng.choice(ON_THRESHOLD if on_threshold else ELSEWHERE)(rng)
        if rng.random() < 0.5:
            readable = is_readable(case["prediction"])
            if readable:  # no rule tells the two actions apart
                case["gold"], case["prediction"] = case["prediction"], case["gold"]
        case["threshold"] = on_threshold
        if _last_bit_decides(case):
            case["kind"] = "last_bit"
        yield case


def runs(seed: int, n: int) -> Iterator[list[Case]]:
    """`n` lists of 1 to 12 cases for `judge_like_auto_gui`, a third of them unreadable."""
    rng = random.Random(seed)
    pool = list(cases(seed, 12 * n))
    for i in range(n):
        steps = [dict(case) for case in pool[12 * i : 12 * i + rng.randint(1, 12)]]
        for step in steps:
            if rng.random() < 0.3:
                step["prediction"] = rng.choice(UNREADABLE)
                step["kind"] = "unreadable"
        yield steps


def totals_cases(seed: int, n: int) -> Iterator[dict[str, Any]]:
    """`n` cases {kind, steps} for the totals. Steps are {dataset, episode, episode_length,
    step, correct}; the same episode id can occur in two data sets."""
    rng = random.Random(seed)
    for _ in range(n):
        kind = rng.choice(["whole", "whole", "whole", "missing_steps", "repeated_steps"])
        steps = []
        for dataset in rng.sample(DATASETS, rng.randint(1, 5)):
            for episode in range(rng.randint(1, 6)):
                steps += _episode_rows(rng, dataset, f"{2**63 + episode}", kind)
        if rng.random() < 0.3:
            rng.shuffle(steps)
        yield {"kind": kind, "steps": steps}


def _episode_rows(rng: random.Random, dataset: str, episode: str, kind: str) -> list[Case]:
    length = rng.randint(1, 8)
    right = rng.choice([0.0, 0.5, 0.9, 1.0])
    rows = [
        {
            "dataset": dataset,
            "episode": episode,
            "episode_length": length,
            "step": step,
            "correct": rng.random() < right,
        }
        for step in range(length)
    ]
    if kind == "missing_steps" and length > 1:
        rows.pop(rng.randrange(length))
    if kind == "repeated_steps":
        rows.append(dict(rng.choice(rows)))
    return rows


# ------------------------------------------------------------------------------------ thresholds


def _grid_swipe(rng: random.Random) -> Case:
    """A drag of exactly 0.04 on the 0.01 grid: float32 calls some of them swipes."""
    low = rng.randint(0, 96)
    across = rng.randint(0, 100) / 100
    ends = [(low / 100, across), ((low + 4) / 100, across)]
    gesture = _turned(rng, ends)
    return _case("grid_swipe", gesture, _tap_or_swipe(rng, gesture[0]), _far_boxes(rng))


def _edge_swipe(rng: random.Random) -> Case:
    """A drag whose length is the last float32 on one side of 0.04."""
    touch = _place(rng)
    gesture = (touch, _at_edge(rng, touch, float(SWIPE_DISTANCE)))
    return _case("edge_swipe", gesture, _tap_or_swipe(rng, touch), _far_boxes(rng))


def _grid_tap(rng: random.Random) -> Case:
    """Two taps exactly 0.14 apart on the 0.01 grid: float32 calls some of them too far."""
    low = rng.randint(0, 86)
    across = rng.randint(0, 100) / 100
    first, second = _turned(rng, [(low / 100, across), ((low + 14) / 100, across)])
    return _case("grid_tap", (first, first), (second, second), _far_boxes(rng))


def _edge_tap(rng: random.Random) -> Case:
    first = _place(rng)
    second = _at_edge(rng, first, float(TAP_DISTANCE))
    return _case("edge_tap", (first, _near(rng, first)), (second, second), _far_boxes(rng))


def _box_edge(rng: random.Random) -> Case:
    """One tap deep in a box, the other on an edge of the enlarged box or one float32 beside.

    The box is large, so the distance rule does not help the tap on the edge.
    """
    box = _box(rng, 0.2, 0.45)
    y, x, height, width = enlarge(box)
    edges = {"top": y, "bottom": y + height, "left": x, "right": x + width}
    side = rng.choice(list(edges))
    edge = _beside(rng, float(edges[side]))
    part = rng.uniform(0.2, 0.8)
    if side in ("top", "bottom"):
        point = (edge, float(x) + part * float(width))
        deep = (2 * float(y) + float(height) - edge, point[1])
    else:
        point = (float(y) + part * float(height), edge)
        deep = (point[0], 2 * float(x) + float(width) - edge)
    deep = (0.98 * deep[0] + 0.02 * point[0], 0.98 * deep[1] + 0.02 * point[1])
    boxes = [*_far_boxes(rng), box]
    return _case("box_edge", (deep, deep), (point, point), boxes)


def _zero_box(rng: random.Random) -> Case:
    """A box without size holds its own point alone, which a tap hits anyway."""
    point = _place(rng)
    other = (_beside(rng, point[0]), point[1])
    return _case("zero_box", (point, point), (other, other), [[*point, 0.0, 0.0]])


def _full_box(rng: random.Random) -> Case:
    """A box whose enlarged size stops at 1, or its top or left at 0: it slides."""
    height, width = rng.choice([5 / 12, 0.4, 0.45, 0.9, 1.0]), rng.choice([5 / 12, 0.41, 1.0])
    box = _f32([rng.choice([0.0, 0.1, 0.3, 0.5]), rng.choice([0.0, 0.2, 0.29]), height, width])
    y, x, tall, wide = enlarge(box)
    bottom, right = float(y + tall), float(x + wide)
    first = (float(y), float(x))
    point = rng.choice(
        [
            (_beside(rng, bottom), right),
            (bottom, _beside(rng, right)),
            (_beside(rng, 1.0), right),
            (bottom, _beside(rng, 1.0)),
            (_beside(rng, float(y)), right),
        ]
    )
    return _case("full_box", (first, first), (point, point), [box])


def _axis_tie(rng: random.Random) -> Case:
    """A drag equally long on both axes, or one float32 more on one of them."""
    touch = _place(rng)
    length = rng.choice([0.0625, 0.125, 0.25, 0.1, 0.3, rng.uniform(0.05, 0.5)])
    lift_y = _beside(rng, touch[0] + rng.choice([-1, 1]) * length)
    lift_x = touch[1] + rng.choice([-1, 1]) * length
    flat = _swipe(rng, rng.choice(["y", "x"]))
    return _case("axis_tie", (touch, _f32((lift_y, lift_x))), flat, _some_boxes(rng))


# -------------------------------------------------------------------------------------- elsewhere


def _taps(rng: random.Random) -> Case:
    boxes = _some_boxes(rng)
    first, second = _place(rng), _place(rng)
    if rng.random() < 0.5:
        second = (first[0] + rng.gauss(0, 0.08), first[1] + rng.gauss(0, 0.08))
    if boxes and rng.random() < 0.5:
        y, x, height, width = rng.choice(boxes)
        first = (y + height / 2, x + width / 2)
        second = (y + rng.uniform(-1, 2) * height, x + rng.uniform(-1, 2) * width)
    return _case("taps", (first, _near(rng, first)), (second, _near(rng, second)), boxes)


def _two_boxes(rng: random.Random) -> Case:
    """Two taps, each in a box of its own: only their distance counts."""
    first = _place(rng)
    gap = rng.choice([0.05, 0.13, 0.139, 0.141, 0.2, 0.4])
    second = (first[0], first[1] + gap)
    boxes = [[first[0] - 0.01, first[1] - 0.01, 0.02, 0.02]]
    boxes.append([second[0] - 0.01, second[1] - 0.01, 0.02, 0.02])
    return _case("two_boxes", (first, first), (second, second), boxes)


def _swipes(rng: random.Random) -> Case:
    first, second = _swipe(rng, rng.choice("yx")), _swipe(rng, rng.choice("yx"))
    if rng.random() < 0.3:
        second = first[::-1]
    return _case("swipes", first, second, _some_boxes(rng))


def _tap_against_swipe(rng: random.Random) -> Case:
    swipe = _swipe(rng, rng.choice("yx"))
    return _case("tap_against_swipe", swipe, (swipe[0], swipe[0]), _some_boxes(rng))


def _placeholders(rng: random.Random) -> Case:
    """DUAL_POINT with the points of an action that is no gesture."""
    nowhere = ((-1.0, -1.0), (-1.0, -1.0))
    other = rng.choice([nowhere, ((0.5, 0.5), (-1.0, -1.0)), ((0.0, 0.0), (0.0, 0.0))])
    return _case("placeholders", nowhere, other, _some_boxes(rng))


def _off_screen(rng: random.Random) -> Case:
    points = [(-0.5, 2.0), (1.5, 1.5), (540.0, 960.0), (math.inf, 0.5), (1e300, 0.0), (1e-45, 0.0)]
    gesture = (rng.choice(points), _place(rng))
    tap = rng.choice(points[:3])
    other = rng.choice([gesture, (tap, tap), _swipe(rng, rng.choice("yx"))])
    return _case("off_screen", gesture, other, _some_boxes(rng))


def _other_types(rng: random.Random) -> Case:
    gold, code = rng.choice(CODES), rng.choice([*CODES, *UNUSED_CODES])
    if rng.random() < 0.5:
        code = gold
    case = _gestures(rng)
    case["kind"] = "other_types"
    for action, value in ((case["gold"], gold), (case["prediction"], code)):
        action["type"] = value
        if value == TYPE:
            action["text"] = rng.choice(TEXTS)
        if value != DUAL_POINT and rng.random() < 0.5:
            points: list[Any] = [(-1.0, -1.0), (math.nan, math.nan), None]
            action["touch"] = action["lift"] = rng.choice(points)
    return case


def _no_boxes(rng: random.Random) -> Case:
    """The official function raises, even for two equal actions."""
    case = rng.choice([_gestures, _other_types, _other_types])(rng)
    return case | {"kind": "no_boxes", "boxes": []}


def _nan_tap(rng: random.Random) -> Case:
    tap = _place(rng)
    broken = rng.choice(
        [
            ((math.nan, tap[1]), tap),
            (tap, (tap[0], math.nan)),
            ((math.nan, math.nan), (math.nan, math.nan)),
        ]
    )
    return _case("nan_tap", broken, (tap, tap), _some_boxes(rng))


# ------------------------------------------------------------------ where the description is silent


def _nan_swipe(rng: random.Random) -> Case:
    broken = rng.choice([((math.nan, 0.5), (0.1, 0.5)), ((0.2, 0.5), (0.2, math.nan))])
    other = rng.choice([broken, _swipe(rng, rng.choice("yx"))])
    return _case("nan_swipe", broken, other, _some_boxes(rng))


def _nan_box(rng: random.Random) -> Case:
    first, second = (0.5, 0.2), (0.5, 0.8)
    box = [0.3, 0.1, 0.4, 0.8]
    box[rng.randrange(4)] = math.nan
    return _case("nan_box", (first, first), (second, second), [*_far_boxes(rng), box])


def _unreadable(rng: random.Random) -> Case:
    case = rng.choice([_gestures, _other_types])(rng)
    case |= {"kind": "unreadable", "prediction": rng.choice(UNREADABLE)}
    if rng.random() < 0.2:
        case |= {"kind": "unreadable_no_boxes", "boxes": []}
    return case


# ------------------------------------------------------------------------------------------ parts


def _case(
    kind: str, gold: Sequence[Pair], prediction: Sequence[Pair], boxes: Sequence[Sequence[float]]
) -> Case:
    return {
        "kind": kind,
        "gold": {"type": DUAL_POINT, "touch": tuple(gold[0]), "lift": tuple(gold[1])},
        "prediction": {
            "type": DUAL_POINT,
            "touch": tuple(prediction[0]),
            "lift": tuple(prediction[1]),
        },
        "boxes": [list(box) for box in boxes],
    }


def _gestures(rng: random.Random) -> Case:
    return rng.choice([_taps, _taps, _swipes, _tap_against_swipe, _two_boxes])(rng)


def _last_bit_decides(case: Case) -> bool:
    """Whether adding products without rounding them changes which side of a threshold it is."""
    gold, prediction = case["gold"], case["prediction"]
    both = (gold, prediction)
    if not is_readable(prediction) or any(action["type"] != DUAL_POINT for action in both):
        return False
    with np.errstate(all="ignore"):
        touches = [(F(a["touch"][0]), F(a["touch"][1])) for a in both]
        lifts = [(F(a["lift"][0]), F(a["lift"][1])) for a in both]
        pairs = [(touches[0], lifts[0], SWIPE_DISTANCE), (touches[1], lifts[1], SWIPE_DISTANCE)]
        pairs.append((touches[0], touches[1], TAP_DISTANCE))
        if any((distance(a, b) <= t) != (fused_distance(a, b) <= t) for a, b, t in pairs):
            return True
        return any(
            holds(enlarge(box), point) != holds(fused_enlarge(box), point)
            for box in case["boxes"]
            for point in touches
        )


def _f32(values: Sequence[float]) -> Any:
    """The values rounded to float32, as Python floats."""
    return type(values)(float(F(value)) for value in values)


def _beside(rng: random.Random, value: float) -> float:
    """The value as a float32, or one of its two float32 neighbours."""
    here = F(value)
    return float(rng.choice([here, np.nextafter(here, F(-9)), np.nextafter(here, F(9))]))


def _place(rng: random.Random) -> Pair:
    """A point on the screen: a pixel's share, a hundredth, or any number."""
    height, width = rng.choice(SCREENS)
    y, x = rng.choice(
        [
            (rng.randint(0, height) / height, rng.randint(0, width) / width),
            (rng.randint(0, 100) / 100, rng.randint(0, 100) / 100),
            (rng.random(), rng.random()),
        ]
    )
    return _f32((y, x)) if rng.random() < 0.7 else (y, x)


def _near(rng: random.Random, point: Pair) -> Pair:
    return (point[0] + rng.uniform(-0.02, 0.02), point[1] + rng.uniform(-0.02, 0.02))


def _turned(rng: random.Random, ends: list[Pair]) -> tuple[Pair, Pair]:
    """The two ends in either order, upright or lying."""
    first, second = ends if rng.random() < 0.5 else ends[::-1]
    if rng.random() < 0.5:
        return first[::-1], second[::-1]
    return first, second


def _at_edge(rng: random.Random, start: Pair, radius: float) -> Pair:
    """A point `radius` from `start`, then moved by single float32 steps to the verdict's edge.

    Either side of the edge comes up: the last point inside or the first one outside.
    """
    angle = rng.choice([0, 0.5, 1, 1.5, rng.uniform(0, 2)]) * math.pi
    y, x = F(start[0] + radius * math.sin(angle)), F(start[1] + radius * math.cos(angle))
    origin = (F(start[0]), F(start[1]))
    vertical = abs(math.sin(angle)) > abs(math.cos(angle))
    limit = F(radius)
    inside = bool(distance(origin, (y, x)) <= limit)
    for _ in range(200):
        middle = origin[0] if vertical else origin[1]
        moved = y if vertical else x
        outward = F(9) if moved > middle else F(-9)
        step = np.nextafter(moved, outward if inside else middle)
        following = (step, x) if vertical else (y, step)
        if bool(distance(origin, following) <= limit) != inside:
            return _f32(rng.choice([(y, x), following]))
        y, x = following
    return _f32((y, x))


def _tap_or_swipe(rng: random.Random, touch: Pair) -> tuple[Pair, Pair]:
    """A certain tap at the point, or a certain swipe."""
    return rng.choice([(touch, touch), (touch, touch), _swipe(rng, rng.choice("yx"))])


def _swipe(rng: random.Random, axis: str) -> tuple[Pair, Pair]:
    y, x = _place(rng)
    along = rng.choice([-1, 1]) * rng.uniform(0.06, 0.7)
    across = along * rng.uniform(-0.95, 0.95)
    dy, dx = (along, across) if axis == "y" else (across, along)
    return ((y, x), (y + dy, x + dx))


def _box(rng: random.Random, smallest: float, largest: float) -> list[float]:
    """A box of whole pixels as shares of the screen."""
    tall, wide = rng.choice(SCREENS)
    height = rng.randint(int(smallest * tall), int(largest * tall))
    width = rng.randint(int(smallest * wide), int(largest * wide))
    y, x = rng.randint(0, tall - height), rng.randint(0, wide - width)
    return _f32([y / tall, x / wide, height / tall, width / wide])


def _some_boxes(rng: random.Random) -> list[list[float]]:
    return [_box(rng, 0.0, rng.choice([0.05, 0.2])) for _ in range(rng.randint(1, 6))]


def _far_boxes(rng: random.Random) -> list[list[float]]:
    """At least one box, off the screen, so that it decides nothing."""
    return [[5.0 + i, 5.0, 0.1, 0.1] for i in range(rng.randint(1, 3))]


ON_THRESHOLD: list[Callable[[random.Random], Case]] = [
    _grid_swipe, _edge_swipe, _edge_swipe, _grid_tap, _edge_tap, _edge_tap, _box_edge, _box_edge,
    _zero_box, _full_box, _axis_tie,
]  # fmt: skip
ELSEWHERE: list[Callable[[random.Random], Case]] = [
    *[_taps] * 6, *[_two_boxes] * 2, *[_swipes] * 5, *[_tap_against_swipe] * 2, _placeholders,
    _off_screen, *[_other_types] * 8, *[_no_boxes] * 2, _nan_tap, _nan_swipe, _nan_box,
    *[_unreadable] * 2,
]  # fmt: skip
