"""Step accuracy as AndroidControl's evaluators have it: shares of steps, whatever their episode.

Only the outcome and the parts `kind` and `type` of each verdict are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import Metric, Metrics, ScoredStep, percent


@dataclass(slots=True)
class Counted:
    """Counts of judged steps, by the gold's kind of action."""

    all: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    tally: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> bool:
        """Counts one verdict; returns whether it is a judged step's."""
        if verdict.outcome is Outcome.UNSCORED:
            self.tally[f"steps left out: {verdict.rule}"] += 1
            return False
        kind = str(verdict.parts.get("kind", ""))
        self.all[kind] += 1
        self.right[kind] += verdict.outcome is Outcome.MATCH
        self.typed[kind] += verdict.parts.get("type") is True
        if verdict.rule in ("unreadable", "missing", "stops"):
            self.tally[f"steps wrong: {verdict.rule}"] += 1
        return True

    def metrics(self) -> dict[str, Metric]:
        """Returns step and type accuracy, of all steps and by kind."""
        values = {
            "step accuracy": share_metric(Share(self.right.total(), self.all.total())),
            "type accuracy": share_metric(Share(self.typed.total(), self.all.total())),
        }
        for kind in sorted(self.all):
            values[f"step accuracy/{kind}"] = share_metric(Share(self.right[kind], self.all[kind]))
        return values


def accuracy(
    scored: Iterable[ScoredStep],
    further: Callable[[Verdict, Counter[str]], None] | None = None,
    shares: dict[str, tuple[str, str]] | None = None,
    notes: tuple[str, ...] = (),
) -> Metrics:
    """Returns step and type accuracy, and further shares.

    Args:
        further: counts what else an evaluator counts of a judged step.
        shares: of its counts, hits and total, by the name of the number.
    """
    counted, more = Counted(), Counter[str]()
    for step in scored:
        if counted.add(step.verdict) and further is not None:
            further(step.verdict, more)
    values = counted.metrics()
    for name, (hits, total) in (shares or {}).items():
        values[name] = share_metric(Share(more[hits], more[total]))
    if any(kind == "stops" for kind in (key.rsplit(": ", 1)[-1] for key in counted.tally)):
        notes = (*notes, "The original ends at a step that is counted as wrong here.")
    return Metrics(values, notes, dict(counted.tally))


def share_metric(share: Share, of_nothing: str = "no step was scored") -> Metric:
    """Returns a share as a number; without a value, `of_nothing` says why."""
    value = percent(share)
    return Metric(value, share, note=of_nothing if value is None else "")
