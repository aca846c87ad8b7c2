"""Random steps of AITZ or Android in the Wild with an answer of AgentCPM-GUI each.

Two of every five cases lie on a threshold of the rule or one unit in the last place beside it. No
case says what is right: `tests.oracles.aitz_agentcpm` does.
"""

import math
import random
from collections.abc import Callable, Iterator
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
from tests.oracles.aitz_agentcpm import (
    ENDINGS,
    FULL,
    PRESSES,
    WORDS,
    allowed,
    direction,
    enlarge,
    gold_kind,
    kind_of,
)

Case = dict[str, Any]
Answer = dict[str, Any]

# Kinds of case whose result the description leaves open.
SILENT = {
    "last_bit": "in which order box edges, lengths and cosines are computed in float64",
}

CODES = [TYPE, DUAL_POINT, PRESS_BACK, PRESS_HOME, PRESS_ENTER, STATUS_TASK_COMPLETE]
CODES += [STATUS_TASK_IMPOSSIBLE]
SCREENS = [(1080, 540), (2400, 1080), (1920, 1080), (732, 412)]  # height, width
TEXTS = [
    "hello", " hello", "Hello World", "weather in Paris", "10:30 am", "a", "", "天気予報", "Straße",
    "STRASSE", "İstanbul", "café", "cafe\u0301", "😀", "https://example.org/a:b",
]  # fmt: skip


def cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {kind, gold, answer, boxes, threshold}, the same for a seed.

    `kind` names the maker, or is in SILENT. `threshold` says whether the case was made to lie
    on a threshold or directly beside one.
    """
    rng = random.Random(seed)
    for i in range(n):
        on_threshold = i % 5 in (0, 2)
        case = rng.choice(ON_THRESHOLD if on_threshold else ELSEWHERE)(rng)
        case["threshold"] = on_threshold
        if case["answer"] is not None and rng.random() < 0.3:
            case["answer"] = {"thought": "so it is"} | case["answer"]
        if _last_bit_decides(case):
            case["kind"] = "last_bit"
        elif rng.random() < 0.03:
            case["boxes"] = None
        yield case


def totals_cases(seed: int, n: int) -> Iterator[Case]:
    """`n` cases {kind, episodes} as `tests.oracles.aitz_agentcpm.totals` takes them."""
    rng = random.Random(seed)
    for _ in range(n):
        kind = rng.choice(["whole", "whole", "missing"])
        episodes: list[list[Any]] = []
        for _ in range(rng.randint(1, 6)):
            right = rng.choice([0.0, 0.5, 0.9, 1.0])
            rows: list[Any] = []
            for _ in range(rng.randint(1, 6)):
                exact = rng.random() < right
                rows.append((exact, exact or rng.random() < 0.5))
            if kind == "missing":
                rows[rng.randrange(len(rows))] = None
            episodes.append(rows)
        yield {"kind": kind, "episodes": episodes}


# ------------------------------------------------------------------------------------ thresholds


def _reach(rng: random.Random) -> Case:
    """An answer 140 thousandths from the click along one axis: float64 calls some too far."""
    point = [rng.randint(0, FULL), rng.randint(0, FULL - 140)]
    off = rng.choice([140, 140, 140, 139, 141])
    touch = [(point[1] + off) / FULL, point[0] / FULL]
    if rng.random() < 0.3:
        touch[0] = rng.choice([math.nextafter(touch[0], 0), math.nextafter(touch[0], 2)])
    if rng.random() < 0.5:
        point, touch = [point[1], point[0]], [touch[1], touch[0]]
    if rng.random() < 0.3:
        length, across, down = rng.choice([(5, 3, 4), (25, 7, 24), (35, 21, 28)])
        place = rng.randint(0, 800), rng.randint(0, 800)
        point = [place[0] + 140 * across // length, place[1] + 140 * down // length]
        touch = [place[1] / FULL, place[0] / FULL]
    gold = _tapped(rng, touch)
    return _case("reach", gold, {"POINT": point}, rng.choice([[], _far_boxes(rng)]))


def _edge_of_box(rng: random.Random) -> Case:
    """The answer on an edge of the enlarged box, or a last bit or a little beside."""
    width, height = rng.randint(1, 32) / 64, rng.randint(20, 32) / 64
    x, y = rng.randint(8, 24) / 64, rng.randint(8, 24) / 64
    point = [round((x + width / 2) * FULL), round((y + height / 2) * FULL)]
    axis = rng.randrange(2)
    low, size = ((x, width), (y, height))[axis]
    edge = rng.choice([low - size / 10, low + size * 1.1])
    point[axis] = round(edge * FULL)
    # The box is moved so that its edge lies on the thousandth, or just beside.
    shift = point[axis] / FULL - edge + rng.choice([0, 1e-15, -1e-15, 1e-6, -1e-6, 3e-4, -3e-4])
    x, y = (x + shift, y) if axis == 0 else (x, y + shift)
    touch = [y + height / 2, x + width / 2]
    touch[1 - axis] = 2 * touch[1 - axis] - point[axis] / FULL
    touch[1 - axis] = touch[1 - axis] * 0.9 + 0.1 * point[axis] / FULL
    return _boxed("edge_of_box", rng, touch, point, (y, x, height, width))


def _edge_of_click(rng: random.Random) -> Case:
    """The gold's click on an edge of the box, enlarged or not, or a little beside."""
    height, width = 0.4, 0.2
    y, x = rng.choice([0.25, 0.3, 0.375]), rng.choice([0.25, 0.5])
    grown = rng.choice([1.2, 1.2, 1.0])
    edge = y + height / 2 + rng.choice([-1, 1]) * height * grown / 2
    edge += rng.choice([0, 1e-6, -1e-6, 1e-4, -1e-4])
    touch = [edge, x + width / 2]
    point = [round(touch[1] * FULL), round((2 * (y + height / 2) - edge) * FULL)]
    point[1] = min(max(point[1], round(y * FULL)), round((y + height) * FULL))
    return _boxed("edge_of_click", rng, touch, point, (y, x, height, width))


