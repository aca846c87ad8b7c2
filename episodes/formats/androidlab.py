"""Android Lab's traces: a folder a task, in it lines of JSON, screenshots, and dumps of the screen.

Reads one trace, a run of them, or a folder of runs. Paths in a trace are those of another machine:
only their last part counts. Nothing an agent wrote is executed. A picture without a line says that
the attempt broke off there; an end picture without a finish, that it was stopped.

Source: recorder/json_recoder.py, evaluation/auto_test.py of THUDM/Android-Lab at 373fc1d.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.androidlab_actions import SPACE, action_of
from episodes.formats.input_files import (
    BadName,
    BadPicture,
    ImportNote,
    MissingPicture,
    PictureStore,
    Refused,
    file_bytes,
    json_value,
    path_inside,
    sha256_hex,
)
from episodes.geometry import Native, Size
from episodes.screens import (
    Basis,
    Foreground,
    Frame,
    StepTree,
    Still,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step, StepTexts

NAME = "androidlab"
VERSION = "1"
MAX_LINES = 10_000
LINE_LOST_AFTER = "line_lost_after"
"""In an episode's `extra`: how many lines stand before the first one that has no action."""

MAX_TRACES = 100_000
MAX_TREE_BYTES = 16 << 20
UNKNOWN_SIZE = Size(1080, 2400)
_FOLDER = re.compile(r"([^_]+_[^_]+)_(\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d)")
_PICTURE = re.compile(r"screenshot-(\d+|end)-(\d+(?:\.\d+)?)(?:-before)?\.png")
_TASK = re.compile(r"You should use .{1,80}? to complete the following task: (.*)", re.DOTALL)


