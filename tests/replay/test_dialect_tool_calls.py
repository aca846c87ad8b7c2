"""The tool mobile_use: "qwen25vl", "qwen3vl", "infigui-r1", "gui-owl" and "gui-owl-1.5"."""

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
IN_PIXELS = ("qwen25vl", "infigui-r1", "gui-owl")


def call(tags=True, **arguments):
    told = json.dumps({"name": "mobile_use", "arguments": arguments})
    return f"<tool_call>\n{told}\n</tool_call>" if tags else told


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        (call(action="click", coordinate=[546, 1204]), a.Tap(MIDDLE)),
        (call(tags=False, action="click", coordinate=[546, 1204]), a.Tap(MIDDLE)),
        (
            '<think>{"name": 1}</think>' + call(action="click", coordinate=[546, 1204]),
            a.Tap(MIDDLE),
        ),
        (
            "<tool_call>" + call(tags=False, action="wait", time=1) + "</tool_call>",
            a.Wait(1_000_000),
        ),
        ("<tool_call>" + call(tags=False, action="wait", time=1.5), a.Wait(1_500_000)),
        (
            "<thinking>a</thinking>\r\n"
            + call(action="wait", time=1)
            + "<conclusion>{</conclusion>",
            a.Wait(1_000_000),
        ),
        (
            call(action="long_press", coordinate=[546, 1204], time=2),
            a.LongPress(MIDDLE, 2_000_000),
        ),
        (
            call(action="swipe", coordinate=[546, 1806], coordinate2=[546, 602]),
            a.Swipe(Point(540, 1800), Point(540, 600)),
        ),
        (call(action="swipe", direction="up"), a.Scroll(Direction.UP)),
        (call(action="type", text='say "</tool_call>"'), a.TypeText('say "</tool_call>"')),
        (call(action="system_button", button="Back"), a.PressKey(a.Key.BACK)),
        (call(action="system_button", button="Menu"), a.PressKey(a.Key.RECENTS)),
        (call(action="key", text="menu"), a.PressKey(a.Key.MENU)),
        (call(action="key", text="volume_up"), a.PressKey(a.Key.VOLUME_UP)),
        (call(action="key", text="camera"), a.PressKey(a.Key.OTHER, "camera")),
        (call(action="open", text="Gmail"), a.OpenApp("Gmail")),
        (call(action="answer", text="3"), a.Answer("3")),
        (call(action="terminate", status="success"), a.Finish(a.Ending.COMPLETE)),
        (call(action="terminate", status="failure"), a.Finish(a.Ending.IMPOSSIBLE)),
        ("{'name': 'mobile_use', 'arguments': {'action': 'wait'}}", a.Wait()),
        ('{"action": "click", "coordinate": [546, 1204]}', a.Tap(MIDDLE)),
        (
            "### Thought ###\n{x}\n\n### Action ###\n"
            '{"action": "open_app", "text": "Clock"}\n\n### Description ###\ny',
            a.OpenApp("Clock"),
        ),
        ('{"action": "done"}', a.Finish(a.Ending.COMPLETE)),
        (call(action="fold"), a.Other("fold", '{"action": "fold"}')),
        (call(action="click"), Unreadable("the tap has no point", "tap")),
        (call(action="click", coordinate=[True, 1]), Unreadable("the tap has no point", "tap")),
        (call(action="click", coordinate=[1e12, 1]), Unreadable("the tap has no point", "tap")),
        (call(action="type"), Unreadable("the type text has no text", "type_text")),
        (call(), Unreadable("the call names no action")),
        (
            call(action="click", coordinate=[546, 1204]).replace("1204]", "1204"),
            Unreadable("“}}\n</tool_call>” follows a value"),
        ),
        (
            '<think>I call {"name": "mobile_use", "arguments": {"action": "wait"}} or',
            Unreadable("its thought has no end"),
        ),
        ("<tool_call></tool_call>", Unreadable("there is no tool call")),
        ("I would click", Unreadable("there is no tool call")),
        (5, Unreadable("the answer is not a text")),
    ],
)
def test_a_tool_call_is_read_in_pixels_of_the_resized_picture(answer, action):
    assert [said(name, answer) for name in IN_PIXELS] == [action] * 3


def test_qwen3vl_ends_at_999_and_gui_owl_1_5_at_1000():
    told = 'Thought: x\nAction: "tap"\n' + call(action="click", coordinate=[999, 500])
    assert said("qwen3vl", told) == a.Tap(Point(1080, 500 * 2400 / 999))
    assert said("qwen3vl", told, coordinates="0-1000") == a.Tap(Point(999 * 1.08, 1200))
    assert said("gui-owl-1.5", told) == a.Tap(Point(999 * 1080 / 1000, 1200))


def test_the_text_is_kept_for_qwen_s_protocol_and_the_numbers_for_a_declared_picture():
    told = call(action="click", coordinate=[546, 1204])
    assert kept("qwen25vl", told) == Native.of("qwen25vl", told)
    assert kept("infigui-r1", told) == Native.of("qwen25vl", told)
    numbers = '{"kind":"tap","at":{"point":[546.0,1204.0]}}'
    assert kept("qwen25vl", told, coordinates="resized:1092x2408") == Native(
        "resized:1092x2408", numbers
    )
    assert kept("qwen3vl", told) == Native("0-999", numbers)


def test_infigui_s_jobs_are_a_list_with_the_model_s_output(tmp_path):
    path = tmp_path / "jobs_low.json"
    job = {"question_id": "q", "episode_id": 7, "step_id": 2, "llm_prediction": {"action": "x"}}
    path.write_text(json.dumps([{**job, "llm_output": call(action="wait", time=1)}, 5]))
    good, bad = dialect("infigui-r1").rows(path, Limits())
    assert (good.episode, good.step, good.value) == ("7", 2, call(action="wait", time=1))
    assert (bad.line, bad.problem) == (2, "the element is not an object")
