"""A demo phone, a scripted model behind the fake server, and an open library for agents."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from recorder.library_thread import LibraryThread
from replay.asking.neutral import new_recipe
from replay.asking.recipe import Recipe, recipe_from_table
from taptrail.usecases.agent_runs import AgentOptions, Model, run_agent_task
from taptrail.usecases.demo_phone import DemoPhone, running_demo_phone
from taptrail.usecases.predicting import ModelServer
from taptrail.usecases.task_phone import DeviceTaskPhone, task_phone
from taptrail.usecases.task_runs import own_tasks
from tests.replay.asking.fake_server import FakeServer
from tests.taptrail.conftest import taptrail

__all__ = ["taptrail"]

COMPLETE = {"kind": "finish", "ending": "complete"}
IMPOSSIBLE = {"kind": "finish", "ending": "impossible"}


def tap(words: str) -> dict[str, Any]:
    return {"kind": "tap", "at": {"element": {"text": words}}}


def write(text: str) -> dict[str, Any]:
    return {"kind": "type_text", "text": text}


def key(name: str) -> dict[str, Any]:
    return {"kind": "press_key", "key": name}


def scripted(answers: list[Any]) -> Callable[[str, dict[str, Any]], str]:
    """A model that says its list turn by turn, the last one again and again."""

    def policy(asked: str, told: dict[str, Any]) -> str:
        if asked.endswith("/summary"):
            return "It was meant to go on, and the screen shows that it did."
        number = int(asked.rpartition("/")[2])
        said = answers[min(number, len(answers)) - 1]
        said = said(told) if callable(said) else said
        return said if isinstance(said, str) else json.dumps(said)

    return policy


def recipe(text: bool = False, **sampling: Any) -> Recipe:
    import tomllib

    made = recipe_from_table(tomllib.loads(new_recipe("taptrail", text=text)), "make a recipe")
    limits = msgspec.structs.replace(made.failures, attempts=2, timeout_s=5)
    return msgspec.structs.replace(made, failures=limits)


@dataclass
class Bench:
    """Runs tasks with a scripted model."""

    demo: DemoPhone
    phone: DeviceTaskPhone
    library: LibraryThread
    server: FakeServer | None = field(default=None)

    def run(self, task: str, answers: list[Any], loop: str = "plain", **options: Any) -> Any:
        """Returns the outcome; `server` is the one that was asked."""
        more = {
            name: options.pop(name)
            for name in ("on_progress", "on_control", "stop", "even_if_satisfied")
            if name in options
        }
        faults = options.pop("faults", None)
        seed = options.pop("suite_seed", 30)
        its = AgentOptions("tests", loop=loop, **options)
        policy = answers if callable(answers) else scripted(answers)
        with FakeServer(policy) as self.server:
            if faults is not None:
                self.server.faults = faults
            with Model(recipe(loop == "text"), ModelServer(self.server.url), its) as model:
                instance = own_tasks()[task].instance(0, seed)
                return run_agent_task(instance, self.phone, self.library, model, its, **more)

    def episode(self, outcome: Any) -> Any:
        return self.library.call(lambda kept: kept.episode(outcome.episode))


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoPhone]:
    with running_demo_phone(deterministic=True) as phone:
        yield phone


@pytest.fixture(scope="module")
def bench(demo: DemoPhone, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    folder = tmp_path_factory.mktemp("agents") / "library"
    with LibraryThread(folder) as library:
        yield Bench(demo, task_phone(demo.serial, demo.devices), library)
