"""The promise of `tests/e2e/test_kill_nine.py`, with more kills."""

from pathlib import Path

import pytest

from tests.demophone.phones import StartPhone, adb_server, demo_phone
from tests.e2e.test_kill_nine import check_killed_recordings

__all__ = ["adb_server", "demo_phone"]


@pytest.mark.parametrize("seed", [20, 21])
def test_a_recording_killed_at_ten_moments_keeps_each_step_it_told_of_whole(
    demo_phone: StartPhone, tmp_path: Path, seed: int
) -> None:
    check_killed_recordings(demo_phone, tmp_path, seed, kills=10)
