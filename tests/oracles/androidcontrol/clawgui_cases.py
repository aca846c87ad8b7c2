"""Random steps with a tool call of one of two families each, for ClawGUI's rule."""

import random
from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.clawgui import HEIGHT, MODELS, RADIUS, WIDTH
from tests.oracles.androidcontrol.making import (
    DIRECTIONS,
    NO_POINT,
    ODD_POINT,
    WORDS,
    Case,
    Maker,
    action,
    agree,
    boxes_near,
    broken_call,
    case,
    half_is_settled,
    qwen_arguments,
    text_beside,
    tool_call,
    without,
    words_for_half,
)
from tests.oracles.androidcontrol.parts import centre, inside

SILENT = {
    "in_last_bit": "a point whose verdict depends on how it or a distance is rounded",
    "nearest_five": "a verdict that depends on how the five nearest boxes are found",
    "half_in_last_bit": "an F1 of one half that some ways of rounding put above it",
    "letter_case": "texts that differ in letter case",
    "press_kind": "click and long_press, one for the other",
    "zero_swipe": "a swipe that ends where it starts",
    "odd_point": "numbers in quotes, booleans, a third number, a point in a string",
    "button_letter_case": "a button's name in other letter case",
    "broken_argument": "an argument missing or of the wrong kind",
    "other_size": "a screen of another size than 1080x2400",
    "gold_status": "a gold step that ends the episode",
}
SIZE = (WIDTH, HEIGHT)


def _gold(rng: random.Random, kind: str | None = None) -> dict[str, Any]:
    made = action(rng, SIZE, kind)
    while kind is None and made["action_type"] == "status":
        made = action(rng, SIZE)
    x, y = made.get("x", 500), made.get("y", 500)
    return {"action": made, "size": SIZE, "candidates": boxes_near(rng, x, y, SIZE)}


def _case(
    rng: random.Random,
    kind: str,
    gold: dict[str, Any],
    arguments: dict[str, Any],
    model: str | None = None,
    threshold: bool = False,
) -> Case:
    model = model or rng.choice(MODELS)
    said = tool_call(rng, arguments)
    return case(kind, threshold, gold=gold, prediction=said, model=model)


def _point_case(
    rng: random.Random, gold: dict[str, Any], place: Sequence[int], model: str, kind: str
) -> Case:
    """A click at a place, in the model's own units, filed under the kind it turns out to be."""
    x, y = place
    places = [(float(x), float(y))]
    if model == "qwen3-vl":
        places = [(x / 1000 * WIDTH, y / 1000 * HEIGHT), (x * WIDTH / 1000, y * HEIGHT / 1000)]
        places += [(round(a), round(b)) for a, b in places] + [(int(a), int(b)) for a, b in places]
    made, boxes = gold["action"], gold["candidates"]
    near = [
        (a - made["x"]) ** 2 + (b - made["y"]) ** 2 <= limit
        for a, b in places
        for limit in (RADIUS**2, RADIUS * RADIUS)
    ]
    in_box = [[any(inside(box, a, b) for box in near_boxes) for near_boxes in _nearest(boxes, a, b)]
              for a, b in places]  # fmt: skip
    if not agree([n or w for n, ways in zip(near[::2], in_box, strict=True) for w in ways]):
        kind = "in_last_bit" if all(agree(ways) for ways in in_box) else "nearest_five"
    elif not agree(near) and not in_box[0][0]:
        kind = "in_last_bit"
    arguments: dict[str, Any] = {"action": made["action_type"], "coordinate": [x, y]}
    if made["action_type"] == "long_press":
        arguments["time"] = 2
    return _case(rng, kind, gold, arguments, model, True)


def _nearest(boxes: list[list[int]], x: float, y: float) -> list[list[list[int]]]:
    """The five nearest by their centres or by their edges, with ties one way or the other."""

    def by_centre(box: Sequence[float]) -> float:
        return round((centre(box)[0] - x) ** 2 + (centre(box)[1] - y) ** 2, 6)

    def by_edge(box: Sequence[float]) -> float:
        dx = max(box[0] - x, 0, x - box[2])
        dy = max(box[1] - y, 0, y - box[3])
        return round(dx * dx + dy * dy, 6)

    return [
        sorted(order, key=key)[:5] for key in (by_centre, by_edge) for order in (boxes, boxes[::-1])
    ]


def _just_at_radius() -> list[tuple[int, int]]:
    """Whole pixels whose squares add up to the three numbers next to the radius's."""
    square = int(RADIUS**2)
    found = []
    for dx in range(369):
        for total in (square - 1, square, square + 1):
            rest = total - dx * dx
            dy = round(rest**0.5) if rest >= 0 else -1
            if dy >= 0 and dy * dy == rest:
                found.append((dx, dy))
    return found


