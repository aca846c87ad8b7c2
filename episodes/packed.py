"""A data set's own numbers of an action, packed: what bulk scoring reads instead of JSON.

Packed is what has the plain form of its space, so that the packed bytes say all that a rule asks
for; anything else stays JSON alone. Little-endian:

    form u8, gold u8, code i16, boxes u32, four numbers f64, boxes of four f32 each, text UTF-8

Form 1, space "aitw": the action's code, touch and lift as (y, x), boxes as (y, x, height, width),
the typed text. The rule of Android in the Wild works in float32, so boxes are kept as such. Form 2,
space "guiodyssey": a place in `KINDS`, (x, y) in thousandths, and the typed text or the finger's
way; numbers are those that come back as they were written. `gold` is 1 of a step that a rule can be
held against: one whose boxes are known, or an annotation.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, NamedTuple, TypeAlias, overload

import msgspec
import numpy as np
import numpy.typing as npt

from episodes.geometry import Native

AITW, GUIODYSSEY = 1, 2
FORMS = {"aitw": AITW, "guiodyssey": GUIODYSSEY}
SPACES = {form: space for space, form in FORMS.items()}
KINDS = (
    "CLICK", "LONG_PRESS", "SCROLL", "TYPE", "PRESS_HOME", "PRESS_BACK", "PRESS_RECENT", "COMPLETE",
    "IMPOSSIBLE",
)  # fmt: skip
CLICK, LONG_PRESS, SCROLL, TYPE, HOME, BACK, RECENT, COMPLETE, IMPOSSIBLE = range(9)
FAR = 1e6
"""Values beyond this are not packed."""

Whole: TypeAlias = npt.NDArray[np.int64]
Real: TypeAlias = npt.NDArray[np.float64]
Single: TypeAlias = npt.NDArray[np.float32]

_HEAD = struct.Struct("<BBhI4d")  # 40 bytes
HEAD = _HEAD.size
_FIELDS = np.dtype(
    [("form", "u1"), ("gold", "u1"), ("code", "<i2"), ("boxes", "<u4"), ("numbers", "<f8", (4,))]
)
BOX = 16
"""Bytes of a box."""
MAX_BOXES = 100_000
MAX_TEXT = 1_000_000

_Code = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]
_Near = Annotated[float, msgspec.Meta(ge=-FAR, le=FAR)]
_Pair = tuple[_Near, _Near]
_Corners = tuple[_Near, _Near, _Near, _Near]


class _Gesture(msgspec.Struct, gc=False):
    action_type: _Code
    touch: _Pair
    lift: _Pair
    boxes: list[_Corners] | msgspec.UnsetType = msgspec.UNSET
    text: str = ""
    type_text: str = ""
    typed_text: str = ""
    reused: str = ""


class _Annotation(msgspec.Struct, gc=False):
    action: str
    info: str | list[list[int | float]]


_GESTURE = msgspec.json.Decoder(_Gesture)
_ODYSSEY = msgspec.json.Decoder(str | _Annotation)
_REFUSED = (msgspec.MsgspecError, ValueError, RecursionError)

_N = r"(-?[0-9]{1,6}(?:\.[0-9]{1,9})?)"
_ANSWER = re.compile(
    rf"(CLICK|LONG_PRESS): \({_N}, {_N}\)|(PRESS_HOME|PRESS_BACK|PRESS_RECENT|COMPLETE|IMPOSSIBLE)"
    r"|SCROLL: (UP|DOWN|LEFT|RIGHT)|TYPE: ([^:\n\r]*)"
)
_PLACES = {kind: place for place, kind in enumerate(KINDS)}
_KEYS = {"KEY_HOME": HOME, "KEY_BACK": BACK, "KEY_APPSELECT": RECENT}
_ENDS = {"COMPLETE": COMPLETE, "INCOMPLETE": IMPOSSIBLE}


def pack(native: Native | None) -> bytes | None:
    """Returns the packed form of a step's or an answer's own numbers; None if it has none."""
    form = FORMS.get(native.space) if native is not None else None
    if native is None or form is None:
        return None
    try:
        if form == AITW:
            return _packed_gesture(_GESTURE.decode(native.text))
        return _packed_words(_ODYSSEY.decode(native.text))
    except _REFUSED:
        return None


def unpacked(packed: bytes) -> Native:
    """Returns a value in the data set's own form that its rules take like the one packed."""
    form, gold, code, count, *numbers = _HEAD.unpack_from(packed)
    text = packed[_HEAD.size + BOX * count :].decode()
    if form == GUIODYSSEY:
        told = _annotation if gold else _words
        return Native.of(SPACES[form], told(code, [_number(n) for n in numbers[:2]], text))
    gesture: dict[str, Any] = {
        "action_type": code,
        "touch": numbers[:2],
        "lift": numbers[2:],
        "text": text,
    }
    if gold:
        flat = struct.unpack_from(f"<{4 * count}f", packed, _HEAD.size)
        gesture["boxes"] = [flat[at : at + 4] for at in range(0, len(flat), 4)]
    return Native.of(SPACES[form], gesture)


