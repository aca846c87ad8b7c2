"""Background queue that runs SAM 2 on presses, one after the other.

After a recording it processes the presses of that recording and, depending on the settings, all
others while nothing is recorded. During a recording, when there has been no input for a moment, it
only computes embeddings ahead: the recording writes to the library then, and the rest is quick
afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.segment_order import StepPlace, order_steps
from annotator.segmenters import Segmenter
from episodes.annotations import Author
from episodes.errors import KnownError
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from recorder.events import SessionState, StateChanged, StepSaved, TextCollected
from taptrail.gui.segmenting.model import SharedModel
from taptrail.gui.work import Relay, WorkThread
from taptrail.settings import SEGMENT_IDLE, SEGMENT_OFF
from taptrail.usecases.segment_queue import SegmentationPass, SegmentationProgress
from taptrail.usecases.segmenting import SegmentedStep, SegmentingStopped, warm_press

QUIET_MS = 1500
"""So long no hand has moved when something is done in the pauses of a recording."""
_LOOK_SECONDS = 0.05
_BUSY = (SessionState.STARTING, SessionState.RECORDING, SessionState.PAUSED, SessionState.LOST)


class _NoModel(KnownError):
    """There is no checkpoint. Shown only if the user asked for SAM 2."""


@dataclass(frozen=True, slots=True)
class SegmentProgress:
    """Progress of the queue.

    Attributes:
        left_seconds: remaining time from measurements; None before the second press.
        kept: (uuid, index) of the step whose masks were just stored.
    """

    done: int
    total: int
    left_seconds: float | None
    kept: tuple[str, int] | None = None


class SegmentQueue(QObject):
    """Signals:
    moved: a SegmentProgress; the first one, with nothing done, when work starts.
    paused: whether the user paused the queue.
    ended: the result, or None if the queue was cancelled before it started.
    failed: the KnownError that ended the job.
    """

    moved = Signal(object)
    paused = Signal(bool)
    ended = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        folder: Path,
        model: SharedModel,
        library_thread: WorkThread[None],
        author: Author,
        when: str = SEGMENT_OFF,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.author, self._when = author, when
        self._folder, self._model, self._writing = folder, model, library_thread
        self._thread: WorkThread[None] = WorkThread("segmenting", lambda: None)
        self._relay = Relay(self)
        self._relay.came.connect(self._tell)
        self._state = SessionState.NEW
        self._opened: StepPlace | None = None
        self._stopping = threading.Event()
        self._running = self._paused = self._warming = self._by_hand = False
        self._names: list[str] | None = []
        self._ahead: list[Step] = []
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._go_on)

    # Commands of the user or the window.

    def use(self, when: str) -> None:
        """Sets when to work, one of `settings.SEGMENT_WHEN`."""
        if when == self._when:
            return
        self._when = when
        if when == SEGMENT_OFF:
            self.cancel()
        self.begin()

    def begin(self) -> None:
        """Starts with all waiting presses, if the settings allow it now."""
        if self._when == SEGMENT_IDLE:
            self._want(None)

    def segment_all(self) -> None:
        """Processes all presses of the library, regardless of the settings."""
        if self._paused:
            self.pause()
        self._by_hand = True
        self._want(None)

    def segment_episode(self, uuid: str) -> None:
        """Processes the presses of an episode that was just recorded."""
        if self._when != SEGMENT_OFF:
            self._want(uuid)

    def look_at(self, uuid: str, step: int) -> None:
        """Processes the shown step first."""
        self._opened = StepPlace(uuid, step) if uuid else None

    def running(self) -> bool:
        """Returns whether there is work under way, even if it is paused."""
        return self._running or self._paused

    def pause(self) -> None:
        """Pauses or continues."""
        self._paused = not self._paused
        self.paused.emit(self._paused)
        if self._paused:
            self._stopping.set()
        else:
            self._go_on()

    def cancel(self) -> None:
        """Cancels within a fraction of a second; results stay, and waiting presses stay queued."""
        self._names, self._paused = [], False
        if self._running:
            self._stopping.set()
        else:
            self.ended.emit(None)

    def stop(self) -> None:
        """Stops the thread; returns after it has ended."""
        self._names, self._ahead = [], []
        self._quiet.stop()
        self._stopping.set()
        self._thread.stop()

    # Events of a recording.

    def hear(self, event: object) -> None:
        """Handles the events of a session."""
        match event:
            case StateChanged(state):
                self._state = state
                if state in _BUSY:
                    self.touched()
                else:
                    self._ahead = []
                    self._quiet.start()
            case StepSaved(step):
                if self._when != SEGMENT_OFF:
                    self._ahead.append(step)
                self.touched()
            case TextCollected():
                self.touched()

    def touched(self) -> None:
        """Notes user input: nothing is computed until the input pauses."""
        if self._state in _BUSY:
            if self._running:
                self._stopping.set()
            self._quiet.start()

    # Parts.

    def _want(self, uuid: str | None) -> None:
        """Adds an episode, or all episodes, to the queue."""
        if uuid is None:
            self._names = None
        elif self._names is not None and uuid not in self._names:
            self._names = [*self._names, uuid]
        self._go_on()

    def _go_on(self) -> None:
        if self._running or self._paused or self._quiet.isActive():
            return
        if self._state in _BUSY:
            if self._ahead:
                self._run(warming=True)
        elif self._names is None or self._names:
            self._run(warming=False)

    def _run(self, *, warming: bool) -> None:
        self._running, self._warming = True, warming
        stopping = self._stopping = threading.Event()
        job: Callable[[None], SegmentationProgress | None]
        if warming:
            job = self._warm(list(self._ahead), lambda: not stopping.is_set())
        else:
            job = self._go(self._names, lambda: not stopping.is_set())
        self._thread.run(job, owner=self, done=self._done, failed=self._failed)

    def _done(self, told: SegmentationProgress | None) -> None:
        stopped, warming = self._stopping.is_set(), self._warming
        self._running = False
        if warming:
            if not stopped:
                self._ahead = []
        elif not stopped:
            self._names, self._by_hand = [], False
        self._go_on()
        if not (warming or self._running or self._paused):
            self.ended.emit(told)

    def _failed(self, error: KnownError) -> None:
        told = self._by_hand or not isinstance(error, _NoModel)
        self._running = self._by_hand = False
        self._names, self._ahead = [], []
        if told and not self._warming:
            self.failed.emit(error)

    def _tell(self, moved: SegmentProgress) -> None:
        self.moved.emit(moved)

    # On the thread "segmenting".

    def _warm(self, steps: list[Step], wanted: Callable[[], bool]) -> Callable[[None], None]:
        stills = StillFiles(self._folder)

        def job(_: None) -> None:
            try:
                for step in steps:
                    warm_press(self._sam2(), stills, step, wanted)
            except SegmentingStopped:
                return

        return job

    def _go(
        self, names: list[str] | None, wanted: Callable[[], bool]
    ) -> Callable[[None], SegmentationProgress | None]:
        author = self.author

        def job(_: None) -> SegmentationProgress | None:
            sam2 = self._sam2()
            with Library.read(self._folder) as reading:
                made = sam2.model
                found = reading.unasked_presses(made.name, made.version, names=names or ())
                waiting = [StepPlace(one.uuid, one.step) for one in found]
                go = SegmentationPass(sam2, reading, self._keeping(wanted), author, len(waiting))
                if waiting:
                    self._relay.send(SegmentProgress(0, len(waiting), None))
                while waiting and wanted():
                    place = order_steps(waiting, self._opened)[0]
                    waiting.remove(place)
                    try:
                        kept = go.segment(place, wanted)
                    except SegmentingStopped:
                        break
                    told = SegmentProgress(
                        go.told.waiting - len(waiting),
                        go.told.waiting,
                        go.pace.left(len(waiting)),
                        (place.episode, place.step) if kept else None,
                    )
                    self._relay.send(told)
                return go.told

        return job

    def _sam2(self) -> Segmenter:
        try:
            return self._model.opened()
        except KnownError as error:
            raise _NoModel(error.doing, error.found, error.remedy) from error

    def _keeping(
        self, wanted: Callable[[], bool]
    ) -> Callable[[Callable[[Library], SegmentedStep]], SegmentedStep]:
        """Stores masks on the window's one thread that writes to the library."""

        def keeping(keep: Callable[[Library], SegmentedStep]) -> SegmentedStep:
            answer: Future[SegmentedStep] = Future()

            def job(_: None) -> None:
                try:
                    with Library.open(self._folder, create=False) as library:
                        answer.set_result(keep(library))
                except Exception as error:  # noqa: BLE001  # handed over, whole
                    answer.set_exception(error)

            self._writing.run(job, owner=self, done=lambda _: None, failed=lambda _: None)
            while True:
                try:
                    return answer.result(_LOOK_SECONDS)
                except CancelledError:
                    raise SegmentingStopped from None
                except TimeoutError:
                    if not wanted():
                        raise SegmentingStopped from None

        return keeping
