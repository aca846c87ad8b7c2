"""Which phones there are, and whether this computer has all that recording and scoring need."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
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
    adb = Adb(port=adb_port)
    ran = adb.answers()
    return (
        Finding(Severity.OK, "Python", ".".join(map(str, sys.version_info[:3]))),
        _window(environment),
        _library(library_folder),
        *(_with_owner(one, adb_port, ran) for one in examine(library_folder, environment, adb)),
    )


def _with_owner(finding: Finding, adb_port: int | None, ran: bool) -> Finding:
    """Adds to the finding about adb's server whose it is, and who chose its port."""
    if finding.subject != "adb server" or finding.severity is not Severity.OK:
        return finding
    if adb_port is not None:
        chosen = "the settings' port"
    elif os.environ.get("ANDROID_ADB_SERVER_PORT"):
        chosen = "the port of ANDROID_ADB_SERVER_PORT"
    else:
        chosen = "adb's usual port"
    whose = (
        "it ran already, and is shared with all that use adb there"
        if ran
        else "Taptrail has started it just now"
    )
    return replace(finding, found=f"{finding.found}, {chosen}; {whose}")


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


def _counted(episodes: int, folder: Path) -> str:
    return f"{episodes} {'episode' if episodes == 1 else 'episodes'} in {folder}"


def _library(folder: Path) -> Finding:
    if not folder.exists():
        return Finding(
            Severity.OK, "library", f"{folder} is not there yet; the first recording makes it"
        )
    try:
        with Library.read(folder) as library:
            return Finding(Severity.OK, "library", _counted(library.count(), folder))
    except KnownError as error:
        return Finding(Severity.ERROR, "library", error.found, error.remedy)
