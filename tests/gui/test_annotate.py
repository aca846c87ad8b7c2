"""Annotating an episode by keyboard, tree and frame; and undo."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImageReader
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from annotator.corrections import CORRECTABLE_KINDS
from annotator.lint.findings import Fix, LintFinding, LintSeverity
from episodes import actions as a
from episodes.annotations import RegionSource
from episodes.episodes import Episode
from episodes.geometry import Box, Point
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from episodes.trees import readers as tree_reading
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.annotate import open_episode as annotate_whole
from taptrail.gui.annotate.place import AnnotatePlace
from taptrail.gui.annotate.reshape_form import Reshaping
from taptrail.gui.main_window import MainWindow
from taptrail.gui.services import WindowServices
from taptrail.settings import Settings
from taptrail.usecases import editing
from taptrail.usecases.annotating import StepState
from taptrail.usecases.linting import ReportedFinding
from tests.gui import annotate_story, story

Open = Callable[[], AnnotatePlace]
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pilot-study"
    annotate_story.build(made)
    return made


@pytest.fixture
def opened(qtbot: QtBot, folder: Path) -> Iterator[Open]:
    """Opens the place on the library; again when it is called again, with threads of its own."""
    living: list[WindowServices] = []

    def open_place() -> AnnotatePlace:
        parts = WindowServices(folder)
        living.append(parts)
        place = AnnotatePlace(
            folder, parts.reader, parts.library, parts.small, parts.large, story.ANA
        )
        window = MainWindow([(place, "vector-square")])
        window.undone.connect(place.undo)
        window.redone.connect(place.redo)
        qtbot.addWidget(window)
        window.resize(1440, 900)
        window.show()
        window.activateWindow()
        window.go_to(0)
        place.navigation.order(by_level=False)
        place.open_at(annotate_story.UUID)
        qtbot.waitUntil(lambda: place.where() == (annotate_story.NAME, 0))
        place.frame.setFocus()
        qtbot.waitUntil(lambda: place.frame.hasFocus())
        return place

    yield open_place
    for parts in living:
        parts.stop()


def press(
    qtbot: QtBot, key: Qt.Key, held: Qt.KeyboardModifier = NONE, on: QWidget | None = None
) -> None:
    """Presses a key where the keyboard is."""
    target = on or QApplication.focusWidget()
    assert target is not None
    qtbot.keyClick(target, key, held)


def kept(folder: Path) -> Episode:
    """The episode as it stands in the library."""
    with Library.read(folder) as library:
        return library.episode(annotate_story.UUID)


def journal(folder: Path) -> list[str]:
    with Library.read(folder) as library:
        return [line.words for line in editing.history(library, annotate_story.UUID)]


def saved(qtbot: QtBot, place: AnnotatePlace) -> None:
    qtbot.waitUntil(place.saved)


def tree_there(qtbot: QtBot, place: AnnotatePlace) -> None:
    qtbot.waitUntil(lambda: place.state.seen() is not None and bool(place.tree._rows))


def click(qtbot: QtBot, place: AnnotatePlace, point: Point) -> None:
    fit = place.frame.fit()
    assert fit is not None
    at = fit.to_window(point).toPoint()
    qtbot.mouseClick(place.frame, Qt.MouseButton.LeftButton, pos=at)


def test_a_whole_episode_is_settled_by_keyboard_alone(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    states = [place.state.step_state(step.index) for step in place.state.steps()]
    assert [state.value for state in states] == [
        "no_target",
        "waiting",
        "waiting",
        "no_target",
        "waiting",
        "low",
        "low",
        "no_target",
        "no_target",
    ]
    press(qtbot, Qt.Key.Key_D)
    assert place.where()[1] == 1
    press(qtbot, Qt.Key.Key_E)  # the button
    assert place.where()[1] == 2
    press(qtbot, Qt.Key.Key_L)
    qtbot.keyClicks(QApplication.focusWidget(), "Given name")
    press(qtbot, Qt.Key.Key_Return)
    press(qtbot, Qt.Key.Key_E)  # the first field, under another name
    assert place.where()[1] == 4
    press(qtbot, Qt.Key.Key_BracketRight)  # the whole screen
    press(qtbot, Qt.Key.Key_BracketLeft)
    press(qtbot, Qt.Key.Key_E)  # Save
    assert place.where()[1] == 5
    press(qtbot, Qt.Key.Key_W)
    press(qtbot, Qt.Key.Key_Down)  # a finger's box about the press appears
    press(qtbot, Qt.Key.Key_Down)
    press(qtbot, Qt.Key.Key_Right, SHIFT)
    press(qtbot, Qt.Key.Key_Return)
    assert place.where()[1] == 6
    press(qtbot, Qt.Key.Key_1)
    press(qtbot, Qt.Key.Key_E)  # the picture in the row
    saved(qtbot, place)
    chosen = {
        step.index: (step.target.box, step.target.label, step.target.provenance.source)
        for step in kept(folder).steps
        if step.target is not None
    }
    tree, person = RegionSource.TREE, RegionSource.PERSON
    assert chosen == {
        1: (Box(300, 1030, 510, 1110), "New contact", tree),
        2: (Box(90, 260, 500, 356), "Given name", tree),
        4: (Box(400, 70, 510, 130), "Save", tree),
        5: (Box(224, 665, 296, 737), "", person),
        6: (Box(40, 220, 104, 284), "ImageView", tree),
    }
    assert journal(folder) == ["Accept a region"] * 5
    assert StepState.LOW not in [place.state.step_state(step.index) for step in place.state.steps()]


def test_tab_goes_from_one_low_step_to_the_next(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    walked = []
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        press(qtbot, key, on=place.frame)
        walked.append(place.where()[1])
    assert walked == [5, 6, 5, 6]
    assert place.frame.hasFocus()
    press(qtbot, Qt.Key.Key_Tab, CTRL, on=place.frame)
    assert not place.frame.hasFocus()


def test_a_row_of_the_tree_is_shown_on_the_frame(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    place.navigation.turn_to(1)
    tree_there(qtbot, place)
    button = place.tree.current()
    press(qtbot, Qt.Key.Key_G)
    assert place.tree.view.hasFocus()
    press(qtbot, Qt.Key.Key_Down)
    assert (place.state.focus, place.tree.current()) == (0, f"{button}.0")
    assert "TextView “New contact”" in place.frame.accessibleDescription()
    for _ in range(2):
        press(qtbot, Qt.Key.Key_Up)
    alone = place.state.node_alone()
    assert alone is not None
    assert alone.text == "Nia Brook"
    press(qtbot, Qt.Key.Key_Escape)
    assert (place.state.node_alone(), place.state.focus, place.tree.current()) == (None, 1, button)


def test_the_frame_leads_to_the_row_of_the_tree(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    place.navigation.turn_to(1)
    tree_there(qtbot, place)
    fit = place.frame.fit()
    assert fit is not None
    qtbot.mouseMove(place.frame, fit.to_window(Point(200, 363)).toPoint())
    qtbot.waitUntil(lambda: place.tree.view.hovered is not None)
    hovered = place.tree.view.hovered
    assert hovered is not None
    assert hovered.data() == "TextView “Dov Ashe”"
    assert place.state.focus == 1  # to hover changes nothing
    click(qtbot, place, Point(200, 363))
    assert place.tree.view.currentIndex().data() == "TextView “Dov Ashe”"
    node = place.state.node_alone()
    assert node is not None
    assert node.text == "Dov Ashe"
    click(qtbot, place, Point(405, 1070))
    assert place.tree.view.currentIndex().data() == "TextView “New contact”"
    assert place.state.focus == 0
    click(qtbot, place, Point(306, 1036))
    assert (place.tree.view.currentIndex().data(), place.state.focus) == ("Button new", 1)


def test_an_element_that_was_not_pressed_becomes_a_box(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    place.navigation.turn_to(6)
    tree_there(qtbot, place)
    click(qtbot, place, Point(200, 363))
    press(qtbot, Qt.Key.Key_G)
    press(qtbot, Qt.Key.Key_Return)
    assert place.frame.draft() == Box(132, 340, 400, 386)
    press(qtbot, Qt.Key.Key_Return)
    saved(qtbot, place)
    target = kept(folder).steps[6].target
    assert target is not None
    assert target.box == Box(132, 340, 400, 386)


def test_a_search_leaves_the_rows_that_hold_the_words(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    place.navigation.turn_to(1)
    tree_there(qtbot, place)
    place.tree.search.edit.setText("lise")
    model = place.tree.view.model()
    qtbot.waitUntil(lambda: model.rowCount(model.index(0, 0)) == 1)
    index, seen = model.index(0, 0), []
    while index.isValid():
        seen.append(index.data())
        index = model.index(0, 0, index)
    assert seen == ["FrameLayout", "RecyclerView", "LinearLayout", "TextView “Lise Amber”"]


def test_undo_and_redo_outlive_the_window(qtbot: QtBot, opened: Open, folder: Path) -> None:
    place = opened()
    place.navigation.turn_to(1)
    press(qtbot, Qt.Key.Key_E)
    press(qtbot, Qt.Key.Key_E)
    saved(qtbot, place)
    assert place.status.undo_words() == "Undo: accept a region, step 3"
    place.window().close()
    again = opened()
    assert again.status.undo_words() == "Undo: accept a region, step 3"
    press(qtbot, Qt.Key.Key_Z, CTRL)
    saved(qtbot, again)
    assert again.where()[1] == 2
    assert again.state.step_state(2) is StepState.WAITING
    press(qtbot, Qt.Key.Key_Z, CTRL)
    saved(qtbot, again)
    assert [step.target for step in kept(folder).steps] == [None] * 9
    assert again.status.undo_words() == ""
    again.window().close()
    third = opened()
    press(qtbot, Qt.Key.Key_Z, CTRL | SHIFT)
    saved(qtbot, third)
    target = kept(folder).steps[1].target
    assert third.where()[1] == 1
    assert target is not None
    assert target.label == "New contact"


def test_what_is_being_typed_is_kept_when_the_window_closes(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    place.navigation.turn_to(1)
    field = place.decision.texts["instruction"]
    field.setFocus()
    qtbot.keyClicks(field, "Open a new contact")
    place.leaving()
    assert kept(folder).steps[1].texts.instruction == "Open a new contact"
    assert journal(folder) == ["Change a step's words"]


def test_letters_in_a_field_are_no_commands(qtbot: QtBot, opened: Open, folder: Path) -> None:
    place = opened()
    place.navigation.turn_to(1)
    field = place.decision.texts["note"]
    field.setFocus()
    qtbot.keyClicks(field, "made 1 [test]")
    assert (field.text(), place.where()[1], place.state.focus) == ("made 1 [test]", 1, 1)
    press(qtbot, Qt.Key.Key_Escape)
    assert (field.text(), place.frame.hasFocus()) == ("", True)
    saved(qtbot, place)
    assert journal(folder) == []


def test_an_action_is_put_right_and_its_candidates_follow(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    place.navigation.turn_to(2)
    press(qtbot, Qt.Key.Key_E, CTRL)
    form = place.decision.action_form
    assert form.isVisible()
    assert form.at.text() == "300, 308"
    click(qtbot, place, Point(300, 438))
    press(qtbot, Qt.Key.Key_Right, on=place.frame)
    moved = form.place()
    assert moved is not None
    form.reason.setFocus()
    qtbot.keyClicks(form.reason, "the field below")
    press(qtbot, Qt.Key.Key_Return)
    saved(qtbot, place)
    assert not form.isVisible()
    (gold,) = kept(folder).steps[2].golds
    assert (gold.action, gold.role, gold.reason) == (a.Tap(moved), "correction", "the field below")
    assert place.decision.choices.lines()[0].startswith("1, Tree · EditText “Last name”")
    press(qtbot, Qt.Key.Key_E, CTRL)
    qtbot.mouseClick(form.back, Qt.MouseButton.LeftButton)
    saved(qtbot, place)
    assert place.decision.choices.lines()[0].startswith("1, Tree · EditText “First name”")


def test_another_right_action_stands_beside_until_it_is_dropped(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    place.navigation.turn_to(3)
    place.forms.edit_action()
    form = place.decision.action_form
    form.text.setText("Mara Q.")
    qtbot.mouseClick(form.also, Qt.MouseButton.LeftButton)
    saved(qtbot, place)
    assert place.decision._also.lines() == ["Type “Mara Q.”"]
    place.decision.drop.emit(1)
    saved(qtbot, place)
    assert place.decision._also.lines() == []
    assert journal(folder) == ["Add an alternative", "Judge a gold action"]


def test_what_cannot_be_is_said_in_the_form(qtbot: QtBot, opened: Open, folder: Path) -> None:
    place = opened()
    place.navigation.turn_to(1)
    place.forms.edit_action()
    form = place.decision.action_form
    form.at.setText("somewhere")
    form.send()
    assert form._wrong.text() == "Write a place as 120, 840."
    form.at.setText("405, 1070")
    form.send()
    qtbot.waitUntil(lambda: form._wrong.text() != "" and "so already" in form._wrong.text())
    assert form.isVisible()
    press(qtbot, Qt.Key.Key_Escape, on=form.at)
    assert not form.isVisible()
    assert journal(folder) == []


def test_steps_are_deleted_merged_and_split_with_a_reason(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    place.navigation.turn_to(7)
    press(qtbot, Qt.Key.Key_Delete, SHIFT)
    qtbot.keyClicks(QApplication.focusWidget(), "by mistake")
    press(qtbot, Qt.Key.Key_Return)
    saved(qtbot, place)
    assert [step.index for step in kept(folder).steps] == [0, 1, 2, 3, 4, 5, 6, 8]
    assert place.where()[1] == 8
    assert [item.number for item in place.strip._steps.items] == list(range(1, 9))
    place.forms.reshape(Reshaping.DELETE)
    assert place.decision.reshape_form._title.text() == "Delete step 8"
    place.decision.close_forms()
    place.navigation.turn_to(2)
    press(qtbot, Qt.Key.Key_M, CTRL)
    qtbot.keyClicks(QApplication.focusWidget(), "one field")
    press(qtbot, Qt.Key.Key_Return)
    saved(qtbot, place)
    assert kept(folder).steps[2].action == a.TypeText("Mara", Point(300, 308))
    press(qtbot, Qt.Key.Key_M, CTRL | SHIFT)
    qtbot.keyClicks(QApplication.focusWidget(), "2")
    place.decision.reshape_form.reason.setText("two words")
    press(qtbot, Qt.Key.Key_Return)
    saved(qtbot, place)
    made = [step.action for step in kept(folder).steps[2:4]]
    assert made == [a.TypeText("Ma", Point(300, 308)), a.TypeText("ra", Point(300, 308))]
    with Library.read(folder) as library:
        lines = editing.history(library, annotate_story.UUID)
    assert [(line.words, line.reason) for line in lines] == [
        ("Delete a step", "by mistake"),
        ("Merge steps", "one field"),
        ("Split a step", "two words"),
    ]
    for _ in lines:
        place.undo()
    saved(qtbot, place)
    assert [s.action for s in kept(folder).steps] == [
        s.action for s in annotate_story.recorded(StillFiles(folder)).steps
    ]


def test_levels_have_a_word_a_reason_and_what_to_do(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    said = []
    for row in (0, 1, 4, 5, 6):
        place.navigation.turn_to(row)
        said.append(place.decision.band.words())
    assert said == [
        "Needs no target. This action has no target element",
        "High. Almost certain. The tree is fresh, and “New contact” takes the touch. Accept it",
        "Medium. Look, then accept. The data set does not say when its tree was taken. "
        "Likely right",
        "Low. A person decides. The tree knows nothing of what is inside the WebView. "
        "Choose one of these, or draw a box",
        "Low. A person decides. The screen changed after the tree was taken. "
        "Choose one of these, or draw a box",
    ]


def test_the_tree_says_how_well_it_fits_or_why_it_lacks(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    qtbot.waitUntil(lambda: place.tree.lacking.text() != "")
    said = [place.tree.lacking.text()]
    for row in (1, 4, 6):
        place.navigation.turn_to(row)
        tree_there(qtbot, place)
        said.append(place.tree._source.text())
    assert said == [
        "The phone was not asked for a tree.",
        "uiautomator2 · asked 90 ms before touch",
        "uiautomator2 · its time is not known",
        "uiautomator2 · the screen changed after it was taken",
    ]


def test_a_library_that_somebody_else_writes_to_can_be_looked_at(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    with Library.open(folder) as held:
        place = opened()
        qtbot.waitUntil(lambda: place.status._saved.text() == "Read-only")
        place.navigation.turn_to(1)
        press(qtbot, Qt.Key.Key_E)
        press(qtbot, Qt.Key.Key_W)
        press(qtbot, Qt.Key.Key_E, CTRL)
        assert (place.where()[1], place.frame.draft(), place.saved()) == (1, None, True)
        assert not place.decision.go.isEnabled()
        assert "has it open" in place.decision.go.toolTip()
        assert place.decision.texts["note"].isReadOnly()
        assert held.edits() == []
    place.entered()
    qtbot.waitUntil(lambda: place.decision.go.isEnabled())


def test_a_change_that_was_not_made_is_told_and_shown_as_not_made(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    qtbot.waitUntil(lambda: place.status._saved.text() == "Saved")
    place.navigation.turn_to(1)
    with Library.open(folder):
        press(qtbot, Qt.Key.Key_E)
        saved(qtbot, place)
    assert "has it open" in place.decision.error.text()
    assert place.state.step_state(1) is StepState.WAITING


def test_an_empty_library_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    Library.open(folder).close()
    parts = WindowServices(folder)
    place = AnnotatePlace(folder, parts.reader, parts.library, parts.small, parts.large, story.ANA)
    qtbot.addWidget(place)
    place.show()
    place.entered()
    qtbot.waitUntil(lambda: place.parts.stack.currentIndex() == 0)
    assert place.where() == ("", -1)
    parts.stop()


def test_marks_can_be_hidden(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    place.navigation.turn_to(1)
    qtbot.waitUntil(lambda: place.frame.image() is not None)
    with_marks = place.frame.grab().toImage()
    press(qtbot, Qt.Key.Key_T)
    without = place.frame.grab().toImage()
    press(qtbot, Qt.Key.Key_T)
    assert without != with_marks
    assert place.frame.grab().toImage() == with_marks


def test_the_window_thread_reads_no_library_no_tree_and_no_picture(
    qtbot: QtBot, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, seen = threading.get_ident(), set()
    for owner, name in (
        (Library, "open"),
        (Library, "episode"),
        (Library, "edits"),
        (QImageReader, "read"),
        (tree_reading, "read_tree"),
        (annotate_whole, "tree_of_step"),
    ):
        monkeypatch.setattr(owner, name, _noting(getattr(owner, name), name, seen))
    place = opened()
    for row in range(1, 9):
        place.navigation.turn_to(row)
        qtbot.waitUntil(lambda: place.frame.image() is not None)
        qtbot.wait(0)
    place.navigation.turn_to(1)
    tree_there(qtbot, place)
    press(qtbot, Qt.Key.Key_E, on=place.frame)
    press(qtbot, Qt.Key.Key_Z, CTRL, on=place.frame)
    saved(qtbot, place)
    names = {name for name, _ in seen}
    assert names == {"open", "episode", "edits", "read", "read_tree", "tree_of_step"}
    assert here not in {thread for _, thread in seen}


def test_rows_say_what_a_screen_reader_needs(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    place.navigation.turn_to(1)
    assert place.decision.choices.lines() == [
        "1, Tree · TextView “New contact”, only shows something, 170 × 40",
        "2, Tree · Button “New contact”, proposed, takes the touch, 210 × 80, in focus",
        "W, Draw a box yourself, drag, or use the arrow keys",
    ]
    model = place.strip.model()
    words = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in (0, 1, 5)]
    assert words == [
        "Step 1 of 9, Open Contacts, needs no target",
        "Step 2 of 9, Tap 405, 1070, waiting",
        "Step 6 of 9, Tap 250, 700, low, a person decides",
    ]
    unnamed = [
        part
        for part in place.findChildren(QWidget)
        if part.isVisible()
        and part.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not part.accessibleName()
    ]
    assert unnamed == []


def test_the_next_episode_is_one_key_away(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    press(qtbot, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: place.where()[0] == "e-0410")
    press(qtbot, Qt.Key.Key_PageUp, on=place.frame)
    qtbot.waitUntil(lambda: place.where()[0] == annotate_story.NAME)


def test_nothing_is_cut_off_in_the_narrow_panel(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    place.window().resize(1280, 800)
    qtbot.waitUntil(lambda: place.width() == 1280 - 64)
    qtbot.waitUntil(lambda: place.decision.width() == 336)
    inside = place.decision.scrolled.widget()
    too_wide = []
    room = place.decision.width() - 10
    for row in range(len(place.state.steps())):
        place.navigation.turn_to(row)
        place.forms.edit_action()
        for kind in CORRECTABLE_KINDS:
            place.decision.action_form.choose_kind(kind)
            too_wide += [(row, kind)] * (inside.minimumSizeHint().width() > room)
        for doing in Reshaping:
            place.forms.reshape(doing)
            too_wide += [(row, doing.value)] * (inside.minimumSizeHint().width() > room)
        place.decision.close_forms()
        for fix in Fix:
            wrong = LintFinding(
                "press-outside-region", LintSeverity.ERROR, row, "It lies outside.", fix
            )
            place.decision.findings.show_findings([ReportedFinding("", "", "", wrong)], "")
            too_wide += [(row, fix.value)] * (inside.minimumSizeHint().width() > room)
        place.decision.findings.show_findings([], "")
        too_wide += [(row, "")] * (inside.minimumSizeHint().width() > room)
    assert too_wide == []


def test_which_step_it_is_stays_to_be_read_beside_a_long_text(qtbot: QtBot, opened: Open) -> None:
    place = opened()
    place.window().resize(1280, 800)
    qtbot.waitUntil(lambda: place.decision.width() == 336)
    step = place.state.opened()
    assert step is not None
    text = a.TypeText("two cartons of oat milk and one of cream")
    long = replace(step, gold=step.gold._replace(action=text))
    place.decision.show_step(long, StepState.NONE, 6, 8)
    title = place.decision.title
    assert title.text() == "Step 6 of 8 · Type"
    qtbot.waitUntil(lambda: title.width() >= title.sizeHint().width())


def test_enter_in_the_list_of_episodes_opens_one_here(qtbot: QtBot, folder: Path) -> None:
    settings = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)
    window = gui.Window(settings, folder, open_devices(1, "127.0.0.2"))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(1)
    table = window.episodes.table
    names = [""]

    def there() -> bool:
        names[:] = [table.model().index(r, 0).data() for r in range(table.model().rowCount())]
        return annotate_story.NAME in names

    qtbot.waitUntil(there)
    table.selectRow(names.index(annotate_story.NAME))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.annotate.where() == (annotate_story.NAME, 0))
    assert window.main.place() is window.annotate
    window.annotate.navigation.turn_to(1)
    window.annotate.acceptance.accept()
    qtbot.waitUntil(lambda: window.episodes.status.undo_words().startswith("Undo: accept a region"))
    window.main.activateWindow()
    qtbot.keyClick(window.annotate.frame, Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: window.annotate.saved() and journal(folder)[-1].startswith("Undo"))
    assert kept(folder).steps[1].target is None
    window.stop()


def _noting(
    function: Callable[..., object], name: str, seen: set[tuple[str, int]]
) -> Callable[..., object]:
    def noted(*args: object, **named: object) -> object:
        seen.add((name, threading.get_ident()))
        return function(*args, **named)

    return noted


def test_after_an_own_box_at_the_last_open_step_the_box_is_in_focus(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    for row, step in enumerate(place.state.steps()):
        state = place.state.step_state(step.index)
        if state in (StepState.LOW, StepState.WAITING) and row != 6:
            place.navigation.turn_to(row)
            tree_there(qtbot, place)
            if place.state.focus is None:
                press(qtbot, Qt.Key.Key_BracketRight)
            press(qtbot, Qt.Key.Key_E)
            saved(qtbot, place)
    place.navigation.turn_to(6)
    tree_there(qtbot, place)
    press(qtbot, Qt.Key.Key_W)
    press(qtbot, Qt.Key.Key_Left)
    press(qtbot, Qt.Key.Key_E)
    saved(qtbot, place)
    assert place.state.row() == 6
    own = kept(folder).steps[6].target
    assert own is not None
    assert own.provenance.source is RegionSource.PERSON
    focused = place.state.chosen()
    assert focused is not None
    assert focused.region.uuid == own.uuid
    assert place.decision.go.text() == "Keep Box by Ana P."
    press(qtbot, Qt.Key.Key_E)
    saved(qtbot, place)
    assert kept(folder).steps[6].target == own


def test_undo_discards_a_drawn_box_before_it_undoes_a_saved_change(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    place.navigation.turn_to(1)
    press(qtbot, Qt.Key.Key_E)
    saved(qtbot, place)
    place.navigation.turn_to(6)
    tree_there(qtbot, place)
    before = journal(folder)
    press(qtbot, Qt.Key.Key_W)
    press(qtbot, Qt.Key.Key_Left)
    assert place.frame.draft() is not None
    assert place.status.undo_words() == "Undo: drawn box"
    press(qtbot, Qt.Key.Key_Z, CTRL)
    saved(qtbot, place)
    assert (place.frame.draft(), place.state.row(), journal(folder)) == (None, 6, before)
    press(qtbot, Qt.Key.Key_P)
    for corner in (Point(100, 100), Point(200, 100), Point(200, 200)):
        click(qtbot, place, corner)
    press(qtbot, Qt.Key.Key_Z, CTRL)
    assert len(place.state.corners) == 2
    press(qtbot, Qt.Key.Key_Z, CTRL)
    press(qtbot, Qt.Key.Key_Z, CTRL)
    saved(qtbot, place)
    assert (place.state.corners, place.state.row(), journal(folder)) == ([], 6, before)
    press(qtbot, Qt.Key.Key_Z, CTRL)
    saved(qtbot, place)
    assert place.state.row() == 1
    assert kept(folder).steps[1].target is None


def test_episode_step_and_box_are_marked_as_private_and_undone(
    qtbot: QtBot, opened: Open, folder: Path
) -> None:
    place = opened()
    place.navigation.turn_to(6)
    tree_there(qtbot, place)
    press(qtbot, Qt.Key.Key_P, SHIFT)
    assert kept(folder).steps[6].private_boxes == ()
    press(qtbot, Qt.Key.Key_W)
    press(qtbot, Qt.Key.Key_Left)
    drawn = place.frame.draft()
    press(qtbot, Qt.Key.Key_P, SHIFT)
    saved(qtbot, place)
    assert [one.box for one in kept(folder).steps[6].private_boxes] == [drawn]
    assert place.frame.draft() is None
    assert "1 private box: black in every export." in place.decision._said.text()
    press(qtbot, Qt.Key.Key_P, CTRL)
    press(qtbot, Qt.Key.Key_P, CTRL | SHIFT)
    saved(qtbot, place)
    assert (kept(folder).steps[6].private, kept(folder).private) == (True, True)
    assert place.parts._private.isVisible()
    entries = menu_of_the_step(place)
    assert list(entries)[-3:] == [
        "Remove private box 1",
        "Remove the private mark of the step",
        "Remove the private mark of the episode",
    ]
    entries["Remove private box 1"].trigger()
    saved(qtbot, place)
    assert kept(folder).steps[6].private_boxes == ()
    for _ in range(4):
        place.undo()
        saved(qtbot, place)
    after = kept(folder)
    assert (after.private, after.steps[6].private, after.steps[6].private_boxes) == (
        False,
        False,
        (),
    )


def menu_of_the_step(place: AnnotatePlace) -> dict[str, QAction]:
    place.decision._more.click()
    menu = place.decision.findChildren(QMenu)[-1]
    found = {action.text(): action for action in menu.actions() if action.text()}
    menu.hide()
    return found
