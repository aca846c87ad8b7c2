"""The demo as a person starts it: processes, signals, numbers."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from taptrail.usecases import known_mistakes
from taptrail.usecases.known_mistakes import MistakeKind

ROOT = Path(__file__).resolve().parents[2]


def start(library, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "taptrail", "demo", "--headless", "--library", str(library), *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


def descendants(pid):
    """All processes below one, as Linux lists them."""
    found = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found += [child, *descendants(child)]
    return found


def commands_of(pids):
    """The command lines of those that still run."""
    said = {}
    for pid in pids:
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except FileNotFoundError:
            continue
        if words != [b""]:  # a zombie has none
            said[pid] = b" ".join(words).decode()
    return said


def test_the_demo_records_predicts_and_scores_what_the_mistakes_imply(tmp_path):
    library = tmp_path / "library"
    process = start(library, "--json")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    report = json.loads(out)
    seconds = report.pop("seconds")
    assert seconds < 60
    assert (report["episode"], report["steps"]) == ("e-0001", 17)
    assert report["apps"] == ["Home", "Messages", "Contacts"]
    assert report["library"] == str(library)
    assert report["agent"] == {
        "task": "dark-theme-on",
        "verdict": "success",
        "claimed": "complete",
        "stop": "said complete",
        "turns": 3,
        "episode": "e-0002",
    }
    assert Path(report["predictions"]).is_file()
    assert report["mistakes"] == {"demo-e-0001": 7, "sample-careful": 2, "sample-hasty": 8}
    numbers = {
        (score["run"], score["protocol"]): tuple(
            (score[name]["hits"], score[name]["total"]) for name in ("AMS", "SR")
        )
        for score in report["scores"]
    }
    assert numbers == {
        ("demo-e-0001", "guiodyssey@2"): ((12, 16), (0, 0)),
        ("demo-e-0001", "taptrail-strict@1"): ((10, 17), (0, 1)),
        ("sample-careful", "guiodyssey@2"): ((41, 42), (5, 6)),
        ("sample-careful", "taptrail-strict@1"): ((40, 42), (4, 6)),
        ("sample-hasty", "guiodyssey@2"): ((36, 41), (1, 5)),
        ("sample-hasty", "taptrail-strict@1"): ((34, 42), (0, 6)),
    }


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_nothing_outlives_a_demo_that_is_stopped(tmp_path, number, code):
    process = start(tmp_path / "library")
    line = ""
    while not line.startswith("Recording a visit on "):
        line = process.stderr.readline()
        assert line, "the demo ended before it recorded"
    process.stderr.readline()  # its first step
    below = descendants(process.pid)
    running = " ".join(commands_of(below).values())
    assert "demophone" in running
    assert "nodaemon server" in running
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == code
    deadline = time.monotonic() + 15
    while commands_of(below) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert commands_of(below) == {}


def test_a_score_that_is_not_what_the_mistakes_imply_is_an_error(
    tmp_path, taptrail, library, monkeypatch
):
    from episodes.store.library import Library
    from taptrail.usecases.known_mistakes import differences
    from taptrail.usecases.sample import import_sample
    from taptrail.usecases.scoring import score_run

    sample = import_sample(library)
    with Library.read(library) as opened:
        episodes = [opened.episode(name) for name in sample.episodes]
    hasty = next(run for run in sample.runs if run.name == "sample-hasty")
    result = score_run("sample-hasty", "guiodyssey@2", library)
    assert differences(episodes, hasty.mistakes, result) == ()
    (text,) = (one for one in hasty.mistakes if one.kind is MistakeKind.WRONG_TEXT)
    fewer = tuple(one for one in hasty.mistakes if one is not text)
    assert differences(episodes, fewer, result) == (
        f"guiodyssey@2 says mismatch of {text.episode} step {text.step} (right), "
        "where match is due",
        "guiodyssey@2 has AMS 36 of 41 (87.8%), where 37 of 41 (90.2%) is due",
        "guiodyssey@2 has SR 1 of 5 (20.0%), where 2 of 5 (40.0%) is due",
    )


def test_the_sample_in_the_library_can_be_brought_in_again(library):
    from taptrail.usecases.sample import import_sample

    first, second = import_sample(library), import_sample(library)
    assert (first.imported.episodes, first.imported.steps, first.imported.screens) == (6, 42, 42)
    assert first.imported.refused == first.imported.notes == ()
    assert second.imported.unchanged == 6
    assert [run.name for run in second.runs] == ["sample-careful", "sample-hasty"]


def test_a_mistake_that_no_step_is_fit_for_is_a_known_error():
    with pytest.raises(known_mistakes.KnownError, match="no step is fit for it"):
        known_mistakes.answers([], [MistakeKind.FAR], 1)


def test_without_a_display_the_demo_says_so_and_runs_in_a_library_of_its_own(
    taptrail, home, monkeypatch
):
    from taptrail.usecases import demo

    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)

    def enough(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "run_demo", enough)
    done = taptrail("demo")
    assert (done.code, done.err) == (
        130,
        f"Library of the demo: {home}/data/taptrail/demo\n"
        "There is no display, so the demo runs without a window (--headless).\n\nStopped.\n",
    )


def test_the_demo_opens_its_own_library_in_the_window_too(taptrail, home, monkeypatch):
    from taptrail.cli import recording
    from taptrail.usecases import demo_phone, sample

    opened = []

    @contextmanager
    def no_phone(seed):
        yield SimpleNamespace(serial="demo", devices=SimpleNamespace(port=1))

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(demo_phone, "running_demo_phone", no_phone)
    monkeypatch.setattr(sample, "open_sample", opened.append)
    monkeypatch.setattr(recording, "open_window", lambda library, *_: opened.append(library))
    done = taptrail("demo")
    own = home / "data/taptrail/demo"
    assert (done.code, opened) == (0, [own, own])
    assert done.err.startswith(f"Library of the demo: {own}\n")


def test_the_scripted_visit_is_no_persons_attempt(tmp_path):
    from episodes.store.library import Library
    from taptrail.usecases.attempts import reference
    from taptrail.usecases.demo import TASK, run_demo

    run_demo(tmp_path / "library")
    with Library.read(tmp_path / "library") as library:
        found = reference(library, TASK.instruction)
    assert (found.attempts, found.people) == ((), 0)
    assert [(one.name, one.agent, one.steps) for one in found.agents] == [
        ("e-0001", "scripted hand", 17)
    ]
