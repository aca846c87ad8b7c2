from dataclasses import replace

import pytest

from annotator.candidates import Level
from episodes.annotations import Provenance, Region, RegionSource, Status
from episodes.errors import KnownError
from episodes.geometry import Box
from taptrail.usecases import annotating
from taptrail.usecases.annotating import ProposalCounts, StepState
from tests.taptrail.annotated import MARY


def opened(kept, index):
    episode, step = annotating.find_step(kept, "e-0001", index)
    return annotating.open_step(episode, step)


def test_a_step_opens_with_its_candidates_and_what_is_to_be_done(kept):
    found = opened(kept, 0)
    assert (found.state, found.proposed, found.target) == (StepState.WAITING, 0, None)
    assert [choice.region.label for choice in found.choices] == [
        "add to basket",
        "Moss ball Sold out",
    ]
    assert [opened(kept, index).state for index in range(6)] == [
        StepState.WAITING,
        StepState.NONE,
        StepState.NONE,
        StepState.LOW,
        StepState.LOW,
        StepState.NONE,
    ]


def test_accepting_a_candidate_makes_it_the_target_until_it_is_taken_back(kept):
    before = kept.episode("e-0001")
    found = opened(kept, 0)
    region = found.choices[0].region
    annotating.accept(kept, before, found.step, region, MARY, "Add")
    again = opened(kept, 0)
    assert (again.state, again.target, len(again.choices)) == (StepState.ACCEPTED, 0, 2)
    assert again.choices[0].region == replace(
        region, label="Add", status=Status.ACCEPTED, chosen=True
    )
    kept.undo(MARY)
    assert kept.episode("e-0001") == before


def test_a_segmenters_region_and_a_persons_box_stand_beside_the_trees(kept):
    episode, step = annotating.find_step(kept, "e-0001", 3)
    provenance = Provenance(RegionSource.SAM2, "sam2", "2.1", "{}", 0.9)
    mask = Region(Box(400, 950, 600, 1050), provenance, uuid="mask-1")
    annotating.accept(kept, episode, step, mask, MARY)
    annotating.accept_own_box(kept, episode, step, Box(-50, 950, 600, 1050), MARY, "Card")
    found = opened(kept, 3)
    assert [choice.region.provenance.source.value for choice in found.choices] == [
        "tree",
        "sam2",
        "person",
    ]
    assert (found.target, found.choices[2].region.box) == (2, Box(0, 950, 600, 1050))
    assert found.choices[1].region.status is Status.SUPERSEDED
    with pytest.raises(KnownError, match="covers nothing of the frame"):
        annotating.accept_own_box(kept, episode, step, Box(-50, 0, 0, 9), MARY)


def test_proposing_keeps_all_candidates_and_accepts_only_what_is_sure(kept):
    done = annotating.propose(kept, MARY, accept_from=Level.HIGH)
    assert done == ProposalCounts(steps=3, regions=4, accepted=1, levels={"high": 1, "low": 2})
    steps = kept.episode("e-0001").steps
    assert [len(step.regions) for step in steps] == [2, 0, 0, 1, 1, 0]
    assert [step.target and step.target.label for step in steps] == [
        "add to basket",
        *[None] * 5,
    ]
    authors = {(edit.operation, edit.author.kind) for edit in kept.edits()}
    assert authors == {("region.propose", "program"), ("region.accept", "person")}
    again = annotating.propose(kept, MARY, accept_from=Level.MEDIUM)
    assert again == ProposalCounts(steps=3, regions=0, accepted=0, levels={"low": 2}, settled=1)


def test_the_commands_list_propose_accept_and_set(taptrail, filled):
    def step(*words):
        found = taptrail("regions", *words, "--library", filled, "--json").json
        return (
            found["state"],
            found["target"],
            [c["label"] for c in found["candidates"] if c.get("chosen")],
        )

    listed = taptrail(
        "regions", "list", "e-0001", "--step", "0", "--library", filled, "--json"
    ).json
    (first,) = listed["steps"]
    assert (first["level"], first["proposed"], first["opaque"]) == ("high", 0, None)
    assert first["reason"] == "The tree is fresh, and “add to basket” takes the touch."
    assert [(c["candidate"], c["label"], c["box"], c["stored"]) for c in first["candidates"]] == [
        (0, "add to basket", [800.0, 220.0, 960.0, 360.0], False),
        (1, "Moss ball Sold out", [0.0, 200.0, 1000.0, 380.0], False),
    ]
    done = taptrail("regions", "propose", "e-0001", "--library", filled, "--json").json
    assert done == {
        "steps": 3, "settled": 0, "regions": 4, "accepted": 0, "levels": {"high": 1, "low": 2},
    }  # fmt: skip
    assert step("accept", "e-0001", "0") == ("accepted", 0, ["add to basket"])
    assert step("accept", "e-0001", "0", "--candidate", "1", "--label", "Row") == (
        "accepted",
        1,
        ["Row"],
    )
    assert step("set", "e-0001", "0", "--label", "The row") == ("accepted", 1, ["The row"])
    assert step("set", "e-0001", "3", "--box", "1", "950", "90", "1050", "--label", "Card") == (
        "accepted",
        1,
        ["Card"],
    )
    assert step("set", "e-0001", "3", "--clear") == ("low", None, [])


def test_the_commands_say_it_in_words(taptrail, filled):
    def said(*words):
        done = taptrail("regions", *words, "--library", filled)
        assert done.code == 0, done.err
        return done.out

    assert "The tree knows nothing of what is inside the WebView." in said("list", "e-0001")
    assert said("propose", "--accept", "high") == (
        "3 steps need a target; 4 candidates are new, 1 are accepted.\n"
        "A person must decide 2 steps.\n"
    )
    assert said("set", "e-0001", "0", "--clear") == "Step 0 has no target now.\n"
    assert said("accept", "e-0001", "0") == "The target of step 0 is “add to basket”.\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("accept", "e-0001", "9"), 1, "open step 9 of e-0001: its steps are 0 to 5"),
        (("accept", "e-0001", "3"), 1, "The tree knows nothing of what is inside the WebView."),
        (
            ("accept", "e-0001", "0", "--candidate", "2"),
            1,
            "it has 2 candidates. Numbers start at 0",
        ),
        (("set", "e-0001", "0", "--label", "x"), 1, "it has none"),
        (("set", "e-0001", "0"), 2, "Give one of --box, --clear and --label."),
        (("set", "e-0001", "0", "--clear", "--label", "x"), 0, ""),
    ],
)
def test_what_cannot_be_marked_is_said(taptrail, filled, words, code, said):
    done = taptrail("regions", *words, "--library", filled)
    assert (done.code, said in done.err) == (code, True), done.err
