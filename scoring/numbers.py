"""Aggregates verdicts: shares of steps, by kind, app, category and other properties.

Every number is a `Share`: hits of total over all steps, never a mean of means. Each step counts
once, by its first prediction; each protocol's `aggregate` decides how second ones count. The module
uses no runs and no files: a `StepFacts` holds all facts of a step.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from episodes.verdicts import Outcome, Share, Verdict, matches

MISSING, UNREADABLE = "missing", "unreadable"
"""What stands for the kind of action where there is none. Protocols name the rule for a step
without a prediction MISSING, too."""

TOUCHES = ("tap", "double_tap", "long_press")


@dataclass(frozen=True, slots=True)
class StepFacts:
    """One judged step, with the properties it is grouped by.

    Attributes:
        uuid: of the episode, its identifier; `episode` is its name.
        position: 1, 2, ... among the episode's steps; `length` is how many it has.
        gold: kind of the right action, as `episodes.actions.kind` returns it.
        predicted: kind of the predicted action; MISSING or UNREADABLE if there is none.
        apps: the app in front; if unknown, all apps that the task names.
        splits: as "random/test".
        derived: an end step that the protocol adds; no recording has it.
    """

    uuid: str
    episode: str
    step: int
    verdict: Verdict
    gold: str
    predicted: str
    position: int = 1
    length: int = 1
    apps: tuple[str, ...] = ()
    category: str = ""
    splits: tuple[str, ...] = ()
    device: str = ""
    derived: bool = False

    @property
    def countable(self) -> bool:
        """Whether the step could have been right: it was scored, or only its prediction is
        missing."""
        return self.verdict.outcome is not Outcome.UNSCORED or self.verdict.rule == MISSING

    @property
    def right(self) -> bool:
        """Whether the prediction matches."""
        return self.verdict.outcome is Outcome.MATCH


def family(kind: str) -> str:
    """Returns the kind for comparison: a scroll counts as a swipe."""
    return "swipe" if kind == "scroll" else kind


def matching(steps: Iterable[StepFacts]) -> Share:
    """Returns the share of matching steps, of steps that the protocol scored."""
    return matches(fact.verdict for fact in steps)


def step_accuracy(steps: Iterable[StepFacts]) -> Share:
    """Returns the share of matching steps, of all that can be judged. A step without a prediction
    is wrong, even if the protocol leaves it out."""
    countable = [fact for fact in steps if fact.countable]
    return Share(sum(fact.right for fact in countable), len(countable))


def type_accuracy(steps: Iterable[StepFacts]) -> Share:
    """Returns the share of steps whose predicted kind of action is the gold's: the diagonal of
    `confusion`."""
    countable = [fact for fact in steps if fact.countable]
    return Share(sum(_same_kind(fact) for fact in countable), len(countable))


def grounding_accuracy(steps: Iterable[StepFacts]) -> Share:
    """Returns the share of touches at a right place, of scored touches of the right kind."""
    touches = [
        fact
        for fact in steps
        if fact.gold in TOUCHES
        and _same_kind(fact)
        and fact.verdict.outcome is not Outcome.UNSCORED
    ]
    return Share(sum(fact.right for fact in touches), len(touches))


def goal_progress(steps: Iterable[StepFacts]) -> Share:
    """Returns the share of steps before the first wrong one of their episode, of all that can be
    judged.

    AITZ takes the mean of the episodes' shares instead; here long episodes have more weight.
    """
    hits = total = 0
    for episode in by_episode(steps).values():
        ordered = sorted(episode, key=lambda fact: fact.position)
        countable = [fact for fact in ordered if fact.countable]
        total += len(countable)
        for right, run in groupby(countable, key=lambda fact: fact.right):
            hits += len(list(run)) if right else 0
            break
    return Share(hits, total)


NUMBERS: dict[str, Callable[[Iterable[StepFacts]], Share]] = {
    "step accuracy": step_accuracy,
    "type accuracy": type_accuracy,
    "grounding accuracy": grounding_accuracy,
    "goal progress": goal_progress,
}


@dataclass(frozen=True, slots=True)
class Confusion:
    """The confusion table of predicted kinds of action and right ones.

    Attributes:
        rows: kinds of the gold; `columns`: kinds predicted, unreadable and missing last.
        counts: steps by (row, column); pairs that never occurred are absent.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]

    def total(self, row: str) -> int:
        """Returns the number of steps with this gold."""
        return sum(count for (gold, _), count in self.counts.items() if gold == row)


def confusion(steps: Iterable[StepFacts], order: Sequence[str]) -> Confusion:
    """Returns the table of kinds over the steps that can be judged.

    Args:
        order: all kinds, in the order to show them.
    """
    return confusion_of(kind_pairs(steps), order)


