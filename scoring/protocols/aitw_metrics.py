"""Metrics of Android in the Wild and of AITZ, from counts of each episode.

`partial_match` is the mean over episodes of right steps by the episode's length, then over the
data set's parts however large they are. `average_score` is the share of completed episodes of each
part, then the mean over parts. A part ("general", "google_apps", ...) is the task's category.

Source: README of android_in_the_wild (google-research/google-research) and arXiv 2307.10088, 5.2,
as definitions; compute_episode_metrics of coat/evaluate.py, IMNearth/CoAT at 9ab1a9f.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from episodes.verdicts import Outcome, Share
from scoring.protocol import Metric, Metrics, ScoredStep, percent


@dataclass(slots=True)
class AitwEpisodeSteps:
    """Counts of one episode.

    Attributes:
        leading: right steps before the first wrong one, of those seen so far.
        failed: whether a wrong one has been seen.
    """

    part: str
    declared: int
    scored: int = 0
    right: int = 0
    unscored: int = 0
    leading: int = 0
    failed: bool = False

    def add(self, right: bool) -> None:
        """Counts one scored step; steps come in order."""
        self.scored += 1
        self.right += right
        self.failed = self.failed or not right
        self.leading += not self.failed

    @property
    def length(self) -> int:
        """Number of steps it should have, without those that cannot be judged."""
        return max(self.scored, self.declared - self.unscored)

    @property
    def partial(self) -> Fraction:
        """Right steps divided by the length: 0..1."""
        return Fraction(self.right, self.length)

    @property
    def progress(self) -> Fraction:
        """Steps before the first wrong one divided by the length: 0..1."""
        return Fraction(self.leading, self.length)

    @property
    def complete(self) -> bool:
        """Whether every step is right."""
        return self.right == self.length


@dataclass(slots=True)
class PartCounts:
    """Counts of one part of the data set."""

    episodes: list[AitwEpisodeSteps] = field(default_factory=list)

    @property
    def told(self) -> list[AitwEpisodeSteps]:
        """Episodes with a step that could be judged."""
        return [episode for episode in self.episodes if episode.length]

    @property
    def steps(self) -> Share:
        """Share of right steps of all scored steps."""
        told = self.told
        return Share(sum(e.right for e in told), sum(e.scored for e in told))

    @property
    def complete(self) -> Share:
        """Share of completed episodes."""
        return Share(sum(e.complete for e in self.told), len(self.told))

    @property
    def partial(self) -> Fraction | None:
        """Mean over episodes of right steps by length."""
        return _mean_of(Counter((e.right, e.length) for e in self.told))

    @property
    def progress(self) -> Fraction | None:
        """Mean over episodes of steps before the first wrong one by length."""
        return _mean_of(Counter((e.leading, e.length) for e in self.told))


@dataclass(slots=True)
class Episodes:
    """Counts of a run; one small record for each episode."""

    by_name: dict[tuple[str, str], AitwEpisodeSteps] = field(default_factory=dict)
    tally: Counter[str] = field(default_factory=Counter)
    types: Counter[bool] = field(default_factory=Counter)

    def add(self, scored: ScoredStep) -> None:
        """Counts one step; second predictions and steps without a verdict are ignored."""
        if scored.doubled:
            self.tally["second predictions, not counted"] += 1
            return
        key = scored.category, scored.episode
        episode = self.by_name.setdefault(key, AitwEpisodeSteps(key[0], scored.declared_steps))
        verdict = scored.verdict
        if verdict.outcome is Outcome.UNSCORED:
            episode.unscored += 1
            self.tally[f"steps left out: {verdict.rule}"] += 1
            return
        episode.add(verdict.outcome is Outcome.MATCH)
        self.types[verdict.parts.get("type") is True] += 1
        if verdict.rule in ("missing", "unreadable", "no-boxes"):
            self.tally[f"steps wrong: {verdict.rule}"] += 1

    @property
    def parts(self) -> Mapping[str, PartCounts]:
        """The parts of the data set by name, in alphabetical order."""
        found: dict[str, PartCounts] = {}
        for episode in self.by_name.values():
            found.setdefault(episode.part, PartCounts()).episodes.append(episode)
        return {name: found[name] for name in sorted(found)}

    @property
    def whole(self) -> PartCounts:
        """All episodes as one part."""
        return PartCounts(list(self.by_name.values()))

    @property
    def type_share(self) -> Share:
        """Share of scored steps with the right kind of action."""
        return Share(self.types[True], self.types.total())


def count(steps: Iterable[ScoredStep]) -> Episodes:
    """Returns the counts of all steps, consumed one by one; an episode's steps come in order."""
    episodes = Episodes()
    for scored in steps:
        episodes.add(scored)
    return episodes


def aggregate(steps: Iterable[ScoredStep]) -> Metrics:
    """Returns partial_match and average_score, overall and for each part, and pooled numbers."""
    return numbers_of(count(steps))


def numbers_of(episodes: Episodes) -> Metrics:
    """Returns the numbers of counted steps."""
    parts, whole = episodes.parts, episodes.whole
    values: dict[str, Metric] = {
        "partial_match": mean_metric([part.partial for part in parts.values()]),
        "average_score": mean_metric([_fraction(part.complete) for part in parts.values()]),
        "step accuracy": share_metric(whole.steps),
        "complete match": share_metric(whole.complete),
        "type rate": share_metric(episodes.type_share),
        "goal progress": mean_metric([whole.progress]),
    }
    for name, part in parts.items():
        values[f"partial_match/{name}"] = mean_metric([part.partial])
        values[f"average_score/{name}"] = share_metric(part.complete)
        values[f"step accuracy/{name}"] = share_metric(part.steps)
    notes = (
        "partial_match is a mean over episodes, then over the data set's parts, however large.",
        "average_score is the share of completed episodes of each part, then the mean over parts; "
        "it is not the number of the paper's tables.",
    )
    return Metrics(values, notes, dict(episodes.tally))


def mean_metric(values: Iterable[Fraction | None]) -> Metric:
    """Returns the mean of values 0..1 in percent; missing values are left out."""
    found = _mean([value for value in values if value is not None])
    if found is None:
        return Metric(None, note="nothing could be scored")
    return Metric(rounded(found * 100))


def share_metric(share: Share, of_nothing: str = "nothing could be scored") -> Metric:
    """Returns a share in percent, or the reason why there is none."""
    value = percent(share)
    return Metric(value, share, note=of_nothing if value is None else "")


def rounded(value: Fraction, digits: int = 2) -> float:
    """Returns a number rounded for reports; halves are rounded to even."""
    return float(round(value, digits))


def _fraction(share: Share) -> Fraction | None:
    return Fraction(share.hits, share.total) if share.total else None


def _mean_of(shares: Counter[tuple[int, int]]) -> Fraction | None:
    """Returns the mean of hits divided by total, fast for many equal shares."""
    found = sum((Fraction(hits * n, total) for (hits, total), n in shares.items()), Fraction())
    return found / shares.total() if shares else None


def _mean(values: list[Fraction]) -> Fraction | None:
    return sum(values, Fraction()) / len(values) if values else None
