"""AndroidWorld's own unmodified tasks on the demo phone.

TAPTRAIL_ANDROID_WORLD names a Python that has it. Without it a stand-in of ours with the same
interface is run in the same way.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Point
from recorder.device.adb import program
from taptrail.usecases.androidworld import run_androidworld, sweep_androidworld
from taptrail.usecases.demo_phone import running_demo_phone
from tasks.benches.androidworld.catalogue import catalogue
from tasks.benches.androidworld.risks import check_task, touches
from tasks.benches.client import BenchWorker, WorkerFailed
from tasks.running import Verdict

REAL = os.environ.get("TAPTRAIL_ANDROID_WORLD", "")
STAND_IN = Path(__file__).parent / "small_world"
PYTHON, HOME = (REAL, None) if REAL else (sys.executable, STAND_IN)
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
        adb=pixel.adb,
    )


@pytest.mark.parametrize("task", sorted(SCRIPTS) if REAL else OF_STAND_IN)
def test_a_task_done_by_taps_reaches_the_full_score_within_its_budget(pixel, tmp_path, task):
    outcome = attempt(pixel, tmp_path, task, SCRIPTS[task])
    assert (outcome.score, outcome.verdict, outcome.claimed) == (1.0, Verdict.SUCCESS, "complete")
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
        adb=pixel.adb,
    )
    assert (outcome.score, outcome.claimed) == (0.0, "")
    assert outcome.details["score_by_the_benchmark"] == 0.0


if REAL:

    def test_forty_tasks_run_all_three_phases(pixel):
        outcomes = sweep_androidworld(
            pixel.serial, python=PYTHON, home=HOME, seed=30, count=1, adb=pixel.adb
        )
        assert len(outcomes) == 116
        assert sum(one.score is not None and not one.details["notes"] for one in outcomes) >= 40


def test_a_set_up_that_fails_and_a_check_that_raises_are_unknown(pixel):
    names = ["RetroPlayingQueue", "SystemWifiTurnOn"] if REAL else ["Broken", "Raising"]
    found = sweep_androidworld(
        pixel.serial, python=PYTHON, home=HOME, seed=30, count=1, adb=pixel.adb, tasks=names
    )
    assert (found[0].verdict, found[0].score) == (Verdict.UNKNOWN, None)
    assert found[0].reason
    if not REAL:
        assert (found[1].verdict, found[1].score) == (Verdict.UNKNOWN, None)
        assert "its check raised" in found[1].reason


def test_a_destructive_command_is_refused_and_told_even_where_the_benchmark_goes_on(pixel):
    heard: list[dict] = []
    task = "FilesDeleteFile" if REAL else "Wiping"
    words = [str(HOME)] if HOME else []
    with BenchWorker("androidworld", PYTHON, words, on_event=heard.append) as worker:
        worker.ask("open", serial=pixel.serial, adb=program(), server_port=pixel.adb.port)
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
