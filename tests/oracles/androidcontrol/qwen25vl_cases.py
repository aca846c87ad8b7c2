"""Random steps with a tool call each, for the rule of Qwen2.5-VL and InfiGUI-R1."""

import json
import random
from typing import Any

from tests.oracles.androidcontrol.making import (
    APPS,
    NO_POINT,
    ODD_POINT,
    SIZES,
    WORDS,
    Case,
    Maker,
    action,
    agree,
    boxes_near,
    broken_call,
    case,
    enlargements,
    qwen_arguments,
    text_beside,
    tool_call,
    without,
)
from tests.oracles.androidcontrol.parts import inside

SILENT = {
    "in_last_bit": "a point whose verdict depends on how an enlarged edge is rounded",
    "resized_space": "a point whose verdict depends on the picture, original or resized",
    "open_margin": "a click for open in the margin that enlarging adds to a candidate",
    "off_screen": "a point off the screen in an enlarged box that is not clipped",
    "odd_point": "numbers in quotes, booleans, a third number, a point in a string",
    "two_calls": "two tool calls in an answer",
    "python_literal": "a call in Python's quotes",
    "open_letter_case": "an app's name in other letter case or with outer spaces",
    "tie_in_last_bit": "a diagonal swipe that is a tie only before rounding",
    "gold_status": "a gold step that ends the episode",
    "null_candidates_elsewhere": "candidates that are null where no click is judged",
}
EXACT = [(1000, 2000), (1200, 2500), (1080, 2400), (2400, 1080), (1440, 3000)]


