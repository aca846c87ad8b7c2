"""From a step to a prompt for SAM 2, and from its masks to regions as a library keeps them.

A region says all that it was made with: the model, the first digits of its checkpoint's sha256, the
points and the box, the part of the frame that was looked at. The same question put to the same
weights gives the same uuid, in every library, so that an answer is imported once.
"""

from __future__ import annotations

import json
import math
import uuid
from typing import Any

import cv2
import numpy as np

from annotator.evidence import LARGEST_SHARE
from annotator.sam2.masks import mask_pixels
from annotator.sam2.values import MaskProposal, ModelId, Prompt, Proposals
from episodes.actions import Action, DoubleTap, LongPress, Tap, place
from episodes.annotations import Author, Mask, Provenance, Region, RegionSource
from episodes.geometry import Box, Point, Size
from episodes.media.pictures import encode_png

OPEN_SIDES = 3
"""A mask that touches this many sides of the view continues outside of it."""


def press_prompt(action: Action, size: Size) -> Prompt | None:
    """Returns the prompt that a press is; None for all other actions and presses off the frame."""
    if not isinstance(action, Tap | DoubleTap | LongPress):
        return None
    point = place(action)
    if point is None or point not in Box(0, 0, size.width, size.height):
        return None
    return Prompt((point,))


def scale_prompt(prompt: Prompt, frame: Size, picture: Size) -> Prompt:
    """Returns a prompt in pixels of a picture that shows the frame larger or smaller."""
    if frame == picture:
        return prompt
    across, down = picture.width / frame.width, picture.height / frame.height
    return Prompt(
        tuple(_moved(one, across, down) for one in prompt.points),
        tuple(_moved(one, across, down) for one in prompt.avoid),
        None if prompt.box is None else _stretched(prompt.box, across, down),
    )


def make_regions(
    found: Proposals,
    prompt: Prompt,
    episode: str,
    frame: Size,
    picture: Size,
    author: Author | None = None,
) -> list[Region]:
    """Returns the masks as candidates, in pixels of the frame, in the model's order.

    Args:
        found: the answer, in pixels of the picture.
        prompt: what was asked, in pixels of the frame.
        episode: uuid of the step's episode.
        author: who asked; None for a program by itself.
    """
    back = frame.width / picture.width, frame.height / picture.height
    view = found.view if frame == picture else _stretched(found.view, *back)
    regions = []
    for number, mask in enumerate(found.masks, start=1):
        told = prompts_text(prompt, view, number)
        shape = _shape(mask, frame, picture)
        provenance = Provenance(
            RegionSource.SAM2,
            found.model.name,
            found.model.version,
            told,
            score=mask.score,
            stability=mask.stability,
        )
        name = region_uuid(episode, found.frame, found.model, told)
        regions.append(Region(shape.box, provenance, mask=shape, author=author, uuid=name))
    return regions


def prompts_text(prompt: Prompt, view: Box, number: int) -> str:
    """Returns `Provenance.prompts` of a mask: the prompt, what was looked at, and which mask."""
    told: dict[str, Any] = json.loads(prompt.as_json())
    told["view"] = [view.left, view.top, view.right, view.bottom]
    told["mask"] = number
    return json.dumps(told, separators=(",", ":"))


def region_uuid(episode: str, frame: str, model: ModelId, prompts: str) -> str:
    """Returns the uuid of a mask's region, the same whenever it is asked for again."""
    key = f"taptrail:sam2/{episode}/{frame}/{model.name}/{model.checkpoint}/{prompts}"
    return str(uuid.uuid5(uuid.NAMESPACE_URL, key))


def is_usable(mask: MaskProposal, prompt: Prompt, picture: Size) -> bool:
    """Returns whether a mask can be an element: on the press, not huge, not cut off by the view."""
    on_it = not prompt.points or any(one in mask.box for one in prompt.points)
    share = mask.box.area / (picture.width * picture.height)
    return on_it and share <= LARGEST_SHARE and mask.sides < OPEN_SIDES


def _shape(mask: MaskProposal, frame: Size, picture: Size) -> Mask:
    pixels = mask_pixels(mask).astype(np.uint8) * np.uint8(255)
    box = mask.box
    if frame != picture:
        box = _whole(_stretched(box, frame.width / picture.width, frame.height / picture.height))
        size = round(box.width), round(box.height)
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    return Mask(box, encode_png(pixels))


def _moved(point: Point, across: float, down: float) -> Point:
    return Point(point.x * across, point.y * down)


def _stretched(box: Box, across: float, down: float) -> Box:
    return Box(box.left * across, box.top * down, box.right * across, box.bottom * down)


def _whole(box: Box) -> Box:
    left, top = math.floor(box.left), math.floor(box.top)
    return Box(left, top, max(left + 1, math.ceil(box.right)), max(top + 1, math.ceil(box.bottom)))
