"""Lets a model act in a recording of the window, until it ends or a person takes over."""

from __future__ import annotations

import threading
from collections.abc import Callable

from agents.attempt import AttemptEnd, Progress
from agents.hand import AgentSession
from agents.live import START_S, attempt_in, end_session
from episodes.episodes import Task
from episodes.errors import KnownError
from recorder.events import SessionState
from recorder.inputs import Input
from recorder.library_thread import LibraryThread
from recorder.mirror import Mirror
from recorder.session import Session
from replay.asking.recipe import Recipe
from taptrail.usecases.agent_runs import AgentOptions, Model, check_consent, setting_of
from taptrail.usecases.predicting import ModelServer
from taptrail.usecases.task_phone import DeviceTaskPhone

HOLD_S = 1.0
"""How long an act is drawn on the mirror before it is done."""


class LiveAgent:
    """A model that acts in one session, on a thread of its own.

    Args:
        on_progress, on_end: called on that thread; the end is a KnownError if it failed.
    """

    def __init__(
        self,
        task: Task,
        recipe: Recipe,
        server: ModelServer,
        options: AgentOptions,
        on_progress: Callable[[Progress], None],
        on_end: Callable[[AttemptEnd | KnownError], None],
    ) -> None:
        self.task, self.name = task, options.name
        self._recipe, self._server, self._options = recipe, server, options
        self._on_progress, self._on_end = on_progress, on_end
        self._stop = threading.Event()
        self._control: AgentSession | None = None
        self._thread: threading.Thread | None = None

    @property
    def acts(self) -> bool:
        """Whether the model has control now."""
        control = self._control
        return control is not None and not control.taken and not self._stop.is_set()

    def check(self, mirror: Mirror) -> None:
        """Refuses a physical phone without consent for this attempt.

        Raises:
            KnownError: consent is missing.
        """
        check_consent(DeviceTaskPhone(mirror.device.another()), self._options)

    def start(self, session: Session, mirror: Mirror, library: LibraryThread) -> None:
        """Begins to act once the session records; returns at once."""
        self._control = AgentSession(session)
        self._thread = threading.Thread(
            target=self._work, args=(session, mirror, library), name="agent", daemon=True
        )
        self._thread.start()

    def send_by_person(self, one: Input) -> bool:
        """Sends a person's input, who has control from then on."""
        assert self._control is not None
        return self._control.send_by_person(one)

    def take_over(self) -> None:
        """Gives control to the person; the recording goes on."""
        if self._control is not None:
            self._control.take_over()

    def stop(self) -> None:
        """Ends the attempt; its recording ends without a claim."""
        self._stop.set()

    def close(self) -> None:
        """Stops, and waits until the model is not asked any more."""
        self.stop()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _work(self, session: Session, mirror: Mirror, library: LibraryThread) -> None:
        assert self._control is not None
        try:
            if not session.wait_for(SessionState.RECORDING, timeout=START_S):
                raise KnownError("let a model act", "nothing is recorded", "Try again.")
            disposable = DeviceTaskPhone(mirror.device.another()).disposable
            with Model(self._recipe, self._server, self._options) as model:
                setting = setting_of(model, self._options, None, disposable)
                end = attempt_in(
                    self.task, setting, session, self._control, mirror, library,
                    model.ask, model.renderer, self._stop, self._on_progress,
                )  # fmt: skip
        except KnownError as error:
            session.leave()
            self._on_end(error)
            return
        end_session(session, end)
        self._on_end(end)
