"""UGround's rule: a planner names the action, a grounding model answers with a point.

A click is right in the smallest element that contains the gold point. An answer is two things, kept
under the space "uground" (or as the raw text, in the same JSON):

    {"action": {"action_type": "click", "element": "Save"},
     "answer": {"output": "(540, 390)", "scale": 0.5}}

The answer's point divided by its scale is in pixels; "answer" is null where the grounding file has
no line. An action of another dialect becomes a plan, its point the answer. The rules are described
in `docs/protocols/androidcontrol.md`.

Source: offline_evaluation/AndroidControl/eval.py and extract_raw.py of OSU-NLP-Group/UGround at
3a9b9f2; the elements first pass android_world's forest_to_ui_elements.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Verdict
from scoring.ends import end_after
from scoring.protocol import CannotSay, Counts, Metrics, ScoredStep, ScoringProtocol, unscored
from scoring.protocols.androidcontrol import actions as ac
from scoring.protocols.androidcontrol.counting import accuracy
from scoring.protocols.androidcontrol.elements import (
    Element,
    ReadScreen,
    Screen,
    screen_of,
    screen_of_any_tree,
    with_trees_that_hold,
)
from scoring.protocols.androidcontrol.verdicts import (
    FAILURES,
    Value,
    decided,
    missing,
    short,
    stops,
    unreadable,
)

SPACE = "uground"
SCREEN = (1080, 2400)
_GROUNDED = ("click", "long_press", "type_text")


@dataclass(frozen=True, slots=True)
class UGroundGold:
    """The gold that a prediction is compared with.

    Attributes:
        elements: those that UGround keeps; None if the screen's elements are unknown.
        size: of the step's frame, for predictions in pixels.
    """

    action: ac.ActionJson
    elements: tuple[Element, ...] | None
    size: Size | None = None


def gold(step: Step, episode: Episode, *, read: ReadScreen = screen_of) -> UGroundGold | CannotSay:
    """Returns the gold of a step: its action, and the elements UGround keeps of its tree."""
    action = ac.gold_action(step)
    if isinstance(action, CannotSay):
        return action
    screen = read(step)
    if isinstance(screen, CannotSay) and action["action_type"] in _GROUNDED:
        return screen
    elements = kept_by_uground(screen) if isinstance(screen, Screen) else None
    return UGroundGold(action, elements, ac.size_of(step))


def kept_by_uground(screen: Screen) -> tuple[Element, ...]:
    """Returns the elements android_world lists, of them the visible ones that have a text or a
    description, some size, and a part on a screen of 1080x2400."""
    return tuple(one for one in screen.elements if _is_listed(one) and _is_kept(one))


def judge(prediction: Prediction | None, gold: UGroundGold) -> Verdict:
    """Returns the verdict on one prediction."""
    parts: dict[str, Value] = {"kind": str(gold.action["action_type"])}
    if prediction is None:
        return missing(parts, counted=False)
    plan = _plan(prediction, gold.size)
    if isinstance(plan, Unreadable):
        return unreadable(plan.reason, parts)
    if isinstance(plan, CannotSay):
        return unscored("no-place", plan.reason)
    return judge_plan(plan.get("action"), plan.get("answer"), gold)


def judge_plan(plan: Any, answer: Any, gold: UGroundGold) -> Verdict:
    """Returns the verdict on a planned action and a grounding answer.

    Args:
        plan: an object with action_type; anything else stops the original.
        answer: {"output": "(x, y)", "scale": s}, or None without a line.
    """
    parts: dict[str, Value] = {
        "kind": str(gold.action["action_type"]),
        "grounding_steps": 0,
        "grounding_right": 0,
    }
    try:
        return _judged(plan, answer, gold, parts)
    except FAILURES as error:
        asked = "its grounding answer cannot be read" if answer else "no grounding answer"
        why = asked if isinstance(plan, dict) and "action_type" in plan else "a plan without a kind"
        return stops(error, why, parts)


def _judged(plan: Any, answer: Any, gold: UGroundGold, parts: dict[str, Value]) -> Verdict:
    kind, wanted = plan["action_type"], gold.action["action_type"]
    parts["type"] = kind == wanted
    if kind in _GROUNDED and kind == wanted:
        parts["grounding_steps"] = 1
        return _grounded(plan, answer, gold, parts)
    same = all(told == plan.get(key) for key, told in gold.action.items() if key not in _BESIDE)
    if (kind, wanted) in (("click", "open_app"), ("open_app", "click")):
        parts["grounding_steps"] = int(kind == "click")
        name = str(gold.action.get("app_name", ""))
        return _labelled(name, answer, gold, parts)
    if (kind, wanted) in (("click", "navigate_back"), ("navigate_back", "click")):
        parts["grounding_steps"] = 1
        return _labelled("back", answer, gold, parts)
    if same:
        return decided(True, "equal", f"Both are {short(wanted)}, with equal arguments.", parts)
    if kind == wanted:
        return decided(
            False, "equal", "The arguments differ; nothing is stripped or folded.", parts
        )
    return decided(False, "type", f"The gold is {wanted}, the prediction {short(kind)}.", parts)


_BESIDE = ("candidate_bbox",)  # what other sources keep in the same object


def _grounded(plan: Any, answer: Any, gold: UGroundGold, parts: dict[str, Value]) -> Verdict:
    x, y = _point(answer)
    box = _smallest(gold.elements or (), gold.action["x"], gold.action["y"])
    if box is None:
        reason = "The gold point is in no element, which makes every answer wrong."
        return decided(False, "no-element", reason, parts)
    if not box.holds(x, y):
        reason = f"It is outside the smallest element at the gold point, {list(box.box)}."
        return decided(False, "element", reason, parts)
    if plan["action_type"] == "type_text" and gold.action["text"] != plan["text"]:
        reason = f"The text is “{short(plan['text'])}”, not “{short(gold.action['text'])}”."
        return decided(False, "text", reason, parts)
    parts["grounding_right"] = 1
    reason = f"It is inside the smallest element at the gold point, {list(box.box)}."
    return decided(True, "element", reason, parts)


def _labelled(words: str, answer: Any, gold: UGroundGold, parts: dict[str, Value]) -> Verdict:
    """A click for going back or opening an app, or the other way round: asks for a label."""
    x, y = _point(answer)
    element = _smallest(gold.elements or (), x, y)
    if gold.elements is None:
        return unscored("no-tree", "Nobody knows the elements of the screen, which are asked for.")
    if element is None:
        return decided(False, "label", "No element is at the answer.", parts)
    wanted = words.lower()
    right = any(label and wanted in label.lower() for label in (element.text, element.description))
    label = short(element.text or element.description)
    parts["grounding_right"] = int(right)
    if right and not wanted:
        reason = f"The gold has no app's name, and no name is part of every label: “{label}”."
    else:
        reason = f"The element at the answer, “{label}”, {'has' if right else 'has not'} "
        reason += f"“{short(words)}” in its text or description."
    return decided(right, "label", reason, parts)


def _point(answer: Any) -> tuple[float, float]:
    x, y = (float(number) for number in answer["output"].strip("()").split(", "))
    return x / answer["scale"], y / answer["scale"]


def _smallest(elements: tuple[Element, ...], x: float, y: float) -> Element | None:
    """Returns the element with the least area at a point, the first of equals."""
    return min((one for one in elements if one.holds(x, y)), key=lambda one: one.area, default=None)


def _is_listed(element: Element) -> bool:
    return element.leaf or bool(element.description) or element.scrollable


def _is_kept(element: Element) -> bool:
    left, top, right, bottom = element.box
    return (
        bool(element.text or element.description)
        and element.visible
        and bottom > top
        and right > left
        and left < SCREEN[0]
        and top < SCREEN[1]
        and right > 0
        and bottom > 0
    )


def _plan(prediction: Prediction, size: Size | None) -> dict[str, Any] | Unreadable | CannotSay:
    own = ac.own_answer(prediction, SPACE, ('"action"', '"answer"'))
    if isinstance(own, str):
        try:
            own = json.loads(own)
        except (ValueError, RecursionError):
            return Unreadable("the plan is not JSON")
    if own is not None:
        return own if isinstance(own, dict) else Unreadable("the plan is not an object")
    return (
        prediction.parsed
        if isinstance(prediction.parsed, Unreadable)
        else _as_plan(prediction, prediction.parsed, size)
    )


def _as_plan(
    prediction: Prediction, parsed: a.Action, size: Size | None
) -> dict[str, Any] | CannotSay:
    """Returns an action of another dialect as a plan; a text with a target is a `type_text`."""
    if isinstance(parsed, a.TypeText):
        plan: Any = {"action_type": "input_text", "text": parsed.text}
        if a.place(parsed) is not None:
            plan["action_type"] = "type_text"
    else:
        plan = ac.as_json(parsed, whole=False)
    if isinstance(plan, CannotSay):
        placed = "pointed at" in plan.reason
        return (
            plan if placed else {"action": {"action_type": a.describe_kind(parsed)}, "answer": None}
        )
    at = a.place(parsed)
    if at is None or isinstance(parsed, a.Swipe | a.Scroll):
        return {"action": plan, "answer": None}
    points = ac.own_numbers(prediction.native, size)
    x, y = points[0] if points is not None else (at.x, at.y)
    return {"action": plan, "answer": {"output": f"({x!r}, {y!r})", "scale": 1}}


def _count_grounding(verdict: Verdict, more: Counter[str]) -> None:
    for name in ("grounding_steps", "grounding_right"):
        more[name] += int(verdict.parts.get(name) or 0)


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns step accuracy, and grounding accuracy, which can pass 100 %."""
    shares = {"grounding accuracy": ("grounding_right", "grounding_steps")}
    return accuracy(scored, _count_grounding, shares)


V1 = ScoringProtocol(
    name="androidcontrol/uground",
    version="1",
    title="UGround on AndroidControl",
    source="OSU-NLP-Group/UGround@3a9b9f2, offline_evaluation/AndroidControl/eval.py",
    quirks=(
        "A click whose gold point is in no element is always wrong, the exact one too.",
        "“back” is looked for as a part: “Send feedback” goes back, “Navigate up” does not.",
        "Opening any app where the gold clicks is right when the answer is on an element with a "
        "label.",
        "A rule that asks for a grounding answer ends the original where there is none.",
        "Elements off a screen of 1080x2400 are dropped, whatever the screen's size.",
        "Texts, names and directions must be equal, letter for letter.",
        "Its own step set joins a click and the text after it; the library's steps are judged as "
        "they are.",
        "An end (`status`) is put behind each episode and judged where the run answers it.",
    ),
    counts=Counts(
        missing="left out",
        unreadable="wrong",
        unscored="left out",
        doubled="the first counts",
    ),
    gold=partial(gold, read=screen_of_any_tree),
    judge=judge,
    aggregate=aggregate,
    end=end_after,
)
V2 = with_trees_that_hold(V1, gold)
