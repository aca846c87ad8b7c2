"""AITZ (aitz): reading and writing its folders, and round trips."""

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from episodes import actions as a
from episodes.annotations import PrivateBox
from episodes.episodes import Episode, Task
from episodes.errors import KnownError
from episodes.formats import FORMATS, aitz, aitz_writer
from episodes.formats.aitz_rows import unit_of_boxes
from episodes.formats.input_files import ImportNote, MissingPicture, Refused
from episodes.formats.output_files import Loss
from episodes.formats.picture_store import LibraryPictureStore
from episodes.geometry import Box, Direction, Point, Size
from episodes.screens import Basis, Frame
from episodes.steps import Step, StepTexts
from episodes.store.stills import StillFiles
from episodes.trees.readers import read_record
from scoring.protocols import lookup
from tests.episodes.formats import recordings
from tests.episodes.formats.recordings import SIZE
from tests.samples import aitz as sample
from tests.samples.drawn import png

FILE = f"{sample.STEM}.json"
recorded = partial(recordings.recorded, task=Task("Buy a kettle", category="general"))


def read(path, picture_store):
    found = list(aitz.read(path, picture_store))
    return [e for e in found if isinstance(e, Episode)], [
        e for e in found if not isinstance(e, Episode)
    ]


def rows_of(folder):
    (path,) = folder.rglob("*.json")
    return json.loads(path.read_text())


def test_an_episode_is_imported_with_its_texts_numbers_and_elements(tmp_path, picture_store):
    (episode,), problems = read(sample.write(tmp_path, sample.kettle()), picture_store)
    assert problems == []
    assert (episode.name, episode.task, episode.declared_steps, episode.splits) == (
        sample.NAME,
        Task("Look for a kettle – a blue one", category="general"),
        4,
        (("aitz", "test"),),
    )
    at = Point(0.70892333984375 * 36, 0.7761470675468445 * 80)
    assert [step.action for step in episode.steps] == [
        a.Tap(at, at),
        a.Swipe(Point(18, 64), Point(18, 16)),
        a.TypeText("kettle ☕"),
        a.Finish(a.Ending.COMPLETE),
    ]
    first = episode.steps[0]
    assert first.texts == StepTexts(
        "click on the blue kettle", "A shop – with kettles.", "The blue one is below."
    )
    assert (first.native.space, first.native.value) == (
        "aitz",
        {
            "action_type": 4,
            "touch": [0.7761470675468445, 0.70892333984375],
            "lift": [0.7761470675468445, 0.70892333984375],
            "text": "",
            "boxes": [[4, 5, 2, 10], [20, 0, 10, 20]],
            "description": "click on the blue kettle",
        },
    )
    nodes = read_record(first.tree.record, SIZE).walk()
    assert [(node.text, node.box) for node in nodes][1:] == [
        ("Kettles", Box(5, 4, 15, 6)),
        ("☕", Box(0, 20, 20, 30)),
    ]
    assert [lookup("aitz/lift").gold(step, episode).kind for step in episode.steps] == [
        "click",
        "scroll",
        "type",
        "stop",
    ]


def test_import_and_export_give_the_files_again(tmp_path, picture_store, stills):
    folder = sample.write(tmp_path / "set", sample.kettle())
    episodes, _ = read(folder, picture_store)
    written = aitz_writer.write(episodes, tmp_path / "out", stills)
    assert (written.episodes, written.steps, written.pictures, written.losses) == (1, 4, 4, ())
    files = [
        {path.relative_to(one): path.read_bytes() for path in one.rglob("*.png")}
        for one in (folder, tmp_path / "out")
    ]
    assert files[0] == files[1]
    assert rows_of(tmp_path / "out") == sample.kettle()


CASES = Path(__file__).parents[2] / "cases" / "datasets"


def test_boxes_in_fractions_become_the_elements_that_they_were_in_pixels(picture_store):
    ((pixels,), told), ((shares,), _) = (
        read(CASES / "aitz_px", picture_store),
        read(CASES / "aitz_norm", picture_store),
    )
    assert told == []
    assert [step.tree for step in shares.steps] == [step.tree for step in pixels.steps]
    assert [step.action for step in shares.steps] == [step.action for step in pixels.steps]
    assert shares.steps[0].native.value["box_unit"] == "fraction"
    assert "box_unit" not in pixels.steps[0].native.value


