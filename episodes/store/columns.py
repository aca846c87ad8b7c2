"""Converts values to database columns and back: moments, natives, boxes, actions, finger paths."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

import zstandard

from episodes import actions as a
from episodes.clocks import Moment
from episodes.codec import action_from_json, action_to_json
from episodes.geometry import Box, Native, Point, Size
from episodes.store.errors import Damaged, NotStorable

Column: TypeAlias = str | int | float | bytes | None
Columns: TypeAlias = dict[str, Column]
Member = TypeVar("Member", bound=StrEnum)
Value = TypeVar("Value")

MAX_WHOLE = 2**63 - 1
MAX_TREE = 64 * 1024 * 1024  # bytes of one tree
_CONTACT = struct.Struct("<Biqddd")  # phase, pointer, time_us, x, y, pressure: 37 bytes
_PHASES = tuple(a.Phase)
_BYTES = frozenset(("config", "numbers", "path", "png", "signature", "zstd"))  # columns of bytes


def checked(columns: Columns) -> Columns:
    """Returns the columns after checking that SQLite stores them without change.

    Raises:
        NotStorable: a number is not finite or too large, or a text holds a lone surrogate.
    """
    for name, value in columns.items():
        if isinstance(value, str):
            if not value.isascii() and not _encodable(value):
                raise NotStorable(f"{name} holds half of a character (a lone surrogate)")
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise NotStorable(f"{name} is {value}, which is not a finite number")
        elif value is True or value is False:
            columns[name] = int(value)
        elif isinstance(value, int) and not -MAX_WHOLE <= value <= MAX_WHOLE:
            raise NotStorable(f"{name} is {value}, which is too large")
    return columns


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def read_member(kind: type[Member], row: Any, column: str) -> Member:
    """Returns the member of an enumeration that a row names.

    Raises:
        Damaged: there is none of that name.
    """
    try:
        return kind(row[column])
    except ValueError:
        raise Damaged(f"{column} is {_shown(row[column])}") from None


def read_json(text: str, kind: type[Value], column: str) -> Value:
    """Returns the JSON value of a column.

    Raises:
        Damaged: the text is not JSON, or holds a value of another kind.
    """
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        raise Damaged(f"{column} is {_shown(text)}, which is no JSON") from None
    if not isinstance(value, kind):
        raise Damaged(f"{column} is {_shown(text)}, not a {kind.__name__}")
    return value


def read_texts(text: str, column: str) -> tuple[str, ...]:
    """Returns the texts of a JSON list.

    Raises:
        Damaged: the text is not a JSON list of texts.
    """
    values = read_json(text, list, column)
    if not all(isinstance(value, str) for value in values):
        raise Damaged(f"{column} is {_shown(text)}, not a list of texts")
    return tuple(values)


def read_row(read: Callable[[Any], Value], row: Any, table: str) -> Value:
    """Returns the value of a row.

    Raises:
        Damaged: the row holds a value that Taptrail never writes; the message names table, row and
            column.
    """
    names = row.keys()
    try:
        if bytes in set(map(type, row)):
            for name in names:
                if type(row[name]) is bytes and name not in _BYTES:
                    raise Damaged(f"{name} holds bytes")
        return read(row)
    except Damaged as error:
        key = next((name for name in ("number", "position", "name", "id") if name in names), "")
        place = f"{table} {row[key]}" if key else table
        raise Damaged(f"{place}: {error}") from error


def unpack_tree(packed: bytes | None) -> bytes:
    """Returns the bytes of a stored tree; empty for NULL.

    Raises:
        Damaged: the bytes cannot be unpacked, or exceed the limit of a tree.
    """
    if packed is None:
        return b""
    if not isinstance(packed, bytes):
        raise Damaged(f"zstd is {_shown(packed)}")
    try:
        if zstandard.frame_content_size(packed) > MAX_TREE:
            raise Damaged(f"a tree has more than {MAX_TREE} bytes")
        return zstandard.ZstdDecompressor().decompress(packed, MAX_TREE)
    except zstandard.ZstdError as error:
        raise Damaged(f"a tree cannot be unpacked: {error}") from error


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def moment_columns(prefix: str, moment: Moment | None) -> Columns:
    """Returns the three columns of a moment; all NULL for None."""
    at = moment or Moment()
    return {
        f"{prefix}_device_us": at.device_us,
        f"{prefix}_host_ns": at.host_ns,
        f"{prefix}_error_us": at.error_us,
    }


def read_moment(row: Any, prefix: str) -> Moment:
    """Returns the moment of a row."""
    return Moment(row[f"{prefix}_device_us"], row[f"{prefix}_host_ns"], row[f"{prefix}_error_us"])


def native_columns(native: Native | None) -> Columns:
    """Returns the two columns of a native value; both NULL for None."""
    return {
        "native_space": None if native is None else native.space,
        "native_text": None if native is None else native.text,
    }


def read_native(row: Any) -> Native | None:
    """Returns the native value of a row, or None."""
    if row["native_space"] is None:
        return None
    return Native(row["native_space"], row["native_text"])


def box_columns(box: Box | None) -> Columns:
    """Returns the four columns of a box; all NULL for None."""
    if box is None:
        return dict.fromkeys(("left", "top", "right", "bottom"))
    return {"left": box.left, "top": box.top, "right": box.right, "bottom": box.bottom}


def read_box(row: Any) -> Box | None:
    """Returns the box of a row, or None."""
    if row["left"] is None:
        return None
    return Box(row["left"], row["top"], row["right"], row["bottom"])


def read_size(row: Any) -> Size | None:
    """Returns the size of a row, or None."""
    return None if row["width"] is None else size_of(row["width"], row["height"])


def size_of(width: Any, height: Any) -> Size:
    """Returns a size.

    Raises:
        Damaged: a side is missing or not positive.
    """
    whole = isinstance(width, int) and isinstance(height, int)
    if not whole or width <= 0 or height <= 0:
        raise Damaged(f"the size is {width} x {height}")
    return Size(width, height)


def action_text(action: a.Action) -> str:
    """Returns an action as one line of JSON.

    Raises:
        NotStorable: a number in it is not finite.
    """
    try:
        return json.dumps(
            action_to_json(action), ensure_ascii=False, separators=(",", ":"), allow_nan=False
        )
    except ValueError:
        raise NotStorable(f"a number of the {a.kind(action)} is not finite") from None


def read_action(text: str) -> a.Action:
    """Returns the action of one line of JSON.

    Raises:
        Damaged: it is not an action.
    """
    try:
        if not isinstance(text, str):
            raise ValueError("no text")
        return action_from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Damaged(f"action is {_shown(text)}, which is no action ({error})") from error


def action_columns(action: a.Action) -> Columns:
    """Returns an action's columns for queries and bulk scoring; fields it lacks are NULL."""
    at = a.place(action)
    end = action.end if isinstance(action, a.Swipe) else None
    return {
        "kind": a.kind(action),
        "x": None if at is None else at.x,
        "y": None if at is None else at.y,
        "end_x": None if end is None else end.x,
        "end_y": None if end is None else end.y,
        "direction": _direction(action),
        "text": _text(action),
        "key": action.key.value if isinstance(action, a.PressKey) else None,
    }


