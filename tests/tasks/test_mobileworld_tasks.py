"""Tasks of a clone of MobileWorld, listed from its source without running anything of it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from episodes.errors import KnownError
from taptrail.cli.tasks import tasks
from tasks.benches.mobileworld import HOLE, MobileWorldTask, listed_tasks

SOURCE = """
import os
os.system("touch {mark}")
NAME = "Ana"


class Mail(BaseTask):
    app_names = {{"Mail"}}
    task_tags = {{"lang-en", "easy"}}


class ReplyTask(Mail):
    goal = "Reply to Sam: "  "yes."


class AskTask(Mail):
    task_tags: set[str] = {{"user"}}

    @property
    def goal(self) -> str:
        return f"Ask {{NAME}} for the " + "address."


class Helper:
    goal = "It is no task."


class Round(Round):
    goal = "Its bases lead nowhere."
"""


@pytest.fixture
def clone(tmp_path):
    room = tmp_path / "clone" / "src" / "mobile_world" / "tasks" / "definitions" / "mail"
    room.mkdir(parents=True)
    (room / "reply.py").write_text(SOURCE.format(mark=tmp_path / "mark"))
    (room / "__init__.py").write_text("class Hidden(BaseTask):\n    goal = 'x'\n")
    return tmp_path / "clone"


def test_tasks_are_read_with_what_their_bases_say_and_nothing_is_run(clone, tmp_path):
    assert listed_tasks(clone) == [
        MobileWorldTask("AskTask", f"Ask {HOLE} for the address.", ("Mail",), ("user",)),
        MobileWorldTask("ReplyTask", "Reply to Sam: yes.", ("Mail",), ("easy", "lang-en")),
    ]
    assert not (tmp_path / "mark").exists()


def test_the_command_lists_them_and_runs_none(clone):
    words = ["list", "--bench", "mobileworld", "--home", str(clone), "--json"]
    done = CliRunner().invoke(tasks, words)
    assert [one["task"] for one in json.loads(done.output)] == ["AskTask", "ReplyTask"]
    done = CliRunner().invoke(tasks, ["run", "AskTask", "--bench", "mobileworld"])
    assert done.exit_code == 2
    assert "its own container" in done.output


def test_what_is_no_clone_and_what_is_no_source_is_told(clone, tmp_path):
    with pytest.raises(KnownError, match="it holds no src/mobile_world/tasks/definitions"):
        listed_tasks(tmp_path)
    file = clone / "src" / "mobile_world" / "tasks" / "definitions" / "odd.py"
    for data in (b"class (", b"\0", b"(" * 100_000):
        file.write_bytes(data)
        with pytest.raises(KnownError, match=r"odd\.py cannot be read"):
            listed_tasks(clone)
