"""The process in which SAM 2 runs: reads jobs from its standard input, writes answers.

    python -m annotator.sam2.worker

It gives way to everything else on the computer, and is the first to go when memory runs out. When
the program that started it is gone, so is it, in the middle of a job as well. It is the only place
of Taptrail that loads torch.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import traceback
from collections import deque
from pathlib import Path
from typing import BinaryIO

from annotator.sam2 import protocol
from annotator.sam2.cache import EmbeddingCache
from annotator.sam2.checkpoints import Weights
from annotator.sam2.mask_predictor import MaskPredictor
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
from annotator.sam2.values import ModelId, PictureFile, Prompt
from episodes.errors import KnownError
from episodes.operating_system import lower_priority


class Inbox:
    """What is still to be done. A thread of its own reads it, so that cancelling works at once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._asked: deque[SegmentRequest] = deque()
        self._cancelled: set[int] = set()
        self._changed = threading.Condition()

    def listen(self) -> None:
        """Reads until the other side is gone, and then ends the process, whatever it is at."""
        with contextlib.suppress(protocol.BadMessage):
            while (message := protocol.read_request(self._stream)) is not None:
                with self._changed:
                    if isinstance(message, SegmentRequest):
                        self._asked.append(message)
                    elif isinstance(message, CancelRequest):
                        self._cancelled.add(message.job)
                    self._changed.notify()
        os._exit(0)

    def next(self) -> SegmentRequest:
        """Returns the next job, waiting for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._asked)
            return self._asked.popleft()

    def wanted(self, job: int) -> bool:
        """Returns whether a job was not cancelled."""
        return job not in self._cancelled

    def done(self, job: int) -> None:
        """Forgets that a job was cancelled."""
        with self._changed:
            self._cancelled.discard(job)


def main() -> None:
    """Runs until the other side closes the pipe."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the answers
    lower_priority()
    first = protocol.read_request(sys.stdin.buffer)
    if not isinstance(first, LoadRequest):
        return
    inbox = Inbox(sys.stdin.buffer)
    threading.Thread(target=inbox.listen, daemon=True).start()
    try:
        answering = _loaded(first, out)
        while answering is not None:
            _answer(answering, inbox, out)
    except BrokenPipeError:
        return


def _loaded(asked: LoadRequest, out: BinaryIO) -> MaskPredictor | None:
    started = time.perf_counter()
    model = ModelId(asked.name, asked.sha256, asked.listed)
    weights = Weights(Path(asked.path), model, asked.config, asked.overrides, asked.size)
    try:
        from annotator.sam2.model_loader import load_model

        loaded = load_model(weights, asked.threads)

        from annotator.sam2.session import ImageSession

        session = ImageSession(loaded)
    except KnownError as error:
        protocol.send(out, JobFailed(0, error.doing, error.found, error.remedy))
        return None
    except MemoryError:
        protocol.send(out, _no_memory(0))
        return None
    except Exception:  # noqa: BLE001 - a bug: told whole to the other side, which logs it
        protocol.send(out, WorkerBug(0, traceback.format_exc()))
        return None
    cache = EmbeddingCache(Path(asked.cache), asked.cache_limit) if asked.cache else None
    protocol.send(out, WorkerReady(session.side, time.perf_counter() - started))
    return MaskPredictor(session, model, cache)


def _answer(answering: MaskPredictor, inbox: Inbox, out: BinaryIO) -> None:
    from annotator.sam2.session import EmbeddingCancelled

    asked = inbox.next()
    job = asked.job
    try:
        if not inbox.wanted(job):
            raise EmbeddingCancelled
        protocol.send(out, _answered(answering, asked, inbox))
    except EmbeddingCancelled:
        protocol.send(out, RequestCancelled(job))
    except KnownError as error:
        protocol.send(out, JobFailed(job, error.doing, error.found, error.remedy))
    except MemoryError:
        protocol.send(out, _no_memory(job))
    except BrokenPipeError:
        raise
    except Exception:
        protocol.send(out, WorkerBug(job, traceback.format_exc()))
        raise
    finally:
        inbox.done(job)


def _answered(answering: MaskPredictor, asked: SegmentRequest, inbox: Inbox) -> JobDone:
    frame = PictureFile(asked.frame, Path(asked.path))

    def wanted() -> bool:
        return inbox.wanted(asked.job)

    prompt = Prompt(asked.points, asked.avoid, asked.box)
    answer = answering.warm if asked.ahead else answering.propose
    found = answer(frame, prompt, asked.view, wanted)
    return JobDone(
        asked.job,
        found.view,
        found.masks,
        found.refused,
        found.warm,
        found.seconds,
        answering.damaged,
    )


def _no_memory(job: int) -> JobFailed:
    return JobFailed(
        job,
        "run SAM 2",
        "there is not enough memory for it",
        "Close other programs, or take a smaller checkpoint: taptrail models list",
    )


if __name__ == "__main__":
    main()
