"""The rule of AndroidControl's own paper, as far as it is known: a reconstruction.

The authors published no evaluator. The main text says that a step is right when its action type and
arguments are (the element, and the text if there is one). Appendix D.3 relaxes it: going back is
pressing an on-screen "Back" button, opening an app is pressing an element that matches its name.
The paper does not say how elements, names and texts are compared. Where two ways to compare them
would differ, the step is unscored, with the question in the reason. The rules are described in
`docs/protocols/androidcontrol.md`.

Source: arXiv 2406.03679; google-research issues 2120 (the authors' filter of elements) and 2150
(D.3 as its readers quote it). D.3 itself was not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict
from scoring.ends import end_after
from scoring.protocol import CannotSay, Counts, Metrics, ScoredStep, ScoringProtocol, unscored
from scoring.protocols.androidcontrol import actions as ac
from scoring.protocols.androidcontrol.counting import Counted, share_metric
from scoring.protocols.androidcontrol.elements import (
    LABELLED_CLASSES,
    Element,
    ReadScreen,
    Screen,
    screen_of,
    screen_of_any_tree,
    with_trees_that_hold,
)
from scoring.protocols.androidcontrol.verdicts import Value, decided, missing, short, unreadable

SILENT = "paper-silent"
_BACK = "Back"
_TYPED = ("input_text", "type")


@dataclass(frozen=True, slots=True)
class PaperGold:
    """The gold that a prediction is compared with.

    Attributes:
        elements: those that the authors' filter keeps; None if the screen's elements are unknown.
        size: of the step's frame; points beyond it are on no screen.
        added: it is an end that the recording has not.
    """

    action: ac.ActionJson
    elements: tuple[Element, ...] | None
    size: Size | None = None
    added: bool = False

    @property
    def kind(self) -> str:
        """The gold's kind of action."""
        return str(self.action["action_type"])


def gold(step: Step, episode: Episode, *, read: ReadScreen = screen_of) -> PaperGold | CannotSay:
    """Returns the gold of a step: its action, and the elements of its tree."""
    action = ac.gold_action(step)
    if isinstance(action, CannotSay):
        return action
    screen = read(step)
    if isinstance(screen, CannotSay) and action["action_type"] in ac.POINTED:
        return screen
    kept = kept_by_authors(screen) if isinstance(screen, Screen) else None
    end = end_after(episode) if action["action_type"] == "status" else None
    added = end is not None and end.index == step.index
    return PaperGold(action, kept, ac.size_of(step), added)


def kept_by_authors(screen: Screen) -> tuple[Element, ...]:
    """Returns the elements with words of any kind, and all switches and text fields."""
    return tuple(
        one for one in screen.elements if one.labels or one.class_name.endswith(LABELLED_CLASSES)
    )


def judge(prediction: Prediction | None, gold: PaperGold) -> Verdict:
    """Returns the verdict on one prediction."""
    parts: dict[str, Value] = {"kind": gold.kind}
    if prediction is None:
        return missing(parts, counted=True)
    if gold.added:
        return _silent("whether the ends it adds are in its numbers", parts)
    told = _told(prediction, gold.size)
    if isinstance(told, Unreadable):
        return unreadable(told.reason, parts)
    if isinstance(told, CannotSay):
        return unscored("no-place", told.reason)
    return judge_action(told, gold)


def judge_action(decoded: Any, gold: PaperGold) -> Verdict:
    """Returns the verdict on an action in the data set's JSON; None is not an action."""
    parts: dict[str, Value] = {"kind": gold.kind}
    kind = decoded.get("action_type") if isinstance(decoded, dict) else None
    if not isinstance(kind, str):
        return unreadable("there is no kind of action", parts)
    parts["type"] = kind == gold.kind
    if kind == gold.kind:
        return _same_kind(decoded, gold, parts)
    if kind in _TYPED and gold.kind in _TYPED:
        return _joined(decoded, gold, parts)
    if kind == "click" and gold.kind in ("open_app", "navigate_back"):
        return _click_instead(decoded, gold, parts)
    if gold.kind == "click" and kind in ("open_app", "navigate_back"):
        return _instead_of_click(decoded, gold, parts)
    reason = f"The gold is {gold.kind}, the prediction {short(kind)}."
    return decided(False, "type", reason, parts)


