import json
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import (
    Author,
    Gold,
    PrivateBox,
    Provenance,
    Region,
    RegionSource,
    Status,
)
from episodes.episodes import Attempt, EpisodeState
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.runs import Prediction, Run
from episodes.store.library import Library
from tests.episodes.store.samples import imported, tap

MARY = Author("uuid-of-mary", "Mary")
BEN = Author("uuid-of-ben", "Ben")
PROGRAM = Author("taptrail:sam2", "SAM 2", "program")
TREE = Provenance(RegionSource.TREE, node="0/0.2")


def region(name, left=0, **fields):
    return Region(Box(left, 0, left + 10, 10), TREE, name, uuid=f"uuid-{name}", **fields)


def typed(index, text, **fields):
    return replace(tap(index), action=a.TypeText(text, **fields))


@pytest.fixture
def episode(library):
    steps = (
        replace(tap(0), regions=(region("a", status=Status.ACCEPTED, chosen=True), region("b", 5))),
        typed(1, "he"),
        typed(2, "llo"),
        tap(3),
    )
    found = imported("0001", steps=steps)
    library.save_episodes([found])
    return found


def steps(library):
    return library.episode("0001").steps


EDITS = {
    "accept a stored region": lambda ed, ep: ed.accept_region(ep, 0, region("b"), "The list"),
    "accept a new region": lambda ed, ep: ed.accept_region(ep, 0, region("c")),
    "accept a region without a uuid": lambda ed, ep: ed.accept_region(
        ep, 1, replace(region("own"), uuid="")
    ),
    "propose": lambda ed, ep: ed.propose_regions(ep, 0, [region("a"), region("x"), region("y")]),
    "clear the target": lambda ed, ep: ed.clear_target(ep, 0),
    "label": lambda ed, ep: ed.label_region(ep, 0, 1, "Other"),
    "correct": lambda ed, ep: ed.correct_action(ep, 0, a.LongPress(Point(1, 2)), "it was held"),
    "alternative": lambda ed, ep: ed.add_alternative(ep, 0, a.PressKey(a.Key.BACK)),
    "texts": lambda ed, ep: ed.change_texts(ep, 0, intention="To see", note="n"),
    "delete a step": lambda ed, ep: ed.delete_step(ep, 3, "pressed by mistake"),
    "merge": lambda ed, ep: ed.replace_steps(ep, [1, 2], [typed(1, "hello")], "one word"),
    "split": lambda ed, ep: ed.replace_steps(ep, [1], [typed(1, "h"), typed(2, "e")]),
    "instruction": lambda ed, ep: ed.change_instruction(ep, "Write a letter"),
    "attempt": lambda ed, ep: ed.set_attempt(ep, Attempt(2, "failed", "the phone rang")),
    "private episode": lambda ed, ep: ed.set_private(ep, None, True),
    "private step": lambda ed, ep: ed.set_private(ep, 0, True),
    "private box": lambda ed, ep: ed.add_private_box(ep, 0, Box(1, 2, 3, 4), "a name"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_each_edit_is_one_line_that_can_be_undone_and_redone_after_a_restart(
    library, episode, edit
):
    revision = library.gold_revision(episode.uuid)
    edit(library.editor(MARY), episode.uuid)
    changed = library.episode("0001")
    assert changed != episode
    assert [line.author for line in library.edits()] == [MARY]
    assert library.gold_revision(episode.uuid) > revision
    library.close()
    for _ in range(2):
        with Library.open(library.folder) as again:
            assert again.episode("0001") == changed
            assert again.undo(BEN) is not None
            assert again.undo() is None
        with Library.open(library.folder) as again:
            assert again.episode("0001") == episode
            assert again.redo(BEN) is not None
            assert again.redo() is None
            assert again.episode("0001") == changed


def test_the_region_accepted_before_is_superseded(library, episode):
    library.editor(MARY).accept_region(episode.uuid, 0, region("b", 5), "The list")
    assert steps(library)[0].regions == (
        region("a", status=Status.SUPERSEDED),
        replace(region("b", 5, status=Status.ACCEPTED, chosen=True), label="The list"),
    )


def test_candidates_that_are_there_are_not_added_again(library, episode):
    editor = library.editor(MARY)
    assert editor.propose_regions(episode.uuid, 0, [region("a"), region("b")]) is None
    assert library.edits() == []


def test_candidates_that_were_taken_back_can_be_proposed_again(library, episode):
    editor = library.editor(MARY)
    editor.propose_regions(episode.uuid, 0, [region("x")])
    proposed = steps(library)
    library.undo(MARY)
    assert editor.propose_regions(episode.uuid, 0, [region("a"), region("x")]) is not None
    assert steps(library) == proposed
    library.undo(MARY)
    assert steps(library) == episode.steps


def test_undo_and_redo_of_people_pass_over_what_a_program_proposed_meanwhile(library, episode):
    person, program = library.editor(MARY), library.editor(PROGRAM)
    person.accept_region(episode.uuid, 0, region("b", 5))
    accepted = steps(library)[0]
    program.propose_regions(episode.uuid, 1, [region("x")])
    assert library.undo(MARY).operation == "undo"
    assert steps(library)[0] == episode.steps[0]
    program.propose_regions(episode.uuid, 3, [region("y")])
    library.redo(MARY)
    assert steps(library)[0] == accepted
    for _ in range(3):
        library.undo(MARY)
    assert steps(library) == episode.steps
    assert library.undo(MARY) is None


def test_only_the_newest_correction_is_in_force(library, episode):
    editor = library.editor(MARY)
    assert editor.correct_action(episode.uuid, 0, a.Tap(Point(1, 1)), "first") == 1
    assert editor.correct_action(episode.uuid, 0, a.Tap(Point(2, 2)), "second") == 2
    first, second = (
        Gold(1, a.Tap(Point(1, 1)), "correction", "first", Status.SUPERSEDED, MARY),
        Gold(2, a.Tap(Point(2, 2)), "correction", "second", Status.ACCEPTED, MARY),
    )
    assert steps(library)[0].golds == (first, second)
    assert steps(library)[0].action == episode.steps[0].action
    editor.return_to_recorded(episode.uuid, 0)
    assert steps(library)[0].golds == (first, replace(second, status=Status.SUPERSEDED))
    assert editor.return_to_recorded(episode.uuid, 0) is None
    editor.set_gold_status(episode.uuid, 0, 1, Status.ACCEPTED)
    assert steps(library)[0].golds[0].status is Status.ACCEPTED


def test_merged_steps_stay_in_the_journal(library, episode):
    edit = library.editor(MARY).replace_steps(episode.uuid, [1, 2], [typed(7, "hello")], "one word")
    assert (edit.operation, json.loads(edit.after)["reason"]) == ("steps.merge", "one word")
    first, second, third, last = episode.steps
    assert steps(library) == (first, replace(typed(7, "hello"), index=1), last)
    assert library.deleted_steps(episode.uuid) == (second, third)


def test_a_split_moves_later_steps_on_also_the_deleted_ones(library, episode):
    editor = library.editor(MARY)
    editor.delete_step(episode.uuid, 3)
    editor.replace_steps(episode.uuid, [1], [typed(1, "h"), typed(2, "e")])
    first, _, third, last = episode.steps
    assert steps(library) == (first, typed(1, "h"), typed(2, "e"), replace(third, index=3))
    editor.restore_step(episode.uuid, 4)
    assert steps(library)[-1] == replace(last, index=4)
    editor.delete_step(episode.uuid, 2)
    for _ in range(4):
        library.undo()
    assert library.episode("0001") == episode


def test_a_split_of_the_last_step_and_into_a_hole_moves_nothing(library, episode):
    editor = library.editor(MARY)
    editor.replace_steps(episode.uuid, [3], [tap(0), tap(0)])
    assert [step.index for step in steps(library)] == [0, 1, 2, 3, 4]
    editor.replace_steps(episode.uuid, [1, 2], [typed(0, "hello")])
    assert [step.index for step in steps(library)] == [0, 1, 3, 4]


def test_no_step_gets_another_number_while_a_run_has_answers(library, episode):
    answer = Prediction("0001", 2, "tap", a.Tap(Point(1, 1)))
    library.save_run(Run("Model A", "raw"), [answer])
    editor = library.editor(MARY)
    with pytest.raises(KnownError, match="the run “Model A” has answers for them"):
        editor.replace_steps(episode.uuid, [1], [typed(1, "h"), typed(2, "e")])
    assert library.episode("0001") == episode
    editor.replace_steps(episode.uuid, [3], [tap(3), tap(4)])
    assert len(steps(library)) == 5


def test_private_boxes_are_kept_and_shown_again(library, episode):
    editor = library.editor(MARY)
    editor.add_private_box(episode.uuid, 0, Box(1, 2, 3, 4), "a name")
    editor.add_private_box(episode.uuid, 0, Box(5, 6, 7, 8))
    first, second = steps(library)[0].private_boxes
    assert first == PrivateBox(Box(1, 2, 3, 4), "a name", MARY, first.uuid)
    editor.remove_private_box(episode.uuid, 0, 0)
    assert steps(library)[0].private_boxes == (second,)
    library.undo()
    assert steps(library)[0].private_boxes == (first, second)


def test_a_step_dropped_while_recording_and_the_next_one_have_names_of_their_own(library):
    live = imported("0002", steps=(), state=EpisodeState.RECORDING)
    library.begin_episode(live)
    library.add_step(live.uuid, tap(0))
    library.delete_step(live.uuid, 0)
    library.add_step(live.uuid, replace(tap(0), texts=tap(0).texts, source="glass"))
    library.editor(MARY).replace_steps(live.uuid, [0], [tap(0, 1, 1), tap(1, 2, 2)])
    library.undo()
    assert library.episode("0002").steps == (replace(tap(0), source="glass"),)


def test_an_impossible_edit_is_an_error_and_nothing_is_written(library, episode):
    editor = library.editor(MARY)
    uuid = episode.uuid
    for edit, reason in [
        (lambda: editor.replace_steps(uuid, [0, 2], [tap(0)]), "are not neighbours"),
        (lambda: editor.replace_steps(uuid, [4], [tap(0)]), "has no step 4"),
        (lambda: editor.replace_steps(uuid, [], [tap(0)]), "no steps to replace"),
        (lambda: editor.label_region(uuid, 0, 2, "x"), "has 2 candidates, no 2"),
        (lambda: editor.change_texts(uuid, 0, colour="red"), "has no such text"),
        (lambda: editor.change_texts(uuid, 0, note="\ud800"), "half of a character"),
        (lambda: editor.add_private_box(uuid, 0, Box(1, 1, 1, 5)), "the box is empty"),
        (lambda: editor.remove_private_box(uuid, 0, 0), "has 0 private boxes"),
        (lambda: editor.set_gold_status(uuid, 0, 1, Status.ACCEPTED), "no further gold action 1"),
    ]:
        with pytest.raises(KnownError, match=reason):
            edit()
    assert library.episode("0001") == episode
    assert library.edits() == []
