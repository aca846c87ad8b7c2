"""Lists the phones of an adb server, and opens streams to them.

Uses adbutils, with one socket for each stream. Starts the server if none answers. Honours
`ANDROID_ADB_SERVER_PORT` and `ANDROID_ADB_SERVER_HOST`.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import socket
import struct
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import adbutils
from adbutils.errors import AdbError as _AdbError

from episodes.errors import KnownError
from recorder.device.interface import CommandResult, CommandTimeout, ListedPhone, PhoneGone

CHUNK = 256 * 1024
MAX_LINE = 1000
PAIRING_SINCE = (30,)
"""Version of adb that brought pairing by code."""
_READY = "device"

_STATES = {
    "device": ("ready", ""),
    "unauthorized": (
        "not allowed yet",
        "Unlock the phone and allow USB debugging in the question it shows.",
    ),
    "authorizing": ("asking for permission", "Wait, or answer the question on the phone."),
    "offline": ("offline", "Unplug the phone and plug it in again."),
    "connecting": ("connecting", "Wait a moment."),
    "no permissions": (
        "not reachable for this user",
        "Add a udev rule for the phone, or run: sudo usermod -aG plugdev $USER.",
    ),
    "bootloader": ("in its boot loader", "Start Android on the phone."),
    "recovery": ("in recovery", "Start Android on the phone."),
    "sideload": ("waiting for an update file", "Start Android on the phone."),
    "host": ("a computer, not a phone", "Choose a phone."),
}


class AdbRefused(KnownError):
    """The adb server, or the phone behind it, refused a request."""


class Adb:
    """One adb server. Any thread; each call opens its own socket."""

    def __init__(self, host: str | None = None, port: int | None = None) -> None:
        self.host = host or os.environ.get("ANDROID_ADB_SERVER_HOST") or "127.0.0.1"
        self.port = port or _port_from_environment()
        self._client = adbutils.AdbClient(host=self.host, port=self.port)

    def answers(self) -> bool:
        """Returns whether a server listens, without starting one."""
        try:
            socket.create_connection((self.host, self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def ensure(self) -> None:
        """Starts the server if none answers.

        Raises:
            KnownError: there is no adb program, or it did not come up.
        """
        if self.answers():
            return
        try:
            started = subprocess.run(
                [program(), "-H", self.host, "-P", str(self.port), "start-server"]
                if self.host not in ("127.0.0.1", "localhost")
                else [program(), "-P", str(self.port), "start-server"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=20,
                check=False,
            )
            found = f"adb ended with code {started.returncode}"
        except (OSError, subprocess.TimeoutExpired) as error:
            found = str(error)
        if not self.answers():
            raise KnownError(
                f"start the adb server on port {self.port}",
                found,
                "Look whether another program uses that port, or set ANDROID_ADB_SERVER_PORT.",
            )

    def program(self) -> str:
        """Returns the path of the adb program; raises KnownError if there is none."""
        return program()

    def program_version(self) -> str:
        """Returns the version of the adb program, e.g. "36.0.0"; "" if it is unknown."""
        return ".".join(map(str, program_version(program())))

    def version(self) -> int:
        """Returns the server's protocol version, e.g. 41."""
        doing = "ask the adb server for its version"
        told = self._ask("host:version", doing)
        if not re.fullmatch(r"[0-9a-fA-F]{1,8}", told):
            raise AdbRefused(doing, f"it answers “{told[:40]}”", "Restart it: adb kill-server.")
        return int(told, 16)

    def connections(self) -> list[ListedPhone]:
        """Returns all connections the server knows, also unusable ones, with the reason."""
        listed = self._ask("host:devices-l", "list the phones")
        return named(phone for line in listed.splitlines() if (phone := _listed(line)) is not None)

    def connect(self, address: str, timeout: float = 10) -> str:
        """Connects a phone over the network and returns its serial, which is the address.

        Raises:
            KnownError: nothing answers there, or not as a phone does.
        """
        answer = self._ask(f"host:connect:{address}", f"connect to {address}", timeout)
        if "authenticate" in answer:
            raise AdbRefused(
                f"connect to {address}",
                "the phone does not allow this computer yet",
                _STATES["unauthorized"][1],
            )
        if not answer.startswith(("connected to", "already connected to")):
            raise AdbRefused(
                f"connect to {address}",
                f"adb says: {answer.strip() or 'nothing'}",
                "Check the address, and that wireless debugging is on.",
            )
        return answer.split(" to ", 1)[1].strip()

    def reconnect_offline(self) -> None:
        """Drops phones that are offline or not allowed, so that they are looked for again."""
        self._ask("host:reconnect-offline", "connect the phones again")

    def disconnect(self, address: str) -> None:
        """Forgets a phone connected over the network; one that is not known is not an error."""
        try:
            self._ask(f"host:disconnect:{address}", f"disconnect {address}")
        except AdbRefused:
            return

    def pair(self, address: str, code: str, timeout: float = 30) -> None:
        """Pairs this computer with a phone's wireless debugging, once for good.

        Args:
            address: host and port of the pairing question, which is not that of connecting.
            code: the six digits the phone shows.

        Raises:
            KnownError: nothing answers there, or the code is not the one the phone shows.
        """
        try:
            answer = self._ask(f"host:pair:{code}:{address}", f"pair with {address}", timeout)
        except AdbRefused as refused:
            if "unknown host service" not in refused.found:
                raise
            raise AdbRefused(
                f"pair with {address}",
                f"the adb server that runs is too old to pair ({refused.found})",
                "Close the program that started it, restart the computer, and pair again.",
            ) from refused
        if not answer.startswith("Successfully paired"):
            raise AdbRefused(
                f"pair with {address}",
                f"adb says: {answer.strip() or 'nothing'}",
                "Open “Pair device with pairing code” again, and copy its address and code.",
            )

    def link(self, serial: str) -> PhoneLink:
        """Returns a connection to one phone; asks nothing yet."""
        return PhoneLink(self, serial)

    def _ask(self, service: str, doing: str, timeout: float = 10) -> str:
        stream = self.open_service(service, doing, timeout)
        with stream:
            try:
                return _read_counted(stream)
            except (OSError, ValueError) as error:
                raise AdbRefused(doing, f"adb broke off: {error}", "Try again.") from error

    def open_service(self, service: str, doing: str, timeout: float = 10) -> socket.socket:
        """Opens a socket to the server and asks for one of its services.

        Raises:
            KnownError: the server cannot be reached, or refuses.
        """
        self.ensure()
        try:
            stream: socket.socket = self._client.make_connection(timeout=timeout).conn
        except (_AdbError, OSError) as error:
            raise AdbRefused(doing, f"the adb server is silent: {error}", "Try again.") from error
        try:
            _request(stream, service, doing)
        except BaseException:
            stream.close()
            raise
        return stream


