"""Random steps with a model's JSON each, for AgentCPM-GUI's rule, with the flag and without."""

import json
import random
from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.agentcpm import unit_box
from tests.oracles.androidcontrol.making import (
    DIRECTIONS,
    NO_JSON,
    NO_POINT,
    ODD_POINT,
    SIZES,
    WORDS,
    Case,
    Maker,
    action,
    agree,
    boxes_near,
    case,
    enlargements,
    norms,
    text_beside,
    without,
)
from tests.oracles.androidcontrol.parts import centre, inside

SILENT = {
    "in_last_bit": "a point whose verdict depends on how an edge or a distance is rounded",
    "nearest_five": "a verdict that depends on how the five nearest boxes are found",
    "off_screen": "a point off the screen in an enlarged box that is not clipped",
    "enlarged_without_flag": "without the flag, a point in the margin that enlarging adds",
    "odd_point": "numbers in quotes, booleans, a third number, a point in a string",
    "no_point_with_to": "a direction without a point",
    "zero_swipe": "a swipe that ends where it starts",
    "short_press": "a point with a short duration",
    "mixed": "more than one action in the object, or a status that ends nothing",
    "letter_case": "a key's or a direction's name in other letter case",
    "around": "JSON in a fence, after other text, or in Python's quotes",
    "unknown_status": "a status that is not one of the five",
}
SILENT_WITHOUT_FLAG = without(without(SILENT, "nearest_five"), "off_screen")
SILENT = without(SILENT, "enlarged_without_flag")
EXACT = [(1000, 2000), (2000, 1000), (1000, 1000)]
STATUSES = ["finish", "satisfied", "impossible", "interrupt", "need_feedback"]


