"""Measures how long it takes until a step's frame is painted in Review.

    python benchmarks/open_step.py [--episodes N] [--turns N]

Prints Markdown rows for docs/benchmarks.md. The library is made here: recorded episodes of 14
steps with stills of 1080x2400 pixels, a tree beside each, and two runs that answer them. Measured
is the time from the key (or the click in the list) until the window has been painted with gold's
frame, its picture and marks; "work" is what the window's thread has worked in that time. The
window is real, drawn offscreen. Steps are opened `--pause` seconds apart.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from episodes import actions as a  # noqa: E402
from episodes.annotations import Provenance, Region, RegionSource, Status  # noqa: E402
from episodes.clocks import Moment  # noqa: E402
from episodes.episodes import Episode, EpisodeState, Origin, Task  # noqa: E402
from episodes.geometry import Box, Point, Size  # noqa: E402
from episodes.recordings import DeviceFacts  # noqa: E402
from episodes.runs import Prediction, Run  # noqa: E402
from episodes.screens import (  # noqa: E402
    Basis,
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
from taptrail.gui import app as gui  # noqa: E402
from taptrail.gui.review.place import ReviewPlace  # noqa: E402
from taptrail.gui.services import WindowServices  # noqa: E402
from taptrail.gui.thumbnails import Pictures, read_picture  # noqa: E402
from taptrail.settings import Settings  # noqa: E402
from tests.samples.drawn import phone_screen  # noqa: E402

SIZE = Size(1080, 2400)
RUNS = ("heron", "plover")
PATIENCE_S = 20.0


def tree(dice: random.Random) -> StepTree:
    """Returns a tree of sixty nodes."""
    node = (
        '<node index="{n}" text="{words}" resource-id="id/{n}" class="android.widget.TextView" '
        'package="org.example.reader" content-desc="" clickable="true" enabled="true" '
        'bounds="[60,{top}][1020,{low}]"/>'
    )
    nodes = "".join(
        node.format(n=n, words=f"Row {dice.randrange(999)}", top=100 + n * 36, low=134 + n * 36)
        for n in range(60)
    )
    data = f"<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\">{nodes}</hierarchy>"
    record = TreeRecord(
        "uiautomator", data.encode(), "uiautomator dump", TreeStatus.OK, size=SIZE, rotation=0
    )
    return StepTree(record, TreeFit.FRESH)


def episodes(
    library: Library, count: int, steps_each: int, dice: random.Random
) -> Iterator[Episode]:
    """Yields recorded episodes, each step with a picture of its own."""
    for number in range(count):
        steps = []
        for index in range(steps_each):
            data = phone_screen(dice)
            sha256 = library.stills.write(data, "image/png", sync=False)
            still = Still(sha256, "image/png", SIZE, len(data), StillSource.STREAM, True)
            at = Point(540.0, 117.0 + 36 * dice.randrange(60))
            box = Box(60, at.y - 17, 1020, at.y + 17)
            began = 1_000_000_000 + index * 2_000_000_000
            steps.append(
                Step(
                    index,
                    a.Tap(at),
                    Frame(SIZE, Basis.PAINTED, still),
                    source="mirror",
                    began=Moment(host_ns=began),
                    ended=Moment(host_ns=began + 90_000_000),
                    tree=tree(dice),
                    regions=(
                        Region(
                            box,
                            Provenance(RegionSource.TREE),
                            status=Status.ACCEPTED,
                            chosen=True,
                        ),
                    ),
                )
            )
        yield Episode(
            uuid=f"00000000-0000-4000-8000-{number:012d}",
            name=f"e-{number:04d}",
            origin=Origin("recorded"),
            task=Task(f"Read row {number}", category="Reading", apps=("Reader",)),
            state=EpisodeState.FINISHED,
            steps=tuple(steps),
            device=DeviceFacts(size=SIZE, density=420),
        )


def fill(folder: Path, count: int, steps_each: int) -> None:
    """Makes the library."""
    dice = random.Random(11)
    with Library.open(folder) as library:
        made = list(episodes(library, count, steps_each, dice))
        assert not library.save_episodes(made).refused
        for name in RUNS:
            said = []
            for episode in made:
                for step in episode.steps:
                    assert isinstance(step.action, a.Tap)
                    assert isinstance(step.action.at, Point)
                    off = replace(step.action.at, x=step.action.at.x + dice.randrange(-600, 400))
                    said.append(Prediction(episode.name, step.index, "click", a.Tap(off)))
            run = Run(name, "taptrail", dataset="recorded", coordinates="pixels")
            library.save_run(run, said)


def until(true: Callable[[], bool]) -> None:
    """Lets the window work until something is so."""
    loop, beat = QEventLoop(), QTimer()
    ends = time.monotonic() + PATIENCE_S

    def look() -> None:
        if true() or time.monotonic() > ends:
            loop.quit()

    beat.timeout.connect(look)
    beat.start(1)
    loop.exec()
    if not true():
        raise SystemExit("The window did not come so far.")


class Eye(QObject):
    """Sees when gold's frame has been painted with a step's picture."""

    def __init__(self, place: ReviewPlace, pictures: Pictures) -> None:
        super().__init__()
        self._place, self._pictures = place, pictures
        self._wanted = ("", -1)
        self._seen_at = 0.0
        place.columns.views()[0].installEventFilter(self)

    def look(self, go: Callable[[], None], where: tuple[str, int]) -> tuple[float, float]:
        """Returns the milliseconds from `go` until the window has painted the frame of `where`,
        and how many of them its thread has worked."""
        self._wanted, self._seen_at = where, 0.0
        began, worked = time.perf_counter(), time.thread_time()
        go()
        until(lambda: self._seen_at > 0)
        return (self._seen_at - began) * 1000, (time.thread_time() - worked) * 1000

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and not self._seen_at and self._is_there():
            QTimer.singleShot(0, self, self._note)  # when the whole window has been painted
        return False

    def _note(self) -> None:
        self._seen_at = self._seen_at or time.perf_counter()

    def _is_there(self) -> bool:
        step = self._place.shown.step()
        still = step.frame.still if step is not None and step.frame is not None else None
        return (
            self._place.where() == self._wanted
            and still is not None
            and self._pictures.get(still) is not None
        )


def row(what: str, times: list[tuple[float, float]]) -> None:
    """Prints median and 95th percentile of the wall time, and of the thread's work."""
    cells = [f"{value:.0f} ms" for part in zip(*times, strict=True) for value in middle(part)]
    print(f"| {what} | {' | '.join(cells)} | {len(times)} |", flush=True)