class Packed(NamedTuple):
    """Packed values of many rows; `starts` and `ends` are their places in `data`.

    Attributes:
        form, gold, code: shape (rows,); `numbers`: (rows, 4); `counts`: boxes of each row.
    """

    data: bytes
    starts: Whole
    ends: Whole
    form: Whole
    gold: Whole
    code: Whole
    numbers: Real
    counts: Whole

    def boxes(self, rows: Whole) -> tuple[Single, Whole]:
        """Returns all boxes of some rows, shape (boxes, 4), and whose each is: a place in
        `rows`."""
        counts = self.counts[rows]
        owner = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        first = self.starts[rows][owner] + _HEAD.size + BOX * within
        held = np.frombuffer(self.data or bytes(1), np.uint8)[first[:, None] + np.arange(BOX)]
        return held.view("<f4").reshape(-1, 4), owner

    def some(self, rows: Whole) -> Packed:
        """Returns some of the rows."""
        return Packed(
            self.data,
            self.starts[rows],
            self.ends[rows],
            self.form[rows],
            self.gold[rows],
            self.code[rows],
            self.numbers[rows],
            self.counts[rows],
        )

    def texts(self, rows: Whole) -> list[str]:
        """Returns the texts of some rows."""
        first = (self.starts + _HEAD.size + BOX * self.counts)[rows].tolist()
        last = self.ends[rows].tolist()
        return [self.data[a:b].decode() for a, b in zip(first, last, strict=True)]

    def words(self, rows: Whole) -> list[str]:
        """Returns some rows of GUIOdyssey's form as answers: "CLICK: (500, 500)"."""
        codes, texts = self.code[rows].tolist(), self.texts(rows)
        return [
            _words(kind, point, text)
            for kind, point, text in zip(codes, self.points(rows), texts, strict=True)
        ]

    def points(self, rows: Whole) -> list[tuple[float, float]]:
        """Returns the points (x, y) of some rows of GUIOdyssey's form; whole numbers as int."""
        return [(_number(x), _number(y)) for x, y in self.numbers[rows, :2].tolist()]


class Blobs(Sequence[bytes | None]):
    """Packed values of many rows that lie in one piece of memory; an empty one is None."""

    def __init__(self, data: bytes, starts: Whole, ends: Whole) -> None:
        self.data = data
        self.starts = starts
        self.ends = ends

    @cached_property
    def rows(self) -> Packed:
        """What the values hold, as `rows_of` tells."""
        return _rows_of(self)

    @overload
    def __getitem__(self, place: int) -> bytes | None: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[bytes | None]: ...

    def __getitem__(self, place: int | slice) -> bytes | Sequence[bytes | None] | None:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return self.data[int(self.starts[place]) : int(self.ends[place])] or None

    def __len__(self) -> int:
        return len(self.starts)


def blobs_of(values: Sequence[bytes | None]) -> Blobs:
    """Returns values as one piece of memory."""
    if isinstance(values, Blobs):
        return values
    told = [value or b"" for value in values]
    lengths = np.fromiter(map(len, told), np.int64, len(told))
    ends = np.cumsum(lengths)
    return Blobs(b"".join(told), ends - lengths, ends)


def rows_of(values: Sequence[bytes | None]) -> Packed:
    """Returns what many rows hold; the form is 0 if there is nothing, or nothing whole."""
    return blobs_of(values).rows


def _rows_of(blobs: Blobs) -> Packed:
    held = np.frombuffer(blobs.data.ljust(HEAD, b"\0"), np.uint8)
    lengths = blobs.ends - blobs.starts
    first = np.minimum(blobs.starts, len(held) - HEAD)
    fields = held[first[:, None] + np.arange(HEAD)].view(_FIELDS).reshape(-1)
    form, code = fields["form"].astype(np.int64), fields["code"].astype(np.int64)
    counts = fields["boxes"].astype(np.int64)
    known = (form == AITW) | ((form == GUIODYSSEY) & (code >= 0) & (code < len(KINDS)))
    whole = known & (lengths >= HEAD) & (HEAD + BOX * counts <= lengths)
    return Packed(
        blobs.data,
        blobs.starts,
        blobs.ends,
        np.where(whole, form, 0),
        fields["gold"].astype(np.int64),
        code,
        fields["numbers"].astype(np.float64),
        np.where(whole, counts, 0),
    )


