"""Reads chat rows as episodes. Rows of an episode follow each other; answers become actions.

A folder that `taptrail export chat` wrote declares how its answers are written; the dialect of any
other file of `conversations` or `messages` must be given. A row names its step by "episode" and
"step", else by its picture's name. The task is the line "Task: ..." of the question, else all of
the question.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.input_files import (
    BadName,
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
    file_bytes,
    file_in_folder,
    file_name_problem,
    format_value,
    invalid_json_part,
    json_value,
    path_exists,
    path_inside,
    regular_file_size,
)
from episodes.geometry import Size
from episodes.runs import Unreadable
from episodes.screens import Basis, Frame, Still
from episodes.steps import Step, StepTexts
from replay.chat.rows import ABOUT, ROWS, STEP, TASK, ChatForm
from replay.dialect import Declared, Limits, Row
from replay.dialects import DIALECTS
from replay.dialects.layouts import last_turn, place_of, read_objects

NAME = "chat"
UNKNOWN_SIZE = Size(1000, 1000)
MAX_ABOUT = 64 * 1024
MAX_TASK = 10_000
MAX_STEPS = 100_000


def count(path: Path) -> int:
    """Returns 1 for a folder that the export wrote, else 0. Rows are not counted."""
    return int((path / ABOUT).is_file() and (path / ROWS).is_file())


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields the episodes of a folder or of a file of rows, and what was not imported.

    Args:
        version: the answers' dialect; "" if `chat.json` declares it.

    Raises:
        KnownError: there is no such file, or the dialect of its answers is unknown.
    """
    doing = f"import chat rows from {path}"
    file = file_in_folder(path, ROWS, doing) if path.is_dir() else path
    regular_file_size(file, doing)
    form = _form(file, version)
    declared = DIALECTS[form.dialect].declared(form.declared)
    reader = _Reader(file, picture_store, form.dialect, declared)
    for number, fields in read_objects(file, Limits()):
        where = f"{file.name} row {number}"
        if isinstance(fields, Row):
            yield Refused(where, fields.problem)
            continue
        yield from reader.row(fields, where)
    yield from reader.end()


def _form(file: Path, dialect: str) -> ChatForm:
    doing = f"import chat rows from {file}"
    about = file_in_folder(file.parent, ABOUT, doing)
    fields: Any = {}
    if about.is_file():
        try:
            fields = json_value(file_bytes(about, doing, MAX_ABOUT))
        except ValueError as error:
            raise KnownError(doing, f"{ABOUT}: {error}", "Repair or remove it.") from error
    if not isinstance(fields, dict) or not all(
        isinstance(fields.get(key, ""), str)
        for key in ("dialect", "coordinates", "scroll", "level")
    ):
        raise KnownError(doing, f"{ABOUT} does not declare how rows are written", "Remove it.")
    wanted = dialect or fields.get("dialect", "")
    if wanted not in DIALECTS:
        found = f"there is no dialect “{wanted}”" if wanted else "their dialect is not given"
        raise KnownError(doing, found, f"Give it with --version: {', '.join(DIALECTS)}.")
    if dialect and dialect != fields.get("dialect"):
        return ChatForm(dialect, level="")
    return ChatForm(
        wanted, fields.get("coordinates", ""), fields.get("scroll", ""), fields.get("level", "")
    )


@dataclass(slots=True)
class _Open:
    """The episode whose rows are being read."""

    name: str
    instruction: str
    steps: dict[int, Step]


