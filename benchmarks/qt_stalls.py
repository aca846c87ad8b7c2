"""Measures whether the window stalls while SAM 2 loads, segments, or is killed.

    python benchmarks/qt_stalls.py [--rounds 3]

Two loops tick every 5 ms at the same time: a bare Qt loop in a process of its own, and Taptrail's
window on the sample library, whose process also talks to the real worker (tiny configuration,
seeded random weights). How much later than due each tick comes is what a person would feel. Both
share the processors with the worker, so only the difference says something of the window.
"""

import argparse
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["QT_QPA_PLATFORM"] = "offscreen"

import numpy as np  # noqa: E402
from PySide6.QtCore import QCoreApplication, Qt, QTimer  # noqa: E402

from annotator.sam2.checkpoints import CHECKPOINTS, Weights  # noqa: E402
from annotator.sam2.client import Sam2, WorkerState  # noqa: E402
from annotator.sam2.values import ModelId, PictureFile, Prompt  # noqa: E402
from episodes.geometry import Point  # noqa: E402
from episodes.media.pictures import encode_png  # noqa: E402

TICK_MS = 5
MORE_MS = 50
SEEDED = """
import sys, torch
from annotator.sam2.model_loader import build_model
torch.manual_seed(7)
torch.save({"model": build_model(sys.argv[1]).state_dict()}, sys.argv[2])
"""


class Ticks:
    """When each tick came and by how many ms it was late."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, float]] = []
        self._last = time.monotonic()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(TICK_MS)

    def _tick(self) -> None:
        now = time.monotonic()
        self.seen.append((now, (now - self._last) * 1000 - TICK_MS))
        self._last = now


def bare() -> None:
    """A Qt loop with nothing in it, until stdin is closed; then prints its ticks."""
    app = QCoreApplication([])
    ticks = Ticks()
    quitting = threading.Thread(target=lambda: (sys.stdin.read(), app.quit()), daemon=True)
    print("ready", flush=True)
    quitting.start()
    app.exec()
    print(json.dumps(ticks.seen))


def frames(folder: Path, count: int) -> list[PictureFile]:
    found = []
    for seed in range(count):
        small = np.random.default_rng(seed).integers(0, 256, (60, 27, 3), np.uint8)
        data = encode_png(np.kron(small, np.ones((40, 40, 1), np.uint8)))
        sha256 = hashlib.sha256(data).hexdigest()
        (folder / f"{sha256}.png").write_bytes(data)
        found.append(PictureFile(sha256, folder / f"{sha256}.png"))
    return found


def work(
    weights: Weights,
    folder: Path,
    rounds: int,
    phases: list[tuple[str, float, float]],
    tiny: bool,
) -> None:
    """Loads, segments and kills, and notes from when to when each went on."""
    prompt = Prompt((Point(540, 1200),))
    pictures = iter(frames(folder, rounds * 4))

    def phase(name: str, job: object) -> None:
        begun = time.monotonic()
        job()
        phases.append((name, begun, time.monotonic()))

    for _ in range(rounds):
        loaded = threading.Event()
        states = lambda state, loaded=loaded: loaded.set() if state is WorkerState.WORKING else None  # noqa: E731
        with Sam2(weights, None, on_state=states) as client:
            first = client.submit(next(pictures), prompt)
            phase("load", loaded.wait)
            phase("segment", first.answer.result)
            if tiny:
                continue
            phase("segment", client.submit(next(pictures), prompt).answer.result)
            job = client.submit(next(pictures), prompt)

            def kill(client: Sam2 = client, job: object = job) -> None:
                time.sleep(0.3)
                os.kill(client.pid, signal.SIGKILL)
                job.answer.result()

            phase("killed, started and asked again", kill)
        phase("nothing", lambda: time.sleep(2))
    if tiny:
        phase("nothing", lambda: time.sleep(0.1))


def late(
    seen: list[tuple[float, float]], phases: list[tuple[str, float, float]], name: str
) -> list[float]:
    spans = [(begun, ended) for what, begun, ended in phases if name in ("", what)]
    return [ms for at, ms in seen if any(begun <= at <= ended for begun, ended in spans)]


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--bare", action="store_true")
    arguments.add_argument("--tiny", action="store_true", help="only see that it runs, in seconds")
    chosen = arguments.parse_args()
    if chosen.tiny:
        chosen.rounds = 1
    if chosen.bare:
        bare()
        return 0
    from recorder.devices import open_devices
    from taptrail.gui import app as gui
    from taptrail.settings import Settings
    from taptrail.usecases.sample import import_sample

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, config = folder / "seeded.pt", CHECKPOINTS["tiny"].config
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", SEEDED, config, file], check=True, env=environment)
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        weights = Weights(file, ModelId("seeded", sha256, False), config)
        import_sample(folder / "library")

        settings = Settings(author="Ana", author_uuid="7a1f6e0c-0000-4000-8000-000000000001")
        app = gui.application(settings)
        window = gui.Window(settings, folder / "library", open_devices(host="127.0.0.2", port=1))
        window.main.show()
        window.main.go_to(gui.PLACES.index("review"))
        beside = subprocess.Popen(
            [sys.executable, __file__, "--bare"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert beside.stdout.readline().strip() == "ready"
        ours, phases = Ticks(), []

        done = threading.Event()

        def drive() -> None:
            try:
                work(weights, folder, chosen.rounds, phases, chosen.tiny)
            finally:
                done.set()

        def look() -> None:
            if done.is_set():
                app.exit(0)  # `quit` would ask the window first

        looking = QTimer()
        looking.timeout.connect(look)
        looking.start(200)

        worker = threading.Thread(target=drive)
        QTimer.singleShot(1000, worker.start)
        app.exec()
        worker.join()
        told, _ = beside.communicate()
        window.stop()
    theirs = [tuple(one) for one in json.loads(told)]
    assert "torch" not in sys.modules, "the window's process has loaded torch"
    print("| while it … | ticks | bare loop p99 / p99.9 | our window p99 / p99.9 |")
    print("| --- | --- | --- | --- |")
    for phase in (*dict.fromkeys(name for name, _, _ in phases), ""):
        here, there = late(ours.seen, phases, phase), late(theirs, phases, phase)
        a, b = np.percentile(there, (99, 99.9)), np.percentile(here, (99, 99.9))
        print(
            f"| {phase or 'all of it'} | {len(there):,} / {len(here):,} "
            f"| {a[0]:.1f} / {a[1]:.1f} ms | {b[0]:.1f} / {b[1]:.1f} ms |"
        )
    more = b[1] - a[1]
    print(f"p99.9 of our window is {more:+.1f} ms from the bare loop's (at most {MORE_MS} more)")
    return 0 if more <= MORE_MS or chosen.tiny else 1


if __name__ == "__main__":
    sys.exit(main())
