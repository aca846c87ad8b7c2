"""How many steps a second the rules look at, from the database and alone.

    python benchmarks/lint.py [--steps 4000]

The steps are drawn: each has a frame and a settled screen after it with signatures of their own,
and a tree as uiautomator prints it of 50 elements. Each is looked at by every rule.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from annotator.lint.rules import lint
from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Point, Size
from episodes.media.signature import signature
from episodes.screens import (
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
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases.linting import lint_library

SIZE = Size(1080, 2400)
ELEMENTS = 50
EPISODE_STEPS = 10
NODE = (
    '<node index="{at}" text="{text}" resource-id="com.example.shop:id/row_{at}" '
    'class="android.widget.{kind}" package="com.example.shop" content-desc="" checkable="false" '
    'checked="false" clickable="{click}" enabled="true" focusable="true" focused="false" '
    'scrollable="false" long-clickable="false" password="false" selected="false" '
    'bounds="[0,{top}][1080,{bottom}]" />'
)


def main() -> None:
    """Makes the library, looks through it twice, prints the better rate of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    wanted = EPISODE_STEPS if options.tiny else options.steps
    with tempfile.TemporaryDirectory() as folder:
        made = [_episode(at) for at in range(wanted // EPISODE_STEPS)]
        library = Path(folder) / "library"
        with Library.open(library) as kept:
            kept.save_episodes(made)
        whole = min(_seconds(lambda: lint_library(library)) for _ in range(3))
        with Library.read(library) as kept:
            loaded = list(kept.iterate())
        alone = min(_seconds(lambda: [lint(one) for one in loaded]) for _ in range(3))
        reading = min(_seconds(lambda: _read(library)) for _ in range(3))
    steps = len(made) * EPISODE_STEPS
    print(f"| {steps} steps, trees of {ELEMENTS} elements | time | rate |")
    print("| --- | --- | --- |")
    for name, seconds in (
        ("taptrail lint, from the database", whole),
        ("the rules alone", alone),
        ("reading the episodes alone", reading),
    ):
        print(f"| {name} | {seconds:.2f} s | {steps / seconds:,.0f} steps/s |")


def _seconds(do) -> float:  # type: ignore[no-untyped-def]
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def _read(library: Path) -> None:
    with Library.read(library) as kept:
        for _ in kept.iterate():
            pass


def _episode(at: int) -> Episode:
    random = np.random.default_rng(at)
    steps = tuple(_step(random, at, index) for index in range(EPISODE_STEPS))
    return Episode(
        f"uuid-{at}",
        f"e-{at:05d}",
        Origin("recorded"),
        Task(f"Buy thing {at} in the Shop app"),
        EpisodeState.FINISHED,
        steps,
    )


def _step(random: np.random.Generator, episode: int, index: int) -> Step:
    began = (index + 1) * 2_000_000_000
    action: a.Action = a.Tap(Point(*random.uniform((10, 100), (1070, 2300)).tolist()))
    if index % 5 == 3:
        action = a.TypeText("moss")
    if index % 5 == 4:
        action = a.Swipe(Point(500, 2000), Point(500, 600))
    return Step(
        index,
        action,
        Frame(SIZE, Basis.PAINTED, _still(random), segment=0, packet=episode * 100 + index),
        source="mirror",
        began=Moment(host_ns=began),
        ended=Moment(host_ns=began + 90_000_000),
        after=Frame(SIZE, Basis.AFTER, _still(random)),
        tree=StepTree(
            TreeRecord("uiautomator", _tree(random), "uiautomator dump", TreeStatus.OK, size=SIZE),
            TreeFit.FRESH,
        ),
        foreground=Foreground("com.example.shop", ".Main", "Shop"),
    )


def _still(random: np.random.Generator) -> Still:
    luma = np.full((SIZE.height, SIZE.width), 245, np.uint8)
    for top in range(80, SIZE.height, 160):
        width = int(random.integers(200, 900))
        cv2.putText(luma, "A row of words"[: width // 60], (40, top), 0, 2.0, 40, 3)
    name = random.integers(0, 256, 32, np.uint8).tobytes().hex()
    return Still(name, "image/png", SIZE, 1, StillSource.STREAM, True, signature(luma))


def _tree(random: np.random.Generator) -> bytes:
    rows = "".join(
        NODE.format(
            at=at,
            text=f"Row {random.integers(10**6)}",
            kind="Button" if at % 3 else "TextView",
            click="true" if at % 3 else "false",
            top=at * 48,
            bottom=at * 48 + 48,
        )
        for at in range(ELEMENTS)
    )
    screen = f'<node class="android.widget.FrameLayout" bounds="[0,0][1080,2400]">{rows}</node>'
    return f'<hierarchy rotation="0">{screen}</hierarchy>'.encode()


if __name__ == "__main__":
    main()
