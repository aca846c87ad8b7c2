"""The rule of Qwen2.5-VL's script, as InfiGUI-R1 published it.

A click is right in any candidate box made 1.2 times as large, or near the gold point: within 0.04
of the longer side, in pixels of the picture the model saw. Every error is swallowed, and its step
counts as wrong. The gold's form is the script's own:

    {"action": "click", "coordinate": [540, 390], "candidate_bbox": [[494, 365, 586, 416]]}

An answer is a call of `mobile_use` in pixels of the resized picture. The rules are described in
`docs/protocols/androidcontrol.md`.

Source: eval/android_control/evaluate_android_control.py and android_control.py of
InfiXAI/InfiGUI-R1 at a4fca17, which says that it adapts the Qwen2.5-VL gist.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

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
    Screen,
    candidates,
    named_like,
    screen_of,
    screen_of_any_tree,
    with_trees_that_hold,
)
from scoring.protocols.androidcontrol.verdicts import (
    FAILURES,
    Value,
    decided,
    either_contains,
    finite,
    missing,
    short,
    unreadable,
)
from scoring.rounding import format_pair

SPACE = "qwen25vl"
MAX_PIXELS = 6400 * 28 * 28
ENLARGEMENT = 1.2
DISTANCE_LIMIT = 0.04

_HEAD = '{"name": "mobile_use", "arguments":'
_BUTTONS = {"navigate_back": "Back", "navigate_home": "Home"}


@dataclass(frozen=True, slots=True)
class QwenGold:
    """The gold that a prediction is compared with.

    Attributes:
        check: the script's own parameters of the step, in pixels of the screenshot.
        size: of the screenshot.
        picture: size of the resized picture that the model's pixels are of.
    """

    check: dict[str, Any]
    size: Size
    picture: Size


def gold(step: Step, episode: Episode, *, read: ReadScreen = screen_of) -> QwenGold | CannotSay:
    """Returns the gold of a step: published candidates, or those its tree has."""
    action, size = ac.gold_action(step), ac.size_of(step)
    if isinstance(action, CannotSay):
        return action
    if size is None:
        return CannotSay("the step has no frame to measure points in")
    check = check_of(action, step, read)
    if isinstance(check, CannotSay):
        return check
    return QwenGold(check, size, tool_calls.picture_size(size, MAX_PIXELS))


def check_of(
    action: ac.ActionJson, step: Step, read: ReadScreen = screen_of
) -> dict[str, Any] | CannotSay:
    """Returns the script's parameters for an action of the data set's JSON.

    A scroll keeps the data set's word, as the published rows do, though the script holds a finger
    against it.
    """
    kind = action["action_type"]
    match kind:
        case "click" | "long_press":
            boxes = candidates_of(action, step, read)
            if isinstance(boxes, CannotSay):
                return boxes
            point = [action["x"], action["y"]]
            return {"action": kind, "coordinate": point, "candidate_bbox": boxes}
        case "scroll":
            return {"action": "swipe", "direction": action["direction"]}
        case "input_text" | "type" | "type_text":
            return {"action": "type", "text": action["text"]}
        case "open_app":
            boxes = candidates_of(action, step, read)
            known = [] if isinstance(boxes, CannotSay) else boxes
            return {"action": "open", "text": action["app_name"], "candidate_bbox": known}
        case "navigate_back" | "navigate_home":
            return {"action": "system_button", "button": _BUTTONS[kind]}
        case "wait":
            return {"action": "wait"}
    return CannotSay("its step set has no ends, and the script raises on them")


def candidates_of(
    action: ac.ActionJson, step: Step, read: ReadScreen = screen_of
) -> Any | CannotSay:
    """Returns a step's candidate boxes in pixels: published ones as they are (some are null), else
    from its tree.

    Of a touch they are the visible elements that contain the point, of an app those that are called
    like it.
    """
    if "candidate_bbox" in action:
        return action["candidate_bbox"]
    screen = read(step)
    if not isinstance(screen, Screen):
        return screen
    if action["action_type"] == "open_app":
        return [list(box) for box in named_like(screen.elements, action["app_name"])]
    return [list(box) for box in candidates(screen, action["x"], action["y"])]


def judge(prediction: Prediction | None, gold: QwenGold) -> Verdict:
    """Returns the verdict on one prediction."""
    parts: dict[str, Value] = {"kind": str(gold.check.get("action"))}
    if prediction is None:
        return missing(parts, counted=True)
    said, picture = _said(prediction, gold)
    if isinstance(said, Unreadable):
        return unreadable(said.reason, parts)
    if isinstance(said, CannotSay):
        return unscored("no-place", said.reason)
    if isinstance(said, str):
        return judge_text(said, QwenGold(gold.check, gold.size, picture))
    return judge_arguments(said, QwenGold(gold.check, gold.size, picture))


def judge_text(said: str, gold: QwenGold) -> Verdict:
    """Returns the verdict on a model's whole text."""
    try:
        arguments = arguments_in(said)
    except FAILURES as error:
        return unreadable("there is no tool call", {"kind": str(gold.check.get("action"))}, error)
    return judge_arguments(arguments, gold)


