"""Measures a large library as the window uses it: its list, its filters, and the next step.

    python benchmarks/large_library.py [--episodes N] [--runs N] [--rounds N] [--keep DIR]

Makes a seeded library of 10,000 episodes and five runs in a temporary folder, then calls what the
window calls: `episode_list.look_up` and `episode_list.page` for the list, `annotating` and
`reviewing` for a step. Prints p50 and p95 in milliseconds beside the limits; exit code 1 if a limit
is exceeded. Pictures are small, because none is read. Making the library is not measured.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from annotator.lint.rules import RULES  # noqa: E402
from episodes import actions as a  # noqa: E402
from episodes.annotations import Author, Provenance, Region, RegionSource, Status  # noqa: E402
from episodes.clocks import Moment  # noqa: E402
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task  # noqa: E402
from episodes.geometry import Box, Point, Size  # noqa: E402
from episodes.runs import Prediction, Run  # noqa: E402
from episodes.screens import (  # noqa: E402
    Basis,
    Foreground,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from episodes.store.queries import ANY, NONE, UNJUDGED, EpisodeQuery, Order  # noqa: E402
from taptrail.usecases import annotating, episode_list, linting, reviewing  # noqa: E402
from tests.samples.drawn import png  # noqa: E402

SEED = 20
SIZE = Size(1080, 2400)
PICTURES = 64
JUDGED = 500
PROTOCOL = "taptrail-strict@1"
DATASET, VERSION = "synthetic", "1"
FIRST_PAGE_MS, FILTER_MS, STEP_MS = 100.0, 200.0, 50.0
PAGE = 100
APPS = (
    "Messages", "Contacts", "Calendar", "Notes", "Fernway", "Reader", "Settings", "Clock", "Vault",
    "Phone", "Maps", "Radio",
)  # fmt: skip
CATEGORIES = (
    "Multi_Apps", "Web_Shopping", "General_Tool", "Information_Management",
    "Media_Entertainment", "Social_Sharing",
)  # fmt: skip
VERBS = ("Find", "Copy", "Send", "Book", "Delete", "Compare", "Open", "Share", "Rename", "Move")
THINGS = (
    "the ferry times", "a sword fern", "Mara's number", "the choir rehearsal", "the soup recipe",
    "the meter reading", "the blue folder", "tomorrow's alarm", "the harbour map",
    "a night concert",
)  # fmt: skip
_TREE = (
    '<hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.Frame'
    'Layout" package="com.example" content-desc="" clickable="false" enabled="true" '
    'bounds="[0,0][1080,2400]">{}</node></hierarchy>'
)
_NODE = (
    '<node index="{0}" text="Row {0}" resource-id="com.example:id/row{0}" class="android.widget'
    '.TextView" package="com.example" content-desc="" clickable="true" enabled="true" '
    'bounds="[0,{1}][1080,{2}]" />'
)


@dataclass(frozen=True)
class Measure:
    """What was measured, in milliseconds, and its limit."""

    name: str
    limit: float
    times: tuple[float, ...]

    @property
    def p95(self) -> float:
        """The time 95 of 100 stay within."""
        if len(self.times) == 1:
            return self.times[0]
        return statistics.quantiles(self.times, n=20, method="inclusive")[-1]

    @property
    def holds(self) -> bool:
        """Whether it is within the limit."""
        return self.p95 <= self.limit

    def row(self) -> str:
        """Returns a Markdown row."""
        said = "holds" if self.holds else "MISSED"
        middle = statistics.median(self.times)
        return f"| {self.name} | {middle:.1f} | {self.p95:.1f} | {self.limit:.0f} | {said} |"


def make(folder: Path, episodes: int, runs: int) -> None:
    """Makes the library."""
    chance = random.Random(SEED)
    with Library.open(folder) as library:
        stills = []
        for number in range(PICTURES):
            data = png(colour=(number * 3 % 256, number * 7 % 256, number * 11 % 256))
            digest = library.stills.write(data, "image/png")
            stills.append(
                Still(digest, "image/png", Size(36, 80), len(data), StillSource.IMPORT, True)
            )
        trees = [_tree(number) for number in range(PICTURES)]
        report = library.save_episodes(
            (_episode(number, chance, stills, trees) for number in range(episodes)),
            None,
            episodes,
        )
        if report.saved != episodes:
            raise SystemExit(f"{report.saved} of {episodes} episodes were saved: {report.refused}")
        judge = library.editor(Author("taptrail:judge", "Mary"))
        for episode in library.episodes()[:: max(1, episodes // JUDGED)]:
            judge.set_attempt(episode.uuid, Attempt(1, chance.choice(("complete", "failed"))))
        for number in range(runs):
            name = f"run-{number + 1}"
            library.save_run(
                Run(name, "taptrail", dataset=DATASET, dataset_version=VERSION),
                _answers(library, random.Random(SEED + number)),
                (),
            )


def _tree(number: int) -> bytes:
    rows = "".join(_NODE.format(row, row * 60, row * 60 + 60) for row in range(40 - number % 7))
    return _TREE.format(rows).encode()


def _episode(
    number: int, chance: random.Random, stills: list[Still], trees: list[bytes]
) -> Episode:
    apps = tuple(chance.sample(APPS, chance.choice((1, 1, 2, 3))))
    words = f"{chance.choice(VERBS)} {chance.choice(THINGS)} in {' and '.join(apps)}"
    task = Task(f"{words}, try {number % 997}", category=chance.choice(CATEGORIES), apps=apps)
    count = chance.randint(4, 8)
    start = number * 600_000_000
    steps = tuple(
        _step(at, count, start, chance, stills[(number + at) % PICTURES], trees)
        for at in range(count)
    )
    return Episode(
        uuid=str(uuid.UUID(int=chance.getrandbits(128), version=4)),
        name=f"e-{number:05}",
        origin=Origin(DATASET, VERSION),
        task=task,
        state=EpisodeState.FINISHED if chance.random() < 0.95 else EpisodeState.INCOMPLETE,
        steps=steps,
        actor=Actor(author=Author("", f"Person {number % 12}")),
        started_utc=f"2026-05-{1 + number % 28:02}T{number % 24:02}:{number % 60:02}:00+00:00",
        splits=(("random", chance.choice(("train", "test"))),),
    )


def _step(
    at: int, count: int, start: int, chance: random.Random, still: Still, trees: list[bytes]
) -> Step:
    began = start + at * 2_500_000
    if at == count - 1:
        action: a.Action = a.Finish(a.Ending.COMPLETE)
    elif at % 4 == 3:
        action = a.TypeText(chance.choice(THINGS))
    else:
        action = a.Tap(Point(chance.randrange(40, 1040), chance.randrange(40, 2000)))
    regions: tuple[Region, ...] = ()
    if isinstance(action, a.Tap):
        y = action.at.y if isinstance(action.at, Point) else 0
        regions = (
            Region(
                Box(0, y - 30, 1080, y + 30),
                Provenance(RegionSource.PERSON),
                label="Row",
                status=Status.ACCEPTED,
                chosen=True,
            ),
        )
    return Step(
        at,
        action,
        frame=Frame(SIZE, Basis.IMPORTED, still),
        began=Moment(device_us=began),
        ended=Moment(device_us=began + 90_000),
        tree=StepTree(
            TreeRecord("uiautomator", trees[at % PICTURES], "import", TreeStatus.OK, size=SIZE),
            TreeFit.IMPORTED,
        ),
        foreground=Foreground("com.example", ".Main", "Example"),
        regions=regions,
    )


def _answers(library: Library, chance: random.Random) -> Iterator[Prediction]:
    for episode in library.iterate():
        for step in episode.steps:
            said: a.Action = step.action
            if chance.random() < 0.3:
                said = a.Tap(Point(chance.randrange(1080), chance.randrange(2400)))
            yield Prediction(episode.name, step.index, "tap", said)


def timed(name: str, limit: float, works: Iterator[Callable[[], object]], rounds: int) -> Measure:
    """Returns how long each of `rounds` pieces of work takes, after one that is not counted."""
    next(works)()
    times = []
    for work in islice(works, rounds):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return Measure(name, limit, tuple(times))


def listed(library: Library, query: EpisodeQuery, order: Order = Order.ADDED) -> None:
    """Repeats the calls of the Episodes page after opening it or changing a filter."""
    episode_list.look_up(library, query)
    episode_list.page(library, query, order, descending=True, start=0, count=PAGE)


def _opened(folder: Path) -> None:
    with Library.read(folder) as library:
        listed(library, EpisodeQuery())


def filters() -> dict[str, list[EpisodeQuery]]:
    """Returns the filters that are measured, each with several values."""
    return {
        "text, one word": [EpisodeQuery(text=word) for word in ("ferry", "soup", "Mara", "alarm")],
        "text, three words": [
            EpisodeQuery(text=f"{verb} the {thing.split()[-1]}")
            for verb, thing in zip(VERBS, THINGS, strict=True)
        ],
        "text, two letters": [EpisodeQuery(text=word) for word in ("se", "in", "of")],
        "app": [EpisodeQuery(app=app) for app in APPS],
        "category": [EpisodeQuery(category=category) for category in CATEGORIES],
        "state": [EpisodeQuery(state=EpisodeState.INCOMPLETE)],
        "finding": [EpisodeQuery(finding=rule) for rule in (*RULES, ANY, NONE)],
        "what a person judged": [EpisodeQuery(judged=how) for how in ("failed", UNJUDGED)],
        "split": [EpisodeQuery(split=("random", part)) for part in ("train", "test")],
        "run": [EpisodeQuery(run=f"run-{number}") for number in range(1, 3)],
        "run verdict": [
            EpisodeQuery(verdict=(run, PROTOCOL, outcome))
            for run in ("run-1", "run-2")
            for outcome in ("mismatch", "match")
        ],
        "run verdict, app and text": [
            EpisodeQuery(text="ferry", app=app, verdict=("run-1", PROTOCOL, "mismatch"))
            for app in APPS
        ],
        "text, app and category": [
            EpisodeQuery(text="ferry", app=app, category=category)
            for app, category in zip(APPS, CATEGORIES, strict=False)
        ],
    }


def measure(folder: Path, rounds: int) -> Iterator[Measure]:
    """Yields all measures."""
    opened = cycle([lambda: _opened(folder)])
    yield timed("first page, library just opened", FIRST_PAGE_MS, opened, rounds)
    with Library.read(folder) as library:
        work: Iterator[Callable[[], object]] = cycle([lambda: listed(library, EpisodeQuery())])
        yield timed("first page", FIRST_PAGE_MS, work, rounds)
        orders = cycle([lambda o=o: listed(library, EpisodeQuery(), o) for o in Order])
        yield timed("first page, sorted", FIRST_PAGE_MS, orders, rounds)
        for name, queries in filters().items():
            asked = cycle([lambda q=q: listed(library, q) for q in queries])
            yield timed(f"filter by {name}", FILTER_MS, asked, rounds)
        yield from _steps(library, rounds)


def _steps(library: Library, rounds: int) -> Iterator[Measure]:
    """Going on by a step, within an episode and into the next one."""
    uuids = reviewing.episode_order(library)[:: max(1, library.count() // (rounds + 2))]
    runs = tuple(run.name for run in reviewing.runs_there_are(library))[:4]

    def annotate(episode: Episode) -> None:
        for step in episode.steps[:1]:
            annotating.open_step(episode, step)

    def review(opened: reviewing.OpenEpisode) -> None:
        step = opened.episode.steps[1]
        for run in runs:
            said = opened.predictions.get(run, {}).get(step.index)
            reviewing.compare(opened.episode, step, said, PROTOCOL)

    episodes = [library.episode(one) for one in uuids]
    opened = [reviewing.open_episode(library, one, runs) for one in uuids]
    yield timed(
        "next step in Annotate", STEP_MS, iter([lambda e=e: annotate(e) for e in episodes]), rounds
    )
    yield timed(
        "next step in Annotate, another episode",
        STEP_MS,
        iter([lambda u=u: annotate(episode_list.whole_episode(library, u)) for u in uuids]),
        rounds,
    )
    yield timed(
        "next step in Review, four runs",
        STEP_MS,
        iter([lambda o=o: review(o) for o in opened]),
        rounds,
    )
    yield timed(
        "next step in Review, another episode",
        STEP_MS,
        iter([lambda u=u: review(reviewing.open_episode(library, u, runs)) for u in uuids]),
        rounds,
    )


def main(words: list[str] | None = None) -> int:
    """Makes the library, measures and prints; returns 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--keep", type=Path, help="make the library here, or use the one there")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args(words)
    if options.tiny:
        options.episodes, options.runs, options.rounds = 60, 2, 2
    with tempfile.TemporaryDirectory() as place:
        folder = options.keep or Path(place) / "library"
        if not (folder / "library.db").is_file():
            began = time.perf_counter()
            make(folder, options.episodes, options.runs)
            print(f"made in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        Library.open(folder).close()  # upgrades a library of an older version
        for run in ("run-1", "run-2"):
            episode_list.keep_verdicts(folder, run, PROTOCOL)
        began = time.perf_counter()
        if kept := linting.keep_findings(folder):
            took = time.perf_counter() - began
            print(f"looked at {kept:,} episodes in {took:.0f} s", file=sys.stderr, flush=True)
        print("| what | p50 ms | p95 ms | limit ms | |\n| --- | --- | --- | --- | --- |")
        missed = 0
        for found in measure(folder, options.rounds):
            print(found.row(), flush=True)
            missed += not found.holds
    return 1 if missed and not options.tiny else 0


if __name__ == "__main__":
    sys.exit(main())
