"""Dialogs for files open where one was last for that kind of thing."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QFileInfo
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from taptrail.gui import icons, theme
from taptrail.gui.components import dialogs
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.window_state import WindowState

FOLDER, FILE = QFileDialog.FileMode.Directory, QFileDialog.FileMode.ExistingFile


@pytest.fixture
def owner(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def begins_in(owner: QWidget, kind: str) -> Path:
    dialog = file_dialog(owner, "Where", kind, lambda _: None, FOLDER)
    return Path(dialog.directory().absolutePath())


def test_each_kind_of_thing_begins_where_it_was_last_also_after_a_restart(
    owner: QWidget, tmp_path: Path
) -> None:
    state = tmp_path / "state" / "window.json"
    dialogs.use(WindowState(state))
    sets, out, answers = (tmp_path / name for name in ("sets", "out", "answers"))
    for folder in (sets / "aitw", out, answers):
        folder.mkdir(parents=True)
    taken: list[str] = []
    for kind, mode, into, path in (
        ("import", FOLDER, False, sets / "aitw"),
        ("export", FOLDER, True, out),
        ("predictions", FILE, False, answers / "p.json"),
    ):
        file_dialog(owner, "Where", kind, taken.append, mode, into=into).fileSelected.emit(
            str(path)
        )
    assert taken == [str(sets / "aitw"), str(out), str(answers / "p.json")]
    dialogs.use(WindowState(state))
    begun = [begins_in(owner, kind) for kind in ("import", "export", "predictions")]
    assert begun == [sets, out, answers]


def test_a_folder_that_is_gone_is_not_gone_to(owner: QWidget, tmp_path: Path) -> None:
    dialogs.use(WindowState())
    before = begins_in(owner, "import")
    file_dialog(owner, "Where", "import", lambda _: None).fileSelected.emit(str(tmp_path / "a/b"))
    assert begins_in(owner, "import") == before


@pytest.mark.parametrize("kept", [{"folders": 5}, {"folders": {"import": 7}}, [], "x"])
def test_a_file_that_holds_something_else_is_forgotten(tmp_path: Path, kept: object) -> None:
    file = tmp_path / "window.json"
    file.write_text(json.dumps(kept))
    assert WindowState(file).folder("import") == ""


def test_a_file_dialog_has_the_windows_style(owner: QWidget, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    dialog = file_dialog(owner, "Where", "style", lambda _: None, FOLDER)
    dialog.setDirectory(str(tmp_path))
    dialog.show()
    assert dialog.testOption(QFileDialog.Option.DontUseNativeDialog)
    picture = dialog.grab().toImage()
    assert picture.pixelColor(3, 3).name().upper() == theme.LIGHT.window
    provider = dialog.iconProvider()
    assert provider is not None
    shown = provider.icon(QFileInfo(str(tmp_path / "set"))).pixmap(20, 20).toImage()
    assert shown == icons.icon("folder-outline").pixmap(20, 20).toImage()
