"""Contents of a report, computed from a comparison: numbers, tables and origin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from episodes.actions import KINDS
from episodes.verdicts import Share
from replay.comparison import Comparison, Only, RuleGroup, grouped
from replay.sides import JudgedSide, lead_metric, main_metrics, whole_metric
from scoring.numbers import (
    NUMBERS,
    TABLES,
    Confusion,
    Group,
    StepFacts,
    by_episode,
    confusion,
    matching,
    table,
)
from scoring.statistics import FEW, Interval, bootstrap


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of one side.

    Attributes:
        value: in percent; None if there is none; `note` may give the reason.
        share: None for a mean of means.
        interval: by bootstrap over episodes.
    """

    value: float | None
    share: Share | None = None
    interval: Interval | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One number, with a cell for each side; None if a side's protocol does not have it."""

    name: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class TableRow:
    """One group of steps: a cell for each side, and its SR if the table has whole episodes."""

    label: str
    cells: tuple[Cell, ...]
    whole: tuple[Share | None, ...]
    steps: int


@dataclass(frozen=True, slots=True)
class TableView:
    """Matching steps of scored steps, grouped by a key of `TABLES`."""

    by: str
    whole: bool
    rows: tuple[TableRow, ...]

    @property
    def overlaps(self) -> bool:
        """Whether a step may be in several rows."""
        return self.by in ("app", "split")


@dataclass(frozen=True, slots=True)
class ReportOrigin:
    """Origin of a report, so that it can be reproduced.

    Attributes:
        library: its folder's name, without the path.
        command: the command that reproduces it.
        made_utc: ISO 8601.
    """

    library: str
    library_uuid: str
    gold_revision: int
    taptrail: str
    made_utc: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything in a report except the pictures of the chosen steps.

    Attributes:
        numbers: the protocol's own metrics; `alike`: numbers computed equally for all protocols.
        found: number of steps selected by `only`; at most `limit` are shown.
        budget: steps allowed in each episode, or a text if each task has its own.
    """

    comparison: Comparison
    numbers: tuple[NumberRow, ...]
    alike: tuple[NumberRow, ...]
    tables: tuple[TableView, ...]
    confusions: tuple[Confusion, ...]
    groups: tuple[RuleGroup, ...]
    only: Only
    found: int
    limit: int
    budget: int | str | None
    origin: ReportOrigin

    @property
    def sides(self) -> tuple[JudgedSide, ...]:
        """The judged sides, in order."""
        return self.comparison.sides

    def lead(self, number: int) -> tuple[str, Cell] | None:
        """Returns name and value of a side's lead metric."""
        return self._of(lead_metric(self.sides[number]), number)

    def whole(self, number: int) -> tuple[str, Cell] | None:
        """Returns name and value of a side's share of whole episodes."""
        return self._of(whole_metric(self.sides[number]), number)

    @property
    def wholes(self) -> bool:
        """Whether any side's protocol has a share of whole episodes."""
        return any(whole_metric(judged) for judged in self.sides)

    def _of(self, name: str, number: int) -> tuple[str, Cell] | None:
        cells = (row.cells[number] for row in self.numbers if row.name == name)
        found = next(cells, None)
        return (name, found) if found is not None else None

    @property
    def one_run(self) -> bool:
        """Whether the sides are one run under several protocols."""
        return len(self.sides) > 1 and len({one.side.run.name for one in self.sides}) == 1

    @property
    def few(self) -> bool:
        """Whether a side has so few episodes that its intervals are rough."""
        return any(len(judged.episodes) < FEW for judged in self.sides)

    @property
    def steps(self) -> int:
        """Number of steps of all sides together, each counted once."""
        return len(self.comparison.rows)


def contents(
    comparison: Comparison,
    only: Only,
    limit: int,
    origin: ReportOrigin,
    budget: int | str | None = None,
) -> Report:
    """Returns the report of a comparison.

    Raises:
        KnownError: `only` names a side that does not exist.
    """
    sides = comparison.sides
    partings = comparison.partings if len(sides) > 1 else comparison.rows
    return Report(
        comparison,
        tuple(_protocols_numbers(sides)),
        tuple(NumberRow(name, tuple(_alike(name, side) for side in sides)) for name in NUMBERS),
        tuple(_table(by, sides) for by in TABLES),
        tuple(confusion(side.steps.values(), KINDS) for side in sides),
        grouped(partings),
        only,
        len(comparison.chosen(only)),
        limit,
        budget,
        origin,
    )


def _protocols_numbers(sides: Iterable[JudgedSide]) -> Iterable[NumberRow]:
    metrics = [(side, main_metrics(side)) for side in sides]
    for name in dict.fromkeys(name for _, found in metrics for name in found):
        yield NumberRow(
            name,
            tuple(
                Cell(found[name].value, found[name].share, side.interval(name), found[name].note)
                if name in found
                else None
                for side, found in metrics
            ),
        )


def _alike(name: str, side: JudgedSide) -> Cell:
    count = NUMBERS[name]
    shares = [count(steps) for steps in by_episode(side.steps.values()).values()]
    return _cell(count(side.steps.values()), shares)


def _cell(share: Share, by_episode: Iterable[Share]) -> Cell:
    value = share.hits / share.total * 100 if share.total else None
    return Cell(value, share, bootstrap(by_episode))


def _table(by: str, sides: tuple[JudgedSide, ...]) -> TableView:
    tables = [table(side.steps.values(), by) for side in sides]
    groups = [{group.label: group for group in found.groups} for found in tables]
    everything = table(_all_steps(sides), by)
    rows = [
        TableRow(
            group.label,
            tuple(_group_cell(found.get(group.label)) for found in groups),
            tuple(
                _group_whole(side, found.get(group.label)) if everything.whole else None
                for side, found in zip(sides, groups, strict=True)
            ),
            len(group.steps),
        )
        for group in everything.groups
    ]
    return TableView(by, everything.whole, tuple(rows))


def _all_steps(sides: tuple[JudgedSide, ...]) -> Iterable[StepFacts]:
    """Returns each step of any side once, so that tables have the same order for all sides."""
    seen: dict[tuple[str, int], StepFacts] = {}
    for side in sides:
        for place, fact in side.steps.items():
            seen.setdefault(place, fact)
    return seen.values()


def _group_cell(group: Group | None) -> Cell:
    if group is None:
        return Cell(None, Share(0, 0))
    shares = [matching(steps) for steps in by_episode(group.steps).values()]
    return _cell(group.matching, shares)


def _group_whole(side: JudgedSide, group: Group | None) -> Share | None:
    name = whole_metric(side)
    return side.pooled(name, group.episodes) if group is not None and name else None
