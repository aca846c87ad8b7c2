"""The context of each step: the tree of its screen and the app in front.

It belongs to the session's thread. It decides when the tree source and the phone are asked, and
joins their answers to a step by the rules of `trees` and `foreground`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from episodes.actions import TypeText
from episodes.geometry import Size
from episodes.screens import Foreground, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.trees.readers import same_shape
from episodes.trees.step_trees import NoTree, tree_on_frame
from recorder import foreground, trees
from recorder.device.interface import TreeSource
from recorder.events import Problem, SessionEvent, TreeState
from recorder.foreground import STILL_NS, AppSample, ForegroundWorker
from recorder.frames import FrameNote, LiveFrame
from recorder.mirror import Mirror
from recorder.screen_log import ScreenLog
from recorder.trees import TreeWorker

BLACK = 20  # luma; black is 16, or 0 where a video uses all values
BLACK_SHARE = 0.5  # of the picture: bars and keyboards of the system may still show
TRIES = 3
FRAMES = 2.5
LONGEST_QUIET_NS = 250_000_000
"""A motion has ended when no frame comes for so many times the time between its last two frames."""
BEGINS_NS = 150_000_000
"""An effect that has not begun by then is not waited for before a tree is asked for."""
MOVING_NS = 2_000_000_000
"""On a screen that never rests a tree is asked for this often."""
APP_EVERY_NS = 100_000_000
EFFECT_NS = 2_000_000_000
"""What changes this long after an input of this end may be its effect."""


@dataclass(frozen=True, slots=True)
class StepContext:
    """The context of a step that begins now.

    Attributes:
        protected: whether an app forbids pictures of its screen.
    """

    tree: StepTree
    protected: bool = False


def screen_size(natural: Size | None, frame: Size) -> Size:
    """Returns the size of the screen whose pixels a tree counts, turned as the frame is.

    The phone that was unfolded since shows frames of another shape; then it is the frame's.

    Args:
        natural: the screen's size as the phone reported it; None if it did not.
    """
    if natural is None:
        return frame
    short, long = sorted((natural.width, natural.height))
    turned = Size(long, short) if frame.width > frame.height else Size(short, long)
    return turned if same_shape(turned, frame) else frame


class ScreenContext:
    """Watches one phone's screen for one session."""

    def __init__(
        self,
        mirror: Mirror,
        source: TreeSource,
        post: Callable[[Callable[[], None]], None],
        emit: Callable[[SessionEvent], None],
        natural: Size | None = None,
        on_foreign: Callable[[str, int, int], None] = lambda app, began_ns, ended_ns: None,
    ) -> None:
        """Asks nothing yet.

        Args:
            natural: the screen's size in its natural rotation, if the phone reports it.
            on_foreign: is called when an app came to the front between two host times although
                nothing was done at this end; with "" for any other change of the screen.
        """
        self.screen = ScreenLog(mirror.clock)
        self._mirror = mirror
        self._emit = emit
        self._natural = natural
        self._records: deque[TreeRecord] = deque(maxlen=8)
        self._samples: deque[AppSample] = deque(maxlen=64)
        self._worker = TreeWorker(
            source,
            mirror.clock,
            lambda record: post(lambda: self._answered(record)),
            lambda error: post(lambda: emit(Problem(error))),
        )
        self._on_foreign = on_foreign
        self._apps = ForegroundWorker(
            mirror.device, lambda sample: post(lambda: self._sampled(sample))
        )
        self._awaits_size = False
        self._running = False
        self._seen: FrameNote | None = None
        self._tries = 0
        self._tried_ns = 0
        self._wanted_ns = 0  # when the tree became wanted that has not been asked for yet
        self._app_asked_ns = 0
        self._app_settled = False

    def start(self) -> None:
        """Begins to ask."""
        self._worker.start()
        self._apps.start()
        self._running = True
        self._apps.ask()

    def stop(self) -> None:
        """Breaks off what is under way and waits for the workers."""
        self._running = False
        self._worker.stop()
        self._apps.stop()

    # --- what happens --------------------------------------------------------------------------
    def lose(self, host_ns: int) -> None:
        """Takes the loss of the phone."""
        self.screen.lose(host_ns)
        self._changed()

    def await_size(self) -> None:
        """Keeps no tree until `set_size`: the screen's size may have changed."""
        self._awaits_size = True

    def set_size(self, natural: Size | None) -> None:
        """Takes the screen's size in its natural rotation; None if the phone did not report it."""
        self._natural = natural or self._natural
        self._awaits_size = False

    def see(self, frame: FrameNote, now_ns: int | None = None) -> None:
        """Takes a decoded frame.

        Args:
            now_ns: host time, for a frame that has just arrived; None for an older one.
        """
        self._seen = frame
        if self.screen.see(frame, now_ns):
            self._changed()
            if not self.screen.acted(frame.received_ns - EFFECT_NS, frame.received_ns):
                self._on_foreign("", frame.received_ns, frame.received_ns)
            if self._running and frame.received_ns - self._app_asked_ns > APP_EVERY_NS:
                self._ask_app(frame.received_ns)

    def act(self, host_ns: int) -> None:
        """Takes an input of this end; what it brings to the front is asked for at once.

        The answer may overtake the input, so it is asked again with the next change.
        """
        self.screen.act(host_ns)
        self._changed()
        if self._running:
            self._ask_app(host_ns)
            self._app_asked_ns = 0

    def due_ns(self) -> int | None:
        """Returns the host time at which `tick` has something to do; None for never."""
        if not self._running:
            return None
        due: list[int] = []
        if not self._app_settled:
            due.append(self.screen.changed_ns + STILL_NS)
        if self._wants_tree():
            due.append(self._tree_due_ns())
        return min(due, default=None)

    def tick(self, now_ns: int) -> None:
        """Asks for what is wanted, once the screen is still."""
        if not self._running:
            return
        if not self._app_settled and now_ns >= self.screen.changed_ns + STILL_NS:
            self._app_settled = True
            self._ask_app(now_ns)
        if self._wants_tree() and now_ns >= self._tree_due_ns() and self._worker.ask():
            self._tries += 1
            self._tried_ns = now_ns
            self._wanted_ns = 0
            self._emit(TreeState(None))

    def quiet(self, now_ns: int, with_tree: bool) -> bool:
        """Returns whether the screen has been still, and its tree is there or will not come."""
        if now_ns < self.screen.changed_ns + STILL_NS or not self._app_settled:
            return False
        if not with_tree:
            return True
        return self._worker.asked_ns is None and not self._wants_tree()

    def present_tree(self, now_ns: int) -> TreeRecord | None:
        """Returns the newest good tree if nothing has changed since it was asked for."""
        found = trees.join(self._records, now_ns, self.screen, None)
        return found.record if found.fit is TreeFit.FRESH else None

    # --- for a step ----------------------------------------------------------------------------
    def tree(self, pressed_ns: int, shown: LiveFrame | None) -> StepTree:
        """Returns the tree of a step that began then, on this frame."""
        asked_ns, now_ns = self._worker.asked_ns, time.monotonic_ns()
        return trees.join(self._records, pressed_ns, self.screen, asked_ns, shown, now_ns)

    def tree_now(self, shown: LiveFrame) -> StepTree:
        """Returns the tree of a step that would begin now, as far as frames have arrived."""
        asked_ns, now_ns = self._worker.asked_ns, time.monotonic_ns()
        return trees.join(self._records, now_ns, self.screen, asked_ns, shown)

    def tree_is_coming(self, pressed_ns: int, shown: LiveFrame | None, patient: bool) -> bool:
        """Returns whether waiting, for an answer if `patient`, may still give a better one."""
        asked_ns = self._worker.asked_ns if patient else None
        now_ns = time.monotonic_ns()
        return trees.awaits(self._records, pressed_ns, self.screen, asked_ns, shown, now_ns)

    def app(self, began_ns: int, acted_ns: int) -> Foreground | None:
        """Returns the app in front, with its name if that is known by now."""
        found = foreground.join(self._samples, began_ns, acted_ns, self.screen)
        if found is None:
            return None
        sample, fit = found
        app = sample.app
        assert app is not None
        return replace(
            app,
            label=app.label or self._mirror.device.app_name(app.package),
            fit=fit,
            requested=self._mirror.clock.to_device(sample.asked_ns),
            answered=self._mirror.clock.to_device(sample.answered_ns),
        )

    def protects(self, shown: LiveFrame) -> bool:
        """Returns whether an app kept what it showed out of this picture: then it is black."""
        if np.count_nonzero(shown.blocks <= BLACK) < BLACK_SHARE * shown.blocks.size:
            return False
        return foreground.protects(self._samples, shown.decoded_ns)

    def target(self, tree: StepTree, action: TypeText, frame: Size | None) -> TypeText:
        """Returns the text with the box of the focused field, if a fresh tree contains it."""
        found = tree_on_frame(tree, frame)
        if isinstance(found, NoTree):
            return action
        focused = [node for node in found.walk() if node.focused and node.editable]
        return replace(action, target=focused[-1].box) if focused else action

    # --- inside ------------------------------------------------------------------------------
    def _sampled(self, sample: AppSample) -> None:
        """Handles the phone's answer about the app in front; reports a change that was not caused
        by an input."""
        before = next((one for one in reversed(self._samples) if one.app is not None), None)
        self._samples.append(sample)
        if before is None or before.app is None or sample.app is None:
            return
        if before.app.package == sample.app.package:
            return
        if not self.screen.acted(before.asked_ns - EFFECT_NS, sample.answered_ns):
            name = sample.app.label or sample.app.package
            self._on_foreign(name, before.asked_ns, sample.answered_ns)

    def _changed(self) -> None:
        if not self._wanted_ns:
            self._wanted_ns = self.screen.changed_ns
        self._tries = 0
        self._tried_ns = 0
        self._app_settled = False

    def _ask_app(self, host_ns: int) -> None:
        self._app_asked_ns = host_ns
        self._apps.ask()

    def _wants_tree(self) -> bool:
        if self._tries >= TRIES or self._worker.asked_ns is not None:
            return False
        newest = self._records[-1] if self._records else None
        if newest is None or newest.status is not TreeStatus.OK:
            return True
        if (newest.requested.host_ns or 0) < self.screen.acted_ns:
            return True  # an input may change what the screen means without a picture
        return trees.prove(newest, time.monotonic_ns(), self.screen) is trees.Proof.NO

    def _tree_due_ns(self) -> int:
        """Returns when a tree is worth asking for: the screen rests, and no effect is pending."""
        screen, worker = self.screen, self._worker
        frames = min(round(FRAMES * screen.cadence_ns), LONGEST_QUIET_NS)
        quiet = screen.content_ns + max(worker.quiet_ns, frames)
        answered = screen.content_ns > screen.acted_ns  # by a picture: the effect has begun
        pending = 0 if answered else screen.acted_ns + max(worker.quiet_ns, BEGINS_NS)
        retry = self._tried_ns + worker.retry_ns if self._tried_ns else 0
        moving = self._wanted_ns + MOVING_NS
        return max(min(max(quiet, pending), moving), retry)

    def _answered(self, record: TreeRecord) -> None:
        if self._awaits_size:
            return  # its pixels cannot be placed yet; it is asked for again
        if self._seen is not None:
            record = replace(record, size=screen_size(self._natural, self._seen.size))
        self._records.append(record)
        asked, answered = record.requested.host_ns or 0, record.answered.host_ns or 0
        self._emit(
            TreeState(record.status, (answered - asked) // 1_000_000, record.detail, record.source)
        )
