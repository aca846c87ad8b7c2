"""Our side of a comparison with the AndroidControl oracles: their cases put into our values."""

from __future__ import annotations

from typing import Any

from episodes.actions import Wait
from episodes.geometry import Size
from episodes.runs import Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import CannotSay, unscored
from scoring.protocols import agentcpm_answers
from scoring.protocols.androidcontrol import (
    agentcpm,
    clawgui,
    gui_r1,
    mimo,
    os_atlas,
    paper,
    qwen25vl,
    touches,
    uground,
)
from scoring.protocols.androidcontrol.elements import Element, Screen
from scoring.protocols.androidcontrol.verdicts import unreadable

Case = dict[str, Any]
TOLD_TO_STOP = ("uground", "os-atlas")  # the oracles of the others count such a step as wrong


def ours(evaluator: str, case: Case) -> bool | None:
    """Returns whether we call a case right; None if we do not say, or the original stops."""
    found = verdict(evaluator, case)
    if found.outcome is Outcome.UNSCORED or (found.rule == "stops" and evaluator in TOLD_TO_STOP):
        return None
    return found.outcome is Outcome.MATCH


def verdict(evaluator: str, case: Case) -> Verdict:
    """Returns our verdict on a case of an evaluator."""
    return _JUDGES[evaluator](**case["arguments"])


def _size(gold: Case) -> Size:
    return Size(*gold["size"])


def _paper(gold: Case, prediction: Case | None) -> Verdict:
    elements = paper.kept_by_authors(Screen(tuple(_element(node) for node in gold["nodes"])))
    return paper.judge_action(prediction, paper.PaperGold(gold["action"], elements, _size(gold)))


def _uground(gold: Case, prediction: Case) -> Verdict:
    elements = uground.kept_by_uground(Screen(tuple(_element(node) for node in gold["nodes"])))
    found = uground.UGroundGold(gold["action"], elements)
    return uground.judge_plan(prediction.get("action"), prediction.get("answer"), found)


def _os_atlas(gold: Case, prediction: str) -> Verdict:
    return os_atlas.judge_text(prediction, gold["answer"])


def _qwen25vl(gold: Case, prediction: str) -> Verdict:
    action = gold["action"] | {"candidate_bbox": gold["candidates"]}
    check = qwen25vl.check_of(action, Step(0, Wait()))
    if isinstance(check, CannotSay):  # an end, which is in no row of its step set
        check = {"action": "terminate"}
    found = qwen25vl.QwenGold(check, _size(gold), Size(*gold["answer_size"]))
    return qwen25vl.judge_text(prediction, found)


def _gui_r1(gold: Case, prediction: str) -> Verdict:
    kind, point, text = gui_r1.row_of(gold["action"])
    found = gui_r1.GuiR1Gold(kind, point, text, _size(gold))
    return gui_r1.judge_row(gui_r1.row_in(prediction), found)


def _clawgui(gold: Case, prediction: str, model: str) -> Verdict:
    answer = clawgui.answer_of(gold["action"], clawgui.SCREEN)
    family = {"qwen2.5-vl": clawgui.QWEN25, "qwen3-vl": clawgui.QWEN3}[model]
    return clawgui.judge_text(prediction, answer | {"candidate_bbox": gold["candidates"]}, family)


def _agentcpm(gold: Case, prediction: str, flag: bool = True) -> Verdict:
    found = agentcpm.gold_of(gold["action"], _boxes(gold), _size(gold))
    if isinstance(found, CannotSay):
        return unscored("no-gold", found.reason)
    action = agentcpm_answers.of_text(prediction)
    if isinstance(action, Unreadable):
        return unreadable(action.reason, {})
    return agentcpm.judge_action(action, found, flag=flag)


def _mimo(gold: Case, prediction: str) -> Verdict:
    size = _size(gold)
    action = mimo.action_of(gold["action"], size)
    return mimo.judge_text(prediction, mimo.MimoGold(action, _boxes(gold), size))


def _boxes(gold: Case) -> tuple[touches.YXHW, ...]:
    return tuple(touches.yxhw(tuple(box), *gold["size"]) for box in gold["boxes"])


def _element(node: Case) -> Element:
    known = {key: node[key] for key in _TOLD if key in node}
    return Element(tuple(node["box"]), **known)


_TOLD = (
    "text",
    "description",
    "hint",
    "tooltip",
    "class_name",
    "resource_id",
    "visible",
    "scrollable",
    "leaf",
)
_JUDGES = {
    "paper": _paper,
    "uground": _uground,
    "os-atlas": _os_atlas,
    "qwen25vl": _qwen25vl,
    "gui-r1": _gui_r1,
    "clawgui": _clawgui,
    "agentcpm": _agentcpm,
    "agentcpm-no-flag": _agentcpm,
    "mimo": _mimo,
}
