"""Compares several runs under one protocol, or one run under several protocols.

    comparison = compare(judge_sides(...))
    for row in comparison.chosen(Only("b-right")): ...

Sides are compared step by step, on the steps that both have. Runs with different step sets or
declarations are compared as well; `unlike` lists the differences.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from episodes.errors import KnownError
from episodes.verdicts import Outcome, Share, Verdict
from replay.asking.recipe import settings_of
from replay.sides import LETTERS, JudgedSide, Place, whole_metric
from scoring.numbers import StepFacts
from scoring.statistics import Difference, mcnemar, paired_bootstrap

ABSENT = "absent"
OUTCOMES = (*(outcome.value for outcome in Outcome), ABSENT)
_DECLARED = (
    "dataset",
    "dataset_version",
    "level",
    "history",
    "observation",
    "coordinates",
    "scroll",
)
_OWN_OF_A_RECIPE = frozenset({"model", "name", "notes", "source"})
LONG_SETTING = 60


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One step with its facts on each side; None for a side that does not have the step."""

    place: Place
    facts: tuple[StepFacts | None, ...]

    @property
    def any(self) -> StepFacts:
        """The facts of the first side that has the step."""
        return next(fact for fact in self.facts if fact is not None)

    @property
    def verdicts(self) -> tuple[Verdict | None, ...]:
        """Each side's verdict."""
        return tuple(fact.verdict if fact is not None else None for fact in self.facts)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Each side's outcome; ABSENT if it does not have the step."""
        return tuple(v.outcome.value if v is not None else ABSENT for v in self.verdicts)

    @property
    def parts(self) -> bool:
        """Whether the sides have different outcomes."""
        return len(set(self.outcomes)) > 1

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule that decided on each side; "" if it does not have the step."""
        return tuple(v.rule if v is not None else "" for v in self.verdicts)


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Steps on which the sides differ in the same way: same outcome and rule of each side."""

    outcomes: tuple[str, ...]
    rules: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """The comparison of two sides.

    Attributes:
        a, b: their letters.
        counts: steps by (outcome of a, outcome of b), as in `OUTCOMES`.
        steps: the difference of their shares of matching steps, on steps both scored.
        whole: the difference of their shares of whole episodes (SR), on episodes both scored; None
            if the protocol has no such share.
    """

    a: str
    b: str
    counts: Mapping[tuple[str, str], int]
    steps: Difference | None
    whole: Difference | None

    @property
    def only_a(self) -> int:
        """Steps A gets right and B gets wrong."""
        return self.counts.get((Outcome.MATCH, Outcome.MISMATCH), 0)

    @property
    def only_b(self) -> int:
        """Steps B gets right and A gets wrong."""
        return self.counts.get((Outcome.MISMATCH, Outcome.MATCH), 0)

    @property
    def p(self) -> float:
        """The p value of McNemar's test, on steps both scored."""
        return mcnemar(self.only_a, self.only_b)

    @property
    def common(self) -> int:
        """Steps that both have."""
        return sum(n for outcomes, n in self.counts.items() if ABSENT not in outcomes)

    @property
    def scored(self) -> int:
        """Steps both scored; the basis of the difference and of McNemar's test."""
        told = (Outcome.MATCH, Outcome.MISMATCH)
        return sum(n for (a, b), n in self.counts.items() if a in told and b in told)

    @property
    def agreement(self) -> Share:
        """Steps with the same outcome on both sides, of the steps that either has."""
        same = sum(self.counts.get((outcome, outcome), 0) for outcome in OUTCOMES)
        return Share(same, sum(self.counts.values()))


@dataclass(frozen=True, slots=True)
class Unlike:
    """A setting in which the sides differ: `what`, and each side's value; "" if undeclared."""

    what: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Only:
    """Which steps to choose.

    Attributes:
        what: "differ", "mismatch" (any side), "all-wrong", "unscored" (any side), "all", or
            "a-right" to "d-right": that side matches, no other does, and one is a mismatch.
    """

    what: str

    def __post_init__(self) -> None:
        if self.what not in CHOICES:
            raise KnownError(
                "choose steps",
                f"there is no choice “{self.what}”",
                f"Use one of {', '.join(CHOICES)}.",
            )

    def holds(self, row: ComparisonRow) -> bool:
        """Whether the step is one of these."""
        outcomes = row.outcomes
        match self.what:
            case "differ":
                return row.parts
            case "mismatch":
                return Outcome.MISMATCH in outcomes
            case "all-wrong":
                return set(outcomes) == {Outcome.MISMATCH}
            case "unscored":
                return Outcome.UNSCORED in outcomes
            case "all":
                return True
        number = LETTERS.index(self.what[0].upper())
        others = [outcome for n, outcome in enumerate(outcomes) if n != number]
        return (
            number < len(outcomes)
            and outcomes[number] == Outcome.MATCH
            and Outcome.MATCH not in others
            and Outcome.MISMATCH in others
        )


