"""Random steps with a predicted action each, for the paper's rule."""

import random
from typing import Any

from tests.oracles.androidcontrol.making import (
    APPS,
    DIRECTIONS,
    NO_POINT,
    SIZES,
    WORDS,
    Case,
    Maker,
    action,
    case,
    text_beside,
    without,
)

SILENT = {
    "edge": "a point on an edge of the only element",
    "overlap": "several elements contain the gold point, or the click that stands for an action",
    "no_element": "the gold point is in no element",
    "invisible": "the element cannot be seen",
    "unlabelled": "the element has no label, so the authors' filter leaves it out",
    "past_screen": "a click beyond the screen, in an element that reaches there",
    "loose_text": "texts that differ in letter case or outer spaces",
    "loose_app": "an element's label is like the app's name, not equal to it",
    "loose_back": "a label that may or may not mean Back",
    "reverse": "navigate_back or open_app predicted where the gold step clicks such an element",
    "joined_type": "input_text answered with the paper's type",
    "status": "the ends differ in their status",
    "broken": "an action with an argument missing or of the wrong kind",
}
KINDS_OF_NODE = ["android.widget.Button", "android.view.View", "android.widget.EditText"]


def node(box: list[int], **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = dict.fromkeys(("text", "description", "hint", "tooltip"), "")
    return plain | {
        "box": box,
        "class_name": "android.widget.Button",
        "resource_id": "",
        "visible": True,
    } | more  # fmt: skip


def _one_element(rng: random.Random) -> tuple[dict[str, Any], list[int]]:
    """A gold step whose only element has the box that is returned, and a bystander far off."""
    size = rng.choice(SIZES)
    left, top = rng.randint(10, size[0] - 320), rng.randint(10, size[1] - 320)
    box = [left, top, left + rng.randint(4, 100), top + rng.randint(4, 100)]
    away = [box[2] + 50, box[3] + 50, box[2] + 150, box[3] + 150]
    kind = rng.choice(["click", "click", "long_press"])
    point = {"x": rng.randint(left + 1, box[2] - 1), "y": rng.randint(top + 1, box[3] - 1)}
    label = rng.choice(["text", "description", "hint", "tooltip"])
    nodes = [node(box, **{label: "Ok"}, class_name=rng.choice(KINDS_OF_NODE))]
    nodes.insert(rng.randint(0, 1), node(away, text="Later"))
    return {"action": {"action_type": kind} | point, "size": size, "nodes": nodes}, box


def _beside_edge(rng: random.Random) -> Case:
    gold, (left, top, right, bottom) = _one_element(rng)
    x = rng.choice([left - 1, left, left + 1, right - 1, right, right + 1, (left + right) // 2])
    y = rng.choice([top - 1, top, top + 1, bottom - 1, bottom, bottom + 1, (top + bottom) // 2])
    on_edge = left <= x <= right and top <= y <= bottom
    on_edge = on_edge and (x in (left, right) or y in (top, bottom))
    prediction = {"action_type": gold["action"]["action_type"], "x": x, "y": y}
    return case("edge" if on_edge else "beside_edge", True, gold=gold, prediction=prediction)


def _beside_text(rng: random.Random) -> Case:
    gold = _gold(rng, rng.choice(["input_text", "open_app"]))
    name = "text" if "text" in gold["action"] else "app_name"
    said = text_beside(rng, gold["action"][name])
    wanted = gold["action"][name]
    loose = said != wanted and said.strip().casefold() == wanted.strip().casefold()
    prediction = gold["action"] | {name: said}
    kind = "loose_text" if loose else "beside_text"
    return case(kind, True, gold=gold, prediction=prediction)


def _stands_for(rng: random.Random) -> Case:
    """A click that may stand for open_app or navigate_back, in, at or beside its element."""
    size = rng.choice(SIZES)
    app = rng.random() < 0.5
    gold_action = action(rng, size, "open_app" if app else "navigate_back")
    label = gold_action["app_name"] if app else "Back"
    label = rng.choice([label, label, label, "Settings", "Send"])
    left, top = rng.randint(10, 300), rng.randint(10, 300)
    box = [left, top, left + 90, top + 60]
    x = rng.choice([left - 1, left + 1, left + 45, left + 89, left + 91, left])
    on_edge = x == left
    nodes = [node(box, **{rng.choice(["text", "description"]): label})]
    prediction = {"action_type": rng.choice(["click", "click", "long_press"]), "x": x, "y": top + 9}
    silent = on_edge and label not in ("Settings", "Send") and prediction["action_type"] == "click"
    gold = {"action": gold_action, "size": size, "nodes": nodes}
    return case("edge" if silent else "stands_for", True, gold=gold, prediction=prediction)


def _other_type(rng: random.Random) -> Case:
    gold = _gold(rng)
    other = action(rng, gold["size"])
    # These pairs may be the same action; they are made elsewhere.
    pairs = [("navigate_back", "click"), ("open_app", "click")]
    kinds = (gold["action"]["action_type"], other["action_type"])
    while kinds in pairs or kinds[::-1] in pairs or kinds[0] == kinds[1]:
        other = action(rng, gold["size"])
        kinds = (gold["action"]["action_type"], other["action_type"])
    return case("other_type", gold=gold, prediction=other)


def _same_type(rng: random.Random) -> Case:
    kind = rng.choice(["scroll", "navigate_back", "navigate_home", "wait", "status"])
    gold = _gold(rng, kind)
    prediction = dict(gold["action"])
    if kind == "scroll":
        prediction["direction"] = rng.choice(DIRECTIONS)
    return case("same_type", gold=gold, prediction=prediction)


def _anywhere(rng: random.Random) -> Case:
    gold, _ = _one_element(rng)
    prediction = action(rng, gold["size"], gold["action"]["action_type"])
    left, top, right, bottom = next(n["box"] for n in gold["nodes"] if n["text"] != "Later")
    if left <= prediction["x"] <= right and top <= prediction["y"] <= bottom:
        prediction |= {"x": (left + right) // 2, "y": (top + bottom) // 2}
    return case("anywhere", gold=gold, prediction=prediction)


def _unreadable(rng: random.Random) -> Case:
    prediction = rng.choice([None, {}, {"x": 5, "y": 5}, {"action_type": "dance"}])
    return case("unreadable", gold=_gold(rng), prediction=prediction)


def _silent(rng: random.Random) -> Case:
    gold, box = _one_element(rng)
    left, top, right, bottom = box
    kind = gold["action"]["action_type"]
    at = {"action_type": kind, "x": (left + right) // 2, "y": (top + bottom) // 2}
    element = next(node for node in gold["nodes"] if node["text"] != "Later")
    bare = [node for node in gold["nodes"] if node["text"] == "Later"]
    size = gold["size"]
    choice = rng.choice(list(SILENT))
    if choice == "overlap":
        parent = node([left - 9, top - 9, right + 9, bottom + 9], text="Row")
        gold["nodes"].insert(rng.randint(0, 2), parent)
        if rng.random() < 0.3:
            return case("in_all", gold=gold, prediction=at)
        return case(choice, gold=gold, prediction=at | {"x": left - 5})
    if choice == "no_element":
        return case(choice, gold=gold | {"nodes": bare}, prediction=at)
    if choice == "invisible":
        element["visible"] = False
        return case(choice, gold=gold, prediction=at)
    if choice == "unlabelled":
        blank = node(box, class_name="android.view.ViewGroup")
        return case(choice, gold=gold | {"nodes": [blank, *bare]}, prediction=at)
    if choice == "past_screen":
        wide = node([left, top, size[0] + 20, bottom], text="Wide")
        prediction = at | {"x": size[0] + rng.randint(0, 10)}
        return case(choice, gold=gold | {"nodes": [wide]}, prediction=prediction)
    if choice == "loose_text":
        gold["action"] = action(rng, size, "input_text") | {"text": "Hello"}
        said = rng.choice(["hello", " Hello", "HELLO ", "Hello\n"])
        return case(choice, gold=gold, prediction={"action_type": "input_text", "text": said})
    if choice in ("loose_app", "loose_back"):
        if choice == "loose_app":
            gold["action"] = action(rng, size, "open_app") | {"app_name": "Zoho Meeting"}
            label = rng.choice(["zoho meeting", "Zoho Meeting (2)", "Zoho", "com.zoho meeting"])
        else:
            gold["action"] = {"action_type": "navigate_back"}
            label = rng.choice(["back", "Send feedback", "Navigate up", "Go back", "BACK"])
        gold["nodes"] = [node(box, text=label)]
        return case(choice, gold=gold, prediction=at | {"action_type": "click"})
    if choice == "reverse":
        gold["action"]["action_type"] = "click"
        label, prediction = rng.choice(
            [
                ("Back", {"action_type": "navigate_back"}),
                ("Clock", {"action_type": "open_app", "app_name": "Clock"}),
            ]
        )
        gold["nodes"] = [node(box, text=label)]
        return case(choice, gold=gold, prediction=prediction)
    if choice == "joined_type":
        text = rng.choice(WORDS)
        gold["action"] = {"action_type": "input_text", "text": text}
        prediction = {"action_type": "type", "text": text, "x": at["x"], "y": at["y"]}
        return case(choice, gold=gold, prediction=prediction)
    if choice == "status":
        gold["action"] = {"action_type": "status", "goal_status": "successful"}
        prediction = {"action_type": "status", "goal_status": "infeasible"}
        return case(choice, gold=gold, prediction=prediction)
    if choice == "broken":
        wrong = {"action_type": kind, "x": rng.choice(NO_POINT), "y": 5}
        return case(choice, gold=gold, prediction=rng.choice([wrong, without(at, "y")]))
    return case("edge", gold=gold, prediction=at | {"x": rng.choice([left, right])})


def _gold(rng: random.Random, kind: str | None = None) -> dict[str, Any]:
    size = rng.choice(SIZES)
    made = action(rng, size, kind)
    x, y = made.get("x", 100), made.get("y", 100)
    nodes = [node([x - 40, y - 40, x + 40, y + 40], text=rng.choice([*APPS, "Ok"]))]
    return {"action": made, "size": size, "nodes": nodes}


THRESHOLD: list[Maker] = [_beside_edge, _beside_edge, _beside_text, _stands_for]
ELSEWHERE: list[Maker] = [
    *[_other_type] * 3, *[_same_type] * 3, *[_anywhere] * 3, _unreadable, *[_silent] * 4,
]  # fmt: skip
