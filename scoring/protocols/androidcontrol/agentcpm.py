"""AgentCPM-GUI's evaluator on AndroidControl, with and without its flag for it.

With `--eval_android_control` a click is right in one of the five boxes nearest to the gold point,
or within 0.04 of it; without, in a box that holds the gold point, or within 0.14. A step's boxes
are all of the dump, its windows' too. The rules are described in
`docs/protocols/androidcontrol.md`.

Source: eval/utils/evaluator.py and eval/eval_data/process_ac.py of OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from episodes import actions as a
from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Verdict
from scoring.ends import end_after
from scoring.protocol import CannotSay, Counts, ScoringProtocol, unscored
from scoring.protocols import agentcpm
from scoring.protocols import agentcpm_answers as cpm
from scoring.protocols.agentcpm import CpmGold
from scoring.protocols.agentcpm_answers import CpmAction
from scoring.protocols.agentcpm_metrics import aggregate
from scoring.protocols.androidcontrol import actions as ac
from scoring.protocols.androidcontrol import touches
from scoring.protocols.androidcontrol.elements import (
    ReadScreen,
    Screen,
    screen_of,
    screen_of_any_tree,
    with_trees_that_hold,
)
from scoring.protocols.androidcontrol.mimo import nearest_touch
from scoring.protocols.androidcontrol.touches import YXHW
from scoring.protocols.androidcontrol.verdicts import Value, missing, unreadable

SPACE = "agentcpm"


def gold(step: Step, episode: Episode, *, read: ReadScreen = screen_of) -> CpmGold | CannotSay:
    """Returns the gold of a step as process_ac.py makes it, with every box of its tree."""
    action, size = ac.gold_action(step), ac.size_of(step)
    if isinstance(action, CannotSay):
        return action
    if action["action_type"] not in ac.POINTED:
        return gold_of(action, (), size)
    if size is None:
        return CannotSay("the step has no frame to measure its point in")
    screen = read(step)
    if not isinstance(screen, Screen):
        return screen
    boxes = tuple(touches.yxhw(box, size.width, size.height) for box in screen.boxes)
    return gold_of(action, boxes, size)


def gold_of(
    action: ac.ActionJson, boxes: tuple[YXHW, ...], size: Size | None
) -> CpmGold | CannotSay:
    """Returns the gold of an action of the data set's JSON: a long press is a click, a wait a stop.

    Args:
        boxes: of the screen, in fractions.
    """
    kind = action["action_type"]
    match kind:
        case "click" | "long_press":
            if size is None:
                return CannotSay("the step has no frame to measure its point in")
            at = (action["x"] / size.width, action["y"] / size.height)
            return CpmGold(CpmAction("click", at), boxes, size)
        case "scroll":
            return CpmGold(CpmAction("scroll", text=ac.OPPOSITE[action["direction"]]), size=size)
        case "input_text" | "type" | "type_text":
            return CpmGold(CpmAction("type", text=action["text"]), size=size)
        case "navigate_back" | "navigate_home":
            button = kind.removeprefix("navigate_")
            return CpmGold(CpmAction("press", text=button), size=size)
        case "wait" | "status":
            return CpmGold(CpmAction("stop"), size=size)
    return CannotSay(f"the original's conversion drops {kind}")


def judge(prediction: Prediction | None, gold: CpmGold, *, flag: bool) -> Verdict:
    """Returns the verdict on one prediction.

    Args:
        flag: whether the original is run with `--eval_android_control`.
    """
    parts: dict[str, Value] = {"kind": gold.action.kind}
    if prediction is None:
        return missing(parts, counted=False)
    action = _action_of(prediction, gold.size)
    if isinstance(action, CannotSay):
        return unscored("no-place", action.reason)
    if isinstance(action, Unreadable):
        return unreadable(action.reason, parts)
    return judge_action(action, gold, flag=flag)


def judge_action(action: CpmAction, gold: CpmGold, *, flag: bool) -> Verdict:
    """Returns the verdict on an action."""
    wanted = gold.action
    if not flag or action.kind != wanted.kind or action.point is None or wanted.point is None:
        return agentcpm.judge_action(action, gold)
    parts: dict[str, Value] = {"kind": wanted.kind, "type": True}
    return nearest_touch(action.point, wanted.point, gold.boxes, parts)


def _action_of(prediction: Prediction, size: Size | None) -> CpmAction | Unreadable | CannotSay:
    native = prediction.native
    if native is not None and native.space == SPACE:
        told = native.value
        return cpm.of_text(told) if isinstance(told, str) else cpm.of_object(told)
    if cpm.is_own_text(prediction.raw):
        return cpm.of_text(prediction.raw)
    if isinstance(prediction.parsed, Unreadable):
        return prediction.parsed
    return _as_action(prediction, prediction.parsed, size)


def _as_action(
    prediction: Prediction, parsed: a.Action, size: Size | None
) -> CpmAction | Unreadable | CannotSay:
    """Converts an action of another dialect to AgentCPM-GUI's form, in whole thousandths."""
    own = ac.own_numbers(prediction.native, size)
    match parsed:
        case a.Tap() | a.LongPress():
            at = a.place(parsed)
            if at is None or size is None:
                return CannotSay("the prediction's point is not known in a frame")
            x, y = own[0] if own else (at.x, at.y)
            point = [round(x * 1000 / size.width), round(y * 1000 / size.height)]
            tap = isinstance(parsed, a.Tap)
            return cpm.of_object({"POINT": point, "duration": cpm.TAP_MS if tap else cpm.LONG_MS})
        case a.Swipe() | a.Scroll():
            return cpm.of_object({"POINT": [500, 500], "to": parsed.direction.value})
        case a.TypeText(text):
            return cpm.of_object({"TYPE": text})
        case a.PressKey(a.Key.RECENTS):
            return cpm.of_object({"PRESS": "APPSELECT"})
        case a.PressKey(key):
            return cpm.of_object({"PRESS": key.value.upper()})
        case a.Wait():
            return cpm.of_object({"duration": cpm.LONG_MS})
        case a.Finish(ending):
            finished = ending is a.Ending.COMPLETE
            return cpm.of_object({"STATUS": "finish" if finished else "impossible"})
    return Unreadable(f"AgentCPM-GUI has no {a.describe_kind(parsed)}")


