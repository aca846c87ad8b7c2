"""Joins rows of a prediction file to the steps they answer, by episode name and step number.

The first row for a step is its prediction; a second one is kept as an orphan with the reason
DOUBLED, which protocols may count (GUIOdyssey's counts every row). A row whose episode or step does
not exist is an orphan, too. Nothing is dropped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.runs import Orphan, OrphanReason, Prediction, Unreadable
from episodes.steps import Step
from episodes.trees.element_lists import list_elements
from episodes.trees.step_trees import tree_of_step
from episodes.trees.values import Tree
from replay.coordinates import CoordinateCheck, beyond_numbers
from replay.dialect import Declared, Dialect, Row
from replay.evidence import CoordinateEvidence
from replay.findings import RunFinding

LISTED = 100


@dataclass(slots=True)
class JoinCounts:
    """Counts of joining a file to the library.

    Attributes:
        read: rows of the file; joined + doubled + surplus.
        joined: rows that are a step's prediction.
        unreadable: rows no action could be read from, joined or not.
        missing: steps of the step set without a prediction.
        doubled: further rows for a step that has one.
        surplus: rows whose episode or step is missing in the library or in the row.
    """

    read: int = 0
    joined: int = 0
    unreadable: int = 0
    missing: int = 0
    doubled: int = 0
    surplus: int = 0


@dataclass(slots=True)
class Warnings:
    """Warnings: their number, and the texts of the first hundred."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Counts a warning, and keeps its text if it is among the first hundred."""
        self.count += 1
        if len(self.first) < LISTED:
            self.first.append(text)


@dataclass(slots=True)
class Joined:
    """A run's predictions, its orphans, and the counts.

    Attributes:
        problems: unreadable rows, with file and line.
        disagreements: steps whose gold in the file differs from the library's.
        coordinates: counts of the points, for a check of the declared space.
        findings: from comparing the declarations with the steps.
    """

    predictions: list[Prediction] = field(default_factory=list)
    orphans: list[Orphan] = field(default_factory=list)
    counts: JoinCounts = field(default_factory=JoinCounts)
    problems: Warnings = field(default_factory=Warnings)
    disagreements: Warnings = field(default_factory=Warnings)
    coordinates: CoordinateCheck = field(default_factory=CoordinateCheck)
    findings: list[RunFinding] = field(default_factory=list)


def answered(rows: Iterable[Row]) -> set[str]:
    """Returns the names of the episodes that rows name."""
    return {row.episode for row in rows if row.episode}


