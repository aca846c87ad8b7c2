"""Tasks that people write, in YAML files: the goal, the start, and the checks.

`docs/tasks.md` describes the files.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from tasks import evidence
from tasks.checks import Check, read_check, required
from tasks.conditions import text_with_holes
from tasks.evidence import Evidence
from tasks.located import Located, read_yaml
from tasks.parameters import Parameter, Values, draw, fill, read_parameters
from tasks.preparing import SetupStep, read_steps
from tasks.seeds import instance_seed
from tasks.situations import Situation

DEFAULT_SEED = 30
DEFAULT_BUDGET = 10
MAX_PARTS = 20
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
_PACKAGE = re.compile(r"[A-Za-z][\w]*(\.[A-Za-z_]\w*)+")
_KEYS = (
    *("name", "version", "goal", "apps", "tags", "budget", "parameters", "setup", "check"),
    *("teardown", "parts"),
)


@dataclass(frozen=True, slots=True)
class TaskPart:
    """A task inside another one.

    Attributes:
        given: the part's parameters, as texts with holes of the whole's parameters.
    """

    task: OwnTask
    given: Mapping[str, str]

    def values(self, whole: Values) -> dict[str, str]:
        """Returns the part's parameters from those of the whole."""
        return {name: fill(text, whole) for name, text in self.given.items()}


@dataclass(frozen=True, slots=True)
class OwnTask:
    """A task of a task file.

    Attributes:
        version: the file's word for it, and the first digits of the hash of its description.
        goal: the instruction, with holes for parameters.
        check: None for a task that has parts only.
        parts: tasks it is made of; its score is the mean of theirs.
    """

    name: str
    version: str
    goal: str
    apps: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    budget: int = DEFAULT_BUDGET
    parameters: tuple[Parameter, ...] = ()
    setup: tuple[SetupStep, ...] = ()
    check: Check | None = None
    teardown: tuple[SetupStep, ...] = ()
    parts: tuple[TaskPart, ...] = ()
    file: str = ""

    def instance(self, number: int = 0, suite_seed: int | None = DEFAULT_SEED) -> TaskInstance:
        """Returns an instance: its parameters follow from suite seed, name and number."""
        seed = instance_seed(suite_seed, self.name, number)
        return TaskInstance(self, number, seed, draw(self.parameters, seed))

    def steps(self, values: Values) -> Iterable[tuple[SetupStep, Values]]:
        """Yields the steps of the set-up, those of the parts first."""
        for part in self.parts:
            yield from part.task.steps(part.values(values))
        yield from ((step, values) for step in self.setup)

    def undoing(self, values: Values) -> Iterable[tuple[SetupStep, Values]]:
        """Yields the steps of the tear-down, those of the parts last and in reverse."""
        yield from ((step, values) for step in self.teardown)
        for part in reversed(self.parts):
            yield from part.task.undoing(part.values(values))

    def settings(self) -> tuple[tuple[str, str], ...]:
        """Returns the settings that the task changes or checks."""
        own = [name for step in (*self.setup, *self.teardown) for name in step.settings]
        looked = self.check.settings if self.check is not None else ()
        return (*own, *looked, *(name for part in self.parts for name in part.task.settings()))

    def judge(self, situation: Situation) -> Evidence:
        """Returns what the task's checks find now."""
        if self.check is not None and not self.parts:
            return self.check.make(situation)
        found = [
            replace(
                part.task.judge(replace(situation, values=part.values(situation.values))),
                check=f"part {part.task.name}",
            )
            for part in self.parts
        ]
        if self.check is not None:
            found.append(self.check.make(situation))
        return evidence.mean_of("parts", found)


@dataclass(frozen=True, slots=True)
class TaskInstance:
    """A task with its parameters drawn.

    Attributes:
        seed: what they were drawn from; None for a draw that cannot be repeated.
    """

    task: OwnTask
    number: int
    seed: int | None
    values: Mapping[str, str]

    @property
    def goal(self) -> str:
        """The instruction with its parameters."""
        return fill(self.task.goal, self.values)