_COUNTS = Counts(
    missing="left out",
    unreadable="wrong",
    unscored="left out",
    doubled="the first counts",
)
_QUIRKS = (
    "A gold long press is stored as a tap: a long press there is of the wrong kind, a tap right.",
    "Opening an app is not in its step set.",
    "All ways to stop are one, and a wait is one of them.",
    "An end is put behind each episode and judged where the run answers it.",
    "Texts are compared in lower case; one being a part of the other is enough, the empty one too.",
    "Windows and elements nobody sees have boxes, too: some are as large as the screen.",
    "Whatever the schema refuses has no kind: points off the screen, fractions of a thousandth.",
)
_SOURCE = "OpenBMB/AgentCPM-GUI@acbaf50, eval/utils/evaluator.py and eval/eval_data/process_ac.py"
V1 = ScoringProtocol(
    name="androidcontrol/agentcpm",
    version="1",
    title="AgentCPM-GUI on AndroidControl",
    source=_SOURCE,
    quirks=(
        "A point counts in the five boxes nearest to the gold point, which need not hold it.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=partial(gold, read=screen_of_any_tree),
    judge=partial(judge, flag=True),
    aggregate=aggregate,
    end=end_after,
)
V2 = with_trees_that_hold(V1, gold)
WITHOUT_FLAG = replace(
    V1,
    name="androidcontrol/agentcpm-no-flag",
    title="AgentCPM-GUI on AndroidControl, run without --eval_android_control",
    quirks=(
        "Only the boxes that hold the gold point count, and a distance of 0.14: the same file gets "
        "another score from one flag.",
        *_QUIRKS,
    ),
    judge=partial(judge, flag=False),
)
WITHOUT_FLAG_V2 = with_trees_that_hold(WITHOUT_FLAG, gold)