def kind_pairs(steps: Iterable[StepFacts]) -> Counter[tuple[str, str]]:
    """Counts the steps that can be judged by (kind of the gold, kind predicted)."""
    return Counter((family(fact.gold), family(fact.predicted)) for fact in steps if fact.countable)


def confusion_of(counts: Mapping[tuple[str, str], int], order: Sequence[str]) -> Confusion:
    """Returns the table of counted kinds, like `confusion`."""
    used = {kind for pair in counts for kind in pair}
    kinds = [kind for kind in order if kind in used]
    rows = {row for row, _ in counts}
    columns = (*kinds, *(kind for kind in (UNREADABLE, MISSING) if kind in used))
    return Confusion(tuple(k for k in kinds if k in rows), columns, dict(counts))


@dataclass(frozen=True, slots=True)
class Group:
    """One row of a table.

    Attributes:
        label: the common value of its steps; "" if unknown.
        steps: of the group, in the order they came.
    """

    label: str
    steps: tuple[StepFacts, ...]

    @property
    def matching(self) -> Share:
        """Steps that match, of those scored."""
        return matching(self.steps)

    @property
    def left_out(self) -> int:
        """Steps that were not scored."""
        return len(self.steps) - self.matching.total

    @property
    def episodes(self) -> tuple[str, ...]:
        """The uuids of the episodes its steps are from."""
        return tuple(dict.fromkeys(fact.uuid for fact in self.steps))


@dataclass(frozen=True, slots=True)
class StepGroups:
    """Steps grouped by one property.

    Attributes:
        by: a key of `TABLES`.
        whole: whether a group has all steps of its episodes, so that SR can be computed.
    """

    by: str
    whole: bool
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The grouping of a table; a step may be in several groups, or in none.

    Attributes:
        whole: whether all steps of an episode are in the same groups.
        ordered: labels in the order to show them; else the largest group comes first.
    """

    labels: Callable[[StepFacts], tuple[str, ...]]
    whole: bool
    ordered: tuple[str, ...] = ()


_EDGES = (1, 2, 3, 4, 5, 10, 15, 20)
_LENGTHS = (5, 10, 15, 20)


def banded(number: int, edges: Sequence[int]) -> str:
    """Returns the band of a number from 1 up, as "3", "6 to 10" or "over 20".

    >>> banded(7, (5, 10)), banded(11, (5, 10)), banded(2, (1, 2))
    ('6 to 10', 'over 10', '2')
    """
    low = 1
    for edge in edges:
        if number <= edge:
            return str(edge) if low == edge else f"{low} to {edge}"
        low = edge + 1
    return f"over {edges[-1]}"


def _bands(edges: Sequence[int]) -> tuple[str, ...]:
    return tuple(banded(number, edges) for number in (*edges, edges[-1] + 1))


TABLES: dict[str, Grouping] = {
    "category": Grouping(lambda fact: (fact.category,), whole=True),
    "app": Grouping(lambda fact: fact.apps or ("",), whole=False),
    "action kind": Grouping(lambda fact: (family(fact.gold),), whole=False),
    "split": Grouping(lambda fact: fact.splits, whole=True),
    "device": Grouping(lambda fact: (fact.device,), whole=True),
    "position in the episode": Grouping(
        lambda fact: (banded(fact.position, _EDGES),), whole=False, ordered=_bands(_EDGES)
    ),
    "length of the episode": Grouping(
        lambda fact: (banded(fact.length, _LENGTHS),), whole=True, ordered=_bands(_LENGTHS)
    ),
}


def table(steps: Iterable[StepFacts], by: str) -> StepGroups:
    """Returns the steps grouped; `by` is a key of `TABLES`."""
    grouping = TABLES[by]
    groups: dict[str, list[StepFacts]] = defaultdict(list)
    for fact in steps:
        for label in grouping.labels(fact):
            groups[label].append(fact)
    labels = ordered_labels({label: len(found) for label, found in groups.items()}, by)
    return StepGroups(
        by, grouping.whole, tuple(Group(name, tuple(groups[name])) for name in labels)
    )


def ordered_labels(counts: Mapping[str, int], by: str) -> list[str]:
    """Returns the labels of a table's groups in the order to show them, given their steps."""
    ordered = TABLES[by].ordered
    if ordered:
        return [label for label in ordered if label in counts]
    return sorted(counts, key=lambda label: (not label, -counts[label], label))


def by_episode(steps: Iterable[StepFacts]) -> dict[str, list[StepFacts]]:
    """Returns the steps by their episode's uuid, in the order they came."""
    found: dict[str, list[StepFacts]] = defaultdict(list)
    for fact in steps:
        found[fact.uuid].append(fact)
    return dict(found)


def _same_kind(fact: StepFacts) -> bool:
    return family(fact.gold) == family(fact.predicted)
