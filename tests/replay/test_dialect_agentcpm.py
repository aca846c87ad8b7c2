"""AgentCPM-GUI's answers ("agentcpm"), and other models' as its scripts convert them."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Native, Point
from episodes.runs import Unreadable
from replay.dialect import Limits, Row
from replay.dialects import dialect
from tests.replay.said import kept, said

MIDDLE = Point(540, 1200)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('{"thought":"x","POINT":[500,500],"to":"up"}', a.Scroll(Direction.UP, MIDDLE)),
        (
            '{"POINT":[500,750],"to":[500,250]}',
            a.Swipe(Point(540, 1800), Point(540, 600)),
        ),
        ('{"POINT":[500,500]}', a.Tap(MIDDLE)),
        ('{"POINT":[500,500],"duration":200}', a.Tap(MIDDLE)),
        ('{"POINT":[500,500],"duration":1000}', a.LongPress(MIDDLE, 1_000_000)),
        ('{"TYPE":"it\'s: {ok}"}', a.TypeText("it's: {ok}")),
        ('{"PRESS":"BACK"}', a.PressKey(a.Key.BACK)),
        ('{"PRESS":"APPSELECT"}', a.PressKey(a.Key.RECENTS)),
        ('{"duration":3000}', a.Wait(3_000_000)),
        ('{"STATUS":"finish"}', a.Finish(a.Ending.COMPLETE)),
        ('{"STATUS":"satisfied"}', a.Finish(a.Ending.COMPLETE)),
        ('{"STATUS":"impossible"}', a.Finish(a.Ending.IMPOSSIBLE)),
        ('{"STATUS":"need_feedback"}', a.Finish(a.Ending.IMPOSSIBLE)),
        ('{"STATUS":"continue","POINT":[500,500]}', a.Tap(MIDDLE)),
        ('{"CLEAR":null}', a.Other("CLEAR", '{"CLEAR": null}')),
        ({"POINT": [500, 500]}, a.Tap(MIDDLE)),
        ('{"POINT":[500],"to":"up"}', Unreadable("the scroll has no point", "scroll")),
        ('{"POINT":["x",1]}', Unreadable("the tap has no point", "tap")),
        ('{"POINT":[1,2],"to":"away"}', Unreadable("“away” is not a direction", "scroll")),
        ("{}", Unreadable("it has none of POINT, PRESS, TYPE, STATUS and duration")),
        ("POINT", Unreadable("it has no JSON object")),
        ('{"POINT":[5', Unreadable("it ends too early")),
        (7, Unreadable("the answer is not an object")),
    ],
)
def test_an_agentcpm_answer_is_read_by_its_keys(answer, action):
    assert said("agentcpm", answer) == action


def test_the_answer_itself_is_kept_for_the_protocols_of_its_form():
    assert kept("agentcpm", {"POINT": [1, 2]}) == Native("agentcpm", '{"POINT":[1,2]}')
    assert kept("agentcpm", '{"POINT":[1,2]}', coordinates="pixels") == Native(
        "pixels", '{"kind":"tap","at":{"point":[1.0,2.0]}}'
    )


def test_its_own_file_is_joined_by_episode_id_and_step_id(tmp_path):
    path = tmp_path / "predict.jsonl"
    told = {"episode_id": 140, "step_id": 0, "image_path": "x_9.png", "category": "c"}
    path.write_text(json.dumps({**told, "pred": {"PRESS": "HOME"}}) + "\n" + json.dumps(told))
    first, second = dialect("agentcpm").rows(path, Limits())
    assert first == Row(
        "140", 0, '{"PRESS": "HOME"}', {"PRESS": "HOME"}, file="predict.jsonl", line=1
    )
    assert (second.episode, second.step, second.problem[:18]) == ("140", 0, "it has no answer: ")


@pytest.mark.parametrize(
    ("name", "answer", "action"),
    [
        (
            "agentcpm/ui-tars",
            "Action: scroll(direction='down')",
            a.Scroll(Direction.UP, MIDDLE),
        ),
        (
            "agentcpm/ui-tars",
            "Action: long_press(start_box='<|box_start|>(500,500)<|box_end|>')",
            a.Tap(MIDDLE),
        ),
        ("agentcpm/ui-tars", "Action: type(content='it's ok')", a.TypeText("it")),
        (
            "agentcpm/ui-tars",
            "Action: finished(content='done')",
            Unreadable("it has none of POINT, PRESS, TYPE, STATUS and duration"),
        ),
        (
            "agentcpm/ui-tars",
            "Action: click(start_box='(0.5,0.5)')",
            Unreadable("the script fails on it"),
        ),
        ("agentcpm/os-atlas", "actions:\nSCROLL [UP]", a.Scroll(Direction.UP, MIDDLE)),
        ("agentcpm/os-atlas", "actions:\nTYPE [a]b]", a.TypeText("a")),
        ("agentcpm/aguvis", "pyautogui.click(x=0.5, y=0.5)", a.Tap(MIDDLE)),
        ("agentcpm/aguvis", "mobile.terminate(status='failure')", a.Finish(a.Ending.IMPOSSIBLE)),
        (
            "agentcpm/aguvis",
            "pyautogui.click(x=0.5, y=0.5)\n",
            Unreadable("it has none of POINT, PRESS, TYPE, STATUS and duration"),
        ),
    ],
)
def test_a_conversion_keeps_the_script_s_faults(name, answer, action):
    assert said(name, answer) == action


def test_the_protocols_judge_the_result_of_a_conversion():
    assert kept("agentcpm/aguvis", "mobile.wait(seconds=9)") == Native(
        "agentcpm", '{"duration":3000,"STATUS":"continue"}'
    )
