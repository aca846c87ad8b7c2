"""Agreement of two sources of regions over a library, and its printed table."""

import hashlib
import json
from dataclasses import replace

import pytest

from episodes.annotations import Author, Provenance, Region, RegionSource, Status
from episodes.geometry import Box
from episodes.screens import TreeFit
from episodes.store.library import Library
from tests.annotator.samples import step
from tests.taptrail.annotated import MARY, shopping

SAM2 = Author("taptrail:sam2", "SAM 2", "program")
BASKET, ROW = Box(800, 220, 960, 360), Box(0, 200, 1000, 380)


def mask(box, score, at, model="tiny", author=None):
    told = json.dumps({"points": [[float(n) for n in at]], "view": [0, 0, 1000, 1000]})
    made = Provenance(RegionSource.SAM2, model, "7402e0d864fa", told, score, stability=0.9)
    return Region(box, made, author=author, uuid=f"{box}-{model}-{author}")


def drawn(box, source=RegionSource.PERSON, **fields):
    return Region(box, Provenance(source), uuid=f"{source}-{box}", **fields)


@pytest.fixture
def filled(library):
    """A basket, a row, a web view that the tree cannot tell, and a press on a stale tree."""
    steps = (
        step(
            880,
            300,
            index=0,
            regions=(
                mask(Box(800, 220, 880, 360), 0.9, (880, 300)),
                mask(BASKET, 0.8, (880, 300)),
                mask(ROW, 1.0, (880, 300), author=MARY),
                drawn(Box(800, 220, 960, 340), status=Status.ACCEPTED, chosen=True),
            ),
        ),
        step(100, 250, index=1, regions=(drawn(ROW, RegionSource.IMPORT),)),
        step(500, 1000, index=2, regions=(mask(Box(400, 900, 600, 1100), 0.7, (500, 1000)),)),
        step(880, 300, index=3, fit=TreeFit.STALE, regions=(mask(BASKET, 0.9, (880, 300)),)),
    )
    with Library.open(library) as kept:
        kept.save_episodes([shopping(steps=steps)])
    return library


def compared(taptrail, filled, *words):
    return taptrail("regions", "compare", *words, "--library", filled, "--json").json


def test_masks_are_measured_by_the_elements_of_fresh_trees(taptrail, filled):
    told = compared(taptrail, filled)
    # The mask of the highest score is taken, not the one that fits; a person's is not counted.
    button = {
        "kind": "button",
        "n": 1,
        "none": 0,
        "mean_iou": 0.5,
        "above_0.5": 0,
        "above_0.75": 0,
        "inside": 1.0,
        "covered": 0.5,
        "best_iou": 1.0,
    }
    nothing = {"mean_iou": None, "inside": None, "covered": None, "best_iou": None}
    row = button | nothing | {"kind": "row", "n": 0, "none": 1}
    lines = "recorded//e-0001/0\nrecorded//e-0001/1\n"
    assert told == {
        "source": "sam2",
        "against": "accessibility",
        "model": "tiny",
        "version": "7402e0d864fa",
        "step_set": {
            "name": "all",
            "n": 2,
            "sha256": hashlib.sha256(lines.encode()).hexdigest(),
        },
        "presses": 4,
        "unknown": 2,
        "rows": [button, row, button | {"kind": "all", "none": 1}],
        "command": "taptrail regions compare --source sam2 --against accessibility "
        "--model 'tiny 7402e0d864fa'",
        "taptrail": told["taptrail"],
    }


@pytest.mark.parametrize(
    ("source", "against", "n", "none", "iou"),
    [
        ("sam2", "person", 1, 0, 80 * 120 / (80 * 140 + 80 * 120)),
        ("person", "accessibility", 1, 1, 120 / 140),
        ("import", "accessibility", 1, 1, 1.0),
        ("accessibility", "import", 1, 0, 1.0),
    ],
)
def test_any_two_sides_can_be_compared(taptrail, filled, source, against, n, none, iou):
    told = compared(taptrail, filled, "--source", source, "--against", against)
    whole = told["rows"][-1]
    assert (whole["kind"], whole["n"], whole["none"]) == ("all", n, none)
    assert whole["mean_iou"] == pytest.approx(iou)


def test_a_press_that_was_corrected_since_has_no_mask(taptrail, filled):
    with Library.open(filled) as kept:
        episode = kept.episode("e-0001")
        moved = replace(episode.steps[0].action, at=Box(860, 260, 880, 280).centre, path=())
        kept.editor(MARY).correct_action(episode.uuid, 0, moved)
    whole = compared(taptrail, filled)["rows"][-1]
    assert (whole["n"], whole["none"]) == (0, 2)


def test_of_several_models_one_must_be_named(taptrail, filled):
    with Library.open(filled) as kept:
        uuid = kept.episode("e-0001").uuid
        kept.editor(SAM2).propose_regions(uuid, 0, [mask(BASKET, 0.9, (880, 300), model="large")])
    done = taptrail("regions", "compare", "--library", filled)
    assert (done.code, "“large 7402e0d864fa”, “tiny 7402e0d864fa”" in done.err) == (1, True)
    assert compared(taptrail, filled, "--model", "large")["rows"][-1]["mean_iou"] == 1.0
    named = compared(taptrail, filled, "--model", "tiny 7402e0d864fa")
    assert (named["model"], named["rows"][-1]["mean_iou"]) == ("tiny", 0.5)


def test_the_table_and_the_markdown_say_how_they_came_about(taptrail, filled):
    said = taptrail("regions", "compare", "--library", filled)
    assert "sam2 (tiny 7402e0d864fa) against accessibility" in said.out
    assert "2 of 4 presses have a box to measure by. Steps: all, sha256" in said.out
    lines = taptrail("regions", "compare", "--markdown", "--library", filled).out.splitlines()
    assert lines[:6] == [
        "**sam2 (tiny 7402e0d864fa) against accessibility**",
        "",
        "| kind | n | none | mean IoU | > 0.5 | > 0.75 | inside | covered | best IoU |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| button | 1 | 0 | 0.50 | 0 of 1 | 0 of 1 | 1.00 | 0.50 | 1.00 |",
        "| row | 0 | 1 |  | 0 of 0 | 0 of 0 |  |  |  |",
    ]
    assert lines[-1].endswith(
        "`taptrail regions compare --source sam2 --against accessibility "
        "--model 'tiny 7402e0d864fa'`"
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--source", "person", "--against", "person"), 1, "both sides are person"),
        (
            ("--source", "suggestion"),
            1,
            "there are none. Make them with: taptrail regions propose --suggest",
        ),
        (("--model", "huge"), 1, "none of “huge” is there"),
        (("--json", "--markdown"), 2, "one of --json and --markdown"),
        (("--source", "eye"), 2, "eye"),
        (("--episode", "e-0404"), 1, "e-0404"),
    ],
)
def test_what_cannot_be_compared_is_said(taptrail, filled, words, code, said):
    done = taptrail("regions", "compare", *words, "--library", filled)
    assert (done.code, said in done.err) == (code, True), done.err
