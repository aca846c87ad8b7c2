"""Lists the phones that adb knows, and measures one."""

from __future__ import annotations

from typing import Any

from recorder import selftest
from recorder.device.interface import ListedPhone
from recorder.devices import open_devices
from taptrail.usecases.tree_choice import phone_trees


def list_devices(adb_port: int | None = None) -> tuple[ListedPhone, ...]:
    """Returns all phones adb knows, also those that cannot be used, with the reason.

    Raises:
        KnownError: there is no adb, or its server does not come up.
    """
    return tuple(open_devices(adb_port).phones())


def measure_phone(serial: str, adb_port: int | None = None) -> dict[str, Any]:
    """Returns facts and times of a phone, without content, as `recorder.selftest` measures them.

    Args:
        serial: the phone; "" for the only one there is.

    Raises:
        KnownError: there is none, several, or it cannot be used.
    """
    device = open_devices(adb_port).ready_device(serial or None)
    return selftest.measure(device, phone_trees(device))


def measured_lines(report: dict[str, Any]) -> list[str]:
    """Returns such a report as lines of text."""
    return list(selftest.lines(report))