def count(path: Path) -> int:
    """Returns how many traces there are.

    Raises:
        KnownError: there is no such folder.
    """
    return len(_traces(path))


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields an episode for each trace, and what was refused.

    Raises:
        KnownError: there is no trace at `path`.
    """
    found = _traces(path)
    if not found:
        raise KnownError(
            f"import Android Lab from {path}",
            "there is no folder with traces/trace.jsonl",
            "Give the folder of a run, or of one trace.",
        )
    for folder in found:
        where = f"{folder.parent.name}/{folder.name}"
        reader = _Reader(folder, where, picture_store)
        try:
            episode = reader.episode()
        except BadName as error:
            yield Refused(where, f"a name in it {error}")
            continue
        except KnownError as error:
            yield Refused(where, error.found)
            continue
        yield from reader.problems
        yield episode
    for stray in _strays(path, found):
        yield ImportNote(stray, "it is no trace, and was passed over")


def _traces(path: Path) -> list[Path]:
    if not path.is_dir():
        raise KnownError(
            f"import Android Lab from {path}", "there is no such folder", "Check the path."
        )
    deep = ("traces/trace.jsonl", "*/traces/trace.jsonl", "*/*/traces/trace.jsonl")
    found = sorted({file.parent.parent for one in deep for file in path.glob(one)})
    if len(found) > MAX_TRACES:
        raise KnownError(
            f"import Android Lab from {path}",
            f"there are {len(found)} traces, and at most {MAX_TRACES} are read",
            "Give one run at a time.",
        )
    return found


def _strays(path: Path, found: list[Path]) -> list[str]:
    """Files beside traces that are not traces."""
    runs = {folder.parent for folder in found if folder != path}
    return sorted(
        f"{run.name}/{one.name}"
        for run in runs
        for one in run.iterdir()
        if one not in found and not any(trace.is_relative_to(one) for trace in found)
    )


class _Reader:
    """Turns one trace's folder into an episode, and collects what it could not take."""

    def __init__(self, folder: Path, where: str, picture_store: PictureStore) -> None:
        self.problems: list[Refused | ImportNote] = []
        self._folder = folder
        self._where = where
        self._picture_store = picture_store
        self._pictures = self._listed_pictures()
        self._lost_after: int | None = None

    def episode(self) -> Episode:
        path = path_inside(self._folder, "traces/trace.jsonl")
        data = file_bytes(path, f"read {self._where}")
        lines = self._lines(data)
        steps = tuple(self._step(number, line) for number, line in lines)
        named = _FOLDER.fullmatch(self._folder.name)
        task_id = named[1] if named else self._folder.name[:100]
        target = next((str(line["target"]) for _, line in lines if line.get("target")), task_id)
        goal = _TASK.fullmatch(target)
        finish = steps[-1].action if steps and isinstance(steps[-1].action, a.Finish) else None
        broke, final = self._ending(lines, finish is not None)
        if broke:
            self.problems.append(ImportNote(self._where, broke))
        beside: dict[str, Any] = {"ended": broke} if broke else {}
        if self._lost_after is not None:
            beside[LINE_LOST_AFTER] = self._lost_after
        return Episode(
            uuid=_uuid(self._where, data),
            name=f"{self._folder.parent.name}-{self._folder.name}"[:180],
            origin=Origin(NAME, VERSION, "trace.jsonl", sha256_hex(data)),
            task=Task(goal[1] if goal else target, goal_id=task_id, category=task_id.split("_")[0]),
            state=EpisodeState.FINISHED if finish is not None else EpisodeState.INCOMPLETE,
            steps=steps,
            actor=Actor("agent", agent=self._folder.parent.name),
            started_utc=_utc(named[2]) if named else "",
            finish=finish,
            final=final,
            extra=json.dumps(beside) if beside else "",
        )

    def _lines(self, data: bytes) -> list[tuple[int, dict[str, Any]]]:
        found: list[tuple[int, dict[str, Any]]] = []
        for row, text in enumerate(data.splitlines()):
            if not text.strip():
                continue
            place = f"{self._where}: line {row + 1}"
            try:
                line = json_value(text)
            except ValueError as error:
                self.problems.append(Refused(place, str(error)))
                self._lost_after = len(found) if self._lost_after is None else self._lost_after
                continue
            if not isinstance(line, dict) or not isinstance(line.get("parsed_action"), dict):
                self.problems.append(Refused(place, "it has no parsed_action"))
                self._lost_after = len(found) if self._lost_after is None else self._lost_after
                continue
            index = line.get("index")
            number = index if isinstance(index, int) and 0 <= index < MAX_LINES else len(found)
            if any(number == other for other, _ in found):
                self.problems.append(Refused(place, f"step {number} is there already"))
                continue
            found.append((number, line))
            if len(found) > MAX_LINES:
                raise KnownError("read it", f"it has more than {MAX_LINES} lines", "Look at it.")
        return found

    def _step(self, number: int, line: dict[str, Any]) -> Step:
        still = self._still(number, line.get("image"))
        size = still.size if still is not None else _window(line.get("window"))
        response = line.get("current_response", line.get("response"))
        command = line.get("command")
        activity = line.get("current_activity")
        return Step(
            index=number,
            action=action_of(line["parsed_action"], size, submits="labeled_image" not in line),
            frame=Frame(size, Basis.IMPORTED, still),
            native=Native.of(SPACE, line),
            began=self._moment(line.get("image")),
            tree=self._tree(number, line),
            foreground=Foreground(activity) if isinstance(activity, str) and activity else None,
            texts=StepTexts(note=response if isinstance(response, str) else ""),
            extra=json.dumps({"command": command}, ensure_ascii=False) if command else "",
        )

    def _still(self, number: int, named: Any) -> Still | None:
        place = f"{self._where}: step {number}"
        name = _base(named)
        if not name:
            self.problems.append(MissingPicture(place, "its line names no picture"))
            return None
        try:
            return self._picture_store.keep(path_inside(self._folder, f"Screen/{name}"))
        except BadName as error:
            self.problems.append(MissingPicture(place, f"the picture's name {error}"))
        except BadPicture as error:
            self.problems.append(MissingPicture(place, error.found))
        return None

    def _tree(self, number: int, line: dict[str, Any]) -> StepTree | None:
        """Prefers the accessibility dump; both are in the same folder."""
        named = line.get("ac_xml") or line.get("xml")
        name = _base(named)
        if not name:
            return None
        source = "accessibility dump" if line.get("ac_xml") else "uiautomator dump"
        status, data, detail = TreeStatus.OK, b"", ""
        if name == "ERROR":
            status, detail = TreeStatus.FAILED, "the dump failed"
        else:
            try:
                path = path_inside(self._folder, f"xml/{name}")
                data = file_bytes(path, "read the tree", MAX_TREE_BYTES)
            except (BadName, KnownError) as error:
                found = error.found if isinstance(error, KnownError) else str(error)
                self.problems.append(
                    ImportNote(f"{self._where}: step {number}", f"its tree: {found}")
                )
                status, detail = TreeStatus.FAILED, found
        record = TreeRecord("uiautomator", data, source, status, detail=detail)
        return StepTree(record, TreeFit.IMPORTED if status is TreeStatus.OK else TreeFit.FAILED)

    def _ending(
        self, lines: list[tuple[int, dict[str, Any]]], finished: bool
    ) -> tuple[str, Frame | None]:
        """Why it ended without a finish, and the screen it ended on."""
        known = {number for number, _ in lines}
        beyond = [n for n in self._pictures if isinstance(n, int) and n not in known]
        if beyond and not finished:
            number = max(beyond)
            return f"broke off at step {number}", self._frame(self._pictures[number])
        end = self._pictures.get("end")
        frame = self._frame(end) if end else None
        if finished:
            return "", frame
        return ("stopped: same action six times" if end else "it has no finish"), frame

    def _frame(self, name: str) -> Frame | None:
        try:
            still = self._picture_store.keep(path_inside(self._folder, f"Screen/{name}"))
        except (BadName, BadPicture):
            return None
        return Frame(still.size, Basis.FINAL, still)

    def _listed_pictures(self) -> dict[int | str, str]:
        folder = self._folder / "Screen"
        names = sorted(one.name for one in folder.iterdir()) if folder.is_dir() else []
        found = ((_PICTURE.fullmatch(name), name) for name in names)
        return {
            int(match[1]) if match[1].isdigit() else match[1]: name
            for name_match in found
            for match, name in (name_match,)
            if match is not None and len(match[1]) < 7
        }

    def _moment(self, named: Any) -> Moment:
        """When the picture was taken, by the clock of the machine that ran the agent."""
        found = _PICTURE.fullmatch(_base(named))
        return Moment(host_ns=round(float(found[2]) * 1e9)) if found else Moment()


def _base(named: Any) -> str:
    return re.split(r"[/\\]", named)[-1] if isinstance(named, str) else ""


def _window(told: Any) -> Size:
    if isinstance(told, list) and len(told) == 2:
        width, height = told
        if all(isinstance(side, int) and 0 < side < 20_000 for side in told):
            return Size(width, height)
    return UNKNOWN_SIZE


def _utc(text: str) -> str:
    """The folder's time; its zone is not known and taken for UTC."""
    try:
        moment = datetime.strptime(text, "%Y-%m-%d_%H-%M-%S").replace(tzinfo=UTC)
    except ValueError:
        return ""
    return moment.isoformat()


def _uuid(where: str, data: bytes) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{where}/{sha256_hex(data)}"))
