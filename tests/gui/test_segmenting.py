"""The queue of presses in the window, with the real SAM 2 in its process."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.sam2.client import Sam2
from episodes.errors import KnownError
from episodes.store.library import Library
from recorder.events import SessionState, StateChanged, StepSaved
from taptrail.gui import app as gui
from taptrail.gui import window as gui_window
from taptrail.gui.segmenting.bar import SegmentBar, time_left
from taptrail.gui.segmenting.model import SharedModel
from taptrail.gui.segmenting.queue import SegmentProgress, SegmentQueue
from taptrail.gui.services import WindowServices
from taptrail.settings import Settings
from tests.annotator.sam2 import micro
from tests.taptrail.segmenting import screens

SETTINGS = Settings(theme="light", author="Mary", author_uuid=screens.MARY.uuid, segment="off")
ALL = [(f"uuid-e-000{episode}", step) for episode in (1, 2, 3) for step in range(4)]


WAIT = 90_000


class Lent:
    """A model that a window does not end when it closes: starting one takes seconds."""

    def __init__(self, sam2: Sam2) -> None:
        self._sam2 = sam2

    def __getattr__(self, name: str) -> object:
        return getattr(self._sam2, name)

    def close(self) -> None:
        """Leaves it to the others."""


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("embeddings")


@pytest.fixture(scope="module")
def sam2(embedded: Path) -> Iterator[Sam2]:
    with Sam2(micro.weights(), embedded, threads=1) as client:
        yield client


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[WindowServices]:
    screens.build(tmp_path / "library", episodes=3)
    made = WindowServices(tmp_path / "library")
    yield made
    made.stop()


@pytest.fixture
def queue(parts: WindowServices, sam2: Sam2) -> Iterator[SegmentQueue]:
    made = SegmentQueue(parts.folder, SharedModel(lambda: sam2), parts.library, screens.MARY)
    yield made
    made.stop()


class Heard:
    """What a queue has told."""

    def __init__(self, queue: SegmentQueue) -> None:
        self.moved: list[SegmentProgress] = []
        self.ended: list[object] = []
        self.failed: list[KnownError] = []
        queue.moved.connect(self.moved.append)
        queue.ended.connect(self.ended.append)
        queue.failed.connect(self.failed.append)

    @property
    def kept(self) -> list[tuple[str, int]]:
        return [one.kept for one in self.moved if one.kept is not None]


def kept_in(folder: Path) -> list[tuple[str, int | None]]:
    with Library.read(folder) as library:
        return [(edit.episode, edit.step) for edit in library.edits()]


def test_the_open_step_and_its_neighbours_go_before_all_others(
    queue: SegmentQueue, parts: WindowServices, qtbot: QtBot
) -> None:
    heard, bar = Heard(queue), SegmentBar(queue)
    qtbot.addWidget(bar)
    queue.look_at("uuid-e-0002", 2)
    queue.segment_all()
    qtbot.waitUntil(lambda: bool(heard.ended), timeout=WAIT)
    near = [("uuid-e-0002", step) for step in (2, 3, 1, 0)]
    assert heard.kept == near + [one for one in ALL if one not in near]
    assert kept_in(parts.folder) == heard.kept
    assert [(one.done, one.total) for one in heard.moved] == [(n, 12) for n in range(13)]
    assert heard.moved[1].left_seconds is None
    assert all(one.left_seconds is not None for one in heard.moved[2:])
    assert bar.job.isHidden()
    queue.segment_all()  # nothing is left
    qtbot.waitUntil(lambda: len(heard.ended) == 2, timeout=WAIT)
    assert len(heard.moved) == 13


def test_it_rests_goes_on_and_stops_with_what_it_has(
    queue: SegmentQueue, parts: WindowServices, qtbot: QtBot
) -> None:
    heard, bar = Heard(queue), SegmentBar(queue)
    qtbot.addWidget(bar)
    queue.moved.connect(lambda moved: queue.pause() if moved.done == 3 else None)
    queue.segment_all()
    qtbot.waitUntil(lambda: bar.job.pause.text() == "Go on", timeout=WAIT)
    assert queue.running()
    assert bar.job.left.text() == "paused"
    assert not heard.ended
    resting = len(heard.kept)
    assert 3 <= resting < 12
    queue.moved.disconnect()
    queue.moved.connect(heard.moved.append)
    queue.moved.connect(lambda moved: bar.job.cancel.click() if moved.done == 2 else None)
    bar.job.pause.click()
    qtbot.waitUntil(lambda: bool(heard.ended), timeout=WAIT)
    assert bar.job.isHidden()
    assert not queue.running()
    done = kept_in(parts.folder)
    assert resting < len(done) < 12
    assert done == ALL[: len(done)]


def test_what_was_just_recorded_is_asked_about_if_a_person_wants_that(
    queue: SegmentQueue, parts: WindowServices, qtbot: QtBot
) -> None:
    heard = Heard(queue)
    queue.segment_episode("uuid-e-0002")
    queue.use("recorded")
    queue.segment_episode("uuid-e-0003")
    qtbot.waitUntil(lambda: bool(heard.ended), timeout=WAIT)
    assert kept_in(parts.folder) == ALL[8:]
    queue.use("idle")
    qtbot.waitUntil(lambda: len(kept_in(parts.folder)) == 12, timeout=WAIT)


def test_in_the_pauses_of_a_recording_pictures_are_embedded_and_nothing_is_written(
    queue: SegmentQueue, parts: WindowServices, embedded: Path, qtbot: QtBot
) -> None:
    heard, before = Heard(queue), set(embedded.glob("*/*.npz"))
    with Library.open(parts.folder) as recording:
        queue.use("recorded")
        queue.hear(StateChanged(SessionState.RECORDING))
        for step in screens.episode(recording.stills, "e-0009", first=90).steps:
            queue.hear(StepSaved(step))
        queue.segment_all()
        qtbot.waitUntil(lambda: len(set(embedded.glob("*/*.npz")) - before) == 4, timeout=WAIT)
        assert recording.edits() == []
        assert (heard.moved, heard.ended, heard.failed) == ([], [], [])


def test_a_missing_checkpoint_is_told_to_whoever_asked_and_to_nobody_else(
    parts: WindowServices, qtbot: QtBot
) -> None:
    tries = []

    def opening() -> Sam2:
        tries.append(True)
        raise KnownError("use SAM 2", "there is no checkpoint", "Fetch one.")

    queue = SegmentQueue(
        parts.folder, SharedModel(opening), parts.library, screens.MARY, "recorded"
    )
    heard, bar = Heard(queue), SegmentBar(queue)
    qtbot.addWidget(bar)
    queue.segment_episode("uuid-e-0001")
    qtbot.waitUntil(lambda: len(tries) == 1, timeout=WAIT)
    queue.segment_all()
    qtbot.waitUntil(lambda: bool(heard.failed), timeout=WAIT)
    assert len(heard.failed) == 1
    assert bar.error.text() == "Cannot use SAM 2: there is no checkpoint. Fetch one."
    queue.stop()


def test_the_window_shows_the_masks_of_the_open_episode_as_they_come(
    sam2: Sam2, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "library"
    screens.build(folder)
    before = set(sys.modules)  # other tests of this process may have loaded torch themselves
    monkeypatch.setattr(gui_window.models, "open_segmenter", lambda _: Lent(sam2))
    window = gui.Window(SETTINGS, folder)
    qtbot.addWidget(window.main)
    window.main.show()
    window.main.go_to(gui.PLACES.index("annotate"))
    window.annotate.open_at("uuid-e-0001", 2)
    qtbot.waitUntil(lambda: window.annotate.state.uuid() == "uuid-e-0001", timeout=WAIT)
    qtbot.keyClick(
        window.main,
        Qt.Key.Key_S,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(window.segmenting.job.isVisible, timeout=WAIT)
    qtbot.waitUntil(lambda: not window.queue.running(), timeout=WAIT)

    def shown() -> bool:
        return all(step.regions for step in window.annotate.state.steps()[:4])

    qtbot.waitUntil(shown, timeout=WAIT)
    assert [step for _, step in kept_in(folder)] == [2, 3, 1, 0]
    assert not {"torch", "sam2"} & (set(sys.modules) - before)
    window.stop()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s left"), (59, "59 s left"), (600, "10 min left"), (9000, "2.5 h left")],
)
def test_time_left_is_said_in_words(seconds: float, words: str) -> None:
    assert time_left(seconds) == words