def arguments_in(said: str) -> Any:
    """Returns the arguments of the first call in a text, thoughts left out.

    Raises:
        LookupError, TypeError, ValueError, RecursionError: there is none.
    """
    if len(said) > tool_calls.MAX_TEXT:
        raise ValueError("the text is too long")
    told = said.split("</think>")[-1]
    if "<tool_call>" in told:
        told = told.split("<tool_call>")[1]
    else:
        told = _HEAD + told.split(_HEAD, 1)[1]
    if "</tool_call>" in told:
        told = told.split("</tool_call>")[0]
    else:
        told = told.split("<conclusion>")[0].rsplit("}}", 1)[0] + "}}"
    return json.loads(told.strip())["arguments"]


def judge_arguments(arguments: Any, gold: QwenGold) -> Verdict:
    """Returns the verdict on a call's arguments, in pixels of the gold's picture."""
    parts: dict[str, Value] = {"kind": str(gold.check.get("action"))}
    try:
        told = _in_fractions(arguments, gold.picture)
        check = _in_fractions(gold.check, gold.size)
        return _judged(told, check, gold.picture, parts)
    except FAILURES as error:
        why = "the call cannot be held against the gold, and the script counts that as wrong"
        return unreadable(why, {**parts}, error)


def _judged(
    decoded: dict[str, Any], check: dict[str, Any], picture: Size, parts: dict[str, Value]
) -> Verdict:
    wanted = check["action"]
    if wanted not in ("wait", "system_button", "type", "open", "swipe", "long_press", "click"):
        raise NotImplementedError(wanted)
    kind = decoded["action"]
    parts |= {"type": kind == wanted, "predicted": short(kind)}
    if wanted == "open" and kind == "click" and len(check.get("candidate_bbox", [])) > 0:
        parts["type"] = True
        return _opened_by_click(decoded, check, picture, parts)
    if kind != wanted:
        return decided(False, "type", f"The gold is {wanted}, the prediction {short(kind)}.", parts)
    match wanted:
        case "system_button":
            right = check["button"].lower().strip() == decoded["button"].lower().strip()
            reason = (
                f"The gold's button is {check['button']}, the prediction's {decoded['button']}."
            )
            return decided(right, "button", reason, parts)
        case "type" | "open":
            return either_contains(decoded["text"], check["text"], parts)
        case "swipe":
            way = _direction(decoded["coordinate"], decoded["coordinate2"])
            reason = f"The finger goes {way}; the gold's word is {check['direction']}, which the "
            reason += "data set means of the content."
            return decided(way == check["direction"], "direction", reason, parts)
        case "wait":
            return decided(True, "type", "Both wait; how long is not compared.", parts)
    boxes = check["candidate_bbox"]
    return _touch(decoded["coordinate"], boxes, check["coordinate"], picture, parts)


def _opened_by_click(
    decoded: dict[str, Any], check: dict[str, Any], picture: Size, parts: dict[str, Value]
) -> Verdict:
    boxes = check["candidate_bbox"]
    left, top, right, bottom = boxes[0]
    centre = [(left + right) / 2, (top + bottom) / 2]
    return _touch(decoded["coordinate"], boxes, centre, picture, parts)


