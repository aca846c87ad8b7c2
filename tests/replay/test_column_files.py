"""Columns in Parquet files come back as they were, and give the same numbers on a cluster."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from episodes.errors import KnownError
from episodes.runs import StepSet
from episodes.step_columns import StepColumns, columns_of
from replay import cluster, column_files
from replay.column_files import ColumnsManifest
from scoring.bulk.counts import together
from scoring.bulk.table import BULK, score_batch
from scoring.protocols import PROTOCOLS
from tests.episodes.store.test_full_disk import files_up_to
from tests.scoring.bulk_rows import PAIRS, rows

STEPS = StepSet("all", 3, "0" * 64)


def batches(protocol: str, count: int = 600) -> list[StepColumns]:
    told = [row for row in rows(PAIRS[protocol], count) if writable(row)]
    cuts = [n for n in range(1, len(told)) if told[n][0] is not told[n - 1][0]]
    third = cuts[len(cuts) // 3]
    return [columns_of(told[:third]), columns_of(told[third:])]


def writable(row) -> bool:
    """Parquet's texts are UTF-8: no half characters."""
    natives = [part.native for part in (row[1], row[2]) if part is not None and part.native]
    natives += [region.native for region in row[1].regions]
    return all(n.text.encode("utf-8", "ignore").decode() == n.text for n in natives)


def written(folder, protocol: str, count: int = 600) -> list[StepColumns]:
    made = batches(protocol, count)
    column_files.write(made, folder, lambda parts: ColumnsManifest("run", "lib", STEPS, parts))
    return made


def same(one: StepColumns, other: StepColumns) -> bool:
    return all(
        np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else list(mine) == list(theirs)
        for mine, theirs in (
            (getattr(one, field.name), getattr(other, field.name)) for field in fields(one)
        )
    )


@pytest.mark.parametrize("protocol", ["guiodyssey@2", "androidcontrol/mimo@1", "aitw@1"])
def test_columns_come_back_as_they_were(tmp_path, protocol):
    made = written(tmp_path / "columns", protocol)
    parts = column_files.parts_of(tmp_path / "columns")
    assert [same(a, column_files.read(b)) for a, b in zip(made, parts, strict=True)] == [True, True]
    told = column_files.manifest_in(tmp_path / "columns")
    assert told == ColumnsManifest("run", "lib", STEPS, 2)


