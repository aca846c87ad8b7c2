"""Prediction files with millions of rows that say nothing end in one sentence, in little memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from replay.dialect import Limits
from replay.dialects import dialect
from taptrail.cli.main import run as run_command
from taptrail.usecases.prediction_files import read_rows
from tests.replay.made import json_file, lines_file
from tests.taptrail.test_prediction_files import CASES

MILLIONS = 2_000_000
BYTES = 1_200_000_000
"""Of address space, of which Python and its libraries take about half a gigabyte."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("library") / "gold"
    assert (
        run_command(["import", "guiodyssey", str(CASES / "gold"), "--library", str(library)]) == 0
    )
    return library


def many(part: bytes, begins: bytes = b"", ends: bytes = b"") -> bytes:
    return begins + part * MILLIONS + ends


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("lines.jsonl", many(b"{}\n"), "more than 10,000 rows name no step and hold no answer"),
        ("list.json", many(b"{},", b"[", b"{}]"), "more than 10,000 rows name no step"),
        ("held.json", many(b"{},", b'{"results": [', b"{}]}"), "more than 10,000 rows name no"),
        ("lists.json", many(b"[],", b"[", b"[]]"), "the files hold no prediction"),
        ("deep.json", many(b"[[]],", b"[[", b"[]]]") * 6, "GB of memory"),
        ("broken.jsonl", many(b"x\n"), "more than 10,000 rows name no step"),
        ("blank.jsonl", many(b"\n"), "the files hold no prediction"),
        ("table.csv", many(b",,\n", b"episode,step,pred\n"), "the files hold no prediction"),
        ("numbers.jsonl", b'{"id": ' + b"9" * 5_000 + b"}\n", "belongs to a step"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rows_that_say_nothing_take_no_memory(tmp_path, library, name, data, said):
    (tmp_path / name).write_bytes(data)
    words = ("predictions", "import", str(tmp_path / name), "--dialect", "uground")
    done = subprocess.run(
        [sys.executable, "-m", "taptrail", *words, "--name", "r", "--library", str(library)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES)),
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_rows_of_a_run_are_bounded_by_what_they_take_in_memory(tmp_path):
    rows = [{"episode": "e", "step": 0, "raw": "x" * 1_000}] * 10
    for file in (lines_file(tmp_path, rows), json_file(tmp_path, rows)):
        read, _ = read_rows((file,), dialect("seed"), "seed", limits=Limits(held_bytes=40_000))
        assert len(read) == 10
        with pytest.raises(Exception, match="would take more than 2e-05 GB of memory"):
            read_rows((file,), dialect("seed"), "seed", limits=Limits(held_bytes=20_000))
