"""Why do two numbers differ? The page inside Review, by mouse and by keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from episodes.store.library import Library
from taptrail.gui.compare.lists import group_words, step_words
from taptrail.gui.compare.page import RULES, RUNS, DifferencesPage
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.services import WindowServices
from taptrail.usecases.run_comparison import compare_runs
from tests.gui import story

A, B = story.RUNS


@pytest.fixture
def page(qtbot: QtBot, parts: WindowServices) -> Iterator[DifferencesPage]:
    made = DifferencesPage(parts.judge, parts.reader, parts.large)
    qtbot.addWidget(made)
    made.resize(1216, 690)
    made.show()
    yield made
    made.leaving()


@pytest.fixture
def review(qtbot: QtBot, parts: WindowServices) -> Iterator[ReviewPlace]:
    made = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(made)
    made.resize(1500, 860)
    made.show()
    made.entered()
    qtbot.waitUntil(lambda: len(made.scorer.judged) == 2 and made.where()[1] >= 0)
    yield made
    made.leaving()


def answered(qtbot: QtBot, page: DifferencesPage, *, runs: int, protocols: int) -> None:
    """Waits until the comparison of so many runs and protocols is shown."""

    def there() -> bool:
        answer = page.answer()
        if answer is None:
            return False
        sides = [judged.side for judged in answer.comparison.sides]
        names = {side.run.name for side in sides}
        return (len(names), len({side.protocol.key for side in sides})) == (runs, protocols)

    qtbot.waitUntil(there)


def test_runs_are_compared_step_by_step_as_the_command_does(
    qtbot: QtBot, page: DifferencesPage, parts: WindowServices
) -> None:
    page.use([A, B], "guiodyssey@2")
    answered(qtbot, page, runs=2, protocols=1)
    told = compare_runs(parts.folder, [A, B], ["guiodyssey@2"]).comparison
    assert [item.place for item in page.steps.items()] == [
        row.place for row in page.groups.items()[0].rows
    ]
    assert sum(len(group.rows) for group in page.groups.items()) == len(told.partings)
    words = group_words(page.groups.items()[0])
    assert words == "3 steps: A: Match, scroll-word; B: Mismatch, scroll-word"
    said = step_words(page.steps.items()[0]).splitlines()
    assert said[0] == "e-0410, step 1"
    assert said[1:] == [
        "A: Match. The finger goes UP in both.",
        "B: Mismatch. The gold's finger goes UP, the prediction says “DOWN”.",
    ]


def test_one_run_is_held_under_two_rules_and_another_protocol_can_be_chosen(
    qtbot: QtBot, page: DifferencesPage
) -> None:
    page.use([A], "guiodyssey@2")
    answered(qtbot, page, runs=1, protocols=2)
    assert page.comparing.asked() == ((A,), ("guiodyssey@2", "taptrail-strict@1"))
    assert page.mode.choice() == RULES
    page.choose_against("guiodyssey@1")
    qtbot.waitUntil(
        lambda: (
            [one.side.protocol.key for one in page.answer().comparison.sides]
            == ["guiodyssey@2", "guiodyssey@1"]
        )
    )
    page.choose_mode(RUNS)  # there is only one run
    assert page.mode.choice() == RULES
    page.use([A], "taptrail-strict@1")
    assert page.comparing.asked() == ((A,), ("taptrail-strict@1", "guiodyssey@1"))


def test_the_step_a_person_turns_to_is_shown_with_what_all_did(
    qtbot: QtBot, page: DifferencesPage
) -> None:
    page.use([A, B], "guiodyssey@2")
    answered(qtbot, page, runs=2, protocols=1)
    page.groups.setFocus()
    seen = []
    for row in range(len(page.groups.items())):
        page.groups.setCurrentIndex(page.groups.model().index(row, 0, QModelIndex()))
        place = page.steps.items()[0].place
        qtbot.waitUntil(lambda place=place: page.sight.shown() == place)
        seen.append(page.sight.lines())
    assert all(len(lines) == 3 for lines in seen)  # gold, A and B
    assert seen[0] == ["Swipe up", "Swipe up", "Swipe down"]
    page.use([A], "guiodyssey@2")
    answered(qtbot, page, runs=1, protocols=2)
    qtbot.waitUntil(lambda: len(page.sight.lines()) == 2)


def test_lists_are_walked_with_the_keyboard(qtbot: QtBot, page: DifferencesPage) -> None:
    page.use([A, B], "guiodyssey@2")
    answered(qtbot, page, runs=2, protocols=1)
    page.groups.setFocus()
    qtbot.keyClick(page.groups, Qt.Key.Key_Down)
    assert page.groups.currentIndex().row() == 1
    assert len(page.steps.items()) == len(page.groups.items()[1].rows)
    qtbot.keyClick(page.groups, Qt.Key.Key_Right)
    assert page.steps.hasFocus()
    qtbot.keyClick(page.steps, Qt.Key.Key_Left)
    assert page.groups.hasFocus()
    qtbot.keyClick(page.groups, Qt.Key.Key_Return)
    place = page.steps.items()[0].place
    with qtbot.waitSignal(page.opened) as opened:
        qtbot.keyClick(page.steps, Qt.Key.Key_Return)
    assert opened.args == [place]
    with qtbot.waitSignal(page.closed):
        qtbot.keyClick(page.steps, Qt.Key.Key_Escape)


def test_what_keeps_the_sides_apart_is_said(qtbot: QtBot, page: DifferencesPage) -> None:
    page.use([A, B], "guiodyssey@2")
    answered(qtbot, page, runs=2, protocols=1)
    assert page.sides.warnings() == []


def test_without_a_run_it_says_what_is_missing(page: DifferencesPage) -> None:
    page.use([], "guiodyssey@2")
    assert page._empty.isVisible()
    assert page._empty.title.text() == "No run is chosen"


def test_a_run_that_is_gone_is_said_where_it_is_looked_for(
    qtbot: QtBot, page: DifferencesPage
) -> None:
    page.use(["nobody"], "guiodyssey@2")
    qtbot.waitUntil(page.error.isVisible)
    assert "nobody" in page.error.text()


def test_review_opens_the_page_and_a_step_of_it_and_goes_back(
    qtbot: QtBot, review: ReviewPlace
) -> None:
    review.strip.setFocus()
    qtbot.keyClick(review.strip, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    page = review.differences
    answered(qtbot, page, runs=2, protocols=1)
    assert page.isVisible()
    row = review.where()[1]
    qtbot.keyClick(page.groups, Qt.Key.Key_Down)
    assert (page.groups.currentIndex().row(), review.where()[1]) == (1, row)
    step = page.steps.items()[-1]
    page.steps.setCurrentIndex(page.steps.model().index(len(page.steps.items()) - 1, 0))
    qtbot.keyClick(page.steps, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: review.where() == (step.any.episode, step.any.position - 1))
    assert not page.isVisible()
    qtbot.mouseClick(review.differ, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.isVisible)
    review.choose_protocol("taptrail-strict@1")
    qtbot.waitUntil(
        lambda: page.answer().comparison.sides[0].side.protocol.key == "taptrail-strict@1"
    )
    assert page.isVisible()
    page.close_button.click()
    assert not page.isVisible()
    assert review.differ.isVisible()


def test_the_page_is_whole_in_both_themes_and_small_windows(
    qtbot: QtBot, page: DifferencesPage, qapp: QApplication
) -> None:
    page.use([A, B], "guiodyssey@2")
    answered(qtbot, page, runs=2, protocols=1)
    for size in ((1216, 690), (960, 560), (1856, 970)):
        page.resize(*size)
        qapp.processEvents()
        for view in (page.groups, page.steps):
            at = view.visualRect(view.model().index(0, 0, QModelIndex()))
            assert 0 < at.width() <= view.viewport().width()
        assert page.close_button.geometry().right() <= page.width()


def test_published_figures_stand_beside_a_data_sets_runs(
    qtbot: QtBot, tmp_path, parts: WindowServices
) -> None:
    from taptrail.usecases.sample import import_sample

    import_sample(tmp_path / "library")
    own = WindowServices(tmp_path / "library")
    page = DifferencesPage(own.judge, own.reader, own.large)
    qtbot.addWidget(page)
    page.use(["sample-hasty"], "guiodyssey@2")
    answered(qtbot, page, runs=1, protocols=2)
    assert {one.dataset for one in page.answer().figures} == {"guiodyssey"}
    with Library.open(own.folder) as library:
        library.delete_step(library.episode("0042000000000001").uuid, 2)
    page.look()
    qtbot.waitUntil(lambda: page.sides.warnings() != [])
    (told,) = page.sides.warnings()
    assert told.startswith("A, B: The steps are not those the run was imported for")
    page.leaving()
    own.stop()
