"""AndroidControl (androidcontrol): reading its TFRecords and splits."""

import json

import numpy as np
import pytest

from episodes import actions as a
from episodes.episodes import Episode, Task
from episodes.errors import KnownError
from episodes.formats import FORMATS, androidcontrol
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.geometry import Direction, Point, Size
from episodes.screens import Basis, TreeFit, TreeStatus
from episodes.trees.readers import read_record
from scoring.protocols import PROTOCOLS
from tests.samples import androidcontrol as sample
from tests.samples.aitw import example, framed
from tests.samples.drawn import png

RECORD = f"{sample.SHARD} record 0"


def read(path, picture_store):
    found = list(androidcontrol.read(path, picture_store))
    return [one for one in found if isinstance(one, Episode)], [
        one for one in found if not isinstance(one, Episode)
    ]


def one(tmp_path, picture_store, *actions, **more):
    return read(sample.write(tmp_path / "set", [sample.episode(7, actions, **more)]), picture_store)


@pytest.fixture
def whole(tmp_path, picture_store):
    return read(
        sample.write(tmp_path / "set", [sample.episode(7), sample.episode(20, ())]), picture_store
    )


def test_a_record_becomes_an_episode_with_its_splits(whole):
    (first, second), remarks = whole
    assert (first.name, first.task, first.declared_steps, len(first.steps)) == (
        "7",
        Task(" Look at the meetings ."),
        8,
        8,
    )
    assert sorted(first.splits) == [
        ("standard", "test"),
        ("test_subsplits", "app_unseen"),
        ("test_subsplits", "category_unseen"),
        ("test_subsplits", "task_unseen"),
    ]
    assert (second.name, second.steps, second.splits) == ("20", (), (("standard", "train"),))
    assert remarks == [
        ImportNote(
            "android_control_test_subsplits.json", '"category_unseen" names episodes twice', 1
        ),
        ImportNote("splits.json", "names episodes that are not here, the first is 9", 1),
    ]


def test_actions_are_imported_with_their_unchanged_json(whole):
    steps = whole[0][0].steps
    assert [step.action for step in steps] == [
        a.OpenApp("Zoho Meeting"),
        a.Tap(Point(18, 40)),
        a.Scroll(Direction.UP),
        a.TypeText("teé"),
        a.LongPress(Point(3, 79)),
        a.PressKey(a.Key.BACK),
        a.PressKey(a.Key.HOME),
        a.Wait(),
    ]
    assert tuple(step.native.text for step in steps) == sample.ACTIONS
    assert {step.native.space for step in steps} == {"androidcontrol"}
    assert [step.texts.instruction for step in steps] == [f"do {n} " for n in range(8)]


def test_no_end_is_stored_but_the_last_screen_is(whole, stills):
    first = whole[0][0]
    assert first.finish is None
    assert not any(isinstance(step.action, a.Finish) for step in first.steps)
    assert first.final.basis is Basis.FINAL
    kept = stills.read(first.final.still.sha256, "image/png")
    assert kept == png(sample.SIZE, 7 * 9 + 8)
    assert json.loads(first.extra).keys() == {"final_tree"}


def test_pictures_and_trees_are_stored_unchanged(whole, stills):
    for number, step in enumerate(whole[0][0].steps):
        assert step.frame.size == sample.SIZE
        assert stills.read(step.frame.still.sha256, "image/png") == png(sample.SIZE, 63 + number)
        assert step.tree.record.data == sample.forest(f"Buy {number}")
        assert (step.tree.record.status, step.tree.fit) == (TreeStatus.OK, TreeFit.IMPORTED)
        tree = read_record(step.tree.record, step.frame.size)
        assert f"Buy {number}" in {node.text for node in tree.walk()}


@pytest.mark.parametrize("name", ["uground", "os-atlas", "qwen25vl", "agentcpm", "gui-r1", "mimo"])
def test_imported_steps_can_be_judged(whole, name):
    protocol = PROTOCOLS[f"androidcontrol/{name}@1"]
    episode = whole[0][0]
    gold = protocol.gold(episode.steps[1], episode)
    assert "tap" in str(gold).lower() or "click" in str(gold).lower()


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ('{"action_type":"click","x":4}', "click"),
        ('{"action_type":"scroll","direction":"in"}', "scroll"),
        ('{"action_type":"status","goal_status":"successful"}', "status"),
        ('{"x":4}', "no action_type"),
    ],
)
def test_an_action_that_lacks_what_it_needs_is_kept_by_name(tmp_path, picture_store, action, name):
    (episode,), remarks = one(tmp_path, picture_store, action)
    assert episode.steps[0].action.name == name
    assert episode.steps[0].native.text == action
    reason = f"the action {name} is not possible; it is stored by name"
    assert ImportNote(f"{RECORD} step 0", reason) in remarks


