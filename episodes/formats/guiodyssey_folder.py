"""Where the parts of a GUIOdyssey data set lie, and its splits.

Source: OpenGVLab/GUI-Odyssey@fefcbe9, README.md and introduction.md: `splits/<name>_split.json`
holds lists of annotation file names under "train" and "test".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from episodes.errors import KnownError
from episodes.formats.reading import file_bytes, json_value, shown


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of one data set lie.

    Attributes:
        whole: whether all of its annotations are read, not one file of them.
    """

    whole: bool
    annotations: tuple[Path, ...]
    screenshots: Path
    splits: tuple[Path, ...]


def layout_at(path: Path) -> Layout:
    """Returns what lies at `path`: a data set's folder, a folder of annotations, or one file.

    Raises:
        KnownError: there is no annotation.
    """
    doing = f"import GUIOdyssey from {path}"
    if path.is_file():
        root = path.parent.parent if path.parent.name == "annotations" else path.parent
        annotations: tuple[Path, ...] = (path,)
    elif path.is_dir():
        root = path
        folder = path / "annotations"
        if path.name == "annotations" and not folder.is_dir():
            root, folder = path.parent, path
        holder = folder if folder.is_dir() else path
        annotations = tuple(
            sorted(f for f in holder.glob("*.json") if not f.name.endswith("_split.json"))
        )
    else:
        raise KnownError(doing, "there is no such file or folder", "Check the path.")
    if not annotations:
        raise KnownError(
            doing,
            "there is no annotation file (annotations/*.json)",
            "Give the folder that holds annotations, screenshots and splits.",
        )
    return Layout(
        path.is_dir(),
        annotations,
        root / "screenshots",
        tuple(sorted((root / "splits").glob("*_split.json"))),
    )


def read_splits(
    layout: Layout,
) -> tuple[dict[str, tuple[tuple[str, str], ...]], dict[str, list[str]]]:
    """Returns the splits of each episode, and the episodes each split file names.

    Raises:
        KnownError: a split file is not an object of lists of names.
    """
    of_episode: dict[str, dict[tuple[str, str], None]] = {}
    named: dict[str, dict[str, None]] = {}
    for file in layout.splits:
        doing = f"read splits/{file.name}"
        split = file.name.removesuffix("_split.json")
        try:
            value = json_value(file_bytes(file, doing))
        except ValueError as error:
            raise KnownError(doing, str(error), "Mend the file or take it away.") from error
        if not isinstance(value, dict):
            raise KnownError(doing, "it holds no JSON object", "Mend the file or take it away.")
        for part, entries in value.items():
            if not isinstance(entries, list) or not all(isinstance(e, str) for e in entries):
                raise KnownError(doing, f"{shown(part)} is not a list of names", "Mend the file.")
            for entry in entries:
                name = entry.removesuffix(".json")
                of_episode.setdefault(name, {})[split, part] = None
                named.setdefault(f"splits/{file.name}", {})[name] = None
    return (
        {name: tuple(parts) for name, parts in of_episode.items()},
        {file: list(names) for file, names in named.items()},
    )
