"""The video socket's parser, whole and in pieces, for both generations of the server."""

import itertools
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from episodes.geometry import Size
from recorder.device.scrcpy.stream import (
    BadStream,
    DeviceName,
    Item,
    ServerProtocol,
    VideoHeader,
    VideoPacket,
    VideoParser,
    VideoSession,
)

NAME = b"Pixel 7".ljust(64, b"\0")
V3 = (
    NAME
    + bytes.fromhex("68323634 00000438 00000960")
    + bytes.fromhex("8000000000000000 00000003") + b"cfg"
    + bytes.fromhex("40000000075bcd15 00000002") + b"IK"
    + bytes.fromhex("00000000075c4e20 00000001") + b"p"
)  # fmt: skip
V3_ITEMS: list[Item] = [
    DeviceName("Pixel 7"),
    VideoHeader("h264", Size(1080, 2400)),
    VideoPacket(b"cfg", None),
    VideoPacket(b"IK", 123456789, key=True),
    VideoPacket(b"p", 123489824),
]
V4 = (
    NAME
    + bytes.fromhex("68323634")
    + bytes.fromhex("80000000 00000438 00000960")
    + bytes.fromhex("4000000000000000 00000003") + b"cfg"
    + bytes.fromhex("20000000075bcd15 00000002") + b"IK"
    + bytes.fromhex("80000001 00000960 00000438")
    + bytes.fromhex("00000000075c4e20 00000001") + b"p"
)  # fmt: skip
V4_ITEMS: list[Item] = [
    DeviceName("Pixel 7"),
    VideoHeader("h264", None),
    VideoSession(Size(1080, 2400), requested=False),
    VideoPacket(b"cfg", None),
    VideoPacket(b"IK", 123456789, key=True),
    VideoSession(Size(2400, 1080), requested=True),
    VideoPacket(b"p", 123489824),
]


@pytest.mark.parametrize(
    ("dialect", "data", "items"),
    [(ServerProtocol.V3, V3, V3_ITEMS), (ServerProtocol.V4, V4, V4_ITEMS)],
)
@given(cuts=st.lists(st.integers(0, 200), max_size=12))
def test_the_same_values_come_out_however_the_bytes_are_cut(
    dialect: ServerProtocol, data: bytes, items: list[Item], cuts: list[int]
) -> None:
    parser = VideoParser(dialect)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    found = [
        item for begin, end in itertools.pairwise(edges) for item in parser.feed(data[begin:end])
    ]
    assert found == items


def test_a_configuration_is_a_packet_without_a_time() -> None:
    assert [item.config for item in V3_ITEMS if isinstance(item, VideoPacket)] == [
        True,
        False,
        False,
    ]


def test_the_protocol_follows_from_the_version() -> None:
    assert [ServerProtocol.of(version) for version in ("3.1", "3.3.4", "4.0", "4.1.2")] == [
        ServerProtocol.V3,
        ServerProtocol.V3,
        ServerProtocol.V4,
        ServerProtocol.V4,
    ]


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("00000000 00000438 00000960", "switched its video off"),
        ("00000001 00000438 00000960", "could not configure"),
        ("47494638 00000438 00000960", "codec 0x47494638 is not known"),
        ("68323634 00000000 00000960", "0x2400 pixels"),
    ],
)
def test_a_server_without_video_is_reported_in_words(header: str, words: str) -> None:
    with pytest.raises(BadStream, match=words):
        VideoParser().feed(NAME + bytes.fromhex(header))


def test_a_packet_of_impossible_length_ends_the_stream() -> None:
    parser = VideoParser()
    parser.feed(V3)
    with pytest.raises(BadStream, match="longer than"):
        parser.feed(struct.pack(">QI", 5, 1 << 31))
