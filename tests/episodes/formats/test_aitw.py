"""Android in the Wild (aitw): reading its TFRecords."""

import gzip
import json
import math
import shutil

import numpy as np
import pytest

from episodes import actions as a
from episodes.episodes import Episode, Task
from episodes.errors import KnownError
from episodes.formats import FORMATS, aitw, tfrecord_folder
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.geometry import Box, Point, Size
from episodes.media import pictures
from episodes.recordings import DeviceFacts
from episodes.screens import Foreground
from episodes.trees.readers import read_record
from scoring.protocols import PROTOCOLS
from tests.samples import aitw as sample
from tests.samples.drawn import png

SIZE = Size(sample.WIDTH, sample.HEIGHT)
FIRST = "00000000000000000042"


def read(path, picture_store):
    found = list(aitw.read(path, picture_store))
    return [one for one in found if isinstance(one, Episode)], [
        one for one in found if not isinstance(one, Episode)
    ]


@pytest.fixture
def whole(tmp_path, picture_store):
    return read(sample.write(tmp_path / "set", sample.general()), picture_store)


def test_steps_of_one_id_become_an_episode(whole):
    episodes, remarks = whole
    assert [(one.name, len(one.steps), one.declared_steps) for one in episodes] == [
        (FIRST, 6, 6),
        ("7001", 2, 2),
    ]
    first, second = episodes
    assert first.task == Task("Look for a kettle – a blue one", category="general")
    assert first.device == DeviceFacts(model="PIXEL_3", sdk=31)
    assert (first.splits, second.splits) == ((("standard", "test"),), (("standard", "train"),))
    assert (first.finish, second.finish) == (
        a.Finish(a.Ending.COMPLETE),
        a.Finish(a.Ending.IMPOSSIBLE),
    )
    assert remarks == [
        ImportNote("standard.json", "names episodes that are not here, the first is 7009", 1)
    ]


def test_actions_are_in_pixels_and_the_original_numbers_are_stored(whole):
    first, second = whole[0]
    assert [step.action for step in first.steps] == [
        a.Tap(
            Point(0.70892333984375 * 20, 0.7761470675468445 * 40),
            Point(float(np.float32(0.708923)) * 20, float(np.float32(0.776147)) * 40),
        ),
        a.Swipe(
            Point(10, float(np.float32(0.8)) * 40),
            Point(10, float(np.float32(0.2)) * 40),
        ),
        a.TypeText("kettle ☕"),
        a.PressKey(a.Key.ENTER),
        a.PressKey(a.Key.BACK),
        a.Finish(a.Ending.COMPLETE),
    ]
    assert [step.action for step in second.steps] == [
        a.PressKey(a.Key.HOME),
        a.Finish(a.Ending.IMPOSSIBLE),
    ]
    assert first.steps[0].native.space == "aitw"
    assert first.steps[0].native.value == {
        "action_type": 4,
        "touch": [0.7761470675468445, 0.70892333984375],
        "lift": [float(np.float32(0.776147)), float(np.float32(0.708923))],
        "text": "",
        "boxes": [
            [float(np.float32(0.1)), 0.25, float(np.float32(0.05)), 0.5],
            [0.5, 0.0, 0.25, 1.0],
        ],
    }
    assert second.steps[0].native.value["boxes"] == []


def test_raw_pixels_become_a_png_of_the_same_pixels(whole, stills):
    step = whole[0][0].steps[1]
    still = step.frame.still
    assert (still.media_type, still.size, step.frame.size) == ("image/png", SIZE, SIZE)
    pixels = pictures.decode(stills.read(still.sha256, "image/png"))
    raw = sample.general()[1]["image/encoded"][0]
    assert pixels.tobytes() == raw


def test_elements_become_a_flat_tree_on_whole_pixels(whole):
    step = whole[0][0].steps[0]
    tree = read_record(step.tree.record, SIZE)
    assert [(n.path, n.class_name, n.text, n.box) for n in tree.walk()] == [
        ((), "", "", Box(0, 0, 20, 40)),
        ((0,), "TEXT", "Kettles", Box(5, 4, 15, 6)),
        ((1,), "ICON_HEART", "", Box(0, 20, 20, 30)),
    ]
    assert list(read_record(whole[0][1].steps[0].tree.record, SIZE).walk()) == []
    assert step.foreground == Foreground("com.example.shop", "com.example.shop.Main")


def test_imported_steps_are_judged_by_their_own_numbers(whole):
    protocol = PROTOCOLS["aitw@1"]
    for episode in whole[0]:
        for step in episode.steps:
            gold = protocol.gold(step, episode)
            assert (gold.action.code, len(gold.boxes)) == (
                step.native.value["action_type"],
                len(step.native.value["boxes"]),
            )


def test_no_record_is_stored_if_all_features_are_understood(whole):
    assert {step.extra for episode in whole[0] for step in episode.steps} == {""}


def one(tmp_path, picture_store, *steps):
    return read(sample.write(tmp_path / "set", list(steps)), picture_store)


