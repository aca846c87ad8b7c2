"""Finds the foreground app of each step.

The phone is asked at each press, and while and after the screen changes. Each sample has the times
of its request and answer. A step gets the sample that most likely holds for its first moment, with
a fit that says how sure that is. The same answers show whether an app forbids pictures of its
screen.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from episodes.errors import KnownError
from episodes.screens import AppFit, Foreground
from recorder.device.interface import Device
from recorder.screen_log import ScreenLog

STILL_NS = 300_000_000
"""After so long without a change nothing that was done before is still under way."""


@dataclass(frozen=True, slots=True)
class AppSample:
    """The foreground app at some moment between two host times; fields as in `Front`."""

    asked_ns: int
    answered_ns: int
    app: Foreground | None
    protected: bool = False


class ForegroundWorker:
    """A thread that asks the phone for the foreground app on request."""

    def __init__(self, device: Device, tell: Callable[[AppSample], None]) -> None:
        self._device = device.another()
        self._tell = tell
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="foreground", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def ask(self) -> None:
        """Asks now, or as soon as the request under way is answered."""
        self._wanted.set()

    def stop(self) -> None:
        """Interrupts the request under way and waits for the thread."""
        self._stopping.set()
        self._wanted.set()
        self._device.interrupt()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._stopping.is_set():
                return
            asked = time.monotonic_ns()
            try:
                front = self._device.front()
            except KnownError:
                continue  # the phone is away; the mirror reports it
            self._tell(AppSample(asked, time.monotonic_ns(), front.app, front.protected))


def join(
    samples: Sequence[AppSample], began_ns: int, acted_ns: int, screen: ScreenLog
) -> tuple[AppSample, AppFit] | None:
    """Returns the sample of the app that was in front when something began, and how sure it is.

    Args:
        samples: in the order they were taken.
        began_ns: when the finger came down, or the key.
        acted_ns: when it could first have an effect: the finger's lift, or the key itself.

    A phone draws what has come to the front a moment after it says so. So a sample is fresh in two
    cases only:

    - it was asked for before, and nothing has changed since, nor for a while before the beginning;
    - it was asked for and answered between the two, and the one before it, with no input of this
      end in between, says the same.

    Else the first one of between the two is late, as an app takes longer to come to the front than
    a phone to say which is; unless nothing was seen to change since the one before, which is stale
    then.
    """
    known = [sample for sample in samples if sample.app is not None]
    during = [sample for sample in known if began_ns <= sample.asked_ns < acted_ns]
    before = [
        sample
        for sample in known
        if sample.asked_ns < began_ns and sample.answered_ns <= max(began_ns, acted_ns)
    ]
    newest = before[-1] if before else None
    if newest is not None and not _changed(
        screen, min(newest.asked_ns, began_ns - STILL_NS), began_ns
    ):
        return newest, AppFit.FRESH
    answered = next((sample for sample in during if sample.answered_ns <= acted_ns), None)
    if answered is not None:
        agreed = (
            newest is not None
            and newest.answered_ns <= began_ns
            and _same(newest, answered)
            and not screen.acted(newest.asked_ns, began_ns)
        )
        return answered, AppFit.FRESH if agreed else AppFit.LATE
    if newest is not None and not (during and _changed(screen, newest.asked_ns, began_ns)):
        return newest, AppFit.STALE
    later = during or known
    return (later[0], AppFit.LATE) if later else None


def _changed(screen: ScreenLog, after_ns: int, before_ns: int) -> bool:
    return screen.changed(after_ns, before_ns, lambda place: True)


def _same(one: AppSample, other: AppSample) -> bool:
    assert one.app is not None
    assert other.app is not None
    return (one.app.package, one.app.activity) == (other.app.package, other.app.activity)


def protects(samples: Sequence[AppSample], at_ns: int) -> bool:
    """Returns whether the phone said around a host time that pictures of the screen are forbidden.

    What was asked for last before counts, and what was asked for first after: one of them fell
    into the time that a black picture showed.
    """
    before = [sample for sample in samples if sample.asked_ns <= at_ns]
    after = [sample for sample in samples if sample.asked_ns > at_ns]
    return any(sample.protected for sample in (*before[-1:], *after[:1]))
