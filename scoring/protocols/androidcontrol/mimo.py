"""MiMo's rule in its copy of lmms-eval: AgentCPM-GUI's clicks, other words, and apps by name.

An answer is JSON in a fence; of a list the first action counts. Points are pixels of the screen:

    ```json
    [{"action": "click", "start_point": [540, 390]}]
    ```

The rules are described in `docs/protocols/androidcontrol.md`.

Source: lmms_eval/tasks/android_control/utils.py, lmms_eval/tasks/_task_utils/gui_utils.py of
XiaomiMiMo/lmms-eval at c3abd7b.
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
from episodes.verdicts import Verdict
from scoring.protocol import CannotSay, Counts, Metrics, ScoredStep, ScoringProtocol, unscored
from scoring.protocols.androidcontrol import actions as ac
from scoring.protocols.androidcontrol import tool_calls, touches
from scoring.protocols.androidcontrol.counting import accuracy
from scoring.protocols.androidcontrol.elements import (
    ReadScreen,
    Screen,
    screen_of,
    screen_of_any_tree,
    with_trees_that_hold,
)
from scoring.protocols.androidcontrol.touches import YXHW
from scoring.protocols.androidcontrol.verdicts import (
    FAILURES,
    Value,
    decided,
    either_contains,
    finite,
    missing,
    short,
    stops,
    unreadable,
)
from scoring.rounding import format_pair

SPACE = "mimo"
FENCE = "```json"
DISTANCE_LIMIT = 0.04
NO_DIRECTION = "no direction"
_KINDS = {"click": "click", "long_press": "longpress", "scroll": "scroll", "open_app": "open"}


@dataclass(frozen=True, slots=True)
class MimoGold:
    """The gold that a prediction is compared with.

    Attributes:
        action: in the words of the converted set, its point in fractions of the screen.
        boxes: of the tree, seen or not, and of its windows.
        size: of the screen, which the prediction's pixels are of.
    """

    action: dict[str, Any]
    boxes: tuple[YXHW, ...]
    size: Size


def gold(step: Step, episode: Episode, *, read: ReadScreen = screen_of) -> MimoGold | CannotSay:
    """Returns the gold of a step: its action, and every box of its tree."""
    action, size = ac.gold_action(step), ac.size_of(step)
    if isinstance(action, CannotSay):
        return action
    if size is None:
        return CannotSay("the step has no frame to measure points in")
    screen = read(step)
    if isinstance(screen, CannotSay) and action["action_type"] in ac.POINTED:
        return screen
    boxes = screen.boxes if isinstance(screen, Screen) else ()
    fractions = tuple(touches.yxhw(box, size.width, size.height) for box in boxes)
    return MimoGold(action_of(action, size), fractions, size)


def action_of(action: ac.ActionJson, size: Size) -> dict[str, Any]:
    """Returns an action of the data set's JSON in the words of the converted set.

    A scroll keeps the data set's direction, where the content goes.
    """
    kind = action["action_type"]
    match kind:
        case "click" | "long_press":
            at = [action["x"] / size.width, action["y"] / size.height]
            return {"action_name": _KINDS[kind], "start_point": at}
        case "scroll":
            return {"action_name": "scroll", "direction": action["direction"]}
        case "input_text" | "type" | "type_text":
            return {"action_name": "input", "text": action["text"]}
        case "open_app":
            return {"action_name": "open", "app_name": action["app_name"]}
        case "navigate_back" | "navigate_home":
            return {"action_name": "press", "keys": [kind.removeprefix("navigate_")]}
        case "status":
            return {"action_name": "finished", "status": action.get("goal_status")}
    return {"action_name": kind}


def judge(prediction: Prediction | None, gold: MimoGold) -> Verdict:
    """Returns the verdict on one prediction."""
    parts: dict[str, Value] = {"kind": str(gold.action["action_name"])}
    if prediction is None:
        return missing(parts, counted=True)
    said = _said(prediction, gold.size)
    if isinstance(said, Unreadable):
        return unreadable(said.reason, parts)
    if isinstance(said, CannotSay):
        return unscored("no-place", said.reason)
    return judge_text(said, gold) if isinstance(said, str) else judge_told(said, gold)


def judge_text(said: str, gold: MimoGold) -> Verdict:
    """Returns the verdict on a model's whole text."""
    try:
        told = action_in(said)
    except FAILURES as error:
        parts: dict[str, Value] = {"kind": str(gold.action["action_name"])}
        return unreadable("there is no action in JSON", parts, error)
    return judge_told(told, gold)


