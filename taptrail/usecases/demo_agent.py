"""A scripted model that does one task on the demo phone, as part of the demo.

It answers as a server would, in this process; everything else is what `taptrail agent` uses.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from episodes.runs import Ended
from recorder.library_thread import LibraryThread
from replay.asking.client import Received
from replay.asking.neutral import new_recipe
from replay.asking.recipe import recipe_from_table
from taptrail.usecases.agent_runs import AgentOptions, Model, run_agent_task
from taptrail.usecases.demo_phone import DemoPhone
from taptrail.usecases.predicting import ModelServer
from taptrail.usecases.task_phone import task_phone
from taptrail.usecases.task_runs import own_tasks
from tasks.running import TaskOutcome, TaskResult

NAME = "scripted model"
TASK = "dark-theme-on"
DIALECT = "taptrail"
ANSWERS: tuple[dict[str, Any], ...] = (
    {"kind": "tap", "at": {"element": {"text": "Settings"}}},
    {"kind": "tap", "at": {"element": {"text": "Dark theme"}}},
    {"kind": "finish", "ending": "complete"},
)


def run_demo_agent(phone: DemoPhone, library_folder: Path) -> TaskOutcome:
    """Lets the scripted model do the task; returns the phone's verdict.

    Raises:
        KnownError: it did not succeed.
    """
    recipe = recipe_from_table(tomllib.loads(new_recipe(DIALECT)), "make the demo's recipe")
    options = AgentOptions(NAME)
    with (
        LibraryThread(library_folder) as library,
        Model(recipe, ModelServer(), options, _answer) as model,
    ):
        outcome = run_agent_task(
            own_tasks()[TASK].instance(),
            task_phone(phone.serial, phone.devices),
            library,
            model,
            options,
        )
    if outcome.verdict is not TaskResult.SUCCESS:
        raise KnownError(
            f"let a scripted model do “{outcome.goal}”",
            f"the phone says: {outcome.reason}",
            "Try again; see also taptrail doctor.",
        )
    return outcome


def _answer(body: bytes, key: str) -> Received:
    turn = int(key.rpartition("/")[2])
    return Received(json.dumps(ANSWERS[min(turn, len(ANSWERS)) - 1]), Ended.STOP)
