"""A phone as tasks need it: commands, files, the tree and the clipboard."""

from __future__ import annotations

from episodes.errors import KnownError
from episodes.screens import TreeStatus
from episodes.trees.dumps import ReceivedTree
from recorder.device.interface import CommandResult, Device, Devices

MAX_OUTPUT = 64 << 20
_DISPOSABLE = (("ro.kernel.qemu", "1"), ("ro.boot.qemu", "1"), ("ro.product.model", "Demo Phone"))


class DeviceTaskPhone:
    """Sets up and checks tasks on a phone. Calls must come from one thread.

    Args:
        disposable: the serial, typed again by a person to allow deleting data on the phone.
            Emulators and the demo phone are always disposable.
    """

    def __init__(self, phone: Device, disposable: str = "") -> None:
        self.phone = phone
        self.serial = phone.serial
        self.disposable = disposable == phone.serial or self._is_disposable()

    def run(self, command: str, timeout: float = 10.0) -> CommandResult:
        """Runs a shell command.

        Raises:
            KnownError: the phone is away, the command takes too long, or prints too much.
        """
        done = self.phone.run(command, timeout, MAX_OUTPUT)
        if done.cut:
            raise KnownError(
                f"run “{command[:80]}” on {self.serial}",
                f"it printed more than {MAX_OUTPUT} bytes",
                "Look at a smaller file.",
            )
        return done

    def push(self, data: bytes, path: str) -> None:
        """Writes a file on the phone."""
        self.phone.push(data, path)

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
        return self.phone.clipboard()

    def set_clipboard(self, text: str) -> None:
        """Puts a text on the clipboard."""
        self.phone.set_clipboard(text)

    def _ask(self, name: str) -> ReceivedTree:
        """Asks a source once and lets go of it: only one may look at the phone at a time."""
        source = self.phone.tree_source(name)
        try:
            source.prepare()
            return source.ask()
        finally:
            source.close()

    def _is_disposable(self) -> bool:
        return self.serial.startswith("emulator-") or any(
            self.phone.run(f"getprop {name}").text.strip() == value for name, value in _DISPOSABLE
        )


def task_phone(serial: str | None, devices: Devices, disposable: str = "") -> DeviceTaskPhone:
    """Returns the phone with this serial, or the only one there is.

    Raises:
        KnownError: there is no phone, there are several, or it is not ready.
    """
    return DeviceTaskPhone(devices.ready_device(serial or None), disposable)
