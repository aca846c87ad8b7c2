"""Own tasks on the demo phone from end to end: set up, done by scripts, judged, put back."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.usecases.attempts import tasks as attempted
from taptrail.usecases.task_runs import (
    judge_tests,
    own_tasks,
    play_actions,
    run_task,
    swept,
)
from tasks.preparing import RefusedOnThisPhone
from tasks.running import AlreadySatisfied, TaskResult, TaskRun
from tasks.task_files import load_tasks

TASKS = own_tasks()
DONE = a.Finish(a.Ending.COMPLETE)


def on(words: str) -> a.Tap:
    return a.Tap(a.ElementRef(text=words))


def state(phone) -> str:
    """All that a task may have changed: settings, files, and the content of databases."""
    told = [phone.run(f"settings list {name}").text for name in ("system", "secure", "global")]
    files = phone.run("find /storage/emulated/0 /data/data -type f").text.split()
    told += [path + str(hash(phone.run(f"cat {path}").output)) for path in sorted(files)]
    return "\n".join(told)


def test_a_task_done_by_a_script_is_a_success_and_the_phone_is_put_back(demo, phone, tmp_path):
    before = state(phone)
    dark = TASKS["dark-theme-on"].instance()
    script = [on("Settings"), on("Dark theme"), DONE]
    for pause in (0, 200_000, 600_000):
        slower = [part for one in script for part in (a.Wait(pause), one)] if pause else script
        outcome = run_task(dark, phone, tmp_path / "library", slower, devices=demo.devices)
        assert (outcome.verdict, outcome.score, outcome.claimed) == (
            TaskResult.SUCCESS,
            1.0,
            "complete",
        )
        assert outcome.satisfied_at_start is False
        assert outcome.details["notes"] == []
        assert state(phone) == before
    with Library.read(tmp_path / "library") as library:
        verdicts = library.task_verdicts()
        assert [one.verdict for _, one in verdicts] == ["success"] * 3
        assert json.loads(verdicts[0][1].evidence)[0]["check"] == "before"
        assert attempted(library)[0].task == dark.goal


def test_a_wrong_end_state_is_caught_though_it_was_called_complete(demo, phone, tmp_path):
    wifi = TASKS["wifi-off"].instance()
    outcome = run_task(wifi, phone, tmp_path, [on("Settings"), DONE], devices=demo.devices)
    assert (outcome.verdict, outcome.claimed) == (TaskResult.FAILED, "complete")
    assert outcome.reason == "global wifi_on is “1”; wanted: equals 0"


def test_a_task_that_is_done_already_is_refused_before_anything_is_recorded(demo, phone, tmp_path):
    file = tmp_path / "tasks.yaml"
    file.write_text(
        "tasks:\n  - name: home\n    goal: Go home.\n    setup: [{home: true}]\n"
        "    check: {foreground: {package: {ends_with: launcher}}}\n"
    )
    home = load_tasks([file])["home"].instance()
    with pytest.raises(AlreadySatisfied, match="it is satisfied already"):
        run_task(home, phone, tmp_path / "library", [DONE], devices=demo.devices)
    assert not (tmp_path / "library").exists()


def test_a_composite_task_gives_credit_for_the_parts_that_were_done(demo, phone, tmp_path):
    before = state(phone)
    script = [on("Settings"), on("Dark theme"), a.PressKey(a.Key.HOME), on("Calendar"), DONE]
    evening = TASKS["evening"].instance()
    outcome = run_task(evening, phone, tmp_path, script, devices=demo.devices)
    assert (outcome.verdict, round(outcome.score, 3)) == (TaskResult.PARTIAL, 0.667)
    assert outcome.reason == "global wifi_on is “1”; wanted: equals 0"
    assert state(phone) == before


def test_a_question_is_judged_by_its_answer(demo, phone, tmp_path):
    instance = TASKS["note-question"].instance(3)
    for said, verdict in ((instance.values["eggs"], TaskResult.SUCCESS), ("12", TaskResult.FAILED)):
        script = [on("Notes"), a.Answer(said), DONE]
        outcome = run_task(instance, phone, tmp_path, script, devices=demo.devices)
        assert outcome.verdict is verdict


def test_a_sweep_finds_every_task_of_the_demo_phone_undone_at_the_start(phone):
    before = state(phone)
    outcomes = swept(TASKS, phone, 1, 30)
    assert {one.task: one.satisfied_at_start for one in outcomes} == dict.fromkeys(TASKS, False)
    assert [one.details["notes"] for one in outcomes] == [[]] * len(TASKS)
    assert state(phone) == before


def test_the_checks_of_a_task_are_tried_with_recordings(demo, phone, tmp_path):
    with Library.open(tmp_path):
        pass
    with pytest.raises(KnownError, match="no recording of it that was judged a success"):
        judge_tests(TASKS["wifi-off"], phone, tmp_path, lambda actions: None)
    for name, switch in (("dark-theme-on", "Dark theme"), ("note-question", "")):
        instance = TASKS[name].instance()
        script = [on("Settings"), on(switch), DONE] if switch else [
            on("Notes"), a.Answer(instance.values["eggs"]), DONE]  # fmt: skip
        run_task(instance, phone, tmp_path, script, devices=demo.devices)
    found = judge_tests(
        TASKS["dark-theme-on"],
        phone,
        tmp_path,
        lambda actions: play_actions(phone.serial, actions, demo.devices),
    )
    assert [(one.task, one.expected, one.as_expected) for one in found] == [
        ("", False, True),
        ("dark-theme-on", True, True),
        ("note-question", False, True),
    ]


class Personal:
    """The same phone, as if it were a person's."""

    def __init__(self, phone) -> None:
        self._phone = phone
        self.serial = phone.serial
        self.disposable = False

    def __getattr__(self, name):
        return getattr(self._phone, name)


def test_on_a_person_s_phone_nothing_is_deleted(phone, tmp_path):
    before = state(phone)
    with TaskRun(TASKS["note-new"].instance(), Personal(phone)) as attempt:
        with pytest.raises(RefusedOnThisPhone, match="it deletes files"):
            attempt.set_up()
    with TaskRun(TASKS["dark-theme-on"].instance(), Personal(phone)) as attempt:
        attempt.set_up()
        phone.run("settings put secure ui_night_mode 2")
    assert state(phone) == before