class PhoneLink:
    """Streams to one phone. Any thread; each call opens its own socket."""

    def __init__(self, adb: Adb, serial: str) -> None:
        self.adb = adb
        self.serial = serial
        self._features: frozenset[str] | None = None
        self._lock = threading.Lock()
        self._commands: set[socket.socket] = set()
        self._interrupted = False

    def interrupt(self) -> None:
        """Breaks off all commands of this link, and all later ones; streams go on."""
        with self._lock:
            self._interrupted = True
            commands = list(self._commands)
        for stream in commands:
            with contextlib.suppress(OSError):  # it may have ended in this moment
                stream.shutdown(socket.SHUT_RDWR)

    @contextlib.contextmanager
    def _command(self, service: str, timeout: float) -> Iterator[socket.socket]:
        """A stream that `interrupt` can break off."""
        stream = self.open(service, timeout)
        with self._lock:
            interrupted = self._interrupted
            self._commands.add(stream)
        try:
            if interrupted:
                raise PhoneGone(f"ask {self.serial}", "it was broken off", "Start again.")
            yield stream
        finally:
            with self._lock:
                self._commands.discard(stream)
            stream.close()

    def open(self, service: str, timeout: float = 10) -> socket.socket:
        """Opens a service on the phone, e.g. "localabstract:name"; the caller closes the socket.

        Raises:
            PhoneGone: the server does not know the phone, or cannot reach it.
            AdbRefused: the phone has no such service, or nothing listens.
        """
        doing = f"reach the phone {self.serial}"
        try:
            stream = self.adb.open_service(f"host:{_target(self.serial)}", doing, timeout)
        except AdbRefused as refused:
            raise PhoneGone(
                doing, refused.found, "Plug it in, or connect it again; then it goes on."
            ) from refused
        try:
            _request(stream, service, f"use {service.split(':', 1)[0]} on {self.serial}")
        except BaseException:
            stream.close()
            raise
        return stream

    def features(self) -> frozenset[str]:
        """Returns the features that phone and server share, e.g. "shell_v2"; asks once."""
        if self._features is None:
            target = _target(self.serial).replace("transport", "serial", 1)
            if target.startswith("serial-id:"):
                target = target.replace("serial-id:", "transport-id:", 1)
            told = self.adb._ask(f"host-{target}:features", f"ask {self.serial} for its features")
            self._features = frozenset(told.split(","))
        return self._features

    def run(self, command: str, timeout: float = 10, limit: int = 4 << 20) -> CommandResult:
        """Runs a shell command and returns what it printed, at most `limit` bytes of each kind.

        A command that prints more is ended; then `cut` is set and there is no code.

        Raises:
            KnownError: the phone is away, or the command took longer than `timeout` seconds.
        """
        if "shell_v2" in self.features():
            return self._run_v2(command, timeout, limit)
        with self._command(f"shell:{command}", timeout) as stream:
            output, cut = self._read_all(stream, command, timeout, limit)
        return CommandResult(output, b"", None, cut)

    def exec_out(self, command: str, timeout: float = 10, limit: int = 64 << 20) -> CommandResult:
        """Runs a command with its output as raw bytes; there is no code, errors are mixed in.

        Raises:
            KnownError: as `run`.
        """
        with self._command(f"exec:{command}", timeout) as stream:
            output, cut = self._read_all(stream, command, timeout, limit)
        return CommandResult(output, b"", None, cut)

    def push(self, data: bytes, remote: str, mode: int = 0o644, timeout: float = 20) -> None:
        """Writes a file on the phone.

        Raises:
            KnownError: the phone is away or did not take it.
        """
        doing = f"copy a file to {remote} on the phone"
        with self.open("sync:", timeout) as stream:
            try:
                place = f"{remote},{0o100000 | mode}".encode()
                stream.sendall(b"SEND" + struct.pack("<I", len(place)) + place)
                for begin in range(0, len(data), 65536):
                    piece = data[begin : begin + 65536]
                    stream.sendall(b"DATA" + struct.pack("<I", len(piece)) + piece)
                stream.sendall(b"DONE" + struct.pack("<I", int(time.time())))
                answer = read_exactly(stream, 8)
                if answer[:4] == b"OKAY":
                    stream.sendall(b"QUIT" + bytes(4))
                    return
                (length,) = struct.unpack("<I", answer[4:])
                said = read_exactly(stream, min(length, 4096)).decode(errors="replace")
            except OSError as error:
                said = str(error)
        raise AdbRefused(doing, f"the phone says: {said}", "Look whether its storage is full.")

    def _run_v2(self, command: str, timeout: float, limit: int) -> CommandResult:
        kept = {1: bytearray(), 2: bytearray()}
        code: int | None = None
        cut = False
        with self._command(f"shell,v2,raw:{command}", timeout) as stream:
            deadline = time.monotonic() + timeout
            reader = _Patient(stream, deadline)
            try:
                while not cut and (head := reader.read(5)) is not None:
                    kind, left = struct.unpack("<BI", head)
                    while left and not cut:
                        data = reader.read(min(left, CHUNK))
                        if data is None:
                            break
                        left -= len(data)
                        if kind == 3:
                            code = data[0]
                        elif kind in kept:
                            room = limit - len(kept[kind])
                            kept[kind] += data[:room]
                            cut = len(data) > room
                    if left or kind == 3:
                        break
            except TimeoutError:
                raise _too_long(command, self.serial, timeout) from None
            except OSError as error:
                raise _broken(command, self.serial, error) from error
        return CommandResult(bytes(kept[1]), bytes(kept[2]), code, cut)

    def _read_all(
        self, stream: socket.socket, command: str, timeout: float, limit: int
    ) -> tuple[bytes, bool]:
        deadline = time.monotonic() + timeout
        kept = bytearray()
        try:
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError
                stream.settimeout(left)
                piece = stream.recv(CHUNK)
                if not piece:
                    return bytes(kept), False
                kept += piece
                if len(kept) > limit:
                    return bytes(kept[:limit]), True
        except TimeoutError:
            raise _too_long(command, self.serial, timeout) from None
        except OSError as error:
            raise _broken(command, self.serial, error) from error


