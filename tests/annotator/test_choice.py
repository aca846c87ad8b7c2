from dataclasses import replace

import pytest

from annotator.candidates import find_candidates
from annotator.choice import choose_target
from episodes.annotations import Provenance, Region, RegionSource, Status
from episodes.geometry import Box
from episodes.screens import TreeFit
from tests.annotator.samples import step

EPISODE = "episode-uuid"
BUTTON, ROW = Box(800, 220, 960, 360), Box(0, 200, 1000, 380)


def mask(*box, score=0.9, stability=0.95, prompts=""):
    source = Provenance(
        RegionSource.SAM2, "sam2.1_hiera_tiny", "7402e0d864fa", prompts, score, "", stability
    )
    return Region(Box(*box), source, uuid=f"mask {box}")


def suggestion(*box, score=0.8, edges=4, version="1"):
    prompts = f'{{"points":[[1,1]],"edges":{edges}}}'
    source = Provenance(RegionSource.SUGGESTION, "taptrail", version, prompts, score)
    return Region(Box(*box), source, uuid=f"suggestion {box} {version}")


def test_without_anything_seen_the_tree_decides_alone():
    for at in ((880, 300), (30, 250), (700, 300), (500, 1000), (700, 50)):
        made = step(*at)
        alone, chosen = find_candidates(made, EPISODE), choose_target(made, EPISODE)
        assert chosen.candidates == alone
        assert (chosen.level, chosen.reason) == (alone.level, alone.reason)


CHOICES = {
    "a mask of the button's size": (
        (880, 300),
        TreeFit.FRESH,
        [mask(805, 225, 955, 355)],
        (BUTTON, "high", "Tree and picture agree: “add to basket” takes the touch.", False),
    ),
    "a mask of the glyph in the button": (
        (880, 300),
        TreeFit.FRESH,
        [mask(850, 260, 910, 320)],
        (BUTTON, "high", "Tree and picture agree: “add to basket” takes the touch.", False),
    ),
    "a mask of the row round the button": (
        (880, 300),
        TreeFit.FRESH,
        [mask(0, 205, 1000, 375)],
        (ROW, "high", "Tree and picture agree: “Moss ball Sold out” takes the touch.", False),
    ),
    "a mask that fits nothing of the tree": (
        (30, 250),
        TreeFit.FRESH,
        [mask(10, 100, 300, 600)],
        (
            Box(10, 100, 300, 600),
            "low",
            "The picture shows nothing of the size of “Moss ball Sold out”: the tree may be of "
            "another screen. SAM 2's mask is the best guess.",
            True,
        ),
    ),
    "a sure mask in a web view": (
        (500, 1000),
        TreeFit.FRESH,
        [mask(400, 950, 600, 1050)],
        (
            Box(400, 950, 600, 1050),
            "medium",
            "The tree knows nothing of what is inside the WebView. "
            "SAM 2's mask has high confidence.",
            False,
        ),
    ),
    "a wavering mask in a web view": (
        (500, 1000),
        TreeFit.FRESH,
        [mask(400, 950, 600, 1050, stability=0.7)],
        (
            Box(400, 950, 600, 1050),
            "low",
            "The tree knows nothing of what is inside the WebView. SAM 2's mask is the best guess.",
            False,
        ),
    ),
    "a button rather than its label": (
        (500, 1000),
        TreeFit.FRESH,
        [
            mask(450, 980, 550, 1020, score=0.93),
            mask(400, 950, 600, 1050, score=0.9),
            suggestion(398, 948, 602, 1052),
        ],
        (
            Box(400, 950, 600, 1050),
            "medium",
            "The tree knows nothing of what is inside the WebView. "
            "SAM 2's mask has high confidence.",
            False,
        ),
    ),
    "a tree of no known time that the picture confirms": (
        (880, 300),
        TreeFit.IMPORTED,
        [mask(805, 225, 955, 355)],
        (BUTTON, "high", "Tree and picture agree: “add to basket” takes the touch.", False),
    ),
    "a tree older than the screen": (
        (880, 300),
        TreeFit.STALE,
        [mask(805, 225, 955, 355)],
        (
            BUTTON,
            "low",
            "The picture shows “add to basket”, but the screen changed after the tree was taken.",
            False,
        ),
    ),
    "a suggestion over another button is not taken": (
        (250, 1850),
        TreeFit.FRESH,
        [suggestion(0, 1790, 450, 1910, score=0.9), suggestion(210, 1810, 290, 1890, score=0.7)],
        (
            Box(210, 1810, 290, 1890),
            "medium",
            "The tree shows nothing at this place. A suggestion fits the picture well.",
            False,
        ),
    ),
}


@pytest.mark.parametrize(("at", "fit", "seen", "wanted"), CHOICES.values(), ids=CHOICES)
def test_tree_and_picture_are_weighed_by_written_rules(at, fit, seen, wanted):
    chosen = choose_target(step(*at, fit=fit), EPISODE, more=seen)
    box = chosen.region and chosen.region.box
    assert (box, chosen.level.value, chosen.reason, chosen.doubted) == wanted
    assert (chosen.evidence is None) == (box is None)


