"""Answers to cases of AndroidControl's evaluators, through the functions the commands call.

The golden file names an evaluator by its variant. A case of a real tree names the file of the
tree's episode; it is looked for below the folder in TAPTRAIL_SAMPLES. Where it is not there, the
screen has the one element that the case itself tells, the smallest at the gold point.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from episodes.geometry import Native, Size
from episodes.runs import Prediction, Unreadable
from episodes.verdicts import Outcome, Verdict
from scoring.protocols import PROTOCOLS, agentcpm, guiodyssey
from scoring.protocols import agentcpm_answers as cpm
from scoring.protocols import aitw_answers as codes
from scoring.protocols.agentcpm import CpmGold
from scoring.protocols.agentcpm_answers import CpmAction
from scoring.protocols.androidcontrol import (
    clawgui,
    gui_r1,
    os_atlas,
    paper,
    qwen25vl,
    tool_calls,
    touches,
    uground,
)
from scoring.protocols.androidcontrol.elements import Element, Screen

VARIANTS = {
    "paper_d3": "androidcontrol/paper@1",
    "uground": "androidcontrol/uground@1",
    "uground_real_tree": "androidcontrol/uground@1",
    "os_atlas": "androidcontrol/os-atlas@1",
    "qwen25vl_infigui": "androidcontrol/qwen25vl@1",
    "agentcpm": "androidcontrol/agentcpm@1",
    "agentcpm_no_ac_flag": "androidcontrol/agentcpm-no-flag@1",
    "gui_r1": "androidcontrol/gui-r1@2",
    "clawgui": "androidcontrol/clawgui@1",
    "gui_odyssey_rules": "guiodyssey@2",
}
"""The golden file's names of evaluators, and the protocols they are."""

_NAMED = tuple(key for key in VARIANTS.values() if key.startswith("androidcontrol/"))
SCREEN = Size(1080, 2400)
"""Of a case that does not tell its own."""

Told = dict[str, Any]


def knows(case: Told) -> bool:
    """Whether a case is of one of these evaluators; import cases have the same variants."""
    return _variant(case) is not None and case.get("protocol") != "import"


def answer(case: Told) -> Told:
    """Answers a case in the words its evaluator has for a result."""
    variant = _variant(case)
    return {"got": _ANSWERS[str(variant)]({**case, "variant": variant})}


def _variant(case: Told) -> str | None:
    """Returns the golden file's name of a case's evaluator, which can be named by its protocol."""
    for told in (case.get("variant"), case.get("protocol")):
        for variant, key in VARIANTS.items():
            if told == variant or (key in _NAMED and told in (key, key.removesuffix("@1"))):
                return variant
    return None


def _judged(case: Told, space: str, told: Any, gold: Any) -> Verdict:
    """Returns the protocol's verdict on a prediction in the evaluator's own form."""
    raw = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    unread = Unreadable("only the evaluator's own form is given")
    prediction = Prediction("case", 0, raw, unread, Native.of(space, told))
    return PROTOCOLS[VARIANTS[case["variant"]]].judge(prediction, gold)


def _right(verdict: Verdict) -> bool | None:
    if verdict.outcome is Outcome.UNSCORED:
        return None
    return verdict.outcome is Outcome.MATCH


def _paper(case: Told) -> Told:
    elements = paper.kept_by_authors(_screen(case))
    gold = paper.PaperGold(case["gold"], elements, _size(case, "screen"))
    return {"step_correct": _right(_judged(case, "androidcontrol", case["prediction"], gold))}


def _uground(case: Told) -> Told:
    gold = uground.UGroundGold(case["gold"], _screen(case).elements)
    told = case["prediction"]
    output = told.get("grounding_output")
    answer = None if output is None else {"output": output, "scale": told.get("scale")}
    verdict = _judged(case, uground.SPACE, {"action": told["action"], "answer": answer}, gold)
    if "error" in verdict.parts:
        return {"error": verdict.parts["error"]}
    return {
        "correct_steps": int(verdict.outcome is Outcome.MATCH),
        "total_steps": 1,
        "grounding_steps": verdict.parts["grounding_steps"],
        "correct_grounding_steps": verdict.parts["grounding_right"],
    }


