"""Android in the Wild (aitw): writing its TFRecords, and round trips."""

import gzip
import json
import struct
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes import actions as a
from episodes.annotations import PrivateBox
from episodes.episodes import Episode, Task
from episodes.errors import KnownError
from episodes.formats import FORMATS, aitw, aitw_writer
from episodes.formats.example import equal_features, read_example
from episodes.formats.input_files import Refused
from episodes.formats.output_files import Loss
from episodes.formats.picture_store import LibraryPictureStore
from episodes.formats.tfrecord import RecordReader
from episodes.geometry import Box, Direction, Point
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step, StepTexts
from episodes.store.stills import StillFiles
from episodes.trees.readers import read_record
from tests.episodes.formats import recordings
from tests.episodes.formats.recordings import SIZE
from tests.samples import aitw as sample

done = recordings.done
recorded = partial(
    recordings.recorded,
    task=Task("Buy a kettle", category="general"),
    device=DeviceFacts(model="Small Phone", sdk=34),
)
SHARD = "general-00000-of-00001"


def read(path, picture_store):
    return [one for one in aitw.read(path, picture_store) if isinstance(one, Episode)]


def examples(path):
    with RecordReader(path, "read") as reader:
        return [read_example(data) for _, data in reader]


def test_import_and_export_give_the_records_again(tmp_path, picture_store, stills):
    folder = sample.write(tmp_path / "set", sample.general())
    episodes = read(folder, picture_store)
    written = aitw_writer.write(episodes, tmp_path / "out", stills)
    old, new = (gzip.decompress((one / SHARD).read_bytes()) for one in (folder, tmp_path / "out"))
    assert new == old
    assert (written.episodes, written.steps, written.pictures) == (2, 8, 8)
    assert written.losses == ()
    assert json.loads((tmp_path / "out/splits/standard.json").read_text()) == {
        "train": ["7001"],
        "test": ["00000000000000000042"],
    }


ANY_FLOAT = st.integers(0, 2**32 - 1).map(lambda bits: struct.unpack("<f", struct.pack("<I", bits)))
FLOATS = st.one_of(ANY_FLOAT.map(lambda one: one[0]), st.floats(0, 1, width=32))
WORDS = st.text(max_size=5).map(lambda text: text.encode(errors="replace"))
ODD = st.one_of(
    st.just(None),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3),
    st.lists(st.floats(width=32), max_size=9).map(lambda some: some or ()),
    st.lists(st.binary(max_size=4), max_size=3),
)


@st.composite
def steps(draw):
    """Records of one episode as files might hold them, some features odd."""
    length = draw(st.integers(1, 4))
    goal, declared = draw(WORDS), draw(st.integers(0, 9))
    made = []
    for number in range(length):
        count = draw(st.integers(0, 3))
        boxes = draw(st.lists(FLOATS, min_size=4 * count, max_size=4 * count))
        told = {
            "image__encoded": [b"three bytes."],
            "image__height": [2],
            "image__width": [2],
            "goal_info": [goal],
            "episode_length": [declared],
            "results__action_type": [draw(st.sampled_from([0, 3, 4, 5, 6, 7, 10, 11, 99]))],
            "results__type_action": [draw(WORDS)],
            "results__yx_touch": draw(st.lists(FLOATS, min_size=2, max_size=2)),
            "results__yx_lift": draw(st.lists(FLOATS, min_size=2, max_size=2)),
            "image__ui_annotations_positions": boxes or (),
            "image__ui_annotations_text": draw(st.lists(WORDS, min_size=count, max_size=count)),
            "image__ui_annotations_ui_types": [b"TEXT"] * count,
        }
        names = st.sampled_from(
            [
                "android_api_level",
                "current_activity",
                "device_type",
                "episode_length",
                "goal_info",
                "image__channels",
                "image__ui_annotations_positions",
                "image__ui_annotations_text",
                "image__ui_annotations_ui_types",
                "results__type_action",
                "new",
            ]
        )
        told |= draw(st.dictionaries(names, ODD, max_size=2))
        made.append(sample.step("e", number, 0, 5, **told))
    return made