def _length(rng: random.Random) -> Case:
    """A gold gesture of 0.04, or a last bit beside: a click or a scroll."""
    touch = rng.choice([[0.0, 0.5], [0.25, 0.25], [0.5, 0.5], [rng.random(), rng.random()]])
    length = rng.choice([0.04, math.nextafter(0.04, 1), math.nextafter(0.04, 0), 0.0399, 0.0401])
    lift = [touch[0] + length, touch[1]]
    answers: list[Answer] = [{"POINT": _point(touch)}, {"POINT": [500, 500], "to": "down"}]
    answer = rng.choice(answers)
    return _case("length", _gold(rng, DUAL_POINT, touch, lift), answer, _far_boxes(rng))


def _gold_tie(rng: random.Random) -> Case:
    """A gold scroll as far across as down, or a last bit beside."""
    length = rng.choice([0.0625, 0.125, 0.25, 0.3, rng.uniform(0.05, 0.5)])
    other = rng.choice([length, length, math.nextafter(length, 0), math.nextafter(length, 1)])
    other += rng.choice([0, 0, 1e-6, -1e-6])
    touch = [0.0, 0.0]
    lift = [rng.choice([-1, 1]) * length, rng.choice([-1, 1]) * other]
    if rng.random() < 0.3:
        touch, lift = [0.5, 0.5], [0.5 + lift[0], 0.5 + lift[1]]
    gold = _gold(rng, DUAL_POINT, touch, lift)
    words = ["down" if lift[0] > touch[0] else "up", "right" if lift[1] > touch[1] else "left"]
    return _case("gold_tie", gold, {"POINT": [500, 500], "to": rng.choice(words)}, _boxes(rng))


def _answer_tie(rng: random.Random) -> Case:
    """A predicted scroll as far across as down, or a thousandth beside, or going nowhere."""
    start = [rng.randint(300, 700), rng.randint(300, 700)]
    length = rng.choice([0, 1, 2, 100, 299])
    across, down = (length + rng.choice([0, 0, 1, -1]), length)
    end = [start[0] + rng.choice([-1, 1]) * across, start[1] + rng.choice([-1, 1]) * down]
    return _case("answer_tie", _scrolled(rng), {"POINT": start, "to": end}, _boxes(rng))


def _duration(rng: random.Random) -> Case:
    """A press of 200 thousandths of a second, or one more or less."""
    gold = _tapped(rng, [rng.random(), rng.random()])
    answer = {"POINT": _point(gold["touch"]), "duration": rng.choice([0, 199, 200, 200, 201, 999])}
    return _case("duration", gold, answer, _boxes(rng))