def _gold(
    rng: random.Random, kind: str | None = None, size: tuple[int, int] | None = None
) -> dict[str, Any]:
    size = size or rng.choice(SIZES)
    made = action(rng, size, kind)
    x, y = made.get("x", size[0] // 2), made.get("y", size[1] // 2)
    return {"action": made, "size": size, "boxes": boxes_near(rng, x, y, size)}


def _said(rng: random.Random, answer: dict[str, Any]) -> str:
    if rng.random() < 0.5:
        answer = {"thought": rng.choice(['tap "it"', "次", "…"])} | answer
    separators = rng.choice([(",", ":"), (", ", ": ")])
    return json.dumps(answer, ensure_ascii=rng.random() < 0.5, separators=separators)


def point_kind(gold: dict[str, Any], x: float, y: float, flag: bool, kind: str) -> str:
    """The kind, or the silent kind the point in 0..1 falls under."""
    size, made = gold["size"], gold["action"]
    gold_x, gold_y = made["x"] / size[0], made["y"] / size[1]
    pixels = [list(box) for box in gold["boxes"]]
    limit = 0.04 if flag else 0.14
    near = [norm <= limit for norm in norms(x - gold_x, y - gold_y)]
    if not agree(near):
        return "in_last_bit"
    if near[0]:
        return kind
    if not flag:
        pixels = [box for box in pixels if inside(box, made["x"], made["y"])]
        raw = any(inside(unit_box(box, size), x, y) for box in pixels)
        if raw != _in_any(pixels, size, x, y, 0):
            return "enlarged_without_flag"
    candidate_lists = _nearest_lists(pixels, size, made["x"], made["y"]) if flag else [pixels]
    ways = [_in_any(boxes, size, x, y, way) for boxes in candidate_lists for way in range(5)]
    if not agree(ways):
        return "in_last_bit" if len(pixels) <= 5 else "nearest_five"
    if ways[0] and not (0 <= x <= 1 and 0 <= y <= 1):
        return "off_screen"
    return kind


def _nearest_lists(
    boxes: list[list[int]], size: tuple[int, int], x: float, y: float
) -> list[list[list[int]]]:
    """The five nearest in pixels or in units, and with ties one way or the other."""

    def in_pixels(box: Sequence[float]) -> float:
        return (centre(box)[0] - x) ** 2 + (centre(box)[1] - y) ** 2

    def in_units(box: Sequence[float]) -> float:
        dx, dy = (centre(box)[0] - x) / size[0], (centre(box)[1] - y) / size[1]
        return round(dx * dx + dy * dy, 12)

    return [
        sorted(order, key=key)[:5]
        for key in (in_pixels, in_units)
        for order in (boxes, boxes[::-1])
    ]


def _in_any(boxes: list[list[int]], size: tuple[int, int], x: float, y: float, way: int) -> bool:
    for box in boxes:
        left, top, right, bottom = unit_box(box, size)
        # Stored as corner and sides, a box gets its far corner back by an addition.
        rebuilt = [left, top, left + (box[2] - box[0]) / size[0], top + (box[3] - box[1]) / size[1]]
        forms = ([left, top, right, bottom], rebuilt)
        if inside(enlargements(forms[way % 2], 1.2)[way], x, y):
            return True
    return False


def _point_case(
    rng: random.Random, gold: dict[str, Any], x: int, y: int, flag: bool, kind: str
) -> Case:
    kind = point_kind(gold, x / 1000, y / 1000, flag, kind)
    prediction = _said(rng, {"POINT": [x, y]})
    return case(kind, True, gold=gold, prediction=prediction, flag=flag)


def _radius(rng: random.Random, flag: bool) -> Case:
    size = rng.choice(EXACT)
    gold = _gold(rng, rng.choice(["click", "long_press"]), size) | {"boxes": []}
    gold_x, gold_y = rng.randint(0, 1000), rng.randint(0, 1000)
    if rng.random() < 0.4:
        gold_x = 500
    gold["action"] |= {"x": gold_x * size[0] // 1000, "y": gold_y * size[1] // 1000}
    limit = 40 if flag else 140
    dx, dy = rng.choice([(limit, 0), (limit, 0), (0, limit), (limit * 3 // 5, limit * 4 // 5)])
    x = gold_x + rng.choice([-1, 1]) * (dx + rng.choice([0, 0, -1, 1]))
    y = gold_y + rng.choice([-1, 1]) * (dy + rng.choice([0, 0, -1, 1]))
    return _point_case(rng, gold, x, y, flag, "radius")


def _edge(rng: random.Random, flag: bool) -> Case:
    """A whole thousandth on an enlarged edge or beside it."""
    size = rng.choice(EXACT)
    unit_x, unit_y = size[0] // 1000, size[1] // 1000
    width, height = 10 * rng.randint(15, 40), 10 * rng.randint(15, 40)
    left, top = rng.randint(50, 500), rng.randint(50, 500)
    gold = _gold(rng, "click", size)
    # Far from the edges that are tried, so that the distance does not help with the flag. Without
    # it, a box has to be large for its edges to be out of reach of the gold point in it.
    corner = (left + 5, top + 5) if flag else (left + width // 2, top + height // 2)
    gold["action"] |= {"x": corner[0] * unit_x, "y": corner[1] * unit_y}
    box = [left * unit_x, top * unit_y, (left + width) * unit_x, (top + height) * unit_y]
    gold["boxes"] = [box]
    if flag and rng.random() < 0.3:
        # A box need not contain the gold point when it is among the nearest five.
        gold["action"] |= {"x": 1, "y": 1}
    x = rng.choice([left - width // 10, left + width + width // 10, left + width // 2])
    y = rng.choice([top + height + height // 10, top + height, top + height + 1])
    x, y = x + rng.choice([0, 0, -1, 1]), y + rng.choice([0, 0, -1, 1])
    return _point_case(rng, gold, x, y, flag, "edge")


def _gold_on_edge(rng: random.Random, flag: bool) -> Case:
    """A gold point on a box's edge or a pixel out of it, and an answer at the box's far side."""
    gold = _gold(rng, "click", (1000, 1000))
    x, y = rng.randint(100, 400), rng.randint(100, 400)
    gold["action"] |= {"x": x, "y": y}
    out = rng.choice([0, 0, 1])
    gold["boxes"] = [
        rng.choice([[x + out, y - 9, x + 300, y + 9], [x - 9, y + out, x + 9, y + 300]])
    ]
    along = rng.choice([295, 298])
    place = (x + along, y) if gold["boxes"][0][2] == x + 300 else (x, y + along)
    return _point_case(rng, gold, *place, flag, "gold_on_edge")


def _sixth_box(rng: random.Random, flag: bool) -> Case:
    """Six boxes or more in a row; the answer is in one near the limit of the nearest five."""
    size = (1000, 1000)
    gold = _gold(rng, "click", size)
    gold["action"] |= {"x": 100, "y": 500}
    steps = [60 + 100 * i + rng.randint(-5, 5) for i in range(rng.randint(5, 8))]
    gold["boxes"] = [[step, 450, step + 60, 550] for step in steps]
    rng.shuffle(gold["boxes"])
    x = steps[rng.choice([3, 4, 4, len(steps) - 1, min(5, len(steps) - 1)])] + 30
    return _point_case(rng, gold, x, 500, flag, "sixth_box")


def _swipe_tie(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng, "scroll")
    x, y, size = rng.randint(300, 700), rng.randint(300, 700), rng.choice([1, rng.randint(2, 250)])
    dx = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 1]))
    dy = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 1]))
    said = _said(rng, {"POINT": [x, y], "to": [x + dx, y + dy]})
    return case("swipe_tie", True, gold=gold, prediction=said, flag=flag)


def _text(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng, "input_text")
    wanted = gold["action"]["text"]
    said = [text_beside(rng, wanted), wanted[1:], f"the {wanted}!", "", " ", wanted.upper()]
    said += [f"\t{wanted} ", rng.choice(WORDS), wanted[::-1], wanted.replace("e", "3")]
    text = rng.choice(said)
    return case("text", True, gold=gold, prediction=_said(rng, {"TYPE": text}), flag=flag)


def _plain_point(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng, rng.choice(["click", "click", "long_press"]))
    size, made = gold["size"], gold["action"]
    reach = rng.choice([30, 100, 300])
    x = round(1000 * made["x"] / size[0]) + rng.randint(-reach, reach)
    y = round(1000 * made["y"] / size[1]) + rng.randint(-reach, reach)
    if rng.random() < 0.2:
        gold["boxes"].append([0, 0, *size])  # a window
    return _point_case(rng, gold, x, y, flag, "plain_point") | {"threshold": False}


def _any_pair(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng)
    x, y = rng.randint(0, 1000), rng.randint(0, 1000)
    answer = rng.choice(
        [
            {"POINT": [x, y], "duration": 1000},
            {"POINT": [x, y], "to": rng.choice(DIRECTIONS)},
            {"TYPE": rng.choice(WORDS)},
            {"PRESS": rng.choice(["BACK", "HOME", "ENTER"])},
            {"duration": rng.choice([1000, 3000])},
            {"STATUS": rng.choice(STATUSES)},
        ]
    )
    return case("any_pair", gold=gold, prediction=_said(rng, answer), flag=flag)


def _scroll(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng, "scroll")
    answer = {"POINT": [500, 500], "to": rng.choice(DIRECTIONS)}
    return case("scroll", gold=gold, prediction=_said(rng, answer), flag=flag)


def _long_press(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng, "long_press")
    size, made = gold["size"], gold["action"]
    point = [round(1000 * made["x"] / size[0]), round(1000 * made["y"] / size[1])]
    answer: dict[str, Any] = {"POINT": point}
    if rng.random() < 0.5:
        answer["duration"] = 1000
    return case("long_press", gold=gold, prediction=_said(rng, answer), flag=flag)


def _end(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng, rng.choice(["wait", "status"]))
    answer = rng.choice([{"STATUS": rng.choice(STATUSES)}, {"duration": 3000}, {"PRESS": "HOME"}])
    return case("end", gold=gold, prediction=_said(rng, answer), flag=flag)


def _broken(rng: random.Random, flag: bool) -> Case:
    gold = _gold(rng)
    if gold["action"]["action_type"] in ("click", "long_press"):
        gold["boxes"] = [[0, 0, *gold["size"]]]
    broken = [
        *NO_JSON, '{"POINT":[500,500]', '"POINT":[500,500]', '{"POINT" [500,500]}', '"STATUS"',
        '{"open_app":"Clock"}', '{"thought":"wait"}', '{"POINT":[500,500]}}', '["POINT"]',
        '{"action":"click","coordinate":[500,500]}', '{"PRESS":null}', '{"TYPE":5}',
        '{"POINT":[500,500],"to":"there"}', '{"POINT":[500,500],"to":null}', '{"TYPE":null}',
        '{"POINT":[500,500],"to":[5]}',
    ]  # fmt: skip
    points = [_said(rng, {"POINT": value}) for value in NO_POINT]
    prediction = rng.choice(broken if rng.random() < 0.7 else points)
    return case("broken", gold=gold, prediction=prediction, flag=flag)


def _silent(rng: random.Random, flag: bool) -> Case:
    choice = rng.choice(list(SILENT if flag else SILENT_WITHOUT_FLAG))
    gold = _gold(rng, "click", (1000, 1000))
    x, y = gold["action"]["x"], gold["action"]["y"]
    good: dict[str, Any] = {"POINT": [x, y]}
    if choice == "odd_point":
        odd = rng.choice([*ODD_POINT, [x, y, 1], [str(x), str(y)], [x + 0.5, y + 0.5]])
        prediction = _said(rng, {"POINT": odd})
    elif choice in ("no_point_with_to", "zero_swipe"):
        gold = _gold(rng, "scroll")
        zero = {"POINT": [500, 500], "to": [500, 500]}
        prediction = _said(rng, {"to": "up"} if choice == "no_point_with_to" else zero)
    elif choice == "short_press":
        prediction = _said(rng, good | {"duration": rng.choice([0, 100, 200, 500])})
    elif choice == "mixed":
        more = [{"TYPE": "a"}, {"STATUS": "finish"}, {"STATUS": "continue"}, {"PRESS": "BACK"}]
        prediction = _said(rng, good | rng.choice(more))
    elif choice == "letter_case":
        gold = _gold(rng, rng.choice(["navigate_back", "scroll"]))
        back = gold["action"]["action_type"] == "navigate_back"
        swipe = {"POINT": [5, 5], "to": rng.choice(["Up", "DOWN"])}
        prediction = _said(rng, {"PRESS": rng.choice(["back", "Back"])} if back else swipe)
    elif choice == "around":
        body = json.dumps(good)
        prediction = rng.choice(
            [f"```json\n{body}\n```", f"Sure: {body}", str(good), f"{body}\nok"]
        )
    elif choice == "unknown_status":
        gold = _gold(rng, rng.choice(["wait", "status"]))
        prediction = _said(rng, {"STATUS": rng.choice(["continue", "start", "done", "", None])})
    elif choice == "off_screen":
        gold["action"] |= {"x": 700, "y": 500}
        gold["boxes"] = [[500, 400, 1000, 600]]
        return _point_case(rng, gold, rng.randint(1001, 1049), 500, flag, choice)
    elif choice == "nearest_five":
        gold["action"] |= {"x": 500, "y": 500}
        gold["boxes"] = [[300, 300, 310, 310], [690, 300, 700, 310], [300, 690, 310, 700]]
        gold["boxes"] += [[690, 690, 700, 700], [500, 290, 510, 300], [290, 500, 300, 510]]
        gold["boxes"].append([500, 700, 510, 710])
        rng.shuffle(gold["boxes"])
        left, top, right, bottom = rng.choice(gold["boxes"])
        return _point_case(rng, gold, (left + right) // 2, (top + bottom) // 2, flag, "seven_boxes")
    else:
        return _edge(rng, flag)
    return case(choice, gold=gold, prediction=prediction, flag=flag)


def _with(maker: Any, flag: bool) -> Maker:
    return lambda rng: maker(rng, flag)


_THRESHOLD = [*[_radius] * 3, *[_edge] * 3, _gold_on_edge, _sixth_box, _swipe_tie, *[_text] * 2]
_ELSEWHERE = [
    *[_plain_point] * 4, *[_any_pair] * 4, _scroll, _long_press, *[_end] * 2, *[_broken] * 3,
    *[_silent] * 3,
]  # fmt: skip
THRESHOLD: list[Maker] = [_with(maker, True) for maker in _THRESHOLD]
ELSEWHERE: list[Maker] = [_with(maker, True) for maker in _ELSEWHERE]
THRESHOLD_WITHOUT_FLAG: list[Maker] = [_with(maker, False) for maker in _THRESHOLD]
ELSEWHERE_WITHOUT_FLAG: list[Maker] = [_with(maker, False) for maker in _ELSEWHERE]
