import json
from dataclasses import replace

import pytest

from annotator.step_merging import join_steps
from episodes import actions as a
from episodes.annotations import Author, Provenance, Region, RegionSource, Status
from episodes.clocks import Moment
from episodes.episodes import Attempt, EpisodeState
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.media.segment_files import SegmentWriter
from episodes.runs import Answered, Ended, Prediction, Run, RunFile
from episodes.store.library import Library
from episodes.store.merge_report import Conflict
from tests.episodes.store.samples import imported, recorded, segment, still, tap
from tests.episodes.store.sql import sql
from tests.samples.drawn import png

MARY, BEN = Author("uuid-of-mary", "Mary"), Author("uuid-of-ben", "Ben")
TREE = Provenance(RegionSource.TREE, node="0/1")
SHARED = imported(
    "0001",
    steps=(
        replace(tap(0), regions=(Region(Box(0, 0, 9, 9), TREE, "a"),)),
        replace(tap(1), action=a.TypeText("he")),
        replace(tap(2), action=a.TypeText("llo")),
        tap(3),
    ),
)


def region(name):
    return Region(Box(1, 1, 5, 5), TREE, name, uuid=f"uuid-{name}")


@pytest.fixture
def two(tmp_path):
    """Two people's libraries with one episode both imported."""
    with Library.open(tmp_path / "mary") as mary, Library.open(tmp_path / "ben") as ben:
        for library in (mary, ben):
            library.save_episodes([SHARED])
        yield mary, ben


def everything(library):
    """All that a library holds, but for the counters of its changes."""
    tables = [
        name
        for (name,) in sql(
            library,
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND name NOT LIKE '%fts%'",
        )
    ]
    return {name: sql(library, f"SELECT * FROM {name}") for name in tables}


def sound(library):
    assert sql(library, "PRAGMA foreign_key_check") == []
    assert sql(library, "PRAGMA integrity_check") == [("ok",)]


def operations(library, uuid=SHARED.uuid):
    return [
        (edit.operation, edit.author.name, edit.undone_by is None) for edit in library.edits(uuid)
    ]


def test_both_people_s_marks_are_stored(two):
    mary, ben = two
    mary.editor(MARY).accept_region(SHARED.uuid, 0, region("m"))
    mary.editor(MARY).change_texts(SHARED.uuid, 0, instruction="Press")
    ben.editor(BEN).add_alternative(SHARED.uuid, 0, a.PressKey(a.Key.BACK))
    ben.editor(BEN).accept_region(SHARED.uuid, 3, region("b"))
    ben.editor(BEN).change_texts(SHARED.uuid, 0, note="Hm")
    report = mary.merge(ben)
    assert (report.merged, report.edits, report.conflicts, report.added) == (["0001"], 3, [], [])
    first, *_, last = mary.episode("0001").steps
    assert [one.label for one in first.regions] == ["a", "m"]
    assert (first.target.label, last.target.label) == ("m", "b")
    assert [gold.author for gold in first.golds] == [BEN]
    assert (first.texts.instruction, first.texts.note) == ("Press", "Hm")
    assert operations(mary) == [
        ("region.accept", "Mary", True),
        ("step.texts", "Mary", True),
        ("gold.add", "Ben", True),
        ("region.accept", "Ben", True),
        ("step.texts", "Ben", True),
    ]
    sound(mary)


def test_merging_twice_changes_nothing(two):
    mary, ben = two
    mary.editor(MARY).accept_region(SHARED.uuid, 0, region("m"))
    ben.editor(BEN).accept_region(SHARED.uuid, 0, region("b"))
    ben.editor(BEN).delete_step(SHARED.uuid, 3, "slip")
    ben.undo()
    ben.save_episodes([recorded("e-0001", [tap(0)], state=EpisodeState.FINISHED)])
    mary.merge(ben)
    before = everything(mary)
    report = mary.merge(ben)
    assert everything(mary) == before
    assert (report.changed, report.unchanged, report.edits) == (False, 2, 0)


