"""Scores of agents that must stop after some steps."""

import pytest

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Point, Size
from episodes.runs import Prediction
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict
from scoring.at_budget import BUDGET, at_budget
from scoring.protocol import ScoredStep
from scoring.protocols import PROTOCOLS

FRAME = Frame(Size(1080, 2400), Basis.IMPORTED)
TAP = a.Tap(Point(500, 500))
UNCOMPARABLE = a.Other("shake")


def episode(*actions, first=0):
    steps = tuple(Step(first + 2 * n, action, FRAME) for n, action in enumerate(actions))
    state = EpisodeState.FINISHED
    return Episode("uuid", "e", Origin("recorded"), Task("do it"), state, steps)


def verdicts(protocol, budget, made):
    judging = at_budget(PROTOCOLS[protocol], lambda _: budget)
    return [
        judging.verdict(Prediction("e", step.index, "", step.action), step, made)
        for step in made.steps
    ]


@pytest.mark.parametrize("protocol", ["guiodyssey@1", "guiodyssey@2", "taptrail-strict@1"])
@pytest.mark.parametrize(("budget", "right"), [(0, 0), (2, 2), (4, 4), (9, 4), (None, 4)])
def test_steps_beyond_the_budget_are_wrong_and_fail_their_episode(protocol, budget, right):
    made = episode(*[TAP] * 4, first=3)  # numbers with holes: 3, 5, 7, 9
    found = verdicts(protocol, budget, made)
    assert [one.outcome for one in found] == (
        [Outcome.MATCH] * right + [Outcome.MISMATCH] * (4 - right)
    )
    assert {one.rule for one in found[right:]} <= {BUDGET}
    scored = [
        ScoredStep("e", step.index, verdict, declared_steps=4)
        for step, verdict in zip(made.steps, found, strict=True)
    ]
    metrics = PROTOCOLS[protocol].aggregate(scored).values
    assert metrics["AMS"].share == Share(right, 4)
    assert metrics["SR"].share == Share(int(right == 4), 1)
    assert metrics["type rate"].share == Share(right, 4)


def test_a_verdict_beyond_the_budget_names_the_rule():
    (found,) = verdicts("taptrail-strict@1", 0, episode(TAP))
    assert found == Verdict(
        Outcome.MISMATCH,
        "budget",
        "The step budget of 0 is used up before this step.",
        {"type": False, "label": "action_fail", "budget": 0},
    )


def test_a_missing_prediction_beyond_the_budget_is_wrong_where_the_protocol_leaves_it_out():
    made = episode(TAP, TAP)
    judging = at_budget(PROTOCOLS["guiodyssey@2"], lambda _: 1)
    found = [judging.verdict(None, step, made).outcome for step in made.steps]
    assert found == [Outcome.UNSCORED, Outcome.MISMATCH]


def test_a_step_without_gold_stays_not_scored():
    (found,) = verdicts("taptrail-strict@1", 0, episode(UNCOMPARABLE))
    assert (found.outcome, found.rule) == (Outcome.UNSCORED, "no-gold")


def test_the_protocol_keeps_its_name_and_its_own_judgement():
    protocol = PROTOCOLS["guiodyssey@2"]
    judging = at_budget(protocol, lambda made: len(made.steps))
    assert (judging.key, judging.aggregate) == (protocol.key, protocol.aggregate)
    made = episode(TAP)
    asked = (Prediction("e", 0, "", a.Tap(Point(0, 0))), made.steps[0], made)
    assert judging.verdict(*asked) == protocol.verdict(*asked)
