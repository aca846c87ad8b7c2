"""AITZ, drawn: folders of the data set's own form, with small pictures."""

import json
from pathlib import Path
from typing import Any

from tests.samples.drawn import png

NAME = "00000000000000000042"
STEM = f"GENERAL-{NAME}"


def step(number: int, code: int, **more: Any) -> dict[str, Any]:
    """Returns a step of `NAME`; `more` replaces members, one that is None is left out."""
    row = {
        "episode_id": NAME,
        "episode_length": 4,
        "step_id": number,
        "instruction": "Look for a kettle – a blue one",
        "ui_positions": "[[4, 5, 2, 10], [20, 0, 10, 20]]",
        "ui_text": '["Kettles", "\\u2615"]',
        "ui_types": '["TEXT", "ICON_HEART"]',
        "result_action_type": code,
        "result_action_text": "",
        "result_touch_yx": "[-1.0, -1.0]",
        "result_lift_yx": "[-1.0, -1.0]",
        "image_path": f"general/{STEM}/{STEM}_{number}.png",
        "image_full_path": f"set/train/general/{STEM}/{STEM}_{number}.png",
        "coat_screen_desc": "A shop – with kettles.",
        "coat_action_think": "The blue one is below.",
        "coat_action_desc": "click on the blue kettle",
        "coat_action_result": "It opens.",
    }
    return {key: held for key, held in (row | more).items() if held is not None}


def kettle() -> list[dict[str, Any]]:
    """Returns an episode with a tap, a drag, a text and an end."""
    return [
        step(
            0,
            4,
            result_touch_yx="[0.7761470675468445, 0.70892333984375]",
            result_lift_yx="[0.7761470675468445, 0.70892333984375]",
        ),
        step(
            1,
            4,
            result_touch_yx="[0.8, 0.5]",
            result_lift_yx="[0.2, 0.5]",
            coat_action_desc="scroll up",
        ),
        step(2, 3, result_action_text="kettle ☕", coat_action_desc='type "kettle ☕"'),
        step(3, 10, coat_action_desc="stop and set the query as completed"),
    ]


def write(folder: Path, rows: list[dict[str, Any]], part: str = "test") -> Path:
    """Writes one episode with its pictures, and returns the folder."""
    place = folder / part / "general" / STEM
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{STEM}.json").write_text(json.dumps(rows, indent=4))
    for row in rows:
        number = row.get("step_id")
        if isinstance(number, int):
            (place / f"{STEM}_{number}.png").write_bytes(png(shade=number * 40 % 256))
    return folder
