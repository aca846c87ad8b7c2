"""Each rule of GUIOdyssey's evaluators, with the label, the reason and the parts it leaves."""

from __future__ import annotations

import pytest

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Direction, Native, Point, Size
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome
from scoring.protocol import CannotSay
from scoring.protocols import PROTOCOLS
from scoring.protocols.guiodyssey import GuiOdysseyGold, gold, judge_answer
from scoring.protocols.guiodyssey_answers import annotated_answer, predicted_answer

AT_500 = "CLICK: (500, 500)"
PHONE = Size(1080, 2400)
V1, V2 = PROTOCOLS["guiodyssey@1"], PROTOCOLS["guiodyssey@2"]


def label(answer, gold_answer=AT_500, box=None):
    return judge_answer(answer, gold_answer, box).parts["label"]


@pytest.mark.parametrize(
    ("answer", "gold_answer", "box", "expected"),
    [
        ("PRESS_HOME: now", "PRESS_HOME", [], "action_correct"),
        ("press_home", "PRESS_HOME", [], "action_fail"),
        ("SCROLL: up", "SCROLL: UP", [], "scroll_correct"),
        ("SCROLL", "SCROLL: UP", [], "scroll_fail"),
        ("TYPE", "TYPE: hello", [], "type_correct"),
        ("TYPE: 10:99 lunch", "TYPE: 10:30 meeting", [], "type_correct"),
        ("TYPE: abxy", "TYPE: abcd", [], "type_correct"),
        ("TYPE: abxyz", "TYPE: abcd?", [], "type_fail"),
        ("TYPE: football", "TYPE: weather", [], "type_fail"),
        ("CLICK: (640, 500)", AT_500, None, "click_correct"),
        ("CLICK: (641, 500)", AT_500, None, "click_fail"),
        ("CLICK: (281, 0)", "CLICK: (141, 0)", None, "click_fail"),
        ("CLICK: (1100, 500)", "CLICK: (990, 500)", None, "click_correct"),
        ("LONG_PRESS: (900, 900)", "LONG_PRESS: (500, 500)", [0, 0, 900, 900], "click_correct"),
        ("CLICK: (500, 500)", AT_500, [], "invalid"),
        ("CLICK: (500, 500)", AT_500, [1, 2, 3], "invalid"),
        ("CLICK", AT_500, None, "invalid"),
        ("CLICK", "PRESS_HOME", [], "action_fail"),
        ("CLICK: (x, y)", "PRESS_HOME", [], "invalid"),
        ("CLICK: (5, 5)", "PRESS_HOME", [], "action_fail"),
        ("CLICK: {1, 2}", "PRESS_HOME", [], "action_fail"),
        ("CLICK: {1, 2}", AT_500, None, "invalid"),
        (None, AT_500, None, "invalid"),
        (["COMPLETE"], "COMPLETE", [], "invalid"),
    ],
)
def test_the_original_s_label_is_found(answer, gold_answer, box, expected):
    assert label(answer, gold_answer, box) == expected


@pytest.mark.parametrize(
    ("argument", "without_region", "with_region"),
    [
        ("500", "click_correct", "invalid"),
        ("[500]", "click_correct", "invalid"),
        ("[[500, 500]]", "click_correct", "invalid"),
        ("[[500, 500], [500, 500]]", "click_correct", "invalid"),
        ("(500, 500, 1)", "invalid", "click_correct"),
        ("'500, 500'", "click_correct", "click_correct"),
        ("\"'500, 500'\"", "invalid", "invalid"),
        ("('500', '500')", "invalid", "invalid"),
        ("(500+0j, 500)", "click_correct", "invalid"),
        ("(500, None)", "invalid", "invalid"),
        ("()", "invalid", "invalid"),
        ("b'ab'", "invalid", "invalid"),
        ("(True, False)", "click_fail", "click_fail"),
        ("(10**30, 500)", "click_fail", "click_fail"),
        ("(10**400, 500)", "invalid", "invalid"),
        ("(1e400, 500)", "click_fail", "click_fail"),
    ],
)
def test_odd_coordinates_go_the_way_of_numpy(argument, without_region, with_region):
    assert label(f"CLICK: {argument}") == without_region
    assert label(f"CLICK: {argument}", box=[480, 480, 520, 520]) == with_region


def test_a_distance_is_given_with_its_limit():
    verdict = judge_answer("CLICK: (900, 900)", "CLICK: (100, 500)", None)
    assert verdict.reason == "It is 0.8944 of the screen from the gold point; the limit is 0.14."
    assert dict(verdict.parts) == {
        "label": "click_fail",
        "type": True,
        "limit": 0.14,
        "inside_region": None,
        "distance": pytest.approx(0.894427, abs=1e-6),
        "on_threshold": False,
        "float_fragile": False,
    }


def test_a_verdict_that_depends_on_rounding_is_marked():
    fragile = judge_answer("CLICK: (281, 0)", "CLICK: (141, 0)", None)
    assert (fragile.parts["on_threshold"], fragile.parts["float_fragile"]) == (True, True)
    steady = judge_answer("CLICK: (640, 500)", AT_500, None)
    assert (steady.parts["on_threshold"], steady.parts["float_fragile"]) == (True, False)


