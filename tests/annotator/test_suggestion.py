import json

import cv2
import numpy as np
import pytest

from annotator.suggestion import coefficients
from annotator.suggestion.features import FEATURES
from annotator.suggestion.ranking import MAX_SUGGESTIONS, SAME_BOX_IOU, make_regions, suggest
from episodes.annotations import Provenance, RegionSource
from episodes.geometry import Box, Point

BUTTON = Box(120, 500, 420, 580)


def page(gradient=False, quality=None, scale=1.0):
    """A page with one filled button that has a word in it."""
    pixels = np.full((1200, 540, 3), 246, np.uint8)
    if gradient:
        pixels[:] = np.linspace(200, 250, 1200).astype(np.uint8)[:, None, None]
    cv2.rectangle(pixels, (120, 500), (419, 579), (60, 90, 190), -1)
    cv2.putText(pixels, "Save", (220, 552), cv2.FONT_HERSHEY_SIMPLEX, 1, (255, 255, 255), 2)
    if scale != 1:
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
    if quality is not None:
        _, kept = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
        pixels = cv2.imdecode(kept, cv2.IMREAD_COLOR)
    return pixels


@pytest.mark.parametrize(
    "pixels",
    [page(), page(gradient=True), page(quality=75), page(True, 75)],
    ids=["flat", "gradient", "JPEG", "JPEG and gradient"],
)
@pytest.mark.parametrize("point", [Point(270, 540), Point(140, 520)])
def test_a_filled_button_is_found_on_any_ground(pixels, point):
    best = suggest(pixels, point, 1.3125)[0]
    assert best.box.overlap(BUTTON) > 0.9
    assert best.score > 0.6


@pytest.mark.parametrize("pixels", [page(), page(gradient=True)], ids=["flat", "gradient"])
def test_a_press_on_a_letter_finds_the_button_round_it(pixels):
    assert suggest(pixels, Point(232, 536), 1.3125)[0].box.overlap(BUTTON) > 0.9


def test_the_same_button_is_found_on_a_denser_phone():
    best = suggest(page(scale=2.0), Point(540, 1080), 2.625)[0]
    assert best.box.overlap(Box(240, 1000, 840, 1160)) > 0.9


def test_suggestions_hold_the_press_differ_and_come_best_first():
    point = Point(232, 536)
    found = suggest(page(), point, 1.3125)
    assert 3 < len(found) <= MAX_SUGGESTIONS
    assert all(point in one.box for one in found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    pairs = [(a, b) for at, a in enumerate(found) for b in found[:at]]
    assert max(a.box.overlap(b.box) for a, b in pairs) <= SAME_BOX_IOU
    assert max(one.edges for one in found if one.box.overlap(BUTTON) > 0.9) == 4
    assert suggest(page(), point, 1.3125) == found


@pytest.mark.parametrize("point", [Point(0, 0), Point(539, 1199), Point(539.9, 0), Point(3, 800)])
def test_a_press_at_the_edge_of_an_empty_page_has_suggestions_inside_of_the_frame(point):
    blank = np.full((1200, 540, 3), 246, np.uint8)
    blank.flags.writeable = False
    screen = Box(0, 0, 540, 1200)
    found = suggest(blank, point, 1.3125)
    assert found
    assert all(one.box.intersection(screen) == one.box for one in found)


def menu():
    """A panel with a rim round it, and two lines in it."""
    pixels = np.full((1200, 540, 3), 30, np.uint8)
    cv2.rectangle(pixels, (280, 50), (520, 200), (70, 70, 80), -1)
    for text, y in (("Mark", 100), ("Settings", 165)):
        cv2.putText(pixels, text, (300, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (230, 230, 230), 2)
    return pixels


def stepper():
    """A panel with three signs side by side."""
    pixels = np.full((1200, 540, 3), 30, np.uint8)
    cv2.rectangle(pixels, (100, 600), (400, 660), (70, 70, 80), -1)
    for text, x in (("-", 140), ("1", 240), ("+", 340)):
        cv2.putText(pixels, text, (x, 640), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (230, 230, 230), 2)
    return pixels


@pytest.mark.parametrize(
    ("pixels", "point", "kinds", "meant"),
    [
        (menu(), Point(340, 158), "row", Box(280, 125, 521, 186)),
        (stepper(), Point(350, 632), "cell pitch", Box(300, 600, 400, 660)),
    ],
    ids=["a line of a menu", "a part of a stepper"],
)
def test_the_rim_of_a_panel_does_not_join_its_rows_and_cells(pixels, point, kinds, meant):
    found = [one.box for one in suggest(pixels, point, 1.3125) if one.kind in kinds.split()]
    assert max(box.overlap(meant) for box in found) > 0.7


def test_noise_and_tiny_pictures_raise_nothing():
    noise = np.random.default_rng(1).integers(0, 256, (400, 300, 3)).astype(np.uint8)
    assert all(0 <= one.score <= 1 for one in suggest(noise, Point(150, 200), 1.0))
    for shape in ((1, 1, 3), (3, 400, 3), (400, 3, 3)):
        assert suggest(np.zeros(shape, np.uint8), Point(0, 0), 1.0) == []


def test_a_press_outside_the_picture_is_refused():
    with pytest.raises(ValueError, match="no pixel at 540"):
        suggest(page(), Point(540, 10), 1.3125)


def test_a_suggestion_is_stored_as_a_region_with_its_origin():
    point = Point(270, 540)
    found = suggest(page(), point, 1.3125)
    kept = make_regions(found, point, "episode", "frame")
    said = {"points": [[270, 540]], "kind": found[0].kind, "edges": found[0].edges}
    assert kept[0].box == found[0].box
    assert kept[0].provenance == Provenance(
        RegionSource.SUGGESTION,
        "taptrail-shapes",
        coefficients.VERSION,
        json.dumps(said, separators=(",", ":")),
        found[0].score,
    )
    assert kept == make_regions(found, point, "episode", "frame")
    assert len({one.uuid for one in kept}) == len(kept)
    assert not {one.uuid for one in kept} & {
        one.uuid for one in make_regions(found, point, "another", "frame")
    }


def test_each_look_has_its_weight():
    assert tuple(coefficients.WEIGHTS) == FEATURES
