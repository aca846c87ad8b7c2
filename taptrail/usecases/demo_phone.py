"""Runs the demo phone as a process with its own adb server; both end with the caller.

The server has a private port and looks for no USB or network phones, so a person's own adb server
and phones are left alone.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from episodes.errors import KnownError
from episodes.operating_system import separate_group
from recorder.device.interface import Devices
from recorder.devices import open_devices, server_program

START_SECONDS = 40.0
STOP_SECONDS = 10.0
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class DemoPhone:
    """A running demo phone.

    Attributes:
        adb: its private adb server.
        truth: the phone's log of what really happened, one JSON object a line.
    """

    serial: str
    port: int
    devices: Devices
    truth: Path


@contextmanager
def running_demo_phone(
    seed: int = 7,
    deterministic: bool = False,
    size: str = "1080x2400",
    density: int = 420,
    options: Sequence[str] = (),
) -> Iterator[DemoPhone]:
    """Starts the phone and its adb server, and stops both at the end of the block.

    Args:
        deterministic: nothing on the phone moves by itself, and tree requests are answered at once.
        size, density: of its screen, as WIDTHxHEIGHT in pixels and in dots per inch.
        options: further options of `python -m demophone`, e.g. "--root".

    Raises:
        KnownError: one of them does not start.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taptrail-demo-")))
        adb = stack.enter_context(_adb_server(folder))
        words = ["--seed", str(seed), "--truth", str(folder / "truth.jsonl")]
        words += ["--size", size, "--density", str(density)]
        if deterministic:
            words.append("--deterministic")
        words += options
        ready = stack.enter_context(_phone(words, folder))
        serial = adb.connect(str(ready["serial"]))
        _until(
            lambda: any(phone.serial == serial and phone.ready for phone in adb.phones()),
            "connect the demo phone",
            "adb does not see it",
        )
        yield DemoPhone(serial, ready["port"], adb, folder / "truth.jsonl")


@contextmanager
def _phone(words: list[str], folder: Path) -> Iterator[dict[str, Any]]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    command = [sys.executable, "-P", "-m", "demophone", "--until-stdin-closes", *words]
    with (folder / "phone.log").open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            **separate_group(),  # the phone ends when its stdin closes
        )
    try:
        assert process.stdout is not None
        line = _first_line(process.stdout)
        if not line:
            said = (folder / "phone.log").read_text(errors="replace").strip().splitlines()
            raise KnownError(
                "start the demo phone",
                said[-1] if said else "it says nothing",
                "Run python3 bootstrap.py setup.",
            )
        yield json.loads(line)
    finally:
        _end(process)


@contextmanager
def _adb_server(folder: Path) -> Iterator[Devices]:
    chosen = server_program()
    port = _free_port()
    home = folder / "adb"
    home.mkdir()
    environment = os.environ | {
        "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",
        "ADB_MDNS": "0",
        "ADB_USB": "0",
        "ANDROID_ADB_SERVER_PORT": str(port),
        "HOME": str(home),
        "TMPDIR": str(home),
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(
        [
            sys.executable,
            "-P",
            "-m",
            "taptrail.keeper",
            chosen,
            "-P",
            str(port),
            "nodaemon",
            "server",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        **separate_group(),
    )
    devices = open_devices(port, "127.0.0.1")
    try:
        _until(
            lambda: devices.answers() or process.poll() is not None,
            "start the demo phone's adb server",
            f"nothing answers on port {port}",
        )
        if process.poll() is not None:
            raise KnownError(
                "start the demo phone's adb server",
                f"adb ended with code {process.returncode}",
                "Try again; see also taptrail doctor.",
            )
        yield devices
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Closes the process's stdin, which ends it, and waits; kills it if it does not end."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _first_line(stream: IO[bytes]) -> bytes:
    """Returns the first line; b"" if none arrives in time."""
    deadline = time.monotonic() + START_SECONDS
    line = b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            if not selector.select(max(0.0, deadline - time.monotonic())):
                return b""
            piece = os.read(stream.fileno(), 4096)
            if not piece:
                return b""
            line += piece
    return line


def _until(reached: Callable[[], bool], doing: str, found: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not reached():
        if time.monotonic() > deadline:
            raise KnownError(doing, found, "Try again; see also taptrail doctor.")
        time.sleep(0.02)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