def _same_kind(told: ac.ActionJson, gold: PaperGold, parts: dict[str, Value]) -> Verdict:
    if gold.kind in ac.POINTED:
        return _target(told, gold, parts)
    if gold.kind in (*_TYPED, "open_app"):
        key = "app_name" if gold.kind == "open_app" else "text"
        return _words(told.get(key), gold.action[key], key, parts)
    if gold.kind == "scroll":
        right = told.get("direction") == gold.action["direction"]
        reason = f"The content goes {gold.action['direction']} in the gold, "
        reason += f"{short(told.get('direction'))} in the prediction."
        return decided(right, "direction", reason, parts)
    if gold.kind == "status" and told.get("goal_status") != gold.action.get("goal_status"):
        if not isinstance(told.get("goal_status"), str):
            return unreadable("the end has no status", parts)
        return _silent("whether the ends must have the same status", parts)
    return decided(True, "type", f"Both are {gold.kind}; there is nothing else to compare.", parts)


def _target(told: ac.ActionJson, gold: PaperGold, parts: dict[str, Value]) -> Verdict:
    point = _point(told)
    if point is None:
        return unreadable(f"the {gold.kind} has no point", parts)
    elements = gold.elements or ()
    x, y = point
    readings: set[bool] = set()
    for edges in (True, False):
        for unseen in (True, False):
            asked = [one for one in elements if unseen or one.visible]
            meant = [one for one in asked if _in(one, gold.action["x"], gold.action["y"], edges)]
            if not meant:
                readings |= {True, False}
            readings |= {_in(one, x, y, edges) for one in meant}
    if readings == {True} and not _on_screen(x, y, gold.size):
        return _silent("whether a point beyond the screen can be in an element", parts)
    if len(readings) == 1:
        right = readings == {True}
        reason = "It is in the gold's element." if right else "It is not in the gold's element."
        return decided(right, "element", reason, parts, {"grounding": right})
    held = [one for one in elements if one.holds(gold.action["x"], gold.action["y"])]
    if len(held) > 1:
        question = f"which of {len(held)} elements at the gold point is meant"
    elif not held:
        question = "what a click is worth whose gold point is in no element"
    else:
        question = "whether an edge, or an element that cannot be seen, counts"
    return _silent(question, parts)


def _click_instead(told: ac.ActionJson, gold: PaperGold, parts: dict[str, Value]) -> Verdict:
    """Judges a click for a gold action that opens an app or goes back (D.3)."""
    point = _point(told)
    if point is None:
        return unreadable("the click has no point", parts)
    if gold.elements is None:
        return unscored("no-tree", "Nobody knows the elements of the screen, which D.3 asks for.")
    x, y = point
    under = [one for one in gold.elements if one.holds(x, y)]
    what = _meaning(gold.action)
    if not any(_may_mean(one, gold.action) for one in under):
        reason = f"The gold is {gold.kind}, and nothing at the click means {what}."
        return decided(False, "equivalent-click", reason, parts)
    sure = all(one.visible and _in(one, x, y, False) and _means(one, gold.action) for one in under)
    if sure and _on_screen(x, y, gold.size):
        return decided(True, "equivalent-click", f"The click is on {what}, which D.3 takes.", parts)
    return _silent(f"whether what is at the click means {what}", parts)


def _instead_of_click(told: ac.ActionJson, gold: PaperGold, parts: dict[str, Value]) -> Verdict:
    """Going back or opening an app where the gold clicks: the equivalence reversed."""
    if told["action_type"] == "open_app" and not isinstance(told.get("app_name"), str):
        return unreadable("the app has no name", parts)
    x, y = gold.action["x"], gold.action["y"]
    under = [one for one in gold.elements or () if one.holds(x, y)]
    if any(_may_mean(one, told) for one in under):
        return _silent("whether D.3's equivalences hold both ways", parts)
    reason = f"The gold is a click on something else than {_meaning(told)}."
    return decided(False, "type", reason, parts)


def _joined(told: ac.ActionJson, gold: PaperGold, parts: dict[str, Value]) -> Verdict:
    text = told.get("text")
    if not isinstance(text, str):
        return unreadable("the text is missing", parts)
    if _loose(text) != _loose(gold.action["text"]):
        reason = f"The gold's text is “{short(gold.action['text'])}”, not “{short(text)}”."
        return decided(False, "text", reason, parts)
    return _silent("how a text alone compares with a click and a text in one", parts)