def test_a_change_on_both_sides_is_a_conflict_and_the_local_value_stays(two):
    mary, ben = two
    mary.editor(MARY).accept_region(SHARED.uuid, 0, region("m"))
    mary.editor(MARY).change_instruction(SHARED.uuid, "Mary's words")
    ben.editor(BEN).accept_region(SHARED.uuid, 0, region("b"))
    ben.editor(BEN).change_instruction(SHARED.uuid, "Ben's first words")
    ben.editor(BEN).change_instruction(SHARED.uuid, "Ben's words")
    report = mary.merge(ben)
    chosen, words = report.conflicts
    assert (chosen.episode, chosen.step, chosen.operation) == ("0001", 0, "region.accept")
    assert words == Conflict(
        "0001",
        None,
        "instruction.change",
        '{"instruction": "Mary\'s words"}',
        '{"instruction": "Ben\'s words"}',
    )
    episode = mary.episode("0001")
    assert episode.task.instruction == "Mary's words"
    assert episode.steps[0].target.label == "m"
    assert [line for line in operations(mary) if not line[2]] == [
        ("region.accept", "Ben", False),
        ("instruction.change", "Ben", False),
        ("instruction.change", "Ben", False),
    ]
    assert mary.undo(MARY) is not None
    assert mary.episode("0001").task.instruction == SHARED.task.instruction


def test_a_person_can_choose_the_other_side_of_a_conflict(two):
    mary, ben = two
    mary.editor(MARY).change_instruction(SHARED.uuid, "Mary's words")
    ben.editor(BEN).change_instruction(SHARED.uuid, "Ben's words")
    mary.merge(ben)
    mary.redo(MARY)
    assert mary.episode("0001").task.instruction == "Ben's words"
    mary.undo(MARY)
    assert mary.episode("0001").task.instruction == "Mary's words"


def test_the_same_change_on_both_sides_is_not_a_conflict(two):
    mary, ben = two
    for library, who in ((mary, MARY), (ben, BEN)):
        library.editor(who).accept_region(SHARED.uuid, 0, region("same"))
        library.editor(who).delete_step(SHARED.uuid, 3)
    report = mary.merge(ben)
    assert (report.conflicts, report.edits) == ([], 2)
    assert len(mary.episode("0001").steps[0].regions) == 2


def test_an_undo_on_the_other_side_is_merged(two):
    mary, ben = two
    ben.editor(BEN).change_instruction(SHARED.uuid, "One")
    mary.merge(ben)
    ben.undo(BEN)
    ben.editor(BEN).change_texts(SHARED.uuid, 1, note="n")
    ben.undo(BEN)
    ben.redo(BEN)
    mary.merge(ben)
    assert mary.episode("0001") == ben.episode("0001")
    assert operations(mary) == operations(ben)
    ben.merge(mary)
    assert operations(mary) == operations(ben)


def test_an_edit_with_later_edits_on_it_is_not_undone(two):
    mary, ben = two
    ben.editor(BEN).change_instruction(SHARED.uuid, "One")
    mary.merge(ben)
    mary.editor(MARY).change_instruction(SHARED.uuid, "Two")
    ben.undo(BEN)
    report = mary.merge(ben)
    assert mary.episode("0001").task.instruction == "Two"
    assert [(one.operation, one.here) for one in report.conflicts] == [
        ("instruction.change", '{"instruction": "Two"}')
    ]


def test_merged_and_split_steps_come_with_their_edits(two):
    mary, ben = two
    mary.editor(MARY).change_texts(SHARED.uuid, 0, note="m")
    editor = ben.editor(BEN)
    first, second, third, _ = SHARED.steps
    editor.replace_steps(SHARED.uuid, [1, 2], [join_steps([second, third])], "one word")
    editor.change_texts(SHARED.uuid, 1, note="one")
    editor.change_texts(SHARED.uuid, 1, note="two")
    editor.accept_region(SHARED.uuid, 1, region("field"))
    editor.accept_region(SHARED.uuid, 1, region("box"))
    editor.replace_steps(SHARED.uuid, [0], [tap(0), tap(1)])
    report = mary.merge(ben)
    assert report.conflicts == []
    assert mary.episode("0001") == ben.episode("0001")
    assert mary.deleted_steps(SHARED.uuid)[0].texts.note == "m"
    for _ in range(6):
        mary.undo()
    noted = replace(first, texts=replace(first.texts, note="m"))
    assert mary.episode("0001") == replace(SHARED, steps=(noted, *SHARED.steps[1:]))
    sound(mary)