def _corner(rng: random.Random) -> Case:
    """A point on the border of the screen, or one thousandth or a part of one off it."""
    numbers: list[Any] = [0, 1, 999, 1000, -1, 1001, 0.5, 999.5, 1000.5, 1000.0]
    point = [rng.choice(numbers), rng.choice([0, 500, 1000, -1])]
    gold = _tapped(rng, [rng.choice([0.0, 0.5, 1.0]), rng.choice([0.0, 1.0])])
    answer: Answer = {"POINT": point if rng.random() < 0.8 else point[::-1]}
    if rng.random() < 0.2:
        gold = _scrolled(rng)
        answer = {"POINT": [500, 500], "to": point}
    return _case("corner", gold, answer, _boxes(rng))


# -------------------------------------------------------------------------------------- elsewhere


def _taps(rng: random.Random) -> Case:
    boxes = _boxes(rng)
    touch = [rng.random(), rng.random()]
    point = _point([touch[0] + rng.gauss(0, 0.1), touch[1] + rng.gauss(0, 0.1)])
    if boxes and rng.random() < 0.6:
        y, x, height, width = rng.choice(boxes)
        touch = [y + height * rng.random(), x + width * rng.random()]
        point = _point([y + rng.uniform(-0.3, 1.3) * height, x + rng.uniform(-0.3, 1.3) * width])
    answer: Answer = {"POINT": point}
    if rng.random() < 0.1:
        answer["duration"] = rng.choice([50, 150, 1000, 3000])
    return _case("taps", _tapped(rng, touch), answer, boxes)


def _box_at_edge(rng: random.Random) -> Case:
    """A box at the left or upper edge of the screen, or one larger than a screen once enlarged."""
    height, width = rng.uniform(0.3, 1), rng.uniform(0.3, 1)
    y, x = rng.choice([(0.0, 0.2), (0.01, 0.2), (0.2, 0.0), (0.0, 0.0)])
    touch = [y + height / 3, x + width / 3]
    point = _point([y + height * rng.uniform(0.9, 1.3), x + width * rng.uniform(0.5, 1.3)])
    return _boxed("box_near_edge", rng, touch, point, (y, x, height, width))


def _scrolls(rng: random.Random) -> Case:
    gold = _scrolled(rng)
    meant = direction(gold["touch"][::-1], gold["lift"][::-1])
    to: Any = rng.choice([*WORDS, meant, meant, _point([rng.random(), rng.random()])])
    if rng.random() < 0.05:
        to = str(meant).upper()
    answer = {"POINT": _point([rng.random(), rng.random()]), "to": to}
    return _case("scrolls", gold, answer, _boxes(rng))


def _typed(rng: random.Random) -> Case:
    gold, text = rng.choice(TEXTS), rng.choice(TEXTS)
    if rng.random() < 0.7:
        text = rng.choice(
            [gold, gold.upper(), gold.lower(), f" {gold}", gold[1:], gold[:-1], f"{gold} please",
             gold[::-1], "", gold[:1] + "_" + gold[1:], gold.replace(" ", "")]
        )  # fmt: skip
    return _case("typed", _gold(rng, TYPE) | {"text": gold}, {"TYPE": text}, _boxes(rng))


def _any_two(rng: random.Random) -> Case:
    code = rng.choice(CODES)
    gold = _gold(rng, code)
    if code == DUAL_POINT:
        gold = rng.choice([_scrolled(rng), _tapped(rng, [rng.random(), rng.random()])])
    return _case("any_two", gold, _any(rng), _boxes(rng))


def _keys(rng: random.Random) -> Case:
    code = rng.choice([PRESS_BACK, PRESS_HOME, PRESS_ENTER])
    press = rng.choice([*PRESSES, *PRESSES, "back", "RECENT", "", 4])
    return _case("keys", _gold(rng, code), {"PRESS": press}, _boxes(rng))


def _stops(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice([STATUS_TASK_COMPLETE, STATUS_TASK_IMPOSSIBLE]))
    answers: list[Answer] = [{"STATUS": rng.choice(ENDINGS)}, {"duration": 3000}, {"CLEAR": None}]
    return _case("stops", gold, rng.choice(answers), _boxes(rng))


def _two_acts(rng: random.Random) -> Case:
    case = rng.choice([_taps, _typed, _keys, _stops])(rng)
    acts: list[Answer] = [{"POINT": [500, 500]}, {"PRESS": "HOME"}, {"TYPE": "hello"}]
    acts.append({"CLEAR": None})
    first, second = rng.sample(acts, 2)
    return case | {"kind": "two_acts", "answer": first | second}


