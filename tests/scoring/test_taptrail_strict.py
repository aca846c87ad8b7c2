"""Our own reading, rule by rule."""

from __future__ import annotations

import pytest

from episodes import actions as a
from episodes.annotations import Gold, Provenance, Region, RegionSource, Status
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Direction, Point, Size
from episodes.recordings import DeviceFacts
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import Metric, ScoredStep
from scoring.protocols import PROTOCOLS

STRICT = PROTOCOLS["taptrail-strict@1"]
PHONE = Size(1080, 2400)
DENSE = DeviceFacts(size=Size(1080, 2400), density=420)
MATCH, MISMATCH, UNSCORED = Outcome.MATCH, Outcome.MISMATCH, Outcome.UNSCORED
AT = Point(500, 1000)


def verdict(recorded, predicted, *, device=DENSE, frame=PHONE, **more):
    step = Step(0, recorded, Frame(frame, Basis.PAINTED) if frame else None, **more)
    task, state = Task("t"), EpisodeState.FINISHED
    episode = Episode("u", "e", Origin("recorded"), task, state, (step,), device=device)
    prediction = Prediction("e", 0, "", predicted) if predicted is not None else None
    return STRICT.verdict(prediction, step, episode)


@pytest.mark.parametrize(
    ("recorded", "predicted", "outcome", "rule"),
    [
        (a.Tap(AT), a.Tap(Point(563, 1000)), MATCH, "distance"),
        (a.Tap(AT), a.Tap(Point(564, 1000)), MISMATCH, "distance"),
        (a.Tap(AT), a.Tap(Box(490, 990, 510, 1010)), MATCH, "distance"),
        (a.Tap(AT), a.LongPress(AT), MISMATCH, "kind"),
        (a.Tap(AT), a.DoubleTap(AT), MISMATCH, "kind"),
        (a.LongPress(AT), a.LongPress(AT), MATCH, "distance"),
        (a.Tap(AT), a.Tap(a.ElementRef(index=2)), UNSCORED, "no-place"),
        (a.Tap(a.ElementRef(index=2)), a.Tap(AT), UNSCORED, "no-gold"),
        (a.TypeText("hello"), a.TypeText(" hello "), MATCH, "text"),
        (a.TypeText("é"), a.TypeText("e\u0301"), MATCH, "text"),
        (a.TypeText("10:30"), a.TypeText("10:99"), MISMATCH, "text"),
        (a.TypeText("Hello"), a.TypeText("hello"), MISMATCH, "text"),
        (a.TypeText("hello"), a.TypeText(""), MISMATCH, "text"),
        (a.TypeText("hello"), a.TypeText("hell"), MISMATCH, "text"),
        (a.TypeText(""), a.TypeText("x"), UNSCORED, "no-gold"),
        (a.Swipe(AT, Point(500, 200)), a.Scroll(Direction.UP), MATCH, "direction"),
        (a.Scroll(Direction.UP), a.Swipe(AT, Point(500, 1900)), MISMATCH, "direction"),
        (a.Swipe(Point(0, 0), Point(300, 301)), a.Scroll(Direction.DOWN), MATCH, "direction"),
        (a.Pinch(AT, 2.0), a.Pinch(AT, 1.2), MATCH, "pinch"),
        (a.Pinch(AT, 2.0), a.Pinch(AT, 0.5), MISMATCH, "pinch"),
        (a.PressKey(a.Key.BACK), a.PressKey(a.Key.BACK), MATCH, "key"),
        (a.PressKey(a.Key.BACK), a.PressKey(a.Key.HOME), MISMATCH, "key"),
        (
            a.PressKey(a.Key.OTHER, "KEYCODE_A"),
            a.PressKey(a.Key.OTHER, "KEYCODE_B"),
            MISMATCH,
            "key",
        ),
        (a.OpenApp("Messages"), a.OpenApp("messages "), MATCH, "app"),
        (a.Wait(), a.Wait(500), MATCH, "kind"),
        (a.Answer("42"), a.Answer("43"), MISMATCH, "text"),
        (a.Answer("42"), a.Answer(" "), MISMATCH, "text"),
        (a.Answer(" "), a.Answer("42"), UNSCORED, "no-gold"),
        (a.Finish(a.Ending.COMPLETE), a.Finish(a.Ending.COMPLETE), MATCH, "ending"),
        (a.Finish(a.Ending.COMPLETE), a.Finish(a.Ending.IMPOSSIBLE), MISMATCH, "ending"),
        (a.Other("shake"), a.Other("shake"), UNSCORED, "no-gold"),
        (a.Tap(AT), a.Other("CLICK"), MISMATCH, "kind"),
        (a.Tap(AT), Unreadable("no action"), MISMATCH, "unreadable"),
        (a.Tap(AT), None, MISMATCH, "missing"),
    ],
)
def test_each_rule_gives_its_verdict(recorded, predicted, outcome, rule):
    found = verdict(recorded, predicted)
    assert (found.outcome, found.rule) == (outcome, rule)
    assert found.reason