def middle(times: Iterable[float]) -> tuple[float, float]:
    """Returns median and 95th percentile."""
    found = sorted(times)
    return found[len(found) // 2], found[min(len(found) - 1, int(len(found) * 0.95))]


def reading(folder: Path) -> None:
    """Prints the work of reading one still."""
    times = []
    for file in sorted(folder.rglob("*.png"))[:60]:
        began, worked = time.perf_counter(), time.thread_time()
        read_picture(file)
        taken = (time.perf_counter() - began) * 1000
        times.append((taken, (time.thread_time() - worked) * 1000))
    row("reading a still, on its own thread", times)


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=12)
    parser.add_argument("--steps", type=int, default=14, help="of each episode")
    parser.add_argument("--turns", type=int, default=120)
    parser.add_argument("--pause", type=float, default=0.3, help="seconds between two turns")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.episodes, options.steps, options.turns, options.pause = 1, 3, 4, 0.05
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "library"
        fill(folder, options.episodes, options.steps)
        app = gui.application(Settings(theme="light"))
        parts = WindowServices(folder)
        place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
        place.resize(1376, 826)
        place.show()
        place.entered()
        until(lambda: place.differing.lines() != [] and place.where()[1] >= 0)
        rest(2)
        print(
            "| to the painted frame | p50 | p95 | work p50 | work p95 | of |\n"
            "| --- | --- | --- | --- | --- | --- |"
        )
        dice = random.Random(3)

        eye = Eye(place, parts.large)

        def measure(go: Callable[[], None], where: tuple[str, int]) -> tuple[float, float]:
            taken = eye.look(go, where)
            rest(options.pause)
            return taken

        next_ = []
        for _ in range(options.turns // 2):
            name, now = place.where()
            if now == options.steps - 1:
                measure(lambda: place.turn_to(0), (name, 0))
                now = 0
            next_.append(measure(lambda n=now: place.turn_to(n + 1), (name, now + 1)))
        row("next step", next_)
        any_, elsewhere = [], []
        while len(any_) + len(elsewhere) < options.turns:
            number, index = dice.randrange(options.episodes), dice.randrange(options.steps)
            name = f"e-{number:04d}"
            if place.where() == (name, index):
                continue
            same = place.where()[0] == name
            uuid = f"00000000-0000-4000-8000-{number:012d}"
            (any_ if same else elsewhere).append(
                measure(lambda u=uuid, i=index: place.go((u, i)), (name, index))
            )
            name, now = place.where()
            other = dice.choice([n for n in range(options.steps) if n != now])
            any_.append(measure(lambda n=other: place.turn_to(n), (name, other)))
        row("any step of the episode", any_)
        if elsewhere:
            row("any step of another episode", elsewhere)
        reading(folder)
        print(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        place.leaving()
        place.close()
        parts.stop()
        app.processEvents()
    return 0


def rest(seconds: float) -> None:
    """Lets the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


if __name__ == "__main__":
    assert QApplication.instance() is None
    sys.exit(main())
