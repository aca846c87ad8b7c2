"""Marks as SVG: every action has one, in the frame's pixels, with halos and letters."""

import re
from xml.etree import ElementTree

import pytest

from episodes import actions as a
from episodes.geometry import Box, Direction, Point, Size
from episodes.recordings import DeviceFacts
from replay.report.marks import (
    COLOURS,
    PERSON,
    Scale,
    action_svg,
    ellipse_svg,
    scale_of,
    target_label_svg,
    target_svg,
    thinned,
    tolerance_box_svg,
)
from taptrail.words import tr

SIZE = Size(1080, 2400)
SCALE = Scale(SIZE, dp=3.0, zoom=1.0)


def drawn(markup):
    """The elements, as (tag, attributes, text)."""
    root = ElementTree.fromstring(f"<svg>{markup}</svg>")
    return [(element.tag, element.attrib, element.text or "") for element in root]


def of(action, who=PERSON, scale=SCALE):
    return drawn(action_svg(action, who, scale, tr))


ACTIONS = [
    a.Tap(Point(500, 900)),
    a.Tap(Box(100, 200, 300, 400)),
    a.Tap(a.ElementRef(index=3)),
    a.DoubleTap(Point(500, 900)),
    a.LongPress(Point(500, 900), 800_000),
    a.Swipe(Point(500, 1800), Point(500, 600), 400_000),
    a.Swipe(Point(500, 500), Point(500, 500)),
    a.Scroll(Direction.LEFT),
    a.Scroll(Direction.DOWN, a.ElementRef(text="list")),
    a.Pinch(Point(540, 1200), 1.5),
    a.Pinch(Point(540, 1200), 0.5),
    a.TypeText("oat milk"),
    a.TypeText("x" * 500, Box(100, 200, 900, 300)),
    a.TypeText("", Point(5, 5)),
    a.PressKey(a.Key.BACK),
    a.PressKey(a.Key.OTHER, "KEYCODE_CAMERA"),
    a.OpenApp("Shop"),
    a.Wait(),
    a.Wait(2_000_000),
    a.Answer("at nine"),
    a.Finish(a.Ending.COMPLETE),
    a.Finish(a.Ending.IMPOSSIBLE),
    a.Other("shake", "{}"),
    a.Tap(Point(float("nan"), float("inf"))),
    a.Tap(Point(-1e300, 4000)),
]


@pytest.mark.parametrize("who", list(COLOURS))
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
def test_every_action_is_drawn_in_its_colour_with_numbers_valid_in_a_page(action, who):
    elements = of(action, who)
    inks = {v for _, attributes, _ in elements for v in attributes.values()}
    assert COLOURS[who] in inks
    letters = [text for tag, _, text in elements if tag == "text" and text == who]
    assert letters == ([] if who == PERSON else [who])
    numbers = " ".join(v for _, attributes, _ in elements for v in attributes.values())
    assert not re.search(r"nan|inf|\de[+-]?\d", numbers)


def test_a_person_is_round_and_a_run_is_square_on_the_exact_point():
    person, run = of(ACTIONS[0]), of(ACTIONS[0], "A")
    ring = [e for tag, e, _ in person if tag == "circle" and e["fill"] == "none"][-1]
    assert ring == {
        "cx": "500", "cy": "900", "r": "42", "stroke-linecap": "round",
        "stroke-linejoin": "round", "fill": "none", "stroke": "#FFB01F", "stroke-width": "7.5",
    }  # fmt: skip
    square = [e for tag, e, _ in run if tag == "rect" and e["fill"] == "none"][-1]
    assert (square["x"], square["y"], square["width"], square["height"]) == (
        "461", "861", "78", "78",
    )  # fmt: skip
    for elements in (person, run):
        dots = [e for tag, e, _ in elements if tag == "circle" and e["fill"] != "none"]
        assert {(dot["cx"], dot["cy"]) for dot in dots} == {("500", "900")}


def test_each_stroke_has_a_dark_and_a_light_halo():
    widths = [
        (e["stroke"], float(e["stroke-width"])) for tag, e, _ in of(ACTIONS[0]) if "stroke" in e
    ]
    assert widths == [("#0B0C0E", 17.1), ("#FFFFFF", 12.3), ("#FFB01F", 7.5)]


