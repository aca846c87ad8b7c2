"""What a model of each dialect says: a tap, a stroke, a text, keys, an end, in a few forms."""

from __future__ import annotations

import json
from typing import Any


def _call(**arguments: Any) -> str:
    told = {"name": "mobile_use", "arguments": arguments}
    return f"<tool_call>\n{json.dumps(told)}\n</tool_call>"


_TARS = (
    "Thought: the list\nAction: click(start_box='<|box_start|>(374,621)<|box_end|>')",
    "Action: click(point='<point>374 621</point>')",
    "Action: drag(start_box='(500,800)', end_box='(500,200)')",
    "Action: scroll(start_box='[100, 200, 300, 400]', direction='down')",
    "Action: type(content='it\\'s tea\\n')",
    "Action: open_app(app_name='Notes')",
    "Action: hotkey(key='enter')",
    "Action: press_back()",
    "Action: finished(content='done')",
)
_TOOL = (
    "<think>x</think>" + _call(action="click", coordinate=[408, 1495]),
    _call(action="swipe", coordinate=[500, 750], coordinate2=[500, 250]),
    _call(action="long_press", coordinate=[20, 30], time=2),
    _call(action="type", text="tea"),
    _call(action="system_button", button="Back"),
    _call(action="key", text="volume_up"),
    _call(action="open", text="Notes"),
    _call(action="wait", time=2),
    _call(action="terminate", status="success"),
)
_CONTROL = (
    {"action_type": "click", "x": 404, "y": 1490},
    {"action_type": "long_press", "index": 3},
    {"action_type": "scroll", "direction": "down"},
    {"action_type": "swipe", "direction": "up", "x": 3, "y": 4},
    {"action_type": "input_text", "text": "tea", "index": 2},
    {"action_type": "open_app", "app_name": "Notes"},
    {"action_type": "navigate_back"},
    {"action_type": "status", "goal_status": "complete"},
    {"action_type": "answer", "text": "42"},
)
_VENUS = (
    "<think>x</think>\n<action>Click(box=(241,886))</action>\n<conclusion>y</conclusion>",
    "<action>Drag(start=(500,800), end=(500,200))</action>",
    "<action>Scroll(start=(1,2), end=(3,4), direction='down')</action>",
    "<action>Type(content='tea')</action>",
    "<action>Launch(app='Notes')</action>",
    "<action>PressBack()</action>",
    "<action>Finished(content='')</action>",
)
_ATLAS = (
    "thoughts:\nthe list\nactions:\nCLICK <point>[[374,621]]</point><|im_end|>",
    "actions:\nLONG_PRESS <point>[[3,6]]</point>",
    "actions:\nSCROLL [DOWN]",
    "actions:\nTYPE [tea]",
    "actions:\nOPEN_APP [Notes]",
    "actions:\nPRESS_BACK",
    "actions:\nCOMPLETE",
)
_AGUVIS = (
    "<|recipient|>os\npyautogui.click(x=0.374, y=0.621)<|diff_marker|>",
    "pyautogui.write(message='tea')",
    "pyautogui.scroll(page=-0.5)",
    "pyautogui.hotkey(keys=['ctrl', 'c'])",
    "mobile.swipe(from_coord=[0.5, 0.8], to_coord=[0.5, 0.2])",
    "mobile.open_app(app_name='Notes')",
    "mobile.back()",
    "mobile.terminate(status='success')",
)
TEXTS: dict[str, tuple[Any, ...]] = {
    "guiodyssey": (
        "CLICK: (374, 621)", "LONG_PRESS: (3, 6)", "SCROLL: UP", "TYPE: tea", "PRESS_HOME",
        "PRESS_BACK", "PRESS_RECENT", "COMPLETE", "INCOMPLETE: no",
    ),
    "taptrail": (
        {"kind": "tap", "at": {"point": [404, 1490]}, "lift": [405, 1491]},
        {"kind": "long_press", "at": {"box": [40, 700, 1040, 860]}, "duration_us": 800000},
        {"kind": "swipe", "start": [540, 1900], "end": [548, 900],
         "path": [["down", 540, 1900, 0, 0, 1.0], ["up", 548, 900, 300000, 0, 0.0]]},
        {"kind": "scroll", "direction": "up", "at": {"element": {"text": "Phone", "index": 3}}},
        {"kind": "pinch", "centre": [540, 1200], "scale": 1.5},
        {"kind": "type_text", "text": "tea", "submit": True},
        {"kind": "press_key", "key": "other", "name": "KEYCODE_CAMERA"},
        {"kind": "other", "name": "DRAW", "arguments": "{\"shape\":\"line\"}"},
        {"kind": "finish", "ending": "impossible", "reason": "none"},
    ),
    "agentcpm": (
        '{"thought":"the list","POINT":[374,621]}', '{"POINT":[500,750],"to":"up"}',
        '{"POINT":[500,750],"to":[1,2],"duration":900}', '{"TYPE":"tea"}', '{"PRESS":"HOME"}',
        '{"duration":3000}', '{"STATUS":"finish"}',
    ),
    "ui-tars-1.0": _TARS, "ui-tars-1.5": _TARS, "seed": _TARS,
    "os-atlas": _ATLAS,
    "qwen25vl": _TOOL, "qwen3vl": _TOOL, "infigui-r1": _TOOL, "gui-owl": _TOOL,
    "gui-owl-1.5": _TOOL,
    "mai-ui": (
        *_TOOL,
        _call(action="swipe", direction="up", coordinate=[500, 500]),
        _call(action="drag", start_coordinate=[500, 750], end_coordinate=[500, 250]),
        _call(action="ask_user", text="which?"),
    ),
    "seed-xml": (
        "<think>x</think><seed:tool_call><function=click><parameter=point><point>374 621</point>"
        "</parameter></function></seed:tool_call>",
        "<tool_call>\n<function=type>\n<parameter=content>\ntea\\n\n</parameter>\n</function>"
        "\n</tool_call>",
        "<function=drag><parameter=start_point>1 2</parameter><parameter=end_point>3 4",
        "<function=scroll><parameter=direction>down</parameter></function>",
        "<function=press_back></function><function=finished></function>",
    ),
    "autoglm": (
        '<think>x</think><answer>do(action="Tap", element=[374,621])</answer>',
        'do(action="Swipe", start=[500,800], end=[500,200])',
        'do(action="Type", text="green "tea"")', 'do(action="Double Tap", element=[1,2])',
        'do(action="Launch", app="Notes")', 'do(action="Wait", duration="2 seconds")',
        'do(action="Interact")', 'finish(message="It is on the list.")',
    ),
    "gelab": (
        "<THINK> x </THINK>\nexplain:y\taction:CLICK\tpoint:374,621\tsummary:z",
        "action:SLIDE\tpoint1:500,800\tpoint2:500 200", "action:TYPE\tvalue:tea: green",
        "action:HOT_KEY\tkey:HOME", "action:AWAKE\tvalue:Notes", "action:WAIT\tvalue:2",
        "action:COMPLETE\treturn:done", "action:ABORT\tvalue:no",
    ),
    "glm-v": (
        'Memory: x\nAction: <|begin_of_box|>{"action_type": "click", "box_2d": [[50,590,950,655]]}'
        "<|end_of_box|>",
        'Action: {"action_type": "swipe", "direction": "left", "box_2d": [[1,2,3,4]]}',
        '{"action_type": "input_text", "text": "tea", "override": true}',
        'Action: {"action_type": "status", "goal_status": "infeasible"}',
    ),
    "kimi": (
        "## Action:\nTap it.\n## Code:\n```python\npyautogui.click(x=0.374, y=0.621)\n```",
        "## Code:\npyautogui.moveTo(0.5, 0.8)\npyautogui.dragTo(0.5, 0.2, duration=1)",
        "## Code:\npyautogui.scroll(-5)", "## Code:\npyautogui.hotkey('ctrl', 'c')",
        "## Code:\ncomputer.terminate(status='success', answer='3')",
    ),
    "aguvis": _AGUVIS,
    "gui-r1": (
        "<think>x</think> <answer>[{'action': 'click', 'point': [408, 1495], "
        "'input_text': 'no input text'}]</answer>",
        "<answer>[{'action': 'type', 'point': [-100, -100], 'input_text': 'it's tea'}]</answer>",
        "<answer>[{'action': 'scroll', 'point': [-100, -100], 'input_text': 'down'}]</answer>",
        "<answer>[{'action': 'press_back', 'point': [-100, -100], 'input_text': ''}]</answer>",
        "<answer>[{'action': 'complete', 'point': [-100, -100], 'input_text': ''}]</answer>",
    ),
    "ui-venus-1.0": _VENUS, "ui-venus-1.5": _VENUS,
    "uground": _CONTROL,
    "aitz": (
        '{"ACTION": "click_element", "ARGS": {"bbox": [50, 590, 950, 655]}}',
        '{"ACTION": "click_element", "ARGS": {"idx": 3}}',
        '{"ACTION": "scroll", "ARGS": {"direction": "up"}}',
        '{"ACTION": "input", "ARGS": {"text": "tea"}}',
        '{"ACTION": "press_back", "ARGS": {}}', '{"ACTION": "stop", "ARGS": {}}',
    ),
    "aitw": (
        {"action_type": 4, "touch": [0.621, 0.374], "lift": [0.621, 0.374]},
        {"action_type": "DUAL_POINT", "touch_yx": [0.8, 0.5], "lift_yx": [0.2, 0.5], "text": ""},
        'Action Plan: [TYPE]\nAction Decision: "action_type": "TYPE", '
        '"touch_point": "[-1.0, -1.0]", "lift_point": "[-1.0, -1.0]", "typed_text": "tea"',
        {"action_type": 5}, {"action_type": 10},
    ),
    "androidcontrol": _CONTROL, "androidworld": _CONTROL,
    "androidlab": (
        "```\ndo(action=\"Tap\", element=[54, 1416, 1026, 1572])\n```",
        "do(action=\"Swipe\", element=[5, 14, 10, 15], direction=\"up\", dist=\"medium\")",
        "do(action=\"Type\", text=\"tea\")", "do(action=\"Back\")", "tap(1)", "text(\"tea\")",
        "swipe(2, \"up\", \"medium\")", "finish(message=\"It is on the list.\")",
    ),
    "showui": (
        "{'action': 'CLICK', 'value': None, 'position': [0.374, 0.621]}",
        "{'action': 'TYPE', 'value': 'tea', 'position': None}",
        "{'action': 'SWIPE', 'value': None, 'position': [[0.5, 0.8], [0.5, 0.2]]}",
        "{'action': 'SCROLL UP', 'value': None, 'position': None}",
        "{'action': 'STATUS TASK COMPLETE'}",
    ),
    "mimo": (
        '```json\n[{"action": "click", "start_point": [404, 1490]}]\n```',
        '```json\n[{"action": "drag", "start_point": [4, 9], "end_point": [40, 90]}]\n```',
        '[{"action": "input", "text": "tea"}, {"action": "press", "keys": ["back"]}]',
        '[{"action": "scroll", "direction": "up"}]', '[{"action": "finished"}]',
    ),
    "agentcpm/ui-tars": _TARS, "agentcpm/os-atlas": _ATLAS, "agentcpm/aguvis": _AGUVIS,
}  # fmt: skip
"""By dialect; objects stand in the row as they are."""
