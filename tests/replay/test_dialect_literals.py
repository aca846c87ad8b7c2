"""Dictionaries: "gui-r1", "showui", "mimo", "androidcontrol", "androidworld", "uground"."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Native, Point
from episodes.runs import Unreadable
from replay.dialect import Limits
from replay.dialects import dialect
from tests.replay.said import kept, said

MIDDLE = Point(540, 1200)


def r1(action, point=(-100, -100), text="no input text"):
    told = f"[{{'action': '{action}', 'point': {list(point)}, 'input_text': '{text}'}}]"
    return f"<think>'x'</think> <answer>{told}</answer>"


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (r1("click", (546, 1204)), a.Tap(MIDDLE)),
        ('<answer>[{"action": "click", "point": [546, 1204]}]</answer>', a.Tap(MIDDLE)),
        ("[{'action': 'click', 'point': [546, 1204]}]", a.Tap(MIDDLE)),
        (r1("long_press", (546, 1204)), a.LongPress(MIDDLE)),
        ("<think>perhaps [{'action': 'wait'}] or", Unreadable("its thought has no end")),
        ("<think>x <answer>[{'action': 'wait'}]</answer>", a.Wait()),
        (r1("type", text="it's, ok"), a.TypeText("it's, ok")),
        (r1("scroll", text="up"), a.Scroll(Direction.DOWN)),
        (r1("open_app", text="Gmail"), a.OpenApp("Gmail")),
        (r1("press_back"), a.PressKey(a.Key.BACK)),
        (r1("wait"), a.Wait()),
        (r1("complete"), a.Finish(a.Ending.COMPLETE)),
        (r1("click"), Unreadable("the tap has no point", "tap")),
        (r1("type"), Unreadable("the type text has no text", "type_text")),
        ("<answer>[]</answer>", Unreadable("the answer names no action")),
        ("<answer>[{'action': click}]</answer>", Unreadable("“click}]</answer>” is no value")),
        ("", Unreadable("it ends too early")),
    ],
)
def test_gui_r1_s_list_is_read_whatever_its_quotes(answer, action):
    assert said("gui-r1", answer) == action


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("{'action': 'CLICK', 'value': None, 'position': [0.5, 0.5]}", a.Tap(MIDDLE)),
        ("{'action': 'TYPE', 'value': 'it's', 'position': None}", a.TypeText("it's")),
        ("{'action': 'SCROLL UP', 'value': None, 'position': None}", a.Scroll(Direction.DOWN)),
        ("{'action': 'SCROLL LEFT', 'value': None, 'position': None}", a.Scroll(Direction.RIGHT)),
        ("{'action': 'SCROLL', 'value': 'down', 'position': None}", a.Scroll(Direction.UP)),
        (
            "{'action': 'SWIPE', 'value': None, 'position': [[0.5, 0.75], [0.5, 0.25]]}",
            a.Swipe(Point(540, 1800), Point(540, 600)),
        ),
        ("{'action': 'PRESS_HOME', 'value': None}", a.PressKey(a.Key.HOME)),
        ("{'action': 'ENTER', 'value': None}", a.PressKey(a.Key.ENTER)),
        ("{'action': 'STATUS TASK COMPLETE'}", a.Finish(a.Ending.COMPLETE)),
        ("{'action': 'ANSWER', 'value': 'task complete'}", a.Finish(a.Ending.COMPLETE)),
        ("{'action': 'ANSWER', 'value': 'It is 5.'}", a.Answer("It is 5.")),
        ("{'action': 'STATUS_TASK_IMPOSSIBLE'}", a.Finish(a.Ending.IMPOSSIBLE)),
        ("{'action': 'CLICK', 'position': None}", Unreadable("the tap has no point", "tap")),
        ("CLICK", Unreadable("it has no dictionary")),
    ],
)
def test_showui_s_dictionary_is_read_in_fractions(answer, action):
    assert said("showui", answer) == action


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('```json\n[{"action": "click", "start_point": [540, 1200]}]\n```', a.Tap(MIDDLE)),
        ('<think>[x]</think>\n[{"action": "click", "start_point": [540, 1200]}]', a.Tap(MIDDLE)),
        ('```json\n[{"action": "longpress", "start_point": [540, 1200]}]```', a.LongPress(MIDDLE)),
        (
            '[{"action": "drag", "start_point": [540, 1800], "end_point": [540, 600]}]',
            a.Swipe(Point(540, 1800), Point(540, 600)),
        ),
        ('[{"action": "scroll", "direction": "up"}]', a.Scroll(Direction.UP)),
        ('[{"action": "input", "text": "tea"}]', a.TypeText("tea")),
        ('[{"action": "press", "keys": ["back"]}]', a.PressKey(a.Key.BACK)),
        ('[{"action": "open", "app": "Clock"}]', a.OpenApp("Clock")),
        ('[{"action": "appswitch"}]', a.PressKey(a.Key.RECENTS)),
        ('<think>x</think>\nTap [Save]: {"action": "click", "start_point": [540, 1200]}', a.Tap(
            MIDDLE
        )),
        ('<think>say {"action": "wait"} or', Unreadable("its thought has no end")),
        ('<think>```json\n{"action": "wait"}```</think>\n```json\n{"action": "input", '
         '"text": "tea"}\n```\n```json\n{"action": "wait"}\n```', a.TypeText("tea")),
        ('[{"action": "wait", "time": 2}]', a.Wait(2_000_000)),
        ('[{"action": "finished", "status": "success"}]', a.Finish(a.Ending.COMPLETE)),
        ('[{"action": "finished", "status": "failure"}]', a.Finish(a.Ending.IMPOSSIBLE)),
        ('[{"action": "drag", "start_point": [1, 2]}]', Unreadable(
            "the swipe has no point", "swipe"
        )),
        ("click", Unreadable("it has no JSON")),
    ],
)  # fmt: skip
def test_mimo_s_fence_is_read_in_pixels(answer, action):
    assert said("mimo", answer) == action


def test_mimo_s_text_is_kept_for_its_protocol():
    told = '```json\n[{"action": "wait"}]\n```'
    assert kept("mimo", told) == Native.of("mimo", told)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('{"action_type":"click","x":540,"y":1200}', a.Tap(MIDDLE)),
        ('{"action_type":"long_press","x":540,"y":1200}', a.LongPress(MIDDLE)),
        ('{"action_type":"scroll","direction":"down"}', a.Scroll(Direction.UP)),
        ('{"action_type":"open_app","app_name":"Zoho Meeting"}', a.OpenApp("Zoho Meeting")),
        ('{"action_type":"input_text","text":"tea"}', a.TypeText("tea")),
        ('{"action_type":"navigate_home"}', a.PressKey(a.Key.HOME)),
        ('{"action_type":"navigate_back"}', a.PressKey(a.Key.BACK)),
        ('{"action_type":"wait"}', a.Wait()),
        ('{"action_type":"status","goal_status":"successful"}', a.Finish(a.Ending.COMPLETE)),
        ('{"action_type":"status","goal_status":"infeasible"}', a.Finish(a.Ending.IMPOSSIBLE)),
        ({"action_type": "click", "x": 540, "y": 1200}, a.Tap(MIDDLE)),
        ('{"action_type":"input_text","text":"Action: go"}', a.TypeText("Action: go")),
        ('Like {"action_type":"wait"}: {"action_type":"navigate_back"}', a.PressKey(a.Key.BACK)),
        ('{"action_type":"click","x":540}', Unreadable("the tap has no point", "tap")),
        ('{"action_type":"fly"}', a.Other("fly", '{"action_type": "fly"}')),
        ("click", Unreadable("it has no object with an “action_type”")),
    ],
)
def test_androidcontrol_s_object_is_read_in_pixels_and_its_scrolls_turned(answer, action):
    assert said("androidcontrol", answer) == action


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (
            'Reason: it.\nAction: {"action_type": "click", "index": 3}',
            a.Tap(a.ElementRef(index=3)),
        ),
        ('Action: {"action_type": "click", "index": "3"}', a.Tap(a.ElementRef(index=3))),
        (
            'Reason: not {"action_type": "wait"}.\nAction: {"action_type": "navigate_back"}\n'
            '{"action_type": "navigate_home"}',
            a.PressKey(a.Key.BACK),
        ),
        ('{"action_type": "double_tap", "x": 540, "y": 1200}', a.DoubleTap(MIDDLE)),
        (
            'Action: {"action_type": "input_text", "text": "hi", "index": 0, "clear_text": true}',
            a.TypeText("hi", a.ElementRef(index=0), clear=True, submit=True),
        ),
        (
            '{"action_type": "scroll", "direction": "down", "index": 2}',
            a.Scroll(Direction.UP, a.ElementRef(index=2)),
        ),
        ('{"action_type": "swipe", "direction": "down"}', a.Scroll(Direction.DOWN)),
        ('{"action_type": "swipe", "direction": "up"}', a.Scroll(Direction.UP)),
        ('{"action_type": "swipe", "direction": "left"}', a.Scroll(Direction.RIGHT)),
        ('{"action_type": "swipe", "direction": "right"}', a.Scroll(Direction.LEFT)),
        ('{"action_type": "scroll", "direction": "left"}', a.Scroll(Direction.RIGHT)),
        (
            '{"action_type": "drag_and_drop", "touch_xy": [1, 2], "lift_xy": [3, 4]}',
            a.Swipe(Point(1, 2), Point(3, 4)),
        ),
        (
            '{"action_type": "drag", "start_coordinate": [1, 2], "end_coordinate": [3, 4]}',
            a.Swipe(Point(1, 2), Point(3, 4)),
        ),
        ('Action: {"action_type": "click", "coordinate": [540, 1200]}', a.Tap(MIDDLE)),
        ('{"action_type": "ask_user", "text": "which?"}', a.Answer("which?")),
        (
            '{"action_type": "drag", "start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4}',
            a.Swipe(Point(1, 2), Point(3, 4)),
        ),
        ('{"action_type": "keyboard_enter"}', a.PressKey(a.Key.ENTER)),
        ('{"action_type": "answer", "text": "3"}', a.Answer("3")),
        ('{"action_type": "status", "goal_status": "complete"}', a.Finish(a.Ending.COMPLETE)),
    ],
)
def test_androidworld_s_texts_end_with_enter_and_its_swipes_go_sideways_as_its_scrolls_do(
    answer, action
):
    assert said("androidworld", answer) == action


def test_a_row_may_have_the_action_itself(tmp_path):
    path = tmp_path / "run.jsonl"
    action = {"action_type": "wait"}
    path.write_text(json.dumps({"episode_id": 20, "step": 1, "action": action}))
    (row,) = dialect("androidcontrol").rows(path, Limits())
    assert (row.episode, row.step, row.value) == ("20", 1, action)
    assert kept("androidcontrol", row.value) == Native.of("androidcontrol", action)


CLICK = {"action_type": "click", "element": "Save"}


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (
            {"action": CLICK, "answer": {"output": "(270, 600)", "scale": 0.5}},
            a.Tap(MIDDLE),
        ),
        (
            {
                "action": {"action_type": "type_text", "text": "tea"},
                "answer": {"output": "(540, 1200)", "scale": 1},
            },
            a.TypeText("tea", MIDDLE),
        ),
        ({"action": {"action_type": "scroll", "direction": "up"}}, a.Scroll(Direction.DOWN)),
        ({"action": {"action_type": "status", "goal_status": "successful"}}, a.Finish(
            a.Ending.COMPLETE
        )),
        ({"action": CLICK, "answer": None}, Unreadable(
            "there is no grounding answer with a point", "click"
        )),
        ({"action": CLICK, "answer": {"output": "(1, 2)", "scale": 0}}, Unreadable(
            "there is no grounding answer with a point", "click"
        )),
        ({"action": None}, Unreadable("the plan names no action")),
        ("click", Unreadable("it has no plan")),
    ],
)  # fmt: skip
def test_uground_s_plan_replaces_its_answer(answer, action):
    assert said("uground", answer) == action


def test_uground_s_plans_and_answers_meet_in_one_file_by_episode_and_step(tmp_path):
    path = tmp_path / "both.jsonl"
    lines = [
        {"episode_id": 7, "step": 1, "output": "(270, 600)", "scale": 0.5},
        {"episode_id": 7, "step": 0, "action": {"action_type": "wait"}, "reason": "r"},
        {"episode_id": 7, "step": 1, "action": CLICK, "image": "7/screenshot_2.png"},
        {"output": "(1, 2)"},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    found = dialect("uground")
    assert found.together is not None
    lost, waits, clicks = found.together(list(found.rows(path, Limits())))
    assert (lost.line, lost.problem) == (4, "it names no episode")
    assert (waits.episode, waits.step, said("uground", waits.value)) == ("7", 0, a.Wait())
    assert (clicks.step, said("uground", clicks.value)) == (1, a.Tap(MIDDLE))
    assert kept("uground", clicks.value) == Native.of(
        "uground", {"action": CLICK, "answer": {"output": "(270, 600)", "scale": 0.5}}
    )
