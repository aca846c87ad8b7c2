"""Function calls of "aguvis", "ui-venus-1.0", "ui-venus-1.5" and "androidlab"."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Native, Point, Size
from episodes.runs import Unreadable
from replay.dialect import Limits
from replay.dialects import dialect
from tests.replay.said import kept, said

MIDDLE = Point(540, 1200)


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("pyautogui.click(x=0.5, y=0.5)", a.Tap(MIDDLE)),
        ("pyautogui.click(0.5, 0.5)", a.Tap(MIDDLE)),
        ("<|recipient|>os\npyautogui.click(x=0.5, y=0.5)<|diff_marker|>\n", a.Tap(MIDDLE)),
        ("Click (see above).\npyautogui.click(x=1, y=0.5)", a.Tap(Point(1080, 1200))),
        ("pyautogui.doubleClick(x=0.5, y=0.5)", a.DoubleTap(MIDDLE)),
        ("mobile.long_press(x=0.5, y=0.5)", a.LongPress(MIDDLE)),
        ("pyautogui.write(message='it's ok')", a.TypeText("it's ok")),
        ("pyautogui.write(message=\"a, b='c'\")", a.TypeText("a, b='c'")),
        ("pyautogui.scroll(page=0.5)", a.Scroll(Direction.DOWN)),
        ("pyautogui.scroll(page=-0.5)", a.Scroll(Direction.UP)),
        ("pyautogui.hscroll(page=-0.5)", a.Scroll(Direction.RIGHT)),
        (
            "mobile.swipe(from_coord=[0.5, 0.75], to_coord=[0.5, 0.25])",
            a.Swipe(Point(540, 1800), Point(540, 600)),
        ),
        ("pyautogui.press(keys=['enter'])", a.PressKey(a.Key.ENTER)),
        ("pyautogui.hotkey(keys=['ctrl', 'c'])", a.PressKey(a.Key.OTHER, "ctrl+c")),
        ("mobile.home()", a.PressKey(a.Key.HOME)),
        ("mobile.back()", a.PressKey(a.Key.BACK)),
        ("mobile.wait(seconds=3)", a.Wait(3_000_000)),
        ("mobile.open_app(app_name='Gmail')", a.OpenApp("Gmail")),
        ("mobile.terminate(status='success')", a.Finish(a.Ending.COMPLETE)),
        ("mobile.terminate(status='failure')", a.Finish(a.Ending.IMPOSSIBLE)),
        ("answer(text='3')", a.Answer("3")),
        ("pyautogui.moveTo(x=0.1, y=0.2)", a.Other("pyautogui.moveTo", '{"x": 0.1, "y": 0.2}')),
        (
            "browser.select_option(x=0.1, y=0.2, value='a')",
            a.Other("browser.select_option", '{"x": 0.1, "y": 0.2, "value": "a"}'),
        ),
        ("pyautogui.click()", Unreadable("the tap has no point", "tap")),
        ("pyautogui.scroll(page='x')", Unreadable("the scroll has no page", "scroll")),
        ("__import__('os').system('x')", Unreadable("there is no call of pyautogui or mobile")),
        ("", Unreadable("there is no call of pyautogui or mobile")),
        (1, Unreadable("the answer is not a text")),
    ],
)
def test_aguvis_s_code_is_read_in_fractions_and_never_run(answer, action):
    assert said("aguvis", answer) == action


VENUS = [
    ("<think>a(b)</think>\n<action>Click(box=(500,500))</action>\n<conclusion>x</conclusion>",
     a.Tap(MIDDLE)),
    ("Click(box=(500, 500))", a.Tap(MIDDLE)),
    ("<think>say <action>Wait()</action></think><action>Click(box=(500,500))</action>",
     a.Tap(MIDDLE)),
    ("<action>Click(box=(500,500))</action><action>Wait()</action>", a.Tap(MIDDLE)),
    ("<think>first Click(box=(1,1)), then", Unreadable("its thought has no end")),
    ("<think>first Wait()</think>Click(box=(500,500))", a.Tap(MIDDLE)),
    ("<think>x<action>Click(box=(500,500))</action>", a.Tap(MIDDLE)),
    ("<action>Click(box=(500,500)", Unreadable("the tap has no point", "tap")),
    ("<action>LongPress(box=(500,500))</action>", a.LongPress(MIDDLE)),
    ("<action>DoubleClick(box=(500,500))</action>", a.DoubleTap(MIDDLE)),
    ("Scroll(start=(500,750), end=(500,250))", a.Swipe(Point(540, 1800), Point(540, 600))),
    ("Drag(start=(0,0), end=(500,500))", a.Swipe(Point(0, 0), MIDDLE)),
    ("Scroll(direction='down')", a.Scroll(Direction.UP)),
    ("Type(content='it's ok')", a.TypeText("it's ok")),
    ("Launch(app='Gmail')", a.OpenApp("Gmail")),
    ("<action>LaunchApp(app='酷我音乐')</action>", a.OpenApp("酷我音乐")),
    ("<action>Click(point=(500, 500))</action>", a.Tap(MIDDLE)),
    ("Wait()", a.Wait()),
    ("Finished(content='ok')", a.Finish(a.Ending.COMPLETE, "ok")),
    ("CallUser(content='which?')", a.Answer("which?")),
    ("PressBack()", a.PressKey(a.Key.BACK)),
    ("PressRecent()", a.PressKey(a.Key.RECENTS)),
    ("Hotkey(keys=['ctrl', 'c'])", a.PressKey(a.Key.OTHER, "ctrl+c")),
    ("Hover(box=(1,2))", a.Other("Hover", '{"box": [1, 2]}')),
    ("Type(content='it\\'s\\n')", a.TypeText("it\\'s\\n")),
    ("Type(content='''tea''')", a.TypeText("tea")),
    ('Type(content="tea")', a.TypeText('"tea"')),
    ("Type(content='a', x, 'b')", a.TypeText("a")),
    ("Type(content= 'tea')", a.TypeText("'tea")),
    ("Type('tea')", Unreadable("the type text has no text", "type_text")),
    ("Launch(url='x.org')", a.OpenApp("x.org")),
    ("Click(box=(5 00, 500))", a.Tap(MIDDLE)),
    ("Click(box=(-5,500))", Unreadable("the tap has no point", "tap")),
    ("Click(box=(1.2.3,500))", Unreadable("“(1.2.3,500)” is not a point")),
    ("<action>Click(500,500)", Unreadable("the tap has no point", "tap")),
    ("Scroll(start=(1,2))", Unreadable("the swipe has no point", "swipe")),
    ("<action></action>", Unreadable("there is no call in its action")),
    ("nothing", Unreadable("there is no call")),
    ([], Unreadable("the answer is not a text")),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "action"), VENUS)
def test_ui_venus_1_5_s_call_is_read_in_thousandths(answer, action):
    assert said("ui-venus-1.5", answer) == action


def test_ui_venus_1_0_uses_pixels_of_a_small_picture():
    told = "<action>Click(box=(322,714))</action>"
    assert said("ui-venus-1.0", told) == a.Tap(MIDDLE)
    assert said("ui-venus-1.0", told, size=Size(2400, 1080)) == a.Tap(
        Point(322 * 2400 / 1428, 714 * 1080 / 644)
    )
    assert kept("ui-venus-1.0", told) == Native(
        "resized:ui-venus-1.0", '{"kind":"tap","at":{"point":[322.0,714.0]}}'
    )


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ('do(action="Tap", element=[440, 1100, 640, 1300])', a.Tap(MIDDLE)),
        ('* Plan: f(x)\n```\ndo(action="Tap", element=[540,1200])\n```', a.Tap(MIDDLE)),
        ('do("Tap", [540, 1200])', a.Tap(MIDDLE)),
        ('<think>\nnot wait(1)\n</think>\n<ans>\ndo(action="Back")\n</ans>', a.PressKey(
            a.Key.BACK
        )),
        ("Thought: tap(1) did nothing.\nAction: tap(2)", a.Tap(a.ElementRef(index=2))),
        ('* Plan: wait(3) first\n```\ndo(action="Back")\n```', a.PressKey(a.Key.BACK)),
        ("<think>maybe wait(1), or", Unreadable("its thought has no end")),
        ('do(action="Long Press", element=[540, 1200])', a.LongPress(MIDDLE)),
        (
            'do(action="Swipe", element=[540, 1200], direction="up", dist="medium")',
            a.Scroll(Direction.UP, MIDDLE),
        ),
        ('do(action="Type", text="dns.google")', a.TypeText("dns.google", None, True, True)),
        ('do(action="Back")', a.PressKey(a.Key.BACK)),
        ('do(action="Press Home")', a.PressKey(a.Key.HOME)),
        ('do(action="Launch", app="Clock")', a.OpenApp("Clock")),
        ('do(action="Wait")', a.Wait()),
        ('finish(message="It is on")', a.Finish(a.Ending.COMPLETE, "It is on")),
        ("finish()", a.Finish(a.Ending.COMPLETE)),
        ("Action: tap(1)", a.Tap(a.ElementRef(index=1))),
        ("Action: long_press(7)", a.LongPress(a.ElementRef(index=7))),
        ('Action: swipe(2, "up", "medium")', a.Scroll(Direction.UP, a.ElementRef(index=2))),
        ('Action: text("007")', a.TypeText("007", None, True)),
        ('Action: text(input_str="tea")', a.TypeText("tea", None, True)),
        ("Action: text(7)", Unreadable("the type text has no text", "type_text")),
        ('Action: swipe(index=2, direction="up", dist="long")', a.Scroll(
            Direction.UP, a.ElementRef(index=2)
        )),
        ("Action: back()", a.PressKey(a.Key.BACK)),
        ('do(action="Call_API")', a.Other("Call_API")),
        ('do(action="Tap")', Unreadable("the tap has no point", "tap")),
        ("os.remove('x')", Unreadable(
            "there is no call of do or finish, nor of a marked picture's"
        )),
        (
            {"operation": "do", "action": "Tap", "kwargs": {"element": [540, 1200]}},
            a.Tap(MIDDLE),
        ),
        ({"operation": "do", "action": "Press Back"}, a.PressKey(a.Key.BACK)),
        (
            {"operation": "finish", "kwargs": {"message": "done"}},
            a.Finish(a.Ending.COMPLETE, "done"),
        ),
    ],
)  # fmt: skip
def test_android_lab_s_reply_is_read_in_pixels_and_never_run(answer, action):
    assert said("androidlab", answer) == action


def test_android_lab_s_trace_gives_marks_their_places(tmp_path):
    path = tmp_path / "trace.jsonl"
    row = {
        "trace_id": "setting_5_2024-11-14_20-51-34",
        "index": 0,
        "parsed_action": {"operation": "do", "action": "Tap", "kwargs": {"element": [540, 1200]}},
        "current_response": "Action: tap(1)",
    }
    older = {"trace_id": "t", "index": 1, "response": 'do(action="Wait")'}
    path.write_text(json.dumps(row) + "\n" + json.dumps(older) + "\n" + '{"trace_id": "t"}\n')
    first, second, bad = dialect("androidlab").rows(path, Limits())
    assert (first.episode, first.step, first.raw) == (row["trace_id"], 0, "Action: tap(1)")
    assert said("androidlab", first.value) == a.Tap(MIDDLE)
    assert (second.episode, second.step, said("androidlab", second.value)) == ("t", 1, a.Wait())
    assert bad.problem == "it has no step's number"
