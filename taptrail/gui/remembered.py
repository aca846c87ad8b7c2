"""How wide a person has made the panels, kept for each place and for wide and narrow windows.

A small JSON file that nothing depends on: what cannot be read or written is forgotten.
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
log = logging.getLogger(__name__)


def state_file() -> Path:
    """Returns where the widths lie: beside settings somebody named, else the system's folder."""
    if os.environ.get("TAPTRAIL_SETTINGS"):
        return settings_file().with_name("window.json")
    return Path(platformdirs.user_state_dir("taptrail", appauthor=False)) / "window.json"


class Remembered:
    """The widths. Without a file they are kept as long as the window."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._sizes = _read(file) if file is not None else {}

    def sizes(self, name: str, parts: int) -> list[int] | None:
        """Returns what was kept for a splitter of that many parts; None for nothing."""
        found = self._sizes.get(name)
        return found if found is not None and len(found) == parts else None

    def keep(self, name: str, sizes: list[int] | None) -> None:
        """Keeps widths; None forgets them."""
        if sizes is None:
            self._sizes.pop(name, None)
        else:
            self._sizes[name] = list(sizes)
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside = self._file.with_suffix(".new")
            beside.write_text(json.dumps(self._sizes, indent=1), encoding="utf-8")
            beside.replace(self._file)
        except OSError as error:
            log.warning("the widths of the panels cannot be kept in %s: %s", self._file, error)


def _read(file: Path) -> dict[str, list[int]]:
    try:
        found: Any = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(name): sizes for name, sizes in found.items() if _are_sizes(sizes)}


def _are_sizes(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(size, int) and 0 <= size <= _MOST for size in value
    )
