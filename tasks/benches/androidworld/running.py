"""One attempt at a task of AndroidWorld: its own code sets up, decides, and tears down."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from episodes.errors import KnownError
from tasks.benches.androidworld.results import episode_score
from tasks.benches.androidworld.risks import check_task
from tasks.benches.client import BenchWorker, Words, WorkerFailed
from tasks.phone import TaskPhone
from tasks.running import TaskOutcome, TaskResult, verdict_of

BENCH = "androidworld"
SETUP_SECONDS = 600.0
CHECK_SECONDS = 180.0
KEPT_COMMANDS = 200


@dataclass(frozen=True, slots=True)
class WorldTask:
    """An instance of a task, by what draws it again.

    Attributes:
        seed: of the suite; None for a draw that cannot be repeated.
        identical: every instance takes the seed of instance 0.
    """

    name: str
    seed: int | None = 30
    instance: int = 0
    family: str = "android_world"
    identical: bool = False

    @property
    def suite(self) -> Words:
        """The suite as the worker is asked for it."""
        return {"family": self.family, "seed": self.seed, "identical": self.identical}


@dataclass(slots=True)
class WorldRun:
    """An attempt, from set-up to tear-down; a context manager, whose end tears down.

    Attributes:
        commands: the adb commands of the phase that runs: the evidence of a verdict.
        hello: what the installation says of itself.
    """

    worker: BenchWorker
    phone: TaskPhone
    task: WorldTask
    hello: Words
    commands: list[Words]
    ready: Words = field(default_factory=dict)
    satisfied_at_start: bool | None = None
    notes: list[str] = field(default_factory=list)
    _begun: bool = False
    _began_at: float = field(default_factory=time.monotonic)

    def __enter__(self) -> WorldRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.tear_down()

    @property
    def goal(self) -> str:
        """The instruction; some are worded anew by the set-up."""
        return str(self.ready.get("goal", ""))

    def set_up(self) -> None:
        """Has the benchmark set the task up, and looks whether it is done already.

        Raises:
            KnownError: the task may destroy something on this phone, or its set-up failed.
        """
        check_task(self.task.name, self.phone.serial, disposable=self.phone.disposable)
        self._begun = True
        self._began_at = time.monotonic()
        self.ready = self.worker.ask(
            "initialize",
            seconds=SETUP_SECONDS,
            task=self.task.name,
            instance=self.task.instance,
            suite=self.task.suite,
        )
        try:
            self.satisfied_at_start = self._check()["score"] >= 1
        except WorkerFailed:
            self.satisfied_at_start = None

    def outcome(
        self, *, claimed: str = "", answer: str | None = None, episode: str = ""
    ) -> TaskOutcome:
        """Has the benchmark check the task. An exception of its check is unknown."""
        score: float | None = None
        try:
            if answer is not None:
                self.worker.ask("answer", text=answer)
            checked = self._check()
            score = float(checked["score"])
            reason = f"is_successful gave {score:g}"
        except WorkerFailed as error:
            reason = f"its check raised {error.message}"
        return self._told(score, reason, claimed=claimed, episode=episode)

    def failed(self, error: KnownError) -> TaskOutcome:
        """Returns the outcome of a set-up that failed: unknown."""
        return self._told(None, str(error))

    def tear_down(self) -> None:
        """Has the benchmark put the phone back; also after a set-up that failed."""
        if not self._begun:
            return
        self._begun = False
        try:
            self.worker.ask("tear_down", seconds=SETUP_SECONDS)
        except KnownError as error:
            self.notes.append(str(error))

    def _check(self) -> Words:
        self.commands.clear()
        return dict(self.worker.ask("check", seconds=CHECK_SECONDS))

    def _told(
        self, score: float | None, reason: str, *, claimed: str = "", episode: str = ""
    ) -> TaskOutcome:
        own = None if score is None else episode_score(score, declared_done=claimed != "")
        return TaskOutcome(
            task=self.task.name,
            bench=BENCH,
            version=str(self.hello.get("version") or "unknown"),
            seed=self.ready.get("seed"),
            instance=self.task.instance,
            goal=self.goal,
            goal_before=str(self.ready.get("goal_before", "")),
            satisfied_at_start=self.satisfied_at_start,
            score=score,
            verdict=verdict_of(score) if score is not None else TaskResult.UNKNOWN,
            claimed=claimed,
            reason=reason,
            evidence=tuple(self.commands[:KEPT_COMMANDS]),
            episode=episode,
            details={
                "score_by_the_benchmark": own,
                "run_seconds": round(time.monotonic() - self._began_at, 3),
                "budget": self.ready.get("budget"),
                "clone": self.hello.get("package"),
                "commit": self.hello.get("commit"),
                "changed": self.hello.get("changed"),
                "family": self.task.family,
                "left_alone": self.ready.get("left_alone", []),
                "params": self.ready.get("params", {}),
                "notes": self.notes,
            },
        )


def sweep_world(
    begin: Callable[[WorldTask], WorldRun],
    tasks: list[WorldTask],
    on_outcome: Callable[[TaskOutcome], None] | None = None,
) -> list[TaskOutcome]:
    """Sets every task up and checks it without any action."""
    found: list[TaskOutcome] = []
    for task in tasks:
        with begin(task) as run:
            try:
                run.set_up()
                outcome = run.outcome()
            except KnownError as error:
                outcome = run.failed(error)
        found.append(outcome)
        if on_outcome is not None:
            on_outcome(outcome)
    return found


def opened(worker: BenchWorker, phone: TaskPhone, adb: str, port: int) -> dict[str, Any]:
    """Has the worker open the phone, and returns what the installation says of itself."""
    hello = dict(worker.ask("hello", seconds=120.0))
    worker.ask(
        "open",
        serial=phone.serial,
        adb=adb,
        server_port=port,
        destructive=phone.disposable,
        tree="host",
    )
    return hello
