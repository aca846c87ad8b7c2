import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes import actions as a
from episodes.annotations import Gold, Provenance, Region, RegionSource, Status
from episodes.episodes import Episode, Origin, Task
from episodes.errors import KnownError
from episodes.formats import guiodyssey, guiodyssey_writer
from episodes.formats.input_files import MissingPicture
from episodes.formats.output_files import Loss
from episodes.formats.picture_store import LibraryPictureStore
from episodes.geometry import Box, Native, Point, Size
from episodes.screens import Basis, Foreground, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step, StepTexts
from episodes.store.stills import StillFiles
from scoring.protocols import PROTOCOLS
from tests.episodes.formats import recordings
from tests.episodes.store.test_full_disk import files_up_to
from tests.samples import guiodyssey as sample
from tests.samples.drawn import png

SIZE = Size(1080, 2400)


def read(path, picture_store, version=""):
    return [e for e in guiodyssey.read(path, picture_store, version) if isinstance(e, Episode)]


def json_files(folder):
    return {
        path.relative_to(folder).as_posix(): json.loads(path.read_text())
        for path in sorted(folder.rglob("*.json"))
    }


@pytest.mark.parametrize(("make", "version"), [(sample.version_1, "1"), (sample.version_2, "2")])
def test_import_and_export_give_the_files_again(tmp_path, picture_store, stills, make, version):
    folder = make(tmp_path / "set")
    episodes = read(folder, picture_store)
    written = guiodyssey_writer.write(episodes, tmp_path / "out", stills, version)
    assert json_files(tmp_path / "out") == json_files(folder)
    for picture in (folder / "screenshots").iterdir():
        assert (tmp_path / "out/screenshots" / picture.name).read_bytes() == picture.read_bytes()
    assert written.losses == ()
    assert (written.episodes, written.steps) == (len(episodes), sum(len(e.steps) for e in episodes))


def test_writing_version_1_counts_the_texts_and_regions_it_has_no_place_for(
    tmp_path, picture_store, stills
):
    episodes = read(sample.version_2(tmp_path / "set"), picture_store)
    written = guiodyssey_writer.write(episodes, tmp_path / "out", stills, "1")
    assert written.losses == (
        Loss("texts and regions of a step (version 1 has none)", "0019000000000001 step 0", 13),
    )
    again = read(tmp_path / "out", picture_store)
    assert [step.action for step in again[0].steps] == [step.action for step in episodes[0].steps]


def recorded(*steps, category="Social_Sharing", **more):
    task = Task("Call Ada", category=category, apps=("Contacts",))
    return recordings.recorded(*steps, task=task, **more)


def done(action, **more):
    return Step(0, action, Frame(SIZE, Basis.PAINTED), **more)


def write(tmp_path, stills, episode, version="2"):
    written = guiodyssey_writer.write([episode], tmp_path / "out", stills, version)
    value = json.loads((tmp_path / f"out/annotations/{episode.name}.json").read_text())
    return value, written.losses


def test_a_recording_is_measured_in_thousandths_rounded_once(tmp_path, stills):
    target = Region(
        Box(100, 200, 540, 1200),
        Provenance(RegionSource.PERSON),
        status=Status.ACCEPTED,
        chosen=True,
    )
    value, losses = write(
        tmp_path,
        stills,
        recorded(
            done(a.Tap(Point(540.4, 1200.9)), regions=(target,)),
            done(a.LongPress(Box(0, 0, 100, 100))),
            done(a.Swipe(Point(0, 2400), Point(0, 0))),
            done(a.Scroll(a.Direction.LEFT)),
            done(a.TypeText("Ada")),
            done(a.PressKey(a.Key.RECENTS)),
            done(a.Finish(a.Ending.IMPOSSIBLE, "no such person")),
        ),
    )
    assert [(s["action"], s["info"], s["sam2_bbox"]) for s in value["steps"]] == [
        ("CLICK", [[500, 500], [500, 500]], [93, 83, 499, 500]),
        ("LONG_PRESS", [[46, 21], [46, 21]], None),
        ("SCROLL", [[0, 1000], [0, 0]], []),
        ("SCROLL", [[650, 500], [350, 500]], []),
        ("TEXT", "Ada", []),
        ("CLICK", "KEY_APPSELECT", []),
        ("INCOMPLETE", "", []),
    ]
    assert value["steps"][-1]["ps"] == "no such person"
    assert value["step_length"] == 7
    assert value["device_info"] == {
        "product": "",
        "release_version": "",
        "sdk_version": "",
        "h": 2400,
        "w": 1080,
        "device_name": "",
    }
    assert losses == (Loss(guiodyssey_writer.NO_REGION, "e-0001 step 1", 1),)


