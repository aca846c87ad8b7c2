"""What the doctor finds, well and ill."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from episodes.errors import KnownError
from recorder.device.adb import server
from recorder.devices import open_devices
from recorder.doctor import CheckLevel, CheckResult, examine
from tests.demophone.phones import AdbServer, RunningPhone, StartPhone
from tests.recorder.conftest import ARGUMENTS
from tests.recorder.device.hostile_adb import hostile_adb


def found(findings: list[CheckResult], subject: str) -> CheckResult:
    return next(finding for finding in findings if finding.subject == subject)


def test_a_computer_with_a_phone_is_well(
    phone: RunningPhone, adb_server: AdbServer, tmp_path: Path
) -> None:
    findings = examine(tmp_path / "not" / "yet", os.environ, open_devices(port=adb_server.port))
    assert [finding.subject for finding in findings] == [
        "adb",
        "scrcpy server",
        "video",
        "disk",
        "adb server",
        f"phone {phone.serial}",
    ]
    assert found(findings, f"phone {phone.serial}") == CheckResult(
        CheckLevel.OK, f"phone {phone.serial}", "Taptrail Demo Phone, Android 14, 720x1600"
    )
    assert found(findings, "scrcpy server").severity is CheckLevel.OK
    assert found(findings, "video") == CheckResult(CheckLevel.OK, "video", "h264 can be decoded")
    assert all(finding.remedy == "" for finding in findings if finding.severity is CheckLevel.OK)


def test_a_phone_that_was_not_allowed_and_a_server_of_ones_own_are_found(
    demo_phone: StartPhone, adb_server: AdbServer, tmp_path: Path
) -> None:
    phone = demo_phone(*ARGUMENTS, "--faults", "unauthorized", connect=False)
    adb_server.run("connect", phone.serial)
    jar = tmp_path / "scrcpy-server-v4.1"
    jar.write_bytes(b"jar")
    environment = {"SCRCPY_SERVER_PATH": str(jar)}
    findings = examine(tmp_path, environment, open_devices(port=adb_server.port))
    ill = found(findings, f"phone {phone.serial}")
    assert (ill.severity, ill.found) == (CheckLevel.ERROR, "not allowed yet")
    assert "allow USB debugging" in ill.remedy
    own = found(findings, "scrcpy server")
    assert own.severity is CheckLevel.WARNING
    assert own.found.startswith("4.1 from ")


def test_an_adb_too_old_to_pair_gives_way_to_the_carried_one(
    adb_server: AdbServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version, kept in (("28.0.2-debian", False), ("34.0.4-debian", True)):
        old = tmp_path / version / "adb"
        old.parent.mkdir()
        old.write_text(f"#!/bin/sh\nprintf 'Android Debug Bridge 1.0.41\\nVersion {version}\\n'")
        old.chmod(0o755)
        monkeypatch.setenv("ADBUTILS_ADB_PATH", str(old))
        findings = examine(tmp_path, os.environ, open_devices(port=adb_server.port))
        adb = found(findings, "adb")
        assert adb.severity is CheckLevel.OK
        assert (str(old) in adb.found) is kept
    monkeypatch.setattr(server, "carried_program", lambda: tmp_path / "gone")
    monkeypatch.setenv("ADBUTILS_ADB_PATH", str(tmp_path / "28.0.2-debian" / "adb"))
    alone = found(examine(tmp_path, os.environ, open_devices(port=adb_server.port)), "adb")
    assert alone.severity is CheckLevel.WARNING
    assert "version 28.0.2" in alone.found
    assert "cannot pair" in alone.meaning


def test_an_old_adb_server_is_found_and_its_refusal_to_pair_explained(tmp_path: Path) -> None:
    with hostile_adb(lambda *_: None, {"host:version": "0028", "host:devices-l": ""}) as port:
        devices = open_devices(port=port)
        old = found(examine(tmp_path, os.environ, devices), "adb server")
        assert old.severity is CheckLevel.WARNING
        assert "old protocol 40" in old.found
        with pytest.raises(KnownError, match=r"too old to pair .*unknown host service"):
            devices.pair("192.168.0.7:37105", "123456")


def test_a_missing_server_and_a_missing_file_give_different_errors(tmp_path: Path) -> None:
    environment = {"SCRCPY_SERVER_PATH": str(tmp_path / "gone-v4.1")}
    findings = examine(tmp_path, environment, open_devices(host="127.0.0.2", port=1))
    assert found(findings, "scrcpy server").severity is CheckLevel.ERROR
    assert found(findings, "adb server").severity is CheckLevel.ERROR
