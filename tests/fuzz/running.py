"""Gives cases to a process of little memory, and to another one where that one ends."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from replay.dialects import DIALECTS
from tests.fuzz.samples import TREES

MIB = 1_024
SECONDS = 2.0
HANGS = 60.0
"""Seconds of the clock after which a case that waits for something is given up."""
WORKER = "tests.fuzz.worker"
OF_WORKERS = {"ARROW_DEFAULT_MEMORY_POOL": "system"}
"""Arrow's own pool reserves a GiB at once, of which it uses little."""
ROOT = Path(__file__).resolve().parents[2]
FORMATS = (
    "taptrail", "aitw", "androidcontrol", "aitz", "guiodyssey", "guiodyssey-1", "aitw-written",
    "androidcontrol-written", "aitz-written", "guiodyssey-written", "parquet", "parquet-files",
    "coco",
)  # fmt: skip
PICTURES = ("0.png", "1.jpg", "2.webp", "mask.png")
SUBJECTS = (
    *(f"import/{name}" for name in FORMATS),
    *(f"import/chat-{name.replace('/', '-')}" for name in DIALECTS),
    *(f"predictions/{name}" for name in DIALECTS),
    *(f"raw/{name}" for name in DIALECTS if name != "taptrail"),
    *(f"tree/{name}" for name in TREES.values()),
    *(f"picture/{name}" for name in PICTURES),
    "split/read",
)
_HEAVY = {f"import/{name}": 4 for name in FORMATS} | {f"tree/{name}": 3 for name in TREES.values()}
"""Formats are damaged more often than a dialect's rows of a chat."""


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a case: `seconds` of its slowest command, `peak` of resident bytes."""

    case: str
    outcome: str
    said: str = ""
    wrong: str = ""
    known: tuple[str, ...] = ()
    seconds: float = 0.0
    peak: int = 0


@dataclass(slots=True)
class Summary:
    """Counts of what came of many cases."""

    outcomes: Counter[str] = field(default_factory=Counter)
    violations: list[Done] = field(default_factory=list)
    slowest: Done | None = None
    largest: Done | None = None
    subjects: set[str] = field(default_factory=set)

    def add(self, done: Done) -> None:
        """Counts one case."""
        self.outcomes[done.outcome] += 1
        self.subjects.add(done.case.rpartition(":")[0])
        if done.outcome == "violation":
            self.violations.append(done)
        if self.slowest is None or done.seconds > self.slowest.seconds:
            self.slowest = done
        if self.largest is None or done.peak > self.largest.peak:
            self.largest = done

    def told(self, seconds: float) -> str:
        """Returns the counts in a few lines."""
        if self.slowest is None or self.largest is None:
            return "no case"
        counts = ", ".join(f"{n} {name}" for name, n in sorted(self.outcomes.items()))
        return (
            f"{sum(self.outcomes.values())} cases of {len(self.subjects)} subjects in "
            f"{seconds:.0f} s: {counts}\n"
            f"slowest command {self.slowest.seconds:.2f} s of processor time, {self.slowest.case}\n"
            f"most memory {self.largest.peak / 2**20:.0f} MiB resident, {self.largest.case}"
        )


def case_names(count: int, only: str = "", first: int = 0) -> list[str]:
    """Returns the names of at least `count` cases over all subjects; the same each time."""
    if only.rpartition(":")[2].isdigit() and ":" in only:
        return [only]
    subjects = [name for name in SUBJECTS if name.startswith(only)]
    shares = sum(_HEAVY.get(name, 1) for name in subjects)
    names = []
    for subject in subjects:
        share = -(-count * _HEAVY.get(subject, 1) // max(shares, 1))
        names += [f"{subject}:{number}" for number in range(first, first + share)]
    return names


def run(names: list[str], mib: int = MIB, seconds: float = SECONDS) -> Iterator[Done]:
    """Runs the cases one after the other, and yields what came of each.

    A process that ends or waits for ever is a violation of the case it was at; the next one begins
    behind that.
    """
    left = list(names)
    while left:
        at = ""
        for told in _worker(left, mib, seconds):
            if "begins" in told:
                at = told["begins"]
            elif "case" in told:
                left.remove(at)
                at = ""
                yield Done(**{**told, "known": tuple(told["known"])})
            elif "broken" in told:
                raise RuntimeError(f"{at}: {told['broken']}")
            elif "ended" in told:
                if not at and left:
                    raise RuntimeError(f"the worker ended before its first case: {told['ended']}")
                if at:
                    left.remove(at)
                    yield Done(at, "violation", wrong=told["ended"])


def _worker(names: list[str], mib: int, seconds: float) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="taptrail-fuzz-") as folder:
        file = Path(folder) / "cases"
        file.write_text("\n".join(names))
        command = [sys.executable, "-m", WORKER, str(file), str(mib), str(seconds)]
        environment = os.environ | OF_WORKERS | {"TMPDIR": folder}
        with (
            (Path(folder) / "complaints").open("w+") as complaints,
            subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=complaints
            ) as process,
        ):
            assert process.stdout is not None
            ended = ""
            try:
                waiting = b""
                while True:
                    if not select.select([process.stdout], [], [], HANGS)[0]:
                        ended = f"nothing for {HANGS:.0f} s"
                        break
                    part = os.read(process.stdout.fileno(), 1 << 16)
                    if not part:
                        break
                    *lines, waiting = (waiting + part).split(b"\n")
                    for line in lines:
                        yield json.loads(line)
            finally:
                process.kill() if ended or (process.poll() is None and not _ends(process)) else None
            code = process.wait()
            complaints.seek(0)
            why = complaints.read()[-2000:]
    yield {"ended": ended or (f"the process ended with {code} {why}".strip() if code else "")}


def _ends(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        return False
    return True
