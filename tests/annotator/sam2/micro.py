"""A SAM 2 of a million parameters, and the one screen it has learned by heart.

It is the real package's model and the packaged tiny configuration, made small; the weights beside
this file are our own, made by `python -m tools.train_micro_sam2`. It knows nothing of any other
screen: what it is good for is to fail as soon as a coordinate, a colour or a cache is mixed up.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from annotator.sam2.checkpoints import Weights
from annotator.sam2.values import ModelId
from episodes.geometry import Box, Point, Size

FILE = Path(__file__).with_name("micro.pt")
SHA256 = "5e9183a14264b423e793963f46a9eae284cba4ffec31e4d698171aa2a3b67cf0"
CONFIG = "configs/sam2.1/sam2.1_hiera_t.yaml"
OVERRIDES = tuple(
    f"++model.{change}"
    for change in (
        "image_size=256",
        "image_encoder.trunk.embed_dim=16",
        "image_encoder.trunk.stages=[1,1,2,1]",
        "image_encoder.trunk.global_att_blocks=[3]",
        "image_encoder.neck.backbone_channel_list=[128,64,32,16]",
        "image_encoder.neck.d_model=32",
        "image_encoder.neck.position_encoding.num_pos_feats=32",
        "memory_attention.d_model=32",
        "memory_attention.num_layers=1",
        "memory_attention.layer.d_model=32",
        "memory_attention.layer.dim_feedforward=64",
        "memory_attention.layer.self_attention.embedding_dim=32",
        "memory_attention.layer.cross_attention.embedding_dim=32",
        "memory_attention.layer.cross_attention.kv_in_dim=16",
        "memory_encoder.out_dim=16",
        "memory_encoder.position_encoding.num_pos_feats=16",
        "memory_encoder.fuser.layer.dim=32",
        "memory_encoder.fuser.num_layers=1",
    )
)
Picture = npt.NDArray[np.uint8]

SIZE = Size(540, 1200)


def weights(path: Path = FILE) -> Weights:
    """The micro model as the loader takes it."""
    return Weights(path, ModelId("micro", SHA256), CONFIG, OVERRIDES)


ELEMENTS = {  # name -> box and colour: a header, a search field, cards, rows, buttons, a bar
    "menu": (Box(12, 60, 108, 156), (236, 64, 122)),
    "search": (Box(124, 60, 528, 156), (255, 255, 255)),
    "banner": (Box(24, 188, 516, 340), (63, 81, 181)),
    "left card": (Box(24, 372, 258, 532), (0, 150, 136)),
    "right card": (Box(282, 372, 516, 532), (255, 193, 7)),
    "first row": (Box(0, 564, 540, 660), (225, 232, 240)),
    "second row": (Box(0, 676, 540, 772), (200, 230, 201)),
    "cancel": (Box(36, 824, 240, 920), (120, 120, 120)),
    "send": (Box(300, 824, 504, 920), (244, 81, 30)),
    "bar": (Box(0, 1080, 540, 1200), (38, 50, 56)),
}


def screen() -> Picture:
    """The screen: 1200 x 540 x red, green, blue."""
    pixels = np.full((SIZE.height, SIZE.width, 3), (245, 245, 250), np.uint8)
    _fill(pixels, Box(0, 0, 540, 40), (26, 35, 126))
    for at, (box, colour) in enumerate(ELEMENTS.values()):
        _fill(pixels, box, colour)
        _scribble(pixels, box, at)
    return pixels


def clicks(each: int, seed: int) -> list[tuple[Box, Point]]:
    """Presses on the screen with the box of what they mean, `each` for every element."""
    chance = np.random.default_rng(seed)
    found = []
    for box, _ in ELEMENTS.values():
        for u, v in chance.uniform(0.12, 0.88, (each, 2)).tolist():
            found.append((box, Point(box.left + u * box.width, box.top + v * box.height)))
    return found


def _scribble(pixels: Picture, box: Box, seed: int) -> None:
    """Draws what looks like a line of words, so that a thing is not one plain colour."""
    chance = np.random.default_rng(seed)
    dark = pixels[int(box.top) + 2, int(box.left) + 2].mean() < 128
    x, top = box.left + 0.1 * box.width, box.top + 0.4 * box.height
    while (width := int(chance.integers(12, 44))) + x < box.right - 0.1 * box.width:
        colour = (250, 250, 250) if dark else (40, 40, 50)
        _fill(pixels, Box(x, top, x + width, top + 0.2 * box.height), colour)
        x += width + 9


def _fill(pixels: Picture, box: Box, colour: tuple[int, int, int]) -> None:
    pixels[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = colour
