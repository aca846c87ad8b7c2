"""A file of predictions in another dialect than was said: the form stays, and says which."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from episodes.store.library import Library
from taptrail.gui.episodes.place import EpisodesPlace
from taptrail.gui.history import ChangeHistory
from taptrail.gui.services import WindowServices
from tests.gui import story
from tests.taptrail.test_dialect_search import OURS


@pytest.fixture
def place(qtbot: QtBot, tmp_path: Path) -> Iterator[EpisodesPlace]:
    story.build(tmp_path / "library")
    parts = WindowServices(tmp_path / "library")
    history = ChangeHistory(parts.folder, parts.library, parts.reader, story.ANA, parts)
    made = EpisodesPlace(parts.folder, parts.reader, parts.library, parts.small, history)
    qtbot.addWidget(made)
    made.resize(1280, 760)
    made.show()
    made.entered()
    yield made
    parts.stop()


def written(tmp_path: Path) -> Path:
    file = tmp_path / "tidewater.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in OURS))
    return file


def test_the_form_begins_with_the_dialect_that_reads_the_file(
    qtbot: QtBot, place: EpisodesPlace, tmp_path: Path
) -> None:
    place.importer.ask_predictions(written(tmp_path))
    form = place.imports.form
    assert form.dialect.value() == "guiodyssey"
    qtbot.waitUntil(lambda: form.dialect.value() == "taptrail")


def test_a_dialect_that_a_person_has_chosen_is_left(
    qtbot: QtBot, place: EpisodesPlace, tmp_path: Path
) -> None:
    file = written(tmp_path)
    form = place.imports.form
    place.importer.ask_predictions(file)
    form.dialect.put("aguvis")
    form.suggest(file, ("taptrail",))
    assert form.dialect.value() == "aguvis"


def test_the_form_stays_filled_in_when_the_file_cannot_be_read(
    qtbot: QtBot, place: EpisodesPlace, tmp_path: Path
) -> None:
    place.importer.ask_predictions(written(tmp_path))
    form = place.imports.form
    qtbot.waitUntil(lambda: form.dialect.value() == "taptrail")
    form.dialect.put("guiodyssey")
    form._name.setText("mine")
    with qtbot.waitSignal(place.imports.finished, timeout=20_000):
        form._send()
    assert place.imports.error.text().endswith(
        "Its first rows can be read in the dialect taptrail."
    )
    assert (form.isVisible(), form._name.text()) == (True, "mine")
    form.dialect.put("taptrail")
    with qtbot.waitSignal(place.imports.finished, timeout=20_000):
        form._send()
    assert not form.isVisible()
    with Library.read(tmp_path / "library") as library:
        assert "mine" in [run.name for run in library.runs()]
