"""Runs cases in this process, which has little memory, and prints a line of JSON for each.

`python -m tests.fuzz.worker FILE MIB SECONDS` reads names of cases, one a line.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from tests.fuzz import watching
from tests.fuzz.cases import Bench, Prepared

EXPORT = 5
"""How many times longer an export may take: it writes each picture that came in anew."""
ROOT = Path(__file__).resolve().parents[2]


class Worker:
    """One process with its folder, its bench and its watch."""

    def __init__(self, folder: Path, memory: int, seconds: float) -> None:
        self._memory, self._seconds = memory, seconds
        self._folder = folder
        self._bench = Bench(folder / "made")
        self._files = watching.Files((ROOT, Path(sys.prefix), Path(sys.base_prefix)))
        self._terminal = watching.Terminal(folder / "stderr")
        self._home = folder / "home"
        self._home.mkdir()
        gc.collect()
        gc.freeze()  # what stays need not be looked through before each case
        os.environ["HOME"] = os.environ["TMPDIR"] = str(self._home)
        tempfile.tempdir = None
        os.chdir(self._home)

    @property
    def subjects(self) -> list[str]:
        """The names of all subjects."""
        return list(self._bench.subjects)

    def run(self, name: str) -> dict[str, Any]:
        """Runs one case and returns what came of it."""
        subject, _, number = name.rpartition(":")
        work = self._folder / "work"
        work.mkdir()
        try:
            prepared = self._bench.prepare(subject, int(number), work)
            return {"case": name, **self._done(prepared, work), "said": prepared.said[:300]}
        finally:
            shutil.rmtree(work)

    def _done(self, prepared: Prepared, work: Path) -> dict[str, Any]:
        before = _listing(work, work / "data")
        made = tuple(work / one for one in ("library", "export", "answers.jsonl"))
        known, wrong, seconds = [], "", 0.0
        gc.collect()
        self._terminal.taken()
        watching.forget_peak()
        try:
            with (
                self._files.only((work / "data",), (*made, self._home)) as outside,
                watching.memory_of(self._memory),
            ):
                for act in prepared.acts:
                    began = time.process_time()
                    try:
                        with watching.at_most(self._seconds):
                            act()
                    except KnownError as error:
                        known.append(str(error)[:200])
                    finally:
                        seconds = max(seconds, time.process_time() - began)
                if prepared.export is not None:
                    with suppress(KnownError), watching.at_most(EXPORT * self._seconds):
                        prepared.export()
        except (Exception, watching.TooSlow) as error:  # noqa: BLE001 whatever it is, it is reported
            frames = traceback.extract_tb(error.__traceback__)
            where = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames[-6:]]
            wrong = f"{type(error).__name__}: {str(error)[:300]} [{' > '.join(where)}]"
        most = watching.peak()
        if outside and not wrong:
            wrong = f"files outside of the folders: {outside[:3]}"
        if said := self._terminal.taken():
            wrong = wrong or f"printed on the terminal: {said[:200]}"
        if _listing(work, work / "data") != before:
            wrong = wrong or "the files that were read are no longer what they were"
        strange = {p.name for p in work.iterdir()} - {"data", "secret.png", *(p.name for p in made)}
        if strange or any(self._home.iterdir()):
            wrong = wrong or f"something new lies about: {strange or list(self._home.iterdir())}"
        outcome = "violation" if wrong else "known error" if known else "result"
        return {
            "outcome": outcome,
            "wrong": wrong,
            "known": known[:1],
            "seconds": round(seconds, 3),
            "peak": most,
        }


def _listing(work: Path, data: Path) -> list[tuple[str, int, int]]:
    """What lies in a folder, links not followed, with sizes and times."""
    paths = [work / "secret.png", *data.rglob("*")]
    told = [(str(path), path.lstat()) for path in sorted(paths)]
    return [(name, about.st_size, about.st_mtime_ns) for name, about in told]


def main() -> None:
    """Runs the cases of a file."""
    names, mib, seconds = (
        Path(sys.argv[1]).read_text().split("\n"),
        int(sys.argv[2]),
        float(sys.argv[3]),
    )
    warnings.simplefilter("error")
    out = os.fdopen(os.dup(1), "w", buffering=1)
    with tempfile.TemporaryDirectory(prefix="taptrail-fuzz-") as folder:
        worker = Worker(Path(folder), mib << 20, seconds)
        out.write(json.dumps({"subjects": worker.subjects}) + "\n")
        for name in filter(None, names):
            out.write(json.dumps({"begins": name}) + "\n")
            try:
                done = worker.run(name)
            except Exception:
                out.write(json.dumps({"broken": traceback.format_exc()[-3000:]}) + "\n")
                raise
            out.write(json.dumps(done) + "\n")
        os.chdir("/")


if __name__ == "__main__":
    main()
