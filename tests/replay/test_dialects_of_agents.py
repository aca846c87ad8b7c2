"""Answers of agents: "autoglm", "gelab", "mai-ui", "glm-v", "kimi" and "seed-xml"."""

from __future__ import annotations

import json
from typing import Any

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Native, Point
from episodes.runs import Unreadable
from replay.dialects import kimi as kimi_code
from replay.dialects import seed_xml
from tests.replay.said import kept, said

MIDDLE = Point(540, 1200)
UP = a.Swipe(Point(540, 1800), Point(540, 600))


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('<think>x</think><answer>do(action="Tap", element=[500,500])</answer>', a.Tap(MIDDLE)),
        ('I tap it.\ndo(action="Tap", element=[500, 500], message="pay")', a.Tap(MIDDLE)),
        ('<think>not finish(message="x")</think><answer>\ndo(action="Back")\n</answer>',
         a.PressKey(a.Key.BACK)),
        ('<think>do(action="Back") or', Unreadable("its thought has no end")),
        ('do(action="Tap", element=[500,', Unreadable("its call has no end")),
        ("<think>first I", Unreadable("its thought has no end")),
        ('do(action="Double Tap", element=[500,500])', a.DoubleTap(MIDDLE)),
        ('do(action="Long Press", element=[500,500])', a.LongPress(MIDDLE)),
        ('do(action="Swipe", start=[500,750], end=[500,250])', UP),
        ('do(action="Swipe", element=[500,500], direction="up")', a.Scroll(Direction.UP, MIDDLE)),
        ('do(action="Type", text="two words")', a.TypeText("two words", clear=True)),
        ('do(action="Type", text="say "hi", it\'s \\n")',
         a.TypeText('say "hi", it\'s \\n', clear=True)),
        ('do(action="Type_Name", text="Ana")', a.TypeText("Ana", clear=True)),
        ('do(action="Type", text="cut', Unreadable("the type text has no text", "type_text")),
        ('do(action="Launch", app="微信")', a.OpenApp("微信")),
        ('do(action="Home")', a.PressKey(a.Key.HOME)),
        ('do(action="Wait", duration="2 seconds")', a.Wait(2_000_000)),
        ('do(action="Wait")', a.Wait()),
        ('do(action="Take_over", message="log in")', a.Answer("log in")),
        ('do(action="Interact")', a.Answer("")),
        ('do(action="Note", message="True")', a.Other("Note", '{"message": "True"}')),
        ('do(action="Call_API", instruction="x")', a.Other("Call_API", '{"instruction": "x"}')),
        ('finish(message="It said "ok"")', a.Finish(a.Ending.COMPLETE, 'It said "ok"')),
        ('finish(message="")', a.Finish(a.Ending.COMPLETE)),
        ('do(action="Tap")', Unreadable("the tap has no point", "tap")),
        ("os.remove('x')", Unreadable("there is no call of do or finish")),
        ([], Unreadable("the answer is not a text")),
    ],
)  # fmt: skip
def test_autoglm_s_call_is_read_in_thousandths_and_never_run(answer, action):
    assert said("autoglm", answer) == action


