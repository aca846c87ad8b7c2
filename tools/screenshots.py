"""Draws the pictures of the window that stand in the documents.

    python tools/screenshots.py [--to docs/images] [--all]

Everything in them is real: the demo phone, a visit recorded on it, the sample data set, and two
runs with known mistakes. Without `--all` only 1280 x 800 in both themes is drawn; with it also
1920 x 1080 and a display of 200 %. Needs no display.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QEventLoop, Qt, QTimer  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402

from episodes.actions import Ending  # noqa: E402
from episodes.errors import KnownError  # noqa: E402
from episodes.geometry import Point  # noqa: E402
from episodes.store.library import Library  # noqa: E402
from episodes.trees.reading import read_tree  # noqa: E402
from recorder.device.phone import Phone  # noqa: E402
from recorder.events import SessionState  # noqa: E402
from recorder.trees import TREE_SOURCES  # noqa: E402
from taptrail.gui import app as gui  # noqa: E402
from taptrail.gui import theme  # noqa: E402
from taptrail.settings import Settings  # noqa: E402
from taptrail.usecases.demo import SEED, TASK, record_visit  # noqa: E402
from taptrail.usecases.demo_phone import DemoPhone, running_demo_phone  # noqa: E402
from taptrail.usecases.known_mistakes import Kind, answers  # noqa: E402
from taptrail.usecases.predictions import import_predictions  # noqa: E402
from taptrail.usecases.sample import import_sample, open_sample  # noqa: E402

SETTINGS = Settings(author="Ana P.", author_uuid="7a1f6e0c-0000-4000-8000-000000000001")
RUNS = {
    "tidewater-7b": (11, (Kind.WRONG_TEXT,)),
    "saltmarsh-3b": (5, (Kind.FAR, Kind.WRONG_ACTION, Kind.WRONG_TEXT, Kind.UNREADABLE)),
}
SIZES = {1: ((1280, 800), (1920, 1080)), 2: ((1280, 800),)}
DONE = (
    ("Contacts", ""),
    ("New contact", ""),
    ("First name", "Mara"),
    ("Last name", "Quill"),
)
"""What is touched in the picture of Record, and what is then typed."""
WAIT_S = 40.0


def main() -> None:
    """Draws them all."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--to", type=Path, default=ROOT / "docs" / "images")
    words.add_argument("--all", action="store_true")
    words.add_argument("--scale", type=int, choices=tuple(SIZES), default=1)
    said = words.parse_args()
    said.to.mkdir(parents=True, exist_ok=True)
    sizes = SIZES[said.scale] if said.all else SIZES[1][:1]
    with tempfile.TemporaryDirectory(prefix="taptrail-pictures-") as folder:
        draw(Path(folder) / "pilot-study", said.to, sizes, said.scale)
    if said.all and said.scale == 1:
        again = [sys.executable, __file__, "--to", str(said.to), "--all", "--scale", "2"]
        subprocess.run(again, check=True, env=os.environ | {"QT_SCALE_FACTOR": "2"})


def draw(folder: Path, to: Path, sizes: tuple[tuple[int, int], ...], scale: int) -> None:
    """Fills a library, opens the window on it, and takes the pictures."""
    gui.application(SETTINGS)
    with running_demo_phone(SEED, deterministic=True) as phone:
        fill(folder, phone)
        window = gui.Window(SETTINGS, folder, phone.adb)
        try:
            window.main.show()
            window.main.go_to(0)
            record(window, phone)
            shoot(window, to, "record", sizes, scale)
            window.record.finish(Ending.IMPOSSIBLE, "only for a picture")
            wait(lambda: window.record._state is SessionState.FINISHED)
            episodes(window)
            shoot(window, to, "episodes", sizes, scale)
            annotate(window)
            shoot(window, to, "annotate", sizes, scale)
            review(window)
            shoot(window, to, "review", sizes, scale)
        finally:
            window.stop()
        tasks(folder.with_name("sample"), to, sizes, scale, phone)


def tasks(
    folder: Path, to: Path, sizes: tuple[tuple[int, int], ...], scale: int, phone: DemoPhone
) -> None:
    """Opens the sample library at its first task, and lays its attempts side by side."""
    open_sample(folder)
    window = gui.Window(SETTINGS, folder, phone.adb)
    try:
        window.main.show()
        window.main.go_to(gui.PLACES.index("tasks"))
        place = window.tasks
        wait(lambda: place.where()[1] is not None)
        wait(lambda: place.budget.scores.grid.grid.rowCount() > 1)
        shoot(window, to, "tasks", sizes, scale)
        place.page.table.selectAll()
        place.open_side_by_side()
        wait(place.side.view.isVisible)
        shoot(window, to, "attempts", sizes, scale)
    finally:
        window.stop()


