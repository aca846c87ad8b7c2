"""Auto-GUI's evaluation on Android in the Wild: the same step rule, inside a stateful loop.

The loop reads an answer part by part into variables it never clears. When a part cannot be read,
what an earlier answer left there is judged instead. The gold is what Auto-GUI trains on: taps
rounded to four decimals, drags replaced by a stroke. Version 2 has a stroke for each of four
directions. Version 1 has the two vertical ones, for drags to the left and right as well. The rules
are described in `docs/protocols/aitw.md`.

Source: main.py and utils_data.py of cooelf/Auto-GUI, version 2 at 26ea0f2, version 1 at 0b37eba.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from episodes.episodes import Episode
from episodes.geometry import Native
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import (
    CannotSay,
    Carry,
    Counts,
    Metric,
    Metrics,
    ScoredStep,
    ScoringProtocol,
    unscored,
)
from scoring.protocols import aitw
from scoring.protocols.aitw import AitwGold, is_tap, judge_action, main_axis
from scoring.protocols.aitw_answers import (
    DUAL_POINT,
    SPACE,
    YX,
    AitwAction,
    AutoGuiReading,
    as_native,
    is_own_text,
    of_prediction,
)
from scoring.protocols.aitw_metrics import mean_metric, share_metric
from scoring.protocols.aitw_screen import ReadBoxes, boxes_of_any_tree, pixel_boxes

Stroke = tuple[YX, YX]
UPWARD: Stroke = ((0.8, 0.5), (0.2, 0.5))
DOWNWARD: Stroke = ((0.2, 0.5), (0.8, 0.5))
LEFTWARD: Stroke = ((0.5, 0.8), (0.5, 0.2))
RIGHTWARD: Stroke = ((0.5, 0.2), (0.5, 0.8))

Strokes = tuple[tuple[Stroke, Stroke], tuple[Stroke, Stroke]]
FOUR: Strokes = ((UPWARD, DOWNWARD), (LEFTWARD, RIGHTWARD))
TWO: Strokes = ((UPWARD, DOWNWARD), (UPWARD, DOWNWARD))
"""The strokes that replace drags: by axis (vertical, horizontal), then by direction (towards 0,
away from it). FOUR is version 2, TWO version 1."""


def gold(
    step: Step, episode: Episode, *, strokes: Strokes, read: ReadBoxes = pixel_boxes
) -> AitwGold | CannotSay:
    """Returns the gold of a step as Auto-GUI's loader writes it into its target."""
    found = aitw.gold(step, episode, read=read)
    if isinstance(found, CannotSay):
        return found
    return replace(found, action=target_action(found.action, strokes))


def target_action(action: AitwAction, strokes: Strokes) -> AitwAction:
    """Returns an action of the data set in the form of the training target."""
    words = action.text.replace("\\", "").replace('"', "").replace("'", "")
    text = " ".join(words.split()).lower()
    if action.code != DUAL_POINT:
        return replace(action, text=text)
    if is_tap(action.touch, action.lift):
        touch = round(action.touch[0], 4), round(action.touch[1], 4)
        return replace(action, touch=touch, lift=touch, text=text)
    axis = main_axis(action.touch, action.lift)
    touch, lift = strokes[axis][0 if action.lift[axis] < action.touch[axis] else 1]
    return replace(action, touch=touch, lift=lift, text=text)


def carry() -> Carry:
    """Returns a function that gives each prediction of a run, in order, the parts that the loop
    would judge."""
    reading = AutoGuiReading()

    def carried(prediction: Prediction | None, step: Step) -> Prediction | None:
        if prediction is None:
            return None
        own = prediction.native is not None and prediction.native.space == SPACE
        if is_own_text(prediction.raw) and not own:
            reading.read(prediction.raw)
            return _with(prediction, reading.action())
        size = step.frame.size if step.frame is not None else None
        action = of_prediction(prediction, size)
        if isinstance(action, AitwAction):
            _keep(reading, action)
        elif isinstance(action, Unreadable):
            reading.fresh = 0
            return _with(prediction, reading.action())
        return prediction

    return carried


def judge(prediction: Prediction | None, gold: AitwGold) -> Verdict:
    """Returns the verdict on one prediction returned by `carry`."""
    if prediction is None:
        reason = (
            "There is no prediction: the original stops here, it asks for one for each step. "
            "The step counts as wrong."
        )
        return Verdict(Outcome.MISMATCH, "missing", reason, {"type": False, "text": False})
    action = of_prediction(prediction, gold.size)
    if isinstance(action, Unreadable):
        reason = (
            f"No action could be read: {action.reason}. The original judges what earlier answers "
            "left; where they left nothing it stops here. The step counts as wrong."
        )
        parts = {"type": False, "text": False, "parse": False}
        return Verdict(Outcome.MISMATCH, "unreadable", reason, {**parts})
    if isinstance(action, CannotSay):
        return unscored("no-place", action.reason)
    return judge_carried(action, gold.action, gold)


