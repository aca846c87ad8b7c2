"""ClawGUI's rule: a parser for each model family, then one judge on a screen of 1080x2400.

A click is right in any of the five candidate boxes nearest to the predicted point, or within 368
pixels of the gold point: the length of 0.14 of both sides together. The gold and every parsed
answer have one form, points in thousandths:

    {"action": "click", "arguments": {"points": [[500, 940]]}, "candidate_bbox": [[...], ...]}

The family is the space's name, "qwen25vl" (pixels of 1080x2400) or "qwen3vl" (thousandths); a call
whose points were declared to be pixels is the first, any other the second. The rules are described
in `docs/protocols/androidcontrol.md`.

Source: clawgui-eval/judge/androidcontrol_judge.py of ZJU-REAL/ClawGUI at d990d3e.
"""

from __future__ import annotations

import json
import math
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
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import CannotSay, Counts, Metrics, ScoredStep, ScoringProtocol, unscored
from scoring.protocols.androidcontrol import actions as ac
from scoring.protocols.androidcontrol import tool_calls
from scoring.protocols.androidcontrol.counting import accuracy
from scoring.protocols.androidcontrol.elements import (
    ReadScreen,
    screen_of,
    screen_of_any_tree,
    with_trees_that_hold,
)
from scoring.protocols.androidcontrol.qwen25vl import candidates_of
from scoring.protocols.androidcontrol.verdicts import (
    FAILURES,
    Value,
    decided,
    missing,
    short,
    unreadable,
)
from scoring.protocols.word_overlap import word_f1
from scoring.rounding import format_pair

QWEN25, QWEN3 = "qwen25vl", "qwen3vl"
SCREEN = Size(1080, 2400)
DISTANCE_LIMIT = math.sqrt((SCREEN.width * 0.14) ** 2 + (SCREEN.height * 0.14) ** 2)
F1_LIMIT = 0.5
NEAREST = 5

_KINDS = ("click", "long_press", "type", "scroll", "button_press", "open_app", "wait")
_BUTTONS = {"Back": "back", "Home": "home"}
_LABELS = {"button_press": "button"}


@dataclass(frozen=True, slots=True)
class ClawGold:
    """The gold that a prediction is compared with.

    Attributes:
        answer: the gold in the judge's own form.
        size: of the step's frame, for predictions in pixels.
    """

    answer: dict[str, Any]
    size: Size | None = None


def gold(step: Step, episode: Episode, *, read: ReadScreen = screen_of) -> ClawGold | CannotSay:
    """Returns the gold of a step, its point rounded to whole thousandths."""
    action, size = ac.gold_action(step), ac.size_of(step)
    if isinstance(action, CannotSay):
        return action
    if action["action_type"] == "status":
        return CannotSay("ClawGUI's step set has no ends")
    if action["action_type"] not in ac.POINTED:
        return ClawGold(answer_of(action, SCREEN), size)
    if size is None:
        return CannotSay("the step has no frame to measure its point in")
    boxes = candidates_of(action, step, read)
    if isinstance(boxes, CannotSay):
        return boxes
    return ClawGold({**answer_of(action, size), "candidate_bbox": boxes}, size)


def answer_of(action: ac.ActionJson, size: Size) -> dict[str, Any]:
    """Returns an action of the data set's JSON in the judge's form, without candidates."""
    kind = action["action_type"]
    match kind:
        case "click" | "long_press":
            x = round(action["x"] * 1000 / size.width)
            y = round(action["y"] * 1000 / size.height)
            return _answer(kind, points=[[x, y]])
        case "scroll":
            return _answer("scroll", points=[[500, 500]], direction=action["direction"])
        case "input_text" | "type" | "type_text":
            return _answer("type", text=action["text"])
        case "open_app":
            return _answer("open_app", app=action["app_name"])
        case "navigate_back" | "navigate_home":
            return _answer("button_press", type=kind.removeprefix("navigate_"))
    return _answer(kind)


