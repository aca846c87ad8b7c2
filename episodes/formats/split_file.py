"""`split.json`: the splits of an export, for formats that cannot hold them.

One JSON object: `{"taptrail": "splits", "form": 1, "splits": [...]}`. An entry has the data set and
version that it was made of, name, rule, `masking` and `made_by` as the library keeps them, the file
it was once read from, and the members by part. A `split.json` of somebody else is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.formats.input_files import (
    ImportNote,
    Refused,
    file_bytes,
    file_in_folder,
    file_name_problem,
    format_value,
    json_value,
)
from episodes.formats.output_files import write_whole
from episodes.store.splits import Split

FILE = "split.json"
FORM = 1
_MARK = "splits"
_TEXTS = ("dataset", "version", "name", "rule", "file", "sha256")


@dataclass(frozen=True, slots=True)
class ExportedSplit:
    """A split as a file describes it.

    Attributes:
        members: (episode's name, part) pairs.
    """

    split: Split
    members: tuple[tuple[str, str], ...]


def write_splits(folder: Path, found: Iterable[ExportedSplit], doing: str) -> None:
    """Writes the file.

    Raises:
        KnownError: there is no room.
    """
    entries = []
    for one in found:
        split = one.split
        parts: dict[str, list[str]] = {}
        for name, part in one.members:
            parts.setdefault(part, []).append(name)
        entries.append(
            {key: getattr(split, key) for key in _TEXTS}
            | {
                "masking": json.loads(split.masking) if split.masking else None,
                "made_by": json.loads(split.made_by) if split.made_by else None,
                "members": parts,
            }
        )
    told = {"taptrail": _MARK, "form": FORM, "splits": entries}
    text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)
    write_whole(folder / FILE, text.encode(errors="replace"), doing)


def read_splits(path: Path, doing: str) -> list[ExportedSplit | Refused | ImportNote]:
    """Returns the splits in the file beside a data set; none if it is missing.

    Args:
        path: what is imported: a folder, or a file in one.

    Raises:
        KnownError: it is too large, or a link that leads out of its folder.
    """
    folder = path if path.is_dir() else path.parent
    if folder.name == "annotations" and not (folder / FILE).exists():
        folder = folder.parent  # of GUIOdyssey, that folder alone may be named
    file = file_in_folder(folder, FILE, doing)
    if not file.is_file():
        return []
    try:
        told = json_value(file_bytes(file, doing))
    except ValueError as error:
        return [Refused(FILE, str(error))]
    if not isinstance(told, dict) or told.get("taptrail") != _MARK:
        return [ImportNote(FILE, "it is not what an export tells of splits, and is left alone")]
    entries = told.get("splits")
    if told.get("form") != FORM or not isinstance(entries, list):
        return [Refused(FILE, "it is of a form that is not known here")]
    return [_entry(number, entry) for number, entry in enumerate(entries)]


def _entry(number: int, entry: Any) -> ExportedSplit | Refused:
    where = f"{FILE} split {number}"
    if not isinstance(entry, dict) or not all(isinstance(entry.get(k), str) for k in _TEXTS):
        return Refused(where, f"it lacks one of the texts {', '.join(_TEXTS)}")
    name = entry["name"]
    if why := file_name_problem(name):
        return Refused(where, f"its name {format_value(name)} {why}")
    masking, made_by, parts = entry.get("masking"), entry.get("made_by"), entry.get("members")
    if masking is not None and not (_map(masking, "output", _text) and "output" in masking):
        return Refused(where, "its masking is not {output: {instruction: template}}")
    if made_by is not None and not (
        isinstance(made_by, dict)
        and isinstance(made_by.get("by"), str)
        and isinstance(made_by.get("labels_of", ""), str)
        and _map(made_by, "labels", _texts)
        and _map(made_by, "parts", _text)
    ):
        return Refused(where, "its made_by is not {by, labels: {episode: [label]}, parts: {}}")
    if not isinstance(parts, dict) or not all(map(_texts, parts.values())):
        return Refused(where, "its members are not {part: [episode]}")
    split = Split(
        entry["dataset"],
        entry["version"],
        name,
        entry["rule"],
        _json(masking),
        _json(made_by),
        entry["file"],
        entry["sha256"],
    )
    return ExportedSplit(
        split, tuple((one, part) for part, names in parts.items() for one in names)
    )


def _map(value: Any, key: str, fits: Any) -> bool:
    """Returns whether an object's entry is an object of fitting values, or is not there."""
    if not isinstance(value, dict):
        return False
    held = value.get(key, {})
    return isinstance(held, dict) and all(map(fits, held.values()))


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _json(value: Mapping[str, Any] | None) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
