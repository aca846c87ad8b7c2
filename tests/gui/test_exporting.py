"""Losses of an export, as shown in the window."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from taptrail.gui.episodes.place import EpisodesPlace
from taptrail.gui.history import ChangeHistory
from taptrail.gui.services import WindowServices
from tests.gui import story


def test_losses_are_said_with_their_number_and_with_steps_counted_from_one(
    qtbot: QtBot, parts: WindowServices, tmp_path: Path
) -> None:
    history = ChangeHistory(parts.folder, parts.library, parts.reader, story.ANA, parts)
    place = EpisodesPlace(parts.folder, parts.reader, parts.library, parts.small, history)
    qtbot.addWidget(place)
    place.show()
    place.entered()
    qtbot.waitUntil(lambda: place.table.model().index(0, 0).data() == "e-0412")
    place.table.choose(0)
    with qtbot.waitSignal(place.imports.finished, timeout=20_000):
        place.export_chosen("guiodyssey", "2", tmp_path)
    lines = place.imports._list.toPlainText().splitlines()
    assert "GUIOdyssey has no open app: 1  (first in e-0412, step 1)" in lines
    assert "The app in front: 7  (first in e-0412, step 2)" in lines
    assert not [line for line in lines if "step 0" in line or "×" in line]
