"""The target of a press in data sets' files: written once rounded, read, and written the same."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource, Status
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.formats import FORMATS, androidcontrol_writer, guiodyssey_writer
from episodes.formats.androidcontrol_targets import TARGETS, target_region
from episodes.formats.example import Feature, read_example, write_example
from episodes.formats.input_files import ImportNote
from episodes.formats.output_files import Loss
from episodes.formats.tfrecord import RecordReader, RecordWriter
from episodes.geometry import Box, Native, Point, Size
from episodes.screens import Basis, Frame
from episodes.steps import Step
from tests.samples.drawn import png

SIZE = Size(36, 80)
MASK = Provenance(RegionSource.SAM2, "sam2.1_hiera_tiny", "7402e0d864fa", score=0.9)


def chosen(box, label="Save", **fields):
    return Region(box, MASK, label, status=Status.ACCEPTED, chosen=True, **fields)


def pressed(*steps, name="1000000", origin="recorded"):
    return Episode(
        uuid="7d2b3c1e-0000-4000-8000-000000000001",
        name=name,
        origin=Origin(origin),
        task=Task("Save it"),
        state=EpisodeState.FINISHED,
        steps=tuple(replace(step, index=at) for at, step in enumerate(steps)),
    )


def press(*regions, action=None, frame=None):
    return Step(0, action or a.Tap(Point(20, 30)), frame, regions=regions)


@pytest.fixture
def frame(picture_store):
    return Frame(SIZE, Basis.IMPORTED, picture_store.keep_bytes(png(SIZE), "p"))


def features(folder):
    with RecordReader(folder / androidcontrol_writer.SHARD, "read") as reader:
        return [read_example(data) for _, data in reader]


def came_in(name, path, picture_store):
    found = list(FORMATS[name].read(path, picture_store))
    return [one for one in found if isinstance(one, Episode)], [
        one.reason for one in found if isinstance(one, ImportNote) and "target" in one.reason
    ]


def test_androidcontrol_files_contain_the_target_of_a_press(tmp_path, picture_store, stills, frame):
    sharp = replace(frame, size=Size(72, 160))  # the picture is half as large as the coordinates
    told = pressed(
        press(chosen(Box(20, 40.6, 61, 81)), Region(Box(0, 0, 9, 9), MASK), frame=sharp),
        press(frame=frame),
        press(chosen(Box(2, 3, 2.2, 3.1)), frame=frame),
        press(chosen(Box(2, 3, 9, 9)), action=a.Wait(), frame=frame),
    )
    written = androidcontrol_writer.write([told], tmp_path / "out", stills)
    texts = [bytes(one).decode() for one in features(tmp_path / "out")[0][TARGETS].bytes_values()]
    assert texts == ['{"box":[10,20,30,40],"label":"Save"}', "", "", ""]
    assert written.losses == (
        Loss("a step's regions but its target", "1000000 step 0", 1),
        Loss("a target of less than a pixel, or off the screen", "1000000 step 2", 1),
        Loss("a target on a step without a press", "1000000 step 3", 1),
    )
    ((again,), notes) = came_in("androidcontrol", tmp_path / "out", picture_store)
    (target,) = again.steps[0].regions
    assert (target.box, target.label, target.chosen) == (Box(10, 20, 30, 40), "Save", True)
    assert (again.steps[1].regions, notes) == ((), [])


def test_foreign_values_of_that_name_are_stored_and_not_used(
    tmp_path, picture_store, stills, frame
):
    told = pressed(press(frame=frame), press(frame=frame))
    androidcontrol_writer.write([told], tmp_path / "out", stills)
    (made,) = features(tmp_path / "out")
    for number, feature in enumerate(
        (
            Feature.of_texts(["button", '{"box":[1,2,"3",4]}']),
            Feature.of_ints([7]),
            Feature.of_texts(['{"box":[5,5,5,9]}']),
        )
    ):
        folder = tmp_path / f"set-{number}"
        folder.mkdir()
        shard = RecordWriter(folder / androidcontrol_writer.SHARD, "write")
        shard.write(write_example(made | {TARGETS: feature}))
        shard.close()
        ((found,), notes) = came_in("androidcontrol", folder, picture_store)
        assert [step.regions for step in found.steps] == [(), ()]
        assert len(notes) == (2, 0, 2)[number]
        androidcontrol_writer.write([found], tmp_path / f"out-{number}", stills)
        (again,) = features(tmp_path / f"out-{number}")
        assert write_example({TARGETS: again[TARGETS]}) == write_example({TARGETS: feature})


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"box":[1,2,3]}', '{"box":[1,2,3,1e99]}', '{"box":[0,0,9,9],"label":3}'],
)
def test_a_text_without_a_target_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        target_region(text, "7", 0)


def test_a_persons_target_goes_before_the_box_that_was_published(tmp_path, stills, frame):
    published = Region(
        Box(0, 0, 36, 80),
        Provenance(RegionSource.IMPORT),
        native=Native.of("guiodyssey", [0, 0, 999, 999]),
        status=Status.SUPERSEDED,
    )
    native = Native.of("guiodyssey", {"action": "CLICK", "info": [[500, 500], [500, 500]]})
    person = replace(chosen(Box(9, 20, 27, 61)), provenance=Provenance(RegionSource.PERSON))
    steps = [
        replace(press(*regions, frame=frame), native=native)
        for regions in ((published, person), (published,), ())
    ]
    told = pressed(*steps, name="0001", origin="guiodyssey")
    guiodyssey_writer.write([told], tmp_path / "out", stills)
    value = json.loads((tmp_path / "out/annotations/0001.json").read_text())
    assert [step.get("sam2_bbox", "no word") for step in value["steps"]] == [
        [250, 250, 722, 750],
        [0, 0, 999, 999],
        "no word",
    ]


EDGES = st.floats(0, 80, allow_nan=False)
BOXES = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    st.floats(0, 30),
    st.floats(0, 70),
    st.floats(1.5, 40),
    st.floats(1.5, 60),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12)
@given(boxes=st.lists(BOXES, min_size=1, max_size=3))
def test_a_written_target_is_imported_and_exported_with_the_same_numbers(
    tmp_path_factory, picture_store, stills, frame, boxes
):
    folder = tmp_path_factory.mktemp("targets")
    told = pressed(*(press(chosen(box), frame=frame) for box in boxes))
    for name, version in (("guiodyssey", "2"), ("androidcontrol", "1")):
        first, second = folder / name, folder / f"{name}-again"
        FORMATS[name].write([told], first, stills, version)
        ((again,), _) = came_in(name, first, picture_store)
        assert all(step.target is not None for step in again.steps)
        for step, box in zip(again.steps, boxes, strict=True):
            across, down = (1, 1) if name == "androidcontrol" else (36 / 1000, 80 / 1000)
            assert abs(step.target.box.left - box.left) <= across / 2 + 1e-6
            assert abs(step.target.box.top - box.top) <= down / 2 + 1e-6
        FORMATS[name].write([again], second, stills, version)
        if name == "guiodyssey":
            pages = [one / "annotations/1000000.json" for one in (first, second)]
            texts = [
                [step["sam2_bbox"] for step in json.loads(page.read_text())["steps"]]
                for page in pages
            ]
        else:
            texts = [
                list(map(bytes, features(one)[0][TARGETS].bytes_values()))
                for one in (first, second)
            ]
        assert texts[0] == texts[1]
