"""OS-Atlas's and GUI-R1's rules for GUIOdyssey, on texts in their own words and in others."""

from __future__ import annotations

import pytest

from episodes import actions as a
from episodes.geometry import Direction, Native, Point
from episodes.runs import Prediction, Unreadable
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import PROTOCOLS
from scoring.protocols.guiodyssey_os_atlas import command, command_in
from scoring.protocols.guiodyssey_steps import ParsedAnswer
from tests.scoring.made import EPISODE, did, imported, said, tap

OS_ATLAS, GUI_R1 = PROTOCOLS["guiodyssey/os-atlas@2"], PROTOCOLS["guiodyssey/gui-r1@2"]
WITHOUT_HEADER = PROTOCOLS["guiodyssey/os-atlas@1"]
CLICK = ("CLICK", [[50, 60], [50, 60]])


def on(protocol, gold: tuple, prediction: Prediction | None) -> Verdict:
    step = imported("guiodyssey", action=gold[0], info=gold[1])
    return protocol.verdict(prediction, step, EPISODE)


def answered(text) -> Prediction:
    return Prediction(
        "e", 0, str(text), Unreadable("as it came"), native=Native.of("guiodyssey", text)
    )


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (ParsedAnswer("CLICK", "(5, 6)"), "CLICK <point>[[5, 6]]</point>"),
        (ParsedAnswer("CLICK", ""), "CLICK"),
        (ParsedAnswer("TYPE", "10:30 am"), "TYPE [10:30 am]"),
        (ParsedAnswer("SCROLL", "UP"), "SCROLL [UP]"),
        (ParsedAnswer("PRESS_HOME", "now"), "PRESS_HOME"),
    ],
)
def test_answers_of_the_benchmark_become_os_atlas_s_commands(answer, told):
    assert command(answer) == told


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("thoughts:\nx\nactions:\nSCROLL [UP]<|im_end|>", "SCROLL [UP]"),
        ("actions:\nCLICK <point>[[1, 2]]</point>", "CLICK <point>[[1, 2]]</point"),
        ("Actions:\nSCROLL [UP]", ""),
        ("SCROLL [UP]", ""),
        ("actions:\nSCROLL [UP]\nactions:\nSCROLL [DOWN]", "SCROLL [UP]"),
    ],
)
def test_a_command_follows_the_first_small_header(raw, told):
    assert command_in(raw) == told


def test_a_text_of_os_atlas_is_judged_by_its_own_header():
    gold = ("SCROLL", [[500, 800], [500, 200]])
    assert on(OS_ATLAS, gold, said("actions:\nSCROLL [UP]")).outcome is Outcome.MATCH
    found = on(OS_ATLAS, gold, said("Actions:\nSCROLL [UP]"))
    assert found.reason == "The gold is SCROLL, the prediction no command."


@pytest.mark.parametrize(
    ("gold", "raw"),
    [
        (CLICK, "CLICK <point>[[50, 60]]</point>"),
        (("COMPLETE", ""), "thoughts:\nx\nCOMPLETE"),
        (("COMPLETE", ""), "Actions:\nCOMPLETE"),
        (("COMPLETE", ""), "actions: COMPLETE"),
    ],
)
def test_a_text_of_os_atlas_without_its_header_is_wrong(gold, raw):
    action = a.Tap(Point(50, 120)) if gold is CLICK else a.Finish(a.Ending.COMPLETE)
    told = Prediction("e", 0, raw, action, native=Native.of("os-atlas", raw))
    found = on(OS_ATLAS, gold, told)
    assert (found.outcome, found.rule) == (Outcome.MISMATCH, "type")
    assert found.reason.endswith("the prediction no command.")
    lenient = on(WITHOUT_HEADER, gold, told).outcome is Outcome.MATCH
    assert lenient is ("actions:" not in raw.lower())


