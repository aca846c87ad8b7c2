"""COCO files of regions (coco): written, and read as candidates."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from episodes import actions as a
from episodes.annotations import Author, Mask, PrivateBox, Provenance, Region, RegionSource, Status
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import FORMATS, coco, coco_writer
from episodes.formats.coco_masks import area_of, mask_of, runs_of
from episodes.formats.input_files import ImportNote, Refused
from episodes.formats.output_files import Loss
from episodes.geometry import Box, Point, Size
from episodes.media import pictures
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from tests.samples.drawn import png

SIZE = Size(36, 80)
UUID = "7d2b3c1e-0000-4000-8000-000000000001"
TREE = StepTree(
    TreeRecord(
        "uiautomator",
        b"<hierarchy><node class='android.widget.FrameLayout' bounds='[0,0][36,80]'>"
        b"<node class='android.widget.Button' text='Save' bounds='[10,20][30,40]'/>"
        b"</node></hierarchy>",
        "x",
        TreeStatus.OK,
        size=SIZE,
    ),
    TreeFit.FRESH,
)
MASK = Mask(Box(10, 20, 30, 40), pictures.encode_png(np.full((20, 20), 255, np.uint8)))
SAVE = Region(
    Box(10, 20, 30, 40),
    Provenance(RegionSource.TREE, node="0/0"),
    "Save",
    MASK,
    chosen=True,
    status=Status.ACCEPTED,
    author=Author("u", "Ada"),
    uuid="7d2b3c1e-0000-4000-8000-0000000000aa",
)
FOUND = Region(Box(1, 1, 4, 4), Provenance(RegionSource.SAM2, "sam2", "2.1", score=0.5), "icon")


@pytest.fixture
def tea(picture_store):
    frame = Frame(SIZE, Basis.IMPORTED, picture_store.keep_bytes(png(), "p"))
    return Episode(
        uuid=UUID,
        name="e-0001",
        origin=Origin("recorded"),
        task=Task("Set a timer"),
        state=EpisodeState.FINISHED,
        steps=(
            Step(0, a.Tap(Point(2, 3)), frame, tree=TREE, regions=(SAVE, FOUND)),
            Step(1, a.Tap(Point(2, 3)), regions=(FOUND,)),
            Step(2, a.Tap(Point(2, 3)), frame, regions=(Region(None, FOUND.provenance),)),
            Step(3, a.Tap(Point(2, 3)), frame, regions=(FOUND,), private=True),
        ),
    )


def written(folder):
    return json.loads((folder / "annotations.json").read_text())


def test_steps_become_images_and_regions_annotations_of_their_kind(tmp_path, stills, tea):
    done = coco_writer.write([tea], tmp_path / "out", stills)
    assert (done.episodes, done.steps, done.pictures) == (1, 2, 2)
    assert done.losses == (
        Loss("a step without a picture, and its regions", "e-0001 step 1", 1),
        Loss("a region without a box", "e-0001 step 2", 1),
        Loss("a private step", "e-0001 step 3", 1),
    )
    told = written(tmp_path / "out")
    assert told["categories"] == [{"id": 1, "name": "region"}, {"id": 2, "name": "Button"}]
    common = {"width": 36, "height": 80, "uuid": UUID, "episode": "e-0001"}
    assert told["images"] == [
        {"id": 1, "file_name": "images/e-0001_0.png", **common, "step": 0},
        {"id": 2, "file_name": "images/e-0001_2.png", **common, "step": 2},
    ]
    first, second = told["annotations"]
    runs = first.pop("segmentation")
    assert (sum(runs["counts"]), area_of(runs), runs["size"]) == (36 * 80, 400, [80, 36])
    assert first == {
        "id": 1,
        "image_id": 1,
        "category_id": 2,
        "bbox": [10, 20, 20, 20],
        "area": 400,
        "iscrowd": 0,
        "attributes": {
            "uuid": SAVE.uuid,
            "label": "Save",
            "status": "accepted",
            "chosen": True,
            "provenance": {"source": "tree", "node": "0/0"},
            "author": {"uuid": "u", "name": "Ada"},
        },
    }
    assert (second["category_id"], second["segmentation"], second["area"]) == (1, [], 9)
    assert (tmp_path / "out/images/e-0001_0.png").read_bytes() == png()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "annotations.json",
        "images",
    ]


def test_regions_come_back_as_candidates(tmp_path, stills, tea):
    coco_writer.write([tea], tmp_path / "out", stills)
    (found,) = coco.read_regions(tmp_path / "out")
    assert (found.uuid, found.episode, found.step, found.size) == (UUID, "e-0001", 0, SIZE)
    save, icon = found.regions
    assert (save.box, save.label, save.uuid, save.author, save.provenance) == (
        SAVE.box,
        "Save",
        SAVE.uuid,
        SAVE.author,
        SAVE.provenance,
    )
    assert (save.mask, save.chosen, save.status) == (MASK, False, Status.PROPOSED)
    assert (icon.box, icon.label, icon.mask, icon.provenance) == (
        FOUND.box,
        "icon",
        None,
        FOUND.provenance,
    )
    (again,) = coco.read_regions(tmp_path / "out/annotations.json")
    assert again == found


@given(
    arrays.arrays(bool, st.tuples(st.integers(1, 9), st.integers(1, 9))),
    st.integers(0, 5),
    st.integers(0, 5),
)
@settings(max_examples=60, deadline=None)
def test_a_mask_comes_back_pixel_for_pixel(inside, left, top):
    height, width = inside.shape
    image = pictures.encode_png((inside * np.uint8(255)).astype(np.uint8))
    mask = Mask(Box(left, top, left + width, top + height), image)
    whole = Size(20, 24)
    runs = runs_of(mask, whole, whole)
    assert area_of(runs) == inside.sum()
    found = mask_of(runs)
    drawn = np.zeros((24, 20), bool)
    if found is not None:
        box = found.box
        part = pictures.decode(found.png)[:, :, 0] > 127
        drawn[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = part
    wanted = np.zeros((24, 20), bool)
    wanted[top : top + height, left : left + width] = inside
    assert (drawn == wanted).all()


def test_a_mask_grows_with_a_larger_picture():
    runs = runs_of(MASK, SIZE, Size(72, 160))
    assert (area_of(runs), mask_of(runs).box) == (1600, Box(20, 40, 60, 80))


IMAGE = {"id": 1, "width": 36, "height": 80, "file_name": "x/e-0001_3.png"}
PLAIN = {"id": 1, "image_id": 1, "category_id": 5, "bbox": [1, 2, 3, 4]}


def file(folder, images, annotations, **more):
    path = folder / "coco.json"
    path.write_text(json.dumps({"images": images, "annotations": annotations, **more}))
    return path


def test_a_foreign_file_names_its_step_by_the_picture_s_name(tmp_path):
    kinds = [{"id": 5, "name": "Button", "supercategory": "x"}]
    outlined = PLAIN | {"id": 2, "segmentation": [[1, 2, 3, 4, 5, 6]]}
    path = file(tmp_path, [IMAGE], [PLAIN, outlined], categories=kinds, info={})
    note, found = coco.read_regions(path)
    assert note == ImportNote(
        "coco.json annotations[1]", "its outline is no list of run lengths; its box is read"
    )
    assert (found.uuid, found.episode, found.step) == ("", "e-0001", 3)
    assert [(r.box, r.label, r.provenance) for r in found.regions] == [
        (Box(1, 2, 4, 6), "Button", Provenance(RegionSource.IMPORT, "coco", "coco.json"))
    ] * 2
    assert found.regions == list(coco.read_regions(path))[1].regions  # the same uuids


@pytest.mark.parametrize(
    ("image", "annotation", "where", "reason"),
    [
        (IMAGE, PLAIN | {"bbox": [1, 2, 3]}, "annotations[0]", "its bbox is not left, top"),
        (IMAGE, PLAIN | {"bbox": [1, 2, 0, 4]}, "annotations[0]", "its bbox is 0 by 4: nothing"),
        (IMAGE, PLAIN | {"bbox": [1e10, 2, 1, 4]}, "annotations[0]", "its bbox is not left"),
        (IMAGE, PLAIN | {"bbox": "x"}, "annotations[0]", "Expected `array`, got `str`"),
        (IMAGE, PLAIN | {"image_id": 9}, "", "there is no image 9"),
        (IMAGE | {"width": 0}, PLAIN, "images[0]", "it is 0 by 80 pixels, which no screen is"),
        (IMAGE | {"file_name": "x.png"}, PLAIN, "images[0]", "it does not say which step"),
        (IMAGE | {"step": -1, "uuid": "u"}, PLAIN, "images[0]", "it names no step that there"),
        (
            IMAGE,
            PLAIN | {"segmentation": {"size": [2, 2], "counts": [5]}},
            "annotations[0]",
            "its segmentation has runs that are no lengths",
        ),
        (
            IMAGE,
            PLAIN | {"segmentation": {"size": [2, 2], "counts": [1, 1]}},
            "annotations[0]",
            "the runs of its segmentation are not as long as the picture",
        ),
        (
            IMAGE,
            PLAIN | {"segmentation": {"size": [10**9, 1], "counts": [1]}},
            "annotations[0]",
            "its segmentation is of a picture of 1 by 1000000000 pixels",
        ),
    ],
)
def test_what_cannot_be_taken_is_refused_alone(tmp_path, image, annotation, where, reason):
    found = [
        one
        for one in coco.read_regions(file(tmp_path, [image], [annotation]))
        if isinstance(one, Refused)
    ]
    assert len(found) == 1
    assert found[0].where == f"coco.json {where}".strip()
    assert found[0].reason.startswith(reason)


def test_a_file_of_another_kind_is_a_known_error(tmp_path):
    for text in ("{", "[]", '{"images": 7}', '{"images": [], "annotations": {}}'):
        (tmp_path / "a.json").write_text(text)
        with pytest.raises(KnownError, match="it is no COCO file"):
            list(coco.read_regions(tmp_path / "a.json"))
    with pytest.raises(KnownError, match="No such file"):
        list(coco.read_regions(tmp_path))


def test_private_boxes_are_drawn_over_and_have_no_label(tmp_path, stills, tea):
    first = replace(tea.steps[0], private_boxes=(PrivateBox(Box(5, 5, 36, 60)),))
    FORMATS["coco"].write([replace(tea, steps=(first,))], tmp_path / "out", stills, "1")
    told = written(tmp_path / "out")
    assert [one["attributes"]["label"] for one in told["annotations"]] == ["", "icon"]
    assert [one["category_id"] for one in told["annotations"]] == [1, 1]
    assert (pictures.decode((tmp_path / "out/images/e-0001_0.png").read_bytes())[6, 6] == 0).all()


def test_nothing_is_left_of_an_export_that_failed(tmp_path, stills, tea):
    still = tea.steps[0].frame.still
    stills.path(still.sha256, still.media_type).unlink()
    with pytest.raises(KnownError, match="episodes check"):
        coco_writer.write([tea], tmp_path / "out", stills)
    assert not (tmp_path / "out").exists()
