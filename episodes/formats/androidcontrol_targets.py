"""What was pressed on, beside AndroidControl's actions: a feature that its readers pass over.

The data set says where a press was and not on what. Where somebody has chosen a target, a record
gets the feature `target_elements`: for each step a JSON text, empty where nothing is known,

    {"box":[420,160,520,224],"label":"Save"}

with whole pixels of the screenshot: left, top, and right and bottom just outside.
"""

from __future__ import annotations

import json
import uuid
from typing import Any

from episodes.actions import LongPress, Tap
from episodes.annotations import Provenance, Region, RegionSource, Status
from episodes.formats.input_files import json_value
from episodes.geometry import Box, Size
from episodes.steps import Step

TARGETS = "target_elements"
MAX_LABEL = 1_000
FARTHEST = 10**9


def target_text(step: Step, size: Size | None) -> str:
    """Returns a step's target as the feature holds it; "" if there is none.

    Args:
        size: of the step's screenshot.
    """
    target = step.target
    if target is None or target.box is None or step.frame is None or size is None:
        return ""
    if not isinstance(step.action, Tap | LongPress):
        return ""
    across, down = size.width / step.frame.size.width, size.height / step.frame.size.height
    box = target.box
    edges = (box.left * across, box.top * down, box.right * across, box.bottom * down)
    if not all(abs(edge) <= FARTHEST for edge in edges):
        return ""
    left, top, right, bottom = map(round, edges)
    if right <= left or bottom <= top:
        return ""
    told = {"box": [left, top, right, bottom], "label": target.label[:MAX_LABEL]}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def target_region(text: str, episode: str, index: int) -> Region | None:
    """Returns the target in a text of the feature; None for "".

    Args:
        episode: name of the episode, which the region's uuid is made from.

    Raises:
        ValueError: it contains none, in a few words.
    """
    if not text:
        return None
    told = json_value(text.encode())
    if not isinstance(told, dict) or not _edges(told.get("box")):
        raise ValueError("it has no box of four whole numbers")
    left, top, right, bottom = told["box"]
    if right <= left or bottom <= top:
        raise ValueError("its box is empty")
    label = told.get("label", "")
    if not isinstance(label, str) or len(label) > MAX_LABEL:
        raise ValueError("its label is no short text")
    return Region(
        Box(left, top, right, bottom),
        Provenance(RegionSource.IMPORT, model=TARGETS),
        label,
        status=Status.ACCEPTED,
        chosen=True,
        uuid=str(
            uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:androidcontrol/{episode}/{index}/target")
        ),
    )


def _edges(told: Any) -> bool:
    return (
        isinstance(told, list)
        and len(told) == 4
        and all(type(edge) is int and abs(edge) <= FARTHEST for edge in told)
    )
