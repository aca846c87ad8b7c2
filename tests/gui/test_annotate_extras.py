"""The tolerance, the screen after a step, suggestions by one button, and words in little room."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot

from episodes.annotations import Objection, RegionSource
from episodes.store.library import Library
from taptrail.gui.annotate.choices import ROW
from taptrail.gui.annotate.fitting import FittingLabel, fitting
from taptrail.gui.annotate.place import AnnotatePlace
from taptrail.gui.annotate.regions import MOST
from taptrail.gui.fonts import FACTS, font
from taptrail.gui.services import WindowServices
from taptrail.usecases import annotating, reviewing
from taptrail.usecases.suggestions import PROGRAM
from tests.gui import annotate_story, story


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extras") / "pilot-study"
    annotate_story.build(folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path, built: Path) -> Path:
    shutil.copytree(built, tmp_path / "pilot-study")
    return tmp_path / "pilot-study"


@pytest.fixture
def place(qtbot: QtBot, folder: Path) -> Iterator[AnnotatePlace]:
    parts = WindowServices(folder)
    made = AnnotatePlace(folder, parts.reader, parts.library, parts.small, parts.large, story.ANA)
    qtbot.addWidget(made)
    made.resize(1280, 760)
    made.show()
    made.entered()
    made.open_at(annotate_story.UUID, 1)
    qtbot.waitUntil(lambda: made.where() == (annotate_story.NAME, 1))
    qtbot.waitUntil(lambda: made.frame.image() is not None)
    yield made
    made.leaving()
    parts.stop()


def suggested(folder: Path) -> list[int]:
    """Returns how many suggestions each step of the story has."""
    with Library.read(folder) as library:
        steps = library.episode(annotate_story.UUID).steps
    return [
        sum(one.provenance.source is RegionSource.SUGGESTION for one in step.regions)
        for step in steps
    ]


def test_the_tolerance_is_that_of_the_rules_in_use_and_follows_the_step(
    qtbot: QtBot, place: AnnotatePlace, folder: Path
) -> None:
    painting = place.parts.painting
    with Library.read(folder) as library:
        episode = library.episode(annotate_story.UUID)

    def right(row: int, protocol: str) -> object:
        return reviewing.tolerance(episode, episode.steps[row], protocol)

    assert painting.tolerance is None
    qtbot.keyClick(place.frame, Qt.Key.Key_Y)
    qtbot.waitUntil(lambda: painting.tolerance == right(1, "guiodyssey@2"))
    assert painting.tolerance is not None
    qtbot.keyClick(place.frame, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: painting.tolerance == right(2, "guiodyssey@2"))
    place.use_protocol("taptrail-strict@1")
    qtbot.waitUntil(lambda: painting.tolerance == right(2, "taptrail-strict@1"))
    assert "taptrail-strict v1" in place.tools.tolerance.accessibleName()
    qtbot.keyClick(place.frame, Qt.Key.Key_Y)
    assert (painting.tolerance, place.tools.tolerance.isChecked()) == (None, False)


def test_the_screen_after_a_step_is_looked_at_and_nothing_is_done_on_it(
    qtbot: QtBot, place: AnnotatePlace
) -> None:
    before = place.frame.image()
    qtbot.keyClick(place.frame, Qt.Key.Key_B)
    assert place.frame.banner() == "After the step, before the next step"
    qtbot.waitUntil(lambda: place.frame.image() not in (None, before))
    assert place.frame.accessibleDescription() == place.frame.banner()
    assert not place.decision.go.isEnabled()
    qtbot.keyClick(place.frame, Qt.Key.Key_E)
    assert (place.where()[1], place.saved()) == (1, True)
    qtbot.keyClick(place.frame, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: place.frame.image() is before)
    assert place.decision.go.isEnabled()
    qtbot.keyClick(place.frame, Qt.Key.Key_B)
    qtbot.keyClick(place.frame, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: place.frame.image() is before)
    assert (place.frame.banner(), place.tools.after.isChecked()) == ("", False)
    qtbot.keyClick(place.frame, Qt.Key.Key_B)
    place.navigation.turn_by(1)
    assert (place.frame.banner(), place.where()[1]) == ("", 2)


def test_one_button_suggests_for_all_presses_as_the_command_does(
    qtbot: QtBot, place: AnnotatePlace, folder: Path, tmp_path: Path
) -> None:
    twin = tmp_path / "twin"
    shutil.copytree(folder, twin)
    with Library.open(twin) as library:
        annotating.propose(library, story.ANA, suggest=True)
    said: list[str] = []
    place.said.connect(said.append)
    place.parts.suggest.click()
    assert place.parts.jobs.isVisible()
    assert not place.parts.suggest.isEnabled()
    qtbot.waitUntil(lambda: said != [])
    assert suggested(folder) == suggested(twin)
    assert sum(suggested(folder)) > 0
    assert "candidates are new" in said[0]
    assert (place.parts.jobs.isVisible(), place.parts.suggest.isEnabled()) == (False, True)

    def shown() -> bool:
        opened = place.state.opened()
        sources = [one.region.provenance.source for one in opened.choices] if opened else []
        return RegionSource.SUGGESTION in sources

    qtbot.waitUntil(shown)
    with Library.read(folder) as library:
        made = [edit for edit in library.edits() if edit.author.uuid == PROGRAM.uuid]
    assert {edit.operation for edit in made} == {"region.propose"}
    for _ in library_lines(folder):
        place.undo()
    qtbot.waitUntil(lambda: place.saved() and sum(suggested(folder)) == 0)


def test_of_many_candidates_those_about_the_focus_have_a_row_until_all_are_asked_for(
    qtbot: QtBot, place: AnnotatePlace
) -> None:
    place.parts.suggest.click()
    choices = place.decision.choices

    def many() -> bool:
        opened = place.state.opened()
        return opened is not None and len(opened.choices) > 7

    qtbot.waitUntil(lambda: many() and choices.hidden() > 0)
    assert place.decision.go.isVisible()
    opened = place.state.opened()
    assert opened is not None
    count = len(opened.choices)
    assert (len(choices.lines()), choices.hidden()) == (count + 1, count - MOST)
    place.navigation.focus_on(count - 1)
    assert choices._shown == list(range(count - MOST, count))
    chosen: list[int] = []
    choices.chosen.connect(chosen.append)
    spot = QPoint(100, ROW // 2)
    qtbot.mouseClick(choices, Qt.MouseButton.LeftButton, pos=spot)
    assert chosen == [count - MOST]
    qtbot.mouseClick(choices, Qt.MouseButton.LeftButton, pos=QPoint(100, ROW * MOST + 10))
    assert (choices.hidden(), choices.height()) == (0, ROW * (count + 1))


def library_lines(folder: Path) -> list[int]:
    """Returns the numbers of the journal's lines of the story."""
    with Library.read(folder) as library:
        return [edit.number for edit in library.edits(annotate_story.UUID)]


