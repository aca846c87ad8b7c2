"""Measures the place Tasks of a large library: its list, its first page of budgets, one task, all.

    python benchmarks/attempts.py [--episodes N] [--tasks N] [--rounds N]

Prints Markdown rows for docs/benchmarks.md. The library is made here: episodes of four to eleven
timed steps by three people, a few of each task.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes import actions as a  # noqa: E402
from episodes.annotations import Author  # noqa: E402
from episodes.clocks import Moment  # noqa: E402
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task  # noqa: E402
from episodes.steps import Step  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from taptrail.usecases import attempts  # noqa: E402

SEED, PAGE = 20, 40
PEOPLE = tuple(Author(f"7a1f6e0c-0000-4000-8000-00000000000{n}", f"Person {n}") for n in (1, 2, 3))


def main() -> None:
    """Makes the library and measures."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--episodes", type=int, default=10_000)
    words.add_argument("--tasks", type=int, default=2_500)
    words.add_argument("--rounds", type=int, default=20)
    words.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    said = words.parse_args()
    if said.tiny:
        said.episodes, said.tasks, said.rounds = 60, 15, 2
    with tempfile.TemporaryDirectory(prefix="taptrail-attempts-") as folder:
        with Library.open(Path(folder) / "library") as library:
            library.save_episodes(made(said.episodes, said.tasks))
        with Library.read(Path(folder) / "library") as library:
            lines = attempts.tasks(library)
            page = [line.task for line in lines[:PAGE]]
            print(f"| {said.episodes:,} episodes, {len(lines):,} tasks | p50 | p95 |")
            print("| --- | --- | --- |")
            measure("the list of tasks", said.rounds, lambda: attempts.tasks(library))
            measure("a search", said.rounds, lambda: attempts.tasks(library, "plant 77"))
            measure(f"{len(page)} budgets", said.rounds, lambda: attempts.references(library, page))
            one = page[len(page) // 2]
            measure("one task", said.rounds, lambda: attempts.reference(library, one))
            measure("all budgets", 3, lambda: attempts.references(library))


def made(count: int, tasks: int) -> Iterator[Episode]:
    """Yields the episodes."""
    chance = random.Random(SEED)
    for number in range(count):
        began, steps = 0.0, []
        for index in range(chance.randrange(4, 12)):
            began += chance.uniform(1, 9)
            steps.append(Step(index, a.Wait(), began=_at(began), ended=_at(began + 0.5)))
        finish = a.Finish(a.Ending.COMPLETE)
        steps.append(Step(len(steps), finish, began=_at(began + 2), ended=_at(began + 2)))
        yield Episode(
            uuid=f"0c8d3c1e-1111-4111-8111-{number:012d}",
            name=f"e-{number:05d}",
            origin=Origin("recorded"),
            task=Task(f"Find plant number {number % tasks} and put it in the basket"),
            state=EpisodeState.FINISHED,
            steps=tuple(steps),
            actor=Actor(author=chance.choice(PEOPLE)),
            started_utc=f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}",
            finish=finish,
        )


def measure(what: str, rounds: int, work: Callable[[], object]) -> None:
    """Prints how long some work takes."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
    print(f"| {what} | {statistics.median(times):.0f} ms | {p95:.0f} ms |", flush=True)


def _at(seconds: float) -> Moment:
    return Moment(device_us=int(seconds * 1e6), host_ns=int((seconds + 500) * 1e9))


if __name__ == "__main__":
    main()
