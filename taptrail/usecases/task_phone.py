"""A phone for tasks: shell commands, files and tree over adb, clipboard over scrcpy."""

from __future__ import annotations

import os
import queue

from episodes.errors import KnownError
from episodes.screens import TreeStatus
from episodes.trees.dumps import ReceivedTree
from recorder.device.adb import Adb, CommandResult
from recorder.device.phone import Phone, ready_phone
from recorder.device.scrcpy import messages
from recorder.device.scrcpy.client import ScrcpyClient
from recorder.device.scrcpy.device_messages import ClipboardSet, ClipboardText, DeviceMessage
from recorder.device.scrcpy.server import VideoOptions, chosen_server
from recorder.device.scrcpy.stream import Item
from recorder.tree_sources import TREE_SOURCES

CLIPBOARD_SECONDS = 3.0
MAX_OUTPUT = 64 << 20
_DISPOSABLE = (("ro.kernel.qemu", "1"), ("ro.boot.qemu", "1"), ("ro.product.model", "Demo Phone"))


class AdbTaskPhone:
    """Sets up and checks tasks on a phone over adb. Calls must come from one thread.

    Args:
        disposable: the serial, typed again by a person to allow deleting data on the phone.
            Emulators and the demo phone are always disposable.
    """

    def __init__(self, phone: Phone, disposable: str = "") -> None:
        self.phone = phone
        self.serial = phone.serial
        self.disposable = disposable == phone.serial or self._is_disposable()

    def run(self, command: str, timeout: float = 10.0) -> CommandResult:
        """Runs a shell command.

        Raises:
            KnownError: the phone is away, the command takes too long, or prints too much.
        """
        done = self.phone.link.run(command, timeout, MAX_OUTPUT)
        if done.cut:
            raise KnownError(
                f"run “{command[:80]}” on {self.serial}",
                f"it printed more than {MAX_OUTPUT} bytes",
                "Look at a smaller file.",
            )
        return done

    def push(self, data: bytes, path: str) -> None:
        """Writes a file on the phone."""
        self.phone.link.push(data, path)

    def tree(self) -> bytes:
        """Returns the XML of the current screen's tree.

        Raises:
            KnownError: the phone returns no tree.
        """
        answer = self._ask("uiautomator")
        if answer.status is TreeStatus.NOT_IDLE:  # a running clock never rests
            answer = self._ask("uiautomator2")
        if answer.status is not TreeStatus.OK:
            raise KnownError(
                f"read the screen of {self.serial}",
                f"{answer.status.value}: {answer.detail or 'it gave no tree'}",
                "Let the screen come to rest.",
            )
        return answer.data

    def clipboard(self) -> str:
        """Returns the text on the clipboard.

        Raises:
            KnownError: the phone does not answer, as it does not when the clipboard is empty.
        """
        with _Clipboard(self.phone) as clipboard:
            return clipboard.read()

    def set_clipboard(self, text: str) -> None:
        """Writes a text to the clipboard."""
        with _Clipboard(self.phone) as clipboard:
            clipboard.write(text)

    def _ask(self, name: str) -> ReceivedTree:
        """Asks a source once and closes it: only one source may use the phone at a time."""
        source = TREE_SOURCES[name](self.phone)
        try:
            source.prepare()
            return source.ask()
        finally:
            source.close()

    def _is_disposable(self) -> bool:
        return self.serial.startswith("emulator-") or any(
            self.phone.link.run(f"getprop {name}").text.strip() == value
            for name, value in _DISPOSABLE
        )


def task_phone(serial: str | None, adb: Adb | None = None, disposable: str = "") -> AdbTaskPhone:
    """Returns the phone with this serial, or the only one there is.

    Raises:
        KnownError: there is no phone, there are several, or it is not ready.
    """
    return AdbTaskPhone(ready_phone(serial or None, adb), disposable)


class _Clipboard:
    """A scrcpy session for one clipboard request."""

    def __init__(self, phone: Phone) -> None:
        self._heard: queue.SimpleQueue[DeviceMessage | KnownError] = queue.SimpleQueue()
        self._serial = phone.serial
        options = VideoOptions(max_size=64, max_fps=1, stay_awake=False)
        self._client = ScrcpyClient(phone.link, chosen_server(os.environ), options, self)

    def __enter__(self) -> _Clipboard:
        self._client.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._client.stop()

    def read(self) -> str:
        self._client.send(messages.get_clipboard())
        heard = self._answer(ClipboardText)
        assert isinstance(heard, ClipboardText)
        return heard.text

    def write(self, text: str) -> None:
        self._client.send(messages.set_clipboard(text, paste=False, sequence=1))
        self._answer(ClipboardSet)

    def on_video(self, item: Item, received_ns: int) -> None:
        """Pictures are not needed."""

    def on_device_message(self, message: DeviceMessage) -> None:
        """Control reader's thread."""
        self._heard.put(message)

    def on_end(self, reason: KnownError) -> None:
        """Any of the session's threads."""
        self._heard.put(reason)

    def _answer(self, kind: type[DeviceMessage]) -> DeviceMessage:
        try:
            heard = self._heard.get(timeout=CLIPBOARD_SECONDS)
        except queue.Empty:
            raise KnownError(
                f"read the clipboard of {self._serial}",
                "the phone did not answer, as it does not when nothing is on it",
                "Copy something, then check again.",
            ) from None
        if isinstance(heard, KnownError):
            raise heard
        if not isinstance(heard, kind):
            return self._answer(kind)
        return heard