def judge(prediction: Prediction | None, gold: ClawGold) -> Verdict:
    """Returns the verdict on one prediction."""
    parts: dict[str, Value] = {"kind": str(gold.answer.get("action"))}
    if prediction is None:
        return missing(parts, counted=True)
    told = _told(prediction, gold.size)
    if isinstance(told, Unreadable):
        return _unparsed(told.reason, parts)
    if isinstance(told, CannotSay):
        return unscored("no-place", told.reason)
    return judge_answer(told, gold.answer)


def judge_text(said: Any, gold: dict[str, Any], family: str) -> Verdict:
    """Returns the verdict on a model's whole text, read by the parser of its family."""
    told = answer_in(said, family)
    if isinstance(told, Unreadable):
        return _unparsed(told.reason, {"kind": str(gold.get("action"))})
    return judge_answer(told, gold)


def answer_in(said: Any, family: str) -> dict[str, Any] | Unreadable:
    """Returns the answer in a text: a call between both its tags, or the judge's form as JSON
    (which only the parser of Qwen3-VL reads)."""
    if not isinstance(said, str) or not said or len(said) > tool_calls.MAX_TEXT:
        return Unreadable("there is no text of a size that is read")
    if family != QWEN25:
        own = _own_form(said)
        if own is not None:
            return own
    head, tag, rest = said.partition("<tool_call>")
    end = said.find("</tool_call>") - len(head) - len(tag)
    if not tag or "</tool_call>" not in said:
        return Unreadable("it has not both tags of a tool call")
    try:
        called = json.loads(rest[:end].strip() if end > 0 else "")
        arguments = called["arguments"]
        return _of_call(arguments.get("action", ""), arguments, family)
    except FAILURES as error:
        return Unreadable(f"the tool call cannot be read ({type(error).__name__})")


def _own_form(said: str) -> dict[str, Any] | Unreadable | None:
    try:
        told = json.loads(said.strip())
    except ValueError:
        return None
    except RecursionError:
        return Unreadable("the answer nests too deeply")
    if not isinstance(told, dict):
        return None
    inner = told.get("ToolCall")
    if isinstance(inner, dict) and "action" in inner:
        told = inner
    if "action" not in told:
        return None
    if not told["action"]:
        return Unreadable("the answer's action is empty")
    return {"name": "mobile", "arguments": {}} | {
        key: told[key] for key in ("name", "action", "arguments") if key in told
    }


def _of_call(kind: Any, decoded: dict[str, Any], family: str) -> dict[str, Any] | Unreadable:
    match kind:
        case "click" | "long_press":
            at = decoded.get("coordinate", [])
            return _answer(kind, points=[_point(at, family)]) if len(at) >= 2 else _answer(kind)
        case "type":
            return _answer("type", text=decoded.get("text", ""))
        case "open" if family == QWEN25:
            return _answer("open_app", app=decoded.get("text", ""))
        case "swipe":
            start, end = decoded.get("coordinate", []), decoded.get("coordinate2", [])
            if len(start) < 2 or len(end) < 2:
                return _answer("scroll")
            way = _direction(end[0] - start[0], end[1] - start[1])
            return _answer("scroll", points=[_point(start, family)], direction=way)
        case "system_button" if decoded.get("button", "") in ("Back", "Home"):
            return _answer("button_press", type=_BUTTONS[decoded["button"]])
        case "wait":
            return _answer("wait", time=decoded.get("time", 0))
    return Unreadable(f"{family} has no “{short(kind)}” that is compared")


def judge_answer(decoded: dict[str, Any], gold: dict[str, Any]) -> Verdict:
    """Returns the verdict on an answer in the judge's form."""
    wanted = gold.get("action")
    parts: dict[str, Value] = {"kind": str(wanted)}
    if wanted not in _KINDS:
        return _verdict(
            False, "type", "The gold is of no kind that is compared.", parts, "invalid_gold_action"
        )
    kind = decoded.get("action")
    if not isinstance(kind, str):
        label = f"exception: '{type(kind).__name__}' object has no attribute 'strip'"
        return unreadable("its action is no word", {**parts, "label": label})
    parts["type"] = kind.strip() == wanted
    if kind.strip() != wanted:
        reason = f"The gold is {wanted}, the prediction {short(kind)}."
        return _verdict(False, "type", reason, parts, "action_fail")
    try:
        return _same_kind(wanted, decoded.get("arguments", {}), gold, parts)
    except FAILURES as error:
        reason = "Its arguments cannot be compared, and the original counts that as wrong."
        label = f"{_LABELS.get(wanted, 'click' if wanted in ac.POINTED else wanted)}_fail"
        return _verdict(False, "invalid", reason, {**parts, "error": type(error).__name__}, label)


