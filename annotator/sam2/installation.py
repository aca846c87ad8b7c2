"""Installs torch and sam2 into the running Python the light way: no GPU parts, 1 GB instead of 5.

    python -m annotator.sam2.installation

What plain `pip install sam2` does is build it in an environment of its own, with a second torch for
graphics cards that a CPU never uses. Here each file has a hash it must have; torch is its build for
processors wherever that can be had; sam2 is built in place, without its CUDA extension and
without torchvision, which Taptrail's session does not need. Standard library only, so that an
environment may use it before anything else is there.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from episodes.errors import KnownError

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
NEEDED_MB = 1300
"""What the download and the installation take on the disk together, at most."""
CUDA_MB = 6000
OLDEST_TORCH = (2, 5, 1)

Run = Callable[[Sequence[str], dict[str, str]], tuple[int, str]]
Say = Callable[[str], None]


def missing() -> list[str]:
    """Returns which of torch and sam2 this Python does not find. Loads neither."""
    return [name for name in ("torch", "sam2") if importlib.util.find_spec(name) is None]


def install(say: Say = lambda text: None, run: Run | None = None) -> str:
    """Installs missing packages and returns a sentence about the result.

    Args:
        say: called with a description of each stage; some take a minute.
        run: runs a command and returns its exit code and output.

    Raises:
        KnownError: a package is not available or built, or there is no installer.
    """
    run = _run if run is None else run
    installer = _installer()
    _check_room(NEEDED_MB)
    with ExitStack() as stack:
        lists = importlib.resources.files("assets") / "requirements"

        def requirement(name: str) -> str:
            return str(stack.enter_context(importlib.resources.as_file(lists / name)))

        def packages(*words: str) -> str:
            """Runs the installer; returns its output if it failed, or ""."""
            code, output = run(
                [*installer, "--require-hashes", "--no-deps", *words],
                {**os.environ, "SAM2_BUILD_CUDA": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
            )
            return output if code else ""

        def must(doing: str, *words: str) -> None:
            if output := packages(*words):
                raise _failed(doing, output)

        say("installing what builds packages")
        must("install setuptools and wheel", "-r", requirement("sam2-build.txt"))
        if _torch_is_old():
            _install_torch(say, packages, requirement)
        say("building sam2 without its CUDA part")
        must("build sam2", "--no-build-isolation", "-r", requirement("sam2.txt"))
    importlib.invalidate_caches()
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("torch", "sam2")]
    return f"Installed: {' and '.join(versions)}."


def _install_torch(
    say: Say, packages: Callable[..., str], requirement: Callable[[str], str]
) -> None:
    light = ("--only-binary=:all:", "-r", requirement("torch-cpu.txt"))
    say("installing torch for processors: about 190 MB to fetch, 900 MB on the disk")
    if not packages(*light):  # the usual index, or a folder of files, has it
        return
    if _answers(CPU_INDEX + "/") and not packages("--index-url", CPU_INDEX, *light):
        return
    if platform.system() == "Linux":
        say(
            "no torch for processors can be had here; the one for graphics cards is installed "
            "instead: about 3 GB to fetch, 5.5 GB on the disk"
        )
        _check_room(CUDA_MB)
    heavy = packages("--only-binary=:all:", "-r", requirement("torch.txt"))
    if heavy:
        raise _failed("install torch", heavy)


def _installer() -> list[str]:
    """The command that installs into this Python; pip is left out of some environments."""
    if importlib.util.find_spec("pip") is not None:
        return [
            sys.executable,
            *("-I", "-m", "pip", "--no-input", "install", "--no-warn-script-location"),
            *("--no-compile", "--progress-bar=off"),
        ]
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--python", sys.executable]
    raise KnownError(
        "install sam2",
        f"{sys.executable} has no pip, and there is no uv",
        "Install pip or uv, then try again.",
    )


def _run(command: Sequence[str], environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout or "it said nothing"


def _torch_is_old() -> bool:
    try:
        told = importlib.metadata.version("torch").partition("+")[0].split(".")
        return tuple(int(part) for part in told[:3]) < OLDEST_TORCH
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return True


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=8):  # noqa: S310 - a constant
            return True
    except OSError:
        return False


def _check_room(megabytes: int) -> None:
    free = shutil.disk_usage(Path(sys.prefix)).free / 1e6
    if free < megabytes:
        raise KnownError(
            "install sam2",
            f"{sys.prefix} has {free:,.0f} MB free and about {megabytes:,} MB are needed",
            "Make room, then try again.",
        )


def _failed(doing: str, output: str) -> KnownError:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    wrong = [line for line in lines if line.startswith("ERROR") or "error:" in line]
    told = (wrong or lines or ["it said nothing"])[-1]
    return KnownError(
        doing,
        told.removeprefix("ERROR: ")[:300],
        "Look at the network and at pip's index, then try again; Taptrail works without it.",
    )


def main() -> int:
    """Installs and says what is there now; 1 with a sentence where that fails."""
    try:
        print(install(lambda text: print(f"sam2: {text}", flush=True)))
    except KnownError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