@pytest.mark.parametrize(
    ("text", "right", "words"),
    [
        ("CLICK: (190, 60)", True, "140 thousandths from the gold point; the limit is 140."),
        ("CLICK: (191, 60)", False, "141 thousandths"),
        ("CLICK", True, "There are 0 numbers and not two, so (0, 0) is taken."),
        ("CLICK: (-50, -60)", True, "It is 0 thousandths"),
        ("CLICK: (50.5, 60)", True, "There are 3 numbers and not two, so (0, 0) is taken."),
        ("LONG_PRESS: (50, 60)", False, "The gold is CLICK, the prediction LONG_PRESS."),
        ("CLICK: (" + "9" * 400 + ", 1)", False, "too far off"),
    ],
)
def test_os_atlas_looks_for_two_runs_of_digits(text, right, words):
    found = on(OS_ATLAS, CLICK, answered(text))
    assert found.outcome is (Outcome.MATCH if right else Outcome.MISMATCH)
    assert words in found.reason


def test_os_atlas_counts_the_word_type_and_sticks_brackets_to_words():
    found = on(OS_ATLAS, ("TEXT", "cheap flights"), answered("TYPE: cheap"))
    assert (found.outcome, found.parts["f1"]) == (Outcome.MISMATCH, pytest.approx(0.4))
    found = on(OS_ATLAS, ("TEXT", "a cheap flight"), answered("TYPE: a cheap ticket"))
    assert (found.outcome, found.parts["f1"]) == (Outcome.MATCH, pytest.approx(0.75))


def test_os_atlas_converts_pixels_to_whole_thousandths():
    assert on(OS_ATLAS, CLICK, tap(190.4, 120)).outcome is Outcome.MATCH
    assert on(OS_ATLAS, CLICK, tap(190.6, 120)).outcome is Outcome.MISMATCH


def test_an_answer_without_a_place_is_not_scored_and_an_unreadable_one_is_wrong():
    for protocol in (OS_ATLAS, GUI_R1):
        assert on(protocol, CLICK, did(a.Tap(a.ElementRef(3)))).rule == "no-place"
        assert on(protocol, CLICK, None).rule == "missing"
    assert on(OS_ATLAS, CLICK, said("hello")).rule == "unreadable"
    assert on(OS_ATLAS, CLICK, answered(5)).rule == "unreadable"


def step(kind: str, right: bool, typed: bool, rule: str = "distance") -> ScoredStep:
    outcome = Outcome.MATCH if right else Outcome.MISMATCH
    return ScoredStep("e", 0, Verdict(outcome, rule, "", {"kind": kind, "type": typed}))


def test_os_atlas_divides_clicks_by_clicks_and_long_presses():
    values = OS_ATLAS.aggregate(
        [
            step("CLICK", True, True),
            step("CLICK", False, False),
            step("LONG_PRESS", True, True),
            step("PRESS_HOME", True, True),
        ]
    ).values
    assert values["Grounding Acc"].share == Share(1, 2)
    assert values["Click Type Acc"].share == Share(2, 2)
    assert values["Step Acc"].value == 75.0
    assert values["Scroll Type Acc"].note == "the original stops here: no scroll"


def r1(action: str, point: str = "[-100, -100]", text: str = "no input text") -> str:
    return (
        "<think>so</think><answer>"
        f"[{{'action': '{action}', 'point': {point}, 'input_text': '{text}'}}]</answer>"
    )


