"""The vocabulary as the JSON of Taptrail's own format, and back.

Values go out with what is set and come in with defaults for what is left out. Reading is strict:
an unknown field, a wrong type or a number that is not finite is a `BadValue` naming it.
Pictures, trees and masks are files; this module only holds their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar

import msgspec

from episodes.annotations import Author, Gold, Mask, Provenance, Region, Status
from episodes.clocks import Moment
from episodes.codec import MAX_WHOLE, BadValue, action_from_json, action_to_json
from episodes.episodes import Actor, Attempt
from episodes.formats.input_files import json_value
from episodes.formats.masks import mask_problem
from episodes.geometry import MAX_SIDE, Box, Native, Size
from episodes.recordings import DeviceFacts
from episodes.screens import (
    Basis,
    Frame,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)

T = TypeVar("T")

STEP_SOURCES = ("mirror", "keyboard", "button", "glass", "command", "agent", "import")
GOLD_ROLES = ("alternative", "correction")
ACTORS = ("person", "agent")
AUTHORS = ("person", "program")
OUTCOMES = ("", "complete", "impossible", "failed", "given up")


def plain(value: Any) -> Any:
    """Returns a value of `SIMPLE` as JSON; fields that hold their default are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        shown = {}
        for field in fields(value):
            held = getattr(value, field.name)
            if held != field.default:
                shown[field.name] = plain(held)
        return shown
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def simple(kind: type[T], value: Any, name: str) -> T:
    """Returns the value of a `SIMPLE` type that a JSON value stands for.

    Raises:
        BadValue: it is none.
    """
    if not isinstance(value, Mapping):
        raise BadValue(f"{name}: is not an object")
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if unknown := value.keys() - known:
        raise BadValue(f"{name}.{min(unknown)[:40]}: is not a field")
    _within_bounds(value, name)
    try:
        found = msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError) as error:
        raise BadValue(f"{name}: {error}") from error
    _check_words(found, name)
    return found


def _check_words(value: Any, name: str) -> None:
    match value:
        case Actor(kind, author):
            one_of(kind, ACTORS, f"{name}.kind")
            _check_words(author, f"{name}.author")
        case Author(kind=kind):
            one_of(kind, AUTHORS, f"{name}.kind")
        case Attempt(number, outcome):
            if number < 1:
                raise BadValue(f"{name}.number: {number} is not 1 or more")
            one_of(outcome, OUTCOMES, f"{name}.outcome")
        case Size():
            _check_size(value, name)
        case DeviceFacts(size=Size() as size):
            _check_size(size, f"{name}.size")


def _check_size(size: Size, name: str) -> None:
    if max(size.width, size.height) > MAX_SIDE:
        raise BadValue(f"{name}: {size} is more than {MAX_SIDE} along a side")


def one_of(word: str, known: tuple[str, ...], name: str) -> str:
    """Returns a word that is one of those a format knows.

    Raises:
        BadValue: it is none.
    """
    if word not in known:
        listed = ", ".join(one for one in known if one)
        raise BadValue(f"{name}: “{word[:40]}” is not one of {listed}")
    return word


def _within_bounds(value: Any, name: str) -> None:
    """Whole numbers go into a database that holds 64 bits."""
    if isinstance(value, int) and abs(value) > MAX_WHOLE:
        raise BadValue(f"{name}: is too large a number")
    if isinstance(value, Mapping):
        for key, held in value.items():
            _within_bounds(held, f"{name}.{key[:40]}")
    if isinstance(value, list):
        for held in value:
            _within_bounds(held, name)


def native_from_json(value: Any, name: str) -> Native:
    """Returns numbers as a data set gave them; protocols read them again, so they must be JSON.

    Raises:
        BadValue: they are not.
    """
    native = simple(Native, value, name)
    json_text(native.text, f"{name}.text")
    return native


def json_text(text: str, name: str) -> Any:
    """Returns the value of JSON kept as text.

    Raises:
        BadValue: it is not JSON.
    """
    try:
        return json_value(text.encode())
    except ValueError as error:
        raise BadValue(f"{name}: {error}") from error


def frame_to_json(frame: Frame, picture: str | None) -> dict[str, Any]:
    """Returns a frame as JSON, with the name of its picture's file."""
    value: dict[str, Any] = {"size": [frame.size.width, frame.size.height]}
    if frame.basis is not Basis.IMPORTED:
        value["basis"] = frame.basis.value
    if frame.still is not None and picture is not None:
        value["picture"] = picture
        if frame.still.source is not StillSource.IMPORT:
            value["source"] = frame.still.source.value
        if not frame.still.lossless:
            value["lossless"] = False
    for name in ("pts_us", "segment", "packet", "received_ns", "painted_ns", "native"):
        held = getattr(frame, name)
        if held is not None:
            value[name] = held
    if frame.protected:
        value["protected"] = True
    return value


