"""The step rule of Android in the Wild: golds, predictions, reasons, and what it adds up to."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.geometry import Box, Direction, Native, Point
from episodes.runs import Unreadable
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import CannotSay, ScoredStep
from scoring.protocols import PROTOCOLS
from scoring.protocols.aitw import AitwGold, gold, judge_action
from scoring.protocols.aitw_answers import AitwAction, of_text
from tests.scoring.made import EPISODE, SIZE, did, imported, node, recorded, said, tap

AITW = PROTOCOLS["aitw@1"]
FAR_BOX = [[0.95, 0.95, 0.01, 0.01]]
GESTURE = {"action_type": 4, "touch": [0.5, 0.5], "lift": [0.5, 0.5], "text": ""}


def on(step, prediction) -> Verdict:
    return AITW.verdict(prediction, step, EPISODE)


def test_a_verdict_contains_its_rule_and_its_numbers():
    step = imported("aitw", **GESTURE, boxes=FAR_BOX)
    found = on(step, said(json.dumps({**GESTURE, "touch": [0.6, 0.5], "lift": [0.6, 0.5]})))
    assert found == Verdict(
        Outcome.MATCH,
        "distance",
        "No enlarged box holds both touches; they are 0.1 of the screen apart, and the limit is "
        "0.14.",
        {
            "type": True,
            "gesture": True,
            "in_one_box": False,
            "distance": pytest.approx(0.1),
            "limit": 0.14,
            "float_fragile": False,
        },
    )


@pytest.mark.parametrize(
    ("lift", "other", "outcome", "reason"),
    [
        ([0.2, 0.5], [0.8, 0.5], "match", "Both drag vertically; which way is not compared."),
        ([0.2, 0.5], [0.5, 0.2], "mismatch", "The gold drags vertically, the prediction"),
        ([0.2, 0.5], [0.5, 0.5], "mismatch", "The gold is a drag of 0.3 of the screen, the"),
        ([0.5, 0.5], [0.2, 0.5], "mismatch", "The gold is a tap of 0 of the screen, the"),
    ],
)
def test_gestures_differ_by_length_and_drags_by_axis(lift, other, outcome, reason):
    step = imported("aitw", **{**GESTURE, "lift": lift}, boxes=FAR_BOX)
    found = on(step, said(json.dumps({**GESTURE, "lift": other})))
    assert (found.outcome.value, found.reason[: len(reason)]) == (outcome, reason)


def test_a_screen_without_boxes_stops_the_original_for_every_action():
    step = imported("aitw", action_type=6, touch=[-1, -1], lift=[-1, -1], text="", boxes=[])
    found = on(step, did(a.PressKey(a.Key.HOME)))
    assert (found.outcome, found.rule, found.parts) == (
        Outcome.MISMATCH,
        "no-boxes",
        {"type": True, "error": "ValueError"},
    )
    assert "the original stops here" in found.reason


def test_a_step_with_unknown_boxes_allows_only_actions_without_a_place():
    assert on(recorded(a.PressKey(a.Key.BACK)), did(a.PressKey(a.Key.BACK))).rule == "type"
    found = on(recorded(a.Tap(Point(5, 5))), tap(5, 5))
    assert (found.outcome, found.rule) == (Outcome.UNSCORED, "no-gold")
    assert "the boxes of the step's screen are unknown" in found.reason


def test_a_recorded_step_has_the_boxes_of_its_tree():
    button = node("[100,200][300,400]", text="Go", clickable=True)
    step = recorded(a.Tap(Point(200, 300), lift=Point(210, 300)), button, node("[0,0][0,0]"))
    assert gold(step, EPISODE) == AitwGold(
        AitwAction(4, (0.15, 0.2), (0.15, 0.21)), ((0.1, 0.1, 0.1, 0.2),), SIZE
    )
    assert on(step, tap(60, 200)).rule == "box"


def test_a_step_without_a_tree_has_the_boxes_of_its_regions():
    region = Region(Box(0, 0, 500, 1000), Provenance(RegionSource.PERSON))
    step = replace(recorded(a.Tap(Point(10, 10))), regions=(region,))
    assert gold(step, EPISODE).boxes == ((0.0, 0.0, 0.5, 0.5),)


def test_boxes_in_pixels_are_put_into_fractions():
    step = imported("aitz", **GESTURE, boxes=[[200, 100, 20, 10]])
    assert gold(step, EPISODE).boxes == ((0.1, 0.1, 0.01, 0.01),)


@pytest.mark.parametrize(
    "boxes", [[[1, 2, 3]], "many", [[0, 0, 1, "x"]], [[True, 0, 1, 1]], [[0, 0, 1e40, 1]]]
)
def test_boxes_that_cannot_be_read_give_no_gold(boxes):
    assert isinstance(gold(imported("aitw", **GESTURE, boxes=boxes), EPISODE), CannotSay)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (a.OpenApp("Clock"), "Android in the Wild has no open app"),
        (a.PressKey(a.Key.RECENTS), "Android in the Wild has no key recents"),
        (a.Other("dance"), "Android in the Wild has no action “dance”"),
        (a.Tap(a.ElementRef(3)), "the element is named, not pointed at"),
    ],
)
def test_actions_the_data_set_does_not_know_have_no_gold(action, words):
    assert gold(recorded(action), EPISODE) == CannotSay(words)


@pytest.mark.parametrize(
    ("action", "code", "touch", "lift"),
    [
        (a.LongPress(Point(500, 500)), 4, (0.25, 0.5), (0.25, 0.5)),
        (a.Swipe(Point(500, 500), Point(500, 100)), 4, (0.25, 0.5), (0.05, 0.5)),
        (a.Scroll(Direction.LEFT), 4, (0.5, 0.8), (0.5, 0.2)),
        (a.Finish(a.Ending.IMPOSSIBLE), 11, (-1, -1), (-1, -1)),
    ],
)
def test_actions_of_other_dialects_are_rendered_in_codes(action, code, touch, lift):
    found = gold(recorded(action, node("[0,0][10,10]")), EPISODE)
    assert found.action == AitwAction(code, touch, lift)


def test_an_action_without_a_code_matches_nothing_and_is_named():
    step = imported("aitw", action_type=5, touch=[-1, -1], lift=[-1, -1], text="", boxes=FAR_BOX)
    found = on(step, did(a.OpenApp("Clock")))
    assert (found.outcome, found.reason) == (
        Outcome.MISMATCH,
        "The gold is PRESS_BACK, the prediction open app; no more is compared.",
    )


def test_a_model_s_own_thousandths_are_not_rounded_by_pixels():
    native = Native.of("0-1000", {"kind": "tap", "at": {"point": [333.25, 500]}})
    step = imported("aitw", **GESTURE, boxes=FAR_BOX)
    found = on(step, did(a.Tap(Point(333, 1000)), native))
    assert found.parts["distance"] == pytest.approx(0.16675)


@pytest.mark.parametrize("raw", ["", "no", "[]", '{"touch": [1, 2]}', '{"touch": ', "[" * 99_999])
def test_a_text_that_is_not_an_action_is_wrong(raw):
    step = imported("aitw", **GESTURE, boxes=FAR_BOX)
    assert on(step, said(raw)).rule == "unreadable"
    assert isinstance(of_text(raw), Unreadable)


def test_both_forms_of_text_are_read_equally():
    told = '{"action_type": "DUAL_POINT", "touch": [0.1, 0.2], "lift": [0.1, 0.3], "text": "Hi"}'
    loop = (
        'Action Decision: "action_type": "DUAL_POINT", "touch_point": "[0.1, 0.2]", '
        '"lift_point": "[0.1, 0.3]", "typed_text": "Hi"'
    )
    assert of_text(told) == AitwAction(4, (0.1, 0.2), (0.1, 0.3), "Hi")
    assert of_text(loop) == AitwAction(4, (0.1, 0.2), (0.1, 0.3), "hi")
    object_ = told.replace('touch"', 'touch_point"').replace('lift"', 'lift_point"')
    assert of_text(object_.replace('text"', 'typed_text"')) == of_text(told)


def tapped(y: float) -> AitwAction:
    return AitwAction(4, (y, 0.5), (y, 0.5))


def test_float32_decides_and_a_verdict_is_marked_if_float64_would_not_agree():
    far = ((5.0, 5.0, 1.0, 1.0),)
    found = [judge_action(tapped(n / 100), tapped((n + 14) / 100), far) for n in range(87)]
    missed = [verdict for verdict in found if verdict.outcome is Outcome.MISMATCH]
    assert len(missed) == 25  # of 87 taps exactly 0.14 apart, as the original was seen to judge
    fragile = [verdict for verdict in found if verdict.parts["float_fragile"]]
    assert fragile
    assert all("In float64 it would be otherwise" in verdict.reason for verdict in fragile)


def scored(part: str, episode: str, rights: str, declared: int = 0) -> list[ScoredStep]:
    outcomes = {"1": Outcome.MATCH, "0": Outcome.MISMATCH, "-": Outcome.UNSCORED}
    return [
        ScoredStep(
            episode,
            index,
            Verdict(outcomes[right], "given", "", {"type": True}),
            category=part,
            declared_steps=declared or len(rights),
        )
        for index, right in enumerate(rights)
    ]


@pytest.mark.parametrize(
    ("touch", "other", "right"),
    [
        ([0.4, 0.4], [0.484, 0.512], True),
        ([0.4, 0.4], [0.288, 0.316], True),
        ([0.3, 0.3], [0.384, 0.188], True),
        ([0.3, 0.3], [0.216, 0.188], False),
        ([0.775, 0.0], [0.8559614531782976, 0.11421577430135615], True),
    ],
)
def test_a_distance_along_both_axes_is_the_one_jax_compiles(touch, other, right):
    """What jax 0.10.2 answers on a CPU; with every step rounded, all would be false."""
    step = imported("aitw", **{**GESTURE, "touch": touch, "lift": touch}, boxes=FAR_BOX)
    found = on(step, said(json.dumps({**GESTURE, "touch": other, "lift": other})))
    assert found.outcome is (Outcome.MATCH if right else Outcome.MISMATCH)


def test_partial_match_is_a_mean_of_means_and_average_score_of_completed_episodes():
    steps = [
        *scored("general", "a", "1111"),
        *scored("general", "b", "10"),
        *scored("install", "c", "0"),
        *scored("install", "d", "1-"),
    ]
    values = AITW.aggregate(steps).values
    assert {name: metric.value for name, metric in values.items()} == {
        "partial_match": 62.5,
        "average_score": 50.0,
        "step accuracy": 75.0,
        "complete match": 50.0,
        "type rate": 100.0,
        "goal progress": 62.5,
        "partial_match/general": 75.0,
        "average_score/general": 50.0,
        "step accuracy/general": 83.33,
        "partial_match/install": 50.0,
        "average_score/install": 50.0,
        "step accuracy/install": 50.0,
    }
    assert values["step accuracy"].share == Share(6, 8)
    assert values["average_score/general"].share == Share(1, 2)


def test_a_step_that_is_missing_counts_in_its_episode_s_length():
    assert AITW.aggregate(scored("single", "a", "11", declared=4)).values[
        "partial_match"
    ].value == pytest.approx(50.0)


def test_without_scored_steps_there_is_no_value_and_a_note():
    found = AITW.aggregate(scored("single", "a", "--"))
    assert found.values["partial_match"].value is None
    assert found.values["partial_match"].note == "nothing could be scored"
    assert found.tally == {"steps left out: given": 2}