CHOICES = (
    "differ",
    "mismatch",
    "all-wrong",
    "unscored",
    "all",
    *(f"{letter.lower()}-right" for letter in LETTERS),
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of all sides; `rows` has every step of any side.

    Attributes:
        changed: for each side, a sentence if its steps differ from those its run was imported for;
            else "".
    """

    sides: tuple[JudgedSide, ...]
    rows: tuple[ComparisonRow, ...]
    pairs: tuple[Pair, ...]
    unlike: tuple[Unlike, ...]
    changed: tuple[str, ...]

    @property
    def letters(self) -> tuple[str, ...]:
        """The sides' letters, in order."""
        return tuple(judged.side.letter for judged in self.sides)

    @property
    def partings(self) -> tuple[ComparisonRow, ...]:
        """The steps on which the sides differ."""
        return tuple(row for row in self.rows if row.parts)

    def chosen(self, only: Only) -> tuple[ComparisonRow, ...]:
        """Returns the selected steps, in the order of the episodes.

        Raises:
            KnownError: it names a side that does not exist.
        """
        if only.what[1:] == "-right" and only.what[0].upper() not in self.letters:
            raise KnownError(
                "choose steps",
                f"“{only.what}” is about side {only.what[0].upper()}, and the sides are "
                + ", ".join(self.letters),
                "Choose another, or add a run.",
            )
        return tuple(row for row in self.rows if only.holds(row))


def compare(sides: Sequence[JudgedSide], changed: Sequence[str] = ()) -> Comparison:
    """Returns the comparison of one to four judged sides.

    Args:
        changed: for each side, a sentence if its steps differ from those at import.
    """
    places = dict.fromkeys(place for judged in sides for place in judged.steps)
    rows = tuple(
        ComparisonRow(place, tuple(one.steps.get(place) for one in sides)) for place in places
    )
    pairs = tuple(
        _pair(one, other, [(row.facts[i], row.facts[j]) for row in rows])
        for (i, one), (j, other) in combinations(enumerate(sides), 2)
    )
    told = tuple(changed) or ("",) * len(sides)
    return Comparison(tuple(sides), rows, pairs, tuple(_unlike(sides)), told)


def grouped(rows: Iterable[ComparisonRow]) -> tuple[RuleGroup, ...]:
    """Returns the steps grouped by outcomes and rules, the largest group first."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[ComparisonRow]] = defaultdict(list)
    for row in rows:
        groups[row.outcomes, row.rules].append(row)
    ordered = sorted(groups.items(), key=lambda item: -len(item[1]))
    return tuple(RuleGroup(*key, tuple(found)) for key, found in ordered)


def spread(rows: Sequence[ComparisonRow], limit: int) -> tuple[ComparisonRow, ...]:
    """Returns at most `limit` steps in their order, taken from each group of rules in turn, so that
    rare differences are shown, too."""
    if len(rows) <= limit:
        return tuple(rows)
    groups = [list(group.rows) for group in grouped(rows)]
    taken: set[Place] = set()
    while len(taken) < limit:
        for group in groups:
            if group and len(taken) < limit:
                taken.add(group.pop(0).place)
    return tuple(row for row in rows if row.place in taken)


def comparison_to_json(comparison: Comparison, only: Only) -> dict[str, Any]:
    """Returns what `taptrail compare --json` prints, with the selected steps."""
    chosen = comparison.chosen(only)
    letters = comparison.letters
    return {
        "sides": [
            _side(judged) | ({"changed": changed} if changed else {})
            for judged, changed in zip(comparison.sides, comparison.changed, strict=True)
        ],
        "unlike": [
            {"what": one.what, **dict(zip(letters, one.values, strict=True))}
            for one in comparison.unlike
        ],
        "pairs": [_pair_to_json(pair) for pair in comparison.pairs],
        "only": only.what,
        "count": len(chosen),
        "groups": [
            {
                "count": len(group.rows),
                "example": {
                    "episode": group.rows[0].any.episode,
                    "step": group.rows[0].place[1],
                    "reasons": dict(zip(letters, reasons(group.rows[0]), strict=True)),
                },
                "sides": {
                    letter: {"outcome": outcome, "rule": rule}
                    for letter, outcome, rule in zip(
                        letters, group.outcomes, group.rules, strict=True
                    )
                },
            }
            for group in grouped(chosen)
        ],
        "steps": [_row(row, letters) for row in chosen],
    }


def reasons(row: ComparisonRow) -> tuple[str, ...]:
    """Returns each side's reason; "" if it does not have the step."""
    return tuple(verdict.reason if verdict is not None else "" for verdict in row.verdicts)


def _pair(
    one: JudgedSide, other: JudgedSide, facts: list[tuple[StepFacts | None, StepFacts | None]]
) -> Pair:
    counts: Counter[tuple[str, str]] = Counter()
    both: dict[str, list[tuple[StepFacts, StepFacts]]] = defaultdict(list)
    for a, b in facts:
        if a is None and b is None:
            continue
        counts[_outcome(a), _outcome(b)] += 1
        if a is not None and b is not None and _scored(a) and _scored(b):
            both[a.uuid].append((a, b))
    steps = paired_bootstrap(
        [Share(sum(a.right for a, _ in pairs), len(pairs)) for pairs in both.values()],
        [Share(sum(b.right for _, b in pairs), len(pairs)) for pairs in both.values()],
    )
    return Pair(one.side.letter, other.side.letter, dict(counts), steps, _whole(one, other))


def _whole(one: JudgedSide, other: JudgedSide) -> Difference | None:
    a, b = [], []
    for uuid, shares in one.episodes.items():
        mine = shares.get(whole_metric(one))
        theirs = other.episodes.get(uuid, {}).get(whole_metric(other))
        if mine is not None and theirs is not None and mine.total == theirs.total:
            a.append(mine)
            b.append(theirs)
    return paired_bootstrap(a, b)


def _unlike(sides: Sequence[JudgedSide]) -> Iterator[Unlike]:
    sets = [f"{s.step_set.name}, {s.step_set.count}, {s.step_set.sha256[:12]}" for s in sides]
    if len({judged.step_set.sha256 for judged in sides}) > 1:
        yield Unlike("step set", tuple(sets))
    for name in _DECLARED:
        values = tuple(str(getattr(judged.side.run, name)) for judged in sides)
        if len(set(values)) > 1:
            yield Unlike(name.replace("_", " "), values)
    yield from _unlike_recipes([judged.side.run.asking for judged in sides])
    keys = tuple(judged.side.protocol.key for judged in sides)
    if len(set(keys)) > 1 and len({judged.side.run.name for judged in sides}) > 1:
        yield Unlike("protocol", keys)


def _unlike_recipes(asked: Sequence[str]) -> Iterator[Unlike]:
    """Yields the settings in which the recipes of the sides differ, and pictures that differ.

    Which model is asked, and the recipe's name and notes, are no difference in how it was asked.
    """
    if not any(asked):
        return
    known = [json.loads(one) if one else {} for one in asked]
    if not all(asked):
        yield Unlike("recipe", tuple(str(one.get("recipe", "")) for one in known))
        return
    settings = [settings_of(str(one.get("recipe_text", ""))) for one in known]
    for key in sorted(set().union(*settings)):
        values = tuple(one.get(key, "") for one in settings)
        if len(set(values)) > 1 and key.partition(".")[0] not in _OWN_OF_A_RECIPE:
            yield Unlike(f"recipe {key}", tuple(map(_shortened, values)))
    prints = [dict(one.get("fingerprints", {})) for one in known]
    pictures = tuple(str(one.get("pictures", ""))[:12] for one in prints)
    if len({str(one.get("steps")) for one in prints}) == 1 and len(set(pictures)) > 1:
        yield Unlike("pictures as sent", pictures)


def _shortened(value: str) -> str:
    """Returns a setting; of a long text its beginning and its hash."""
    if len(value) <= LONG_SETTING:
        return value
    return f"{value[:40]}… {hashlib.sha256(value.encode()).hexdigest()[:8]}"


def _outcome(fact: StepFacts | None) -> str:
    return fact.verdict.outcome.value if fact is not None else ABSENT


def _scored(fact: StepFacts) -> bool:
    return fact.verdict.outcome is not Outcome.UNSCORED


def _side(judged: JudgedSide) -> dict[str, Any]:
    side, held = judged.side, judged.step_set
    return {
        "side": side.letter,
        "run": side.run.name,
        "model": side.run.model,
        "protocol": side.protocol.name,
        "version": side.protocol.version,
        "step_set": {"name": held.name, "n": held.count, "sha256": held.sha256},
        "metrics": {
            name: {
                "value": metric.value,
                "unit": metric.unit,
                "hits": metric.share.hits if metric.share is not None else None,
                "total": metric.share.total if metric.share is not None else None,
            }
            for name, metric in judged.metrics.values.items()
        },
    }


def _pair_to_json(pair: Pair) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "only_a": pair.only_a,
        "only_b": pair.only_b,
        "agreement": {"hits": pair.agreement.hits, "total": pair.agreement.total},
        "counts": [
            {"a": a, "b": b, "n": pair.counts[a, b]}
            for a in OUTCOMES
            for b in OUTCOMES
            if (a, b) in pair.counts
        ],
        "mcnemar_p": pair.p,
        "steps": _difference(pair.steps),
        "SR": _difference(pair.whole),
    }


def _difference(found: Difference | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "a": {"hits": found.a.hits, "total": found.a.total},
        "b": {"hits": found.b.hits, "total": found.b.total},
        "difference": found.value,
        "low": found.interval.low if found.interval is not None else None,
        "high": found.interval.high if found.interval is not None else None,
        "p": found.p,
        "episodes": found.episodes,
    }


def _row(row: ComparisonRow, letters: tuple[str, ...]) -> dict[str, Any]:
    uuid, step = row.place
    return {
        "episode": row.any.episode,
        "uuid": uuid,
        "step": step,
        "kind": row.any.gold,
        "sides": {
            letter: {
                "outcome": verdict.outcome.value,
                "rule": verdict.rule,
                "reason": verdict.reason,
            }
            if verdict is not None
            else None
            for letter, verdict in zip(letters, row.verdicts, strict=True)
        },
    }
