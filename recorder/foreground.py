"""Which app was in front when something was done.

The phone is asked at each press, and while and after the screen changes; every sample keeps when
it was asked for and answered. A step gets the sample that must be right for its first moment.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from episodes.errors import KnownError
from episodes.screens import Foreground
from recorder.device.phone import Phone
from recorder.screen_log import ScreenLog


@dataclass(frozen=True, slots=True)
class Sample:
    """The app that was in front at some moment between two host times; None where none was."""

    asked_ns: int
    answered_ns: int
    app: Foreground | None


class ForegroundWorker:
    """A thread that asks the phone for the app in front whenever told to."""

    def __init__(self, phone: Phone, tell: Callable[[Sample], None]) -> None:
        self._phone = phone.another()
        self._tell = tell
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="foreground", daemon=True)

    def start(self) -> None:
        """Begins to wait for questions."""
        self._thread.start()

    def ask(self) -> None:
        """Asks now, or as soon as the question under way is answered."""
        self._wanted.set()

    def stop(self) -> None:
        """Breaks off and waits for the thread."""
        self._stopping.set()
        self._wanted.set()
        self._phone.link.interrupt()
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
                app = self._phone.foreground()
            except KnownError:
                continue  # the phone is away; the mirror says so
            self._tell(Sample(asked, time.monotonic_ns(), app))


def join(
    samples: Sequence[Sample], began_ns: int, acted_ns: int, screen: ScreenLog
) -> Foreground | None:
    """Returns the app that was in front when something began.

    Args:
        samples: in the order they were taken.
        began_ns: when the finger came down, or the key.
        acted_ns: when it could first have an effect: the finger's lift, or the key itself.

    A sample taken between the two is right. Else the newest one asked for before is, if nothing
    has changed since. Else the first one asked for between the two, as an app takes longer to
    come to the front than a phone to say which is; else the newest before.
    """
    known = [sample for sample in samples if sample.app is not None]
    during = [sample for sample in known if began_ns <= sample.asked_ns < acted_ns]
    for sample in during:
        if sample.answered_ns <= acted_ns:
            return sample.app
    before = [
        sample
        for sample in known
        if sample.asked_ns < began_ns and sample.answered_ns <= max(began_ns, acted_ns)
    ]
    if before and not screen.changed(before[-1].asked_ns, began_ns, lambda place: True):
        return before[-1].app
    if during:
        return during[0].app
    if before:
        return before[-1].app
    return known[0].app if known else None