def _words(decoded: Any, wanted: str, key: str, parts: dict[str, Value]) -> Verdict:
    if not isinstance(decoded, str):
        return unreadable(f"there is no {key}", parts)
    if decoded == wanted:
        return decided(True, "text", f"Both are “{short(wanted)}”.", parts)
    if _loose(decoded) == _loose(wanted):
        return _silent("whether letter case and outer spaces count", parts)
    return decided(False, "text", f"“{short(decoded)}” is not “{short(wanted)}”.", parts)


def _means(element: Element, action: ac.ActionJson) -> bool:
    """Returns whether an element certainly means going back, or opening the app."""
    wanted = _BACK if action["action_type"] == "navigate_back" else str(action["app_name"])
    return wanted in (element.text, element.description)


def _may_mean(element: Element, action: ac.ActionJson) -> bool:
    """Whether some way to recognise it would take the element for going back, or for the app."""
    told = [*element.labels, element.resource_id]
    if action["action_type"] == "navigate_back":
        ways = ("back", "navigate up")
        return any(way in words.casefold() for words in told for way in ways)
    name = _loose(str(action["app_name"]))
    return any(name in words or words in name for words in map(_loose, told) if words)


def _meaning(action: ac.ActionJson) -> str:
    if action["action_type"] == "navigate_back":
        return "“Back”"
    return f"the app “{short(action['app_name'])}”"


def _silent(question: str, parts: dict[str, Value]) -> Verdict:
    reason = f"The paper does not tell {question}."
    return Verdict(Outcome.UNSCORED, SILENT, reason, parts)


def _loose(text: str) -> str:
    return text.strip().casefold()


def _point(told: ac.ActionJson) -> tuple[float, float] | None:
    x, y = told.get("x"), told.get("y")
    return (x, y) if ac.is_number(x) and ac.is_number(y) else None  # type: ignore[return-value]


def _in(element: Element, x: float, y: float, edges: bool) -> bool:
    left, top, right, bottom = element.box
    return element.holds(x, y) if edges else left < x < right and top < y < bottom


def _on_screen(x: float, y: float, size: Size | None) -> bool:
    return size is None or (0 <= x < size.width and 0 <= y < size.height)


def _told(prediction: Prediction, size: Size | None) -> Any:
    own = ac.own_answer(prediction, ac.SPACE, ('"action_type"',))
    if isinstance(own, str):
        try:
            return json.loads(own)
        except (ValueError, RecursionError):
            return Unreadable("the answer is not JSON")
    if own is not None:
        return own
    if isinstance(prediction.parsed, Unreadable):
        return prediction.parsed
    told = ac.as_json(prediction.parsed, whole=False)
    if isinstance(told, CannotSay):
        placed = "pointed at" in told.reason
        return told if placed else {"action_type": a.describe_kind(prediction.parsed)}
    points = ac.own_numbers(prediction.native, size)
    if points is not None and told["action_type"] in ac.POINTED:
        told |= {"x": points[0][0], "y": points[0][1]}
    return told


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns step accuracy of the steps the paper decides, and what it would be with the others
    all wrong or all right."""
    counted, silent = Counted(), 0
    for step in scored:
        silent += step.verdict.rule == SILENT
        counted.add(step.verdict)
    right, total = counted.right.total(), counted.all.total()
    values = counted.metrics()
    values["step accuracy/at least"] = share_metric(Share(right, total + silent))
    values["step accuracy/at most"] = share_metric(Share(right + silent, total + silent))
    notes = (
        "A reconstruction: where the paper is silent, a step is unscored; the true number lies "
        "between “at least” and “at most”.",
    )
    return Metrics(values, notes, dict(counted.tally))


V1 = ScoringProtocol(
    name="androidcontrol/paper",
    version="1",
    title="AndroidControl's paper, reconstructed",
    source="arXiv 2406.03679 and google-research issues 2120 and 2150; no code is published",
    quirks=(
        "A reconstruction: Appendix D.3 is known only from quotations.",
        "Steps on which the paper is silent are unscored, and counted apart.",
        "A click at “Back” is going back, a click at an app's name opens it.",
        "Which of several elements at a point is meant is not told: such steps are often unscored.",
        "A recorded end is judged; whether those it adds to AndroidControl count is not told.",
    ),
    counts=Counts(
        missing="wrong",
        unreadable="wrong",
        unscored="left out; the bounds count them",
        doubled="the first counts",
    ),
    gold=partial(gold, read=screen_of_any_tree),
    judge=judge,
    aggregate=aggregate,
    end=end_after,
)
V2 = with_trees_that_hold(V1, gold)
