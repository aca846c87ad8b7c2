"""Random steps with an answer each, for GUI-R1's rule."""

import random
from typing import Any

from tests.oracles.androidcontrol.gui_r1 import NAMES, NO_TEXT, RADIUS
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
    case,
    half_is_settled,
    norms,
    text_beside,
    words_for_half,
)

SILENT = {
    "in_last_bit": "a point whose verdict depends on how the distance is rounded",
    "half_in_last_bit": "an F1 of one half that some ways of rounding put below it",
    "containment": "single words, one of which holds the other, which differ",
    "letter_case": "texts that differ in letter case, other than the words of a scroll",
    "no_point_near_corner": "the point that means none, near a gold point in the corner",
    "odd_point": "numbers in quotes, booleans, a third number, a point in a string",
    "around": "an answer without its tags, in JSON's quotes, or with more than one action",
    "missing_key": "an answer that lacks a key its step does not need",
    "home_or_end": "a gold step that presses home or ends the episode",
    "empty_text": "an empty text instead of the placeholder",
}


def _gold(
    rng: random.Random, kind: str | None = None, size: tuple[int, int] | None = None
) -> dict[str, Any]:
    size = size or rng.choice(SIZES)
    made = action(rng, size, kind)
    while kind is None and made["action_type"] in ("navigate_home", "status"):
        made = action(rng, size)
    return {"action": made, "size": size}


def _said(rng: random.Random, name: str, point: Any = (-100, -100), text: str = NO_TEXT) -> str:
    place = list(point) if isinstance(point, tuple) else point
    answer = f"[{ {'action': name, 'point': place, 'input_text': text}!r}]"
    thought = rng.choice(["", "<think>look</think> ", "<think>次\n</think>\n"])
    return f"{thought}<answer>{answer}</answer>"


def _name(rng: random.Random, gold: dict[str, Any]) -> str:
    """The right name, or another: the step accuracy is the same."""
    own = NAMES[gold["action"]["action_type"]]
    return rng.choice([own, own, *NAMES.values()])


def _point_kind(gold: dict[str, Any], x: float, y: float, kind: str) -> str:
    made, (width, height) = gold["action"], gold["size"]
    if (x, y) == (-100, -100):
        near = ((x - made["x"]) / width) ** 2 + ((y - made["y"]) / height) ** 2 < RADIUS**2
        return "no_point_near_corner" if near else kind
    shifts = [
        ((x - made["x"]) / width, (y - made["y"]) / height),
        (x / width - made["x"] / width, y / height - made["y"] / height),
    ]
    ways = [dx * dx + dy * dy < RADIUS * RADIUS for dx, dy in shifts]
    ways += [dx**2 + dy**2 < RADIUS**2 for dx, dy in shifts]
    ways += [norm < RADIUS for dx, dy in shifts for norm in norms(dx, dy)]
    return kind if agree(ways) else "in_last_bit"


def _radius(rng: random.Random) -> Case:
    size = rng.choice([(1000, 2000), (2000, 1000), (1000, 1000), (100, 200), (50, 100)])
    gold = _gold(rng, rng.choice(["click", "click", "long_press"]), size)
    dx, dy = rng.choice([(140, 0), (140, 0), (0, 140), (84, 112)])
    x = gold["action"]["x"] + rng.choice([-1, 1]) * (
        dx * size[0] // 1000 + rng.choice([0, 0, -1, 1])
    )
    y = gold["action"]["y"] + rng.choice([-1, 1]) * (
        dy * size[1] // 1000 + rng.choice([0, 0, -1, 1])
    )
    said = _said(rng, _name(rng, gold), (x, y))
    return case(_point_kind(gold, x, y, "radius"), True, gold=gold, prediction=said)


def _text_case(rng: random.Random, gold: dict[str, Any], text: str, kind: str) -> Case:
    made = gold["action"]
    wanted = made.get("text", made.get("app_name", made.get("direction", "")))
    lower = (text.lower(), wanted.lower())
    words, gold_words = set(lower[0].split()), set(lower[1].split())
    if not half_is_settled(*lower):
        kind = "half_in_last_bit"
    elif made["action_type"] != "scroll" and _shared(text, wanted) != len(words & gold_words):
        kind = "letter_case"
    elif len(words) == 1 and len(gold_words) == 1 and words != gold_words:
        a, b = words.pop(), gold_words.pop()
        kind = "containment" if a in b or b in a else kind
    elif not text.strip():
        kind = "empty_text"
    said = _said(rng, _name(rng, gold), text=text)
    return case(kind, True, gold=gold, prediction=said)


