"""Demo phones as processes, for every test that needs a phone: import the fixtures you use.

    from tests.demophone.phones import adb_server, demo_phone

    def test_it(demo_phone):
        phone = demo_phone("--deterministic")
        phone.shell("input tap 100 200")
        phone.wait_for("input", action="down")

The adb server is a private one for each pytest worker; it is shared by its tests.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import adbutils
import pytest
from adbutils._utils import _get_bin_dir

ADB = str(Path(_get_bin_dir()) / "adb")
ROOT = Path(__file__).resolve().parents[2]
START_TIMEOUT_S = 60.0


def free_port() -> int:
    """A port of the loopback address that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class AdbServer:
    """A private adb server.

    Attributes:
        env: variables under which `adb` and whatever starts it reach this server alone.
    """

    port: int
    env: dict[str, str]

    def run(
        self, *words: str, data: bytes | None = None, timeout: float = 30
    ) -> subprocess.CompletedProcess[bytes]:
        """Runs `adb WORDS` against this server."""
        return subprocess.run(
            [ADB, *words],
            input=data,
            stdin=subprocess.DEVNULL if data is None else None,
            capture_output=True,
            env=self.env,
            timeout=timeout,
            check=False,
        )

    @property
    def client(self) -> adbutils.AdbClient:
        """adbutils' client of this server."""
        return adbutils.AdbClient(host="127.0.0.1", port=self.port)


@dataclass
class RunningPhone:
    """A demo phone that runs as a process of its own, connected to `server`.

    Attributes:
        truth_path: the phone's truth log, one JSON object a line.
        data: the folder that is the phone's `/`.
    """

    server: AdbServer
    process: subprocess.Popen[str]
    serial: str
    port: int
    truth_path: Path
    data: Path

    @property
    def env(self) -> dict[str, str]:
        """Variables for programs that are to find this phone's adb server."""
        return self.server.env

    @property
    def adb_port(self) -> int:
        """Port of the private adb server."""
        return self.server.port

    def adb(
        self, *words: str, data: bytes | None = None, timeout: float = 30
    ) -> subprocess.CompletedProcess[bytes]:
        """Runs `adb -s SERIAL WORDS`."""
        return self.server.run("-s", self.serial, *words, data=data, timeout=timeout)

    def shell(self, command: str) -> str:
        """What a shell command prints, both outputs; fails the test when its status is not 0."""
        done = self.adb("shell", command)
        assert done.returncode == 0, (command, done.returncode, done.stdout, done.stderr)
        return (done.stdout + done.stderr).decode()

    @property
    def device(self) -> adbutils.AdbDevice:
        """adbutils' view of the phone."""
        return self.server.client.device(self.serial)

    def truth(self, event: str | None = None) -> list[dict[str, Any]]:
        """The lines of the truth log so far, those of one event when it is named."""
        text = self.truth_path.read_text(encoding="utf-8")
        complete = text[: text.rfind("\n") + 1]
        lines = [json.loads(line) for line in complete.splitlines()]
        return [line for line in lines if event is None or line["event"] == event]

    def wait_for(
        self,
        event: str,
        where: Callable[[dict[str, Any]], bool] = lambda line: True,
        timeout: float = 30,
        **facts: Any,
    ) -> dict[str, Any]:
        """The first line of `event` with these facts, as soon as it is logged."""
        deadline = time.monotonic() + timeout
        while True:
            for line in self.truth(event):
                if where(line) and all(line.get(name) == value for name, value in facts.items()):
                    return line
            if time.monotonic() > deadline:
                last = [line for line in self.truth() if line["event"] != "frame"][-8:]
                raise AssertionError(f"no {event} with {facts} in the truth log; last: {last}")
            time.sleep(0.005)

    def connect(self) -> None:
        """Connects the adb server to the phone and waits until it is usable."""
        done = self.server.run("connect", self.serial)
        assert b"connected to" in done.stdout, done
        self.adb("wait-for-device")

    def stop(self) -> int:
        """Ends the phone by closing its stdin. Returns its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        return self.process.returncode


class StartPhone(Protocol):
    """What the `demo_phone` fixture is."""

    def __call__(
        self, *arguments: str, connect: bool = True, module: str = "demophone"
    ) -> RunningPhone:
        """Starts `python -m MODULE ARGUMENTS`, connected to the adb server unless told not to."""


@pytest.fixture(scope="session")
def adb_server(
    tmp_path_factory: pytest.TempPathFactory, home_between_tests: None
) -> Iterator[AdbServer]:
    """A private adb server that scans nothing and ends with the tests."""
    home = tmp_path_factory.mktemp("adb")
    port = free_port()
    env = os.environ | {
        "ADBUTILS_ADB_PATH": ADB,
        "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",
        "ADB_MDNS": "0",
        "ADB_USB": "0",
        "ANDROID_ADB_SERVER_PORT": str(port),
        "HOME": str(home),
        "PATH": str(Path(ADB).parent) + os.pathsep + os.environ["PATH"],
        "TMPDIR": str(home),
    }
    process = subprocess.Popen(
        [ADB, "-P", str(port), "nodaemon", "server"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_listening(port, process)
        yield AdbServer(port, env)
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert process.poll() is None, "the adb server ended by itself"
            assert time.monotonic() < deadline, "the adb server does not listen"
            time.sleep(0.02)
        else:
            return


@pytest.fixture
def demo_phone(adb_server: AdbServer, tmp_path: Path) -> Iterator[StartPhone]:
    """Starts demo phones; they end with the test."""
    phones: list[RunningPhone] = []
    folders = (tmp_path / f"phone{number}" for number in itertools.count())

    def start(*arguments: str, connect: bool = True, module: str = "demophone") -> RunningPhone:
        phone = start_phone(adb_server, next(folders), *arguments, module=module)
        phones.append(phone)
        if connect:
            phone.connect()
        return phone

    yield start
    for phone in phones:
        phone.stop()
        adb_server.run("disconnect", phone.serial)


def start_phone(
    server: AdbServer, folder: Path, *arguments: str, module: str = "demophone"
) -> RunningPhone:
    """Starts a phone that keeps its truth log, its files and its stderr in `folder`."""
    folder.mkdir(parents=True)
    truth = folder / "truth.jsonl"
    with (folder / "stderr.txt").open("wb") as errors:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                module,
                "--until-stdin-closes",
                "--truth",
                str(truth),
                "--data",
                str(folder / "root"),
                *arguments,
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert process.stdout is not None
    readable, _, _ = select.select([process.stdout], [], [], START_TIMEOUT_S)
    line = process.stdout.readline() if readable else ""
    process.stdout.close()
    if not line:
        assert process.stdin is not None
        process.stdin.close()
        process.kill()
        process.wait()
        raise AssertionError(f"the phone did not start: {(folder / 'stderr.txt').read_text()}")
    ready = json.loads(line)
    assert ready["pid"] == process.pid
    return RunningPhone(server, process, ready["serial"], ready["port"], truth, folder / "root")
