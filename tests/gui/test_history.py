"""Deleting, restoring, renaming and exporting episodes, with undo."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from episodes.episodes import EpisodeState
from episodes.formats import FORMATS
from episodes.store.filters import FilterKind
from episodes.store.library import Library
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.episodes.place import EpisodesPlace
from taptrail.settings import Settings
from tests.gui import story

SETTINGS = Settings(theme="light", author="Ana P.", author_uuid=story.ANA.uuid)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    story.build(tmp_path / "library")
    return tmp_path / "library"


@pytest.fixture
def window(qtbot: QtBot, folder: Path) -> Iterator[gui.Window]:
    made = gui.Window(SETTINGS, folder, open_devices(1, "127.0.0.2"))
    qtbot.addWidget(made.main)
    made.main.resize(1280, 800)
    made.main.show()
    made.main.go_to(1)
    with qtbot.waitActive(made.main):
        made.main.activateWindow()
    wait_for(qtbot, made.episodes, "e-0412", "e-0410")
    yield made
    made.stop()


def names(place: EpisodesPlace) -> list[object]:
    model = place.table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def wait_for(qtbot: QtBot, place: EpisodesPlace, *wanted: str) -> None:
    qtbot.waitUntil(lambda: names(place) == list(wanted))


def wait_for_undo(qtbot: QtBot, window: gui.Window, words: str) -> None:
    qtbot.waitUntil(lambda: window.episodes.status.undo_words() == words)


def states(folder: Path) -> list[EpisodeState]:
    with Library.read(folder) as library:
        return [library.episode(name).state for name in ("e-0410", "e-0412")]


def test_what_was_deleted_together_comes_back_together(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    place, control = window.episodes, Qt.KeyboardModifier.ControlModifier
    place.table.selectAll()
    assert place.selection.words() == "2 chosen"
    qtbot.keyClick(place.table, Qt.Key.Key_Delete)
    wait_for(qtbot, place)
    assert states(folder) == [EpisodeState.DELETED] * 2
    assert window.main.toast.text() == "Delete the episode: 2 episodes"
    assert not place.selection.isVisible()
    wait_for_undo(qtbot, window, "Undo: delete the episode")
    qtbot.keyClick(window.main, Qt.Key.Key_Z, control)
    wait_for(qtbot, place, "e-0412", "e-0410")
    wait_for_undo(qtbot, window, "")
    qtbot.keyClick(window.main, Qt.Key.Key_Y, control)
    wait_for(qtbot, place)
    assert states(folder) == [EpisodeState.DELETED] * 2
    window.main.toast._action.click()
    wait_for(qtbot, place)
    qtbot.keyClick(window.main, Qt.Key.Key_Z, control)
    wait_for(qtbot, place, "e-0412", "e-0410")
    assert states(folder) == [EpisodeState.FINISHED] * 2


def test_the_toast_of_a_deletion_takes_it_back(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    place = window.episodes
    place.table.choose(1)
    place.selection.delete.click()
    wait_for(qtbot, place, "e-0412")
    assert window.main.toast.text() == "Delete the episode"
    window.main.toast._action.click()
    wait_for(qtbot, place, "e-0412", "e-0410")
    assert states(folder) == [EpisodeState.FINISHED] * 2


def test_the_bin_gives_back_what_lies_in_it(qtbot: QtBot, window: gui.Window, folder: Path) -> None:
    place = window.episodes
    place.selection.delete.click()
    wait_for(qtbot, place, "e-0410")
    place._filters.toggle(FilterKind.STATE, EpisodeState.DELETED.value)
    wait_for(qtbot, place, "e-0412")
    assert not place.selection.isVisible()
    place.table.choose(0)
    assert place.selection.restore.isVisible()
    assert not place.selection.delete.isVisible()
    place.selection.restore.click()
    wait_for(qtbot, place)
    assert states(folder) == [EpisodeState.FINISHED] * 2
    wait_for_undo(qtbot, window, "Undo: restore the episode")


def test_an_instruction_is_edited_where_it_stands_and_taken_back(
    qtbot: QtBot, window: gui.Window, folder: Path
) -> None:
    place = window.episodes
    inspector = place.inspector
    qtbot.waitUntil(lambda: inspector._instruction.text().startswith("Copy the phone number"))
    before = inspector._instruction.text()
    qtbot.keyClick(window.main, Qt.Key.Key_F2)
    assert inspector._field.toPlainText() == before
    inspector._field.setPlainText("Make a contact\nfor Mara Quill")
    qtbot.keyClick(inspector._field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: inspector._instruction.text() == "Make a contact for Mara Quill")
    wait_for_undo(qtbot, window, "Undo: change the instruction")
    with Library.read(folder) as library:
        (edit,) = library.edits()
        assert library.episode("e-0412").task.instruction == "Make a contact for Mara Quill"
    assert edit.author == story.ANA
    qtbot.keyClick(place.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: inspector._instruction.text() == before)


def test_escape_leaves_an_instruction_as_it_was(qtbot: QtBot, window: gui.Window) -> None:
    inspector = window.episodes.inspector
    qtbot.waitUntil(lambda: inspector._instruction.text().startswith("Copy the phone number"))
    before = inspector._instruction.text()
    inspector.edit_instruction()
    inspector._field.setPlainText("Something else")
    qtbot.keyClick(inspector._field, Qt.Key.Key_Escape)
    assert not inspector._field.isVisible()
    assert inspector._instruction.text() == before


def test_undo_outlives_the_window(qtbot: QtBot, folder: Path) -> None:
    with Library.open(folder) as library:
        library.delete_episode(library.episode("e-0410").uuid, story.ANA)
    window = gui.Window(SETTINGS, folder, open_devices(1, "127.0.0.2"))
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(1)
    wait_for(qtbot, window.episodes, "e-0412")
    wait_for_undo(qtbot, window, "Undo: delete the episode")
    window._undo()
    wait_for(qtbot, window.episodes, "e-0412", "e-0410")
    window.stop()


def test_the_chosen_episodes_are_exported_into_a_new_folder_with_what_was_lost(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    place = window.episodes
    menu = place.selection.menu()
    assert [action.text() for action in menu.actions()] == [
        f"{one.title}, version {version}…"
        for one in FORMATS.values()
        if one.write
        for version in one.versions
    ]
    out = tmp_path / "out"
    out.mkdir()
    with qtbot.waitSignal(place.imports.finished):
        place.export_chosen("taptrail", "1", out)
    (made,) = out.iterdir()
    assert made.name == "library-taptrail-1"
    lines = (made / "episodes.jsonl").read_text().splitlines()
    assert [json.loads(line)["episode"] for line in lines if '"episode"' in line][:1] == ["e-0412"]
    assert place.imports._result.text() == (f"Exported to {made}: 1 episode, 8 steps, 5 pictures")
    with qtbot.waitSignal(place.imports.finished):
        place.export_chosen("guiodyssey", "2", out)
    assert sorted(path.name for path in out.iterdir()) == [
        "library-guiodyssey-2",
        "library-taptrail-1",
    ]
    assert "with no place in it" in place.imports._left_out.text()
    assert place.imports._list.toPlainText() != ""


def test_a_cancelled_export_leaves_nothing(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    place = window.episodes
    out = tmp_path / "out"
    out.mkdir()
    place.table.selectAll()
    begin = place.imports._job.begin

    def begin_and_cancel(title: str, unit: str, icon: str) -> None:
        begin(title, unit, icon)
        place.imports._job.cancelled.emit()

    place.imports._job.begin = begin_and_cancel
    with qtbot.waitSignal(place.imports.finished):
        place.export_chosen("taptrail", "1", out)
    assert list(out.iterdir()) == []
    assert place.imports._result.text() == "Stopped. Nothing was left in the folder."


@pytest.mark.parametrize("height", [700, 800])
def test_no_fact_and_no_row_of_steps_is_cut_through(
    qtbot: QtBot, window: gui.Window, folder: Path, height: int
) -> None:
    inspector = window.episodes.inspector
    with Library.read(folder) as library:
        episode = library.episode("e-0412")
    steps = tuple(replace(episode.steps[n % 8], index=n) for n in range(30))
    window.main.resize(1280, height)
    qtbot.waitUntil(lambda: inspector._episode is not None)
    long = replace(episode.task, instruction=episode.task.instruction * 9)
    inspector.show_episode(replace(episode, steps=steps, task=long))
    grid, facts = inspector._grid, inspector._facts
    qtbot.waitUntil(lambda: grid.verticalScrollBar().maximum() > 0)
    qtbot.waitUntil(inspector.found.isVisible)
    assert len(inspector.found.lines()) == (0 if height == 700 else 2)
    assert grid.viewport().height() % 88 == 0
    assert grid.viewport().height() >= 88
    assert facts.height() >= facts.sizeHint().height()
    bottom = facts.mapTo(inspector, facts.rect().bottomLeft()).y()
    assert bottom < inspector.height() - 56
    assert (
        grid.mapTo(inspector, grid.rect().bottomLeft()).y() < facts.mapTo(inspector, QPoint()).y()
    )
