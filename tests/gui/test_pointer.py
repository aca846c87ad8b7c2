"""Record shows the element under the pointer, and the progress within the budget."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from episodes.actions import Key
from episodes.geometry import Point, Size
from episodes.screens import TreeFit, TreeStatus
from episodes.store.library import Library
from episodes.trees.readers import read_record
from recorder.device.interface import Devices
from recorder.events import SessionState
from taptrail.gui import app as gui
from taptrail.gui.record.budget import StepsSoFar
from taptrail.gui.record.pointer import PointerPanel
from taptrail.usecases.attempts import reference
from taptrail.usecases.elements import ElementUnderPointer
from tests.gui.tasks_story import NUMBER, build
from tests.gui.windows import connected_window


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, phone: tuple[str, Devices]) -> Iterator[gui.Window]:
    """A window in which a task that others have tried is recorded."""
    build(tmp_path / "library")
    made = connected_window(qtbot, tmp_path / "library", phone)
    made.record.task.edit.setPlainText(NUMBER)
    made.record.begin()
    qtbot.waitUntil(lambda: made.record.take.state is SessionState.RECORDING)
    yield made
    made.stop()
    made.main.end()


def hover(qtbot: QtBot, window: gui.Window, at: Point) -> None:
    mirror = window.record.mirror
    fit = mirror.fit()
    assert fit is not None
    qtbot.mouseMove(mirror, QPoint(1, 1))
    qtbot.mouseMove(mirror, fit.to_window(at).toPoint())


def test_what_is_under_the_pointer_is_told_while_it_is_recorded(
    qtbot: QtBot, window: gui.Window
) -> None:
    record, panel = window.record, window.record.task.pointer
    assert panel.isVisible()
    assert panel.hint() == "Point at something on the phone."
    session = window.desk.session
    assert session is not None
    painted = record.mirror.painted()
    assert painted is not None

    def fresh() -> bool:
        around = session.surroundings(painted)
        return around is not None and around.tree.fit is TreeFit.FRESH

    qtbot.waitUntil(fresh, timeout=30_000)
    around = session.surroundings(painted)
    assert around is not None
    tree = read_record(around.tree.record, painted.size)
    icon = next(node for node in tree.walk() if node.clickable and node.text)
    hover(qtbot, window, icon.box.centre)
    qtbot.waitUntil(lambda: panel.fact("Element") == icon.text, timeout=30_000)
    assert panel.fact("Class") == icon.class_name.rpartition(".")[2]
    assert panel.fact("Can").startswith("tap")
    assert panel.fact("Box").endswith("\u2009dp")
    assert panel.fact("Tree").endswith(" s old, same screen")
    assert record._stage.outline.box() == icon.box
    QApplication.sendEvent(record.mirror, QEvent(QEvent.Type.Leave))
    assert record._stage.outline.box() is None
    assert (panel.fact("Element"), panel.hint()) == ("", "Point at something on the phone.")


def test_the_steps_are_counted_against_what_people_needed(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    record, so_far = window.record, window.record.task.so_far
    qtbot.waitUntil(lambda: so_far.rule() != "")
    with Library.read(tmp_path / "library") as library:
        found = allowed_steps(library)
    assert so_far.words() == f"0 of {found} in the budget"
    record.mirror.press(Key.HOME)
    qtbot.waitUntil(lambda: so_far.words() == f"1 of {found} in the budget", timeout=20_000)
    window.preferences.change(budget_factor="4")
    qtbot.waitUntil(lambda: so_far.rule().startswith("4 × the mean of"))
    window.main.end()
    assert not window.main.isVisible()


def allowed_steps(library: Library) -> int:
    allowed = reference(library, NUMBER).budget().steps
    assert allowed is not None
    return allowed


def test_a_protected_field_shows_that_it_is_one_and_no_more(qtbot: QtBot) -> None:
    panel = PointerPanel()
    qtbot.addWidget(panel)
    panel.show_element(
        ElementUnderPointer(None, True, TreeFit.STALE, TreeStatus.OK, 4_100_000), Size(540, 1200)
    )
    names = ("Element", "Class", "Id", "Can", "Box")
    assert [panel.fact(name) for name in names] == ["Protected", "", "", "", ""]
    assert panel.fact("Tree") == "4.1 s old, screen changed"
    for age, words in ((14_800_000, "14 s"), (98_000_000, "1:38")):
        panel.show_element(ElementUnderPointer(None, False, TreeFit.FRESH, TreeStatus.OK, age))
        assert panel.fact("Tree") == f"{words} old, same screen"
    panel.show_element(ElementUnderPointer(None, False, TreeFit.FAILED, TreeStatus.NOT_IDLE, 0))
    assert panel.fact("Tree") == "the screen did not rest"


def test_nothing_moves_below_when_the_pointer_does(qtbot: QtBot) -> None:
    panel = PointerPanel()
    qtbot.addWidget(panel)
    panel.resize(240, 400)
    panel.show()
    empty = panel.sizeHint().height()
    high = max(empty, panel.minimumHeight())
    panel.show_element(ElementUnderPointer(None, True, TreeFit.FRESH, TreeStatus.OK, 0))
    assert max(panel.sizeHint().height(), panel.minimumHeight()) == high


@pytest.mark.parametrize(
    ("steps", "allowed", "words"),
    [
        (9, 28, "9 of 28 in the budget"),
        (28, 28, "28 of 28 in the budget"),
        (31, 28, "31 of 28, past the budget"),
        (3, None, "3"),
    ],
)
def test_a_budget_is_said_where_there_is_one(
    qtbot: QtBot, steps: int, allowed: int | None, words: str
) -> None:
    shown = StepsSoFar()
    qtbot.addWidget(shown)
    shown.show_budget(allowed, "2 × the mean of 7 attempts by people")
    shown.show_steps(steps)
    assert (shown.words(), shown._bar.isHidden()) == (words, allowed is None)
