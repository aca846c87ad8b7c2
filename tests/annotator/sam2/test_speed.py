"""Measuring in its own process: the real one, of the micro model."""

import platform

import pytest

from annotator.sam2.speed import MeasuredSpeed, measure_speed, measured_speeds
from episodes.errors import KnownError
from tests.annotator.sam2 import micro


def test_a_separate_process_measures_a_screen_and_a_press_and_the_times_are_stored() -> None:
    found = measure_speed("tiny", 1, micro.OVERRIDES)
    assert found == MeasuredSpeed(found.embed, found.ask, 1, platform.node())
    assert found.embed > 0
    assert found.ask > 0
    assert measured_speeds() == {"tiny": found}


def test_the_reason_of_a_dead_process_is_reported_and_nothing_is_stored() -> None:
    with pytest.raises(KnownError, match=r"Cannot measure tiny here.*no_such_key") as told:
        measure_speed("tiny", 1, ("model.no_such_key=1",))
    assert told.value.remedy == "See what is missing with: taptrail doctor"
    assert measured_speeds() == {}