def test_a_recording_that_names_no_apps_is_written_with_those_that_were_in_front(tmp_path, stills):
    front = [
        ("com.example.launcher", "Home"),
        ("com.example.notes", "Notes"),
        ("com.example.mail", ""),
        ("com.example.notes", "Notes"),
    ]
    steps = [done(a.Wait(), foreground=Foreground(one, label=label)) for one, label in front]
    hidden = done(a.Wait(), foreground=Foreground("com.example.bank", label="Bank"), private=True)
    taps = [replace(step, action=a.Tap(Point(1, 1))) for step in (*steps, hidden)]
    episode = recorded(*taps)
    value, _ = write(tmp_path, stills, replace(episode, task=replace(episode.task, apps=())))
    assert value["task_info"]["app"] == ["Notes", "com.example.mail"]


def test_a_loss_knows_the_place_of_its_step_among_those_that_are_left(tmp_path, stills):
    one = recorded(done(a.Tap(Point(1, 1))), done(a.Pinch(Point(5, 5), 2.0)))
    moved = replace(one, steps=tuple(replace(s, index=s.index + 6) for s in one.steps))
    _, losses = write(tmp_path, stills, moved)
    assert [(loss.first, loss.number) for loss in losses] == [
        ("e-0001 step 6", 1),
        ("e-0001 step 7", 2),
    ]


def test_steps_the_data_set_has_no_word_for_are_left_out_and_counted(tmp_path, stills):
    value, losses = write(
        tmp_path,
        stills,
        recorded(
            done(a.OpenApp("Contacts")),
            done(a.PressKey(a.Key.ENTER)),
            done(a.DoubleTap(Point(1, 1))),
            done(a.Pinch(Point(1, 1), 2.0)),
            done(a.Wait()),
            done(a.Answer("42")),
            done(a.Other("FLY")),
            done(a.Tap(a.ElementRef(index=3))),
            done(a.Tap(Point(1e300, 1))),
            Step(0, a.Tap(Point(1, 1))),
            done(a.Tap(Point(1, 1)), private=True),
            done(a.Finish(a.Ending.COMPLETE)),
        ),
    )
    assert [(s["step"], s["action"]) for s in value["steps"]] == [(0, "COMPLETE")]
    assert set(losses) == {
        Loss("GUIOdyssey has no open app", "e-0001 step 0", 1),
        Loss("GUIOdyssey has no key enter", "e-0001 step 1", 1),
        Loss("GUIOdyssey has no double tap", "e-0001 step 2", 1),
        Loss("GUIOdyssey has no pinch", "e-0001 step 3", 1),
        Loss("GUIOdyssey has no wait", "e-0001 step 4", 1),
        Loss("GUIOdyssey has no answer", "e-0001 step 5", 1),
        Loss("GUIOdyssey has no action “FLY”", "e-0001 step 6", 1),
        Loss("the element is named, not pointed at", "e-0001 step 7", 1),
        Loss("its point lies too far off the screen to be a number", "e-0001 step 8", 1),
        Loss("the step has no frame to measure its point in", "e-0001 step 9", 1),
        Loss("a private step", "e-0001 step 10", 1),
    }


