"""Turns of an attempt: what the model was asked and answered, and what became of it.

Each is appended to a file of the library, one JSON object a line, before its action is done.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

FOLDER = "turns"


class Turn(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One turn.

    Attributes:
        number: 1, 2, ...
        request: the hash of the words of the request; pictures: those of its pictures' pixels.
        raw: the answer as it came.
        action: the action that was read, in words; "" for an unreadable answer.
        problem: why the answer could not be read, or why its action was not done.
        delivered: whether typed text was seen in the field; None if that is unknown.
        moving: whether the screen did not come to rest before the turn.
        note: what the summary says; "" in the other loops.
        tokens: (in, out) of all requests of the turn.
        model_s, harness_s: seconds of the model, and all others of the turn.
    """

    number: int
    request: str = ""
    pictures: tuple[str, ...] = ()
    raw: str = ""
    ended: str = ""
    action: str = ""
    problem: str = ""
    app: str = ""
    delivered: bool | None = None
    moving: bool = False
    note: str = ""
    tokens: tuple[int, int] | None = None
    model_s: float = 0.0
    harness_s: float = 0.0


@dataclass(frozen=True, slots=True)
class TurnFile:
    """The turns of one episode."""

    path: Path

    @classmethod
    def of(cls, library: Path, episode: str) -> TurnFile:
        """Returns the file of an episode, by its uuid."""
        return cls(library / FOLDER / f"{episode}.jsonl")

    def append(self, turn: Turn | dict[str, Any]) -> None:
        """Adds a turn, or what is known at the end. It survives a killed process.

        Raises:
            OSError: the disk is full.
        """
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(turn) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> list[Turn]:
        """Returns the turns so far; a line that was cut off is left out."""
        if not self.path.exists():
            return []
        found: dict[int, Turn] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                turn = msgspec.json.decode(line, type=Turn)
            except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
                continue
            found[turn.number] = turn  # its second line says how it ended
        return [found[number] for number in sorted(found)]
