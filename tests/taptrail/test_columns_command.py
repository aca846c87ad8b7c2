"""`taptrail columns` writes a run's columns, and scores them like the library."""

import json
from dataclasses import replace

import pytest

from episodes.geometry import Box, Size
from episodes.screens import (
    Basis,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.store.library import Library
from replay import column_files
from scoring.protocols import PROTOCOLS
from tests.episodes.store.samples import imported
from tests.episodes.store.test_full_disk import files_up_to
from tests.taptrail.test_score_numbers_only import scored

__all__ = ("scored",)


@pytest.fixture
def columns(taptrail, scored, library, tmp_path):
    words = ("columns", "write", "--run", "run", "--library", library)
    done = taptrail(*words, "--out", tmp_path / "columns", "--json")
    assert done.json == {"run": "run", "steps": 7, "parts": 1}
    return tmp_path / "columns"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_columns_have_the_numbers_of_the_library(taptrail, scored, columns, protocol):
    done = taptrail("columns", "score", columns, "--protocol", protocol, "--json")
    if PROTOCOLS[protocol].end is not None:
        assert (done.code, "it puts ends behind episodes" in done.err) == (1, True)
        return
    whole = scored(protocol, "--numbers-only")
    assert done.json["metrics"] == whole["metrics"]
    assert done.json["step_set"] == whole["step_set"]
    assert done.json["left_out"] == whole["left_out"]


def test_columns_are_scored_in_words(taptrail, columns):
    done = taptrail("columns", "score", columns, "--protocol", "guiodyssey")
    assert "AMS" in done.out


def test_columns_go_into_a_new_folder(taptrail, columns, library):
    words = ("columns", "write", "--run", "run", "--library", library, "--out", columns)
    done = taptrail(*words)
    assert (done.code, "is not empty (columns.json)" in done.err) == (1, True)


def test_columns_for_which_there_is_no_room_leave_no_folder(taptrail, scored, library, tmp_path):
    words = ("columns", "write", "--run", "run", "--library", library, "--out", tmp_path / "out")
    with Library.read(library), files_up_to(100):  # SQLite's own files are there already
        done = taptrail(*words)
    assert (done.code, done.err) == (
        1,
        f"Cannot write columns to {tmp_path / 'out'}: File too large. Make room, or choose another "
        "folder.\n",
    )
    assert not (tmp_path / "out").exists()


def test_a_scheduler_and_workers_are_two_ways(taptrail, columns):
    words = ("columns", "score", columns, "--protocol", "guiodyssey")
    done = taptrail(*words, "--scheduler", "tcp://127.0.0.1:1", "--workers", "2")
    assert (done.code, "not both" in done.err) == (2, True)


def test_the_manifest_says_whose_columns_they_are(columns, library):
    told = json.loads((columns / "columns.json").read_text())
    assert (told["run"], told["library"], told["step_set"]["count"]) == ("run", str(library), 7)


def test_nothing_private_is_in_the_columns(taptrail, scored, library, tmp_path):
    with Library.open(library) as kept:
        one, *_ = kept.iterate()
        editor = kept.editor()
        editor.set_private(one.uuid, one.steps[0].index, True)
        editor.add_private_box(one.uuid, one.steps[1].index, Box(0, 0, 5, 5))
        rest = [other for other in kept.iterate() if other.uuid != one.uuid]
        for other in rest[:1]:
            editor.set_private(other.uuid, None, True)
        gone = 2 + sum(len(other.steps) for other in rest[:1])
    words = ("columns", "write", "--run", "run", "--library", library, "--out", tmp_path / "out")
    taptrail(*words)
    manifest = json.loads((tmp_path / "out" / "columns.json").read_text())
    counted = f"left out as private: {len(rest[:1])} episode" + "s" * (len(rest[:1]) != 1)
    assert manifest["notes"] == [
        f"{counted} and 2 steps of others; the library's own score counts them"
    ]
    (part,) = (tmp_path / "out").glob("*.parquet")
    columns = column_files.read(part, "")
    assert len(columns) == 7 - gone
    assert [row.uuid for row in columns.episodes if row.uuid in {o.uuid for o in rest[:1]}] == []


def test_columns_of_which_all_is_private_are_scored_as_nothing(taptrail, scored, library, tmp_path):
    with Library.open(library) as kept:
        for one in list(kept.iterate()):
            kept.editor().set_private(one.uuid, None, True)
    words = ("columns", "write", "--run", "run", "--library", library, "--out", tmp_path / "out")
    taptrail(*words)
    done = taptrail("columns", "score", tmp_path / "out", "--protocol", "taptrail-strict")
    assert (done.code, "0 / 0" in done.out) == (0, True)


def test_no_tree_of_a_protected_screen_and_no_password_is_in_the_columns(
    taptrail, library, tmp_path
):
    data = b'<hierarchy><node text="sesame" password="true" bounds="[0,0][9,9]"/></hierarchy>'
    tree = StepTree(TreeRecord("uiautomator", data, "d", TreeStatus.OK), TreeFit.FRESH)
    with Library.open(library) as kept:
        one = imported("one")
        first = one.steps[0]
        steps = tuple(
            replace(
                first,
                index=number,
                tree=tree,
                frame=Frame(Size(9, 9), Basis.IMPORTED, protected=number == 1),
            )
            for number in range(2)
        )
        kept.save_episodes([replace(one, uuid="u", steps=steps)])
        origin = one.origin
    answers = tmp_path / "a.jsonl"
    answers.write_text('{"episode": "one", "step": 0, "action": {"kind": "wait"}}\n')
    done = taptrail(
        *("predictions", "import", answers, "--dialect", "taptrail", "--name", "run"),
        *("--dataset", origin.dataset, "--library", library),
    )
    assert done.code == 0
    words = ("columns", "write", "--run", "run", "--library", library, "--out", tmp_path / "out")
    assert taptrail(*words).code == 0
    assert column_files.manifest_in(tmp_path / "out").notes == (
        "left out: the tree of 1 step that may show a hidden screen",
        "starred: the words in password fields of 1 tree",
    )
    (part,) = column_files.parts_of(tmp_path / "out")
    hidden = replace(tree.record, data=data.replace(b"sesame", b"******"))
    assert [one and one.record.data for one in column_files.read(part).trees] == [hidden.data, None]


def test_no_tree_that_may_be_of_a_hidden_screen_beside_is_in_the_columns(
    taptrail, library, tmp_path
):
    data = b'<hierarchy><node text="sesame" bounds="[0,0][9,9]"/></hierarchy>'
    record = TreeRecord("uiautomator", data, "d", TreeStatus.OK)
    still = Still("0" * 64, "image/png", Size(9, 9), 9, StillSource.IMPORT, True)
    shown = Frame(Size(9, 9), Basis.IMPORTED)
    fresh, stale, late = TreeFit.FRESH, TreeFit.STALE, TreeFit.LATE
    kept = [
        (shown, late),
        (replace(shown, protected=True), fresh),
        (shown, stale),
        (shown, stale),
        (replace(shown, still=still), fresh),
        (shown, fresh),
        (replace(shown, still=still), fresh),
    ]
    with Library.open(library) as into:
        one = imported("one")
        steps = tuple(
            replace(one.steps[0], index=number, frame=frame, tree=StepTree(record, fit))
            for number, (frame, fit) in enumerate(kept)
        )
        into.save_episodes([replace(one, uuid="u", steps=steps)])
        into.editor().add_private_box("u", 6, Box(0, 0, 5, 5))
        dataset = one.origin.dataset
    answers = tmp_path / "a.jsonl"
    answers.write_text('{"episode": "one", "step": 0, "action": {"kind": "wait"}}\n')
    words = ("--dialect", "taptrail", "--name", "run", "--dataset", dataset, "--library", library)
    assert taptrail("predictions", "import", answers, *words).code == 0
    words = ("columns", "write", "--run", "run", "--library", library, "--out", tmp_path / "out")
    assert taptrail(*words).code == 0
    (part,) = column_files.parts_of(tmp_path / "out")
    assert [tree is None for tree in column_files.read(part).trees] == [
        True, True, True, False, True, False,
    ]  # fmt: skip
