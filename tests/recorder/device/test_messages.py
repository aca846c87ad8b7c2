"""Control messages against the byte vectors of scrcpy's own tests and its documented layouts."""

import json
from pathlib import Path
from typing import Any

import pytest

from episodes.actions import Phase
from episodes.geometry import Point, Size
from recorder.device.scrcpy import messages

VECTORS = Path(__file__).parents[2] / "vectors" / "scrcpy_upstream.jsonl"
ALL_CASES = [json.loads(line) for line in VECTORS.read_text().splitlines()]
CASES = [case for case in ALL_CASES if int(case["bytes"][:2], 16) in set(messages.Type)]


def arguments(told: dict[str, Any]) -> dict[str, Any]:
    makers = {
        "at": lambda at: Point(*at),
        "size": lambda size: Size(*size),
        "phase": Phase,
    }
    return {name: makers.get(name, lambda v: v)(value) for name, value in told.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['message']}-{case['bytes'][:12]}")
def test_each_message_is_the_bytes_scrcpy_expects(case: dict[str, Any]) -> None:
    message = getattr(messages, case["message"])(**arguments(case["arguments"]))
    assert message.hex() == case["bytes"].replace(" ", "")


def test_the_vectors_cover_every_type_of_message_that_is_sent() -> None:
    assert {int(case["bytes"][:2], 16) for case in CASES} == set(messages.Type)


def test_long_text_is_cut_at_a_whole_character() -> None:
    message = messages.text("a" + "é" * 200)
    assert int.from_bytes(message[1:5], "big") == len(message) - 5 == 299
    assert message[5:].decode() == "a" + "é" * 149


def test_a_key_press_goes_down_and_up() -> None:
    assert messages.press(4) == (messages.key(True, 4), messages.key(False, 4))
