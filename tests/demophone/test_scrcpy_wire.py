"""scrcpy's bytes: those of its own tests, and of two foreign clients."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demophone.scrcpy import wire
from demophone.scrcpy.options import BadOption, Options, aligned_size, parse_options, video_size
from demophone.scrcpy.wire import ControlMessage, Position
from demophone.streams import Channel, ChannelPipe

CLIENTS = Path(__file__).parents[1] / "vectors" / "scrcpy_clients.jsonl"


def messages(data: bytes, version: wire.Version = wire.NEWEST_KNOWN) -> list[ControlMessage]:
    """Returns all messages of some bytes that a client of this version sent."""

    async def work() -> list[ControlMessage]:
        incoming = Channel()
        incoming.feed(data)
        incoming.end()
        pipe = ChannelPipe(incoming, Channel())
        found = []
        while incoming.size:
            found.append(await wire.read_control_message(pipe.read_exactly, version))
        return found

    return asyncio.run(work())


# Source: app/tests/test_control_msg_serialize.c of scrcpy 3.3.4.
UPSTREAM: list[tuple[str, ControlMessage]] = [
    ("00 01 00000042 00000005 00000041", wire.InjectKeycode(1, 66, 5, 0x41)),
    ("01 0000000d 68656c6c6f2c20776f726c6421", wire.InjectText("hello, world!")),
    (
        "02 00 1234567887654321 00000064 000000c8 0438 0780 ffff 00000001 00000001",
        wire.InjectTouch(0, 0x1234567887654321, Position(100, 200, 1080, 1920), 1.0, 1, 1),
    ),
    (
        "03 00000104 00000402 0438 0780 7fff 8000 00000001",
        wire.InjectScroll(Position(260, 1026, 1080, 1920), 16.0, -16.0, 1),
    ),
    ("04 01", wire.BackOrScreenOn(1)),
    ("05", wire.Panel("notifications")),
    ("06", wire.Panel("settings")),
    ("07", wire.Panel(None)),
    ("08 01", wire.GetClipboard(1)),
    (
        "09 0102030405060708 01 0000000d 68656c6c6f2c20776f726c6421",
        wire.SetClipboard(0x0102030405060708, True, "hello, world!"),
    ),
    ("0a 01", wire.SetDisplayPower(True)),
    ("0b", wire.RotateDevice()),
    (
        "0c 002a 1234 5678 03 414243 000b 0102030405060708090a0b",
        wire.UhidCreate(42, 0x1234, 0x5678, "ABC", bytes(range(1, 12))),
    ),
    ("0d 002a 0005 0102030405", wire.UhidInput(42, b"\1\2\3\4\5")),
    ("0e 002a", wire.UhidDestroy(42)),
    ("0f", wire.OpenHardKeyboardSettings()),
    ("10 07 66697265666f78", wire.StartApp("firefox")),
    ("11", wire.ResetVideo()),
]


@pytest.mark.parametrize(("data", "message"), UPSTREAM)
def test_the_vectors_of_scrcpy_mean_what_they_mean_there(
    data: str, message: ControlMessage
) -> None:
    assert messages(bytes.fromhex(data)) == [message]


def test_messages_follow_each_other_without_anything_between() -> None:
    data = b"".join(bytes.fromhex(data) for data, _ in UPSTREAM)
    assert messages(data) == [message for _, message in UPSTREAM]


@pytest.mark.parametrize("data", ["12", "ff", "01 0000012d 41", "09 0000000000000001 00 7fffffff"])
def test_unknown_types_and_impossible_lengths_are_refused(data: str) -> None:
    with pytest.raises(wire.BadControlMessage):
        messages(bytes.fromhex(data))


@given(st.binary(max_size=80))
def test_any_bytes_are_messages_or_the_end(data: bytes) -> None:
    with contextlib.suppress(EOFError, wire.BadControlMessage):
        for message in messages(data):
            assert isinstance(message, ControlMessage)


def test_a_message_cut_short_is_the_end() -> None:
    for data, _ in UPSTREAM:
        whole = bytes.fromhex(data)
        if len(whole) > 1:
            with pytest.raises(EOFError):
                messages(whole[:-1])


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, id=f"{line['client']} {line['message']}")
        for line in map(json.loads, CLIENTS.read_text().splitlines())
    ],
)
def test_the_bytes_of_foreign_clients_mean_what_they_meant(line: dict[str, str]) -> None:
    assert [repr(message) for message in messages(bytes.fromhex(line["hex"]))] == [line["meaning"]]


def test_what_the_phone_sends() -> None:
    assert wire.device_meta("Demo Phone") == b"Demo Phone" + bytes(54)
    assert wire.device_meta("é" * 40) == "é".encode() * 31 + bytes(2)
    assert wire.video_header(wire.H264, 1080, 2400).hex() == "683236340000043800000960"
    assert wire.session_header(1080, 2400, (3, 3, 4)) == b""
    assert wire.frame_header(5, None, False).hex() == "800000000000000000000005"
    assert wire.frame_header(5, 0x1234, True).hex() == "400000000000123400000005"
    assert wire.frame_header(5, 0x1234, False).hex() == "000000000000123400000005"
    assert wire.clipboard_message("ABC").hex() == "0000000003414243"
    assert wire.ack_message(0x0102030405060708).hex() == "010102030405060708"


# Source: Streamer.java of scrcpy 4.1.
def test_what_the_phone_sends_to_a_client_of_4_x() -> None:
    new = (4, 1)
    assert wire.video_header(wire.H264, 1080, 2400, new).hex() == "68323634"
    assert wire.session_header(1080, 2400, new).hex() == "800000000000043800000960"
    assert wire.frame_header(5, None, False, new).hex() == "400000000000000000000005"
    assert wire.frame_header(5, 0x1234, True, new).hex() == "200000000000123400000005"
    assert wire.frame_header(5, 0x1234, False, new).hex() == "000000000000123400000005"
    assert aligned_size(1080, 2340, 0, 2) == (1080, 2340)
    assert aligned_size(1080, 2340, 1000, 8) == (456, 1000)


SCROLL = "03 00000104 00000402 0438 0780 7fff 8000 00000001"


# Source: ControlMessageReader.java of the versions.
@pytest.mark.parametrize(
    ("version", "data", "message"),
    [
        ((3, 3), SCROLL, wire.InjectScroll(Position(260, 1026, 1080, 1920), 1.0, -1.0, 1)),
        ((2, 4), "0c 002a 0002 0102", wire.UhidCreate(42, 0, 0, "", b"\1\2")),
        ((2, 7), "0c 002a 01 41 0002 0102", wire.UhidCreate(42, 0, 0, "A", b"\1\2")),
        ((2, 6, 1), "0e", wire.OpenHardKeyboardSettings()),
        ((2, 7), "0e 002a", wire.UhidDestroy(42)),
        ((4, 0), "12 01", wire.Unsupported("camera torch")),
        ((4, 0), "13", wire.Unsupported("camera zoom")),
        ((4, 0), "15 0438 0780", wire.Unsupported("resizing a virtual display")),
        ((4, 1), "16 00000002 2f61", wire.Unsupported("media scanner")),
    ],
)
def test_messages_have_the_layout_of_the_clients_version(
    version: wire.Version, data: str, message: ControlMessage
) -> None:
    assert messages(bytes.fromhex(data), version) == [message]


@pytest.mark.parametrize(
    ("version", "kind"), [((2, 3), 12), ((2, 7), 16), ((3, 3, 4), 18), ((4, 0), 22), ((4, 1), 23)]
)
def test_a_message_of_a_later_version_is_refused(version: wire.Version, kind: int) -> None:
    with pytest.raises(wire.BadControlMessage, match=f"Unknown event type: {kind}"):
        messages(bytes([kind, *bytes(16)]), version)


def test_each_version_knows_its_own_options() -> None:
    words = ["send_stream_meta=false", "send_codec_meta=false", "lock_video_orientation=-1"]
    words += ["keep_active=true", "capture_orientation=0"]
    unknown = {version: parse_options(words, version) for version in ((2, 7), (3, 3, 4), (4, 1))}
    named = {
        version: [line.rsplit(" ", 1)[1] for line in options.warnings]
        for version, options in unknown.items()
    }
    assert named == {
        (2, 7): ["send_stream_meta", "keep_active", "capture_orientation"],
        (3, 3, 4): ["send_stream_meta", "lock_video_orientation", "keep_active"],
        (4, 1): ["send_codec_meta", "lock_video_orientation"],
    }
    assert not any(options.send_codec_meta for options in unknown.values())
    served = [wire.served_version(text) for text in ("2.0", "4.1", "1.25", "5.0", "4", "4.1-x")]
    assert served == [(2, 0), (4, 1), None, None, None, None]


@pytest.mark.parametrize(
    ("screen", "max_size", "video"),
    [
        ((1080, 2400), 0, (1080, 2400)),
        ((2400, 1080), 0, (2400, 1080)),
        ((1080, 2340), 0, (1080, 2336)),
        ((1440, 3120), 1024, (472, 1024)),
        ((1080, 2400), 800, (360, 800)),
        ((320, 640), 1024, (320, 640)),
        ((1080, 1080), 500 & ~7, (496, 496)),
    ],
)
def test_video_sizes_follow_scrcpys_rule(
    screen: tuple[int, int], max_size: int, video: tuple[int, int]
) -> None:
    assert video_size(*screen, max_size) == video


def test_options_are_read_as_the_server_reads_them() -> None:
    options = parse_options(
        [
            "scid=0123abcd",
            "audio=false",
            "max_size=805",
            "max_fps=14.5",
            "raw_stream=true",
            "video_codec_options=i-frame-interval:float=0.5,x=y",
            "show_touches=true",
            "no_such=1",
        ]
    )
    assert options == Options(
        scid=0x0123ABCD,
        audio=False,
        max_size=805,
        max_fps=14.5,
        video_codec_options="i-frame-interval:float=0.5,x=y",
        send_codec_meta=False,
        send_device_meta=False,
        send_dummy_byte=False,
        send_frame_meta=False,
        show_touches=True,
        warnings=("Unknown server option: no_such",),
    )
    assert options.socket == "localabstract:scrcpy_0123abcd"
    assert options.codec_option("i-frame-interval") == 0.5
    assert Options().socket == "localabstract:scrcpy"


@pytest.mark.parametrize(
    "argument", ["scid", "scid=xyz", "scid=-5", "max_fps=a", "video_codec=av1"]
)
def test_arguments_that_are_none_stop_the_server(argument: str) -> None:
    with pytest.raises(BadOption):
        parse_options([argument])
