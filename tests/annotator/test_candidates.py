from dataclasses import replace

import pytest

from annotator.candidates import find_candidates, make_drawn_region, node_ref
from episodes import actions as a
from episodes.annotations import Author, Gold, Provenance, Region, RegionSource, Status
from episodes.geometry import Box, Point, Size
from episodes.screens import StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.trees.readers import read_tree
from tests.annotator.samples import SHOP, SIZE, step

EPISODE = "episode-uuid"
MARY = Author("uuid-of-mary", "Mary")


def find(made):
    found = find_candidates(made, EPISODE)
    assert found is not None
    return found


def said(found):
    proposed = None if found.proposed is None else found.found[found.proposed].region.label
    return [one.region.label for one in found.found], proposed, found.level.value, found.reason


RULE = {
    "a button in a row": (
        (880, 300),
        ["add to basket", "Moss ball Sold out"],
        "add to basket",
        "high",
        "The tree is fresh, and “add to basket” takes the touch.",
    ),
    "a word in a row": (
        (30, 250),
        ["Moss ball", "Moss ball Sold out"],
        "Moss ball Sold out",
        "high",
        "The tree is fresh, and “Moss ball Sold out” takes the touch.",
    ),
    "a button that is off": (
        (700, 300),
        ["Sold out", "Moss ball Sold out"],
        "Moss ball Sold out",
        "low",
        "“Sold out” is switched off, and smaller than what takes the touch.",
    ),
    "a password is not its label": (
        (30, 150),
        ["Search"],
        "Search",
        "high",
        "The tree is fresh, and “Search” takes the touch.",
    ),
    "a title that takes no touch": (
        (30, 50),
        ["Fernway"],
        "Fernway",
        "medium",
        "No element there accepts touches; “Fernway” is the smallest one.",
    ),
    "a whole card": (
        (30, 500),
        ["Agave"],
        "Agave",
        "low",
        "The tree knows only “Agave”, 12 % of the screen.",
    ),
    "a large field": (
        (600, 500),
        ["A note"],
        "A note",
        "medium",
        "“A note” is a field of 12 % of the screen.",
    ),
    "a web view": (
        (500, 1000),
        ["WebView"],
        None,
        "low",
        "The tree knows nothing of what is inside the WebView.",
    ),
    "a small opaque thing in what takes the touch": (
        (50, 1850),
        ["Film"],
        "Film",
        "medium",
        "“Film” takes the touch; the tree knows nothing of its inside.",
    ),
    "two that lie over each other": (
        (410, 1850),
        ["Right", "Left"],
        "Right",
        "medium",
        "Elements overlap here; “Right” is the smallest.",
    ),
    "half out of the frame": (
        (950, 1980),
        ["Half out"],
        "Half out",
        "high",
        "The tree is fresh, and “Half out” takes the touch.",
    ),
    "nothing": ((700, 50), [], None, "low", "The tree shows nothing at this place."),
    "outside": ((1000, 50), [], None, "low", "The point is outside the frame."),
}


@pytest.mark.parametrize(("at", "labels", "proposed", "level", "reason"), RULE.values(), ids=RULE)
def test_the_rule_chooses_the_smallest_sensible_element(at, labels, proposed, level, reason):
    assert said(find(step(*at))) == (labels, proposed, level, reason)


def test_a_candidate_is_a_region_with_its_node():
    (button, row) = find(step(880, 300)).found
    assert replace(button.region, uuid="") == Region(
        Box(800, 220, 960, 360), Provenance(RegionSource.TREE, node="0/0.2.1"), "add to basket"
    )
    assert (button.element, button.share, row.share) == ("ImageButton", 0.0112, 0.09)
    tree = read_tree("uiautomator", SHOP)
    (node,) = (one for one in tree.walk() if one.resource_id == "com.fern:id/add_to_basket")
    assert node_ref(tree, tree.windows[0], node) == "0/0.2.1"


def test_the_same_element_is_the_same_region_wherever_it_is_proposed():
    first, again = find(step(880, 300)), find(step(810, 230, fit=TreeFit.STALE))
    assert [one.region for one in first.found] == [one.region for one in again.found]
    (other,) = {one.region.uuid for one in find_candidates(step(30, 150), "another").found}
    assert other != find(step(30, 150)).found[0].region.uuid


def test_a_region_is_cut_to_the_frame():
    assert find(step(950, 1980)).found[0].region.box == Box(900, 1950, 1000, 2000)


def test_nothing_as_large_as_the_screen_is_proposed():
    page = b"""<hierarchy><node class="a.Page" clickable="true" bounds="[0,0][1000,1990]">
      <node class="a.Text" text="Terms" bounds="[0,0][500,100]"/></node></hierarchy>"""
    found = find(step(700, 1000, data=page))
    assert said(found) == (["Terms"], None, "low", "Only the whole screen is under the press.")
    assert found.found[0].screen_sized
    assert said(find(step(50, 50, data=page))) == (
        ["Terms", "Terms"],
        "Terms",
        "low",
        "Only the whole screen takes touches; “Terms” is the smallest thing shown.",
    )
    assert find(step(50, 50, data=page)).proposed == 0


def test_an_opaque_area_under_the_press_is_reported():
    assert find(step(500, 1000)).opaque == Box(0, 900, 1000, 1800)
    assert find(step(880, 300)).opaque is None


@pytest.mark.parametrize(
    ("fit", "level", "reason"),
    [
        (TreeFit.STALE, "low", "The screen changed after the tree was taken."),
        (TreeFit.LATE, "low", "The tree came after the press had begun."),
        (TreeFit.IMPORTED, "medium", "The data set does not say when its tree was taken."),
    ],
)
def test_a_tree_that_may_be_of_another_screen_lowers_the_level(fit, level, reason):
    labels = ["add to basket", "Moss ball Sold out"]
    assert said(find(step(880, 300, fit=fit))) == (labels, "add to basket", level, reason)


