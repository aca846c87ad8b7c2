"""GUIOdyssey's box of a region, packed: four numbers, what bulk scoring reads instead of JSON.

Packed is a box whose text comes back letter for letter: four near numbers as compact JSON, in
thousandths of the screen, (left, top, right, bottom), as four f64. Any other stays text.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TypeAlias, overload

import msgspec
import numpy as np
import numpy.typing as npt

from episodes.packed import FAR, Blobs

Real: TypeAlias = npt.NDArray[np.float64]

_FOUR = struct.Struct("<4d")
_BOX = msgspec.json.Decoder(tuple[float, float, float, float])
_LONGEST = 100


def pack_box(text: str | None) -> bytes | None:
    """Returns the packed form of a box's JSON; None if it has none."""
    if text is None or len(text) > _LONGEST:
        return None
    try:
        packed = _FOUR.pack(*_BOX.decode(text))
    except (msgspec.MsgspecError, ValueError):
        return None
    return packed if unpacked_box(packed) == text else None


def unpacked_box(packed: bytes) -> str | None:
    """Returns the JSON of a packed box; None if the bytes are none."""
    if len(packed) != _FOUR.size:
        return None
    numbers = _FOUR.unpack(packed)
    if not all(abs(number) <= FAR for number in numbers):
        return None
    return f"[{','.join(str(int(n)) if n.is_integer() else repr(n) for n in numbers)}]"


class PackedBoxes(Sequence[str | None]):
    """The texts of many rows' boxes, most of them packed in one piece of memory."""

    def __init__(self, blobs: Blobs, texts: Sequence[str | None]) -> None:
        self._blobs = blobs
        self._texts = texts

    @overload
    def __getitem__(self, place: int) -> str | None: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str | None]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str | None] | None:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        packed = self._blobs[place]
        return self._texts[place] if packed is None else unpacked_box(packed)

    def __len__(self) -> int:
        return len(self._texts)

    def texts(self, rows: npt.NDArray[np.int64]) -> list[str | None]:
        """Returns the texts of those rows that are not packed; None for the others."""
        return [self._texts[row] for row in rows.tolist()]

    def numbers(self) -> Real:
        """Returns the packed numbers of all rows, shape (rows, 4); NaN for the others."""
        starts, ends = self._blobs.starts, self._blobs.ends
        found = np.full((len(self), 4), np.nan)
        there = np.flatnonzero(ends - starts == _FOUR.size)
        held = np.frombuffer(self._blobs.data, np.uint8)
        if len(there):
            places = starts[there, None] + np.arange(_FOUR.size)
            found[there] = held[places].view("<f8")
        found[~(np.abs(found) <= FAR).all(axis=1)] = np.nan
        return found
