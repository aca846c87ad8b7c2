import json
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import (
    Author,
    Edit,
    Gold,
    Mask,
    Provenance,
    Region,
    RegionSource,
    Status,
)
from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.geometry import Box, Native, Point
from episodes.store.journal import NOBODY
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from tests.episodes.store.samples import imported, recorded, tap

MARY = Author("uuid-of-mary", "Mary")


def region(label, **fields):
    return Region(
        Box(1, 2, 3, 4),
        Provenance(RegionSource.SAM2, "sam2", "2.1", '{"points":[]}', 0.5),
        label,
        **({"uuid": f"region-{label}"} | fields),
    )


@pytest.fixture
def episode(library):
    found = imported(
        "0001", steps=(replace(tap(0), regions=(region("a"), region("b", chosen=True))), tap(1))
    )
    library.save_episodes([found])
    return found


def read(library):
    return library.episode("0001")


CHANGES = {
    "words of the task": lambda lib, uuid: lib.change_instruction(uuid, "Other words", MARY),
    "words of a step": lambda lib, uuid: lib.record_edit(
        uuid, 1, "step.instruction", {"instruction": ""}, MARY
    ),
    "delete": lambda lib, uuid: lib.delete_episode(uuid, MARY),
    "delete a step": lambda lib, uuid: lib.delete_step(uuid, 0, MARY),
    "choose": lambda lib, uuid: lib.choose_region(uuid, 0, 0, MARY),
    "choose none": lambda lib, uuid: lib.choose_region(uuid, 0, None, MARY),
    "add a region": lambda lib, uuid: lib.add_region(uuid, 0, region("c"), MARY),
    "add a gold": lambda lib, uuid: lib.add_gold(uuid, 1, GOLD, MARY),
}
GOLD = Gold(
    9,
    a.TypeText("é", target=Point(1.5, 2)),
    "alternative",
    "also right",
    Status.ACCEPTED,
    MARY,
    Native("guiodyssey", "[140.0,2]"),
)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_can_be_taken_back_and_made_again_after_a_restart(library, episode, change):
    change(library, episode.uuid)
    changed = read(library)
    line = library.episodes(EpisodeQuery(state=changed.state))
    assert changed != episode
    library.close()
    with Library.open(library.folder) as again:
        assert read(again) == changed
        back = again.undo(MARY)
        assert back is not None
        assert (back.operation, back.author) == ("undo", MARY)
        assert read(again) == episode
        assert again.undo() is None
    with Library.open(library.folder) as again:
        made = again.redo(MARY)
        assert made is not None
        assert made.operation == "redo"
        assert read(again) == changed
        assert again.episodes(EpisodeQuery(state=changed.state)) == line
        assert again.redo() is None
        again.undo()
        assert read(again) == episode


def test_changes_have_their_described_effect(library, episode):
    uuid = episode.uuid
    library.change_instruction(uuid, "Other words", MARY)
    library.record_edit(uuid, 1, "step.instruction", {"instruction": "Tap it"}, MARY)
    assert library.add_region(uuid, 0, region("c", mask=Mask(Box(1, 2, 3, 4), b"png")), MARY) == 2
    library.choose_region(uuid, 0, 2, MARY)
    assert library.add_gold(uuid, 0, GOLD, MARY) == 1
    assert library.add_gold(uuid, 0, replace(GOLD, role="correction"), MARY) == 2
    first, second = episode.steps
    assert read(library) == replace(
        episode,
        task=replace(episode.task, instruction="Other words"),
        steps=(
            replace(
                first,
                regions=(
                    region("a"),
                    region("b"),
                    region("c", mask=Mask(Box(1, 2, 3, 4), b"png"), chosen=True),
                ),
                golds=(replace(GOLD, number=1), replace(GOLD, number=2, role="correction")),
            ),
            replace(second, texts=replace(second.texts, instruction="Tap it")),
        ),
    )
    assert library.count(EpisodeQuery(text="other words")) == 1
    assert library.count(EpisodeQuery(text="open the mail")) == 0
    assert library.authors() == [MARY]


def test_the_recorded_action_never_changes(library, episode):
    library.add_gold(episode.uuid, 0, replace(GOLD, role="correction"), MARY)
    assert read(library).steps[0].action == episode.steps[0].action


def test_undo_goes_back_one_by_one_and_redo_forward_until_a_new_change(library, episode):
    for words in ("one", "two", "three"):
        library.change_instruction(episode.uuid, words)

    def walk(*moves):
        return [(move() is not None, library.episode("0001").task.instruction) for move in moves]

    undo, redo = library.undo, library.redo
    assert walk(undo, undo, redo, undo, undo, undo, redo, redo) == [
        (True, "two"),
        (True, "one"),
        (True, "two"),
        (True, "one"),
        (True, "Open the mail"),
        (False, "Open the mail"),
        (True, "one"),
        (True, "two"),
    ]
    library.change_instruction(episode.uuid, "four")
    assert walk(redo, undo, undo, undo) == [
        (False, "four"),
        (True, "two"),
        (True, "one"),
        (True, "Open the mail"),
    ]


