"""A command that unexpectedly has nothing to give says so and exits 1."""

import json

import pytest

from episodes.store.library import Library
from tests.taptrail.test_prediction_files import CASES, FILES


@pytest.fixture
def gold(taptrail, tmp_path):
    taptrail("import", "guiodyssey", CASES / "gold", "--library", tmp_path / "gold")
    return tmp_path / "gold"


@pytest.fixture
def empty(tmp_path):
    with Library.open(tmp_path / "empty"):
        return tmp_path / "empty"


def test_an_import_that_brings_nothing_in_exits_1_and_says_why(taptrail, tmp_path):
    (tmp_path / "set" / "annotations").mkdir(parents=True)
    words = ("import", "guiodyssey", tmp_path / "set", "--library", tmp_path / "library")
    (tmp_path / "set" / "annotations" / "a.json").write_text('{"x": 1}')
    done = taptrail(*words, "--json")
    assert (done.code, json.loads(done.out)["episodes"]) == (1, 0)
    assert done.err.startswith(f"Cannot import {tmp_path / 'set'}: nothing was imported: a.json: ")
    assert taptrail(*words).code == 1


def test_an_import_of_what_is_there_already_is_a_success(taptrail, gold):
    again = taptrail("import", "guiodyssey", CASES / "gold", "--library", gold, "--json")
    assert (again.code, again.json["episodes"]) == (0, 2)


def test_a_merge_with_an_empty_library_exits_1(taptrail, gold, empty):
    done = taptrail("episodes", "merge", empty, "--library", gold, "--json")
    assert (done.code, done.out) == (1, "")
    assert "it contains no episode" in done.err
    again = taptrail("episodes", "merge", gold, "--library", empty, "--json")
    assert (again.code, len(again.json["added"])) == (0, 2)
    assert taptrail("episodes", "merge", gold, "--library", empty, "--json").code == 0


@pytest.mark.parametrize(
    "words",
    [("lint",), ("lint", "--dataset", "nope"), ("export", "guiodyssey", "out", "--dataset", "no")],
)
def test_a_look_at_no_episode_exits_1(taptrail, gold, empty, tmp_path, words):
    words = [tmp_path / word if word == "out" else word for word in words]
    library = gold if len(words) > 1 else empty
    done = taptrail(*words, "--library", library, "--json")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1


def test_a_check_of_rows_that_belong_to_no_step_exits_1(taptrail, gold, tmp_path):
    words = ("--dialect", "ui-tars-1.0", "--library", gold, "--json")
    assert taptrail("predictions", "check", FILES / "swift.jsonl", *words).code == 0
    (tmp_path / "p.jsonl").write_text('{"episode": "x", "step": 1, "raw": "y"}\n')
    done = taptrail("predictions", "check", tmp_path / "p.jsonl", *words)
    assert (done.code, json.loads(done.out)["surplus"]) == (1, 1)
    assert done.err.startswith("Cannot check the predictions: no row belongs to a step. ")