def action_in(said: str) -> Any:
    """Returns the first action of a text: from the first fence to the last, else from the first
    `{"action":` to the last brace.

    Raises:
        LookupError, TypeError, ValueError, RecursionError: there is none.
    """
    if len(said) > tool_calls.MAX_TEXT:
        raise ValueError("the text is too long")
    if FENCE in said:
        start = said.index(FENCE) + len(FENCE)
        told = json.loads(said[start : said.rindex("```", start)].strip())
    else:
        told = json.loads(said[said.find('{"action":') : said.rfind("}") + 1])
    return told[0] if isinstance(told, list) else told


def judge_told(decoded: Any, gold: MimoGold) -> Verdict:
    """Returns the verdict on a model's action, in pixels."""
    parts: dict[str, Value] = {"kind": str(gold.action["action_name"])}
    try:
        converted = converted_from(decoded, gold.size)
    except FAILURES as error:
        return unreadable("the action cannot be converted", parts, error)
    if converted["action_name"] == "":
        return unreadable("the action has no name", parts)
    try:
        return _judged(converted, gold, parts)
    except FAILURES as error:
        return stops(error, "the action has not what its kind asks for", parts)


def converted_from(decoded: dict[str, Any], size: Size) -> dict[str, Any]:
    """Returns a model's action in the set's words: points in fractions, a drag as a scroll.

    A scroll's word has up and down changed; left and right stay.
    """
    converted = {key: value for key, value in decoded.items() if key not in ("action", "app")}
    converted["action_name"] = decoded["action"]
    for key in ("start_point", "end_point"):
        if key in decoded:
            converted[key] = [decoded[key][0] / size.width, decoded[key][1] / size.height]
    if "app" in decoded:
        converted["app_name"] = decoded["app"]
    if decoded.get("direction") in ("up", "down"):
        converted["direction"] = ac.OPPOSITE[decoded["direction"]]
    if decoded["action"] == "drag":
        converted["action_name"] = "scroll"
        converted["direction"] = _content(converted["start_point"], converted["end_point"])
    return converted


def _judged(decoded: dict[str, Any], gold: MimoGold, parts: dict[str, Value]) -> Verdict:
    kind, wanted = decoded["action_name"], gold.action["action_name"]
    parts["type"] = kind == wanted
    if kind != wanted:
        return decided(False, "type", f"The gold is {wanted}, the prediction {short(kind)}.", parts)
    match wanted:
        case "click" | "longpress":
            if decoded["start_point"] is None:
                return _parse_error(parts)
            return _touch(decoded["start_point"], gold, parts)
        case "input":
            if decoded["text"] is None:
                return _parse_error(parts)
            return either_contains(decoded["text"], gold.action["text"], parts)
        case "scroll" | "press" | "open":
            key = {"scroll": "direction", "press": "keys", "open": "app_name"}[wanted]
            if decoded[key] is None:
                return _parse_error(parts)
            right = decoded[key] == gold.action[key]
            reason = f"The gold's {key} is {short(gold.action[key])}, the prediction's "
            reason += f"{short(decoded[key])}."
            return decided(right, key.replace("_", "-"), reason, parts)
    return decided(True, "type", f"Both are {wanted}; no more is compared.", parts)


def _parse_error(parts: dict[str, Value]) -> Verdict:
    reason = "What its kind asks for is null."
    return decided(False, "unreadable", reason, {**parts, "parse": False})


def _touch(point: list[float], gold: MimoGold, parts: dict[str, Value]) -> Verdict:
    return nearest_touch((point[0], point[1]), tuple(gold.action["start_point"]), gold.boxes, parts)


