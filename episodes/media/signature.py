"""Whether two screens look the same, through a video codec's noise.

A screen's brightness is made eight times smaller by area averaging. Two screens differ when any
one pixel of that differs by 16 or more of 255: an unchanged screen stays below 7 after H.264 at
8 Mb/s, and a text cursor or a typed letter changes one by 37 or more. Means and hashes miss those.

A signature, the form that is stored with a still, is the small picture as a grey PNG.
"""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from episodes.media.pictures import decode, encode_png

SHRINK = 8
THRESHOLD = 16

Luma = NDArray[np.uint8]


def blocks(luma: Luma) -> Luma:
    """Returns brightness (height, width) as (height / 8, width / 8), rounded up."""
    height, width = (-(-side // SHRINK) for side in luma.shape)
    return cast(Luma, cv2.resize(luma, (width, height), interpolation=cv2.INTER_AREA))


def blocks_differ(one: Luma, other: Luma) -> bool:
    """Returns whether two small pictures show different screens; other sizes always do."""
    if one.shape != other.shape:
        return True
    return int(cv2.absdiff(one, other).max()) >= THRESHOLD


def signature(luma: Luma) -> bytes:
    """Returns the stored form of a screen's brightness (height, width)."""
    return encode_png(blocks(luma))


def differs(one: bytes, other: bytes) -> bool:
    """Returns whether two signatures are of different screens.

    Raises:
        KnownError: one of them is not a signature.
    """
    if one == other:
        return False
    return blocks_differ(decode(one)[..., 0], decode(other)[..., 0])


def luma_of(pixels: NDArray[np.uint8]) -> Luma:
    """Returns the brightness of a still's pixels (height, width, 3), red first."""
    return cast(Luma, cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
