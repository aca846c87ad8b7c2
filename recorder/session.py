"""Records one episode: the interface for other threads, and the session's own thread.

All events (inputs, frames, trees, losses, requests) go through one queue and are handled in order
on the session's thread. Inputs are sent to the phone before that, on the caller's thread, so the
phone never waits for a disk. `StepSaved` is emitted after the commit, so a step that was shown
outlives this process.

Rules:
- Enter after typing is a step of its own. Delete removes typed characters while there are any.
- Typed text is one step. It ends after 1.5 s of silence, with any other input, or with the episode.
  Text that is deleted completely makes no step.
- Turns of the wheel are one `Scroll`, which ends after half a second of silence. Its direction is
  the finger's: a wheel turned towards the person is a finger that moves up.
- An input is sent and recorded, or neither; `Session._route` decides. Exception: input during a
  pause reaches the phone and makes no step. While the phone is away, and before the first frame is
  recorded, nothing is sent, and a `Problem` says so.
- An episode that lacks something (a step or video that could not be written, a phone that was away
  at the end) ends incomplete, whatever its actor claims.
- If the screen turns during a gesture, the gesture is cancelled on the phone and here, and marked
  as a gap.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import uuid as uuids
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum
from typing import TypeVar

from episodes.actions import Answer, Ending, Finish, Wait
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.recordings import DeviceFacts
from episodes.screens import Frame, TreeRecord
from episodes.store.library import Library
from recorder.device.interface import TreeSource
from recorder.events import Problem, SessionEvent, SessionState, StateChanged
from recorder.frames import LiveFrame
from recorder.inputs import Input, Touch
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.recording import Recording
from recorder.screen_context import StepContext

logger = logging.getLogger(__name__)

IDLE_TICK_S = 0.25
PERSON = Actor()
T = TypeVar("T")

_ENDED = (SessionState.FINISHED, SessionState.STOPPED)


class _Route(Enum):
    """Whether an input is sent and recorded."""

    RECORD = "record"  # send it and record it
    SEND = "send"  # send it only
    WITHHOLD = "withhold"


class Session:
    """One episode being recorded from a mirror into a library.

    Attributes:
        episode: the episode's uuid.
        name: its short name, once it has begun.
        ended: set when the episode is finished or stopped and completely committed.
    """

    def __init__(
        self,
        mirror: Mirror,
        library: LibraryThread,
        task: Task,
        actor: Actor = PERSON,
        tree_source: Callable[[], TreeSource] | None = None,
    ) -> None:
        self.episode = str(uuids.uuid4())
        self.name = ""
        self.ended = threading.Event()
        self._mirror = mirror
        self._library = library
        self._task = task
        self._actor = actor
        self._make_source = tree_source or mirror.device.tree_source
        self._device = mirror.device.another()
        self._state = SessionState.NEW
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._callbacks: list[Callable[[SessionEvent], None]] = []
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)
        self._opening = ThreadPoolExecutor(1, "phone")
        self._facts = DeviceFacts()
        self._recording: Recording | None = None
        self._beginning = False
        self._end: tuple[EpisodeState, Finish | None] | None = None
        self._routes: dict[int, _Route] = {}
        self._told_withheld = False
        self._loss: KnownError | None = None

    # --- for any thread ----------------------------------------------------------------------
    @property
    def state(self) -> SessionState:
        """The state of the recording; may be newer than the last event."""
        return self._state

    @property
    def loss(self) -> KnownError | None:
        """Why the episode will be incomplete; None while nothing is lost."""
        return self._loss

    def on_event(self, callback: Callable[[SessionEvent], None]) -> None:
        """Calls back with every event, on the session's thread. Call it before `start`."""
        self._callbacks.append(callback)

    def start(self) -> None:
        """Begins the episode; returns at once. RECORDING begins with its first recorded frame."""
        self._thread.start()
        self._post(self._begin)

    def send(self, one: Input, by_agent: bool = False) -> bool:
        """Sends an input to the phone before this returns, and records it.

        Returns whether it was sent. What is not sent is not recorded.

        Args:
            by_agent: whether an agent acts; its steps have the source "agent".
        """
        route = self._touch_route(one) if isinstance(one, Touch) else self._route()
        sent = False
        if route is not _Route.WITHHOLD:
            try:
                sent = self._mirror.send(one)
            except KnownError as error:
                problem = Problem(error, is_loss=route is _Route.RECORD)
                self._post(lambda: self._emit(problem))
                return False
        if sent and route is _Route.RECORD:
            self._with(lambda recording: recording.add_input(one, by_agent))
        elif not sent and self._end is None:
            self._post(self._withheld)
        return sent

    def add_action(self, action: Wait | Answer, by_agent: bool = False) -> bool:
        """Records an action that sends nothing to the phone. Returns whether it is recorded."""
        if self._route() is not _Route.RECORD:
            return False
        shown, now_ns = self._mirror.latest.peek(), time.monotonic_ns()
        self._with(lambda now: now.add_action(action, shown, now_ns, by_agent))
        return True

    def end_action(self) -> None:
        """Ends the action under way: the next input begins another step, however soon it comes."""
        self._with(lambda now: now.end_action())

    def pause(self) -> None:
        """Stops recording until `resume`; the mirror goes on."""
        self._with(lambda now: now.pause())

    def resume(self) -> None:
        """Continues recording, in a new segment."""
        self._with(lambda now: now.resume())

    def drop_last(self) -> None:
        """Deletes the last committed step; the journal keeps it."""
        self._with(lambda now: now.drop_last())

    def restore_last(self) -> None:
        """Restores the step that was deleted last in this recording, if any."""
        self._with(lambda now: now.restore_last())

    def finish(self, ending: Ending, reason: str | None = None) -> None:
        """Ends the episode with a claim; `ended` is set when all of it is committed."""
        claim = Finish(ending, (reason or "").strip() or None)
        self._post(lambda: self._on_end(EpisodeState.FINISHED, claim))

    def leave(self) -> None:
        """Ends the episode without a claim: it is incomplete. Returns at once."""
        self._post(lambda: self._on_end(EpisodeState.INCOMPLETE, None))

    def stop(self) -> None:
        """Ends the session and waits for it; without a claim the episode is incomplete.

        What happened before is committed. The mirror and the library stay as they are.
        """
        if self._thread.ident is None:
            self._state = SessionState.STOPPED
            self._opening.shutdown()
            self.ended.set()
            return
        self._post(lambda: self._on_end(EpisodeState.INCOMPLETE, None))
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def wait_for(self, *states: SessionState, timeout: float = 30) -> bool:
        """Waits until the session is in one of these states; returns whether it is."""
        deadline = time.monotonic() + timeout
        reached = threading.Event()

        def look(event: SessionEvent) -> None:
            if isinstance(event, StateChanged) and event.state in states:
                reached.set()

        self._callbacks.append(look)
        try:
            return self._state in states or reached.wait(max(0.0, deadline - time.monotonic()))
        finally:
            self._callbacks.remove(look)

    def wait_quiet(self, timeout: float = 10, with_tree: bool = True) -> bool:
        """Waits until the screen is still, its app known, and its tree received or given up.

        Returns False on timeout. Must not be called on the session's own thread.
        """
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline and not self.ended.is_set():
            left = max(0.05, deadline - time.monotonic())
            if self._look(lambda now: now.quiet(time.monotonic_ns(), with_tree), left):
                return True
            self.ended.wait(0.03)
        return False

    def tree(self, timeout: float = 5) -> TreeRecord | None:
        """Returns the tree of the present screen, or None. Not on the session's own thread."""
        return self._look(lambda now: now.tree(), timeout)

    def surroundings(self, shown: LiveFrame, timeout: float = 5) -> StepContext | None:
        """Returns the tree and protection of a step that would begin now on this frame.

        Asks the phone nothing. Returns None if no recording has begun, or if the session is busy
        for longer than `timeout`. Must not be called on the session's own thread.
        """
        return self._look(lambda now: now.surroundings(shown), timeout)

    def _look(self, look: Callable[[Recording], T], timeout: float) -> T | None:
        """Calls `look` on the session's thread; returns None on timeout."""
        answer: Future[T | None] = Future()

        def ask() -> None:
            recording = self._recording
            answer.set_result(None if recording is None else look(recording))

        self._post(ask)
        try:
            return answer.result(timeout)
        except TimeoutError:
            return None

    # --- the session's thread ----------------------------------------------------------------
    def _post(self, work: Callable[[], None]) -> None:
        self._inbox.put(work)

    def _with(self, work: Callable[[Recording], None]) -> None:
        """Queues work that is skipped unless a recording has begun and has not ended."""

        def take() -> None:
            if self._recording is not None and self._end is None:
                work(self._recording)

        self._post(take)

    def _emit(self, event: SessionEvent) -> None:
        if isinstance(event, Problem) and event.is_loss and self._loss is None:
            self._loss = event.error
        for callback in tuple(self._callbacks):
            callback(event)

    def _become(self, state: SessionState) -> None:
        if state is not self._state:
            self._state = state
            self._told_withheld = self._told_withheld and state is not SessionState.RECORDING
            self._emit(StateChanged(state))

    def _route(self) -> _Route:
        """Returns whether an input that begins now is sent and recorded. Any thread."""
        recording = self._recording
        if self._end is not None or self._state in _ENDED:
            return _Route.SEND
        if recording is None or recording.state in (SessionState.STARTING, SessionState.LOST):
            return _Route.WITHHOLD
        return _Route.SEND if recording.state is SessionState.PAUSED else _Route.RECORD

    def _touch_route(self, touch: Touch) -> _Route:
        """Returns what happens to a touch: as the finger's first one, while that is possible."""
        pointer = touch.contact.pointer
        if touch.is_down:
            route = self._routes[pointer] = self._route()
            return route
        route = self._routes.get(pointer, _Route.WITHHOLD)
        if route is _Route.RECORD and self._route() is not _Route.RECORD:
            route = _Route.SEND  # the gesture is not recorded any more; the finger still leaves
        if touch.is_lift:
            self._routes.pop(pointer, None)
        return route

    def _withheld(self) -> None:
        """Reports that an input was not sent; once until the recording goes on."""
        if not self._told_withheld and self._state not in _ENDED:
            self._told_withheld = True
            self._emit(Problem(_not_sent(self._mirror.connected)))

    def _work(self) -> None:
        while self._state not in _ENDED:
            try:
                work = self._inbox.get(timeout=self._wait_s())
            except queue.Empty:
                work = None
            try:
                if work is not None:
                    work()
                self._tick()
            except KnownError as error:
                self._emit(Problem(error))
            except Exception:
                # A bug: log its traceback, and go on with the recording.
                logger.exception("a bug in the recording of %s", self.episode)
                self._emit(Problem(_bug(), is_loss=True))
        self.ended.set()

    def _wait_s(self) -> float:
        due = None if self._recording is None else self._recording.due_ns()
        if due is None:
            return IDLE_TICK_S
        return min(IDLE_TICK_S, max(0.0, (due - time.monotonic_ns()) / 1e9) + 0.001)

    def _tick(self) -> None:
        recording = self._recording
        if recording is None or self._state in _ENDED:
            return
        recording.tick(time.monotonic_ns())
        if self._end is not None and recording.idle:
            self._close()

    # --- begin and end -----------------------------------------------------------------------
    def _begin(self) -> None:
        self._become(SessionState.STARTING)
        asked = self._opening.submit(self._device.facts)
        asked.add_done_callback(lambda done: self._post(lambda: self._told_facts(done)))

    def _told_facts(self, asked: Future[DeviceFacts]) -> None:
        if self._end is not None:
            return
        error = asked.exception()
        if isinstance(error, KnownError):
            self._emit(Problem(error))  # the episode has no device facts, and goes on
        else:
            self._facts = asked.result()
        self._beginning = True
        begun = self._library.submit(self._add_episode)
        begun.add_done_callback(lambda done: self._post(lambda: self._begun(done)))

    def _add_episode(self, library: Library) -> str:
        """On the library's thread."""
        name = library.next_name()
        library.begin_episode(
            Episode(
                uuid=self.episode,
                name=name,
                origin=Origin("recorded"),
                task=self._task,
                state=EpisodeState.RECORDING,
                steps=(),
                actor=self._actor,
                device=self._facts,
                started_utc=_utc(),
            )
        )
        return name

    def _begun(self, done: Future[str]) -> None:
        error = done.exception()
        if isinstance(error, KnownError):
            self._emit(Problem(error, is_loss=True))
            self._end = (EpisodeState.INCOMPLETE, None)
            self._close()
            return
        self.name = done.result()
        if self._end is not None:
            self._end = (EpisodeState.INCOMPLETE, None)  # it has no step to claim anything for
            self._close()
            return
        self._recording = Recording(
            self.episode,
            self._mirror,
            self._library,
            self._device,
            self._facts,
            self._actor.author,
            self._make_source(),
            self._post,
            self._emit,
            self._become,
        )
        self._recording.start()

    def _on_end(self, state: EpisodeState, claim: Finish | None) -> None:
        if self._end is not None:
            return
        if claim is not None and self._state is SessionState.LOST:
            self._emit(Problem(_away_at_the_end(), is_loss=True))
        if self._loss is not None:
            state, claim = EpisodeState.INCOMPLETE, None
        self._end = (state, claim)
        if self._recording is not None:
            self._recording.claim(claim)
        elif not self._beginning:
            self._end = (EpisodeState.INCOMPLETE, None)
            self._close()

    def _close(self) -> None:
        """Ends the episode when all its steps are committed."""
        assert self._end is not None
        state, claim = self._end
        self._device.interrupt()
        self._opening.shutdown(wait=True, cancel_futures=True)
        final: Frame | None = None
        facts = self._facts
        if self._recording is not None:
            final = self._recording.close()
            facts = replace(facts, app_versions=tuple(sorted(self._recording.apps.items())))
        if self._loss is not None:
            state = EpisodeState.INCOMPLETE
        if self.name:
            try:
                self._library.call(
                    lambda lib: lib.finish_episode(self.episode, state, claim, _utc(), final, facts)
                )
            except KnownError as error:
                state = EpisodeState.INCOMPLETE
                self._emit(Problem(error, is_loss=True))
        finished = state is EpisodeState.FINISHED
        self._become(SessionState.FINISHED if finished else SessionState.STOPPED)


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _not_sent(connected: bool) -> KnownError:
    return KnownError(
        "send this to the phone",
        "the recording has no picture of it yet" if connected else "the phone is away",
        "Do it again when the recording goes on.",
    )


def _away_at_the_end() -> KnownError:
    return KnownError(
        "finish the episode",
        "the phone was away at the end, so the episode is incomplete",
        "Connect the phone, and record the task again.",
    )


def _bug() -> KnownError:
    return KnownError(
        "record all of this", "the program made an error", "Its log has the traceback; tell us."
    )
