"""Parts that every place is made of: keys, words, focus, and what is said aloud."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QShortcut
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from episodes.errors import KnownError
from episodes.geometry import Point, Size
from episodes.verdicts import Outcome
from taptrail.gui import theme
from taptrail.gui.components import keycap
from taptrail.gui.components.button import MAIN, Button, SegmentedControl
from taptrail.gui.components.chip import VerdictChip
from taptrail.gui.components.focus import FocusRing
from taptrail.gui.components.frame_view import FrameView, Zoom
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.messages import EmptyState, ErrorBand, JobBar
from taptrail.gui.components.panel import Facts, Scrolled
from taptrail.gui.components.search import SearchField


@pytest.mark.parametrize(
    ("key", "words"),
    [("F9", "F9"), ("Shift+Right", "Shift →"), ("Return", "Enter"), ("Ctrl+R", "Ctrl R"), ("", "")],
)
def test_a_key_stands_on_its_cap_as_people_say_it(key: str, words: str) -> None:
    assert keycap.words(key) == words


def test_a_button_is_pressed_by_its_key_and_says_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    button = Button("Complete", "check", kind=MAIN, key="F9")
    QHBoxLayout(window).addWidget(button)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    qtbot.keyClick(window, Qt.Key.Key_F9)
    button.setEnabled(False)
    qtbot.keyClick(window, Qt.Key.Key_F9)
    button.setEnabled(True)
    button.hide()
    qtbot.keyClick(window, Qt.Key.Key_F9)
    assert len(pressed) == 1
    assert (button.accessibleName(), button.toolTip()) == ("Complete", "Complete  F9")


def test_of_segments_one_holds(qtbot: QtBot) -> None:
    parts = SegmentedControl([("", "Split"), ("", "Overlay")], "Mode")
    qtbot.addWidget(parts)
    parts.show()
    with qtbot.waitSignal(parts.chosen) as chosen:
        qtbot.mouseClick(parts.part(1), Qt.MouseButton.LeftButton)
    assert (chosen.args, parts.choice()) == ([1], 1)
    assert [parts.part(n).isChecked() for n in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (Outcome.MATCH, "Match"),
        (Outcome.MISMATCH, "Mismatch"),
        (Outcome.UNSCORED, "Not scored"),
        (None, ""),
    ],
)
def test_a_verdict_has_a_word(qtbot: QtBot, outcome: Outcome | None, word: str) -> None:
    chip = VerdictChip(outcome)
    qtbot.addWidget(chip)
    assert (chip.word(), chip.accessibleName()) == (word, word)


def test_an_error_is_one_sentence_where_it_belongs(qtbot: QtBot) -> None:
    band = ErrorBand()
    qtbot.addWidget(band)
    assert not band.isVisibleTo(None)
    error = KnownError("read predictions.jsonl", "line 812 has no step number", "Fix the line.")
    band.tell(error, again=True)
    assert band.isVisible()
    assert band.text() == (
        "Cannot read predictions.jsonl: line 812 has no step number. Fix the line."
    )
    assert band.accessibleName() == band.text()


def test_work_says_how_far_it_is_and_can_be_cancelled_at_once(qtbot: QtBot) -> None:
    bar = JobBar()
    qtbot.addWidget(bar)
    bar.begin("Importing", ("{done} of 1 episode", "{done} of {n} episodes"))
    bar.moved(1, 0)
    assert bar._count.text() == "1"
    bar.moved(5214, 8334)
    assert bar._count.text() == "5,214 of 8,334 episodes"
    with qtbot.waitSignal(bar.cancelled):
        qtbot.mouseClick(bar._cancel, Qt.MouseButton.LeftButton)
    assert not bar._cancel.isEnabled()


def test_the_ring_is_round_what_has_the_keyboard(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    one, field, none = Button("One"), SearchField("Find"), QLineEdit()
    none.setProperty("ring", "own")
    row = QHBoxLayout(window)
    for part in (one, field, none):
        row.addWidget(part)
    ring = FocusRing(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    places = []
    for part in (one, field.edit, none):
        part.setFocus(Qt.FocusReason.TabFocusReason)
        places.append(ring.geometry() if ring.isVisible() else None)
    assert places == [
        one.geometry().adjusted(-4, -4, 4, 4),
        field.geometry().adjusted(-4, -4, 4, 4),
        None,
    ]


def test_the_ring_goes_along_where_what_holds_the_keyboard_is_moved(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 200)
    holder = QWidget(window)
    holder.setGeometry(10, 10, 200, 100)
    button = Button("One")
    button.setParent(holder)
    button.move(20, 20)
    ring = FocusRing(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert ring.pos() == QPoint(26, 26)
    holder.move(110, 40)
    assert ring.pos() == QPoint(126, 56)
    holder.hide()
    assert not ring.isVisible()


@pytest.mark.parametrize("width", [260, 320, 700])
def test_an_empty_state_shows_all_lines_of_its_words(qtbot: QtBot, width: int) -> None:
    more = "Choose a run, or import predictions for this episode in Episodes."
    state = EmptyState("compare", "No selected run has predictions here", more, aside=True)
    qtbot.addWidget(state)
    state.resize(width, 400)
    state.show()
    for part in (state.title, state.more):
        assert part.height() >= part.heightForWidth(part.width())
        assert part.geometry().center().x() == pytest.approx(width / 2, abs=2)


def test_a_button_may_show_a_key_to_which_others_listen(qtbot: QtBot) -> None:
    other, shown = Button("Go", key="G"), Button("Open", key="Return", presses=False)
    for one in (other, shown):
        qtbot.addWidget(one)
    assert len(other.findChildren(QShortcut)) == 1
    assert shown.findChildren(QShortcut) == []
    assert shown.toolTip() == "Open  Enter"


def test_facts_that_matter_to_their_end_take_several_lines(qtbot: QtBot) -> None:
    plain, whole = Facts(), Facts(wrap=True)
    said = "/opt/taptrail/venv/lib/python3.11/site-packages/adbutils/binaries/adb"
    for facts in (plain, whole):
        facts.put("Adb", said)
    assert (plain.value("Adb"), whole.value("Adb")) == (said, said)
    for facts, high in ((plain, False), (whole, True)):
        page = Scrolled(facts)
        qtbot.addWidget(page)
        page.resize(240, 400)
        page.show()
        row, mark, shown = facts._rows["Adb"]
        assert (shown.height() > 2 * mark.height()) is high
        assert facts.rect().contains(row.geometry())
        name = row.row.itemAt(0).widget()
        assert (name.width(), shown.parentWidget().x()) == (88, 96)


def test_a_search_waits_for_the_end_of_a_word(qtbot: QtBot) -> None:
    field = SearchField("Find")
    qtbot.addWidget(field)
    searched: list[str] = []
    field.searched.connect(searched.append)
    qtbot.keyClicks(field.edit, "soup ")
    qtbot.waitUntil(lambda: bool(searched))
    assert searched == ["soup"]


def test_a_long_line_is_whole_in_its_tooltip(qtbot: QtBot) -> None:
    label = ElidedLabel("a very long name of a run that has no room")
    qtbot.addWidget(label)
    label.resize(80, 18)
    label.show()
    qtbot.waitUntil(lambda: label.toolTip() == label.text())
    label.resize(600, 18)
    qtbot.waitUntil(lambda: label.toolTip() == "")


def test_a_frame_is_zoomed_at_the_pointer_and_fitted_again(qtbot: QtBot) -> None:
    view = FrameView("Frame")
    qtbot.addWidget(view)
    view.resize(300, 600)
    view.show()
    view.show_frame(Size(1080, 2400), 3.0)
    view.show_image(QImage(1080, 2400, QImage.Format.Format_RGB32))
    fitted = view.fit()
    assert fitted is not None
    at = QPointF(100, 150)
    under = fitted.to_frame(at)
    view._zoom_at(at, 3.0)
    zoomed = view.fit()
    assert zoomed is not None
    assert under is not None
    now = zoomed.to_frame(at)
    assert now is not None
    assert isinstance(now, Point)
    assert now.distance_to(under) < 2
    assert zoomed.zoom == pytest.approx(3 * fitted.zoom, rel=0.01)
    with qtbot.waitSignal(view.zoomed) as heard:
        qtbot.mouseDClick(view, Qt.MouseButton.LeftButton)
    assert heard.args == [Zoom()]
    assert view.fit() == fitted


def test_every_button_of_a_row_has_a_name(qtbot: QtBot) -> None:
    field = SearchField("Find")
    qtbot.addWidget(field)
    field.set_terms([("app", "Apps: Notes")])
    names = [button.accessibleName() for button in field.findChildren(QAbstractButton)]
    assert names == ["Take away Apps: Notes"]


def test_a_frame_that_an_app_protects_says_so_on_its_black_picture(qtbot: QtBot) -> None:
    view = FrameView("Frame")
    qtbot.addWidget(view)
    view.resize(300, 600)
    black = QImage(1080, 2400, QImage.Format.Format_RGB32)
    black.fill(Qt.GlobalColor.black)
    grey = theme.on_frames("nothing_text")
    drawn = []
    for protected in (False, True):
        view.show_frame(Size(1080, 2400), 3.0, protected=protected)
        view.show_image(black)
        image = view.grab().toImage()
        inked = {
            (x, y)
            for x in range(60, 240, 2)
            for y in range(250, 340, 2)
            if image.pixelColor(x, y) == grey
        }
        drawn.append(bool(inked))
    assert drawn == [False, True]
