"""Lets a model do tasks on phones, judges them by the phone's state, and stores the verdicts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from agents.attempt import Progress
from agents.gate import ALL_KINDS, Consent, Gate
from agents.hand import AgentSession
from agents.live import LiveAttempt, Setting, run_live
from agents.loops import LOOPS
from agents.stopping import HARNESS_FAULTS, Limits, StopWord
from episodes.episodes import Task
from episodes.errors import KnownError
from recorder.device.interface import Device
from recorder.library_thread import LibraryThread
from replay.asking.client import Received
from replay.asking.recipe import Recipe
from replay.asking.runner import Spending
from replay.asking.templates import TemplateRenderer
from taptrail.usecases.predicting import ModelServer, open_server
from taptrail.usecases.task_phone import DeviceTaskPhone
from taptrail.usecases.task_runs import asked, keep_outcome
from taptrail.usecases.tree_choice import phone_trees
from tasks.evidence import Evidence, Truth
from tasks.running import TaskOutcome, TaskResult, TaskRun
from tasks.task_files import TaskInstance

BENCH_OF_WORDS = "agent"
"""The bench of a verdict on a task without a check: it is unknown, and keeps how it ended."""


@dataclass(frozen=True)
class AgentOptions:
    """How a model is let loose on a phone.

    Attributes:
        name: of the run, in its episodes.
        apps: packages that may be in front beside the task's and the home screen.
        all_apps: whether any app may be in front.
        ask_before: kinds of acts that need consent; None for all of them on a physical phone and
            none on a disposable one.
        consent: the serial of a physical phone, typed again by a person for this run.
        asks: asks a person about an act; without it such acts are refused.
    """

    name: str
    loop: str = "plain"
    limits: Limits = Limits()
    apps: tuple[str, ...] = ()
    all_apps: bool = False
    ask_before: frozenset[Consent] | None = None
    consent: str = ""
    seed: int | None = None
    price: tuple[float, float] = (0.0, 0.0)
    money: float | None = None
    patience_s: float = 6.0
    away_s: float = 20.0
    hold_s: float = 0.0
    asks: Callable[[frozenset[Consent], str], bool] = field(default=lambda kinds, words: False)


class Model:
    """The model of a run: its recipe as the loop asks it, and a way to ask. Thread-safe.

    Use it as a context manager.
    """

    def __init__(
        self,
        recipe: Recipe,
        server: ModelServer,
        options: AgentOptions,
        ask: Callable[[bytes, str], Received] | None = None,
    ) -> None:
        """Prepares everything and asks nothing.

        Args:
            ask: asks in this process, instead of the server.

        Raises:
            KnownError: the loop is unknown, the recipe does not fit it, or the server is wrong.
        """
        if options.loop not in LOOPS:
            raise KnownError(
                "let a model do a task",
                f"there is no loop “{options.loop}”",
                f"Use {', '.join(LOOPS)}.",
            )
        self.loop = LOOPS[options.loop]
        self.recipe = self.loop.prepare(recipe)
        self.renderer = TemplateRenderer()
        self._stack = ExitStack()
        self._stack.callback(self.renderer.close)
        try:
            self.ask = ask or open_server(server, recipe, 8, self._stack)[0]
        except KnownError:
            self._stack.close()
            raise

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def check_consent(phone: DeviceTaskPhone, options: AgentOptions) -> None:
    """Refuses a physical phone whose serial was not typed again for this run.

    Raises:
        KnownError: consent is missing; the sentence names the phone and its owner's name for it.
    """
    if phone.disposable or options.consent == phone.serial:
        return
    facts = phone.phone.facts()
    owner = phone.run("settings get global device_name").text.strip()
    called = f", called “{owner}”," if owner and owner != "null" else ""
    raise KnownError(
        f"let a model act on {phone.serial}",
        f"it is a physical phone ({facts.manufacturer} {facts.model}{called} somebody's data are "
        "on it), and the model can do there whatever its owner can",
        f"Confirm it for this run with --consent {phone.serial}.",
    )


def run_agent_task(
    instance: TaskInstance,
    phone: DeviceTaskPhone,
    library: LibraryThread,
    model: Model,
    options: AgentOptions,
    *,
    even_if_satisfied: bool = False,
    more: dict[str, Any] | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_control: Callable[[AgentSession], None] = lambda control: None,
) -> TaskOutcome:
    """Sets up a task, lets the model do it, and returns the phone's verdict, which is stored.

    Args:
        more: further details of the verdict.

    Raises:
        KnownError: consent is missing, the set-up fails, the task is satisfied at the start, or
            the phone cannot be recorded.
    """
    check_consent(phone, options)
    with TaskRun(instance, phone) as attempt:
        attempt.set_up()
        if not even_if_satisfied:
            attempt.refuse_if_satisfied()
        apps = None if options.all_apps else (*instance.task.apps, *options.apps)
        if not instance.task.apps and not options.apps:
            apps = None
        live = _live(
            asked(instance), phone.phone, library, model, options, apps,
            phone.disposable, stop, on_progress, on_control,
        )  # fmt: skip
        try:
            found = attempt.check(live.end.answer)
        except KnownError as error:
            found = Evidence("check", Truth.UNKNOWN, str(error), None)
        outcome = attempt.outcome(found, _claim(live), live.name)
    details = {**outcome.details, "notes": attempt.notes, "agent": told(live, model, options)}
    outcome = replace(outcome, details=details | (more or {}))
    library.call(lambda kept: keep_outcome(kept, live.uuid, outcome))
    return outcome


def run_agent_words(
    instruction: str,
    device: Device,
    library: LibraryThread,
    model: Model,
    options: AgentOptions,
    disposable: bool,
    *,
    stop: threading.Event | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_control: Callable[[AgentSession], None] = lambda control: None,
) -> TaskOutcome:
    """Lets the model do what a sentence says; nothing checks it, so the verdict is unknown.

    Raises:
        KnownError: as `run_agent_task`.
    """
    check_consent(DeviceTaskPhone(device, device.serial if disposable else ""), options)
    apps = options.apps if options.apps and not options.all_apps else None
    live = _live(
        Task(instruction), device, library, model, options, apps,
        disposable, stop, on_progress, on_control,
    )  # fmt: skip
    outcome = TaskOutcome(
        task="",
        bench=BENCH_OF_WORDS,
        version="",
        seed=options.seed,
        instance=0,
        goal=instruction,
        goal_before=instruction,
        satisfied_at_start=None,
        score=None,
        verdict=TaskResult.UNKNOWN,
        claimed=_claim(live),
        reason="The task has no check.",
        episode=live.name,
        details={"agent": told(live, model, options)},
    )
    library.call(lambda kept: keep_outcome(kept, live.uuid, outcome))
    return outcome


def _live(
    task: Task,
    device: Device,
    library: LibraryThread,
    model: Model,
    options: AgentOptions,
    apps: tuple[str, ...] | None,
    disposable: bool,
    stop: threading.Event | None,
    on_progress: Callable[[Progress], None],
    on_control: Callable[[AgentSession], None],
) -> LiveAttempt:
    setting = setting_of(model, options, apps, disposable)
    return run_live(
        device,
        library,
        task,
        setting,
        model.ask,
        model.renderer,
        trees=lambda: phone_trees(device),
        stop=stop,
        on_progress=on_progress,
        on_control=on_control,
    )


def setting_of(
    model: Model, options: AgentOptions, apps: tuple[str, ...] | None, disposable: bool
) -> Setting:
    """Returns what decides an attempt.

    Args:
        apps: packages that may be in front; None for all.
    """
    kinds = options.ask_before
    if kinds is None:
        kinds = frozenset() if disposable else ALL_KINDS
    return Setting(
        name=options.name,
        recipe=model.recipe,
        loop=model.loop,
        gate=Gate(kinds=kinds, ask=options.asks),
        limits=options.limits,
        apps=apps,
        seed=options.seed,
        patience_s=options.patience_s,
        away_s=options.away_s,
        hold_s=options.hold_s,
        spending=Spending(*options.price, options.money),
    )


def _claim(live: LiveAttempt) -> str:
    return "" if live.end.claim is None else live.end.claim.value


def told(live: LiveAttempt, model: Model, options: AgentOptions) -> dict[str, Any]:
    """Returns how an attempt went, for the details of its verdict."""
    end = live.end
    return {
        "run": options.name,
        "stop": end.word.value,
        "reason": end.reason,
        "harness_fault": end.word in HARNESS_FAULTS or not live.is_whole,
        "loop": model.loop.name,
        "observes": model.loop.observes,
        "recipe": model.recipe.name,
        "recipe_sha256": model.recipe.sha256,
        "turns": end.turns,
        "acts": end.acts,
        "steps": live.steps,
        "seed": options.seed,
        "tokens": list(end.tokens),
        "seconds": end.seconds,
        "model_s": end.model_s,
        "overheads": list(end.overheads),
        "consent": options.consent,
        "problems": list(live.problems[:20]),
    }


def stop_word(outcome: TaskOutcome) -> StopWord:
    """Returns why an attempt ended."""
    return StopWord(outcome.details["agent"]["stop"])