def load_tasks(paths: Iterable[Path]) -> dict[str, OwnTask]:
    """Returns the tasks of files and of folders of *.yaml files, by name.

    Raises:
        KnownError: a file cannot be read, a name stands there twice, or a part is unknown.
    """
    told: dict[str, Located] = {}
    for path in paths:
        files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
        for file in files:
            for one in required_list(read_yaml(file)):
                name = required(one, one.mapping(*_KEYS), "name")
                if not _NAME.fullmatch(name.text()):
                    name.refuse(f"“{name.text()[:60]}” is no name: small letters, digits and -")
                if name.text() in told:
                    name.refuse(f"there is a task “{name.text()}” already")
                told[name.text()] = one
    return _Builder(told).all()


def find_task(tasks: Mapping[str, OwnTask], name: str) -> OwnTask:
    """Returns a task by name.

    Raises:
        KnownError: there is none.
    """
    if name not in tasks:
        raise KnownError(
            f"find the task “{name}”",
            f"there are {len(tasks)} tasks, and none has this name",
            "See taptrail tasks list.",
        )
    return tasks[name]


def required_list(told: Located) -> tuple[Located, ...]:
    """Returns the tasks of a file, which is a mapping with the one key “tasks”."""
    return required(told, told.mapping("tasks"), "tasks").items()


class _Builder:
    """Builds tasks after the tasks they are made of."""

    def __init__(self, told: Mapping[str, Located]) -> None:
        self._told = told
        self._built: dict[str, OwnTask] = {}
        self._open: list[str] = []

    def all(self) -> dict[str, OwnTask]:
        return {name: self._task(name) for name in self._told}

    def _task(self, name: str) -> OwnTask:
        if name not in self._built:
            self._open.append(name)
            self._built[name] = self._build(name, self._told[name])
            self._open.pop()
        return self._built[name]

    def _build(self, name: str, told: Located) -> OwnTask:
        members = told.mapping(*_KEYS)
        parameters = read_parameters(members["parameters"]) if "parameters" in members else ()
        known = frozenset(one.name for one in parameters)
        goal = text_with_holes(required(told, members, "goal"), known)
        if "version" in members:
            members["version"].text()
        parts = self._parts(members["parts"], known) if "parts" in members else ()
        if "check" not in members and not parts:
            told.refuse("a task has a check, or parts")
        return OwnTask(
            name=name,
            version=_version(told),
            goal=goal,
            apps=tuple(
                dict.fromkeys(
                    (
                        *(_package(one) for one in _list(members, "apps")),
                        *(app for part in parts for app in part.task.apps),
                    )
                )
            ),
            tags=tuple(one.text() for one in _list(members, "tags")),
            budget=members["budget"].whole(1, 1000)
            if "budget" in members
            else sum(part.task.budget for part in parts) or DEFAULT_BUDGET,
            parameters=parameters,
            setup=read_steps(members["setup"], known) if "setup" in members else (),
            check=read_check(members["check"], known) if "check" in members else None,
            teardown=read_steps(members["teardown"], known) if "teardown" in members else (),
            parts=parts,
            file=told.file,
        )

    def _parts(self, told: Located, known: frozenset[str]) -> tuple[TaskPart, ...]:
        if not 0 < len(told.items()) <= MAX_PARTS:
            told.refuse(f"1 to {MAX_PARTS} parts are possible")
        return tuple(self._part(one, known) for one in told.items())

    def _part(self, told: Located, known: frozenset[str]) -> TaskPart:
        members = told.mapping("task", "with")
        name = required(told, members, "task")
        if name.text() not in self._told:
            name.refuse(f"there is no task “{name.text()[:60]}”")
        if name.text() in self._open:
            name.refuse(f"the task “{name.text()}” would be a part of itself")
        task = self._task(name.text())
        given = {
            key: text_with_holes(one, known)
            for key, one in (members["with"].mapping() if "with" in members else {}).items()
        }
        wanted = {one.name for one in task.parameters}
        if given.keys() != wanted:
            words = ", ".join(sorted(wanted)) or "none"
            told.refuse(f"the parameters of “{task.name}” are {words}; all have to be given")
        return TaskPart(task, given)


def _list(members: Mapping[str, Located], name: str) -> tuple[Located, ...]:
    return members[name].items() if name in members else ()


def _package(told: Located) -> str:
    if not _PACKAGE.fullmatch(told.text()):
        told.refuse(f"“{told.text()[:60]}” is no package of an app")
    return told.text()


def _version(told: Located) -> str:
    plain: dict[str, Any] = told.plain()
    digest = hashlib.sha256(json.dumps(plain, sort_keys=True, default=str).encode()).hexdigest()
    return f"{plain.get('version', 1)}+{digest[:8]}"
