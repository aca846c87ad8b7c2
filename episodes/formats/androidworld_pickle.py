"""Reads AndroidWorld's result files, which are pickles, without running anything of them.

A name in a pickle is looked up in a table of ours. What is not in it becomes an opaque object that
keeps its name and state. Arrays are never built by NumPy: their bytes are kept packed until a
picture is asked for. Sizes are bounded.

Source: checkpointer.py of google-research/android_world; Python's pickle, protocol 4.
"""

from __future__ import annotations

import gzip
import pickle
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np

from episodes.errors import KnownError
from episodes.formats.input_files import regular_file_size
from episodes.media.pictures import Pixels

MAX_FILE = 2 << 30
MAX_UNPACKED = 8 << 30
MAX_ONE_READ = 128 << 20
MAX_SMALL_READS = 256 << 20
_SMALL = 1 << 17
_REMEDY = "Look at where the file comes from."
_RAISED = (
    pickle.UnpicklingError,
    EOFError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    MemoryError,
    RecursionError,
    ImportError,
    OSError,
    zlib.error,
)


@dataclass(slots=True)
class PackedArray:
    """An array whose bytes are kept compressed."""

    shape: tuple[int, ...] = ()
    kind: str = ""
    data: bytes = field(default=b"", repr=False)

    def pixels(self) -> Pixels | None:
        """Returns the picture it is, (height, width, 3) of bytes; None if it is none."""
        if self.kind != "u1" or len(self.shape) != 3 or self.shape[2] not in (3, 4):
            return None
        raw = zlib.decompress(self.data)
        if len(raw) != self.shape[0] * self.shape[1] * self.shape[2]:
            return None
        return np.frombuffer(raw, np.uint8).reshape(self.shape)[:, :, :3].copy()


def read_records(path: Path) -> list[dict[str, Any]]:
    """Returns the records of a result file.

    Raises:
        KnownError: it is not such a file, or exceeds a bound; with what was found.
    """
    doing = f"read {path.name}"
    if regular_file_size(path, doing) > MAX_FILE:
        raise KnownError(doing, f"it has more than {MAX_FILE} bytes", _REMEDY)
    try:
        with gzip.open(path, "rb") as unpacked:
            value = _Reader(_Bounded(unpacked)).load()
    except _RAISED as error:
        found = f"it is no result file: {type(error).__name__}: {str(error)[:120]}"
        raise KnownError(doing, found, _REMEDY) from error
    records = value if isinstance(value, list) else [value]
    if not all(isinstance(record, dict) and "task_template" in record for record in records):
        raise KnownError(doing, "it holds no record of an episode", _REMEDY)
    return records


class _Bounded:
    """A stream that ends with an error beyond the bounds."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._total = 0
        self._small = 0

    def read(self, count: int = -1) -> bytes:
        if not 0 <= count <= MAX_ONE_READ:
            raise ValueError(f"a value of {count} bytes")
        return self._counted(self._stream.read(count))

    def readline(self) -> bytes:
        return self._counted(self._stream.readline(_SMALL))

    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _counted(self, data: bytes) -> bytes:
        self._total += len(data)
        if len(data) <= _SMALL:
            self._small += len(data)
        if self._total > MAX_UNPACKED or self._small > MAX_SMALL_READS:
            raise ValueError("it unpacks to more than is read")
        return data


class _Reader(pickle.Unpickler):
    """Finds classes in a table of stand-ins that is made anew for each file."""

    def __init__(self, stream: _Bounded) -> None:
        super().__init__(stream)
        self._known = _known()
        self._made: dict[str, type] = {}

    def find_class(self, module: str, name: str) -> Any:
        found = self._known.get(f"{module}.{name}")
        if found is not None:
            return found
        full = f"{module}.{name}"
        if full not in self._made:
            self._made[full] = _opaque_class(full)
        return self._made[full]


def _opaque_class(name: str) -> type:
    def new(cls: type, *made_of: Any, **_: Any) -> Any:
        made: Any = object.__new__(cls)
        made.__dict__.update(name=name, made_of=made_of, state=None)
        return made

    def keep(self: Any, state: Any) -> None:
        self.__dict__["state"] = state

    def nothing(self: Any, *_: Any, **__: Any) -> None:
        return None

    return type(
        "Opaque",
        (),
        {
            "__new__": new,
            "__init__": nothing,
            "__setstate__": keep,
            "append": nothing,
            "extend": nothing,
            "__setitem__": nothing,
        },
    )


def _known() -> dict[str, Callable[..., Any]]:
    """The table of names: builders of ours, and three plain classes of the standard library."""

    class Dtype:
        def __init__(self, kind: Any = "", *_: Any) -> None:
            self.kind = str(kind)

        def __setstate__(self, state: Any) -> None:
            return None

    class Array:
        def __init__(self, *_: Any) -> None:
            self.packed = PackedArray()

        def __setstate__(self, state: Any) -> None:
            _, shape, dtype, fortran, data = state
            if not fortran:
                self.packed = _packed(shape, dtype, data)

    def from_buffer(data: Any, dtype: Any, shape: Any, order: Any) -> Any:
        made = Array()
        if order == "C":
            made.packed = _packed(shape, dtype, data)
        return made

    def scalar(dtype: Any, data: Any = b"") -> Any:
        try:
            return np.frombuffer(bytes(data), np.dtype(_plain(dtype)), 1)[0].item()
        except (ValueError, TypeError, IndexError):
            return None

    table: dict[str, Callable[..., Any]] = {
        "numpy.ndarray": Array,
        "numpy.dtype": Dtype,
        "collections.OrderedDict": dict,
        "datetime.datetime": datetime,
        "datetime.timedelta": timedelta,
        "datetime.timezone": timezone,
    }
    for core in ("core", "_core"):
        table[f"numpy.{core}.multiarray._reconstruct"] = Array
        table[f"numpy.{core}.multiarray.scalar"] = scalar
        table[f"numpy.{core}.numeric._frombuffer"] = from_buffer
    return table


def _plain(dtype: Any) -> str:
    kind = str(getattr(dtype, "kind", ""))
    if kind not in ("f8", "f4", "i8", "i4", "u1", "b1"):
        raise ValueError(kind)
    return kind


def _packed(shape: Any, dtype: Any, data: Any) -> PackedArray:
    sides = tuple(shape)
    if not isinstance(data, bytes | bytearray) or not all(
        isinstance(side, int) and 0 <= side < 100_000 for side in sides
    ):
        return PackedArray()
    return PackedArray(sides, str(getattr(dtype, "kind", "")), zlib.compress(data, 1))


def array_of(value: Any) -> PackedArray | None:
    """Returns the array a value of a record is; None for anything else."""
    packed = getattr(value, "packed", None)
    return packed if isinstance(packed, PackedArray) else None


def fields_of(value: Any, limit: int = 40) -> dict[str, Any]:
    """Returns the members of an object of AndroidWorld's; {} for anything else."""
    state = getattr(value, "state", None)
    if not isinstance(state, dict):
        return {}
    return {key: one for key, one in list(state.items())[:limit] if isinstance(key, str)}
