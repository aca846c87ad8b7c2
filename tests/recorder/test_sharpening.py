"""An encoder that begins anew sharpens its pictures: the screen is the same meanwhile."""

from __future__ import annotations

from fractions import Fraction

import av
import cv2
import numpy as np
import numpy.typing as npt
import pytest

from episodes.clocks import Moment
from episodes.screens import TreeFit, TreeRecord, TreeStatus
from recorder import trees
from recorder.clock import ClockMap
from recorder.decoder import Decoder
from recorder.device.interface import VideoPacket
from recorder.frames import FrameNote
from recorder.screen_log import ScreenLog

FRAME_MS = 33
MS = 1_000_000
WIDTH, HEIGHT = 720, 1600


class _OneClock(ClockMap):
    def host_range(self, pts_us: int, received_ns: int) -> tuple[int, int]:
        return pts_us * 1000, pts_us * 1000


def page(typed: str = "") -> npt.NDArray[np.uint8]:
    """A page of text with a picture, as I420; `typed` is in its last line."""
    chance = np.random.default_rng(3)
    luma = np.full((HEIGHT, WIDTH), 235, np.uint8)
    luma[:90], luma[1450:] = 40, 20
    lines = ["".join(map(chr, chance.integers(97, 123, 34))) for _ in range(28)]
    for number, line in enumerate(lines):
        at = (20, 140 + 46 * number)
        cv2.putText(luma, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40,), 2)
    luma[600:900, 100:600] = chance.integers(0, 256, (300, 500)) // 2 + 60
    if typed:
        cv2.putText(luma, typed, (620, 1430), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (40,), 2)
    return np.vstack([luma, np.full((HEIGHT // 2, WIDTH), 128, np.uint8)])


class Video:
    """A decoder's pictures of pages, each encoder session coarse at first."""

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._ms = 0
        self.now_ms = 0

    def session(self, *pages: npt.NDArray[np.uint8]) -> list[FrameNote]:
        encoder = av.CodecContext.create("libx264", "w")
        encoder.width, encoder.height, encoder.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        encoder.time_base, encoder.framerate = Fraction(1, 1_000_000), Fraction(30)
        encoder.flags |= av.codec.context.Flags.global_header
        encoder.options = {
            "preset": "ultrafast", "tune": "zerolatency", "b": "2000000", "maxrate": "2000000",
            "bufsize": "250000", "x264-params": "keyint=infinite:scenecut=0:log-level=none",
        }  # fmt: skip
        encoder.open()
        self._decoder.decode(VideoPacket(bytes(encoder.extradata or b""), None))
        notes = []
        for number, shown in enumerate(pages):
            self.now_ms += FRAME_MS
            frame = av.VideoFrame.from_ndarray(shown, format="yuv420p")
            frame.pts = self.now_ms * 1000
            data = b"".join(map(bytes, encoder.encode(frame)))
            packet = VideoPacket(data, self.now_ms * 1000, key=number == 0)
            (picture,) = self._decoder.decode(packet)
            notes.append(
                FrameNote(
                    picture.size,
                    self.now_ms * 1000,
                    self.now_ms * MS,
                    picture.content,
                    blink=picture.blink,
                    sharpens=picture.sharpens,
                    blocks=picture.blocks,
                )
            )
        return notes


@pytest.mark.parametrize(
    ("typed", "fit"),
    [("", TreeFit.FRESH), ("l", TreeFit.STALE), (".", TreeFit.STALE), ("word", TreeFit.STALE)],
)
def test_sharpening_is_not_a_change_and_a_letter_typed_meanwhile_is(
    typed: str, fit: TreeFit
) -> None:
    video, log = Video(), ScreenLog(_OneClock())
    log.see(video.session(*[page()] * 30)[-1])
    began_ms = video.now_ms
    notes = video.session(*[page()] * 10, *[page(typed)] * 30)
    contents = {note.content for note in notes}
    assert len(contents) > 5  # the encoder sharpens
    assert [log.see(note) for note in notes].count(True) <= bool(typed)
    asked, answered = (Moment(host_ns=(began_ms + ms) * MS) for ms in (90, 250))
    record = TreeRecord("uiautomator", b"x", "x", TreeStatus.OK, asked, answered)
    pressed = video.now_ms * MS + MS
    assert trees.join([record], pressed, log, None).fit is fit
