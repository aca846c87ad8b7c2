"""Files that want to run something, to grow, or to reach out of their folder: pickle, YAML, XML,
trace. Each is refused in one sentence, or read without any of it."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import sys
from pathlib import Path

import pytest

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import androidlab, androidworld_pickle, mobileworld
from episodes.formats.androidworld_pickle import read_records
from episodes.formats.input_files import MissingPicture, Refused
from episodes.formats.picture_store import LibraryPictureStore
from episodes.store.library import Library
from episodes.trees.uiautomator import read_uiautomator
from taptrail.usecases.androidworld_results import save_world_results
from taptrail.usecases.importing import import_episodes
from tasks import located
from tasks.benches.androidlab import compression
from tasks.benches.androidlab.judging import PageStep, judge_steps
from tasks.benches.client import BenchWorker
from tasks.task_files import load_tasks
from tests.tasks.test_androidlab_worker import CLONE, TAP, dump

SMALL_WORLD = Path(__file__).parent / "small_world"
LAUGHS = (
    "<!DOCTYPE h ["
    + '<!ENTITY a0 "haha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + ']><hierarchy rotation="0"><node text="&a11;" bounds="[0,0][1,1]"/></hierarchy>'
)


class Call:
    def __init__(self, *told):
        self.told = told

    def __reduce__(self):
        return self.told[0], self.told[1:]


def result_file(folder: Path, name: str = "A_0.pkl.gz", **members: object) -> Path:
    record = {"task_template": "A", "goal": "g", "episode_data": {}, "is_successful": 1.0}
    record |= {"run_time": 1.0, "exception_info": None, **members}
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(gzip.compress(pickle.dumps([record], 4)))
    return folder / name


@pytest.fixture
def store(tmp_path):
    with Library.open(tmp_path / "store") as library:
        yield LibraryPictureStore(library.stills)


# --- pickle -----------------------------------------------------------------------------------
def test_a_pickle_constructs_no_object_but_those_of_the_table(tmp_path):
    mark = tmp_path / "mark"
    told = {"a": Call(os.system, f"touch {mark}"), "b": Call(exec, f"open({str(mark)!r}, 'w')")}
    (record,) = read_records(result_file(tmp_path / "run", episode_data=told))
    assert {type(one).__name__ for one in record["episode_data"].values()} == {"Opaque"}
    assert not mark.exists()


def test_a_pickle_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(androidworld_pickle, "MAX_UNPACKED", 1 << 20)
    path = result_file(tmp_path / "run", episode_data="a" * (2 << 20))
    assert path.stat().st_size < 1 << 14
    with pytest.raises(KnownError, match="it unpacks to more than is read"):
        read_records(path)
    monkeypatch.setattr(androidworld_pickle, "MAX_FILE", 10)
    with pytest.raises(KnownError, match="it has more than 10 bytes"):
        read_records(path)


def test_a_pickle_of_shared_lists_does_not_grow(tmp_path, store):
    wide: list = ["x"]
    for _ in range(80):
        wide = [wide] * 10
    result_file(tmp_path / "run", episode_data={"action": [wide], "step_number": [wide]})
    report = import_episodes("androidworld", tmp_path / "run", tmp_path / "library")
    assert report.episodes == 1


def test_a_task_s_name_in_a_pickle_never_leads_out_of_the_folder_it_is_written_to(tmp_path):
    run, library = tmp_path / "run", tmp_path / "library"
    result_file(run, task_template="../../out", agent_name="../up", goal="g")
    import_episodes("androidworld", run, library)
    done = save_world_results(
        library, tmp_path / "a" / "b" / "c", python=sys.executable, home=SMALL_WORLD
    )
    assert [(loss.what, loss.count) for loss in done.losses] == [
        ("an attempt at a task whose name cannot be a file's name", 1)
    ]
    assert done.episodes == 0
    assert not list(tmp_path.rglob("out*"))


# --- YAML -------------------------------------------------------------------------------------
def yaml_refusal(folder: Path, text: str) -> str:
    path = folder / "tasks.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnownError) as raised:
        load_tasks([path])
    return str(raised.value)


def test_a_task_file_constructs_no_object(tmp_path):
    mark = tmp_path / "mark"
    for tag in ("object/apply:os.system", "object/new:os.system", "name:os.system", "module:os"):
        told = yaml_refusal(tmp_path, f"tasks: !!python/{tag} ['touch {mark}']")
        assert told.startswith("Cannot read the task file tasks.yaml: ")
    assert not mark.exists()


def test_a_task_file_that_grows_by_its_aliases_or_its_size_is_refused(tmp_path):
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "aliases" in yaml_refusal(tmp_path, "\n".join(lines))
    found = yaml_refusal(tmp_path, "tasks: [" + "x, " * (located.MAX_BYTES // 2) + "]")
    assert f"at most {located.MAX_BYTES} are read" in found


# --- XML --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        '<!DOCTYPE h [<!ENTITY f SYSTEM "file:///etc/hostname">]><hierarchy>'
        '<node text="&f;" bounds="[0,0][1,1]"/></hierarchy>',
        '<?xml version="1.0" encoding="utf-7"?><hierarchy><node/></hierarchy>',
    ],
    ids=["laughs", "file", "encoding"],
)
def test_a_tree_with_declarations_is_refused_by_every_reader(text):
    with pytest.raises(KnownError):
        read_uiautomator(text.encode())
    with pytest.raises(compression.UnreadableDump):
        compression.compress(text)
    with BenchWorker("androidlab", sys.executable, [str(CLONE)]) as worker:
        steps = [PageStep(text, TAP), PageStep(dump("Dark theme", checked=True), TAP)]
        verdict = judge_steps(worker, "demo_1", steps)
        assert (verdict.complete, verdict.counted) == (None, (False, True))
        assert verdict.lost == "the tree of step 0 holds declarations, as no phone's does"
        session = worker.ask("initialize", task="demo_1")["session"]
        assert worker.ask("look", session=session, tree=text)["page"] is False


def test_a_tree_that_is_too_large_or_too_deep_is_refused():
    deep = "<hierarchy>" + "<node bounds='[0,0][1,1]'>" * 5000
    with pytest.raises(KnownError):
        read_uiautomator(deep.encode())
    with pytest.raises(compression.UnreadableDump):
        compression.compress(deep)
    with BenchWorker("androidlab", sys.executable, [str(CLONE)]) as worker:
        verdict = judge_steps(worker, "demo_1", [PageStep(deep, TAP)])
    assert verdict.counted == (False,)


# --- traces -----------------------------------------------------------------------------------
def lab_trace(folder: Path, *lines: dict) -> Path:
    place = folder / "agent" / "demo_1_2026-03-01_10-00-00"
    for part in ("traces", "Screen", "xml"):
        (place / part).mkdir(parents=True, exist_ok=True)
    text = "\n".join(map(json.dumps, lines))
    (place / "traces" / "trace.jsonl").write_text(text)
    return place


def test_a_trace_s_words_are_never_run(tmp_path, store):
    mark = tmp_path / "mark"
    code = f"__import__('os').system('touch {mark}')"
    line = {"index": 0, "image": None, "xml": None, "parsed_action": {"action": code}}
    place = lab_trace(tmp_path, line | {"current_response": f"```\n{code}\n```", "command": code})
    *_, episode = [one for one in androidlab.read(place, store) if isinstance(one, Episode)]
    assert episode.steps[0].action.name == code
    assert not mark.exists()


def test_no_name_and_no_link_of_a_trace_leads_out_of_its_folder(tmp_path, store):
    secret = tmp_path / "secret.xml"
    secret.write_text("<hierarchy><node text='secret' bounds='[0,0][1,1]'/></hierarchy>")
    line = {"index": 0, "image": str(secret), "xml": "../../../secret.xml"}
    place = lab_trace(tmp_path, line | {"parsed_action": {"action": "Wait"}})
    (place / "xml" / "1.xml").symlink_to(secret)
    lab_trace(
        tmp_path,
        line | {"parsed_action": {"action": "Wait"}},
        {"index": 1, "image": "", "xml": "1.xml", "parsed_action": {"action": "Wait"}},
    )
    *_, episode = androidlab.read(place, store)
    assert [step.tree.record.data for step in episode.steps] == [b"", b""]
    (place / "traces" / "trace.jsonl").unlink()
    (place / "traces" / "trace.jsonl").symlink_to(secret)
    (refused,) = androidlab.read(place, store)
    assert isinstance(refused, Refused)
    run = tmp_path / "run" / "Task"
    (run / "screenshots").mkdir(parents=True)
    step = {"task_goal": "g", "step": "../../../secret", "action": {"action_type": "wait"}}
    (run / "traj.json").write_text(json.dumps({"../../0": {"traj": [step]}}))
    missing, found = mobileworld.read(run, store)
    assert isinstance(missing, MissingPicture)
    assert found.steps[0].frame.still is None


def test_a_trace_that_is_too_large_or_too_deep_is_refused(tmp_path, store, monkeypatch):
    place = lab_trace(tmp_path, {"index": 0, "parsed_action": {}})
    (place / "traces" / "trace.jsonl").write_text("[" * 100_000)
    problems = list(androidlab.read(place, store))
    assert any(isinstance(one, Refused) for one in problems)
    with (place / "traces" / "trace.jsonl").open("wb") as file:
        file.truncate(1 << 30)
    (refused,) = androidlab.read(place, store)
    assert "at most" in refused.reason


def test_a_worker_that_writes_without_end_or_no_json_is_ended(tmp_path):
    script = tmp_path / "worker.py"
    script.write_text("import sys\nsys.stdin.readline()\nprint('[' * 100000, flush=True)\n")
    with BenchWorker("androidlab", sys.executable, script=script) as worker:
        with pytest.raises(KnownError, match="a line that is no JSON"):
            worker.ask("hello")
