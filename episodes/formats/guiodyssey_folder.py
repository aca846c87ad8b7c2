"""Finds the files of a GUIOdyssey data set, and reads its splits.

Source: OpenGVLab/GUI-Odyssey@fefcbe9, README.md and introduction.md: `splits/<name>_split.json`
holds lists of annotation file names under "train" and "test".
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from episodes.errors import KnownError
from episodes.formats.input_files import file_bytes, file_in_folder, format_value, json_value

SPLIT = "_split.json"


@dataclass(frozen=True, slots=True)
class GuiOdysseyFolder:
    """Paths of the parts of a data set.

    Attributes:
        whole: whether all of its annotations are read, not one file of them.
        taken_for_splits: files beside bare annotations whose names are those of splits.
    """

    whole: bool
    annotations: tuple[Path, ...]
    screenshots: Path
    splits: tuple[Path, ...]
    taken_for_splits: tuple[Path, ...] = ()


def inspect_folder(path: Path) -> GuiOdysseyFolder:
    """Returns the data set at `path`: its folder, a folder of annotations, or one file.

    Raises:
        KnownError: there is no annotation, or a folder may not be read.
    """
    doing = f"import GUIOdyssey from {path}"
    others: tuple[Path, ...] = ()
    if _is(stat.S_ISREG, path, doing):
        root = path.parent.parent if path.parent.name == "annotations" else path.parent
        annotations: tuple[Path, ...] = (path,)
    elif _is(stat.S_ISDIR, path, doing):
        root, folder = path, path / "annotations"
        if _is(stat.S_ISDIR, folder, doing):
            annotations = _ending(".json", folder, doing)
        elif path.name == "annotations":
            root, annotations = path.parent, _ending(".json", path, doing)
        else:
            found, others = _ending(".json", path, doing), _ending(SPLIT, path, doing)
            annotations = tuple(file for file in found if file not in others)
    else:
        raise KnownError(doing, "there is no such file or folder", "Check the path.")
    if not annotations:
        raise KnownError(
            doing,
            "there is no annotation file (annotations/*.json)",
            "Give the folder that holds annotations, screenshots and splits.",
        )
    return GuiOdysseyFolder(
        annotations != (path,),
        annotations,
        root / "screenshots",
        tuple(
            file_in_folder(file.parent, file.name, doing)
            for file in _ending(SPLIT, root / "splits", doing)
        ),
        others,
    )


def _is(kind: Callable[[int], bool], path: Path, doing: str) -> bool:
    try:
        return kind(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _refused(path, error, doing) from error


def _ending(end: str, folder: Path, doing: str) -> tuple[Path, ...]:
    """Returns the files of a folder whose names end so, sorted; none where it is not there."""
    try:
        return tuple(sorted(file for file in folder.iterdir() if file.name.endswith(end)))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise _refused(folder, error, doing) from error


def _refused(path: Path, error: OSError, doing: str) -> KnownError:
    found = f"{path.name or path}: {error.strerror or error}"
    return KnownError(doing, found, "Check the path and its permissions.")


def read_splits(
    layout: GuiOdysseyFolder,
) -> tuple[dict[str, tuple[tuple[str, str], ...]], dict[str, list[str]]]:
    """Returns the splits of each episode, and the episodes each split file names.

    Raises:
        KnownError: a split file is not an object of lists of names.
    """
    of_episode: dict[str, dict[tuple[str, str], None]] = {}
    named: dict[str, dict[str, None]] = {}
    for file in layout.splits:
        doing = f"read splits/{file.name}"
        split = file.name.removesuffix(SPLIT)
        try:
            split.encode()
        except UnicodeEncodeError as error:
            shown_name = file.name.encode(errors="replace").decode()
            raise KnownError(
                f"read splits/{shown_name}", "its name is not UTF-8", "Give it another name."
            ) from error
        try:
            value = json_value(file_bytes(file, doing))
        except ValueError as error:
            raise KnownError(doing, str(error), "Mend the file or take it away.") from error
        if not isinstance(value, dict):
            raise KnownError(doing, "it holds no JSON object", "Mend the file or take it away.")
        for part, entries in value.items():
            if not isinstance(entries, list) or not all(isinstance(e, str) for e in entries):
                raise KnownError(
                    doing, f"{format_value(part)} is not a list of names", "Correct the file."
                )
            for entry in entries:
                name = entry.removesuffix(".json")
                of_episode.setdefault(name, {})[split, part] = None
                named.setdefault(f"splits/{file.name}", {})[name] = None
    return (
        {name: tuple(parts) for name, parts in of_episode.items()},
        {file: list(names) for file, names in named.items()},
    )