def program() -> str:
    """Returns the path of the adb program: the one in PATH, else the one adbutils carries.

    A program in PATH that is known to be too old to pair gives way to the carried one.

    Raises:
        KnownError: there is none for this machine.
    """
    try:
        found = str(adbutils.adb_path())
    except _AdbError as error:
        raise KnownError(
            "find adb", str(error), "Install adb, or reinstall the package adbutils."
        ) from error
    carried = carried_program()
    is_old = () < program_version(found) < PAIRING_SINCE
    return str(carried) if is_old and carried.is_file() else found


@functools.cache
def program_version(path: str) -> tuple[int, ...]:
    """Returns the version of an adb program, such as (36, 0, 0); () if it does not report it."""
    try:
        told = subprocess.run(
            [path, "version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=5,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    found = re.search(
        rb"^Version (?:\d{1,4}:)?(\d{1,4}(?:\.\d{1,4}){0,3})", told[:4096], re.MULTILINE
    )
    return tuple(map(int, found[1].split(b"."))) if found else ()


def carried_program() -> Path:
    """Returns the path of the adb program that adbutils carries, which may not exist."""
    return Path(adbutils.__file__).parent / "binaries" / "adb"


def read_exactly(stream: socket.socket, count: int) -> bytes:
    """Returns `count` bytes of a socket.

    Raises:
        EOFError: it ended before; TimeoutError, OSError: as the socket does.
    """
    kept = bytearray()
    while len(kept) < count:
        piece = stream.recv(count - len(kept))
        if not piece:
            raise ConnectionError(f"the connection ended after {len(kept)} of {count} bytes")
        kept += piece
    return bytes(kept)


class _Patient:
    """Reads exact counts until a deadline; None at the end of the stream."""

    def __init__(self, stream: socket.socket, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline
        self._pending = bytearray()

    def read(self, count: int) -> bytes | None:
        while len(self._pending) < count:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._stream.settimeout(left)
            piece = self._stream.recv(CHUNK)
            if not piece:
                return None
            self._pending += piece
        taken = bytes(self._pending[:count])
        del self._pending[:count]
        return taken


def _request(stream: socket.socket, service: str, doing: str) -> None:
    data = service.encode()
    try:
        stream.sendall(f"{len(data):04x}".encode() + data)
        answer = read_exactly(stream, 4)
        said = "" if answer == b"OKAY" else _read_counted(stream)
    except (OSError, ValueError) as error:
        raise AdbRefused(doing, f"adb broke off: {error}", "Try again.") from error
    if answer != b"OKAY":
        raise AdbRefused(
            doing, f"adb says: {said}", "See which phones there are: taptrail devices."
        )


def _read_counted(stream: socket.socket) -> str:
    told = read_exactly(stream, 4)
    if not re.fullmatch(rb"[0-9a-fA-F]{4}", told):
        raise ValueError(f"it sent “{told.decode(errors='replace')}” where a length belongs")
    length = int(told, 16)
    return read_exactly(stream, length).decode(errors="replace")


def _port_from_environment() -> int:
    told = os.environ.get("ANDROID_ADB_SERVER_PORT", "").strip()
    if not told:
        return 5037
    if not re.fullmatch(r"[0-9]{1,5}", told) or not 0 < int(told) < 65536:
        raise KnownError(
            "find the adb server",
            f"ANDROID_ADB_SERVER_PORT is “{told}”",
            "Set it to a port number, or unset it.",
        )
    return int(told)


def named(phones: Iterable[ListedPhone]) -> list[ListedPhone]:
    """Returns the phones with a name for each, also where several have the same serial."""
    listed = list(phones)
    times = Counter(phone.serial for phone in listed)
    return [
        replace(phone, name=phone.serial)
        if times[phone.serial] == 1
        else replace(phone, name=phone.port or f"{phone.serial}#{phone.transport}")
        for phone in listed
    ]


def _target(name: str) -> str:
    """Returns what selects a phone by its name; adb takes a USB port for a serial."""
    numbered = re.fullmatch(r".*#(\d{1,19})", name, re.DOTALL)
    return f"transport-id:{numbered[1]}" if numbered else f"transport:{name}"


_FACT = r"(?:\s+[A-Za-z_]+:\S*)*"
_WORDS = "|".join(map(re.escape, (*_STATES, "rescue", "detached", "unknown")))
_LISTED = re.compile(
    rf"(?P<serial>\S.*?)\s+(?:(?P<state>{_WORDS})"
    rf"|(?P<denied>no permissions)\b.*?)(?P<rest>{_FACT})\s*"
)
"""A line of `adb devices -l`. Serials may have blanks: names that phones have given to mDNS."""
_OTHER_STATE = re.compile(r"(?P<serial>\S+)\s+(?P<state>\S+)(?P<denied>)(?P<rest>.*)")


def _listed(line: str) -> ListedPhone | None:
    line = line[:MAX_LINE].rstrip()
    found = _LISTED.fullmatch(line) or _OTHER_STATE.fullmatch(line)
    if found is None:
        return None
    facts = dict(fact.split(":", 1) for fact in re.findall(r"\s([a-z_]+:\S+)", found["rest"]))
    state = found["state"] or found["denied"]
    meaning, remedy = _STATES.get(state, (state, "Look at the phone."))
    return ListedPhone(
        serial=found["serial"],
        state=state,
        model=facts.get("model", "").replace("_", " "),
        meaning=meaning,
        remedy=remedy,
        ready=state == _READY,
        connection=_connection(found["serial"], "usb" in facts),
        port=f"usb:{facts['usb']}" if "usb" in facts else "",
        transport=facts.get("transport_id", ""),
    )


def _connection(serial: str, is_usb: bool) -> str:
    if is_usb:
        return "USB"
    if serial.startswith(("emulator-", "127.0.0.1:", "localhost:")):
        return "this computer"
    if "._adb" in serial or re.search(r":\d{1,5}$", serial):
        return "Wi-Fi"
    return ""


def _too_long(command: str, serial: str, timeout: float) -> CommandTimeout:
    return CommandTimeout(
        f"run “{command[:60]}” on {serial}",
        f"it took longer than {timeout:g} seconds",
        "Look whether the phone hangs.",
    )


def _broken(command: str, serial: str, error: OSError) -> PhoneGone:
    return PhoneGone(
        f"run “{command[:60]}” on {serial}",
        f"the connection broke: {error}",
        "Plug it in, or connect it again; then it goes on.",
    )
