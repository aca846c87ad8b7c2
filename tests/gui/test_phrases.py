"""Numbers that a person reads are rounded, and differ where what they tell differs."""

import pytest

from taptrail.gui.phrases import rounded


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.8803418803418803 away; 0.14 is allowed", "0.88 away; 0.14 is allowed"),
        ("(485.294, 475.833) is inside [146, 444]", "(485, 476) is inside [146, 444]"),
        ("0.1404 away; 0.14 is allowed", "0.1404 away; 0.14 is allowed"),
        ("0.140000001 is past 0.14", "0.140000001 is past 0.14"),
        ("version 1.2.34 of 0.50", "version 1.2.34 of 0.5"),
        ("similarity 1.0, as 0.0", "similarity 1, as 0"),
        ("no number", "no number"),
    ],
)  # fmt: skip
def test_a_reason_is_rounded_for_reading(text: str, shown: str) -> None:
    assert rounded(text) == shown
