from tests.episodes.store.damage import check_flips, make_library, readings

FLIPS = 40  # more in tests/long


def test_a_flipped_bit_that_changes_what_is_read_is_reported_and_no_repair_loses_more(tmp_path):
    whole = make_library(tmp_path / "whole")
    assert "refused" not in readings(whole).values()
    assert check_flips(whole, tmp_path / "flipped", 10, FLIPS) == []
