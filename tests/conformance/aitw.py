"""Answers to cases of Android in the Wild, through the functions the commands call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from episodes.actions import Other
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Size
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import PROTOCOLS
from scoring.protocols.aitw_metrics import PartCounts, count, rounded
from tests.conformance.guiodyssey import Answer

EPISODE = Episode("u", "case", Origin("aitw"), Task(""), EpisodeState.FINISHED, ())


def step_answer(key: str) -> Answer:
    """Returns what answers a case of one step with true, false or "unscored"."""

    def told(case: dict[str, Any]) -> dict[str, Any]:
        verdict = verdict_on(case, key)
        if verdict.outcome is Outcome.UNSCORED:
            return {"got": "unscored", "reason": verdict.reason}
        return {"got": verdict.outcome is Outcome.MATCH}

    return told


def verdict_on(case: dict[str, Any], key: str) -> Verdict:
    """Returns a protocol's verdict on a case of one step."""
    return PROTOCOLS[key].verdict(prediction_of(case), step_of(case), EPISODE)


def step_of(case: dict[str, Any]) -> Step:
    """Returns the step of a case, as the data set's reader would give it to the protocol."""
    context = case.get("context") or {}
    screen = context.get("screen") or {"width": 540, "height": 1080}
    gold = case["gold"]
    boxes = context.get("ui_annotation_positions_yxhw", gold.get("boxes_yxhw"))
    native = _native(gold) | ({"boxes": boxes} if boxes is not None else {})
    return Step(
        0,
        Other("annotated"),
        frame=Frame(Size(screen["width"], screen["height"]), Basis.IMPORTED),
        native=Native.of("aitw", native),
    )


def prediction_of(case: dict[str, Any]) -> Prediction:
    """Returns a case's prediction with its numbers as they came."""
    told = case["prediction"]
    raw = json.dumps(told)
    native = Native.of("aitw", _native(told) if isinstance(told, dict) else told)
    return Prediction("case", 0, raw, Unreadable("read by its numbers"), native=native)


def _native(told: dict[str, Any]) -> dict[str, Any]:
    return {
        "action_type": told.get("action_type"),
        "touch": told.get("touch_yx"),
        "lift": told.get("lift_yx"),
        "text": told.get("type_text", told.get("text", "")),
    }


def aggregate_answer(case: dict[str, Any]) -> dict[str, Any]:
    """Answers a case of whole data sets with the numbers of each and their means."""
    counted = count(_scored(case["datasets"]))
    parts = counted.parts
    means = {
        "partial_match_episode_mean": _mean([part.partial for part in parts.values()]),
        "complete_match": _mean([_share(part) for part in parts.values()]),
        "step_accuracy_pooled": _mean([_steps(part) for part in parts.values()]),
        "pooled_over_everything(step)": _percent(_steps(counted.whole)),
    }
    got = {
        "per_dataset": {name: _numbers(parts.get(name, PartCounts())) for name in case["datasets"]},
        "average_over_datasets": means,
    }
    return {"got": got}


def _numbers(part: PartCounts) -> dict[str, Any]:
    return {
        "episodes": len(part.told),
        "steps": part.steps.total,
        "partial_match_episode_mean": _percent(part.partial),
        "complete_match": _percent(_share(part)),
        "step_accuracy_pooled": _percent(_steps(part)),
        "goal_progress_prefix(AITZ)": _coat([e.leading / e.length for e in part.told]),
        "success_rate(AITZ)": _coat([e.complete for e in part.told]),
    }


def _coat(shares: Sequence[float]) -> float | None:
    """CoAT adds episodes' shares up as floats, one after another, and rounds the mean of them."""
    return round(sum(shares) / len(shares), 4) if shares else None


def _scored(datasets: dict[str, list[list[int]]]) -> list[ScoredStep]:
    return [
        ScoredStep(
            f"{name}-{number}",
            index,
            Verdict(Outcome.MATCH if right else Outcome.MISMATCH, "given", ""),
            category=name,
            declared_steps=len(rights),
        )
        for name, episodes in datasets.items()
        for number, rights in enumerate(episodes)
        for index, right in enumerate(rights)
    ]


def _share(part: PartCounts) -> Fraction | None:
    return Fraction(part.complete.hits, part.complete.total) if part.complete.total else None


def _steps(part: PartCounts) -> Fraction | None:
    return Fraction(part.steps.hits, part.steps.total) if part.steps.total else None


def _percent(value: Fraction | None) -> float | None:
    return rounded(value * 100) if value is not None else None


def _mean(values: list[Fraction | None]) -> float | None:
    known = [value for value in values if value is not None]
    return _percent(sum(known, Fraction()) / len(known)) if known else None
