"""Tasks: attempts, what counts, the budget and its scores, all from the keyboard."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from episodes.store.library import Library
from taptrail.cli.main import run as command
from taptrail.gui.history import ChangeHistory
from taptrail.gui.preferences import Preferences
from taptrail.gui.services import WindowServices
from taptrail.gui.tasks.place import TasksPlace
from taptrail.settings import Settings, load_settings
from taptrail.usecases.attempts import reference
from taptrail.usecases.budget_scores import scores_at_budget
from taptrail.usecases.reference_times import BudgetRule
from tests.gui import tasks_story as told

_ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks") / "library"
    told.build(folder)
    return folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "library"))


@pytest.fixture
def settings_file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@pytest.fixture
def place(qtbot: QtBot, folder: Path, settings_file: Path) -> Iterator[TasksPlace]:
    made = WindowServices(folder)
    place = open_place(qtbot, made, settings_file)
    qtbot.waitUntil(lambda: place.where()[1] is not None)
    yield place
    made.stop()


def open_place(qtbot: QtBot, parts: WindowServices, settings_file: Path) -> TasksPlace:
    settings = Settings(author="Ana P.", author_uuid=told.ANA.uuid)
    history = ChangeHistory(parts.folder, parts.library, parts.reader, told.ANA, parts)
    preferences = Preferences(settings, settings_file, parts)
    place = TasksPlace(parts.reader, parts.judge, parts.small, history, preferences)
    qtbot.addWidget(place)
    place.resize(1400, 820)
    place.show()
    place.entered()
    return place


def listed(place: TasksPlace) -> list[str]:
    model = place.list.model
    return [str(model.data(model.index(row), _ACCESSIBLE)) for row in range(model.rowCount())]


def press(place: TasksPlace, key: str) -> None:
    """Does what a shortcut of the place does, as Qt would on the key."""
    found = [
        shortcut
        for shortcut in place.findChildren(QShortcut)
        if shortcut.key().toString() == key and shortcut.isEnabled()
    ]
    assert found, key
    found[0].activated.emit()


def counted(place: TasksPlace) -> dict[str, str]:
    texts = place.page.table.texts()
    return {row[8]: row[7] for row in texts}


def test_the_list_tells_attempts_and_budgets_of_each_task(qtbot: QtBot, place: TasksPlace) -> None:
    wanted = [
        f"{told.NUMBER}: 8 attempts, budget 29 steps",
        f"{told.PLANTS}: 2 attempts, budget 20 steps",
        f"{told.THEME}: 1 attempt, budget 10 steps",
        f"{told.GUESTS}: 1 attempt, no budget",
    ]
    qtbot.waitUntil(lambda: listed(place) == wanted)


def test_an_attempt_has_its_times_its_outcome_and_how_it_stands_to_the_numbers(
    place: TasksPlace,
) -> None:
    assert place.page.table.texts() == [
        ["Cem R., 1", "19", "3:06", "2:57", "0:09", "", "Complete", "Outlier", "e-0004"],
        ["Ana P., 2", "16", "1:44", "1:36", "0:08", "0:30", "Complete", "Counts", "e-0003"],
        ["Ana P., 1", "14", "1:38", "1:32", "0:06", "", "Complete", "Counts", "e-0001"],
        ["Cem R., 2", "14", "1:30", "1:24", "0:06", "", "Complete", "Counts", "e-0006"],
        ["Ben K., 1", "13", "1:24", "1:18", "0:06", "", "Complete", "Counts", "e-0002"],
        ["Dee L., 1", "12", "1:06", "1:00", "0:06", "", "Impossible", "Not complete", "e-0005"],
        ["Dee L., 2", "3", "0:10", "0:09", "0:02", "", "Given up", "Not complete", "e-0007"],
        ["tidewater-7b", "22", "–", "–", "–", "", "Complete", "No person", "e-0008"],
    ]


def test_the_budget_is_as_computed_by_hand_and_as_the_command_tells_it(
    place: TasksPlace, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # 14, 13, 16 and 14 steps count, in 98, 84, 104 and 90 s: twice the means 14.25 and 94 s.
    assert place.budget.words() == ("29", "3:08", "2 × mean of 14.25 steps and 1:34")
    assert place.budget.fact("Outliers") == "1, by the 1.5 × rule"
    assert place.budget.fact("Complete") == "5 of 7 attempts"
    code = command(["attempts", "--task", told.NUMBER, "--library", str(folder), "--json"])
    budget = json.loads(capsys.readouterr().out)["budget"]
    assert (code, budget["steps"], budget["seconds"]) == (0, 29, 188)


def test_plus_minus_field_and_choices_change_the_rule_and_are_kept(
    qtbot: QtBot, place: TasksPlace, settings_file: Path
) -> None:
    press(place, "+")
    assert place.budget.words()[:2] == ("33", "3:32")  # 2.25 x 14.25 = 32.06 and 211.5 s
    press(place, "-")
    press(place, "-")
    assert place.budget.words()[:2] == ("25", "2:45")  # 1.75 x 14.25 = 24.9 and 164.5 s
    factor = place.budget.factor
    factor.setFocus()
    factor.selectAll()
    qtbot.keyClicks(factor, "1,5")
    qtbot.keyClick(factor, Qt.Key.Key_Return)
    assert place.budget.words()[:2] == ("22", "2:21")
    place.budget.of.part(0).click()
    assert place.budget.words() == ("21", "2:21", "1.5 × median of 14 steps and 1:34")
    place.budget.floor.setText("40")
    place.budget.floor.keep()
    assert place.budget.words()[0] == "40"
    place.budget.finish.part(1).click()
    qtbot.waitUntil(lambda: place.page.table.texts()[0][1] == "18")
    kept = load_settings(settings_file)
    assert (kept.budget_factor, kept.budget_of, kept.budget_floor, kept.budget_finish) == (
        "1.5",
        "median",
        40,
        False,
    )


def test_what_is_no_factor_is_said_and_the_old_one_stays(qtbot: QtBot, place: TasksPlace) -> None:
    for text in ("0", "many", "-2"):
        place.budget.factor.setText(text)
        place.budget.factor.keep()
        assert place.budget.wrong() == "Write a number above 0, as 2 or 1.5."
        assert (place.budget.factor.text(), place.budget.words()[0]) == ("2", "29")
    place.budget.floor.setText("1.5")
    place.budget.floor.keep()
    assert place.budget.wrong() == "Write a whole number from 0 to 9,999."
    press(place, "+")
    assert place.budget.wrong() == ""


def test_dots_can_be_walked_and_are_read_out(qtbot: QtBot, place: TasksPlace) -> None:
    chart = place.page.steps
    words = [dot.words for dot in chart.dots()]
    assert words[0] == (
        "Dee L., 2, e-0007, 3 steps, time 0:10, thinking 0:09, acting 0:02, given up, "
        "not complete: it ended “given up”"
    )
    assert words[-1] == "agent A, tidewater-7b, e-0008, 22 steps, complete"
    assert [dot.mark.value if dot.mark else dot.letter for dot in chart.dots()] == [
        *("Not complete", "Not complete", "Counts", "Counts", "Counts", "Counts", "Outlier", "A"),
    ]
    at = [dot.at.x() for dot in chart.dots()]
    assert at == sorted(at)
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.accessibleDescription().startswith("Ana P., 2, e-0003")
    assert place.page.table.chosen() == [chart.current()] == [place.page.times.current()]
    dot = place.page.times.dots()[0]
    qtbot.mouseClick(place.page.times, Qt.MouseButton.LeftButton, pos=dot.at.toPoint())
    assert chart.current() == dot.uuid
    chart.turn_to("")
    said = chart.accessibleDescription()
    assert said.startswith("median 14 steps; budget 29 steps; Dee L., 2")
    assert "Whole time: median 1:34, quartiles 1:28 to 1:40, of 4" in place.page.times.all_words()


def test_the_axis_begins_at_0_and_dots_of_equal_steps_stand_on_one_another(
    place: TasksPlace,
) -> None:
    chart = place.page.steps
    by_steps = {dot.uuid[-2:]: dot.at for dot in chart.dots()}
    assert by_steps["01"].x() == by_steps["06"].x()
    assert by_steps["01"].y() != by_steps["06"].y()
    a, b, zero = by_steps["01"].x(), by_steps["02"].x(), chart._x(0)
    assert (a - zero) / (b - zero) == pytest.approx(14 / 13)


def test_the_charts_have_a_table_behind_a_key(qtbot: QtBot, place: TasksPlace) -> None:
    assert not place.page.numbers.isVisible()
    place.page.as_table.click()
    assert place.page.numbers.isVisible()
    assert place.page.numbers.texts() == [
        ["Whole time", "4", "1:24", "1:28", "1:34", "1:40", "1:44", "1:34"],
        ["Thinking", "4", "1:18", "1:22", "1:28", "1:33", "1:36", "1:27"],
        ["Acting", "4", "0:06", "0:06", "0:06", "0:07", "0:08", "0:07"],
        ["Steps", "4", "13", "13.75", "14", "14.5", "16", "14.25"],
    ]
    place.page.as_table.click()
    assert place.page.times.isVisible()


def test_enter_lays_the_chosen_attempts_side_by_side_in_step(
    qtbot: QtBot, place: TasksPlace
) -> None:
    table = place.page.table
    for row in (1, 2):
        table.selectionModel().select(
            table.grid.index(row, 0),
            QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows,
        )
    table.selectionModel().select(
        table.grid.index(0, 0),
        QItemSelectionModel.SelectionFlag.Deselect | QItemSelectionModel.SelectionFlag.Rows,
    )
    press(place, "Return")
    view = place.side.view
    qtbot.waitUntil(view.isVisible)
    model = view.model()
    assert (model.rowCount(), model.columnCount()) == (2, 16)
    assert [model.headerData(row, Qt.Orientation.Vertical) for row in (0, 1)] == [
        "Ana P., 2",
        "Ana P., 1",
    ]
    qtbot.keyClick(view, Qt.Key.Key_Right)
    # 30 s of pause lie before its second step, and are taken out.
    assert place.side.words() == (
        "Ana P., 2, step 2: Type “Mara”",
        "at 0:06, after 6.0 s of thinking, 0.5 s of acting",
    )
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert place.side.words()[0] == "Ana P., 1, step 2: Tap New contact"
    with qtbot.waitSignal(place.annotate) as told_of:
        press(place, "A")
    assert told_of.args == ["0c8d3c1e-2222-4222-8222-000000000001", 1]
    last = model.index(1, 15)
    assert last.data(_ACCESSIBLE) == "Ana P., 1 had ended before"
    view.setCurrentIndex(last)
    assert place.side.where() == ("", -1)
    press(place, "Esc")
    assert (view.isVisible(), table.hasFocus() or not table.isActiveWindow()) == (False, True)


def test_without_a_choice_of_two_all_attempts_are_laid_out(qtbot: QtBot, place: TasksPlace) -> None:
    place.page.open_side.click()
    qtbot.waitUntil(place.side.view.isVisible)
    model = place.side.view.model()
    assert model.rowCount() == 8
    assert model.headerData(7, Qt.Orientation.Vertical) == "tidewater-7b"
    with qtbot.waitSignal(place.review) as told_of:
        press(place, "Ctrl+Return")
    assert told_of.args == ["0c8d3c1e-2222-4222-8222-000000000004", 0]


def test_a_person_leaves_one_out_with_a_reason_and_undo_takes_it_back(
    qtbot: QtBot, place: TasksPlace, folder: Path
) -> None:
    place.page.turn_to("0c8d3c1e-2222-4222-8222-000000000003")
    press(place, "O")
    form = place.page.form
    assert form.isVisible()
    form.counting.part(1).click()
    qtbot.keyClick(form.reason, Qt.Key.Key_Return)
    assert form.wrong() == "Write why it is excluded or included."
    qtbot.keyClicks(form.reason, "the phone rang")
    with qtbot.waitSignal(place.said) as said:
        qtbot.keyClick(form.reason, Qt.Key.Key_Return)
    assert said.args == ["Judge the attempt", True]
    qtbot.waitUntil(lambda: counted(place).get("e-0003") == "Left out")
    # 14, 13 and 14 steps are left beside the outlier: twice their mean is 27.3.
    assert counted(place)["e-0004"] == "Outlier"
    assert place.budget.words()[0] == "28"
    assert place.budget.fact("By a person") == "1 decided"
    assert place.page.table.chosen() == ["0c8d3c1e-2222-4222-8222-000000000003"]
    place._history.undo(lambda _: None)
    qtbot.waitUntil(lambda: counted(place).get("e-0003") == "Counts")
    assert place.budget.words()[0] == "29"
    with Library.read(folder) as library:
        assert library.episode("e-0003").attempt is None


def test_an_outcome_is_judged_from_the_keyboard(qtbot: QtBot, place: TasksPlace) -> None:
    place.page.turn_to("0c8d3c1e-2222-4222-8222-000000000005")
    press(place, "O")
    form = place.page.form
    qtbot.keyClick(form.how.part(1), Qt.Key.Key_Space)
    form.save.click()
    qtbot.waitUntil(lambda: counted(place).get("e-0005") == "Counts")
    press(place, "O")
    assert form.how.choice() == 1
    press(place, "Esc")
    assert not form.isVisible()


def test_of_an_agents_attempt_nothing_is_asked(place: TasksPlace) -> None:
    place.page.turn_to("0c8d3c1e-2222-4222-8222-000000000008")
    assert not place.page.decide.isEnabled()
    assert not place.page.open_form()


def test_runs_have_their_shares_at_the_budget(
    qtbot: QtBot, place: TasksPlace, folder: Path
) -> None:
    grid = place.budget.scores.grid

    def shown() -> list[list[str]]:
        return [row[:2] for row in grid.texts()]

    def wanted(task: str, factor: str, floor: int) -> list[list[str]]:
        with Library.read(folder) as library:
            found = scores_at_budget(
                library, "taptrail-strict", task=task, rule=BudgetRule(factor, floor=floor)
            )
        return [[one.run, f"{one.steps.hits} of {one.steps.total}"] for one in found if one.steps]

    place.budget.scores.protocol.emit("taptrail-strict@1")
    free = wanted(told.NUMBER, "2", 10)
    qtbot.waitUntil(lambda: shown() == [*free, ["People", "–"]])
    assert grid.texts()[-1][2] == "5 of 5"
    place.budget.floor.setText("0")
    place.budget.floor.keep()
    place.budget.factor.setText("0.5")
    place.budget.factor.keep()
    half = wanted(told.NUMBER, "0.5", 0)
    assert half != free
    qtbot.waitUntil(lambda: shown() == [*half, ["People", "–"]])
    assert grid.texts()[-1][2] == "0 of 5"
    place.budget.scores.which.part(1).click()
    every = wanted("", "0.5", 0)
    qtbot.waitUntil(lambda: shown() == every)


def test_another_attempt_is_recorded_with_the_words_of_the_task(
    qtbot: QtBot, place: TasksPlace
) -> None:
    place.list.view.setCurrentIndex(place.list.model.index(1))
    with qtbot.waitSignal(place.record) as wanted:
        press(place, "Ctrl+R")
    assert wanted.args == [told.PLANTS, "Productivity"]


def test_keys_go_from_task_to_task(qtbot: QtBot, place: TasksPlace) -> None:
    press(place, "Ctrl+Right")
    qtbot.waitUntil(lambda: place.where()[1] is not None)
    assert place.where()[0] == told.PLANTS
    # Two attempts: 11 and 9 steps; a pause of 12 s is no time of Ben's.
    qtbot.waitUntil(
        lambda: (
            [row[:6] for row in place.page.table.texts()]
            == [
                ["Ana P., 1", "11", "0:52", "0:47", "0:05", ""],
                ["Ben K., 1", "9", "0:47", "0:43", "0:04", "0:12"],
            ]
        )
    )
    press(place, "Ctrl+Left")
    assert place.where()[0] == told.NUMBER


def test_a_task_without_an_attempt_that_counts_says_so(qtbot: QtBot, place: TasksPlace) -> None:
    place.list.view.setCurrentIndex(place.list.model.index(3))
    no_budget = "No attempt counts, so there is no budget. Record an attempt, or include one."
    qtbot.waitUntil(lambda: place.budget.words() == ("–", "", no_budget))


def test_a_search_keeps_what_matches_and_says_where_nothing_does(
    qtbot: QtBot, place: TasksPlace
) -> None:
    qtbot.keyClicks(place.list.search.edit, "plants basket")
    qtbot.waitUntil(lambda: place.list.model.rowCount() == 1)
    qtbot.waitUntil(lambda: place.where() == (told.PLANTS, place.where()[1]))
    qtbot.keyClicks(place.list.search.edit, " zzz")
    qtbot.waitUntil(lambda: place.list.model.rowCount() == 0)
    assert place.list._stack.currentIndex() == 1
    assert place._stack.currentIndex() == 0
    place.list.search.edit.clear()
    qtbot.waitUntil(lambda: place.list.model.rowCount() == 4)


def test_an_empty_library_says_what_belongs_here(
    qtbot: QtBot, tmp_path: Path, settings_file: Path
) -> None:
    Library.open(tmp_path / "library").close()
    parts = WindowServices(tmp_path / "library")
    place = open_place(qtbot, parts, settings_file)
    qtbot.waitUntil(lambda: place._stack.currentIndex() == 1)
    parts.stop()


def test_what_cannot_be_read_is_said_where_it_concerns_and_can_be_tried_again(
    qtbot: QtBot, tmp_path: Path, settings_file: Path
) -> None:
    parts = WindowServices(tmp_path / "library")
    place = open_place(qtbot, parts, settings_file)
    qtbot.waitUntil(place.list.error.isVisible)
    assert "library" in place.list.error.text()
    told.build(tmp_path / "library")
    place.list.error.again.emit()
    qtbot.waitUntil(lambda: place.list.model.rowCount() == 4)
    assert not place.list.error.isVisible()
    parts.stop()


def test_long_reading_shows_a_bar_and_keeps_what_was_there(qtbot: QtBot, place: TasksPlace) -> None:
    place._late.start(0)
    qtbot.waitUntil(place._bar.isVisible)
    assert place.page.table.grid.rowCount() == 8
    place.refresh()
    qtbot.waitUntil(lambda: not place._bar.isVisible())


def test_every_part_has_a_name_for_screen_readers(place: TasksPlace) -> None:
    unnamed = [
        type(part).__name__
        for part in place.findChildren(QWidget)
        if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.isVisibleTo(place)
        if not part.accessibleName() and part.objectName() == ""
    ]
    assert unnamed == []


def test_the_reference_of_the_window_is_that_of_the_use_case(
    place: TasksPlace, folder: Path
) -> None:
    with Library.read(folder) as library:
        assert place.where() == (told.NUMBER, reference(library, told.NUMBER))


def test_a_tooltip_tells_the_attempt_under_the_pointer(place: TasksPlace) -> None:
    chart = place.page.steps
    dot = chart.dots()[2]
    found = chart._under(dot.at + QPoint(3, 2).toPointF())
    assert (found, chart._under(dot.at + QPoint(0, -40).toPointF())) == (dot, None)


def test_a_budget_that_is_being_read_is_asked_for_once(qtbot: QtBot, place: TasksPlace) -> None:
    asked: list[str] = []
    place.list.model.wanted.connect(asked.extend)
    place.refresh()
    qtbot.waitUntil(lambda: bool(asked) and listed(place)[-1].endswith("no budget"))
    assert sorted(asked) == sorted(set(asked))
    place.budget.finish.part(1).click()  # what is known now is of no use
    before = f"{told.PLANTS}: 2 attempts, budget 18 steps"
    qtbot.waitUntil(lambda: before in listed(place))


def test_of_very_many_attempts_some_are_drawn_and_all_are_counted(
    qtbot: QtBot, place: TasksPlace
) -> None:
    found = place.where()[1]
    assert found is not None
    many = replace(found, attempts=found.attempts * 200)
    place.page.show_reference(many, 29)
    assert len(place.page.steps.dots()) == 468  # every third of 1,400, and the agent's
    assert place.page._counted.text().endswith("; pauses left out; one of 3 is drawn")
    assert place.page.table.grid.rowCount() == 1401
