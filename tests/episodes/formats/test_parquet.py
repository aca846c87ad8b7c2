"""Parquet tables (parquet): what is written, read and refused."""

import os
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, assume, given, settings

from episodes import actions as a
from episodes.annotations import Mask, Provenance, Region, RegionSource
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats import parquet, parquet_tables, parquet_writer
from episodes.formats.input_files import MissingPicture, Refused
from episodes.formats.output_files import Loss
from episodes.geometry import Box, Native, Point, Size
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from tests.episodes.formats.holdable import Pictures, holdable
from tests.episodes.store.strategies import episodes as any_episode
from tests.samples.drawn import png

SIZE = Size(36, 80)
TREE = StepTree(TreeRecord("uiautomator", b"<hierarchy/>", "x", TreeStatus.OK), TreeFit.IMPORTED)


def read(folder, picture_store):
    found = list(parquet.read(folder, picture_store))
    return [e for e in found if isinstance(e, Episode)], [
        e for e in found if not isinstance(e, Episode)
    ]


@pytest.fixture
def tea(picture_store):
    frame = Frame(SIZE, Basis.IMPORTED, picture_store.keep_bytes(png(), "p"))
    region = Region(
        Box(1, 2, 3, 4), Provenance(RegionSource.TREE), "Save", Mask(Box(1, 2, 3, 4), png()),
        chosen=True,
    )  # fmt: skip

    def make(number):
        return Episode(
            uuid=f"7d2b3c1e-0000-4000-8000-00000000000{number}",
            name=f"e-000{number}",
            origin=Origin("recorded"),
            task=Task("Set a timer", category="Tools", apps=("Clock",)),
            state=EpisodeState.FINISHED,
            steps=(
                Step(
                    0, a.Tap(Point(2, 3)), frame, Native("x", "[1]"), tree=TREE, regions=(region,)
                ),
                Step(1, a.Swipe(Point(1, 9), Point(1, 2)), frame, tree=TREE),
                Step(4, a.TypeText("tea"), after=frame),
            ),
            splits=(("random", "test"),),
        )

    return [make(1), make(2)]


@pytest.mark.parametrize("version", ["bytes", "files"])
def test_episodes_come_back_equal_and_pictures_are_in_their_places(
    tmp_path, picture_store, stills, tea, version
):
    folder = tmp_path / "out"
    written = parquet_writer.write(tea, folder, stills, version)
    assert (written.episodes, written.steps, written.losses) == (2, 6, ())
    assert read(folder, picture_store) == (tea, [])
    assert read(folder / "episodes.parquet", picture_store) == (tea, [])
    assert parquet.count(folder) == 2
    assert [path.read_bytes() for path in folder.glob("pictures/*")] == (
        [] if version == "bytes" else [png()]
    )
    held = pq.read_table(folder / "pictures.parquet").to_pylist()
    assert [row["data"] for row in held] == [png() if version == "bytes" else None] * 2


def test_the_columns_can_be_asked_without_knowing_taptrail(tmp_path, stills, tea):
    parquet_writer.write(tea[:1], tmp_path / "out", stills)
    rows = {
        name: pq.read_table(tmp_path / "out" / name).to_pylist() for name in parquet_tables.TABLES
    }
    assert [(r["kind"], r["x"], r["y"], r["end_y"], r["direction"], r["text"], r["native"])
            for r in rows["actions.parquet"]] == [
        ("tap", 2, 3, None, None, None, "[1]"),
        ("swipe", 1, 9, 2, "up", None, None),
        ("type_text", None, None, None, None, "tea", None),
    ]  # fmt: skip
    (episode,) = rows["episodes.parquet"]
    assert (episode["apps"], episode["splits"], episode["steps"]) == (
        ["Clock"],
        [{"split": "random", "part": "test"}],
        3,
    )
    assert [(r["step"], r["width"], r["picture"] is None) for r in rows["steps.parquet"]] == [
        (0, 36, False),
        (1, 36, False),
        (4, None, True),
    ]
    assert [(r["step"], r["data"]) for r in rows["trees.parquet"]] == [
        (0, b"<hierarchy/>"),
        (1, b"<hierarchy/>"),
    ]
    assert [(r["left"], r["label"], r["chosen"], r["data"]) for r in rows["regions.parquet"]] == [
        (1, "Save", True, png())
    ]


@given(drawn=any_episode)
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_episode_that_lines_can_hold_comes_back_equal(tmp_path_factory, drawn):
    assume("1e400" not in repr(drawn))  # beyond what a 64-bit number holds; refused on the way in
    folder = tmp_path_factory.mktemp("round")
    kept = Pictures(folder)
    episode = kept.in_all(holdable(drawn))
    written = parquet_writer.write([episode], folder / "out", kept.stills)
    assert (written.episodes, written.steps, written.losses) == (1, len(episode.steps), ())
    assert read(folder / "out", kept.picture_store) == ([episode], [])


def changed(folder, name, change):
    """Writes a table again, its rows changed."""
    table = pq.read_table(folder / name)
    rows = [row for row in map(change, table.to_pylist()) if row is not None]
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), folder / name)


