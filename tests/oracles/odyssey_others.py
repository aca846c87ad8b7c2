"""Three other people's rules for GUIOdyssey steps, transcribed from a table that compares them.

Plain and slow on purpose. It shares no code with the product and knows nothing about files,
pictures, stored episodes or how a verdict is shown. A table cell is short, so much is left open.
Each choice made here is written next to the code that makes it;
`tests.oracles.odyssey_others_cases.SILENT` names the inputs whose result depends on one.

A gold step is {"type": name} with the names CLICK, LONG_PRESS, SCROLL, TYPE, PRESS_HOME,
PRESS_BACK, PRESS_RECENT, COMPLETE and IMPOSSIBLE, and with "point": (x, y) for the first two,
"start" and "end": (x, y) for SCROLL, and "text" for TYPE. Coordinates are 0..1000.

A prediction has the same form, but a SCROLL has "direction": a word, or for AgentCPM-GUI also
"start" and "end"; a click whose point could not be read has no "point" or None. A prediction
without any action is None. `parse_answer` reads the syntax of the official evaluator; the three
evaluators have their own, so reading is not part of their rules.

Source: evaluation_unify.py of OS-Atlas, evaluator.py and process_odyssey.py of AgentCPM-GUI and
eval_omni.py of GUI-R1, as described by the project's notes on them.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracles.guiodyssey import scroll_direction

OS_ATLAS = "guiodyssey/os-atlas"
AGENTCPM = "guiodyssey/agentcpm"
GUI_R1 = "guiodyssey/gui-r1"
PROTOCOLS = (OS_ATLAS, AGENTCPM, GUI_R1)

POINTER_TYPES = ("CLICK", "LONG_PRESS")
CATEGORIES = ("CLICK", "LONG_PRESS", "SCROLL", "TYPE")

TYPE_SAME = "type_same"
TYPE_FAIL = "type_fail"
CLICK_NEAR = "click_near"
CLICK_FAIL = "click_fail"
TEXT_SAME = "text_same"
TEXT_FAIL = "text_fail"
SCROLL_SAME = "scroll_same"
SCROLL_FAIL = "scroll_fail"
INVALID = "invalid"
NOT_COUNTED = "not_counted"
CORRECT_LABELS = frozenset({TYPE_SAME, CLICK_NEAR, TEXT_SAME, SCROLL_SAME})

Answer = dict[str, Any]
Verdict = tuple[bool | None, str]


def judge(protocol: str, gold: Answer, prediction: Answer | None) -> Verdict:
    """Whether the prediction is right, and the label that says why.

    None instead of a truth value, with the label "not_counted", for a step that GUI-R1 leaves
    out. Raises: KeyError for another protocol. A bad prediction never raises.
    """
    rules = {OS_ATLAS: _os_atlas, AGENTCPM: _agentcpm, GUI_R1: _gui_r1}
    label = rules[protocol](gold, prediction)
    return None if label == NOT_COUNTED else label in CORRECT_LABELS, label


# ---------------------------------------------------------------------------------------- reading


_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_POINT = re.compile(rf"(?:\(\s*{_NUMBER}\s*,\s*{_NUMBER}\s*\)|{_NUMBER}\s*,\s*{_NUMBER})", re.ASCII)


def parse_answer(answer: str) -> Answer:
    """The answer "TYPE: argument" of the official syntax, with colons in the argument kept.

    The argument of a click must be two numbers, bare or in parentheses; otherwise its point is
    None. Types without an argument ignore one. What is no action becomes a type that no gold
    step has.
    """
    action_type, _, argument = answer.partition(":")
    action_type, argument = action_type.strip(), argument.strip()
    if action_type in POINTER_TYPES:
        point = None
        if _POINT.fullmatch(argument):
            x, y = [_number(text) for text in re.findall(_NUMBER, argument)]
            point = (x, y)
        return {"type": action_type, "point": point}
    if action_type == "TYPE":
        return {"type": "TYPE", "text": argument}
    if action_type == "SCROLL":
        return {"type": "SCROLL", "direction": argument}
    return {"type": action_type}


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


# --------------------------------------------------------------------------------------- OS-Atlas


def _os_atlas(gold: Answer, prediction: Answer | None) -> str:
    """Types as they are, 140 in whole numbers, the scroll as a string, words of the command."""
    if prediction is None:
        return INVALID
    if prediction["type"] != gold["type"]:
        return TYPE_FAIL
    if gold["type"] in POINTER_TYPES:
        point = prediction.get("point") or (0, 0)
        return CLICK_NEAR if near_in_whole_numbers(gold["point"], point) else CLICK_FAIL
    if gold["type"] == "TYPE":
        likeness = f1(command_words(gold["text"]), command_words(prediction.get("text") or ""))
        return TEXT_SAME if likeness > 0.5 else TEXT_FAIL
    if gold["type"] == "SCROLL":
        same = prediction.get("direction") == scroll_direction(gold["start"], gold["end"])
        return SCROLL_SAME if same else SCROLL_FAIL
    return TYPE_SAME


def near_in_whole_numbers(gold: Sequence[float], predicted: Sequence[float]) -> bool:
    """At most 140 apart. A coordinate with a fraction loses it (silent)."""
    dx, dy = int(predicted[0]) - int(gold[0]), int(predicted[1]) - int(gold[1])
    return math.sqrt(dx * dx + dy * dy) <= 140


def command_words(text: str, *, brackets: bool = True, lower: bool = True) -> set[str]:
    """The words of the whole command, "TYPE [the text]", in small letters.

    The brackets are part of the words at both ends (silent, but only so is a missing text
    wrong against a text of one word: without them TYPE alone would be two thirds right).
    The keywords are for other readings, never for a verdict.
    """
    stripped = text.strip()
    command = f"TYPE [{stripped}]" if brackets else f"TYPE {stripped}"
    return set((command.lower() if lower else command).split())


def f1(gold: set[str], predicted: set[str]) -> float:
    """The harmonic mean of precision and recall over two sets of words, in float64."""
    common = len(gold & predicted)
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return 2 * precision * recall / (precision + recall)


# ----------------------------------------------------------------------------------- AgentCPM-GUI


def _agentcpm(gold: Answer, prediction: Answer | None) -> str:
    """Recents merged with home, the endings with each other, 0.14 in float64, a part of a text."""
    if prediction is None:
        return INVALID
    if merged(prediction["type"]) != merged(gold["type"]):
        return TYPE_FAIL
    if gold["type"] in POINTER_TYPES:
        point = prediction.get("point")
        if point is None:
            return INVALID
        return CLICK_NEAR if near_in_shares(gold["point"], point) else CLICK_FAIL
    if gold["type"] == "TYPE":
        if prediction.get("text") is None:
            return INVALID
        a, b = gold["text"].lower(), prediction["text"].lower()
        # Either way round (silent), and so an empty text is in every text.
        return TEXT_SAME if a in b or b in a else TEXT_FAIL
    if gold["type"] == "SCROLL":
        right = cosine_direction(gold["start"], gold["end"])
        return SCROLL_SAME if right == _predicted_direction(prediction) else SCROLL_FAIL
    return TYPE_SAME


def merged(action_type: str) -> str:
    """The name the type shares with those it is not told from."""
    if action_type == "PRESS_RECENT":
        return "PRESS_HOME"
    if action_type in ("COMPLETE", "IMPOSSIBLE"):
        return "STOP"
    return action_type


def near_in_shares(gold: Sequence[float], predicted: Sequence[float]) -> bool:
    """At most 0.14 apart, each coordinate first divided by 1000, in float64 (silent)."""
    dx = predicted[0] / 1000 - gold[0] / 1000
    dy = predicted[1] / 1000 - gold[1] / 1000
    return math.sqrt(dx * dx + dy * dy) <= 0.14


def cosine_direction(start: Sequence[float], end: Sequence[float]) -> str:
    """The direction with the largest cosine, up and down first on ties; "no direction" for 0."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    if dx == 0 and dy == 0:
        return "no direction"
    length = math.sqrt(dx * dx + dy * dy)
    cosines = {"up": -dy / length, "down": dy / length, "left": -dx / length, "right": dx / length}
    return max(cosines, key=lambda name: cosines[name])  # the first one of equals


