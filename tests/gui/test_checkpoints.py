"""Checkpoints in the settings: fetched with progress, cancelled, gone on with, added and chosen."""

import hashlib
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.sam2 import checkpoints as listed
from annotator.sam2 import local_checkpoints
from annotator.sam2.checkpoints import CHECKPOINTS
from annotator.sam2.local_checkpoints import add_checkpoint, models_folder
from recorder.devices import open_devices
from taptrail.gui import app as gui
from taptrail.gui.components.chip import Chip
from taptrail.settings import Settings, load_settings
from tests.gui import story

DATA = bytes(range(256)) * 8_000
TINY = replace(CHECKPOINTS["tiny"], size=len(DATA), sha256=hashlib.sha256(DATA).hexdigest())


class Mirror(ThreadingHTTPServer):
    """Gives half of the file and waits, until it is told to go on."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.goes_on = threading.Event()
        self.begins: list[int] = []


class Handler(BaseHTTPRequestHandler):
    server: Mirror

    def log_message(self, *told: object) -> None:
        pass

    def do_GET(self) -> None:
        told = self.headers.get("Range", "bytes=0-")
        begin = int(told.removeprefix("bytes=").rstrip("-"))
        self.server.begins.append(begin)
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(DATA) - begin))
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(DATA) - 1}/{len(DATA)}")
        self.end_headers()
        half = max(begin, len(DATA) // 2)
        self.wfile.write(DATA[begin:half])
        self.wfile.flush()
        self.server.goes_on.wait(20)
        self.wfile.write(DATA[half:])


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    server = Mirror()
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    yield server
    server.goes_on.set()
    server.shutdown()
    server.server_close()
    serving.join()


@pytest.fixture
def window(
    qtbot: QtBot, tmp_path: Path, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> Iterator[gui.Window]:
    monkeypatch.setitem(CHECKPOINTS, "tiny", TINY)
    for module in (listed, local_checkpoints):
        monkeypatch.setattr(module, "BY_SHA256", {TINY.sha256: TINY})
    settings = Settings(
        author="Ana P.",
        author_uuid=story.ANA.uuid,
        models_mirror=f"http://127.0.0.1:{mirror.server_port}",
    )
    made = gui.Window(
        settings,
        tmp_path / "library",
        open_devices(1, "127.0.0.2"),
        file=tmp_path / "settings.toml",
    )
    qtbot.addWidget(made.main)
    made.main.show()
    with qtbot.waitActive(made.main):
        made.main.activateWindow()
    qtbot.keyClick(made.main, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(made.settings.checkpoints.lines) == 4)
    yield made
    made.stop()


def test_a_checkpoint_is_fetched_cancelled_and_gone_on_with(
    qtbot: QtBot, window: gui.Window, mirror: Mirror
) -> None:
    page = window.settings.checkpoints
    line = page.lines["tiny"]
    assert (line.act.text(), line.words()) == ("Get", "tiny: 2 MB, 1.2 GB of memory")
    assert not page.cancel.isVisible()
    line.act.click()
    qtbot.waitUntil(lambda: page.said.text() == "fetching tiny, 1 of 2 MB")
    assert not page.lines["small"].act.isEnabled()
    with qtbot.waitSignal(page.settled) as said:
        page.cancel.click()
        mirror.goes_on.set()
    assert said.args == ["Cancelled; the next download continues"]
    mirror.goes_on.set()
    with qtbot.waitSignal(page.settled) as said:
        page.lines["tiny"].act.click()
    assert said.args == ["tiny is ready"]
    assert mirror.begins[0] == 0
    assert mirror.begins[1] >= len(DATA) // 2
    assert (models_folder() / TINY.file).read_bytes() == DATA
    qtbot.waitUntil(lambda: page.models[0].used)
    assert not page.lines["tiny"].act.isVisible()


def test_the_window_closes_in_the_middle_of_a_download(
    qtbot: QtBot, window: gui.Window, mirror: Mirror
) -> None:
    page = window.settings.checkpoints
    page.lines["tiny"].act.click()
    qtbot.waitUntil(lambda: page.said.text() == "fetching tiny, 1 of 2 MB")
    progress = page.progress
    assert progress is not None

    def go_on() -> None:
        while not progress.is_cancelled():
            time.sleep(0.01)
        mirror.goes_on.set()

    going_on = threading.Thread(target=go_on)
    going_on.start()
    window.stop()
    going_on.join()
    assert not (models_folder() / TINY.file).exists()
    assert (models_folder() / f"{TINY.file}.part").stat().st_size >= len(DATA) // 2


def test_what_cannot_be_added_is_said_and_a_file_of_ones_own_is_used(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    page = window.settings.checkpoints
    other, own = tmp_path / "other.pt", tmp_path / "own.pt"
    other.write_bytes(b"something else")
    own.write_bytes(DATA)
    with qtbot.waitSignal(page.failed):
        page.add_file(str(other))
    assert "other.pt" in window.settings.error.text()
    assert "--trust" not in window.settings.error.text()
    with qtbot.waitSignal(page.settled):
        page.add_file(str(own))
    assert window.settings.error.isHidden()
    qtbot.waitUntil(lambda: page.models[0].found is not None)
    with qtbot.waitSignal(page.used):
        page.use("tiny")
    kept = load_settings(tmp_path / "settings.toml")
    assert kept.checkpoint == models_folder() / TINY.file


def test_tab_goes_down_the_lines_and_then_to_what_stands_below(
    qtbot: QtBot, window: gui.Window
) -> None:
    page = window.settings.checkpoints
    page.lines["tiny"].act.setFocus()
    went = []
    for _ in range(5):
        focus = page.window().focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
        went.append(page.window().focusWidget())
    below = [page.lines[name].act for name in ("small", "base-plus", "large")]
    assert went == [*below, page.add, page.measure]


def test_what_is_under_way_is_cancelled_by_the_key_that_began_it(
    qtbot: QtBot, window: gui.Window, mirror: Mirror
) -> None:
    page = window.settings.checkpoints
    page.lines["tiny"].act.setFocus()
    qtbot.keyClick(page.lines["tiny"].act, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: page.said.text() == "fetching tiny, 1 of 2 MB")
    assert page.window().focusWidget() is page.cancel
    with qtbot.waitSignal(page.settled) as said:
        qtbot.keyClick(page.cancel, Qt.Key.Key_Space)
        mirror.goes_on.set()
    assert said.args == ["Cancelled; the next download continues"]
    qtbot.waitUntil(lambda: page.window().focusWidget() is page.measure)


def test_a_checkpoint_that_no_table_lists_is_marked_in_its_line(
    qtbot: QtBot, window: gui.Window, tmp_path: Path
) -> None:
    page = window.settings.checkpoints
    own = tmp_path / "own.pt"
    own.write_bytes(b"weights of our own")
    add_checkpoint(own, trust=True)
    page.look()
    qtbot.waitUntil(lambda: "own" in page.lines)
    chips = [chip.text() for chip in page.lines["own"].findChildren(Chip)]
    assert chips == ["In use", "Unlisted"]
