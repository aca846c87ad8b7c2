import gzip
import json
from dataclasses import replace

import numpy as np
import pytest
import zstandard
from pyarrow import parquet

from episodes import actions as a
from episodes.annotations import PrivateBox, Provenance, Region, RegionSource
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import FORMATS
from episodes.formats.androidcontrol import packed_tree
from episodes.formats.output_files import Loss
from episodes.formats.private_boxes import FIELD, LABEL, PROTECTED, TREE, UNREAD, PrivacyCover
from episodes.geometry import Box, Point, Size
from episodes.media import pictures
from episodes.screens import (
    Basis,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step
from episodes.store.stills import StillFiles
from tests.samples.androidcontrol import node, window
from tests.samples.drawn import png

WRITTEN = [name for name, one in FORMATS.items() if one.write is not None]

SIZE = Size(36, 80)
BOX = PrivateBox(Box(10.4, 20, 20, 30.2), "a name")


@pytest.fixture
def stills(tmp_path):
    return StillFiles(tmp_path / "library")


@pytest.fixture
def frame(stills):
    def make(shade, size=SIZE, basis=Basis.PAINTED):
        data = png(size, shade)
        sha256 = stills.write(data, "image/png")
        still = Still(sha256, "image/png", size, len(data), StillSource.STREAM, True, b"luma")
        return Frame(size, basis, still)

    return make


@pytest.fixture
def episode(frame):
    def step(index, **fields):
        record = TreeRecord("uiautomator", b"<hierarchy/>", "d", TreeStatus.OK)
        return Step(
            index,
            a.Tap(Point(1, 1)),
            frame(index * 10),
            after=frame(index * 10 + 5, basis=Basis.AFTER),
            tree=StepTree(record, TreeFit.FRESH),
            **fields,
        )

    return Episode(
        uuid="one",
        name="e-0001",
        origin=Origin("recorded"),
        task=Task("Call Ada"),
        state=EpisodeState.FINISHED,
        steps=(step(0), step(1), step(2)),
        final=frame(99, basis=Basis.FINAL),
    )


def marked(episode, at, **fields):
    steps = list(episode.steps)
    steps[at] = replace(steps[at], **fields)
    return replace(episode, steps=tuple(steps))


def black(cover, frame):
    """The rectangle that is black, and whether all else is as it was."""
    pixels = pictures.decode(cover.path(frame.still.sha256, frame.still.media_type).read_bytes())
    dark = (pixels == 0).all(axis=2)
    if not dark.any():
        return None
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    assert dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].all()
    return (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def seen(cover, episode):
    frames = [shown for step in episode.steps for shown in (step.frame, step.after)]
    return [black(cover, frame) for frame in (*frames, episode.final)]


COVERED = (10, 20, 20, 31)
WHOLE = (0, 0, 36, 80)


@pytest.mark.parametrize(
    ("at", "fields", "rectangles"),
    [
        (1, {"private_boxes": (BOX,)}, [None, COVERED, COVERED, None, None, None, None]),
        (2, {"private_boxes": (BOX,)}, [None, None, None, COVERED, COVERED, COVERED, COVERED]),
        (1, {"private": True}, [None, WHOLE, WHOLE, None, None, None, None]),
    ],
)
def test_a_box_covers_the_screen_it_is_on_wherever_that_is_kept(
    stills, tmp_path, episode, at, fields, rectangles
):
    cover = PrivacyCover(stills, tmp_path)
    assert seen(cover, cover.episode(marked(episode, at, **fields))) == rectangles


def test_the_same_picture_elsewhere_is_covered_too(stills, tmp_path, episode):
    same = replace(episode.steps[0], frame=episode.steps[2].frame, after=None)
    episode = replace(episode, steps=(same, *episode.steps[1:]))
    cover = PrivacyCover(stills, tmp_path)
    found = cover.episode(marked(episode, 2, private_boxes=(BOX,)))
    assert black(cover, found.steps[0].frame) == COVERED


def test_a_screen_that_is_turned_is_covered_whole(stills, tmp_path, episode, frame):
    turned = marked(episode, 0, after=frame(50, Size(80, 36)))
    cover = PrivacyCover(stills, tmp_path)
    found = cover.episode(marked(turned, 1, private_boxes=(BOX,)))
    assert black(cover, found.steps[0].after) == (0, 0, 80, 36)


def test_trees_and_labels_of_covered_boxes_are_left_out(stills, tmp_path, episode):
    provenance = Provenance(RegionSource.TREE)
    regions = (
        Region(Box(11, 21, 19, 29), provenance, "Ada"),
        Region(Box(0, 0, 9, 9), provenance, "Back"),
    )
    cover = PrivacyCover(stills, tmp_path)
    found = cover.episode(marked(episode, 1, private_boxes=(BOX,), regions=regions))
    assert [step.tree is None for step in found.steps] == [False, True, False]
    assert [region.label for region in found.steps[1].regions] == ["", "Back"]
    assert cover.left_out == [(TREE, "e-0001 step 1")]


def test_nothing_private_changes_nothing(stills, tmp_path, episode):
    cover = PrivacyCover(stills, tmp_path)
    assert cover.episode(episode) is episode
    frame = cover.episode(marked(episode, 1, private_boxes=(BOX,))).steps[1].frame
    assert (frame.still.lossless, frame.still.signature) == (False, None)


@pytest.mark.parametrize("name", WRITTEN)
def test_no_format_writes_private_data(stills, tmp_path, episode, name):
    private = marked(marked(episode, 1, private_boxes=(BOX,)), 2, private=True)
    secret = [private.steps[at].frame.still.sha256 for at in (1, 2)]
    secret += [private.steps[at].after.still.sha256 for at in (0, 1)]
    format_ = FORMATS[name]
    folder = tmp_path / "out"
    written = format_.write([private], folder, stills, format_.versions[0])
    names = {path.stem for path in folder.rglob("*.png")}
    assert not names & set(secret)
    bytes_of = {stills.read(sha256, "image/png") for sha256 in secret}
    assert not bytes_of & {path.read_bytes() for path in folder.rglob("*.png")}
    assert Loss(TREE, "e-0001 step 1", 1) in written.losses
    assert Loss("a private step", "e-0001 step 2", 1) in written.losses


WORDS = b"sesame-opens-4711"
SECRET = (
    b'<hierarchy><node text="Sign in" bounds="[0,0][36,80]"><node text="%s" password="true" '
    b'bounds="[0,0][36,9]"/></node></hierarchy>' % WORDS
)


def with_tree(episode, at, data, *, protected=False, **fields):
    step = episode.steps[at]
    tree = StepTree(TreeRecord("uiautomator", data, "d", TreeStatus.OK), TreeFit.FRESH)
    frame = replace(step.frame, protected=protected)
    return marked(episode, at, tree=tree, frame=frame, **fields)


def everything_in(folder):
    """All bytes of a folder, Parquet's and TFRecords' contents too."""
    found = b""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        if path.suffix == ".parquet":
            data = repr(parquet.read_table(path).to_pylist()).encode()
        if path.suffix == ".zst":
            data = zstandard.ZstdDecompressor().decompress(data, 1 << 20)
        found += data
    return found


@pytest.mark.parametrize("name", WRITTEN)
def test_no_format_writes_the_tree_of_a_protected_screen_or_words_in_a_password_field(
    stills, tmp_path, episode, name
):
    provenance = Provenance(RegionSource.TREE)
    labelled = (Region(Box(1, 1, 9, 9), provenance, WORDS.decode()),)
    told = with_tree(episode, 0, SECRET)
    told = with_tree(
        told, 1, SECRET.replace(b' password="true"', b""), protected=True, regions=labelled
    )
    format_ = FORMATS[name]
    folder = tmp_path / "out"
    written = format_.write([told], folder, stills, format_.versions[0])
    assert WORDS not in everything_in(folder)
    assert Loss(PROTECTED, "e-0001 step 1", 1) in written.losses
    assert Loss(LABEL, "e-0001 step 1", 1) in written.losses
    assert Loss(FIELD, "e-0001 step 0", 1) in written.losses


def test_what_a_person_called_a_region_of_a_protected_screen_stays(stills, tmp_path, episode):
    region = Region(Box(1, 1, 9, 9), Provenance(RegionSource.PERSON), "the field")
    told = with_tree(episode, 1, SECRET, protected=True, regions=(region,))
    cover = PrivacyCover(stills, tmp_path)
    found = cover.episode(told)
    assert (found.steps[1].tree, found.steps[1].regions) == (None, (region,))
    assert cover.left_out == [(PROTECTED, "e-0001 step 1")]


def test_a_tree_with_a_password_field_that_cannot_be_read_is_left_out(stills, tmp_path, episode):
    cover = PrivacyCover(stills, tmp_path)
    assert cover.episode(with_tree(episode, 1, SECRET[:-9])).steps[1].tree is None
    assert cover.left_out == [(UNREAD, "e-0001 step 1")]


def test_words_in_a_password_field_of_the_tree_at_the_end_become_stars(stills, tmp_path, episode):
    data = window(1, node(0, (0, 0, 36, 80), f7="sesame", f20=True))
    told = replace(episode, extra=json.dumps({"final_tree": packed_tree(data), "x": 1}))
    cover = PrivacyCover(stills, tmp_path)
    found = json.loads(cover.episode(told).extra)
    assert found == {"final_tree": packed_tree(data.replace(b"sesame", b"******")), "x": 1}
    assert cover.left_out == [(FIELD, "e-0001 at the end")]


def test_lines_written_with_covered_pictures_can_be_read(stills, tmp_path, episode):
    folder = tmp_path / "out"
    FORMATS["taptrail"].write([marked(episode, 1, private_boxes=(BOX,))], folder, stills, "1")
    lines = [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]
    covered = folder / lines[2]["frame"]["picture"]
    assert (pictures.decode(covered.read_bytes())[20:31, 10:20] == 0).all()


def test_a_picture_that_is_gone_is_not_passed_on_uncovered(stills, tmp_path, episode):
    still = episode.steps[1].frame.still
    stills.path(still.sha256, still.media_type).unlink()
    with pytest.raises(KnownError, match="draw over the private parts"):
        PrivacyCover(stills, tmp_path).episode(marked(episode, 1, private_boxes=(BOX,)))


def test_the_tree_and_labels_of_the_very_same_picture_stay_at_home_too(stills, tmp_path, episode):
    provenance = Provenance(RegionSource.TREE)
    regions = (
        Region(Box(11, 21, 19, 29), provenance, "Ada"),
        Region(Box(0, 0, 9, 9), provenance, "Back"),
    )
    told = marked(episode, 0, frame=episode.steps[2].frame, regions=regions)
    cover = PrivacyCover(stills, tmp_path)
    found = cover.episode(marked(told, 2, private_boxes=(BOX,)))
    assert [step.tree is None for step in found.steps] == [True, False, True]
    assert [region.label for region in found.steps[0].regions] == ["", "Back"]
    assert cover.left_out == [(TREE, "e-0001 step 0"), (TREE, "e-0001 step 2")]


@pytest.mark.parametrize(
    ("fit", "at", "hidden", "why"),
    [
        (TreeFit.STALE, 2, {"protected": True}, PROTECTED),
        (TreeFit.LATE, 0, {"protected": True}, PROTECTED),
        (TreeFit.STALE, 2, {"private_boxes": (BOX,)}, TREE),
        (TreeFit.LATE, 0, {"private": True}, TREE),
    ],
)
def test_a_tree_that_may_show_a_hidden_neighbour_is_not_exported(
    stills, tmp_path, episode, fit, at, hidden, why
):
    told = with_tree(episode, 1, SECRET, **hidden)
    region = Region(Box(1, 1, 9, 9), Provenance(RegionSource.TREE), WORDS.decode())
    odd = replace(told.steps[at].tree, fit=fit)
    cover = PrivacyCover(stills, tmp_path)
    found = cover.episode(marked(told, at, tree=odd, regions=(region,))).steps[at]
    assert (found.tree, [one.label for one in found.regions]) == (None, [""])
    assert (why, f"e-0001 step {at}") in cover.left_out
    assert (LABEL, f"e-0001 step {at}") in cover.left_out
    fresh = cover.episode(marked(told, at, regions=(region,))).steps[at]
    assert (fresh.tree, fresh.regions) == (told.steps[at].tree, (region,))