LENGTH = "general-00000-of-00001 episode e"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"step_id": None}, "step_id is missing, not from 0"),
        ({"step_id": [-1]}, "step_id is -1, not from 0"),
        ({"results__action_type": None}, "results/action_type is missing"),
        (
            {"results__action_type": [4], "results__yx_touch": [0.5]},
            "results/yx_touch has 1 numbers, not y and x",
        ),
        ({"image__height": None}, "image/height or image/width is missing"),
        ({"image__width": [0]}, "its picture is 0 by 40 pixels, which no screen has"),
        ({"episode_id": [b"e\0"]}, "episode_id holds characters that no id has"),
        ({"episode_id": [b"\xff"]}, "episode_id is not UTF-8"),
        ({"episode_id": None}, "episode_id is not one text that can be an id"),
        ({"step_id": [0]}, "episode e has step 0 twice; the first is kept"),
    ],
)
def test_a_record_without_what_it_needs_is_refused_by_itself(
    tmp_path, picture_store, change, reason
):
    episodes, remarks = one(
        tmp_path, picture_store, sample.step("e", 0, 2, 5), sample.step("e", 1, 2, 5, **change)
    )
    assert [len(episode.steps) for episode in episodes] == [1]
    assert Refused("general-00000-of-00001 record 1", reason) in remarks
    assert ImportNote(LENGTH, "episode_length says 2, 1 steps came in") in remarks


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([], "image/encoded is empty"),
        (
            [b"x" * 7],
            "image/encoded has 7 bytes, not the 2400 of its pixels, and is no picture: "
            "the bytes are neither PNG nor JPEG nor WebP",
        ),
    ],
)
def test_a_step_without_its_picture_is_imported_and_counted(tmp_path, picture_store, data, reason):
    episodes, remarks = one(tmp_path, picture_store, sample.step("e", 0, 1, 5, image__encoded=data))
    assert episodes[0].steps[0].frame.still is None
    assert episodes[0].steps[0].frame.size == SIZE
    assert MissingPicture("general-00000-of-00001 record 0", reason) in remarks


def test_a_picture_that_is_not_raw_pixels_is_stored_unchanged(tmp_path, picture_store, stills):
    picture = png(SIZE)
    episodes, _ = one(tmp_path, picture_store, sample.step("e", 0, 1, 5, image__encoded=[picture]))
    still = episodes[0].steps[0].frame.still
    assert stills.read(still.sha256, "image/png") == picture


def test_actions_without_a_meaning_are_kept_by_name_and_noted(tmp_path, picture_store):
    nowhere = sample.touch(math.nan, 0.5, math.inf, 0.5)
    episodes, remarks = one(
        tmp_path, picture_store, sample.step("e", 0, 2, 8), sample.step("e", 1, 2, 4, **nowhere)
    )
    assert [step.action for step in episodes[0].steps] == [
        a.Other("UNUSED_8"),
        a.Other("DUAL_POINT", json.dumps({"touch": ["NaN", 0.5], "lift": ["Infinity", 0.5]})),
    ]
    assert [remark.reason for remark in remarks if "action" in remark.reason] == [
        "the action UNUSED_8 is unknown; it is stored by name",
        "the action DUAL_POINT is unknown; it is stored by name",
    ]


@pytest.mark.parametrize(
    ("y", "tap"), [(0.04, True), (0.03999, True), (0.0400001, False), (0.05, False)]
)
def test_a_gesture_is_a_tap_up_to_the_length_the_data_set_says(tmp_path, picture_store, y, tap):
    episodes, _ = one(
        tmp_path, picture_store, sample.step("e", 0, 1, 4, **sample.touch(0.0, 0.5, y, 0.5))
    )
    assert isinstance(episodes[0].steps[0].action, a.Tap) is tap


def test_features_that_are_odd_are_noted_and_kept(tmp_path, picture_store):
    odd = {
        "image__ui_annotations_positions": [0.5, 0.5, 0.5],
        "goal_info": [b"\xff goal"],
        "more": [7],
    }
    episodes, remarks = one(tmp_path, picture_store, sample.step("e", 0, 1, 5, **odd))
    reasons = {remark.reason for remark in remarks}
    assert {
        "image/ui_annotations_positions has 3 numbers, not four an element",
        "goal_info is not UTF-8; its bytes are stored with the step",
        "there are 0 positions, 2 texts and 2 types",
    } <= reasons
    assert "boxes" not in episodes[0].steps[0].native.value
    kept = json.loads(episodes[0].steps[0].extra)
    assert kept["features"].keys() == {"goal_info", "image/ui_annotations_positions", "more"}


def test_steps_apart_from_their_episode_are_refused(tmp_path, picture_store):
    episodes, remarks = one(
        tmp_path,
        picture_store,
        sample.step("e", 1, 2, 5),
        sample.step("e", 0, 2, 5),
        sample.step("f", 0, 1, 5),
        sample.step("e", 2, 2, 5),
    )
    assert [(one.name, len(one.steps)) for one in episodes] == [("e", 2), ("f", 1)]
    assert (
        ImportNote(LENGTH, "the steps are out of order; they are sorted by their numbers")
        in remarks
    )
    reason = "episode e was there before, its steps apart from this"
    assert Refused("general-00000-of-00001 record 3", reason) in remarks


