from dataclasses import replace

import pytest

from annotator.candidates import make_drawn_region
from annotator.corrections import ActionChange
from annotator.gold_actions import GoldAction, current_gold
from episodes import actions as a
from episodes.annotations import Author
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.runs import Prediction, Run
from episodes.steps import StepTexts
from episodes.store.library import Library
from scoring.protocols import lookup
from taptrail.usecases import editing
from taptrail.usecases.annotating import find_step
from tests.taptrail.annotated import MARY, shopping

BEN = Author("uuid-of-ben", "Ben")


def steps(kept):
    return kept.episode("e-0001").steps


OPERATIONS = {
    "action": lambda kept, ep: editing.change_action(
        kept, ep, ep.steps[0], ActionChange("long_press"), MARY
    ),
    "text": lambda kept, ep: editing.change_action(
        kept, ep, ep.steps[1], ActionChange(text="mos"), MARY
    ),
    "alternative": lambda kept, ep: editing.add_alternative(
        kept, ep, ep.steps[0], ActionChange("open_app", app="Shop"), MARY
    ),
    "merge": lambda kept, ep: editing.merge_steps(kept, ep, (1, 2), MARY, "one word"),
    "split": lambda kept, ep: editing.split_step(kept, ep, ep.steps[1], MARY, 1, "two words"),
    "private step": lambda kept, ep: editing.mark_private(kept, ep, MARY, ep.steps[0]),
    "private box": lambda kept, ep: editing.mark_private(
        kept, ep, MARY, ep.steps[0], Box(1, 2, 3, 4), "a name"
    ),
    "private episode": lambda kept, ep: editing.mark_private(kept, ep, MARY),
    "delete": lambda kept, ep: kept.delete_episode(ep.uuid, MARY),
}


@pytest.mark.parametrize("change", OPERATIONS.values(), ids=OPERATIONS)
def test_each_operation_is_one_undo_and_one_redo_also_after_a_restart(library, change):
    with Library.open(library) as kept:
        kept.save_episodes([shopping()])
        before = kept.episode("e-0001")
        revision = kept.gold_revision()
        change(kept, before)
        after = kept.episode("e-0001")
        assert (len(kept.edits()), kept.gold_revision() > revision) == (1, True)
    with Library.open(library) as kept:
        kept.undo(BEN)
        assert (kept.episode("e-0001"), kept.undo()) == (before, None)
    with Library.open(library) as kept:
        kept.redo(BEN)
        assert (kept.episode("e-0001"), kept.redo()) == (after, None)
    assert after != before


def test_a_correction_is_told_against_what_is_in_force(kept):
    episode, step = find_step(kept, "e-0001", 0)
    editing.change_action(kept, episode, step, ActionChange("long_press"), MARY, "it was held")
    episode, step = find_step(kept, "e-0001", 0)
    editing.change_action(kept, episode, step, ActionChange(at=Point(1, 2)), BEN)
    (_, step) = find_step(kept, "e-0001", 0)
    assert current_gold(step) == GoldAction(2, a.LongPress(Point(1, 2)), "Ben", "")
    assert step.action == shopping().steps[0].action
    editing.return_to_recorded(kept, episode, step, MARY)
    assert current_gold(steps(kept)[0]).number == 0
    with pytest.raises(KnownError, match="it is so already"):
        editing.change_action(kept, episode, steps(kept)[0], ActionChange("tap"), MARY)


def test_a_score_sees_the_correction(kept):
    rules = lookup("taptrail-strict")
    answer = Prediction("e-0001", 1, "type moss", a.TypeText("moss"))
    episode, step = find_step(kept, "e-0001", 1)
    assert rules.verdict(answer, step, episode).outcome.value == "mismatch"
    editing.change_action(kept, episode, step, ActionChange(text="moss"), MARY)
    episode, step = find_step(kept, "e-0001", 1)
    assert rules.verdict(answer, step, episode).outcome.value == "match"


def test_kept_verdicts_fall_with_every_edit(kept):
    kept.save_run(Run("A", "raw"), [])
    kept.keep_verdicts("A", "p", "1", kept.gold_revision(), {})
    assert kept.verdicts("A", "p", "1", kept.gold_revision()) == {}
    episode, step = find_step(kept, "e-0001", 1)
    editing.mark_private(kept, episode, MARY, step)
    assert kept.verdicts("A", "p", "1", kept.gold_revision()) is None