def _unreadable(rng: random.Random) -> Case:
    return _any_two(rng) | {"kind": "unreadable", "answer": None}


def _odd(rng: random.Random) -> Case:
    """Answers the form may or may not have."""
    answers: list[Answer] = [
        {"STATUS": "finish", "POINT": [500, 500]}, {"STATUS": "finish", "TYPE": "hello"},
        {"STATUS": "continue"}, {"STATUS": "continue", "POINT": [500, 500]}, {"speed": 3},
        {"POINT": [500, 500], "speed": 3}, {"POINT": [500, 500], "to": "up", "duration": 500},
        {"POINT": [500, 500], "to": "up", "duration": 200}, {"DEEP_LINK": None}, {"CLEAR": True},
        {"POINT": [500, 500], "to": "up", "duration": 100}, {"STATUS": "start", "PRESS": "BACK"},
        {"STATUS": "impossible", "PRESS": "BACK"}, {"CLEAR": ""}, {"STATUS": "start"},
        {"STATUS": "continue", "duration": 500}, {"POINT": [500, 500], "thought": 5},
        {"PRESS": "BACK", "DEEP_LINK": None}, {"POINT": [500.0, 500.0]}, {"duration": 500.0},
        {"TYPE": "hello", "duration": 500}, {"PRESS": "HOME", "duration": 500}, {"duration": -1},
        {"duration": 20.5}, {"POINT": [500, 500], "duration": -5}, {"to": "up"}, {},
    ]  # fmt: skip
    return _any_two(rng) | {"kind": "odd", "answer": dict(rng.choice(answers))}


def _misshaped(rng: random.Random) -> Case:
    """Points, texts and keys of a wrong type."""
    answers: list[Answer] = [
        {"POINT": [500]}, {"POINT": [500, 500, 500]}, {"POINT": "500, 500"}, {"POINT": None},
        {"POINT": ["500", "500"]}, {"POINT": [500, 500], "to": "sideways"}, {"TYPE": 10},
        {"TYPE": None}, {"PRESS": None}, {"STATUS": "done"}, {"POINT": [500, 500], "to": [1]},
    ]  # fmt: skip
    return _any_two(rng) | {"kind": "misshaped", "answer": dict(rng.choice(answers))}


# ------------------------------------------------------------------ where the description is silent


def _last_bit_decides(case: Case) -> bool:
    """Whether one order of computing says otherwise than another."""
    gold, answer = case["gold"], case["answer"]
    if answer is None or not allowed(answer) or gold["type"] != DUAL_POINT:
        return False
    kind = kind_of(answer)
    if kind in ("click", "scroll") and len(set(_length_readings(gold))) > 1:
        return True
    if kind != gold_kind(gold):
        return False
    if kind == "scroll":
        return len(set(_direction_readings(gold))) > 1
    if kind == "click":
        return _is_fragile(gold, answer["POINT"], case["boxes"] or ())
    return False


def _length_readings(gold: Case) -> list[bool]:
    (y, x), (lift_y, lift_x) = gold["touch"], gold["lift"]
    dy, dx = lift_y - y, lift_x - x
    if abs(math.hypot(dy, dx) - 0.04) > 1e-6:
        return []
    exact = (Fraction(lift_y) - Fraction(y)) ** 2 + (Fraction(lift_x) - Fraction(x)) ** 2
    return [
        math.hypot(dy, dx) <= 0.04,
        math.sqrt(dy * dy + dx * dx) <= 0.04,
        exact <= Fraction(4, 100) ** 2,
    ]


def _direction_readings(gold: Case) -> list[str | None]:
    """Exactly, in float64 and by cosines."""
    touch, lift = gold["touch"], gold["lift"]
    if abs(abs(lift[0] - touch[0]) - abs(lift[1] - touch[1])) > 1e-6:
        return []
    found = [direction(touch[::-1], lift[::-1])]
    dy, dx = lift[0] - touch[0], lift[1] - touch[1]
    norm = math.sqrt(dy * dy + dx * dx)
    for across, down in ((dx, dy), (dx / norm, dy / norm)):
        found.append(direction((0, 0), (across, down)))
    return found


def _is_fragile(gold: Case, point: Any, boxes: Any) -> bool:
    touch = (Fraction(gold["touch"][1]), Fraction(gold["touch"][0]))
    place = (Fraction(point[0]) / FULL, Fraction(point[1]) / FULL)
    near = _near_readings(gold["touch"], point)
    if len(set(near)) > 1:
        return True
    return any(_on_edge(box, touch, place) for box in boxes)


