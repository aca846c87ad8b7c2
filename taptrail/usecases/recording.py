"""Records an episode without a window: a list of actions, done by a scripted hand.

An action may name an element by its words (`{"element": {"text": "Save"}}`); it is looked for in
the newest tree of the screen, the same one that is stored beside the step.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from episodes import actions as a
from episodes.codec import BadValue, action_from_json
from episodes.episodes import Actor, Task
from episodes.errors import KnownError
from episodes.formats.reading import file_bytes, json_value
from episodes.geometry import Point, Size
from episodes.screens import TreeRecord, TreeStatus
from episodes.steps import Step
from episodes.trees.dumps import ReceivedTree
from episodes.trees.reading import OtherShapeError, read_record
from episodes.trees.values import Node, Tree
from recorder.device.adb import Adb
from recorder.device.phone import Phone
from recorder.device.scrcpy.server import chosen_server
from recorder.events import Problem, SessionEvent, SessionState, StepSaved
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.scripted import ScriptedHand
from recorder.session import Session
from recorder.surroundings import screen_size
from recorder.trees import TREE_SOURCES, TreeSource
from taptrail.usecases.importing import OnProgress

START_SECONDS = 30.0
FIND_SECONDS = 12.0
END_SECONDS = 60.0
EFFECT_SECONDS = 1.0
MAX_ACTIONS = 10_000
SCRIPT = Actor("agent", agent="script")


@dataclass(frozen=True, slots=True)
class Recorded:
    """An episode that was recorded.

    Attributes:
        problems: what went wrong on the way, in sentences; the recording went on.
    """

    uuid: str
    name: str
    steps: int
    finished: bool
    problems: tuple[str, ...]


def read_script(path: Path) -> tuple[a.Action, ...]:
    """Returns the actions of a script: a JSON list, each as `docs/formats.md` writes actions.

    Raises:
        KnownError: it cannot be read, or an action is none.
    """
    doing = f"read the script {path.name}"
    remedy = "See “Actions” in docs/formats.md."
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
    adb: Adb | None = None,
    actor: Actor = SCRIPT,
    on_step: Callable[[Step], None] | None = None,
    on_progress: OnProgress | None = None,
) -> Recorded:
    """Records the actions on a phone as one episode.

    A `Finish` ends it with a claim; without one the episode is incomplete.

    Args:
        actor: who acts; a script is no person, so its episodes are no person's attempts.
        on_step: called with each step after its commit, on the session's thread.

    Raises:
        KnownError: the phone cannot be mirrored, the library not be written, or an element is
            not on the screen. What was done before that is in the library.
    """
    phone = Phone(serial, adb)
    mirror = Mirror(phone, server=chosen_server(os.environ))
    eyes = _Eyes(TREE_SOURCES["uiautomator"](phone), phone.facts().size)
    saved: list[int] = []
    problems: list[str] = []

    def listen(event: SessionEvent) -> None:
        if isinstance(event, StepSaved):
            saved.append(event.step.index)
            if on_step is not None:
                on_step(event.step)
        elif isinstance(event, Problem):
            problems.append(str(event.error))

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
                hand = ScriptedHand(session, mirror)
                for done, action in enumerate(actions, start=1):
                    hand.rest()
                    content = hand.see().content
                    _act(session, hand, eyes, action)
                    _await_effect(mirror, content)
                    if on_progress is not None:
                        on_progress(done, len(actions))
            except KnownError as error:
                stopped = error
            finally:
                session.stop()
    finally:
        mirror.stop()
    if stopped is not None:
        raise _with_what_is_left(stopped, session.name, len(saved)) from stopped
    return Recorded(
        session.episode,
        session.name,
        len(saved),
        session.state is SessionState.FINISHED,
        tuple(problems),
    )


def _with_what_is_left(error: KnownError, name: str, steps: int) -> KnownError:
    """Returns the error with the episode it left behind; a name of "" says that there is none."""
    if not name:
        return error
    kept = f"{steps} step" if steps == 1 else f"{steps} steps"
    return KnownError(
        error.doing, f"{error.found}; {name} is left incomplete, with {kept}", error.remedy
    )


def _act(session: Session, hand: ScriptedHand, eyes: _Eyes, action: a.Action) -> None:
    if isinstance(action, a.Finish):
        session.finish(action.ending, action.reason)
        if not session.ended.wait(END_SECONDS):
            raise KnownError(
                "end the episode", "its last steps are not saved yet", "Look at the disk."
            )
        return
    hand.do(_placed(action, hand, eyes))


def _await_effect(mirror: Mirror, content: int) -> None:
    """Waits until the screen begins to change, as it does a moment after most actions."""
    deadline = time.monotonic() + EFFECT_SECONDS
    while time.monotonic() < deadline:
        newest = mirror.latest.peek()
        if newest is not None and newest.content != content:
            return
        time.sleep(0.02)


class _Eyes:
    """A source of trees that also remembers its newest answer.

    Args:
        screen: the screen's size in pixels as the phone tells it; None where it does not.
    """

    def __init__(self, source: TreeSource, screen: Size | None) -> None:
        self.name = source.name
        self.format = source.format
        self._source = source
        self._screen = screen
        self._newest = b""

    def ask(self) -> ReceivedTree:
        """Asks the source; called on the trees' thread."""
        answer = self._source.ask()
        if answer.status is TreeStatus.OK:
            self._newest = answer.data
        return answer

    def interrupt(self) -> None:
        """Breaks off a question under way."""
        self._source.interrupt()

    def find(self, element: a.ElementRef, frame: Size) -> Node | None:
        """Returns the element in the newest tree, None where it is not there.

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
            return None  # the screen has turned since; a new tree is on its way


def _placed(action: a.Action, hand: ScriptedHand, eyes: _Eyes) -> a.Action:
    """Returns the action with a point in place of an element that is named."""
    match action:
        case a.Tap(a.ElementRef() as element) | a.DoubleTap(a.ElementRef() as element):
            return replace(action, at=_point_of(element, hand, eyes))
        case a.LongPress(a.ElementRef() as element):
            return replace(action, at=_point_of(element, hand, eyes))
        case a.Scroll(_, a.ElementRef() as element):
            return replace(action, at=_point_of(element, hand, eyes))
    return action


def _point_of(element: a.ElementRef, hand: ScriptedHand, eyes: _Eyes) -> Point:
    deadline = time.monotonic() + FIND_SECONDS
    while (node := eyes.find(element, hand.see().size)) is None:
        if time.monotonic() > deadline:
            raise KnownError(
                "act on the phone",
                f"there is no “{element.text}” on its screen",
                "Look at the phone, and mend the script.",
            )
        time.sleep(0.1)
        hand.rest()
    return node.box.centre


def _find(tree: Tree, element: a.ElementRef) -> Node | None:
    """Looks for the exact words first, then for ones that hold them; the topmost window first."""
    words = element.text
    if not words:
        raise KnownError(
            "act on the phone",
            "the script names an element without its text",
            'Name it as {"element": {"text": "Save"}}.',
        )
    nodes = [node for window in tree.front_to_back for node in _seen(window.root)]
    for fits in (lambda said: said == words, lambda said: words in said):
        for node in nodes:
            if fits(node.text) or fits(node.description):
                return node
    return None


def _seen(root: Node | None) -> Iterator[Node]:
    for node in root.walk() if root is not None else ():
        if node.visible and node.enabled and node.box.area:
            yield node
