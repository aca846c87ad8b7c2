"""The AndroidControl step rules, each transcribed from its description in prose.

One module an evaluator, all with `judge(...)` and `aggregate(...)`. A verdict is
`(correct, parts)`. `correct` is None when the evaluator gives no verdict: the run stops ("error"
says why), the step is not scored, or, for the paper alone, its text does not decide.

`parts` always has "type" (does the action type match), "target" (the point), "argument" (text,
app, direction, button or status) and "error". A part that was not asked, or that the description
does not give, is None.

A gold step is a dict. "action" is the data set's own JSON, such as {"action_type": "click", "x":
1, "y": 2}; the step that ends an episode is {"action_type": "status", "goal_status": ...}. "size"
is (width, height) in pixels. A box is [left, top, right, bottom] in pixels of that size.
Directions of gold scrolls are the content's.

Where a description is silent, the choice made here is written next to the code that makes it.
"""

from types import ModuleType

from tests.oracles.androidcontrol import (
    agentcpm,
    clawgui,
    gui_r1,
    mimo,
    os_atlas,
    paper,
    qwen25vl,
    uground,
)

EVALUATORS: dict[str, ModuleType] = {
    "paper": paper,
    "uground": uground,
    "os-atlas": os_atlas,
    "qwen25vl": qwen25vl,
    "agentcpm": agentcpm,
    "agentcpm-no-flag": agentcpm,  # its cases say flag=False
    "gui-r1": gui_r1,
    "clawgui": clawgui,
    "mimo": mimo,
}
