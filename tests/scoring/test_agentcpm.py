"""AgentCPM-GUI's rule: its schema, its ways to stop, its boxes, and how episodes are counted."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.runs import Unreadable
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import PROTOCOLS
from scoring.protocols.agentcpm import enlarged
from scoring.protocols.agentcpm_answers import CpmAction, direction, of_object
from tests.scoring.made import EPISODE, did, imported, said, tap

ODYSSEY, AITZ = PROTOCOLS["guiodyssey/agentcpm@1"], PROTOCOLS["aitz/agentcpm@2"]
FIRST = PROTOCOLS["aitz/agentcpm@1"]


def odyssey(action: str, info, told: dict) -> Verdict:
    step = imported("guiodyssey", action=action, info=info)
    return ODYSSEY.verdict(said(json.dumps(told)), step, EPISODE)


@pytest.mark.parametrize(
    ("told", "action"),
    [
        ({"POINT": [1, 2]}, CpmAction("click", (0.001, 0.002))),
        ({"POINT": [1, 2], "duration": 201}, CpmAction("long_point", (0.001, 0.002))),
        ({"POINT": [1, 2], "to": "up"}, CpmAction("scroll", text="up")),
        ({"POINT": [1, 2], "to": [9, 2]}, CpmAction("scroll", text="right")),
        ({"PRESS": "APPSELECT"}, CpmAction("press", text="appselect")),
        ({"TYPE": "a: b", "thought": "so"}, CpmAction("type", text="a: b")),
        ({"POINT": [1, 2], "STATUS": "finish"}, CpmAction("stop")),
        ({"duration": 500}, CpmAction("stop")),
        ({"CLEAR": None}, CpmAction("stop")),
        ({"POINT": [1, 2], "duration": 100}, CpmAction("stop")),
    ],
)
def test_the_keys_decide_the_kind_one_after_another(told, action):
    assert of_object(told) == action


@pytest.mark.parametrize(
    "told",
    [
        {},
        [],
        {"STATUS": "continue"},
        {"STATUS": "done"},
        {"POINT": [1001, 0]},
        {"POINT": [0.5, 0]},
        {"POINT": [-1, 0]},
        {"POINT": [1]},
        {"POINT": [True, 1]},
        {"POINT": [1, 2], "PRESS": "HOME"},
        {"to": "up", "duration": 3},
        {"POINT": [1, 2], "to": "north"},
        {"PRESS": "home"},
        {"PRESS": ["HOME"]},
        {"TYPE": 5},
        {"duration": -1},
        {"TAP": [1, 2]},
    ],
)
def test_an_answer_that_the_schema_refuses_has_no_kind(told):
    assert isinstance(of_object(told), Unreadable)
    found = odyssey("COMPLETE", "", {**told, "POINT": None} if isinstance(told, dict) else {"x": 1})
    assert found.rule == "unreadable"


@pytest.mark.parametrize(
    ("end", "word"),
    [
        ((5, 3), "up"),
        ((5, 7), "down"),
        ((3, 5), "left"),
        ((7, 5), "right"),
        ((7, 7), "down"),
        ((3, 3), "up"),
        ((5, 5), "no direction"),
    ],
)
def test_a_direction_is_the_nearest_of_four_and_up_or_down_on_ties(end, word):
    assert direction((5, 5), end) == word


@pytest.mark.parametrize(
    ("action", "info", "told", "right"),
    [
        ("CLICK", "KEY_APPSELECT", {"PRESS": "HOME"}, True),
        ("CLICK", "KEY_APPSELECT", {"PRESS": "APPSELECT"}, False),
        ("INCOMPLETE", "", {"STATUS": "finish"}, True),
        ("COMPLETE", "", {"duration": 5000}, True),
        ("TEXT", "10:30 am", {"TYPE": "10:30"}, True),
        ("TEXT", "10:30 am", {"TYPE": "10:99"}, False),
        ("TEXT", "PIZZA", {"TYPE": " pizza "}, True),
        ("TEXT", "pizza", {"TYPE": ""}, True),
        ("CLICK", [[500, 500]], {"POINT": [640, 500]}, True),
        ("CLICK", [[141, 500]], {"POINT": [281, 500]}, False),
        ("LONG_PRESS", [[500, 500]], {"POINT": [500, 500]}, False),
        ("LONG_PRESS", [[500, 500]], {"POINT": [500, 500], "duration": 900}, True),
        ("SCROLL", [[500, 500], [500, 500]], {"POINT": [500, 500], "to": "down"}, True),
    ],
)
def test_steps_of_guiodyssey_are_judged_without_their_boxes(action, info, told, right):
    assert (odyssey(action, info, told).outcome is Outcome.MATCH) is right


def test_words_and_pixels_are_put_into_whole_thousandths():
    step = imported("guiodyssey", action="CLICK", info=[[500, 500]])
    assert ODYSSEY.verdict(tap(640.4, 1000), step, EPISODE).outcome is Outcome.MATCH
    assert ODYSSEY.verdict(did(a.Wait()), step, EPISODE).reason == (
        "The gold is click, the prediction stop."
    )


def test_boxes_are_made_one_and_a_fifth_as_large():
    assert enlarged((0.5, 0.5, 0.1, 0.2)) == pytest.approx((0.49, 0.48, 0.12, 0.24))
    assert enlarged((0.001, 0.001, 0.9, 0.9)) == (0, 0, 1, 1)


def aitz(prediction, **told) -> Verdict:
    gold = {"action_type": 4, "touch": [0.45, 0.45], "lift": [0.45, 0.45], "text": "", **told}
    return AITZ.verdict(prediction, imported("aitw", **gold), EPISODE)


def test_only_boxes_that_hold_the_gold_touch_are_asked():
    wide = [[0.4, 0.4, 0.1, 0.2]]
    found = aitz(tap(610, 900), boxes=wide)
    assert (found.outcome, found.rule) == (Outcome.MATCH, "box")
    assert found.reason == "Box 0, made 1.2 times as large, holds it and the gold point."
    apart = aitz(tap(750, 900), boxes=[[0.4, 0.4, 0.1, 0.1], [0.4, 0.7, 0.1, 0.1]])
    assert (apart.outcome, apart.parts["gold_boxes"]) == (Outcome.MISMATCH, 1)
    assert aitz(tap(450, 900), boxes=[]).rule == "distance"


def test_scrolls_of_aitz_have_four_directions_and_answers_may_be_in_codes():
    scrolled = {"touch": [0.8, 0.5], "lift": [0.2, 0.5], "boxes": []}
    up = said(json.dumps({"action_type": 4, **scrolled}))
    down = said(json.dumps({"action_type": 4, "touch": [0.2, 0.5], "lift": [0.8, 0.5]}))
    assert [aitz(one, **scrolled).outcome.value for one in (up, down)] == ["match", "mismatch"]


def test_a_missing_answer_is_left_out_and_an_unknown_code_stops_the_original():
    assert aitz(None, boxes=[]).rule == "missing"
    found = aitz(tap(1, 1), action_type=8, boxes=[])
    assert (found.outcome, found.rule) == (Outcome.UNSCORED, "no-gold")
    assert "the original stops here" in found.reason


@pytest.mark.parametrize(
    ("code", "told", "answer", "outcome"),
    [
        (0, {"duration": 1000}, {"POINT": [450, 450], "duration": 1000}, "match"),
        (0, {"duration": 1000}, {"POINT": [610, 450], "duration": 201}, "mismatch"),
        (0, {"duration": 1000}, {"POINT": [450, 450]}, "mismatch"),
        (0, {"duration": None}, {"POINT": [450, 450], "duration": 1000}, "match"),
        (0, {}, {"POINT": [450, 450], "duration": 1000}, "unscored"),
        (1, {"duration": 2000}, {"duration": 500}, "match"),
        (1, {"duration": 2000}, {"STATUS": "finish"}, "match"),
        (1, {"duration": 2000}, {"PRESS": "HOME"}, "mismatch"),
        (1, {}, {"duration": 500}, "unscored"),
        (12, {"app": "Clock"}, {"POINT": [450, 450]}, "unscored"),
    ],
)
def test_cagui_s_long_presses_and_waits_are_judged_and_its_opened_apps_stop_the_original(
    code, told, answer, outcome
):
    gold = {"action_type": code, "touch": [0.45, 0.45], "lift": [0.45, 0.45], "text": "", **told}
    step = imported("aitz", **gold, boxes=[[0.44, 0.44, 0.02, 0.02]], box_unit="fraction")
    found = AITZ.verdict(said(json.dumps(answer)), step, EPISODE)
    assert found.outcome.value == outcome
    assert (outcome == "unscored") is ("the original stops here" in found.reason)
    assert FIRST.verdict(said(json.dumps(answer)), step, EPISODE).rule == "no-gold"


def test_an_episode_is_as_long_as_it_has_judged_steps():
    def step(episode: str, index: int, outcome: Outcome) -> ScoredStep:
        return ScoredStep(
            episode, index, Verdict(outcome, "x", "", {"kind": "click", "type": True})
        )

    steps = [
        step("a", 0, Outcome.MATCH),
        step("a", 1, Outcome.UNSCORED),
        step("a", 2, Outcome.MATCH),
        step("b", 0, Outcome.MATCH),
        step("b", 1, Outcome.MISMATCH),
        step("b", 2, Outcome.MATCH),
    ]
    found = ODYSSEY.aggregate(steps)
    assert {name: metric.value for name, metric in found.values.items()} == {
        "exact_acc": 80.0,
        "type_acc": 100.0,
        "success_rate": 50.0,
        "goal_progress": 66.67,
        "exact_acc/click": 80.0,
        "type_acc/click": 100.0,
    }
    assert found.tally == {"steps left out: x": 1}
