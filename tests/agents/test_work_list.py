"""Lists of work: faults of the harness are tried again, everything else is done once."""

import threading
from collections import Counter

import pytest

from agents.numbers import JudgedAttempt, agent_numbers, wilson
from agents.work_list import MAX_TRIES, Entry, WorkList, entries
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.usecases.agent_runs import AgentOptions, check_consent
from taptrail.usecases.agent_work import done_keys, numbers_of
from taptrail.usecases.task_runs import own_tasks
from tests.agents.scripts import instances_of, policy_of
from tests.replay.asking.fake_server import FakeServer


def test_each_entry_is_done_once_and_faults_are_tried_again():
    todo = entries(["a", "b", "a"], [1, 2], 3)
    assert len(todo) == 12
    assert todo[0].key == "a/1/1"
    tried: Counter[Entry] = Counter()
    lock = threading.Lock()

    def work(entry, phone):
        with lock:
            tried[entry] += 1
            count = tried[entry]
        if entry == Entry("a", 1, 1):
            raise KnownError("set up", "the phone is locked", "Unlock it.")
        return "model away" if entry.key == "b/1/1" and count == 1 else ""

    worked = WorkList(todo, work).go(["one", "two"], threading.Event())
    assert sorted(worked.done) == sorted(set(todo) - {Entry("a", 1, 1)})
    assert list(worked.left) == [Entry("a", 1, 1)]
    assert tried[Entry("a", 1, 1)] == MAX_TRIES
    assert {one.key for one in todo if tried[one] == 2} == {"b/1/1"}
    with pytest.raises(ZeroDivisionError):
        WorkList(todo, lambda entry, phone: str(1 // 0)).go(["one"], threading.Event())


def test_numbers_follow_the_check_and_not_the_claim():
    assert wilson(0, 0) is None
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)
    rows = [("t", "success", 1.0, "complete", 5, 4), ("t", "failed", 0.0, "complete", 9, 4),
            ("t", "success", 1.0, "impossible", 3, 4), ("u", "unknown", None, "complete", 1, 4),
            ("u", "partial", 0.5, "", 2, 4), ("u", "success", 1.0, "", 2, 4)]  # fmt: skip
    made = [
        JudgedAttempt(task, verdict, score, claim, "turns", steps, steps, 10, 1.0, 0.5, budget)
        for task, verdict, score, claim, steps, budget in rows
    ]
    first, _, every = agent_numbers(made)
    assert (first.successes, first.judged, first.false_complete, first.in_budget) == (2, 3, 1, 1)
    assert (every.attempts, every.judged, every.unknown, every.silent_successes) == (6, 5, 1, 1)
    assert every.false_impossible == 1
    assert every.androidworld == pytest.approx((2 / 3 + 0.75) / 2)
    assert every.androidlab == pytest.approx(3 / 6)
    assert agent_numbers([]) == []


def test_the_command_continues_a_list_and_counts_by_the_checks(
    bench, tmp_path, taptrail, monkeypatch
):
    settings = tmp_path / "settings.toml"
    settings.write_text(f"adb_port = {bench.demo.devices.port}\n")
    monkeypatch.setenv("TAPTRAIL_SETTINGS", str(settings))
    names = ("calendar-open", "note-question")
    tasks = {name: own_tasks()[name] for name in names}
    library = tmp_path / "library"
    words = ["agent", "taptrail", "--name", "list", "--library", library, "--model", "NAME"]
    words += ["--serial", bench.demo.serial]
    for name in names:
        words += ["--task", name]
    with FakeServer(policy_of(instances_of(tasks, [30]))) as server:
        words += ["--endpoint", server.url]
        done = taptrail(*words, "--json").json
        asked = len(server.asked())
        again = taptrail(*words, "--json").json
        assert len(server.asked()) == asked  # nothing is done twice
    assert (done["run"], done["left"], again["attempts"]) == ("list", {}, [])
    told = [(one["task"], one["verdict"], one["agent"]["stop"]) for one in done["attempts"]]
    assert told == [
        ("calendar-open", "success", "said complete"),
        ("note-question", "success", "answered"),
    ]
    every = again["numbers"][-1]
    assert (every["task"], every["successes"], every["judged"]) == ("", 2, 2)
    with Library.read(library) as kept:
        assert done_keys(kept, "list") == {"calendar-open/30/1", "note-question/30/1"}
        assert numbers_of(kept, "other") == []
    shown = taptrail(*words)
    assert (shown.code, "2 of 2" in shown.out, "34 % - 100 %" in shown.out) == (0, True, True)
    assert taptrail(*words, "--budget-steps", "some").code == 2
    assert taptrail(*words, "--ask-before", "steal").code == 1


class SomebodysPhone:
    """A phone that is not disposable."""

    serial, disposable = "R5CT", False

    class phone:
        @staticmethod
        def facts():
            from episodes.recordings import DeviceFacts

            return DeviceFacts(manufacturer="Acme", model="One")

    @staticmethod
    def run(command):
        class Done:
            text = "Ada's phone\n"

        return Done


def test_a_physical_phone_needs_its_serial_typed_again_for_each_run():
    with pytest.raises(KnownError, match=r"Acme One, called “Ada's phone”.*--consent R5CT"):
        check_consent(SomebodysPhone(), AgentOptions("run"))
    check_consent(SomebodysPhone(), AgentOptions("run", consent="R5CT"))
