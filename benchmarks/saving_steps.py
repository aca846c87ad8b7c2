"""Measures what it costs that a saved step outlives a power cut.

    python benchmarks/saving_steps.py [--steps N] [--folder DIR]

Prints Markdown rows for docs/benchmarks.md. A step is a picture of about 600 kB, a tree and the
packets of half a second of video. The same steps are saved by two libraries in
turn: one on the disk, and one in memory (/dev/shm), where waiting for the disk costs nothing. The
last row is what the disk itself needs to sync the same bytes.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes.media.segment_files import SegmentWriter  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from tests.episodes.store.samples import recorded, segment, still, tap  # noqa: E402

PICTURE = 600_000
PACKETS, PACKET = 15, 8_000
MEMORY = Path("/dev/shm")


class Recorder:
    """Saves steps to a library of its own."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.episode = recorded()
        library.begin_episode(self.episode)
        library.add_segment(self.episode.uuid, segment())
        path = library.episode_folder(self.episode.uuid) / "segment-000.h264"
        self.writer = SegmentWriter(path, b"config")

    def save(self, number: int, picture: bytes, packet: bytes) -> None:
        """Saves one step as the recorder does: picture, packets, rows."""
        packets = [self.writer.write(packet, number, True, number) for _ in range(PACKETS)]
        sha256 = self.library.stills.write(picture, "image/png")
        kept = replace(still(sha256), byte_count=len(picture))
        step = tap(number, picture=kept, tree=b"<hierarchy/>" * 2000)
        self.library.add_step(self.episode.uuid, step, {0: packets})


def plain(folder: Path, number: int, picture: bytes, packet: bytes) -> None:
    """Writes and syncs the bytes of a step, nothing else."""
    with (folder / str(number)).open("wb") as file:
        file.write(picture)
        file.write(packet * PACKETS)
        file.flush()
        os.fsync(file.fileno())


def timed(work: Callable[[], None]) -> float:
    """Returns how many milliseconds the work took."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="on the disk that is to be measured")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.steps = 5
    chance = random.Random(1)
    times: dict[str, list[float]] = {"on the disk": [], "in memory": [], "the disk alone": []}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        synced = Recorder(stack.enter_context(Library.open(folder / "synced")))
        memory = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=MEMORY)))
        fast = Recorder(stack.enter_context(Library.open(memory / "library")))
        for number in range(options.steps):
            picture, packet = chance.randbytes(PICTURE), chance.randbytes(PACKET)
            ms = timed(lambda: synced.save(number, picture, packet))  # noqa: B023
            times["on the disk"].append(ms)
            ms = timed(lambda: fast.save(number, picture, packet))  # noqa: B023
            times["in memory"].append(ms)
            ms = timed(lambda: plain(folder, number, picture, packet))  # noqa: B023
            times["the disk alone"].append(ms)
    print(
        f"| {options.steps} steps | ms a step, median | 95 % | largest |\n| --- | --- | --- | --- |"
    )
    for what, found in times.items():
        p95 = statistics.quantiles(found, n=20)[-1]
        print(f"| {what} | {statistics.median(found):.1f} | {p95:.1f} | {max(found):.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
