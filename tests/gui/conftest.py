"""What the window's tests share: a theme, a library with a story, and threads that end."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from recorder.device.interface import Devices
from taptrail.gui import theme
from taptrail.gui.fonts import font
from taptrail.gui.services import WindowServices
from taptrail.usecases.demo_phone import running_demo_phone
from tests.gui import story

PATIENCE_MS = 20_000


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skips tests that need torch and sam2 with `--core`."""
    needs = collection_path.name == "test_segmenting.py"
    return True if needs and config.getoption("--core") else None


@pytest.fixture
def qtbot(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QtBot:
    """Waits longer in vain than pytest-qt's 5 s: a busy machine is no failure."""
    monkeypatch.setattr(qtbot, "waitUntil", partial(qtbot.waitUntil, timeout=PATIENCE_MS))
    return qtbot


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> Iterator[None]:
    """Every test begins in the light theme."""
    qapp.setFont(font())
    theme.apply("light")
    yield
    theme.apply("light")


@pytest.fixture(scope="session")
def story_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that tests only read."""
    folder = tmp_path_factory.mktemp("library") / "pilot-study"
    story.build(folder)
    return folder


@pytest.fixture(scope="module")
def phone() -> Iterator[tuple[str, Devices]]:
    """The demo phone's serial, and its adb."""
    with running_demo_phone(deterministic=True) as demo:
        yield demo.serial, demo.devices


@pytest.fixture
def parts(story_folder: Path) -> Iterator[WindowServices]:
    made = WindowServices(story_folder)
    yield made
    made.stop()