def _os_atlas(case: Told) -> Told:
    gold = os_atlas.AndroidControlOsAtlasGold(case["gold"])
    verdict = _judged(case, os_atlas.SPACE, case["prediction"], gold)
    if "error" in verdict.parts:
        return {"error": verdict.parts["error"]}
    return {"step_correct": _right(verdict), "type_match": verdict.parts["type"]}


def _qwen(case: Told) -> Told:
    size = _size(case, "screen")
    picture = _size(case, "resized", tool_calls.picture_size(size, qwen25vl.MAX_PIXELS))
    gold = qwen25vl.QwenGold(_with_nan(case["gold"]), size, picture)
    told = _with_nan(case["prediction"])
    if told is None:
        verdict = qwen25vl.judge_arguments(told, gold)
    else:
        verdict = _judged(case, qwen25vl.SPACE, told, gold)
    if "error" in verdict.parts:
        return {"error": verdict.parts["error"]}
    return {"type_match": verdict.parts["type"], "exact_match": _right(verdict)}


def _agentcpm(case: Told) -> Told:
    try:
        gold = _cpm_gold(case["gold"], _size(case, "screen"))
    except ValueError as error:
        return {"error": type(error).__name__}
    action = cpm.of_object(case["prediction"])
    read = not isinstance(action, Unreadable)
    verdict = _judged(case, "agentcpm", case["prediction"] if read else None, gold)
    return {
        "type_match": verdict.parts["type"],
        "exact_match": _right(verdict),
        "format_hit": read,
        "pred_type": action.kind if isinstance(action, CpmAction) else None,
    }


def _cpm_gold(row: Told, size: Size) -> CpmGold:
    """Returns the gold of a row of AgentCPM-GUI's own test files."""
    kind = row["result_action_type"]
    (y, x), (y2, x2) = json.loads(row["result_touch_yx"]), json.loads(row["result_lift_yx"])
    boxes = tuple(tuple(box) for box in json.loads(row["ui_positions"]))
    if kind == 0:
        return CpmGold(CpmAction("long_point", (x, y)), boxes, size)
    if kind == codes.DUAL_POINT and touches.norm(y - y2, x - x2, SWIPE) <= SWIPE:
        return CpmGold(CpmAction("click", (x, y)), boxes, size)
    if kind == codes.DUAL_POINT:
        return CpmGold(CpmAction("scroll", text=cpm.direction((x, y), (x2, y2))), size=size)
    if kind == codes.TYPE:
        return CpmGold(CpmAction("type", text=row["result_action_text"]), size=size)
    if kind in _BUTTONS:
        return CpmGold(CpmAction("press", text=_BUTTONS[kind]), size=size)
    if kind in _STOPS:
        return CpmGold(CpmAction("stop"), size=size)
    raise ValueError(f"there is no action of type {kind}")


_BUTTONS = {
    codes.PRESS_BACK: "back",
    codes.PRESS_HOME: "home",
    codes.PRESS_ENTER: "enter",
}
_STOPS = (1, codes.COMPLETE, codes.IMPOSSIBLE)  # 1 is no action, a wait
SWIPE = agentcpm.SWIPE_DISTANCE


def _gui_r1(case: Told) -> Told:
    rows = zip(_with_nan(case["gold"]), _with_nan(case["prediction"]), strict=True)
    verdicts = [_row_verdict(case, *row) for row in rows]
    stops = [verdict.parts["error"] for verdict in verdicts if "error" in verdict.parts]
    return {"error": stops[0]} if stops else dict(gui_r1.original_summary(verdicts))