def _packed_gesture(told: _Gesture) -> bytes | None:
    boxes = [] if told.boxes is msgspec.UNSET else told.boxes
    if told.type_text or told.typed_text or told.reused:
        return None
    if len(boxes) > MAX_BOXES or len(told.text) > MAX_TEXT:
        return None
    known = told.boxes is not msgspec.UNSET
    head = _HEAD.pack(AITW, known, told.action_type, len(boxes), *told.touch, *told.lift)
    held = struct.pack(f"<{4 * len(boxes)}f", *chain.from_iterable(boxes))
    return head + held + told.text.encode()


def _packed_words(told: str | _Annotation) -> bytes | None:
    act = _of_answer(told) if isinstance(told, str) else _of_annotation(told)
    if act is None or len(act[2]) > MAX_TEXT:
        return None
    kind, (x, y), text = act
    annotated = isinstance(told, _Annotation)
    return _HEAD.pack(GUIODYSSEY, annotated, kind, 0, x, y, 0, 0) + text.encode()


_Act: TypeAlias = tuple[int, tuple[float, float], str]
_NOWHERE = (0.0, 0.0)


def _of_answer(told: str) -> _Act | None:
    found = _ANSWER.fullmatch(told)
    if found is None:
        return None
    pointed, x, y, bare, way, text = found.groups()
    if pointed:
        point = float(x), float(y)
        plain = [str(_number(number)) for number in point] == [x, y]
        return (_PLACES[pointed], point, "") if plain else None
    if bare:
        return _PLACES[bare], _NOWHERE, ""
    if way:
        return SCROLL, _NOWHERE, way
    return TYPE, _NOWHERE, text


def _of_annotation(told: _Annotation) -> _Act | None:
    info = told.info
    match told.action:
        case "CLICK" | "LONG_PRESS":
            if isinstance(info, str):
                return (_KEYS[info], _NOWHERE, "") if info in _KEYS else None
            if not info or not _is_plain(info[0]):
                return None
            return _PLACES[told.action], (info[0][0], info[0][1]), ""
        case "SCROLL":
            if isinstance(info, str) or len(info) < 2:
                return None
            if not (_is_plain(info[0]) and _is_plain(info[1])):
                return None
            return SCROLL, _NOWHERE, _direction(info[0], info[1])
        case "TEXT":
            return (TYPE, _NOWHERE, info) if isinstance(info, str) and ":" not in info else None
        case "COMPLETE" | "INCOMPLETE":
            return _ENDS[told.action], _NOWHERE, ""
    return None


def _is_plain(point: Sequence[float]) -> bool:
    """Whether it is a pair of near numbers that come back as they were: 500, 0.5, but not 500.0."""
    return len(point) == 2 and all(
        abs(number) <= FAR
        and (isinstance(number, int) or (not number.is_integer() and abs(number) > 1e-4))
        for number in point
    )


def _direction(start: Sequence[float], end: Sequence[float]) -> str:
    across, down = end[0] - start[0], end[1] - start[1]
    if abs(across) > abs(down):
        return "LEFT" if across < 0 else "RIGHT"
    return "UP" if down < 0 else "DOWN"


_MOVES = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
_KEY_NAMES = {place: key for key, place in _KEYS.items()}
_END_NAMES = {place: name for name, place in _ENDS.items()}


def _words(kind: int, point: Sequence[float], text: str) -> str:
    if kind <= LONG_PRESS:
        return f"{KINDS[kind]}: ({point[0]}, {point[1]})"
    return f"{KINDS[kind]}: {text}" if kind in (SCROLL, TYPE) else KINDS[kind]


def _annotation(kind: int, point: list[float], text: str) -> dict[str, Any]:
    if kind <= LONG_PRESS:
        return {"action": KINDS[kind], "info": [point, point]}
    if kind == SCROLL:
        return {"action": "SCROLL", "info": [[0, 0], list(_MOVES[text])]}
    if kind == TYPE:
        return {"action": "TEXT", "info": text}
    if kind in _KEY_NAMES:
        return {"action": "CLICK", "info": _KEY_NAMES[kind]}
    return {"action": _END_NAMES[kind], "info": ""}


def _number(number: float) -> float:
    return int(number) if number.is_integer() else number
