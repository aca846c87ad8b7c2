r"""OS-Atlas's rule: the text of an answer against a text of the same form.

    thoughts:\n...\nactions:\nCLICK <point>[[500,162]]</point>

Points are thousandths of the screen. Only clicks are measured; of a text or an app's name the first
word is compared, with the bracket that sticks to it. An action of another dialect is written in the
same form. The rules are described in `docs/protocols/androidcontrol.md`.

Source: eval/eval_scripts/android_control/evaluation_unify.py of OS-Copilot/OS-Atlas at bad0840.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import CannotSay, Counts, Metrics, ScoredStep, ScoringProtocol, unscored
from scoring.protocols.androidcontrol import actions as ac
from scoring.protocols.androidcontrol.counting import accuracy
from scoring.protocols.androidcontrol.verdicts import (
    FAILURES,
    Value,
    decided,
    missing,
    short,
    stops,
    unreadable,
)
from scoring.protocols.word_overlap import word_f1
from scoring.rounding import format_pair

SPACE = "os-atlas"
HEADER = "actions:\n"
INVALID = "invalid action"
DISTANCE_LIMIT = 0.14 * 1000
F1_LIMIT = 0.5
MAX_DIGITS = 300
_POINTED = ("CLICK", "LONG_PRESS")
_WORDED = ("OPEN_APP", "TYPE")
_END = "<|im_end|>"


@dataclass(frozen=True, slots=True)
class AndroidControlOsAtlasGold:
    """The gold as the test file has it after its header, e.g. "TYPE [running shoes]".

    Attributes:
        size: of the step's frame, for predictions in pixels.
    """

    command: str
    size: Size | None = None


def gold(step: Step, episode: Episode) -> AndroidControlOsAtlasGold | CannotSay:
    """Returns the gold of a step in OS-Atlas's words; points are rounded to whole thousandths."""
    action, size = ac.gold_action(step), ac.size_of(step)
    if isinstance(action, CannotSay):
        return action
    command = command_of(action, size)
    return command if isinstance(command, CannotSay) else AndroidControlOsAtlasGold(command, size)


def command_of(action: ac.ActionJson, size: Size | None) -> str | CannotSay:
    """Returns an action of the data set's JSON as OS-Atlas writes it.

    A scroll keeps the data set's direction, where the content goes: the orientation of OS-Atlas's
    own labels is not documented.
    """
    kind = str(action["action_type"])
    if kind in ac.POINTED:
        if size is None:
            return CannotSay("the step has no frame to measure its point in")
        x = round(action["x"] * 1000 / size.width)
        y = round(action["y"] * 1000 / size.height)
        return f"{kind.upper()} <point>[[{x},{y}]]</point>"
    match kind:
        case "scroll":
            return f"SCROLL [{action['direction'].upper()}]"
        case "input_text" | "type" | "type_text":
            return f"TYPE [{action['text']}]"
        case "open_app":
            return f"OPEN_APP [{action['app_name']}]"
        case "navigate_back" | "navigate_home":
            return kind.upper().replace("NAVIGATE", "PRESS")
        case "wait":
            return "WAIT"
        case "status":
            return "COMPLETE"
    return CannotSay(f"OS-Atlas has no {short(kind)}")


def judge(prediction: Prediction | None, gold: AndroidControlOsAtlasGold) -> Verdict:
    """Returns the verdict on one prediction."""
    parts: dict[str, Value] = {"kind": _first(gold.command)}
    if prediction is None:
        return missing(parts, counted=True)
    said = _said(prediction, gold.size)
    if isinstance(said, Unreadable):
        return unreadable(said.reason, parts)
    if isinstance(said, CannotSay):
        return unscored("no-place", said.reason)
    return judge_text(said, gold.command)


def judge_text(said: Any, gold: str) -> Verdict:
    """Returns the verdict on a model's whole text against the gold's command."""
    parts: dict[str, Value] = {"kind": _first(gold)}
    command = command_in(said)
    try:
        return _judged(command, gold, parts)
    except FAILURES as error:
        return stops(error, f"“{short(command)}” has no word where one is looked for", parts)


def command_in(said: Any) -> str:
    """Returns the command of a text: what is between its first header and a second one.

    The characters of the end mark are taken off both ends, each by itself.
    """
    if not isinstance(said, str) or HEADER not in said:
        return INVALID
    return said.split(HEADER)[1].strip(_END)


