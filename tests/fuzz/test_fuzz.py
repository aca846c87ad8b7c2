"""A few of the cases that `python -m tests.fuzz --cases 10000` runs, and the watch over them."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fuzz.running import SUBJECTS, Done, case_names, run

ROOT = Path(__file__).resolve().parents[2]
CASES = 150
SECONDS = 10.0  # of the processor: how fast it is, is not the suite's to say


def same_each_time(done: Done) -> Done:
    return replace(done, seconds=0.0, peak=0)


def test_damaged_files_of_all_kinds_give_results_or_known_errors_and_nothing_else():
    names = case_names(CASES)
    done = list(run(names, seconds=SECONDS))
    assert [one for one in done if one.outcome == "violation"] == []
    assert [one.case for one in done] == names
    assert {one.outcome for one in done} == {"result", "known error"}
    assert {one.case.rpartition(":")[0] for one in done} == set(SUBJECTS)


def test_a_case_comes_out_the_same_when_it_is_run_alone():
    _, second = run(["import/taptrail:3", "predictions/aitw:1"])
    (alone,) = run([second.case])
    assert same_each_time(alone) == same_each_time(second)


@pytest.mark.parametrize(
    ("mib", "seconds", "words"), [(1_024, 0.001, "TooSlow: "), (64, 2.0, "MemoryError: ")]
)
def test_a_case_that_takes_too_long_or_too_much_is_a_violation(mib, seconds, words):
    (done,) = run(["import/chat-showui:31"], mib, seconds)
    assert (done.case, done.outcome) == ("import/chat-showui:31", "violation")
    assert done.wrong.startswith(words)


def test_a_process_that_dies_is_a_violation_of_its_case_and_the_next_one_begins_anew(monkeypatch):
    monkeypatch.setattr("tests.fuzz.running.WORKER", "tests.fuzz.dying_worker")
    names = ["import/aitw:0", "import/aitw:1"]
    killed = [Done(name, "violation", wrong="the process ended with -9") for name in names]
    assert list(run(names)) == killed


def test_files_outside_are_noticed_when_they_are_read_or_written(tmp_path):
    code = """
import os, sys
from pathlib import Path
from tests.fuzz.watching import Files
here = Path(sys.argv[1])
for name in ("in", "out"):
    (here / name).mkdir()
(here / "secret").write_text("x")
(here / "in" / "link").symlink_to("../secret")
with Files((Path(sys.prefix),)).only((here / "in",), (here / "out",)) as found:
    (here / "out" / "made").write_text("x")
    (here / "in" / ".." / "secret").read_text()
    (here / "in" / "link").read_text()
    (here / "in" / "new").write_text("x")
    os.rename(here / "out" / "made", here / "moved")
print(*found, sep="\\n")
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        f"open reads {tmp_path}/secret",
        f"open reads {tmp_path}/secret",
        f"open writes {tmp_path}/in/new",
        f"os.rename writes {tmp_path}/moved",
    ]
