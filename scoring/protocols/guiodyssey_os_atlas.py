"""OS-Atlas's rule for GUIOdyssey, on commands such as `CLICK <point>[[500, 500]]</point>`.

Commands are compared as texts. The numbers of a click are extracted, a typed command is a set of
words including its name, a scroll must be the same text. In version 2 a text of
OS-Atlas without the header `actions:` has no command. Version 1 read such a text like an answer of
another dialect. The rules are described in `docs/protocols/guiodyssey.md`.

Source: eval/eval_scripts/odyssey/evaluation_unify.py of OS-Copilot/OS-Atlas at bad0840.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from episodes.episodes import Episode
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import (
    CannotSay,
    Counts,
    Metric,
    Metrics,
    ScoredStep,
    ScoringProtocol,
    unscored,
)
from scoring.protocols import guiodyssey_steps as steps
from scoring.protocols.aitw_metrics import share_metric
from scoring.protocols.guiodyssey_steps import POINTED, OdysseyStep, ParsedAnswer, short
from scoring.protocols.word_overlap import word_f1
from scoring.rounding import format_pair

DISTANCE_LIMIT = 0.14 * 1000
F1_LIMIT = 0.5
HEADER = "actions:\n"
FORM = "os-atlas"  # the name under which the dialect keeps a text of OS-Atlas
MAX_DIGITS = 300

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class OsAtlasGold:
    """The command the original has as its answer, and the step it comes from."""

    command: str
    step: OdysseyStep


def gold(step: Step, episode: Episode) -> OsAtlasGold | CannotSay:
    """Returns the gold of a step as OS-Atlas's test file has it."""
    found = steps.gold(step, episode)
    return found if isinstance(found, CannotSay) else gold_of(found)


def gold_of(step: OdysseyStep) -> OsAtlasGold:
    """Returns a step of the benchmark with the command that represents it."""
    argument = step.argument
    if step.point is not None:
        argument = f"({round(step.point[0])}, {round(step.point[1])})"
    return OsAtlasGold(command(ParsedAnswer(step.kind, argument)), step)


def command(answer: ParsedAnswer) -> str:
    """Converts an answer of the benchmark to OS-Atlas's syntax."""
    argument = answer.argument
    if answer.kind in POINTED:
        inner = argument[1:-1] if argument[:1] in "([" and argument[-1:] in ")]" else argument
        return f"{answer.kind} <point>[[{inner}]]</point>" if argument else answer.kind
    if answer.kind in ("TYPE", "SCROLL"):
        return f"{answer.kind} [{argument}]"
    return answer.kind


def command_in(raw: str) -> str:
    """Returns the command in a text of OS-Atlas, "" without the header `actions:`.

    The original strips the characters of `<|im_end|>`, not the mark.
    """
    parts = raw.split(HEADER)
    return parts[1].strip("<|im_end|>").strip() if len(parts) > 1 else ""  # noqa: B005


def judge(prediction: Prediction | None, gold: OsAtlasGold, *, header: bool) -> Verdict:
    """Returns the verdict on one prediction.

    Args:
        header: whether a text of OS-Atlas needs the header.
    """
    if prediction is None:
        return unscored("missing", "There is no prediction; the original has no row for the step.")
    own = _own_text(prediction) if header else None
    if own is not None:
        return judge_command(command_in(own), gold.command)
    if "actions:" in prediction.raw.lower() and not _is_answer(prediction):
        return judge_command(command_in(prediction.raw), gold.command)
    answer = steps.answer_of(prediction, gold.step.size)
    if isinstance(answer, CannotSay):
        return unscored("no-place", answer.reason)
    if isinstance(answer, Unreadable):
        reason = f"No action could be read: {answer.reason}."
        return _verdict(False, "unreadable", reason, {"type": False, "parse": False})
    return judge_command(command(answer), gold.command)


def judge_command(command: str, gold: str) -> Verdict:
    """Returns the verdict on a command against the gold's, which is one of the original's."""
    kind, wanted = command.split(" ")[0].strip(":"), gold.split(" ")[0]
    parts: dict[str, Value] = {"kind": wanted, "type": kind == wanted}
    if kind != wanted:
        reason = f"The gold is {wanted}, the prediction {_named(kind)}."
        return _verdict(False, "type", reason, parts)
    if wanted in POINTED:
        return _touch(command, gold, parts)
    if wanted == "TYPE":
        return _text(command, gold, parts)
    if wanted == "SCROLL":
        same = command == gold
        reason = f"Both are “{gold}”." if same else f"“{short(command)}” is not “{gold}”."
        return _verdict(same, "scroll-text", reason, parts)
    return _verdict(True, "type", f"Both are {wanted}; no more is compared.", parts)