def test_two_pieces_of_a_text_become_one_and_come_apart_again(kept):
    before = kept.episode("e-0001")
    editing.merge_steps(kept, before, (1, 2), MARY, "one word")
    merged = steps(kept)
    assert [step.index for step in merged] == [0, 1, 3, 4, 5]
    assert merged[1].action == a.TypeText("moss")
    episode, step = find_step(kept, "e-0001", 1)
    editing.split_step(kept, episode, step, MARY, 2)
    assert [step.index for step in steps(kept)] == [0, 1, 2, 4, 5, 6]
    assert [step.action for step in steps(kept)[1:3]] == [a.TypeText("mo"), a.TypeText("ss")]
    assert len(kept.deleted_steps(episode.uuid)) == 3
    kept.undo()
    kept.undo()
    assert kept.episode("e-0001") == before


def test_a_merge_takes_the_corrected_actions(kept):
    episode, step = find_step(kept, "e-0001", 2)
    editing.change_action(kept, episode, step, ActionChange(text="th"), MARY)
    editing.merge_steps(kept, kept.episode("e-0001"), (1, 2), MARY)
    assert steps(kept)[1].action == a.TypeText("moth")


def test_the_history_tells_what_was_done_and_what_undo_takes_back(kept):
    uuid = shopping().uuid
    editor = kept.editor(MARY)
    editor.delete_step(uuid, 3, "pressed by mistake")
    editor.change_instruction(uuid, "Buy two")
    kept.undo(BEN)
    lines = editing.history(kept, uuid)
    assert [(line.author, line.step, line.words, line.reason, line.stands) for line in lines] == [
        ("Mary", 3, "Delete a step", "pressed by mistake", True),
        ("Mary", None, "Change the instruction", "", False),
        ("Ben", None, "Undo: change the instruction", "", True),
    ]
    assert (editing.next_undo(lines), editing.next_redo(lines)) == (lines[0], lines[2])
    editor.change_instruction(uuid, "Buy three")
    assert editing.next_redo(editing.history(kept)) is None


def test_the_history_tells_what_is_taken_back_and_made_again_however_often(kept):
    uuid = shopping().uuid
    kept.editor(MARY).change_instruction(uuid, "Buy two")
    for turn in (kept.undo, kept.redo, kept.undo):
        turn(BEN)
    lines = editing.history(kept, uuid)
    assert [(line.words, line.stands) for line in lines] == [
        ("Change the instruction", False),
        ("Undo: change the instruction", False),
        ("Redo: change the instruction", True),
        ("Undo: change the instruction", True),
    ]
    assert editing.next_redo(lines) == lines[3]


def test_the_history_leaves_what_a_program_proposed_for_last(kept):
    uuid = shopping().uuid
    kept.editor(MARY).delete_step(uuid, 3)
    program = kept.editor(Author("taptrail:sam2", "SAM 2", "program"))
    program.propose_regions(uuid, 0, [make_drawn_region(Box(1, 1, 9, 9), MARY)])
    lines = editing.history(kept, uuid)
    assert editing.next_undo(lines) == lines[0]
    kept.undo(MARY)
    lines = editing.history(kept, uuid)
    assert (editing.next_undo(lines), editing.next_redo(lines)) == (lines[1], lines[2])


def test_every_operation_has_words(kept):
    episode = kept.episode("e-0001")
    editor, uuid = kept.editor(MARY), episode.uuid
    for change in OPERATIONS.values():
        change(kept, kept.episode("e-0001"))
        kept.undo()
    editor.change_texts(uuid, 0, note="n")
    editing.mark_private(kept, episode, MARY)
    editing.mark_public(kept, episode, MARY)
    editor.clear_target(uuid, 0)
    words = {line.words for line in editing.history(kept)}
    assert not [word for word in words if "." in word]
    assert {"Merge steps", "Split a step", "Clear the target", "Let the episode out again"} <= words


