"""What a task needs of a phone. Whatever fits can be set up and judged: adb, a mirror, a double."""

from __future__ import annotations

from typing import Protocol

SETTLE_SECONDS = 10.0


class ShellResult(Protocol):
    """What a command on the phone left. `code` is None where the phone cannot tell it."""

    @property
    def output(self) -> bytes: ...
    @property
    def error(self) -> bytes: ...
    @property
    def code(self) -> int | None: ...


class TaskPhone(Protocol):
    """A phone on which a task is set up and judged. Calls wait; every call may raise KnownError.

    Attributes:
        serial: what adb calls it.
        disposable: an emulator, the demo phone, or one whose serial a person typed to say so.
            Only there may a set-up delete things, and only there is app data put back.
    """

    @property
    def serial(self) -> str: ...
    @property
    def disposable(self) -> bool: ...

    def run(self, command: str, timeout: float = SETTLE_SECONDS) -> ShellResult:
        """Runs a shell command."""

    def push(self, data: bytes, path: str) -> None:
        """Writes a file on the phone."""

    def tree(self) -> bytes:
        """Returns the XML of the screen as it is now."""

    def clipboard(self) -> str:
        """Returns the text on the clipboard."""

    def set_clipboard(self, text: str) -> None:
        """Puts a text on the clipboard."""