def kept(fit, status=TreeStatus.OK, data=SHOP, detail="", name="uiautomator", size=SIZE):
    return StepTree(TreeRecord(name, data, "source", status, size=size, detail=detail), fit)


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (None, "The phone was not asked for a tree."),
        (kept(TreeFit.MISSING), "The phone was not asked for a tree."),
        (
            kept(TreeFit.FAILED, TreeStatus.NOT_IDLE, b"", "could not get idle state"),
            "The phone gave no tree (not idle: could not get idle state).",
        ),
        (
            kept(TreeFit.FRESH, data=b"<hier"),
            "The tree cannot be read: line 1: unclosed token.",
        ),
        (
            kept(TreeFit.IMPORTED, name="androidlab"),
            "The tree cannot be read: its format “androidlab” is not known.",
        ),
        (
            kept(TreeFit.FRESH, size=Size(2000, 1000)),
            "The tree was taken while the screen was turned otherwise.",
        ),
    ],
)
def test_without_a_tree_of_the_screen_a_person_decides(tree, reason):
    assert said(find(step(880, 300, tree=tree))) == ([], None, "low", reason)


def test_boxes_are_measured_on_the_frame_not_on_the_phone():
    record = TreeRecord("uiautomator", SHOP, "d", TreeStatus.OK, size=Size(1000, 2000))
    small = step(440, 150, tree=StepTree(record, TreeFit.FRESH))
    small = replace(small, frame=replace(small.frame, size=Size(500, 1000)))
    assert find(small).found[0].region.box == Box(400, 110, 480, 180)


def test_the_corrected_action_is_the_gold_action():
    gold = Gold(1, a.LongPress(Point(30, 50)), "correction", "", Status.ACCEPTED, MARY)
    assert said(find(step(880, 300, golds=(gold,))))[1] == "Fernway"
    rejected = replace(gold, status=Status.REJECTED)
    assert said(find(step(880, 300, golds=(rejected,))))[1] == "add to basket"


BUBBLE = b"""<hierarchy rotation="0"><node class="w.FrameLayout" bounds="[0,0][1000,2000]">
 <node class="w.TextView" long-clickable="true" text="Call 555 0142" bounds="[100,300][700,400]"/>
</node></hierarchy>"""


def test_a_tap_on_a_long_press_only_element_may_have_meant_a_link_in_it():
    tapped = find(step(300, 350, data=BUBBLE))
    assert (tapped.level.value, tapped.reason) == (
        "medium",
        "A tap on “Call 555 0142” does nothing by the tree; it may have meant a part of it.",
    )
    held = find(step(300, 350, data=BUBBLE, action=a.LongPress(Point(300, 350))))
    assert held.level.value == "high"


def over(first, second):
    """Two buttons that lie over each other, in the order they are drawn."""
    nodes = "".join(
        f'<node class="w.Button" clickable="true" bounds="{b}"/>' for b in (first, second)
    )
    page = f'<node class="w.FrameLayout" bounds="[0,0][1000,2000]">{nodes}</node>'
    return f'<hierarchy rotation="0">{page}</hierarchy>'.encode()


SMALL, WIDE = "[500,300][700,400]", "[0,310][1000,450]"


@pytest.mark.parametrize(
    ("data", "uppermost"),
    [
        (over(WIDE, SMALL), True),
        (over(SMALL, WIDE), False),
        (over(SMALL, SMALL), False),
        (over("[0,295][1000,405]", "[0,300][1000,400]"), False),
        (over("[0,600][1000,700]", SMALL), False),
    ],
    ids=["drawn last", "drawn first", "of one box", "of nearly one box", "alone"],
)
def test_an_element_that_overlaps_the_others_is_reported(data, uppermost):
    found = find(step(600, 350, data=data))
    assert found.uppermost is uppermost


@pytest.mark.parametrize(
    ("action", "needed"),
    [
        (a.DoubleTap(Point(880, 300)), True),
        (a.TypeText("x", target=Point(30, 150)), True),
        (a.TypeText("x"), False),
        (a.Swipe(Point(1, 1), Point(2, 2)), False),
        (a.PressKey(a.Key.BACK), False),
    ],
)
def test_only_what_means_an_element_needs_a_target(action, needed):
    assert (find_candidates(step(0, 0, action=action), EPISODE) is not None) == needed


def test_an_action_without_a_place_or_frame_is_for_a_person():
    named = step(0, 0, action=a.Tap(a.ElementRef(index=3)))
    assert find(named).reason == "The action names an element and no place on the screen."
    assert find(step(1, 1, frame=None)).reason == "The step has no frame to measure on."


def test_larger_walks_through_the_nested_elements():
    found = find(step(30, 250))
    assert found.proposed == 1
    assert (found.larger(0), found.larger(1), found.larger(None)) == (1, 1, 1)
    assert find(step(700, 50)).larger(None) is None


def test_a_long_label_is_cut():
    page = (
        b'<hierarchy><node class="a.Text" text="'
        + b"word " * 40
        + b'" bounds="[0,0][100,100]"/></hierarchy>'
    )
    (found,) = find(step(5, 5, data=page)).found
    assert (len(found.region.label), found.region.label[-6:]) == (80, " word…")


def test_a_person_draws_a_box_of_their_own():
    drawn = make_drawn_region(Box(1, 2, 3, 4), MARY, "The plus")
    assert drawn == Region(
        Box(1, 2, 3, 4),
        Provenance(RegionSource.PERSON),
        "The plus",
        author=MARY,
        uuid=drawn.uuid,
    )
    assert make_drawn_region(Box(1, 2, 3, 4), MARY).uuid != drawn.uuid
