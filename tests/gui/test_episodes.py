"""The list of episodes: found, filtered, looked at, opened, and a page at a time."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from episodes.store.filters import FilterKind
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from taptrail.gui.episodes.listing import PAGE, PAGES_KEPT, EpisodesModel
from taptrail.gui.episodes.place import EpisodesPlace
from taptrail.gui.episodes.table import EpisodesTable
from taptrail.gui.history import ChangeHistory
from taptrail.gui.services import WindowServices
from taptrail.gui.work import WorkThread
from tests.gui import story


@pytest.fixture
def place(qtbot: QtBot, parts: WindowServices) -> EpisodesPlace:
    return shown(qtbot, parts)


def shown(qtbot: QtBot, parts: WindowServices) -> EpisodesPlace:
    history = ChangeHistory(parts.folder, parts.library, parts.reader, story.ANA, parts)
    made = EpisodesPlace(parts.folder, parts.reader, parts.library, parts.small, history)
    qtbot.addWidget(made)
    made.resize(1280, 760)
    made.show()
    made.entered()
    return made


def names(table: EpisodesTable) -> list[object]:
    return [table.model().index(row, 0).data() for row in range(table.model().rowCount())]


def wait_for_names(qtbot: QtBot, place: EpisodesPlace, wanted: list[str]) -> None:
    qtbot.waitUntil(lambda: names(place.table) == wanted)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library") / "large"
    with Library.open(folder) as library:
        library.save_episodes(story.many(2000))
    return folder


def test_of_two_thousand_rows_only_the_pages_that_are_seen_are_read(
    qtbot: QtBot, large: Path
) -> None:
    asked: list[tuple[int, int]] = []

    class Counting:
        """A library that notes which rows it was asked for."""

        def __init__(self) -> None:
            self.library = Library.read(large)

        def episodes(self, query, order, limit, offset, descending):
            asked.append((offset, limit))
            return self.library.episodes(query, order, limit, offset, descending)

    reader = WorkThread("reader", Counting, lambda owned: owned.library.close())
    model = EpisodesModel(reader)
    table = EpisodesTable(model)
    qtbot.addWidget(table)
    table.resize(900, 600)
    model.show_search(EpisodeQuery(), 2000)
    table.show()
    qtbot.waitUntil(lambda: model.index(0, 0).data() == "00001999")
    assert model.rowCount() == 2000
    assert asked == [(0, PAGE)]
    table.scrollTo(model.index(1550, 0))
    qtbot.waitUntil(lambda: model.index(1550, 0).data() == "00000449")
    assert sorted(asked) == [(0, PAGE), (1500, PAGE)]
    assert model.pages_read() == 2 <= PAGES_KEPT
    reader.stop()


def test_the_newest_is_first_and_its_steps_are_shown(qtbot: QtBot, place: EpisodesPlace) -> None:
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    facts = place.inspector._facts
    qtbot.waitUntil(lambda: facts.value("Person") == "Ana P.")
    assert facts.value("Device") == "Wren 6, Android 15"
    assert facts.value("Screen") == "540 × 1200"
    assert facts.value("Pictures") == "8 of 8"
    assert facts.value("Result") == "complete"


def test_words_find_and_nothing_found_says_what_to_do(qtbot: QtBot, place: EpisodesPlace) -> None:
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    qtbot.keyClicks(place._search.edit, "dredger")
    wait_for_names(qtbot, place, ["e-0410"])
    assert place._found.text() == "1 of 2 episodes"
    qtbot.keyClicks(place._search.edit, " zebra")
    qtbot.waitUntil(lambda: place._stack.currentIndex() == 2)
    place._clear()
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])


def test_a_filter_is_a_term_that_can_be_taken_away(qtbot: QtBot, place: EpisodesPlace) -> None:
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    place._filters.toggle(FilterKind.APP, "Reader")
    wait_for_names(qtbot, place, ["e-0410"])
    qtbot.waitUntil(lambda: len(place._search._terms) == 1)
    assert [chip.text() for chip in place._search._terms] == ["Apps: Reader"]
    qtbot.mouseClick(place._search._terms[0], Qt.MouseButton.LeftButton)
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    qtbot.waitUntil(lambda: place._search._terms == [])


def test_several_values_of_a_filter_are_ticked_and_counts_are_of_what_remains(
    qtbot: QtBot, place: EpisodesPlace
) -> None:
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    groups = place._filters._groups
    apps, targets = groups[FilterKind.APP], groups[FilterKind.TARGETS]
    qtbot.waitUntil(lambda: "Reader" in apps.choices())
    assert {"Ana P."} <= set(groups[FilterKind.PERSON].choices())
    assert set(targets.choices()) <= {"All marked", "Some marked", "None marked"}
    qtbot.mouseClick(apps.choices()["Reader"], Qt.MouseButton.LeftButton)
    wait_for_names(qtbot, place, ["e-0410"])
    qtbot.waitUntil(lambda: apps.choices()["Reader"].isChecked())
    left = groups[FilterKind.PERSON].choices().values()
    assert [button.accessibleName().split(", ")[1] for button in left] == ["1 episode"]
    qtbot.mouseClick(apps.choices()["Contacts"], Qt.MouseButton.LeftButton)
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    qtbot.waitUntil(lambda: place._filters.terms() == [("app", "Apps: Reader, Contacts")])


def test_the_choice_follows_the_episode_and_not_the_row(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with Library.open(folder) as library:
        library.save_episodes(story.many(6))
    parts = WindowServices(folder)
    place = shown(qtbot, parts)
    try:
        qtbot.waitUntil(lambda: place.table.model().index(5, 0).data() == "00000000")
        chosen = chosen_names(place)
        place.table.choose(2)
        qtbot.waitUntil(lambda: chosen_names(place) == ["00000003"])
        for column, row in ((0, 3), (0, 2)):
            place.table._sort_by(column)
            qtbot.waitUntil(lambda r=row: place.table.currentIndex().row() == r)
            qtbot.waitUntil(lambda: chosen_names(place) == ["00000003"])
        with Library.open(folder) as library:
            library.save_episodes(
                [replace(next(iter(story.many(1))), uuid=str(UUID(int=9)), name="zz")]
            )
        place.refresh()
        qtbot.waitUntil(lambda: place.table.model().rowCount() == 7)
        qtbot.waitUntil(lambda: chosen_names(place) == ["00000003"])
        place.delete_chosen()
        qtbot.waitUntil(lambda: place.table.model().rowCount() == 6)
        qtbot.waitUntil(lambda: place.table.currentIndex().isValid())
        assert (chosen_names(place), place.selection.isVisible()) == ([], False)
        place.delete_chosen()
        qtbot.wait(100)
        assert place.table.model().rowCount() == 6
        assert chosen == ["00000005"]
    finally:
        parts.stop()


def chosen_names(place: EpisodesPlace) -> list[object]:
    model = place.table.model()
    return [
        model.index(row, 0).data()
        for first, count in place.table.selected_ranges()
        for row in range(first, first + count)
    ]


def test_enter_opens_the_chosen_one_in_annotate(qtbot: QtBot, place: EpisodesPlace) -> None:
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    qtbot.keyClick(place.table, Qt.Key.Key_Down)
    with qtbot.waitSignal(place.annotate) as opened:
        qtbot.keyClick(place.table, Qt.Key.Key_Return)
    assert opened.args == ["0c8d3c1e-1111-4111-8111-000000000410", 0]


def test_a_head_sorts_in_the_library(qtbot: QtBot, place: EpisodesPlace) -> None:
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])
    place.table._sort_by(3)
    wait_for_names(qtbot, place, ["e-0410", "e-0412"])
    place.table._sort_by(3)
    wait_for_names(qtbot, place, ["e-0412", "e-0410"])


@pytest.fixture
def empty(qtbot: QtBot, tmp_path: Path) -> Iterator[EpisodesPlace]:
    folder = tmp_path / "empty"
    Library.open(folder).close()
    parts = WindowServices(folder)
    yield shown(qtbot, parts)
    parts.stop()


def test_an_empty_library_says_how_to_begin(qtbot: QtBot, empty: EpisodesPlace) -> None:
    qtbot.waitUntil(lambda: empty._stack.currentIndex() == 1)
    assert empty._empty.title.text() == "No episodes yet"


def annotation(name: str, steps: list[dict[str, object]]) -> dict[str, object]:
    return {
        "episode_id": name,
        "device_info": {"w": 1080, "h": 2400, "device_name": "Wren 6"},
        "task_info": {
            "category": "Shopping",
            "app": ["Fernway"],
            "meta_task": "Buy",
            "task": "Buy",
            "instruction": "Put a shade plant in the basket",
        },
        "step_length": len(steps),
        "steps": steps,
    }


def step(number: int, action: str, info: object) -> dict[str, object]:
    return {
        "screenshot": f"0001_{number}.png",
        "step": number,
        "action": action,
        "info": info,
        "ps": "",
    }


def test_a_folder_and_then_its_predictions_are_imported(
    qtbot: QtBot, empty: EpisodesPlace, tmp_path: Path
) -> None:
    folder = tmp_path / "annotations"
    folder.mkdir()
    steps = [
        step(0, "CLICK", [[500, 500]]),
        step(1, "SCROLL", [[500, 800], [500, 200]]),
        step(2, "CLICK", None),
        step(3, "COMPLETE", ""),
    ]
    (folder / "0001.json").write_text(json.dumps(annotation("0001", steps)))
    with qtbot.waitSignal(empty.imports.finished):
        empty.importer.import_folder("guiodyssey", folder)
    wait_for_names(qtbot, empty, ["0001"])
    assert not empty.imports.busy()
    assert empty.imports._report.isVisible()
    assert "Imported annotations: 1 episode" in empty.imports._result.text()
    assert empty.imports._left_out.text() == "1 left out"
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        "".join(
            json.dumps({"episode": "0001", "step": number, "action": action}) + "\n"
            for number, action in enumerate(
                [{"kind": "tap", "at": {"point": [540, 1200]}}, {"kind": "wait"}]
            )
        )
    )
    with qtbot.waitSignal(empty.imports.finished):
        empty.importer.import_predictions(answers, "taptrail", "tidewater")
    assert empty.imports.error.text() == ""
    assert empty.imports._result.text().startswith("Run tidewater: 2 of 2 joined")


def drag(place: EpisodesPlace, path: Path, *, drop: bool) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
    none = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(place, QDragEnterEvent(QPoint(300, 300), *how, none))
    if drop:
        QApplication.sendEvent(place, QDropEvent(QPointF(300, 300), *how, none))


def test_a_dropped_folder_is_imported_and_a_dropped_file_asked_about(
    qtbot: QtBot, empty: EpisodesPlace, tmp_path: Path
) -> None:
    folder = tmp_path / "odyssey"
    folder.mkdir()
    steps = [step(0, "CLICK", [[500, 500]]), step(1, "COMPLETE", "")]
    (folder / "0007.json").write_text(json.dumps(annotation("0007", steps)))
    drag(empty, folder, drop=False)
    assert empty._sign.words() == "Import odyssey as a data set"
    with qtbot.waitSignal(empty.imports.finished):
        drag(empty, folder, drop=True)
    assert not empty._sign.isVisible()
    wait_for_names(qtbot, empty, ["0007"])
    drag(empty, tmp_path / "tidewater 7b.json", drop=True)
    assert empty.imports.form.isVisible()
    assert empty.imports.form._name.text() == "tidewater-7b"


def test_a_dropped_folder_of_something_else_is_said(
    qtbot: QtBot, empty: EpisodesPlace, tmp_path: Path
) -> None:
    (tmp_path / "holiday").mkdir()
    drag(empty, tmp_path / "holiday", drop=True)
    qtbot.waitUntil(lambda: empty.error.isVisible())
    assert empty.error.text().startswith("Cannot import holiday: it contains no episodes")


def test_what_cannot_be_imported_is_said_in_one_sentence(
    qtbot: QtBot, empty: EpisodesPlace, tmp_path: Path
) -> None:
    with qtbot.waitSignal(empty.imports.finished):
        empty.importer.import_folder("guiodyssey", tmp_path / "not there")
    assert empty.imports.error.isVisible()
    assert empty.imports.error.text().startswith("Cannot ")
