"""AndroidWorld's result files and table, from attempts that it judged or that came in its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from episodes.formats.output_files import WriteReport
from episodes.formats.private_boxes import with_private_parts_covered
from episodes.store.library import Library
from episodes.task_verdicts import TaskVerdict
from taptrail.usecases.task_list import bench_worker
from tasks.benches.androidworld import results
from tasks.benches.androidworld.saving import (
    actor_name,
    json_record,
    record_of_attempt,
    write_results,
)

BENCH = "androidworld"


@dataclass(frozen=True, slots=True)
class WorldNumbers:
    """AndroidWorld's table over the attempts of one actor.

    Attributes:
        agent: the agent, or "human" for all people.
        rows: a row for each task.
        mean: over the tasks, by our rule; the benchmark prints it and gives it no row.
        unknown: attempts with an exception, which are in no success rate.
        by: whose function made the rows: "taptrail", or the commit of the installation.
    """

    agent: str
    attempts: int
    unknown: int
    rows: list[dict[str, Any]]
    mean: dict[str, float | None]
    by: str

    def to_json(self) -> dict[str, Any]:
        """Returns it as plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def world_numbers(
    library: Library, python: str = "", home: Path | None = None
) -> list[WorldNumbers]:
    """Returns the table of every actor whose attempts AndroidWorld judged.

    Args:
        python: of an installation, whose own function makes the rows; "" for our rule.

    Raises:
        KnownError: the installation cannot be asked.
    """
    by_agent: dict[str, list[dict[str, Any]]] = {}
    for uuid, verdict in _verdicts(library).items():
        episode = library.episode(uuid)
        record = record_of_attempt(episode, verdict, {}, {})
        by_agent.setdefault(actor_name(episode), []).append(record)
    ours = {agent: _by_rule(agent, records) for agent, records in sorted(by_agent.items())}
    if not python:
        return list(ours.values())
    found = []
    with bench_worker(BENCH, python, home) as worker:
        commit = str(worker.ask("hello", seconds=120.0).get("version") or "unknown")
        for agent, told in ours.items():
            records = [json_record(record) for record in by_agent[agent]]
            rows = worker.ask("aggregate", records=records, seconds=120.0)
            found.append(WorldNumbers(agent, told.attempts, told.unknown, rows, told.mean, commit))
    return found


def save_world_results(
    library_folder: Path,
    folder: Path,
    *,
    python: str,
    home: Path | None,
    names: tuple[str, ...] = (),
) -> WriteReport:
    """Writes attempts as AndroidWorld's result files, by its own checkpointer.

    Args:
        names: names or uuids of episodes; none for all that AndroidWorld judged.

    Raises:
        KnownError: there is no such episode, none was judged, the folder is not empty, or the
            installation cannot be asked.
    """
    with Library.read(library_folder) as library:
        verdicts = _verdicts(library)
        chosen = [library.episode(name).uuid for name in names] or list(verdicts)
        if not chosen:
            raise KnownError(
                f"write AndroidWorld's result files to {folder}",
                f"{library_folder} holds no attempt that it judged",
                "Do one: taptrail tasks run TASK --bench androidworld.",
            )
        with bench_worker(BENCH, python, home) as worker:

            def write(episodes: Any, into: Path, stills: Any, version: str) -> WriteReport:
                return write_results(episodes, into, stills, worker, verdicts)

            covered = with_private_parts_covered(write)
            return covered(map(library.episode, dict.fromkeys(chosen)), folder, library.stills, "")


def _verdicts(library: Library) -> Mapping[str, TaskVerdict]:
    """AndroidWorld's newest verdict on each episode."""
    return {uuid: one for uuid, one in library.task_verdicts() if one.bench == BENCH}


def _by_rule(agent: str, records: list[dict[str, Any]]) -> WorldNumbers:
    rows, mean = results.aggregate(records)
    unknown = sum(record["exception_info"] is not None for record in records)
    return WorldNumbers(
        agent,
        len(records),
        unknown,
        [{"task_template": task} | _plain(asdict(row)) for task, row in rows.items()],
        _plain(asdict(mean)),
        "taptrail",
    )


def _plain(row: dict[str, float]) -> dict[str, float | None]:
    return {name: value if results.is_known(value) else None for name, value in row.items()}