def _gold(
    rng: random.Random, kind: str | None = None, size: tuple[int, int] | None = None
) -> dict[str, Any]:
    size = size or rng.choice(SIZES)
    kinds = ["click", "click", "long_press", "scroll", "input_text", "open_app"]
    kinds += ["navigate_back", "navigate_home", "wait"]
    made = action(rng, size, kind or rng.choice(kinds))
    x, y = made.get("x", size[0] // 2), made.get("y", size[1] // 2)
    return {
        "action": made,
        "size": size,
        "answer_size": size,
        "candidates": boxes_near(rng, x, y, size),
    }


def _point_case(
    rng: random.Random, gold: dict[str, Any], x: float, y: float, kind: str, threshold: bool = True
) -> Case:
    name = {"open_app": "click"}.get(gold["action"]["action_type"], gold["action"]["action_type"])
    arguments = {"action": name, "coordinate": [x, y]} | (
        {"time": 2} if name == "long_press" else {}
    )
    kind = _point_kind(gold, x, y, kind)
    return case(kind, threshold, gold=gold, prediction=tool_call(rng, arguments))


def _point_kind(gold: dict[str, Any], x: float, y: float, kind: str) -> str:
    """The kind, or the silent kind that the point falls under."""
    size, answer_size = gold["size"], gold["answer_size"]
    scale_x, scale_y = size[0] / answer_size[0], size[1] / answer_size[1]
    px, py = x * scale_x, y * scale_y
    ways = [
        any(inside(enlargements(box, 1.2)[way], px, py) for box in gold["candidates"])
        for way in range(5)
    ]
    if not agree(ways):
        return "in_last_bit"
    plain = any(inside(box, px, py) for box in gold["candidates"])
    if gold["action"]["action_type"] == "open_app":
        return "open_margin" if ways[0] != plain else kind
    if ways[0] and not (0 <= px < size[0] and 0 <= py < size[1]):
        return "off_screen"
    if size == answer_size:
        return kind
    verdicts = [_hits(gold, *place, gold["size"], (1, 1)) for place in _roundings(px, py)]
    verdicts += [
        _hits(gold, *place, answer_size, (1 / scale_x, 1 / scale_y)) for place in _roundings(x, y)
    ]
    return kind if agree(verdicts) else "resized_space"


def _roundings(x: float, y: float) -> list[tuple[float, float]]:
    return [(x, y), (round(x), round(y)), (int(x), int(y))]


def _hits(
    gold: dict[str, Any], x: float, y: float, size: tuple[int, int], scale: tuple[float, float]
) -> bool:
    gold_x, gold_y = gold["action"]["x"] * scale[0], gold["action"]["y"] * scale[1]
    if (x - gold_x) ** 2 + (y - gold_y) ** 2 <= (0.04 * max(size)) ** 2:
        return True
    for left, top, right, bottom in gold["candidates"]:
        more_x, more_y = (right - left) * 0.1, (bottom - top) * 0.1
        box = [left - more_x, top - more_y, right + more_x, bottom + more_y]
        if inside([side * scale[i % 2] for i, side in enumerate(box)], x, y):
            return True
    return False


def _radius(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "click", "long_press"]), rng.choice(EXACT))
    gold["candidates"] = []
    limit = max(gold["size"]) * 4 // 100
    dx, dy = rng.choice([(limit, 0), (0, limit), (limit * 3 // 5, limit * 4 // 5)])
    x = gold["action"]["x"] + rng.choice([-1, 1]) * (dx + rng.choice([0, 0, -1, 1]))
    y = gold["action"]["y"] + rng.choice([-1, 1]) * (dy + rng.choice([0, 0, -1, 1]))
    return _point_case(rng, gold, x, y, "radius")


def _edge(rng: random.Random) -> Case:
    """On an enlarged edge or a pixel beside it, too far from the gold point for the distance."""
    gold = _gold(rng, rng.choice(["click", "long_press"]), rng.choice(EXACT))
    size = gold["size"]
    gold["action"] |= {"x": 10, "y": 10}
    width, height = 10 * rng.randint(1, 20), 10 * rng.randint(1, 20)
    left, top = rng.randint(size[0] // 3, size[0] // 2), rng.randint(size[1] // 3, size[1] // 2)
    box = [left, top, left + width, top + height]
    gold["candidates"] = [[0, 0, 20, 20], box]
    edges_x = [left - width // 10, left + width + width // 10, left + width // 2]
    edges_y = [top - height // 10, top + height + height // 10, top + height // 2]
    x = rng.choice(edges_x) + rng.choice([0, 0, -1, 1])
    y = rng.choice(edges_y) + rng.choice([0, 0, -1, 1])
    return _point_case(rng, gold, x, y, "edge")


def _swipe_case(
    rng: random.Random, gold: dict[str, Any], start: list[int], end: list[int], kind: str
) -> Case:
    width, height = gold["answer_size"]
    dx, dy = end[0] - start[0], end[1] - start[1]
    ways = [
        abs(dx / width) > abs(dy / height),
        abs(end[0] / width - start[0] / width) > abs(end[1] / height - start[1] / height),
        abs(dx) * height > abs(dy) * width,
    ]
    kind = kind if agree(ways) else "tie_in_last_bit"
    arguments = {"action": "swipe", "coordinate": start, "coordinate2": end}
    return case(kind, True, gold=gold, prediction=tool_call(rng, arguments))


def _swipe_tie(rng: random.Random) -> Case:
    gold = _gold(rng, "scroll", (1000, 2000))
    start = [rng.randint(300, 700), rng.randint(600, 1400)]
    size = rng.choice([0, 0, rng.randint(1, 200)])
    dx = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 1]))
    dy = rng.choice([-1, 1]) * 2 * (size + rng.choice([0, 0, 1]))
    return _swipe_case(rng, gold, start, [start[0] + dx, start[1] + dy], "swipe_tie")


def _text(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["input_text", "open_app"]))
    opens = gold["action"]["action_type"] == "open_app"
    wanted = gold["action"]["app_name" if opens else "text"]
    texts = [text_beside(rng, wanted), wanted[1:], f"the {wanted}!", "", wanted.upper(), " "]
    texts += [f" {wanted}\n", rng.choice(WORDS), wanted[::-1], wanted.replace("e", "3")]
    said = rng.choice(texts)
    plain = wanted in said or said in wanted
    loose = wanted.lower().strip() in said.lower().strip()
    loose = loose or said.lower().strip() in wanted.lower().strip()
    kind = "open_letter_case" if opens and plain != loose else "text"
    arguments = {"action": "open" if opens else "type", "text": said}
    return case(kind, True, gold=gold, prediction=tool_call(rng, arguments))


def _plain_point(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press", "open_app"]))
    size = gold["size"]
    if rng.random() < 0.4:
        # Sides that are whole multiples of 28, near the picture's own.
        gold["answer_size"] = (round(size[0] / 28) * 28, round(size[1] / 28) * 28)
    x, y = gold["action"].get("x", size[0] // 2), gold["action"].get("y", size[1] // 2)
    x, y = x + rng.randint(-150, 150), y + rng.randint(-150, 150)
    x = round(x * gold["answer_size"][0] / size[0])
    y = round(y * gold["answer_size"][1] / size[1])
    return _point_case(rng, gold, x, y, "plain_point", False)


def _any_pair(rng: random.Random) -> Case:
    gold = _gold(rng)
    arguments = qwen_arguments(rng, gold["size"])
    pair = (gold["action"]["action_type"], arguments["action"])
    if pair in (("click", "click"), ("long_press", "long_press"), ("open_app", "click")):
        return _point_case(rng, gold, *arguments["coordinate"], "any_pair", False)
    prediction = tool_call(rng, arguments)
    return case("any_pair", gold=gold, prediction=prediction)


def _button(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["navigate_back", "navigate_home"]))
    button = rng.choice(["Back", "back", "BACK", "Home", "home", "Menu", "Enter", "Backspace", ""])
    arguments = {"action": "system_button", "button": button}
    return case("button", gold=gold, prediction=tool_call(rng, arguments))


def _broken(rng: random.Random) -> Case:
    return case("broken", gold=_gold(rng), prediction=broken_call(rng))


def _broken_argument(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press", "scroll", "input_text", "navigate_back"]))
    kind = gold["action"]["action_type"]
    if kind in ("click", "long_press", "scroll"):
        gold["candidates"] = [[0, 0, *gold["size"]]]
        good = {"action": {"scroll": "swipe"}.get(kind, kind), "coordinate": [5, 5]}
        made = good | ({"coordinate2": [5, 500]} if kind == "scroll" else {})
        if kind == "scroll":
            broken: Any = without(made, rng.choice(["coordinate", "coordinate2"]))
        else:
            broken = made | {"coordinate": rng.choice(NO_POINT)}
            broken = rng.choice([broken, without(made, "coordinate")])
    elif kind == "input_text":
        broken = rng.choice([{"action": "type"}, {"action": "type", "text": rng.choice([None, 5])}])
    else:
        broken = {"action": "system_button", "button": None}
        broken = rng.choice([broken, {"action": "system_button"}])
    return case("broken_argument", gold=gold, prediction=tool_call(rng, broken))


def _null_candidates(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press"])) | {"candidates": None}
    made = gold["action"]
    arguments = {"action": made["action_type"], "coordinate": [made["x"], made["y"]]}
    return case("null_candidates", True, gold=gold, prediction=tool_call(rng, arguments))


def _silent(rng: random.Random) -> Case:
    choice = rng.choice(list(SILENT))
    gold = _gold(rng, "click")
    x, y = gold["action"]["x"], gold["action"]["y"]
    good = {"action": "click", "coordinate": [x, y]}
    if choice == "odd_point":
        odd = rng.choice([*ODD_POINT, [x, y, 1], [str(x), str(y)]])
        return case(choice, gold=gold, prediction=tool_call(rng, good | {"coordinate": odd}))
    if choice == "two_calls":
        calls = [json.dumps({"arguments": made}) for made in (good, {"action": "wait"})]
        rng.shuffle(calls)
        text = "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in calls)
        return case(choice, gold=gold, prediction=text)
    if choice == "python_literal":
        text = f"<tool_call>\n{ {'name': 'mobile_use', 'arguments': good} }\n</tool_call>"
        return case(choice, gold=gold, prediction=text)
    if choice == "gold_status":
        gold["action"] = {"action_type": "status", "goal_status": "successful"}
        said = {"action": "terminate", "status": "success"}
        return case(choice, gold=gold, prediction=tool_call(rng, said))
    if choice == "null_candidates_elsewhere":
        gold = _gold(rng, rng.choice(["wait", "input_text"])) | {"candidates": None}
        said = {"action": "wait", "time": 1}
        return case(choice, gold=gold, prediction=tool_call(rng, said))
    if choice == "off_screen":
        gold["size"] = gold["answer_size"] = (1000, 2000)
        gold["action"] |= {"x": 950, "y": 500}
        gold["candidates"] = [[600, 400, 990, 600]]
        return _point_case(rng, gold, rng.randint(1000, 1029), 500, choice)
    if choice == "open_margin":
        gold["action"] = {"action_type": "open_app", "app_name": rng.choice(APPS)}
        gold["candidates"] = [[100, 100, 300, 300]]
        return _point_case(rng, gold, rng.randint(301, 320), 200, choice)
    if choice == "tie_in_last_bit":
        gold = _gold(rng, "scroll", (1080, 2400))
        step = rng.randint(1, 20)
        start = [rng.randint(300, 500), rng.randint(600, 1000)]
        return _swipe_case(
            rng, gold, start, [start[0] + 9 * step, start[1] + 20 * step], "swipe_tie"
        )
    if choice == "open_letter_case":
        app = rng.choice(APPS)
        gold["action"] = {"action_type": "open_app", "app_name": app}
        said = {"action": "open", "text": f" {app.upper()} "}
        return case(choice, gold=gold, prediction=tool_call(rng, said))
    if choice == "resized_space":
        gold = _gold(rng, "click", (1440, 3120)) | {"candidates": [], "answer_size": (1428, 3108)}
        x = round((gold["action"]["x"] + rng.choice([-1, 1]) * 125) * 1428 / 1440)
        y = round(gold["action"]["y"] * 3108 / 3120)
        return _point_case(rng, gold, x, y, "resized_point")
    gold["size"] = gold["answer_size"] = (1080, 2400)
    gold["action"] |= {"x": 900, "y": 900}
    gold["candidates"] = [[2, 500, 22, 520]]
    return _point_case(rng, gold, 0, 510, choice)


THRESHOLD: list[Maker] = [
    *[_radius] * 3, *[_edge] * 3, _swipe_tie, *[_text] * 2, _null_candidates,
]  # fmt: skip
ELSEWHERE: list[Maker] = [
    *[_plain_point] * 4, *[_any_pair] * 3, _button, *[_broken] * 2, *[_broken_argument] * 2,
    *[_silent] * 3,
]  # fmt: skip