def _same_kind(
    kind: str, decoded: dict[str, Any], gold: dict[str, Any], parts: dict[str, Value]
) -> Verdict:
    wanted = gold.get("arguments", {})
    match kind:
        case "click" | "long_press":
            return _touch(decoded, wanted, gold.get("candidate_bbox") or [], parts)
        case "type" | "open_app":
            key = "text" if kind == "type" else "app"
            text, right_text = decoded.get(key, ""), wanted.get(key, "")
            if kind == "open_app" and text == "":
                text = decoded.get("text", "")
            f1 = word_f1(text, right_text) if text and right_text else 0.0
            right = text == right_text or f1 > F1_LIMIT
            reason = f"The words of “{short(text)}” and “{short(right_text)}” have an F1 of "
            said, limit = format_pair(f1, F1_LIMIT)
            reason += f"{said}; more than {limit} is asked, or equal texts."
            return _verdict(right, "text-words", reason, {**parts, "f1": f1}, kind)
        case "scroll":
            way, label = decoded.get("direction", ""), wanted.get("direction", "")
            opposite = ac.OPPOSITE.get(label.lower(), label.lower())
            right = bool(way) and bool(label) and way.lower() == opposite
            reason = f"The content goes {label}, so the finger {opposite}; the prediction's goes "
            reason += f"{short(way) or 'nowhere'}."
            return _verdict(right, "direction", reason, parts, kind)
        case "button_press":
            right = decoded.get("type", "") == wanted.get("type", "")
            reason = f"The gold's button is {wanted.get('type')}, the prediction's "
            reason += f"{short(decoded.get('type', ''))}."
            return _verdict(right, "button", reason, parts, "button")
    return _verdict(True, "type", "Both wait; how long is not compared.", parts, kind)


def _touch(
    decoded: dict[str, Any], wanted: dict[str, Any], boxes: Any, parts: dict[str, Value]
) -> Verdict:
    point, gold_point = decoded.get("points", [[]])[0], wanted.get("points", [[]])[0]
    if len(point) < 2 or len(gold_point) < 2:
        return _verdict(False, "no-point", "There is no point.", parts, "click")
    (x, y), (gold_x, gold_y) = _pixel(point), _pixel(gold_point)
    across, down = x / SCREEN.width, y / SCREEN.height
    scaled = [_fractions(*box) for box in boxes]
    for left, top, right, bottom in _nearest(scaled, across, down):
        if left <= across <= right and top <= down <= bottom:
            reason = "It is in one of the five candidate boxes nearest to it."
            return _verdict(True, "box", reason, parts, "click")
    apart = math.sqrt((x - gold_x) ** 2 + (y - gold_y) ** 2)
    said, limit = format_pair(apart, DISTANCE_LIMIT)
    reason = f"It is {said} pixels of 1080x2400 from the gold point; the limit is {limit}."
    measured: dict[str, Value] = {"distance": apart, "limit": DISTANCE_LIMIT}
    return _verdict(apart <= DISTANCE_LIMIT, "distance", reason, parts | measured, "click")


Ltrb = tuple[float, float, float, float]


def _fractions(left: float, top: float, right: float, bottom: float) -> Ltrb:
    return (
        left / SCREEN.width,
        top / SCREEN.height,
        right / SCREEN.width,
        bottom / SCREEN.height,
    )


def _nearest(boxes: list[Ltrb], x: float, y: float) -> list[Ltrb]:
    """Returns the five boxes whose centres are nearest to a point; the first of equals."""

    def apart(box: Ltrb) -> float:
        across, down = (box[0] + box[2]) / 2 - x, (box[1] + box[3]) / 2 - y
        return float((across**2 + down**2) ** 0.5)

    return sorted(boxes, key=apart)[:NEAREST]


