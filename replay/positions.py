"""Joins rows that name no step to steps by their order: the last resort.

Several evaluators write answers in the order of a list of steps and nothing else. Such rows are
joined only if there are as many rows as steps, and if neither running numbers nor the gold in the
rows contradict it. The import reports it, because one missing row would shift all later ones.

Source: eval/eval_scripts of OS-Copilot/OS-Atlas at bad0840, which joins so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.input_files import format_value
from episodes.geometry import Size
from episodes.runs import Unreadable
from replay.dialect import NO_STEP, Declared, Dialect, Limits, Row
from replay.dialects.layouts import place_of, place_of_picture, read_objects
from replay.dialects.lines import too_many
from replay.dialects.places import alike
from replay.findings import RunFinding
from replay.stated_gold import Gist, StepGist, fits, gist_of, stated_gist

Place = tuple[str, int]

MOST_WORKERS = 64
_MOST_COMPARED = 20_000
_LEAST_COMPARED = 4
_MAX_LINE = 10_000
_WORD = re.compile(r"[A-Za-z]{3}")
_OBJECT = re.compile(rb"(\xef\xbb\xbf)?\s*[\[{]")


def in_library_names(rows: list[Row], names: frozenset[str]) -> tuple[list[Row], list[RunFinding]]:
    """Returns the rows with episode names as in the library, and the names that were changed.

    A number after a word that names no episode ("androidcontrol_12" in all rows) is a running
    number, not a step.
    """
    unmatched = {row.episode for row in rows if row.episode} - names
    meant = {name: found for name in unmatched if (found := alike(name, names)) is not None}
    respelled = [
        replace(row, episode=meant[row.episode]) if row.episode in meant else row for row in rows
    ]
    findings = []
    if meant:
        first = min(meant)
        count = sum(row.episode in meant for row in rows)
        findings.append(
            RunFinding(
                "ids_respelled",
                f"{count} rows name their episode in another spelling than the library: "
                f"{format_value(first)} is taken for {format_value(meant[first])}.",
                count,
            )
        )
    unknown = {row.episode for row in respelled if row.episode}
    numbered = all(row.number is not None or not row.episode for row in respelled)
    lone = next(iter(unknown)) if len(unknown) == 1 and numbered and not unknown & names else ""
    if _WORD.search(lone):
        return [replace(row, episode="", step=NO_STEP) for row in respelled], findings
    return respelled, findings


def name_no_step(rows: Sequence[Row]) -> bool:
    """Returns whether no row names its episode, and at least one row has an answer."""
    return not any(row.episode for row in rows) and any(row.value is not None for row in rows)


def in_order(rows: Sequence[Row], places: Sequence[Place]) -> list[Row]:
    """Returns the rows with the episodes and steps of equally many places.

    A row whose only problem was the missing step has no problem any more.
    """
    return [
        replace(
            row,
            episode=episode,
            step=step,
            problem="" if row.value is not None else row.problem,
        )
        for row, (episode, step) in zip(rows, places, strict=True)
    ]


def beside_steps(
    rows: Sequence[Row],
    steps: Sequence[StepGist],
    dialect: Dialect,
    declared: Declared,
    *,
    workers: int = 0,
) -> tuple[list[Row], list[RunFinding]]:
    """Joins rows that name no step to equally many steps, in their order.

    Rows with running numbers are sorted by them.

    Args:
        workers: number N of workers that wrote them, each the rows of every N-th step; 0 for one.

    Raises:
        KnownError: the numbers, steps or gold of the rows contradict the library.
    """
    found = RunFinding(
        "joined_by_position",
        f"No row names its step: they were joined by their position to the library's {len(steps)} "
        "steps. If one is lacking or out of place, all after it are wrong.",
        len(rows),
    )
    numbers = [row.number for row in rows if row.number is not None]
    fitting = _order_of_workers(len(rows), workers) if workers else list(range(len(rows)))
    if numbers and not workers:
        fitting = _order_of_numbers(rows, numbers, steps)
        if fitting != list(range(len(rows))):
            found = RunFinding(
                "joined_by_number",
                f"No row names its step: they were joined by their running numbers to the "
                f"library's {len(steps)} steps. If those number another list of steps, all are "
                "wrong.",
                len(rows),
            )
    checker = _Order(rows, steps, dialect, declared)
    checker.check(fitting)
    places = [(step.episode, step.step) for step in steps]
    return in_order([rows[at] for at in fitting], places), [found, *checker.doubts(fitting)]


def in_order_of_episode(
    rows: list[Row], counts: Mapping[str, Sequence[int]]
) -> tuple[list[Row], list[RunFinding]]:
    """Joins rows that name an episode and no step to its steps, if there are equally many.

    Args:
        counts: the numbers of the steps of each episode.
    """
    lacking = {row.episode for row in rows if row.episode in counts and row.step == NO_STEP}
    by_episode: dict[str, list[int]] = {name: [] for name in lacking}
    for at, row in enumerate(rows):
        if row.episode in by_episode:
            by_episode[row.episode].append(at)
    joined, placed = list(rows), 0
    for name, places in by_episode.items():
        steps = counts[name]
        unnumbered = all(rows[at].step == NO_STEP for at in places)
        if not unnumbered or len(places) != len(steps):
            continue
        ordered = in_order([rows[at] for at in places], [(name, step) for step in steps])
        for at, row in zip(places, ordered, strict=True):
            joined[at] = row
        placed += len(places)
    if not placed:
        return rows, []
    text = (
        f"{placed} rows name their episode and no step: they were joined to its steps in their "
        "order. If one is out of place, all after it are wrong."
    )
    return joined, [RunFinding("joined_by_order_in_episode", text, placed)]


class _Order:
    """Checks whether rows match the steps they would be joined to in a given order."""

    def __init__(
        self, rows: Sequence[Row], steps: Sequence[StepGist], dialect: Dialect, declared: Declared
    ) -> None:
        self._rows, self._steps = rows, steps
        sizes: Counter[Size | None] = Counter(step.size for step in steps)
        size = sizes.most_common(1)[0][0] if sizes else None
        self._stated = [stated_gist(row, size, dialect, declared) for row in rows]
        self._told: list[Gist | None] = []
        for row in rows[:_MOST_COMPARED]:
            action = Unreadable("") if row.value is None else dialect.action(row, size, declared)
            self._told.append(None if isinstance(action, Unreadable) else gist_of(action, size))

    def check(self, order: Sequence[int]) -> None:
        """Raises KnownError if the rows' own numbers or gold contradict the steps in this order."""
        wrong = [
            at
            for at, row in enumerate(order)
            if self._rows[row].step not in (NO_STEP, self._steps[at].step)
        ]
        if wrong:
            row = self._rows[order[wrong[0]]]
            step = self._steps[wrong[0]]
            raise KnownError(
                "join the predictions by their position",
                f"row {row.line} says it is step {row.step}, and would stand beside step "
                f"{step.step} of episode {step.episode}",
                self._remedy("Write the episode into each row"),
            )
        contradicted, stated = self._contradictions(order, self._stated)
        if contradicted * 5 > stated:
            raise KnownError(
                "join the predictions by their position",
                f"the gold in {contradicted} of {stated} rows contradicts the step they would "
                "stand beside",
                self._remedy("Write episode and step into each row"),
            )

    def doubts(self, order: Sequence[int]) -> list[RunFinding]:
        """Returns a finding if another order matches the answers far better."""
        if len(self._told) < len(self._rows):
            return []
        wrong, told = self._contradictions(order, self._told)
        if told < _LEAST_COMPARED or wrong * 2 < told:
            return []
        for workers in range(2, MOST_WORKERS + 1):
            other, _ = self._contradictions(_order_of_workers(len(order), workers), self._told)
            if other * 5 <= told:
                return [
                    RunFinding(
                        "order_of_workers",
                        f"{told - wrong} of {told} answers fit the step they stand beside, and "
                        f"{told - other} would if {workers} workers had written them.",
                        told - other,
                        f"--workers {workers}",
                    )
                ]
        return []

    def _remedy(self, else_: str) -> str:
        for workers in range(1, MOST_WORKERS + 1):
            order = _order_of_workers(len(self._rows), workers)
            wrong, stated = self._contradictions(order, self._stated)
            if stated >= _LEAST_COMPARED and wrong * 20 <= stated:
                if workers == 1:
                    return "The order of the file fits: leave the running numbers out."
                return f"Declare the order of {workers} workers with --workers {workers}: it fits."
        return f"{else_}, or give the file whose order they are in with --order."

    def _contradictions(self, order: Sequence[int], told: Sequence[Gist | None]) -> tuple[int, int]:
        wrong = stated = 0
        for step, row in zip(self._steps, order, strict=True):
            gist = told[row]
            if gist is not None:
                stated += 1
                wrong += not fits(gist, step.gist)
        return wrong, stated


