"""Measures the peak memory of an import, a run's import and its score, by number of steps.

    python benchmarks/memory.py [--steps N ...]

Each number of steps is imported in a process of its own, into a library of its own: GUIOdyssey's
annotations in episodes of ten steps, without pictures, then a prediction file of as many rows, then
the score over columns. What is printed is the process's peak of resident memory after each.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from taptrail.usecases.importing import import_episodes  # noqa: E402
from taptrail.usecases.predictions import import_predictions  # noqa: E402
from taptrail.usecases.scoring import score_run  # noqa: E402
from tests.samples import guiodyssey as sample  # noqa: E402

STEPS = 10
ALLOWED_MB = 60


def make(folder: Path, steps: int) -> None:
    """Writes annotations of a number of steps and an answer to each."""
    (folder / "set" / "annotations").mkdir(parents=True)
    with (folder / "run.jsonl").open("w") as answers:
        for number in range(steps // STEPS):
            name = f"{number:016d}"
            told = [
                sample.step(n, "CLICK", sample.click(number % 997, n * 90), [0, 0, 500, 500])
                for n in range(STEPS)
            ]
            value = sample.annotation(name, told, sample.MILK["task_info"])
            file = folder / "set" / "annotations" / f"{name}.json"
            file.write_text(json.dumps(value))
            for n in range(STEPS):
                row = {"episode": name, "step": n, "raw": f"CLICK: ({number % 991}, {n * 90})"}
                answers.write(json.dumps(row) + "\n")


def peak_mb() -> float:
    """Returns the most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def child(folder: Path) -> None:
    """Imports a folder and prints the peaks as JSON."""
    library, peaks = folder / "library", {"start": peak_mb()}
    import_episodes("guiodyssey", folder / "set", library)
    peaks["import"] = peak_mb()
    import_predictions(
        (folder / "run.jsonl",), "run", library, dialect="raw", dialect_of_text="guiodyssey"
    )
    peaks["predictions"] = peak_mb()
    score_run("run", "guiodyssey@2", library, keep_steps=False)
    peaks["score"] = peak_mb()
    print(json.dumps(peaks))


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--child", type=Path)
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.steps = [100]
    if options.child is not None:
        child(options.child)
        return 0
    found: list[dict[str, float]] = []
    print("| steps | start | import | predictions | score |\n| --- | --- | --- | --- | --- |")
    for steps in options.steps:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
            make(Path(place), steps)
            command = [sys.executable, __file__, "--child", place]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append(json.loads(done.stdout.splitlines()[-1]))
        peaks = " | ".join(f"{peak:.0f} MB" for peak in found[-1].values())
        print(f"| {steps:,} | {peaks} |", flush=True)
    more = found[-1]["import"] - found[0]["import"]
    print(
        f"\nThe largest import takes {more:.0f} MB more than the smallest; allowed: {ALLOWED_MB}."
    )
    return int(more > ALLOWED_MB)


if __name__ == "__main__":
    sys.exit(main())
