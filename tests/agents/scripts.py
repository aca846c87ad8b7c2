"""Answers of a scripted model for the demo phone's tasks, told apart by the goal in the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tasks.task_files import OwnTask, TaskInstance
from tests.agents.conftest import COMPLETE, key, tap, write


def answers_of(instance: TaskInstance) -> list[Any]:
    """Returns what the model says, turn by turn, to do a task."""
    its = instance.values
    home = key("home")
    dark = [tap("Settings"), tap("Dark theme")]
    wifi = [tap("Settings"), tap("Wi-Fi"), tap("Use Wi-Fi")]
    if instance.task.parts:
        parts = [answers_of(_part(part, its)) for part in instance.task.parts]
        between = [said for part in parts for said in (home, *part[:-1])]
        return [*between[1:], COMPLETE]
    match instance.task.name:
        case "dark-theme-on":
            return [*dark, COMPLETE]
        case "wifi-off":
            return [*wifi, COMPLETE]
        case "calendar-open":
            return [tap("Calendar"), COMPLETE]
        case "contact-new":
            return [
                tap("Contacts"),
                tap("New contact"),
                tap("First name"),
                write(its["first"]),
                tap("Last name"),
                write(its["last"]),
                tap("Phone"),
                write(its["number"]),
                tap("Save"),
                COMPLETE,
            ]
        case "contact-from-message":
            return [
                tap("Messages"),
                tap("Mara Quill"),
                home,
                tap("Contacts"),
                tap("New contact"),
                tap("First name"),
                write("Mara"),
                tap("Last name"),
                write("Quill"),
                tap("Phone"),
                write("555 0142"),
                tap("Save"),
                COMPLETE,
            ]
        case "note-new":
            return [
                tap("Notes"),
                tap("New note"),
                tap("Title"),
                write(its["title"]),
                tap("Note"),
                write(its["text"]),
                key("back"),
                key("back"),
                COMPLETE,
            ]
        case "note-question":
            return [tap("Notes"), {"kind": "answer", "text": its["eggs"]}]
        case "copy-number":
            return [
                tap("Messages"),
                tap("Mara Quill"),
                {"kind": "long_press", "at": {"element": {"text": "My new number is 555 0142"}}},
                tap("Copy"),
                COMPLETE,
            ]
        case "contact-page":
            down = {"kind": "scroll", "direction": "up"}
            return [tap("Contacts"), down, tap("Petra Vale"), COMPLETE]
        case "alarm-new":
            return [tap("Clock"), tap("Add alarm"), tap("OK"), COMPLETE]
        case "brightness-most":
            return [tap("Settings"), tap("Display"), "BRIGHTNESS", COMPLETE]
        case "note-delete":
            return [tap("Notes"), tap(its["title"]), tap("Delete"), tap("Delete"), COMPLETE]
    return [COMPLETE]


def _part(part: Any, values: Mapping[str, str]) -> TaskInstance:
    return TaskInstance(part.task, 0, None, dict(part.values(values)))


def policy_of(instances: Iterable[TaskInstance]) -> Callable[[str, Mapping[str, Any]], str]:
    """Returns a model that knows the answers for these goals."""
    known = {one.goal: answers_of(one) for one in instances}

    def policy(asked: str, told: Mapping[str, Any]) -> str:
        if asked.endswith("/summary"):
            return "It did what it was meant to do."
        content = told["messages"][-1]["content"]
        text = content if isinstance(content, str) else content[-1]["text"]
        goal = re.search(r"^Task: (.*)$", text, re.MULTILINE)
        answers = known[goal[1]] if goal else [COMPLETE]
        said = answers[min(int(asked.rpartition("/")[2]), len(answers)) - 1]
        return said if isinstance(said, str) else json.dumps(said)

    return policy


def instances_of(tasks: Mapping[str, OwnTask], seeds: Iterable[int]) -> list[TaskInstance]:
    return [task.instance(0, seed) for task in tasks.values() for seed in seeds]
