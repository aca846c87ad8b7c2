"""Measures the commands that score, compare and report, beside the benchmark's released evaluator.

    python benchmarks/commands.py [--steps N ...] [--evaluator REPOSITORY --python PYTHON]

GUIOdyssey's annotations are imported without pictures, with two runs that answer all steps. Each
command runs as a process of its own, start-up included. The evaluator is a checkout of
OpenGVLab/GUI-Odyssey, run in turns with the commands by a Python that has numpy: it loads the
answers, judges them and writes its verdicts. Prints Markdown rows for docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from bulk import CATEGORIES, odyssey_step  # noqa: E402

from episodes.formats.guiodyssey_tests import answer_of  # noqa: E402
from tests.samples import guiodyssey as sample  # noqa: E402

STEPS = 10
SCORED = ("--protocol", "guiodyssey@2")
COMMANDS = {
    "score": ("score", *SCORED, "--run", "one"),
    "score --json": ("score", *SCORED, "--run", "one", "--json"),
    "score --numbers-only": ("score", *SCORED, "--run", "one", "--numbers-only"),
    "compare": ("compare", *SCORED, "--run", "one", "--run", "two"),
    "report": ("report", *SCORED, "--run", "one", "--run", "two", "--out", "page.html"),
}
# The evaluator's module loads a model at its top; what it scores with needs none of these.
EVALUATOR = """
import json, sys, types, unittest.mock
sys.path.insert(0, sys.argv[1] + "/src/eval_mm")
for name in ("torch", "tqdm", "transformers", "qwen_generation_utils"):
    sys.modules[name] = unittest.mock.MagicMock()
sys.modules["torch"].utils.data.Dataset = object
sys.modules["torch"].utils.data.sampler.Sampler = object
import evaluate_GUIOdyssey as released
told = json.load(open(sys.argv[2]))
found = released.action_matching_evaluation(told, metric="macro")
with open(sys.argv[3], "w", encoding="utf-8") as stream:
    json.dump({"metrics": found}, stream, indent=4, ensure_ascii=False)
"""


def make(folder: Path, steps: int) -> None:
    """Writes annotations, two runs' answers, and the first run as the evaluator reads it."""
    rng = random.Random(7)
    (folder / "set" / "annotations").mkdir(parents=True)
    rows: list[dict[str, Any]] = []
    with (folder / "one.jsonl").open("w") as one, (folder / "two.jsonl").open("w") as two:
        for number in range(steps // STEPS):
            name, category = f"{number:016d}", CATEGORIES["guiodyssey"][number % 6]
            told = []
            for n in range(STEPS):
                gold, box, answer = odyssey_step(rng)
                told.append(sample.step(n, gold["action"], gold["info"], box))
                other = answer if rng.random() < 0.8 else rng.choice(["PRESS_BACK", "SCROLL: UP"])
                for stream, raw in ((one, answer), (two, other)):
                    stream.write(json.dumps({"episode": name, "step": n, "raw": raw}) + "\n")
                more = {"sam2_bbox": box, "category": category, "step_length": STEPS}
                asked = answer_of(gold["action"], gold["info"])
                image = f"<img>{name}_{n}.png</img>"
                rows.append({"question": image, "pred": answer, "gt": asked, "more_info": more})
            info = sample.MILK["task_info"] | {"category": category}
            file = folder / "set" / "annotations" / f"{name}.json"
            file.write_text(json.dumps(sample.annotation(name, told, info)))
    (folder / "answers.json").write_text(json.dumps(rows))


def run(command: list[str], folder: Path) -> tuple[float, float, float]:
    """Runs a command; returns its CPU seconds, wall seconds and peak memory in MB."""
    timed = (
        "import os,resource,subprocess,sys,time;t=time.perf_counter();"
        "d=subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL);"
        "w=time.perf_counter()-t;u=resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(u.ru_utime+u.ru_stime,w,u.ru_maxrss/1024);sys.exit(d.returncode)"
    )
    done = subprocess.run(
        [sys.executable, "-c", timed, *command],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    cpu, wall, peak = map(float, done.stdout.split())
    return cpu, wall, peak


def measure(folder: Path, options: argparse.Namespace, steps: int) -> None:
    """Prints the rows of one number of steps."""
    make(folder, steps)
    ours = [sys.executable, "-m", "taptrail"]
    library = ["--library", str(folder / "library")]
    raw = ["--dialect", "raw", "--dialect-of-text", "guiodyssey"]
    found = {
        "import": [run([*ours, "import", "guiodyssey", str(folder / "set"), *library], folder)]
    }
    for name in ("one",) if options.tiny else ("one", "two"):
        file = str(folder / f"{name}.jsonl")
        words = [*ours, "predictions", "import", file, *raw, "--name", name, *library]
        found[f"predictions import, run {name}"] = [run(words, folder)]
    peer = [
        str(options.python),
        "-c",
        EVALUATOR,
        str(options.evaluator),
        "answers.json",
        "out.json",
    ]
    for _ in range(options.rounds):
        if options.evaluator is not None:
            found.setdefault("released evaluator", []).append(run(peer, folder))
        for what in ("score --json",) if options.tiny else COMMANDS:
            command = [*ours, *COMMANDS[what], *library]
            found.setdefault(what, []).append(run(command, folder))
    base = found.get("released evaluator")
    for what, times in found.items():
        cpu, wall, peak = (statistics.median(column) for column in zip(*times, strict=True))
        ratio = f"{statistics.median(one[0] for one in base) / cpu:.2f}" if base else ""
        print(f"| {steps:,} | {what} | {cpu:.2f} s | {wall:.2f} s | {peak:.0f} MB | {ratio} |")


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--evaluator", type=Path, help="a checkout of OpenGVLab/GUI-Odyssey")
    parser.add_argument("--python", default=sys.executable, help="runs the evaluator")
    parser.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    options = parser.parse_args()
    if options.tiny:
        options.steps, options.rounds = [50], 1
    os.environ["PYTHONPATH"] = str(ROOT)
    print("| steps | | CPU | wall | memory | evaluator's CPU time to ours |")
    print("| --- | --- | --- | --- | --- | --- |")
    for steps in options.steps:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
            measure(Path(place), options, steps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
