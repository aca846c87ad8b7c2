"""Comparisons of steps under all protocols, computed ahead on another thread and cached."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from episodes.errors import KnownError
from episodes.store.library import Library
from replay.side_by_side import SideBySide
from replay.tolerance import Tolerance
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.usecases.elements import target_name

KEPT = 32


@dataclass(frozen=True)
class StepComparison:
    """The comparison of a step.

    Attributes:
        name: name of the element the recorded action hit; "" if unknown.
        sides: by run.
        tolerance: the region in which the selected protocol accepts a touch.
    """

    name: str
    sides: dict[str, SideBySide]
    tolerance: Tolerance | None


class Comparisons(QObject):
    """Signals:
    ready: the row whose comparison was loaded.
    failed: the KnownError of a failed comparison.
    """

    ready = Signal(int)
    failed = Signal(object)

    def __init__(self, reader: WorkThread[Library], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._opened: reviewing.OpenEpisode | None = None
        self._protocol = ""
        self._turn = 0
        self._kept: OrderedDict[int, StepComparison] = OrderedDict()
        self._asked: set[int] = set()

    def turn(self, opened: reviewing.OpenEpisode | None, protocol: str) -> None:
        """Sets the episode, the runs and the protocol; drops other comparisons."""
        if opened is self._opened and protocol == self._protocol:
            return
        self._opened, self._protocol = opened, protocol
        self._turn += 1
        self._kept.clear()
        self._asked.clear()

    def peek(self, row: int) -> StepComparison | None:
        """Returns a step's comparison if it is loaded."""
        return self._kept.get(row)

    def get(self, row: int, *, ahead: bool = False) -> StepComparison | None:
        """Returns a step's comparison if it is loaded; else requests it, and `ready` follows.

        Args:
            ahead: whether to queue it behind others, because the step is not shown yet.
        """
        opened, protocol, turn = self._opened, self._protocol, self._turn
        if opened is None or not 0 <= row < len(opened.episode.steps):
            return None
        if row in self._kept:
            self._kept.move_to_end(row)
            return self._kept[row]
        if row in self._asked and ahead:
            return None
        self._asked.add(row)
        episode, step = opened.episode, opened.episode.steps[row]

        def work(_: Library) -> StepComparison | None:
            if turn != self._turn or row in self._kept:
                return None  # it is no longer needed, or was requested twice
            sides = {
                name: reviewing.compare(episode, step, said.get(step.index), protocol)
                for name, said in opened.predictions.items()
            }
            tolerance = reviewing.tolerance(episode, step, protocol)
            return StepComparison(target_name(step), sides, tolerance)

        def done(found: StepComparison | None) -> None:
            if turn == self._turn and found is not None:
                self._asked.discard(row)
                self._kept[row] = found
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
                self.ready.emit(row)

        def failed(error: KnownError) -> None:
            self._asked.discard(row)
            self.failed.emit(error)

        self._reader.run(work, owner=self, done=done, failed=failed, next_up=not ahead)
        return None
