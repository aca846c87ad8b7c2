"""Stores panel widths, folders of file dialogs, and recently opened libraries.

The data is in a small JSON file. Nothing depends on it: an unreadable file counts as empty.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import platformdirs

from taptrail.settings import settings_file

_MOST = 20_000
_FOLDERS, _LIBRARIES = "folders", "libraries"
_MOST_LIBRARIES = 8
log = logging.getLogger(__name__)


def state_file() -> Path:
    """Returns the state file: beside an explicit settings file, else in the system's folder."""
    if os.environ.get("TAPTRAIL_SETTINGS"):
        return settings_file().with_name("window.json")
    return Path(platformdirs.user_state_dir("taptrail", appauthor=False)) / "window.json"


class WindowState:
    """Widths, folders and libraries. Without a file they last only as long as the window."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        found = _read(file) if file is not None else {}
        self._sizes = {name: value for name, value in found.items() if _are_sizes(value)}
        self._folders = _folders(found.get(_FOLDERS))
        libraries = found.get(_LIBRARIES)
        self._libraries = [
            one
            for one in (libraries if isinstance(libraries, list) else [])
            if isinstance(one, str)
        ][:_MOST_LIBRARIES]

    def sizes(self, name: str, parts: int) -> list[int] | None:
        """Returns the stored sizes of a splitter with this number of parts, or None."""
        found = self._sizes.get(name)
        return found if found is not None and len(found) == parts else None

    def keep(self, name: str, sizes: list[int] | None) -> None:
        """Stores the sizes of a splitter; None removes them."""
        if sizes is None:
            self._sizes.pop(name, None)
        else:
            self._sizes[name] = list(sizes)
        self._write()

    def folder(self, kind: str) -> str:
        """Returns the last used folder for a purpose; "" if there is none."""
        found = self._folders.get(kind, "")
        return found if found and Path(found).is_dir() else ""

    def keep_folder(self, kind: str, folder: str) -> None:
        """Stores the last used folder for a purpose."""
        self._folders[kind] = folder
        self._write()

    def libraries(self) -> list[str]:
        """Returns the folders of recently opened libraries that exist, newest first."""
        return [one for one in self._libraries if Path(one).is_dir()]

    def keep_library(self, folder: str) -> None:
        """Adds a library to the recently opened ones."""
        others = [one for one in self._libraries if one != folder]
        self._libraries = [folder, *others][:_MOST_LIBRARIES]
        self._write()

    def _write(self) -> None:
        if self._file is None:
            return
        kept: dict[str, Any] = dict(self._sizes)
        if self._folders:
            kept[_FOLDERS] = self._folders
        if self._libraries:
            kept[_LIBRARIES] = self._libraries
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside = self._file.with_suffix(".new")
            beside.write_text(json.dumps(kept, indent=1), encoding="utf-8")
            beside.replace(self._file)
        except OSError as error:
            log.warning("widths and folders cannot be kept in %s: %s", self._file, error)


def _read(file: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _folders(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {str(kind): path for kind, path in value.items() if isinstance(path, str)}


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _are_sizes(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(size, int) and 0 <= size <= _MOST for size in value
    )
