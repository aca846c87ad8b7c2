"""`python -m tests.conformance` gives each line its answer, whatever the lines before it hold."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ODD = [
    b"not json",
    b"5",
    b"null",
    b"\xff\xfe",
    b"[" * 100_000,
    rb'{"id": "\ud800"}',
    b'{"id": "list", "protocol": "guiodyssey@2", "gold": [], "prediction": "x"}',
    b'{"id": "five", "protocol": "guiodyssey@2", "gold": {"answer": "HOME"}, "context": 5}',
    b'{"id": "odd", "protocol": [1], "gold": {}}',
]
GOOD = (
    b'{"id": "last", "protocol": "guiodyssey@2", "gold": {"action": "COMPLETE", "info": ""},'
    b' "prediction": "COMPLETE", "context": {"sam2_bbox": []}}'
)


def _run(*arguments: str, **more):
    return subprocess.run(
        [sys.executable, "-m", "tests.conformance", *arguments],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
        **more,
    )


def test_every_line_gets_an_answer_and_the_last_one_the_right_one(tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_bytes(b"\n".join([*ODD, b"", GOOD]) + b"\n")
    done = _run(str(cases))
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert len(told) == len(ODD) + 1
    assert all({"error", "unsupported"} & line.keys() for line in told[:-1])
    assert told[-1] == {"id": "last", "got": True}


def test_a_missing_file_is_an_error_of_one_sentence(tmp_path):
    done = _run(str(tmp_path / "none.jsonl"))
    assert done.returncode == 1
    assert b"No such file" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_reader_that_stops_early_is_not_a_fault(tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_bytes((GOOD + b"\n") * 5_000)
    read, write = os.pipe()
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.conformance", str(cases)],
        cwd=ROOT,
        stdout=write,
        stderr=subprocess.PIPE,
    )
    os.close(write)
    assert os.read(read, 10)
    os.close(read)
    _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors) == (0, b"")


def test_a_value_that_is_not_a_number_is_written_as_in_the_golden_files(tmp_path):
    said = '<tool_call>{"arguments": {"action": "click", "coordinate": [NaN, 5]}}</tool_call>'
    gold = {"action": "click", "arguments": {"points": [[5, 5]]}}
    case = {"id": "nan", "variant": "clawgui", "gold": gold, "prediction": said}
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(case), encoding="utf-8")
    (line,) = _run(str(cases)).stdout.splitlines()
    read = {"name": "mobile", "action": "click", "arguments": {"points": [["NaN", 5]]}}
    wrong = {"correct": False, "type_match": True, "info": "click_fail"}
    assert json.loads(line) == {"id": "nan", "got": {"parsed": read, **wrong}}