AT_RADIUS = _just_at_radius() or [(368, 18)]


def _radius(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "click", "long_press"])) | {"candidates": []}
    made = gold["action"]
    dx, dy = rng.choice([*AT_RADIUS, (368, 18), (18, 368), (368, 19), (151, 336), (152, 336)])
    made |= {"x": rng.randint(400, 680), "y": rng.randint(400, 2000)}
    x = made["x"] + rng.choice([-1, 1]) * (dx + rng.choice([0, 0, 0, -1, 1]))
    y = made["y"] + rng.choice([-1, 1]) * (dy + rng.choice([0, 0, 0, -1, 1]))
    return _point_case(rng, gold, (x, y), "qwen2.5-vl", "radius")


def _edge(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press"]))
    gold["action"] |= {"x": 20, "y": 20}
    model = rng.choice(MODELS)
    left, top = rng.randint(500, 800), rng.randint(600, 2000)
    if model == "qwen3-vl":
        left, top = 27 * rng.randint(19, 29), 12 * rng.randint(50, 160)  # whole thousandths
    box = [left, top, left + 54, top + 48]
    gold["candidates"] = [[0, 0, 40, 40], box][rng.randint(0, 1) :]
    x, y = rng.choice([left, left + 54]), rng.choice([top, top + 48, top + 24])
    if model == "qwen3-vl":
        x, y = x * 1000 // WIDTH, y * 1000 // HEIGHT
    place = (x + rng.choice([0, 0, -1, 1]), y + rng.choice([0, 0, -1, 1]))
    return _point_case(rng, gold, place, model, "edge")


def _sixth_box(rng: random.Random) -> Case:
    """Many small boxes round the prediction and a wide one that holds it."""
    gold = _gold(rng, "click")
    gold["action"] |= {"x": 20, "y": 20}
    small = [[600 + 12 * i, 1490, 604 + 12 * i, 1494] for i in range(rng.choice([3, 4, 5, 6]))]
    far = [[5, 2300 + i, 9, 2310 + i] for i in range(3)]
    holding = rng.choice([[590, 1480, 690, 1520], [100, 1480, 690, 1520]])
    gold["candidates"] = [*small, *far, holding]
    rng.shuffle(gold["candidates"])
    return _point_case(rng, gold, (640, 1500), "qwen2.5-vl", "sixth_box")


def _swipe_tie(rng: random.Random) -> Case:
    gold = _gold(rng, "scroll")
    x, y, size = rng.randint(300, 700), rng.randint(300, 700), rng.choice([1, rng.randint(2, 250)])
    dx = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 1]))
    dy = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 1]))
    arguments = {"action": "swipe", "coordinate": [x, y], "coordinate2": [x + dx, y + dy]}
    return _case(rng, "swipe_tie", gold, arguments, threshold=True)


def _text_case(rng: random.Random, gold: dict[str, Any], text: str, kind: str) -> Case:
    opens = gold["action"]["action_type"] == "open_app"
    wanted = gold["action"]["app_name" if opens else "text"]
    exact = (set(text.split()), set(wanted.split()))
    loose = (set(text.lower().split()), set(wanted.lower().split()))
    if len(exact[0] & exact[1]) != len(loose[0] & loose[1]):
        kind = "letter_case"
    elif not half_is_settled(text, wanted):
        kind = "half_in_last_bit"
    arguments = {"action": "open" if opens else "type", "text": text}
    # Qwen3-VL's open is a parse failure, so its text does not matter.
    return _case(rng, kind, gold, arguments, threshold=True)


def _half(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["input_text", "open_app"]))
    key = "text" if "text" in gold["action"] else "app_name"
    gold["action"][key], text = words_for_half(rng)
    return _text_case(rng, gold, text, "half")


def _beside_text(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["input_text", "input_text", "open_app"]))
    wanted = gold["action"].get("text", gold["action"].get("app_name"))
    if "text" in gold["action"] and rng.random() < 0.2:
        gold["action"]["text"] = wanted = ""
    said = ["", f"{wanted} please", wanted[::-1], rng.choice(WORDS), f"x{wanted}", wanted]
    said += [text_beside(rng, wanted)] if wanted else []
    return _text_case(rng, gold, rng.choice(said), "beside_text")


def _any_pair(rng: random.Random) -> Case:
    gold = _gold(rng)
    model = rng.choice(MODELS)
    arguments = qwen_arguments(rng, SIZE)
    kind, name = gold["action"]["action_type"], arguments["action"]
    if name in ("click", "long_press") and kind == name:
        return _point_case(rng, gold, arguments["coordinate"], model, "any_pair") | {
            "threshold": False
        }
    label = "any_pair"
    if name in ("click", "long_press") and kind in ("click", "long_press"):
        label = "press_kind"
    elif "coordinate2" in arguments and arguments["coordinate"] == arguments["coordinate2"]:
        label = "zero_swipe"
    elif name in ("type", "open"):
        pairs = {"type": "input_text", "open": "open_app"}
        if pairs[name] == kind:
            return _text_case(rng, gold, arguments["text"], "any_pair") | {"threshold": False}
    return _case(rng, label, gold, arguments, model)