def _on_edge(box: Any, *points: Any) -> bool:
    """Whether one of the points is as near to an edge as the last bits are."""
    left, top, right, bottom = enlarge(box)
    return any(
        abs(float(here - edge)) < 1e-14
        for x, y in points
        for here, edge in ((x, left), (x, right), (y, top), (y, bottom))
    )


def _near_readings(touch: Any, point: Any) -> list[bool]:
    across, down = point[0] / FULL - touch[1], point[1] / FULL - touch[0]
    return [
        math.sqrt(across * across + down * down) <= 0.14,
        math.hypot(across, down) <= 0.14,
        (across**2 + down**2) ** 0.5 <= 0.14,
    ]


# ------------------------------------------------------------------------------------------ parts


def _case(kind: str, gold: Case, answer: Answer | None, boxes: Any) -> Case:
    return {"kind": kind, "gold": gold, "answer": answer, "boxes": boxes}


def _boxed(kind: str, rng: random.Random, touch: Any, point: Any, box: Any) -> Case:
    boxes = [*_far_boxes(rng), box]
    rng.shuffle(boxes)
    return _case(kind, _tapped(rng, touch), {"POINT": [min(FULL, max(0, n)) for n in point]}, boxes)


def _gold(rng: random.Random, code: int, touch: Any = (-1.0, -1.0), lift: Any = None) -> Case:
    lift = touch if lift is None else lift
    text = rng.choice(TEXTS) if code == TYPE else ""
    return {"type": code, "touch": tuple(touch), "lift": tuple(lift), "text": text}


def _tapped(rng: random.Random, touch: Any) -> Case:
    lift = (touch[0] + rng.uniform(-0.02, 0.02), touch[1] + rng.choice([0, 0.01]))
    return _gold(rng, DUAL_POINT, touch, lift)


def _scrolled(rng: random.Random) -> Case:
    touch = [rng.random(), rng.random()]
    lift = [touch[0] + rng.choice([-1, 1]) * rng.uniform(0.05, 0.6), touch[1]]
    lift[1] += rng.choice([-1, 1]) * rng.uniform(0.0, 0.6)
    return _gold(rng, DUAL_POINT, touch, lift)


def _any(rng: random.Random) -> Answer:
    point = [rng.randint(0, FULL), rng.randint(0, FULL)]
    return rng.choice(
        [
            {"POINT": point}, {"POINT": point, "duration": rng.choice([100, 1000])},
            {"POINT": point, "to": rng.choice(WORDS)}, {"PRESS": rng.choice(PRESSES)},
            {"TYPE": rng.choice(TEXTS)}, {"STATUS": rng.choice(ENDINGS)}, {"duration": 3000},
            {"CLEAR": None},
        ]
    )  # fmt: skip


def _point(yx: Any) -> list[int]:
    """The nearest whole thousandths on the screen, x first."""
    return [min(FULL, max(0, round(number * FULL))) for number in (yx[1], yx[0])]


def _box(rng: random.Random) -> tuple[float, ...]:
    tall, wide = rng.choice(SCREENS)
    height, width = rng.randint(1, tall // 3), rng.randint(1, wide // 2)
    y, x = rng.randint(0, tall - height), rng.randint(0, wide - width)
    return (y / tall, x / wide, height / tall, width / wide)


def _boxes(rng: random.Random) -> list[Any]:
    return [_box(rng) for _ in range(rng.randint(0, 4))]


def _far_boxes(rng: random.Random) -> list[Any]:
    """Boxes off the screen, so that they decide nothing."""
    return [(5.0 + i, 5.0, 0.1, 0.1) for i in range(rng.randint(0, 2))]


ON_THRESHOLD: list[Callable[[random.Random], Case]] = [
    *[_reach] * 3, *[_edge_of_box] * 2, _edge_of_click, _length, *[_gold_tie] * 2, _answer_tie,
    _duration, _corner,
]  # fmt: skip
ELSEWHERE: list[Callable[[random.Random], Case]] = [
    *[_taps] * 6, _box_at_edge, *[_scrolls] * 4, *[_typed] * 3, *[_any_two] * 5, _keys, _keys,
    _stops, _two_acts, _unreadable, _odd, _misshaped,
]  # fmt: skip