def _row_verdict(case: Told, row: Told, told: Told) -> Verdict:
    x, y = row["gt_bbox"][:2]
    size = Size(*row["image_size"])
    gold = gui_r1.GuiR1Gold(row["gt_action"], (x, y), row["gt_input_text"], size, row["group"])
    return _judged(case, gui_r1.SPACE, told, gold)


def _clawgui(case: Told) -> Told:
    named = _context(case).get("model")
    family = clawgui.QWEN25 if named == clawgui.QWEN25 else clawgui.QWEN3  # as the original does
    verdict = _judged(case, family, case["prediction"], clawgui.ClawGold(case["gold"]))
    read = clawgui.answer_in(case["prediction"], family)
    return {
        "parsed": None if isinstance(read, Unreadable) else read,
        "correct": _right(verdict),
        "type_match": verdict.parts.get("type", False),
        "info": verdict.parts["label"],
    }


def _odyssey(case: Told) -> Told:
    """The matching alone: it takes texts that were not cut at their colons before."""
    gold = case["gold"]
    verdict = guiodyssey.judge_answer(
        _command(case["prediction"]), _command(gold), gold.get("sam2_bbox")
    )
    if "error" in verdict.parts:
        return {"error": verdict.parts["error"]}
    return {"is_correct": "yes" if _right(verdict) else "no", "info": verdict.parts["label"]}


def _command(told: Told) -> str:
    info = told.get("info")
    if isinstance(info, list):
        return f"{told['action']}: {tuple(info)}"
    return f"{told['action']}: {str(info).replace(':', NO_COLON)}"


NO_COLON = "\ue000"


def _context(case: Told) -> Told:
    return case.get("context") or {}


def _size(case: Told, name: str, otherwise: Size = SCREEN) -> Size:
    told = _context(case).get(name)
    return Size(*told) if told is not None else otherwise


def _with_nan(told: Any) -> Any:
    """Returns a value in whose lists "NaN" is the number that JSON has not."""
    if isinstance(told, dict):
        return {key: _with_nan(value) for key, value in told.items()}
    if isinstance(told, list):
        return [math.nan if value == "NaN" else _with_nan(value) for value in told]
    return told


def _screen(case: Told) -> Screen:
    context = _context(case)
    if "a11y_elements" in context or "a11y_elements_file" not in context:
        return Screen(tuple(_element(told) for told in context.get("a11y_elements") or ()))
    found = _file(context["a11y_elements_file"])
    if found is None:
        return Screen((Element(tuple(context["smallest_element_bounds"]), text="smallest"),))
    with found.open(encoding="utf-8") as file:
        episode = next(e for e in json.load(file) if e["episode_id"] == context["episode_id"])
    return Screen(
        tuple(_raw_element(node) for node in episode["accessibility_trees"][context["step"]])
    )


def _file(named: str) -> Path | None:
    """Returns the file of the last two parts of a name, below the folder of samples."""
    folder = os.environ.get("TAPTRAIL_SAMPLES")
    path = Path(folder, *Path(named).parts[-2:]) if folder else None
    return path if path is not None and path.is_file() else None


def _element(told: Told) -> Element:
    return Element(
        tuple(told["bounds"]),
        text=told.get("text") or "",
        description=told.get("content_description") or "",
        hint=told.get("hint_text") or "",
        tooltip=told.get("tooltip") or "",
        class_name=told.get("class_name") or "",
        resource_id=told.get("resource_id") or "",
    )


def _raw_element(told: Told) -> Element:
    box = told["bbox_pixels"]
    return _element({**told, "bounds": [box[key] for key in ("x_min", "y_min", "x_max", "y_max")]})


_ANSWERS: dict[str, Callable[[Told], Told]] = {
    "paper_d3": _paper,
    "uground": _uground,
    "uground_real_tree": _uground,
    "os_atlas": _os_atlas,
    "qwen25vl_infigui": _qwen,
    "agentcpm": _agentcpm,
    "agentcpm_no_ac_flag": _agentcpm,
    "gui_r1": _gui_r1,
    "clawgui": _clawgui,
    "gui_odyssey_rules": _odyssey,
}
