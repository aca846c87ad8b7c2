"""AMS and SR as computed by GUIOdyssey's evaluators, in both ways.

The original swaps the common names of the two ways: its 'macro' pools all
steps, its 'micro' is the mean over six categories. Here they are called "pooled" and "category
mean".

Source: stat_result and check_SR of src/eval_mm/evaluate_GUIOdyssey.py,
OpenGVLab/GUI-Odyssey@fefcbe9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from episodes.verdicts import Outcome, Share
from scoring.protocol import Metric, Metrics, ScoredStep, percent

CATEGORIES = 6


class OriginalStops(ValueError):
    """The original ends here with an error and prints no summary; `error` is its name."""

    def __init__(self, error: str, why: str) -> None:
        self.error = error
        super().__init__(f"the original stops here: {why}")


@dataclass(slots=True)
class EpisodeRows:
    """Counts of an episode's rows in one category; `unlike` where rows expect different numbers."""

    expected: int
    rows: int = 0
    right: int = 0
    unlike: bool = False

    def add(self, expected: int, rows: int, right: int, unlike: bool = False) -> None:
        """Counts rows of the same episode."""
        self.unlike = self.unlike or unlike or expected != self.expected
        self.rows += rows
        self.right += right


@dataclass(slots=True)
class CategoryRows:
    """Counts of a category's rows; `first` is the place of the first of them."""

    first: int
    rows: int = 0
    right: int = 0


@dataclass(slots=True)
class StepCounts:
    """Counts of a run's judged rows; one small record for each episode.

    An episode is the rows of one name: of one category in the categories' numbers, and whatever
    their categories in the pooled ones. `episodes` has them by category and name.
    """

    sr_of_nothing: float | None
    episodes: dict[str, dict[str, EpisodeRows]] = field(default_factory=dict)
    categories: dict[str, CategoryRows] = field(default_factory=dict)
    labels: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, scored: ScoredStep) -> None:
        """Counts one step; unscored steps are left out, as in the original."""
        verdict = scored.verdict
        if verdict.outcome is Outcome.UNSCORED:
            self.left_out[verdict.rule] += 1
            return
        right = verdict.outcome is Outcome.MATCH
        expected = scored.declared_steps
        self.add_episode(scored.category, scored.episode, expected, 1, int(right))
        category = self.categories.setdefault(scored.category, CategoryRows(scored.place))
        category.first = min(category.first, scored.place)
        category.rows += 1
        category.right += right
        self.labels[str(verdict.parts.get("label", ""))] += 1

    def add_episode(self, category: str, name: str, expected: int, rows: int, right: int) -> None:
        """Counts rows of an episode with an expected number of rows."""
        of_category = self.episodes.setdefault(category, {})
        if name not in of_category:
            of_category[name] = EpisodeRows(expected)
        of_category[name].add(expected, rows, right)

    def of_category(self, category: str | None = None) -> list[EpisodeRows]:
        """Returns the episodes of a category, or of all, with the rows of all categories."""
        if category is not None:
            return list(self.episodes.get(category, {}).values())
        every = self.episodes.values()
        if len(set().union(*every)) == sum(map(len, every)):
            return [one for episodes in every for one in episodes.values()]
        merged: dict[str, EpisodeRows] = {}
        for episodes in every:
            for name, one in episodes.items():
                whole = merged.setdefault(name, EpisodeRows(one.expected))
                whole.add(one.expected, one.rows, one.right, one.unlike)
        return list(merged.values())

    @property
    def ams(self) -> Share:
        """Right rows of all rows."""
        parts = self.categories.values()
        return Share(sum(part.right for part in parts), sum(part.rows for part in parts))

    def sr(self, category: str | None = None) -> Share:
        """Episodes with all rows right, of those that have as many rows as they should."""
        whole = [one for one in self.of_category(category) if one.rows == one.expected]
        return Share(sum(one.right == one.rows for one in whole), len(whole))

    @property
    def types(self) -> Share:
        """Rows whose type counts as right: all but `action_fail`, invalid ones too."""
        total = self.labels.total()
        return Share(total - self.labels["action_fail"], total)

    @property
    def texts(self) -> Share:
        """Right texts of all texts whose type was right."""
        right = self.labels["type_correct"]
        return Share(right, right + self.labels["type_fail"])

    def sr_percent(self, category: str | None = None) -> float:
        """Returns SR in percent.

        Raises:
            OriginalStops: rows of an episode say differently how many it has; or no episode is
                whole, and this version divides by their number.
        """
        if any(one.unlike for one in self.of_category(category)):
            raise OriginalStops("AssertionError", "an episode's rows tell different lengths")
        found = percent(self.sr(category))
        if found is None:
            found = self.sr_of_nothing
        if found is None:
            where = f" in {category}" if category is not None else ""
            raise OriginalStops("ZeroDivisionError", f"no whole episode{where}")
        return found

    def category_means(self) -> tuple[float, float]:
        """Returns AMS and SR as means over the categories, each rounded first.

        Raises:
            OriginalStops: there are not six categories, or SR of one cannot be computed.
        """
        if len(self.categories) != CATEGORIES:
            raise OriginalStops(
                "AssertionError", f"{len(self.categories)} of {CATEGORIES} categories"
            )
        ordered = sorted(self.categories.items(), key=lambda item: item[1].first)
        ams = [percent(Share(rows.right, rows.rows)) for _, rows in ordered]
        sr = [self.sr_percent(name) for name, _ in ordered]
        return _rounded_mean([value for value in ams if value is not None]), _rounded_mean(sr)


