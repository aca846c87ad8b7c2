"""The worker of Android Lab, in a process of its own, with a small clone of the same layout."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from episodes.errors import KnownError
from tasks.benches.androidlab.judging import PageStep, judge_steps, verdict_by_rule
from tasks.benches.client import BenchWorker, WorkerFailed, environment_without_secrets

CLONE = Path(__file__).parent / "small_lab"
TAP = {"operation": "do", "action": "Tap", "kwargs": {"element": [1, 1, 9, 9]}}


def finish(message: str) -> dict:
    return {"operation": "finish", "action": "finish", "kwargs": {"message": message}}


def dump(*texts: str, checked: bool = False, **more: str) -> str:
    told = {"resource-id": "", "class": "Switch", "checked": str(checked).lower(), **more}
    attributes = " ".join(f'{name}="{value}"' for name, value in told.items())
    nodes = "".join(f'<node text="{text}" {attributes} bounds="[0,0][9,9]"/>' for text in texts)
    return f'<hierarchy rotation="0">{nodes}</hierarchy>'


@pytest.fixture
def worker():
    give = verdict_by_rule(
        lambda question, said, truth: {"Berlin": True, "?": None}.get(said, False)
    )
    with BenchWorker("androidlab", sys.executable, [str(CLONE)], give=give) as running:
        yield running


def test_a_clone_tells_what_it_is_and_lists_its_tasks(worker):
    told = worker.ask("hello")
    assert (told["bench"], told["tasks"], told["judged"]) == ("androidlab", 4, 4)
    assert set(told["stood_in"]) == {"cv2", "openai"}
    first = worker.ask("tasks")[0]
    assert (first["task"], first["judge"], first["human_steps"]) == ("demo_1", "DarkTheme", 2)
    assert first["instruction"].endswith("complete the following task: Turn on the dark theme")


def test_the_last_page_of_the_judge_decides_and_each_goal_keeps_its_first_step(worker):
    on, off = dump("Dark theme", checked=True), dump("Dark theme")
    steps = [
        PageStep(dump("Home"), TAP),
        PageStep(on, {**TAP, "kwargs": {}}),
        PageStep(off, finish("done")),
    ]
    verdict = judge_steps(worker, "demo_1", steps)
    assert verdict.complete is False
    assert verdict.first_seen == {"1": 1, "2": 1, "complete": 1}
    assert (verdict.counted, verdict.sub_success) == ((True, True, True), 0.5)
    assert judge_steps(worker, "demo_1", steps[:2]).complete is True


def test_a_look_changes_nothing_that_is_counted(worker):
    session = worker.ask("initialize", task="demo_1")["session"]
    seen = worker.ask("look", session=session, tree=dump("Dark theme", checked=True))
    assert (seen["page"], seen["result"]["complete"]) == (True, True)
    assert worker.ask("look", session=session, tree=dump("Home"))["page"] is False
    assert worker.ask("end", session=session)["complete"] is False


def test_the_compressed_text_of_an_export_is_the_clone_s_own(worker):
    worker.ask("open", as_on_api_33=True)
    text = worker.ask("compress", tree=dump("Dark theme", checked=True, hint="h"))
    assert "Switch ;true;;Dark theme" in text
    assert "hint" not in text


def test_every_verb_that_the_worker_names_is_one_of_the_protocol_s(worker):
    assert set(worker.ask("hello")["can"]) == {
        *("hello", "tasks", "open", "initialize", "step", "look", "compress", "end", "score"),
        "close",
    }


def test_an_answer_nobody_can_judge_is_unknown_and_not_wrong(worker):
    def judged(said: str) -> bool | None:
        return judge_steps(worker, "demo_2", [PageStep(dump("Home"), finish(said))]).complete

    assert [judged("Berlin"), judged("Rome"), judged("?")] == [True, False, None]


def test_a_command_that_failed_makes_the_verdict_unknown(worker):
    command = "adb shell settings get global airplane_mode_on"

    def judged(output: str | None) -> bool | None:
        step = PageStep(dump("Home"), finish("done"), {command: output})
        return judge_steps(worker, "demo_3", [step]).complete

    assert [judged("1"), judged("0"), judged(None)] == [True, False, None]


def test_the_seventh_equal_action_a_missing_tree_and_a_judge_that_raises_do_not_count(worker):
    steps = [PageStep(None, TAP), *[PageStep(dump("Home"), TAP)] * 8]
    assert judge_steps(worker, "demo_1", steps).counted == (False, *[True] * 5, False, False, False)
    raised = judge_steps(worker, "demo_1", [PageStep("<hierarchy", TAP)])
    assert raised.counted == (False,)


def test_attributes_of_newer_and_older_phones_do_not_reach_the_judge(worker):
    newer = dump("Dark theme", checked=True, hint="h", **{"drawing-order": "1"})
    older = '<hierarchy rotation="0"><node text="Dark theme" class="Switch"/></hierarchy>'
    for tree, complete in ((newer, True), (older, False)):
        assert judge_steps(worker, "demo_1", [PageStep(tree, TAP)]).complete is complete
    worker.ask("open", as_on_api_33=False)
    assert judge_steps(worker, "demo_1", [PageStep(older, TAP)]).counted == (False,)


def test_the_clone_s_own_evaluation_gives_the_same_as_the_steps(worker, tmp_path):
    folder = tmp_path / "run" / "demo_1_2024-11-14_20-51-34"
    (folder / "traces").mkdir(parents=True)
    (folder / "xml").mkdir()
    lines = []
    for number, tree in enumerate((dump("Home"), dump("Dark theme", checked=True))):
        (folder / "xml" / f"{number}.xml").write_text(tree)
        lines.append({"xml": f"elsewhere/{number}.xml", "parsed_action": TAP, "target": ""})
    (folder / "traces" / "trace.jsonl").write_text("\n".join(map(json.dumps, lines)))
    told = worker.ask("score", folder=str(tmp_path / "run"))
    result = {"judge_page": True, "1": True, "2": True, "complete": True}
    assert told == {"results": [{"task_id": "demo_1", "result": result}], "total": []}


def test_a_judge_that_never_ends_is_ended_with_its_worker(worker):
    session = worker.ask("initialize", task="demo_4")["session"]
    with pytest.raises(KnownError, match="no answer within"):
        worker.ask("step", session=session, tree=dump("Home"), action=TAP, seconds=0.5)
    with pytest.raises(KnownError, match="the worker ended"):
        worker.ask("hello")


def test_what_the_worker_cannot_do_is_an_error_and_the_worker_goes_on(worker):
    with pytest.raises(WorkerFailed, match="judges no task") as raised:
        worker.ask("initialize", task="demo_99")
    assert raised.value.kind == "no task"
    with pytest.raises(WorkerFailed, match="names none of"):
        worker.ask("explode")
    assert worker.ask("hello")["protocol"] == 1


def test_a_folder_that_is_no_clone_and_a_python_that_is_none_are_told(tmp_path):
    with BenchWorker("androidlab", sys.executable, [str(tmp_path)]) as running:
        with pytest.raises(WorkerFailed, match=r"no evaluation/task\.py"):
            running.ask("hello")
    with pytest.raises(KnownError, match="could not be started"):
        BenchWorker("androidlab", str(tmp_path / "python"), [])


def test_no_key_and_no_token_reaches_a_worker():
    told = environment_without_secrets(
        {"PATH": "/bin", "OPENAI_API_KEY": "k", "HF_TOKEN": "t", "PYTHONPATH": "p"}
    )
    assert told == {"PATH": "/bin"}
    assert os.environ["PATH"]
