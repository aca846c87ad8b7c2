"""What a check may look at: the phone, the answer that was given, the instance's parameters."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from episodes.errors import KnownError
from tasks.evidence import KEPT_BYTES
from tasks.parameters import Values
from tasks.phone import TaskPhone


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed."""

    command: str
    text: str
    data: bytes
    code: int | None

    @property
    def head(self) -> str:
        """How it begins, as evidence keeps it."""
        return self.data[:KEPT_BYTES].decode(errors="replace")


class CommandFailed(KnownError):
    """A command on the phone ended with an error.

    Attributes:
        said: what it printed, and its exit code.
    """

    def __init__(self, said: Said, complaint: str) -> None:
        found = f"the phone answered with code {said.code}: {complaint[:200] or 'nothing'}"
        super().__init__(f"run “{said.command[:80]}”", found, "Look at the phone.")
        self.said = said


@dataclass(frozen=True, slots=True)
class Situation:
    """A moment at which a task is checked.

    Attributes:
        answer: what whoever did the task answered; None for no answer.
    """

    phone: TaskPhone
    values: Values
    answer: str | None = None

    def say(self, *words: str, timeout: float = 10.0) -> Said:
        """Runs a command of these words, each quoted for the phone's shell.

        Raises:
            CommandFailed: it ended with an error, or the phone cannot tell how it ended.
            KnownError: the phone is away.
        """
        command = " ".join(shlex.quote(word) for word in words)
        return run(self.phone, command, timeout)


def run(phone: TaskPhone, command: str, timeout: float = 10.0) -> Said:
    """Runs a command line and returns what it printed.

    Raises:
        CommandFailed: it ended with an error, or the phone cannot tell how it ended.
        KnownError: the phone is away.
    """
    done = phone.run(command, timeout)
    text = done.output.decode(errors="replace").replace("\r\n", "\n")
    said = Said(command, text.strip("\n"), done.output, done.code)
    if done.code != 0:
        raise CommandFailed(said, done.error.decode(errors="replace").strip() or said.head.strip())
    return said
