"""`taptrail segment`, with the real SAM 2 in its own process."""

import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import nullcontext

import pytest

from annotator.sam2.client import Sam2
from episodes.store.library import Library
from taptrail.usecases import models
from tests.taptrail.segmenting import screens

PRESSES = 24
WAIT = 120


@pytest.fixture
def many(tmp_path):
    folder = tmp_path / "many"
    screens.build(folder, episodes=6)
    return folder


@pytest.fixture
def shared(sam2: Sam2, monkeypatch):
    """In this process, commands have the worker of the other tests: starting one takes seconds."""
    monkeypatch.setattr(models, "open_segmenter", lambda *_: nullcontext(sam2))


def started(folder, *words) -> subprocess.Popen:
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.taptrail.segmenting.micro_command", "segment"),
            *("--library", str(folder), *words),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kept_presses(folder) -> int:
    with Library.read(folder) as library:
        return len(library.edits())


def wait_for(folder, presses: int, program: subprocess.Popen) -> None:
    waited = threading.Event()
    while kept_presses(folder) < presses:
        assert program.poll() is None, program.communicate()
        waited.wait(0.01)


def test_a_command_that_is_killed_or_stopped_has_kept_what_it_did_and_goes_on_from_there(
    taptrail, many, shared
) -> None:
    program = started(many)
    wait_for(many, 2, program)
    program.kill()
    program.communicate(timeout=WAIT)
    first = kept_presses(many)
    assert 2 <= first < PRESSES

    program = started(many)
    wait_for(many, first + 2, program)
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=WAIT)
    second = kept_presses(many)
    assert program.returncode == 130, said
    assert f"{second - first} presses are stored. Run the same command again to continue." in said
    assert second < PRESSES

    told = taptrail("segment", "--library", many, "--json").json
    assert (told["waiting"], told["done"], told["left"]) == (PRESSES - second, PRESSES - second, 0)
    with Library.read(many) as library:
        edits = Counter((edit.episode, edit.step, edit.operation) for edit in library.edits())
    assert len(edits) == PRESSES
    assert set(edits.values()) == {1}


def test_it_says_in_words_and_in_json_what_it_did(taptrail, library, shared) -> None:
    told = taptrail("segment", "--limit", "1", "--library", library, "--json").json
    assert told == {
        "model": "micro",
        "version": "5e9183a14264",
        "waiting": 4,
        "done": 1,
        "left": 3,
        "regions": 3,
        "accepted": 0,
        "levels": {"high": 1},
        "without_mask": [],
        "failed": [],
        "seconds_per_press": None,
    }
    done = taptrail("segment", "--accept", "high", "--episode", "e-0001", "--library", library)
    assert done.out.splitlines()[0] == (
        "3 of 3 presses were asked about; 9 candidates are new, 1 are accepted."
    )
    assert taptrail("segment", "--library", library).out == ("micro was asked about every press.\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--model", "medium"), 1, "there is no checkpoint “medium” on this computer"),
        (("--limit", "-1"), 2, "-1"),
        (("--accept", "low"), 2, "low"),
    ],
)
def test_what_cannot_be_done_is_said(taptrail, library, words, code, said) -> None:
    done = taptrail("segment", *words, "--library", library)
    assert (done.code, said in done.err) == (code, True), done.err
