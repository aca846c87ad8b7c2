"""Which phones there are, and whether this computer has all that recording and scoring need."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from episodes.errors import KnownError
from episodes.store.library import Library
from recorder.device.adb import Adb, ListedPhone
from recorder.doctor import Finding, Severity, examine


def list_devices(adb_port: int | None = None) -> tuple[ListedPhone, ...]:
    """Returns all phones adb knows, also those that cannot be used, with the reason.

    Raises:
        KnownError: there is no adb, or its server does not come up.
    """
    return tuple(Adb(port=adb_port).phones())


def doctor(
    library_folder: Path, adb_port: int | None = None, environment: Mapping[str, str] = os.environ
) -> tuple[Finding, ...]:
    """Looks at everything recording and scoring need; starts the adb server if none answers."""
    return (
        Finding(Severity.OK, "Python", ".".join(map(str, sys.version_info[:3]))),
        _window(environment),
        _library(library_folder),
        *examine(library_folder, environment, Adb(port=adb_port)),
    )


def display(environment: Mapping[str, str] = os.environ) -> str:
    """Returns the display windows can open on, "" where there is none."""
    return environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY") or ""


def _window(environment: Mapping[str, str]) -> Finding:
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        return Finding(
            Severity.WARNING, "window", str(error), "Run python3 bootstrap.py setup for the window."
        )
    found = display(environment)
    if not found:
        return Finding(
            Severity.WARNING,
            "window",
            "neither DISPLAY nor WAYLAND_DISPLAY is set",
            "Start Taptrail from a desktop, or use the commands without the window.",
        )
    return Finding(Severity.OK, "window", f"Qt is there, the display is {found}")


def _library(folder: Path) -> Finding:
    if not folder.exists():
        return Finding(
            Severity.OK, "library", f"{folder} is not there yet; the first recording makes it"
        )
    try:
        with Library.read(folder) as library:
            return Finding(Severity.OK, "library", f"{library.count()} episodes in {folder}")
    except KnownError as error:
        return Finding(Severity.ERROR, "library", error.found, error.remedy)
