"""AgentCPM-GUI's evaluator on GUIOdyssey, AITZ and CAGUI: one rule, two kinds of gold.

A click is right in a box that holds the gold point, made 1.2 times as large, or within 0.14 of the
gold point. GUIOdyssey's steps have no boxes there. All ways to stop are one, and a wait is one of
them. On AITZ, version 2 also judges CAGUI's codes 0 (a long press) and 1 (a wait), which have a
duration; version 1 left them out. The rules are described in `docs/protocols/guiodyssey.md`.

Source: eval/utils/evaluator.py, eval/utils/action_type.py and eval/eval_data/process_odyssey.py of
OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.native_boxes import YXHW
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import CannotSay, Counts, ScoringProtocol, unscored
from scoring.protocols import agentcpm_answers as cpm
from scoring.protocols import aitw
from scoring.protocols import aitw_answers as codes
from scoring.protocols import guiodyssey_steps as steps
from scoring.protocols.agentcpm_answers import CpmAction
from scoring.protocols.agentcpm_metrics import aggregate
from scoring.protocols.aitw_screen import ReadBoxes, boxes_of_any_tree, pixel_boxes
from scoring.protocols.guiodyssey_steps import OdysseyStep, short
from scoring.rounding import format_pair

DISTANCE_LIMIT = 0.14
SWIPE_DISTANCE = 0.04
LONG_POINT, NO_ACTION = 0, 1
SCALE = 1.2

Value = str | int | float | bool | None
_BUTTONS = {
    codes.PRESS_BACK: "back",
    codes.PRESS_HOME: "home",
    codes.PRESS_ENTER: "enter",
}


@dataclass(frozen=True, slots=True)
class CpmGold:
    """The gold that a prediction is compared with.

    Attributes:
        boxes: of the screen, (y, x, height, width) in fractions; empty if only distance counts.
        size: of the step's frame, for predictions in pixels.
    """

    action: CpmAction
    boxes: tuple[YXHW, ...] = ()
    size: Size | None = None


def odyssey_gold(step: Step, episode: Episode) -> CpmGold | CannotSay:
    """Returns the gold of a step as process_odyssey.py has it: without boxes, recents as home."""
    found = steps.gold(step, episode)
    return found if isinstance(found, CannotSay) else of_odyssey(found)


def of_odyssey(step: OdysseyStep) -> CpmGold:
    """Returns a step of GUIOdyssey with its action in AgentCPM-GUI's form."""
    return CpmGold(_action_of_step(step), size=step.size)


def aitz_gold(
    step: Step, episode: Episode, *, timed: bool, read: ReadBoxes = pixel_boxes
) -> CpmGold | CannotSay:
    """Returns the gold of a step from the codes and boxes of Android in the Wild, AITZ or CAGUI.

    Args:
        timed: whether codes 0 and 1 are judged, which have a duration.
        read: returns the boxes of a step that has none of its own.
    """
    found = aitw.gold(step, episode, read=read)
    if isinstance(found, CannotSay):
        return found
    action, code = found.action, found.action.code
    if timed and code in (LONG_POINT, NO_ACTION):
        return _timed_gold(step, found)
    if code == codes.DUAL_POINT:
        touch, lift = (action.touch[1], action.touch[0]), (action.lift[1], action.lift[0])
        if _distance(touch, lift) <= SWIPE_DISTANCE:
            return CpmGold(CpmAction("click", touch), found.boxes or (), found.size)
        return CpmGold(CpmAction("scroll", text=cpm.direction(touch, lift)), size=found.size)
    if code == codes.TYPE:
        return CpmGold(CpmAction("type", text=action.text), size=found.size)
    if code in _BUTTONS:
        return CpmGold(CpmAction("press", text=_BUTTONS[code]), size=found.size)
    if code in (codes.COMPLETE, codes.IMPOSSIBLE):
        return CpmGold(CpmAction("stop"), size=found.size)
    return CannotSay(f"the original stops here: it knows no {action}")


def _timed_gold(step: Step, found: aitw.AitwGold) -> CpmGold | CannotSay:
    told = step.native.value if step.native is not None else None
    if not isinstance(told, dict) or "duration" not in told:
        return CannotSay("the original stops here: it asks for the duration of codes 0 and 1")
    if found.action.code == NO_ACTION:
        return CpmGold(CpmAction("stop"), size=found.size)
    if found.boxes is None:
        return CannotSay("the boxes of the step's screen are unknown")
    y, x = found.action.touch
    return CpmGold(CpmAction("long_point", (x, y)), found.boxes, found.size)


