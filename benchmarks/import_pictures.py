"""Measures the import of screenshots of real size, beside copying, hashing and syncing them.

    python benchmarks/import_pictures.py [--pictures N] [--folder DIR]

Prints Markdown rows for docs/benchmarks.md. The data set is made here: episodes of ten steps in
GUIOdyssey's form with PNGs of 1080 x 2400 pixels and about 1.1 MB.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes.formats.picture_store import LibraryPictureStore  # noqa: E402
from episodes.media.pictures import encode_png  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from episodes.store.stills import StillFiles  # noqa: E402
from taptrail.usecases.importing import import_episodes  # noqa: E402
from tests.samples import guiodyssey as sample  # noqa: E402

STEPS = 10
WIDTH, HEIGHT = 1080, 2400


def make(folder: Path, pictures: int) -> list[Path]:
    """Writes a data set and returns its pictures."""
    (folder / "annotations").mkdir(parents=True)
    (folder / "screenshots").mkdir()
    chance = np.random.default_rng(1)
    screen = np.full((HEIGHT, WIDTH, 3), 240, np.uint8)
    screen[400:1000] = chance.integers(0, 40, (600, WIDTH, 3), np.uint8)
    paths = []
    for number in range(pictures // STEPS):
        name = f"{number:016d}"
        steps = [sample.step(n, "CLICK", sample.click(500, 500), None) for n in range(STEPS)]
        value = sample.annotation(name, steps, sample.MILK["task_info"])
        (folder / "annotations" / f"{name}.json").write_text(json.dumps(value))
        for n in range(STEPS):
            screen[:8, :8] = np.frombuffer((number * STEPS + n).to_bytes(3, "big"), np.uint8)
            paths.append(folder / "screenshots" / f"{name}_{n}.png")
            paths[-1].write_bytes(encode_png(screen))
    return paths


def copied(paths: list[Path], folder: Path) -> None:
    """Copies, hashes and syncs pictures one after the other, as nothing could do without."""
    folder.mkdir()
    for path in paths:
        data = path.read_bytes()
        with (folder / hashlib.sha256(data).hexdigest()).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def timed(what: str, count: int, work: Callable[[], object]) -> float:
    """Prints how long the work took, and returns pictures a second."""
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    print(f"| {what} | {seconds:.2f} s | {count / seconds:,.0f}/s |", flush=True)
    return count / seconds


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--folder", type=Path, help="on the disk that is to be measured")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.pictures = 10
    with tempfile.TemporaryDirectory(dir=options.folder) as place:
        folder, library = Path(place), Path(place) / "library"
        paths = make(folder / "set", options.pictures)
        count = len(paths)
        size = sum(path.stat().st_size for path in paths) / count
        print(f"| {count} pictures of {size / 1e6:.2f} MB | time | rate |\n| --- | --- | --- |")
        peer = timed("copy, hash and sync", count, lambda: copied(paths, folder / "copy"))
        picture_store = LibraryPictureStore(StillFiles(folder / "decoded"))
        few = paths[: max(1, count // 5)]
        old = timed(
            "decode and sync each, as earlier versions did",
            len(few),
            lambda: [picture_store.keep(path) for path in few],
        )
        first = timed(
            "import", count, lambda: import_episodes("guiodyssey", folder / "set", library)
        )
        again = timed(
            "import again, unchanged",
            count,
            lambda: import_episodes("guiodyssey", folder / "set", library),
        )
        with Library.open(library) as opened:
            timed("signatures, on all cores", count, opened.fill_signatures)
        print(
            f"\nThe import runs at {first / peer:.2f} of copy, hash and sync, and at "
            f"{first / old:.1f} of decoding each picture; an import again at {again / old:.1f}."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
