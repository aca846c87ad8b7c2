"""`python -m tests.conformance` on cases of Android in the Wild that are unlike the golden.

What is expected follows from the definitions, and for AITZ's numbers from CoAT's arithmetic.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.__main__ import answer

NOTHING = {
    "episodes": 0,
    "steps": 0,
    "partial_match_episode_mean": None,
    "complete_match": None,
    "step_accuracy_pooled": None,
    "goal_progress_prefix(AITZ)": None,
    "success_rate(AITZ)": None,
}


def told(datasets: dict[str, list[list[int]]]) -> dict[str, Any]:
    return answer({"id": "case", "protocol": "aitw/aggregate", "datasets": datasets})["got"]


@pytest.mark.parametrize(
    ("episodes", "progress", "success"),
    [
        ([[1, 1, 0, 1, 0], [1, 0, 1, 1, 0, 0, 1, 1], [0, 0, 1], [0, 0, 0]], 0.1313, 0.0),
        ([[1]] + [[0]] * 159, 0.0063, 0.0063),
        ([[1]] * 5 + [[0]] * 27, 0.1562, 0.1562),
    ],
)
def test_aitz_s_numbers_are_rounded_as_floats(episodes, progress, success):
    numbers = told({"general": episodes})["per_dataset"]["general"]
    assert numbers["goal_progress_prefix(AITZ)"] == progress
    assert numbers["success_rate(AITZ)"] == success


@pytest.mark.parametrize("empty", [[], [[]]])
def test_a_data_set_without_steps_has_no_numbers_and_enters_no_mean(empty):
    found = told({"general": [[1, 0]], "install": empty})
    assert found["per_dataset"]["install"] == NOTHING
    assert found["average_over_datasets"]["partial_match_episode_mean"] == 50.0
    assert told({"general": empty}) == {
        "per_dataset": {"general": NOTHING},
        "average_over_datasets": {
            "partial_match_episode_mean": None,
            "complete_match": None,
            "step_accuracy_pooled": None,
            "pooled_over_everything(step)": None,
        },
    }


@pytest.mark.parametrize("said", [None, "tap", [], {}, {"action_type": 4, "touch_yx": [0.5, 0.5]}])
def test_an_answer_that_is_not_an_action_is_wrong(said):
    gold = {"action_type": 4, "touch_yx": [0.5, 0.5], "lift_yx": [0.5, 0.5]}
    context = {"ui_annotation_positions_yxhw": [[0, 0, 1, 1]]}
    case = {"id": "case", "protocol": "aitw-official", "gold": gold, "prediction": said}
    assert answer({**case, "context": context}) == {"id": "case", "got": False}


@pytest.mark.parametrize("protocol", ["aitw/auto-gui", "aitw/auto-gui@1", "aitw/auto-gui@2"])
def test_a_drag_to_the_left_is_a_horizontal_stroke_at_the_pinned_commit(protocol):
    left, upward = ((0.5, 0.8), (0.5, 0.2)), ((0.8, 0.5), (0.2, 0.5))

    def got(touch, lift):
        told = {"action_type": 4, "touch_yx": touch, "lift_yx": lift, "type_text": ""}
        gold = {**told, "touch_yx": left[0], "lift_yx": left[1]}
        context = {
            "screen": {"width": 540, "height": 1080},
            "ui_annotation_positions_yxhw": [[0.1, 0.1, 0.1, 0.1]],
        }
        case = {"id": "x", "protocol": protocol, "gold": gold, "prediction": told}
        return answer({**case, "context": context})["got"]

    assert [got(*left), got(*upward)] == [True, False]