def test_two_cuts_of_the_same_step_are_a_conflict(two):
    mary, ben = two
    _, second, third, _ = SHARED.steps
    mary.editor(MARY).replace_steps(SHARED.uuid, [1], [second, third])
    ben.editor(BEN).replace_steps(SHARED.uuid, [1, 2], [join_steps([second, third])])
    before = mary.episode("0001")
    report = mary.merge(ben)
    assert [(one.step, one.operation) for one in report.conflicts] == [(1, "steps.merge")]
    assert mary.episode("0001") == before
    sound(mary)


def test_every_kind_of_edit_comes_over(two):
    mary, ben = two
    editor, uuid = ben.editor(BEN), SHARED.uuid
    editor.propose_regions(uuid, 0, [region("x"), region("y")])
    editor.label_region(uuid, 0, 1, "X")
    editor.correct_action(uuid, 0, a.LongPress(Point(1, 2)), "held")
    editor.correct_action(uuid, 0, a.LongPress(Point(3, 4)), "held there")
    editor.add_alternative(uuid, 0, a.Wait())
    editor.set_gold_status(uuid, 0, 3, Status.REJECTED)
    editor.set_private(uuid, None, True)
    editor.set_private(uuid, 3, True)
    editor.add_private_box(uuid, 0, Box(1, 1, 2, 2), "name")
    editor.set_attempt(uuid, Attempt(1, "failed", "", "taken"))
    editor.clear_target(uuid, 0)
    ben.delete_episode(uuid, BEN)
    report = mary.merge(ben)
    assert report.conflicts == []
    assert mary.episode("0001") == ben.episode("0001")
    assert operations(mary) == operations(ben)
    for _ in range(12):
        mary.undo()
    assert mary.episode("0001") == SHARED


@pytest.fixture
def others(two):
    """Ben's own recording, with a picture, a video and edits, under a name Mary used too."""
    mary, ben = two
    mary.save_episodes([recorded("e-0001", [tap(0)], state=EpisodeState.FINISHED)])
    data = png()
    picture = replace(still(ben.stills.write(data, "image/png")), byte_count=len(data))
    live = recorded("e-0001", [])
    ben.begin_episode(live)
    file = ben.episode_folder(live.uuid) / segment().file
    with SegmentWriter(file, segment().config) as writer:
        packets = [writer.write(b"packet", 33 * n, n == 0, n) for n in range(3)]
    ben.add_segment(live.uuid, segment())
    ben.add_step(live.uuid, tap(0, picture=picture), {0: packets})
    ben.add_step(live.uuid, tap(1, tree=b"<hierarchy><node/></hierarchy>"))
    ben.finish_episode(live.uuid, EpisodeState.FINISHED, a.Finish(a.Ending.COMPLETE), "then")
    ben.editor(BEN).delete_step(live.uuid, 1, "slip")
    ben.undo(BEN)
    ben.editor(BEN).accept_region(live.uuid, 0, region("b"))
    return mary, ben, live


def test_a_missing_episode_is_merged_completely_with_its_journal(others):
    mary, ben, live = others
    report = mary.merge(ben)
    assert report.added == [("e-0001", "e-0001-2")]
    assert (report.files, report.missing) == (3, [])
    assert mary.episode(live.uuid) == replace(ben.episode(live.uuid), name="e-0001-2")
    assert operations(mary, live.uuid) == operations(ben, live.uuid)
    assert mary.packets(live.uuid, 0) == ben.packets(live.uuid, 0)
    copied = mary.episode_folder(live.uuid)
    assert {path.name: path.read_bytes() for path in copied.iterdir()} == {
        path.name: path.read_bytes() for path in ben.episode_folder(live.uuid).iterdir()
    }
    sha256 = mary.episode(live.uuid).steps[0].frame.still.sha256
    assert mary.stills.read(sha256, "image/png") == png()
    mary.undo()
    mary.redo()
    assert mary.episode(live.uuid).steps == ben.episode(live.uuid).steps
    mary.editor(MARY).add_alternative(live.uuid, 0, a.Wait())
    mary.save_episodes([imported("0099", steps=(tap(0),))])
    sound(mary)


def test_pictures_that_are_not_what_they_were_do_not_come(others):
    mary, ben, live = others
    still = ben.episode(live.uuid).steps[0].frame.still
    ben.stills.path(still.sha256, still.media_type).write_bytes(b"other")
    (ben.episode_folder(live.uuid) / segment().file).unlink()
    report = mary.merge(ben)
    assert report.missing == [
        f"e-0001: the picture {still.sha256[:12]}",
        f"e-0001: the video {segment().file}",
    ]
    assert not mary.stills.path(still.sha256, still.media_type).exists()