def test_the_commands_edit_and_take_back(taptrail, filled):
    def edits(*words):
        done = taptrail("episodes", *words, "--library", filled, "--json").json["edits"]
        return [(line["operation"], line["step"], line["reason"]) for line in done]

    edit = ("edit", "e-0001", "--step")
    assert edits(*edit, "0", "--action", "long_press", "--reason", "held") == [
        ("action.change", 0, "held")
    ]
    assert edits(*edit, "0", "--point", "5", "6", "--instruction", "Press") == [
        ("step.texts", 0, ""),
        ("action.change", 0, ""),
    ]
    assert edits(*edit, "0", "--alternative", "--action", "open_app", "--app", "Shop") == [
        ("gold.add", 0, "")
    ]
    assert edits(*edit, "0", "--recorded") == [("action.change", 0, "")]
    assert edits("edit", "e-0001", "--instruction", "Buy two") == [("instruction.change", None, "")]
    assert edits("merge-steps", "e-0001", "1", "2", "--reason", "one") == [
        ("steps.merge", 1, "one")
    ]
    assert edits("split-step", "e-0001", "1", "--at", "1") == [("step.split", 1, "")]
    assert edits("delete-step", "e-0001", "4", "--reason", "slip") == [("step.delete", 4, "slip")]
    assert edits("delete-step", "e-0001", "4", "--restore") == [("step.delete", 4, "")]
    assert edits("private", "e-0001") == [("episode.private", None, "")]
    assert edits("private", "e-0001", "--off") == [("episode.private", None, "")]
    box = ("--step", "0", "--box", "1", "2", "3", "4")
    assert edits("private", "e-0001", *box, "--reason", "a name") == [
        ("private_box.add", 0, "a name")
    ]
    assert edits("private", "e-0001", "--step", "0", "--off") == [("private_box.add", 0, "")]
    assert edits("undo") == [("undo", 0, "")]
    assert edits("redo", "e-0001") == [("redo", 0, "")]
    assert edits("redo") == []
    with Library.read(filled) as kept:
        for _ in range(14):
            assert taptrail("episodes", "undo", "e-0001", "--library", filled).code == 0
        assert kept.episode("e-0001") == replace(
            shopping(), steps=(replace(shopping().steps[0]), *shopping().steps[1:])
        )
    lines = taptrail("episodes", "history", "e-0001", "--library", filled, "--json").json["edits"]
    assert len({line["author"] for line in lines}) == 1
    assert sum(line["operation"] == "undo" for line in lines) == 15


def test_the_commands_say_it_in_words(taptrail, filled):
    done = taptrail("episodes", "edit", "e-0001", "--step", "0", "--note", "n", "--library", filled)
    assert done.out == "e-0001, step 0: Change a step's words.\n"
    done = taptrail("episodes", "undo", "--library", filled)
    assert done.out == "e-0001, step 0: Undo: change a step's words.\n"
    done = taptrail("episodes", "undo", "--library", filled)
    assert done.out == "There is nothing to undo.\n"
    done = taptrail("episodes", "history", "--library", filled)
    assert "Change a step's words" in done.out
    assert "taken back" in done.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("edit", "e-0001"), 2, "Without --step only --instruction can be changed."),
        (("edit", "e-0001", "--step", "0"), 2, "Say what to change."),
        (("edit", "e-0001", "--step", "0", "--text", "x"), 1, "it has no text"),
        (("merge-steps", "e-0001", "4", "5"), 1, "are no one action"),
        (("merge-steps", "e-0001", "1", "9"), 1, "it has no step 9"),
        (("split-step", "e-0001", "0"), 1, "“tap” has no parts"),
        (("private", "e-0001", "--box", "1", "2", "3", "4"), 2, "--box goes with --step"),
        (("delete-step", "e-0001", "9"), 1, "has no step 9"),
    ],
)
def test_what_cannot_be_edited_is_said(taptrail, filled, words, code, said):
    done = taptrail("episodes", *words, "--library", filled)
    assert (done.code, said in done.err) == (code, True), done.err
    with Library.read(filled) as kept:
        assert kept.edits() == []


def test_words_of_a_step_are_kept(kept):
    texts = {
        "instruction": "Press",
        "description": "d",
        "intention": "i",
        "context": "c",
        "note": "n",
    }
    kept.editor(MARY).change_texts(shopping().uuid, 0, **texts)
    assert steps(kept)[0].texts == StepTexts(**texts)