def test_undo_of_one_episode_leaves_the_others(library, episode):
    other = imported("0002")
    library.save_episodes([other])
    library.change_instruction(episode.uuid, "first")
    library.change_instruction(other.uuid, "second")
    library.undo(uuid=episode.uuid)
    assert read(library) == episode
    assert library.episode("0002").task.instruction == "second"
    assert library.undo(uuid=episode.uuid) is None


def test_the_journal_records_who_changed_what(library, episode):
    library.change_instruction(episode.uuid, "Ünter", MARY)
    library.choose_region(episode.uuid, 0, 0, MARY)
    library.undo()
    edits = library.edits()
    assert edits == library.edits(episode.uuid)
    assert [replace(edit, made_utc="") for edit in edits] == [
        Edit(
            1,
            episode.uuid,
            None,
            "instruction.change",
            '{"instruction": "Open the mail"}',
            '{"instruction": "Ünter"}',
            MARY,
            "",
        ),
        Edit(
            2,
            episode.uuid,
            0,
            "region.choose",
            '{"chosen": ["region-b"]}',
            '{"chosen": ["region-a"]}',
            MARY,
            "",
            3,
        ),
        Edit(
            3,
            episode.uuid,
            0,
            "undo",
            '{"chosen": ["region-a"]}',
            '{"chosen": ["region-b"]}',
            NOBODY,
            "",
            turns=2,
        ),
    ]
    assert all(edit.made_utc.endswith("+00:00") for edit in edits)
    library.add_gold(episode.uuid, 1, GOLD)
    assert json.loads(library.edits()[-1].after)["action"]["kind"] == "type_text"
    assert library.edits("no such episode") == []


def test_the_gold_revision_grows_with_every_change_of_its_episode(library, episode):
    library.save_episodes([imported("0002")])
    other = library.gold_revision(imported("0002").uuid)
    seen = [library.gold_revision(episode.uuid)]
    library.add_gold(episode.uuid, 0, GOLD)
    seen.append(library.gold_revision(episode.uuid))
    library.undo()
    seen.append(library.gold_revision(episode.uuid))
    library.redo()
    seen.append(library.gold_revision(episode.uuid))
    assert seen == sorted(set(seen))
    assert library.gold_revision() == seen[-1]
    assert library.gold_revision(imported("0002").uuid) == other


def test_an_episode_comes_out_of_the_bin_as_it_was(library, episode):
    cut = recorded("e-0007", [tap(0)], state=EpisodeState.INCOMPLETE)
    library.save_episodes([cut])
    library.delete_episode(cut.uuid)
    assert library.episode("e-0007").state is EpisodeState.DELETED
    library.restore_episode(cut.uuid)
    assert library.episode("e-0007") == cut


def test_targets_are_counted_in_the_list(library, episode):
    def count():
        return library.episodes()[0].target_count

    assert count() == 1
    library.choose_region(episode.uuid, 0, None)
    assert count() == 0
    library.add_region(episode.uuid, 1, region("x"))
    library.choose_region(episode.uuid, 1, 0)
    assert count() == 1
    library.delete_step(episode.uuid, 1)
    assert count() == 0


def test_an_impossible_change_is_an_error_and_nothing_is_written(library, episode):
    live = recorded("e-0009")
    library.begin_episode(live)
    before = (library.edits(), library.gold_revision())
    for change, reason in [
        (lambda: library.choose_region(episode.uuid, 0, 2), "has 2 candidates, no 2"),
        (lambda: library.choose_region(episode.uuid, 5, None), "the episode has no step 5"),
        (lambda: library.delete_episode(live.uuid), "the episode is being recorded"),
        (lambda: library.delete_episode("nothing"), "the library does not have it"),
        (lambda: library.change_instruction(episode.uuid, "\ud800"), "half of a character"),
        (lambda: library.record_edit(episode.uuid, 0, "drop table", {}), "there is no change"),
        (
            lambda: library.record_edit(episode.uuid, 0, "instruction.change", {}),
            "is about an episode",
        ),
        (lambda: library.record_edit(episode.uuid, None, "step.delete", {}), "is about a step"),
        (
            lambda: library.record_edit(episode.uuid, 0, "step.instruction", {"instruction": 5}),
            "instruction is not a text",
        ),
    ]:
        with pytest.raises(KnownError, match=reason):
            change()
    assert (library.edits(), library.gold_revision()) == before
    assert read(library) == episode
