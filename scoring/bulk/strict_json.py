"""Decodes many JSON texts of one form; texts of another form give None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

_REFUSED = (msgspec.MsgspecError, ValueError, RecursionError)


def decoded(decoder: msgspec.json.Decoder[Any], texts: Sequence[str | None]) -> list[Any]:
    """Returns the decoded value of each text; None if it does not fit."""
    told = [text for text in texts if text is not None]
    if len(told) == len(texts):
        try:
            found = decoder.decode_lines("\n".join(told))
        except _REFUSED:
            found = []
        if len(found) == len(texts):
            return list(found)
    return [_one(decoder, text) for text in texts]


def _one(decoder: msgspec.json.Decoder[Any], text: str | None) -> Any:
    if text is None:
        return None
    try:
        return decoder.decode(text)
    except _REFUSED:
        return None