def test_columns_are_not_written_over_something_else(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(KnownError, match=r"is not empty \(mine.txt\)"):
        column_files.write([], tmp_path, lambda parts: ColumnsManifest("r", "l", STEPS, parts))


@pytest.mark.parametrize("was_there", [False, True])
def test_a_full_disk_leaves_no_unfinished_folder(tmp_path, was_there):
    folder = tmp_path / "columns"
    if was_there:
        folder.mkdir()
    made = batches("guiodyssey@2", 60)
    with files_up_to(100), pytest.raises(KnownError, match=r"File too large\. Make room, or"):
        column_files.write(made, folder, lambda parts: ColumnsManifest("r", "l", STEPS, parts))
    assert list(tmp_path.glob("**/*")) == ([folder] if was_there else [])


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"form": 2}', json.dumps({"form": 1, "parts": -1}), "[" * 100_000]
)
def test_a_folder_of_something_else_holds_no_columns(tmp_path, text):
    (tmp_path / "columns.json").write_text(text)
    with pytest.raises(KnownError, match=r"columns\.json cannot be read"):
        column_files.parts_of(tmp_path)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b"no parquet"),
        lambda path: path.unlink(),
        lambda path: pq.write_table(pa.table({"number": [1]}), path),
        lambda path: pq.write_table(
            pq.read_table(path).set_column(0, "episode_uuid", pa.array([None] * rows_in(path))),
            path,
        ),
    ],
    ids=["no parquet", "missing", "other columns", "no uuids"],
)
def test_a_damaged_part_is_an_error(tmp_path, spoil):
    written(tmp_path / "columns", "taptrail-strict@1", 60)
    part = column_files.parts_of(tmp_path / "columns")[0]
    spoil(part)
    with pytest.raises(KnownError, match="it is no part of columns"):
        column_files.read(part)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("box", "[" * 90),
        ("box", f"[{'9' * 5000},1,2,3]"),
        ("native", "[["),
        ("said_native", "[" * 100_000),
        ("regions", "[" * 100_000),
        ("regions", '[["accepted", true, "a", 0, 1, 1, null, null]]'),
        ("regions", '[["accepted", true, 0, 0, 1, 1, "guiodyssey", 5]]'),
        ("regions", '[["accepted", true, 0, 0, 1, 1, "guiodyssey", "[["]]'),
        ("regions", '[["so so", true, 0, 0, 1, 1, null, null]]'),
        ("golds", '[[1, "corrected", "accepted", "{"]]'),
        ("action", '{"kind": "tap"}'),
        ("action", "[" * 100_000),
        ("said_action", "{"),
        ("width", -5),
        ("episode_height", 0),
    ],
)
def test_hostile_values_in_a_part_are_refused_and_no_bug(tmp_path, name, value):
    written(tmp_path / "columns", "taptrail-strict@1", 60)
    part = column_files.parts_of(tmp_path / "columns")[0]
    table = pq.read_table(part)
    spoiled = pa.array([value] * len(table))
    pq.write_table(table.set_column(table.schema.get_field_index(name), name, spoiled), part)
    with pytest.raises(KnownError, match="Write them with `taptrail columns`"):
        cluster.score_part("taptrail-strict@1", part)


def test_bytes_that_another_program_keeps_in_a_dictionary_are_read(tmp_path):
    written(tmp_path / "columns", "guiodyssey@2", 60)
    part = column_files.parts_of(tmp_path / "columns")[0]
    before, table = column_files.read(part), pq.read_table(part)
    for name in ("numbers", "said_numbers", "box_numbers"):
        place = table.schema.get_field_index(name)
        packed = table.column(name).combine_chunks().dictionary_encode()
        table = table.set_column(place, name, packed)
    pq.write_table(table, part)
    after = column_files.read(part)
    assert list(after.numbers) == list(before.numbers)
    assert list(after.box) == list(before.box)


def test_a_part_without_rows_has_no_episodes(tmp_path):
    written(tmp_path / "columns", "guiodyssey@2", 60)
    part = column_files.parts_of(tmp_path / "columns")[0]
    pq.write_table(pq.read_table(part).slice(0, 0), part)
    found = column_files.read(part)
    assert (len(found), list(found.episodes)) == (0, [])
    bulk = BULK["guiodyssey@2"]
    assert bulk.totals(cluster.score_part("guiodyssey@2", part)) == bulk.totals(together([]))


def rows_in(path) -> int:
    return pq.read_metadata(path).num_rows


@pytest.mark.filterwarnings("default")  # Dask's own, of sockets it closes later
def test_workers_in_processes_of_their_own_give_the_same_numbers(tmp_path):
    keys = ("guiodyssey@2", "aitw@1")
    expected = {}
    for key in keys:
        made = written(tmp_path / key.partition("@")[0], key)
        partials = [score_batch(PROTOCOLS[key], batch) for batch in made]
        expected[key] = BULK[key].totals(together(partials))
    with cluster.connected(workers=2) as client:
        found = {
            key: cluster.score_parts(
                client, PROTOCOLS[key], column_files.parts_of(tmp_path / key.partition("@")[0])
            )
            for key in keys
        }
    assert found == expected


def test_a_rule_that_looks_back_is_not_scored_in_parts():
    with pytest.raises(KnownError, match="it judges an answer by those before it"):
        cluster.score_parts(None, PROTOCOLS["aitw/auto-gui@1"], [])
