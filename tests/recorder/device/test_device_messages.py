"""What the phone says on the control socket."""

import pytest

from recorder.device.scrcpy.device_messages import (
    BadDeviceMessage,
    ClipboardSet,
    ClipboardText,
    DeviceMessageParser,
    UhidOutput,
)

DATA = (
    bytes.fromhex("00 00000003")
    + "hé".encode()
    + bytes.fromhex("01 0102030405060708 02 002a 0005 0102030405")
)
MESSAGES = [
    ClipboardText("hé"),
    ClipboardSet(0x0102030405060708),
    UhidOutput(42, b"\x01\x02\x03\x04\x05"),
]


def test_messages_are_read_whole_and_byte_by_byte() -> None:
    assert DeviceMessageParser().feed(DATA) == MESSAGES
    parser = DeviceMessageParser()
    assert [message for byte in DATA for message in parser.feed(bytes((byte,)))] == MESSAGES


def test_an_unknown_type_ends_the_conversation() -> None:
    with pytest.raises(BadDeviceMessage, match="type 9 is not known"):
        DeviceMessageParser().feed(b"\x09")


def test_an_endless_clipboard_is_refused() -> None:
    with pytest.raises(BadDeviceMessage, match="longer than"):
        DeviceMessageParser().feed(bytes.fromhex("00 7fffffff"))
