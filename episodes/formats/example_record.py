"""A record's features for a reader: one by one, with what was odd, and what to keep beside.

A reader makes of a record what it understands, makes the features again as the writer will, and
keeps those that differ. So what is not understood is written back unchanged.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from episodes.formats.example import Feature, equal_features, from_json, to_json
from episodes.wire import BadWire

MAX_TEXT = 100_000


class BadRecord(Exception):
    """A record lacks what it needs; the text says what."""


class Record:
    """The features of one record, decoded as they are asked for."""

    def __init__(self, features: Mapping[str, Feature]) -> None:
        self.features = features
        self.odd: list[str] = []

    def whole(self, name: str) -> int | None:
        """Returns the one number of a feature; None if it has not one."""
        found = self._list(name, Feature.ints)
        if len(found) > 1:
            self.odd.append(f"{name} has {len(found)} numbers; the first is taken")
        return found[0] if found else None

    def text(self, name: str) -> str:
        """Returns the one text of a feature; "" if it has none."""
        found = self.texts(name)
        if len(found) > 1:
            self.odd.append(f"{name} has {len(found)} texts; the first is taken")
        return found[0] if found else ""

    def texts(self, name: str) -> list[str]:
        """Returns the texts of a feature; what is not UTF-8 in them is replaced, and noted."""
        found = []
        for value in self._list(name, Feature.bytes_values):
            if len(value) > MAX_TEXT:
                raise BadRecord(f"{name} has {len(value)} bytes; at most {MAX_TEXT} are read")
            words = bytes(value)
            text = words.decode(errors="replace")
            if text.encode() != words:
                self.odd.append(f"{name} is not UTF-8; its bytes are stored with the step")
            found.append(text)
        return found

    def floats(self, name: str) -> list[Any]:
        """Returns the float32 of a feature as JSON can hold them."""
        return [_told(number) for number in self._list(name, Feature.floats)]

    def wholes(self, name: str) -> list[int]:
        """Returns the numbers of a feature."""
        return self._list(name, Feature.ints)

    def pieces(self, name: str) -> list[memoryview]:
        """Returns the bytes of a feature, as views of the record."""
        return self._list(name, Feature.bytes_values)

    def _list(self, name: str, read: Any) -> list[Any]:
        feature = self.features.get(name)
        if feature is None:
            return []
        try:
            found: list[Any] = read(feature)
        except BadWire as error:
            self.odd.append(f"{name} cannot be read ({error}); its bytes are stored with the step")
            return []
        return found


def features_not_restored(
    features: Mapping[str, Feature], again: Mapping[str, Feature], never: tuple[str, ...]
) -> dict[str, Any]:
    """Returns, as JSON values, which features would not come out `again` as they are.

    Args:
        never: features that are not looked at.
    """
    odd = {
        name: to_json(feature)
        for name, feature in sorted(features.items())
        if name not in never and not equal_features(feature, again.get(name))
    }
    lacking = sorted(again.keys() - features.keys())
    return {key: held for key, held in (("features", odd), ("lacking", lacking)) if held}


def restore_features(
    features: dict[str, Feature], extra: str, never: tuple[str, ...]
) -> dict[str, Feature]:
    """Returns the features with the values that `features_not_restored` kept, except `never`."""
    told = json.loads(extra) if extra else {}
    kept = told.get("features") if isinstance(told, dict) else None
    lacking = told.get("lacking") if isinstance(told, dict) else None
    found = {
        name: feature
        for name, feature in features.items()
        if not isinstance(lacking, list) or name not in lacking or name in never
    }
    for name, one in kept.items() if isinstance(kept, dict) else ():
        feature = from_json(one)
        if feature is not None and name not in never:
            found[name] = feature
    return found


def _told(number: float) -> float | str:
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
