"""Answers to cases of GUIOdyssey, through the functions the commands call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from episodes.actions import Other
from episodes.annotations import Provenance, Region, RegionSource
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Size
from episodes.runs import Prediction
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from replay.dialect import Declared
from replay.dialects import DIALECTS
from replay.dialects.guiodyssey import row_of_answer
from replay.joining import prediction_of
from scoring.protocol import ScoredStep
from scoring.protocols import PROTOCOLS
from scoring.protocols.guiodyssey_metrics import OriginalStops, count, original_summary

Answer = Callable[[dict[str, Any]], dict[str, Any]]

WAYS = {
    "per_step ('macro' in the code; app/device/task splits)": False,
    "per_category_mean ('micro' in the code; random split)": True,
}


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
    step = step_of(case)
    task = Task("")
    episode = Episode("u", "case", Origin("guiodyssey"), task, EpisodeState.FINISHED, (step,))
    return PROTOCOLS[key].verdict(prediction_for(case["prediction"], step), step, episode)


def step_of(case: dict[str, Any]) -> Step:
    """Returns the step of a case, as the data set's reader would give it to the protocol."""
    context = case.get("context") or {}
    device = context.get("device") or {"w": 1080, "h": 2400}
    regions: tuple[Region, ...] = ()
    if "sam2_bbox" in context:
        native = Native.of("guiodyssey", context["sam2_bbox"])
        regions = (Region(None, Provenance(RegionSource.IMPORT), native=native),)
    gold = {name: case["gold"].get(name) for name in ("action", "info")}
    return Step(
        0,
        Other("annotated"),
        frame=Frame(Size(device["w"], device["h"]), Basis.IMPORTED),
        native=Native.of("guiodyssey", gold),
        regions=regions,
    )


def prediction_for(answer: Any, step: Step) -> Prediction:
    """Returns a case's prediction, read as the prediction file's dialect reads it."""
    row = row_of_answer(answer, episode="case", step=0)
    return prediction_of(row, step, DIALECTS["guiodyssey"], Declared())


def aggregate_answer(key: str) -> Answer:
    """Returns what answers a case of many steps with both of the original's summaries."""
    sr_of_nothing = 0.0 if key == "guiodyssey@2" else None

    def told(case: dict[str, Any]) -> dict[str, Any]:
        steps = [_scored(place, step) for place, step in enumerate(case["steps"])]
        rows = count(steps, sr_of_nothing=sr_of_nothing)
        got: dict[str, Any] = {}
        for way, category_mean in WAYS.items():
            try:
                got[way] = original_summary(rows, category_mean=category_mean)
            except OriginalStops as stop:
                got[way] = {"error": stop.error}
        return {"got": got}

    return told


def _scored(place: int, step: dict[str, Any]) -> ScoredStep:
    kind = "type" if step["type_step"] else "click"
    label = f"{kind}_{'correct' if step['correct'] else 'fail'}"
    outcome = Outcome.MATCH if step["correct"] else Outcome.MISMATCH
    return ScoredStep(
        step["episode"],
        step["step"],
        Verdict(outcome, "given", "", {"label": label}),
        category=step["category"],
        declared_steps=step["step_length"],
        place=place,
    )
