"""AndroidWorld's own unmodified tasks on the demo phone.

TAPTRAIL_ANDROID_WORLD names a Python that has it. Without it a stand-in of ours with the same
interface is run in the same way.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import subprocess
import sys
import time
import types
from importlib.resources import files
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Point
from recorder.device.adb.server import program
from taptrail.usecases.androidworld import run_androidworld, sweep_androidworld
from taptrail.usecases.demo_phone import running_demo_phone
from taptrail.usecases.task_phone import task_phone
from tasks.benches.androidworld.catalogue import catalogue
from tasks.benches.androidworld.risks import check_task, touches
from tasks.benches.androidworld.running import WorldRun, WorldTask
from tasks.benches.androidworld.running import opened as opened_by
from tasks.benches.client import BenchWorker, WorkerFailed
from tasks.running import TaskResult
from tasks.seeds import instance_seed

REAL = os.environ.get("TAPTRAIL_ANDROID_WORLD", "")
STAND_IN = Path(__file__).parent / "small_world"
PYTHON, HOME = (REAL, None) if REAL else (sys.executable, STAND_IN)
WORKER = files("tasks.benches").joinpath("androidworld_worker.py")
DONE = a.Finish(a.Ending.COMPLETE)


def on(words: str) -> a.Tap:
    return a.Tap(a.ElementRef(text=words))


BACK = a.PressKey(a.Key.BACK)
SETTINGS = on("Settings")
WIFI = [SETTINGS, on("Wi-Fi"), on("Use Wi-Fi")]
SCRIPTS: dict[str, list[a.Action]] = {
    "SystemWifiTurnOff": WIFI,
    "SystemWifiTurnOn": WIFI,
    "SystemBluetoothTurnOn": [SETTINGS, on("Bluetooth")],
    "SystemBluetoothTurnOff": [SETTINGS, on("Bluetooth")],
    "SystemBrightnessMax": [SETTINGS, on("Display"), a.Swipe(Point(200, 430), Point(1060, 430))],
    "SystemBrightnessMin": [SETTINGS, on("Display"), a.Swipe(Point(880, 430), Point(20, 430))],
    "TurnOffWifiAndTurnOnBluetooth": [*WIFI, BACK, on("Bluetooth")],
    "SystemWifiTurnOffVerify": [],
    "SystemWifiTurnOnVerify": [],
    "SystemBluetoothTurnOnVerify": [],
    "SystemBluetoothTurnOffVerify": [],
    "SystemBrightnessMaxVerify": [],
    "SystemBrightnessMinVerify": [],
}
OF_STAND_IN = ("SystemWifiTurnOff", "SystemBluetoothTurnOnVerify")


@pytest.fixture(scope="module")
def pixel():
    with running_demo_phone(deterministic=True, options=("--root", "--pixel-packages")) as phone:
        yield phone


def attempt(pixel, library, task, script):
    return run_androidworld(
        task,
        pixel.serial,
        library,
        [*script, DONE],
        python=PYTHON,
        home=HOME,
        seed=30,
        instance=0,
        devices=pixel.devices,
    )


@pytest.mark.parametrize("task", sorted(SCRIPTS) if REAL else OF_STAND_IN)
def test_a_task_done_by_taps_reaches_the_full_score_within_its_budget(pixel, tmp_path, task):
    outcome = attempt(pixel, tmp_path, task, SCRIPTS[task])
    assert (outcome.score, outcome.verdict, outcome.claimed) == (
        1.0,
        TaskResult.SUCCESS,
        "complete",
    )
    assert outcome.details["score_by_the_benchmark"] == 1.0
    assert outcome.satisfied_at_start is task.endswith("Verify")
    assert len(SCRIPTS[task]) + 1 <= outcome.details["budget"]
    assert any("settings" in " ".join(one["args"]) for one in outcome.evidence)
    assert outcome.to_json()["bench"] == "androidworld"


def test_the_device_and_the_claim_are_kept_apart(pixel, tmp_path):
    outcome = run_androidworld(
        "SystemWifiTurnOff",
        pixel.serial,
        tmp_path,
        [],
        python=PYTHON,
        home=HOME,
        seed=30,
        instance=0,
        devices=pixel.devices,
    )
    assert (outcome.score, outcome.claimed) == (0.0, "")
    assert outcome.details["score_by_the_benchmark"] == 0.0


if REAL:

    @pytest.mark.parametrize("options", [(), ("--root", "--pixel-packages")], ids=["plain", "root"])
    def test_forty_tasks_run_all_three_phases(options):
        with running_demo_phone(deterministic=True, options=options) as phone:
            outcomes = sweep_androidworld(
                phone.serial, python=PYTHON, home=HOME, seed=30, count=1, devices=phone.devices
            )
        assert len(outcomes) == 116
        assert sum(one.score is not None and not one.details["notes"] for one in outcomes) >= 40


def test_a_set_up_that_fails_and_a_check_that_raises_are_unknown(pixel):
    names = ["RetroPlayingQueue", "SystemWifiTurnOn"] if REAL else ["Broken", "Raising"]
    found = sweep_androidworld(
        pixel.serial, python=PYTHON, home=HOME, seed=30, count=1, devices=pixel.devices, tasks=names
    )
    assert (found[0].verdict, found[0].score) == (TaskResult.UNKNOWN, None)
    assert found[0].reason
    if not REAL:
        assert (found[1].verdict, found[1].score) == (TaskResult.UNKNOWN, None)
        assert "its check raised" in found[1].reason


def test_a_destructive_command_is_refused_and_told_even_where_the_benchmark_goes_on(pixel):
    heard: list[dict] = []
    task = "FilesDeleteFile" if REAL else "Wiping"
    words = [str(HOME)] if HOME else []
    with BenchWorker("androidworld", PYTHON, words, on_event=heard.append) as worker:
        worker.ask("open", serial=pixel.serial, adb=program(), server_port=pixel.devices.port)
        with pytest.raises(WorkerFailed, match="it deletes files") as raised:
            worker.ask("initialize", task=task)
        assert raised.value.kind == "refused"
        with contextlib.suppress(WorkerFailed):  # it deletes, too
            worker.ask("tear_down")
    assert any(event.get("refused") for event in heard)
    assert not any(event.get("code") == 0 and "-delete" in str(event["args"]) for event in heard)


def test_a_task_is_refused_before_its_start_on_a_person_s_phone_unless_it_is_harmless():
    with pytest.raises(KnownError, match="every file of the shared storage is deleted"):
        check_task("FilesDeleteFile", "ABC", disposable=False)
    with pytest.raises(KnownError, match="nobody has measured"):
        check_task("NoSuchTask", "ABC", disposable=False)
    check_task("FilesDeleteFile", "ABC", disposable=True)
    harmless = [name for name in catalogue() if touches(name) == {""}]
    assert len(harmless) == 16
    for name in harmless:
        check_task(name, "ABC", disposable=False)


@pytest.fixture
def opened(pixel):
    """A worker with the phone open, what it told on the way, and its phone."""
    heard: list[dict] = []
    words = [str(HOME)] if HOME else []

    def give(question: dict) -> str:
        assert question == {"event": "ask", "what": "tree"}
        return task_phone(pixel.serial, pixel.devices).tree().decode()

    with BenchWorker("androidworld", PYTHON, words, give=give, on_event=heard.append) as worker:
        found = worker.ask(
            "open",
            serial=pixel.serial,
            adb=program(),
            server_port=pixel.devices.port,
            destructive=True,
            tree="host",
        )
        assert (found["root"], found["screen"], found["model"]) == (True, "1080x2400", "Demo Phone")
        yield worker, heard


def test_every_verb_of_the_protocol_has_its_answer(opened):
    worker, heard = opened
    hello = worker.ask("hello")
    assert (hello["protocol"], hello["bench"]) == (1, "androidworld")
    assert set(hello["can"]) == {
        *("hello", "tasks", "suite", "open", "initialize", "answer", "act", "check", "tear_down"),
        *("save", "aggregate", "close"),
    }
    listed = {one["task"]: one for one in worker.ask("tasks")}
    assert listed["SystemWifiTurnOff"]["starts_at_home"] is True
    suite = worker.ask("suite", n=2, seed=30, tasks=["SystemWifiTurnOff"])
    assert [(one["instance"], one["seed"], one["budget"]) for one in suite] == [
        (0, instance_seed(30, "SystemWifiTurnOff", 0), 10),
        (1, instance_seed(30, "SystemWifiTurnOff", 1), 10),
    ]
    same = worker.ask("suite", n=2, seed=30, tasks=["SystemWifiTurnOff"], identical=True)
    assert same[0]["seed"] == same[1]["seed"] == suite[0]["seed"]

    ready = worker.ask("initialize", task="SystemWifiTurnOff", seconds=120)
    assert (ready["goal"], ready["goal_changed"]) == (suite[0]["goal"], False)
    assert ready["seed"] == suite[0]["seed"]
    with pytest.raises(WorkerFailed, match="tear it down first"):
        worker.ask("initialize", task="SystemWifiTurnOff")
    heard.clear()
    worker.ask("act", action={"action_type": "click", "x": 5, "y": 5})
    assert any("tap" in one["args"] and one["phase"] == "act" for one in heard)
    heard.clear()
    assert worker.ask("check", seconds=120)["score"] == 0.0
    evidence = next(one for one in heard if "wifi_on" in one["args"])
    assert (evidence["phase"], evidence["code"], evidence["out"].strip()) == ("check", 0, "1")
    assert evidence["ms"] >= 0
    assert worker.ask("tear_down", seconds=120)["was"] == "SystemWifiTurnOff"
    assert worker.ask("tear_down") == {"was": None, "seconds": 0}


def test_an_answer_is_what_a_question_s_check_reads(opened):
    worker, _ = opened
    with pytest.raises(WorkerFailed, match="no task is set up"):
        worker.ask("answer", text="4")
    task = "SystemWifiTurnOff" if REAL else "Asking"
    worker.ask("initialize", task=task, seconds=120)
    worker.ask("answer", text="4")
    checked = worker.ask("check", seconds=120)
    assert checked["answer"] == "4"
    assert REAL or checked["score"] == 1.0
    worker.ask("tear_down", seconds=120)


def test_a_tree_is_asked_of_the_program_and_what_it_cannot_give_is_told(opened):
    worker, _ = opened
    if not REAL:  # the stand-in has no forest
        worker.ask("initialize", task="Looking")
        assert worker.ask("check")["score"] == 1.0
        worker.ask("tear_down")
        return
    worker.ask("initialize", task="ContactsNewContactDraft", seconds=120)
    assert worker.ask("check", seconds=120)["score"] == 0.0
    worker.ask("tear_down", seconds=120)


def test_a_worker_ends_with_the_program_and_carries_no_key(tmp_path):
    """A program that starts a worker is killed; the worker must not outlive it."""
    code = (
        "import os, sys, time\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
        "from tasks.benches.client import BenchWorker\n"
        f"worker = BenchWorker('androidworld', {sys.executable!r}, [{str(STAND_IN)!r}])\n"
        "worker.ask('hello')\n"
        "print(worker.process_id, flush=True)\n"
        "time.sleep(60)\n"
    )
    environment = os.environ | {"OPENAI_API_KEY": "k", "HF_TOKEN": "t"}
    program_ = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert program_.stdout is not None
    worker = int(program_.stdout.readline())
    names = {
        line.partition(b"=")[0]
        for line in Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")
    }
    assert b"PATH" in names
    assert not names & {b"OPENAI_API_KEY", b"HF_TOKEN"}
    program_.kill()
    program_.wait()
    program_.stdout.close()
    deadline = time.monotonic() + 10
    while _runs(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(worker)


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["shell", "find", "/sdcard", "-type", "f", "-delete"], "it deletes files"),
        (["shell", "rm", "-rf", "/sdcard/x"], "it deletes files"),
        (["shell", "if [ -d /sdcard/x ]; then rm -r /sdcard/x; fi"], "it deletes files"),
        (["shell", "pm", "clear", "com.android.chrome"], "it clears an app"),
        (["shell", "content", "delete", "--uri", "content://x"], "it deletes rows of a content"),
        (["shell", "sqlite3", "/data/x.db", "DELETE FROM x"], "it changes a database"),
        (["push", "/tmp/x", "/data/data/x"], "it writes into an app's private files"),
        (["shell", "su", "0", "cp", "/sdcard/x", "/data/data/x"], "it writes into an app's"),
        (["shell", "restorecon", "-R", "/data/data/x"], "it writes into an app's private"),
        (["shell", "svc", "wifi", "disable"], "it may cut the connection"),
        (["emu", "sms", "send", "1", "x"], "it is for emulators"),
        (["shell", "settings", "get", "global", "wifi_on"], ""),
        (["shell", "am", "force-stop", "com.android.settings"], ""),
    ],
)
def test_the_second_guard_knows_what_destroys(args, why):
    guard = runpy.run_path(str(WORKER))["destroys"]
    assert guard(args).startswith(why)
    assert bool(guard(args)) is bool(why)


def test_the_clock_and_a_person_s_settings_are_left_alone_on_their_phone(pixel):
    left_alone = runpy.run_path(str(WORKER))["is_left_alone"]
    assert left_alone(["root"])
    assert left_alone(["shell", "date", "1015153423.00"])
    assert left_alone(["shell", "settings", "put", "global", "auto_time", "0"])
    assert left_alone(["shell", "service", "call", "alarm", "3", "s16", "UTC"])
    assert not left_alone(["shell", "date", "+%s"])
    assert not left_alone(["shell", "settings", "get", "global", "auto_time"])
    heard: list[dict] = []
    words = [str(HOME)] if HOME else []
    with BenchWorker("androidworld", PYTHON, words, on_event=heard.append) as worker:
        worker.ask("open", serial=pixel.serial, adb=program(), server_port=pixel.devices.port)
        task = "SystemBluetoothTurnOnVerify"
        ready = worker.ask("initialize", task=task, seconds=120)
        worker.ask("tear_down", seconds=120)
    assert any(words[:3] == ["shell", "service", "call"] for words in ready["left_alone"])
    told = [one["args"] for one in heard if one.get("left_alone")]
    assert all(one in told for one in ready["left_alone"])


def test_a_person_s_phone_is_asked_nothing_by_a_task_that_is_refused(pixel):
    heard: list[dict] = []
    phone = task_phone(pixel.serial, pixel.devices)
    phone.disposable = False
    words = [str(HOME)] if HOME else []
    with BenchWorker("androidworld", PYTHON, words, on_event=heard.append) as worker:
        hello = opened_by(worker, phone, program(), pixel.devices.port)
        heard.clear()
        with WorldRun(worker, phone, WorldTask("MarkorDeleteAllNotes"), hello, heard) as attempt:
            with pytest.raises(KnownError, match="files are deleted"):
                attempt.set_up()
            outcome = attempt.failed(KnownError("set it up", "it was refused", "Use another."))
        assert heard == []
    assert (outcome.verdict, outcome.score) == (TaskResult.UNKNOWN, None)
    assert outcome.details["score_by_the_benchmark"] is None


def test_an_adb_command_that_takes_too_long_is_ended_and_told(pixel, monkeypatch):
    monkeypatch.syspath_prepend(str(STAND_IN))
    told: list[dict] = []
    worker = runpy.run_path(str(WORKER))
    adb = worker["PlainAdb"](
        types.SimpleNamespace(send=told.append),
        {"adb": program(), "server_port": pixel.devices.port, "serial": pixel.serial},
    )
    with pytest.raises(Exception, match="it took too long") as raised:
        adb.execute_command(["shell", "sleep", "20"], timeout=0.4)
    assert type(raised.value).__name__ == "AdbControllerError"
    assert [(one["args"], one["code"]) for one in told] == [(["shell", "sleep", "20"], None)]
    for name in [one for one in sys.modules if one.partition(".")[0] == "android_env"]:
        del sys.modules[name]
