"""Compares asking a model with a bare loop over urllib3, against a fake server in its own process.

    python benchmarks/asking.py [--steps 400] [--workers 8]

Prints Markdown rows for docs/benchmarks.md. Both send the same bodies to the same server, in turns.
The library holds pictures of 1080x2400 pixels. The last row is how fast pictures of 1.0 megapixel
are prepared as PNG.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import urllib3  # noqa: E402

from episodes import actions as a  # noqa: E402
from episodes.episodes import Episode, EpisodeState, Origin, Task  # noqa: E402
from episodes.geometry import Point, Size  # noqa: E402
from episodes.media.pictures import encode_png  # noqa: E402
from episodes.screens import Basis, Frame, Still, StillSource  # noqa: E402
from episodes.steps import Step  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from replay.asking.neutral import new_recipe  # noqa: E402
from replay.asking.recipe import Picture, recipe_from_table  # noqa: E402
from replay.asking.sent_picture import prepare  # noqa: E402
from taptrail.usecases import predicting  # noqa: E402

SIZE = Size(1080, 2400)
STEPS = 10


def screen(seed: int) -> bytes:
    """Returns a PNG like a phone's screen: flat areas with rows of noise."""
    dice = np.random.default_rng(seed)
    pixels = np.full((SIZE.height, SIZE.width, 3), 245, np.uint8)
    for top in range(200, 2200, 160):
        pixels[top : top + 60, 60:900] = dice.integers(0, 255, (60, 840, 3), dtype=np.uint8) // 4
    return encode_png(pixels)


def fill(folder: Path, steps: int) -> None:
    """Makes a library with a number of steps."""
    with Library.open(folder) as library:
        made = []
        for number in range(max(1, steps // STEPS)):
            data = screen(number)
            sha256 = library.stills.write(data, "image/png", sync=False)
            still = Still(sha256, "image/png", SIZE, len(data), StillSource.IMPORT, True)
            frame = Frame(SIZE, Basis.IMPORTED, still)
            made.append(
                Episode(
                    uuid=f"00000000-0000-4000-8000-{number:012d}",
                    name=f"e-{number:04d}",
                    origin=Origin("recorded"),
                    task=Task("Open the clock"),
                    state=EpisodeState.FINISHED,
                    steps=tuple(Step(n, a.Tap(Point(300, 900)), frame) for n in range(STEPS)),
                )
            )
        library.save_episodes(made)


@contextmanager
def fake_server() -> Iterator[str]:
    """Runs the fake server in its own process, so that it shares no interpreter lock with us."""
    command = [sys.executable, "-m", "tests.replay.asking.fake_server", "COMPLETE"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        # Leaving the block closes the server's input, which ends it.
        yield process.stdout.readline().strip()


def main() -> None:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    given = parser.parse_args()
    if given.tiny:
        given.steps, given.rounds = 3, 1
    recipe = recipe_from_table(tomllib.loads(new_recipe("guiodyssey")), "measure")
    everything = predicting.Selection()
    ratios, rates = [], []
    with tempfile.TemporaryDirectory() as place, fake_server() as address:
        folder = Path(place) / "library"
        fill(folder, given.steps)
        batch = Path(place) / "requests.jsonl"
        predicting.write_requests(recipe, folder, batch, everything)
        bodies = [line.split(b'"body":', 1)[1][:-2] for line in batch.read_bytes().splitlines()]
        pool = urllib3.PoolManager(maxsize=given.workers)

        def send(body: bytes) -> int:
            url = address + "/chat/completions"
            return pool.request("POST", url, body=body + b"}").status

        for turn in range(given.rounds):
            began = time.perf_counter()
            with ThreadPoolExecutor(given.workers) as threads:
                assert set(threads.map(send, bodies)) == {200}
            bare = len(bodies) / (time.perf_counter() - began)
            began = time.perf_counter()
            asked = predicting.Server(endpoint=address)
            done = predicting.predict(
                recipe, folder, f"run-{turn}", asked, everything, workers=given.workers
            )
            ours = len(done.outcome.answers) / (time.perf_counter() - began)
            ratios.append(ours / bare)
            rates.append(ours)
    print("| what | rate | beside a bare loop |")
    print("| --- | --- | --- |")
    print(
        f"| ask, pictures as stored | {statistics.median(rates):.0f} steps/s | "
        f"{statistics.median(ratios):.2f} |"
    )
    data = screen(1)
    picture = Picture(rule="smart:28:3136:1000000", format="png")
    began, count, seconds = time.perf_counter(), 0, 0.1 if given.tiny else 2.0
    while time.perf_counter() - began < seconds:
        prepare(data, "0" * 64, "image/png", picture)
        count += 1
    print(f"| prepare 1.0 megapixel as PNG, one core | {count / seconds:.1f} pictures/s | |")


if __name__ == "__main__":
    main()
