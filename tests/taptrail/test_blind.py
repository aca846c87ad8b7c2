"""A blind round by command: two people choose, nobody sees the other, then it is settled."""

from dataclasses import replace

import pytest

from episodes.annotations import (
    Author,
    Mask,
    Provenance,
    Region,
    RegionSource,
    Status,
)
from episodes.errors import KnownError
from episodes.geometry import Box
from episodes.store.library import Library
from taptrail.settings import Settings, save_settings
from taptrail.usecases import adjudicating, annotating, blind, editing
from taptrail.usecases.annotating import StepState
from tests.taptrail.annotated import MARY, shopping

BEN = Author("uuid-of-ben", "Ben")
BASKET, ROW = Box(800, 220, 960, 360), Box(0, 200, 1000, 380)
CARD = Box(400, 950, 600, 1050)


@pytest.fixture
def as_person(taptrail, filled, tmp_path, monkeypatch):
    """Runs `regions blind` in the name of somebody."""

    def command(who, *words):
        file = tmp_path / f"{who.name}.toml"
        save_settings(Settings(author=who.name, author_uuid=who.uuid), file)
        monkeypatch.setenv("TAPTRAIL_SETTINGS", str(file))
        return taptrail("regions", "blind", *words, "--library", filled, "--json")

    return command


def chosen_by_both(as_person):
    for who, words in (
        (MARY, ("0", "--candidate", "0", "--seconds", "1.5")),
        (MARY, ("3", "--box", "400", "950", "600", "1050", "--label", "Card")),
        (MARY, ("4", "--none")),
        (BEN, ("0", "--candidate", "1", "--seconds", "2.5")),
        (BEN, ("3", "--box", "400", "950", "600", "1000")),
        (BEN, ("4", "--none")),
    ):
        done = as_person(who, "choose", "first", "e-0001", *words)
        assert done.code == 0, done.err


def test_nobody_sees_what_the_other_has_chosen(as_person, filled):
    with Library.open(filled) as kept:
        episode, step = annotating.find_step(kept, "e-0001", 0)
        region = annotating.open_step(episode, step).choices[0].region
        annotating.accept(kept, episode, step, region, MARY, "Mary's word")
        annotating.accept_own_box(kept, *annotating.find_step(kept, "e-0001", 3), CARD, MARY)
    before = as_person(BEN, "start", "first", "e-0001").json
    chosen_by_both(as_person)
    with Library.open(filled) as kept:
        for _ in range(3):  # what Ben chose
            kept.undo(BEN)
    assert as_person(BEN, "start", "first", "e-0001").json == before
    assert (before["left"], [one["step"] for one in before["steps"]]) == (3, [0, 3, 4])
    assert [one["label"] for one in before["steps"][0]["candidates"]] == [
        "add to basket",
        "Moss ball Sold out",
    ]
    assert {one["source"] for step in before["steps"] for one in step["candidates"]} == {"tree"}
    mine = as_person(MARY, "start", "first", "e-0001").json
    assert [one["chosen"] for one in mine["steps"]] == [0, 1, 1]
    assert mine["left"] == 0


def test_masks_of_a_program_are_shown_and_those_another_person_asked_for_are_not(filled):
    mask = Mask(CARD, b"png")
    by = {
        "program": None,
        "own": BEN,
        "another": MARY,
    }
    regions = tuple(
        Region(
            CARD,
            Provenance(RegionSource.SAM2),
            "word",
            mask,
            None,
            Status.ACCEPTED,
            True,
            who,
            name,
        )
        for name, who in by.items()
    )
    imported = Region(ROW, Provenance(RegionSource.IMPORT), chosen=True, uuid="gold")
    step = replace(shopping().steps[3], regions=(*regions, imported))
    seen = blind.blind_step(step, BEN)
    assert seen.regions == tuple(
        replace(one, label="", status=Status.PROPOSED, chosen=False, author=None)
        for one in regions
        if one.uuid != "another"
    )


def test_agreement_is_told_with_kappa_iou_and_kinds(as_person):
    chosen_by_both(as_person)
    found = as_person(MARY, "agreement", "first").json
    # Step 0: the button (the proposal) and its row, IoU 22400/180000. Step 3: a card and its upper
    # half, IoU 0.5, nothing is proposed. Step 4: none, none.
    # Categories: Ben other, other, none; Mary proposal, other, none: the same in 2 of 3. Expected:
    # other 2*1, none 1*1 of 9. kappa = (2*3 - 3) / (9 - 3).
    small = 22400 / 180000
    assert found == {
        "round": "first",
        "episodes": 1,
        "steps": 3,
        "alone": 0,
        "pairs": [
            {
                "people": ["Ben", "Mary"],
                "all": {
                    "steps": 3,
                    "same_region": 2,
                    "both_marked": 2,
                    "iou": {
                        "mean": pytest.approx((small + 0.5) / 2),
                        "median": pytest.approx((small + 0.5) / 2),
                    },
                    "kappa": 0.5,
                    "kappa_target": 1.0,
                },
                "kinds": {
                    "EditText": {
                        "steps": 1,
                        "same_region": 1,
                        "both_marked": 0,
                        "iou": {"mean": None, "median": None},
                        "kappa": None,
                        "kappa_target": None,
                    },
                    "ImageButton": {
                        "steps": 1,
                        "same_region": 0,
                        "both_marked": 1,
                        "iou": {
                            "mean": pytest.approx(small),
                            "median": pytest.approx(small),
                        },
                        "kappa": 0.0,
                        "kappa_target": None,
                    },
                    "WebView": {
                        "steps": 1,
                        "same_region": 1,
                        "both_marked": 1,
                        "iou": {"mean": 0.5, "median": 0.5},
                        "kappa": None,
                        "kappa_target": None,
                    },
                },
            }
        ],
    }


