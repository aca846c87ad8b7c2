"""The commands that a clone's task files ask for: which may run on a phone, and what they print.

A task file names a command for the computer's shell, such as `adb shell getprop ro.product.model`.
Only the part behind `adb shell` is run, on the phone of the recording, and only if it reads.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from episodes.errors import KnownError
from tasks.phone import TaskPhone

FAILED = "ERROR"
"""What Android Lab writes for a command that failed."""

_READING = (("settings", "get"), ("settings", "list"), ("getprop",), ("pm", "list"))
_SHELL_SIGNS = re.compile(r"[;&<>`$\\\n(){}]")
KEPT_TEXT = 400


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """What a command printed.

    Attributes:
        query: the command as the task file has it.
        output: None where nobody can say: it failed, or it may not be run.
        code: its exit code; None if it was not run.
        reason: why there is no output; "" with one.
    """

    query: str
    output: str | None
    code: int | None = None
    reason: str = ""

    def to_json(self) -> dict[str, object]:
        """Returns it as plain values."""
        return {
            "query": self.query,
            "output": self.output[:KEPT_TEXT] if self.output is not None else None,
            "code": self.code,
            "reason": self.reason,
        }


def phone_command(query: str) -> str | None:
    """Returns what runs on the phone for a task file's command; None for one that is refused."""
    before, found, rest = query.strip().partition("adb shell ")
    rest = rest.strip()
    if before or not found:
        return None
    try:
        words = shlex.split(rest)
        if len(words) == 1:  # the whole of it was quoted for the computer's shell
            rest = words[0]
        parts = [shlex.split(part) for part in rest.split("|")]
    except ValueError:
        return None
    reads = any(tuple(parts[0][: len(head)]) == head for head in _READING)
    filters = all(part[:1] == ["grep"] for part in parts[1:])
    return rest if reads and filters and not _SHELL_SIGNS.search(rest) else None


def ask_phone(phone: TaskPhone, queries: Iterable[str]) -> list[QueryAnswer]:
    """Runs the commands on a phone. A failed one has no output; a search without a find has
    Android Lab's word for it."""
    return [_ask(phone, query) for query in queries]


def _ask(phone: TaskPhone, query: str) -> QueryAnswer:
    command = phone_command(query)
    if command is None:
        return QueryAnswer(query, None, reason="it is no command that only reads")
    try:
        done = phone.run(command)
    except KnownError as error:
        return QueryAnswer(query, None, reason=error.found)
    text = done.output.decode(errors="replace").strip()
    problem = done.error.decode(errors="replace").strip()
    if done.code == 0:
        return QueryAnswer(query, text, 0)
    if done.code == 1 and "|" in command and not problem and not text:
        return QueryAnswer(query, FAILED, 1)
    return QueryAnswer(query, None, done.code, f"exit code {done.code}: {(problem or text)[:200]}")