def judge_carried(action: AitwAction, target: AitwAction, gold: AitwGold) -> Verdict:
    """Returns the verdict on an action, with the parts `text` and `reused`."""
    verdict = judge_action(action, target, gold.boxes)
    right = verdict.outcome is Outcome.MATCH
    told, wanted = action.text.lower().strip(), target.text.lower()
    text = right and (told in wanted or wanted in told)
    reason = verdict.reason
    if action.reused:
        reason = (
            f"This answer cannot be read; its {action.reused} are judged as an earlier answer left "
            f"them, as in the original. {reason}"
        )
    parts = {**verdict.parts, "text": text, "reused": action.reused or None}
    return Verdict(verdict.outcome, verdict.rule, reason, parts)


def _with(prediction: Prediction, action: AitwAction | Unreadable) -> Prediction:
    if isinstance(action, Unreadable):
        return replace(prediction, raw="", native=None, parsed=action)
    return replace(prediction, native=Native.of(SPACE, as_native(action)))


def _keep(reading: AutoGuiReading, action: AitwAction) -> None:
    reading.touch, reading.lift = list(action.touch), list(action.lift)
    reading.code, reading.text, reading.fresh = action.code, action.text.lower().strip(), 4


@dataclass(slots=True)
class _Part:
    scored: int = 0
    right: int = 0
    texts: int = 0
    types: int = 0

    def accuracy(self) -> Share:
        return Share(self.right, self.scored)


def aggregate(steps: Iterable[ScoredStep]) -> Metrics:
    """Returns accuracy, text_acc and type_acc of each part of the data set, and their means."""
    parts: dict[str, _Part] = {}
    tally: Counter[str] = Counter()
    for scored in steps:
        verdict = scored.verdict
        if scored.doubled:
            tally["second predictions, not counted"] += 1
            continue
        if verdict.outcome is Outcome.UNSCORED:
            tally[f"steps left out: {verdict.rule}"] += 1
            continue
        part = parts.setdefault(scored.category, _Part())
        part.scored += 1
        part.right += verdict.outcome is Outcome.MATCH
        part.texts += verdict.parts.get("text") is True
        part.types += verdict.parts.get("type") is True
        if verdict.rule in ("missing", "unreadable", "no-boxes"):
            tally[f"steps wrong: {verdict.rule}"] += 1
        if verdict.parts.get("reused"):
            tally["steps judged by an earlier answer"] += 1
    ordered = [parts[name] for name in sorted(parts)]
    shares = [Share(part.right, part.scored) for part in ordered]
    values: dict[str, Metric] = {
        "accuracy": mean_metric([Fraction(share.hits, share.total) for share in shares]),
        "accuracy/pooled": share_metric(
            Share(sum(share.hits for share in shares), sum(share.total for share in shares))
        ),
    }
    for name in sorted(parts):
        part = parts[name]
        values[f"accuracy/{name}"] = share_metric(part.accuracy())
        values[f"text_acc/{name}"] = share_metric(Share(part.texts, part.scored))
        values[f"type_acc/{name}"] = share_metric(Share(part.types, part.scored))
    notes = ("Steps of a part are pooled; the accuracy is the mean over the parts.",)
    return Metrics(values, notes, dict(tally))


_QUIRKS = (
    "text_acc asks for a match and for one text as a part of the other, on every step: an "
    "empty text is part of every text.",
    *aitw.RULE_QUIRKS,
    "On a screen without boxes every action is wrong.",
)
_COUNTS = Counts(
    missing="wrong; the original stops",
    unreadable="judged with an earlier answer; wrong where there is none",
    unscored="left out",
    doubled="the first counts",
)
_REUSE = "An answer that cannot be read is judged with the parts an earlier answer left behind."
V2 = ScoringProtocol(
    name="aitw/auto-gui",
    version="2",
    title="Auto-GUI on Android in the Wild",
    source="cooelf/Auto-GUI@26ea0f2, main.py and utils_data.py",
    quirks=(
        _REUSE,
        "The gold is the training target: taps to four decimals, drags as one of four strokes.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=partial(gold, strokes=FOUR),
    judge=judge,
    aggregate=aggregate,
    carry=carry,
)
V1 = ScoringProtocol(
    name="aitw/auto-gui",
    version="1",
    title="Auto-GUI on Android in the Wild, before its fix of July 2024",
    source="cooelf/Auto-GUI@0b37eba, main.py and utils_data.py",
    quirks=(
        _REUSE,
        "The gold is the training target: taps to four decimals, drags as a vertical stroke, those "
        "to the left and right too.",
        *_QUIRKS,
    ),
    counts=_COUNTS,
    gold=partial(gold, strokes=TWO, read=boxes_of_any_tree),
    judge=judge,
    aggregate=aggregate,
    carry=carry,
)
