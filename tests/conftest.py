"""What holds for every test: a home of its own, Qt without a display, and no unexpected log line.

Qt is not imported here, so that the tests of everything but the window run where Qt is missing.
"""

import logging
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

PACKAGES = (
    "annotator",
    "assets",
    "demophone",
    "episodes",
    "recorder",
    "replay",
    "scoring",
    "taptrail",
)

# opencv-python points these at the Qt it brings along, as soon as it is imported.
QT_VARIABLES_OF_OPENCV = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
qt_variables_before = {name: os.environ.get(name) for name in QT_VARIABLES_OF_OPENCV}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--headed", action="store_true", help="open windows on the display")
    parser.addoption("--core", action="store_true", help="leave out what needs torch and sam2")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--headed"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts what runs in the background deaf to Ctrl-C, and the programs that tests
        # start and stop would inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def move_home(home: Path, set_variable: Callable[[str, str], None]) -> None:
    """Point everything that stores settings, data, keys or sockets for a person at `home`."""
    set_variable("HOME", str(home))
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        set_variable(f"XDG_{kind}_HOME", str(home / kind.lower()))
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        runtime = home / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        set_variable("XDG_RUNTIME_DIR", str(runtime))


@pytest.fixture(autouse=True, scope="session")
def home_between_tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home for fixtures of a wider scope than one test; the folder holds each test's home."""
    folder = tmp_path_factory.mktemp("homes")
    move_home(folder, os.environ.__setitem__)
    return folder


@pytest.fixture(autouse=True)
def home(
    home_between_tests: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """An empty home directory for this test alone."""
    # pytest's numbered folders cost time for each folder that is there already.
    folder = Path(tempfile.mkdtemp(prefix="home-", dir=home_between_tests))
    move_home(folder, monkeypatch.setenv)
    for name, value in qt_variables_before.items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    return folder


class Watch(logging.Handler):
    """Collects what our packages log as WARNING or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.expected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.partition(".")[0] in PACKAGES:
            self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def log_watch() -> Iterator[Watch]:
    watch = Watch()
    logging.getLogger().addHandler(watch)
    yield watch
    logging.getLogger().removeHandler(watch)
    surprises = [
        line for line in watch.lines if not any(re.search(one, line) for one in watch.expected)
    ]
    absent = [one for one in watch.expected if not any(re.search(one, x) for x in watch.lines)]
    if surprises or absent:
        pytest.fail(
            "\n".join(
                [f"not expected in the log: {line}" for line in surprises]
                + [f"expected in the log, but not there: {one}" for one in absent]
            ),
            pytrace=False,
        )


@pytest.fixture
def expected_log(log_watch: Watch) -> Callable[[str], None]:
    """Declare, as a regular expression, a warning or error that this test has to cause."""
    return log_watch.expected.append


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Leaves no window to the next test: Qt would style and draw the old ones along."""
    widgets, core = sys.modules.get("PySide6.QtWidgets"), sys.modules.get("PySide6.QtCore")
    if widgets is None or core is None or widgets.QApplication.instance() is None:
        return
    for window in widgets.QApplication.topLevelWidgets():
        window.deleteLater()
    core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete)
