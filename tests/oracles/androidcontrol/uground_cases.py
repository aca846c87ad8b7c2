"""Random steps with a plan and a grounding answer each, for UGround's rule."""

import random
from typing import Any

from tests.oracles.androidcontrol.making import (
    APPS,
    DIRECTIONS,
    WORDS,
    Case,
    Maker,
    action,
    case,
    text_beside,
)

SILENT = {
    "letter_case": "a label that holds the words in other letter case",
    "overlap": "the smallest element under the answer has another label than the others",
    "equal_areas": "two boxes of the least area contain the gold point",
    "back_for_click": "navigate_back predicted for a click on an element that says back",
    "broken_plan": "a plan without a readable action",
    "broken_answer": "an answer that is there and is no point",
    "odd_answer": "an answer written in another way than (x, y)",
    "no_answer_no_box": "no answer line, and no box around the gold point either",
    "type_text_target": "a type_text with the right text and an answer elsewhere, or none",
    "touching": "an element that shares no more than an edge with the screen",
    "missing_argument": "an action without its argument",
}
SIZE = (1080, 2400)


def node(box: list[int], **more: Any) -> dict[str, Any]:
    plain = {"text": "", "description": "", "visible": True, "scrollable": False, "leaf": True}
    return plain | {"box": box} | more


def answer(rng: random.Random, x: float, y: float) -> dict[str, Any]:
    """An answer that means (x, y) in pixels."""
    scale = rng.choice([1, 1, 1.0, 0.5, 2])
    written = [number * scale for number in (x, y)]
    written = [int(number) if number == int(number) else number for number in written]
    return {"output": f"({written[0]}, {written[1]})", "scale": scale}


def _action(rng: random.Random, kind: str | None = None) -> dict[str, Any]:
    made = action(rng, SIZE, kind)
    if made["action_type"] == "input_text":
        made = {"action_type": "type_text", "text": made["text"]}
    return made


def _box(rng: random.Random) -> list[int]:
    left, top = rng.randint(10, 700), rng.randint(10, 2000)
    return [left, top, left + rng.randint(2, 90), top + rng.randint(2, 90)]