def test_what_is_settled_becomes_the_target_and_is_taken_back(as_person, filled):
    chosen_by_both(as_person)
    before = as_person(MARY, "adjudicate", "first", "e-0001").json["steps"]
    assert [(one["step"], one["state"]) for one in before] == [
        (0, "low"),
        (3, "waiting"),
        (4, "waiting"),
    ]
    assert [one["reason"] for one in before] == [
        "They chose different regions, IoU 0.12.",
        "All chose the same region, IoU 0.50.",
        "Ben, Mary: all say that there is no target.",
    ]
    assert [
        [(one["letters"], one["people"], one["source"]) for one in step["choices"]]
        for step in before
    ] == [
        [("A", ["Ben"], "tree"), ("B", ["Mary"], "tree")],
        [("A", ["Ben"], "person"), ("B", ["Mary"], "person")],
        [("AB", ["Ben", "Mary"], "person")],
    ]
    for words in (
        ("0", "--take", "B"),
        ("3", "--box", "400", "950", "600", "1020"),
        ("4", "--none"),
    ):
        assert as_person(MARY, "adjudicate", "first", "e-0001", *words).code == 0
    with Library.open(filled) as kept:
        episode = kept.episode("e-0001")
        targets = [None if s.target is None else s.target.box for s in episode.steps]
        assert targets == [BASKET, None, None, Box(400, 950, 600, 1020), None, None]
        found = adjudicating.disputed_steps(kept, episode, "first")
        assert {n: one.opened.state for n, one in found.items() if one.letters} == dict.fromkeys(
            (0, 3, 4), StepState.ACCEPTED
        )
        assert editing.history(kept, episode.uuid)[-1].words == "Settle a blind choice"
        for _ in range(3):
            kept.undo(MARY)
        assert [s.target for s in kept.episode("e-0001").steps] == [None] * 6
    assert as_person(MARY, "adjudicate", "first", "e-0001").json["steps"] == before


def test_who_settles_takes_a_box_that_another_person_drew_with_its_name(as_person, filled):
    chosen_by_both(as_person)
    as_person(BEN, "adjudicate", "first", "e-0001", "3", "--take", "b")
    with Library.read(filled) as kept:
        target = kept.episode("e-0001").steps[3].target
    assert (target.box, target.label, target.author) == (CARD, "Card", MARY)


def test_a_choice_is_made_anew_and_taken_back_by_its_author_alone(filled):
    with Library.open(filled) as kept:
        episode, step = annotating.find_step(kept, "e-0001", 0)
        regions = [one.region for one in blind.open_blind(episode, step, MARY).choices]
        for region in regions:
            blind.choose(kept, episode, step, " first ", region, MARY)
        own = blind.own_choices(kept, episode, "first", MARY)
        assert {at: one.box for at, one in own.items()} == {0: ROW}
        assert blind.undo(kept, episode.uuid, "first", MARY) is not None
        assert blind.own_choices(kept, episode, "first", MARY)[0].box == BASKET
        assert blind.redo(kept, episode.uuid, "first", BEN) is None
        assert blind.redo(kept, episode.uuid, "first", MARY) is not None
        blind.choose(kept, episode, step, "first", None, BEN)
        with pytest.raises(KnownError, match="somebody has changed the episode since"):
            blind.undo(kept, episode.uuid, "first", MARY)
        assert [(one.name, one.choices, one.authors) for one in blind.rounds(kept)] == [
            ("first", 2, 2)
        ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("choose", "first", "e-0001", "0", "--candidate", "7"),
            "it has 2 candidates. Numbers start at 0",
        ),
        (("choose", "first", "e-0001", "1", "--none"), "its action needs no target"),
        (("choose", " ", "e-0001", "0", "--none"), "its name is empty"),
        (("choose", "first", "e-0001", "9", "--none"), "its steps are 0 to 5"),
        (("agreement", "second"), "nobody has chosen anything in it"),
        (("adjudicate", "second", "e-0001"), "nobody has chosen anything in it"),
    ],
)
def test_what_cannot_be_is_told(as_person, words, told):
    done = as_person(MARY, *words)
    assert (done.code, told in done.err) == (1, True), done.err


def test_tables_say_the_same_to_people(taptrail, as_person, filled):
    chosen_by_both(as_person)
    for words, told in (
        (("rounds",), "first"),
        (("start", "first", "e-0001"), "0 steps are left."),
        (("agreement", "first"), "Ben · Mary"),
        (("adjudicate", "first", "e-0001"), "IoU 0.12"),
    ):
        done = taptrail("regions", "blind", *words, "--library", filled)
        assert (done.code, told in done.out) == (0, True), done.out + done.err