def frame_from_json(value: Any, name: str, still: Callable[[str], Still | None]) -> Frame | None:
    """Returns the frame; `still` turns the name of a picture into the kept picture.

    A missing picture gives a frame without one, with its name in `native`. Without a size,
    too, it gives None.

    Raises:
        BadValue: it is not a frame, or names neither a picture nor a size.
    """
    taker = FieldReader(value, name)
    picture = taker.maybe("picture", str)
    kept = still(picture) if picture is not None else None
    sized = taker.maybe("size", list)
    if sized is not None:
        size = _size(sized, f"{name}.size")
    elif kept is not None:
        size = kept.size
    elif picture is not None:
        return None
    else:
        raise BadValue(f"{name}: there is neither a size nor a picture to take it from")
    source = taker.maybe("source", str)
    lossless = taker.maybe("lossless", bool)
    if kept is not None:
        kept = Still(
            kept.sha256,
            kept.media_type,
            kept.size,
            kept.byte_count,
            _choice(StillSource, source, f"{name}.source") if source else StillSource.IMPORT,
            kept.lossless if lossless is None else lossless,
            kept.signature,
        )
    basis = taker.maybe("basis", str)
    native = taker.maybe("native", str)
    frame = Frame(
        size,
        _choice(Basis, basis, f"{name}.basis") if basis else Basis.IMPORTED,
        kept,
        taker.maybe("pts_us", int),
        taker.maybe("segment", int),
        taker.maybe("packet", int),
        taker.maybe("received_ns", int),
        taker.maybe("painted_ns", int),
        native if native is not None or kept is not None else picture,
        bool(taker.maybe("protected", bool)),
    )
    taker.nothing_left()
    return frame


def tree_to_json(record: TreeRecord, fit: TreeFit, file: str | None) -> dict[str, Any]:
    """Returns a step's tree as JSON, with the name of the file that holds its bytes."""
    value: dict[str, Any] = {
        "format": record.format,
        "source": record.source,
        "status": record.status.value,
        "fit": fit.value,
    }
    if file is not None:
        value["file"] = file
    for name in ("requested", "answered"):
        if moment := plain(getattr(record, name)):
            value[name] = moment
    if record.size is not None:
        value["size"] = [record.size.width, record.size.height]
    if record.rotation is not None:
        value["rotation"] = record.rotation
    if record.detail:
        value["detail"] = record.detail
    return value


def tree_from_json(
    value: Any, name: str, data: Callable[[str], bytes]
) -> tuple[TreeRecord, TreeFit]:
    """Returns a step's tree; `data` reads the file of its bytes.

    Raises:
        BadValue: it is not a tree.
    """
    taker = FieldReader(value, name)
    file = taker.maybe("file", str)
    sized = taker.maybe("size", list)
    fit = taker.maybe("fit", str)
    source = taker.maybe("source", str)
    record = TreeRecord(
        format=taker.needed("format", str),
        data=data(file) if file is not None else b"",
        source="import" if source is None else source,
        status=_choice(TreeStatus, taker.maybe("status", str) or "ok", f"{name}.status"),
        requested=simple(Moment, taker.maybe("requested", dict) or {}, f"{name}.requested"),
        answered=simple(Moment, taker.maybe("answered", dict) or {}, f"{name}.answered"),
        size=_size(sized, f"{name}.size") if sized is not None else None,
        rotation=taker.maybe("rotation", int),
        detail=taker.maybe("detail", str) or "",
    )
    taker.nothing_left()
    return record, _choice(TreeFit, fit, f"{name}.fit") if fit else TreeFit.IMPORTED


def region_to_json(region: Region, mask: str | None) -> dict[str, Any]:
    """Returns a region as JSON, with the name of its mask's file."""
    value: dict[str, Any] = {
        "box": _box_to_json(region.box),
        "provenance": plain(region.provenance),
    }
    if region.mask is not None and mask is not None:
        value["mask"] = {"box": _box_to_json(region.mask.box), "file": mask}
    if region.label:
        value["label"] = region.label
    if region.native is not None:
        value["native"] = plain(region.native)
    if region.status is not Status.PROPOSED:
        value["status"] = region.status.value
    if region.chosen:
        value["chosen"] = True
    if region.author is not None:
        value["author"] = plain(region.author)
    if region.uuid:
        value["uuid"] = region.uuid
    return value


