"""What is done in each place before its picture is taken: the table `SCENES`, in its order.

A scene brings the window of a `Studio` to where the picture is to be; the window stands until a
scene opens another library. Everything shown is the shipped sample library, a visit recorded on
the demo phone, and the demo phone itself.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.sam2.client import Sam2
from episodes import actions as a
from episodes.episodes import Actor, Task
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.store.library import Library
from episodes.trees.readers import read_tree
from recorder.device.interface import Device
from recorder.events import SessionState
from taptrail.gui import app as gui
from taptrail.gui.episodes.listing import FINDINGS
from taptrail.gui.review.filters import Sort
from taptrail.settings import Settings
from taptrail.usecases.demo_phone import DemoPhone, running_demo_phone
from taptrail.usecases.predictions import dialects_there_are
from taptrail.usecases.recording import record_script
from taptrail.usecases.sample import open_sample
from tests.annotator.sam2 import micro
from tests.replay.asking.fake_server import FakeServer

SEED = 7
SETTINGS = Settings(
    author="Ana P.",
    author_uuid="7a1f6e0c-0000-4000-8000-000000000001",
    library=Path("~/taptrail/pilot-study"),
)
WAIT_S = 60.0
NUMBER = "A small blue one. My new number is 555 0142"
PLANTS = Task(
    "Put a moss ball into the Fernway basket and look into the basket.",
    "Put a {} into the Fernway basket and look into the basket.",
    category="Web_Shopping",
    apps=("Fernway",),
)
_ADD = Point(404, 1998)
"""On "Add" of a card, which is drawn by hand: no tree has a node for it."""


class Studio:
    """The window with the libraries and the phone it is shown with.

    Attributes:
        window: the one that is open.
        point: puts the mouse where the picture wants it, at any size of the window.
    """

    window: gui.Window

    def __init__(self, folder: Path) -> None:
        """`folder` is where the libraries are made."""
        self._folder = folder
        self._stack = ExitStack()
        self._phone: DemoPhone | None = None
        self._open: Path | None = None
        self.point: Callable[[], None] = lambda: None

    def __enter__(self) -> Studio:
        gui.application(SETTINGS)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._stack.close()

    def phone(self) -> DemoPhone:
        """Returns the demo phone, which is started once; it is connected to its adb."""
        if self._phone is None:
            self._phone = self._stack.enter_context(running_demo_phone(SEED, deterministic=True))
        self._phone.devices.connect(self._phone.serial)
        return self._phone

    def serve(self, server: FakeServer) -> FakeServer:
        """Starts a server of a scripted model, until the studio is closed."""
        return self._stack.enter_context(server)

    def let_phone_go(self) -> None:
        """Lets adb know of no phone until one is asked for."""
        phone = self.phone()
        phone.devices.disconnect(phone.serial)

    def empty(self) -> gui.Window:
        """Shows a library without an episode."""
        return self._show(self._folder / "empty" / "pilot-study", lambda _: None)

    def sample(self) -> gui.Window:
        """Shows the sample library with one visit more."""
        return self._show(self._folder / "pilot-study", self._fill)

    def close(self) -> None:
        """Closes the window."""
        if self._open is not None:
            self._open = None
            self.window.stop()

    def _fill(self, folder: Path) -> None:
        open_sample(folder)
        record_script(
            self.phone().serial,
            PLANTS,
            folder,
            tuple(step for action in VISIT for step in (a.Wait(700_000), action)),
            devices=self.phone().devices,
            actor=Actor(author=SETTINGS.as_author()),
        )

    def _show(self, folder: Path, fill: Callable[[Path], None]) -> gui.Window:
        if self._open != folder:
            self.close()
            if not folder.exists():
                folder.parent.mkdir(exist_ok=True)
                fill(folder)
            self.window = gui.Window(SETTINGS, folder, self.phone().devices)
            self._open = folder
            self.window.main.resize(1280, 800)
            self.window.main.show()
        return self.window


def _on(words: str) -> a.Action:
    return a.Tap(a.ElementRef(text=words))


VISIT: tuple[a.Action, ...] = (
    _on("Fernway"),
    _on("Shade"),
    a.Swipe(Point(540, 1700), Point(552, 1100), 400_000),
    a.Tap(_ADD),
    _on("Basket"),
    a.Finish(a.Ending.COMPLETE),
)


# --- the places, in the order in which they are drawn ------------------------------------------


def first_run(studio: Studio) -> None:
    """Episodes of an empty library."""
    window = studio.empty()
    _go(window, "episodes")
    rest(800)


def connect(studio: Studio) -> None:
    """Record while no phone is connected."""
    window = studio.empty()
    _go(window, "record")
    studio.let_phone_go()
    window.record.phones.look()
    rest(2000)


def record(studio: Studio) -> None:
    """A recording under way, with the mouse on the mirror as a person would have it.

    The last of the table, as the episode would be in the pictures of the other places.
    """
    window, phone = studio.sample(), studio.phone()
    place, mirror = window.record, window.record.mirror
    _go(window, "record")
    place.connect_phone(phone.serial)
    wait(lambda: mirror.painted() is not None)
    eyes = phone.devices.device(phone.serial)
    QTest.keyClick(mirror, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    rest(1500)
    with Library.read(window.parts.folder) as library:
        task = library.episode("s-0001", "sample").task
    place.offer_task(task.instruction, task.category)
    place.begin()
    wait(lambda: place.take.state is SessionState.RECORDING)
    steps = place.steps.model.steps
    for words, held_ms in (
        ("Messages", 70),
        ("Mara Quill", 70),
        (NUMBER, 700),
        ("Copy", 70),
        ("", 0),
        ("Contacts", 70),
        ("New contact", 70),
        ("First name", 70),
    ):
        count = len(steps)
        rest(1300)
        if words:
            press(window, element(eyes, words), held_ms)
        else:
            QTest.keyClick(mirror, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
        wait(lambda n=count: len(steps) > n)  # type: ignore[misc]
    rest(1300)
    count = len(steps)
    QTest.keyClicks(mirror, "Mara")
    wait(lambda: len(steps) > count)
    rest(900)
    place_of = Point(*element(eyes, "Last name"))
    pointer = place.task.pointer

    def hover() -> None:
        fit = mirror.fit()
        assert fit is not None
        at = fit.to_window(place_of)
        none = Qt.MouseButton.NoButton
        # QTest moves the cursor, which stays on the screen; the window may be larger.
        there = mirror.mapToGlobal(at)
        QApplication.sendEvent(
            mirror,
            QMouseEvent(
                QEvent.Type.MouseMove, at, there, none, none, Qt.KeyboardModifier.NoModifier
            ),
        )
        wait(lambda: pointer.fact("Element") == "Last name" and "same" in pointer.fact("Tree"))

    studio.point = hover


def record_agent(studio: Studio) -> None:
    """A model that does a task, held at the moment before its first act."""
    window, phone = studio.sample(), studio.phone()
    place, mirror = window.record, window.record.mirror
    _go(window, "record")
    place.connect_phone(phone.serial)
    wait(lambda: mirror.painted() is not None)
    QTest.keyClick(mirror, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    rest(1500)
    server = studio.serve(FakeServer(_scripted, models=("gui-agent-7b",)))
    place.offer_task("Turn on the dark theme.", "Settings")
    panel = place.task.agent
    panel.recipe.setText("taptrail")
    panel.model.setText("gui-agent-7b")
    panel.address.setText(server.url)
    panel.hold_s = WAIT_S
    place.let_model()
    wait(lambda: panel.acting_in() == 1)
    rest(300)


def _scripted(key: str, told: object) -> str:
    """Says what it sees, then acts; waits long before it is done."""
    words = ("Settings", "Dark theme")
    turn = int(key.rpartition("/")[2])
    if turn > len(words):
        time.sleep(WAIT_S)
    tap = {"kind": "tap", "at": {"element": {"text": words[min(turn, len(words)) - 1]}}}
    return json.dumps(tap)


def episodes(studio: Studio) -> None:
    """The list with the first attempt chosen."""
    window = studio.sample()
    _go(window, "episodes")
    table = window.episodes.table
    wait(lambda: table.model().rowCount() >= 8)
    rest(500)
    names = [table.model().index(row, 0).data() for row in range(table.model().rowCount())]
    table.choose(names.index("s-0001"))
    last = table.model().index(table.model().rowCount() - 1, FINDINGS)
    wait(lambda: bool(last.data()))
    rest(500)


def importing(studio: Studio) -> None:
    """How a file of predictions is to be read."""
    window = studio.sample()
    episodes(studio)
    window.episodes.imports.form.ask(Path("tidewater-7b.jsonl"), dialects_there_are())
    rest(300)


def nothing(studio: Studio) -> None:
    """A search that finds nothing."""
    window = studio.sample()
    window.episodes.imports.form.hide()
    _go(window, "episodes")
    window.episodes._search.edit.setFocus()
    window.episodes._search.edit.setText("aquarium")
    wait(lambda: window.episodes.table.model().rowCount() == 0)
    rest(300)


def annotate(studio: Studio) -> None:
    """A step of the sample whose target is accepted."""
    window = studio.sample()
    window.episodes._search.edit.clear()
    _annotate(window, "s-0001", 5)


def annotate_low(studio: Studio) -> None:
    """A click on what no tree has a node for: a person decides."""
    window = studio.sample()
    _annotate(window, "e-0001", 3)


def annotate_masks(studio: Studio) -> None:
    """The same click with SAM 2's masks: those of the small model that the tests train."""
    window = studio.sample()
    folder = window.parts.folder.parent / "embeddings"
    window.model.replace(lambda: Sam2(micro.weights(), folder, threads=1))
    window.annotate.look_for_model()
    _annotate(window, "e-0001", 3)
    place = window.annotate
    wait(place.tools.point.isEnabled)
    place.frame.setFocus()
    QTest.keyClick(place.frame, Qt.Key.Key_Q)
    QTest.keyClick(place.frame, Qt.Key.Key_Return)
    wait(lambda: bool(place.state.steps()[3].regions))
    wait(lambda: not place.prompts.waiting() and place.saved())
    rest(800)


