"""Accepted answers, objections to gold and verdicts: stored and undone."""

import pytest

from episodes import actions as a
from episodes.annotations import Author, Objection, StepJudgement
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.runs import Prediction, Run, Unreadable
from episodes.store.library import Library
from taptrail.usecases import editing, judgements
from taptrail.usecases.annotating import find_step
from taptrail.usecases.reviewing import compare
from tests.taptrail.annotated import MARY, shopping

BEN = Author("uuid-of-ben", "Ben")
FAR = a.Tap(Point(500, 1000))


@pytest.fixture
def filled(library):
    answers = [
        Prediction("e-0001", 0, "tap", FAR),
        Prediction("e-0001", 1, "?", Unreadable("no action was found in the text")),
        Prediction("e-0001", 3, "tap", a.Tap(Point(500, 1000))),
    ]
    with Library.open(library) as kept:
        kept.save_episodes([shopping()])
        kept.save_run(Run("run-b", "taptrail"), answers)
    return library


def answer(kept, step):
    found = {one.step: one for one in kept.predictions("run-b", "e-0001")}
    return found.get(step)


def test_an_accepted_answer_is_right_where_alternatives_count_until_undo(kept):
    episode, step = find_step(kept, "e-0001", 0)
    said = answer(kept, 0)
    assert judgements.takes_alternatives("taptrail-strict@1")
    assert not judgements.takes_alternatives("guiodyssey@2")

    def outcome():
        episode, step = find_step(kept, "e-0001", 0)
        return compare(episode, step, said, "taptrail-strict@1").verdict.outcome.value

    assert outcome() == "mismatch"
    assert judgements.accept_answer(kept, episode, step, "run-b", said, MARY) == 1
    assert outcome() == "match"
    (gold,) = kept.episode("e-0001").steps[0].golds
    assert (gold.action, gold.role, gold.reason) == (FAR, "alternative", "as run-b answered")
    assert editing.history(kept, episode.uuid)[-1].words == "Add an alternative"
    kept.undo(MARY)
    assert outcome() == "mismatch"


@pytest.mark.parametrize(
    ("index", "why"),
    [(1, "its answer could not be read"), (2, "no answer for it"), (3, "is right already")],
)
def test_what_cannot_be_right_too_is_refused_with_the_reason(kept, index, why):
    episode, step = find_step(kept, "e-0001", index)
    with pytest.raises(KnownError, match=why):
        judgements.accept_answer(kept, episode, step, "run-b", answer(kept, index), MARY)
    assert kept.edits() == []


def test_objections_need_a_reason_stand_for_their_author_and_are_undone(kept):
    episode, step = find_step(kept, "e-0001", 0)
    for reason in ("", " \n"):
        with pytest.raises(KnownError, match="no reason is given"):
            judgements.object_to_gold(kept, episode, step, MARY, reason)
        with pytest.raises(KnownError, match="no reason is given"):
            judgements.object_to_verdict(kept, episode, step, "run-b", "guiodyssey@2", MARY, reason)
    judgements.object_to_gold(kept, episode, step, MARY, " the basket\nwas meant ")
    judgements.object_to_verdict(kept, episode, step, "run-b", "aitw@1", BEN, "same row")
    of_gold = StepJudgement(0, Objection.GOLD, "", "", "the basket was meant", MARY)
    of_verdict = StepJudgement(0, Objection.VERDICT, "run-b", "aitw@1", "same row", BEN)

    def told():
        return [one.said for one in judgements.judgements(kept)]

    assert told() == [of_gold, of_verdict]
    assert judgements.objection_of(told(), step, MARY) == of_gold
    assert judgements.objection_of(told(), step, MARY, "run-b", "aitw@1") is None
    with pytest.raises(KnownError, match="Ben has none of this kind"):
        judgements.take_back(kept, episode, step, BEN)
    judgements.take_back(kept, episode, step, BEN, "run-b", "aitw@1")
    assert told() == [of_gold]
    kept.undo(BEN)
    assert told() == [of_gold, of_verdict]
    lines = editing.history(kept, episode.uuid)
    assert [line.reason for line in lines][:2] == ["the basket was meant", "same row"]
    assert [line.words for line in lines] == [
        "Say that the gold is wrong",
        "Disagree with a verdict",
        "Take an objection back",
        "Undo: take an objection back",
    ]


def test_a_step_is_judged_by_command(taptrail, filled):
    def judge(*words):
        return taptrail("episodes", "judge", "e-0001", "0", *words, "--library", filled, "--json")

    nothing = {"episode": "e-0001", "step": 0, "gold": None, "objections": []}
    assert judge().json == nothing
    assert judge("accept", "--run", "run-b").json == nothing | {"gold": 1}
    assert judge("accept", "--run", "run-b").code == 1
    assert judge("accept").code == 2
    assert judge("disagree", "--run", "run-b").code == 2
    assert judge("gold-is-wrong").code == 1
    (gold,) = judge("gold-is-wrong", "--reason", "the basket was meant").json["objections"]
    assert (gold["objection"], gold["reason"]) == ("gold is wrong", "the basket was meant")
    verdict = ("--run", "run-b", "--protocol", "guiodyssey@2")
    told = judge("disagree", *verdict, "--reason", "same row").json["objections"]
    assert [(one["objection"], one["run"], one["protocol"]) for one in told] == [
        ("gold is wrong", "", ""),
        ("verdict is wrong", "run-b", "guiodyssey@2"),
    ]
    assert (
        "open the run “x”"
        in judge("disagree", "--run", "x", "--protocol", "aitw@1", "--reason", "a").err
    )
    everything = taptrail("episodes", "objections", "--library", filled, "--json").json
    assert everything == {"objections": told}
    assert "same row" in taptrail("episodes", "objections", "--library", filled).out
    judge("take-back")
    assert judge("take-back", *verdict).json == nothing
    assert "There are no objections." in taptrail("episodes", "objections", "--library", filled).out