class _Reader:
    """Collects rows into episodes, one at a time."""

    def __init__(
        self, file: Path, picture_store: PictureStore, dialect: str, declared: Declared
    ) -> None:
        self._file = file
        self._picture_store = picture_store
        self._dialect = dialect
        self._declared = declared
        self._open: _Open | None = None
        self._seen: set[str] = set()

    def row(self, fields: dict[str, Any], where: str) -> Iterator[Episode | Refused | ImportNote]:
        """Reads a row; yields the episode before it, if it begins another."""
        named = fields.get("images")
        first = named[0] if isinstance(named, list) and named else fields.get("image")
        picture = first if isinstance(first, str) else None
        place = place_of(fields if picture is None else fields | {"image": picture})
        turn = last_turn(fields)
        if isinstance(place, str) or turn is None:
            yield Refused(where, place if isinstance(place, str) else "it holds no answer")
            return
        name, index = place
        if reason := file_name_problem(name) or invalid_json_part(fields):
            yield Refused(
                where, f"the episode's name {reason}" if file_name_problem(name) else reason
            )
            return
        if self._open is None or self._open.name != name:
            yield from self.end()
            if name in self._seen:
                yield Refused(where, f"episode {name} was there before, its rows apart from this")
                return
            self._seen.add(name)
            self._open = _Open(name, _task(fields, turn[0]), {})
        if index in self._open.steps or index >= MAX_STEPS:
            yield Refused(where, f"episode {name} has step {index} twice; the first is kept")
            return
        still, missing = self._picture(picture)
        size = still.size if still is not None else UNKNOWN_SIZE
        row = Row(name, index, turn[1], turn[1])
        action = DIALECTS[self._dialect].action(row, size, self._declared)
        if isinstance(action, Unreadable):
            yield Refused(where, f"its answer cannot be read: {action.reason}")
            return
        if missing:
            yield MissingPicture(where, missing)
            yield ImportNote(
                where, f"no picture gives the screen's size; {UNKNOWN_SIZE} is assumed"
            )
        own = fields.get("step_instruction")
        self._open.steps[index] = Step(
            index=index,
            action=action,
            frame=Frame(size, Basis.IMPORTED, still=still, native=picture),
            texts=StepTexts(
                own if isinstance(own, str) else _line(_question(fields, turn[0]), STEP)
            ),
            extra=json.dumps({"answer": turn[1]}, ensure_ascii=False, separators=(",", ":")),
        )

    def end(self) -> Iterator[Episode]:
        """Yields the last episode."""
        done, self._open = self._open, None
        if done is None or not done.steps:
            return
        steps = tuple(done.steps[index] for index in sorted(done.steps))
        last = steps[-1].action
        key = f"taptrail:{NAME}/{self._dialect}/{done.name}"
        yield Episode(
            uuid=str(uuid.uuid5(uuid.NAMESPACE_URL, key)),
            name=done.name,
            origin=Origin(NAME, self._dialect, self._file.name),
            task=Task(done.instruction),
            state=EpisodeState.FINISHED,
            steps=steps,
            actor=Actor("person"),
            finish=last if isinstance(last, a.Finish) else None,
        )

    def _picture(self, named: str | None) -> tuple[Still | None, str]:
        if named is None:
            return None, "it names no picture"
        try:
            path = path_inside(self._file.parent, named)
            if not path_exists(path):
                return None, "the picture is not there"
            return self._picture_store.keep(path), ""
        except BadName as error:
            return None, f"the picture's name {format_value(named)} {error}"
        except OSError as error:
            return None, f"the picture cannot be used: {error.strerror or error}"
        except BadPicture as error:
            return None, f"the picture cannot be used: {error.found}"


def _question(fields: dict[str, Any], chat: str) -> str:
    """Returns the last question before the answer."""
    role, content = ("from", "value") if chat == "conversations" else ("role", "content")
    turns = fields.get(chat)
    for turn in reversed(turns) if isinstance(turns, list) else ():
        if isinstance(turn, dict) and turn.get(role) in ("human", "user"):
            text = turn.get(content)
            return text if isinstance(text, str) else ""
    return ""


def _task(fields: dict[str, Any], chat: str) -> str:
    own = fields.get("instruction")
    if isinstance(own, str):
        return own
    asked = _question(fields, chat)
    return _line(asked, TASK) or asked.removeprefix("<image>").strip()[:MAX_TASK]


def _line(text: str, begins: str) -> str:
    return next(
        (line.removeprefix(begins) for line in text.splitlines() if line.startswith(begins)), ""
    )
