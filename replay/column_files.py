"""Stores a run's columns as Parquet files, for scoring on many machines or with other programs.

A folder has `columns.json`, which names the run and the library, and one file of whole episodes per
batch, `part-00000.parquet`. A row is a step with the run's answer. Texts, packed numbers, regions
and golds (as JSON) and trees are described in `episodes.step_columns`. A box that has a packed form
(`episodes.packed_boxes`) is stored in `box_numbers` without its text. Files are validated: invalid
content raises `KnownError`.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from episodes.errors import KnownError
from episodes.formats.output_files import new_folder
from episodes.garbage_collection import without_garbage_collection
from episodes.geometry import Size
from episodes.packed import FORMS, Blobs, blobs_of, rows_of
from episodes.packed_boxes import PackedBoxes, pack_box
from episodes.runs import StepSet
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.step_columns import EpisodeRow, GoldRow, RegionRow, StepColumns

MANIFEST = "columns.json"
FORM = 2
MAX_MANIFEST = 1_000_000
MAX_PARTS = 1_000_000

_WHOLE = ("number", "width", "height", "place")
_FLAGS = ("said", "doubled")
_TEXTS = (
    "action", "space", "native", "box", "raw", "said_action", "said_space", "said_native",
    "unreadable", "guess",
)  # fmt: skip
_BYTES = ("numbers", "said_numbers")
_PACKED_BOX = "box_numbers"
_EPISODE = EpisodeRow._fields
_NAMES = ("uuid", "name", "category")
_TREE = ("format", "data", "source", "status", "fit", "width", "height", "rotation", "detail")


@dataclass(frozen=True, slots=True)
class ColumnsManifest:
    """The manifest of a folder of columns.

    Attributes:
        notes: notes for a score of these columns, e.g. that the steps are not those of the import.
    """

    run: str
    library: str
    step_set: StepSet
    parts: int
    notes: tuple[str, ...] = ()


def write(
    batches: Iterable[StepColumns],
    folder: Path,
    manifest: Callable[[int], ColumnsManifest],
    on_batch: Callable[[StepColumns], None] | None = None,
) -> ColumnsManifest:
    """Writes batches as parts of a new folder, then the manifest.

    If it fails, for example because the disk is full, it removes what it wrote.

    Raises:
        KnownError: pyarrow is not installed, the folder is not empty, or the disk is full.
    """
    doing = f"write columns to {folder}"
    arrow, parquet = _arrow(doing)
    made = [MANIFEST]
    with new_folder(folder, made, doing):
        try:
            for count, batch in enumerate(batches):
                table = arrow.table(_as_arrays(batch, arrow))
                made.append(_name(count))
                parquet.write_table(table, folder / made[-1], compression="zstd")
                if on_batch is not None:
                    on_batch(batch)
            told = manifest(len(made) - 1)
            text = json.dumps({"form": FORM, **asdict(told)}, ensure_ascii=False, indent=1)
            (folder / MANIFEST).write_text(text + "\n", "utf-8")
        except OSError as error:
            found = os.strerror(error.errno) if error.errno else str(error)  # not pyarrow's words
            raise KnownError(doing, found, "Make room, or choose another folder.") from error
    return told


def manifest_in(folder: Path) -> ColumnsManifest:
    """Returns the manifest of a folder of columns.

    Raises:
        KnownError: it holds none.
    """
    doing = f"read the columns in {folder}"
    try:
        path = folder / MANIFEST
        if path.stat().st_size > MAX_MANIFEST:
            raise ValueError("it is too large")
        match json.loads(path.read_text("utf-8")):
            case {
                "form": int(form),
                "run": str(run),
                "library": str(library),
                "step_set": {"name": str(name), "count": int(count), "sha256": str(sha256)},
                "parts": int(parts),
                "notes": [*notes],
            } if form == FORM and 0 <= parts <= MAX_PARTS:
                steps = StepSet(name, count, sha256)
                return ColumnsManifest(run, library, steps, parts, tuple(map(str, notes)))
        raise ValueError("it says something else")
    except (OSError, ValueError, RecursionError) as error:
        raise KnownError(
            doing, f"{MANIFEST} cannot be read ({error})", "Write them with `taptrail columns`."
        ) from error


def parts_of(folder: Path) -> tuple[Path, ...]:
    """Returns the files of a folder's columns, in order.

    Raises:
        KnownError: it holds none.
    """
    return tuple(folder / _name(number) for number in range(manifest_in(folder).parts))


def read(part: Path, lean: str = "") -> StepColumns:
    """Returns the columns of one file.

    Args:
        lean: a coordinate space, if only its protocols will judge the rows. Rows whose step and
            answer are packed numbers of that space come without the columns that repeat them.

    Raises:
        KnownError: pyarrow is not installed, or the file is invalid.
    """
    doing = f"read the columns in {part}"
    arrow, parquet = _arrow(doing)
    try:
        with parquet.ParquetFile(part) as file, without_garbage_collection():
            _check(file.schema_arrow, arrow)
            return _Reading(file, arrow).columns(FORMS.get(lean))
    except (
        OSError, KeyError, ValueError, TypeError, RecursionError, arrow.ArrowException,
    ) as error:  # fmt: skip
        raise KnownError(
            doing, f"it is no part of columns ({error})", "Write them with `taptrail columns`."
        ) from error


def _name(number: int) -> str:
    return f"part-{number:05d}.parquet"


def _arrow(doing: str) -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise KnownError(
            doing, "pyarrow is not installed", "Install it: pip install 'taptrail[cluster]'."
        ) from error


def _as_arrays(columns: StepColumns, arrow: Any) -> dict[str, Any]:
    episodes = [columns.episodes[place] for place in columns.episode.tolist()]
    arrays = {
        f"episode_{name}": arrow.array(
            [getattr(one, name) for one in episodes],
            arrow.string() if name in _NAMES else arrow.int64(),
        ).dictionary_encode()
        for name in EpisodeRow._fields
    }
    for name in (*_WHOLE, *_FLAGS):
        arrays[name] = arrow.array(getattr(columns, name))
    for names, kind in ((_TEXTS, arrow.string()), (_BYTES, arrow.binary())):
        for name in names:
            arrays[name] = arrow.array(list(getattr(columns, name)), kind)
    packed = list(map(pack_box, columns.box))
    left = [text if box is None else None for text, box in zip(columns.box, packed, strict=True)]
    arrays |= {"box": arrow.array(left, arrow.string())}
    arrays |= {_PACKED_BOX: arrow.array(packed, arrow.binary())}
    for name in ("regions", "golds"):
        told = [
            json.dumps(rows, ensure_ascii=False) if rows else None
            for rows in getattr(columns, name)
        ]
        arrays[name] = arrow.array(told, arrow.string())
    arrays["tree"] = arrow.array(list(map(_tree, columns.trees)), _tree_type(arrow))
    return arrays


def _tree_type(arrow: Any) -> Any:
    kinds = {"data": arrow.binary(), "width": arrow.int64(), "height": arrow.int64()}
    kinds["rotation"] = arrow.int64()
    return arrow.struct([(name, kinds.get(name, arrow.string())) for name in _TREE])


def _tree(tree: StepTree | None) -> dict[str, Any] | None:
    if tree is None:
        return None
    record = tree.record
    return {
        "format": record.format,
        "data": record.data,
        "source": record.source,
        "status": record.status.value,
        "fit": tree.fit.value,
        "width": None if record.size is None else record.size.width,
        "height": None if record.size is None else record.size.height,
        "rotation": record.rotation,
        "detail": record.detail,
    }


def _check(schema: Any, arrow: Any) -> None:
    """Raises ValueError if a column has the wrong type."""
    whole, text = arrow.int64(), arrow.string()
    kinds = dict.fromkeys(_WHOLE, whole) | dict.fromkeys(_FLAGS, arrow.bool_())
    kinds |= {f"episode_{name}": text if name in _NAMES else whole for name in EpisodeRow._fields}
    kinds |= dict.fromkeys((*_TEXTS, "regions", "golds"), text)
    kinds |= dict.fromkeys((*_BYTES, _PACKED_BOX), arrow.binary()) | {"tree": _tree_type(arrow)}
    for name, kind in kinds.items():
        told = schema.field(name).type
        told = told.value_type if arrow.types.is_dictionary(told) else told
        if told != kind:
            raise ValueError(f"the column {name} is not of {kind}")


_ALWAYS = (
    *_WHOLE, *_FLAGS, *_BYTES, "box", _PACKED_BOX,
    *(f"episode_{name}" for name in EpisodeRow._fields),
)  # fmt: skip
_ASKED = (*(name for name in _TEXTS if name != "box"), "regions", "golds", "tree")


class _Reading:
    """Converts one file into columns."""

    def __init__(self, file: Any, arrow: Any) -> None:
        self._file = file
        self._arrow = arrow

    def columns(self, form: int | None) -> StepColumns:
        """Returns the columns; texts of rows packed in a form are left out."""
        table = self._file.read(columns=list(_ALWAYS), use_threads=False)
        told: dict[str, Any] = {name: self._full(table, name) for name in (*_WHOLE, *_FLAGS)}
        told |= {name: _blobs(table.column(name)) for name in _BYTES}
        boxes = _listed(table.column("box"))
        for text in set(boxes):
            _json(text)
        told["box"] = PackedBoxes(_blobs(table.column(_PACKED_BOX)), boxes)
        episodes, lengths = self._episodes(table)
        sides = [_forms(told[name]) for name in _BYTES]
        fit = np.logical_and(*(side == form for side in sides)) if form else sides[0] < 0
        asked = np.flatnonzero(~fit).tolist()
        return StepColumns(
            episodes=episodes,
            episode=np.repeat(np.arange(len(episodes)), lengths),
            **told,
            **self._asked(asked, len(table)),
        )

    def _full(self, table: Any, name: str) -> Any:
        column = table.column(name)
        if column.null_count:
            raise ValueError(f"the column {name} has holes")
        return column.to_numpy()

    def _episodes(self, table: Any) -> tuple[list[EpisodeRow], list[int]]:
        uuids = table.column("episode_uuid").combine_chunks()
        if uuids.null_count:
            raise ValueError("an episode has no uuid")
        if not self._arrow.types.is_dictionary(uuids.type):
            uuids = uuids.dictionary_encode()
        places = uuids.indices.to_numpy(zero_copy_only=False)
        starts = np.flatnonzero(np.diff(places, prepend=-1)).tolist()
        first = table.select([f"episode_{name}" for name in EpisodeRow._fields])
        first = first.take(self._arrow.array(starts, self._arrow.int64()))
        fields = [first.column(f"episode_{name}") for name in EpisodeRow._fields]
        if any(column.null_count for column in fields):
            raise ValueError("an episode has holes")
        # Of dictionaries, `to_pylist` makes each value singly.
        told = [column.to_numpy().tolist() for column in fields]
        sides = zip(*(told[_EPISODE.index(name)] for name in ("width", "height")), strict=True)
        if any(width < 0 or (width and height <= 0) for width, height in sides):
            raise ValueError("a screen has no pixels")
        ends = [*starts[1:], len(places)][: len(starts)]  # without rows there are no episodes
        lengths = [end - start for start, end in zip(starts, ends, strict=True)]
        return [EpisodeRow(*row) for row in zip(*told, strict=True)], lengths

    def _asked(self, asked: list[int], size: int) -> dict[str, Any]:
        """Returns a column that is read only for some rows, with a default for the others."""
        found: dict[str, list[Any]] = {name: [_LEFT_OUT.get(name)] * size for name in _ASKED}
        if asked:
            table = self._file.read(columns=list(_ASKED), use_threads=False)
            if len(asked) < size:
                table = table.take(self._arrow.array(asked, self._arrow.int64()))
            for name, values in found.items():
                read = _READ.get(name, lambda value: value)
                for row, value in zip(asked, _listed(table.column(name)), strict=True):
                    values[row] = read(value)
        found["trees"] = found.pop("tree")
        return found


def _blobs(column: Any) -> Blobs:
    """Returns a column of bytes in its memory layout."""
    array = column.combine_chunks()
    if hasattr(array, "dictionary_decode"):
        array = array.dictionary_decode()
    _, offsets, data = array.buffers()
    size = len(array)
    if not size:
        return blobs_of([])
    ends = np.frombuffer(offsets, np.int32)[array.offset : array.offset + size + 1].astype(np.int64)
    there = array.is_valid().to_numpy(zero_copy_only=False)
    last = np.where(there, ends[1:], ends[:-1])
    return Blobs(data.to_pybytes() if data is not None else b"", ends[:-1], last)


def _forms(blobs: Blobs) -> Any:
    """Returns the packed form of each; 0 if it has none."""
    form = rows_of(blobs).form
    if np.any((form == 0) & (blobs.ends > blobs.starts)):
        raise ValueError("packed numbers are not whole")
    return form


def _listed(column: Any) -> list[Any]:
    found: list[Any]
    found = [None] * len(column) if column.null_count == len(column) else column.to_pylist()
    return found


def _json(text: str | None) -> str | None:
    if text is not None:
        json.loads(text)
    return text


def _rows(
    text: str | None, *, read: type[RegionRow] | type[GoldRow]
) -> tuple[RegionRow | GoldRow, ...]:
    return () if text is None else tuple(read(*values) for values in json.loads(text))


def _regions(text: str | None) -> tuple[RegionRow | GoldRow, ...]:
    rows = _rows(text, read=RegionRow)
    for row in rows:
        *edges, space, native = row[2:]
        if not all(edge is None or type(edge) in (int, float) for edge in edges):
            raise ValueError("an edge of a region is no number")
        if not all(told is None or isinstance(told, str) for told in (space, native)):
            raise ValueError("a region's own numbers are no text")
        _json(native)
    return rows


def _of_tree(told: dict[str, Any] | None) -> StepTree | None:
    if told is None:
        return None
    size = None if told["width"] is None else Size(told["width"], told["height"])
    record = TreeRecord(
        told["format"],
        told["data"],
        told["source"],
        TreeStatus(told["status"]),
        size=size,
        rotation=told["rotation"],
        detail=told["detail"],
    )
    return StepTree(record, TreeFit(told["fit"]))


_LEFT_OUT: dict[str, Any] = {"action": "", "regions": (), "golds": ()}
_READ: dict[str, Callable[[Any], Any]] = {
    "action": lambda text: text or "",
    "native": _json,
    "said_native": _json,
    "regions": _regions,
    "golds": partial(_rows, read=GoldRow),
    "tree": _of_tree,
}
