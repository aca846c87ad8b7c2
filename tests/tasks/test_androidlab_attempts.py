"""Attempts at Android Lab's tasks on the demo phone: recorded, judged, written as traces."""

from __future__ import annotations

import json
import sys

import pytest

from episodes import actions as a
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.usecases.androidlab import judge_recording, run_androidlab
from taptrail.usecases.exporting import export_episodes
from tasks.benches.androidlab.queries import FAILED, ask_phone, phone_command
from tasks.benches.client import BenchWorker
from tasks.running import TaskResult
from tests.tasks.test_androidlab_worker import CLONE

DONE = a.Finish(a.Ending.COMPLETE)
AIRPLANE = "adb shell settings get global airplane_mode_on"


def on(words: str) -> a.Tap:
    return a.Tap(a.ElementRef(text=words))


def attempt(demo, library, task, *actions):
    return run_androidlab(
        task, demo.serial, library, actions, python=sys.executable, home=CLONE, devices=demo.devices
    )


def test_an_attempt_is_judged_live_later_and_as_a_trace_alike(demo, tmp_path):
    library = tmp_path / "library"
    outcome = attempt(demo, library, "demo_1", on("Settings"), on("Dark theme"), DONE)
    assert (outcome.verdict, outcome.score, outcome.claimed) == (
        TaskResult.SUCCESS,
        1.0,
        "complete",
    )
    assert outcome.details["first_seen"]["1"] == 1
    phone = attempt(demo, library, "demo_3", DONE)
    assert (phone.verdict, phone.score) == (TaskResult.FAILED, 0.0)
    assert phone.details["commands"] == [
        {"query": AIRPLANE, "output": "0", "code": 0, "reason": ""}
    ]
    for one in (outcome, phone):  # the phone's answer is kept for later
        again = judge_recording(library, one.episode, one.task, python=sys.executable, home=CLONE)
        assert (again.verdict, again.score) == (one.verdict, one.score)

    export_episodes("androidlab", tmp_path / "run", library, names=(outcome.episode,))
    with BenchWorker("androidlab", sys.executable, [str(CLONE)]) as worker:
        theirs = worker.ask("score", folder=str(tmp_path / "run"))["results"]
    assert [(row["task_id"], row["result"]["complete"]) for row in theirs] == [("demo_1", True)]
    with Library.read(library) as kept:
        ((_, verdict),) = kept.task_verdicts(kept.episode(outcome.episode).uuid)
    assert json.loads(verdict.details)["clone"] == str(CLONE.resolve())
    with pytest.raises(KnownError, match="none has this name"):
        attempt(demo, library, "demo_99", DONE)


def test_only_commands_that_read_are_run_on_the_phone(phone):
    assert phone_command(AIRPLANE) == "settings get global airplane_mode_on"
    assert phone_command("adb shell 'getprop persist.sys.timezone'") == (
        "getprop persist.sys.timezone"
    )
    found = "adb shell pm list packages | grep 'demo.settings'"
    assert phone_command(found) == "pm list packages | grep 'demo.settings'"
    for query in (
        "adb shell settings put global airplane_mode_on 1",
        "adb shell rm -r /sdcard",
        "adb shell getprop x; rm -r /sdcard",
        "adb shell getprop x && rm -r /sdcard",
        "adb shell pm list packages | xargs rm",
        "adb shell settings get global $(rm -r /sdcard)",
        "adb shell settings get global x > /sdcard/y",
        "adb shell pm list packages | grep 'a",
        "adb install x.apk",
        "rm -r / # adb shell getprop",
    ):
        assert phone_command(query) is None, query
    told = ask_phone(phone, [found, "adb shell pm list packages | grep booking", "adb root"])
    assert [one.output for one in told] == ["package:com.taptrail.demo.settings", FAILED, None]
    assert told[2].reason == "it is no command that only reads"
