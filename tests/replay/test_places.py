"""Episode and step named by a row, in all spellings."""

import pytest

from replay.dialect import NO_STEP
from replay.dialects.places import Identity, alike, identity_of


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"episode_id": 7, "step": 3}, Identity("7", 3, explicit=True)),
        ({"EpisodeId": 7.0, "Step No": "3.0"}, Identity("7", 3, explicit=True)),
        ({"task_id": "7", "step": 3}, Identity("7", 3, explicit=True)),
        ({"task_id": "t", "step": 3, "image": "7_3.png"}, Identity("7", 3)),
        ({"task_id": "t", "id": "7_3"}, Identity("t")),
        ({"episode_id": "7", "id": "row-12"}, Identity("7")),
        ({"episode_id": "7", "image": "d/3.png"}, Identity("7", 3)),
        ({"episode_id": "7", "custom_id": "x_7_3"}, Identity("7", 3)),
        ({"custom_id": "7_3", "image": "d/9.png"}, Identity("7", 3, 3)),
        ({"image": [{"path": "7_2.png"}, {"path": "7_3.png"}]}, Identity("7", 3)),
        ({"step": True, "episode": "7"}, Identity("7")),
        ({"step": 1.5, "episode": ["7"]}, Identity()),
        ({"id": 12}, Identity(number=12)),
        ({"step": 2, "id": "x"}, Identity("", 2)),
        ({"id": "550e8400-e29b-41d4-a716-446655440000"}, Identity()),
        ({"step": "9" * 5000, "episode": 10**60}, Identity()),
    ],
)
def test_a_row_names_a_step(row, found):
    assert identity_of(row) == found


@pytest.mark.parametrize(
    ("told", "names", "meant"),
    [
        ("19778284340925", {"0019778284340925", "7"}, "0019778284340925"),
        ("0019778284340925.json", {"0019778284340925"}, "0019778284340925"),
        ("a/b/GENERAL-77", {"77"}, "77"),
        ("guiodyssey_e-0412", {"e-0412", "0412"}, None),
        ("episode140", {"140", "40"}, "140"),
        ("12345678901234567000", {"12345678901234567890", "3"}, "12345678901234567890"),
        ("12345678901234567000", {"12345678901234567890", "12345678901234567891"}, None),
        ("7", {"07", "007"}, None),
        ("71", {"7", "1"}, None),
        ("", {"7"}, None),
    ],
)
def test_an_episode_is_taken_for_the_one_it_can_mean(told, names, meant):
    assert alike(told, frozenset(names)) == meant


def test_a_place_without_a_step_is_none():
    assert identity_of({}).step == NO_STEP