def fill(folder: Path, phone: DemoPhone) -> None:
    """Records the demo's visit, imports the sample, and makes two runs that answer the visit."""
    recorded = record_visit(phone, folder, SETTINGS.as_author())
    import_sample(folder)
    with Library.read(folder) as library:
        episode = library.episode(recorded.uuid)
    with tempfile.TemporaryDirectory() as beside:
        for name, (seed, kinds) in RUNS.items():
            file = Path(beside) / f"{name}.json"
            file.write_text(answers([episode], kinds, seed).text(), encoding="utf-8")
            import_predictions(
                (file,), name, folder, dialect="guiodyssey", dataset="recorded", only_answered=True
            )


def record(window: gui.Window, phone: DemoPhone) -> None:
    """Begins a recording with the mouse on the mirror, as a person would."""
    place, mirror = window.record, window.record.mirror
    place.connect_phone(phone.serial)
    wait(lambda: mirror.painted() is not None)
    place.task.edit.setPlainText(TASK.instruction)
    place.begin()
    wait(lambda: place._state is SessionState.RECORDING)
    eyes = Phone(phone.serial, phone.adb)
    steps = place.steps.model.steps
    for tap, text in DONE:
        count = len(steps)
        rest(1500)
        press(window, element(eyes, tap))
        wait(lambda n=count: len(steps) > n)  # type: ignore[misc]
        if text:
            rest(1500)
            QTest.keyClicks(mirror, text)
            wait(lambda n=count: len(steps) > n + 1)  # type: ignore[misc]
    rest(1200)


def element(phone: Phone, words: str) -> tuple[float, float]:
    """Returns the middle of the element with these words, in pixels of the screen."""
    answer = TREE_SOURCES["uiautomator"](phone).ask()
    for window in read_tree("uiautomator", answer.data).windows:
        for node in window.root.walk() if window.root is not None else ():
            if words in (node.text, node.description, node.hint):
                return node.box.centre.x, node.box.centre.y
    raise KnownError("draw the pictures", f"“{words}” is not on the screen", "Look at the phone.")


def press(window: gui.Window, at: tuple[float, float]) -> None:
    """Presses the mouse on the mirror for a moment."""
    mirror = window.record.mirror
    fit = mirror.fit()
    assert fit is not None
    place = fit.to_window(Point(*at)).toPoint()
    QTest.mousePress(mirror, Qt.MouseButton.LeftButton, pos=place)
    rest(70)
    QTest.mouseRelease(mirror, Qt.MouseButton.LeftButton, pos=place)


def episodes(window: gui.Window) -> None:
    """Chooses the recorded visit in the list."""
    window.main.go_to(1)
    table = window.episodes.table
    wait(lambda: table.model().rowCount() > 6)
    rest(500)
    names = [table.model().index(row, 0).data() for row in range(table.model().rowCount())]
    table.choose(names.index("e-0001"))


def annotate(window: gui.Window) -> None:
    """Accepts the targets of the visit up to the first that has several candidates."""
    place = window.annotate
    with Library.read(window.parts.folder) as library:
        uuid = library.episode("e-0001").uuid
    window.episodes.annotate.emit(uuid, 0)
    wait(lambda: place.where()[0] == "e-0001")
    for row in range(3):
        place.turn_to(row)
        rest(300)
        place.accept()
    wait(place.saved)
    rest(300)


def review(window: gui.Window) -> None:
    """Turns to the first step at which the second run is wrong and the first is right."""
    place = window.review
    window.main.go_to(gui.PLACES.index("review"))
    wait(lambda: place.where()[1] >= 0)
    place.choose_runs(list(RUNS))
    wait(lambda: len(place.judging.judged) == len(RUNS) and place.partings.lines() != [])
    lines = place.partings.lines()
    place._go(next(line.place for line in lines if line.rule == "distance"))
    wait(lambda: place.where()[0] == "e-0001")
    place._select(1)


def shoot(
    window: gui.Window, to: Path, name: str, sizes: tuple[tuple[int, int], ...], scale: int
) -> None:
    """Saves a picture of the window in each size and theme."""
    for width, height in sizes:
        for kind in ("light", "dark"):
            theme.apply(kind)
            window.main.resize(width, height)
            window.main.toast.hide()
            rest(1200)
            wait(lambda: not (window.parts.small.waiting() or window.parts.large.waiting()))
            rest(200)
            size = "" if (width, scale) == (1280, 1) else f"_{width}" + ("x2" if scale > 1 else "")
            file = to / f"{name}_{kind}{size}.png"
            window.main.grab().save(str(file))
            print(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


def wait(reached: Callable[[], bool]) -> None:
    """Lets the window work until something is so."""
    deadline = time.monotonic() + WAIT_S
    while not reached():
        if time.monotonic() > deadline:
            raise KnownError("draw the pictures", "the window does not get there", "Try again.")
        rest(30)


def rest(milliseconds: int) -> None:
    """Lets the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
