"""AndroidControl's protocols on steps: what gold they read, and what they make of predictions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Direction, Native, Point, Size
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from replay.score_runs import ScoredStep
from scoring.protocol import CannotSay
from scoring.protocols import PROTOCOLS
from scoring.protocols.androidcontrol import ANDROIDCONTROL, gui_r1, tool_calls
from tests.conformance.androidcontrol import VARIANTS

KEYS = [protocol.key for protocol in ANDROIDCONTROL]
PHONE = Size(1080, 2400)
SAVE = Point(200, 230)
XML = """<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0">
  <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="p"
        content-desc="" enabled="true" bounds="[0,0][1080,2400]">
    <node index="0" text="Save" resource-id="p:id/save" class="android.widget.Button" package="p"
          content-desc="" clickable="true" enabled="true" bounds="[100,200][300,260]" />
    <node index="1" text="" resource-id="" class="android.widget.ImageButton" package="p"
          content-desc="Back" clickable="true" enabled="true" bounds="[0,60][120,180]" />
    <node index="2" text="Gmail" resource-id="" class="android.widget.TextView" package="p"
          content-desc="" clickable="true" enabled="true" bounds="[400,1800][600,2050]" />
  </node>
</hierarchy>
"""


def step(
    action: a.Action | None = None,
    native: Any = None,
    tree: str | None = XML,
    size: Size | None = PHONE,
) -> Step:
    """A step by its action, or as the data set has it."""
    kept = None
    if tree is not None:
        record = TreeRecord("uiautomator", tree.encode(), "import", TreeStatus.OK)
        kept = StepTree(record, TreeFit.IMPORTED)
    return Step(
        0,
        action or a.Other("annotated"),
        frame=Frame(size, Basis.IMPORTED) if size is not None else None,
        native=Native.of("androidcontrol", native) if native is not None else None,
        tree=kept,
    )


def episode(*steps: Step) -> Episode:
    return Episode("u", "0", Origin("androidcontrol"), Task(""), EpisodeState.FINISHED, steps)


def said(parsed: a.Action | Unreadable, raw: str = "", native: Native | None = None) -> Prediction:
    return Prediction("0", 0, raw, parsed, native)


def verdict(key: str, gold: Step, prediction: Prediction | None) -> Verdict:
    return PROTOCOLS[key].verdict(prediction, gold, episode(gold))


def word(found: Verdict) -> str:
    return {Outcome.MATCH: "+", Outcome.MISMATCH: "-", Outcome.UNSCORED: "?"}[found.outcome]


def words(gold: Step, prediction: Prediction | None) -> dict[str, str]:
    """The outcome under each protocol, by the last part of its name."""
    return {key.split("/")[1].split("@")[0]: word(verdict(key, gold, prediction)) for key in KEYS}


def expected(usual: str, **others: str) -> dict[str, str]:
    names = [key.split("/")[1].split("@")[0] for key in KEYS]
    return {name: others.get(name.replace("-", "_"), usual) for name in names}


SCROLLED = {"action_type": "scroll", "direction": "down"}
FINGER_UP = a.Swipe(Point(540, 1800), Point(540, 600))


@pytest.mark.parametrize(
    ("gold", "parsed", "outcomes"),
    [
        ({"action_type": "click", "x": 200, "y": 230}, a.Tap(SAVE), expected("+")),
        (
            {"action_type": "click", "x": 200, "y": 230},
            a.Tap(Point(200, 1900)),
            expected("-", qwen25vl="+", clawgui="+", agentcpm="+", agentcpm_no_flag="+", mimo="+"),
        ),
        (
            {"action_type": "long_press", "x": 200, "y": 230},
            a.LongPress(SAVE),
            expected("+", agentcpm="-", agentcpm_no_flag="-"),
        ),
        (
            {"action_type": "long_press", "x": 200, "y": 230},
            a.Tap(SAVE),
            expected("-", agentcpm="+", agentcpm_no_flag="+", gui_r1="+"),
        ),
        (SCROLLED, FINGER_UP, expected("+", qwen25vl="-")),
        (SCROLLED, a.Scroll(Direction.UP), expected("+", qwen25vl="-")),
        (SCROLLED, a.Scroll(Direction.DOWN), expected("-", qwen25vl="+")),
        ({"action_type": "input_text", "text": "milk"}, a.TypeText("milk"), expected("+")),
        (
            {"action_type": "input_text", "text": "milk"},
            a.TypeText("buy Milk"),
            expected("-", qwen25vl="+", agentcpm="+", agentcpm_no_flag="+", mimo="+", gui_r1="+",
                     clawgui="+"),
        ),
        (
            {"action_type": "open_app", "app_name": "Gmail"},
            a.OpenApp("Gmail"),
            expected("+", agentcpm="?", agentcpm_no_flag="?"),
        ),
        (
            {"action_type": "open_app", "app_name": "Gmail"},
            a.Tap(Point(500, 1900)),
            expected("-", paper="+", uground="+", qwen25vl="+", agentcpm="?",
                     agentcpm_no_flag="?"),
        ),
        ({"action_type": "navigate_back"}, a.PressKey(a.Key.BACK), expected("+", gui_r1="?")),
        (
            {"action_type": "navigate_back"},
            a.Tap(Point(60, 120)),
            expected("-", paper="+", uground="+", gui_r1="?"),
        ),
        ({"action_type": "navigate_home"}, a.PressKey(a.Key.HOME), expected("+", gui_r1="?")),
        ({"action_type": "wait"}, a.Wait(), expected("+", gui_r1="?")),
        (
            {"action_type": "wait"},
            a.Finish(a.Ending.COMPLETE),
            expected("-", gui_r1="?", agentcpm="+", agentcpm_no_flag="+"),
        ),
    ],
)  # fmt: skip
def test_each_evaluator_judges_a_read_action_in_its_own_form(gold, parsed, outcomes):
    assert words(step(native=gold), said(parsed)) == outcomes


@pytest.mark.parametrize(
    ("recorded", "parsed"),
    [
        (a.Tap(SAVE), a.Tap(SAVE)),
        (a.LongPress(SAVE, 900_000), a.LongPress(SAVE)),
        (a.Swipe(Point(500, 1500), Point(500, 700)), a.Scroll(Direction.UP)),
        (a.TypeText("hello"), a.TypeText("hello")),
        (a.PressKey(a.Key.BACK), a.PressKey(a.Key.BACK)),
        (a.OpenApp("Gmail"), a.OpenApp("Gmail")),
        (a.Wait(), a.Wait()),
        (a.Finish(a.Ending.COMPLETE), a.Finish(a.Ending.COMPLETE)),
    ],
)
def test_a_recorded_step_is_judged_as_its_export_would_be(recorded, parsed):
    found = words(step(recorded), said(parsed))
    silent = {name for name, outcome in found.items() if outcome == "?"}
    wrong = {name for name, outcome in found.items() if outcome == "-"}
    assert silent == {
        "open_app": {"agentcpm", "agentcpm-no-flag"},
        "press_key": {"gui-r1"},
        "wait": {"gui-r1"},
        "finish": {"gui-r1", "qwen25vl", "clawgui"},
    }.get(a.kind(recorded), set())
    assert wrong == {
        "swipe": {"qwen25vl"},
        "long_press": {"agentcpm", "agentcpm-no-flag"},
    }.get(a.kind(recorded), set())


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("recorded", "why"),
    [
        (a.DoubleTap(SAVE), "AndroidControl has no double tap"),
        (a.Answer("42"), "AndroidControl has no answer"),
        (a.PressKey(a.Key.ENTER), "AndroidControl has no key enter"),
        (a.Tap(a.ElementRef(text="Save")), "the element is named, not pointed at"),
    ],
)
def test_an_action_that_the_data_set_lacks_has_no_gold(key, recorded, why):
    found = verdict(key, step(recorded), said(a.Tap(SAVE)))
    assert (found.outcome, found.rule, found.reason) == (Outcome.UNSCORED, "no-gold", why)


@pytest.mark.parametrize("tree", [None, "<not a tree"])
def test_a_click_without_a_readable_tree_has_no_gold_where_boxes_are_asked(tree):
    gold = step(native={"action_type": "click", "x": 200, "y": 230}, tree=tree)
    assert words(gold, said(a.Tap(SAVE))) == expected("?", os_atlas="+", gui_r1="+")


def test_published_candidates_are_taken_before_the_tree():
    far = {"candidate_bbox": [[900, 2000, 1000, 2100]]}
    gold = step(native={"action_type": "click", "x": 200, "y": 230} | far, tree=None)
    found = words(gold, said(a.Tap(Point(950, 2050))))
    assert (found["qwen25vl"], found["clawgui"]) == ("+", "+")


@pytest.mark.parametrize(
    "native",
    [
        [],
        {"action_type": "click", "x": "200", "y": 230},
        {"action_type": "click"},
        {"action_type": "scroll", "direction": "sideways"},
        {"action_type": "scroll", "direction": ["up"]},
        {"action_type": "input_text"},
        {"action_type": "open_app", "app_name": None},
        {"action_type": ["click"]},
        {"x": 1},
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_broken_annotation_gives_no_gold(key, native):
    gold = PROTOCOLS[key].gold(step(native=native), episode())
    assert isinstance(gold, CannotSay)


def test_missing_and_unreadable_answers_enter_as_each_evaluator_has_them():
    gold = step(native={"action_type": "click", "x": 600, "y": 1230})
    unread = said(Unreadable("no action in it"), "I would rather not.")
    left_out = {"uground", "agentcpm", "agentcpm-no-flag", "gui-r1"}
    assert words(gold, None) == {name: "?" if name in left_out else "-" for name in expected("-")}
    assert words(gold, unread) == expected("-")
    assert {verdict(key, gold, unread).rule for key in KEYS} == {"unreadable", "distance"}


OWN = {
    "androidcontrol/paper": '{"action_type": "click", "x": 150, "y": 250}',
    "androidcontrol/uground": '{"action": {"action_type": "click", "element": "Save"}, '
    '"answer": {"output": "(75.0, 125.0)", "scale": 0.5}}',
    "androidcontrol/os-atlas": "thoughts:\nx\nactions:\nCLICK <point>[[139,104]]</point>",
    "androidcontrol/qwen25vl": '<tool_call>\n{"name": "mobile_use", "arguments": '
    '{"action": "click", "coordinate": [152, 251]}}\n</tool_call>',
    "androidcontrol/agentcpm": '{"thought": "x", "POINT": [139, 104]}',
    "androidcontrol/agentcpm-no-flag": '{"POINT": [139, 104]}',
    "androidcontrol/gui-r1": "<think>x</think><answer>[{'action': 'click', 'point': "
    "[150, 250], 'input_text': 'no input text'}]</answer>",
    "androidcontrol/clawgui": '<tool_call>{"name": "mobile_use", "arguments": '
    '{"action": "click", "coordinate": [139, 104]}}</tool_call>',
    "androidcontrol/mimo": '```json\n[{"action": "click", "start_point": [150, 250]}]\n```',
}


@pytest.mark.parametrize("key", KEYS)
def test_a_text_in_the_evaluator_s_own_form_is_judged_unchanged(key):
    gold = step(native={"action_type": "click", "x": 200, "y": 230})
    unread = Unreadable("read in no dialect")
    assert word(verdict(key, gold, said(unread, OWN[PROTOCOLS[key].name]))) == "+"
    longer = said(unread, OWN[PROTOCOLS[key].name] + " " * 3 + "x" * 200_000)
    assert word(verdict(key, gold, longer)) in ("+", "-")


def test_pixels_of_a_resized_picture_are_read_as_declared():
    call = '<tool_call>{"name": "mobile_use", "arguments": '
    call += '{"action": "click", "coordinate": [100, 115]}}</tool_call>'
    native = Native.of("resized:540x1200", {"kind": "tap", "at": {"point": [100, 115]}})
    gold = step(native={"action_type": "click", "x": 200, "y": 230})
    told = said(a.Tap(SAVE), call, native)
    near = verdict("androidcontrol/qwen25vl@1", gold, told)
    assert near.outcome is Outcome.MATCH
    row = verdict("androidcontrol/gui-r1@2", gold, told)
    assert (row.outcome, row.parts["distance"]) == (Outcome.MATCH, 0.0)


@pytest.mark.parametrize(
    ("point", "outcome", "distance"),
    [
        ("[202, 231]", Outcome.MATCH, 0.0002),  # of 1092x2408, the picture of 1080x2400
        ("[202.5, 231]", Outcome.MISMATCH, 0.2085),  # no pair of whole numbers, so (0, 0)
    ],
)
def test_gui_r1_s_own_answer_is_looked_for_by_patterns_in_its_dialect_s_own_space(
    point, outcome, distance
):
    text = f"<answer>[{{'action': 'click', 'point': {point}, 'input_text': 'x'}}]</answer>"
    native = Native.of("resized:qwen2.5-vl", {"kind": "tap", "at": {"point": [202, 231]}})
    gold = step(native={"action_type": "click", "x": 200, "y": 230})
    found = verdict("androidcontrol/gui-r1@2", gold, said(a.Tap(SAVE), text, native))
    assert (found.outcome, round(found.parts["distance"], 4)) == (outcome, distance)


def test_a_model_s_own_thousandths_are_not_rounded_by_pixels():
    native = Native.of("0-1000", {"kind": "tap", "at": {"point": [500, 640]}})
    gold = step(native={"action_type": "click", "x": 540, "y": 1200})
    shifted = said(a.Tap(Point(540, 1537)), "tap", native)
    assert verdict("androidcontrol/os-atlas@1", gold, shifted).parts["distance"] == 140.0


@pytest.mark.parametrize(
    ("screen", "picture"),
    [
        ((1080, 2400), (1092, 2408)),
        ((1440, 3120), (1428, 3108)),
        ((1080, 2340), (1092, 2352)),
        ((27, 5000), (28, 5012)),
        ((4, 4), (56, 56)),
        ((4000, 9000), (1484, 3332)),
    ],
)
def test_a_screenshot_is_resized_to_multiples_of_28_within_the_limits(screen, picture):
    found = tool_calls.picture_size(Size(*screen), 6400 * 28 * 28)
    assert (found.width, found.height) == picture


@pytest.mark.parametrize(
    ("raw", "row"),
    [
        ("<answer>[{'action': 'click', 'point': [123, 300], 'input_text': 'x'}]</answer>",
         ("click", [123, 300], "x")),
        ("<answer>[{'action': 'scroll', 'point': [-100, -100], 'input_text': 'up'}]</answer>",
         ("scroll", [0, 0, 0, 0], "up")),
        ('<answer>[{"action": "click", "point": [1, 2], "input_text": "x"}]</answer>',
         (None, [1, 2], "no input text")),
        ("<answer>[{'action': 'type', 'point': [-100, -100], 'input_text': 'it's'}]</answer>",
         ("type", [0, 0, 0, 0], "it")),
        ("[{'action': 'click', 'point': [1, 2]}]", (None, [0, 0, 0, 0], "no input text")),
        ("<answer>{'a': [1, 2], 'b': [3, 4]}</answer>", (None, [3, 4], "no input text")),
        ("<answer>[5, 6] {'b': [3,\n4]\n}</answer>", (None, [3, 4], "no input text")),
        ("<answer>{'b':\n[3, 4]}</answer>", (None, [0, 0, 0, 0], "no input text")),
    ],
)  # fmt: skip
def test_gui_r1_s_answer_is_looked_for_by_patterns(raw, row):
    found = gui_r1.row_in(raw)
    assert (found["pred_action"], found["pred_coord"], found["pred_input_text"]) == row


def scored(key: str, gold: Any, parsed: a.Action, name: str = "0") -> ScoredStep:
    return ScoredStep(name, 0, verdict(key, step(native=gold), said(parsed)))


CLICK = {"action_type": "click", "x": 540, "y": 1200}
TYPED = {"action_type": "input_text", "text": "milk"}
RUN = [
    (CLICK, a.Tap(Point(540, 1200))),
    (CLICK, a.Tap(Point(1000, 100))),
    (CLICK, a.Wait()),
    (TYPED, a.TypeText("milk")),
    ({"action_type": "navigate_back"}, a.PressKey(a.Key.BACK)),
]


def test_accuracies_are_shares_of_steps_by_kind():
    key = "androidcontrol/os-atlas@1"
    found = PROTOCOLS[key].aggregate(scored(key, *one) for one in RUN)
    assert {name: str(metric.share) for name, metric in found.values.items()} == {
        "step accuracy": "3 of 5 (60.0%)",
        "type accuracy": "4 of 5 (80.0%)",
        "step accuracy/CLICK": "1 of 3 (33.3%)",
        "step accuracy/PRESS_BACK": "1 of 1 (100.0%)",
        "step accuracy/TYPE": "1 of 1 (100.0%)",
        "grounding acc": "1 of 2 (50.0%)",
    }


def test_gui_r1_s_totals_lose_a_kind_without_a_hit_and_ours_keep_it():
    key = "androidcontrol/gui-r1@2"
    missed = [(CLICK, a.Tap(Point(1000, 100))), (TYPED, a.TypeText("milk"))]
    found = PROTOCOLS[key].aggregate(scored(key, *one) for one in missed)
    shares = {name: str(metric.share) for name, metric in found.values.items()}
    assert shares["ALL Step"] == "1 of 1 (100.0%)"
    assert shares["step accuracy"] == "1 of 2 (50.0%)"
    assert found.values["ALL GR"].note == "the original stops here: nothing of it was right"


def test_what_the_paper_leaves_open_is_given_as_bounds():
    key = "androidcontrol/paper@1"
    run = [(TYPED, a.TypeText("milk")), (TYPED, a.TypeText("Milk")), (TYPED, a.TypeText("tea"))]
    found = PROTOCOLS[key].aggregate(scored(key, *one) for one in run)
    assert {name: metric.value for name, metric in found.values.items()} == {
        "step accuracy": 50.0,
        "type accuracy": 100.0,
        "step accuracy/input_text": 50.0,
        "step accuracy/at least": 33.33,
        "step accuracy/at most": 66.67,
    }


def test_where_the_original_stops_the_step_is_wrong_and_the_error_is_named():
    gold = step(native={"action_type": "input_text", "text": "hello"})
    told = said(Unreadable("x"), "thoughts:\n\nactions:\nTYPE")
    found = verdict("androidcontrol/os-atlas@1", gold, told)
    assert (found.outcome, found.rule, found.parts["error"]) == (
        Outcome.MISMATCH,
        "stops",
        "IndexError",
    )
    assert found.reason.startswith("The original stops here: ")


HOSTILE = [
    "[" * 5000,
    '{"POINT": ' + "[" * 5000,
    "<answer>" + "{[1," * 20_000 + "</answer>",
    '<tool_call>{"arguments": {"action": {"a": 1}}}</tool_call>',
    '<tool_call>{"arguments": {"action": "click", "coordinate": [NaN, Infinity]}}</tool_call>',
    '```json\n[{"action": "click", "start_point": [1e400, -1e400]}]\n```',
    '{"action_type": "click", "x": 1e400, "y": null}',
    '{"action": {"action_type": {}}, "answer": {"output": "(nan, inf)", "scale": 0}}',
    "actions:\nCLICK " + "9" * 50_000 + " 9",
    '{"POINT": [' + "9" * 5000 + ", 1]}",
]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_get_a_verdict_that_json_can_hold(key, raw):
    for native in (CLICK, TYPED, SCROLLED):
        found = verdict(key, step(native=native), said(Unreadable("x"), raw))
        json.dumps(dict(found.parts), allow_nan=False)
        assert found.outcome in (Outcome.MISMATCH, Outcome.UNSCORED, Outcome.MATCH)


def test_every_name_of_the_golden_file_is_a_protocol():
    assert set(VARIANTS.values()) <= set(PROTOCOLS)


TURNED = XML.replace("[0,0][1080,2400]", "[0,0][2400,1080]")
READ_TREES = ("paper", "uground", "qwen25vl", "agentcpm", "agentcpm-no-flag", "mimo", "clawgui")


def recorded(fit: TreeFit, xml: str = XML, size: Size = PHONE) -> Step:
    """A recorded tap, with a tree of this time and of a screen of this size."""
    record = TreeRecord("uiautomator", xml.encode(), "uiautomator dump", TreeStatus.OK, size=size)
    return Step(0, a.Tap(SAVE), Frame(PHONE, Basis.PAINTED), tree=StepTree(record, fit))


@pytest.mark.parametrize("name", READ_TREES)
def test_only_the_first_version_judges_by_a_tree_of_another_screen(name):
    key = f"androidcontrol/{name}"
    for step_, reason in (
        (recorded(TreeFit.STALE), "the screen changed after the tree was taken"),
        (recorded(TreeFit.LATE), "the tree came after the press had begun"),
        (recorded(TreeFit.FRESH, TURNED, Size(2400, 1080)), "the screen was turned otherwise"),
        (recorded(TreeFit.IMPORTED, TURNED, Size(2400, 1080)), "the screen was turned otherwise"),
    ):
        assert not isinstance(PROTOCOLS[f"{key}@1"].gold(step_, episode(step_)), CannotSay)
        gold = PROTOCOLS[f"{key}@2"].gold(step_, episode(step_))
        assert isinstance(gold, CannotSay)
        assert reason in gold.reason


@pytest.mark.parametrize("name", READ_TREES)
@pytest.mark.parametrize("fit", [TreeFit.FRESH, TreeFit.IMPORTED])
def test_both_versions_judge_equally_by_a_valid_tree(name, fit):
    step_ = recorded(fit)
    one, two = (
        PROTOCOLS[f"androidcontrol/{name}@{version}"].gold(step_, episode(step_))
        for version in (1, 2)
    )
    assert one == two
    assert not isinstance(one, CannotSay)