@pytest.mark.parametrize(
    ("positions", "more", "unit"),
    [
        ("[[4, 5, 2, 10]]", {}, "pixel"),
        ("[[0, 0, 1, 1]]", {}, "pixel"),
        ("[[0, 0, 1, 1]]", {"image_width": 36, "image_height": 80}, "fraction"),
        ("[[0.0, 0.0, 1.0, 1.0]]", {}, "fraction"),
        ("[[0.1, 0.2, 0.3, 1.4]]", {}, "fraction"),
        ("[[4, 5, 2, 10]]", {"image_width": 36, "image_height": 80}, "pixel"),
        ("[[4.0, 5.5, 2.0, 10.0]]", {}, "pixel"),
        ("[]", {"image_width": 36, "image_height": 80}, "pixel"),
    ],
)
def test_the_unit_of_boxes_follows_from_the_numbers_of_a_file(positions, more, unit):
    rows = [sample.step(0, 6, ui_positions=positions, **more), sample.step(1, 6, ui_positions="[]")]
    assert unit_of_boxes(rows) == unit


def test_cagui_is_imported_with_its_long_presses_waits_and_opened_apps(picture_store):
    (episode,), problems = read(CASES / "cagui", picture_store)
    assert problems == []
    assert [step.action for step in episode.steps] == [
        a.OpenApp("微信"),
        a.Tap(Point(540, 1200), Point(540, 1200)),
        a.LongPress(Point(540, 1200), 1_000_000),
        a.Wait(2_000_000),
        a.TypeText("北京"),
        a.Finish(a.Ending.COMPLETE),
    ]
    assert (episode.task.category, episode.steps[0].texts.instruction) == ("domestic", "x")
    assert episode.steps[0].frame.still.media_type == "image/jpeg"


def test_cagui_goes_back_as_it_was_but_for_its_pictures_form(tmp_path, picture_store, stills):
    (episode,), _ = read(CASES / "cagui", picture_store)
    written = aitz_writer.write([episode], tmp_path / "out", stills)
    assert (written.steps, written.losses) == (6, ())
    (path,) = (CASES / "cagui").rglob("*.json")
    own = [row | {"image_path": None} for row in json.loads(path.read_text())]
    assert [row | {"image_path": None} for row in rows_of(tmp_path / "out")] == own


def test_the_screen_s_size_is_read_from_a_prepared_file_without_pictures(tmp_path, picture_store):
    rows = [sample.step(0, 6, image_width=1080, image_height=2400, ui_positions="[[0.1,0,1,1]]")]
    folder = sample.write(tmp_path, rows)
    (folder / "test/general" / sample.STEM / f"{sample.STEM}_0.png").unlink()
    (episode,), problems = read(folder, picture_store)
    assert episode.steps[0].frame.size == Size(1080, 2400)
    assert MissingPicture(f"{FILE} step 0", "the picture is not there") in problems


def test_a_picture_whose_size_differs_from_the_file_s_is_noted(tmp_path, picture_store):
    rows = [sample.step(0, 6, image_width=1080, image_height=2400)]
    (episode,), problems = read(sample.write(tmp_path, rows), picture_store)
    assert episode.steps[0].frame.size == SIZE
    said = "the file says that the picture is 1080x2400, and it is 36x80"
    assert ImportNote(f"{FILE} step 0", said) in problems


