"""Accepted findings, decisions on episodes and blind choices: stored, undone, merged."""

import json
import sqlite3
from dataclasses import replace

import pytest

from episodes.annotations import (
    AcceptedFinding,
    Author,
    BlindChoice,
    Decision,
    EpisodeReview,
    Objection,
    RegionSource,
    StepJudgement,
)
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.store.library import Library
from tests.episodes.store.samples import imported, tap

MARY = Author("uuid-of-mary", "Mary")
BEN = Author("uuid-of-ben", "Ben")
BOX = Box(1, 2.5, 30, 40)


@pytest.fixture
def episode(library):
    found = imported("0001", steps=(tap(0), tap(1), tap(2)))
    library.save_episodes([found])
    return found


def settled(library, uuid):
    return (
        library.accepted_findings(uuid),
        library.episode_review(uuid),
        library.blind_choices(uuid),
        tuple(one for _, one in library.step_judgements(uuid)),
    )


NOTHING = ((), None, (), ())
EDITS = {
    "finding of a step": (
        lambda ed, ep: ed.accept_finding(ep, 1, "gap", "the cable was out"),
        ((AcceptedFinding(1, "gap", "the cable was out", MARY),), None, (), ()),
    ),
    "finding of the episode": (
        lambda ed, ep: ed.accept_finding(ep, None, "finish-missing", "older recording"),
        ((AcceptedFinding(None, "finish-missing", "older recording", MARY),), None, (), ()),
    ),
    "review": (
        lambda ed, ep: ed.review_episode(ep, Decision.SENT_BACK, "step 2 is another task"),
        ((), EpisodeReview(Decision.SENT_BACK, "step 2 is another task", MARY), (), ()),
    ),
    "blind choice": (
        lambda ed, ep: ed.choose_blind(ep, 2, "first", BOX, RegionSource.SAM2, "Send", 1.25),
        ((), None, (BlindChoice("first", 2, MARY, BOX, RegionSource.SAM2, "Send", 1.25),), ()),
    ),
    "objection to the gold": (
        lambda ed, ep: ed.judge_step(ep, 1, Objection.GOLD, "the field was full"),
        ((), None, (), (StepJudgement(1, Objection.GOLD, "", "", "the field was full", MARY),)),
    ),
    "objection to a verdict": (
        lambda ed, ep: ed.judge_step(
            ep, 2, Objection.VERDICT, "the same row", run="a", protocol="guiodyssey@2"
        ),
        (
            (),
            None,
            (),
            (StepJudgement(2, Objection.VERDICT, "a", "guiodyssey@2", "the same row", MARY),),
        ),
    ),
    "blind choice of nothing": (
        lambda ed, ep: ed.choose_blind(ep, 0, "first", None),
        ((), None, (BlindChoice("first", 0, MARY, None, RegionSource.PERSON),), ()),
    ),
}


@pytest.mark.parametrize(("edit", "after"), EDITS.values(), ids=EDITS)
def test_each_is_one_edit_that_can_be_undone_and_redone_after_a_restart(
    library, episode, edit, after
):
    edit(library.editor(MARY), episode.uuid)
    assert settled(library, episode.uuid) == after
    library.close()
    with Library.open(library.folder) as again:
        assert again.undo(BEN) is not None
        assert again.undo() is None
        assert settled(again, episode.uuid) == NOTHING
    with Library.open(library.folder) as again:
        assert again.redo(BEN) is not None
        assert settled(again, episode.uuid) == after


def test_a_later_judgement_replaces_an_earlier_one_and_undo_restores_that(library, episode):
    mary = library.editor(MARY)
    mary.review_episode(episode.uuid, Decision.ACCEPTED)
    library.editor(BEN).review_episode(episode.uuid, Decision.REJECTED, "a private chat")
    assert library.episode_review(episode.uuid) == EpisodeReview(
        Decision.REJECTED, "a private chat", BEN
    )
    library.undo(MARY)
    assert library.episode_review(episode.uuid) == EpisodeReview(Decision.ACCEPTED, "", MARY)
    mary.review_episode(episode.uuid, None)
    assert library.episode_review(episode.uuid) is None


def test_a_finding_is_opened_again_and_follows_its_step(library, episode):
    mary = library.editor(MARY)
    mary.accept_finding(episode.uuid, 1, "gap", "known")
    mary.delete_step(episode.uuid, 1)
    assert library.accepted_findings(episode.uuid) == ()
    mary.restore_step(episode.uuid, 1)
    assert library.accepted_findings(episode.uuid) == (AcceptedFinding(1, "gap", "known", MARY),)
    mary.reopen_finding(episode.uuid, 1, "gap")
    assert library.accepted_findings(episode.uuid) == ()


