"""What is asked of a segmenter and what it answers, as plain values.

Nothing here depends on torch, SAM 2, processes or libraries: code that fills a queue, chooses among
candidates or draws masks needs no more than this module. All places are pixels of one frame.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.annotations import Provenance, RegionSource
from episodes.geometry import Box, Point


@dataclass(frozen=True, slots=True)
class ModelId:
    """Which weights answered.

    Attributes:
        name: "sam2.1_hiera_tiny"; for unlisted weights, the file's name.
        checkpoint: sha256 of the file the weights were read from, as 64 hexadecimal digits.
        listed: whether that sha256 is one of the table of published checkpoints.
    """

    name: str
    checkpoint: str
    listed: bool = True

    @property
    def version(self) -> str:
        """How provenance names the weights: the first digits of the sha256, "unlisted" if so."""
        short = self.checkpoint[:12]
        return short if self.listed else f"unlisted {short}"


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture to segment.

    Attributes:
        sha256: of the picture file's bytes; what is kept of the frame is filed under it.
        path: a PNG or JPEG file.
    """

    sha256: str
    path: Path


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is meant, as a person or a recorded press points at it.

    Attributes:
        points: places inside of what is meant.
        avoid: places outside of it.
        box: a rectangle around it.
    """

    points: tuple[Point, ...] = ()
    avoid: tuple[Point, ...] = ()
    box: Box | None = None

    def __post_init__(self) -> None:
        if not self.points and self.box is None:
            raise ValueError("a prompt needs a point inside of what is meant, or a box around it")

    def as_json(self) -> str:
        """Returns the prompt as `Provenance.prompts` keeps it."""
        value: dict[str, Any] = {"points": [[one.x, one.y] for one in self.points]}
        if self.avoid:
            value["avoid"] = [[one.x, one.y] for one in self.avoid]
        if self.box is not None:
            value["box"] = [self.box.left, self.box.top, self.box.right, self.box.bottom]
        return json.dumps(value, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class MaskProposal:
    """One mask: the connected part that the prompt is on, without specks elsewhere.

    Attributes:
        box: the mask's edges, whole pixels; never empty.
        runs: the mask inside `box`, column by column from the left, each from its top: lengths of
            runs outside, inside, outside, ... (the order of COCO's counts).
        polygons: outlines of the mask, in frame pixels, the largest first; holes are left out.
        score: the IoU the model itself expects, 0..1.
        stability: IoU of the masks cut at +1 and at -1 instead of 0, 0..1; 1 is a sharp edge.
        area: pixels inside the mask.
        sides: how many of the view's four sides the mask touches.
    """

    box: Box
    runs: tuple[int, ...]
    polygons: tuple[tuple[Point, ...], ...]
    score: float
    stability: float
    area: int
    sides: int


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a segmenter answers to one prompt.

    Attributes:
        view: the part of the frame the model was shown, whole pixels.
        masks: up to three, as the model orders them.
        refused: for each mask that could not be used, why ("mask 2 is empty").
        warm: whether the frame's embedding was there already.
        seconds: what it took, waiting in a queue not counted.
    """

    model: ModelId
    frame: str
    view: Box
    prompt: Prompt
    masks: tuple[MaskProposal, ...]
    refused: tuple[str, ...] = ()
    warm: bool = False
    seconds: float = 0.0

    def provenance(self, mask: MaskProposal) -> Provenance:
        """Returns where a region made of this mask comes from."""
        return Provenance(
            RegionSource.SAM2,
            model=self.model.name,
            version=self.model.version,
            prompts=self.prompt.as_json(),
            score=mask.score,
        )
