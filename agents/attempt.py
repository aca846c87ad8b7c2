"""One attempt of an agent: look, gate, ask, read, gate, act, until a stop rule holds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from agents.gate import Gate
from agents.hand import AgentHand, AgentSession, CannotDo, TakenOver
from agents.loops import Loop
from agents.loops.asking import Asker, BeforeAfter
from agents.observation import Observation, Observer
from agents.stopping import Limits, StopRules, StopWord
from agents.turns import Turn, TurnFile
from episodes import actions as a
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.geometry import Box, Point, Size
from episodes.media.signature import blocks_differ
from episodes.runs import Ended, Unreadable
from episodes.steps import Step
from episodes.trees.hits import label, node_with_words, target_at
from episodes.trees.values import Tree
from recorder.events import SessionState
from recorder.frames import LiveFrame
from recorder.mirror import Mirror
from recorder.session import Session
from replay.asking.client import Received, RequestFailed, SetupFailed
from replay.asking.requests import RequestBuilder, hides_words
from replay.asking.runner import Spending
from replay.asking.sentences import PRIVATE, sentence
from replay.dialect import Row
from replay.joining import prediction_of

_T = TypeVar("_T")
EFFECT_S = 1.0
AWAY_S = 20.0
NEAR = 6
"""Blocks of 8 pixels around a touch that must look as the model saw them."""
NOT_READ = "(this answer could not be read)"


@dataclass(frozen=True, slots=True)
class AttemptEnd:
    """How an attempt ended.

    Attributes:
        claim: the ending the model claimed; None if it claimed none.
        answer: the text the model answered; None for none.
        reason: details in words, e.g. of the phone or the server; "" for none.
        model_s, seconds: of the model, and of the whole attempt.
        overheads: seconds of each turn without the model's.
    """

    word: StopWord
    claim: a.Ending | None
    answer: str | None
    reason: str
    turns: int
    acts: int
    seconds: float
    model_s: float
    tokens: tuple[int, int]
    overheads: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """What the attempt does now, for a window.

    Attributes:
        stage: "looks", "asks", "says", "acts" or "done".
        text: the model's words, or what follows from them.
        action: the action that is about to happen.
        name: of the element under it; "" if unknown.
    """

    stage: str
    number: int
    text: str = ""
    action: a.Action | None = None
    frame_size: Size | None = None
    name: str = ""


@dataclass
class AttemptParts:
    """What an attempt works with; all but `stop` belongs to its thread."""

    session: Session
    control: AgentSession
    mirror: Mirror
    observer: Observer
    builder: RequestBuilder
    asker: Asker
    loop: Loop
    gate: Gate
    limits: Limits
    turns: TurnFile
    spending: Spending
    seed: int = 1
    hold_s: float = 0.0
    away_s: float = AWAY_S
    stop: threading.Event = field(default_factory=threading.Event)
    on_progress: Callable[[Progress], None] = lambda progress: None


class _Stop(Exception):
    def __init__(self, word: StopWord, reason: str = "") -> None:
        self.word, self.reason = word, reason
        super().__init__(reason)


class Attempt:
    """Runs one attempt in a session that records. It does not end the session."""

    def __init__(self, task: Task, parts: AttemptParts) -> None:
        self._task, self._parts = task, parts
        self._hand = AgentHand(parts.control, parts.mirror, parts.seed)
        self._rules = StopRules(parts.limits)
        self._steps: list[Step] = []
        self._own: dict[int, str] = {}
        self._said: dict[int, str] = {}
        self._next: Observation | None = None
        self._acts = 0
        self._changed = 0  # turns in a row whose screen changed before the act
        self._went_back = False
        self._claim: a.Ending | None = None
        self._answer: str | None = None
        self._model_s = 0.0
        self._tokens = (0, 0)
        self._overheads: list[float] = []

    def run(self) -> AttemptEnd:
        """Takes turns until a stop rule holds; returns how it ended."""
        began = time.monotonic()
        try:
            while True:
                self._turn(time.monotonic() - began)
        except _Stop as stop:
            word, reason = stop.word, stop.reason
        except TakenOver:
            word, reason = StopWord.TAKEN_OVER, ""
        return AttemptEnd(
            word,
            self._claim,
            self._answer,
            reason,
            self._rules.turns,
            self._acts,
            round(time.monotonic() - began, 3),
            round(self._model_s, 3),
            self._tokens,
            tuple(self._overheads),
        )

    # --- a turn ------------------------------------------------------------------------------
    def _turn(self, seconds: float) -> None:
        parts = self._parts
        self._look_for_stop()
        word = self._rules.before_turn(seconds, parts.spending.spent)
        if word is not None:
            raise _Stop(word)
        began = time.monotonic()
        turn = Turn(number=self._rules.turns)
        parts.asker.begin_turn(turn.number)
        self._tell("looks", turn)
        seen = self._allowed_screen()
        turn.moving, turn.app = seen.moving, seen.app.package if seen.app else ""
        try:
            self._take(seen, turn)
        except _Stop as stop:
            turn.problem = turn.problem or stop.word.value
            raise
        finally:
            turn.tokens, turn.model_s = parts.asker.tokens, round(parts.asker.seconds, 3)
            turn.harness_s = round(time.monotonic() - began - parts.asker.seconds, 3)
            self._model_s += parts.asker.seconds
            if turn.tokens is not None:
                self._tokens = tuple(map(sum, zip(self._tokens, turn.tokens, strict=True)))  # type: ignore[assignment]
            self._overheads.append(turn.harness_s)
            self._keep(turn)
            self._tell("done", turn, turn.problem or turn.note)

    def _take(self, seen: Observation, turn: Turn) -> None:
        """Asks, reads and acts on one screen."""
        received = self._ask(seen, turn)
        turn.raw, turn.ended = received.raw, received.ended.value
        self._tell("says", turn, received.raw)
        action = self._read(seen, received)
        if isinstance(action, Unreadable):
            turn.problem = action.reason
            self._remember(seen, a.Other("nothing: the answer could not be read"), NOT_READ)
            if (word := self._rules.after_unreadable()) is not None:
                raise _Stop(word, action.reason)
            return
        turn.action = sentence(action)
        if isinstance(action, a.Finish):
            self._claim = action.ending
            self._answer = action.reason if self._answer is None else self._answer
            complete = action.ending is a.Ending.COMPLETE
            raise _Stop(StopWord.COMPLETE if complete else StopWord.IMPOSSIBLE)
        if (word := self._rules.before_act(action, seen.luma)) is not None:
            raise _Stop(word)
        problem = self._refusal(seen, action)
        self._keep(turn)  # before it is done, so that a killed process leaves no act without words
        if not problem:
            problem = self._act(seen, action)
        turn.problem = problem
        if problem:
            self._remember(seen, a.Other(f"nothing: {problem}"), f"({problem})")
            self._next = None
            return
        self._remember(seen, action, received.raw)
        if isinstance(action, a.Answer):
            self._answer, self._claim = action.text, a.Ending.COMPLETE
            raise _Stop(StopWord.ANSWERED)
        self._compare(seen, action, turn)

    def _ask(self, seen: Observation, turn: Turn) -> Received:
        parts = self._parts
        position = len(self._steps)
        episode = Episode(
            "live", "live", Origin("recorded"), self._task, EpisodeState.RECORDING,
            (*self._steps, seen.step),
        )  # fmt: skip
        request = parts.builder.request(episode, position, self._own, self._said)
        sent = request.sent() if request.shows_pictures else ()
        turn.request = request.words_sha256
        turn.pictures = tuple(one.pixels_sha256 for one in sent)
        self._tell("asks", turn)
        return self._answered(lambda: parts.asker.ask(request, sent))

    def _answered(self, ask: Callable[[], _T]) -> _T:
        try:
            return ask()
        except (RequestFailed, SetupFailed) as error:
            raise _Stop(StopWord.MODEL_AWAY, str(error)) from error
        finally:
            self._look_for_stop()

    def _read(self, seen: Observation, received: Received) -> a.Action | Unreadable:
        """Returns the action in an answer, with points in place of boxes and named elements."""
        recipe = self._parts.builder.recipe
        raw = received.raw
        if received.ended not in (Ended.STOP, Ended.OTHER):
            return Unreadable(f"the answer is {received.ended.value.replace('_', ' ')}")
        if recipe.answers.reasoning == "before" and received.reasoning:
            raw = f"{received.reasoning}\n{raw}"
        row = Row("live", seen.step.index, raw, raw)
        parsed = prediction_of(row, seen.step, recipe.dialect, self._parts.builder.declared).parsed
        return parsed if isinstance(parsed, Unreadable) else _placed(parsed, seen)

    # --- gates -------------------------------------------------------------------------------
    def _allowed_screen(self) -> Observation:
        """Returns the present screen once an allowed app is in front.

        Once in an attempt, Back is pressed for that.
        """
        seen = self._next
        newest = self._parts.mirror.latest.peek()
        if seen is None or newest is None or newest.content != seen.frame.content:
            seen = self._look()
        self._next = None
        if not self._parts.gate.allows_app(seen.app.package if seen.app else None):
            if not self._went_back:
                self._went_back = True
                self._safely(lambda: self._hand.do(a.PressKey(a.Key.BACK)))
                self._await_effect(seen)
                seen = self._look()
            if not self._parts.gate.allows_app(seen.app.package if seen.app else None):
                name = "nothing" if seen.app is None else seen.app.label or seen.app.package
                raise _Stop(StopWord.LEFT_APPS, f"{name} is in front")
        if seen.protected:
            raise _Stop(StopWord.PROTECTED)
        return seen

    def _refusal(self, seen: Observation, action: a.Action) -> str:
        """Returns why an action must not be done now; "" if it may."""
        gate = self._parts.gate
        if (kinds := gate.needs_consent(action, seen.tree)) and not gate.ask(
            kinds, sentence(action)
        ):
            return "not allowed: " + ", ".join(sorted(kind.value for kind in kinds))
        self._parts.on_progress(
            Progress(
                "acts",
                self._rules.turns,
                sentence(action),
                action,
                seen.frame.size,
                _name_under(action, seen.tree),
            )
        )
        if self._parts.hold_s:
            self._parts.stop.wait(self._parts.hold_s)
        self._look_for_stop()
        app, protected = self._safely(self._parts.observer.front)
        if protected:
            raise _Stop(StopWord.PROTECTED)
        if not gate.allows_app(app.package if app else None):
            return "another app came to the front"
        if self._changed < 2 and _changed_under(action, seen, self._parts.mirror.latest.peek()):
            self._changed += 1
            return "the screen changed there before the action"
        self._changed = 0
        return ""

    # --- acting ------------------------------------------------------------------------------
    def _act(self, seen: Observation, action: a.Action) -> str:
        """Does an action; returns why it was not done, "" if it was."""
        try:
            self._safely(lambda: self._hand.do(action))
        except CannotDo as error:
            return f"it cannot be done: {error.found}"
        self._acts += 1
        if not isinstance(action, a.Wait | a.Answer):
            self._await_effect(seen)
        return ""

    def _compare(self, seen: Observation, action: a.Action, turn: Turn) -> None:
        """Looks at what an action changed, and lets the loop say a sentence about it."""
        after = self._look()
        if isinstance(action, a.TypeText):
            turn.delivered = _delivered(action.text, after)
            if turn.delivered is False:  # typed keys can be lost; one piece arrives or does not
                self._safely(lambda: self._hand.paste(action.text))
                self._await_effect(after)
                after = self._look()
                turn.delivered = _delivered(action.text, after)
        self._next = after
        pictures = None
        if not (seen.protected or after.protected) and self._parts.loop.name == "summary":
            prepared = self._parts.builder.pictures((seen.step, after.step))
            pictures = (prepared[0], prepared[1])
        private = hides_words(replace(seen.step, action=action))
        said = BeforeAfter(
            self._task.instruction,
            seen,
            a.TypeText(PRIVATE) if private else action,
            after,
            PRIVATE if private else turn.raw,
            pictures,
        )
        turn.note = self._answered(lambda: self._parts.loop.after(self._parts.asker, said))
        if turn.note:
            position = len(self._steps) - 1
            self._said[position] = turn.note
            if self._parts.builder.recipe.history.form != "turns":
                self._own[position] = turn.note
        is_wait = isinstance(action, a.Wait)
        word = self._rules.after_act(seen.luma, after.luma, is_wait)
        if word is not None:
            raise _Stop(word)

    # --- inside ------------------------------------------------------------------------------
    def _look(self) -> Observation:
        deadline = time.monotonic() + self._parts.away_s
        while True:
            self._look_for_stop()
            try:
                found = self._parts.observer.screen(len(self._steps))
                if found is not None and self._parts.session.state is SessionState.RECORDING:
                    return found
                reason = "the phone is away"
            except KnownError as error:
                reason = error.found
            if time.monotonic() > deadline:
                raise _Stop(StopWord.PHONE_LOST, reason)
            time.sleep(0.1)

    def _safely(self, work: Callable[[], _T]) -> _T:
        """Does work that needs the phone; stops the attempt if the phone is away."""
        try:
            return work()
        except CannotDo:
            raise
        except KnownError as error:
            raise _Stop(StopWord.PHONE_LOST, str(error)) from error

    def _await_effect(self, seen: Observation) -> None:
        """Waits until the screen begins to change, which happens soon after most actions."""
        deadline = time.monotonic() + EFFECT_S
        while time.monotonic() < deadline:
            newest = self._parts.mirror.latest.peek()
            if newest is not None and newest.content != seen.frame.content:
                return
            self._look_for_stop()
            time.sleep(0.02)

    def _look_for_stop(self) -> None:
        if self._parts.control.taken:
            raise TakenOver
        if self._parts.stop.is_set():
            raise _Stop(StopWord.STOPPED)
        if self._parts.session.ended.is_set():
            raise _Stop(StopWord.PHONE_LOST, "the recording has ended")

    def _remember(self, seen: Observation, action: a.Action, words: str) -> None:
        self._own[len(self._steps)] = words
        if isinstance(action, a.Other):
            self._said[len(self._steps)] = words
        self._steps.append(replace(seen.step, action=action))

    def _keep(self, turn: Turn) -> None:
        try:
            self._parts.turns.append(turn)
        except OSError as error:
            raise KnownError(
                f"write {self._parts.turns.path}", error.strerror or str(error), "Make room."
            ) from error

    def _tell(self, stage: str, turn: Turn, text: str = "") -> None:
        self._parts.on_progress(Progress(stage, turn.number, text))


def _placed(action: a.Action, seen: Observation) -> a.Action | Unreadable:
    """Returns an action with points on the screen instead of boxes and names."""

    def point(target: a.Target) -> Point | str:
        match target:
            case Point():
                size = seen.frame.size
                inside = 0 <= target.x <= size.width and 0 <= target.y <= size.height
                return target if inside else "its place is outside the screen"
            case Box():
                return point(target.centre)
            case a.ElementRef(text=str(words)):
                node = None if seen.tree is None or not words else node_with_words(seen.tree, words)
                return f"there is no element “{words[:60]}”" if node is None else node.box.centre
            case _:
                return "it names no place on the screen"

    match action:
        case a.Tap(at=at) | a.DoubleTap(at=at) | a.LongPress(at=at):
            found = point(at)
            return (
                Unreadable(found, a.kind(action))
                if isinstance(found, str)
                else replace(action, at=found)
            )
        case a.Scroll(at=at) if at is not None:
            found = point(at)
            return (
                Unreadable(found, "scroll") if isinstance(found, str) else replace(action, at=found)
            )
        case a.TypeText(target=target) if target is not None:
            found = point(target)
            return (
                Unreadable(found, "type_text")
                if isinstance(found, str)
                else replace(action, target=found)
            )
        case a.Swipe(start=start, end=end):
            for one in (start, end):
                if isinstance(found := point(one), str):
                    return Unreadable(found, "swipe")
            return action
        case a.Other(name=name):
            return Unreadable(f"there is no action “{name[:60]}”")
        case _:
            return action


def _name_under(action: a.Action, tree: Tree | None) -> str:
    """Returns the words of the element under an action; "" if unknown."""
    point = a.place(action)
    found = None if point is None or tree is None else target_at(tree, point)
    return "" if found is None else " ".join(label(found[1]).split())[:60]


def _delivered(text: str, after: Observation) -> bool | None:
    """Returns whether typed text stands in the focused field; None if the tree cannot tell."""
    if after.tree is None:
        return None
    focused = [node for node in after.tree.walk() if node.focused and node.editable]
    if not focused or focused[-1].password:
        return None
    field_text = focused[-1].text
    if text.strip() in field_text:
        return True
    return False if field_text in ("", focused[-1].hint) else None


def _changed_under(action: a.Action, seen: Observation, newest: LiveFrame | None) -> bool:
    """Returns whether the screen around a touch no longer shows what the model saw."""
    point = a.place(action)
    if point is None or newest is None:
        return False
    before, now = seen.luma, newest.blocks
    if now.shape != before.shape:
        return True
    x, y = int(point.x // 8), int(point.y // 8)
    window = (slice(max(0, y - NEAR), y + NEAR + 1), slice(max(0, x - NEAR), x + NEAR + 1))
    return blocks_differ(before[window], now[window])