def _predicted_direction(prediction: Answer) -> str:
    if "start" in prediction:
        return cosine_direction(prediction["start"], prediction["end"])
    # Letter case of the word: ignored (silent).
    return str(prediction.get("direction")).lower()


# ------------------------------------------------------------------------------------------ GUI-R1


def _gui_r1(gold: Answer, prediction: Answer | None) -> str:
    """Clicks by their point alone, texts and scrolls by their words, nothing else counted."""
    if gold["type"] not in CATEGORIES:
        return NOT_COUNTED
    answer = prediction or {"type": ""}
    if gold["type"] in POINTER_TYPES:
        # Neither the type nor a readable point is asked for: without one it is (0, 0).
        point = answer.get("point") or (0, 0)
        return CLICK_NEAR if near_in_squares(gold["point"], point) else CLICK_FAIL
    # Only clicks are said to be credited whatever the type. So here it must match (silent).
    if answer["type"] != gold["type"]:
        return TYPE_FAIL
    if gold["type"] == "TYPE":
        same = same_words(gold["text"], answer.get("text") or "")
        return TEXT_SAME if same else TEXT_FAIL
    direction = scroll_direction(gold["start"], gold["end"])
    same = same_words(direction, answer.get("direction") or "")
    return SCROLL_SAME if same else SCROLL_FAIL


