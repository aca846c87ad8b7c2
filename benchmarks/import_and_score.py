"""Measures import, scoring and the demo, as ratios where a ratio can be had.

    python benchmarks/import_and_score.py [--episodes N] [--demo]

Prints Markdown rows for docs/benchmarks.md. The data are made here: episodes of ten steps in
GUIOdyssey's form, each step with a picture of 1080x2400 pixels in a colour of its own, so that
every still is a file of its own. `import_pictures.py` imports pictures with as many bytes as real
ones have.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes.geometry import Size  # noqa: E402
from taptrail.usecases.importing import import_episodes  # noqa: E402
from taptrail.usecases.predictions import import_predictions  # noqa: E402
from taptrail.usecases.scoring import score_run  # noqa: E402
from tests.samples import guiodyssey as sample  # noqa: E402
from tests.samples.drawn import png  # noqa: E402

STEPS = 10
SIZE = Size(1080, 2400)


def make(folder: Path, episodes: int) -> Path:
    """Writes a data set and a prediction file."""
    (folder / "annotations").mkdir(parents=True)
    (folder / "screenshots").mkdir()
    rows = []
    for number in range(episodes):
        name = f"{number:016d}"
        steps = [sample.step(n, "CLICK", sample.click(500, 500), None) for n in range(STEPS)]
        value = sample.annotation(name, steps, sample.MILK["task_info"])
        (folder / "annotations" / f"{name}.json").write_text(json.dumps(value))
        for n in range(STEPS):
            colour = (number >> 8 & 255, number & 255, n)
            (folder / "screenshots" / f"{name}_{n}.png").write_bytes(png(SIZE, colour=colour))
            rows.append(
                {"question": f"<img>{name}_{n}.png</img>", "pred": "CLICK: (510, 500)", "gt": ""}
            )
    (folder / "run.json").write_text(json.dumps(rows))
    return folder


def timed(what: str, steps: int, work: Callable[[], object]) -> None:
    """Prints how long the work took, and how many steps a second that is."""
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    print(f"| {what} | {seconds:.2f} s | {steps / seconds:,.0f} steps/s |", flush=True)


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--demo", action="store_true", help="also the demo without a window")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.episodes = 1
    steps = options.episodes * STEPS
    with tempfile.TemporaryDirectory() as place:
        folder = make(Path(place) / "set", options.episodes)
        library = Path(place) / "library"
        print(f"| {options.episodes} episodes, {steps} steps | time | rate |\n| --- | --- | --- |")
        timed("import with pictures", steps, lambda: import_episodes("guiodyssey", folder, library))
        timed(
            "import again, unchanged", steps, lambda: import_episodes("guiodyssey", folder, library)
        )
        run = (folder / "run.json",)
        timed(
            "import predictions",
            steps,
            lambda: import_predictions(run, "run", library, dialect="guiodyssey"),
        )
        for protocol in ("guiodyssey@2", "taptrail-strict@1"):
            timed(f"score, {protocol}", steps, lambda p=protocol: score_run("run", p, library))
        if options.demo:
            from taptrail.usecases.demo import run_demo

            report = run_demo(Path(place) / "demo")
            print(f"| demo --headless, {report.steps} recorded steps | {report.seconds:.1f} s | |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