def test_suggesting_is_stopped_by_its_key_and_goes_on_where_it_was(
    qtbot: QtBot, place: AnnotatePlace, folder: Path
) -> None:
    said: list[str] = []
    place.said.connect(said.append)
    qtbot.keyClick(place.frame, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(place.frame, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: said != [])
    assert said[0].endswith("stopped before the end")
    kept = suggested(folder)
    qtbot.keyClick(place.frame, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(said) == 2)
    assert all(one <= other for one, other in zip(kept, suggested(folder), strict=True))
    assert sum(suggested(folder)) > 0


def test_what_people_object_to_stands_at_the_step(
    qtbot: QtBot, place: AnnotatePlace, folder: Path
) -> None:
    with Library.open(folder, create=False) as library:
        library.editor(story.ANA).judge_step(
            annotate_story.UUID, 1, Objection.GOLD, "the form was meant"
        )
    place.read_again()
    wanted = "Ana P. objects to this step: the form was meant"
    qtbot.waitUntil(lambda: place.decision._said.text() == wanted)
    place.navigation.turn_by(1)
    assert place.decision._said.text() == ""


def test_words_are_said_otherwise_where_room_is_short(qtbot: QtBot) -> None:
    ways = ("uiautomator · asked 90 ms before touch", "asked 90 ms before touch", "90 ms before")
    metrics = QFontMetricsF(font(FACTS))
    rooms = [metrics.horizontalAdvance(words) for words in ways]
    assert [fitting(ways, metrics, room) for room in rooms] == list(ways)
    assert fitting(ways, metrics, rooms[2] - 8).endswith("…")
    label = FittingLabel()
    qtbot.addWidget(label)
    label.set_ways(*ways)
    label.resize(round(rooms[1]) + 1, 20)
    label.show()
    assert (label.shown(), label.text()) == (ways[1], ways[0])
    label.grab()
    assert ways[0] in label.toolTip()


def test_the_main_button_says_it_in_fewer_words_in_a_narrow_panel(place: AnnotatePlace) -> None:
    place.navigation.turn_to(1)
    go, panel = place.decision.go, place.decision
    seen = []
    for width in (420, 330, 282):
        panel.setFixedWidth(width)
        panel._cut_answer()
        seen.append(go.text())
    assert not any("…" in words for words in seen)
    assert len(seen[0]) >= len(seen[1]) >= len(seen[2])
    assert seen[0] == panel._answer[0]
