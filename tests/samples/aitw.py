"""Android in the Wild, drawn: TFRecords of the data set's own form, with small pictures.

The records are put together here byte by byte, apart from the code that reads them.
"""

import gzip
import json
import struct
from pathlib import Path

HEIGHT, WIDTH = 40, 20
SPLITS = {"train": ["7001"], "validation": [], "test": ["00000000000000000042", "7009"]}


def varint(value: int) -> bytes:
    """Returns a whole number as the wire has it."""
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def part(number: int, data: bytes) -> bytes:
    """Returns a field that holds bytes."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def feature(value) -> bytes:
    """Returns a list of whole numbers, of floats, or of bytes, by the type of its first value.

    An empty list is one of bytes, an empty tuple one of floats.
    """
    first = value[0] if value else 0.0 if value == () else b""
    if isinstance(first, int):
        return part(3, part(1, b"".join(map(varint, value))))
    if isinstance(first, float):
        return part(2, part(1, struct.pack(f"<{len(value)}f", *value)) if value else b"")
    return part(1, b"".join(part(1, one) for one in value))


def example(features: dict) -> bytes:
    """Returns a serialised tf.train.Example."""
    entries = (part(1, part(1, k.encode()) + part(2, feature(v))) for k, v in features.items())
    return part(1, b"".join(entries))


def crc(data: bytes) -> int:
    """Returns the masked CRC-32C, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def framed(*records: bytes) -> bytes:
    """Returns a TFRecord."""
    out = b""
    for record in records:
        length = struct.pack("<Q", len(record))
        out += length + struct.pack("<I", crc(length)) + record + struct.pack("<I", crc(record))
    return out


def step(episode: str, number: int, length: int, code: int, **more) -> dict:
    """Returns the features of one record; `more` replaces some, with / written as two underlines.

    A feature that is None is left out.
    """
    shade = (number * 40 + len(episode)) % 256
    features = {
        "android_api_level": [31],
        "current_activity": [b"com.example.shop/com.example.shop.Main"],
        "device_type": [b"PIXEL_3"],
        "episode_id": [episode.encode()],
        "episode_length": [length],
        "goal_info": ["Look for a kettle – a blue one".encode()],
        "image/channels": [3],
        "image/encoded": [bytes((shade, 255 - shade, 7)) * (HEIGHT * WIDTH)],
        "image/height": [HEIGHT],
        "image/ui_annotations_positions": [0.1, 0.25, 0.05, 0.5, 0.5, 0.0, 0.25, 1.0],
        "image/ui_annotations_text": [b"Kettles", b""],
        "image/ui_annotations_ui_types": [b"TEXT", b"ICON_HEART"],
        "image/width": [WIDTH],
        "results/action_type": [code],
        "results/type_action": [b""],
        "results/yx_lift": [-1.0, -1.0],
        "results/yx_touch": [-1.0, -1.0],
        "step_id": [number],
    }
    features |= {name.replace("__", "/"): value for name, value in more.items()}
    return {name: value for name, value in features.items() if value is not None}


def touch(y: float, x: float, y2: float, x2: float) -> dict:
    """Returns the features of a gesture."""
    return {"results__yx_touch": [y, x], "results__yx_lift": [y2, x2]}


def general() -> list[dict]:
    """Returns an episode with a tap, a drag, a text, keys and an end; and one that is impossible.

    The second has no elements on its screen.
    """
    first, second = "00000000000000000042", "7001"
    bare = {
        "image__ui_annotations_positions": (),
        "image__ui_annotations_text": [],
        "image__ui_annotations_ui_types": [],
    }
    return [
        step(first, 0, 6, 4, **touch(0.7761470675468445, 0.70892333984375, 0.776147, 0.708923)),
        step(first, 1, 6, 4, **touch(0.8, 0.5, 0.2, 0.5)),
        step(first, 2, 6, 3, results__type_action=["kettle ☕".encode()]),
        step(first, 3, 6, 7),
        step(first, 4, 6, 5),
        step(first, 5, 6, 10),
        step(second, 0, 2, 6, **bare),
        step(second, 1, 2, 11, **bare),
    ]


def write(folder: Path, steps: list[dict], name: str = "general-00000-of-00001") -> Path:
    """Writes one GZIP shard and the splits, and returns the folder."""
    (folder / "splits").mkdir(parents=True, exist_ok=True)
    (folder / "splits" / "standard.json").write_text(json.dumps(SPLITS))
    records = (example(one) for one in steps)
    (folder / name).write_bytes(gzip.compress(framed(*records), mtime=0))
    return folder
