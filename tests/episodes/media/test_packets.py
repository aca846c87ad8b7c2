import io
import random
from dataclasses import replace

import av
import numpy as np
import pytest

from episodes.errors import KnownError
from episodes.media.packets import SegmentReader, SegmentWriter, luma, rgb
from episodes.media.segment_files import index_path, read_index
from episodes.recordings import Packet
from tests.episodes.media.clips import make_clip


def decoded_in_a_row(clip):
    stream = clip.config + b"".join(data for data, _, _ in clip.packets)
    with av.open(io.BytesIO(stream), format="h264") as container:
        return [rgb(frame) for frame in container.decode(video=0)]


def test_a_file_contains_the_configuration_and_the_unchanged_packets(clip, segment):
    path, packets = segment
    assert path.read_bytes() == clip.config + b"".join(data for data, _, _ in clip.packets)
    offset = len(clip.config)
    for number, (packet, (data, pts, key)) in enumerate(zip(packets, clip.packets, strict=True)):
        assert packet == Packet(number, pts, key, offset, len(data), 1000 + number)
        offset += len(data)


def test_the_index_beside_the_file_lists_every_packet(segment):
    path, packets = segment
    assert list(read_index(path)) == packets


def test_append_returns_the_place_of_the_bytes_and_an_index_is_not_needed(clip, tmp_path):
    with SegmentWriter(tmp_path / "segment-000.h264", clip.config) as writer:
        places = [writer.append(data) for data, _, _ in clip.packets[:2]]
    first = len(clip.packets[0][0])
    start = len(clip.config)
    assert places == [(start, first), (start + first, len(clip.packets[1][0]))]
    assert list(read_index(tmp_path / "segment-000.h264")) == []


def test_any_frame_is_the_same_as_in_a_decode_from_the_start(clip, segment):
    expected = decoded_in_a_row(clip)
    assert len(expected) == 20
    numbers = list(range(20)) * 2
    random.Random(7).shuffle(numbers)
    with SegmentReader(*segment) as reader:
        for number in numbers:
            assert np.array_equal(rgb(reader.frame(number)), expected[number]), number


def test_a_stretch_of_frames_comes_in_order(clip, segment):
    expected = decoded_in_a_row(clip)[5:18]
    with SegmentReader(*segment) as reader:
        found = [rgb(frame) for frame in reader.frames(range(5, 18))]
    assert np.array_equal(found, expected)


def test_the_next_frame_costs_one_packet_and_a_new_place_begins_at_its_key_frame(segment):
    path, packets = segment
    reads = []

    class Counting(SegmentReader):
        def _bytes(self, number):
            reads.append(number)
            return super()._bytes(number)

    with Counting(path, packets) as reader:
        for number in (10, 11, 13, 17, 11):
            reader.frame(number)
            reads.append(None)
    assert reads == [8, 9, 10, None, 11, None, 12, 13, None, 16, 17, None, 8, 9, 10, 11, None]


@pytest.mark.parametrize("matrix", ["bt709", "smpte170m"])
def test_colours_follow_the_matrix_of_the_stream(tmp_path, matrix):
    clip = make_clip(matrix=matrix, count=3)
    with SegmentWriter(tmp_path / "segment-000.h264", clip.config) as writer:
        packets = [writer.write(*packet, received_ns=0) for packet in clip.packets]
    with SegmentReader(writer.path, packets) as reader:
        ground = rgb(reader.frame(2))[150, 80].astype(int)
    assert np.abs(ground - (22, 60, 200)).max() <= 4


def test_luma_is_a_view_of_the_frame_without_the_padding(segment):
    with SegmentReader(*segment) as reader:
        frame = reader.frame(1)
    brightness = luma(frame)
    assert brightness.shape == (160, 96)
    assert brightness[8, 20] > 220 > 100 > brightness[150, 80]
    assert np.array_equal(brightness, frame.to_ndarray(format="yuv420p")[:160])


def test_a_missing_packet_gives_no_frame(segment):
    with SegmentReader(*segment) as reader, pytest.raises(IndexError, match="packet 20 of 20"):
        reader.frame(20)


def test_the_fault_of_a_file_is_reported(segment, tmp_path):
    path, packets = segment
    with pytest.raises(KnownError, match=r"gone\.h264: the system said: No such file"):
        SegmentReader(tmp_path / "gone.h264", packets)
    with pytest.raises(KnownError, match="does not count its packets"):
        SegmentReader(path, packets[1:])
    keyless = [replace(packet, key=False) for packet in packets]
    with SegmentReader(path, keyless) as reader, pytest.raises(KnownError, match="no key frame"):
        reader.frame(3)
    with path.open("r+b") as file:
        file.truncate(packets[4].offset + 1)
    with SegmentReader(path, packets) as reader:
        assert reader.frame(3).pts == 3
        with pytest.raises(KnownError, match="packet 4 is cut off"):
            reader.frame(4)


def test_an_existing_file_is_never_written_over(clip, segment):
    path, _ = segment
    before = path.read_bytes()
    with pytest.raises(KnownError, match="File exists"):
        SegmentWriter(path, clip.config)
    assert path.read_bytes() == before


def test_the_index_ends_where_the_file_is_torn(segment):
    path, packets = segment
    whole = path.read_bytes()
    path.write_bytes(whole[: packets[12].offset + 5])
    assert list(read_index(path)) == packets[:12]
    path.write_bytes(whole[: packets[7].offset] + b"\0" * (len(whole) - packets[7].offset))
    assert list(read_index(path)) == packets[:7]
    path.write_bytes(whole)
    index = index_path(path)
    index.write_bytes(index.read_bytes()[:-3])
    assert list(read_index(path)) == packets[:-1]
    index.write_bytes(b"something else")
    assert list(read_index(path)) == []
    index.unlink()
    assert list(read_index(path)) == []


def test_a_closed_writer_accepts_nothing(clip, tmp_path):
    writer = SegmentWriter(tmp_path / "segment-000.h264", clip.config)
    writer.close()
    writer.close()
    with pytest.raises(ValueError, match="is closed"):
        writer.append(b"late")