THOUGHT = "<THINK> a\tb action:WAIT </THINK>\nexplain:x\t"


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (f"{THOUGHT}action:CLICK\tpoint:500,500\tsummary:y", a.Tap(MIDDLE)),
        ("< think >x</ Think >\naction:CLICK\tpoint:500 500", a.Tap(MIDDLE)),
        ("<TINK>x</TINK>action:LONGPRESS\tpoint:500, 500", a.LongPress(MIDDLE)),
        ("action:LONG_PRESS\tpoint:500,500", a.LongPress(MIDDLE)),
        ("action:DOUBLE_TAP\tpoint:500,500", a.DoubleTap(MIDDLE)),
        ("action:TYPE\tvalue:at 10:30\tpoint:500,500", a.TypeText("at 10:30", MIDDLE)),
        ("action:TYPE\tvalue:", a.TypeText("")),
        ("action:SLIDE\tpoint1:500,750\tpoint2:500,250", UP),
        ("action:SLIDE\tpoint:500,500\tdirection:UP", a.Scroll(Direction.UP, MIDDLE)),
        ("action:HOT_KEY\tkey:ENTER", a.PressKey(a.Key.ENTER)),
        ("action:AWAKE\tvalue:微信", a.OpenApp("微信")),
        ("action:WAIT\tvalue:2", a.Wait(2_000_000)),
        ("action:INFO\tvalue:which?", a.Answer("which?")),
        ("action:COMPLETE\treturn:done it", a.Finish(a.Ending.COMPLETE, "done it")),
        ("action:COMPLETE\tstatus:FAILURE", a.Finish(a.Ending.IMPOSSIBLE)),
        ("action:ABORT\tvalue:no network", a.Finish(a.Ending.IMPOSSIBLE, "no network")),
        ("explain:x\naction:CLICK\npoint:500,500", a.Tap(MIDDLE)),
        ("action:BACK", a.PressKey(a.Key.BACK)),
        ("action:CLICK\tpoint:500", Unreadable("the tap has no point", "tap")),
        ("action:SLIDE\tpoint1:1,2", Unreadable("the swipe has no point", "swipe")),
        ("<THINK> cut", Unreadable("its thought has no end")),
        ("explain:x\tsummary:y", Unreadable("it has no field “action”")),
        (3, Unreadable("the answer is not a text")),
    ],
)
def test_step_gui_s_fields_are_read_in_thousandths(answer, action):
    assert said("gelab", answer) == action


def mai(**arguments: Any) -> str:
    call = json.dumps({"name": "mobile_use", "arguments": arguments})
    return f"<thinking>\nx\n</thinking>\n<tool_call>\n{call}\n</tool_call>"


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (mai(action="click", coordinate=[499.5, 499.5]), a.Tap(MIDDLE)),
        (mai(action="click", coordinate=[499, 499, 500, 500]), a.Tap(MIDDLE)),
        (mai(action="click", coordinate=[499.5, 499.5]).replace("thinking", "think"),
         a.Tap(MIDDLE)),
        (mai(action="double_click", coordinate=[499.5, 499.5]), a.DoubleTap(MIDDLE)),
        (mai(action="long_press", coordinate=[499.5, 499.5]), a.LongPress(MIDDLE)),
        (mai(action="swipe", direction="up"), a.Scroll(Direction.UP)),
        (mai(action="swipe", direction="up", coordinate=[499.5, 499.5]),
         a.Scroll(Direction.UP, MIDDLE)),
        (mai(action="drag", start_coordinate=[0, 0], end_coordinate=[499.5, 499.5]),
         a.Swipe(Point(0, 0), MIDDLE)),
        (mai(action="drag", start_coordinate=[0, 0]),
         Unreadable("the swipe has no point", "swipe")),
        (mai(action="type", text="it's"), a.TypeText("it's")),
        (mai(action="open", text="Clock"), a.OpenApp("Clock")),
        (mai(action="system_button", button="menu"), a.PressKey(a.Key.RECENTS)),
        (mai(action="system_button", button="enter"), a.PressKey(a.Key.ENTER)),
        (mai(action="wait"), a.Wait()),
        (mai(action="terminate", status="fail"), a.Finish(a.Ending.IMPOSSIBLE)),
        (mai(action="answer", text="3"), a.Answer("3")),
        (mai(action="ask_user", text="which?"), a.Answer("which?")),
        ('<tool_call>{"name": "amap_route", "arguments": {"from": "a"}}</tool_call>',
         Unreadable("the call names no action")),
    ],
)  # fmt: skip
def test_mai_ui_s_call_is_read_up_to_999(answer, action):
    assert said("mai-ui", answer) == action