def region_from_json(value: Any, name: str, data: Callable[[str], bytes]) -> Region:
    """Returns a region; `data` reads the file of its mask.

    Raises:
        BadValue: it is not a region.
    """
    taker = FieldReader(value, name)
    mask = taker.maybe("mask", dict)
    native = taker.maybe("native", dict)
    author = taker.maybe("author", dict)
    region = Region(
        box=_box(taker.maybe("box", list), f"{name}.box"),
        provenance=simple(
            Provenance,
            taker.maybe("provenance", dict) or {"source": "import"},
            f"{name}.provenance",
        ),
        label=taker.maybe("label", str) or "",
        mask=_mask(mask, f"{name}.mask", data) if mask is not None else None,
        native=native_from_json(native, f"{name}.native") if native is not None else None,
        status=_choice(Status, taker.maybe("status", str) or "proposed", f"{name}.status"),
        chosen=bool(taker.maybe("chosen", bool)),
        author=simple(Author, author, f"{name}.author") if author is not None else None,
        uuid=taker.maybe("uuid", str) or "",
    )
    taker.nothing_left()
    return region


def gold_to_json(gold: Gold) -> dict[str, Any]:
    """Returns a further gold action as JSON."""
    value = {
        "number": gold.number,
        "action": action_to_json(gold.action),
        "role": gold.role,
        "reason": gold.reason,
        "status": gold.status.value,
    }
    if gold.author is not None:
        value["author"] = plain(gold.author)
    if gold.native is not None:
        value["native"] = plain(gold.native)
    return value


def gold_from_json(value: Any, name: str) -> Gold:
    """Returns a further gold action.

    Raises:
        BadValue: it is none.
    """
    taker = FieldReader(value, name)
    author = taker.maybe("author", dict)
    native = taker.maybe("native", dict)
    role = taker.maybe("role", str)
    number = taker.needed("number", int)
    if number < 1:
        raise BadValue(f"{name}.number: {number} is not 1 or more")
    gold = Gold(
        number=number,
        action=action_from_json(taker.needed("action", dict)),
        role="alternative" if role is None else one_of(role, GOLD_ROLES, f"{name}.role"),
        reason=taker.maybe("reason", str) or "",
        status=_choice(Status, taker.maybe("status", str) or "accepted", f"{name}.status"),
        author=simple(Author, author, f"{name}.author") if author is not None else None,
        native=native_from_json(native, f"{name}.native") if native is not None else None,
    )
    taker.nothing_left()
    return gold


class FieldReader:
    """The members of one JSON object, taken out one by one."""

    def __init__(self, value: Any, name: str) -> None:
        if not isinstance(value, Mapping):
            raise BadValue(f"{name}: is not an object")
        self._left = dict(value)
        self._name = name

    def maybe(self, key: str, kind: type[T]) -> T | None:
        """Returns a member and marks it as used; None if missing or null."""
        found = self._left.pop(key, None)
        if found is None:
            return None
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            raise BadValue(f"{self._name}.{key}: is not {_KIND_NAMES[kind]}")
        if isinstance(found, int) and abs(found) > MAX_WHOLE:
            raise BadValue(f"{self._name}.{key}: is too large a number")
        return found

    def needed(self, key: str, kind: type[T]) -> T:
        """Takes a member that must be there."""
        found = self.maybe(key, kind)
        if found is None:
            raise BadValue(f"{self._name}.{key}: is missing")
        return found

    def nothing_left(self) -> None:
        """Refuses unused members."""
        if self._left:
            raise BadValue(f"{self._name}.{min(self._left)[:40]}: is not a field")


_KIND_NAMES: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def _choice(kind: Callable[[str], T], word: str, name: str) -> T:
    try:
        return kind(word)
    except ValueError:
        raise BadValue(f"{name}: “{word[:40]}” is not one of the known words") from None


def _size(value: list[Any], name: str) -> Size:
    match value:
        case [int(width), int(height)] if (
            not isinstance(width, bool) and not isinstance(height, bool) and min(width, height) > 0
        ):
            if max(width, height) > MAX_SIDE:
                raise BadValue(f"{name}: is more than {MAX_SIDE} along a side")
            return Size(width, height)
    raise BadValue(f"{name}: is not [width, height]")


def _box_to_json(box: Box | None) -> list[float] | None:
    return None if box is None else [box.left, box.top, box.right, box.bottom]


def _box(value: list[Any] | None, name: str) -> Box | None:
    if value is None:
        return None
    try:
        left, top, right, bottom = msgspec.convert(value, tuple[float, float, float, float])
    except msgspec.ValidationError as error:
        raise BadValue(f"{name}: {error}") from error
    return Box(left, top, right, bottom)


def _mask(value: dict[str, Any], name: str, data: Callable[[str], bytes]) -> Mask:
    taker = FieldReader(value, name)
    box = _box(taker.needed("box", list), f"{name}.box")
    assert box is not None
    png = data(taker.needed("file", str))
    if fault := mask_problem(png):
        raise BadValue(f"{name}.file: {fault}")
    mask = Mask(box, png)
    taker.nothing_left()
    return mask
