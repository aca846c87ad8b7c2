"""Android Lab's four numbers over judged recordings, as published and as corrected."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.androidlab_actions import trace_lines
from episodes.media import pictures
from episodes.screens import Frame
from episodes.store.library import Library
from episodes.task_verdicts import TaskVerdict
from taptrail.usecases.androidlab import BENCH
from taptrail.usecases.task_steps import task_steps
from tasks.benches.androidlab import metrics

PEOPLE = "people"
NAMES = ("SR", "Sub-SR", "RRR", "ROR")
_COLUMNS = (*("Complete_Correct", "Sum_Partial_Acc", "Sum_RRR", "Sum_reasonable_operation_ratio"),)
"""What the published sheet calls `NAMES`, in percent."""


@dataclass(frozen=True, slots=True)
class LabNumbers:
    """The numbers of one agent, or of all people.

    Attributes:
        results, totals: the lines of results.jsonl and total.jsonl, as published.
        sheet: the row of the result sheet, as published.
        published: SR, Sub-SR, RRR and ROR of that row, as shares.
        corrected: SR, Sub-SR, RRR and ROR over what was evaluated; None for a mean of nothing.
        by_our_people: RRR by the median steps of people in the library instead of the clone's
            table, over the solved tasks that people recorded; None without one.
        unknown: how many verdicts are unknown; they are in no corrected number.
        vanished: traces that the clone's own evaluation leaves out of all its files, for a line
            without an action. They are in no published number.
    """

    agent: str
    results: list[metrics.Row]
    totals: list[metrics.Row]
    sheet: metrics.Row
    published: dict[str, float | None]
    corrected: dict[str, float | None]
    by_our_people: float | None
    unknown: int
    vanished: int

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def lab_numbers(library: Library) -> list[LabNumbers]:
    """Returns the numbers of every agent whose recordings were judged by a clone.

    The newest verdict of an episode counts.
    """
    newest: dict[str, TaskVerdict] = {}
    for uuid, verdict in library.task_verdicts():
        if verdict.bench == BENCH:
            newest[uuid] = verdict
    by_agent: dict[str, list[tuple[metrics.Judged, TaskVerdict]]] = {}
    for uuid, verdict in newest.items():
        episode = library.episode(uuid)
        agent = episode.actor.agent if episode.actor.kind == "agent" else PEOPLE
        by_agent.setdefault(agent, []).append((_judged(library, episode, verdict), verdict))
    medians = {
        one.task: one.steps["median"]
        for one in task_steps(library, known={verdict.task for verdict in newest.values()})
        if one.steps is not None
    }
    return [_numbers(agent, found, medians) for agent, found in sorted(by_agent.items())]


def write_sheet(numbers: Sequence[LabNumbers], path: Path) -> None:
    """Writes the result sheet as CSV: the published columns, then the corrected numbers.

    Raises:
        KnownError: the file cannot be written.
    """
    rows = [
        {
            **one.sheet,
            **{f"corrected {name}": value for name, value in one.corrected.items()},
            "RRR by recorded people": one.by_our_people,
        }
        for one in numbers
    ]
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else ["agent_name"])
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise KnownError(
            f"write {path}", str(error.strerror or error), "Choose another place."
        ) from error


def _numbers(
    agent: str,
    found: list[tuple[metrics.Judged, TaskVerdict]],
    medians: Mapping[str, float],
) -> LabNumbers:
    whole = [judged for judged, one in found if not json.loads(one.details).get("vanishes")]
    results = [metrics.result_row(judged) for judged in whole]
    totals = metrics.app_rows(results)
    known = [judged for judged, verdict in found if verdict.score is not None]
    sheet = metrics.sheet_row(agent, totals)
    return LabNumbers(
        agent,
        results,
        totals,
        sheet,
        {name: sheet[column] / 100 for name, column in zip(NAMES, _COLUMNS, strict=True)},
        metrics.corrected(known),
        _by_people(known, medians),
        len(found) - len(known),
        len(found) - len(whole),
    )


def _by_people(judged: Sequence[metrics.Judged], medians: Mapping[str, float]) -> float | None:
    shares = [
        medians[one.task] / one.steps
        for one in judged
        if one.complete and one.steps and one.task in medians
    ]
    return math.fsum(shares) / len(shares) if shares else None


def _judged(library: Library, episode: Episode, verdict: TaskVerdict) -> metrics.Judged:
    steps = json.loads(verdict.evidence)
    details = json.loads(verdict.details)
    lines = [step for step, _ in trace_lines(episode.steps)]
    shown = [
        _picture(library, line.frame)
        for line, one in zip(lines, steps, strict=False)
        if one.get("counted")
    ]
    final = next((one["final"] for one in reversed(steps) if "final" in one), {"complete": False})
    return metrics.Judged(
        verdict.task,
        verdict.goal,
        str(details.get("kind") or ""),
        final,
        len(shown),
        shown,
        details.get("human_steps"),
        _picture(library, episode.final),
    )


def _picture(library: Library, frame: Frame | None) -> metrics.Picture:
    still = frame.still if frame is not None else None
    if still is None:
        return None
    try:
        return pictures.decode(library.stills.path(still.sha256, still.media_type).read_bytes())
    except (OSError, KnownError, ValueError):
        return None