def judge(prediction: Prediction | None, gold: CpmGold) -> Verdict:
    """Returns the verdict on one prediction."""
    if prediction is None:
        return unscored("missing", "There is no prediction; the original leaves such steps out.")
    action = _action_of(prediction, gold.size)
    if isinstance(action, CannotSay):
        return unscored("no-place", action.reason)
    if isinstance(action, Unreadable):
        reason = f"It has no kind: {action.reason}."
        parts = {"kind": gold.action.kind, "type": False, "parse": False}
        return _verdict(False, "unreadable", reason, {**parts})
    return judge_action(action, gold)


def judge_action(action: CpmAction, gold: CpmGold) -> Verdict:
    """Returns the verdict on an action."""
    wanted = gold.action
    parts: dict[str, Value] = {"kind": wanted.kind, "type": action.kind == wanted.kind}
    if action.kind != wanted.kind:
        reason = f"The gold is {_said(wanted)}, the prediction {_said(action)}."
        return _verdict(False, "type", reason, parts)
    if action.point is not None and wanted.point is not None:
        return _touch(action.point, wanted.point, gold.boxes, parts)
    if wanted.kind == "type":
        text, asked = action.text.lower().strip(), wanted.text.lower().strip()
        right = text in asked or asked in text
        reason = f"“{short(text)}” and “{short(asked)}”, in lower case: " + (
            "one is a part of the other." if right else "none is a part of the other."
        )
        return _verdict(right, "text-contains", reason, {**parts, "empty_text": not text})
    if wanted.kind in ("scroll", "press"):
        right = action.text == wanted.text
        what = "finger goes" if wanted.kind == "scroll" else "button is"
        reason = f"The gold's {what} {wanted.text}, the prediction's {action.text}."
        rule = "direction" if wanted.kind == "scroll" else "button"
        return _verdict(right, rule, reason, parts)
    return _verdict(True, "type", "Both stop; how is not compared, and a wait is a stop.", parts)


def enlarged(box: YXHW) -> YXHW:
    """Returns a box 1.2 times as large, its top left kept on the screen, in float64."""
    y, x, height, width = box
    taller, wider = (SCALE - 1) * height, (SCALE - 1) * width
    return (
        max(0, y - taller / 2),
        max(0, x - wider / 2),
        min(1, height + taller),
        min(1, width + wider),
    )


def _touch(
    point: tuple[float, float],
    gold: tuple[float, float],
    boxes: tuple[YXHW, ...],
    parts: dict[str, Value],
) -> Verdict:
    holding = [
        (number, box)
        for number, box in ((number, enlarged(box)) for number, box in enumerate(boxes))
        if _holds(box, gold)
    ]
    apart = _distance(point, gold)
    parts |= {
        "distance": apart if math.isfinite(apart) else None,
        "limit": DISTANCE_LIMIT,
        "gold_boxes": len(holding),
    }
    for number, box in holding:
        if _holds(box, point):
            reason = f"Box {number}, made 1.2 times as large, holds it and the gold point."
            return _verdict(True, "box", reason, {**parts, "box": number})
    where = "in none of the gold's boxes and " if holding else ""
    told, limit = format_pair(apart, DISTANCE_LIMIT)
    reason = f"It is {where}{told} of the screen from the gold point; the limit is {limit}."
    return _verdict(apart <= DISTANCE_LIMIT, "distance", reason, parts)


