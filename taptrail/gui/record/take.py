"""The current or last recording: start, end, and the steps its session reports."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic_ns

from PySide6.QtCore import QObject, Signal

from episodes.actions import Ending
from episodes.annotations import Author
from episodes.episodes import Task
from episodes.errors import KnownError
from episodes.steps import Step
from recorder.events import (
    AfterSaved,
    SessionState,
    StateChanged,
    StepDropped,
    StepRestored,
    StepSaved,
    TextCollected,
)
from taptrail.gui.record.running_time import RunningTime
from taptrail.gui.record.steps import StepsModel
from taptrail.gui.work import WorkThread
from taptrail.usecases.elements import target_name
from taptrail.usecases.live import Desk
from taptrail.usecases.live_agent import LiveAgent
from taptrail.words import tr

RUNNING = (
    SessionState.STARTING,
    SessionState.RECORDING,
    SessionState.PAUSED,
    SessionState.LOST,
)
_AWAY = (SessionState.PAUSED, SessionState.LOST)
_ENDED = (SessionState.FINISHED, SessionState.STOPPED)


class RecordingRun(QObject):
    """The current or last recording.

    Signals:
        changed: `state` changed.
        begun: the session has started; input is recorded from now on.
        counted: steps were added, removed or restored.
        dropped: a message that a step was removed.
        ended: (name, number of steps, whether it was discarded) after everything is saved.
        given_up: (uuid, reason) of an episode that was given up; after `ended`.
        discarded: uuid of an episode that was discarded; after `ended`.
        failed: a KnownError.

    Attributes:
        uuid: of the last episode recorded in this window; "" before the first.
        typing: typed text that is not a step yet.
    """

    changed = Signal()
    begun = Signal()
    counted = Signal()
    dropped = Signal(str)
    ended = Signal(str, int, bool)
    given_up = Signal(str, str)
    discarded = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        desk: Desk,
        phone: WorkThread[Desk],
        naming: WorkThread[None],
        steps: StepsModel,
        author: Author | None,
    ) -> None:
        super().__init__(steps)
        self.state = SessionState.NEW
        self.time = RunningTime()
        self.uuid = self.typing = ""
        self.author = author
        self._desk, self._phone, self._naming, self._steps = desk, phone, naming, steps
        self._after: Callable[[], None] | None = None
        self._unwanted = False
        self._out: dict[int, Step] = {}

    @property
    def running(self) -> bool:
        """Whether an episode is being recorded."""
        return self.state in RUNNING

    def can_restore(self) -> bool:
        """Returns whether there is a removed step that can be restored."""
        return self.running and bool(self._out)

    def forget(self) -> None:
        """Resets the state after the phone was disconnected."""
        self.state = SessionState.NEW

    def begin(self, task: Task, agent: LiveAgent | None = None) -> None:
        """Starts an episode, in which an agent acts if there is one."""
        self._after, self._unwanted = None, False
        self.state = SessionState.STARTING
        self._steps.begin(self.time.restart())
        self._out.clear()
        author = self.author

        def began(uuid: str) -> None:
            self.uuid = uuid
            self.begun.emit()

        def failed(error: KnownError) -> None:
            self.state = SessionState.NEW
            self.changed.emit()
            self.failed.emit(error)

        self.changed.emit()
        self._phone.run(
            lambda desk: desk.begin(task, author, agent), owner=self, done=began, failed=failed
        )

    def finish(self, ending: Ending, reason: str = "") -> None:
        """Ends the episode with a claimed outcome."""
        if self.running:
            self._desk.finish(ending, reason)

    def give_up(self, reason: str) -> None:
        """Ends the episode without a claimed outcome: the user gave up, with a reason."""
        self._leave(lambda: self.given_up.emit(self.uuid, reason))

    def discard(self) -> None:
        """Ends the episode without a claimed outcome, to be moved to the bin."""
        self._leave(lambda: self.discarded.emit(self.uuid), unwanted=True)

    def pause_or_go_on(self) -> None:
        """Pauses or continues the recording."""
        if self.state is SessionState.RECORDING:
            self._desk.pause()
        elif self.state is SessionState.PAUSED:
            self._desk.resume()

    def hear(self, event: object) -> None:
        """Handles the events of the session that concern the recording."""
        match event:
            case StateChanged(state):
                self._become(state)
            case StepSaved(step):
                self._steps.add(step)
                self._name(step)
                self._count()
            case StepDropped(index):
                self._drop(index)
            case StepRestored(index):
                self._put_back(index)
            case AfterSaved(index, frame):
                self._steps.set_after(index, frame)
            case TextCollected(text):
                self.typing = text

    def _leave(self, after: Callable[[], None], *, unwanted: bool = False) -> None:
        if self.running:
            self._after, self._unwanted = after, unwanted
            self._desk.leave()

    def _become(self, state: SessionState) -> None:
        now = monotonic_ns()
        self.state = state
        if state is SessionState.RECORDING:
            self.time.begin(now)
        if state in _AWAY:
            self.time.pause(now)
        else:
            self.time.go_on(now)
        if state in _ENDED:
            self._close()
        self.changed.emit()

    def _close(self) -> None:
        count = len(self._steps.steps)
        self._phone.run(
            lambda desk: desk.end_recording(),
            owner=self,
            done=lambda name: self._closed(name, count),
            failed=self.failed.emit,
        )

    def _closed(self, name: str, count: int) -> None:
        after, self._after = self._after, None
        if self._unwanted:
            self._steps.begin(self.time.restart())
        self.ended.emit(name, count, self._unwanted)
        if after is not None:
            after()

    def _count(self) -> None:
        self.time.track.steps = list(self._steps.steps)
        self.counted.emit()

    def _drop(self, index: int) -> None:
        step = self._steps.drop(index)
        if step is not None:
            self._out[index] = step
        self._count()
        if step is not None:
            self.dropped.emit(tr("Dropped step {n}", n=len(self._steps.steps) + 1))

    def _put_back(self, index: int) -> None:
        step = self._out.pop(index, None)
        if step is not None:
            self._steps.put_back(step)
        self._count()

    def _name(self, step: Step) -> None:
        episode = self.uuid

        def done(words: str) -> None:
            if words and episode == self.uuid:
                self._steps.name(step.index, words)

        self._naming.run(
            lambda _: target_name(step), owner=self, done=done, failed=self.failed.emit
        )
