"""All tasks of the demo phone, three seeds in each loop, and a list that is killed again and again.

python -m pytest tests/long/test_agents.py
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from episodes.episodes import EpisodeState
from episodes.store.library import Library
from taptrail.usecases.agent_runs import AgentOptions
from taptrail.usecases.agent_work import WorkPlan, done_keys, numbers_of, run_work
from taptrail.usecases.demo_phone import running_demo_phone
from taptrail.usecases.predicting import ModelServer
from taptrail.usecases.task_phone import task_phone
from taptrail.usecases.task_runs import own_tasks
from tests.agents.conftest import recipe
from tests.agents.scripts import instances_of, policy_of
from tests.replay.asking.fake_server import FakeServer

SEEDS = (31, 32, 34)  # of each title of a note, the same number of eggs
DONE = frozenset(own_tasks()) - {
    "brightness-most",
    "note-delete",
    "alarm-new",
    "contact-page",
}
"""Tasks whose answers in `scripts` do them; in the others the model lies."""


@pytest.mark.parametrize("loop", ["plain", "summary", "text"])
def test_a_dozen_tasks_with_three_seeds_are_judged_by_their_checks(loop, tmp_path):
    tasks = own_tasks()
    with running_demo_phone(deterministic=True) as demo:
        phone = task_phone(demo.serial, demo.devices)
        with FakeServer(policy_of(instances_of(tasks, SEEDS))) as server:
            worked = run_work(
                WorkPlan(tasks, SEEDS),
                [phone],
                tmp_path / "library",
                recipe(loop == "text"),
                ModelServer(server.url),
                AgentOptions(loop, loop=loop),
            )
    assert worked.left == {}
    with Library.read(tmp_path / "library") as kept:
        *by_task, every = numbers_of(kept, loop)
    assert len(by_task) == len(tasks)
    wrong = {one.task: (one.successes, one.stops) for one in by_task if one.task in DONE
             and one.successes != len(SEEDS)}  # fmt: skip
    assert not wrong
    assert {one.task for one in by_task if one.successes == 0} == set(own_tasks()) - DONE
    assert every.false_complete == (len(tasks) - len(DONE)) * len(SEEDS)


def test_two_phones_and_ten_kills_leave_nothing_doubled_and_nothing_half(tmp_path):
    names = ("dark-theme-on", "calendar-open", "note-question")
    tasks = {name: own_tasks()[name] for name in names}
    library = tmp_path / "library"
    draw = random.Random(5)
    with (
        running_demo_phone(deterministic=True) as one,
        running_demo_phone(deterministic=True) as other,
        FakeServer(policy_of(instances_of(tasks, SEEDS))) as server,
    ):
        other.devices.connect(one.serial)
        command = [
            sys.executable, "-m", "taptrail", "agent", "taptrail", "--name", "run",
            "--endpoint", server.url, "--library", str(library), "--json",
            *(word for name in names for word in ("--task", name)),
            *(word for seed in SEEDS for word in ("--seed", str(seed))),
            "--serial", one.serial, "--serial", other.serial,
        ]  # fmt: skip
        environment = os.environ | {
            "TAPTRAIL_SETTINGS": str(_settings(tmp_path, other.devices.port))
        }
        for _ in range(10):
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
            time.sleep(draw.uniform(3, 12))
            process.kill()
            process.wait()
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["left"] == {}
    with Library.read(library) as kept:
        assert len(done_keys(kept, "run")) == len(names) * len(SEEDS)
        keys = [json.loads(v.details).get("entry") for _, v in kept.task_verdicts()
                if not json.loads(v.details)["agent"]["harness_fault"]]  # fmt: skip
        assert len(keys) == len(set(keys)) == len(names) * len(SEEDS)
        judged = {uuid for uuid, _ in kept.task_verdicts()}
        left = [e.uuid for e in kept.outlines() if e.state is not EpisodeState.DELETED]
        assert set(left) <= judged
        assert not kept.check().faults


def _settings(folder: Path, port: int) -> Path:
    path = folder / "settings.toml"
    path.write_text(f"adb_port = {port}\n")
    return path
