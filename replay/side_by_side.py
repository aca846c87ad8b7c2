"""Compares the gold and the prediction of one step, under one protocol and all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from episodes.actions import Action
from episodes.annotations import Status
from episodes.episodes import Episode
from episodes.geometry import Box
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Verdict
from scoring.protocol import ScoringProtocol
from scoring.protocols import PROTOCOLS


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The comparison of one step shown on the Review page.

    Attributes:
        gold: the recorded action, in pixels of the step's frame.
        alternatives: further actions accepted as right.
        region: the target's box on that frame.
        prediction: the model's answer; None if the run has none.
        verdict: under the chosen protocol.
        others: verdicts of all protocols by key, the chosen one included.
    """

    gold: Action
    alternatives: tuple[Action, ...]
    region: Box | None
    prediction: Prediction | None
    verdict: Verdict
    others: Mapping[str, Verdict]

    @property
    def predicted(self) -> Action | None:
        """The predicted action; None if there is none or it is unreadable."""
        if self.prediction is None or isinstance(self.prediction.parsed, Unreadable):
            return None
        return self.prediction.parsed


def compare_step(
    step: Step,
    episode: Episode,
    prediction: Prediction | None,
    protocol: ScoringProtocol,
    protocols: Mapping[str, ScoringProtocol] = PROTOCOLS,
) -> SideBySide:
    """Returns a step's gold, prediction and verdicts."""
    verdicts = {
        key: other.verdict(prediction, step, episode)
        for key, other in {**protocols, protocol.key: protocol}.items()
    }
    accepted = tuple(gold.action for gold in step.golds if gold.status is Status.ACCEPTED)
    region = step.target.box if step.target is not None else None
    return SideBySide(step.action, accepted, region, prediction, verdicts[protocol.key], verdicts)
