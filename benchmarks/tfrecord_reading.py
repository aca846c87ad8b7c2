"""Measures the reading of TFRecords against the package `tfrecord`, in turns on the same files.

    python -m venv /var/tmp/tfrecord && /var/tmp/tfrecord/bin/pip install tfrecord
    python benchmarks/tfrecord_reading.py --python /var/tmp/tfrecord/bin/python

That package is no dependency: it drops zero bytes at the end of values and checks no sums. It reads
in a process of its own, started once, that is asked for one file at a time; both parse each record
into its features. AITW-like steps are raw pictures of noise over flat areas; AndroidControl-like
episodes hold PNGs and trees; zlib deflates them, as TensorFlow does. Prints Markdown rows for
docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import gzip
import io
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from episodes.formats.example import Feature, FeatureKind, read_example, write_example  # noqa: E402
from episodes.formats.tfrecord import GZIP, RecordReader, RecordWriter  # noqa: E402

ROUNDS = 5
THEIRS = """
import sys, time
from tfrecord.reader import tfrecord_loader
for line in sys.stdin:
    path = line.strip()
    began = time.process_time()
    count = sum(1 for _ in tfrecord_loader(path, None, None, compression_type="gzip"))
    print(count, time.process_time() - began, flush=True)
"""


OURS = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from benchmarks.tfrecord_reading import ours
for line in sys.stdin:
    print(*ours(Path(line.strip())), flush=True)
"""


def picture(rng: random.Random, width: int, height: int) -> np.ndarray:
    """Returns RGB pixels: a few flat areas, and noise as a photograph has it in two thirds."""
    noise = np.random.default_rng(rng.randrange(2**31))
    pixels = np.full((height, width, 3), 250, np.uint8)
    for _ in range(12):
        y, x = rng.randrange(height), rng.randrange(width)
        pixels[y : y + height // 10, x : x + width // 3] = [rng.randrange(256) for _ in "rgb"]
    shape = (height * 2 // 3, width, 3)
    pixels[: shape[0]] = np.clip(noise.normal(128, 20, shape), 0, 255).astype(np.uint8)
    return pixels


def aitw_step(rng: random.Random, number: int) -> dict[str, Feature]:
    """A step with its picture as raw bytes: 1.6 MB."""
    boxes = [rng.random() for _ in range(28 * 4)]
    return {
        "episode_id": Feature.of_texts([f"{number // 8}"]),
        "step_id": Feature.of_ints([number % 8]),
        "image/encoded": Feature.of_bytes([picture(rng, 540, 1000).tobytes()]),
        "image/height": Feature.of_ints([1000]),
        "image/width": Feature.of_ints([540]),
        "image/channels": Feature.of_ints([3]),
        "image/ui_annotations_positions": Feature.of_floats(boxes),
        "image/ui_annotations_text": Feature.of_texts(["some words"] * 28),
        "image/ui_annotations_ui_types": Feature.of_texts(["TEXT"] * 28),
        "results/action_type": Feature.of_ints([4]),
        "results/yx_touch": Feature.of_floats([0.5, 0.5]),
        "results/yx_lift": Feature.of_floats([0.5, 0.5]),
        "goal_info": Feature.of_texts(["do something"]),
    }


def androidcontrol_episode(rng: random.Random, number: int) -> dict[str, Feature]:
    """An episode of five screens: PNGs of about 400 kB, and bytes as large as trees."""
    shots = []
    for _ in range(5):
        held = io.BytesIO()
        pixels = picture(rng, 360, 800)
        Image.fromarray(pixels).save(held, "PNG", compress_level=1)
        shots.append(held.getvalue())
    return {
        "episode_id": Feature.of_ints([number]),
        "goal": Feature.of_texts(["do something"]),
        "screenshots": Feature.of_bytes(shots),
        "accessibility_trees": Feature.of_bytes([rng.randbytes(6_000) for _ in shots]),
        "screenshot_widths": Feature.of_ints([360] * 5),
        "screenshot_heights": Feature.of_ints([800] * 5),
        "actions": Feature.of_texts(['{"action_type":"click","x":1,"y":2}'] * 4),
        "step_instructions": Feature.of_texts(["press it"] * 4),
    }


MADE = {
    "AITW-like steps": (aitw_step, 60),
    "AndroidControl-like episodes": (androidcontrol_episode, 40),
}


def ours(path: Path) -> tuple[int, float]:
    """Returns how many records were read with all their values, and the seconds of it."""
    began = time.process_time()
    count = 0
    with RecordReader(path, "measure") as records:
        for _, data in records:
            assert isinstance(data, bytes)
            for feature in read_example(data).values():
                if feature.kind is FeatureKind.BYTES:
                    feature.bytes_values()
                elif feature.kind is FeatureKind.INT64:
                    feature.ints()
                else:
                    feature.floats()
            count += 1
    return count, time.process_time() - began


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", help="one that has the package tfrecord")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, against itself")
    options = parser.parse_args()
    if not (options.python or options.tiny):
        parser.error("name a --python that has the package tfrecord")
    command = [options.python, "-c", THEIRS] if options.python else [sys.executable, "-c", OURS]
    theirs = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert theirs.stdin is not None
    assert theirs.stdout is not None
    print(f"inflated by {GZIP.__module__}\n\n| GZIP | tfrecord | here | ratio |")
    print("| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        for name, (make, whole) in MADE.items():
            records = 2 if options.tiny else whole
            path, rng = Path(place) / "records", random.Random(5)
            writer = RecordWriter(path, "measure")
            for number in range(records):
                writer.write(write_example(make(rng, number)))
            writer.close()
            path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), 6))
            pairs = []
            for _ in range(ROUNDS):
                mine = ours(path)
                theirs.stdin.write(f"{path}\n")
                theirs.stdin.flush()
                count, seconds = theirs.stdout.readline().split()
                assert int(count) == mine[0] == records
                pairs.append((float(seconds), mine[1]))
            ratio = sorted(a / b for a, b in pairs)[ROUNDS // 2]
            rates = [records / sorted(side)[ROUNDS // 2] for side in zip(*pairs, strict=True)]
            print(f"| {name} | {rates[0]:.0f}/s | {rates[1]:.0f}/s | {ratio:.1f} |", flush=True)
    theirs.stdin.close()
    return theirs.wait()


if __name__ == "__main__":
    sys.exit(main())
