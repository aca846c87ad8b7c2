"""Metrics of AITZ: steps by kind, and goal progress of episodes.

Source: compute_atomic_metrics and compute_episode_metrics of coat/evaluate.py, IMNearth/CoAT at
9ab1a9f.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from episodes.verdicts import Outcome, Share
from scoring.protocol import Metric, Metrics, ScoredStep
from scoring.protocols.aitw_metrics import Episodes, mean_metric, share_metric


@dataclass(slots=True)
class Kinds:
    """Counts of scored steps by the gold's kind."""

    all: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    read: int = 0

    def add(self, scored: ScoredStep) -> None:
        """Counts one step."""
        verdict = scored.verdict
        if scored.doubled or verdict.outcome is Outcome.UNSCORED:
            return
        kind = str(verdict.parts.get("kind", ""))
        self.all[kind] += 1
        self.right[kind] += verdict.outcome is Outcome.MATCH
        self.typed[kind] += verdict.parts.get("type") is True
        self.read += verdict.parts.get("format") is True


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns exact and type accuracy over steps and by kind, success rate and goal progress over
    episodes, whose steps come in order."""
    episodes, kinds = Episodes(), Kinds()
    for step in scored:
        episodes.add(step)
        kinds.add(step)
    return numbers_of(episodes, kinds)


def numbers_of(episodes: Episodes, kinds: Kinds) -> Metrics:
    """Returns the numbers of counted steps."""
    whole, total = episodes.whole, kinds.all.total()
    values: dict[str, Metric] = {
        "exact_acc": share_metric(Share(kinds.right.total(), total)),
        "type_acc": share_metric(Share(kinds.typed.total(), total)),
        "hit_rate": share_metric(Share(kinds.read, total)),
        "success_rate": share_metric(whole.complete),
        "goal_progress": mean_metric([whole.progress]),
    }
    for kind in sorted(kinds.all):
        values[f"exact_acc/{kind}"] = share_metric(Share(kinds.right[kind], kinds.all[kind]))
        values[f"type_acc/{kind}"] = share_metric(Share(kinds.typed[kind], kinds.all[kind]))
    notes = ("goal_progress is the mean over episodes of right steps before the first wrong one.",)
    return Metrics(values, notes, dict(episodes.tally))