def duration(action: a.Action) -> int | None:
    """Returns the recorded duration of an action in microseconds."""
    match action:
        case a.LongPress() | a.Swipe() | a.Wait():
            return action.duration_us
        case _:
            return None


def _direction(action: a.Action) -> str | None:
    match action:
        case a.Swipe() | a.Scroll():
            return action.direction.value
        case _:
            return None


def _text(action: a.Action) -> str | None:
    match action:
        case a.TypeText() | a.Answer():
            return action.text
        case a.OpenApp():
            return action.app
        case a.PressKey() | a.Other():
            return action.name
        case a.Finish():
            return action.ending.value
        case _:
            return None


def path_of(action: a.Action) -> a.Path:
    """Returns the path of the fingers; () if the action has none."""
    match action:
        case a.Tap() | a.DoubleTap() | a.LongPress() | a.Swipe() | a.Pinch():
            return action.path
        case _:
            return ()


def with_path(action: a.Action, path: a.Path) -> a.Action:
    """Returns the action with another finger path."""
    match action:
        case a.Tap() | a.DoubleTap() | a.LongPress() | a.Swipe() | a.Pinch():
            return replace(action, path=path)
        case _:
            return action


def pack_path(path: a.Path) -> bytes:
    """Returns 37 bytes a contact, little-endian: phase u8, pointer i32, time i64, x, y, pressure.

    Raises:
        NotStorable: a number does not fit.
    """
    packed = bytearray()
    for contact in path:
        numbers = (contact.at.x, contact.at.y, contact.pressure)
        if not all(map(math.isfinite, numbers)):
            raise NotStorable("a contact of the path has a number that is not finite")
        try:
            packed += _CONTACT.pack(
                _PHASES.index(contact.phase), contact.pointer, contact.time_us, *numbers
            )
        except struct.error as error:
            raise NotStorable(f"a contact of the path does not fit: {error}") from None
    return bytes(packed)


def unpack_path(packed: bytes) -> a.Path:
    """Returns the contacts of a packed path.

    Raises:
        Damaged: the length is not a multiple of a contact's, or a contact has an unknown phase.
    """
    if not isinstance(packed, bytes) or len(packed) % _CONTACT.size:
        raise Damaged(f"path is {_shown(packed)}, not {_CONTACT.size} bytes a contact")
    if any(phase >= len(_PHASES) for phase in packed[:: _CONTACT.size]):
        raise Damaged("path has a contact of an unknown phase")
    return tuple(
        a.Contact(_PHASES[phase], Point(x, y), time_us, pointer, pressure)
        for phase, pointer, time_us, x, y, pressure in _CONTACT.iter_unpack(packed)
    )
