"""End steps that a protocol adds to episodes without one, and how they are counted."""

from dataclasses import replace

import pytest

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Size
from episodes.runs import Orphan, OrphanReason, Prediction, Run, StepSet, Unreadable
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Share
from replay.judging import Member, Side
from replay.score_runs import group_predictions, score
from replay.sides import judge_sides
from scoring.ends import end_after
from scoring.protocols import PROTOCOLS, lookup

FRAME = Frame(Size(1080, 2400), Basis.IMPORTED)
LAST = Frame(Size(2400, 1080), Basis.IMPORTED)
BACK = {"action_type": "navigate_back"}
WAIT = {"action_type": "wait"}


def episode(name, *told, **more):
    """An episode of AndroidControl, whose files have no end."""
    steps = tuple(
        Step(n, a.PressKey(a.Key.BACK), frame=FRAME, native=Native.of("androidcontrol", one))
        for n, one in enumerate(told)
    )
    return Episode(
        f"uuid-{name}", name, Origin("androidcontrol", "1"), Task("do it"),
        EpisodeState.FINISHED, steps, final=LAST, **more,
    )  # fmt: skip


def said(name, step, action):
    return Prediction(name, step, "words", action)


ONE, TWO = episode("1", BACK, BACK), episode("2", BACK, WAIT)
BACKS = [said(name, step, a.PressKey(a.Key.BACK)) for name in "12" for step in (0, 1)]
ENDS = [
    Orphan(said("1", 2, a.Finish(a.Ending.COMPLETE)), OrphanReason.NO_STEP),
    Orphan(said("2", 2, a.OpenApp("Clock")), OrphanReason.NO_STEP),
    Orphan(said("2", 3, a.Finish(a.Ending.COMPLETE)), OrphanReason.NO_STEP),
    Orphan(said("3", 2, a.Finish(a.Ending.COMPLETE)), OrphanReason.NO_EPISODE),
]
RUN = Run("run", "taptrail", step_set=StepSet("all", 0, ""))


def scored(key, orphans, episodes=(ONE, TWO)):
    return score(
        RUN, episodes, group_predictions(BACKS), lookup(key), orphans=orphans, keep_facts=True
    )


@pytest.mark.parametrize("key", ["androidcontrol/agentcpm@1", "androidcontrol/agentcpm-no-flag@1"])
def test_an_answered_end_is_judged_and_not_in_the_step_set(key):
    without, with_ends = scored(key, ()), scored(key, ENDS)
    assert without.metrics.values["exact_acc"].share == Share(3, 4)
    assert with_ends.metrics.values["exact_acc"].share == Share(4, 6)
    assert with_ends.metrics.values["success_rate"].share == Share(1, 2)
    assert with_ends.step_set == without.step_set
    ends = [one for one in with_ends.steps if one.derived]
    assert [(one.episode, one.step, one.verdict.outcome.value) for one in ends] == [
        ("1", 2, "match"), ("2", 2, "mismatch"),
    ]  # fmt: skip
    facts = [fact for fact in with_ends.facts if fact.derived]
    assert [(f.episode, f.gold, f.predicted, f.position, f.length) for f in facts] == [
        ("1", "finish", "finish", 3, 2), ("2", "finish", "open_app", 3, 2),
    ]  # fmt: skip
    assert with_ends.metrics.notes[-1] == (
        "The recordings lack an end; this protocol puts one behind each of 2 episodes. The run "
        "answers 2 of them, which are in the numbers and not in the step set."
    )
    assert "answers 0 of them" in without.metrics.notes[-1]


def test_uground_wants_the_status():
    found = scored("androidcontrol/uground", ENDS)
    assert found.metrics.values["step accuracy/status"].share == Share(1, 2)


def test_the_paper_does_not_define_whether_added_ends_count():
    found = scored("androidcontrol/paper", ENDS)
    assert found.metrics.values["step accuracy"].share == Share(3, 4)
    assert found.metrics.values["step accuracy/at least"].share == Share(3, 6)
    assert found.metrics.values["step accuracy/at most"].share == Share(5, 6)
    last = found.steps[2].verdict
    assert (last.rule, last.reason) == (
        "paper-silent",
        "The paper does not tell whether the ends it adds are in its numbers.",
    )


def test_evaluators_whose_step_sets_have_no_end_add_none():
    adding = {protocol.name for protocol in PROTOCOLS.values() if protocol.end is not None}
    assert adding == {
        "androidcontrol/paper",
        "androidcontrol/uground",
        "androidcontrol/agentcpm",
        "androidcontrol/agentcpm-no-flag",
    }
    found = scored("androidcontrol/qwen25vl", ENDS)
    assert (len(found.steps), [one.derived for one in found.steps]) == (4, [False] * 4)


def test_an_added_end_is_on_the_last_screen_after_the_last_action():
    assert end_after(ONE) == Step(2, a.Finish(a.Ending.COMPLETE), frame=LAST)
    assert end_after(replace(ONE, declared_steps=5)).index == 5  # the last steps did not come in


@pytest.mark.parametrize(
    "other",
    [
        replace(ONE, origin=Origin("recorded")),
        replace(ONE, origin=Origin("aitw", "1")),
        replace(ONE, finish=a.Finish(a.Ending.COMPLETE)),
        replace(ONE, steps=()),
        replace(ONE, steps=(*ONE.steps, Step(2, a.Finish(a.Ending.IMPOSSIBLE)))),
    ],
)
def test_an_episode_that_has_an_end_or_should_have_one_gets_none(other):
    assert end_after(other) is None


def test_sides_and_scores_agree_and_an_unreadable_end_is_wrong():
    odd = Orphan(said("1", 2, Unreadable("no JSON")), OrphanReason.NO_STEP)
    protocol = lookup("androidcontrol/agentcpm")
    (side,) = judge_sides(
        [Side("A", RUN, protocol)],
        [Member(one, frozenset("A")) for one in (ONE, TWO)],
        lambda _, one: [said for said in BACKS if said.episode == one.name],
        {"run": [odd, *ENDS[1:]]},
    )
    alone = scored("androidcontrol/agentcpm", [odd, *ENDS[1:]])
    assert side.metrics == alone.metrics
    assert tuple(side.steps.values()) == alone.facts
    assert side.step_set == alone.step_set
    assert side.metrics.values["exact_acc"].share == Share(3, 6)
