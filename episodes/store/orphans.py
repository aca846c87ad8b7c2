"""Moves files without a row into the folder `orphans`. Nothing is deleted.

After a loss of power a picture can be the only trace of a step, so only a person removes it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

ORPHANS = "orphans"


def move_to_orphans(folder: Path, path: Path) -> Path:
    """Moves a file or folder of a library into `orphans`, under a free name.

    Returns its new place, relative to the library's folder.
    """
    target = folder / ORPHANS / path.relative_to(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    free, number = target, 1
    while free.exists() or free.is_symlink():
        number += 1
        free = target.with_name(f"{target.name}.{number}")
    shutil.move(path, free)
    return free.relative_to(folder)


def count_orphans(folder: Path) -> int:
    """Returns the number of files in a library's `orphans`."""
    return sum(not path.is_dir() for path in (folder / ORPHANS).rglob("*"))
