"""H.264 as a phone's encoder makes it: one session, its config, then a packet a picture.

Colours are BT.601 in limited range, and the stream says so. Nothing here knows scrcpy.
"""

from __future__ import annotations

from fractions import Fraction

import av
import cv2
import numpy as np
from av.video.codeccontext import VideoCodecContext
from av.video.frame import PictureType
from numpy.typing import NDArray

MICROSECONDS = Fraction(1, 1_000_000)
SMPTE_170M = 6
LIMITED = 1
QUALITY = "21"


class Encoder:
    """One encoding session of one size. May be used on one thread at a time.

    Args:
        width, height: size of the video; both even.
        bit_rate: an upper bound, in bits a second.
        frame_rate: a hint for the bound; times are the caller's.
    """

    def __init__(self, width: int, height: int, bit_rate: int, frame_rate: float) -> None:
        self.width = width
        self.height = height
        context = av.CodecContext.create("libx264", "w")
        if not isinstance(context, VideoCodecContext):
            raise AssertionError("libx264 is a video encoder")
        context.width = width
        context.height = height
        context.pix_fmt = "yuv420p"
        context.time_base = MICROSECONDS
        context.framerate = Fraction(frame_rate).limit_denominator(1000)
        context.max_b_frames = 0
        context.thread_count = 1
        context.flags |= av.codec.context.Flags.global_header
        context.color_range = LIMITED
        context.colorspace = SMPTE_170M
        context.color_primaries = SMPTE_170M
        context.color_trc = SMPTE_170M
        context.options = {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "crf": QUALITY,
            "maxrate": str(bit_rate),
            "bufsize": str(bit_rate),
            "forced-idr": "1",
            "x264-params": "keyint=infinite:scenecut=0:log-level=none",
        }
        context.open()
        self._context = context

    @property
    def config(self) -> bytes:
        """SPS and PPS with start codes, to be sent before the first packet."""
        return bytes(self._context.extradata or b"")

    def planes(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A BGRA picture of any size as I420 of the video's size, `(height * 3 // 2, width)`."""
        height, width = pixels.shape[:2]
        if (width, height) != (self.width, self.height):
            pixels = _as_pixels(
                cv2.resize(pixels, (self.width, self.height), interpolation=cv2.INTER_AREA)
            )
        return _as_pixels(cv2.cvtColor(pixels, cv2.COLOR_BGRA2YUV_I420))

    def encode(self, planes: NDArray[np.uint8], pts_us: int, key: bool) -> tuple[bytes, bool]:
        """One packet with start codes, and whether it is a key frame."""
        frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts = pts_us
        frame.time_base = MICROSECONDS
        frame.color_range = LIMITED
        frame.colorspace = SMPTE_170M
        frame.pict_type = PictureType.I if key else PictureType.NONE
        packets = self._context.encode(frame)
        if len(packets) != 1:
            raise AssertionError(f"one picture gave {len(packets)} packets")
        return bytes(packets[0]), bool(packets[0].is_keyframe)


def _as_pixels(array: object) -> NDArray[np.uint8]:
    return np.asarray(array, dtype=np.uint8)