def _touch(command: str, gold: str, parts: dict[str, Value]) -> Verdict:
    read = _numbers(command)
    x, y = read if len(read) == 2 else (0, 0)
    gold_x, gold_y = _numbers(gold)[:2]
    try:
        apart = math.sqrt((x - gold_x) ** 2 + (y - gold_y) ** 2)
    except OverflowError:
        return _verdict(False, "distance", "The point is too far off to be measured.", parts)
    told, limit = format_pair(apart, DISTANCE_LIMIT)
    reason = f"It is {told} thousandths from the gold point; the limit is {limit}."
    if len(read) != 2:
        reason = f"There are {len(read)} numbers and not two, so (0, 0) is taken. {reason}"
    parts |= {"distance": apart, "limit": DISTANCE_LIMIT, "fallback": len(read) != 2}
    return _verdict(apart <= DISTANCE_LIMIT, "distance", reason, parts)


def _text(command: str, gold: str, parts: dict[str, Value]) -> Verdict:
    f1 = word_f1(command, gold)
    told, limit = format_pair(f1, F1_LIMIT)
    reason = (
        f"The words of “{short(command)}” and “{short(gold)}” have an F1 of {told}; more than "
        f"{limit} is asked, and the word TYPE counts."
    )
    return _verdict(f1 > F1_LIMIT, "text-words", reason, {**parts, "f1": f1})


def _numbers(text: str) -> list[int]:
    """Runs of digits, of whatever script; a sign or a decimal point is not seen."""
    return [int(digits[:MAX_DIGITS]) for digits in re.findall(r"\d+", text)]


def _own_text(prediction: Prediction) -> str | None:
    """Returns what the model wrote in OS-Atlas's form; None if it wrote in another one."""
    native = prediction.native
    told: Any = native.value if native is not None and native.space == FORM else None
    return told if isinstance(told, str) else None


def _is_answer(prediction: Prediction) -> bool:
    return prediction.native is not None and prediction.native.space == "guiodyssey"


def _named(kind: str) -> str:
    return short(kind) if kind else "no command"


def _verdict(right: bool, rule: str, reason: str, parts: dict[str, Value]) -> Verdict:
    return Verdict(Outcome.MATCH if right else Outcome.MISMATCH, rule, reason, parts)


@dataclass(slots=True)
class _Rows:
    all: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    tally: Counter[str] = field(default_factory=Counter)

    def add(self, scored: ScoredStep) -> None:
        verdict = scored.verdict
        if verdict.outcome is Outcome.UNSCORED:
            self.tally[f"steps left out: {verdict.rule}"] += 1
            return
        kind = str(verdict.parts.get("kind", ""))
        self.all[kind] += 1
        self.right[kind] += verdict.outcome is Outcome.MATCH
        self.typed[kind] += verdict.parts.get("type") is True
        if verdict.rule == "unreadable":
            self.tally["steps wrong: unreadable"] += 1


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns the original's numbers, all pooled over steps."""
    rows = _Rows()
    for step in scored:
        rows.add(step)
    touched = Share(rows.right["CLICK"], rows.typed["CLICK"] + rows.typed["LONG_PRESS"])
    clicks = Share(rows.typed["CLICK"] + rows.typed["LONG_PRESS"], rows.all["CLICK"])
    values: dict[str, Metric] = {
        "Step Acc": share_metric(Share(rows.right.total(), rows.all.total())),
        "Type Acc": share_metric(Share(rows.typed.total(), rows.all.total())),
        "Grounding Acc": share_metric(touched, "the original stops here: no click of right type"),
        "Click Type Acc": share_metric(clicks, "the original stops here: no click"),
        "Scroll Type Acc": share_metric(
            Share(rows.typed["SCROLL"], rows.all["SCROLL"]), "the original stops here: no scroll"
        ),
    }
    for kind in sorted(rows.all):
        values[f"Action Match Score/{kind}"] = share_metric(Share(rows.right[kind], rows.all[kind]))
    notes = (
        "The original counts long presses of the right type in Grounding Acc and Click Type Acc, "
        "but not those at the right place.",
    )
    return Metrics(values, notes, dict(rows.tally))


_QUIRKS = (
    "There is no region rule.",
    "A click without exactly two numbers is judged as one at (0, 0).",
    "Signs and decimal points are not seen: -5 is 5, and 250.5 are two numbers.",
    "A typed text is right when the words of the whole command have an F1 over 0.5; the word "
    "TYPE is one of them, brackets stick to words.",
    "A scroll must be the same text, upper and lower case told apart.",
    "There is no score of episodes. The original takes its gold from the prediction file.",
)
_COUNTS = Counts(
    missing="left out",
    unreadable="wrong",
    unscored="left out",
    doubled="each row counts",
)
_SOURCE = "OS-Copilot/OS-Atlas@bad0840, eval/eval_scripts/odyssey/evaluation_unify.py"
V2 = ScoringProtocol(
    name="guiodyssey/os-atlas",
    version="2",
    title="OS-Atlas on GUIOdyssey",
    source=_SOURCE,
    quirks=(
        "The header must be `actions:` and a new line; a text of OS-Atlas without it is wrong.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=gold,
    judge=partial(judge, header=True),
    aggregate=aggregate,
)
V1 = ScoringProtocol(
    name="guiodyssey/os-atlas",
    version="1",
    title="OS-Atlas on GUIOdyssey, header not required",
    source=_SOURCE,
    quirks=(
        "A text of OS-Atlas without its header is read all the same; the original does not.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=gold,
    judge=partial(judge, header=False),
    aggregate=aggregate,
)
