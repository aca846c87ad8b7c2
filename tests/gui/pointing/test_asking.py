"""Pointing at an element in the window asks the real worker, and its masks become candidates."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.sam2.client import Sam2
from episodes.annotations import RegionSource
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.annotate.frame import Tool
from taptrail.gui.annotate.place import AnnotatePlace
from taptrail.gui.annotate.segmenter_client import Sam2Client
from taptrail.gui.main_window import MainWindow
from taptrail.gui.services import WindowServices
from tests.gui import story
from tests.taptrail.segmenting import screens


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pilot-study"
    screens.build(made)
    return made


@pytest.fixture
def parts(folder: Path) -> Iterator[WindowServices]:
    made = WindowServices(folder)
    yield made
    made.stop()


def opened(qtbot: QtBot, folder: Path, parts: WindowServices, asking: Sam2Client) -> AnnotatePlace:
    place = AnnotatePlace(
        folder, parts.reader, parts.library, parts.small, parts.large, story.ANA, asking
    )
    asking.changed.connect(place.look_for_model)
    window = MainWindow([(place, "vector-square")])
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    window.go_to(0)
    qtbot.waitUntil(lambda: place.where() == ("e-0001", 0))
    return place


def test_a_place_asks_sam2_and_its_masks_become_candidates(
    qtbot: QtBot, folder: Path, parts: WindowServices, sam2: Sam2
) -> None:
    asking = Sam2Client(folder, lambda: sam2)
    try:
        place = opened(qtbot, folder, parts, asking)
        qtbot.waitUntil(place.tools.point.isEnabled)
        place.navigation.turn_to(2)
        place.frame.setFocus()
        qtbot.keyClick(place.frame, Qt.Key.Key_Q)
        assert place.frame.tool() is Tool.POINT
        qtbot.keyClick(place.frame, Qt.Key.Key_Return)
        qtbot.waitUntil(
            lambda: not place.prompts.waiting() and place.saved(), timeout=120_000
        )  # the worker gives way to whatever else the machine does
        step = place.state.steps()[2]
        qtbot.waitUntil(lambda: bool(place.state.steps()[2].regions))
        step = place.state.steps()[2]
        best = max(step.regions, key=lambda one: one.provenance.score or 0.0)
        assert {one.provenance.source for one in step.regions} == {RegionSource.SAM2}
        assert best.box is not None
        assert best.box.overlap(screens.box("left card")) > 0.8
        assert best.author == story.ANA
        at = next(at for at, one in enumerate(_boxes(place)) if one == best.box)
        place.navigation.focus_on(at)
        assert place.frame.tool() is Tool.POINT  # it stays in the hand
        place.acceptance.accept()
        qtbot.waitUntil(place.saved)
    finally:
        asking.stop()
    with Library.read(folder) as library:
        target = library.episode("e-0001").steps[2].target
    assert target is not None
    assert target.box == best.box


def _boxes(place: AnnotatePlace) -> list[object]:
    step = place.state.opened()
    assert step is not None
    return [one.region.box for one in step.choices]


def test_without_a_checkpoint_the_tool_says_what_to_do(
    qtbot: QtBot, folder: Path, parts: WindowServices
) -> None:
    def opening() -> Sam2:
        raise KnownError("open SAM 2", "there is no checkpoint", "Run taptrail models get.")

    asking = Sam2Client(folder, opening)
    try:
        place = opened(qtbot, folder, parts, asking)
        qtbot.waitUntil(lambda: "There is no checkpoint" in place.tools.point.toolTip())
        assert place.tools.point.toolTip() == "There is no checkpoint. Run taptrail models get."
        assert not place.tools.avoid.isEnabled()
    finally:
        asking.stop()
