"""One recording: what was on the screen, and what was then done, in order.

Everything that happens (touches, frames, trees, losses, wishes) goes into one queue and is
handled on the session's own thread, so there is one order. Touches go to the phone before that,
on the caller's thread: the phone never waits for a disk. A step is told (`StepSaved`) only after
it is committed, so a step that was shown outlives this process.

Rules a reader should know:
- Enter after typing is a step of its own; Delete takes back typed characters while there are any.
- Typed text is one step, closed by 1.5 s of silence, by any other input, or by the end. Text that
  is wholly taken back makes none.
- Turns of the wheel are one `Scroll`, closed by half a second of silence. Its direction is the
  finger's: a wheel turned towards the person is a finger that goes up.
- What is done while paused, or before the first frame is kept, reaches the phone and is no step.
- A gesture during which the screen turns is cancelled, there and here, and marked as a gap.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
import uuid as uuids
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

from episodes.actions import Ending, Finish, Key, OpenApp, Phase
from episodes.annotations import Author, Edit
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.geometry import Point, Size
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame
from episodes.store.library import Library
from recorder.capture import CaptureBroke, CaptureEvent, EpisodeSink, SegmentBegan
from recorder.committing import AfterCommitted, Committed, Committer
from recorder.events import (
    AfterSaved,
    Back,
    Health,
    Lost,
    MirrorEvent,
    Problem,
    SessionEvent,
    SessionState,
    StateChanged,
    StepDropped,
    StepSaved,
    TextCollected,
)
from recorder.frames import FrameNote, LiveFrame
from recorder.hand import Hand
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.pending import PendingStep
from recorder.reel import Reel
from recorder.surroundings import Surroundings
from recorder.trees import TREE_SOURCES, TreeSource

logger = logging.getLogger(__name__)

IDLE_TICK_S = 0.25
CLOCK_EVERY_NS = 60_000_000_000

_ENDED = (SessionState.FINISHED, SessionState.STOPPED)


class Session:
    """One episode being recorded from a mirror into a library.

    Attributes:
        episode: the episode's uuid.
        name: its short name, once it has begun.
        ended: set when it is finished or stopped and all of it is committed.
    """

    def __init__(
        self,
        mirror: Mirror,
        library: LibraryThread,
        task: Task,
        author: Author | None = None,
        tree_source: Callable[[], TreeSource] | None = None,
    ) -> None:
        self.episode = str(uuids.uuid4())
        self.name = ""
        self.ended = threading.Event()
        self._mirror = mirror
        self._library = library
        self._task = task
        self._author = author
        self._state = SessionState.NEW
        self._inbox: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._callbacks: list[Callable[[SessionEvent], None]] = []
        self._thread = threading.Thread(target=self._work, name="session", daemon=True)
        self._phone = mirror.phone.another()
        self._ask = ThreadPoolExecutor(2, "phone")
        self._encode = ThreadPoolExecutor(1, "encode")
        self._facts = DeviceFacts()
        self._hand = Hand(self._happened, lambda text: self._emit(TextCollected(text)))
        make_source = tree_source or (lambda: TREE_SOURCES["uiautomator"](mirror.phone))
        self._around = Surroundings(mirror, make_source(), self._post, self._emit)
        self._sink: EpisodeSink | None = None
        self._reel: Reel | None = None
        self._committer: Committer | None = None
        self._recording = False
        self._size: Size | None = None
        self._finish: tuple[EpisodeState, Finish | None] | None = None
        self._unlisten: list[Callable[[], None]] = []
        self._clock_ns = time.monotonic_ns()
        self._drops = 0
        self._beginning = False
        self._noted: tuple[object, ...] = ()
        self._touched: dict[str, str] = {}

    # --- for any thread ----------------------------------------------------------------------
    @property
    def state(self) -> SessionState:
        """Where the recording is; may be newer than the last event."""
        return self._state

    def on_event(self, callback: Callable[[SessionEvent], None]) -> None:
        """Calls back with every event, on the session's thread. Call it before `start`."""
        self._callbacks.append(callback)

    def start(self) -> None:
        """Begins the episode; returns at once. RECORDING is told when its first frame is kept."""
        self._thread.start()
        self._post(self._begin)

    def touch(
        self,
        phase: Phase,
        at: Point,
        pointer: int,
        host_ns: int,
        shown: LiveFrame,
        painted_ns: int | None = None,
    ) -> None:
        """Takes one finger at one moment; the phone gets it before this returns.

        Args:
            at: in pixels of `shown`.
            host_ns: monotonic clock of the input.
            shown: the frame that was painted when this finger came down; for its moves and its
                lift the same frame again.
            painted_ns: when that had been painted.
        """
        self._send(lambda: self._mirror.touch(phase, at, shown.size, pointer))
        self._post(lambda: self._on_touch(phase, at, pointer, host_ns, shown, painted_ns))

    def key(self, key: Key, host_ns: int, shown: LiveFrame | None, name: str | None = None) -> None:
        """Presses and releases a key; `name` says which when it is OTHER."""
        self._send(lambda: self._mirror.key(key, name))
        self._post(lambda: self._on_key(key, name, host_ns, shown))

    def text(
        self,
        text: str,
        host_ns: int,
        shown: LiveFrame | None,
        painted_ns: int | None = None,
    ) -> None:
        """Takes characters typed on the computer's keyboard."""
        self._send(lambda: self._mirror.text(text))
        self._post(lambda: self._on_text(text, host_ns, shown, painted_ns))

    def scroll(
        self,
        at: Point,
        across: float,
        down: float,
        host_ns: int,
        shown: LiveFrame,
        painted_ns: int | None = None,
    ) -> None:
        """Takes a turn of the wheel, in notches; positive is right and up."""
        self._send(lambda: self._mirror.scroll(at, shown.size, across, down))
        self._post(lambda: self._on_scroll(at, across, down, host_ns, shown, painted_ns))

    def start_app(self, package: str, host_ns: int, shown: LiveFrame | None) -> None:
        """Brings an app to the front by its package."""
        self._send(lambda: self._mirror.start_app(package))
        self._post(lambda: self._on_start_app(package, host_ns, shown))

    def pause(self) -> None:
        """Keeps nothing until `resume`; the mirror goes on."""
        self._post(self._on_pause)

    def resume(self) -> None:
        """Keeps on recording, in a new segment."""
        self._post(self._on_resume)

    def drop_last(self) -> None:
        """Takes the last committed step out again; it stays in the journal."""
        self._post(self._on_drop)

    def finish(self, ending: Ending, reason: str | None = None) -> None:
        """Ends the episode with a claim; `ended` is set when all of it is committed."""
        claim = Finish(ending, (reason or "").strip() or None)
        self._post(lambda: self._on_finish(EpisodeState.FINISHED, claim))

    def stop(self) -> None:
        """Ends the session and waits for it; without a claim the episode is incomplete.

        What happened before is committed. The mirror and the library stay as they are.
        """
        if self._thread.ident is None:
            self._state = SessionState.STOPPED
            self._shut()
            self.ended.set()
            return
        self._post(lambda: self._on_finish(EpisodeState.INCOMPLETE, None))
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
        """Waits until the screen is still, its app known, and its tree there or given up.

        Returns whether it came to that. Not on the session's own thread.
        """
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline and not self.ended.is_set():
            answer: Future[bool] = Future()
            self._post(
                lambda asked=answer: asked.set_result(  # type: ignore[misc]
                    self._around.quiet(time.monotonic_ns(), with_tree)
                )
            )
            try:
                if answer.result(timeout=max(0.05, deadline - time.monotonic())):
                    return True
            except TimeoutError:
                return False
            self.ended.wait(0.03)
        return False

    # --- the session's thread ----------------------------------------------------------------
    def _post(self, work: Callable[[], None]) -> None:
        self._inbox.put(work)

    def _emit(self, event: SessionEvent) -> None:
        for callback in tuple(self._callbacks):
            callback(event)

    def _become(self, state: SessionState) -> None:
        if state is not self._state:
            self._state = state
            self._emit(StateChanged(state))

    def _work(self) -> None:
        while self._state not in _ENDED:
            wait_s = self._wait_s()
            try:
                work = self._inbox.get(timeout=wait_s) if wait_s > 0 else self._inbox.get_nowait()
            except queue.Empty:
                work = None
            try:
                if work is not None:
                    work()
                self._tick(time.monotonic_ns())
            except KnownError as error:
                self._emit(Problem(error))
            except Exception:  # a bug; the recording of everything else goes on
                logger.exception("a bug in the recording of %s", self.episode)
                self._emit(Problem(_bug()))
        self.ended.set()

    def _wait_s(self) -> float:
        due = [self._hand.due_ns(), self._around.due_ns()]
        if self._committer is not None:
            due.append(self._committer.due_ns(self._around.screen.content_ns))
        now = time.monotonic_ns()
        # What is overdue waits for something else, which will be posted.
        ahead = [at - now for at in due if at is not None and at > now]
        return min([IDLE_TICK_S, *(at / 1e9 + 0.001 for at in ahead)])

    def _tick(self, now_ns: int) -> None:
        self._hand.tick(now_ns)
        self._around.tick(now_ns)
        if self._reel is None or self._committer is None:
            return
        self._reel.tick(now_ns)
        screen = self._around.screen
        self._committer.tick(now_ns, screen.content_ns, self._mirror.latest.peek())
        if now_ns - self._clock_ns > CLOCK_EVERY_NS:
            self._clock_ns = now_ns
            self._in_background(lambda: self._phone.sample_clock(self._mirror.clock))
        # A wish to drop waits behind steps on their way, so that it takes the last one.
        if self._drops and self._committer.idle:
            self._drop(self._committer)
        if self._finish is not None and self._committer.idle:
            self._close()

    # --- begin and end -----------------------------------------------------------------------
    def _begin(self) -> None:
        self._become(SessionState.STARTING)
        self._in_background(self._learn_names)
        asked = self._ask.submit(self._phone.facts)
        asked.add_done_callback(lambda done: self._post(lambda: self._begin_episode(done)))

    def _learn_names(self) -> None:
        self._phone.learn_app_names(self._mirror.server)

    def _begin_episode(self, asked: Future[DeviceFacts]) -> None:
        if self._finish is not None or asked.cancelled():
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
                actor=Actor(author=self._author),
                device=self._facts,
                started_utc=_utc(),
            )
        )
        return name

    def _begun(self, done: Future[str]) -> None:
        error = done.exception()
        if isinstance(error, KnownError):
            self._emit(Problem(error))
            self._finish = (EpisodeState.INCOMPLETE, None)
            self._close()
            return
        self.name = done.result()
        if self._finish is not None:
            self._finish = (EpisodeState.INCOMPLETE, None)  # nothing was done that could be claimed
            self._close()
            return
        folder = self._library.folder / "episodes" / self.episode
        options = self._mirror.options
        self._sink = EpisodeSink(self.episode, folder, options.codec, self._captured)
        self._reel = Reel(
            self.episode,
            self._library,
            self._sink,
            self._mirror.clock,
            self._mirror.server.version,
            options.display,
            self._watch_write,
        )
        self._committer = Committer(
            self.episode,
            self._library,
            self._reel,
            self._mirror.clock,
            self._around,
            self._encode,
            self._post,
            self._committed,
            lambda error: self._emit(Problem(error)),
        )
        self._around.start()
        self._unlisten = [
            self._mirror.watch(self._watched),
            self._mirror.on_event(lambda event: self._post(lambda: self._on_mirror(event))),
        ]
        self._mirror.record_to(self._sink)
        if not self._mirror.connected:
            self._on_mirror(Lost("the phone is away"))

    def _on_finish(self, state: EpisodeState, claim: Finish | None) -> None:
        if self._finish is not None or self._state in _ENDED:
            return
        self._hand.flush()
        self._finish = (state, claim)
        if self._committer is None or self._reel is None:
            if not self._beginning:
                self._finish = (EpisodeState.INCOMPLETE, None)
                self._close()
            return
        if claim is not None:
            now = time.monotonic_ns()
            newest = self._mirror.latest.peek()
            self._committer.pressed(now, newest)
            self._around.press(now)
            self._committer.add(PendingStep(claim, "button", newest, Basis.FINAL, now, now))
        self._recording = False
        self._mirror.record_to(None)

    def _close(self) -> None:
        """All steps are committed, or there never was an episode: end it and say so."""
        assert self._finish is not None
        state, claim = self._finish
        final: Frame | None = None
        now = time.monotonic_ns()
        for end in self._unlisten:
            end()
        if self._reel is not None and self._sink is not None and self._committer is not None:
            self._mirror.record_to(None)
            self._reel.tick(now)
            self._reel.end_segment(now)
            self._reel.close_gap(now)
            self._reel.flush(now)
            self._sink.close()
            final = self._committer.final
        if self.name:
            facts = replace(self._facts, app_versions=tuple(sorted(self._touched.items())))
            try:
                self._library.call(
                    lambda lib: lib.finish_episode(self.episode, state, claim, _utc(), final, facts)
                )
            except KnownError as error:
                self._emit(Problem(error))
        self._shut()
        finished = state is EpisodeState.FINISHED
        self._become(SessionState.FINISHED if finished else SessionState.STOPPED)

    def _shut(self) -> None:
        self._phone.link.interrupt()
        if self._reel is not None:
            self._around.stop()
        self._ask.shutdown(wait=True, cancel_futures=True)
        self._encode.shutdown(wait=True)

    # --- input -------------------------------------------------------------------------------
    def _on_touch(
        self,
        phase: Phase,
        at: Point,
        pointer: int,
        host_ns: int,
        shown: LiveFrame,
        painted_ns: int | None,
    ) -> None:
        if not self._recording:
            return
        if phase is Phase.DOWN and not self._hand.touching:
            self._began(host_ns, shown)
        elif phase in (Phase.UP, Phase.CANCEL):
            self._around.act(host_ns)
        self._hand.touch(phase, at, pointer, host_ns, shown, painted_ns)

    def _on_key(self, key: Key, name: str | None, host_ns: int, shown: LiveFrame | None) -> None:
        if self._recording:
            self._began(host_ns, shown)
            self._hand.key(key, name, host_ns, shown)

    def _on_start_app(self, package: str, host_ns: int, shown: LiveFrame | None) -> None:
        if self._recording:
            self._began(host_ns, shown)
            name = self._mirror.phone.app_name(package) or package
            self._hand.command(OpenApp(name), "command", host_ns, shown)

    def _on_text(
        self, text: str, host_ns: int, shown: LiveFrame | None, painted_ns: int | None
    ) -> None:
        if self._recording:
            self._began(host_ns, shown)
            self._hand.text(text, host_ns, shown, painted_ns)

    def _on_scroll(
        self,
        at: Point,
        across: float,
        down: float,
        host_ns: int,
        shown: LiveFrame,
        painted_ns: int | None,
    ) -> None:
        if self._recording:
            self._began(host_ns, shown)
            self._hand.wheel(at, across, down, host_ns, shown, painted_ns)

    def _began(self, host_ns: int, shown: LiveFrame | None) -> None:
        """Something new begins: it ends the wait for the screen that followed the last step."""
        if self._committer is not None:
            self._committer.pressed(host_ns, shown)
        self._around.press(host_ns)

    def _happened(self, step: PendingStep) -> None:
        if self._committer is not None:
            self._committer.add(step)

    def _send(self, send: Callable[[], None]) -> None:
        try:
            send()
        except KnownError as error:
            problem = Problem(error)
            self._post(lambda: self._emit(problem))

    # --- pause, loss, rotation ---------------------------------------------------------------
    def _on_pause(self) -> None:
        if self._reel is None or self._state is not SessionState.RECORDING:
            return
        self._hand.flush()
        self._recording = False
        now = time.monotonic_ns()
        self._mirror.record_to(None)
        self._reel.end_segment(now)
        self._reel.open_gap("paused", now)
        self._become(SessionState.PAUSED)

    def _on_resume(self) -> None:
        if self._state is SessionState.PAUSED and self._finish is None:
            self._become(SessionState.STARTING)
            self._mirror.record_to(self._sink)

    def _on_mirror(self, event: MirrorEvent) -> None:
        match event:
            case Lost(reason=reason):
                self._lost(reason)
            case Back():
                self._emit(event)
                if self._state is SessionState.LOST:
                    self._become(SessionState.STARTING)
            case Health() | Problem():
                self._emit(event)

    def _lost(self, reason: str) -> None:
        if self._reel is None or self._finish is not None:
            return
        now = time.monotonic_ns()
        self._hand.flush()
        self._emit(Lost(reason))
        if self._state is SessionState.PAUSED:
            return
        self._recording = False
        self._reel.end_segment(now)
        self._reel.open_gap("unplugged", now)
        self._become(SessionState.LOST)

    def _watched(self, frame: LiveFrame) -> None:
        """On the decoder's thread: what repeats is let go, and pixels are never queued."""
        noted = (frame.content, frame.size, frame.episode, frame.segment)
        if noted != self._noted:
            self._noted = noted
            note = frame.note
            self._post(lambda: self._on_frame(note))

    def _on_frame(self, frame: FrameNote) -> None:
        if self._reel is None:
            return
        if self._size is not None and frame.size != self._size:
            self._turned(frame)
        self._size = frame.size
        self._around.see(frame)
        if not self._reel.see(frame):
            return
        self._set_density(frame.size)
        self._reel.close_gap(frame.received_ns)
        if self._state is SessionState.STARTING and self._finish is None:
            self._recording = True
            self._become(SessionState.RECORDING)

    def _turned(self, frame: FrameNote) -> None:
        """The screen has another size: what was done on the old one meanwhile did not count."""
        assert self._reel is not None
        now = time.monotonic_ns()
        earliest, _ = self._mirror.clock.host_range(frame.pts_us, frame.received_ns)
        fingers = self._hand.fingers
        for pointer, at in fingers:
            # The phone ignores touches of the old size, so the fingers are lifted on the new one.
            for phase in (Phase.CANCEL, Phase.UP):
                self._mirror.touch(phase, at, frame.size, pointer)
        dropped = [] if self._committer is None else self._committer.drop_since(earliest)
        tap = self._hand.drop_tap(earliest)
        if self._hand.cancel() or dropped or tap:
            began = min([earliest, *(step.began_ns for step in dropped)])
            self._reel.mark("rotated", began, now)
            self._emit(Problem(_turned_while_touching()))

    def _set_density(self, size: Size) -> None:
        facts = self._facts
        if facts.density and facts.size:
            natural = min(facts.size.width, facts.size.height)
            self._hand.set_density(facts.density * min(size.width, size.height) / natural)

    # --- the library -------------------------------------------------------------------------
    def _captured(self, event: CaptureEvent) -> None:
        """On the video reader's thread."""
        self._post(lambda: self._on_captured(event))

    def _on_captured(self, event: CaptureEvent) -> None:
        if self._reel is None:
            return
        match event:
            case SegmentBegan(number=number):
                self._reel.began(event)
                if self._finish is None:
                    asked = self._ask.submit(self._phone.rotation)
                    asked.add_done_callback(
                        lambda done: self._post(lambda: self._told_rotation(number, done))
                    )
            case CaptureBroke(error=error):
                self._emit(Problem(error))
                self._reel.end_segment(time.monotonic_ns())
                self._reel.open_gap("disk", time.monotonic_ns())

    def _told_rotation(self, number: int, done: Future[int | None]) -> None:
        if self._reel is None or done.cancelled():
            return
        error = done.exception()
        if isinstance(error, KnownError):
            self._reel.turned(number, None)
        else:
            self._reel.turned(number, done.result())

    def _committed(self, event: Committed | AfterCommitted) -> None:
        match event:
            case Committed(step=step):
                if step.foreground is not None:
                    self._touch_app(step.foreground.package)
                self._emit(StepSaved(step))
            case AfterCommitted(index=index, frame=frame):
                self._emit(AfterSaved(index, frame))

    def _touch_app(self, package: str) -> None:
        if package in self._touched or self._finish is not None:
            return
        self._touched[package] = ""

        def ask() -> None:
            version = self._phone.app_version(package)
            self._post(lambda: self._touched.__setitem__(package, version))

        self._in_background(ask)

    def _on_drop(self) -> None:
        if self._committer is not None and self._finish is None:
            self._drops += 1

    def _drop(self, committer: Committer) -> None:
        self._drops -= 1
        index = committer.drop_last()
        if index is None:
            return
        author = self._author
        dropped = self._library.submit(
            lambda lib: (
                lib.delete_step(self.episode, index, author)
                if author is not None
                else lib.delete_step(self.episode, index)
            )
        )
        dropped.add_done_callback(lambda done: self._post(lambda: self._dropped(index, done)))

    def _dropped(self, index: int, done: Future[Edit]) -> None:
        error = done.exception()
        if isinstance(error, KnownError):
            self._emit(Problem(error))
            return
        done.result()
        self._emit(StepDropped(index))

    def _watch_write(self, future: Future[None]) -> None:
        future.add_done_callback(lambda done: self._post(lambda: self._look_at(done)))

    def _look_at(self, done: Future[None]) -> None:
        error = done.exception()
        if isinstance(error, KnownError):
            self._emit(Problem(error))
        elif error is not None:
            raise error

    def _in_background(self, work: Callable[[], object]) -> None:
        """Asks the phone something that is nice to know; being away is told by the mirror."""

        def ask() -> None:
            with contextlib.suppress(KnownError):
                work()

        if self._finish is None:
            self._ask.submit(ask).add_done_callback(
                lambda done: None if done.cancelled() else self._post(lambda: _raise(done))
            )


def _raise(done: Future[None]) -> None:
    """A bug in a background question is a bug here."""
    done.result()


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _bug() -> KnownError:
    return KnownError(
        "record all of this", "the program made an error", "Its log has the traceback; tell us."
    )


def _turned_while_touching() -> KnownError:
    return KnownError(
        "record this gesture",
        "the screen turned meanwhile, so the phone ignored it",
        "Do it again on the turned screen.",
    )
