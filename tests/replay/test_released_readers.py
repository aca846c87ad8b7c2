"""What the released readers make of texts beyond the recorded ones, worked out from their rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.__main__ import answer

VALUE_ERROR = {"error": "ValueError"}


def reading(variant: str, prediction: Any, **context: Any) -> Any:
    case = {"id": "x", "protocol": "import", "variant": variant, "prediction": prediction}
    return answer({**case, "context": context})["got"]


def tars(text: str, model: str = "qwen2vl", screen: tuple[int, int] = (1080, 2400)) -> Any:
    return reading("ui_tars_parser", text, screen=screen, model_type=model, factor=1000)


def step(name: str, thought: str | None = "t", reflection: str | None = None, **inputs: str) -> Any:
    told = {"reflection": reflection, "thought": thought}
    return {**told, "action_type": name, "action_inputs": inputs}


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "Thought: t\nAction: click(point='<point>0200 300</point>')\n[EOS]",
            [step("click", start_box="[0.2, 0.3, 0.2, 0.3]")],
        ),
        (
            "Thought: see <point>1 2</point>\nAction: wait()",
            [step("wait", "see (1,2)")],
        ),
        (
            "Reflection: r\nAction_Summary: s\n"
            "Action: drag(start_point='(1,2)', end_point='(3,4)')",
            [
                step(
                    "drag",
                    "s",
                    "r",
                    start_box="[0.001, 0.002, 0.001, 0.002]",
                    end_box="[0.003, 0.004, 0.003, 0.004]",
                )
            ],
        ),
        ("Action_Summary: s\nAction: press_home()", [step("press_home", "s")]),
        (
            "Thought: t\nAction: scroll(start_box='(1,2,3,4)', direction='down')",
            [step("scroll", start_box="[0.001, 0.002, 0.003, 0.004]", direction="down")],
        ),
        ("Action: finished(content='')", [step("finished", None)]),
        ("Thought: t\nAction: type(content='a)b')", [step("type", content="a)b")]),
        ("Thought: t\nAction:wait()", VALUE_ERROR),
        ("Thought: t\nAction: type(content='a\nb')", VALUE_ERROR),
        ("Thought: t\nAction: click(start_box=(1,2))", {"error": "AttributeError"}),
        ("Action: press(time=5)\n\nwait", VALUE_ERROR),  # all calls are parsed first
        ("Thought: t", {"error": "AssertionError"}),
    ],
)
def test_our_reader_agrees_with_ui_tars_own_parser(text, steps):
    assert tars(text) == steps


def test_ui_tars_own_parser_sizes_the_picture_before_it_looks_for_an_action():
    assert tars("nothing", "qwen25vl", (10, 2001)) == VALUE_ERROR


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Click(box=( 540 ,\n1200 ))", {"box": [540.0, 1200.0]}),
        ("Click(box=(-1, 5))", VALUE_ERROR),
        ("Click(box=(1.2.3, 5))", VALUE_ERROR),
        ("Drag(start=(1, 2), end=(3, 4))", {"start": [1.0, 2.0], "end": [3.0, 4.0]}),
        ("Drag(start=(1, 2))", VALUE_ERROR),
        ("Scroll(direction='down')", {"start": [], "end": [], "direction": "down"}),
        ("Scroll(direction)", {"start": [], "end": [], "direction": None}),
        ("Scroll(start=(1.2.3, 2), end=(3, 4), direction='down')", VALUE_ERROR),
        ("Type(content='a, b=c')", {"content": "a, b=c"}),
        ("Type(content='it's')", {"content": "it's"}),
        ("Type(content)", VALUE_ERROR),
        ('Type(content="a")', {"content": '"a"'}),
        ("Launch(url='x')", {"app": "", "url": "x"}),
        ("Launch(app)", VALUE_ERROR),
        ("Finished()", {"content": ""}),
        ("Finished(content)", {"content": None}),
        ("PressBack()", {}),
        ("click(box=(1, 2))", VALUE_ERROR),
        ("Click(box=(1, 2)", VALUE_ERROR),
        ("<action>Click(box=(1, 2))</action>", VALUE_ERROR),
    ],
)
def test_our_reader_agrees_with_ui_venus_own_parser(text, told):
    got = reading("ui_venus", text)
    assert got == told if told == VALUE_ERROR else got["params"] == told


def test_an_empty_text_of_gui_r1_is_an_empty_text():
    text = "<answer>[{'action': 'type', 'point': [-100, -100], 'input_text': ''}]</answer>"
    assert reading("gui_r1", text) == {"action": "type", "coord": [0, 0, 0, 0], "text": ""}


def test_a_division_by_zero_in_a_reader_is_reported_by_its_error():
    call = '<tool_call>\n{"arguments": {"action": "click", "coordinate": [1, 2]}}\n</tool_call>'
    told = reading("agentcpm_from_qwen25vl", call, resized=[0, 5])
    assert told == {"error": "ZeroDivisionError"}
