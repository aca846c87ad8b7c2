"""Kinds by their written rules, and an agreement computed by hand."""

import pytest

from annotator.region_agreement import (
    ElementKind,
    RegionAgreement,
    RegionPair,
    classify_element,
    matching_element,
    measure_by_kind,
)
from episodes.density import usual_pixels_per_dp
from episodes.geometry import Box, Size
from episodes.trees.values import Node

UNIT = Box(0, 0, 1, 1)
SIZE = Size(1080, 2400)  # 420 dpi: 411 x 914 dp


def dp_box(width, height):
    return Box(0, 0, width * 420 / 160, height * 420 / 160)


def node(name, box=UNIT, **fields):
    told = {"package": "", "resource_id": "", "text": "", "description": ""} | fields
    return Node(path=(), box=box, class_name=f"android.widget.{name}", **told)


@pytest.mark.parametrize(
    ("width", "height", "element", "kind"),
    [
        (300, 56, node("EditText"), ElementKind.FIELD),
        (40, 40, node("View", editable=True), ElementKind.FIELD),
        (64, 64, None, ElementKind.ICON),
        (48, 48, node("ImageButton", clickable=True), ElementKind.ICON),
        (65, 64, None, ElementKind.BUTTON),
        (400, 200, node("MaterialButton", clickable=True), ElementKind.BUTTON),
        (200, 100, node("TextView"), ElementKind.TEXT),
        (200, 100, node("TextView", clickable=True), ElementKind.CARD),
        (400, 160, None, ElementKind.ROW),
        (308, 72, node("LinearLayout", clickable=True), ElementKind.CARD),
        (309, 72, node("LinearLayout", clickable=True), ElementKind.ROW),
        (411, 161, None, ElementKind.CARD),
        (200, 64, None, ElementKind.BUTTON),
        (400, 300, None, ElementKind.OTHER),
    ],
)
def test_the_first_rule_that_applies_decides_the_kind(width, height, element, kind):
    assert classify_element(dp_box(width, height), element, SIZE, 420 / 160) is kind


def test_without_a_density_a_usual_phone_is_taken():
    assert (
        classify_element(Box(0, 0, 168, 168), None, SIZE, usual_pixels_per_dp(SIZE))
        is ElementKind.ICON
    )
    assert (
        classify_element(Box(0, 0, 170, 168), None, SIZE, usual_pixels_per_dp(SIZE))
        is ElementKind.BUTTON
    )


def test_a_box_is_that_of_the_element_it_covers_best_and_of_equal_ones_the_innermost():
    outer, inner = node("FrameLayout", Box(0, 0, 10, 10)), node("Button", Box(0, 0, 10, 10))
    large = node("View", Box(0, 0, 100, 100))
    assert matching_element(Box(0, 0, 10, 9), [large, outer, inner]) is inner
    assert matching_element(Box(50, 50, 60, 60), [large, outer]) is None


def test_an_agreement_is_what_one_computes_by_hand():
    true = Box(0, 0, 100, 50)
    pairs = [
        # 2500 shared of 5000: IoU 0.5, which is not above a half; all of it inside
        RegionPair(
            ElementKind.BUTTON, Box(0, 0, 50, 50), (Box(0, 0, 50, 50), Box(0, 0, 90, 50)), true
        ),
        # 4000 shared, union 5000 + 6000 - 4000 = 7000: IoU 4/7
        RegionPair(ElementKind.BUTTON, Box(20, 0, 140, 50), (Box(20, 0, 140, 50),), true),
        RegionPair(ElementKind.BUTTON, None, (), true),
        RegionPair(ElementKind.ICON, true, (true,), true),
    ]
    assert measure_by_kind(pairs) == (
        RegionAgreement(
            ElementKind.BUTTON,
            n=2,
            missing=1,
            mean_iou=pytest.approx((1 / 2 + 4 / 7) / 2),
            above_half=1,
            above_three_quarters=0,
            inside=pytest.approx((1 + 4 / 6) / 2),
            covered=pytest.approx((0.5 + 0.8) / 2),
            best_iou=pytest.approx((0.9 + 4 / 7) / 2),
        ),
        RegionAgreement(ElementKind.ICON, 1, 0, 1.0, 1, 1, 1.0, 1.0, 1.0),
        RegionAgreement(
            None,
            n=3,
            missing=1,
            mean_iou=pytest.approx((1 / 2 + 4 / 7 + 1) / 3),
            above_half=2,
            above_three_quarters=1,
            inside=pytest.approx((1 + 4 / 6 + 1) / 3),
            covered=pytest.approx((0.5 + 0.8 + 1) / 3),
            best_iou=pytest.approx((0.9 + 4 / 7 + 1) / 3),
        ),
    )


def test_without_a_pair_nothing_is_made_up():
    assert measure_by_kind([]) == (RegionAgreement(None, 0, 0, None, 0, 0, None, None, None),)