def _order_of_workers(count: int, workers: int) -> list[int]:
    """Returns which row answers each step, where worker k wrote the rows k, k + workers, ..."""
    written = [step for first in range(workers) for step in range(first, count, workers)]
    order = [0] * count
    for row, step in enumerate(written):
        order[step] = row
    return order


def _order_of_numbers(
    rows: Sequence[Row], numbers: Sequence[int], steps: Sequence[StepGist]
) -> list[int]:
    """Returns which row answers each step by the rows' running numbers.

    Raises:
        KnownError: they do not number the steps.
    """
    first = min(numbers)
    if sorted(numbers) == list(range(first, first + len(rows))) and first in (0, 1):
        by_number = {number: row for row, number in enumerate(numbers)}
        return [by_number[number] for number in range(first, first + len(rows))]
    lengths = list(Counter(step.episode for step in steps).values())
    groups = [len(list(group)) for _, group in groupby(numbers)]
    if len(numbers) == len(rows) and len(set(numbers)) == len(groups) and groups == lengths:
        return list(range(len(rows)))  # a number for each episode
    raise KnownError(
        "join the predictions by their position",
        f"the rows are numbered {min(numbers)} to {max(numbers)} ({len(set(numbers))} numbers in "
        f"{len(rows)} rows), and the library has {len(steps)} steps",
        "Write episode and step into each row, or give the file whose order they are in with "
        "--order.",
    )