@pytest.mark.parametrize(
    ("gold", "prediction", "outcome"),
    [
        (CLICK, answered("LONG_PRESS: (50, 60)"), "match"),
        (CLICK, answered("PRESS_HOME"), "match"),  # no point is (0, 0)
        (("CLICK", [[500, 500]]), answered("CLICK: (640, 500)"), "mismatch"),
        (("CLICK", [[500, 500]]), answered("CLICK: (639, 500)"), "match"),
        (("CLICK", [[500, 500]]), answered("CLICK: [500.5, 500]"), "match"),
        (("TEXT", "up"), answered("SCROLL: UP"), "match"),
        (("TEXT", "pizza"), answered("TYPE: piz"), "match"),
        (("TEXT", "pizza now"), answered("TYPE: piz now"), "match"),
        (("TEXT", "pizza"), answered("TYPE: "), "mismatch"),
        (("SCROLL", [[500, 800], [500, 200]]), did(a.Scroll(Direction.UP)), "match"),
        (("COMPLETE", ""), answered("COMPLETE"), "unscored"),
        (("CLICK", "KEY_HOME"), answered("COMPLETE"), "unscored"),
        (("TEXT", "pizza"), said(r1("type", text="pizza")), "match"),
    ],
)
def test_gui_r1_counts_the_place_and_the_words_and_not_the_kind(gold, prediction, outcome):
    assert on(GUI_R1, gold, prediction).outcome.value == outcome


def test_gui_r1_reads_the_kind_from_its_own_words_and_the_place_from_the_dialect():
    native = Native.of("0-1000", {"kind": "tap", "at": {"point": [50, 60]}})
    told = Prediction("e", 0, r1("long_press", "[50, 60]"), a.Tap(Point(50, 120)), native)
    found = on(GUI_R1, CLICK, told)
    assert (found.outcome, found.parts["type"]) == (Outcome.MATCH, False)
    assert "The kind, long_press, is wrong and is not asked for." in found.reason


@pytest.mark.parametrize(
    ("raw", "right", "kind"),
    [
        (r1("click", "[50, 120]"), True, True),
        (r1("click", "[500, 120]"), False, True),
        ("[{'action': 'click', 'point': [500, 120], 'input_text': 'no input text'}]", True, False),
        ('<answer>[{"action": "click", "point": [50, 120]}]</answer>', True, False),
        ("<answer>[{'Action': 'click', 'point': [50, 120]}]</answer>", True, False),
        ("<answer>[{'action': 'click', 'point': [50, 120]}]", True, False),
    ],
)
def test_gui_r1_s_text_is_read_by_the_original_s_patterns_alone(raw, right, kind):
    native = Native.of("pixels", {"kind": "tap", "at": {"point": [500, 120]}})
    told = Prediction("e", 0, raw, a.Tap(Point(500, 120)), native)
    found = on(GUI_R1, CLICK, told)
    assert (found.outcome is Outcome.MATCH, found.parts["type"]) == (right, kind)


def test_without_its_tags_a_text_of_gui_r1_is_at_the_origin():
    raw = "[{'action': 'click', 'point': [500, 600], 'input_text': 'no input text'}]"
    native = Native.of("pixels", {"kind": "tap", "at": {"point": [500, 1200]}})
    told = Prediction("e", 0, raw, a.Tap(Point(500, 1200)), native)
    gold = ("CLICK", [[500, 600], [500, 600]])
    assert on(GUI_R1, gold, told).outcome is Outcome.MISMATCH
    assert on(PROTOCOLS["guiodyssey/gui-r1@1"], gold, told).outcome is Outcome.MATCH


def test_a_kind_without_a_hit_vanishes_from_gui_r1_s_denominator():
    steps = [
        step("click", True, True),
        step("click", False, True),
        *[step("scroll", False, True, "text-words") for _ in range(10)],
    ]
    key = Verdict(Outcome.UNSCORED, "not-counted", "", {"kind": "press_home", "type": False})
    found = GUI_R1.aggregate([*steps, ScoredStep("e", 0, key)])
    assert found.values["ALL Step"].share == Share(1, 2)
    assert found.values["step accuracy"].share == Share(1, 12)
    assert found.values["ALL Type"].share == Share(12, 12)
    assert found.tally == {
        "steps left out: not-counted": 1,
        "steps that vanish from ALL Step: no hit of their kind": 10,
    }
    nothing = GUI_R1.aggregate([step("click", False, False)]).values["ALL Step"]
    assert (nothing.value, nothing.note) == (
        None,
        "the original stops here: no kind has a right step",
    )
