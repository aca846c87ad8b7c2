"""Opens the phones of this computer: those that its adb server knows."""

from __future__ import annotations

from pathlib import Path

from recorder.device.adb import server
from recorder.device.adb.device import AdbDevices
from recorder.device.interface import Devices


def open_devices(port: int | None = None, host: str | None = None) -> Devices:
    """Returns the phones of an adb server; by default the one the environment names."""
    return AdbDevices(host, port)


def server_program() -> str:
    """Returns the adb program for a server of our own: the carried one before that in PATH.

    Raises:
        KnownError: there is none for this computer.
    """
    carried: Path = server.carried_program()
    return str(carried) if carried.is_file() else server.program()
