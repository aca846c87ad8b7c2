"""Measures how long SAM 2 takes on this machine, for a new screen and for one more press on it.

    python -m annotator.sam2.speed NAME THREADS [OVERRIDE ...]

In a process of its own. Random weights cost what trained ones cost, so no checkpoint is needed.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import platformdirs

from annotator.sam2.checkpoints import CHECKPOINTS
from episodes.errors import KnownError

SECONDS = 600
COMFORTABLE = 4.0
"""Seconds a screen may take so that a queue keeps up with a person at work."""


class MeasuredSpeed(msgspec.Struct, frozen=True):
    """What one configuration took.

    Attributes:
        embed: seconds for a screen seen for the first time.
        ask: seconds for each further press on it.
        threads: that computed.
        machine: its name, since a home folder may be shared between machines.
    """

    embed: float
    ask: float
    threads: int
    machine: str


def measure_speed(name: str, threads: int, overrides: tuple[str, ...] = ()) -> MeasuredSpeed:
    """Measures in a process of its own, keeps the figures and returns them. Takes up to a minute.

    Args:
        overrides: changes of the checkpoint's configuration, as Hydra writes them.

    Raises:
        KnownError: it does not run here.
    """
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
    doing = f"measure {name} here"
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-P",
                "-m",
                "annotator.sam2.speed",
                name,
                str(threads),
                *overrides,
            ],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={**os.environ, "PYTHONPATH": path},
        )
    except subprocess.TimeoutExpired as error:
        raise KnownError(
            doing, f"it took more than {SECONDS} s", "Take a smaller checkpoint."
        ) from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise KnownError(doing, said[-1][:300], "See what is missing with: taptrail doctor")
    told = json.loads(done.stdout)
    found = MeasuredSpeed(told["embed"], told["ask"], threads, platform.node())
    kept = {**_kept(), f"{platform.node()}/{name}": found}
    _file().parent.mkdir(parents=True, exist_ok=True)
    _file().write_bytes(msgspec.json.encode(kept))
    return found


def measured_speeds() -> dict[str, MeasuredSpeed]:
    """Returns what was measured on this machine before, by the checkpoint's name."""
    return {
        name: found
        for name in CHECKPOINTS
        if (found := _kept().get(f"{platform.node()}/{name}")) is not None
    }


def suggest_checkpoint(known: dict[str, MeasuredSpeed], memory_mb: float | None) -> str:
    """Returns the largest checkpoint that keeps up here; tiny where none was measured.

    Args:
        known: what was measured here.
        memory_mb: how much is free; None if unknown.
    """
    fitting = [
        name
        for name, one in CHECKPOINTS.items()
        if name in known
        and known[name].embed <= COMFORTABLE
        and (memory_mb is None or one.memory <= memory_mb)
    ]
    return fitting[-1] if fitting else "tiny"


def _kept() -> dict[str, MeasuredSpeed]:
    try:
        return msgspec.json.decode(_file().read_bytes(), type=dict[str, MeasuredSpeed])
    except (FileNotFoundError, msgspec.MsgspecError):
        return {}


def _file() -> Path:
    return Path(platformdirs.user_cache_dir("taptrail", appauthor=False)) / "measured.json"


def main() -> None:
    """Prints {"embed": seconds, "ask": seconds} of one configuration."""
    import numpy as np
    import torch

    from annotator.sam2.model_loader import build_model
    from annotator.sam2.session import ImageSession

    name, threads, *overrides = sys.argv[1:]
    torch.set_num_threads(int(threads))
    session = ImageSession(build_model(CHECKPOINTS[name].config, tuple(overrides)))
    pixels = np.random.default_rng(1).integers(0, 256, (1080, 1080, 3), np.uint8)
    session.embed(pixels[:64, :64])  # the first one pays for what is made once
    started = time.perf_counter()
    maps = session.embed(pixels)
    embed = time.perf_counter() - started
    ready = session.prepare(maps)
    session.ask(ready, [(200, 200)], [1])
    started = time.perf_counter()
    for _ in range(3):
        session.ask(ready, [(200, 200)], [1])
    print(json.dumps({"embed": embed, "ask": (time.perf_counter() - started) / 3}))


if __name__ == "__main__":
    main()
