"""Elements without a hierarchy: what text recognition and icon detection found on a screen.

The bytes of the format "aitw-ocr" are ASCII JSON, numbers and words as the data set has them:

    {"width": 540, "height": 1080, "positions": [[y, x, height, width], ...],
     "texts": ["Settings", ...], "types": ["TEXT", "ICON_HOME", ...]}

Positions are float32 fractions of the screen. They are whole pixels by the screen's size, so boxes
are set on the pixels they are next to.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.trees.values import Node, Tree, TreeWindow

FORMAT = "aitw-ocr"
MAX_BYTES = 32 << 20
MAX_ELEMENTS = 100_000

_NEAR = 0.01  # of a pixel: float32 is that exact on the largest screens


def flat_bytes(
    size: Size, positions: Sequence[Sequence[Any]], texts: Sequence[str], types: Sequence[str]
) -> bytes:
    """Returns the bytes that `read_flat` reads."""
    told = {
        "width": size.width,
        "height": size.height,
        "positions": positions,
        "texts": texts,
        "types": types,
    }
    return json.dumps(told, separators=(",", ":")).encode("ascii")


def flat_value(data: bytes) -> dict[str, Any]:
    """Returns the JSON object in the bytes: width, height, positions, texts and types.

    Raises:
        KnownError: it is another value, too large, or its members are of another type.
    """
    if len(data) > MAX_BYTES:
        raise _refused(f"it has {len(data)} bytes, and at most {MAX_BYTES} are read")
    try:
        told = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _refused("it is not JSON") from error
    match told:
        case {
            "width": int(width),
            "height": int(height),
            "positions": list(positions),
            "texts": list(texts),
            "types": list(types),
        } if 0 < width <= 100_000 and 0 < height <= 100_000:
            pass
        case _:
            raise _refused("it has no size, positions, texts and types")
    if max(len(positions), len(texts), len(types)) > MAX_ELEMENTS:
        raise _refused(f"it has more than {MAX_ELEMENTS} elements")
    if not all(isinstance(words, str) for words in (*texts, *types)):
        raise _refused("one of its texts is no text")
    if not all(isinstance(row, list) and len(row) == 4 for row in positions):
        raise _refused("one of its positions has not four numbers")
    return {
        "width": width,
        "height": height,
        "positions": positions,
        "texts": texts,
        "types": types,
    }


def read_flat(data: bytes) -> Tree:
    """Returns the elements as children of one root that covers the screen.

    An element's type is its class; one without a readable place is there, but not visible.

    Raises:
        KnownError: as `flat_value`.
    """
    told = flat_value(data)
    width, height = told["width"], told["height"]
    screen = Box(0, 0, width, height)
    texts, types = told["texts"], told["types"]
    children = []
    for number, row in enumerate(told["positions"]):
        box = _box(row, width, height)
        words = texts[number] if number < len(texts) else ""
        children.append(
            Node(
                path=(number,),
                class_name=_readable(types[number]) if number < len(types) else "",
                package="",
                resource_id="",
                text=_readable(words),
                description="",
                box=box or Box(0, 0, 0, 0),
                visible=box is not None,
            )
        )
    root = Node((), "", "", "", "", "", screen, children=tuple(children)) if children else None
    return Tree((TreeWindow(0, "", 0, 0, screen, True, root),))


def _box(row: list[Any], width: int, height: int) -> Box | None:
    if not all(
        isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < 1e6 for n in row
    ):
        return None
    y, x, tall, wide = row
    left, right = _pixel(x * width), _pixel((x + wide) * width)
    top, bottom = _pixel(y * height), _pixel((y + tall) * height)
    return Box(left, top, right, bottom)


def _pixel(place: float) -> float:
    near = math.floor(place + 0.5)
    return float(near) if abs(place - near) < _NEAR else place


def _readable(words: str) -> str:
    return words.encode(errors="replace").decode()


def _refused(found: str) -> KnownError:
    return KnownError("read elements without a tree", found, "The bytes are stored unchanged.")
