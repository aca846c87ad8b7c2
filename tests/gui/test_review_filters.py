"""The list of Review is filtered by verdict, rule, kind, app and category, shown as chips."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from episodes.verdicts import Outcome
from taptrail.gui.components.chip import ChipButton
from taptrail.gui.review.differing_steps import DifferingSteps
from taptrail.gui.review.filters import DifferingStep, Filter, Sort, counts
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.services import WindowServices

RIGHT, WRONG, OPEN = Outcome.MATCH, Outcome.MISMATCH, Outcome.UNSCORED


def line(number: int, outcomes: tuple[Outcome | None, ...], **more: object) -> DifferingStep:
    made = DifferingStep(
        ("u", number),
        "e-0001",
        number + 1,
        "tap",
        tuple(zip("AB", outcomes, strict=True)),
        "distance",
        ("region", "distance"),
        ("Notes",),
        "Writing",
    )
    return replace(made, **more)  # type: ignore[arg-type]


LINES = [
    line(0, (RIGHT, RIGHT), rules=("region", "region"), kind="long_press"),
    line(1, (RIGHT, WRONG)),
    line(2, (WRONG, RIGHT), apps=("Notes", "Mail"), rules=("kind", "region")),
    line(3, (WRONG, WRONG), kind="swipe", rules=("direction", "direction")),
    line(4, (OPEN, RIGHT), category="Shopping", apps=()),
    line(5, (WRONG, None), apps=("Mail",), category=""),
]


@pytest.fixture
def list_(qtbot: QtBot) -> DifferingSteps:
    made = DifferingSteps()
    qtbot.addWidget(made)
    made.resize(226, 500)
    made.show()
    made.show_lines(LINES)
    return made


def chips(list_: DifferingSteps) -> list[str]:
    return [chip.text() for chip in list_.chips.parts() if isinstance(chip, ChipButton)]


def numbers(list_: DifferingSteps) -> list[int]:
    return [found.place[1] for found in list_.lines()]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), [0, 1, 2, 3, 4, 5]),
        (Filter(Sort.DIFFER), [1, 2, 4]),
        (Filter(Sort.MISMATCH), [1, 2, 3, 5]),
        (Filter(Sort.MATCH), [0]),
        (Filter(Sort.NOT_SCORED), [4]),
        (Filter(Sort.A_ALONE), [1]),
        (Filter(Sort.B_ALONE), [2]),
        (Filter(rule="region"), [0, 1, 2, 4, 5]),
        (Filter(kind="swipe"), [3]),
        (Filter(app="Mail"), [2, 5]),
        (Filter(category="Shopping"), [4]),
        (Filter(Sort.MISMATCH, rule="region", app="Mail"), [2, 5]),
    ],
)
def test_each_term_takes_its_steps(list_: DifferingSteps, wanted: Filter, found: list[int]) -> None:
    list_.use(wanted)
    assert numbers(list_) == found
    assert list_._count.text() == f"{len(found)} of 6"


def test_counts_say_what_each_value_would_list() -> None:
    chosen = Filter(Sort.MISMATCH, app="Mail")
    assert counts(LINES, chosen, "rule") == [("region", 2), ("distance", 1), ("kind", 1)]
    assert counts(LINES, chosen, "app") == [("Notes", 3), ("Mail", 2)]
    assert dict(counts(LINES, chosen, "sort"))[Sort.DIFFER] == 1
    assert counts(LINES, Filter(), "category") == [("Writing", 4), ("Shopping", 1)]


def test_terms_are_chips_and_a_cross_takes_one_away(qtbot: QtBot, list_: DifferingSteps) -> None:
    assert chips(list_) == ["verdicts differ"]
    list_.use(Filter(Sort.MISMATCH, "region", "tap", "Mail", "Writing"))
    assert chips(list_) == ["any mismatch", "region", "Tap", "Mail", "Writing"]
    assert max(part.geometry().right() for part in list_.chips.parts()) < 226
    assert list_.chips.parts()[1].accessibleName() == "Take away region"
    qtbot.mouseClick(list_.chips.parts()[4], Qt.MouseButton.LeftButton)
    assert chips(list_) == ["any mismatch", "region", "Tap", "Mail"]
    assert numbers(list_) == [2, 5]
    list_.use(Filter(kind="pinch"))
    assert list_._nothing.isVisible()
    assert list_._nothing.text() == "No step matches. Remove a filter."


def test_the_menu_offers_values_with_their_counts(list_: DifferingSteps) -> None:
    menu = list_.menu()
    inner = {found.title(): found for found in menu.findChildren(QMenu)}
    assert [action.text() for action in inner["Kind of action"].actions()] == ["Tap  3"]
    assert set(inner) == {"Rule", "Kind of action", "App", "Category"}
    sorts = [action.text() for action in menu.actions() if action.menu() is None]
    assert sorts[:3] == ["all steps  6", "verdicts differ  3", "any mismatch  4"]
    inner["App"].actions()[0].trigger()
    assert list_.filter() == Filter(Sort.DIFFER, app="Notes")
    menu.deleteLater()


def test_the_next_line_is_the_next_in_the_library_also_from_a_step_that_is_not_listed(
    list_: DifferingSteps,
) -> None:
    list_.use(Filter(Sort.DIFFER))
    found = [list_.next_place(("u", n), 1) for n in range(6)]
    assert found == [("u", 1), ("u", 2), ("u", 4), ("u", 4), None, None]
    before = [list_.next_place(("u", n), -1) for n in range(6)]
    assert before == [None, None, ("u", 1), ("u", 2), ("u", 2), ("u", 4)]
    assert list_.next_place(("elsewhere", 0), 1) == ("u", 1)


def test_a_filter_by_rule_leads_through_the_whole_library(
    qtbot: QtBot, parts: WindowServices
) -> None:
    place = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(place)
    place.resize(1280, 760)
    place.show()
    place.entered()
    qtbot.waitUntil(lambda: place.differing.lines() != [] and place.where() == ("e-0410", 0))
    apps = [found.apps for found in place.differing._all]
    assert apps == [("Reader",)] * 3 + [("Contacts",)] * 8
    place.differing.use(Filter(kind="type_text"))
    place.strip.setFocus()
    walked = []
    for _ in range(3):
        qtbot.keyClick(place.strip, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        qtbot.waitUntil(lambda: place.where()[0] == "e-0412")
        walked.append(place.where())
    assert walked == [("e-0412", 4), ("e-0412", 5), ("e-0412", 5)]
    qtbot.keyClick(place.strip, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    (menu,) = [found for found in place.differing.findChildren(QMenu) if found.isVisible()]
    menu.close()
    place.leaving()