def test_any_folder_of_the_data_set_can_be_named_or_the_file_itself(tmp_path, picture_store):
    folder = sample.write(tmp_path / "set", sample.kettle())
    (whole,), _ = read(folder, picture_store)
    for path in ("test", "test/general", f"test/general/{sample.STEM}"):
        assert aitz.count(folder / path) == 1
        assert read(folder / path, picture_store) == ([whole], [])
    assert read(folder / "test/general" / sample.STEM / FILE, picture_store) == ([whole], [])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (sample.step(1, 4), None),
        (sample.step(1, 4, result_touch_yx="[1]"), 'result_touch_yx is "[1]", not y and x'),
        (sample.step(1, 4, result_lift_yx=None), "result_lift_yx is missing, not y and x"),
        (sample.step(1, 4, result_lift_yx="[1e400]"), 'result_lift_yx is "[1e400]", not y and x'),
        (sample.step(1, None), "result_action_type is missing, not a number"),
        (sample.step(1, 3, result_action_text=7), "result_action_text is 7, not a text"),
        (sample.step(1, 3, episode_id="other"), 'it is of episode "other"'),
        (sample.step(0, 3), "the file contains this step twice; the first is used"),
    ],
)  # fmt: skip
def test_a_step_that_lacks_what_it_needs_is_refused_alone(tmp_path, picture_store, row, reason):
    (episode,), problems = read(sample.write(tmp_path, [sample.step(0, 6), row]), picture_store)
    refused = [one for one in problems if isinstance(one, Refused)]
    if reason is None:
        assert (len(episode.steps), refused) == (2, [])
    else:
        assert len(episode.steps) == 1
        assert refused == [Refused(f"{FILE} step {row['step_id']}", reason)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is not JSON (Input data was truncated)"),
        ("{}", "it holds no list of steps"),
        ("[]", "it holds no list of steps"),
        ('[{"episode_id": 7}]', "episode_id is 7, not a text"),
        ('[{"episode_id": "a/b"}]', 'episode_id holds "/", which no file\'s name can'),
        ('[{"episode_id": "a"}]', "instruction is missing, not a text"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path, picture_store, text, reason):
    (tmp_path / "a.json").write_text(text)
    assert read(tmp_path, picture_store) == ([], [Refused("a.json", reason)])
    assert aitz.count(tmp_path) == 0


def test_a_file_that_is_not_a_regular_file_does_not_block(tmp_path, picture_store):
    folder = sample.write(tmp_path, sample.kettle())
    os.mkfifo(folder / "a.json")
    (episode,), problems = read(folder, picture_store)
    assert aitz.count(folder) == 0  # it looks at the first
    assert len(episode.steps) == 4
    assert problems == [Refused("a.json", "a.json is not a regular file")]


def test_a_file_that_is_a_link_out_of_the_folder_is_not_read(tmp_path, picture_store):
    folder = sample.write(tmp_path / "set", sample.kettle())
    (path,) = folder.rglob("*.json")
    path.replace(tmp_path / "outside.json")
    path.symlink_to(tmp_path / "outside.json")
    reason = "it is a link that leads out of its folder"
    assert (aitz.count(folder), read(folder, picture_store)) == (
        0,
        ([], [Refused(path.name, reason)]),
    )


def test_a_folder_without_files_is_a_known_error(tmp_path, picture_store):
    with pytest.raises(KnownError, match="there are 0 JSON files"):
        read(tmp_path, picture_store)


def test_a_missing_picture_is_counted_and_the_size_is_read_from_another(tmp_path, picture_store):
    folder = sample.write(tmp_path, [sample.step(0, 6), sample.step(1, 7)])
    (folder / "test/general" / sample.STEM / f"{sample.STEM}_1.png").unlink()
    (episode,), problems = read(folder, picture_store)
    assert [step.frame.size for step in episode.steps] == [SIZE, SIZE]
    assert problems == [
        ImportNote(f"{FILE} step 1", "another step's picture tells the screen's size, 36x80"),
        MissingPicture(f"{FILE} step 1", "the picture is not there"),
        ImportNote(FILE, "episode_length says 4, 2 steps came in"),
    ]


def test_a_picture_s_name_does_not_lead_out_of_the_folder(tmp_path, picture_store):
    (tmp_path / "secret.png").write_bytes(png())
    rows = [sample.step(0, 6, image_path="general/../../../../secret.png")]
    folder = sample.write(tmp_path / "set", rows)
    (episode,), _ = read(folder, picture_store)
    assert episode.steps[0].frame.still is None


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
NUMBERS = st.floats(-1, 2) | st.integers(-5, 3000)
ODD = st.none() | WORDS | st.integers(-9, 9) | st.lists(NUMBERS, max_size=5)


@st.composite
def files(draw):
    """Steps of one episode as files might hold them, some members odd."""
    rows = []
    for number in range(draw(st.integers(1, 3))):
        boxes = draw(st.lists(st.lists(NUMBERS, min_size=4, max_size=4), max_size=2))
        words = [draw(WORDS) for _ in boxes]
        told = {
            "ui_positions": json.dumps(boxes),
            "ui_text": json.dumps(words),
            "ui_types": json.dumps(words),
            "result_touch_yx": json.dumps(draw(st.lists(NUMBERS, min_size=2, max_size=2))),
            "result_lift_yx": json.dumps(draw(st.lists(NUMBERS, min_size=2, max_size=2))),
            "coat_action_desc": draw(WORDS),
        }
        names = st.sampled_from(
            ["ui_positions", "ui_text", "ui_types", "coat_screen_desc", "coat_action_desc", "new"]
        )
        told |= draw(st.dictionaries(names, ODD, max_size=2))
        rows.append(sample.step(number, draw(st.sampled_from([3, 4, 5, 7, 10, 99])), **told))
    return rows


@given(files())
@settings(max_examples=40, deadline=None)
def test_every_file_comes_back_as_it_was(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("round")
    stills = StillFiles(folder / "library")
    picture_store = LibraryPictureStore(stills)
    (episode,), _ = read(sample.write(folder / "set", rows), picture_store)
    written = aitz_writer.write([episode], folder / "out", stills)
    assert (written.steps, written.losses) == (len(rows), ())
    assert rows_of(folder / "out") == rows
    (again,), _ = read(folder / "out", picture_store)
    assert replace(again, origin=episode.origin) == episode


def test_a_recording_is_written_in_the_data_set_s_words(tmp_path, picture_store, stills):
    still = picture_store.keep_bytes(png(SIZE), "x")
    frame = Frame(SIZE, Basis.PAINTED, still)
    made = recorded(
        Step(0, a.Tap(Point(18, 40)), frame, texts=StepTexts("Tap it", "A list")),
        Step(0, a.Scroll(Direction.UP), frame),
        Step(0, a.OpenApp("Clock"), frame),
        Step(0, a.Finish(a.Ending.IMPOSSIBLE), frame, private=True),
    )
    written = aitz_writer.write([made], tmp_path / "out", stills)
    assert written.losses == (
        Loss("a step's texts other than its description and intention", "e-0001 step 0", 1),
        Loss("the way of a scroll; a stroke is written", "e-0001 step 1", 1),
        Loss("the action open app", "e-0001 step 2", 1),
        Loss("a private step", "e-0001 step 3", 1),
    )
    assert [
        {key: row[key] for key in ("step_id", "episode_length", "image_path", "coat_action_desc")}
        for row in rows_of(tmp_path / "out")
    ] == [
        {
            "step_id": 0,
            "episode_length": 2,
            "image_path": "general/GENERAL-e-0001/GENERAL-e-0001_0.png",
            "coat_action_desc": "click on the element",
        },
        {
            "step_id": 1,
            "episode_length": 2,
            "image_path": "general/GENERAL-e-0001/GENERAL-e-0001_1.png",
            "coat_action_desc": "scroll up",
        },
    ]
    (again,), problems = read(tmp_path / "out", picture_store)
    assert problems == []
    assert [lookup("aitz/lift").gold(step, again).kind for step in again.steps] == [
        "click",
        "scroll",
    ]


def test_words_of_a_covered_screen_do_not_come_back(tmp_path, picture_store, stills):
    rows = [sample.step(0, 6, ui_text='["Ada","1"]')]
    (episode,), _ = read(sample.write(tmp_path / "set", rows), picture_store)
    step = replace(episode.steps[0], private_boxes=(PrivateBox(Box(0, 0, 9, 9)),))
    FORMATS["aitz"].write([replace(episode, steps=(step,))], tmp_path / "out", stills, "1")
    assert "Ada" not in (next((tmp_path / "out").rglob("*.json"))).read_text()


def test_nothing_is_left_of_an_export_that_failed(tmp_path, picture_store, stills):
    episodes, _ = read(sample.write(tmp_path / "set", sample.kettle()), picture_store)
    still = episodes[0].steps[3].frame.still
    stills.path(still.sha256, still.media_type).unlink()
    with pytest.raises(KnownError, match="episodes check"):
        aitz_writer.write(episodes, tmp_path / "out", stills)
    assert not (tmp_path / "out").exists()
