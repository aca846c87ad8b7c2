"""The phone as the unmodified adb binary and adbutils see it."""

from __future__ import annotations

from tests.demophone.phones import RunningPhone


def test_adb_lists_the_phone_as_a_device_with_its_names(shared_phone: RunningPhone) -> None:
    listed = shared_phone.server.run("devices", "-l").stdout.decode()
    line = next(line for line in listed.splitlines() if line.startswith(shared_phone.serial))
    assert line.split()[1:5] == [
        "device",
        "product:demophone",
        "model:Demo_Phone",
        "device:demo",
    ]
    assert shared_phone.adb("get-state").stdout == b"device\n"