def test_runs_come_with_their_answers_under_the_new_names(others):
    mary, ben, _ = others
    answers = [
        Prediction("e-0001", 0, "tap", a.Tap(Point(1, 1))),
        Prediction("0001", 0, "x", a.Wait(), answered=Answered(Ended.CUT, "length", "", (9, 2))),
    ]
    asked = Run(
        "Model A", "raw", files=(RunFile("a.jsonl", "f" * 64, 2),), asking='{"recipe": "mine"}'
    )
    ben.save_run(asked, answers)
    ben.save_run(Run("Model B", "raw"), [])
    mary.save_run(Run("Model B", "raw", files=(RunFile("b.jsonl", "e" * 64, 2),)), [])
    report = mary.merge(ben)
    assert report.runs == ["Model A"]
    assert report.refused == [("Model B", "another run has its name here")]
    assert {(one.episode, one.raw) for one in mary.predictions("Model A")} == {
        ("e-0001-2", "tap"),
        ("0001", "x"),
    }
    assert mary.run("Model A") == ben.run("Model A")
    assert list(mary.predictions("Model A", "0001")) == [answers[1]]
    assert mary.merge(ben).runs == []


def test_episodes_that_differ_are_refused_and_reported(two):
    mary, ben = two
    other = imported("0002", steps=(tap(0),))
    mary.save_episodes([other])
    ben.save_episodes([replace(other, steps=(tap(0), tap(1)))])
    live = recorded("e-0005")
    ben.begin_episode(live)
    made = imported("0003", dataset="made", steps=(tap(0),))
    mary.save_episodes([made])
    ben.save_episodes([replace(made, uuid="another-uuid", steps=())])
    report = mary.merge(ben)
    assert report.refused == [
        ("0002", "it was recorded otherwise here (1 steps) than there (2)"),
        ("e-0005", "it is being recorded there"),
        ("0003", "an episode of that name is here, with other content"),
    ]
    with pytest.raises(KnownError, match="it is the same library"):
        mary.merge(mary)


def test_the_same_import_with_another_uuid_is_the_same_episode(two):
    mary, ben = two
    made = imported("0003", dataset="made", steps=(tap(0),))
    mary.save_episodes([made])
    ben.save_episodes([replace(made, uuid="another-uuid")])
    ben.editor(BEN).change_texts("another-uuid", 0, note="n")
    mary.merge(ben)
    assert mary.episode(made.uuid).steps[0].texts.note == "n"
    assert mary.count() == 2


def test_an_edit_from_a_newer_program_is_a_conflict(two):
    mary, ben = two
    ben.editor(BEN).change_instruction(SHARED.uuid, "x")
    sql(ben, "UPDATE edit SET operation = 'step.sing'")
    (found,) = mary.merge(ben).conflicts
    assert (found.operation, found.here) == ("step.sing", "")
    assert mary.edits() == []


def test_times_come_over_as_they_were_made(two):
    mary, ben = two
    ben.editor(BEN).change_texts(SHARED.uuid, 0, note="n")
    mary.merge(ben)
    (here,), (there,) = mary.edits(), ben.edits()
    assert here == there
    assert json.loads(here.after) == {"note": "n"}
    assert mary.episode("0001").steps[0].began == Moment(1_000_000, 1_000_000_000, 900)


@pytest.mark.parametrize(
    "state", ["[]", "{", '{"parts": 5}', '{"parts": [5]}', '{"parts": [{"operation": "x"}]}']
)
def test_a_damaged_journal_is_refused_and_reported(two, state):
    mary, ben = two
    ben.editor(BEN).clear_target(SHARED.uuid, 0)
    sql(ben, "UPDATE edit SET after = ?", (state,))
    assert mary.merge(ben).refused == [("0001", "line 1 of its journal there is damaged")]


@pytest.mark.parametrize("state", ['{"chosen": 5}', '{"chosen": ["gone"]}', "{}"])
def test_an_edit_that_cannot_be_made_is_a_conflict(two, state):
    mary, ben = two
    ben.editor(BEN).clear_target(SHARED.uuid, 0)
    sql(ben, "UPDATE edit SET after = ?", (state,))
    assert len(mary.merge(ben).conflicts) == 1
    assert mary.episode("0001") == SHARED
