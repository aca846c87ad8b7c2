"""One step of AITZ as the JSON object its files hold.

The data set's numbers are kept beside the pixels, space "aitz": those of "aitw", with boxes in
pixels of the picture, y before x, and "description", its sentence about the action, which its
evaluator reads.

Source: data-example/ and coat/evaluate.py of IMNearth/CoAT at 9ab1a9f.
"""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.reading import plain_name
from episodes.steps import Step
from episodes.trees import flat

NAME = "aitz"
SPACE = "aitz"
TEXTS = {
    "coat_screen_desc": "description",
    "coat_action_think": "intention",
    "coat_action_desc": "instruction",
}
"""The data set's words about a step, and what they are here."""
OF_SCREEN = ("ui_positions", "ui_text", "ui_types")
BESIDE = "taptrail_absent"
"""In a step's `extra`: those members that its file does not have."""
SUBSET = "general"  # of episodes whose category cannot be a folder's name


def subset_of(episode: Episode) -> str:
    """Returns the folder of an episode's subset."""
    return episode.task.category if plain_name(episode.task.category) else SUBSET


def stem_of(episode: Episode) -> str:
    """Returns the name an episode's folder, file and pictures begin with, "GENERAL-1217"."""
    if episode.origin.dataset == NAME:
        stem = PurePosixPath(episode.origin.file).stem
        if plain_name(f"{stem}_0000.json") and stem.endswith(episode.name):
            return stem
    return f"{subset_of(episode).upper()}-{episode.name}"


def row_of(step: Step, episode: Episode, stem: str) -> dict[str, Any]:
    """Returns the members of a step that has the data set's own numbers."""
    told = step.native.value if step.native is not None else {}
    boxes = told.get("boxes", [])
    texts, types = _words(step, len(boxes))
    named = step.frame.native if step.frame is not None else None
    row = {
        "episode_id": episode.name,
        "episode_length": episode.declared_steps,
        "step_id": step.index,
        "instruction": episode.task.instruction,
        "ui_positions": json.dumps(boxes),
        "ui_text": json.dumps(texts),
        "ui_types": json.dumps(types),
        "result_action_type": told.get("action_type"),
        "result_action_text": told.get("text", ""),
        "result_touch_yx": json.dumps(told.get("touch", [-1.0, -1.0])),
        "result_lift_yx": json.dumps(told.get("lift", [-1.0, -1.0])),
        "image_path": named or f"{subset_of(episode)}/{stem}/{stem}_{step.index}.png",
    }
    return row | {key: getattr(step.texts, ours) for key, ours in TEXTS.items()}


def _words(step: Step, count: int) -> tuple[list[str], list[str]]:
    if step.tree is not None and step.tree.record.format == flat.FORMAT:
        try:
            told = flat.flat_value(step.tree.record.data)
        except KnownError:
            pass
        else:
            return told["texts"], told["types"]
    return [""] * count, [""] * count
