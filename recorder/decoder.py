"""Decodes video packets: one packet in, one picture out, without delay.

Not thread-safe. Each picture carries a content number that grows when its luma, scaled down,
differs from the picture before, so that a repeated frame is recognised.
"""

from __future__ import annotations

from dataclasses import dataclass

import av
import cv2
import numpy as np
import numpy.typing as npt
from av.video.codeccontext import VideoCodecContext

from episodes.errors import KnownError
from episodes.geometry import Box, Size
from episodes.media import packets
from episodes.media.signature import blocks, blocks_differ
from recorder.blinking import BlinkWatch
from recorder.device.interface import VideoPacket

MAX_PIXELS = 8192 * 4320
SHARPENS_US = 1_500_000
"""So long after its start an encoder may still sharpen a picture that does not change."""
COARSE = 4
COARSE_THRESHOLD = 8
"""Sharpening keeps the mean brightness of areas of 32 x 32 pixels, within this."""

_NAMES = {"h264": "h264", "h265": "hevc", "av1": "av1"}


class Undecodable(KnownError):
    """A packet made no picture."""


@dataclass(frozen=True, slots=True, eq=False)
class MirrorPicture:
    """One decoded frame; fields as in `LiveFrame`."""

    pixels: npt.NDArray[np.uint8]
    size: Size
    blocks: npt.NDArray[np.uint8]
    content: int
    blink: Box | None = None
    sharpens: bool = False


class Decoder:
    """One stream's decoder; a configuration packet begins it anew."""

    def __init__(self) -> None:
        self._context: VideoCodecContext | None = None
        self._config = b""
        self._seen: npt.NDArray[np.uint8] | None = None
        self._content = 0
        self._began_us: int | None = None
        self._sharpens = False
        self._blinks = BlinkWatch()

    def decode(self, packet: VideoPacket, codec: str = "h264") -> list[MirrorPicture]:
        """Returns the pictures a packet completes: one, or none for a configuration.

        Raises:
            Undecodable: the packet is damaged, or needs one that is missing.
        """
        if packet.config:
            self._context = packets.decoder(_NAMES[codec])
            self._context.options = {"max_pixels": str(MAX_PIXELS)}
            self._config = packet.data
            self._began_us = None
            return []
        if self._context is None:
            return []  # joined in the middle: nothing can be decoded before a configuration
        encoded = av.Packet(self._config + packet.data)
        self._config = b""
        encoded.pts = packet.pts_us
        try:
            frames = self._context.decode(encoded)
        except av.error.FFmpegError as error:
            raise Undecodable(
                "show the phone's picture",
                f"a video packet could not be decoded ({error})",
                "It goes on with the next key frame; the recording has the packet as it came.",
            ) from error
        return [self._picture(frame, packet.pts_us or 0) for frame in frames]

    def _picture(self, frame: av.VideoFrame, pts_us: int) -> MirrorPicture:
        size = Size(frame.width, frame.height)
        small = blocks(packets.luma(frame))
        blink: Box | None = None
        if self._began_us is None:
            self._began_us = pts_us
        if self._seen is None or blocks_differ(self._seen, small):
            self._sharpens = self._may_sharpen(small, pts_us)
            self._seen = small
            self._content += 1
            blink = self._blinks.see(small, pts_us)
        return MirrorPicture(_bgra(frame), size, small, self._content, blink, self._sharpens)

    def _may_sharpen(self, small: npt.NDArray[np.uint8], pts_us: int) -> bool:
        """Returns whether a picture may be the one before, better or worse.

        An encoder that begins anew first sends a coarse picture and then sharpens it.
        """
        seen, began_us = self._seen, self._began_us
        if seen is None or began_us is None or seen.shape != small.shape:
            return False
        if pts_us - began_us > SHARPENS_US:
            return False
        height, width = (max(1, side // COARSE) for side in small.shape)
        coarse = [
            cv2.resize(one, (width, height), interpolation=cv2.INTER_AREA) for one in (seen, small)
        ]
        return int(cv2.absdiff(*coarse).max()) < COARSE_THRESHOLD


def _bgra(frame: av.VideoFrame) -> npt.NDArray[np.uint8]:
    """Returns the pixels, (height, width, 4), without copying the rows out of their padding.

    On one thread: swscale's several overwrite each other's first pixels at widths like 1080.
    """
    plane = frame.reformat(format="bgra", threads=1).planes[0]
    pixels: npt.NDArray[np.uint8] = np.ndarray(
        (frame.height, frame.width, 4),
        np.uint8,
        buffer=memoryview(plane),
        strides=(plane.line_size, 4, 1),
    )
    pixels.flags.writeable = False
    return pixels
