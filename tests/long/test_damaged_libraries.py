"""The promises of `tests/episodes/store` about damage, with many more random cases."""

from pathlib import Path

import pytest

from episodes.store import library
from tests.episodes.store.damage import check_flips, make_library
from tests.episodes.store.power_cut import Recording
from tests.episodes.store.test_killed_import import check_killed_imports
from tests.episodes.store.test_power_cuts import check_after_the_sync, check_before_the_sync

FLIPS = 250
CUTS = 100
KILLS = 20


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bits(tmp_path: Path, seed: int) -> None:
    whole = make_library(tmp_path / "whole")
    assert check_flips(whole, tmp_path / "flipped", seed, FLIPS) == []


@pytest.mark.parametrize("seed", range(4))
def test_power_cuts(tmp_path: Path, seed: int) -> None:
    recording = Recording(tmp_path)
    check_after_the_sync(recording, seed, CUTS)
    check_before_the_sync(recording, seed, CUTS)


def test_killed_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "SWEEP_AGE_SECONDS", 0)
    check_killed_imports(tmp_path, 1, KILLS)
