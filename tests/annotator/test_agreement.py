"""Agreement of two annotators, compared with values computed by hand."""

import pytest

from annotator.agreement import (
    Agreement,
    Category,
    ChoicePair,
    classify_choice,
    kappa,
    measure_agreement,
    measure_agreement_by_kind,
)
from episodes.geometry import Box

BUTTON = Box(0, 0, 100, 100)
INK = Box(25, 25, 75, 75)  # a quarter of the button
HALF = Box(0, 0, 100, 50)  # IoU 0.5 with the button
FAR = Box(200, 0, 300, 100)

KNOWN = (
    ChoicePair("Button", BUTTON, BUTTON, BUTTON),  # IoU 1
    ChoicePair("Button", BUTTON, BUTTON, HALF),  # IoU 0.5, both the proposal
    ChoicePair("Button", BUTTON, BUTTON, INK),  # IoU 0.25, the second another one
    ChoicePair("Button", BUTTON, FAR, FAR),  # IoU 1, both another one
    ChoicePair("Image", None, FAR, INK),  # IoU 0, both another one: nothing is proposed
    ChoicePair("Image", BUTTON, None, None),  # both none
    ChoicePair("Image", BUTTON, None, BUTTON),  # one none
    ChoicePair("Image", BUTTON, BUTTON, BUTTON),  # IoU 1
)


def test_the_known_case_has_the_numbers_worked_out_by_hand() -> None:
    # First person: proposal 4, other 2, none 2. Second: proposal 4, other 3, none 1. The same
    # category in 6 of 8. Expected: (4*4 + 2*3 + 2*1) / 64 = 24/64. kappa = (48-24) / (64-24).
    # With a target: first 6 of 8, second 7 of 8, the same in 7. Expected (6*7 + 2*1) / 64 = 44/64.
    # kappa = (56-44) / (64-44). IoU: 1, 0.5, 0.25, 1, 0, 1 of six steps. The same region in
    # 1, 2, 4, 6 and 8.
    assert measure_agreement(KNOWN) == Agreement(
        steps=8,
        same=5,
        both=6,
        mean_iou=pytest.approx(3.75 / 6),
        median_iou=0.75,
        kappa=24 / 40,
        kappa_target=12 / 20,
    )


def test_each_kind_of_element_is_distinguished_largest_first() -> None:
    found = measure_agreement_by_kind((*KNOWN, ChoicePair("Button", BUTTON, BUTTON, BUTTON)))
    assert {kind: (one.steps, one.same, one.mean_iou) for kind, one in found.items()} == {
        "Button": (5, 4, 3.75 / 5),
        "Image": (4, 2, 0.5),
    }
    assert list(found) == ["Button", "Image"]


def test_kappa_of_the_textbook() -> None:
    # Cohen's form: 50 cases, both yes 20, both no 15, yes and no 5, no and yes 10: kappa 0.4.
    said = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15
    assert kappa(said) == pytest.approx(0.4)


def test_kappa_is_one_where_all_agree_and_negative_where_all_differ() -> None:
    assert kappa([("a", "a"), ("b", "b")]) == 1.0
    assert kappa([("a", "b"), ("b", "a")]) == -1.0


def test_kappa_is_undefined_for_one_category_or_no_step() -> None:
    assert kappa([("a", "a")] * 5) is None
    assert kappa([]) is None
    assert measure_agreement([]) == Agreement(0, 0, 0, None, None, None, None)


@pytest.mark.parametrize(
    ("box", "proposal", "found"),
    [
        (None, BUTTON, Category.NONE),
        (HALF, BUTTON, Category.PROPOSAL),
        (Box(0, 0, 100, 49), BUTTON, Category.OTHER),
        (BUTTON, None, Category.OTHER),
    ],
)
def test_a_choice_is_classified_by_the_proposal(
    box: Box | None, proposal: Box | None, found: Category
) -> None:
    assert classify_choice(box, proposal) is found
