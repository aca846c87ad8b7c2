"""Libraries that many tests start from: built once in a process, then copied."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Build = Callable[Concatenate[Path, P], T]


def built_once(build: Build[P, T]) -> Build[P, T]:
    """Makes the second call with the same arguments copy what the first one built.

    A folder that holds a library already is built into as ever.
    """
    built: dict[str, tuple[TemporaryDirectory[str], T]] = {}

    @wraps(build)
    def build_or_copy(folder: Path, *args: P.args, **options: P.kwargs) -> T:
        if folder.exists() and any(folder.iterdir()):
            return build(folder, *args, **options)
        key = repr((args, sorted(options.items())))
        if key not in built:
            place = TemporaryDirectory()
            built[key] = place, build(Path(place.name), *args, **options)
        place, made = built[key]
        shutil.copytree(place.name, folder, dirs_exist_ok=True)
        return made

    return build_or_copy
