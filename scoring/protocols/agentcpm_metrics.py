"""The numbers AgentCPM-GUI's evaluator prints, over steps and over episodes.

An episode is as long as it has judged steps. GUIOdyssey's test set is written to files cut anew
where the instruction changes or a step is missing, but the results are put together again by the
episode's own id before they are counted.

Source: compute_atomic_metrics and compute_episode_metrics of eval/utils/evaluator.py, and
eval/run_eval_agent.py, OpenBMB/AgentCPM-GUI at acbaf50.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from episodes.verdicts import Outcome, Share
from scoring.protocol import Metric, Metrics, ScoredStep
from scoring.protocols.aitw_metrics import mean_metric, share_metric


@dataclass(slots=True)
class AgentCpmEpisodeRows:
    """Counts of an episode's rows; `leading` are the right ones before the first wrong one."""

    steps: int = 0
    leading: int = 0
    failed: bool = False

    def add(self, right: bool) -> None:
        """Counts one row; they come in order."""
        self.steps += 1
        self.failed = self.failed or not right
        self.leading += not self.failed


@dataclass(slots=True)
class CpmRows:
    """Counts of a run's rows."""

    all: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    typed: Counter[str] = field(default_factory=Counter)
    episodes: dict[tuple[str, str], AgentCpmEpisodeRows] = field(default_factory=dict)
    tally: Counter[str] = field(default_factory=Counter)

    def add(self, scored: ScoredStep) -> None:
        """Counts one step in all ways."""
        if self.add_kind(scored):
            right = scored.verdict.outcome is Outcome.MATCH
            self.episodes.setdefault((scored.category, scored.episode), AgentCpmEpisodeRows()).add(
                right
            )

    def add_kind(self, scored: ScoredStep) -> bool:
        """Counts one step without its episode; returns whether it is a row."""
        verdict = scored.verdict
        if verdict.outcome is Outcome.UNSCORED:
            self.tally[f"steps left out: {verdict.rule}"] += 1
            return False
        kind = str(verdict.parts.get("kind", ""))
        self.all[kind] += 1
        self.right[kind] += verdict.outcome is Outcome.MATCH
        self.typed[kind] += verdict.parts.get("type") is True
        if verdict.rule == "unreadable":
            self.tally["steps wrong: unreadable"] += 1
        return True


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns exact_acc and type_acc over steps, success_rate and goal_progress over episodes.

    The steps of an episode come in order.
    """
    rows = CpmRows()
    for step in scored:
        rows.add(step)
    return numbers_of(rows)


def numbers_of(rows: CpmRows) -> Metrics:
    """Returns the numbers of counted rows."""
    episodes = rows.episodes.values()
    whole = sum(not episode.failed for episode in episodes)
    alike = Counter((episode.leading, episode.steps) for episode in episodes)
    progress = [Fraction(hits * n, total) for (hits, total), n in alike.items()]
    total = rows.all.total()
    values: dict[str, Metric] = {
        "exact_acc": share_metric(Share(rows.right.total(), total)),
        "type_acc": share_metric(Share(rows.typed.total(), total)),
        "success_rate": share_metric(Share(whole, len(rows.episodes))),
        "goal_progress": mean_metric([_mean(progress, len(rows.episodes))]),
    }
    for kind in sorted(rows.all):
        values[f"exact_acc/{kind}"] = share_metric(Share(rows.right[kind], rows.all[kind]))
        values[f"type_acc/{kind}"] = share_metric(Share(rows.typed[kind], rows.all[kind]))
    notes = ("An episode is as long as it has judged steps; a missing one does not fail it.",)
    return Metrics(values, notes, dict(rows.tally))


def _mean(values: list[Fraction], count: int) -> Fraction | None:
    return sum(values, Fraction()) / count if count else None
