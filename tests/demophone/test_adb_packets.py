"""What adb's own binary would never send: the connection ends, the phone goes on."""

from __future__ import annotations

import random
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.demophone.phones import RunningPhone

NAMES = {name: int.from_bytes(name, "little") for name in (b"CNXN", b"OPEN", b"OKAY", b"WRTE")}
NAMES |= {name: int.from_bytes(name, "little") for name in (b"CLSE", b"AUTH", b"STLS", b"SYNC")}
VERSION, MAX_PAYLOAD = 0x01000001, 1024 * 1024
OLD_VERSION = 0x01000000


def packet(
    name: bytes, arg0: int = 0, arg1: int = 0, payload: bytes = b"", checked: bool = False
) -> bytes:
    total = sum(payload) & 0xFFFFFFFF if checked or name == b"CNXN" else 0
    number = NAMES[name]
    return (
        struct.pack("<6I", number, arg0, arg1, len(payload), total, number ^ 0xFFFFFFFF) + payload
    )


HELLO = packet(b"CNXN", VERSION, MAX_PAYLOAD, b"host::features=shell_v2")


class Host:
    """The computer's end of an adb connection, packet by packet."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def receive(self) -> tuple[bytes, int, int, bytes]:
        """Name, two arguments and payload of the next packet; an empty name at the end."""
        header = self._exactly(24)
        if len(header) < 24:
            return b"", 0, 0, b""
        number, arg0, arg1, length, _, magic = struct.unpack("<6I", header)
        assert magic == number ^ 0xFFFFFFFF
        return number.to_bytes(4, "little"), arg0, arg1, self._exactly(length)

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            try:
                part = self.connection.recv(size - len(data))
            except ConnectionResetError:
                return data
            if not part:
                return data
            data += part
        return data

    def hello(self) -> None:
        self.send(HELLO)
        assert self.receive()[0] == b"CNXN"

    def open(self, service: bytes, local: int = 1) -> int:
        self.send(packet(b"OPEN", local, 0, service + b"\0"))
        name, remote, back, _ = self.receive()
        assert (name, back) == (b"OKAY", local)
        return remote

    def ended(self) -> bool:
        """Whether the phone closes the connection, whatever comes before that."""
        while self.receive()[0]:
            pass
        return True


@contextmanager
def host(phone: RunningPhone) -> Iterator[Host]:
    with socket.create_connection(("127.0.0.1", phone.port), 10) as connection:
        yield Host(connection)


def lying_length(number: int) -> bytes:
    return struct.pack("<6I", NAMES[b"WRTE"], 1, 1, number, 0, NAMES[b"WRTE"] ^ 0xFFFFFFFF)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "not adb at all": lambda: b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "noise": lambda: random.Random(3).randbytes(5000),
    "zeros": lambda: bytes(24),
    "wrong magic": lambda: HELLO[:20] + b"\0\0\0\0" + HELLO[24:],
    "an endless payload": lambda: HELLO + lying_length(0xFFFFFFFF),
    "a payload too long": lambda: HELLO + lying_length(MAX_PAYLOAD + 1),
    "a packet before the handshake": lambda: packet(b"OPEN", 1, 0, b"shell:id\0"),
    "a version of the future that is none": lambda: packet(b"CNXN", 1, MAX_PAYLOAD, b"host::"),
    "tiny payloads": lambda: packet(b"CNXN", VERSION, 1, b"host::"),
    "an answer to a question nobody asked": lambda: HELLO + packet(b"AUTH", 2, 0, b"x" * 256),
    "TLS": lambda: HELLO + packet(b"STLS", VERSION, 0),
    "stream zero": lambda: HELLO + packet(b"OPEN", 0, 0, b"shell:id\0"),
    "a second packet without waiting": lambda: (
        HELLO + packet(b"OPEN", 1, 0, b"shell:sleep 9\0") + packet(b"WRTE", 1, 1, b"x" * 100000) * 9
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_malformed_connection_is_closed_with_a_reason_and_the_phone_goes_on(
    shared_phone: RunningPhone, what: str
) -> None:
    errors = shared_phone.truth_path.parent / "stderr.txt"
    before = errors.stat().st_size
    with host(shared_phone) as connection:
        connection.send(HOSTILE[what]())
        assert connection.ended()
    said = errors.read_text()[before:]
    assert said.startswith("WARNING demophone.adb.transport: adb connection closed: ")
    assert "Traceback" not in said
    assert shared_phone.shell("echo alive") == "alive\n"


def test_a_header_cut_short_is_noticed(shared_phone: RunningPhone) -> None:
    with host(shared_phone) as connection:
        connection.send(HELLO[:10])
        connection.connection.shutdown(socket.SHUT_WR)
        assert connection.ended()
    assert shared_phone.shell("echo alive") == "alive\n"


def test_packets_for_streams_that_are_gone_do_no_harm(shared_phone: RunningPhone) -> None:
    with host(shared_phone) as connection:
        connection.hello()
        connection.send(packet(b"OKAY", 99, 77) + packet(b"CLSE", 99, 77))
        connection.send(packet(b"WRTE", 99, 77, b"lost"))
        assert connection.receive() == (b"CLSE", 0, 99, b"")
        connection.send(packet(b"OPEN", 5, 0, b"no-such-service:\0"))
        assert connection.receive() == (b"CLSE", 0, 5, b"")


def test_one_packet_at_a_time_goes_each_way(shared_phone: RunningPhone) -> None:
    with host(shared_phone) as connection:
        connection.hello()
        remote = connection.open(b"exec:cat")
        connection.send(packet(b"WRTE", 1, remote, b"first"))
        received = [connection.receive() for _ in range(2)]
        assert sorted(received) == [(b"OKAY", remote, 1, b""), (b"WRTE", remote, 1, b"first")]
        connection.send(packet(b"WRTE", 1, remote, b"second"))
        assert connection.receive() == (b"OKAY", remote, 1, b"")
        connection.connection.settimeout(0.2)
        with pytest.raises(TimeoutError):
            connection.receive()  # not before the first is acknowledged
        connection.connection.settimeout(10)
        connection.send(packet(b"OKAY", 1, remote))
        assert connection.receive() == (b"WRTE", remote, 1, b"second")


def test_a_reader_that_does_not_read_is_not_flooded(shared_phone: RunningPhone) -> None:
    shared_phone.shell("head -c 300000 /dev/null > /data/local/tmp/e")
    with host(shared_phone) as connection:
        connection.hello()
        remote = connection.open(b"exec:sleep 30")
        connection.send(packet(b"WRTE", 1, remote, b"x" * MAX_PAYLOAD))
        connection.connection.settimeout(0.2)
        # Nobody reads stdin: after what fits into the pipe, no OKAY comes.
        with pytest.raises(TimeoutError):
            connection.receive()


def test_an_old_adb_gets_and_has_to_give_sums(shared_phone: RunningPhone) -> None:
    for good in (True, False):
        with host(shared_phone) as connection:
            connection.send(packet(b"CNXN", OLD_VERSION, 4096, b"host::"))
            assert connection.receive()[0] == b"CNXN"
            connection.send(packet(b"OPEN", 1, 0, b"shell:echo sum\0", checked=good))
            if not good:
                assert connection.ended()
                continue
            assert connection.receive()[0] == b"OKAY"
            header = connection.connection.recv(24, socket.MSG_WAITALL)
            assert struct.unpack("<6I", header)[3:5] == (4, sum(b"sum\n"))
            assert connection.connection.recv(4, socket.MSG_WAITALL) == b"sum\n"


@pytest.mark.parametrize(
    ("request_bytes", "answer"),
    [
        (b"EVIL" + struct.pack("<I", 0), b"unknown command b'EVIL'"),
        (b"STAT" + struct.pack("<I", 5000), b"path too long"),
        (b"SEND" + struct.pack("<I", 5) + b"/data", b"missing , in ID_SEND"),
        (
            b"SEND"
            + struct.pack("<I", 12)
            + b"/sdcard/x,33"
            + b"DATA"
            + struct.pack("<I", 1 << 31),
            b"invalid data message",
        ),
        (
            b"SND2" + struct.pack("<I", 9) + b"/sdcard/x" + b"SND2" + struct.pack("<II", 33188, 4),
            b"unsupported flags: 4",
        ),
        (b"RECV" + struct.pack("<I", 7) + b"/sdcard", b"open failed: Is a directory"),
    ],
)
def test_the_file_service_refuses_what_it_does_not_know(
    shared_phone: RunningPhone, request_bytes: bytes, answer: bytes
) -> None:
    with host(shared_phone) as connection:
        connection.hello()
        remote = connection.open(b"sync:")
        connection.send(packet(b"WRTE", 1, remote, request_bytes))
        received = b""
        while True:
            name, _, _, payload = connection.receive()
            if name == b"WRTE":
                received += payload
                connection.send(packet(b"OKAY", 1, remote))
            elif name == b"CLSE":
                break
        assert received == b"FAIL" + struct.pack("<I", len(answer)) + answer
