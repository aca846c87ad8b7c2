"""Lists the phones that adb knows."""

from __future__ import annotations

from recorder.device.interface import ListedPhone
from recorder.devices import open_devices


def list_devices(adb_port: int | None = None) -> tuple[ListedPhone, ...]:
    """Returns all phones adb knows, also those that cannot be used, with the reason.

    Raises:
        KnownError: there is no adb, or its server does not come up.
    """
    return tuple(open_devices(adb_port).phones())
