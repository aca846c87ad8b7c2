"""Masks that come from files: looked at before they are believed, each once.

A file may name one mask for a thousand regions, and one of few bytes may have many pixels.
"""

from __future__ import annotations

import hashlib

from episodes.errors import KnownError
from episodes.media import pictures

MAX_MASK_PIXELS = 16_000_000
"""No screen has as many."""
REMEMBERED = 256

_FAULTS: dict[bytes, str] = {}  # of the last masks, by their bytes' SHA-256


def mask_problem(png: bytes) -> str:
    """Returns why bytes are not a valid mask; "" if they are."""
    digest = hashlib.sha256(png).digest()
    known = _FAULTS.get(digest)
    if known is None:
        known = _found_fault(png)
        if len(_FAULTS) >= REMEMBERED:
            _FAULTS.clear()
        _FAULTS[digest] = known
    return known


def _found_fault(png: bytes) -> str:
    try:
        told = pictures.header(png)
        if told.media_type != "image/png":
            return "is no PNG"
        if told.size.width * told.size.height > MAX_MASK_PIXELS:
            return f"has {told.size} pixels, and a mask at most {MAX_MASK_PIXELS}"
        pictures.decode(png)
    except KnownError as error:
        return f"is no PNG: {error.found}"
    return ""