def review(studio: Studio) -> None:
    """Gold and two runs where they part, with the list narrowed to that."""
    window = studio.sample()
    place = window.review
    _go(window, "review")
    wait(lambda: place.where()[1] >= 0)
    place.choose_runs(["run-a", "run-b"])
    wait(lambda: len(place.scorer.judged) == 2 and place.differing.lines() != [])
    place.differing.use(place.differing.filter().put("sort", Sort.B_ALONE))
    lines = place.differing.lines()
    place.go(lines[0].place)
    wait(lambda: place.where()[0] == lines[0].episode)
    place.shown.select(0)
    rest(500)


def playing(studio: Studio) -> None:
    """A recorded visit while it is played."""
    window = studio.sample()
    _go(window, "review")
    window.review.open_at(_uuid(window, "e-0001"), 2)
    wait(lambda: window.review.where()[0] == "e-0001")
    wait(lambda: window.review.video.film() is not None)
    rest(300)
    film = window.review.video.film()
    assert film is not None
    span = film.track.steps[2]
    window.review.player.seek((span.began_us + span.ended_us) // 2)
    rest(1500)


def differences(studio: Studio) -> None:
    """Why the runs' numbers differ."""
    window = studio.sample()
    review(studio)
    window.review.show_differences()
    wait(lambda: window.review.differences.answer() is not None)
    rest(300)


def tasks(studio: Studio) -> None:
    """The task that four people tried."""
    window = studio.sample()
    window.review.show_steps()
    _go(window, "tasks")
    place = window.tasks
    wait(lambda: place.where()[1] is not None)
    wait(lambda: place.budget.scores.grid.grid.rowCount() > 1)


def attempts(studio: Studio) -> None:
    """Its attempts side by side."""
    tasks(studio)
    place = studio.window.tasks
    place.page.table.selectAll()
    place.open_side_by_side()
    wait(place.side.view.isVisible)


def doctor(studio: Studio) -> None:
    """Findings for the picture, without paths of this computer."""
    window = studio.sample()
    os.environ["DISPLAY"] = ":0"  # the window of the picture stands on a desktop
    window.main.go_to(len(gui.PLACES))
    place = window.doctor
    wait(lambda: place.findings != () and place.again.isEnabled())
    for folder, told in (
        (str(window.parts.folder.parent), "~"),
        (str(Path(sys.prefix).parent), "~/taptrail"),
        (studio.phone().serial, "127.0.0.1:5555"),
    ):
        place.show_findings(
            tuple(
                replace(
                    one,
                    subject=one.subject.replace(folder, told),
                    found=one.found.replace(folder, told),
                )
                for one in place.findings
            )
        )


def settings(studio: Studio) -> None:
    """The settings."""
    window = studio.sample()
    window.main.go_to(len(gui.PLACES) + 1)


SCENES: dict[str, Callable[[Studio], None]] = {
    "first_run": first_run,
    "connect": connect,
    "episodes": episodes,
    "import": importing,
    "nothing": nothing,
    "annotate": annotate,
    "annotate_low": annotate_low,
    "annotate_masks": annotate_masks,
    "review": review,
    "playing": playing,
    "differences": differences,
    "tasks": tasks,
    "attempts": attempts,
    "doctor": doctor,
    "settings": settings,
    "record_agent": record_agent,
    "record": record,
}


# --- what the scenes are made of ---------------------------------------------------------------


def _go(window: gui.Window, place: str) -> None:
    window.main.go_to(gui.PLACES.index(place))


def _annotate(window: gui.Window, name: str, row: int) -> None:
    _go(window, "annotate")
    window.annotate.open_at(_uuid(window, name), row)
    wait(lambda: window.annotate.where()[0] == name)
    rest(800)


def _uuid(window: gui.Window, name: str) -> str:
    with Library.read(window.parts.folder) as library:
        return library.episode(name).uuid


def element(phone: Device, words: str) -> tuple[float, float]:
    """Returns the middle of the element whose words begin so, in pixels of the screen.

    Raises:
        KnownError: it does not come.
    """
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        answer = phone.tree_source("uiautomator").ask()
        for window in read_tree("uiautomator", answer.data).windows:
            for node in window.root.walk() if window.root is not None else ():
                if any(said.startswith(words) for said in (node.text, node.description, node.hint)):
                    return node.box.centre.x, node.box.centre.y
        rest(500)
    raise KnownError("draw the pictures", f"“{words}” is not on the screen", "Look at the phone.")


def press(window: gui.Window, at: tuple[float, float], held_ms: int) -> None:
    """Presses the mouse on the mirror for a while."""
    mirror = window.record.mirror
    fit = mirror.fit()
    assert fit is not None
    place = fit.to_window(Point(*at)).toPoint()
    QTest.mousePress(mirror, Qt.MouseButton.LeftButton, pos=place)
    rest(held_ms)
    QTest.mouseRelease(mirror, Qt.MouseButton.LeftButton, pos=place)


def wait(reached: Callable[[], bool]) -> None:
    """Lets the window work until something is so.

    Raises:
        KnownError: it is not so after a long while.
    """
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