@given(steps())
@settings(max_examples=120, deadline=None)
def test_every_record_comes_back_bit_for_bit(tmp_path_factory, made):
    folder = tmp_path_factory.mktemp("round")
    stills = StillFiles(folder / "library")
    picture_store = LibraryPictureStore(stills)
    sample.write(folder / "set", made)
    first = read(folder / "set", picture_store)
    written = aitw_writer.write(first, folder / "out", stills)
    assert (written.steps, written.losses) == (len(made), ())
    old, new = examples(folder / "set" / SHARD), examples(folder / "out" / SHARD)
    for before, after in zip(old, new, strict=True):
        assert before.keys() == after.keys()
        assert {name for name in before if not equal_features(before[name], after[name])} == set()
    assert read(folder / "out", picture_store) == first


def test_a_recording_is_measured_in_float32_fractions(tmp_path, picture_store, stills, done):
    tree = TreeRecord(
        "uiautomator",
        b'<hierarchy><node bounds="[0,0][36,80]"><node text="Buy" bounds="[9,20][18,40]"/>'
        b'<node clickable="true" bounds="[-9,40][18,60]"/></node></hierarchy>',
        "uiautomator dump",
        TreeStatus.OK,
    )
    episode = recorded(
        done(a.Tap(Point(9.0, 20.0)), tree=StepTree(tree, TreeFit.FRESH)),
        done(a.LongPress(Box(0, 0, 18, 40))),
        done(a.Swipe(Point(0, 80), Point(0, 8))),
        done(a.Scroll(a.Direction.LEFT)),
        done(a.TypeText("tea")),
        done(a.PressKey(a.Key.ENTER)),
        done(a.PressKey(a.Key.RECENTS)),
        done(a.Finish(a.Ending.IMPOSSIBLE)),
        splits=(("random", "test"),),
    )
    written = aitw_writer.write([episode], tmp_path / "out", stills)
    (again,) = read(tmp_path / "out", picture_store)
    told = [step.native.value for step in again.steps]
    nowhere = {"touch": [-1.0, -1.0], "lift": [-1.0, -1.0]}
    tenth, fifth, most = (struct.unpack("<f", struct.pack("<f", n))[0] for n in (0.1, 0.2, 0.8))
    assert [{k: v for k, v in one.items() if k != "boxes"} for one in told] == [
        {"action_type": 4, "touch": [0.25, 0.25], "lift": [0.25, 0.25], "text": ""},
        {"action_type": 4, "touch": [0.25, 0.25], "lift": [0.25, 0.25], "text": ""},
        {"action_type": 4, "touch": [1.0, 0.0], "lift": [tenth, 0.0], "text": ""},
        {"action_type": 4, "touch": [0.5, most], "lift": [0.5, fifth], "text": ""},
        {"action_type": 3, **nowhere, "text": "tea"},
        {"action_type": 7, **nowhere, "text": ""},
        {"action_type": 11, **nowhere, "text": ""},
    ]
    assert told[0]["boxes"] == [[0.25, 0.25, 0.25, 0.25], [0.5, 0.0, 0.25, 0.5]]
    nodes = read_record(again.steps[0].tree.record, SIZE).walk()
    assert [(node.text, node.class_name, node.box) for node in nodes][1:] == [
        ("Buy", "TEXT", Box(9, 20, 18, 40)),
        ("", "", Box(0, 40, 18, 60)),
    ]
    assert (again.declared_steps, again.splits) == (7, (("random", "test"),))
    assert (again.task, again.device) == (episode.task, episode.device)
    assert written.losses == (
        Loss("a tree's structure; its elements are written", "e-0001 step 0", 1),
        Loss("how long a finger was held", "e-0001 step 1", 1),
        Loss("the way of a scroll; a stroke is written", "e-0001 step 3", 1),
        Loss("the key recents", "e-0001 step 6", 1),
    )


