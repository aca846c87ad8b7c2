"""Parses GUIOdyssey's steps and answers for evaluators other than the benchmark's own.

Those evaluators have their own answer syntax. An answer in the benchmark's syntax is converted to
theirs, so that all can judge one file of predictions. Its text includes colons up to the end of the
line: only the benchmark's own evaluator cuts it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.thousandths import LARGEST
from scoring.protocol import CannotSay
from scoring.protocols import guiodyssey_answers as answers

POINTED = ("CLICK", "LONG_PRESS")


@dataclass(frozen=True, slots=True)
class OdysseyStep:
    """A step's gold.

    Attributes:
        kind: in the benchmark's words: CLICK, LONG_PRESS, SCROLL, TYPE, PRESS_HOME, PRESS_BACK,
            PRESS_RECENT, COMPLETE, IMPOSSIBLE.
        argument: the text typed, or the finger's direction (UP, DOWN, LEFT, RIGHT).
        point: (x, y) in thousandths, of CLICK and LONG_PRESS.
        size: of the step's frame, for predictions in pixels.
    """

    kind: str
    argument: str = ""
    point: tuple[float, float] | None = None
    size: Size | None = None

    def __str__(self) -> str:
        if self.point is not None:
            return f"{self.kind} at ({self.point[0]:g}, {self.point[1]:g})"
        return f"{self.kind} “{short(self.argument)}”" if self.argument else self.kind


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """A prediction in the benchmark's words, taken apart; `argument` is stripped, not read."""

    kind: str
    argument: str = ""

    def __str__(self) -> str:
        return short(f"{self.kind}: {self.argument}" if self.argument else self.kind)


def gold(step: Step, episode: Episode) -> OdysseyStep | CannotSay:
    """Returns the gold of a step from the data set's own numbers, or from a recording's pixels."""
    size = step.frame.size if step.frame is not None else None
    answer = answers.gold_answer(step, size)
    return answer if isinstance(answer, CannotSay) else _taken_apart(answer, size)


def answer_of(prediction: Prediction, size: Size | None) -> ParsedAnswer | Unreadable | CannotSay:
    """Returns a prediction of any dialect in the benchmark's syntax."""
    native = prediction.native
    if native is not None and native.space == answers.SPACE:
        return answer_of_text(native.value)
    told = answers.predicted_answer(prediction.parsed, native, size)
    if isinstance(told, CannotSay):
        return prediction.parsed if isinstance(prediction.parsed, Unreadable) else told
    answer = answer_of_text(told)
    return answer if isinstance(answer, Unreadable) else _whole(answer)


def answer_of_text(text: Any) -> ParsedAnswer | Unreadable:
    """Parses an answer in the benchmark's syntax, split at its first colon."""
    if not isinstance(text, str):
        return Unreadable("the answer is not a text")
    kind, _, argument = text.partition(":")
    return ParsedAnswer(kind.strip(), argument.strip())


def short(text: str) -> str:
    """Returns the first 60 characters."""
    return text if len(text) <= 60 else text[:57] + "…"


def _taken_apart(answer: str, size: Size | None) -> OdysseyStep | CannotSay:
    kind, _, argument = (part.strip() for part in answer.partition(":"))
    if kind not in POINTED:
        return OdysseyStep(kind, argument, None, size)
    numbers = [float(number) for number in argument.strip("()").split(",") if number.strip()]
    if len(numbers) < 2:
        return CannotSay("the annotation's point has not two numbers")
    if not all(abs(number) <= LARGEST for number in numbers[:2]):
        return CannotSay("the annotation's point lies too far off the screen")
    return OdysseyStep(kind, "", (numbers[0], numbers[1]), size)


_DECIMALS = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?")


def _whole(answer: ParsedAnswer) -> ParsedAnswer:
    """Rounds the point of an answer made from pixels: these evaluators know whole thousandths."""
    if answer.kind not in POINTED:
        return answer
    numbers = [round(float(number)) for number in _DECIMALS.findall(answer.argument)]
    return ParsedAnswer(answer.kind, f"({', '.join(str(number) for number in numbers)})")
