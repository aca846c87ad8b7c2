"""Runs an attempt on a phone: mirror, session, and the end of the episode."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from agents.attempt import AWAY_S, Attempt, AttemptEnd, AttemptParts, Progress
from agents.gate import Gate
from agents.hand import AgentSession
from agents.loops import Loop
from agents.loops.asking import Ask, Asker
from agents.observation import LiveStills, Observer
from agents.stopping import Limits, StopWord
from agents.turns import TurnFile
from episodes.episodes import Actor, Task
from episodes.errors import KnownError
from recorder.device.interface import Device, TreeSource
from recorder.events import Problem, SessionState, StepDropped, StepSaved
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.session import Session
from replay.asking.recipe import Recipe
from replay.asking.requests import RequestBuilder
from replay.asking.runner import Spending
from replay.asking.templates import TemplateRenderer

START_S = 30.0
END_S = 60.0
LAUNCHER = "launcher"


@dataclass(frozen=True)
class Setting:
    """Everything but the task that decides an attempt.

    Attributes:
        name: of the run; the agent's name in its episodes.
        recipe: as the loop asks it.
        apps: packages that may be in front; the home screen is always added. None for all apps.
        seed: of the hand, and sent with each request unless it is None.
        patience_s: how long a screen may take to come to rest.
        hold_s: how long an action is shown before it is done.
    """

    name: str
    recipe: Recipe
    loop: Loop
    gate: Gate
    limits: Limits = Limits()
    apps: tuple[str, ...] | None = None
    seed: int | None = None
    patience_s: float = 6.0
    away_s: float = AWAY_S
    hold_s: float = 0.0
    spending: Spending = field(default_factory=Spending)


@dataclass(frozen=True, slots=True)
class LiveAttempt:
    """A recorded attempt.

    Attributes:
        steps: how many are in the episode.
        is_whole: whether nothing of the recording was lost.
    """

    uuid: str
    name: str
    steps: int
    is_whole: bool
    end: AttemptEnd
    problems: tuple[str, ...]


def run_live(
    device: Device,
    library: LibraryThread,
    task: Task,
    setting: Setting,
    ask: Ask,
    renderer: TemplateRenderer,
    *,
    trees: Callable[[], TreeSource],
    stop: threading.Event | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_control: Callable[[AgentSession], None] = lambda control: None,
    mirror: Mirror | None = None,
) -> LiveAttempt:
    """Runs one attempt and ends its episode.

    A claim of the model finishes the episode; every other end leaves it without a claim.

    Args:
        trees: makes the source of trees.
        stop: ends the attempt when it is set.
        on_control: gets the session as the agent's hand sees it, to take over.
        mirror: a mirror that runs already; without one, one is started and stopped.

    Raises:
        KnownError: the phone cannot be mirrored, or the library cannot be written.
    """
    own_mirror = mirror is None
    mirror = mirror or Mirror(device)
    if own_mirror:
        mirror.start()
    try:
        session = Session(
            mirror, library, task, Actor("agent", agent=setting.name), tree_source=trees
        )
        saved: set[int] = set()
        problems: list[str] = []

        def listen(event: object) -> None:
            if isinstance(event, StepSaved):
                saved.add(event.step.index)
            elif isinstance(event, StepDropped):
                saved.discard(event.index)
            elif isinstance(event, Problem):
                problems.append(str(event.error))

        session.on_event(listen)
        session.start()
        try:
            if not session.wait_for(SessionState.RECORDING, timeout=START_S):
                found = problems[-1] if problems else "no picture of it has come"
                raise KnownError(f"record {device.serial}", found, "Unlock the phone, try again.")
            control = AgentSession(session)
            on_control(control)
            end = attempt_in(
                task, setting, session, control, mirror, library, ask, renderer, stop, on_progress
            )
            end_session(session, end)
            if end.word is StopWord.TAKEN_OVER:
                session.leave()
            if not session.ended.wait(END_S):
                raise KnownError(
                    "end the episode", "its last steps are not saved yet", "Look at the disk."
                )
        finally:
            session.stop()
    finally:
        if own_mirror:
            mirror.stop()
    whole = session.loss is None
    return LiveAttempt(session.episode, session.name, len(saved), whole, end, tuple(problems))


def attempt_in(
    task: Task,
    setting: Setting,
    session: Session,
    control: AgentSession,
    mirror: Mirror,
    library: LibraryThread,
    ask: Ask,
    renderer: TemplateRenderer,
    stop: threading.Event | None,
    on_progress: Callable[[Progress], None],
) -> AttemptEnd:
    """Runs one attempt in a session that records; does not end it.

    Raises:
        KnownError: the phone is away at the beginning, or the disk is full.
    """
    recipe = setting.recipe
    if setting.seed is not None:
        recipe = msgspec.structs.replace(recipe, sampling=recipe.sampling | {"seed": setting.seed})
    with tempfile.TemporaryDirectory(prefix="taptrail-agent-") as folder:
        stills = LiveStills(Path(folder), setting.loop.sees)
        observer = Observer(session, mirror, stills, setting.patience_s)
        try:
            parts = AttemptParts(
                session=session,
                control=control,
                mirror=mirror,
                observer=observer,
                builder=RequestBuilder(recipe, stills, renderer),
                asker=Asker(ask, session.episode, setting.spending),
                loop=setting.loop,
                gate=_with_home(setting, observer),
                limits=setting.limits,
                turns=TurnFile.of(library.folder, session.episode),
                spending=setting.spending,
                seed=setting.seed or 1,
                hold_s=setting.hold_s,
                away_s=setting.away_s,
                stop=stop or threading.Event(),
                on_progress=on_progress,
            )
            return Attempt(task, parts).run()
        finally:
            observer.close()


def _with_home(setting: Setting, observer: Observer) -> Gate:
    """Returns the gate with the task's apps and the home screen, if that is in front now."""
    if setting.apps is None:
        return replace(setting.gate, apps=frozenset())
    apps = set(setting.apps)
    front = observer.front()[0]
    if front is not None and LAUNCHER in front.package:
        apps.add(front.package)
    return replace(setting.gate, apps=frozenset(apps))


def end_session(session: Session, end: AttemptEnd) -> None:
    """Ends a session with the model's claim, or without one; not if a person has taken over."""
    if end.word is StopWord.TAKEN_OVER:
        return
    if end.claim is not None and end.word in (
        StopWord.COMPLETE,
        StopWord.IMPOSSIBLE,
        StopWord.ANSWERED,
    ):
        session.finish(end.claim, end.answer)
    else:
        session.leave()