def join(
    rows: Iterable[Row],
    episodes: Iterable[Episode],
    dialect: Dialect,
    declared: Declared,
    *,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> Joined:
    """Returns the rows joined to the steps of the episodes, which are the run's step set.

    Args:
        episodes: read one by one; a step without a row counts as missing.
        on_progress: called with (episodes done, `episode_count`).

    Raises:
        KnownError: the declaration contradicts the dialect, or two episodes have one name.
    """
    declared = dialect.declared(declared)
    by_episode: dict[str, list[Row]] = defaultdict(list)
    joined = Joined()
    for row in rows:
        joined.counts.read += 1
        by_episode[row.episode].append(row)
    seen: set[str] = set()
    evidence = CoordinateEvidence(dialect, declared)
    for done, episode in enumerate(episodes, start=1):
        if episode.name in seen:
            raise KnownError(
                "join the predictions to their steps",
                f"two episodes are called “{episode.name}”",
                "Say which data set and version the run answers.",
            )
        seen.add(episode.name)
        of_episode = by_episode.pop(episode.name, [])
        before = len(joined.predictions)
        _join_episode(of_episode, episode, dialect, declared, joined)
        evidence.add(episode, of_episode, joined.predictions[before:])
        if on_progress is not None:
            on_progress(done, episode_count)
    for left in by_episode.values():
        for row in left:
            _stray(row, None, OrphanReason.NO_EPISODE, dialect, declared, joined)
    joined.findings = [*evidence.findings(), *joined.coordinates.findings()]
    return joined


def prediction_of(row: Row, step: Step | None, dialect: Dialect, declared: Declared) -> Prediction:
    """Returns the row as a prediction; its action in pixels of the step's frame.

    An element named by its number becomes its box, where the declaration names the list's rule.
    """
    size = step.frame.size if step is not None and step.frame is not None else None
    parsed = Unreadable(row.problem) if row.problem else dialect.action(row, size, declared)
    if not isinstance(parsed, Unreadable) and beyond_numbers(parsed):
        parsed = Unreadable("its place on the screen is beyond all numbers", a.kind(parsed))
    if not isinstance(parsed, Unreadable) and declared.elements and step is not None:
        parsed = _with_box(parsed, step, declared.elements)
    return Prediction(
        row.episode,
        row.step,
        row.raw,
        parsed,
        native=dialect.native(row, declared),
        file=row.file,
        line=row.line,
    )


def _with_box(action: a.Action, step: Step, rule: str) -> a.Action | Unreadable:
    """Replaces an element's number by its box, in the list of the step's screen under a rule."""
    match action:
        case (
            a.Tap(a.ElementRef(int(number)))
            | a.DoubleTap(a.ElementRef(int(number)))
            | a.LongPress(a.ElementRef(int(number)))
            | a.Scroll(_, a.ElementRef(int(number)))
            | a.TypeText(target=a.ElementRef(int(number)))
        ):
            found = _listed_box(step, number, rule)
        case _:
            return action
    if isinstance(found, str):
        return Unreadable(found, a.kind(action))
    if isinstance(action, a.TypeText):
        return replace(action, target=found)
    return replace(action, at=found)


def _listed_box(step: Step, number: int, rule: str) -> Box | str:
    """Returns the box of a listed element, or in words why there is none."""
    tree = tree_of_step(step)
    if not isinstance(tree, Tree) or step.frame is None:
        return f"it names the element {number}, and the step has no list of elements"
    listed = list_elements(tree, step.frame.size, rule)
    if number >= len(listed):
        return f"it names the element {number}, and the list has {len(listed)}, from 0 on"
    return listed[number].box


def counts_to_json(run: str, counts: JoinCounts) -> dict[str, Any]:
    """Returns what `taptrail predictions import --json` prints."""
    return {"run": run, **asdict(counts)}


def _join_episode(
    rows: list[Row], episode: Episode, dialect: Dialect, declared: Declared, joined: Joined
) -> None:
    steps = {step.index: step for step in episode.steps}
    taken: set[int] = set()
    for row in rows:
        step = steps.get(row.step)
        if step is None:
            _stray(row, None, OrphanReason.NO_STEP, dialect, declared, joined)
        elif row.step in taken:
            _stray(row, step, OrphanReason.DOUBLED, dialect, declared, joined)
        else:
            taken.add(row.step)
            joined.counts.joined += 1
            prediction = _read(row, step, dialect, declared, joined)
            joined.predictions.append(prediction)
            if not isinstance(prediction.parsed, Unreadable) and step.frame is not None:
                joined.coordinates.add(prediction.parsed, step.frame.size)
            for difference in dialect.disagreements(row, step, episode):
                joined.disagreements.add(f"{row.file}, row {row.line}: {difference}")
    joined.counts.missing += len(steps) - len(taken)


def _stray(
    row: Row,
    step: Step | None,
    why: OrphanReason,
    dialect: Dialect,
    declared: Declared,
    joined: Joined,
) -> None:
    if why is OrphanReason.DOUBLED:
        joined.counts.doubled += 1
    else:
        joined.counts.surplus += 1
    joined.orphans.append(Orphan(_read(row, step, dialect, declared, joined), why))


def _read(
    row: Row, step: Step | None, dialect: Dialect, declared: Declared, joined: Joined
) -> Prediction:
    prediction = prediction_of(row, step, dialect, declared)
    if isinstance(prediction.parsed, Unreadable) and (step is not None or row.problem):
        joined.counts.unreadable += 1
        joined.problems.add(f"{row.file}, row {row.line}: {prediction.parsed.reason}")
    return prediction