def _pixel(point: Any) -> tuple[int, int]:
    """Returns a point in thousandths in whole pixels of 1080x2400, cut and not rounded."""
    return int(point[0] * SCREEN.width / 1000), int(point[1] * SCREEN.height / 1000)


def _point(at: Any, family: str) -> list[Any]:
    """Returns a call's point in thousandths; pixels are cut to whole ones."""
    if family == QWEN25:
        return [int(at[0] * 1000 / SCREEN.width), int(at[1] * 1000 / SCREEN.height)]
    return [at[0], at[1]]


def _direction(across: float, down: float) -> str:
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"


def _answer(kind: str, **arguments: Any) -> dict[str, Any]:
    return {"name": "mobile", "action": kind, "arguments": arguments}


def _told(prediction: Prediction, size: Size | None) -> dict[str, Any] | Unreadable | CannotSay:
    native = prediction.native
    space = native.space if native is not None else QWEN3
    if native is not None and space in (QWEN25, QWEN3):
        return answer_in(native.value, space)
    known = native is None or space in ("pixels", "0-1000", "0-999") or space.startswith("resized:")
    if known and (tool_calls.MARK in prediction.raw or '"ToolCall"' in prediction.raw):
        in_pixels = space == "pixels" or space.startswith("resized:")
        return answer_in(prediction.raw, QWEN25 if in_pixels else QWEN3)
    if isinstance(prediction.parsed, Unreadable):
        return prediction.parsed
    return _as_answer(prediction, prediction.parsed, size)


def _as_answer(
    prediction: Prediction, parsed: a.Action, size: Size | None
) -> dict[str, Any] | Unreadable | CannotSay:
    """Returns an action of another dialect in the judge's form, its points not rounded."""
    told = tool_calls.as_arguments(prediction, parsed, size, Size(1000, 1000))
    if isinstance(told, CannotSay):
        return told
    if told["action"] == "open":
        return _answer("open_app", app=told["text"])
    return _of_call(told["action"], told, QWEN3)


def _unparsed(why: str, parts: dict[str, Value]) -> Verdict:
    return unreadable(why, {**parts, "label": "parse_fail"})


def _verdict(right: bool, rule: str, reason: str, parts: dict[str, Value], label: str) -> Verdict:
    if not label.endswith(("fail", "action")):
        label = f"{label}_{'correct' if right else 'fail'}"
    return decided(right, rule, reason, {**parts, "label": label})


def _count_read(verdict: Verdict, more: Counter[str]) -> None:
    if verdict.rule not in ("unreadable", "missing"):
        more["read"] += 1
        more["read right"] += verdict.outcome is Outcome.MATCH


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns step and type accuracy over all steps, and of those whose answer was parsed."""
    notes = ("The original's rows by action leave out the steps whose answer was not parsed.",)
    shares = {"step accuracy/parsed": ("read right", "read")}
    return accuracy(scored, _count_read, shares, notes)


V1 = ScoringProtocol(
    name="androidcontrol/clawgui",
    version="1",
    title="ClawGUI on AndroidControl",
    source="ZJU-REAL/ClawGUI@d990d3e, clawgui-eval/judge/androidcontrol_judge.py",
    quirks=(
        "The screen is 1080x2400, whatever it was: other screens are measured wrongly.",
        "The radius is the length of both 14 % lengths together, 368 pixels.",
        "Boxes near the prediction are asked, related to the gold point or not.",
        "Qwen2.5-VL's pixels are taken as those of the screen, though they are of a resized one.",
        "An app opened by Qwen3-VL, an end, Menu and Enter are parse failures.",
        "Points are cut to whole thousandths, then to whole pixels.",
        "How its gold points were rounded to thousandths is not told; here to the nearest.",
    ),
    counts=Counts(
        missing="wrong, a parse failure",
        unreadable="wrong, and not in the rows by action",
        unscored="left out",
        doubled="the first counts",
    ),
    gold=partial(gold, read=screen_of_any_tree),
    judge=judge,
    aggregate=aggregate,
)
V2 = with_trees_that_hold(V1, gold)