def _at_edge(rng: random.Random, box: list[int]) -> tuple[int, int]:
    left, top, right, bottom = box
    x = rng.choice([left - 1, left, right, right + 1, (left + right) // 2])
    y = rng.choice([top - 1, top, bottom, bottom + 1, (top + bottom) // 2])
    return x, y


def _answer_at_edge(rng: random.Random) -> Case:
    box = _box(rng)
    inner = [(box[0] + box[2]) // 2, (box[1] + box[3]) // 2]
    kind = rng.choice(["click", "click", "long_press"])
    gold = {"action": {"action_type": kind, "x": inner[0], "y": inner[1]}}
    around = [box[0] - 30, box[1] - 30, box[2] + 30, box[3] + 30]
    nodes = [node(box, text="Ok")]
    nodes.insert(rng.randint(0, 1), node(around, description="Row", leaf=False))
    prediction = {
        "action": {"action_type": kind, "element": "the button"},
        "answer": answer(rng, *_at_edge(rng, box)),
    }
    return case("answer_at_edge", True, gold=gold | {"nodes": nodes}, prediction=prediction)


def _gold_at_edge(rng: random.Random) -> Case:
    box = _box(rng)
    x, y = _at_edge(rng, box)
    gold = {"action": {"action_type": "click", "x": x, "y": y}, "nodes": [node(box, text="Ok")]}
    inner = answer(rng, (box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
    prediction = {"action": {"action_type": "click", "element": "Ok"}, "answer": inner}
    return case("gold_at_edge", True, gold=gold, prediction=prediction)


def _areas(rng: random.Random) -> Case:
    """Two crossing boxes around the gold point, a pixel apart in area, and an answer in one."""
    x, y, long, short = 500, 1000, rng.randint(30, 60), rng.randint(5, 20)
    flat = [x - long, y - short, x + long, y + short]
    tall = [x - short, y - long, x + short, y + long + rng.choice([-1, 0, 1])]
    nodes = [node(flat, text="Flat"), node(tall, text="Tall")]
    rng.shuffle(nodes)
    gold = {"action": {"action_type": "click", "x": x, "y": y}, "nodes": nodes}
    place = rng.choice([(x + long, y), (x, y + long - 1), (x, y), (x - long, y), (x, y - long)])
    prediction = {"action": {"action_type": "click"}, "answer": answer(rng, *place)}
    kind = "equal_areas" if tall[3] == y + long and place != (x, y) else "areas"
    return case(kind, True, gold=gold, prediction=prediction)


def _beside_text(rng: random.Random) -> Case:
    kind, name, pool = rng.choice(
        [("type_text", "text", WORDS), ("open_app", "app_name", APPS)]
    )  # fmt: skip
    wanted = rng.choice(pool)
    said = rng.choice([text_beside(rng, wanted), wanted.swapcase(), f" {wanted}", "", wanted[:-1]])
    gold: dict[str, Any] = {"action": {"action_type": kind, name: wanted}, "nodes": []}
    predicted = {"action_type": kind, name: said}
    point = None
    if kind == "type_text":
        gold["action"] |= {"x": 50, "y": 50}
        gold["nodes"] = [node([0, 0, 100, 100], text="Field")]
        point = answer(rng, 50, 50)
    return case("beside_text", True, gold=gold, prediction={"action": predicted, "answer": point})


def _label(rng: random.Random) -> Case:
    """A click for navigate_back or open_app, or the other way round, beside a labelled box."""
    box = _box(rng)
    app = rng.choice(APPS)
    wanted, got = rng.choice(
        [("navigate_back", "click"), ("open_app", "click"), ("click", "open_app")]
    )  # fmt: skip
    words = {"navigate_back": "back", "open_app": app, "click": ""}[wanted]
    label = rng.choice([words, f"Send {words} now", f"{words}ward", words[:-1], "Navigate up", "q"])
    where = rng.choice(
        [{"text": label}, {"description": label}, {"text": "q", "description": label}]
    )
    made: dict[str, Any] = {"action_type": wanted}
    made |= {"app_name": app} if wanted == "open_app" else {}
    made |= {"x": 1, "y": 1} if wanted == "click" else {}
    predicted = {"action_type": got} | ({"app_name": app} if got == "open_app" else {})
    prediction = {"action": predicted, "answer": answer(rng, *_at_edge(rng, box))}
    gold = {"action": made, "nodes": [node(box, **where)]}
    loose = words not in label and words.lower() in label.lower()
    return case("letter_case" if loose else "label", True, gold=gold, prediction=prediction)


def _filtered(rng: random.Random) -> Case:
    """The smallest box is, or is not, kept by one condition of the filter."""
    box = [480, 980, 520, 1020]
    small = rng.choice(
        [
            node(box, text="A", leaf=False),
            node(box, text="A", leaf=False, scrollable=True),
            node(box, description="A", leaf=False),
            node(box),
            node(box, scrollable=True),
            node(box, text="A", visible=False),
            node([500, 980, 500, 1020], text="A"),
            node([500, 1000, 500, 1000], text="A"),
            node([520, 1020, 480, 980], text="A"),
            node(box, text="A"),
        ]
    )
    nodes = [small, node([300, 800, 700, 1200], text="Big")]
    gold = {"action": {"action_type": "click", "x": 500, "y": 1000}, "nodes": nodes}
    place = rng.choice([(400, 900), (500, 1000), (481, 981), (800, 1300)])
    prediction = {"action": {"action_type": "click"}, "answer": answer(rng, *place)}
    return case("filtered", gold=gold, prediction=prediction)


def _off_screen(rng: random.Random) -> Case:
    """Boxes at the limits of 1080x2400, one pixel in, or wholly outside."""
    box, place = rng.choice(
        [
            ([1079, 5, 1200, 50], (1150, 20)),
            ([1081, 5, 1200, 50], (1150, 20)),
            ([5, 2399, 50, 2600], (20, 2500)),
            ([5, 2401, 50, 2600], (20, 2500)),
            ([-90, 5, 1, 50], (-20, 20)),
            ([-90, 5, -1, 50], (-20, 20)),
        ]
    )
    x, y = place
    gold = {"action": {"action_type": "click", "x": x, "y": y}, "nodes": [node(box, text="A")]}
    prediction = {"action": {"action_type": "click"}, "answer": answer(rng, x, y)}
    return case("off_screen", True, gold=gold, prediction=prediction)


def _no_answer(rng: random.Random) -> Case:
    """The rule asks for an answer line that is not there, or does not ask for it."""
    gold = {"action": _action(rng), "nodes": []}
    if "x" in gold["action"]:
        x, y = gold["action"]["x"], gold["action"]["y"]
        gold["nodes"] = [node([x - 9, y - 9, x + 9, y + 9], text="Ok")]
    predicted = _action(rng) if rng.random() < 0.7 else dict(gold["action"])
    return _without_text_target(gold, predicted, "no_answer")


def _same_or_other(rng: random.Random) -> Case:
    gold = {"action": _action(rng), "nodes": []}
    predicted = dict(gold["action"])
    if rng.random() < 0.4:
        predicted = _action(rng)
    if "direction" in predicted:
        predicted["direction"] = rng.choice([predicted["direction"], *DIRECTIONS])
    made = _without_text_target(gold, predicted, "same_or_other")
    if gold["action"]["action_type"] in ("click", "long_press", "open_app", "navigate_back"):
        made["arguments"]["prediction"]["answer"] = answer(rng, 500, 500)
        if made["kind"] == "no_answer_no_box":
            made["kind"] = "answer_no_box"
    return made


def _without_text_target(gold: dict[str, Any], predicted: dict[str, Any], kind: str) -> Case:
    both = (gold["action"]["action_type"], predicted["action_type"])
    if both == ("type_text", "type_text"):
        kind = "type_text_target"
    if both in (("click", "click"), ("long_press", "long_press")) and not gold["nodes"]:
        kind = "no_answer_no_box"
    if both == ("click", "navigate_back"):
        kind = "back_for_click"
    return case(kind, gold=gold, prediction={"action": predicted, "answer": None})


def _silent(rng: random.Random) -> Case:
    click = {"action_type": "click", "x": 500, "y": 1000}
    nodes = [node([450, 950, 550, 1050], text="Go back")]
    gold: dict[str, Any] = {"action": click, "nodes": nodes}
    good = {"output": "(500, 1000)", "scale": 1}
    choice = rng.choice(list(SILENT))
    predicted: Any = {"action_type": "click"}
    reply: Any = good
    if choice == "letter_case":
        gold["action"] = {"action_type": "navigate_back"}
        gold["nodes"] = [node([450, 950, 550, 1050], text=rng.choice(["Back", "BACK", "Go Back"]))]
    elif choice == "overlap":
        gold["action"] = {"action_type": "navigate_back"}
        nodes.append(node([490, 990, 510, 1010], text="Icon"))
    elif choice == "back_for_click":
        predicted = {"action_type": "navigate_back"}
    elif choice == "broken_plan":
        predicted = rng.choice([None, {}, [], "click", {"action_type": None}, {"element": "Ok"}, 5])
    elif choice == "broken_answer":
        outputs = ["", "here", "(500)", "(500, )", "[]", "(500, 1000", "(a, b)", "(1.2.3, 4)", None]
        reply = rng.choice(
            [{"output": output, "scale": 1} for output in outputs]
            + [good | {"scale": scale} for scale in (0, None, "one")]
            + [{}, {"output": "(500, 1000)"}, {"scale": 1}]
        )
    elif choice == "odd_answer":
        outputs = ["500, 1000", "[500, 1000]", "(500,1000) .", "(500, 1000, 1)", "(5e2, 1e3)"]
        reply = {"output": rng.choice(outputs), "scale": 1}
    elif choice == "no_answer_no_box":
        gold["nodes"], reply = [], None
    elif choice == "type_text_target":
        gold["action"] = {"action_type": "type_text", "text": "hi", "x": 500, "y": 1000}
        predicted = {"action_type": "type_text", "text": "hi"}
        reply = rng.choice([None, {"output": "(5, 5)", "scale": 1}])
    elif choice == "touching":
        click |= {"x": 1080, "y": 20}
        gold["nodes"] = [node([1080, 5, 1200, 50], text="A")]
        reply = {"output": "(1080, 20)", "scale": 1}
    elif choice == "missing_argument":
        gold["action"] = _action(rng, rng.choice(["scroll", "input_text", "open_app", "status"]))
        predicted = {"action_type": gold["action"]["action_type"]}
    else:
        return _areas(rng)
    return case(choice, gold=gold, prediction={"action": predicted, "answer": reply})


THRESHOLD: list[Maker] = [
    _answer_at_edge, _answer_at_edge, _gold_at_edge, _areas, _beside_text, _label, _label,
    _off_screen,
]  # fmt: skip
ELSEWHERE: list[Maker] = [
    *[_filtered] * 3, *[_no_answer] * 3, *[_same_or_other] * 4, *[_silent] * 3,
]  # fmt: skip
