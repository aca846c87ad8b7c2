"""`tf.train.Example`, the message that TFRecord data sets are made of: named lists of values.

    Example { Features features = 1 }      Features { map<string, Feature> feature = 1 }
    Feature { oneof: BytesList = 1, FloatList = 2, Int64List = 3 }, each { repeated value = 1 }

A feature is decoded when it is asked for, so that unused pictures cost nothing.

Source: tensorflow/core/example/example.proto and feature.proto of tensorflow/tensorflow.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from episodes.wire import BYTES, FIXED32, VARINT, BadWire, bytes_head, fields, signed, varints
from episodes.wire import as_varints as _as_varints
from episodes.wire import bytes_field as _field

MAX_FEATURES = 1_000
MAX_VALUES = 500_000


class FeatureKind(StrEnum):
    """What a feature is a list of."""

    BYTES = "bytes"
    FLOAT = "float"
    INT64 = "int64"
    NONE = "none"


_KINDS = {1: FeatureKind.BYTES, 2: FeatureKind.FLOAT, 3: FeatureKind.INT64}
_NUMBERS = {kind: number for number, kind in _KINDS.items()}


@dataclass(frozen=True, slots=True)
class Feature:
    """A list of values in the file's encoding."""

    kind: FeatureKind
    data: memoryview

    @classmethod
    def of_bytes(cls, values: Iterable[bytes]) -> Feature:
        """Makes a list of bytes."""
        return cls(FeatureKind.BYTES, memoryview(b"".join(_field(1, value) for value in values)))

    @classmethod
    def of_texts(cls, values: Iterable[str]) -> Feature:
        """Makes a list of texts in UTF-8; half a character becomes a question mark."""
        return cls.of_bytes(value.encode(errors="replace") for value in values)

    @classmethod
    def of_ints(cls, values: Iterable[int]) -> Feature:
        """Makes a list of whole numbers of 64 bits."""
        packed = _as_varints(values)
        return cls(FeatureKind.INT64, memoryview(_field(1, packed) if packed else b""))

    @classmethod
    def of_floats(cls, values: Iterable[float]) -> Feature:
        """Makes a list of float32, each the nearest to the number given."""
        with np.errstate(over="ignore", invalid="ignore"):
            packed = np.array(list(values), dtype=np.float64).astype("<f4").tobytes()
        return cls(FeatureKind.FLOAT, memoryview(_field(1, packed) if packed else b""))

    def bytes_values(self) -> list[memoryview]:
        """Returns the list of bytes; views of the record.

        Raises:
            BadWire: it is a list of something else, or damaged.
        """
        self._must_be(FeatureKind.BYTES)
        found: list[memoryview] = []
        for number, kind, value in fields(self.data):
            if number != 1 or kind != BYTES or isinstance(value, int):
                raise BadWire("a list of bytes holds something else")
            found.append(value)
        return found

    def ints(self) -> list[int]:
        """Returns the list of whole numbers.

        Raises:
            BadWire: it is a list of something else, or damaged.
        """
        self._must_be(FeatureKind.INT64)
        found: list[int] = []
        for number, kind, value in fields(self.data):
            if number != 1 or kind not in (VARINT, BYTES):
                raise BadWire("a list of whole numbers holds something else")
            if isinstance(value, int):
                found.append(value)
            else:
                found += varints(value, MAX_VALUES - len(found))
            if len(found) > MAX_VALUES:
                raise BadWire(f"there are more than {MAX_VALUES} numbers")
        return [signed(value) for value in found]

    def floats(self) -> list[float]:
        """Returns the list of float32, exactly.

        Raises:
            BadWire: it is a list of something else, or damaged.
        """
        self._must_be(FeatureKind.FLOAT)
        parts: list[memoryview] = []
        length = 0
        for number, kind, value in fields(self.data):
            if number != 1 or kind not in (FIXED32, BYTES) or isinstance(value, int):
                raise BadWire("a list of floats holds something else")
            if len(value) % 4:
                raise BadWire("a float is cut off")
            parts.append(value)
            length += len(value)
            if length > MAX_VALUES * 4:
                raise BadWire(f"there are more than {MAX_VALUES} numbers")
        found: list[float] = np.frombuffer(b"".join(parts), dtype="<f4").astype(np.float64).tolist()
        return found

    def _must_be(self, kind: FeatureKind) -> None:
        if self.kind not in (kind, FeatureKind.NONE) and self.data:
            raise BadWire(f"it is a list of {self.kind}, not of {kind}")


