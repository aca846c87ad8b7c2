"""Client of the SAM 2 worker process: takes requests, returns proposals.

The model runs in a process of its own (`worker`), which is started with the first job, ended when
nothing was asked for ten minutes, and started again when it dies. One thread, "models", owns the
pipe to it. Neither torch nor sam2 is imported here: a window that uses this starts as fast as
before, and survives whatever happens there.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, cast

from annotator.sam2 import protocol
from annotator.sam2.cache import LIMIT
from annotator.sam2.checkpoints import Weights
from annotator.sam2.protocol import (
    CancelRequest,
    JobDone,
    JobFailed,
    LoadRequest,
    RequestCancelled,
    SegmentRequest,
    WorkerBug,
    WorkerReady,
)
from annotator.sam2.values import ModelId, PictureFile, Prompt, Proposals
from episodes.errors import KnownError
from episodes.geometry import Box

log = logging.getLogger(__name__)

IDLE_SECONDS = 600.0
ANSWER_SECONDS = 600.0
"""Seconds without an answer after which the worker counts as hung; the largest model needs 20."""
TRIES = 2
"""How often a job is given to a worker, where the first one died of it or beside it."""


class WorkerState(StrEnum):
    """What the worker is at."""

    OFF = "off"
    LOADING = "loading"
    READY = "ready"
    WORKING = "working"


class WorkerBroke(Exception):
    """A bug in the worker; its own traceback is the message."""


@dataclass(eq=False)
class Job:
    """A prompt on its way.

    Attributes:
        ahead: only have the embedding ready; the proposals then have no masks.
        answer: the proposals, or a KnownError. Its callbacks run on the thread "models".
    """

    number: int
    frame: PictureFile
    prompt: Prompt
    view: Box | None
    ahead: bool = False
    answer: Future[Proposals] = field(default_factory=Future)
    tries: int = 0
    given_up: bool = False


class Sam2:
    """A checkpoint that can be asked. Usable from any thread; only `propose` waits.

    Args:
        weights: the checkpoint; its sha256 is compared each time it is loaded.
        cache: folder of the embeddings; None keeps none on the disk.
        threads: for computing; None leaves one core to the rest of the computer.
        on_state: called on the thread "models" with the worker's state.
    """

    def __init__(
        self,
        weights: Weights,
        cache: Path | None = None,
        *,
        cache_limit: int = LIMIT,
        threads: int | None = None,
        idle_seconds: float = IDLE_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
        on_state: Callable[[WorkerState], None] = lambda state: None,
    ) -> None:
        self._weights = weights
        self._load = LoadRequest(
            str(weights.path),
            weights.model.name,
            weights.model.checkpoint,
            weights.model.listed,
            weights.config,
            weights.overrides,
            weights.size,
            threads or max(1, (os.cpu_count() or 2) - 1),
            str(cache.absolute()) if cache else "",
            cache_limit,
        )
        self._idle_seconds = idle_seconds
        self._answer_seconds = answer_seconds
        self._on_state = on_state
        self._waiting: deque[Job] = deque()
        self._current: Job | None = None
        self._numbers = 0
        self._closing = False
        self._worker: _Worker | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="models", daemon=True)
        self._thread.start()

    @property
    def model(self) -> ModelId:
        """Which weights answer."""
        return self._weights.model

    @property
    def pid(self) -> int | None:
        """The worker's process, while there is one."""
        worker = self._worker
        return worker.process.pid if worker else None

    def submit(
        self, frame: PictureFile, prompt: Prompt, view: Box | None = None, *, soon: bool = False
    ) -> Job:
        """Takes a prompt and returns at once; `soon` puts it before all that wait."""
        return self._take(frame, prompt, view, soon=soon, ahead=False)

    def warm(self, frame: PictureFile, prompt: Prompt, view: Box | None = None) -> Job:
        """Has the embedding made that this prompt will need, behind all that wait."""
        return self._take(frame, prompt, view, soon=False, ahead=True)

    def propose(self, frame: PictureFile, prompt: Prompt, view: Box | None = None) -> Proposals:
        """Returns the masks the prompt may mean. Waits for seconds: not for a window's thread.

        Raises:
            KnownError: the picture cannot be read, or SAM 2 does not answer.
        """
        return self.submit(frame, prompt, view).answer.result()

    def cancel(self, job: Job) -> None:
        """Gives a job up, also while it is worked at: within a fraction of a second."""
        with self._changed:
            job.given_up = True
            worker = self._worker
            if job in self._waiting:
                self._waiting.remove(job)
                job.answer.cancel()
            elif job is self._current and worker is not None:
                worker.send(CancelRequest(job.number))

    def close(self) -> None:
        """Ends the worker, whatever it is at, and gives up all that waits."""
        with self._changed:
            self._closing = True
            given_up = list(self._waiting)
            self._waiting.clear()
            if self._worker is not None:
                self._worker.kill()
            self._changed.notify()
        for job in given_up:
            job.answer.cancel()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def __enter__(self) -> Sam2:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(
        self, frame: PictureFile, prompt: Prompt, view: Box | None, *, soon: bool, ahead: bool
    ) -> Job:
        with self._changed:
            if self._closing:
                raise RuntimeError("SAM 2 was closed")
            self._numbers += 1
            job = Job(self._numbers, frame, prompt, view, ahead)
            if soon:
                self._waiting.appendleft(job)
            else:
                self._waiting.append(job)
            self._changed.notify()
        return job

    # On the thread "models"

    def _run(self) -> None:
        while (job := self._next()) is not None:
            self._work(job)
        self._end()

    def _next(self) -> Job | None:
        """The next job; None when closing. Ends the worker when it had nothing to do for long."""
        with self._changed:
            self._current = None
            while not self._waiting and not self._closing:
                awake = self._changed.wait(self._idle_seconds if self._worker else None)
                if not awake and not self._waiting:
                    self._end()
            if self._closing:
                return None
            self._current = self._waiting.popleft()
            return self._current

    def _work(self, job: Job) -> None:
        """Has one job answered, by a second worker where the first one dies."""
        while True:
            job.tries += 1
            try:
                worker = self._ready()
                if job.given_up:
                    job.answer.cancel()
                    return
                self._on_state(WorkerState.WORKING)
                worker.send(_asked(job))
                self._settle(job, worker.reply(self._answer_seconds))
                self._on_state(WorkerState.READY)
                return
            except _Died as died:
                with self._changed:
                    closing = self._closing
                self._end()
                if closing:
                    job.answer.cancel()
                    return
                if job.tries >= TRIES:
                    job.answer.set_exception(
                        KnownError(
                            "segment with SAM 2",
                            f"its process ended twice ({died.why})",
                            "Close other programs if memory is short, or take a smaller "
                            "checkpoint: taptrail models list",
                        )
                    )
                    return
                log.info("SAM 2's process ended (%s); starting another", died.why)
            except (KnownError, WorkerBroke) as error:
                self._end()
                job.answer.set_exception(error)
                return
            except OSError as error:
                self._end()
                job.answer.set_exception(
                    KnownError(
                        "start SAM 2's process",
                        str(error.strerror or error),
                        "Close other programs, then try again.",
                    )
                )
                return

    def _settle(self, job: Job, reply: protocol.Reply) -> None:
        match reply:
            case JobDone():
                self._note(reply)
                job.answer.set_result(
                    Proposals(
                        self.model,
                        job.frame.sha256,
                        reply.view,
                        job.prompt,
                        reply.masks,
                        reply.refused,
                        reply.warm,
                        reply.seconds,
                    )
                )
            case RequestCancelled():
                job.answer.cancel()
            case JobFailed(doing=doing, found=found, remedy=remedy):
                job.answer.set_exception(KnownError(doing, found, remedy))
            case WorkerBug(story=story):
                raise WorkerBroke(story)
            case WorkerReady():
                raise _Died("it told twice that it is ready")

    def _note(self, reply: JobDone) -> None:
        worker = self._worker
        if worker is not None and reply.damaged > worker.damaged:
            log.warning("%d damaged embeddings removed", reply.damaged - worker.damaged)
            worker.damaged = reply.damaged

    def _ready(self) -> _Worker:
        """Returns the worker; starts and loads one if there is none."""
        worker = self._worker
        if worker is not None:
            return worker
        worker = _Worker()
        with self._changed:
            self._worker = worker
            if self._closing:
                worker.kill()
        self._on_state(WorkerState.LOADING)
        worker.send(self._load)
        match worker.reply(self._answer_seconds):
            case WorkerReady():
                return worker
            case JobFailed(doing=doing, found=found, remedy=remedy):
                raise KnownError(doing, found, remedy)
            case WorkerBug(story=story):
                raise WorkerBroke(story)
            case other:
                raise _Died(f"it answered {type(other).__name__} before it was ready")

    def _end(self) -> None:
        with self._changed:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
            self._on_state(WorkerState.OFF)


