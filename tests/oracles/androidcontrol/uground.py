"""UGround's rule. A planner names the action; a grounding model answers with a point.

Its step set joins a click and the input_text after it into one "type_text", and has the step
that ends an episode.

Source: OSU-NLP-Group/UGround, offline_evaluation/AndroidControl, as described in prose.
"""

import re
from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.parts import SWALLOWED, Box, Verdict, inside, parts

SCREEN_WIDTH, SCREEN_HEIGHT = 1080, 2400  # whatever the picture's size is

Node = dict[str, Any]


class _Stop(Exception):
    """The evaluator would end here with an error, and with it the whole run."""


def judge(gold: dict[str, Any], prediction: dict[str, Any]) -> Verdict:
    """`gold` has "action" and "nodes"; `prediction` has "action" (JSON) and "answer".

    A node is {"box", "text", "description", "visible", "scrollable", "leaf"}. The answer is
    {"output": "(x, y)", "scale": s}, or None when the grounding file has no line for the step.
    (None, ...) means that the run stops.
    """
    try:
        return _judge(gold, prediction)
    except _Stop as stop:
        return None, parts(error=str(stop))


def elements(nodes: Sequence[Node]) -> list[Node]:
    """android_world's list, then: labelled, visible, of some size, on the screen in part."""
    return [node for node in nodes if _is_element(node)]


def _is_element(node: Node) -> bool:
    listed = node["leaf"] or node["description"] or node["scrollable"]
    labelled = node["text"] or node["description"]
    left, top, right, bottom = node["box"]
    has_size = right > left and bottom > top
    # A box that only shares its edge with the screen is left out here; nobody says.
    on_screen = left < SCREEN_WIDTH and top < SCREEN_HEIGHT and right > 0 and bottom > 0
    return bool(listed and labelled and node["visible"] and has_size and on_screen)


def smallest(nodes: Sequence[Node], x: float, y: float) -> Box | None:
    """The box with the least area of those that contain the point, the first of equals."""
    held = [node["box"] for node in nodes if inside(node["box"], x, y)]
    return min(held, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]), default=None)


def _judge(gold: dict[str, Any], prediction: dict[str, Any]) -> Verdict:
    action, nodes = gold["action"], elements(gold["nodes"])
    wanted = action["action_type"]
    try:
        predicted = prediction["action"]
        got = predicted["action_type"]
    except SWALLOWED as problem:
        raise _Stop("the plan names no action") from problem
    if wanted == got:
        if wanted in ("click", "long_press"):
            x, y = _answered_point(prediction)
            box = smallest(nodes, action["x"], action["y"])
            hit = box is not None and inside(box, x, y)  # in no box is always wrong
            return hit, parts(True, target=hit)
        for name in ("direction", "app_name", "text", "goal_status"):
            # type_text is judged by its text alone; the point of its click is not asked for.
            if name in action:
                same = predicted.get(name) == action[name]
                return same, parts(True, argument=same)
        return True, parts(True)  # navigate_home, navigate_back, wait
    if wanted == "navigate_back" and got == "click":
        hit = _hits_label(nodes, prediction, "back")
        return hit, parts(False, target=hit)
    if {wanted, got} == {"open_app", "click"}:
        # A gold click has no app name, and the empty name is in every label.
        hit = _hits_label(nodes, prediction, action.get("app_name", ""))
        return hit, parts(False, target=hit)
    return False, parts(False)


def _hits_label(nodes: Sequence[Node], prediction: dict[str, Any], words: str) -> bool:
    """Whether any element under the answer has a text or description with the words in it.

    Letter case is ignored; that is a choice.
    """
    x, y = _answered_point(prediction)
    for node in nodes:
        labels = (node["text"].lower(), node["description"].lower())
        if inside(node["box"], x, y) and any(words.lower() in label for label in labels):
            return True
    return False


def _answered_point(prediction: dict[str, Any]) -> tuple[float, float]:
    answer = prediction["answer"]
    if answer is None:
        raise _Stop("the step has no answer line")
    try:
        found = re.fullmatch(r"\s*\((-?[\d.]+),\s*(-?[\d.]+)\)\s*", answer["output"])
        if found is None:
            raise ValueError("the answer is no point")
        x, y = float(found.group(1)), float(found.group(2))
        return x / answer["scale"], y / answer["scale"]
    except SWALLOWED as problem:
        raise _Stop("the answer cannot be read") from problem


def aggregate(steps: Sequence[Verdict]) -> dict[str, float] | None:
    """Right steps of all steps. None when a step stopped the run.

    Raises: ZeroDivisionError without steps.
    """
    if any(correct is None for correct, _ in steps):
        return None
    return {"step_accuracy": sum(correct is True for correct, _ in steps) / len(steps)}
