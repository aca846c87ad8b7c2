"""Makes prediction files with known mistakes, and the scores that the mistakes imply.

Used by the demo and the sample. A protocol's verdict on each mistake follows from its rules, so its
scores can be checked against the implied ones.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.steps import Step
from episodes.verdicts import Outcome, Share
from replay.score_runs import ScoreResult
from scoring.protocol import CannotSay
from scoring.protocols import PROTOCOLS

GUIODYSSEY, STRICT = "guiodyssey@2", "taptrail-strict@1"
CHECKED = (GUIODYSSEY, STRICT)
BESIDE = 120


class MistakeKind(StrEnum):
    """Kind of a mistake in an answer."""

    FAR = "far"  # the point is half a screen away
    BESIDE = "beside"  # the point is 0.12 of the width away and outside the target
    WRONG_ACTION = "wrong action"
    WRONG_TEXT = "wrong text"
    EMPTY_TEXT = "empty text"
    UNREADABLE = "unreadable"
    MISSING = "missing"


_WRONG = {GUIODYSSEY: Outcome.MISMATCH, STRICT: Outcome.MISMATCH}
IMPLIED: Mapping[MistakeKind, Mapping[str, Outcome]] = {
    MistakeKind.FAR: _WRONG,
    MistakeKind.BESIDE: {GUIODYSSEY: Outcome.MATCH, STRICT: Outcome.MISMATCH},
    MistakeKind.WRONG_ACTION: _WRONG,
    MistakeKind.WRONG_TEXT: _WRONG,
    MistakeKind.EMPTY_TEXT: {GUIODYSSEY: Outcome.MATCH, STRICT: Outcome.MISMATCH},
    MistakeKind.UNREADABLE: _WRONG,
    MistakeKind.MISSING: {GUIODYSSEY: Outcome.UNSCORED, STRICT: Outcome.MISMATCH},
}
"""Each protocol's expected verdict on a mistake; all other answers must match."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A step whose answer is wrong on purpose."""

    episode: str
    step: int
    kind: MistakeKind


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """Rows of a prediction file in the form of GUIOdyssey's evaluator, and its mistakes."""

    rows: tuple[dict[str, Any], ...]
    mistakes: tuple[Mistake, ...]

    def text(self) -> str:
        """Returns the file."""
        return json.dumps(list(self.rows), ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, slots=True)
class ImpliedScore:
    """Scores of a run under one protocol that its mistakes imply."""

    ams: Share
    sr: Share


def answers(episodes: Sequence[Episode], kinds: Sequence[MistakeKind], seed: int) -> AnswerFile:
    """Returns right answers to all steps, except one mistake of each given kind.

    Args:
        kinds: the mistakes to make; the seed chooses a suitable step for each.

    Raises:
        KnownError: an action has no form in GUIOdyssey, or no step suits a mistake.
    """
    chance = random.Random(seed)  # noqa: S311 - which steps, no secret
    right: dict[tuple[str, int], str] = {}
    steps: dict[tuple[str, int], Step] = {}
    for episode in episodes:
        for step in episode.steps:
            gold = PROTOCOLS[GUIODYSSEY].gold(step, episode)
            if isinstance(gold, CannotSay):
                raise KnownError(
                    f"answer step {step.index} of {episode.name}",
                    gold.reason,
                    "Use an episode GUIOdyssey has words for.",
                )
            right[episode.name, step.index] = gold.answer
            steps[episode.name, step.index] = step
    given: dict[tuple[str, int], str | None] = dict(right)
    free = [key for key, step in steps.items() if not isinstance(step.action, a.Finish)]
    mistakes = []
    for kind in kinds:
        fitting = [key for key in free if _wrong(kind, steps[key], right[key]) is not None]
        if not fitting:
            raise KnownError(f"make the mistake “{kind}”", "no step is fit for it", "Leave it out.")
        chosen = chance.choice(fitting)
        free.remove(chosen)
        said = _wrong(kind, steps[chosen], right[chosen])
        given[chosen] = None if kind is MistakeKind.MISSING else said
        mistakes.append(Mistake(*chosen, kind))
    rows = [
        _row(episode, step, right[episode.name, step.index], said)
        for episode in episodes
        for step in episode.steps
        if (said := given[episode.name, step.index]) is not None
    ]
    return AnswerFile(tuple(rows), tuple(sorted(mistakes, key=lambda m: (m.episode, m.step))))