def test_seventeen_whole_number_pairs_on_the_threshold_fall_by_rounding():
    fallen = [
        x for x in range(861) if label(f"CLICK: ({x + 140}, 0)", f"CLICK: ({x}, 0)") == "click_fail"
    ]
    assert fallen == [141, *range(407, 423)]


def test_a_region_that_misses_the_gold_point_still_counts_and_is_flagged():
    verdict = judge_answer("CLICK: (100, 100)", AT_500, [50, 50, 150, 150])
    assert (verdict.outcome, verdict.rule) == (Outcome.MATCH, "region")
    assert verdict.parts["region_misses_gold"] is True
    assert verdict.reason.endswith("The region does not hold the gold point.")


def test_a_distance_that_is_not_a_number_is_left_empty():
    verdict = judge_answer("CLICK: (float('nan'), 500)", AT_500, None)
    assert (verdict.parts["label"], verdict.parts["distance"]) == ("click_fail", None)


def episode_of(step: Step) -> Episode:
    return Episode("u", "e", Origin("guiodyssey"), Task("t"), EpisodeState.FINISHED, (step,))


def annotated(action: str, info: object, **more: object) -> Step:
    native = Native.of("guiodyssey", {"action": action, "info": info})
    return Step(0, a.Other("x"), Frame(PHONE, Basis.IMPORTED), native, **more)


def boxed(value: object) -> tuple[Region, ...]:
    provenance = Provenance(RegionSource.IMPORT)
    return (Region(None, provenance, native=Native.of("guiodyssey", value)),)


def recorded(action: a.Action, **more: object) -> Step:
    return Step(0, action, Frame(PHONE, Basis.PAINTED), **more)


@pytest.mark.parametrize(
    ("action", "info", "answer"),
    [
        ("CLICK", "KEY_HOME", "PRESS_HOME"),
        ("LONG_PRESS", "KEY_BACK", "PRESS_BACK"),
        ("CLICK", "KEY_APPSELECT", "PRESS_RECENT"),
        ("CLICK", [[374, 621]], "CLICK: (374, 621)"),
        ("LONG_PRESS", [[374.5, 621], [1, 1]], "LONG_PRESS: (374.5, 621)"),
        ("SCROLL", [[300, 300], [400, 400]], "SCROLL: DOWN"),
        ("SCROLL", [[300, 300], [401, 400]], "SCROLL: RIGHT"),
        ("SCROLL", [[500, 500], [500, 500]], "SCROLL: DOWN"),
        ("TEXT", "10:30", "TYPE: 10:30"),
        ("COMPLETE", "", "COMPLETE"),
        ("INCOMPLETE", "", "IMPOSSIBLE"),
    ],
)
def test_an_annotation_becomes_the_answer_of_the_data_set_s_converter(action, info, answer):
    assert annotated_answer(action, info) == answer
    assert gold(annotated(action, info), episode_of(annotated(action, info))).answer == answer


@pytest.mark.parametrize(
    ("action", "info"),
    [
        ("CLICK", "KEY_MENU"),
        ("CLICK", []),
        ("CLICK", [["a", "b"]]),
        ("CLICK", None),
        ("SCROLL", [[1, 2]]),
        ("SCROLL", "UP"),
        ("SWIPE", ""),
        (None, None),
    ],
)
def test_an_annotation_the_converter_would_stop_at_has_no_gold(action, info):
    step = annotated(action, info)
    verdict = V2.verdict(None, step, episode_of(step))
    assert isinstance(gold(step, episode_of(step)), CannotSay)
    assert (verdict.outcome, verdict.rule) == (Outcome.UNSCORED, "no-gold")


@pytest.mark.parametrize(("stored", "box"), [([1, 2, 3, 4], [1, 2, 3, 4]), ([], []), (None, None)])
def test_the_stored_box_is_read_as_it_is(stored, box):
    step = annotated("CLICK", [[5, 5]], regions=boxed(stored))
    assert gold(step, episode_of(step)).box == box


def test_a_person_s_choice_of_region_does_not_change_a_benchmark_s_box():
    theirs = boxed([1, 2, 3, 4])
    ours = Region(Box(0, 0, 9, 9), Provenance(RegionSource.PERSON), chosen=True)
    step = annotated("CLICK", [[5, 5]], regions=(ours, *theirs))
    assert gold(step, episode_of(step)).box == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("action", "answer"),
    [
        (a.Tap(Point(540, 1200)), "CLICK: (500, 500)"),
        (a.Tap(Point(1, 1)), "CLICK: (1, 0)"),
        (a.LongPress(Point(539.9, 2399)), "LONG_PRESS: (500, 1000)"),
        (a.Tap(Box(0, 0, 1080, 2400)), "CLICK: (500, 500)"),
        (a.Swipe(Point(540, 1800), Point(540, 600)), "SCROLL: UP"),
        (a.Swipe(Point(0, 0), Point(300, 500)), "SCROLL: RIGHT"),
        (a.Scroll(Direction.LEFT), "SCROLL: LEFT"),
        (a.TypeText("hi: there"), "TYPE: hi: there"),
        (a.PressKey(a.Key.RECENTS), "PRESS_RECENT"),
        (a.Finish(a.Ending.COMPLETE), "COMPLETE"),
        (a.Finish(a.Ending.IMPOSSIBLE, "no such app"), "IMPOSSIBLE"),
    ],
)
def test_a_recorded_step_becomes_an_answer_rounded_once(action, answer):
    assert gold(recorded(action), episode_of(recorded(action))) == GuiOdysseyGold(
        answer, None, PHONE
    )