def places_of(episodes: Iterable[Episode]) -> list[Place]:
    """Returns the places of all steps, in order."""
    return [(episode.name, step.index) for episode in episodes for step in episode.steps]


def places_in(path: Path, limits: Limits) -> list[Place]:
    """Returns the steps listed in a file: JSON objects that name a step, or picture names.

    A line may be `episode_140_screenshot_0`, with or without folder and ending.

    Raises:
        KnownError: the file cannot be read, or one of its lines names no step.
    """
    found: list[Place] = []
    for number, told in _lines(path, limits):
        if isinstance(told, str):
            raise KnownError(
                f"read the order of steps in {path.name}",
                f"row {number} names no step: {told}",
                "Give the file the answers were made from, or a list of its pictures.",
            )
        found.append(told)
    return found


def _lines(path: Path, limits: Limits) -> Iterable[tuple[int, Place | str]]:
    try:
        with path.open("rb") as file:
            objects = _OBJECT.match(file.read(4096)) is not None
    except OSError as error:
        raise KnownError(
            f"read {path.name}", f"{error.strerror}", "Check the file's place and its rights."
        ) from error
    if objects:
        for number, told in read_objects(path, limits):
            yield number, told.problem if isinstance(told, Row) else place_of(told)
        return
    with path.open("rb") as file:
        number = 0
        while line := file.readline(_MAX_LINE):
            number += 1
            if number > limits.rows:
                raise too_many(path, limits)
            name = line.decode("utf-8", "replace").strip()
            if name:
                picture = name if "." in name.rsplit("/", 1)[-1] else f"{name}.png"
                yield number, place_of_picture(picture) or f"“{name[:60]}” is no picture's name"
