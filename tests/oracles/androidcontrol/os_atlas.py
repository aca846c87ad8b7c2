"""OS-Atlas's rule, which judges the raw text of an answer against a text of the same form.

Source: OS-Copilot/OS-Atlas, eval/, as described in prose.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.oracles.androidcontrol.parts import Verdict, distance, parts, token_f1

HEADER = "actions:\n"
END = "<|im_end|>"
RADIUS = 0.14 * 1000  # 140.00000000000003
TYPES = (
    "CLICK", "LONG_PRESS", "TYPE", "SCROLL", "OPEN_APP", "PRESS_BACK", "PRESS_HOME",
    "PRESS_RECENT", "WAIT", "COMPLETE",
)  # fmt: skip
SUB_SPLITS = ("IDD", "app_unseen", "task_unseen", "category_unseen")


def judge(gold: dict[str, Any], prediction: str) -> Verdict:
    """`gold["answer"]` is the right action, such as "CLICK <point>[[950,87]]</point>".

    `prediction` is "thoughts:\\n...\\nactions:\\n" and an action, points in 0..1000. (None, ...)
    means that the run stops. Nothing else of the gold step is looked at.
    """
    wanted = gold["answer"]
    got = action_of(prediction)
    words, gold_words = got.split(), wanted.split()
    if not words:
        return None, parts(error="the action is empty")
    kind = words[0]
    if kind not in TYPES:
        return False, parts(False, error="invalid action")
    if kind != gold_words[0]:
        return False, parts(False)
    if kind in ("CLICK", "LONG_PRESS"):
        points = _numbers(got), _numbers(wanted)
        if len(points[0]) < 2:
            return None, parts(True, error="the action has no point")
        (x, y, *_), (gold_x, gold_y, *_) = points
        hit = max(x, y) < 10**6 and distance(x, y, gold_x, gold_y) <= RADIUS
        return hit, parts(True, target=hit)
    if kind in ("TYPE", "OPEN_APP"):
        if len(words) < 2:
            return None, parts(True, error="the action has no second word")
        # The first word of the text, with the bracket before it. Letter case is ignored; that
        # is a choice.
        same = token_f1(words[1].lower(), gold_words[1].lower()) > 0.5
        return same, parts(True, argument=same)
    same = got == wanted
    return same, parts(True, argument=same)


def action_of(prediction: str) -> str:
    """What follows the last header, or all of the text without one.

    Every character of the end token is taken off both ends, in any order and number: "mend" goes
    with it, and so does the last ">" of a point.
    """
    return prediction.split(HEADER)[-1].strip(END)


def answer_of(action: Mapping[str, Any], size: tuple[int, int]) -> str:
    """The gold text of an action.

    The orientation of its own labels is not known, so a scroll keeps the data set's; nor is the
    rounding of a point.
    """
    kind = action["action_type"]
    if kind in ("click", "long_press"):
        x = round(1000 * action["x"] / size[0])
        y = round(1000 * action["y"] / size[1])
        return f"{kind.upper()} <point>[[{x},{y}]]</point>"
    if kind == "input_text":
        return f"TYPE [{action['text']}]"
    if kind == "scroll":
        return f"SCROLL [{action['direction'].upper()}]"
    if kind == "open_app":
        return f"OPEN_APP [{action['app_name']}]"
    names = {"navigate_back": "PRESS_BACK", "navigate_home": "PRESS_HOME", "wait": "WAIT"}
    return names.get(kind, "COMPLETE")


def _numbers(action: str) -> list[int]:
    """All runs of ASCII digits. A minus sign is no digit, so it is ignored."""
    # Leaving off what follows the first 400 digits only keeps int() from refusing the number.
    return [int(digits[:400]) for digits in re.findall(r"[0-9]+", action)]


def aggregate(
    steps: Sequence[dict[str, Any]], sub_splits: Mapping[str, Iterable[int]]
) -> dict[str, float] | None:
    """Right steps of all steps, and of the steps of each sub-split. None when the run stopped.

    A step is {"episode", "correct", "type"}. An episode counts for the first sub-split that lists
    it, in the order of SUB_SPLITS. "OOD" has the steps that fell to the three unseen ones.

    Raises: ValueError for an episode in none; ZeroDivisionError for a sub-split without steps.
    """
    if any(step["correct"] is None for step in steps):
        return None
    groups: dict[str, list[bool]] = {name: [] for name in SUB_SPLITS}
    for step in steps:
        listing = [name for name in SUB_SPLITS if step["episode"] in sub_splits[name]]
        if not listing:
            raise ValueError(f"episode {step['episode']} is in no sub-split")
        groups[listing[0]].append(step["correct"])
    totals = {name: sum(right) / len(right) for name, right in groups.items()}
    unseen = [right for name in SUB_SPLITS[1:] for right in groups[name]]
    totals["OOD"] = sum(unseen) / len(unseen)
    totals["step_accuracy"] = sum(step["correct"] for step in steps) / len(steps)
    totals["type_accuracy"] = sum(step["type"] is True for step in steps) / len(steps)
    return totals
