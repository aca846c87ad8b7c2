"""The rule of the AndroidControl paper, as far as it is known. `correct` is None if it is not.

Every question the paper leaves open is answered in all the ways that are asked about, and a
verdict stands only when all of them agree: which of several overlapping elements is meant, whether
an edge belongs to a box, whether invisible elements count, what a click is worth when the gold
point is in no element, how a name matches an element, how "Back" is recognised, whether an
equivalence runs both ways, and how texts are compared.

Source: arXiv 2406.03679, with Appendix D.3 known only from what others quote.
"""

from collections.abc import Sequence
from typing import Any

from tests.oracles.androidcontrol.parts import Box, Verdict, pair, parts

Node = dict[str, Any]


def judge(gold: dict[str, Any], prediction: dict[str, Any] | None) -> Verdict:
    """`gold` has "action", "size" and "nodes"; `prediction` is an action JSON, None if unreadable.

    A node is {"box", "text", "description", "hint", "tooltip", "class_name", "resource_id",
    "visible"}. A prediction's points are pixels of the screen, its directions the content's.
    parts["readings"] lists the verdicts that the open questions allow.
    """
    readings, details = _readings(gold, prediction)
    details["readings"] = sorted(readings)
    return (next(iter(readings)) if len(readings) == 1 else None), details


def is_element(node: Node) -> bool:
    """The filter the authors name: a label of any kind, or a switch or a text field."""
    labels = (node["text"], node["description"], node["hint"], node["tooltip"])
    kind = node["class_name"].rpartition(".")[2]
    return any(labels) or kind in ("Switch", "EditText")


def _readings(gold: dict[str, Any], prediction: Any) -> tuple[set[bool], dict[str, Any]]:
    action, nodes = gold["action"], [node for node in gold["nodes"] if is_element(node)]
    wanted = action["action_type"]
    if not isinstance(prediction, dict) or "action_type" not in prediction:
        return {False}, parts(error="no action")
    got = prediction["action_type"]
    try:
        if wanted == got:
            return _same_type(action, prediction, nodes, gold["size"])
        if wanted == "navigate_back" and got == "click":
            x, y = pair((prediction["x"], prediction["y"]))
            hit = _label_readings(nodes, x, y, _is_back, _may_be_back)
            return hit, parts(False, target=_only(hit))
        if wanted == "open_app" and got == "click":
            x, y = pair((prediction["x"], prediction["y"]))
            hit = _app_readings(nodes, x, y, action["app_name"])
            return hit, parts(False, target=_only(hit))
        if wanted == "click" and got == "navigate_back":
            # Nobody says whether the equivalence runs this way, so "wrong" is always a reading.
            back = _label_readings(nodes, action["x"], action["y"], _is_back, _may_be_back)
            return back | {False}, parts(False)
        if wanted == "click" and got == "open_app":
            app = _app_readings(nodes, action["x"], action["y"], prediction["app_name"])
            return app | {False}, parts(False)
        if wanted == "input_text" and got == "type":
            # The paper's "type" is the data's input_text joined with the click before it. A
            # wrong text is wrong; with the right one, it is the click that is not known here.
            text = _text_readings(action["text"], prediction["text"])
            return text | {False}, parts(None, argument=_only(text))
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        return {False}, parts(error=repr(problem))
    return {False}, parts(False)


def _same_type(
    gold: dict[str, Any], predicted: dict[str, Any], nodes: list[Node], size: tuple[int, int]
) -> tuple[set[bool], dict[str, Any]]:
    kind = gold["action_type"]
    if kind in ("click", "long_press"):
        hit = _target_readings(nodes, (gold["x"], gold["y"]), predicted, size)
        return hit, parts(True, target=_only(hit))
    if kind == "type":  # click, text and Enter; old notes list it, no episode has it
        hit = _target_readings(nodes, (gold["x"], gold["y"]), predicted, size)
        same = _text_readings(gold["text"], predicted["text"])
        both = {target and text for target in hit for text in same}
        return both, parts(True, target=_only(hit), argument=_only(same))
    if kind == "input_text":
        same = _text_readings(gold["text"], predicted["text"])
    elif kind == "open_app":
        same = _text_readings(gold["app_name"], predicted["app_name"])
    elif kind == "scroll":
        same = {gold["direction"] == predicted["direction"]}
    elif kind == "status":
        # A terminate action ends the episode. Whether its status is compared is not said.
        same = {True, gold.get("goal_status") == predicted.get("goal_status")}
    else:  # navigate_home, navigate_back, and wait, which has no duration in the data
        return {True}, parts(True)
    return same, parts(True, argument=_only(same))


