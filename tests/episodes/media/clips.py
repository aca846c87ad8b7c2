"""Real H.264, made on the spot: as a phone sends it, without B frames, Annex-B."""

from fractions import Fraction
from typing import NamedTuple

import av
import numpy as np


class Clip(NamedTuple):
    """A stream: its codec configuration, and (bytes, pts_us, key) of each packet."""

    config: bytes
    packets: list[tuple[bytes, int, bool]]


def make_clip(width=96, height=160, count=20, gop=8, step_us=33_333, matrix="bt709"):
    """Each frame shows a bright block that moves, on a coloured ground that turns."""
    encoder = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height = width, height
    encoder.pix_fmt = "yuv420p"
    encoder.time_base = Fraction(1, 1_000_000)
    encoder.framerate = Fraction(30)
    encoder.colorspace = {"bt709": 1, "smpte170m": 6}[matrix]
    encoder.color_range = 1
    encoder.gop_size = gop
    encoder.max_b_frames = 0
    encoder.flags |= av.codec.context.Flags.global_header
    encoder.options = {
        "preset": "ultrafast",
        "tune": "zerolatency",
        "x264-params": f"keyint={gop}:scenecut=0",
    }
    encoder.open()
    packets = []
    for number in range(count):
        pixels = np.zeros((height, width, 3), np.uint8)
        pixels[...] = (number * 11 % 256, 60, 200)
        top = number * 5 % (height - 16)
        pixels[top : top + 16, 8:40] = 255
        frame = av.VideoFrame.from_ndarray(pixels, "rgb24").reformat(
            format="yuv420p", dst_colorspace={"bt709": 1, "smpte170m": 5}[matrix]
        )
        frame.pts = number * step_us
        frame.time_base = encoder.time_base
        packets += [(bytes(p), p.pts, p.is_keyframe) for p in encoder.encode(frame)]
    packets += [(bytes(p), p.pts, p.is_keyframe) for p in encoder.encode(None)]
    return Clip(bytes(encoder.extradata), packets)
