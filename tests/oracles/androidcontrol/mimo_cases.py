"""Random steps with a fenced answer each, for MiMo's rule."""

import json
import random
from typing import Any

from tests.oracles.androidcontrol.agentcpm_cases import point_kind
from tests.oracles.androidcontrol.making import (
    APPS,
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
    norms,
    text_beside,
    without,
)

SILENT = {
    "in_last_bit": "a point whose verdict depends on how an edge or a distance is rounded",
    "nearest_five": "a verdict that depends on how the five nearest boxes are found",
    "off_screen": "a point off the screen in an enlarged box that is not clipped",
    "long_press": "a gold long press, or a long press for a click",
    "scroll_word": "a scroll by its word, whose form is not described",
    "open_form": "an app opened, whose form is not described",
    "zero_drag": "a drag that ends where it starts",
    "letter_case": "texts or keys that differ in letter case or outer spaces",
    "odd_point": "numbers in quotes, booleans, a third number, a point in a string",
    "around": "no fence, a fence without its word, an object instead of a list, or two lists",
    "two_actions": "more than one action in the list",
    "other_action": "an action that is not described",
}


def _gold(
    rng: random.Random, kind: str | None = None, size: tuple[int, int] | None = None
) -> dict[str, Any]:
    size = size or rng.choice(SIZES)
    made = action(rng, size, kind)
    while kind is None and made["action_type"] in ("long_press", "open_app"):
        made = action(rng, size)
    x, y = made.get("x", size[0] // 2), made.get("y", size[1] // 2)
    return {"action": made, "size": size, "boxes": boxes_near(rng, x, y, size)}


def _said(rng: random.Random, *actions: dict[str, Any]) -> str:
    body = json.dumps(list(actions), ensure_ascii=rng.random() < 0.5)
    before = rng.choice(["", "I see a button.\n", "<think>次</think>\n"])
    return f"{before}```json\n{body}\n```" + rng.choice(["", "\n"])


def _point_case(
    rng: random.Random, gold: dict[str, Any], x: int, y: int, kind: str, threshold: bool = True
) -> Case:
    made, (width, height) = gold["action"], gold["size"]
    found = point_kind(gold, x / width, y / height, True, kind)
    dx, dy = (x - made["x"]) / width, (y - made["y"]) / height
    apart = (x / width - made["x"] / width, y / height - made["y"] / height)
    if found == kind and not agree(norm <= 0.04 for norm in norms(dx, dy) + norms(*apart)):
        found = "in_last_bit"
    said = _said(rng, {"action": "click", "start_point": [x, y]})
    return case(found, threshold, gold=gold, prediction=said)


def _radius(rng: random.Random) -> Case:
    size = rng.choice([(1000, 2000), (2000, 1000), (1000, 1000), (100, 200), (500, 1000)])
    gold = _gold(rng, "click", size) | {"boxes": []}
    made = gold["action"]
    dx, dy = rng.choice([(40, 0), (0, 40), (24, 32), (32, 24)])
    x = made["x"] + rng.choice([-1, 1]) * (dx * size[0] // 1000 + rng.choice([0, 0, -1, 1]))
    y = made["y"] + rng.choice([-1, 1]) * (dy * size[1] // 1000 + rng.choice([0, 0, -1, 1]))
    return _point_case(rng, gold, x, y, "radius")


def _edge(rng: random.Random) -> Case:
    size = rng.choice([(1080, 2400), (1440, 3120)])
    gold = _gold(rng, "click", size)
    gold["action"] |= {"x": rng.randint(5, 50), "y": rng.randint(5, 50)}
    width, height = 10 * rng.randint(1, 20), 10 * rng.randint(1, 20)
    left, top = rng.randint(300, 600), rng.randint(600, 1200)
    gold["boxes"] = [[left, top, left + width, top + height]]
    x = rng.choice([left - width // 10, left + width + width // 10, left + width // 2])
    y = rng.choice([top - height // 10, top + height + height // 10, top + height // 2])
    x, y = x + rng.choice([0, 0, -1, 1]), y + rng.choice([0, 0, -1, 1])
    return _point_case(rng, gold, x, y, "edge")


def _drag_tie(rng: random.Random) -> Case:
    gold = _gold(rng, "scroll", (1000, 1000))
    x, y, size = rng.randint(300, 700), rng.randint(300, 700), rng.choice([1, rng.randint(2, 250)])
    dx = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 1]))
    dy = rng.choice([-1, 1]) * (size + rng.choice([0, 0, 1]))
    said = {"action": "drag", "start_point": [x, y], "end_point": [x + dx, y + dy]}
    return case("drag_tie", True, gold=gold, prediction=_said(rng, said))


def _drag(rng: random.Random) -> Case:
    gold = _gold(rng, "scroll")
    ends = {"up": (500, 100), "down": (500, 900), "left": (100, 500), "right": (900, 500)}
    said = {"action": "drag", "start_point": [500, 500]}
    said["end_point"] = list(ends[rng.choice(DIRECTIONS)])
    return case("drag", gold=gold, prediction=_said(rng, said))


def _text(rng: random.Random) -> Case:
    gold = _gold(rng, "input_text")
    wanted = gold["action"]["text"]
    texts = [text_beside(rng, wanted), wanted[1:], f"the {wanted}!", "", rng.choice(WORDS)]
    said = rng.choice([*texts, wanted[::-1], wanted.replace("e", "3")])
    plain = said in wanted or wanted in said
    low, low_wanted = said.lower().strip(), wanted.lower().strip()
    loose = low in low_wanted or low_wanted in low
    kind = "text" if plain == loose else "letter_case"
    return case(kind, True, gold=gold, prediction=_said(rng, {"action": "input", "text": said}))


def _plain_point(rng: random.Random) -> Case:
    gold = _gold(rng, "click")
    made, reach = gold["action"], rng.choice([60, 150, 600])
    x, y = made["x"] + rng.randint(-reach, reach), made["y"] + rng.randint(-reach, reach)
    return _point_case(rng, gold, x, y, "plain_point", False)


def _any_pair(rng: random.Random) -> Case:
    gold = _gold(rng)
    said = rng.choice(
        [
            {"action": "drag", "start_point": [5, 5], "end_point": [5, 900]},
            {"action": "input", "text": rng.choice(WORDS)},
            {"action": "press", "keys": rng.choice([["back"], ["home"], ["back", "home"], []])},
            {"action": "wait"},
            {"action": "finished", "status": rng.choice(["success", "infeasible", "", None])},
        ]
    )
    kind = "any_pair"
    if gold["action"]["action_type"] == "input_text" and "text" in said:
        low, wanted = said["text"].lower(), gold["action"]["text"].lower()
        exact = said["text"] in gold["action"]["text"] or gold["action"]["text"] in said["text"]
        kind = kind if exact == (low in wanted or wanted in low) else "letter_case"
    return case(kind, gold=gold, prediction=_said(rng, said))


def _same_press(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["navigate_back", "navigate_home", "wait", "status"]))
    keys = rng.choice([["back"], ["home"], ["enter"], ["home", "back"]])
    said = rng.choice(
        [{"action": "press", "keys": keys}, {"action": "wait"}, {"action": "finished"}]
    )
    return case("same_press", gold=gold, prediction=_said(rng, said))


def _broken(rng: random.Random) -> Case:
    gold = _gold(rng)
    if gold["action"]["action_type"] == "click":
        gold["boxes"] = [[0, 0, *gold["size"]]]
    broken = ["[5]", "[null]", '[{"action": "click"', '["click"]', "[{]", "[{}]"]
    broken += ['[{"action": null}]', '[{"action": ["click"]}]', '[{"start_point": [5, 5]}]']
    inner = rng.choice([*NO_JSON, *broken])
    prediction = rng.choice([f"```json\n{inner}\n```", f"```json\n{inner}\n```", inner, "```json"])
    return case("broken", gold=gold, prediction=prediction)


def _no_point(rng: random.Random) -> Case:
    gold = _gold(rng, "click")
    gold["boxes"] = [[0, 0, *gold["size"]]]
    good = {"action": "click", "start_point": [5, 5]}
    broken = good | {"start_point": rng.choice(NO_POINT)}
    said = rng.choice([broken, without(good, "start_point")])
    return case("no_point", gold=gold, prediction=_said(rng, said))


def _silent(rng: random.Random) -> Case:
    choice = rng.choice(list(SILENT))
    gold = _gold(rng, "click")
    x, y = gold["action"]["x"], gold["action"]["y"]
    good: dict[str, Any] = {"action": "click", "start_point": [x, y]}
    if choice == "long_press":
        gold["action"]["action_type"] = rng.choice(["click", "long_press"])
        prediction = _said(rng, good | {"action": rng.choice(["click", "long_press"])})
        if gold["action"]["action_type"] in prediction and "long" not in prediction:
            choice = "same_point"
    elif choice == "scroll_word":
        gold = _gold(rng, "scroll")
        prediction = _said(rng, {"action": "scroll", "direction": rng.choice(DIRECTIONS)})
    elif choice == "open_form":
        gold = _gold(rng, "open_app")
        app = gold["action"]["app_name"]
        name = rng.choice([app, app, app.lower(), rng.choice(APPS)])
        prediction = _said(rng, {"action": "open", "app_name": name})
    elif choice == "zero_drag":
        gold = _gold(rng, "scroll")
        prediction = _said(rng, {"action": "drag", "start_point": [5, 5], "end_point": [5, 5]})
    elif choice == "letter_case":
        back = rng.random() < 0.5
        gold = _gold(rng, "navigate_back" if back else "input_text")
        if back:
            prediction = _said(rng, {"action": "press", "keys": rng.choice([["Back"], "back"])})
        else:
            gold["action"]["text"] = "Hello"
            prediction = _said(rng, {"action": "input", "text": rng.choice(["hello", " Hello! "])})
    elif choice == "odd_point":
        odd = rng.choice([*ODD_POINT, [x, y, 1], [str(x), str(y)]])
        prediction = _said(rng, good | {"start_point": odd})
    elif choice == "around":
        body = json.dumps([good])
        forms = [body, f"```\n{body}\n```", f"```json\n{json.dumps(good)}\n```", f"```json\n{body}"]
        prediction = rng.choice([*forms, f"```json\n{[good]}\n```", f"{_said(rng, good)}\n" * 2])
    elif choice == "two_actions":
        both = [good, {"action": "wait"}]
        rng.shuffle(both)
        prediction = _said(rng, *both)
    elif choice == "other_action":
        gold = _gold(rng)
        prediction = _said(rng, {"action": rng.choice(["tap", "back", "Click", "open_app"])})
    elif choice == "off_screen":
        gold = {"action": gold["action"] | {"x": 700, "y": 500}, "size": (1000, 1000)}
        gold["boxes"] = [[500, 400, 1000, 600]]
        return _point_case(rng, gold, rng.randint(1001, 1049), 500, choice)
    elif choice == "nearest_five":
        gold = {"action": gold["action"] | {"x": 500, "y": 500}, "size": (1000, 1000)}
        corners = [(300, 300), (690, 300), (300, 690), (690, 690), (500, 290), (290, 500)]
        gold["boxes"] = [[x, y, x + 10, y + 10] for x, y in [*corners, (500, 700)]]
        rng.shuffle(gold["boxes"])
        left, top, *_ = rng.choice(gold["boxes"])
        return _point_case(rng, gold, left + 5, top + 5, "seven_boxes", False)
    else:
        return _edge(rng) if rng.random() < 0.5 else _radius(rng)
    return case(choice, gold=gold, prediction=prediction)


THRESHOLD: list[Maker] = [*[_radius] * 3, *[_edge] * 3, _drag_tie, *[_text] * 2]
ELSEWHERE: list[Maker] = [
    *[_plain_point] * 4, *[_any_pair] * 3, *[_drag] * 2, *[_same_press] * 2, *[_broken] * 2,
    _no_point, *[_silent] * 4,
]  # fmt: skip
