"""Columns of a run in Parquet files: what many machines, or other programs, score from.

A folder has `columns.json`, which says whose columns they are, and a file a batch,
`part-00000.parquet`, of whole episodes. A row is a step with what the run said of it; texts, packed
numbers, regions and golds (as JSON) and trees are as `episodes.step_columns` tells. What a file
says of itself is not believed: what does not fit ends in a `KnownError`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.runs import StepSet
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.step_columns import EpisodeRow, GoldRow, RegionRow, StepColumns

MANIFEST = "columns.json"
FORM = 1
MAX_MANIFEST = 1_000_000
MAX_PARTS = 1_000_000

_WHOLE = ("number", "width", "height", "place")
_FLAGS = ("said", "doubled")
_TEXTS = (
    "action", "space", "native", "box", "raw", "said_action", "said_space", "said_native",
    "unreadable", "guess",
)  # fmt: skip
_BYTES = ("numbers", "said_numbers")
_NAMES = ("uuid", "name", "category")
_TREE = ("format", "data", "source", "status", "fit", "width", "height", "rotation", "detail")


@dataclass(frozen=True, slots=True)
class ColumnsManifest:
    """Whose columns a folder holds.

    Attributes:
        notes: what a score of them has to say, e.g. that the steps are not those of the import.
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
    """Writes batches as parts of a new folder, then the manifest of so many parts.

    Raises:
        KnownError: pyarrow is not installed, or there is something in the folder.
    """
    doing = f"write columns to {folder}"
    arrow, parquet = _arrow(doing)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise KnownError(doing, "there is something in the folder", "Choose a new folder.")
        count = 0
        for count, batch in enumerate(batches, start=1):
            table = arrow.table(_as_arrays(batch, arrow))
            parquet.write_table(table, folder / _name(count - 1), compression="zstd")
            if on_batch is not None:
                on_batch(batch)
        told = manifest(count)
        text = json.dumps({"form": FORM, **asdict(told)}, ensure_ascii=False, indent=1)
        (folder / MANIFEST).write_text(text + "\n", "utf-8")
    except OSError as error:
        raise KnownError(
            doing, error.strerror or str(error), "Make room, or choose another folder."
        ) from error
    return told


def manifest_in(folder: Path) -> ColumnsManifest:
    """Returns whose columns a folder holds.

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


def read(part: Path) -> StepColumns:
    """Returns the columns of one file.

    Raises:
        KnownError: pyarrow is not installed, or the file is not what it should be.
    """
    doing = f"read the columns in {part}"
    arrow, parquet = _arrow(doing)
    try:
        table = parquet.read_table(part, use_threads=False)
        _check(table, arrow)
        return _of_table(table, arrow)
    except (OSError, KeyError, ValueError, TypeError, arrow.ArrowException) as error:
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


def _check(table: Any, arrow: Any) -> None:
    """Raises ValueError where a column is not of its kind, or lacks what each row has."""
    whole, text = arrow.int64(), arrow.string()
    kinds = dict.fromkeys(_WHOLE, whole) | dict.fromkeys(_FLAGS, arrow.bool_())
    kinds |= {f"episode_{name}": text if name in _NAMES else whole for name in EpisodeRow._fields}
    for name, kind in kinds.items():
        column = table.column(name)
        told = column.type.value_type if arrow.types.is_dictionary(column.type) else column.type
        if told != kind or column.null_count:
            raise ValueError(f"the column {name} is not of {kind} alone")
    kinds = dict.fromkeys((*_TEXTS, "regions", "golds"), text)
    kinds |= dict.fromkeys(_BYTES, arrow.binary()) | {"tree": _tree_type(arrow)}
    for name, kind in kinds.items():
        if table.column(name).type != kind:
            raise ValueError(f"the column {name} is not of {kind}")


def _of_table(table: Any, arrow: Any) -> StepColumns:
    def listed(name: str) -> list[Any]:
        column = table.column(name)
        return [None] * len(column) if column.null_count == len(column) else column.to_pylist()

    episodes: list[EpisodeRow] = []
    uuids = table.column("episode_uuid").to_pylist()
    starts = [n for n, uuid in enumerate(uuids) if n == 0 or uuid != uuids[n - 1]]
    first = table.take(arrow.array(starts, arrow.int64()))
    fields = [first.column(f"episode_{name}").to_pylist() for name in EpisodeRow._fields]
    episodes = [EpisodeRow(*row) for row in zip(*fields, strict=True)]
    ends = [*starts[1:], len(uuids)]
    lengths = [end - start for start, end in zip(starts, ends, strict=True)]
    told: dict[str, Any] = {name: table.column(name).to_numpy() for name in (*_WHOLE, *_FLAGS)}
    told |= {name: listed(name) for name in (*_TEXTS, *_BYTES)}
    return StepColumns(
        episodes=episodes,
        episode=np.repeat(np.arange(len(episodes)), lengths),
        regions=_rows(listed("regions"), RegionRow),
        golds=_rows(listed("golds"), GoldRow),
        trees=[_of_tree(tree) for tree in listed("tree")],
        **told,
    )


def _rows(
    texts: Sequence[str | None], read: type[RegionRow] | type[GoldRow]
) -> list[tuple[Any, ...]]:
    return [
        () if text is None else tuple(read(*values) for values in json.loads(text))
        for text in texts
    ]


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