def test_what_a_kept_step_loses_is_counted(tmp_path, stills):
    tree = StepTree(TreeRecord("uiautomator", b"<x/>", "dump", TreeStatus.OK), TreeFit.FRESH)
    _, losses = write(
        tmp_path,
        stills,
        recorded(
            done(a.TypeText("hi", submit=True), tree=tree, texts=StepTexts(note="slow")),
            done(
                a.TypeText("hi"),
                golds=(Gold(1, a.Wait(), "alternative", "", Status.ACCEPTED),),
                after=Frame(SIZE, Basis.AFTER),
            ),
            extra='{"old":1}',
            final=Frame(SIZE, Basis.FINAL),
        ),
    )
    assert {(loss.what, loss.count) for loss in losses} == {
        ("a step's tree", 1),
        ("a note", 1),
        ("the key that sent a text off", 1),
        ("further gold actions", 1),
        ("the screen after a step", 1),
        ("the screen at the end", 1),
        ("another data set's facts about an episode", 1),
    }


@pytest.mark.parametrize(
    ("change", "loss"),
    [
        ({"private": True}, "a private episode"),
        ({"name": "../up"}, "an episode whose name cannot be a file's name"),
        ({"name": "🌧" * 51}, "an episode whose name cannot be a file's name"),
    ],
)
def test_an_episode_that_may_not_or_cannot_be_written_is_counted(tmp_path, stills, change, loss):
    episode = replace(recorded(done(a.TypeText("x"))), **change)
    written = guiodyssey_writer.write([episode], tmp_path / "out", stills)
    assert written.losses == (Loss(loss, episode.name, 1),)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_name_two_episodes_have_is_written_once_and_counted(tmp_path, stills):
    one = recorded(done(a.TypeText("one")))
    other = replace(one, uuid="other", origin=Origin("elsewhere"))
    written = guiodyssey_writer.write([one, other], tmp_path / "out", stills)
    assert written.episodes == 1
    assert written.losses == (Loss("an episode whose name another one has", "e-0001", 1),)


def test_two_pictures_of_one_name_do_not_overwrite_each_other(tmp_path, stills, picture_store):
    (tmp_path / "1.png").write_bytes(png(shade=1))
    (tmp_path / "2.png").write_bytes(png(shade=2))
    first, second = (
        Frame(SIZE, Basis.IMPORTED, picture_store.keep(tmp_path / name), native="screen.png")
        for name in ("1.png", "2.png")
    )
    steps = (Step(0, a.TypeText("a"), first), Step(1, a.TypeText("b"), second))
    episode = replace(recorded(), steps=steps, origin=Origin("guiodyssey", "2"))
    value, _ = write(tmp_path, stills, episode)
    names = [step["screenshot"] for step in value["steps"]]
    assert names == ["screen.png", "e-0001_1.png"]
    assert [(tmp_path / "out/screenshots" / name).read_bytes() for name in names] == [
        png(shade=1),
        png(shade=2),
    ]


def test_a_folder_with_something_in_it_is_refused(tmp_path, stills):
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(KnownError, match=r"is not empty \(mine.txt\)"):
        guiodyssey_writer.write([], tmp_path, stills)


def test_a_picture_the_library_lacks_is_a_known_error(tmp_path, stills, picture_store):
    episodes = read(sample.version_1(tmp_path / "set"), picture_store)
    for path in (tmp_path / "library").rglob("*.png"):
        path.unlink()
    with pytest.raises(KnownError, match=r"Run `taptrail episodes check` on the library"):
        guiodyssey_writer.write(episodes, tmp_path / "out", stills)


