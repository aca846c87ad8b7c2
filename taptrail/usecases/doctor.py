"""Checks whether this computer, the library and the phones have what Taptrail needs.

The command and the window show the findings of one table of checks. A check changes nothing, except
that the adb server is started if none answers. The table of repairs holds what Taptrail can fix by
itself, by the name in a finding's `fix`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.store.orphans import ORPHANS, count_orphans
from recorder.device.interface import Devices
from recorder.devices import open_devices
from recorder.doctor import CheckLevel, CheckResult, examine
from taptrail.usecases.demo_phone import ROOT
from taptrail.usecases.display import DisplayProbe, display
from taptrail.usecases.sam2_findings import install_sam2, sam2_findings

FONTS = ("Inter", "JetBrains Mono")
_FONTS_SECONDS = 10
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the checks examine.

    Attributes:
        library: folder of the library.
        devices: the server that lists the phones.
        adb_port: the port from the settings or the window; None for adb's own default.
        environment: environment variables of the process.
        checkpoint: of SAM 2, by the settings.
    """

    library: Path
    devices: Devices
    adb_port: int | None
    environment: Mapping[str, str]
    checkpoint: Path | None = None


Check = Callable[[Surroundings], Iterable[CheckResult]]
Repair = Callable[[Surroundings], str]


def doctor(
    library_folder: Path,
    adb_port: int | None = None,
    environment: Mapping[str, str] = os.environ,
    checkpoint: Path | None = None,
) -> tuple[CheckResult, ...]:
    """Runs all checks; starts the adb server if none answers. Takes seconds: no GUI thread."""
    around = Surroundings(library_folder, open_devices(adb_port), adb_port, environment, checkpoint)
    return tuple(finding for check in CHECKS for finding in check(around))


def repair(
    name: str,
    library_folder: Path,
    adb_port: int | None = None,
    environment: Mapping[str, str] = os.environ,
) -> str:
    """Runs a repair by the name in a finding, and returns a sentence that describes the result.

    Raises:
        KnownError: there is no such repair, or it did not work.
    """
    if name not in REPAIRS:
        raise KnownError(
            f"repair “{name}”",
            "Taptrail has no such repair",
            f"There are: {', '.join(sorted(REPAIRS))}.",
        )
    return REPAIRS[name](
        Surroundings(library_folder, open_devices(adb_port), adb_port, environment)
    )


def worst_first(findings: Iterable[CheckResult]) -> list[CheckResult]:
    """Returns the findings: errors, then warnings, then successes; otherwise in order."""
    order = (CheckLevel.ERROR, CheckLevel.WARNING, CheckLevel.OK)
    return sorted(findings, key=lambda finding: order.index(finding.severity))


def report(findings: Iterable[CheckResult]) -> str:
    """Returns all findings as plain text that can be sent to somebody."""
    lines = []
    for one in findings:
        lines.append(f"{one.severity.value:8} {one.subject}: {one.found}")
        lines += [f"{'':8} {said}" for said in (one.meaning, one.remedy, one.command) if said]
    return "\n".join(lines) + "\n"


# --- the checks ----------------------------------------------------------------------------------


def _python(around: Surroundings) -> Iterator[CheckResult]:
    yield CheckResult(CheckLevel.OK, "Python", ".".join(map(str, sys.version_info[:3])))


def _packages(around: Surroundings) -> Iterator[CheckResult]:
    missing = [name for name in _declared() if not _version(name)]
    setup = f"{sys.executable} {ROOT / 'bootstrap.py'} setup"
    if missing:
        yield CheckResult(
            CheckLevel.ERROR,
            "packages",
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed",
            "Install what Taptrail needs again.",
            "Parts of Taptrail will not start.",
            setup,
        )
    else:
        yield CheckResult(CheckLevel.OK, "packages", "all that are needed are installed")
    names = ("opencv-python", "opencv-python-headless", "opencv-contrib-python",
             "opencv-contrib-python-headless")  # fmt: skip
    there = [f"{name} {version}" for name in names if (version := _version(name))]
    if len(there) > 1:
        yield CheckResult(
            CheckLevel.WARNING,
            "OpenCV",
            f"{len(there)} packages bring it: {' and '.join(there)}",
            "Remove both, then install the one Taptrail names.",
            "They write into the same folder, so one has overwritten parts of the other, and "
            "pictures may fail in odd ways.",
            f"{sys.executable} -m pip uninstall -y {' '.join(one.split()[0] for one in there)} "
            f"&& {sys.executable} -m pip install opencv-python",
        )


def _window(around: Surroundings) -> Iterator[CheckResult]:
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        yield CheckResult(
            CheckLevel.WARNING,
            "window",
            str(error),
            "Run python3 bootstrap.py setup for the window.",
            "The commands work; the window cannot open.",
        )
        return
    found = display(around.environment)
    if found or around.environment.get("QT_QPA_PLATFORM"):
        yield _opened(around, found)
    else:
        yield CheckResult(
            CheckLevel.WARNING,
            "window",
            "neither DISPLAY nor WAYLAND_DISPLAY is set",
            "Start Taptrail from a desktop, or use the commands without the window.",
            "There is no screen a window could open on.",
        )


