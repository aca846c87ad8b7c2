"""Filters the steps of the compared runs, and counts the steps of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from episodes.verdicts import Outcome
from taptrail.usecases.reviewing import JudgedRun, Place

NO_PREDICTION = "no prediction"


class Sort(StrEnum):
    """How the verdicts of the runs on a step relate to each other."""

    ALL = "all"
    DIFFER = "differ"
    MISMATCH = "mismatch"
    NOT_SCORED = "not scored"
    MATCH = "match"
    A_ALONE = "A right, B wrong"
    B_ALONE = "B right, A wrong"


@dataclass(frozen=True, slots=True)
class DifferingStep:
    """A step with the verdict of each run.

    Attributes:
        outcomes, rules: for each run; None and `NO_PREDICTION` without a verdict.
        rule: the rule of the first mismatch, else of the first run.
        pairs: gold and predicted kind for each run, as from `pair_of`.
    """

    place: Place
    episode: str
    number: int
    kind: str
    outcomes: tuple[tuple[str, Outcome | None], ...]
    rule: str
    rules: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    category: str = ""
    pairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter of the step list; "" matches everything."""

    sort: Sort = Sort.ALL
    rule: str = ""
    kind: str = ""
    app: str = ""
    category: str = ""
    pair: str = ""

    def put(self, field: str, value: str) -> Filter:
        """Returns the filter with one field replaced."""
        match field:
            case "sort":
                return replace(self, sort=Sort(value))
            case "rule":
                return replace(self, rule=value)
            case "kind":
                return replace(self, kind=value)
            case "app":
                return replace(self, app=value)
            case "pair":
                return replace(self, pair=value)
            case _:
                return replace(self, category=value)

    def takes(self, line: DifferingStep) -> bool:
        """Returns whether the filter matches a step."""
        return (
            (not self.rule or self.rule in line.rules)
            and (not self.kind or self.kind == line.kind)
            and (not self.app or self.app in line.apps)
            and (not self.category or self.category == line.category)
            and (not self.pair or self.pair in line.pairs)
            and _is(self.sort, line)
        )


def differing(runs: list[tuple[str, JudgedRun]]) -> list[DifferingStep]:
    """Returns a line per step on which any run has a verdict; `runs` are (letter, run) pairs."""
    places = dict.fromkeys(place for _, run in runs for place in run.steps)
    lines = []
    for place in places:
        found = [(letter, run.steps.get(place)) for letter, run in runs]
        judged = [step for _, step in found if step is not None]
        worst = next((s for s in judged if s.verdict.outcome is Outcome.MISMATCH), judged[0])
        lines.append(
            DifferingStep(
                place,
                worst.episode,
                worst.number,
                worst.kind,
                tuple((letter, s.verdict.outcome if s else None) for letter, s in found),
                worst.verdict.rule,
                tuple(s.verdict.rule if s else NO_PREDICTION for _, s in found),
                worst.apps,
                worst.category,
                tuple(
                    pair_of(letter, *run.pairs[place]) for letter, run in runs if place in run.pairs
                ),
            )
        )
    return lines


def pair_of(letter: str, gold: str, predicted: str) -> str:
    """Returns the gold and predicted kind of a run as a filter term."""
    return f"{letter}: {gold} > {predicted}"


def counts(lines: Iterable[DifferingStep], chosen: Filter, field: str) -> list[tuple[str, int]]:
    """Returns the values of a field with their numbers of steps, most frequent first.

    Args:
        field: "sort", "rule", "kind", "app", "pair" or "category"; the other filters stay applied.
    """
    others = chosen.put(field, Sort.ALL if field == "sort" else "")
    found: Counter[str] = Counter()
    for line in lines:
        if others.takes(line):
            found.update(_values(line, field))
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def _values(line: DifferingStep, field: str) -> Iterable[str]:
    match field:
        case "sort":
            return [sort for sort in Sort if _is(sort, line)]
        case "rule":
            return set(line.rules)
        case "kind":
            return [line.kind]
        case "app":
            return set(line.apps)
        case "pair":
            return line.pairs
        case _:
            return [line.category] if line.category else []


def _is(sort: Sort, line: DifferingStep) -> bool:
    if sort is Sort.ALL:
        return True
    in_order = [outcome for _, outcome in line.outcomes]
    match sort:
        case Sort.DIFFER:
            return len({outcome for outcome in in_order if outcome is not None}) > 1
        case Sort.MISMATCH:
            return Outcome.MISMATCH in in_order
        case Sort.MATCH:
            return all(outcome is Outcome.MATCH for outcome in in_order)
        case Sort.A_ALONE:
            return in_order == [Outcome.MATCH, Outcome.MISMATCH]
        case Sort.B_ALONE:
            return in_order == [Outcome.MISMATCH, Outcome.MATCH]
        case _:
            return Outcome.UNSCORED in in_order