def read_example(data: bytes) -> dict[str, Feature]:
    """Returns the features of a record, not decoded.

    Raises:
        BadWire: the bytes are not an Example, or it has more than `MAX_FEATURES`.
    """
    found: dict[str, Feature] = {}
    count = 0
    for number, kind, value in fields(memoryview(data)):
        if number != 1 or kind != BYTES or isinstance(value, int):
            continue
        for inner, inner_kind, entry in fields(value):
            if inner != 1 or inner_kind != BYTES or isinstance(entry, int):
                continue
            count += 1
            if count > MAX_FEATURES:
                raise BadWire(f"it has more than {MAX_FEATURES} features")
            name, feature = _entry(entry)
            found[name] = feature
    return found


def write_example(features: Mapping[str, Feature]) -> bytes:
    """Returns a record with these features, ordered by their names.

    Their bytes are copied once: a picture of raw pixels may have 192 MB.
    """
    parts: list[bytes | memoryview] = []
    for name in sorted(features):
        feature = features[name]
        key, values, size = _field(1, name.encode(errors="replace")), b"", 0
        if feature.kind is not FeatureKind.NONE:
            size = len(feature.data)
            values = bytes_head(_NUMBERS[feature.kind], size)
        told = bytes_head(2, len(values) + size)
        entry = bytes_head(1, len(key) + len(told) + len(values) + size)
        parts += (entry, key, told, values, feature.data[:size])
    return b"".join((bytes_head(1, sum(map(len, parts))), *parts))


def equal_features(one: Feature | None, other: Feature | None) -> bool:
    """Whether two features hold the same values, bit for bit, however they are packed."""
    if one is None or other is None:
        return one is other
    if one.kind is not other.kind:
        return False
    if one.data == other.data:
        return True
    try:
        if one.kind is FeatureKind.BYTES:
            return one.bytes_values() == other.bytes_values()
        if one.kind is FeatureKind.INT64:
            return one.ints() == other.ints()
        return _bits(one) == _bits(other)
    except BadWire:
        return False


def to_json(feature: Feature) -> dict[str, Any]:
    """Returns a feature as JSON values: its kind, and its bytes as they lie in the file."""
    return {"kind": feature.kind.value, "base64": base64.b64encode(feature.data).decode()}


def from_json(told: Any) -> Feature | None:
    """Returns the feature of what `to_json` made; None for anything else."""
    match told:
        case {"kind": str(kind), "base64": str(text)} if kind in {k.value for k in FeatureKind}:
            try:
                return Feature(FeatureKind(kind), memoryview(base64.b64decode(text, validate=True)))
            except (binascii.Error, ValueError):
                return None
    return None


def _bits(feature: Feature) -> bytes:
    return np.array(feature.floats(), dtype="<f4").tobytes()


def _entry(data: memoryview) -> tuple[str, Feature]:
    name, feature = "", Feature(FeatureKind.NONE, memoryview(b""))
    for number, kind, value in fields(data):
        if kind != BYTES or isinstance(value, int):
            continue
        if number == 1:
            try:
                name = str(value, "utf-8")
            except UnicodeDecodeError as error:
                raise BadWire("a feature's name is not UTF-8") from error
        elif number == 2:
            for inner, inner_kind, held in fields(value):
                if inner in _KINDS and inner_kind == BYTES and not isinstance(held, int):
                    feature = Feature(_KINDS[inner], held)
    return name, feature
