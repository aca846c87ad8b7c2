"""Measuring in its own process: the real one, of the micro model."""

import platform

import pytest

from annotator.sam2.speed import MeasuredSpeed, measure_speed, measured_speeds
from episodes.errors import KnownError
from tests.annotator.sam2 import micro


def test_a_process_of_its_own_tells_what_a_screen_and_a_press_take_and_it_is_kept() -> None:
    found = measure_speed("tiny", 1, micro.OVERRIDES)
    assert found == MeasuredSpeed(found.embed, found.ask, 1, platform.node())
    assert found.embed > 0
    assert found.ask > 0
    assert measured_speeds() == {"tiny": found}


def test_what_the_process_dies_of_is_told_and_nothing_is_kept() -> None:
    with pytest.raises(KnownError, match=r"Cannot measure tiny here.*no_such_key") as told:
        measure_speed("tiny", 1, ("model.no_such_key=1",))
    assert told.value.remedy == "See what is missing with: taptrail doctor"
    assert measured_speeds() == {}