def _holds(box: YXHW, point: tuple[float, float]) -> bool:
    y, x, height, width = box
    return x <= point[0] <= x + width and y <= point[1] <= y + height


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Returns the norm in float64; rounded as numpy does where that decides."""
    across, down = one[0] - other[0], one[1] - other[1]
    apart = math.sqrt(across * across + down * down)
    if min(abs(apart - DISTANCE_LIMIT), abs(apart - SWIPE_DISTANCE)) > 1e-9:
        return apart
    import numpy as np

    with np.errstate(all="ignore"):
        return float(np.linalg.norm(np.array([across, down])))


def _action_of_step(step: OdysseyStep) -> CpmAction:
    match step.kind:
        case "CLICK" | "LONG_PRESS":
            x, y = step.point or (0.0, 0.0)
            kind = "click" if step.kind == "CLICK" else "long_point"
            return CpmAction(kind, (x / 1000, y / 1000))
        case "SCROLL":
            return CpmAction("scroll", text=step.argument.lower())
        case "TYPE":
            return CpmAction("type", text=step.argument)
        case "PRESS_BACK":
            return CpmAction("press", text="back")
        case "PRESS_HOME" | "PRESS_RECENT":
            return CpmAction("press", text="home")
    return CpmAction("stop")


def _action_of(prediction: Prediction, size: Size | None) -> CpmAction | Unreadable | CannotSay:
    native = prediction.native
    if native is not None and native.space == codes.SPACE:
        return _of_codes(codes.of_native(native.value))
    if native is None or native.space != "guiodyssey":
        if cpm.is_own_text(prediction.raw):
            return cpm.of_text(prediction.raw)
        if codes.is_own_text(prediction.raw):
            return _of_codes(codes.of_text(prediction.raw))
    answer = steps.answer_of(prediction, size)
    if isinstance(answer, Unreadable | CannotSay):
        return answer
    return cpm.of_answer(answer)


def _of_codes(action: codes.AitwAction | Unreadable) -> CpmAction | Unreadable:
    """Converts an action from codes to AgentCPM-GUI's form, in whole thousandths."""
    if isinstance(action, Unreadable):
        return action
    if action.code == codes.DUAL_POINT:
        start, end = _thousandths(action.touch), _thousandths(action.lift)
        if start is None or end is None:
            return Unreadable("its points are no numbers")
        if aitw.is_tap(action.touch, action.lift):
            return cpm.of_object({"POINT": start})
        return cpm.of_object({"POINT": start, "to": end})
    if action.code == codes.TYPE:
        return cpm.of_object({"TYPE": action.text})
    if action.code in _BUTTONS:
        return cpm.of_object({"PRESS": _BUTTONS[action.code].upper()})
    if action.code in (codes.COMPLETE, codes.IMPOSSIBLE):
        return CpmAction("stop")
    return Unreadable(f"AgentCPM-GUI has no {action}")


def _thousandths(place: codes.YX) -> list[int] | None:
    if not all(math.isfinite(number) for number in place):
        return None
    return [round(place[1] * 1000), round(place[0] * 1000)]


def _said(action: CpmAction) -> str:
    return f"{action.kind} {short(action.text)}".strip()


def _verdict(right: bool, rule: str, reason: str, parts: dict[str, Any]) -> Verdict:
    return Verdict(Outcome.MATCH if right else Outcome.MISMATCH, rule, reason, parts)


_COUNTS = Counts(
    missing="left out",
    unreadable="wrong",
    unscored="left out",
    doubled="each row counts",
)
_QUIRKS = (
    "All ways to stop are one; a wait, a cleared field and an opened link are stops, too.",
    "Texts are compared in lower case; one being a part of the other is enough, the empty one too.",
    "Whatever the schema refuses has no kind: points off the screen, fractions of a thousandth.",
    "An episode is as long as it has judged steps; a missing one does not fail it.",
)
_SOURCE = "OpenBMB/AgentCPM-GUI@acbaf50, eval/utils/evaluator.py"
ODYSSEY = ScoringProtocol(
    name="guiodyssey/agentcpm",
    version="1",
    title="AgentCPM-GUI on GUIOdyssey",
    source=f"{_SOURCE} and eval/eval_data/process_odyssey.py",
    quirks=(
        "There is no region rule.",
        "The recents key is the home key in the gold, and never right when predicted.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=odyssey_gold,
    judge=judge,
    aggregate=aggregate,
)


def _on_aitz(version: str, title: str, quirk: str) -> ScoringProtocol:
    return ScoringProtocol(
        name="aitz/agentcpm",
        version=version,
        title=title,
        source=_SOURCE,
        quirks=(
            "Boxes are made 1.2 times as large, not 2.4 times, and only those that hold the gold "
            "touch are asked.",
            "Scrolls are compared in four directions.",
            quirk,
            *_QUIRKS,
        ),
        counts=_COUNTS,
        gold=partial(
            aitz_gold,
            timed=version == "2",
            read=pixel_boxes if version == "2" else boxes_of_any_tree,
        ),
        judge=judge,
        aggregate=aggregate,
    )


AITZ = _on_aitz(
    "2",
    "AgentCPM-GUI on AITZ and CAGUI",
    "Code 0 is a long press and code 1 a wait, which is a stop; on other codes, such as 12 of "
    "CAGUI, the original stops.",
)
AITZ_1 = _on_aitz(
    "1",
    "AgentCPM-GUI on AITZ, without codes 0 and 1",
    "Codes 0 and 1 of CAGUI are left out; the original judges them.",
)