def implied(
    episodes: Sequence[Episode], mistakes: Sequence[Mistake], protocol: str
) -> ImpliedScore:
    """Returns AMS and SR as they must be if only the mistakes are wrong.

    GUIOdyssey leaves out missing steps and their episodes.
    """
    outcomes = {(m.episode, m.step): IMPLIED[m.kind][protocol] for m in mistakes}
    hits = total = whole = told = 0
    for episode in episodes:
        said = [outcomes.get((episode.name, step.index), Outcome.MATCH) for step in episode.steps]
        hits += said.count(Outcome.MATCH)
        total += len(said) - said.count(Outcome.UNSCORED)
        if Outcome.UNSCORED not in said:
            told += 1
            whole += set(said) == {Outcome.MATCH}
    return ImpliedScore(Share(hits, total), Share(whole, told))


def differences(
    episodes: Sequence[Episode], mistakes: Sequence[Mistake], result: ScoreResult
) -> tuple[str, ...]:
    """Returns a sentence for each difference between a score and the implied one."""
    protocol = result.protocol.key
    expected = {(m.episode, m.step): m.kind for m in mistakes}
    found = []
    judged = {(one.episode, one.step): one.verdict for one in result.steps}
    for episode in episodes:
        for step in episode.steps:
            kind = expected.get((episode.name, step.index))
            wanted = IMPLIED[kind][protocol] if kind is not None else Outcome.MATCH
            verdict = judged.get((episode.name, step.index))
            outcome = verdict.outcome if verdict is not None else None
            if outcome is not wanted:
                found.append(
                    f"{protocol} says {outcome or 'nothing'} of {episode.name} step {step.index} "
                    f"({kind or 'right'}), where {wanted} is due"
                )
    due = implied(episodes, mistakes, protocol)
    for name, share in (("AMS", due.ams), ("SR", due.sr)):
        metric = result.metrics.values[name]
        if metric.share != share:
            found.append(f"{protocol} has {name} {metric.share}, where {share} is due")
    return tuple(found)


def _wrong(kind: MistakeKind, step: Step, right: str) -> str | None:
    """Returns a wrong answer of that kind; None if it is not possible at this step."""
    pointed = right.startswith(("CLICK: ", "LONG_PRESS: "))
    typed = right.startswith("TYPE: ") and bool(right.removeprefix("TYPE: ").strip())
    match kind:
        case MistakeKind.FAR if pointed:
            word, (x, y) = _parts(right)
            return f"{word}: ({(x + 500) % 1000}, {(y + 500) % 1000})"
        case MistakeKind.BESIDE if pointed:
            return _beside(step, right)
        case MistakeKind.WRONG_ACTION if not pointed and not typed:
            return "CLICK: (500, 500)"
        case MistakeKind.WRONG_TEXT if typed:
            return "TYPE: " + "#" * len(right)
        case MistakeKind.EMPTY_TEXT if typed:
            return "TYPE: "
        case MistakeKind.UNREADABLE if pointed:
            return f"{_parts(right)[0]}: the button below"
        case MistakeKind.MISSING:
            return ""
    return None


def _beside(step: Step, right: str) -> str | None:
    word, (x, y) = _parts(right)
    size = step.frame.size if step.frame is not None else None
    for other in (x + BESIDE, x - BESIDE):
        if size is None or not 0 <= other <= 1000:
            continue
        target = step.target
        point = Point(other / 1000 * size.width, y / 1000 * size.height)
        if target is None or target.box is None or point not in target.box:
            return f"{word}: ({other}, {y})"
    return None


def _parts(answer: str) -> tuple[str, tuple[int, int]]:
    word, _, rest = answer.partition(": ")
    x, y = json.loads(rest.replace("(", "[").replace(")", "]"))
    return word, (round(x), round(y))


def _row(episode: Episode, step: Step, right: str, said: str) -> dict[str, Any]:
    native = next((region.native for region in step.regions if region.native is not None), None)
    return {
        "question": f"Picture 1: <img>{episode.name}_{step.index}.png</img>\n"
        f"{episode.task.instruction}",
        "pred": said,
        "gt": right,
        "more_info": {
            "category": episode.task.category,
            "step_length": episode.declared_steps or len(episode.steps),
            "sam2_bbox": native.value if native is not None else None,
        },
    }