def test_a_line_that_cannot_be_taken_is_refused_alone(tmp_path, picture_store, stills, tea):
    folder = tmp_path / "out"
    parquet_writer.write(tea, folder, stills)
    broken = {(1, 1): "{", (2, 4): None}
    changed(
        folder,
        "steps.parquet",
        lambda row: row | {"line": broken.get((int(row["episode"][-1]), row["step"]), row["line"])},
    )
    episodes, problems = read(folder, picture_store)
    assert [[step.index for step in e.steps] for e in episodes] == [[0, 4], [0, 1]]
    assert problems == [
        Refused(
            "episodes.parquet row 0, its row 1 of steps.parquet",
            "it is not JSON (Input data was truncated)",
        ),
        Refused(
            "episodes.parquet row 1, its row 2 of steps.parquet",
            "its line is missing, or too long",
        ),
    ]


def test_rows_of_no_episode_and_missing_pictures_are_counted(tmp_path, picture_store, stills, tea):
    folder = tmp_path / "out"
    parquet_writer.write(tea, folder, stills)
    changed(folder, "episodes.parquet", lambda row: row if row["episode"] == "e-0001" else None)
    changed(folder, "pictures.parquet", lambda row: row | {"data": b"no picture"})
    (episode,), problems = read(folder, picture_store)
    assert [step.frame.still for step in episode.steps[:2]] == [None, None]
    assert sum(isinstance(one, MissingPicture) for one in problems) == 2
    reason = "its rows are of no episode, or not in the episodes' order"
    assert [one for one in problems if isinstance(one, Refused)] == [
        Refused("steps.parquet", reason, 3),
        Refused("pictures.parquet", reason, 1),
        Refused("trees.parquet", reason, 2),
        Refused("regions.parquet", reason, 1),
    ]


def test_a_picture_s_name_does_not_lead_out_of_the_folder(tmp_path, picture_store, stills, tea):
    (tmp_path / "secret.png").write_bytes(png(shade=1))
    folder = tmp_path / "out"
    parquet_writer.write(tea[:1], folder, stills, "files")
    changed(folder, "pictures.parquet", lambda row: row | {"name": "../secret.png"})
    changed(
        folder,
        "steps.parquet",
        lambda row: row | {"line": row["line"].replace("pictures/", "../").replace(
            tea[0].steps[0].frame.still.sha256, "secret")},
    )  # fmt: skip
    (episode,), problems = read(folder, picture_store)
    assert [step.frame and step.frame.still for step in episode.steps] == [None, None, None]
    assert "leads out of its folder" in problems[0].reason


def test_broken_files_are_known_errors(tmp_path, picture_store, stills, tea):
    folder = tmp_path / "out"
    parquet_writer.write(tea, folder, stills)
    whole = (folder / "steps.parquet").read_bytes()
    for data in (b"", b"PAR1", whole[: len(whole) // 2], whole[:-8] + b"\xff" * 4 + b"PAR1"):
        (folder / "steps.parquet").write_bytes(data)
        with pytest.raises(KnownError, match=r"steps\.parquet"):
            read(folder, picture_store)
    pq.write_table(pa.table({"uuid": ["a"], "line": [7]}), folder / "steps.parquet")
    with pytest.raises(KnownError, match=r"steps\.parquet has no column “line” of text"):
        read(folder, picture_store)
    with pytest.raises(KnownError, match=r"there is no episodes\.parquet"):
        parquet.count(tmp_path)


def test_a_table_that_is_not_a_regular_file_does_not_block(tmp_path, picture_store, stills, tea):
    parquet_writer.write(tea, tmp_path / "out", stills)
    (tmp_path / "out/steps.parquet").unlink()
    os.mkfifo(tmp_path / "out/steps.parquet")
    with pytest.raises(KnownError, match=r"steps\.parquet is not a regular file"):
        read(tmp_path / "out", picture_store)


def test_without_pyarrow_the_error_names_what_to_install(tmp_path, stills, tea, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(KnownError, match=r"pip install taptrail\[parquet\]"):
        parquet_writer.write(tea, tmp_path / "out", stills)
    assert not (tmp_path / "out").exists()


def test_nothing_private_is_written_and_nothing_is_left_of_an_export_that_failed(
    tmp_path, stills, tea
):
    hidden = replace(tea[0].steps[0], private=True)
    some = [replace(tea[0], private=True), replace(tea[1], steps=(hidden, *tea[1].steps[1:]))]
    written = parquet_writer.write(some, tmp_path / "out", stills)
    assert (written.episodes, written.steps) == (1, 2)
    assert written.losses == (
        Loss("a private episode", "e-0001", 1),
        Loss("a private step", "e-0002 step 0", 1),
    )
    still = tea[0].steps[0].frame.still
    stills.path(still.sha256, still.media_type).unlink()
    with pytest.raises(KnownError, match="episodes check"):
        parquet_writer.write(tea, tmp_path / "failed", stills)
    assert not (tmp_path / "failed").exists()
