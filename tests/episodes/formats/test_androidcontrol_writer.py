"""AndroidControl (androidcontrol): writing its TFRecords, and round trips."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes import actions as a
from episodes.annotations import PrivateBox
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats import FORMATS, androidcontrol, androidcontrol_writer
from episodes.formats.example import equal_features, read_example
from episodes.formats.output_files import Loss
from episodes.formats.picture_store import LibraryPictureStore
from episodes.formats.tfrecord import RecordReader
from episodes.geometry import Box, Direction, Point, Size
from episodes.media import pictures
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import StepTexts
from episodes.store.stills import StillFiles
from episodes.trees.readers import read_record
from tests.episodes.formats import recordings
from tests.episodes.formats.recordings import SIZE, recorded
from tests.samples import androidcontrol as sample
from tests.samples.drawn import png

done = recordings.done


def read(path, picture_store):
    return [one for one in androidcontrol.read(path, picture_store) if isinstance(one, Episode)]


def examples(folder):
    with RecordReader(folder / sample.SHARD, "read") as reader:
        return [read_example(data) for _, data in reader]


def differing(one, other):
    return [
        {
            name
            for name in before.keys() | after.keys()
            if not equal_features(before.get(name), after[name])
        }
        for before, after in zip(examples(one), examples(other), strict=True)
    ]


def test_import_and_export_give_the_records_and_splits_again(tmp_path, picture_store, stills):
    folder = sample.write(tmp_path / "set", [sample.episode(7), sample.episode(20)])
    episodes = read(folder, picture_store)
    written = androidcontrol_writer.write(episodes, tmp_path / "out", stills)
    assert differing(folder, tmp_path / "out") == [set(), set()]
    assert (written.episodes, written.steps, written.pictures) == (2, 16, 18)
    assert written.losses == ()
    assert json.loads((tmp_path / "out/splits.json").read_text()) == {"test": [7], "train": [20]}
    assert json.loads((tmp_path / "out/android_control_test_subsplits.json").read_text()) == {
        "app_unseen": [7],
        "task_unseen": [7],
        "category_unseen": [7],
    }
    assert read(tmp_path / "out", picture_store) == episodes


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=4),
    lambda inner: st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
ACTION = st.one_of(
    st.sampled_from(sample.ACTIONS),
    st.dictionaries(st.sampled_from(["action_type", "x", "text"]), JSON).map(json.dumps),
    st.dictionaries(st.text(max_size=3), JSON).map(lambda told: json.dumps(told, indent=1)),
)


@st.composite
def records(draw):
    """A record as files might hold it, some of its features odd."""
    actions = draw(st.lists(ACTION, max_size=4))
    count = len(actions)
    bytes_of = st.one_of(st.binary(max_size=5), st.just("é ".encode()))
    more = {
        "goal": [draw(bytes_of)],
        "step_instructions": draw(st.lists(bytes_of, min_size=count, max_size=count)),
        "accessibility_trees": draw(
            st.lists(
                st.one_of(st.binary(max_size=9), st.just(sample.forest())),
                min_size=count + 1,
                max_size=count + 1,
            )
        ),
        "screenshot_widths": draw(
            st.lists(st.integers(-1, 2**40), min_size=count + 1, max_size=count + 1)
        ),
    }
    odd = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1) | st.lists(st.binary(max_size=3))
    more |= draw(st.dictionaries(st.sampled_from(["goal", "new", "more"]), odd, max_size=2))
    return sample.episode(draw(st.integers(0, 2**63 - 1)), actions, **more)


@given(records())
@settings(max_examples=120, deadline=None)
def test_every_record_comes_back_as_it_was(tmp_path_factory, record):
    folder = tmp_path_factory.mktemp("round")
    stills = StillFiles(folder / "library")
    picture_store = LibraryPictureStore(stills)
    count = len(record["actions"]) + 1
    record["screenshots"] = [png(SIZE, n) for n in range(count)]
    sample.write(folder / "set", [record])
    first = read(folder / "set", picture_store)
    written = androidcontrol_writer.write(first, folder / "out", stills)
    assert (written.episodes, written.steps, written.losses) == (1, count - 1, ())
    assert differing(folder / "set", folder / "out") == [set()]


def test_a_recording_is_measured_in_whole_pixels_of_the_screenshot(
    tmp_path, picture_store, stills, done
):
    tree = TreeRecord(
        "uiautomator",
        b'<hierarchy><node bounds="[0,0][36,80]"><node text="Buy" bounds="[9,20][18,40]"/>'
        b"</node></hierarchy>",
        "uiautomator dump",
        TreeStatus.OK,
    )
    episode = recorded(
        done(a.OpenApp("Shop"), texts=StepTexts("Open the shop")),
        done(a.Tap(Point(8.6, 20.2)), size=Size(72, 160), tree=StepTree(tree, TreeFit.FRESH)),
        done(a.LongPress(Box(0, 0, 18, 40))),
        done(a.Swipe(Point(0, 80), Point(0, 8))),
        done(a.Scroll(Direction.LEFT)),
        done(a.TypeText("tea", submit=True)),
        done(a.PressKey(a.Key.HOME)),
        done(a.PressKey(a.Key.RECENTS)),
        done(a.Wait(5)),
        done(a.Finish(a.Ending.COMPLETE), shade=33),
        splits=(("standard", "test"), ("random", "train")),
    )
    written = androidcontrol_writer.write([episode], tmp_path / "out", stills)
    (again,) = read(tmp_path / "out", picture_store)
    assert [step.native.value for step in again.steps] == [
        {"action_type": "open_app", "app_name": "Shop"},
        {"action_type": "click", "x": 17, "y": 40},
        {"action_type": "long_press", "x": 9, "y": 20},
        {"action_type": "scroll", "direction": "down"},
        {"action_type": "scroll", "direction": "right"},
        {"action_type": "input_text", "text": "tea"},
        {"action_type": "navigate_home"},
        {"action_type": "wait"},
    ]
    assert again.steps[0].texts.instruction == "Open the shop"
    assert (again.name, sorted(again.splits)) == (
        "1000000",
        [("random", "train"), ("standard", "test")],
    )
    assert stills.read(again.final.still.sha256, "image/png") == png(SIZE, 33)
    step = again.steps[1]
    assert step.frame.size == Size(72, 160)
    found = [
        (node.text, node.box) for node in read_record(step.tree.record, step.frame.size).walk()
    ]
    assert found == [("", Box(0, 0, 72, 160)), ("Buy", Box(18, 40, 36, 80))]
    assert set(written.losses) == {
        Loss("an episode's name; ids are numbers", "e-0001", 1),
        Loss("a tree in another form; its nodes are written", "e-0001 step 1", 1),
        Loss("where a swipe went; its direction is written", "e-0001 step 3", 1),
        Loss("the key that sent a text off", "e-0001 step 5", 1),
        Loss("the key recents", "e-0001 step 7", 1),
        Loss("the claim that the task is done, or cannot be", "e-0001 step 9", 1),
    }


def test_a_picture_of_another_kind_becomes_png(tmp_path, picture_store, stills, done):
    step = done(a.Wait())
    data = (b"RIFF\x1e\x00\x00\x00WEBPVP8L\x11\x00\x00\x00/\x00\x00\x00\x00\x07\xd0\xff\xfe\xf7\xbf"
            b"\xff\x81\x88\xe8\x7f\x00\x00")  # fmt: skip
    (tmp_path / "dot.webp").write_bytes(data)
    frame = Frame(Size(1, 1), Basis.PAINTED, picture_store.keep(tmp_path / "dot.webp"))
    androidcontrol_writer.write([recorded(replace(step, frame=frame))], tmp_path / "out", stills)
    (again,) = read(tmp_path / "out", picture_store)
    still = again.steps[0].frame.still
    assert still.media_type == "image/png"
    pixels = pictures.decode(stills.read(still.sha256, "image/png"))
    assert pixels.tolist() == pictures.decode(data).tolist()


def test_names_stay_apart_and_private_episodes_at_home(tmp_path, stills, done):
    episode = recorded(done(a.Wait()), done(a.Wait(), private=True))
    names = ("7", "7", "07", "1000000", "x")
    written = androidcontrol_writer.write(
        [*(replace(episode, name=name) for name in names), replace(episode, private=True)],
        tmp_path / "out",
        stills,
    )
    ids = [one["episode_id"].ints() for one in examples(tmp_path / "out")]
    assert ids == [[7], [1000000], [1000001]]
    assert {loss.what: loss.count for loss in written.losses} == {
        "an episode whose name another one has": 2,
        "an episode's name; ids are numbers": 2,
        "a private step": 3,
        "a private episode": 1,
    }


def test_a_deleted_step_deletes_its_odd_sizes_too(tmp_path, picture_store, stills):
    odd = sample.episode(7, sample.ACTIONS[:2], screenshot_widths=[1, 2, 3])
    (episode,) = read(sample.write(tmp_path / "set", [odd]), picture_store)
    fewer = replace(episode, steps=episode.steps[1:])
    androidcontrol_writer.write([fewer], tmp_path / "out", stills)
    (found,) = examples(tmp_path / "out")
    assert found["screenshot_widths"].ints() == [36, 36]
    assert len(found["screenshots"].bytes_values()) == 2


def test_the_tree_of_a_covered_last_screen_is_left_out(tmp_path, picture_store, stills):
    secret = sample.forest("secret")
    record = sample.episode(
        7, sample.ACTIONS[:1], accessibility_trees=[secret, secret], goal=[b"\xff"]
    )
    (episode,) = read(sample.write(tmp_path / "set", [record]), picture_store)
    box = PrivateBox(Box(0, 0, 9, 9))
    covered = replace(episode, steps=(replace(episode.steps[0], private_boxes=(box,)),))
    for name in ("androidcontrol", "taptrail"):
        written = FORMATS[name].write([covered], tmp_path / name, stills, "1")
        loss = "the tree of a screen with a private box"
        assert Loss(loss, "7 step 0", 2) in written.losses
    (found,) = examples(tmp_path / "androidcontrol")
    assert [bytes(one) for one in found["accessibility_trees"].bytes_values()] == [b"", b""]
    assert [bytes(one) for one in found["goal"].bytes_values()] == [b"\xff"]
    assert "final_tree" not in (tmp_path / "taptrail/episodes.jsonl").read_text()


def test_nothing_is_left_of_an_export_that_failed(tmp_path, picture_store, stills):
    (episode,) = read(sample.write(tmp_path / "set", [sample.episode(7)]), picture_store)
    stills.path(episode.final.still.sha256, "image/png").unlink()
    with pytest.raises(KnownError, match="Run `taptrail episodes check`"):
        androidcontrol_writer.write([episode], tmp_path / "out", stills)
    assert not (tmp_path / "out").exists()
