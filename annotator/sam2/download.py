"""Downloads a checkpoint: resumes interrupted downloads and checks the sha256.

While it comes it lies beside its place as `.part`; only what has the right sha256 gets the name.
What has another is kept as `.bad`, so that it can be looked at, and is never loaded. Needs the
standard library alone.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from annotator.sam2.checkpoints import Checkpoint, sha256_of
from episodes.errors import KnownError
from episodes.operating_system import FileLock

OFFICIAL = "https://dl.fbaipublicfiles.com/segment_anything_2/092824"
HUB = "https://huggingface.co"
PIECE = 256 << 10
"""Number of bytes between two progress reports and checks for cancellation."""
TRIES = 5
"""In a row without a single byte; then the next source is asked."""
SILENCE = 20.0
"""Seconds without a byte after which a connection is given up."""
PAUSE = 1.0
"""Seconds before the second try; each further one waits twice as long."""
ROOM_TO_SPARE = 50 << 20
AGAIN = "Run the same command again; the download is resumed."

OnProgress = Callable[[int, int | None], None]


class DownloadStopped(Exception):
    """The download was cancelled; the received part is kept."""


@dataclass(frozen=True, slots=True)
class _Refused(Exception):
    """This source does not have the file, or does not answer."""

    why: str


class _Cut(Exception):
    """The connection ended or fell silent; it may be resumed."""


def list_sources(
    checkpoint: Checkpoint, mirror: str = "", environment: Mapping[str, str] = os.environ
) -> list[str]:
    """Returns where a checkpoint is fetched from, in order: the mirror alone, if one is named.

    Args:
        mirror: address of a folder that has the file.
        environment: HF_ENDPOINT names another hub, as for the hub's own programs.
    """
    if mirror:
        return [f"{mirror.rstrip('/')}/{checkpoint.file}"]
    hub = (environment.get("HF_ENDPOINT") or HUB).rstrip("/")
    return [
        f"{OFFICIAL}/{checkpoint.file}",
        f"{hub}/{checkpoint.hub}/resolve/main/{checkpoint.file}",
    ]


def download_checkpoint(
    checkpoint: Checkpoint,
    folder: Path,
    addresses: Sequence[str],
    *,
    on_progress: OnProgress = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    silence: float = SILENCE,
    pause: float = PAUSE,
) -> Path:
    """Brings a checkpoint into a folder and returns its place.

    Args:
        addresses: asked in order; the next one where one has not the file or does not answer.

    Raises:
        KnownError: no source gave the right file, or there is no room for it.
        DownloadStopped: it was cancelled.
    """
    doing = f"fetch {checkpoint.file}"
    for address in addresses:
        if urlsplit(address).scheme not in ("http", "https"):
            raise KnownError(
                doing, f"{address} is no web address", "Name one that begins with https://"
            )
    target = folder / checkpoint.file
    part = target.with_name(target.name + ".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(part, doing):
            with part.open("ab+") as stream:
                _check_room(checkpoint, folder, stream, doing)
                _from_one(checkpoint, stream, addresses, on_progress, cancelled, silence, pause)
            _check(checkpoint, part, target, doing)
    except OSError as error:
        raise KnownError(
            doing,
            f"{error.filename or folder} cannot be written: {error.strerror or error}",
            "Make room, or the folder writable. " + AGAIN,
        ) from error
    return target


@contextlib.contextmanager
def _alone(part: Path, doing: str) -> Iterator[None]:
    """Keeps a second program from fetching into the same file.

    The lock has a file of its own: on Windows a locked file can neither be read nor renamed.
    """
    lock = FileLock(part.with_name(f".{part.name}-lock"))
    if not lock.acquire():
        lock.release()
        raise KnownError(doing, "another program is fetching it right now", "Wait for that one.")
    try:
        yield
    finally:
        lock.remove()


def _check_room(checkpoint: Checkpoint, folder: Path, stream: IO[bytes], doing: str) -> None:
    missing = checkpoint.size - stream.seek(0, os.SEEK_END) + ROOM_TO_SPARE
    free = shutil.disk_usage(folder).free
    if free < missing:
        raise KnownError(
            doing,
            f"{folder} has {free / 1e6:,.0f} MB free and {missing / 1e6:,.0f} MB are needed",
            "Make room, or take a smaller checkpoint: taptrail models list",
        )


def _from_one(
    checkpoint: Checkpoint,
    stream: IO[bytes],
    addresses: Sequence[str],
    on_progress: OnProgress,
    cancelled: Callable[[], bool],
    silence: float,
    pause: float,
) -> None:
    """Fills the stream from the first source that has all of it."""
    refusals = []
    for address in addresses:
        tries = 0
        while True:
            before = stream.seek(0, os.SEEK_END)
            try:
                _rest(checkpoint, stream, address, on_progress, cancelled, silence)
                return
            except _Refused as refused:
                refusals.append(f"{address} {refused.why}")
                break
            except _Cut as cut:
                grown = stream.seek(0, os.SEEK_END) > before
                tries = 1 if grown else tries + 1
                if tries >= TRIES:
                    refusals.append(f"{address} {cut} ({tries} tries)")
                    break
                _wait(pause * 2 ** (tries - 1), cancelled)
    raise KnownError(
        f"fetch {checkpoint.file}",
        "; ".join(refusals),
        "Look at the network and the proxy, name a mirror (models_mirror in the settings), or "
        "fetch it elsewhere and add it with: taptrail models add FILE",
    )


def _rest(
    checkpoint: Checkpoint,
    stream: IO[bytes],
    address: str,
    on_progress: OnProgress,
    cancelled: Callable[[], bool],
    silence: float,
) -> None:
    """Appends what is missing."""
    have = stream.seek(0, os.SEEK_END)
    if have > checkpoint.size:
        have = _empty(stream)
    on_progress(have, checkpoint.size)
    if have == checkpoint.size:
        return
    asked = urllib.request.Request(address)  # noqa: S310 - http or https, looked at in `download_checkpoint`
    asked.add_header("User-Agent", "taptrail")
    asked.add_header("Accept-Encoding", "identity")
    if have:
        asked.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(asked, timeout=silence) as answer:  # noqa: S310
            have = _begin(answer, stream, have, checkpoint.size)
            while True:
                if cancelled():
                    raise DownloadStopped
                piece = answer.read1(PIECE)
                if not piece:
                    break
                have += len(piece)
                if have > checkpoint.size:
                    _empty(stream)
                    raise _Refused(f"sends more than the {checkpoint.size:,} bytes there are")
                stream.write(piece)
                on_progress(have, checkpoint.size)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:  # what we have is not the beginning of what is there
            _empty(stream)
            raise _Cut("does not go on where it was cut") from error
        if error.code in (408, 425, 429) or error.code >= 500:
            raise _Cut(f"answers {error.code} {error.reason}") from error
        raise _Refused(f"answers {error.code} {error.reason}") from error
    except TimeoutError as error:
        raise _Cut(f"has been silent for {silence:g} s") from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _Cut(f"has been silent for {silence:g} s") from error
        raise _Cut(f"cannot be reached: {error.reason}{_through(address)}") from error
    except (http.client.HTTPException, ConnectionError) as error:
        raise _Cut(f"broke off: {error or type(error).__name__}") from error
    if have < checkpoint.size:
        raise _Cut(f"broke off after {have:,} of {checkpoint.size:,} bytes")


def _begin(answer: http.client.HTTPResponse, stream: IO[bytes], have: int, size: int) -> int:
    """Checks the response; returns the offset of its first byte in the file."""
    if answer.status == 206:
        told = re.fullmatch(
            r"bytes (\d+)-\d+/(\d+)", answer.headers.get("Content-Range", "").strip()
        )
        if told is None or (int(told[1]), int(told[2])) != (have, size):
            _empty(stream)
            raise _Cut("does not go on where it was cut")
        return have
    if answer.status != 200:
        raise _Refused(f"answers {answer.status} {answer.reason}")
    length = answer.headers.get("Content-Length")
    if length is not None and int(length) != size:
        raise _Refused(f"has another file, of {int(length):,} bytes instead of {size:,}")
    return _empty(stream) if have else 0


def _check(checkpoint: Checkpoint, part: Path, target: Path, doing: str) -> None:
    """Gives the file its name if it is the right one; else keeps it as `.bad`."""
    with part.open("rb") as stream:
        found = sha256_of(stream)
    if found == checkpoint.sha256:
        part.replace(target)
        return
    bad = target.with_name(target.name + ".bad")
    part.replace(bad)
    raise KnownError(
        doing,
        f"what came has the sha256 {found[:16]}… instead of {checkpoint.sha256[:16]}…; it is kept "
        f"as {bad}",
        "Try again, or another mirror; if it happens twice, somebody changes files on the way.",
    )


def _empty(stream: IO[bytes]) -> int:
    stream.truncate(0)
    stream.seek(0)
    return 0


def _wait(seconds: float, cancelled: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if cancelled():
            raise DownloadStopped
        time.sleep(min(left, 0.1))


def _through(address: str) -> str:
    """Returns the name of the proxy, if there is one."""
    parts = urlsplit(address)
    proxy = urllib.request.getproxies().get(parts.scheme)
    if not proxy or urllib.request.proxy_bypass(parts.hostname or ""):
        return ""
    host = urlsplit(proxy)
    return f" (through the proxy {host.hostname}:{host.port})"
