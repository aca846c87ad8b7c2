from dataclasses import replace

import av
import numpy as np
import pytest

from episodes.errors import KnownError
from episodes.media.packets import SegmentReader, rgb
from episodes.media.remux import remux


def test_an_mp4_has_the_same_frames_at_the_same_microseconds(segment, tmp_path):
    path, packets = segment
    out = tmp_path / "video.mp4"
    remux(path, packets, out)
    with SegmentReader(path, packets) as reader:
        expected = [rgb(frame) for frame in reader.frames(range(len(packets)))]
    with av.open(str(out)) as container:
        assert container.format.name.startswith("mov,mp4")
        frames = list(container.decode(video=0))
    assert [round(frame.pts * frame.time_base * 1_000_000) for frame in frames] == [
        packet.pts_us for packet in packets
    ]
    assert np.array_equal([rgb(frame) for frame in frames], expected)


def test_what_comes_before_the_first_key_frame_is_left_out(segment, tmp_path):
    path, packets = segment
    out = tmp_path / "video.mp4"
    remux(path, [replace(packets[0], key=False), *packets[1:]], out)
    with av.open(str(out)) as container:
        times = [round(f.pts * f.time_base * 1_000_000) for f in container.decode(video=0)]
    assert times == [packet.pts_us - packets[8].pts_us for packet in packets[8:]]


def test_a_stretch_without_a_key_frame_has_no_video(segment, tmp_path):
    path, packets = segment
    with pytest.raises(KnownError, match="there is no key frame"):
        remux(path, [replace(packets[0], key=False), *packets[1:4]], tmp_path / "video.mp4")


def test_a_place_that_cannot_be_written_is_said(segment, tmp_path):
    path, packets = segment
    with pytest.raises(KnownError, match=r"Cannot write the video .*gone/video.mp4"):
        remux(path, packets, tmp_path / "gone" / "video.mp4")