def test_an_unknown_action_is_reported_as_unknown():
    found = verdict(a.Tap(AT), a.Other("tap"))
    assert found.reason == "The gold is tap, the prediction an unknown action, “tap”."


def test_without_density_the_reach_is_a_share_of_the_shorter_side():
    near, far = Point(564, 1000), Point(566, 1000)
    outcomes = [verdict(a.Tap(AT), a.Tap(p), device=DeviceFacts()).outcome for p in (near, far)]
    assert outcomes == [MATCH, MISMATCH]


def test_on_a_frame_that_was_made_smaller_the_reach_shrinks_with_it():
    found = verdict(a.Tap(Point(250, 500)), a.Tap(Point(282, 500)), frame=Size(540, 1200))
    assert (found.outcome, found.parts["limit"]) == (MISMATCH, 31.5)
    assert found.reason == "It is 32 px from the gold point; the limit is 31.5 px (24 dp)."


def test_without_a_frame_a_place_cannot_be_judged():
    assert verdict(a.Tap(AT), a.Tap(AT), frame=None).outcome is UNSCORED


def target(box, status=Status.PROPOSED):
    return (Region(box, Provenance(RegionSource.TREE), status=status, chosen=True),)


def test_inside_the_chosen_target_is_right_however_far():
    found = verdict(a.Tap(AT), a.Tap(Point(90, 1040)), regions=target(Box(80, 950, 1000, 1050)))
    assert (found.outcome, found.rule) == (MATCH, "region")
    assert found.parts["region_trusted"] is True


def test_outside_the_target_but_near_is_right_by_distance():
    found = verdict(a.Tap(AT), a.Tap(Point(500, 1060)), regions=target(Box(80, 950, 1000, 1050)))
    assert (found.outcome, found.rule, found.parts["inside_region"]) == (MATCH, "distance", False)


def test_a_region_that_misses_the_gold_point_is_flagged_and_not_trusted():
    found = verdict(a.Tap(AT), a.Tap(Point(90, 90)), regions=target(Box(80, 80, 100, 100)))
    assert (found.outcome, found.rule) == (MISMATCH, "distance")
    assert found.parts["region_misses_gold"] is True
    assert "misses the gold point and is not trusted" in found.reason


def test_a_region_that_covers_the_screen_makes_no_tap_right():
    found = verdict(a.Tap(AT), a.Tap(Point(90, 90)), regions=target(Box(0, 0, 1080, 2400)))
    assert (found.outcome, found.parts["region_covers_screen"]) == (MISMATCH, True)


def test_the_part_of_a_region_outside_the_screen_covers_nothing():
    wide = target(Box(0, 0, 9000, 1200))
    found = verdict(a.Tap(AT), a.Tap(Point(90, 90)), regions=wide)
    assert (found.outcome, found.rule) == (MATCH, "region")
    assert found.parts["region_covers_screen"] is False


