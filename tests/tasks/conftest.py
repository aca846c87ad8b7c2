"""A demo phone of its own for the tests of a module, with the adb server that knows it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from taptrail.usecases.demo_phone import DemoPhone, running_demo_phone
from taptrail.usecases.task_phone import DeviceTaskPhone, task_phone


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoPhone]:
    with running_demo_phone(deterministic=True) as phone:
        yield phone


@pytest.fixture
def phone(demo: DemoPhone) -> DeviceTaskPhone:
    return task_phone(demo.serial, demo.devices)
