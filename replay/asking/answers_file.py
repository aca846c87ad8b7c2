"""The files of an asked run: a journal while it runs, and answers in canonical order at its end.

A line of `answers.jsonl` is one answer:

    {"record": "answer", "episode": "e-0001", "step": 3, "raw": "...", "ended": "stop", ...}

`taptrail predictions import --dialect raw` reads it like any other file. Each answer is appended to
the journal and flushed before it counts, so a killed run loses only the answers under way.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from episodes.errors import KnownError
from episodes.runs import Answered, Ended
from replay.asking.client import Received
from replay.asking.requests import Request

ANSWERS, FAILURES, JOURNAL, RUN = "answers.jsonl", "failures.jsonl", "journal.jsonl", "run.json"


class StoredAnswer(
    msgspec.Struct, frozen=True, omit_defaults=True, tag_field="record", tag="answer"
):
    """What a model answered to one request, and how that came about.

    Attributes:
        raw: the text; what the server gave, or reasoning in front of it where the recipe says so.
        request, words: hashes of the request, see `Request`.
        pixels: the hash of each picture that was sent.
        picture: (width, height) of the step's own picture as it was sent.
        tokens: (in, out).
    """

    episode: str
    step: int
    raw: str
    ended: Ended
    request: str
    words: str
    picture: tuple[int, int] = (0, 0)
    pixels: tuple[str, ...] = ()
    finish: str = ""
    reasoning: str = ""
    tokens: tuple[int, int] | None = None
    answered_by: tuple[str, str] = ("", "")
    attempts: int = 1
    faults: tuple[str, ...] = ()
    seconds: float = 0.0

    @classmethod
    def of(
        cls, request: Request, received: Received, pixels: tuple[str, ...], before: bool
    ) -> StoredAnswer:
        """Returns what is kept of an answer.

        Args:
            before: whether reasoning is put in front of the text.
        """
        raw = received.raw
        if before and received.reasoning:
            raw = f"{received.reasoning}\n{raw}" if raw else received.reasoning
        size = request.pictures[0].size
        return cls(
            request.episode,
            request.step,
            raw,
            received.ended,
            request.sha256,
            request.words_sha256,
            (size.width, size.height),
            pixels,
            received.finish,
            received.reasoning,
            received.tokens,
            received.answered_by,
            received.attempts,
            received.faults,
            received.seconds,
        )

    @property
    def answered(self) -> Answered:
        """How it came about, as a library keeps it."""
        return Answered(self.ended, self.finish, self.reasoning, self.tokens)


class Failure(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="record", tag="failure"):
    """Why a step has no answer."""

    episode: str
    step: int
    request: str
    reason: str
    faults: tuple[str, ...] = ()
    permanent: bool = False


_DECODER = msgspec.json.Decoder(StoredAnswer | Failure)


@dataclass
class AnswerFiles:
    """The folder of an asked run. `append` is thread-safe."""

    folder: Path

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._stream: Any = None

    def open(self) -> None:
        """Opens the journal for appending.

        Raises:
            KnownError: the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            journal = self.folder / JOURNAL
            _drop_cut_line(journal)
            self._stream = journal.open("ab")
        except OSError as error:
            raise _refused(self.folder, error) from error

    def append(self, record: StoredAnswer | Failure) -> None:
        """Writes an answer or a failure, and hands it to the operating system.

        Raises:
            KnownError: the disk is full.
        """
        try:
            with self._lock:
                self._stream.write(msgspec.json.encode(record) + b"\n")
                self._stream.flush()
        except OSError as error:
            raise _refused(self.folder, error) from error

    def read(self) -> tuple[dict[tuple[str, int], StoredAnswer], dict[tuple[str, int], Failure]]:
        """Returns the newest answer and failure of each step, from this and earlier goes."""
        answers: dict[tuple[str, int], StoredAnswer] = {}
        failures: dict[tuple[str, int], Failure] = {}
        for name in (ANSWERS, FAILURES, JOURNAL):
            for record in _records(self.folder / name):
                key = (record.episode, record.step)
                if isinstance(record, StoredAnswer):
                    answers[key] = record
                    failures.pop(key, None)
                elif key not in answers or answers[key].request != record.request:
                    failures[key] = record
        return answers, failures

    def close(self, answers: Iterable[StoredAnswer], failures: Iterable[Failure], run: Any) -> None:
        """Writes all files in their final form and removes the journal.

        Args:
            answers, failures: in canonical order.
            run: JSON about the whole run.
        """
        try:
            self.abandon()
            _write_lines(self.folder / ANSWERS, answers)
            _write_lines(self.folder / FAILURES, failures)
            text = json.dumps(run, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
            _replace(self.folder / RUN, text.encode())
            (self.folder / JOURNAL).unlink(missing_ok=True)
        except OSError as error:
            raise _refused(self.folder, error) from error

    def abandon(self) -> None:
        """Closes the journal and leaves it for the next go."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def read_answers(folder: Path) -> list[StoredAnswer]:
    """Returns the answers of a run's folder, in the order of its file."""
    return [one for one in _records(folder / ANSWERS) if isinstance(one, StoredAnswer)]


def _records(file: Path) -> Iterator[StoredAnswer | Failure]:
    with contextlib.suppress(FileNotFoundError):
        with file.open("rb") as stream:
            for line in stream:
                with contextlib.suppress(msgspec.MsgspecError):  # cut off by a kill: asked again
                    yield _DECODER.decode(line)


def _drop_cut_line(file: Path) -> None:
    """Ends a journal after its last whole line, so that the next record is a line of its own."""
    with contextlib.suppress(FileNotFoundError):
        with file.open("r+b") as stream:
            data = stream.read()
            stream.truncate(data.rfind(b"\n") + 1)


def _write_lines(file: Path, records: Iterable[StoredAnswer | Failure]) -> None:
    _replace(file, b"".join(msgspec.json.encode(one) + b"\n" for one in records))


def _replace(file: Path, data: bytes) -> None:
    part = file.with_suffix(".part")
    with part.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)


def _refused(folder: Path, error: OSError) -> KnownError:
    return KnownError(
        f"keep the answers in {folder}",
        error.strerror or str(error),
        "Make room, then run the same command again: it continues.",
    )