@pytest.mark.parametrize("fit", [TreeFit.FRESH, TreeFit.IMPORTED])
def test_a_tree_that_holds_is_not_replaced_by_a_suggestion_that_disagrees(fit):
    elsewhere = suggestion(840, 280, 900, 320, score=0.95)
    chosen = choose_target(step(880, 300, fit=fit), EPISODE, more=[elsewhere])
    assert (chosen.region.box, chosen.level.value, chosen.doubted) == (BUTTON, "low", True)


def test_a_suggestion_replaces_a_stale_tree_that_it_disagrees_with():
    elsewhere = suggestion(840, 280, 900, 320, score=0.95)
    chosen = choose_target(step(880, 300, fit=TreeFit.STALE), EPISODE, more=[elsewhere])
    assert chosen.region == elsewhere


def page(*nodes):
    """A screen of buttons, each with its box and whether it can be pressed, as they are drawn."""
    made = "".join(
        f'<node class="w.Button" text="{name}" clickable="true" bounds="{bounds}"/>'
        for name, bounds in nodes
    )
    page = f'<node class="w.FrameLayout" bounds="[0,0][1000,2000]">{made}</node>'
    return f'<hierarchy rotation="0">{page}</hierarchy>'.encode()


CARD, CHAT = ("Card", "[0,300][1000,460]"), ("Chat", "[600,340][800,420]")
CHAT_SEEN = suggestion(600, 340, 800, 420, score=0.8)


@pytest.mark.parametrize(
    ("data", "level", "reason"),
    [
        (page(CARD, CHAT), "high", "Tree and picture agree: “Chat” takes the touch."),
        (
            page(CHAT, CARD),
            "medium",
            "Elements overlap here; “Chat” is the smallest.",
        ),
        (
            page(("Below", "[600,330][1000,420]"), CHAT, ("Dot", "[610,350][640,380]")),
            "medium",
            "“Chat” takes the touch, but covers elements that are not part of it.",
        ),
    ],
    ids=["drawn last", "drawn first", "with a stranger in it"],
)
def test_the_picture_decides_between_overlapping_elements_if_the_tree_has_an_order(
    data, level, reason
):
    chosen = choose_target(step(700, 380, data=data), EPISODE, more=[CHAT_SEEN])
    assert chosen.region.box == Box(600, 340, 800, 420)
    assert (chosen.level.value, chosen.reason) == (level, reason)


def test_an_element_of_another_window_is_not_a_stranger():
    windows = b"""<displays><display id="0"><window index="0" bounds="[0,0][1000,2000]" layer="0">
<hierarchy><node class="w.Button" text="Under" clickable="true" bounds="[610,350][640,380]"/>
</hierarchy></window><window index="1" bounds="[0,0][1000,2000]" layer="1"><hierarchy>
<node class="w.Button" text="Chat" clickable="true" bounds="[600,340][800,420]"/>
</hierarchy></window></display></displays>"""
    chosen = choose_target(step(700, 380, data=windows), EPISODE, more=[CHAT_SEEN])
    assert (chosen.region.box, chosen.level.value) == (Box(600, 340, 800, 420), "high")


@pytest.mark.parametrize(
    ("best", "level"),
    [
        (suggestion(680, 350, 740, 390, score=0.89), "high"),
        (suggestion(680, 350, 740, 390, score=0.91), "medium"),
        (suggestion(600, 340, 700, 420, score=0.95), "high"),
    ],
    ids=["a sign, hardly better", "a sign, clearly better", "half of it, clearly better"],
)
def test_a_suggestion_of_the_very_size_counts_where_the_best_one_is_hardly_better(best, level):
    made = step(690, 380, data=page(CHAT))
    chosen = choose_target(made, EPISODE, more=[best, CHAT_SEEN])
    assert (chosen.region.box, chosen.level.value) == (Box(600, 340, 800, 420), level)


def test_suggestions_of_an_older_version_count_no_more_once_there_are_newer_ones():
    made = step(700, 380, data=page(CHAT))
    older = suggestion(690, 370, 720, 400, score=0.99, version="9")
    newer = replace(CHAT_SEEN, provenance=replace(CHAT_SEEN.provenance, version="10"))
    assert choose_target(made, EPISODE, more=[older]).doubted
    chosen = choose_target(made, EPISODE, more=[newer, older])
    assert (chosen.level.value, chosen.seen) == ("high", (newer,))
    refused = replace(newer, status=Status.REJECTED)
    assert choose_target(made, EPISODE, more=[older, refused]).seen == ()


def test_stored_regions_give_the_same_choice_as_new_ones():
    seen = [mask(805, 225, 955, 355), suggestion(800, 220, 960, 360)]
    made = step(880, 300)
    fresh = choose_target(made, EPISODE, more=seen)
    stored = choose_target(replace(made, regions=tuple(seen)), EPISODE)
    assert fresh == stored
    rejected = tuple(replace(one, status=Status.REJECTED) for one in seen)
    assert choose_target(replace(made, regions=rejected), EPISODE).candidates == find_candidates(
        made, EPISODE
    )
