"""Encodes screenshots as small data URIs for a page."""

from __future__ import annotations

import base64
from typing import cast

import cv2

from episodes.media.pictures import Pixels, decode

WIDTH, HEIGHT = 480, 1200
QUALITIES = (82, 70, 55, 40)
SMALLER = 0.8
LEAST_WIDTH = 64


def data_uri(data: bytes, limit: int) -> str:
    """Returns a picture as a WebP data URI of at most `limit` bytes before base64.

    It is at most 480 x 1200 pixels: twice the size shown on a page. If it has too many bytes, first
    quality is reduced, then size, down to 64 pixels whatever the limit.

    Raises:
        KnownError: the data is not a picture, is damaged, or is too large.
    """
    pixels = decode(data)
    scale = min(1.0, WIDTH / pixels.shape[1], HEIGHT / pixels.shape[0])
    while True:
        small = _resized(pixels, scale)
        for quality in QUALITIES:
            encoded = _webp(small, quality)
            if len(encoded) <= limit or small.shape[1] <= LEAST_WIDTH:
                return "data:image/webp;base64," + base64.b64encode(encoded).decode("ascii")
        scale *= SMALLER


def _resized(pixels: Pixels, scale: float) -> Pixels:
    height, width = pixels.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return cast(Pixels, cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))


def _webp(pixels: Pixels, quality: int) -> bytes:
    blue_first = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    done, data = cv2.imencode(".webp", blue_first, [cv2.IMWRITE_WEBP_QUALITY, quality])
    if not done:
        raise ValueError(f"OpenCV cannot write WebP of the shape {pixels.shape}")
    return bytes(data)