def _target_readings(
    nodes: list[Node], gold: tuple[float, float], predicted: dict[str, Any], size: tuple[int, int]
) -> set[bool]:
    x, y = pair((predicted["x"], predicted["y"]))
    readings: set[bool] = set()
    for candidates, edges in _ways(nodes):
        held = [node for node in candidates if _in(node["box"], *gold, edges)]
        if not held:
            readings |= {True, False}  # no rule for a gold point in no element
        for element in held:
            hit = _in(element["box"], x, y, edges)
            readings.add(hit)
            if hit and not (0 <= x < size[0] and 0 <= y < size[1]):
                readings.add(False)  # a box past the screen may be cut at its edge
    return readings


def _label_readings(nodes: list[Node], x: float, y: float, surely: Any, maybe: Any) -> set[bool]:
    readings: set[bool] = set()
    for candidates, edges in _ways(nodes):
        held = [node for node in candidates if _in(node["box"], x, y, edges)]
        if not held:
            readings.add(False)  # no element was clicked
        for element in held:
            readings |= {surely(element), maybe(element)}
    return readings


def _app_readings(nodes: list[Node], x: float, y: float, name: str) -> set[bool]:
    def surely(node: Node) -> bool:
        return name in (node["text"], node["description"])

    def maybe(node: Node) -> bool:
        wanted = name.casefold().strip()
        labels = [label.casefold().strip() for label in _labels(node) if label]
        return any(wanted in label or label in wanted for label in labels)

    return _label_readings(nodes, x, y, surely, maybe)


def _is_back(node: Node) -> bool:
    return "Back" in (node["text"], node["description"])


def _may_be_back(node: Node) -> bool:
    labels = [label.casefold().strip() for label in _labels(node)]
    return any("back" in label or label in ("up", "navigate up") for label in labels)


def _labels(node: Node) -> Sequence[str]:
    return node["text"], node["description"], node["hint"], node["tooltip"], node["resource_id"]


def _text_readings(gold: str, predicted: str) -> set[bool]:
    """Exact, trimmed, case-folded, or both of the last."""
    return {
        gold == predicted,
        gold.strip() == predicted.strip(),
        gold.casefold() == predicted.casefold(),
        gold.strip().casefold() == predicted.strip().casefold(),
    }


def _ways(nodes: list[Node]) -> list[tuple[list[Node], bool]]:
    """Every mix of (with or without the invisible elements) and (edges in or out)."""
    shown = [node for node in nodes if node["visible"]]
    return [(nodes, True), (nodes, False), (shown, True), (shown, False)]


def _in(box: Box, x: float, y: float, edges: bool) -> bool:
    left, top, right, bottom = box
    if edges:
        return left <= x <= right and top <= y <= bottom
    return left < x < right and top < y < bottom


def _only(readings: set[bool]) -> bool | None:
    return next(iter(readings)) if len(readings) == 1 else None


def aggregate(steps: Sequence[tuple[bool | None, dict[str, Any]]]) -> dict[str, float]:
    """Step-wise accuracy: right steps of all steps, as a lowest and a highest value.

    The two differ by the steps on which the paper is silent. Whether terminate steps belong to
    the reported number, and whether episodes are averaged first, is not known.

    Raises: ZeroDivisionError without steps.
    """
    right = sum(correct is True for correct, _ in steps)
    silent = sum(correct is None for correct, _ in steps)
    return {"lowest": right / len(steps), "highest": (right + silent) / len(steps)}