def test_marks_keep_four_fifths_of_their_size_on_a_small_picture():
    assert Scale(SIZE, dp=3.0, zoom=0.2).unit == 4.0
    assert Scale(SIZE, dp=3.0, zoom=0.3).unit == 3.0


@pytest.mark.parametrize(
    ("size", "density", "device", "dp"),
    [
        (SIZE, None, None, 1080 / 411),
        (SIZE, 420, Size(1080, 2400), 2.625),
        (Size(540, 1200), 420, Size(1080, 2400), 1.3125),
        (Size(2400, 1080), 480, Size(1080, 2400), 3.0),
    ],
)
def test_a_dp_is_the_same_finger_on_every_phone(size, density, device, dp):
    facts = DeviceFacts(density=density, size=device)
    assert scale_of(size, facts, 216).dp == dp


def test_a_swipe_follows_its_way_and_has_its_time():
    way = tuple(
        a.Contact(phase, at, time)
        for phase, at, time in [
            (a.Phase.DOWN, Point(100, 900), 0),
            (a.Phase.MOVE, Point(300, 700), 10_000),
            (a.Phase.UP, Point(300, 300), 400_000),
        ]
    )
    elements = of(a.Swipe(Point(100, 900), Point(300, 300), 400_000, way))
    assert {e["d"] for tag, e, _ in elements if tag == "path"} >= {"M100 900L300 700L300 300"}
    assert [text for _, _, text in elements if text] == ["0.4 s"]


def test_a_long_way_is_thinned_and_keeps_its_ends():
    way = [Point(n, n * n) for n in range(5000)]
    kept = thinned(way)
    assert (len(kept), kept[0], kept[-1]) == (80, way[0], way[-1])
    assert thinned(way[:3]) == way[:3]


def test_a_point_outside_the_frame_is_an_arrow_at_its_edge_with_the_coordinates():
    elements = of(a.Tap(Point(3000, 1200)), "B")
    assert [text for _, _, text in elements if text] == ["3000, 1200", "B"]
    ends = [e["d"] for tag, e, _ in elements if tag == "path"]
    assert ends[0] == "M984 1200L1074 1200"


def test_pills_and_labels_stay_on_the_frame():
    for action in ACTIONS:
        for tag, e, _ in of(action, "D", Scale(Size(300, 650), 0.83, 0.7)):
            if tag == "rect" and e["fill"] == "#16171A":
                assert float(e["x"]) >= 0
                assert float(e["x"]) + float(e["width"]) <= 300
                assert 0 <= float(e["y"]) <= 650 - float(e["height"])


def test_a_target_and_its_label_are_drawn_in_their_places():
    box = Box(100, 200, 300, 400)
    (first, second) = drawn(target_svg(box, SCALE))
    for _, e, _ in (first, second):
        assert (e["x"], e["y"], e["width"], e["height"]) == ("100", "200", "200", "200")
    above = drawn(target_label_svg(box, SCALE, "Target: tree"))[1][1]
    assert float(above["y"]) + float(above["height"]) <= 200
    high = drawn(target_label_svg(Box(100, 10, 300, 90), SCALE, "Target: tree"))[1][1]
    assert float(high["y"]) >= 90


def test_a_box_in_which_a_touch_is_right_has_its_edges_in_pixels_of_the_frame():
    found = [(tag, one) for tag, one, _ in drawn(tolerance_box_svg(Box(10, 20, 110, 70), SCALE))]
    assert [tag for tag, _ in found] == ["rect", "rect"]
    for _, box in found:
        edges = [float(box[name]) for name in ("x", "y", "width", "height")]
        assert edges == [10, 20, 100, 50]


def test_a_tolerance_is_an_ellipse_in_the_pixels_of_the_frame():
    for _, e, _ in drawn(ellipse_svg(Point(540, 1200), 151.2, 336, SCALE)):
        assert (e["cx"], e["cy"], e["rx"], e["ry"]) == ("540", "1200", "151.2", "336")


@pytest.mark.parametrize("text", ["</text><script>", "&amp;", '" x="1', "\x00\u202e"])
def test_texts_in_marks_are_escaped(text):
    for action in (a.TypeText(text), a.OpenApp(text), a.Answer(text), a.Other(text)):
        elements = of(action, "A")
        assert {tag for tag, _, _ in elements} <= {"rect", "text", "circle", "path"}
