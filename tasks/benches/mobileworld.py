"""The tasks of somebody's MobileWorld, read from its source. Nothing of it is run.

A task is a class below `tasks/definitions` whose bases lead to `BaseTask`, with a goal, tags and
apps as constants. What the code computes when it runs is shown as a hole.

Source: tasks/base.py, tasks/registry.py of Tongyi-MAI/MobileWorld at 6a4dec2.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from episodes.errors import KnownError

ROOMS = ("src/mobile_world/tasks/definitions", "mobile_world/tasks/definitions")
ROOT = "BaseTask"
HOLE = "{…}"
MAX_FILES = 5_000
MAX_BYTES = 1 << 20
MAX_BASES = 20


@dataclass(frozen=True, slots=True)
class MobileWorldTask:
    """A task of MobileWorld; what a class leaves out is its base's."""

    name: str
    goal: str
    apps: tuple[str, ...]
    tags: tuple[str, ...]


def listed_tasks(clone: Path) -> list[MobileWorldTask]:
    """Returns the tasks of a clone, by name.

    Raises:
        KnownError: it is no clone of MobileWorld, or one of its files cannot be read.
    """
    doing = f"list the tasks of {clone}"
    room = next((clone / one for one in ROOMS if (clone / one).is_dir()), None)
    if room is None:
        raise KnownError(
            doing, f"it holds no {ROOMS[0]}", "Name the folder of a clone of MobileWorld."
        )
    files = [one for one in sorted(room.rglob("*.py")) if one.name != "__init__.py"]
    if len(files) > MAX_FILES:
        raise KnownError(doing, f"it holds {len(files)} files", "Name the folder of a clone.")
    classes: dict[str, ast.ClassDef] = {}
    for file in files:
        classes |= {one.name: one for one in _classes(file, doing)}
    tasks = [task for name in classes if (task := _task(name, classes)) is not None]
    return sorted(tasks, key=lambda task: task.name)


def _classes(file: Path, doing: str) -> Iterator[ast.ClassDef]:
    try:
        data = file.read_bytes()
        if len(data) > MAX_BYTES:
            raise ValueError(f"it has {len(data)} bytes")
        tree = ast.parse(data)
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise KnownError(doing, f"{file.name} cannot be read: {error}", "Look at it.") from error
    yield from (one for one in tree.body if isinstance(one, ast.ClassDef))


def _task(name: str, classes: dict[str, ast.ClassDef]) -> MobileWorldTask | None:
    """The task of a class; None for one whose bases do not lead to the root, or without a goal."""
    line: list[ast.ClassDef] = []
    waiting = name
    while waiting != ROOT:
        found = classes.get(waiting)
        if found is None or len(line) >= MAX_BASES:
            return None
        line.append(found)
        waiting = next((base.id for base in found.bases if isinstance(base, ast.Name)), "")
    goal = next((told for one in line if (told := _value(one, "goal")) is not None), None)
    if goal is None:
        return None
    return MobileWorldTask(
        name,
        " ".join(_text(goal).split()),
        tuple(_texts(line, "app_names")),
        tuple(_texts(line, "task_tags")),
    )


def _value(told: ast.ClassDef, name: str) -> ast.expr | None:
    """What a class says of a name: a constant's value, or what its property returns."""
    for one in told.body:
        match one:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                return value
            case ast.AnnAssign(target=ast.Name(id=found), value=value) if found == name:
                return value
            case ast.FunctionDef(name=found) if found == name:
                returned = [line.value for line in ast.walk(one) if isinstance(line, ast.Return)]
                return returned[-1] if returned else None
            case _:
                pass
    return None


def _texts(line: list[ast.ClassDef], name: str) -> list[str]:
    value = next((told for one in line if (told := _value(one, name)) is not None), None)
    if not isinstance(value, ast.Set | ast.List | ast.Tuple):
        return []
    return sorted(_text(one) for one in value.elts)


def _text(value: ast.expr) -> str:
    match value:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left) + _text(right)
        case _:
            return HOLE
