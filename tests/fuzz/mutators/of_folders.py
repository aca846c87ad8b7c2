"""A data set's folder with one thing in it damaged: a file's content, or the file itself."""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.fuzz.mutators import (
    hostile,
    of_bytes,
    of_json,
    of_pictures,
    of_records,
    of_tables,
    of_xml,
)

Mutator = Callable[[bytes, Random], bytes | None]

_SHARD = re.compile(r".+-\d{5}-of-\d{5}|.+\.tfrecord(\.gz)?")
LARGE = 8 << 20
NOT_OF_ITS_KIND = (
    ValueError,
    EOFError,
    OSError,
    IndexError,
    StopIteration,
    struct.error,
    ArithmeticError,
    RecursionError,
    zlib.error,
)
"""What is raised on files that are damaged already."""
_PICTURES = (".png", ".jpg", ".jpeg", ".webp")


def mutate(folder: Path, rng: Random, *, only: str = "") -> str:
    """Damages the folder, and returns what was done in a few words.

    Args:
        only: the end of the names of files that may be damaged; "" for all.
    """
    said = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        files = sorted(path for path in folder.rglob("*") if _plain(path))
        wanted = [path for path in files if path.name.endswith(only)]
        if not wanted:
            break
        path = _chosen(wanted, rng)
        name = path.relative_to(folder).as_posix()
        if not only and rng.random() < 0.08:
            said.append(f"{name}: {_replaced(path, files, rng)}")
        else:
            data = path.read_bytes()
            changed, how = content(path.name, data, rng)
            path.write_bytes(changed)
            said.append(f"{name}: {how}, {len(data)} to {len(changed)} bytes")
    return "; ".join(said)


def content(name: str, data: bytes, rng: Random) -> tuple[bytes, str]:
    """Returns a file's bytes damaged by its kind, and how."""
    if len(data) > LARGE:
        return data, "left large"
    mutator = _of_kind(name, data)
    if rng.random() < 0.75:
        try:
            found = mutator(data, rng)
        except NOT_OF_ITS_KIND:
            found = None
        if found is not None and len(found) <= LARGE:
            return found, mutator.__module__.rsplit(".", 1)[-1]
    return of_bytes.mutated(data, rng), "of_bytes"


def _of_kind(name: str, data: bytes) -> Mutator:
    if name.endswith((".json", ".jsonl")):
        return of_json.mutated
    if name.endswith(_PICTURES):
        return of_pictures.mutated
    if name.endswith(".parquet"):
        return of_tables.mutated
    if name.endswith(".xml"):
        return of_xml.mutated
    if _SHARD.fullmatch(name):
        return of_records.mutated
    if name.endswith(".pb"):
        return of_records.of_message
    return lambda data, rng: of_records.inside(data, rng)


def _chosen(files: list[Path], rng: Random) -> Path:
    """Pictures are many; what names them is what readers read."""
    telling = [path for path in files if path.suffix not in _PICTURES]
    return rng.choice(telling if telling and rng.random() < 0.75 else files)


def _plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)


def _replaced(path: Path, files: list[Path], rng: Random) -> str:
    """Puts something else in a file's place."""
    what = rng.randrange(10)
    data = path.read_bytes()
    if what != 9:
        path.unlink()
    if what == 0:
        return "gone"
    if what == 1:
        path.mkdir()
        return "a folder"
    if what == 2:
        os.mkfifo(path)
        return "a pipe"
    if what == 3:
        target = rng.choice(
            (
                f"../{hostile.SECRET}",
                f"../../{hostile.SECRET}",
                "/dev/zero",
                "/etc/passwd",
                path.name,
                ".",
                "nowhere",
            )
        )
        path.symlink_to(target)
        return f"a link to {target}"
    if what == 4:
        path.write_bytes(b"")
        return "empty"
    if what == 5:
        with path.open("wb") as file:
            file.truncate(rng.choice((16 << 20, 65 << 20, 200 << 20)))
        return "zeros"
    if what == 6:
        other = rng.choice(files)
        path.write_bytes(other.read_bytes() if other != path and _plain(other) else data + data)
        return "another file's bytes"
    if what == 7:
        path.write_bytes(data)
        path.chmod(0)
        return "not to be read"
    if what == 8:
        name = rng.choice(
            ("link.json", "\udcff.png", "a\nb.json", "é" * 90, "NUL", "-x", "00001-of-00002")
        )
        (path.parent / name).write_bytes(data)
        return "under another name"
    (path.parent / f"again-{path.name}").write_bytes(data)
    return "there twice"