def _plain_point(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press"]))
    model = rng.choice(MODELS)
    x, y = (
        gold["action"]["x"] + rng.randint(-500, 500),
        gold["action"]["y"] + rng.randint(-500, 500),
    )
    if model == "qwen3-vl":
        x, y = round(x * 1000 / WIDTH), round(y * 1000 / HEIGHT)
    return _point_case(rng, gold, (x, y), model, "plain_point") | {"threshold": False}


def _scroll(rng: random.Random) -> Case:
    gold = _gold(rng, "scroll")
    ends = {"up": (500, 100), "down": (500, 900), "left": (100, 500), "right": (900, 500)}
    end = list(ends[rng.choice(DIRECTIONS)])
    arguments = {"action": "swipe", "coordinate": [500, 500], "coordinate2": end}
    return _case(rng, "scroll", gold, arguments)


def _same_press(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["navigate_back", "navigate_home", "wait"]))
    arguments = rng.choice(
        [
            {"action": "system_button", "button": "Back"},
            {"action": "system_button", "button": "Home"},
            {"action": "wait", "time": 2},
            {"action": "terminate", "status": "success"},
        ]
    )
    return _case(rng, "same_press", gold, arguments)


def _broken(rng: random.Random) -> Case:
    gold = _gold(rng)
    gold["candidates"] = [[0, 0, *SIZE]]
    prediction = broken_call(rng)
    return case("broken", gold=gold, prediction=prediction, model=rng.choice(MODELS))


def _no_point(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press"]))
    gold["candidates"] = [[0, 0, *SIZE]]
    good = {"action": gold["action"]["action_type"], "coordinate": [5, 5]}
    broken = good | {"coordinate": rng.choice(NO_POINT)}
    return _case(rng, "no_point", gold, rng.choice([broken, without(good, "coordinate")]))


def _silent(rng: random.Random) -> Case:
    choice = rng.choice(list(SILENT))
    gold = _gold(rng, "click")
    made = gold["action"]
    good: dict[str, Any] = {"action": "click", "coordinate": [made["x"], made["y"]]}
    if choice == "odd_point":
        odd = rng.choice([*ODD_POINT, [made["x"], made["y"], 1], [str(made["x"]), str(made["y"])]])
        return _case(rng, choice, gold, good | {"coordinate": odd})
    if choice == "press_kind":
        return _case(rng, choice, gold, good | {"action": "long_press"}, "qwen2.5-vl")
    if choice == "zero_swipe":
        gold = _gold(rng, "scroll")
        still = {"action": "swipe", "coordinate": [5, 5], "coordinate2": [5, 5]}
        return _case(rng, choice, gold, still)
    if choice == "button_letter_case":
        gold = _gold(rng, "navigate_back")
        button = rng.choice(["back", "BACK"])
        return _case(rng, choice, gold, {"action": "system_button", "button": button})
    if choice == "broken_argument":
        gold = _gold(rng, rng.choice(["input_text", "scroll"]))
        said = rng.choice(
            [{"action": "type", "text": 5}, {"action": "type"}, {"action": "swipe"}]
        )  # fmt: skip
        return _case(rng, choice, gold, said)
    if choice == "other_size":
        gold["size"] = (1440, 3120)
        return _case(rng, choice, gold, good)
    if choice == "gold_status":
        gold["action"] = {"action_type": "status", "goal_status": "successful"}
        return _case(rng, choice, gold, {"action": "terminate", "status": "success"})
    if choice == "letter_case":
        gold = _gold(rng, "input_text")
        gold["action"]["text"] = "Hello"
        return _text_case(rng, gold, "hello", choice)
    if choice == "half_in_last_bit":
        return _half(rng)
    if choice == "nearest_five":
        return _sixth_box(rng)
    made |= {"x": 5, "y": 5}
    gold["candidates"] = [[500, 1100, 541, 1300]]
    return _point_case(rng, gold, (501, 500), "qwen3-vl", "edge")  # 541.08, which is 541 rounded


THRESHOLD: list[Maker] = [
    *[_radius] * 3, *[_edge] * 3, _sixth_box, _swipe_tie, *[_half] * 2, _beside_text,
]  # fmt: skip
ELSEWHERE: list[Maker] = [
    *[_plain_point] * 3, *[_any_pair] * 4, _scroll, *[_same_press] * 2, *[_broken] * 2, _no_point,
    *[_silent] * 3,
]  # fmt: skip