def test_a_full_disk_names_the_file_that_is_written_and_leaves_nothing(
    tmp_path, stills, picture_store
):
    episodes = read(sample.version_1(tmp_path / "set"), picture_store)
    (tmp_path / "empty").mkdir()
    for place in ("out", "empty"):
        with files_up_to(10), pytest.raises(KnownError) as caught:
            guiodyssey_writer.write(episodes, tmp_path / place, stills)
        assert caught.value.found.startswith(f"{tmp_path / place}/screenshots/")
        assert caught.value.remedy == "Make room or choose another folder."
    assert not (tmp_path / "out").exists()
    assert list((tmp_path / "empty").iterdir()) == []


def test_texts_a_file_does_not_have_stay_away(tmp_path, stills, picture_store):
    value = sample.annotation(
        "7",
        [sample.step(number, "TEXT", "x", []) for number in range(3)],
        sample.MILK["task_info"],
    )
    for key in ("description", "intention", "context", "low_level_instruction"):
        del value["steps"][0][key]
    del value["steps"][1]["context"]
    value["steps"][1] |= {"description": "", "remark": 1}
    (episode,) = read(sample.write(tmp_path / "set", [value]), picture_store)
    guiodyssey_writer.write([episode], tmp_path / "out", stills)
    assert json_files(tmp_path / "out")["annotations/7.json"] == value
    described = replace(episode.steps[0], texts=StepTexts(description="Now it is there."))
    edited = replace(episode, steps=(described, *episode.steps[1:]))
    guiodyssey_writer.write([edited], tmp_path / "again", stills)
    told = json_files(tmp_path / "again")["annotations/7.json"]["steps"][0]
    assert told == value["steps"][0] | {"description": "Now it is there."}


def test_a_category_of_ones_own_is_written_and_no_loss(tmp_path, stills):
    value, losses = write(tmp_path, stills, recorded(done(a.TypeText("x")), category="Fun"))
    assert (value["task_info"]["category"], losses) == ("Fun", ())


# --- a recording is scored as it would be after an export ----------------------------------------

sides = st.floats(-50, 3000)
recordable = st.one_of(
    st.builds(a.Tap, st.builds(Point, sides, sides)),
    st.builds(a.LongPress, st.builds(Point, sides, sides)),
    st.builds(a.Swipe, st.builds(Point, sides, sides), st.builds(Point, sides, sides)),
    st.builds(a.Scroll, st.sampled_from(a.Direction)),
    st.builds(a.TypeText, st.text(st.characters(exclude_categories=["Cs"]), max_size=9)),
    st.builds(a.PressKey, st.sampled_from([a.Key.HOME, a.Key.BACK, a.Key.RECENTS])),
    st.builds(a.Finish, st.sampled_from(a.Ending)),
)


@given(
    action=recordable,
    box=st.none() | st.builds(Box, sides, sides, sides, sides),
    size=st.sampled_from([Size(1080, 2400), Size(2560, 1600), Size(997, 1003)]),
)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_gold_of_a_recording_is_that_of_its_export(tmp_path_factory, action, box, size):
    region = Region(box, Provenance(RegionSource.PERSON), status=Status.ACCEPTED, chosen=True)
    step = Step(0, action, Frame(size, Basis.PAINTED), regions=(region,) if box else ())
    episode = replace(recorded(step), steps=(step,))
    folder = tmp_path_factory.mktemp("gold")
    stills = StillFiles(folder / "library")
    guiodyssey_writer.write([episode], folder / "out", stills, "2")
    (exported,) = read(folder / "out", LibraryPictureStore(stills), "2")
    exported_step = replace(exported.steps[0], frame=step.frame)
    for protocol in (PROTOCOLS["guiodyssey@1"], PROTOCOLS["guiodyssey@2"]):
        said = protocol.gold(exported_step, exported), protocol.gold(step, episode)
        assert said[0].answer == said[1].answer
        if isinstance(action, a.Tap | a.LongPress):
            assert said[0].box == said[1].box


