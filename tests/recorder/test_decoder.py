"""What is shown and kept of a packet is its picture to the last pixel, each time."""

from fractions import Fraction

import av
import numpy as np
import pytest

from episodes.media.packets import decoder, rgb
from recorder.decoder import Decoder
from recorder.device.interface import VideoPacket

TIMES = 40


@pytest.mark.parametrize("size", [(360, 800), (1080, 2400), (544, 1200)], ids=str)
def test_a_packet_gives_the_same_pixels_however_often_it_is_decoded(size: tuple[int, int]) -> None:
    width, height = size
    noise = np.random.default_rng(1).integers(0, 256, (height * 3 // 2, width), dtype=np.uint8)
    encoder = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height, encoder.pix_fmt = width, height, "yuv420p"
    encoder.time_base = Fraction(1, 1_000_000)
    encoder.options = {"preset": "ultrafast", "tune": "zerolatency", "qp": "40"}
    encoded = [*encoder.encode(av.VideoFrame.from_ndarray(noise, format="yuv420p"))]
    data = b"".join(map(bytes, encoded + encoder.encode(None)))
    (frame,) = decoder("h264").decode(av.Packet(data))
    expected = rgb(frame)
    for _ in range(TIMES):
        fresh = Decoder()
        fresh.decode(VideoPacket(b"", None))
        (picture,) = fresh.decode(VideoPacket(data, 0, key=True))
        assert np.array_equal(picture.pixels[:, :, 2::-1], expected)