def test_each_person_objects_separately_and_withdraws_only_their_own(library, episode):
    mary, ben = library.editor(MARY), library.editor(BEN)
    mary.judge_step(episode.uuid, 1, Objection.GOLD, "the field was full")
    ben.judge_step(episode.uuid, 1, Objection.GOLD, "too late")
    mary.judge_step(episode.uuid, 1, Objection.GOLD, "the field was full already")
    of_ben = (episode.uuid, StepJudgement(1, Objection.GOLD, "", "", "too late", BEN))
    assert library.step_judgements() == (
        of_ben,
        (
            episode.uuid,
            StepJudgement(1, Objection.GOLD, "", "", "the field was full already", MARY),
        ),
    )
    mary.judge_step(episode.uuid, 1, Objection.GOLD, None)
    assert library.step_judgements() == (of_ben,)
    ben.delete_step(episode.uuid, 1)
    assert library.step_judgements() == ()
    assert library.episode("0001").steps == (episode.steps[0], episode.steps[2])


def test_blind_choices_of_several_people_are_stored_separately_by_round(library, episode):
    library.editor(MARY).choose_blind(episode.uuid, 0, "first", BOX)
    library.editor(BEN).choose_blind(episode.uuid, 0, "first", None)
    library.editor(BEN).choose_blind(episode.uuid, 0, "second", BOX)
    of_first = (
        BlindChoice("first", 0, BEN, None, RegionSource.PERSON),
        BlindChoice("first", 0, MARY, BOX, RegionSource.PERSON),
    )
    assert library.blind_choices(episode.uuid, "first") == of_first
    assert library.blind_rounds() == (("first", 2, 2), ("second", 1, 1))
    assert library.episode("0001") == episode


def test_merging_brings_what_others_settled_and_keeps_their_names(library, episode, tmp_path):
    with Library.open(tmp_path / "bens") as bens:
        bens.save_episodes([episode, replace(imported("0002", steps=(tap(0),)), uuid="other")])
        ben = bens.editor(BEN)
        ben.choose_blind(episode.uuid, 0, "first", BOX)
        ben.review_episode(episode.uuid, Decision.ACCEPTED)
        ben.accept_finding("other", 0, "gap", "known")
        ben.judge_step("other", 0, Objection.GOLD, "another task")
        ben.judge_step(episode.uuid, 2, Objection.VERDICT, "near", run="a", protocol="aitw@1")
        library.editor(MARY).choose_blind(episode.uuid, 0, "first", BOX)
        for _ in range(2):
            library.merge(bens)
    assert library.blind_choices(episode.uuid) == (
        BlindChoice("first", 0, BEN, BOX, RegionSource.PERSON),
        BlindChoice("first", 0, MARY, BOX, RegionSource.PERSON),
    )
    assert library.episode_review(episode.uuid) == EpisodeReview(Decision.ACCEPTED, "", BEN)
    assert library.accepted_findings("other") == (AcceptedFinding(0, "gap", "known", BEN),)
    assert library.step_judgements() == (
        (episode.uuid, StepJudgement(2, Objection.VERDICT, "a", "aitw@1", "near", BEN)),
        ("other", StepJudgement(0, Objection.GOLD, "", "", "another task", BEN)),
    )


@pytest.mark.parametrize(
    ("operation", "step", "state"),
    [
        ("finding.accept", 0, {"rule": 3, "accepted": None}),
        ("finding.accept", 0, {"rule": "gap", "accepted": "yes"}),
        ("episode.review", None, {"review": {"decision": "fine", "reason": ""}}),
        ("blind.choose", 0, {"round": "a", "author_uuid": "b", "choice": {"left": 1}}),
        ("step.judge", 0, {"objection": "ugly", "run": "", "protocol": "", "author_uuid": "b"}),
        (
            "step.judge",
            0,
            {"objection": "verdict is wrong", "run": "", "protocol": "", "author_uuid": "b"},
        ),
        (
            "blind.choose",
            0,
            {
                "round": "a",
                "author_uuid": "b",
                "choice": {"author_name": "c", "source": "person", "label": "", "left": 1},
            },
        ),
    ],
)
def test_a_state_that_makes_no_sense_is_refused_whole(library, episode, operation, step, state):
    with pytest.raises(KnownError):
        library.record_edit(episode.uuid, step, operation, json.loads(json.dumps(state)), MARY)
    assert library.edits() == []
    assert settled(library, episode.uuid) == NOTHING


def test_a_round_trip_keeps_the_stability_of_a_mask(library, episode):
    from episodes.annotations import Provenance, Region

    region = Region(BOX, Provenance(RegionSource.SAM2, "tiny", "2.1", "[]", 0.9, "", 0.75))
    library.add_region(episode.uuid, 0, region, MARY)
    (kept,) = library.episode("0001").steps[0].regions
    assert kept.provenance.stability == 0.75
    db = sqlite3.connect(library.folder / "library.db")
    assert db.execute("SELECT stability FROM region").fetchall() == [(0.75,)]
    db.close()