def nearest_touch(
    point: tuple[float, float],
    wanted: tuple[float, ...],
    boxes: tuple[YXHW, ...],
    parts: dict[str, Value],
) -> Verdict:
    """Returns the verdict on a point in fractions: in one of the five boxes whose centres are
    nearest to the gold point, each made 1.2 times as large, or within 0.04 of the gold point."""
    x, y = wanted
    larger = [touches.enlarged(box) for box in boxes]
    for number, box in enumerate(touches.nearest(larger, x, y)):
        if touches.holds(box, *point):
            holding = "holds" if touches.holds(box, x, y) else "does not hold"
            reason = f"Box {number} of the five nearest to the gold point, made 1.2 times as "
            reason += f"large, holds it; that box {holding} the gold point."
            return decided(True, "nearest-box", reason, parts, {"box": number})
    apart = touches.norm(x - point[0], y - point[1], DISTANCE_LIMIT)
    said, limit = format_pair(apart, DISTANCE_LIMIT)
    reason = f"It is in none of the five nearest boxes and {said} of the screen from the gold "
    reason += f"point; the limit is {limit}."
    measured: dict[str, Value] = {"distance": finite(apart), "limit": DISTANCE_LIMIT}
    return decided(apart <= DISTANCE_LIMIT, "distance", reason, parts, measured)


def _content(start: list[float], end: list[float]) -> str:
    """Returns where the content goes when a finger goes from start to end, by the largest cosine in
    fractions of the sides; vertical on a tie."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = math.sqrt(across**2 + down**2)
    if length == 0:
        return NO_DIRECTION
    ways = {"up": down, "down": -down, "left": across, "right": -across}
    return max(ways, key=lambda way: ways[way] / length)


def _said(prediction: Prediction, size: Size) -> Any:
    own = ac.own_answer(prediction, SPACE, (FENCE, '"action"'))
    if own is not None:
        return own
    if isinstance(prediction.parsed, Unreadable):
        return prediction.parsed
    return _as_action(prediction, prediction.parsed, size)


def _as_action(prediction: Prediction, parsed: a.Action, size: Size) -> dict[str, Any] | CannotSay:
    """Converts an action of another dialect to MiMo's form, without rounding its points."""
    told = tool_calls.as_arguments(prediction, parsed, size, size)
    if isinstance(told, CannotSay):
        return told
    match parsed:
        case a.Tap():
            return {"action": "click", "start_point": told["coordinate"]}
        case a.LongPress():
            return {"action": "longpress", "start_point": told["coordinate"]}
        case a.Swipe() | a.Scroll():
            start, end = told["coordinate"], told["coordinate2"]
            return {"action": "drag", "start_point": start, "end_point": end}
        case a.TypeText(text):
            return {"action": "input", "text": text}
        case a.PressKey(key):
            return {"action": "press", "keys": [key.value]}
        case a.OpenApp(app):
            return {"action": "open", "app": app}
        case a.Finish(ending):
            return {"action": "finished", "status": ending.value}
    return {"action": a.describe_kind(parsed)}


def _count_read(verdict: Verdict, more: Counter[str]) -> None:
    more["all"] += 1
    more["parse errors"] += verdict.rule == "unreadable"


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns step and type accuracy, and the share of parse errors, as means over the steps."""
    return accuracy(scored, _count_read, {"parse_error": ("parse errors", "all")})


V1 = ScoringProtocol(
    name="androidcontrol/mimo",
    version="1",
    title="MiMo (lmms-eval) on AndroidControl",
    source="XiaomiMiMo/lmms-eval@c3abd7b, lmms_eval/tasks/android_control/utils.py",
    quirks=(
        "A point counts in the five boxes nearest to the gold point, which need not hold it.",
        "Windows and elements nobody sees have boxes, too: some are as large as the screen.",
        "A scroll told by a word has up and down changed, left and right not.",
        "An app's name must be equal, letter for letter; texts may be a part of each other.",
        "Any end is right at the end, whatever its status.",
        "An action without what its kind asks for ends the original's run.",
    ),
    counts=Counts(
        missing="wrong",
        unreadable="wrong, a parse error",
        unscored="left out",
        doubled="the first counts",
    ),
    gold=partial(gold, read=screen_of_any_tree),
    judge=judge,
    aggregate=aggregate,
)
V2 = with_trees_that_hold(V1, gold)