def test_the_old_type_is_a_text_in_a_field_that_is_sent_off(tmp_path, picture_store):
    (episode,), _ = one(tmp_path, picture_store, '{"action_type":"type","text":"tea","x":4,"y":5}')
    assert episode.steps[0].action == a.TypeText("tea", Point(4, 5), submit=True)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("{", "its action: it is not JSON (Input data was truncated)"),
        ("[]", "its action: it is not an object"),
        ("", "its action: it is empty"),
        ("[" * 9999, "its action: it is nested deeper than 64"),
    ],
)
def test_an_invalid_action_is_refused_and_its_number_stays_free(
    tmp_path, picture_store, action, reason
):
    (episode,), remarks = one(tmp_path, picture_store, action, sample.ACTIONS[1])
    assert [step.index for step in episode.steps] == [1]
    assert episode.declared_steps == 2
    assert Refused(f"{RECORD} step 0", reason) in remarks


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"episode_id": None}, "episode_id is missing, not from 0"),
        ({"episode_id": []}, "episode_id is missing, not from 0"),
        (
            {"step_instructions": [b"x" * 100_001]},
            "step_instructions has 100001 bytes; at most 100000 are read",
        ),
        ({"episode_id": [-1]}, "episode_id is -1, not from 0"),
        ({"actions": None}, "actions is missing"),
        ({"episode_id": [20]}, f"episode 20 was already in {RECORD}"),
    ],
)
def test_a_record_without_what_it_needs_is_refused(tmp_path, picture_store, change, reason):
    record = {k: v for k, v in (sample.episode(7) | change).items() if v is not None}
    folder = sample.write(tmp_path / "set", [sample.episode(20), record])
    episodes, remarks = read(folder, picture_store)
    assert androidcontrol.count(folder) in (1, 2)
    assert [episode.name for episode in episodes] == ["20"]
    assert Refused(f"{sample.SHARD} record 1", reason) in remarks


def test_screens_that_are_not_there_are_counted(tmp_path, picture_store):
    shots = [b"", b"no picture"]
    (episode,), remarks = one(tmp_path, picture_store, *sample.ACTIONS[:2], screenshots=shots)
    assert [step.frame.still for step in episode.steps] == [None, None]
    assert [step.frame.size for step in episode.steps] == [sample.SIZE] * 2
    reason = "the screenshot cannot be used: the bytes are neither PNG nor JPEG nor WebP"
    assert remarks[:5] == [
        ImportNote(
            "android_control_test_subsplits.json", '"category_unseen" names episodes twice', 1
        ),
        ImportNote(RECORD, "for 2 actions there are 2 screenshots"),
        MissingPicture(f"{RECORD} step 0", "the screenshot is not there"),
        MissingPicture(f"{RECORD} step 1", reason),
        ImportNote(f"{RECORD} the last screen", "the screenshot is not there"),
    ]


def test_a_size_that_is_not_the_pictures_is_noted(tmp_path, picture_store):
    more = {"screenshot_widths": [1080, 36]}
    (episode,), remarks = one(tmp_path, picture_store, sample.ACTIONS[1], **more)
    assert episode.steps[0].frame.size == sample.SIZE
    assert (
        ImportNote(f"{RECORD} step 0", "the screenshot is 36x80, the file says 1080x80") in remarks
    )
    assert json.loads(episode.extra)["features"].keys() == {"screenshot_widths"}


def test_a_screen_turned_on_its_side_keeps_its_size(tmp_path, picture_store):
    wide = Size(80, 36)
    more = {
        "screenshots": [png(wide)] * 2,
        "screenshot_widths": [80] * 2,
        "screenshot_heights": [36] * 2,
    }
    (episode,), _ = one(tmp_path, picture_store, '{"action_type":"click","x":79,"y":1}', **more)
    assert episode.steps[0].frame.size == wide


def test_trees_that_cannot_be_read_are_kept_and_noted(tmp_path, picture_store):
    trees = [b"\x0a\xff", b"", sample.forest()]
    actions = sample.ACTIONS[:2]
    (episode,), remarks = one(tmp_path, picture_store, *actions, accessibility_trees=trees)
    assert [step.tree.record.status for step in episode.steps] == [
        TreeStatus.UNREADABLE,
        TreeStatus.EMPTY,
    ]
    assert episode.steps[0].tree.record.data == b"\x0a\xff"
    assert ImportNote(f"{RECORD} step 0", "the tree cannot be read: a number is cut off") in remarks


def test_a_quick_look_counts_records_of_its_own_kind(tmp_path):
    folder = sample.write(tmp_path / "set", [sample.episode(20), sample.episode(7)])
    assert FORMATS["androidcontrol"].count(folder) == 2
    assert FORMATS["aitw"].count(folder) == 0
    with pytest.raises(KnownError, match="there is no such file or folder"):
        FORMATS["androidcontrol"].count(tmp_path / "other")


def test_damaged_records_are_known_errors_or_results(tmp_path, picture_store):
    rng = np.random.default_rng(4)
    folder = sample.write(tmp_path / "set", [])
    whole = example(sample.episode(7))
    for _ in range(150):
        record = bytearray(whole)
        for _ in range(int(rng.integers(1, 6))):
            record[int(rng.integers(len(record)))] = int(rng.integers(256))
        (folder / sample.SHARD).write_bytes(framed(bytes(record)))
        for found in androidcontrol.read(folder, picture_store):
            assert isinstance(found, Episode | Refused | ImportNote)