BOX = [[400, 400, 599, 599]]


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (
            'Memory: {"action_type": "wait"}\nReason: x\nAction: <|begin_of_box|>'
            '{"action_type": "click", "box_2d": [[400,400,599,599]]}<|end_of_box|>',
            a.Tap(MIDDLE),
        ),
        ('Action: {"action_type": "click", "box_2d": [[0400,400,599,599]]}', a.Tap(MIDDLE)),
        ({"action_type": "long_press", "box_2d": BOX}, a.LongPress(MIDDLE)),
        ({"action_type": "swipe", "direction": "left"}, a.Scroll(Direction.LEFT)),
        (
            {"action_type": "swipe", "direction": "up", "box_2d": BOX},
            a.Scroll(Direction.UP, MIDDLE),
        ),
        (
            "Action: {'action_type': 'input_text', 'text': 'tea', 'box_2d': [[400, 400, 599, 599]],"
            " 'override': True}",
            a.TypeText("tea", MIDDLE, clear=True, submit=True),
        ),
        (
            {"action_type": "input_text", "text": "tea", "override": False},
            a.TypeText("tea", submit=True),
        ),
        ({"action_type": "keyboard_enter"}, a.PressKey(a.Key.ENTER)),
        ({"action_type": "navigate_back"}, a.PressKey(a.Key.BACK)),
        ({"action_type": "open_app", "app_name": "Clock"}, a.OpenApp("Clock")),
        ({"action_type": "status", "goal_status": "infeasible"}, a.Finish(a.Ending.IMPOSSIBLE)),
        ({"action_type": "answer", "text": "3"}, a.Answer("3")),
        ({"action_type": "click"}, Unreadable("the tap has no point", "tap")),
        ({"action_type": "input_text"}, Unreadable("the type text has no text", "type_text")),
        ("<think>cut", Unreadable("its thought has no end")),
        ("Action: none", Unreadable("it has no object with an “action_type”")),
    ],
)
def test_glm_v_s_boxes_are_read_up_to_999_and_its_swipes_by_the_finger(answer, action):
    assert said("glm-v", answer) == action


def kimi(code: str) -> str:
    return f"It is the list.\n## Action:\nTap it.\n## Code:\n```python\n{code}\n```"


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (kimi("pyautogui.click(x=0.5, y=0.5)"), a.Tap(MIDDLE)),
        ("## Code:\n```code\npyautogui.click(0.5, 0.5)\n```", a.Tap(MIDDLE)),
        (kimi("pyautogui.moveTo(0.5, 0.75)\npyautogui.dragTo(0.5, 0.25, duration=1)"), UP),
        (kimi("pyautogui.moveTo(x=0.5, y=0.75)"),
         a.Other("pyautogui.moveTo", '{"x": 0.5, "y": 0.75}')),
        (kimi("pyautogui.doubleClick(x=0.5, y=0.5)"), a.DoubleTap(MIDDLE)),
        (kimi("pyautogui.scroll(-5)"), a.Scroll(Direction.UP)),
        (kimi("pyautogui.scroll(5, x=0.5, y=0.5)"), a.Scroll(Direction.DOWN, MIDDLE)),
        (kimi("pyautogui.hscroll(5)"), a.Scroll(Direction.LEFT)),
        (kimi("pyautogui.scroll()"), Unreadable("the scroll has no number of clicks", "scroll")),
        (kimi("pyautogui.write('two words')"), a.TypeText("two words")),
        (kimi("pyautogui.press('enter')"), a.PressKey(a.Key.ENTER)),
        (kimi("pyautogui.hotkey('ctrl', 'c')"), a.PressKey(a.Key.OTHER, "ctrl+c")),
        (kimi("computer.wait()"), a.Wait()),
        (kimi("computer.terminate(status='success')"), a.Finish(a.Ending.COMPLETE)),
        (kimi("computer.terminate(status='success', answer='3')"),
         a.Finish(a.Ending.COMPLETE, "3")),
        (kimi("computer.terminate(status='failure')"), a.Finish(a.Ending.IMPOSSIBLE)),
        (kimi("mobile.open_app(app_name='Clock')"), a.OpenApp("Clock")),
        (kimi("import os\nos.remove('x')"),
         Unreadable("there is no call of pyautogui or computer")),
        ("<think>cut", Unreadable("its thought has no end")),
        (3, Unreadable("the answer is not a text")),
    ],
)  # fmt: skip
def test_kimi_s_code_is_read_in_fractions_and_never_run(answer, action):
    assert said("kimi", answer) == action