class _Died(Exception):
    """The worker is gone, or no worker any more."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class _Worker:
    """The process and both ends of its pipe."""

    def __init__(self) -> None:
        self.damaged = 0
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.process = subprocess.Popen(
            # -P: a folder named like one of our packages, where the person stands, is not taken.
            [sys.executable, "-P", "-m", "annotator.sam2.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=_environment(),
        )
        self._in = cast(BinaryIO, self.process.stdin)
        self._out = cast(BinaryIO, self.process.stdout)
        self._sending = threading.Lock()

    def send(self, message: protocol.Request) -> None:
        """Writes a message; a worker that is gone is noticed where its answer is read."""
        with self._sending, contextlib.suppress(OSError, ValueError):
            protocol.send(self._in, message)

    def reply(self, seconds: float) -> protocol.Reply:
        """Waits for the next message; raises _Died if none comes."""
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self.kill()  # ends the pipe, and with it the reading below

        clock = threading.Timer(seconds, give_up)
        clock.start()
        try:
            message = protocol.read_reply(self._out)
        except protocol.BadMessage as error:
            self.kill()
            raise _Died(f"it sent what is no message: {error}") from error
        finally:
            clock.cancel()
        if message is None:
            raise _Died(f"it gave no answer for {seconds:.0f} s" if late.is_set() else self._why())
        return message

    def kill(self) -> None:
        """Ends the process at once; it holds nothing that could be lost."""
        with contextlib.suppress(OSError):
            self.process.kill()

    def end(self) -> None:
        """Ends the process and closes the pipe."""
        self.kill()
        self.process.wait()
        for stream in (self._in, self._out, self._said):
            with contextlib.suppress(OSError):
                stream.close()

    def _why(self) -> str:
        code = self.process.wait()
        self._said.seek(0)
        lines = self._said.read()[-4000:].decode(errors="replace").strip().splitlines()
        told = f", its last words: {lines[-1][:200]}" if lines else ""
        return f"signal {-code}{told}" if code < 0 else f"exit code {code}{told}"


def _asked(job: Job) -> SegmentRequest:
    prompt = job.prompt
    return SegmentRequest(
        job.number,
        job.frame.sha256,
        str(job.frame.path.absolute()),
        prompt.points,
        prompt.avoid,
        prompt.box,
        job.view,
        job.ahead,
    )


def _environment() -> dict[str, str]:
    """Ours, with this very program's packages before others of their names.

    The allocator keeps what it has, which saves a sixth of an embedding's time.
    """
    ours = str(Path(__file__).resolve().parents[2])
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH")))),
        "MALLOC_MMAP_MAX_": "0",
        "MALLOC_TRIM_THRESHOLD_": str(1 << 32),
        "MALLOC_TOP_PAD_": str(1 << 26),
        "PYTHONWARNINGS": "ignore",
        "PYTHONUNBUFFERED": "1",
    }


__all__ = ["CancelledError", "Job", "Sam2", "WorkerBroke", "WorkerState"]