def _shared(a: str, b: str) -> int:
    return len(set(a.split()) & set(b.split()))


def _half(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["input_text", "open_app"]))
    key = "text" if "text" in gold["action"] else "app_name"
    gold["action"][key], text = words_for_half(rng)
    return _text_case(rng, gold, text, "half")


def _beside_text(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["input_text", "open_app", "scroll"]))
    made = gold["action"]
    wanted = made.get("text", made.get("app_name", made.get("direction", "")))
    said = [text_beside(rng, wanted), wanted.upper(), f"{wanted} please", wanted[::-1], NO_TEXT]
    said += [rng.choice(WORDS), f" {wanted} {wanted}", rng.choice(DIRECTIONS)]
    return _text_case(rng, gold, rng.choice(said), "beside_text")


def _plain_point(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press"]))
    made = gold["action"]
    x, y = made["x"] + rng.randint(-400, 400), made["y"] + rng.randint(-400, 400)
    if rng.random() < 0.2:
        x, y = -100, -100
    said = _said(rng, _name(rng, gold), (x, y))
    return case(_point_kind(gold, x, y, "plain_point"), gold=gold, prediction=said)


def _type_only(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["navigate_back", "wait"]))
    return case("type_only", gold=gold, prediction=_said(rng, _name(rng, gold)))


def _broken(rng: random.Random) -> Case:
    gold = _gold(rng)
    broken = ["[{'action': 'click'", "[]", "()", "[{]", "{'action'}", "[5]", "['click']", "None"]
    broken += ["[{'action': __import__('os').getcwd()}]", "[None]", "[exec('')]"]
    inner = rng.choice([*NO_JSON, *broken])
    prediction = rng.choice([f"<answer>{inner}</answer>", inner, f"<answer>{inner}", ""])
    return case("broken", gold=gold, prediction=prediction)


def _no_point(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["click", "long_press"]))
    values = [value for value in NO_POINT if "nan" not in repr(value) and "inf" not in repr(value)]
    said = _said(rng, _name(rng, gold), rng.choice(values))
    return case("no_point", gold=gold, prediction=said)


def _silent(rng: random.Random) -> Case:
    choice = rng.choice(list(SILENT))
    gold = _gold(rng, "click")
    made = gold["action"]
    point = [made["x"], made["y"]]
    plain = {"action": "click", "point": point, "input_text": NO_TEXT}
    if choice == "no_point_near_corner":
        made |= {"x": 10, "y": 20}
        gold["size"] = (1080, 2400)
        return case(choice, gold=gold, prediction=_said(rng, "click"))
    if choice == "odd_point":
        odd = rng.choice([*ODD_POINT, [*point, 1], [str(side) for side in point]])
        return case(choice, gold=gold, prediction=_said(rng, "click", odd))
    if choice == "around":
        forms = [f"[{plain}]", f"<answer>{plain}</answer>", f"<answer>[{plain}, {plain}]</answer>"]
        forms.append(f"<answer>{str([plain]).replace(chr(39), chr(34))}</answer>")
        return case(choice, gold=gold, prediction=rng.choice(forms))
    if choice == "missing_key":
        short = {name: value for name, value in plain.items() if name != "input_text"}
        return case(choice, gold=gold, prediction=f"<answer>[{short}]</answer>")
    if choice == "home_or_end":
        gold = _gold(rng, rng.choice(["navigate_home", "status"]))
        return case(choice, gold=gold, prediction=_said(rng, _name(rng, gold)))
    if choice in ("empty_text", "letter_case", "containment"):
        gold = _gold(rng, "input_text")
        gold["action"]["text"] = "Hello"
        text = {"empty_text": "", "letter_case": "hello", "containment": "Hell"}[choice]
        return _text_case(rng, gold, text, choice)
    return _radius(rng) if choice == "in_last_bit" else _half(rng)


THRESHOLD: list[Maker] = [*[_radius] * 2, _half, _beside_text]
ELSEWHERE: list[Maker] = [
    *[_plain_point] * 4, *[_type_only] * 2, *[_broken] * 2, _no_point, *[_silent] * 3,
]  # fmt: skip