def _opened(around: Surroundings, name: str) -> CheckResult:
    """Tries to open the display in a separate process."""
    trouble = DisplayProbe(around.environment).trouble()
    if not trouble:
        shown = name or around.environment["QT_QPA_PLATFORM"]
        return CheckResult(CheckLevel.OK, "window", f"Qt is there, the display is {shown}")
    return CheckResult(
        CheckLevel.ERROR,
        "window",
        trouble,
        "Start Taptrail from a desktop. If a library is named, install the packages of "
        "requirements/debian.txt.",
        "The commands work; the window cannot open.",
    )


def _fonts(around: Surroundings) -> Iterator[CheckResult]:
    program = shutil.which("fc-list", path=around.environment.get("PATH"))
    if program is None:
        yield CheckResult(
            CheckLevel.OK, "fonts", "the system's are used; fc-list is not there to ask"
        )
        return
    try:
        listed = subprocess.run(
            [program, ":", "family"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_FONTS_SECONDS,
            check=False,
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        yield CheckResult(
            CheckLevel.OK, "fonts", f"the system's are used; fc-list said nothing: {error}"
        )
        return
    if not listed.strip():
        yield CheckResult(
            CheckLevel.ERROR,
            "fonts",
            "none is installed",
            "Install at least one.",
            "All text in the window and on the demo phone would be missing.",
            "sudo apt install fonts-dejavu-core fonts-inter fonts-jetbrains-mono",
        )
        return
    missing = [name for name in FONTS if name not in listed]
    if missing:
        said = f"{' and '.join(missing)} not found, the system's are used instead"
        yield CheckResult(CheckLevel.OK, "fonts", said)
    else:
        yield CheckResult(CheckLevel.OK, "fonts", f"{' and '.join(FONTS)} found")


def _library(around: Surroundings) -> Iterator[CheckResult]:
    folder = around.library
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not os.access(place, os.W_OK | os.X_OK):
        yield CheckResult(
            CheckLevel.ERROR,
            "library",
            f"{place} cannot be written",
            "Choose another folder with --library or in Settings, or get the right to write there.",
            "It can be looked at; nothing can be recorded, imported or changed.",
        )
        return
    if not folder.exists():
        yield CheckResult(
            CheckLevel.OK, "library", f"{folder} is not there yet; the first recording makes it"
        )
        return
    try:
        with Library.read(folder) as library:
            count = library.count()
            orphans = count_orphans(folder)
    except KnownError as error:
        yield CheckResult(CheckLevel.ERROR, "library", error.found, error.remedy)
        return
    said = f"{count} {'episode' if count == 1 else 'episodes'} in {folder}"
    yield CheckResult(CheckLevel.OK, "library", said)
    if orphans:
        yield CheckResult(
            CheckLevel.WARNING,
            "library",
            f"{orphans} {'file' if orphans == 1 else 'files'} without a step in {folder / ORPHANS}",
            "Look through them: after a power cut they can be all that is left of a step. Delete "
            "those you do not need.",
        )


def _recording(around: Surroundings) -> Iterator[CheckResult]:
    ran = around.devices.answers()
    for one in examine(around.library, around.environment, around.devices):
        yield _with_owner(one, around.adb_port, ran)


def _with_owner(finding: CheckResult, adb_port: int | None, ran: bool) -> CheckResult:
    """Adds to the finding about adb's server who started it and where its port comes from."""
    if finding.subject != "adb server" or finding.severity is not CheckLevel.OK:
        return finding
    if adb_port not in (None, open_devices().port):
        chosen = "the port of the settings or of the demo phone"
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


def _declared() -> list[str]:
    """Returns the packages Taptrail requires, without optional extras."""
    try:
        lines = importlib.metadata.requires("taptrail") or []
    except importlib.metadata.PackageNotFoundError:  # run from a clone that is not installed
        return []
    return [found[0] for line in lines if ";" not in line and (found := _NAME.match(line))]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _sam2(around: Surroundings) -> Iterator[CheckResult]:
    yield from sam2_findings(around.checkpoint, around.environment)


# --- the repairs ---------------------------------------------------------------------------------


def _reconnect(around: Surroundings) -> str:
    around.devices.reconnect_offline()
    return "adb has let go of the phones that do not answer and looks for them again."


def _wake(around: Surroundings) -> str:
    woken = 0
    for phone in around.devices.phones():
        if phone.ready:
            around.devices.device(phone.names[0]).run("input keyevent 224")
            woken += 1
    return f"The screen of {woken} phone{'' if woken == 1 else 's'} was turned on."


def _install_sam2(around: Surroundings) -> str:
    return install_sam2()


CHECKS: tuple[Check, ...] = (_python, _packages, _window, _fonts, _library, _recording, _sam2)
"""All checks, in order."""

REPAIRS: dict[str, Repair] = {
    "reconnect": _reconnect,
    "wake": _wake,
    "sam2": _install_sam2,
}
"""All repairs by name; a finding names one in `fix`."""