def test_values_without_a_place_in_the_data_set_are_counted(tmp_path, stills, done):
    episode = recorded(
        done(a.TypeText("x", submit=True), texts=StepTexts("Type x")),
        done(a.Wait()),
        done(a.Tap(a.ElementRef(text="Save"))),
        Step(0, a.Tap(Point(1, 1))),
        final=Frame(SIZE, Basis.FINAL),
    )
    named = replace(episode, name="line\nbreak")
    private = replace(episode, name="p", private=True)
    nothing = replace(recorded(done(a.Answer("42"))), name="n")
    written = aitw_writer.write(
        [episode, episode, named, private, nothing], tmp_path / "out", stills
    )
    assert {loss.what: loss.count for loss in written.losses} == {
        "the action wait": 1,
        "a touch of an element that is named, not pointed at": 1,
        "a touch on a step without a frame": 1,
        "the screen at the end": 1,
        "a step's texts": 1,
        "the key that sent a text off": 1,
        "the action answer": 1,
        "a private episode": 1,
        "an episode whose name another one has": 1,
        "an episode whose name cannot be an id": 1,
        "an episode without a step that can be written": 1,
    }
    assert (written.episodes, written.steps) == (1, 1)


def test_words_of_a_covered_screen_do_not_come_back(tmp_path, picture_store, stills):
    secret = [b"secret \xff"]
    made = sample.step("e", 0, 1, 5, image__ui_annotations_text=secret)
    (episode,) = read(sample.write(tmp_path / "set", [made]), picture_store)
    covered = replace(
        episode,
        steps=(replace(episode.steps[0], private_boxes=(PrivateBox(Box(0, 0, 20, 40)),)),),
    )
    FORMATS["aitw"].write([covered], tmp_path / "out", stills, "1")
    data = gzip.decompress((tmp_path / "out" / SHARD).read_bytes())
    assert b"secret" not in data
    assert bytes(20 * 40 * 3) in data


def test_numbers_from_elsewhere_that_are_none_are_not_written(tmp_path, stills, picture_store):
    (first, _) = read(sample.write(tmp_path / "set", sample.general()), picture_store)
    step = first.steps[0]
    bad = replace(step, native=replace(step.native, text='{"action_type":4,"touch":[1e39,0]}'))
    written = aitw_writer.write([replace(first, steps=(bad,))], tmp_path / "out", stills)
    assert written.steps == 1
    (again,) = read(tmp_path / "out", picture_store)
    assert again.steps[0].native.value["touch"] == step.native.value["touch"]


def test_a_step_on_a_screen_of_unknown_size_is_counted_not_written(
    tmp_path, picture_store, stills, done
):
    nowhere = replace(done(a.Scroll(Direction.UP)), frame=None)
    written = aitw_writer.write(
        [recordings.recorded(nowhere, done(a.PressKey(a.Key.HOME)))], tmp_path / "out", stills
    )
    assert Loss(aitw_writer.NO_SCREEN, "e-0001 step 0", 1) in written.losses
    found = list(aitw.read(tmp_path / "out", picture_store))
    assert [one for one in found if isinstance(one, Refused)] == []
    (again,) = (one for one in found if isinstance(one, Episode))
    assert [step.action for step in again.steps] == [a.PressKey(a.Key.HOME)]
    written = aitw_writer.write([recordings.recorded(nowhere)], tmp_path / "none", stills)
    assert (written.episodes, len(written.losses)) == (0, 2)


def test_nothing_is_left_of_an_export_that_failed(tmp_path, picture_store, stills):
    first, second = read(sample.write(tmp_path / "set", sample.general()), picture_store)
    still = second.steps[0].frame.still
    stills.path(still.sha256, "image/png").unlink()
    with pytest.raises(KnownError, match="Run `taptrail episodes check`"):
        aitw_writer.write([first, second], tmp_path / "out", stills)
    assert not (tmp_path / "out").exists()
