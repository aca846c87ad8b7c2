"""A small data set in GUIOdyssey's form: our own tasks, pictures of plain colours, two splits."""

import json
from pathlib import Path
from typing import Any

from tests.samples.drawn import png

DEVICE = {
    "product": "sample_phone",
    "release_version": "14",
    "sdk_version": "34",
    "h": 80,
    "w": 36,
    "device_name": "Small Sample",
}


def task(category: str, *apps: str, instruction: str) -> dict[str, Any]:
    return {
        "category": category,
        "app": list(apps),
        "meta_task": "Do {} with {}",
        "task": "Do this with that",
        "instruction": instruction,
    }


def step(number: int, action: str, info: Any, box: Any = ..., **more: Any) -> dict[str, Any]:
    """Returns one step; `box` left out makes it version 1."""
    value = {"step": number, "action": action, "info": info, "ps": ""} | more
    if box is ...:
        return value
    return value | {
        "description": f"Screen {number}.",
        "intention": f"Reason {number}.",
        "context": f"So far {number}.",
        "low_level_instruction": f"Do {number}.",
        "sam2_bbox": box,
    }


def click(x: int, y: int) -> list[list[int]]:
    return [[x, y], [x, y]]


WALK = [
    step(0, "CLICK", click(374, 621), [300, 600, 450, 640], ps="[(374, 621)]"),
    step(1, "SCROLL", [[274, 516], [649, 538]], [], ps="[(274, 516), (649, 538)]"),
    step(2, "TEXT", "oat milk", []),
    step(3, "LONG_PRESS", click(120, 480), [100, 450, 900, 520]),
    step(4, "CLICK", "KEY_HOME", []),
    step(5, "CLICK", click(858, 640), None),
    step(6, "COMPLETE", "", []),
]
STOP = [
    step(0, "CLICK", "KEY_APPSELECT", []),
    step(1, "CLICK", click(500, 500), []),
    step(2, "CLICK", "KEY_BACK", []),
    step(3, "SCROLL", [[500, 800], [500, 200]], []),
    step(4, "TEXT", "", []),
    step(5, "INCOMPLETE", "", [], ps="The shop does not deliver here"),
]
OLD = [
    step(0, "CLICK", click(10, 990)),
    step(1, "SCROLL", [[500, 500], [500, 500]]),
    step(2, "TEXT", "天气 ☂"),
    step(3, "CLICK", "KEY_HOME"),
    step(4, "LONG_PRESS", [[250.5, 333.25], [250.5, 333.25]]),
    step(5, "COMPLETE", ""),
]


def annotation(
    name: str, steps: list[dict[str, Any]], about: dict[str, Any], **more: Any
) -> dict[str, Any]:
    named = [value | {"screenshot": f"{name}_{value['step']}.png"} for value in steps]
    return {
        "episode_id": name,
        "device_info": DEVICE,
        "task_info": about,
        "step_length": len(steps),
        "steps": named,
    } | more


MILK = annotation(
    "0019000000000001",
    WALK,
    task("Multi_Apps", "Notes", "Shop", instruction="Note down oat milk, then look it up."),
)
SHOP = annotation(
    "2000000000000002",
    STOP,
    task("Web_Shopping", "Shop", instruction="Order oat milk to the garden."),
)
RAIN = annotation(
    "0000000000000003",
    OLD,
    task("General_Tool", "Weather", instruction="Will it rain?"),
)
SPLITS = {
    "random": {"train": ["2000000000000002.json"], "test": ["0019000000000001.json"]},
    "app": {"train": ["0019000000000001.json", "2000000000000002.json"], "test": []},
}


def write(
    folder: Path,
    annotations: list[dict[str, Any]],
    splits: dict[str, Any] | None = None,
    pictures: bool = True,
) -> Path:
    """Writes a data set's folder and returns it."""
    for part in ("annotations", "screenshots", "splits"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for number, value in enumerate(annotations):
        name = value["episode_id"]
        (folder / "annotations" / f"{name}.json").write_text(json.dumps(value, indent=1))
        for held in value["steps"] if pictures else ():
            shade = (40 * number + 17 * held["step"]) % 256
            (folder / "screenshots" / held["screenshot"]).write_bytes(png(shade=shade))
    for split, parts in (splits or {}).items():
        (folder / "splits" / f"{split}_split.json").write_text(json.dumps(parts))
    return folder


def version_2(folder: Path) -> Path:
    """Two episodes of 7 and 6 steps with regions, texts and splits."""
    return write(folder, [MILK, SHOP], SPLITS)


def version_1(folder: Path) -> Path:
    """One episode of 6 steps."""
    return write(folder, [RAIN])