def seed(name: str, **parameters: str) -> str:
    inner = "".join(f"<parameter={k}>{v}</parameter>" for k, v in parameters.items())
    return f"<seed:tool_call><function={name}>{inner}</function></seed:tool_call>"


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (seed("click", point="<point>500 500</point>"), a.Tap(MIDDLE)),
        ("<think>say <function=wait></function></think>" + seed("click", point="500 500"),
         a.Tap(MIDDLE)),
        ("<seed:think>x</seed:think>" + seed("click", point="500, 500"), a.Tap(MIDDLE)),
        ("<tool_call_x>\n<function=click>\n<parameter=point>\n<point>500 500</point>\n</parameter>"
         "\n</function>\n</tool_call_x>", a.Tap(MIDDLE)),
        ("<function=click><parameter=point>500 500", a.Tap(MIDDLE)),
        (seed("left_double", point="500 500"), a.DoubleTap(MIDDLE)),
        (seed("long_press", point="500 500"), a.LongPress(MIDDLE)),
        (seed("drag", start_point="<point>500 750</point>", end_point="<point>500 250</point>"),
         UP),
        (seed("scroll", direction="down"), a.Scroll(Direction.UP)),
        (seed("scroll", direction="down", point="500 500"), a.Scroll(Direction.UP, MIDDLE)),
        (seed("type", content="two words"), a.TypeText("two words")),
        (seed("type", content="tea\\n"), a.TypeText("tea", submit=True)),
        (seed("type", content="tea\n"), a.TypeText("tea", submit=True)),
        (seed("type", content="\ntea\n"), a.TypeText("tea")),
        (seed("open_app", app_name="Clock"), a.OpenApp("Clock")),
        (seed("press_back"), a.PressKey(a.Key.BACK)),
        (seed("hotkey", key="enter"), a.PressKey(a.Key.ENTER)),
        (seed("wait", time="2"), a.Wait(2_000_000)),
        (seed("finished", content="done"), a.Finish(a.Ending.COMPLETE, "done")),
        (seed("call_user"), a.Finish(a.Ending.IMPOSSIBLE)),
        (seed("click"), Unreadable("the tap has no point", "tap")),
        (seed("type"), Unreadable("the type text has no text", "type_text")),
        ("<think>cut", Unreadable("its thought has no end")),
        ("Tap it.", Unreadable("there is no <function=...>")),
        (3, Unreadable("the answer is not a text")),
    ],
)  # fmt: skip
def test_seed_s_xml_calls_are_read_in_thousandths(answer, action):
    assert said("seed-xml", answer) == action


@pytest.mark.parametrize(
    ("name", "answer", "space"),
    [
        ("autoglm", 'do(action="Tap", element=[374,621])', "0-1000"),
        ("gelab", "action:CLICK\tpoint:374,621", "0-1000"),
        ("mai-ui", mai(action="click", coordinate=[374, 621]), "0-999"),
        ("glm-v", {"action_type": "click", "box_2d": [[374, 621, 374, 621]]}, "0-999"),
        ("seed-xml", seed("click", point="374 621"), "0-1000"),
    ],
)
def test_the_model_s_own_numbers_are_kept(name, answer, space):
    assert kept(name, answer) == Native(space, '{"kind":"tap","at":{"point":[374.0,621.0]}}')


def test_actions_after_the_first_are_counted():
    two = seed("click", point="1 2") + seed("wait")
    assert seed_xml.parse(two).more == 1
    assert kimi_code.parse(kimi("pyautogui.click(0.1, 0.2)\ncomputer.wait()")).more == 1