# --- whatever the data set can hold comes back equal ---------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
coordinates = st.integers(-2000, 2000) | st.floats(-1e6, 1e6)
points = st.lists(coordinates, min_size=2, max_size=2)
infos = st.one_of(
    st.tuples(st.just("CLICK"), st.lists(points, min_size=1, max_size=3)),
    st.tuples(st.just("CLICK"), st.sampled_from(["KEY_HOME", "KEY_BACK", "KEY_APPSELECT"])),
    st.tuples(st.just("LONG_PRESS"), st.lists(points, min_size=1, max_size=2)),
    st.tuples(st.just("SCROLL"), st.lists(points, min_size=2, max_size=2)),
    st.tuples(st.just("TEXT"), words),
    st.tuples(st.sampled_from(["COMPLETE", "INCOMPLETE", "FLY"]), st.just("")),
)
boxes = st.none() | st.just([]) | st.lists(coordinates, min_size=4, max_size=4)


@st.composite
def annotations(draw, version):
    steps = []
    for index in sorted(draw(st.sets(st.integers(0, 50), min_size=1, max_size=5))):
        action, info = draw(infos)
        value = {"step": index, "action": action, "info": info, "screenshot": f"{index}.png"}
        if draw(st.booleans()):
            value["ps"] = draw(words)
        if draw(st.booleans()):
            value["remark"] = draw(st.dictionaries(words, st.integers() | words, max_size=2))
        if version == "2":
            value |= {
                "sam2_bbox": draw(boxes),
                "description": draw(words),
                "intention": draw(words),
                "context": draw(words),
                "low_level_instruction": draw(words),
            }
        steps.append(value)
    about = {
        "category": draw(st.sampled_from(guiodyssey.CATEGORIES)),
        "app": draw(st.lists(words, max_size=3)),
        "meta_task": draw(words),
        "task": draw(words),
        "instruction": draw(words),
    }
    more = draw(st.dictionaries(st.sampled_from(["licence", "x"]), words))
    return {
        "episode_id": draw(st.from_regex(r"0[0-9]{15}", fullmatch=True)),
        "device_info": draw(st.just(sample.DEVICE) | st.just({"w": 1080, "h": 2400})),
        "task_info": about,
        "step_length": draw(st.integers(0, 60)),
        "steps": steps,
    } | more


@pytest.mark.parametrize("version", ["1", "2"])
@given(data=st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_an_imported_annotation_exports_to_itself(tmp_path_factory, version, data):
    value = data.draw(annotations(version))
    folder = tmp_path_factory.mktemp("round")
    sample.write(folder / "set", [value], {"app": {"test": [f"{value['episode_id']}.json"]}}, False)
    for step in value["steps"][1:]:
        (folder / "set/screenshots" / step["screenshot"]).write_bytes(png(shade=step["step"]))
    stills = StillFiles(folder / "library")
    picture_store = LibraryPictureStore(stills)
    found = list(guiodyssey.read(folder / "set", picture_store, version))
    (episode,) = (item for item in found if isinstance(item, Episode))
    assert len(episode.steps) == len(value["steps"])
    assert sum(isinstance(item, MissingPicture) for item in found) == 1
    guiodyssey_writer.write([episode], folder / "out", stills, version)
    assert json_files(folder / "out")[f"annotations/{value['episode_id']}.json"] == value
    (again,) = read(folder / "out", picture_store, version)
    assert replace(again, origin=episode.origin) == episode


def test_numbers_keep_their_form(tmp_path, picture_store, stills):
    value = sample.annotation(
        "7", [sample.step(0, "CLICK", [[140, 140.0]])], sample.MILK["task_info"]
    )
    (episode,) = read(sample.write(tmp_path / "set", [value]), picture_store)
    assert episode.steps[0].native == Native(
        "guiodyssey", '{"action":"CLICK","info":[[140,140.0]]}'
    )
    guiodyssey_writer.write([episode], tmp_path / "out", stills, "1")
    text = (tmp_path / "out/annotations/7.json").read_text()
    assert "140," in text.replace(" ", "").replace("\n", "")
    assert "140.0" in text
