"""Android in the Wild's dual points ("aitw") and CoAT's boxes ("aitz")."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.geometry import Box, Direction, Native, Point
from episodes.runs import Unreadable
from replay.dialect import Limits
from replay.dialects import dialect
from tests.replay.said import kept, said

LEFT = Point(270, 1200)


def auto_gui(kind, touch="[0.5, 0.25]", lift="[0.5, 0.25]", text=""):
    told = f'"action_type": "{kind}", "touch_point": "{touch}", "lift_point": "{lift}"'
    return f'Action Plan: [x]\nAction Decision: {told}, "typed_text": "{text}"'


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('{"action_type": 4, "touch": [0.5, 0.25], "lift": [0.5, 0.25]}', a.Tap(LEFT, LEFT)),
        (
            {"action_type": 4, "touch_yx": [0.75, 0.5], "lift_yx": [0.25, 0.5]},
            a.Swipe(Point(540, 1800), Point(540, 600)),
        ),
        (auto_gui("DUAL_POINT"), a.Tap(LEFT, LEFT)),
        (auto_gui("TYPE", text="Tea"), a.TypeText("tea")),
        (auto_gui("PRESS_BACK"), a.PressKey(a.Key.BACK)),
        ({"action_type": "PRESS_HOME"}, a.PressKey(a.Key.HOME)),
        ({"action_type": 7}, a.PressKey(a.Key.ENTER)),
        ({"action_type": 10}, a.Finish(a.Ending.COMPLETE)),
        ({"action_type": 11}, a.Finish(a.Ending.IMPOSSIBLE)),
        ({"action_type": 2}, a.Other("UNUSED_2", '{"action_type": 2}')),
        (
            {"action_type": 4, "touch": [0.5], "lift": [0.5, 0.25]},
            Unreadable("its touch or lift is not a pair of numbers", "DUAL_POINT"),
        ),
        (
            {"action_type": 4, "touch": ["NaN", 1], "lift": [0.5, 0.25]},
            Unreadable("its touch is no place", "DUAL_POINT"),
        ),
        ("PRESS_HOME", Unreadable("the answer is not JSON")),
    ],
)
def test_aitw_s_touch_and_lift_are_a_tap_when_near(answer, action):
    assert said("aitw", answer) == action


def test_aitw_s_numbers_are_kept_for_its_protocols():
    told = {"action_type": 4, "touch": [0.5, 0.25], "lift": [0.5, 0.25], "text": ""}
    assert kept("aitw", told) == Native.of("aitw", told)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (
            '{"ACTION": "click_element", "ARGS": {"bbox": [250, 500, 750, 600]}}',
            a.Tap(Box(270, 1200, 810, 1440)),
        ),
        ('{"ACTION": "click_element", "ARGS": {"idx": 7}}', a.Tap(a.ElementRef(index=7))),
        ('{"ACTION": "scroll", "ARGS": {"direction": "up"}}', a.Scroll(Direction.UP)),
        ('{"ACTION": "input", "ARGS": {"text": "it\'s"}}', a.TypeText("it's")),
        ('{"ACTION": "press_back", "ARGS": {}}', a.PressKey(a.Key.BACK)),
        ('{"ACTION": "press_home"}', a.PressKey(a.Key.HOME)),
        ('{"ACTION": "stop", "ARGS": {"task_status": "success"}}', a.Finish(a.Ending.COMPLETE)),
        (
            '{"ACTION": "stop", "ARGS": {"task_status": "failure"}}',
            a.Finish(a.Ending.IMPOSSIBLE),
        ),
        ('{"ACTION": "fly", "ARGS": {}}', a.Other("fly", "{}")),
        ('{"ACTION": "click_element", "ARGS": {}}', Unreadable("the tap has no point", "tap")),
        ('{"ACTION": 5}', Unreadable("it names no ACTION")),
        ("click", Unreadable("it has no JSON object")),
    ],
)
def test_aitz_s_boxes_are_read_in_thousandths(answer, action):
    assert said("aitz", answer) == action


def test_aitz_s_own_file_of_one_step_has_the_step_in_its_name(tmp_path):
    answer = {"ACTION": "press_home", "ARGS": {}, "STATUS": "continue"}
    path = tmp_path / "GOOGLE_APPS-523638528775825151_3.json"
    path.write_text(json.dumps({"action_predict": {"COA": {"txt": answer}}}))
    (row,) = dialect("aitz").rows(path, Limits())
    assert (row.episode, row.step, row.value) == ("523638528775825151", 3, answer)
    assert said("aitz", row.value) == a.PressKey(a.Key.HOME)


def test_aitz_s_lines_are_read_whatever_the_file_is_called(tmp_path):
    path = tmp_path / "run_1.json"
    path.write_text(json.dumps([{"episode_id": "5", "step_id": 0, "raw": '{"ACTION": "stop"}'}]))
    (row,) = dialect("aitz").rows(path, Limits())
    assert (row.episode, row.step) == ("5", 0)
    assert said("aitz", row.value) == a.Finish(a.Ending.COMPLETE)
