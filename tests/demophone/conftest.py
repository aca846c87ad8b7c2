"""Fixtures of the phone's own tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.demophone.phones import (
    AdbServer,
    RunningPhone,
    StartPhone,
    adb_server,
    demo_phone,
    start_phone,
)

__all__ = ["adb_server", "demo_phone"]

FLAT = "tests.demophone.flat_phone"
FLAT_SIZE = (320, 640)


@pytest.fixture
def flat_phone(demo_phone: StartPhone) -> RunningPhone:
    """A fresh phone of one colour, 320x640."""
    return demo_phone("--size", "320x640", "--density", "160", "--deterministic", module=FLAT)


@pytest.fixture(scope="session")
def shared_phone(
    adb_server: AdbServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningPhone]:
    """One phone of one colour for all tests that leave nothing behind."""
    folder = tmp_path_factory.mktemp("shared") / "phone"
    arguments = ("--size", "320x640", "--density", "160", "--deterministic")
    phone = start_phone(adb_server, folder, *arguments, module=FLAT)
    phone.connect()
    yield phone
    phone.stop()
    adb_server.run("disconnect", phone.serial)