def test_an_episode_may_go_on_in_the_next_shard(tmp_path, picture_store):
    folder = sample.write(tmp_path / "set", [sample.step("e", 0, 2, 5)], "install-00000-of-00002")
    sample.write(folder, [sample.step("e", 1, 2, 10)], "install-00001-of-00002")
    (episode,), _ = read(folder, picture_store)
    assert [step.index for step in episode.steps] == [0, 1]
    assert episode.task.category == "install"


def test_parts_follow_from_the_shard_or_its_folder(tmp_path, picture_store):
    folder = tmp_path / "set"
    sample.write(folder / "single", [sample.step("e", 0, 1, 5)], "part.tfrecord.gz")
    sample.write(folder / "general", [sample.step("f", 0, 1, 5)])
    episodes, _ = read(folder, picture_store)
    assert [(one.name, one.task.category) for one in episodes] == [
        ("f", "general"),
        ("e", "single"),
    ]
    assert [
        one.splits for one in read(folder / "general/general-00000-of-00001", picture_store)[0]
    ] == [()]


def test_other_people_s_splits_are_files_beside_the_shards(tmp_path, picture_store):
    folder = sample.write(tmp_path / "set", [sample.step("7", 0, 1, 5)])
    shutil.rmtree(folder / "splits")
    split = {"train": [7], "val": ["7", "7"]}
    (folder / "autogui_general_texts_splits.json").write_text(json.dumps(split))
    (episode,), remarks = read(folder, picture_store)
    assert episode.splits == (("autogui_general_texts", "train"), ("autogui_general_texts", "val"))
    note = ImportNote("autogui_general_texts_splits.json", '"val" names episodes twice', 1)
    assert remarks == [note]


def test_an_invalid_split_file_is_reported(tmp_path, picture_store):
    folder = sample.write(tmp_path / "set", sample.general())
    (folder / "splits/standard.json").write_text('{"train": [1.5]}')
    with pytest.raises(KnownError, match='"train" is not a list of ids'):
        read(folder, picture_store)


def test_a_shard_that_is_a_link_out_of_its_folder_is_refused(tmp_path, picture_store):
    folder = sample.write(tmp_path / "set", sample.general())
    (tmp_path / "secret").write_bytes(b"x")
    (folder / "install-00000-of-00001").symlink_to(tmp_path / "secret")
    episodes, remarks = read(folder, picture_store)
    assert len(episodes) == 2
    reason = "it is a link that leads out of its folder"
    assert Refused("install-00000-of-00001", reason) in remarks


def test_a_quick_look_does_not_go_through_millions_of_empty_records(tmp_path):
    records = (sample.example(one) for one in sample.general())
    empty = sample.framed(b"") * tfrecord_folder.LOOK_RECORDS
    path = tmp_path / "general-00000-of-00001"
    path.write_bytes(gzip.compress(empty + sample.framed(*records), mtime=0))
    assert aitw.count(path) == 0


def test_a_shard_is_left_after_ten_thousand_records_of_nothing(tmp_path, picture_store):
    records = [sample.example(one) for one in sample.general()]
    empty = sample.framed(b"") * tfrecord_folder.MAX_WRONG
    for name, data in (
        ("general-00000-of-00002", sample.framed(*records[:6]) + empty + sample.framed(*records)),
        ("general-00001-of-00002", sample.framed(*records[6:])),
    ):
        (tmp_path / name).write_bytes(gzip.compress(data, mtime=0))
    episodes, problems = read(tmp_path, picture_store)
    assert [episode.name for episode in episodes] == [FIRST, "7001"]
    assert len(problems) == tfrecord_folder.MAX_WRONG + 1
    assert problems[-1] == Refused(
        "general-00000-of-00002 record 10005",
        "the 10000 records up to this one hold nothing; the rest of the file is left out",
    )


def test_a_quick_look_counts_episodes(tmp_path):
    folder = sample.write(tmp_path / "set", sample.general())
    assert FORMATS["aitw"].count(folder) == 2
    with pytest.raises(KnownError, match="there are 0 TFRecord files"):
        FORMATS["aitw"].count(folder / "splits")


def test_damaged_shards_are_known_errors_or_results(tmp_path, picture_store):
    rng = np.random.default_rng(4)
    plain = sample.framed(*(sample.example(step) for step in sample.general()))
    folder = tmp_path / "set"
    folder.mkdir()
    for _ in range(150):
        record = bytearray(sample.example(sample.general()[int(rng.integers(8))]))
        for _ in range(int(rng.integers(1, 6))):
            record[int(rng.integers(min(len(record), 900)))] = int(rng.integers(256))
        data = sample.framed(bytes(record)) if rng.integers(4) else bytearray(plain)
        if isinstance(data, bytearray):
            data[int(rng.integers(len(data)))] ^= int(rng.integers(1, 256))
        (folder / "general-00000-of-00001").write_bytes(data)
        for found in aitw.read(folder, picture_store):
            assert isinstance(found, Episode | Refused | ImportNote)
