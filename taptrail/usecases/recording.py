"""Records an episode without a window: plays a list of actions.

An action may name an element by its text (`{"element": {"text": "Save"}}`). It is looked up in the
newest tree of the screen, the one that is stored with the step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from episodes import actions as a
from episodes.codec import BadValue, action_from_json
from episodes.episodes import Actor, Task
from episodes.errors import KnownError
from episodes.formats.input_files import file_bytes, json_value
from episodes.geometry import Point, Size
from episodes.screens import TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.trees.dumps import ReceivedTree
from episodes.trees.hits import node_with_words
from episodes.trees.readers import OtherShapeError, read_record
from episodes.trees.values import Node, Tree
from recorder.device.interface import Devices, PhoneGone, TreeSource
from recorder.events import Lost, Problem, SessionEvent, SessionState, StepDropped, StepSaved
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.screen_context import screen_size
from recorder.script_player import ScriptPlayer
from recorder.session import Session
from taptrail.usecases.importing import OnProgress
from taptrail.usecases.tree_choice import phone_trees

START_SECONDS = 30.0
FIND_SECONDS = 12.0
END_SECONDS = 60.0
EFFECT_SECONDS = 1.0
FRONT_SECONDS = 5.0
STEP_SECONDS = 20.0
ANSWER_SECONDS = 5.0
AWAY_SECONDS = 20.0
MAX_ACTIONS = 10_000
SCRIPT = Actor("agent", agent="script")


@dataclass(frozen=True, slots=True)
class RecordedEpisode:
    """An episode that was recorded.

    Attributes:
        problems: sentences about problems that did not end the recording.
    """

    uuid: str
    name: str
    steps: int
    finished: bool
    problems: tuple[str, ...]


def read_script(path: Path) -> tuple[a.Action, ...]:
    """Returns the actions of a script: a JSON list as in `docs/formats/README.md`.

    Raises:
        KnownError: the file cannot be read, or an action is invalid.
    """
    doing = f"read the script {path.name}"
    remedy = "See “Actions” in docs/formats/README.md."
    try:
        values = json_value(file_bytes(path, doing))
    except ValueError as error:
        raise KnownError(doing, str(error), remedy) from error
    if not isinstance(values, list) or len(values) > MAX_ACTIONS:
        raise KnownError(doing, f"it is no list of at most {MAX_ACTIONS} actions", remedy)
    found = []
    for number, value in enumerate(values):
        try:
            found.append(action_from_json(value))
        except BadValue as error:
            raise KnownError(doing, f"action {number}: {error}", remedy) from error
    return tuple(found)


def record_script(
    serial: str,
    task: Task,
    library_folder: Path,
    actions: Sequence[a.Action],
    *,
    devices: Devices,
    actor: Actor = SCRIPT,
    on_step: Callable[[Step], None] | None = None,
    on_progress: OnProgress | None = None,
) -> RecordedEpisode:
    """Records the actions on a phone as one episode.

    A `Finish` ends the episode with a claim; without one it is incomplete. It is also incomplete if
    an action did not become a step, the phone was lost, or something was not written.

    Args:
        actor: who acts. Episodes of a script do not count as a person's attempts.
        on_step: called with each step after its commit, on the session's thread.

    Raises:
        KnownError: the phone cannot be mirrored or has died, the library cannot be written, or
            an element or an app is not there. The steps before that are in the library.
    """
    device = devices.device(serial)
    mirror = Mirror(device)
    eyes = _Eyes(phone_trees(device), device.facts().size)
    saved: list[int] = []
    problems: list[str] = []

    def listen(event: SessionEvent) -> None:
        if isinstance(event, StepSaved):
            saved.append(event.step.index)
            if on_step is not None:
                on_step(event.step)
        elif isinstance(event, StepDropped):
            saved.remove(event.index)
        elif isinstance(event, Problem):
            problems.append(str(event.error))
        elif isinstance(event, Lost):
            problems.append(f"The phone was away: {event.reason}")

    stopped: KnownError | None = None
    mirror.start()
    try:
        with LibraryThread(library_folder) as library:
            session = Session(mirror, library, task, actor, tree_source=lambda: eyes)
            session.on_event(listen)
            session.start()
            try:
                if not session.wait_for(SessionState.RECORDING, timeout=START_SECONDS):
                    found = problems[-1] if problems else "no picture of it has come"
                    raise KnownError(f"record {serial}", found, "Unlock the phone and try again.")
                play = _Play(session, mirror, eyes, saved, problems)
                for done, action in enumerate(actions, start=1):
                    play.act(action)
                    if on_progress is not None:
                        on_progress(done, len(actions))
            except KnownError as error:
                stopped = error
            finally:
                session.stop()
    finally:
        mirror.stop()
    finished = session.state is SessionState.FINISHED
    if stopped is None and not finished and session.loss is not None:
        stopped = session.loss
    if stopped is not None:
        raise _with_what_is_left(stopped, session.name, len(saved)) from stopped
    return RecordedEpisode(session.episode, session.name, len(saved), finished, tuple(problems))


def _with_what_is_left(error: KnownError, name: str, steps: int) -> KnownError:
    """Returns the error with the name of the incomplete episode; "" if there is none."""
    if not name:
        return error
    kept = f"{steps} step" if steps == 1 else f"{steps} steps"
    return KnownError(
        error.doing, f"{error.found}; {name} is left incomplete, with {kept}", error.remedy
    )


class _Play:
    """Plays a script on one session and checks that each action became a step.

    Args:
        saved: indexes of the saved steps, filled on the session's thread.
        problems: sentences about problems so far.
    """

    def __init__(
        self,
        session: Session,
        mirror: Mirror,
        eyes: _Eyes,
        saved: Sequence[int],
        problems: Sequence[str],
    ) -> None:
        self._session, self._mirror, self._eyes = session, mirror, eyes
        self._saved, self._problems = saved, problems
        self._hand = ScriptPlayer(session, mirror)
        self._expected = 0

    def act(self, action: a.Action) -> None:
        """Plays one action on a screen at rest, and waits until its effect begins.

        Raises:
            KnownError: the phone is away or hangs, the recording has lost something, or the
                action cannot be played.
        """
        while True:
            self._await_phone()
            if isinstance(action, a.Finish):
                self._finish(action)
                return
            self._hand.rest()
            content = self._hand.see().content
            try:
                if isinstance(action, a.OpenApp):
                    self._open_app(action)
                else:
                    self._hand.do(_placed(action, self._point_of))
                break
            except PhoneGone:
                if self._hand.sent:  # partly sent, so it cannot be played again
                    raise
        nothing = isinstance(action, a.Wait) or action == a.TypeText("")
        self._expected += not nothing
        _await_effect(self._mirror, content)

    def _await_phone(self) -> None:
        """Waits until a lost phone answers and is recorded again.

        Raises:
            KnownError: it does not return, or parts of the recording are lost.
        """
        deadline = time.monotonic() + AWAY_SECONDS
        while True:
            if self._session.loss is not None:
                raise self._session.loss
            trouble: KnownError | None = None
            if self._session.state is SessionState.RECORDING:
                try:
                    self._mirror.device.run("true", timeout=ANSWER_SECONDS)
                except KnownError as error:
                    trouble = error
                else:
                    return
            if time.monotonic() > deadline:
                told = trouble.found if trouble is not None else (self._problems or [""])[-1]
                raise KnownError(
                    f"record {self._mirror.device.serial}",
                    f"the phone does not answer any more ({told})",
                    "Connect it, and record the task again.",
                )
            time.sleep(0.1)

    def _finish(self, action: a.Finish) -> None:
        """Ends the episode after all actions are saved as steps."""
        deadline = time.monotonic() + STEP_SECONDS
        while len(self._saved) < self._expected and self._session.loss is None:
            if time.monotonic() > deadline:
                said = f": {self._problems[-1]}" if self._problems else ""
                raise KnownError(
                    "finish the episode",
                    f"{len(self._saved)} of {self._expected} actions became steps{said}",
                    "Look at the episode, and record the task again.",
                )
            time.sleep(0.02)
        self._session.finish(action.ending, action.reason)
        if not self._session.ended.wait(END_SECONDS):
            raise KnownError(
                "end the episode", "its last steps are not saved yet", "Look at the disk."
            )

    def _open_app(self, action: a.OpenApp) -> None:
        """Opens an app and waits until it is in front; drops the step if the app does not open.

        Raises:
            KnownError: the phone has no such app, or another one is in front.
        """
        device = self._mirror.device
        package = device.find_app(action.app)
        self._hand.do(a.OpenApp(package))
        deadline = time.monotonic() + FRONT_SECONDS
        while True:
            front = device.front().app
            if front is not None and front.package == package:
                return
            if time.monotonic() > deadline:
                break
            time.sleep(0.1)
        self._drop_last(self._expected + 1)
        shown = "nothing" if front is None else f"“{front.label or front.package}”"
        raise KnownError(
            f"open the app “{action.app}”",
            f"it did not come to the front within {FRONT_SECONDS:g} seconds; {shown} is there",
            "Look at the phone: the app may be disabled, or need to be unlocked.",
        )

    def _drop_last(self, count: int) -> None:
        """Removes the newest step from the episode after `count` steps are saved."""
        deadline = time.monotonic() + STEP_SECONDS
        while len(self._saved) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        if len(self._saved) == count:
            self._session.drop_last()
            while len(self._saved) == count and time.monotonic() < deadline:
                time.sleep(0.02)

    def _point_of(self, element: a.ElementRef) -> Point:
        deadline = time.monotonic() + FIND_SECONDS
        while (node := self._eyes.find(element, self._hand.see().size)) is None:
            if time.monotonic() > deadline or self._session.state is SessionState.LOST:
                self._await_phone()  # a lost phone has no elements either
            if time.monotonic() > deadline:
                raise KnownError(
                    "act on the phone",
                    f"there is no “{element.text}” on its screen",
                    "Look at the phone, and mend the script.",
                )
            time.sleep(0.1)
            self._hand.rest()
        return node.box.centre


def _await_effect(mirror: Mirror, content: int) -> None:
    """Waits until the screen begins to change, which happens soon after most actions."""
    deadline = time.monotonic() + EFFECT_SECONDS
    while time.monotonic() < deadline:
        newest = mirror.latest.peek()
        if newest is not None and newest.content != content:
            return
        time.sleep(0.02)


class _Eyes:
    """A tree source that also stores its newest answer.

    Args:
        screen: the screen's size in pixels reported by the phone; None if unknown.
    """

    def __init__(self, source: TreeSource, screen: Size | None) -> None:
        self._source = source
        self._screen = screen
        self._newest = b""

    @property
    def name(self) -> str:
        """As of the source."""
        return self._source.name

    @property
    def format(self) -> str:
        """As of the source."""
        return self._source.format

    @property
    def quiet_ns(self) -> int:
        """As of the source."""
        return self._source.quiet_ns

    @property
    def retry_ns(self) -> int:
        """As of the source."""
        return self._source.retry_ns

    def prepare(self) -> KnownError | None:
        """Prepares the source; called on the trees' thread, as all but `find` and `interrupt`."""
        return self._source.prepare()

    def ask(self) -> ReceivedTree:
        """Asks the source."""
        answer = self._source.ask()
        if answer.status is TreeStatus.OK:
            self._newest = answer.data
        return answer

    def interrupt(self) -> None:
        """Breaks off a question under way."""
        self._source.interrupt()

    def close(self) -> None:
        """Closes the source."""
        self._source.close()

    def find(self, element: a.ElementRef, frame: Size) -> Node | None:
        """Returns the element in the newest tree; None if there is none.

        Its box is in pixels of a frame of this size, as the points of actions are.
        """
        data = self._newest
        if not data:
            return None
        size = screen_size(self._screen, frame)
        record = TreeRecord(self.format, data, self.name, TreeStatus.OK, size=size)
        try:
            return _find(read_record(record, frame), element)
        except OtherShapeError:
            return None  # the screen was rotated; a new tree follows


def _placed(action: a.Action, point_of: Callable[[a.ElementRef], Point]) -> a.Action:
    """Returns the action with points in place of named elements."""
    match action:
        case a.Tap(a.ElementRef() as element) | a.DoubleTap(a.ElementRef() as element):
            return replace(action, at=point_of(element))
        case a.LongPress(a.ElementRef() as element):
            return replace(action, at=point_of(element))
        case a.Scroll(_, a.ElementRef() as element):
            return replace(action, at=point_of(element))
    return action


def _find(tree: Tree, element: a.ElementRef) -> Node | None:
    """Finds the exact text, or else a text that contains it; topmost window first."""
    words = element.text
    if not words:
        raise KnownError(
            "act on the phone",
            "the script names an element without its text",
            'Name it as {"element": {"text": "Save"}}.',
        )
    return node_with_words(tree, words)
