"""Compares asking a model with a bare loop over urllib3, against a fake server in its own process.

    python benchmarks/asking.py [--steps 400] [--workers 16] [--delay-ms 100]

Prints Markdown rows for docs/benchmarks.md. Both ask the same server about the same steps, in
turns.
The bare loop does what a script by hand does: it reads the picture, puts it as a data URL into a
body that is otherwise ready, posts it, and reads the answer's text. The library holds pictures of
1080x2400 pixels. The last row is how fast pictures of 1.0 megapixel are prepared as PNG.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
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

import msgspec  # noqa: E402
import urllib3  # noqa: E402

from episodes import actions as a  # noqa: E402
from episodes.episodes import Episode, EpisodeState, Origin, Task  # noqa: E402
from episodes.geometry import Point, Size  # noqa: E402
from episodes.screens import Basis, Frame, Still, StillSource  # noqa: E402
from episodes.steps import Step  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from replay.asking.neutral import new_recipe  # noqa: E402
from replay.asking.recipe import Picture, recipe_from_table  # noqa: E402
from replay.asking.sent_picture import prepare  # noqa: E402
from taptrail.usecases import predicting  # noqa: E402
from tests.samples.drawn import phone_screen  # noqa: E402

SIZE = Size(1080, 2400)
STEPS = 10
PREFIX = b"data:image/png;base64,"
DATA_URL = re.compile(PREFIX + rb"[A-Za-z0-9+/=]*")


def fill(folder: Path, steps: int) -> list[Path]:
    """Makes a library with a number of steps, and returns the picture of each."""
    paths = []
    with Library.open(folder) as library:
        made = []
        for number in range(max(1, steps // STEPS)):
            data = phone_screen(random.Random(number))
            sha256 = library.stills.write(data, "image/png", sync=False)
            paths += [library.stills.path(sha256, "image/png")] * STEPS
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
    return paths


@contextmanager
def fake_server(delay_s: float) -> Iterator[str]:
    """Runs the fake server in its own process, so that it shares no interpreter lock with us."""
    command = [sys.executable, "-m", "tests.replay.asking.fake_server", "COMPLETE", str(delay_s)]
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
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--delay-ms", type=float, default=100, help="how long a model takes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    given = parser.parse_args()
    if given.tiny:
        given.steps, given.rounds = 3, 1
    recipe = recipe_from_table(tomllib.loads(new_recipe("guiodyssey")), "measure")
    everything = predicting.Selection()
    ratios, rates = [], []
    with tempfile.TemporaryDirectory() as place, fake_server(given.delay_ms / 1000) as address:
        folder = Path(place) / "library"
        paths = fill(folder, given.steps)
        batch = Path(place) / "requests.jsonl"
        predicting.write_requests(recipe, folder, batch, everything)
        lines = batch.read_bytes().splitlines()
        bodies = [DATA_URL.split(msgspec.json.encode(json.loads(one)["body"])) for one in lines]
        pool = urllib3.PoolManager(maxsize=given.workers)

        def send(body: list[bytes], path: Path) -> str:
            before, after = body
            data = before + PREFIX + base64.b64encode(path.read_bytes()) + after
            answer = pool.request("POST", address + "/chat/completions", body=data)
            return str(json.loads(answer.data)["choices"][0]["message"]["content"])

        for turn in range(given.rounds):
            began = time.perf_counter()
            with ThreadPoolExecutor(given.workers) as threads:
                assert set(threads.map(send, bodies, paths)) == {"COMPLETE"}
            bare = len(bodies) / (time.perf_counter() - began)
            began = time.perf_counter()
            asked = predicting.ModelServer(endpoint=address)
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
    data = phone_screen(random.Random(1))
    picture = Picture(rule="smart:28:3136:1000000", format="png")
    began, count, seconds = time.perf_counter(), 0, 0.1 if given.tiny else 2.0
    while time.perf_counter() - began < seconds:
        prepare(data, "0" * 64, "image/png", picture)
        count += 1
    print(f"| prepare 1.0 megapixel as PNG, one core | {count / seconds:.1f} pictures/s | |")


if __name__ == "__main__":
    main()
