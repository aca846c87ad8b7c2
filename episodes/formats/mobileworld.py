"""MobileWorld's runs: a folder a task with `traj.json`, `screenshots/` and `result.txt`.

Its actions are AndroidWorld's objects with a "coordinate". A person's answer to a question of the
agent stands in the step's context. Nothing an agent wrote is executed.

Source: the layout of Tongyi-MAI/MobileWorld at 6a4dec2.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from episodes import actions as a
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.androidworld_actions import action_of
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
from episodes.screens import Basis, Frame, Still
from episodes.steps import Step, StepTexts
from episodes.task_verdicts import OF_A_FILE, TaskVerdict, word_of

NAME = SPACE = "mobileworld"
VERSION = "1"
FILE = "traj.json"
BACKUP = "_backup_"
MAX_STEPS = 10_000
MAX_TASKS = 100_000
MAX_RESULT_BYTES = 64 * 1024
UNKNOWN_SIZE = Size(1080, 2400)
_RESULT = re.compile(r"score: (\d{1,3}(?:\.\d{1,20})?)\s*(?:reason: (.*))?", re.DOTALL)


def count(path: Path) -> int:
    """Returns how many tasks there are.

    Raises:
        KnownError: there is no such folder.
    """
    return len(_folders(path))


def read(
    path: Path, picture_store: PictureStore, version: str = ""
) -> Iterator[Episode | Refused | ImportNote]:
    """Yields an episode for each trajectory, and what was refused.

    Raises:
        KnownError: there is no trajectory at `path`.
    """
    folders = _folders(path)
    for folder in [one for one in folders if BACKUP in one.name]:
        folders.remove(folder)
        yield ImportNote(
            f"{folder.parent.name}/{folder.name}", "it is a backup, and was passed over"
        )
    if not folders:
        raise KnownError(
            f"import MobileWorld from {path}",
            f"there is no folder with {FILE}",
            "Give the folder of a run, or of one task.",
        )
    for folder in folders:
        where = f"{folder.parent.name}/{folder.name}"
        try:
            data = file_bytes(path_inside(folder, FILE), f"read {where}")
            told = json_value(data)
        except (BadName, KnownError, ValueError) as error:
            yield Refused(where, error.found if isinstance(error, KnownError) else str(error))
            continue
        if not isinstance(told, dict):
            yield Refused(where, f"{FILE} holds no attempts")
            continue
        for number, attempt in told.items():
            if number == "token_usage":
                continue
            reader = _Reader(folder, where, str(number), picture_store)
            if not isinstance(attempt, dict) or not isinstance(attempt.get("traj"), list):
                yield Refused(f"{where}: attempt {number}", "it has no list of steps")
                continue
            episode = reader.episode(attempt, sha256_hex(data))
            yield from reader.problems
            yield episode


def verdict(episode: Episode) -> TaskVerdict | None:
    """Returns what `result.txt` says of an attempt; None without one."""
    result = json.loads(episode.extra)["result"]
    if result is None:
        return None
    found = _RESULT.match(result)
    score = float(found[1]) if found is not None else None
    return TaskVerdict(
        task=episode.task.goal_id,
        bench=NAME,
        version=OF_A_FILE,
        seed=None,
        instance=0,
        goal=episode.task.instruction,
        goal_before=episode.task.instruction,
        satisfied_at_start=None,
        score=score,
        verdict=word_of(score),
        claimed=episode.finish.ending.value if episode.finish is not None else "",
        reason=((found[2] or "") if found is not None else result).strip()[:2000],
        evidence="[]",
        details="{}",
        judged_utc="",
    )


def _folders(path: Path) -> list[Path]:
    if not path.is_dir():
        raise KnownError(
            f"import MobileWorld from {path}", "there is no such folder", "Check the path."
        )
    deep = (FILE, f"*/{FILE}", f"*/*/{FILE}")
    return sorted({file.parent for one in deep for file in path.glob(one)})[:MAX_TASKS]


class _Reader:
    def __init__(self, folder: Path, where: str, number: str, picture_store: PictureStore) -> None:
        self.problems: list[Refused | ImportNote] = []
        self._folder = folder
        self._where = where
        self._number = number
        self._picture_store = picture_store

    def episode(self, attempt: dict[str, Any], sha256: str) -> Episode:
        rows = [row for row in attempt["traj"][:MAX_STEPS] if isinstance(row, dict)]
        if lost := len(attempt["traj"]) - len(rows):
            self.problems.append(Refused(self._where, "a step is no object", lost))
        steps = tuple(self._step(index, row) for index, row in enumerate(rows))
        goal = next((_text(row.get("task_goal")) for row in rows if row.get("task_goal")), "")
        last = steps[-1].action if steps else None
        finish = last if isinstance(last, a.Finish) else None
        task, run = self._folder.name, self._folder.parent.name
        suffix = "" if self._number == "0" else f"-{self._number[:20]}"
        return Episode(
            uuid=str(
                uuid.uuid5(uuid.NAMESPACE_URL, f"taptrail:{NAME}/{run}/{task}{suffix}/{sha256}")
            ),
            name=f"{run}-{task}{suffix}"[:180],
            origin=Origin(NAME, VERSION, FILE, sha256),
            task=Task(goal or task, goal_id=task),
            state=EpisodeState.FINISHED if finish is not None else EpisodeState.INCOMPLETE,
            steps=steps,
            actor=Actor("agent", agent=run),
            finish=finish,
            extra=json.dumps(self._result(), ensure_ascii=False),
        )

    def _step(self, index: int, row: dict[str, Any]) -> Step:
        still = self._still(index, row.get("step", index))
        told = row.get("action")
        action: a.Action = a.Other("none", "{}")
        if isinstance(told, dict):
            action = action_of(_with_point(told), [])
        asked = row.get("ask_user_response")
        return Step(
            index=index,
            action=action,
            frame=Frame(still.size if still is not None else UNKNOWN_SIZE, Basis.IMPORTED, still),
            native=Native.of(SPACE, told if isinstance(told, dict) else None),
            texts=StepTexts(
                note=_text(row.get("prediction")),
                context=_text(asked) if asked else "",
            ),
        )

    def _still(self, index: int, step: Any) -> Still | None:
        place = f"{self._where}: step {index}"
        number = step if isinstance(step, int) else index
        name = f"screenshots/{self._folder.name}-{self._number[:20]}-{number}.png"
        try:
            return self._picture_store.keep(path_inside(self._folder, name))
        except (BadName, BadPicture) as error:
            found = error.found if isinstance(error, KnownError) else str(error)
            self.problems.append(MissingPicture(place, found))
            return None

    def _result(self) -> dict[str, Any]:
        """The benchmark's verdict with an episode: a score and a reason."""
        try:
            data = file_bytes(path_inside(self._folder, "result.txt"), "read it", MAX_RESULT_BYTES)
        except (BadName, KnownError):
            return {"result": None}
        return {"result": data.decode(errors="replace").strip()}


def _with_point(told: dict[str, Any]) -> dict[str, Any]:
    """Returns the object with x and y where it has a coordinate."""
    place = told.get("coordinate", told.get("start_coordinate"))
    if not isinstance(place, list) or len(place) != 2:
        return told
    if not all(isinstance(one, int | float) and abs(one) < 1e6 for one in place):
        return told
    return {**told, "x": float(place[0]), "y": float(place[1])}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