@pytest.mark.parametrize(
    "action",
    [
        a.DoubleTap(Point(1, 1)),
        a.Pinch(Point(1, 1), 2.0),
        a.OpenApp("Messages"),
        a.Wait(),
        a.Answer("42"),
        a.PressKey(a.Key.ENTER),
        a.Tap(a.ElementRef(index=3)),
        a.Other("shake"),
    ],
)
def test_a_recorded_step_the_benchmark_has_no_word_for_is_not_scored(action):
    step = recorded(action)
    verdict = V2.verdict(None, step, episode_of(step))
    assert (verdict.outcome, verdict.rule) == (Outcome.UNSCORED, "no-gold")
    assert verdict.reason


def test_a_recorded_target_becomes_an_inclusive_box():
    chosen = Region(Box(108, 240, 541, 1201), Provenance(RegionSource.TREE), chosen=True)
    step = recorded(a.Tap(Point(200, 300)), regions=(chosen,))
    assert gold(step, episode_of(step)).box == [100, 100, 500, 500]


@pytest.mark.parametrize(
    ("parsed", "native", "answer"),
    [
        (a.Tap(Point(540, 1200)), None, "CLICK: (500.0, 500.0)"),
        (
            a.Tap(Point(1, 1)),
            Native.of("0-1000", {"kind": "tap", "at": {"point": [281, 0]}}),
            "CLICK: (281, 0)",
        ),
        (a.Swipe(Point(0, 0), Point(100, 100)), None, "SCROLL: RIGHT"),
        (
            a.Swipe(Point(0, 0), Point(108, 240)),
            Native.of("0-1000", {"kind": "swipe", "start": [0, 0], "end": [100, 100]}),
            "SCROLL: DOWN",
        ),
        (a.PressKey(a.Key.ENTER), None, "PRESS_ENTER"),
        (a.DoubleTap(Point(1, 1)), None, "DOUBLE_TAP"),
        (a.Other("COMPLETE"), None, "OTHER COMPLETE"),
        (a.TypeText("a"), None, "TYPE: a"),
    ],
)
def test_a_prediction_of_another_dialect_becomes_an_answer(parsed, native, answer):
    assert predicted_answer(parsed, native, PHONE) == answer


def test_a_prediction_in_pixels_is_judged_in_thousandths():
    step = recorded(a.Tap(Point(540, 1200)))
    near = Prediction("e", 0, "", a.Tap(Point(690, 1200)))
    far = Prediction("e", 0, "", a.Tap(Point(692, 1200)))
    outcomes = [V2.verdict(p, step, episode_of(step)).outcome for p in (near, far)]
    assert outcomes == [Outcome.MATCH, Outcome.MISMATCH]


def test_the_reason_gives_a_place_in_six_digits_at_most():
    told = "CLICK: (617.6470588235294, 836)"
    verdict = judge_answer(told, "CLICK: (612, 838)", [500, 788, 724, 888])
    assert verdict.reason == (
        "(617.647, 836) is inside the gold's region [500, 788, 724, 888], "
        "in thousandths of the screen."
    )


def test_an_unreadable_prediction_is_wrong_and_one_without_a_place_is_not_scored():
    step = recorded(a.Tap(Point(540, 1200)))
    unreadable = Prediction("e", 0, "??", Unreadable("it is no action"))
    placeless = Prediction("e", 0, "", a.Tap(a.ElementRef(text="OK")))
    verdicts = [V2.verdict(p, step, episode_of(step)) for p in (unreadable, placeless)]
    assert [(v.outcome, v.rule) for v in verdicts] == [
        (Outcome.MISMATCH, "invalid"),
        (Outcome.UNSCORED, "no-place"),
    ]


def test_version_1_asks_no_region():
    step = annotated("CLICK", [[100, 100]], regions=boxed([0, 0, 1000, 1000]))
    answer = Native.of("guiodyssey", "CLICK: (900, 900)")
    prediction = Prediction("e", 0, "CLICK: (900, 900)", a.Tap(Point(1, 1)), answer)
    verdicts = [p.verdict(prediction, step, episode_of(step)) for p in (V1, V2)]
    assert [(v.outcome, v.rule) for v in verdicts] == [
        (Outcome.MISMATCH, "distance"),
        (Outcome.MATCH, "region"),
    ]


def test_a_missing_prediction_has_no_row():
    step = annotated("COMPLETE", "")
    verdict = V2.verdict(None, step, episode_of(step))
    assert (verdict.outcome, verdict.rule) == (Outcome.UNSCORED, "missing")