def _touch(
    click: Sequence[float],
    boxes: Sequence[Sequence[float]],
    point: Sequence[float],
    picture: Size,
    parts: dict[str, Value],
) -> Verdict:
    for number, box in enumerate(boxes):
        left, top, right, bottom = enlarged(box)
        if left <= click[0] <= right and top <= click[1] <= bottom:
            reason = f"Candidate box {number}, made 1.2 times as large, holds it."
            return decided(True, "box", reason, parts, {"box": number})
    across = (point[0] - click[0]) * picture.width
    down = (point[1] - click[1]) * picture.height
    apart = math.sqrt(across**2 + down**2)
    limit = DISTANCE_LIMIT * max(picture.width, picture.height)
    said, most = format_pair(apart, limit)
    reason = f"It is {said} pixels of the resized picture from the gold point; the limit is {most}."
    measured: dict[str, Value] = {"distance": finite(apart), "limit": limit}
    return decided(apart <= limit, "distance", reason, parts, measured)


def enlarged(box: Sequence[float]) -> tuple[float, float, float, float]:
    """Returns a box (left, top, right, bottom) 1.2 times as large about its centre, not clipped."""
    left, top, right, bottom = box
    x, y = (left + right) / 2, (top + bottom) / 2
    width, height = (right - left) * ENLARGEMENT, (bottom - top) * ENLARGEMENT
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _direction(start: Sequence[float], end: Sequence[float]) -> str:
    """Returns where a finger goes in fractions of the sides; vertical on a tie, up without move."""
    across, down = end[0] - start[0], end[1] - start[1]
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"


def _in_fractions(decoded: dict[str, Any], size: Size) -> dict[str, Any]:
    """Returns an action with its points and boxes divided by a picture's sides."""
    scaled = dict(decoded) if isinstance(decoded, dict) else decoded
    if "candidate_bbox" in decoded:
        scaled["candidate_bbox"] = [
            [
                box[0] / size.width,
                box[1] / size.height,
                box[2] / size.width,
                box[3] / size.height,
            ]
            for box in decoded["candidate_bbox"]
        ]
    for key in ("coordinate", "coordinate2"):
        if key in decoded:
            scaled[key] = [decoded[key][0] / size.width, decoded[key][1] / size.height]
    return scaled


def _said(prediction: Prediction, gold: QwenGold) -> tuple[Any, Size]:
    """Returns a text or a call's arguments, and the picture its pixels are of."""
    picture = gold.picture
    if prediction.native is not None:
        picture = ac.resized(prediction.native.space) or picture
        if picture is not gold.picture and tool_calls.MARK in prediction.raw:
            return prediction.raw, picture
    own = ac.own_answer(prediction, SPACE, (tool_calls.MARK,))
    if own is not None:
        return own, picture
    if isinstance(prediction.parsed, Unreadable):
        return prediction.parsed, picture
    return tool_calls.as_arguments(prediction, prediction.parsed, gold.size, picture), picture


def _count_clicks(verdict: Verdict, more: Counter[str]) -> None:
    right = verdict.outcome is Outcome.MATCH
    more["right clicks"] += right and verdict.parts.get("predicted") == "click"
    more["clicks"] += verdict.parts.get("kind") == "click" and verdict.rule != "unreadable"


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns step and type accuracy over all steps, and the script's accuracy of clicks."""
    notes = ("click_match_acc counts clicks that open an app above the line and not below it.",)
    return accuracy(scored, _count_clicks, {"click_match_acc": ("right clicks", "clicks")}, notes)


V1 = ScoringProtocol(
    name="androidcontrol/qwen25vl",
    version="1",
    title="Qwen2.5-VL's script on AndroidControl, as InfiGUI-R1 has it",
    source="InfiXAI/InfiGUI-R1@a4fca17, eval/android_control/evaluate_android_control.py",
    quirks=(
        "The gold's scroll word means the content and is held against the finger: the physically "
        "right swipe is wrong.",
        "Candidate boxes are published without a rule; steps without them get the visible elements "
        "at the gold point, among them page-sized ones.",
        "A click opens an app when it hits a candidate box, which the keys of a keyboard can be.",
        "Texts are compared in lower case; one being a part of the other is enough, the empty one "
        "too.",
        "Errors are swallowed and counted as wrong, a gold without candidates (null) among them.",
        "There is no end step: its set has 8,444 steps.",
    ),
    counts=Counts(
        missing="wrong",
        unreadable="wrong",
        unscored="left out",
        doubled="the first counts",
    ),
    gold=partial(gold, read=screen_of_any_tree),
    judge=judge,
    aggregate=aggregate,
)
V2 = with_trees_that_hold(V1, gold)