def aggregate(steps: Iterable[ScoredStep], *, sr_of_nothing: float | None) -> Metrics:
    """Returns AMS and SR, pooled, as category means and for each category.

    Args:
        sr_of_nothing: SR if no episode is whole; None if the original then stops.
    """
    return numbers_of(count(steps, sr_of_nothing=sr_of_nothing))


def numbers_of(rows: StepCounts) -> Metrics:
    """Returns the numbers of counted rows."""
    values: dict[str, Metric] = {
        "AMS": _share(rows.ams, "no row was scored"),
        "SR": _sr(rows, None),
        "type rate": _share(rows.types, "no row was scored"),
        "text rate": _share(
            rows.texts, "the original stops here: no TYPE step whose type was predicted right"
        ),
    }
    try:
        ams, sr = rows.category_means()
        values["AMS/category mean"] = Metric(ams)
        values["SR/category mean"] = Metric(sr)
    except OriginalStops as stop:
        values["AMS/category mean"] = Metric(None, note=str(stop))
        values["SR/category mean"] = Metric(None, note=str(stop))
    for name in sorted(rows.categories):
        category = rows.categories[name]
        values[f"AMS/{name}"] = _share(Share(category.right, category.rows), "")
        values[f"SR/{name}"] = _sr(rows, name)
    tally = {f"steps left out: {rule}": number for rule, number in rows.left_out.items()}
    broken = sum(episode.rows != episode.expected for episode in rows.of_category())
    tally["episodes left out of SR: not as many rows as steps"] = broken
    return Metrics(values, tuple(_notes(rows)), tally)


def count(steps: Iterable[ScoredStep], *, sr_of_nothing: float | None) -> StepCounts:
    """Returns the counts of all steps, consumed one by one."""
    rows = StepCounts(sr_of_nothing)
    for scored in steps:
        rows.add(scored)
    return rows


def original_summary(rows: StepCounts, *, category_mean: bool) -> dict[str, float | int | str]:
    """Returns the summary as the original prints it, by its own keys.

    Raises:
        OriginalStops: the original ends with an error instead.
    """
    if category_mean:
        ams, sr = rows.category_means()
    else:
        found = percent(rows.ams)
        if found is None:
            raise OriginalStops("ZeroDivisionError", "no rows")
        ams, sr = found, rows.sr_percent()
    if not rows.texts.total:
        raise OriginalStops("ZeroDivisionError", "no TYPE step whose type was predicted right")
    return {
        "AMS": ams,
        "SR": sr,
        "total": rows.ams.total,
        "action_type": _printed(rows.types),
        "text": _printed(rows.texts),
    }


def _printed(share: Share) -> str:
    return f"{share.hits} / {share.total} = {share.hits / share.total * 100:.2f}"


def _rounded_mean(values: list[float]) -> float:
    import numpy as np

    return float(np.round(np.mean(values), 2))


def _share(share: Share, of_nothing: str) -> Metric:
    value = percent(share)
    return Metric(value, share, note=of_nothing if value is None else "")


def _sr(rows: StepCounts, category: str | None) -> Metric:
    share = rows.sr(category)
    try:
        value = rows.sr_percent(category)
    except OriginalStops as stop:
        return Metric(None, share, note=str(stop))
    return Metric(value, share, note="" if share.total else "no whole episode; the original says 0")


def _notes(rows: StepCounts) -> Iterable[str]:
    yield (
        "AMS and SR are pooled: what the original's code calls 'macro' and uses for the app, "
        "device and task splits."
    )
    yield "The category means are what it calls 'micro' and uses for the random split."
    if not rows.texts.total:
        yield "The original divides by the number of typed steps, has none here and prints nothing."
