"""Records one episode: input, frames, losses and requests, on the session's thread.

`Session` is the interface for other threads; this is the implementation. It connects the reader of
input, the index of the video, the context of the screen, and the writer of steps.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from episodes.actions import Answer, Finish, OpenApp, Phase, Wait
from episodes.annotations import Author, Edit
from episodes.density import pixels_per_dp
from episodes.errors import KnownError
from episodes.geometry import Size
from episodes.recordings import DeviceFacts
from episodes.screens import Basis, Frame, TreeRecord
from recorder.capture import CaptureBroke, CaptureEvent, EpisodeSink, SegmentBegan
from recorder.device.interface import Device, TreeSource
from recorder.events import (
    AfterSaved,
    Back,
    Health,
    Lost,
    MirrorEvent,
    Problem,
    SessionEvent,
    SessionState,
    StepDropped,
    StepRestored,
    StepSaved,
    TextCollected,
    Undelivered,
)
from recorder.frames import FrameNote, LiveFrame
from recorder.input_reader import InputReader
from recorder.inputs import Input, KeyPress, StartApp, Touch, TypedText, WheelTurn
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.pending_step import PendingStep
from recorder.screen_context import ScreenContext, StepContext
from recorder.step_writer import AfterCommitted, Committed, StepWriter
from recorder.video_index import VideoIndex

CLOCK_EVERY_NS = 60_000_000_000
SAME_AGAIN_NS = 10_000_000_000
OTHERS_EVERY_NS = 5_000_000_000

Post = Callable[[Callable[[], None]], None]
_Shown = TypeVar("_Shown", LiveFrame, LiveFrame | None)


class Recording:
    """One episode, from its row in the library to its last step.

    Args:
        device: the phone, on a connection of its own; interrupted when the recording ends.
        post: runs a function on the session's thread.
        emit: reports an event; become: reports a state.
    """

    def __init__(
        self,
        episode: str,
        mirror: Mirror,
        library: LibraryThread,
        device: Device,
        facts: DeviceFacts,
        author: Author | None,
        source: TreeSource,
        post: Post,
        emit: Callable[[SessionEvent], None],
        become: Callable[[SessionState], None],
    ) -> None:
        self.state = SessionState.STARTING
        self.apps: dict[str, str] = {}
        self._episode = episode
        self._mirror = mirror
        self._library = library
        self._device = device
        self._facts = facts
        self._author = author
        self._post = post
        self._emit = emit
        self._tell_state = become
        self._ask = ThreadPoolExecutor(2, "phone")
        self._encode = ThreadPoolExecutor(1, "encode")
        self._context = ScreenContext(mirror, source, post, emit, facts.size, self._foreign)
        folder = library.folder / "episodes" / episode
        self._sink = EpisodeSink(
            episode,
            folder,
            mirror.options.codec,
            lambda event: post(lambda: self._captured(event)),
        )
        self._video = VideoIndex(
            episode,
            library,
            self._sink,
            mirror.clock,
            device.stream_version,
            mirror.options.display,
            self._watch,
        )
        self._writer = StepWriter(
            episode,
            library,
            self._video,
            mirror.clock,
            self._context,
            self._encode,
            post,
            self._committed,
            self._failed,
        )
        self._by_agent = False
        self._input = InputReader(self._add, lambda text: emit(TextCollected(text)))
        self._told = ("", False, 0)
        self._taking = False
        self._ending = False
        self._drops = 0
        self._taken_out: list[int] = []
        self._size: Size | None = None
        self._clock_ns = time.monotonic_ns()
        self._others_ns = 0
        self._others: tuple[str, ...] = ()
        self._noted: tuple[object, ...] = ()
        self._first: LiveFrame | None = None
        self._began_ns: int | None = None
        self._unlisten: list[Callable[[], None]] = []

    # --- life --------------------------------------------------------------------------------
    def start(self) -> None:
        """Begins to record packets, from the phone's next key frame on."""
        self._context.start()
        shown = self._mirror.latest.peek()
        if shown is not None:
            self._context.see(shown.note)
        self._unlisten = [
            self._mirror.watch(self._watched),
            self._mirror.on_event(lambda event: self._post(lambda: self._heard(event))),
        ]
        self._in_background(self._device.apps)
        self._in_background(self._look_for_others)
        self._in_background(self._check_clock)
        self._mirror.record_to(self._sink)
        if not self._mirror.connected:
            self._lost("the phone is away")

    def claim(self, claim: Finish | None) -> None:
        """Ends the input; a claim becomes the last step."""
        self._input.flush()
        if claim is not None:
            now = time.monotonic_ns()
            newest = self._mirror.latest.peek()
            self._began(now, newest)
            self._add(PendingStep(claim, "button", newest, Basis.FINAL, now, now))
        self._taking = False
        self._ending = True
        self._mirror.record_to(None)

    @property
    def idle(self) -> bool:
        """Whether all steps are committed."""
        return self._writer.idle

    def close(self) -> Frame | None:
        """Stops the video and all workers; returns the frame of the claim."""
        now = time.monotonic_ns()
        for end in self._unlisten:
            end()
        self._mirror.record_to(None)
        self._video.tick(now)
        self._video.end_segment(now)
        self._video.close_gap(now)
        self._video.flush(now)
        self._sink.close()
        self._context.stop()
        self._device.interrupt()
        self._ask.shutdown(wait=True, cancel_futures=True)
        self._encode.shutdown(wait=True)
        return self._writer.final

    def due_ns(self) -> int | None:
        """Returns the host time at which `tick` has something to do; None for never.

        Overdue work waits for something that will be posted.
        """
        now = time.monotonic_ns()
        screen = self._context.screen
        due = [
            self._input.due_ns(),
            self._context.due_ns(),
            self._writer.due_ns(screen.content_ns),
        ]
        return min((at for at in due if at is not None and at > now), default=None)

    def tick(self, now_ns: int) -> None:
        """Does the work that is due."""
        self._input.tick(now_ns)
        self._context.tick(now_ns)
        self._video.tick(now_ns)
        newest = self._mirror.latest.peek()
        self._writer.tick(now_ns, self._context.screen.content_ns, newest)
        if now_ns - self._clock_ns > CLOCK_EVERY_NS:
            self._clock_ns = now_ns
            self._in_background(lambda: self._device.sample_clock(self._mirror.clock))
            self._in_background(self._look_for_others)
        # A request to drop waits for steps under way, so that it deletes the last one.
        if self._drops and self._writer.idle:
            self._drops -= 1
            self._drop()

    def quiet(self, now_ns: int, with_tree: bool) -> bool:
        """Returns whether the screen is still, its app known, and its tree received or given up."""
        return self._context.quiet(now_ns, with_tree)

    def tree(self) -> TreeRecord | None:
        """Returns the tree of the present screen; None if it is not known."""
        return self._context.present_tree(time.monotonic_ns())

    def surroundings(self, shown: LiveFrame) -> StepContext:
        """Returns the tree and protection of a step that would begin now on this frame."""
        return StepContext(self._context.tree_now(shown), self._context.protects(shown))

    # --- input -------------------------------------------------------------------------------
    def add_action(
        self, action: Wait | Answer, shown: LiveFrame | None, now_ns: int, by_agent: bool
    ) -> None:
        """Records an action that sends nothing to the phone."""
        if not self._taking:
            return
        self._change_actor(by_agent)
        self._input.flush()
        shown = self._kept(shown)
        self._began(now_ns, shown)
        pending = PendingStep(action, "command", shown, Basis.BEFORE_ACTION, now_ns, now_ns)
        self._add(pending)

    def add_input(self, one: Input, by_agent: bool = False) -> None:
        """Records an input that the phone has got."""
        if not self._taking:
            self._not_kept()
            return
        self._change_actor(by_agent)
        shown = self._kept(one.shown)
        one = replace(one, shown=shown)  # type: ignore[arg-type]  # None only if it was None
        if not isinstance(one, Touch) or (one.is_down and not self._input.touching):
            self._began(one.host_ns, one.shown)
        elif one.is_lift:
            self._context.act(one.host_ns)
        match one:
            case Touch():
                self._input.touch(one)
            case KeyPress():
                self._input.key(one)
            case TypedText():
                self._input.text(one)
            case WheelTurn():
                self._input.wheel(one)
            case StartApp():
                name = self._mirror.device.app_name(one.package) or one.package
                self._input.command(OpenApp(name), "command", one)

    def _add(self, step: PendingStep) -> None:
        step.by_agent = self._by_agent
        self._writer.add(step)

    def _change_actor(self, by_agent: bool) -> None:
        """Ends the action under way if somebody else acts from now on."""
        if by_agent != self._by_agent:
            self._input.flush()
            self._by_agent = by_agent

    def end_action(self) -> None:
        """Ends the action under way, so that the next input begins another step."""
        self._input.end_action()

    def _not_kept(self) -> None:
        """Reports an input that was sent at the moment the phone was lost."""
        if self.state is SessionState.LOST:
            self._emit(Problem(_sent_as_it_went(), is_loss=True))

    def _kept(self, shown: _Shown) -> _Shown:
        """Returns the frame that was shown, with the packet that holds its picture.

        When the recording begins, a window may still show the last frame before the segment. If
        the segment's first frame has the same picture, its packet is used; time and pixels stay
        those of the frame that was shown.
        """
        first = self._first
        if shown is None or first is None:
            return shown
        if shown.episode == self._episode and shown.segment is not None:
            return shown
        same = (first.content, first.size) == (shown.content, shown.size)
        if not same:
            return shown
        return replace(shown, episode=first.episode, segment=first.segment, packet=first.packet)

    def _began(self, host_ns: int, shown: LiveFrame | None) -> None:
        """A new input begins: the last step does not wait for a settled screen any more."""
        self._began_ns = host_ns
        self._writer.pressed(host_ns, shown)
        self._context.act(host_ns)

    # --- pause and loss ----------------------------------------------------------------------
    def pause(self) -> None:
        """Stops recording until `resume`."""
        if self.state is SessionState.RECORDING and not self._ending:
            self._mirror.record_to(None)
            self._interrupted("paused", SessionState.PAUSED)

    def resume(self) -> None:
        """Continues, in a new segment."""
        if self.state is SessionState.PAUSED and not self._ending:
            self._become(SessionState.STARTING)
            self._mirror.record_to(self._sink)

    def _heard(self, event: MirrorEvent) -> None:
        match event:
            case Lost(reason=reason):
                self._lost(reason)
            case Back() | Health() | Problem():
                self._emit(event)
            case Undelivered():
                self._mark_undelivered()

    def _mark_undelivered(self) -> None:
        """Marks the input that began last, once; the mirror has told why it did not arrive."""
        began_ns, self._began_ns = self._began_ns, None
        if began_ns is not None:
            self._video.mark("undelivered", began_ns, began_ns)

    def _lost(self, reason: str) -> None:
        self._context.lose(time.monotonic_ns())
        self._emit(Lost(reason))
        if self.state is SessionState.PAUSED or self._ending:
            return
        self._interrupted("unplugged", SessionState.LOST)

    def _interrupted(self, reason: str, state: SessionState) -> None:
        now = time.monotonic_ns()
        self._input.flush()
        self._taking = False
        self._video.end_segment(now)
        self._video.open_gap(reason, now)
        self._become(state)

    def _become(self, state: SessionState) -> None:
        self.state = state
        self._tell_state(state)

    # --- frames ------------------------------------------------------------------------------
    def _watched(self, frame: LiveFrame) -> None:
        """Decoder's thread: skips repeated frames, and queues frames without pixels."""
        noted = (frame.content, frame.size, frame.episode, frame.segment)
        if noted != self._noted:
            ours = frame.episode == self._episode and frame.segment is not None
            if ours and noted[2:] != self._noted[2:]:
                self._first = frame
            self._noted = noted
            note = frame.note
            self._post(lambda: self._saw(note))

    def _saw(self, frame: FrameNote) -> None:
        if self._size is not None and frame.size != self._size:
            self._turned(frame)
        self._size = frame.size
        self._context.see(frame, time.monotonic_ns())
        if not self._video.see(frame):
            return
        self._set_density(frame.size)
        self._video.close_gap(frame.received_ns)
        if self.state in (SessionState.STARTING, SessionState.LOST) and not self._ending:
            self._taking = True
            self._become(SessionState.RECORDING)

    # --- other programs and people -------------------------------------------------------------
    def _foreign(self, app: str, began_ns: int, ended_ns: int) -> None:
        """Handles a change of the screen without input here; `app` came to the front, if not ""."""
        if self._ending or self.state is not SessionState.RECORDING:
            return
        if app:
            self._video.mark("foreign", began_ns, ended_ns)
            self._emit(Problem(_came_by_itself(app)))
        if ended_ns - self._others_ns > OTHERS_EVERY_NS:
            self._others_ns = ended_ns
            self._in_background(self._look_for_others)

    def _check_clock(self) -> None:
        """On a thread of `_ask`: reports a phone whose clock cannot be compared with this one."""
        if self._device.sample_clock(self._mirror.clock, 1) == 0:
            self._post(lambda: self._emit(Problem(_unknown_clock())))

    def _look_for_others(self) -> None:
        """On a thread of `_ask`: reports other programs that mirror this phone, once."""
        own = self._mirror.session
        others = self._device.other_recorders(own) if own else ()
        if own == self._mirror.session and others != self._others:
            self._others = others
            if others:
                problem = Problem(_also_mirrored(len(others)))
                self._post(lambda: self._emit(problem))

    def _turned(self, frame: FrameNote) -> None:
        """Handles a new screen size: drops input that the phone ignored because of it.

        The phone ignores touches of the old size from a moment before it draws its first turned
        frame. It does not report that moment: a configuration packet carries no time. So input
        that ends in it (an encoder's start, some tens of milliseconds) is kept although it was
        ignored. Otherwise the very tap that turned the screen would be dropped.
        """
        earliest, latest = self._mirror.clock.host_range(frame.pts_us, frame.received_ns)
        turned = self._mirror.latest.peek()
        if turned is not None:
            # The phone ignores touches of the old size, so the fingers are lifted on the new one.
            for pointer, at in self._input.fingers:
                for phase in (Phase.CANCEL, Phase.UP):
                    self._mirror.send(
                        Touch.of(phase, at, turned, time.monotonic_ns(), pointer=pointer)
                    )
        # Input that ended about then, by the clocks, probably turned the screen.
        dropped = self._writer.drop_since(latest)
        tap = self._input.drop_tap(latest)
        if self._input.cancel() or dropped or tap:
            began = min([earliest, *(step.began_ns for step in dropped)])
            self._video.mark("rotated", began, time.monotonic_ns())
            self._emit(Problem(_turned_while_touching()))

    def _set_density(self, size: Size) -> None:
        per_dp = pixels_per_dp(self._facts, size)
        if per_dp is not None:
            self._input.set_density(per_dp)

    def _captured(self, event: CaptureEvent) -> None:
        match event:
            case SegmentBegan(number=number):
                self._video.began(event)
                if not self._ending:
                    asked = self._ask.submit(self._device.rotation)
                    asked.add_done_callback(
                        lambda done: self._post(lambda: self._told_rotation(number, done))
                    )
                    self._context.await_size()
                    self._ask.submit(self._device.screen).add_done_callback(
                        lambda done: self._post(lambda: self._told_screen(done))
                    )
            case CaptureBroke(error=error):
                now = time.monotonic_ns()
                self._emit(Problem(error, is_loss=True))
                self._video.end_segment(now)
                self._video.open_gap("disk", now)

    def _told_rotation(self, number: int, done: Future[int | None]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is not None and not isinstance(error, KnownError):
            raise error
        self._video.turned(number, None if error is not None else done.result())

    def _told_screen(self, done: Future[tuple[Size | None, int | None]]) -> None:
        """Takes the screen's size and density, which a fold or a setting may have changed."""
        if done.cancelled():
            return
        error = done.exception()
        if error is not None and not isinstance(error, KnownError):
            raise error
        size, density = (None, None) if error is not None else done.result()
        self._facts = replace(
            self._facts, size=size or self._facts.size, density=density or self._facts.density
        )
        self._context.set_size(size)
        if self._size is not None:
            self._set_density(self._size)

    # --- the library -------------------------------------------------------------------------
    def _committed(self, event: Committed | AfterCommitted) -> None:
        match event:
            case Committed(step=step):
                if step.foreground is not None:
                    self._touched(step.foreground.package)
                self._emit(StepSaved(step))
            case AfterCommitted(index=index, frame=frame):
                self._emit(AfterSaved(index, frame))

    def _touched(self, package: str) -> None:
        """Learns the version of an app the first time a step is made in it."""
        if package in self.apps:
            return
        self.apps[package] = ""

        def ask() -> None:
            version = self._device.app_version(package)
            self._post(lambda: self.apps.__setitem__(package, version))

        self._in_background(ask)

    def drop_last(self) -> None:
        """Takes the newest step out again, once all before it are committed."""
        if not self._ending:
            self._drops += 1

    def _drop(self) -> None:
        index = self._writer.drop_last()
        if index is None:
            return
        who = {} if self._author is None else {"author": self._author}
        dropped = self._library.submit(lambda lib: lib.delete_step(self._episode, index, **who))
        dropped.add_done_callback(lambda done: self._post(lambda: self._dropped(index, done)))

    def _dropped(self, index: int, done: Future[Edit]) -> None:
        error = done.exception()
        if isinstance(error, KnownError):
            self._emit(Problem(error))
            return
        done.result()
        self._taken_out.append(index)
        self._emit(StepDropped(index))

    def restore_last(self) -> None:
        """Restores the step that was deleted last, if any."""
        if self._ending or not self._taken_out:
            return
        index = self._taken_out.pop()
        who = {} if self._author is None else {"author": self._author}
        back = self._library.submit(lambda lib: lib.undo(uuid=self._episode, **who))
        back.add_done_callback(lambda done: self._post(lambda: self._restored(index, done)))

    def _restored(self, index: int, done: Future[Edit | None]) -> None:
        error = done.exception()
        if isinstance(error, KnownError):
            self._taken_out.append(index)
            self._emit(Problem(error))
            return
        done.result()
        self._writer.put_back(index)
        self._emit(StepRestored(index))

    def _watch(self, future: Future[None]) -> None:
        future.add_done_callback(lambda done: self._post(lambda: self._look_at(done)))

    def _look_at(self, done: Future[None]) -> None:
        error = done.exception()
        if isinstance(error, KnownError):
            self._failed(error, is_loss=True)
        elif error is not None:
            raise error

    def _failed(self, error: KnownError, is_loss: bool) -> None:
        """Reports what could not be written; the same again only after a while."""
        text, was_loss, at_ns = self._told
        now = time.monotonic_ns()
        if (str(error), is_loss) != (text, was_loss) or now - at_ns > SAME_AGAIN_NS:
            self._told = (str(error), is_loss, now)
            self._emit(Problem(error, is_loss=is_loss))

    def _in_background(self, work: Callable[[], object]) -> None:
        """Asks the phone something optional; if it is away, the mirror reports that."""

        def ask() -> None:
            with contextlib.suppress(KnownError):
                work()

        if not self._ending:
            self._ask.submit(ask).add_done_callback(
                lambda done: None if done.cancelled() else self._post(lambda: done.result())
            )


def _came_by_itself(app: str) -> KnownError:
    return KnownError(
        "record only what is done here",
        f"“{app}” came to the front although nothing was done here",
        "Look whether the phone itself, another person or another program did it.",
    )


def _also_mirrored(count: int) -> KnownError:
    others = "another program" if count == 1 else f"{count} other programs"
    return KnownError(
        "record only what is done here",
        f"{others} can control the phone over scrcpy at the same time",
        "Close every other window and recording of this phone.",
    )


def _unknown_clock() -> KnownError:
    return KnownError(
        "compare the phone's clock with this computer's",
        "the phone does not report how long it has slept, so the time of a picture is known to "
        "half a second only",
        "Act slowly: a tree counts as stale if the screen changed within that time.",
    )


def _sent_as_it_went() -> KnownError:
    return KnownError(
        "record this input",
        "the phone went away in this moment, so nobody knows whether it arrived",
        "Look at the phone, and record the task again.",
    )


def _turned_while_touching() -> KnownError:
    return KnownError(
        "record this gesture",
        "the screen turned meanwhile, so the phone ignored it",
        "Do it again on the turned screen.",
    )
