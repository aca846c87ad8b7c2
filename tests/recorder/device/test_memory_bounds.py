"""What a phone sends without end takes a bounded amount of memory: tried under RLIMIT_AS."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.device.hostile_adb import Reply, hostile_adb, packet

ROOT = Path(__file__).resolve().parents[3]
MIB = 1 << 20
BLOCK = b"A" * MIB

LIMIT = """
import resource, sys
def limit(megabytes):
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    most = used + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
"""
RUN = (
    LIMIT
    + """
from recorder.device.adb.server import Adb
link = Adb("127.0.0.1", int(sys.argv[1])).link("evil")
limit(64)
result = getattr(link, sys.argv[2])("x", timeout=20, limit=4 << 20)
print(len(result.output), len(result.error), result.code, result.cut)
"""
)
DECODER_WAITS = (
    LIMIT
    + """
from recorder.devices import open_devices
from recorder.device.interface import VideoPacket
from recorder.mirror import Mirror
mirror = Mirror(open_devices(1, "127.0.0.2").device("nobody"))  # not started: nothing decodes
limit(128)
mirror.on_packet(VideoPacket(b"config", None), 0)
for number in range(200):
    mirror.on_packet(VideoPacket(bytes(16 << 20), number, key=True), number)
print(mirror.health().packets, mirror.health().skipped > 150)
"""
)
INPUT_WAITS = (
    LIMIT
    + """
import queue
from recorder.device.adb.server import Adb
from recorder.device.scrcpy.client import ScrcpyClient
from recorder.device.interface import VideoOptions
from recorder.device.scrcpy.server import carried_server
from episodes.errors import KnownError
link = Adb("127.0.0.2", 1).link("nobody")
client = ScrcpyClient(link, carried_server(), VideoOptions(), None)
limit(64)
refused = 0
for number in range(2000):
    try:
        client.send_message(bytes(256 << 10))
    except KnownError:
        refused += 1
print(refused > 1900)
"""
)


def run(program: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


def one_huge_packet(stream: Any, version_2: bool) -> None:
    stream.sendall(packet(1, b"", 0xFFFFFFFF))
    for _ in range(512):
        stream.sendall(BLOCK)


def many_packets(stream: Any, version_2: bool) -> None:
    for _ in range(512):
        stream.sendall(packet(1, BLOCK) if version_2 else BLOCK)


def errors_without_end(stream: Any, version_2: bool) -> None:
    for _ in range(512):
        stream.sendall(packet(2, BLOCK))


@pytest.mark.parametrize(
    ("reply", "method", "expected"),
    [
        (one_huge_packet, "run", f"{4 * MIB} 0 None True"),
        (many_packets, "run", f"{4 * MIB} 0 None True"),
        (errors_without_end, "run", f"0 {4 * MIB} None True"),
        (many_packets, "exec_out", f"{4 * MIB} 0 None True"),
    ],
)
def test_a_commands_output_beyond_its_limit_is_not_kept(
    reply: Reply, method: str, expected: str
) -> None:
    with hostile_adb(reply) as port:
        assert run(RUN, str(port), method) == expected


def test_a_command_with_less_output_keeps_all_of_it_and_its_code() -> None:
    def reply(stream: Any, version_2: bool) -> None:
        stream.sendall(packet(1, b"A" * 700_000) + packet(2, b"no") + packet(3, b"\x07"))

    with hostile_adb(reply) as port:
        assert run(RUN, str(port), "run") == "700000 2 7 False"


def test_packets_that_wait_for_the_decoder_are_bounded_by_their_bytes() -> None:
    assert run(DECODER_WAITS) == "201 True"


def test_input_that_waits_for_the_phone_is_bounded_by_its_bytes() -> None:
    assert run(INPUT_WAITS) == "True"
