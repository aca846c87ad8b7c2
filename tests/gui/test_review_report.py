"""A report is written from the window by the use case of the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.services import WindowServices
from taptrail.usecases.report_files import ReportOptions, write_report
from tests.gui import story


@pytest.fixture
def place(qtbot: QtBot, parts: WindowServices) -> Iterator[ReviewPlace]:
    made = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large)
    qtbot.addWidget(made)
    made.resize(1280, 760)
    made.show()
    made.entered()
    qtbot.waitUntil(lambda: made.differing.lines() != [])
    yield made
    made.leaving()


def without_times(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    return "\n".join(row for row in text.splitlines() if "UTC" not in row and "+00:00" not in row)


def test_the_page_is_that_of_the_command_and_can_be_opened(
    qtbot: QtBot, place: ReviewPlace, parts: WindowServices, tmp_path: Path
) -> None:
    opened: list[QUrl] = []
    place.reporting.opens = opened.append
    page = tmp_path / "mine" / "report.html"
    page.parent.mkdir()
    place.reporting.write("page", page, place.runs(), "guiodyssey@2")
    assert place.reporting.job.isVisible()
    qtbot.waitUntil(lambda: place.reporting.words() != "")
    assert place.reporting.words().startswith("Written: report.html · 5 of 5 steps shown · ")
    assert not place.reporting.job.isVisible()
    other = tmp_path / "other" / "report.html"
    other.parent.mkdir()
    write_report(parts.folder, list(story.RUNS), ["guiodyssey@2"], ReportOptions(page=other))
    assert without_times(page) == without_times(other)
    place.reporting.open.click()
    place.reporting.folder.click()
    assert [url.toLocalFile() for url in opened] == [str(page), str(page.parent)]


@pytest.mark.parametrize(
    ("kind", "name", "files"),
    [
        ("csv", "tables", {"sides.csv", "numbers.csv", "tables.csv", "kinds.csv", "steps.csv"}),
        ("markdown", "report.md", {"report.md"}),
        ("latex", "report.tex", {"report.tex"}),
    ],
)
def test_tables_can_be_had_in_other_forms(
    qtbot: QtBot, place: ReviewPlace, tmp_path: Path, kind: str, name: str, files: set[str]
) -> None:
    place.reporting.write(kind, tmp_path / name, place.runs(), "taptrail-strict@1")
    qtbot.waitUntil(lambda: place.reporting.words().startswith("Written: "))
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == files


def test_what_cannot_be_written_is_said(qtbot: QtBot, place: ReviewPlace, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place.reporting.write("page", tmp_path / "file" / "r.html", place.runs(), "guiodyssey@2")
    qtbot.waitUntil(lambda: "r.html" in place.reporting.words())
    assert place.reporting.words().startswith("Cannot write ")
    assert not place.reporting.job.isVisible()


def test_a_cancelled_report_leaves_no_file(
    qtbot: QtBot, place: ReviewPlace, tmp_path: Path
) -> None:
    place.reporting.write("page", tmp_path / "r.html", place.runs(), "guiodyssey@2")
    place.reporting.job.cancelled.emit()
    qtbot.waitUntil(lambda: not place.reporting.job.isVisible())
    assert list(tmp_path.iterdir()) == []
    assert place.reporting.words() == ""


def test_the_button_asks_what_and_where(qtbot: QtBot, place: ReviewPlace) -> None:
    place.strip.setFocus()
    qtbot.keyClick(place.strip, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    (menu,) = place.report.findChildren(QMenu)
    assert [action.text() for action in menu.actions()] == [
        "One HTML page…",
        "Tables as CSV files…",
        "Tables as Markdown…",
        "Tables as LaTeX…",
    ]
    menu.actions()[0].trigger()
    menu.close()
    (dialog,) = place.reporting.findChildren(QFileDialog)
    assert dialog.isVisible()
    assert dialog.defaultSuffix() == "html"
    dialog.reject()
    place.choose_runs([])
    qtbot.waitUntil(lambda: not place.report.isEnabled())
    assert place.report.toolTip() == "Choose a run to report on"
