"""Reads and writes the phone's clipboard in a scrcpy session of its own."""

from __future__ import annotations

import queue

from episodes.errors import KnownError
from recorder.device.adb.server import PhoneLink
from recorder.device.interface import VideoOptions, VideoPacket
from recorder.device.scrcpy import messages
from recorder.device.scrcpy.client import ScrcpyClient
from recorder.device.scrcpy.device_messages import ClipboardSet, ClipboardText, DeviceMessage
from recorder.device.scrcpy.server import ServerFile

TIMEOUT_S = 3.0


def read_clipboard(phone: PhoneLink, server: ServerFile) -> str:
    """Returns the text on the clipboard.

    Raises:
        KnownError: the phone does not answer, as it does not when the clipboard is empty.
    """
    answer = _ask(phone, server, messages.get_clipboard(), ClipboardText)
    assert isinstance(answer, ClipboardText)
    return answer.text


def write_clipboard(phone: PhoneLink, server: ServerFile, text: str) -> None:
    """Puts a text on the clipboard, and waits until the phone confirms it."""
    _ask(phone, server, messages.set_clipboard(text, paste=False, sequence=1), ClipboardSet)


def _ask(
    phone: PhoneLink, server: ServerFile, message: bytes, kind: type[DeviceMessage]
) -> DeviceMessage:
    heard: queue.SimpleQueue[DeviceMessage | KnownError] = queue.SimpleQueue()
    session = _Session(phone, server, heard)
    session.start()
    try:
        session.send_message(message)
        while True:
            answer = heard.get(timeout=TIMEOUT_S)
            if isinstance(answer, KnownError):
                raise answer
            if isinstance(answer, kind):
                return answer
    except queue.Empty:
        raise KnownError(
            f"read the clipboard of {phone.serial}",
            "the phone did not answer, as it does not when nothing is on it",
            "Copy something, then check again.",
        ) from None
    finally:
        session.stop()


class _Session(ScrcpyClient):
    """A session that keeps only the messages of the phone; its small video is dropped."""

    def __init__(
        self,
        phone: PhoneLink,
        server: ServerFile,
        heard: queue.SimpleQueue[DeviceMessage | KnownError],
    ) -> None:
        options = VideoOptions(max_size=64, max_fps=1, stay_awake=False)
        super().__init__(phone, server, options, _Ignore(heard))
        self._heard = heard

    def on_message(self, message: DeviceMessage) -> None:
        """Control reader's thread."""
        self._heard.put(message)


class _Ignore:
    """Drops the video, and keeps the reason of the session's end."""

    def __init__(self, heard: queue.SimpleQueue[DeviceMessage | KnownError]) -> None:
        self._heard = heard

    def on_codec(self, codec: str) -> None:
        """Nothing to do."""

    def on_packet(self, packet: VideoPacket, received_ns: int) -> None:
        """Nothing to do."""

    def on_clipboard(self, text: str) -> None:
        """Nothing to do."""

    def on_problem(self, error: KnownError, is_undelivered: bool) -> None:
        """Ignores problems of the video and of inputs: there are none here."""

    def on_end(self, reason: KnownError) -> None:
        """Any of the session's threads."""
        self._heard.put(reason)