def _judged(command: str, gold: str, parts: dict[str, Value]) -> Verdict:
    kind, wanted = command.split()[0], gold.split()[0]
    parts["type"] = kind == wanted
    if kind != wanted:
        told = "no command" if command == INVALID else f"“{short(kind)}”"
        return decided(False, "type", f"The gold is {wanted}, the prediction {told}.", parts)
    if wanted in _POINTED:
        return _touch(command, gold, parts)
    if command == gold:
        return decided(True, "text", f"Both are “{short(gold)}”.", parts)
    if wanted in _WORDED:
        word, right_word = command.split()[1], gold.split()[1]
        f1 = word_f1(word, right_word)
        reason = f"Only the first words are compared: “{short(word)}” and “{short(right_word)}”."
        return decided(f1 > F1_LIMIT, "first-word", reason, parts, {"f1": f1})
    return decided(False, "text", f"“{short(command)}” is not “{short(gold)}”.", parts)


def _touch(command: str, gold: str, parts: dict[str, Value]) -> Verdict:
    read = _numbers(command)
    (x, y), (gold_x, gold_y) = read[:2] if len(read) >= 2 else (-100, -100), _numbers(gold)[:2]
    apart = math.sqrt((x - gold_x) ** 2 + (y - gold_y) ** 2)
    said, limit = format_pair(apart, DISTANCE_LIMIT)
    reason = f"It is {said} thousandths from the gold point; the limit is {limit}."
    if len(read) < 2:
        reason = f"There are no two numbers, so (-100, -100) is taken. {reason}"
    right = apart <= DISTANCE_LIMIT
    return decided(right, "distance", reason, parts, {"distance": apart, "limit": DISTANCE_LIMIT})


def _numbers(text: str) -> list[int]:
    """Runs of digits, of whatever script; a sign or a decimal point is not seen."""
    return [int(run[:MAX_DIGITS]) for run in re.findall(r"\d+", text)]


def _first(command: str) -> str:
    return (command.split() or [""])[0]


def _said(prediction: Prediction, size: Size | None) -> Any:
    own = ac.own_answer(prediction, SPACE, ("actions:",))
    if own is not None:
        return own
    if isinstance(prediction.parsed, Unreadable):
        return prediction.parsed
    command = _written(prediction, prediction.parsed, size)
    return command if isinstance(command, CannotSay) else HEADER + command


def _written(prediction: Prediction, parsed: a.Action, size: Size | None) -> str | CannotSay:
    """Converts an action of another dialect to OS-Atlas's syntax."""
    told = ac.as_json(parsed, whole=False)
    if isinstance(told, CannotSay):
        if "pointed at" in told.reason:
            return told
        key = isinstance(parsed, a.PressKey) and parsed.key is a.Key.RECENTS
        return "PRESS_RECENT" if key else a.describe_kind(parsed).upper().replace(" ", "_")
    if isinstance(parsed, a.Finish) and parsed.ending is a.Ending.IMPOSSIBLE:
        return "IMPOSSIBLE"
    points = ac.own_numbers(prediction.native, size)
    if points is not None and told["action_type"] in ac.POINTED:
        told |= {"x": points[0][0], "y": points[0][1]}
    return command_of(told, size)


def _count_clicks(verdict: Verdict, more: Counter[str]) -> None:
    if verdict.parts.get("kind") == "CLICK" and verdict.parts.get("type") is True:
        more["clicks"] += 1
        more["clicks right"] += verdict.outcome is Outcome.MATCH


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns step and type accuracy over all steps, and grounding of clicks of the right type."""
    notes = (
        "The original also prints each sub-split, an episode counting only for the first that "
        "lists it; score the sub-splits as step sets of their own.",
    )
    return accuracy(scored, _count_clicks, {"grounding acc": ("clicks right", "clicks")}, notes)


V1 = ScoringProtocol(
    name="androidcontrol/os-atlas",
    version="1",
    title="OS-Atlas on AndroidControl",
    source="OS-Copilot/OS-Atlas@bad0840, eval/eval_scripts/android_control/evaluation_unify.py",
    quirks=(
        "Of texts and app names only the first word counts: Google Maps is Google Chrome.",
        "A bracket sticks to its word: “hello” alone is not the “hello” of two words.",
        "Signs and decimal points are not seen: -5 is 5, and 0.5 are two numbers.",
        "The header must be `actions:` and a new line; without it an answer is invalid.",
        "An answer without a word where one is looked for ends the original's run.",
        "The step set of its numbers has 7,708 steps; 131 of the 1,543 test episodes are missing.",
        "Which way its own scroll labels mean is not documented; the data set's are taken.",
    ),
    counts=Counts(
        missing="wrong: the original joins by position and has a line for each step",
        unreadable="wrong",
        unscored="left out",
        doubled="the first counts",
    ),
    gold=gold,
    judge=judge,
    aggregate=aggregate,
)
