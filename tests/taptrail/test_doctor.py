"""The doctor's findings about a computer and unusable phones, and its repairs."""

import importlib.metadata
import os

import pytest

from episodes.store.library import Library
from recorder.devices import open_devices
from recorder.doctor import CheckLevel, CheckResult
from taptrail.usecases import doctor as usecases
from taptrail.usecases.doctor import Surroundings, doctor, repair, report, worst_first


@pytest.fixture
def around(tmp_path):
    """Surroundings without an adb server: nothing here asks for one."""
    return Surroundings(tmp_path, open_devices(host="127.0.0.2", port=1), None, os.environ)


def finding(findings, subject):
    return next(one for one in findings if one.subject == subject)


def start(demo_phone, monkeypatch, *faults):
    phone = demo_phone("--deterministic", "--faults", ",".join(faults))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(phone.adb_port))
    return phone


def test_a_locked_phone_is_explained(demo_phone, monkeypatch, library):
    phone = start(demo_phone, monkeypatch, "locked")
    found = finding(doctor(library), f"phone {phone.serial}")
    assert found.severity is CheckLevel.WARNING
    assert found.found.endswith(", locked")
    assert found.remedy.startswith("Unlock the phone")
    assert "lock screen is in front" in found.meaning


def test_a_dark_screen_is_explained_and_turned_on(demo_phone, monkeypatch, taptrail, library):
    phone = start(demo_phone, monkeypatch, "screen-off")
    subject = f"phone {phone.serial}"
    found = finding(doctor(library), subject)
    assert (found.severity, found.fix) == (CheckLevel.WARNING, "wake")
    assert found.found.endswith(", screen off")
    assert "taptrail doctor --fix wake" in taptrail("doctor", "--library", library).out
    done = taptrail("doctor", "--fix", "wake", "--library", library, "--json")
    assert done.err == "The screen of 1 phone was turned on.\n"
    (after,) = (one for one in done.json["findings"] if one["subject"] == subject)
    assert after["severity"] == "ok"


def test_files_that_belong_to_no_step_are_counted(library):
    with Library.open(library) as kept:
        place = kept.folder / "orphans" / "frames" / "ab"
    place.mkdir(parents=True)
    (place / "one.png").write_bytes(b"evidence")
    found = [one for one in doctor(library) if one.subject == "library"]
    assert [one.severity for one in found] == [CheckLevel.OK, CheckLevel.WARNING]
    assert found[1].found == f"1 file without a step in {library / 'orphans'}"


def test_a_repair_that_is_not_there_is_a_known_error(taptrail, library):
    done = taptrail("doctor", "--fix", "coffee", "--library", library)
    assert done.code == 1
    assert "Taptrail has no such repair" in done.err
    assert "reconnect" in done.err


def test_two_packages_of_opencv_and_a_missing_package_are_found(around, monkeypatch):
    versions = {"opencv-python": "4.12", "opencv-python-headless": "4.11", "click": "8.1"}

    def version(name):
        if name not in versions:
            raise importlib.metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(
        importlib.metadata, "requires", lambda _: ["click>=8.1", "av>=16,<20", "isal; extra == 'f'"]
    )
    packages, opencv = usecases._packages(around)
    assert (packages.severity, packages.found) == (CheckLevel.ERROR, "av is not installed")
    assert packages.command.endswith("bootstrap.py setup")
    assert opencv.severity is CheckLevel.WARNING
    assert opencv.found == (
        "2 packages bring it: opencv-python 4.12 and opencv-python-headless 4.11"
    )
    assert "uninstall -y opencv-python opencv-python-headless" in opencv.command


def test_a_display_is_tried_in_a_process_of_its_own(tmp_path, around):
    left_out = ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    variables = {name: value for name, value in os.environ.items() if name not in left_out}
    away = Surroundings(tmp_path, around.devices, None, variables | {"DISPLAY": ":6789"})
    (found,) = usecases._window(away)
    assert (found.severity, found.found) == (
        CheckLevel.ERROR,
        "the display :6789 cannot be opened (could not connect to display :6789)",
    )
    there = Surroundings(
        tmp_path, around.devices, None, variables | {"QT_QPA_PLATFORM": "offscreen"}
    )
    (found,) = usecases._window(there)
    assert found.severity is CheckLevel.OK


def test_a_place_that_cannot_be_written_is_found(tmp_path, around):
    file = tmp_path / "file"
    file.write_text("no folder")
    (found,) = usecases._library(Surroundings(file / "library", around.devices, None, {}))
    assert (found.severity, found.found) == (CheckLevel.ERROR, f"{file} cannot be written")
    assert "nothing can be recorded" in found.meaning


@pytest.mark.parametrize(
    ("listed", "severity", "said"),
    [
        ("", CheckLevel.ERROR, "none is installed"),
        ("DejaVu Sans\nInter\n", CheckLevel.OK, "JetBrains Mono not found, the system's are used"),
        ("Inter\nJetBrains Mono\n", CheckLevel.OK, "Inter and JetBrains Mono found"),
    ],
)
def test_fonts_are_asked_for_without_the_window(tmp_path, around, listed, severity, said):
    program = tmp_path / "fc-list"
    program.write_text(f"#!/bin/sh\nprintf '{listed}'\n")
    program.chmod(0o755)
    asked = Surroundings(around.library, around.devices, None, {"PATH": str(tmp_path)})
    (found,) = usecases._fonts(asked)
    assert found.severity is severity
    assert found.found.startswith(said)


def test_without_fc_list_nobody_worries_about_fonts(around, tmp_path):
    (found,) = usecases._fonts(Surroundings(around.library, around.devices, None, {"PATH": ""}))
    assert found.severity is CheckLevel.OK


def test_the_worst_comes_first_and_the_report_says_all():
    fine = CheckResult(CheckLevel.OK, "adb", "there")
    look = CheckResult(
        CheckLevel.WARNING, "phone", "locked", "Unlock it.", "It is dark.", "", "wake"
    )
    wrong = CheckResult(CheckLevel.ERROR, "disk", "full", "Make room.", "", "df -h")
    assert worst_first([fine, look, wrong]) == [wrong, look, fine]
    assert report([wrong, look, fine]) == (
        "error    disk: full\n         Make room.\n         df -h\n"
        "warning  phone: locked\n         It is dark.\n         Unlock it.\n"
        "ok       adb: there\n"
    )


def test_an_unauthorized_phone_is_explained_and_asked_again(demo_phone, monkeypatch, library):
    phone = demo_phone("--faults", "unauthorized", connect=False)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(phone.adb_port))
    adb = open_devices(port=phone.adb_port)
    with pytest.raises(usecases.KnownError, match="does not allow this computer yet"):
        adb.connect(phone.serial, timeout=30)
    found = finding(doctor(library), f"phone {phone.serial}")
    assert (found.severity, found.found, found.fix) == (
        CheckLevel.ERROR,
        "not allowed yet",
        "reconnect",
    )
    assert "Unplug the cable" in found.meaning
    assert repair("reconnect", library).startswith("adb has let go")