def near_in_squares(gold: Sequence[float], predicted: Sequence[float]) -> bool:
    """Squared distance below 0.14 squared, not equal; coordinates divided by 1000 (silent)."""
    dx = predicted[0] / 1000 - gold[0] / 1000
    dy = predicted[1] / 1000 - gold[1] / 1000
    return dx * dx + dy * dy < 0.14**2


def same_words(gold: str, predicted: str, *, lower: bool = True, shortcut: bool = True) -> bool:
    """Word sets with an F1 of at least 0.5; of two single words one may be part of the other.

    In small letters, and a part either way (silent). No word on either side is wrong, also for
    an empty gold text (silent). The keywords are for other readings, never for a verdict.
    """
    if lower:
        gold, predicted = gold.lower(), predicted.lower()
    a, b = set(gold.split()), set(predicted.split())
    if shortcut and len(a) == 1 and len(b) == 1:
        (one,), (other,) = a, b
        return one in other or other in one
    return f1(a, b) >= 0.5


# ------------------------------------------------------------------------------------------ totals


def pooled(steps: Sequence[dict[str, Any]]) -> Fraction:
    """Right steps of all steps: the score of OS-Atlas, and AgentCPM-GUI's exact_acc.

    Raises: ZeroDivisionError without any step.
    """
    return Fraction(sum(bool(step["correct"]) for step in steps), len(steps))


def recut_episodes(steps: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """AgentCPM-GUI's episodes: rows in a row with the same instruction and consecutive steps.

    A step is {instruction, step, correct}. The episode id is not asked, so two recordings of
    one instruction merge when the second goes on where the first stopped, and an episode with a
    gap becomes two.
    """
    episodes: list[list[dict[str, Any]]] = []
    for step in steps:
        last = episodes[-1][-1] if episodes else None
        follows = (
            last is not None
            and step["instruction"] == last["instruction"]
            and step["step"] == last["step"] + 1
        )
        if follows:
            episodes[-1].append(step)
        else:
            episodes.append([step])
    return episodes


def agentcpm_success_rate(steps: Sequence[dict[str, Any]]) -> Fraction:
    """Episodes with every row right of all episodes, as cut by `recut_episodes`."""
    episodes = recut_episodes(steps)
    return Fraction(sum(_leading(rows) == len(rows) for rows in episodes), len(episodes))


def agentcpm_goal_progress(steps: Sequence[dict[str, Any]]) -> Fraction:
    """The mean over such episodes of right rows before the first wrong one, by all rows.

    By its rows, not by a declared length, and as a mean over episodes (silent).
    """
    shares = [Fraction(_leading(rows), len(rows)) for rows in recut_episodes(steps)]
    return sum(shares, Fraction(0)) / len(shares)


def gui_r1_score(steps: Sequence[dict[str, Any]]) -> Fraction | None:
    """Right steps of all steps, over the categories in which at least one step is right.

    A step is {type, correct} with the type of the gold step; each of CATEGORIES is one (silent
    for LONG_PRESS), other steps are not counted. A category without any right step vanishes
    from the denominator too. None when all vanish (silent).
    """
    right, total = 0, 0
    for category in CATEGORIES:
        marks = [bool(step["correct"]) for step in steps if step["type"] == category]
        if any(marks):
            right += sum(marks)
            total += len(marks)
    return Fraction(right, total) if total else None


def _leading(rows: Sequence[dict[str, Any]]) -> int:
    count = 0
    while count < len(rows) and rows[count]["correct"]:
        count += 1
    return count
