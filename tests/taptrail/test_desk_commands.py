"""Commands for the annotation queue, annotation times and decisions on episodes."""

import pytest

from episodes.annotations import Decision
from episodes.geometry import Box
from episodes.store.library import Library
from taptrail.usecases import annotating, blind, editing
from taptrail.usecases.box_times import LONGEST_S
from tests.annotator.samples import step
from tests.taptrail.annotated import MARY, shopping


@pytest.fixture
def filled(library):
    many = tuple(step(880, 300, index=at) for at in range(60))
    with Library.open(library) as kept:
        kept.save_episodes([shopping(), shopping("e-0002", steps=many)])
    return library


def test_the_queue_has_the_low_ones_of_all_episodes_first(taptrail, filled):
    found = taptrail("regions", "queue", "--library", filled, "--json").json
    steps = [(one["episode"], one["step"], one["level"]) for one in found["steps"]]
    assert steps[:2] == [("e-0001", 3, "low"), ("e-0001", 4, "low")]
    assert found["levels"] == {"low": 2, "medium": 0, "high": 61}
    assert {level for _, _, level in steps[2:]} == {"high"}
    assert found["sampled"] == len(steps) - 2
    assert 1 <= found["sampled"] <= 15
    one = taptrail("regions", "queue", "e-0001", "--library", filled, "--json").json
    assert [o["step"] for o in one["steps"] if o["level"] == "low"] == [3, 4]
    assert "2 low" in taptrail("regions", "queue", "--library", filled).out


def test_times_tell_each_person_and_leave_out_pauses_and_what_was_taken_back(taptrail, filled):
    with Library.open(filled) as kept:
        episode = kept.episode("e-0002")
        first = annotating.open_step(episode, episode.steps[0]).choices[0].region
        for at, seconds in enumerate((2.0, 1.0, 4.0, LONGEST_S + 1, None)):
            annotating.accept(kept, episode, episode.steps[at], first, MARY, seconds=seconds)
        box = Box(1, 1, 50, 50)
        annotating.accept_own_box(kept, episode, episode.steps[6], box, MARY, seconds=9.0)
        kept.undo(MARY)
        blind.choose(kept, episode, episode.steps[7], "first", first, MARY, seconds=3.0)
    found = taptrail("regions", "times", "--library", filled, "--json").json
    assert found == {
        "boxes": 4,
        "median_s": 2.5,
        "people": [
            {"name": "Mary", "boxes": 4, "median_s": 2.5, "quickest_s": 1.0, "slowest_s": 4.0}
        ],
    }
    of_round = taptrail("regions", "times", "--round", "first", "--library", filled, "--json").json
    assert (of_round["boxes"], of_round["median_s"]) == (1, 3.0)
    assert "2.5 s" in taptrail("regions", "times", "e-0002", "--library", filled).out
    done = taptrail("regions", "times", "--round", "second", "--library", filled)
    assert (done.code, "nobody has chosen anything in it" in done.err) == (1, True)


def test_an_episode_is_accepted_sent_back_and_rejected(taptrail, filled):
    def review(*words):
        return taptrail("episodes", "review", "e-0001", *words, "--library", filled, "--json")

    nothing = {"episode": "e-0001", "decision": None, "reason": "", "author": ""}
    assert review().json == nothing
    assert review("accept").json["decision"] == "accepted"
    sent = review("send-back", "--reason", " step 2 is\nanother task ").json
    assert (sent["decision"], sent["reason"]) == ("sent back", "step 2 is another task")
    assert review("reject").code == 1
    assert "no reason is given" in review("reject").err
    assert review("reject", "--reason", "another phone").json["decision"] == "rejected"
    with Library.open(filled) as kept:
        uuid = kept.episode("e-0001").uuid
        assert editing.history(kept, uuid)[-1].reason == "another phone"
        kept.undo(MARY)
        found = kept.episode_review(uuid)
        assert found is not None
        assert (found.decision, found.reason) == (Decision.SENT_BACK, "step 2 is another task")
    assert review("reopen").json == nothing
    said = taptrail("episodes", "review", "e-0001", "--library", filled).out
    assert "There is no decision on e-0001." in said


def test_episodes_are_listed_by_what_was_decided_on_them(taptrail, filled):
    def names(*words):
        found = taptrail("episodes", "list", *words, "--library", filled, "--json").json
        return [(one["name"], one["review"]) for one in found["episodes"]]

    assert names("--review", "undecided") == [("e-0001", None), ("e-0002", None)]
    with Library.open(filled) as kept:
        uuid = kept.episode("e-0002").uuid
        kept.editor(MARY).review_episode(uuid, Decision.SENT_BACK, "no end")
        assert kept.facets().reviews == ((Decision.SENT_BACK, 1),)
    assert names("--review", "sent-back") == [("e-0002", "sent back")]
    assert names("--review", "undecided") == [("e-0001", None)]
    assert names("--review", "accepted") == []
    assert names() == [("e-0001", None), ("e-0002", "sent back")]
    taptrail("episodes", "delete", "e-0002", "--library", filled)
    with Library.read(filled) as kept:
        assert kept.facets().reviews == ()