def test_a_region_that_was_rejected_is_not_asked():
    regions = target(Box(80, 950, 1000, 1050), Status.REJECTED)
    found = verdict(a.Tap(AT), a.Tap(Point(90, 1040)), regions=regions)
    assert (found.outcome, found.parts["inside_region"]) == (MISMATCH, None)


def further(role, status):
    return (Gold(1, a.PressKey(a.Key.BACK), role, "", status),)


@pytest.mark.parametrize(
    ("role", "status", "back", "tap"),
    [
        ("alternative", Status.ACCEPTED, MATCH, MATCH),
        ("alternative", Status.PROPOSED, MISMATCH, MATCH),
        ("correction", Status.ACCEPTED, MATCH, MISMATCH),
        ("correction", Status.REJECTED, MISMATCH, MATCH),
    ],
)
def test_accepted_alternatives_are_right_too_and_corrections_instead(role, status, back, tap):
    golds = further(role, status)
    found = [
        verdict(a.Tap(AT), action, golds=golds).outcome
        for action in (a.PressKey(a.Key.BACK), a.Tap(AT))
    ]
    assert found == [back, tap]


NAMED = a.Tap(a.ElementRef(text="OK"))
HOME = a.PressKey(a.Key.HOME)


@pytest.mark.parametrize(
    ("recorded", "other", "predicted", "outcome"),
    [
        # A recorded action that cannot be compared may be what was answered.
        (NAMED, HOME, HOME, MATCH),
        (NAMED, HOME, a.Tap(AT), UNSCORED),
        (NAMED, HOME, None, MISMATCH),
        (HOME, NAMED, a.Tap(AT), UNSCORED),
        # An answer without a place may be one of the right taps, whichever comes first.
        (HOME, a.Tap(AT), NAMED, UNSCORED),
        (a.Tap(AT), HOME, NAMED, UNSCORED),
        (HOME, a.LongPress(AT), NAMED, MISMATCH),
    ],
)
def test_a_step_is_unscored_if_one_right_action_is_unknown_and_none_matches(
    recorded, other, predicted, outcome
):
    golds = (Gold(1, other, "alternative", "", Status.ACCEPTED),)
    assert verdict(recorded, predicted, golds=golds).outcome is outcome


def test_a_match_by_an_alternative_names_it():
    golds = further("alternative", Status.ACCEPTED)
    found = verdict(a.Tap(AT), a.PressKey(a.Key.BACK), golds=golds)
    assert (found.parts["gold"], found.reason) == (
        1,
        "The gold presses back, the prediction back. (against alternative 1)",
    )


def scored(episode, step, outcome, rule="kind", length=2, doubled=False, **parts):
    verdict = Verdict(outcome, rule, "", parts)
    return ScoredStep(episode, step, verdict, "c", length, step, doubled)


def test_missing_steps_fail_their_episode_and_unscored_ones_leave_it_untold():
    metrics = STRICT.aggregate(
        [
            scored("right", 0, MATCH, type=True),
            scored("right", 1, MATCH, type=True),
            scored("right", 1, MISMATCH, doubled=True),
            scored("short", 0, MATCH, type=True),
            scored("short", 1, MISMATCH, "missing"),
            scored("untold", 0, MATCH, type=True),
            scored("untold", 1, UNSCORED, "no-gold"),
            scored("cut", 0, MATCH, length=9, type=True),
        ]
    )
    assert metrics.values["AMS"] == Metric(83.33, Share(5, 6))
    assert metrics.values["SR"] == Metric(50.0, Share(1, 2))
    assert metrics.values["type rate"] == Metric(83.33, Share(5, 6))
    assert metrics.tally == {
        "second predictions, not judged": 1,
        "steps wrong: missing": 1,
        "steps not scored: no-gold": 1,
        "episodes that cannot be told": 2,
    }
