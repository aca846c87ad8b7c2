"""AndroidControl, drawn: TFRecords of the data set's own form, with small pictures and forests.

The records are put together here byte by byte, apart from the code that reads them.
"""

import gzip
import json
from pathlib import Path

from episodes.geometry import Size
from tests.samples.aitw import example, framed, part, varint
from tests.samples.drawn import png

SIZE = Size(36, 80)
SHARD = "android_control-00000-of-00001"
SPLITS = {"train": [20], "validation": [], "test": [7, 9]}
SUBSPLITS = {"IDD": [], "app_unseen": [7], "task_unseen": [7], "category_unseen": [7, 7]}
ACTIONS = (
    '{"action_type":"open_app","app_name":"Zoho Meeting"}',
    '{"action_type": "click", "x": 18, "y": 40}',
    '{"action_type":"scroll","direction":"down"}',
    '{"action_type":"input_text","text":"te\\u00e9"}',
    '{"action_type":"long_press","x":3,"y":79}',
    '{"action_type":"navigate_back"}',
    '{"action_type":"navigate_home"}',
    '{"action_type":"wait"}',
)


def whole(number: int, value: int) -> bytes:
    """Returns a field with a whole number."""
    return varint(number << 3) + varint(value)


def rect(left: int, top: int, right: int, bottom: int) -> bytes:
    """Returns a ProtoRect; zeros are left out."""
    edges = enumerate((left, top, right, bottom), 1)
    return b"".join(whole(number, edge) for number, edge in edges if edge)


def node(number: int, box: tuple, *children: int, **more) -> bytes:
    """Returns a node of a forest; `more` are `f7="text"` and `f14=True`, by field numbers."""
    parts = [whole(1, number)] if number else []
    parts.append(part(2, rect(*box)))
    for name, value in more.items():
        field = int(name[1:])
        parts.append(part(field, value.encode()) if isinstance(value, str) else whole(field, value))
    if children:
        parts.append(part(25, b"".join(map(varint, children))))
    return part(1, b"".join(parts))


def window(layer: int, *nodes: bytes, kind: int = 1, box: tuple = (0, 0, 36, 80)) -> bytes:
    """Returns a window of a forest."""
    told = (part(1, rect(*box)), whole(3, 5 + layer), whole(4, layer), part(5, b"Shop"))
    return part(1, b"".join((*told, whole(6, kind), whole(8, 1), part(11, b"".join(nodes)))))


def forest(words: str = "Buy") -> bytes:
    """Returns a forest of two windows, the upper one first."""
    return window(
        2,
        node(0, (0, 0, 36, 80), 4, 9, f3="android.widget.FrameLayout", f16=True, f23=True),
        node(4, (9, 20, 40, 40), f7=words, f14=True, f16=True, f23=True),
        node(9, (-2, 40, 18, 60), f4="Back", f10="shop:id/back", f23=True),
    ) + window(1, node(0, (0, 0, 36, 4), f23=True), kind=3, box=(0, 0, 36, 4))


def episode(number: int, actions=ACTIONS, **more) -> dict:
    """Returns the features of one record; `more` replaces some. One that is None is left out."""
    count = len(actions) + 1
    features = {
        "accessibility_trees": [forest(f"Buy {n}") for n in range(count)],
        "actions": [action.encode() for action in actions],
        "episode_id": [number],
        "goal": [b" Look at the meetings ."],
        "screenshot_heights": [SIZE.height] * count,
        "screenshot_widths": [SIZE.width] * count,
        "screenshots": [png(SIZE, (number * 9 + n) % 256) for n in range(count)],
        "step_instructions": [f"do {n} ".encode() for n in range(count - 1)],
    }
    features |= more
    return {name: value for name, value in features.items() if value is not None}


def write(folder: Path, episodes: list[dict], name: str = SHARD) -> Path:
    """Writes one GZIP shard and the splits, and returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "splits.json").write_text(json.dumps(SPLITS))
    (folder / "android_control_test_subsplits.json").write_text(json.dumps(SUBSPLITS))
    data = framed(*(example(one) for one in episodes))
    (folder / name).write_bytes(gzip.compress(data, mtime=0))
    return folder
