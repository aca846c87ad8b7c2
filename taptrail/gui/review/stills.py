"""Loads the pictures of the current step and of its neighbours for the Review page."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from episodes.episodes import Episode
from episodes.screens import Frame, Still
from taptrail.gui.review.columns import Columns
from taptrail.gui.thumbnails import Pictures
from taptrail.usecases.reviewing import screen_after
from taptrail.words import tr

AHEAD = 8
"""So many steps to both sides have their pictures read ahead."""


class StepStills(QObject):
    """Signals:
    settled: the row whose picture is shown, or is known to be missing.
    """

    settled = Signal(int)

    def __init__(self, pictures: Pictures, columns: Columns, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures, self._columns = pictures, columns
        self._episode: Episode | None = None
        self._row = 0
        pictures.ready.connect(self._ready)

    def turn(self, episode: Episode, row: int, *, with_after: bool) -> None:
        """Shows the screenshot of a step.

        Args:
            with_after: whether to load the screen after it too.
        """
        self._episode, self._row = episode, row
        own = _still(episode.steps[row].frame)
        if own is not None:
            self._show_own(own)
        else:
            self._settle()
        after = _still(screen_after(episode, row))
        if with_after and after is not None:
            self._show_after(after)

    def _ready(self, sha256: str) -> None:
        if self._episode is None or self._row >= len(self._episode.steps):
            return
        after = _still(screen_after(self._episode, self._row))
        if after is not None and after.sha256 == sha256:
            self._show_after(after)
        own = _still(self._episode.steps[self._row].frame)
        if own is not None and own.sha256 == sha256:
            self._show_own(own)
        else:
            self._look_ahead()

    def _show_own(self, still: Still) -> None:
        image = self._pictures.get(still, next_up=True)
        self._columns.show_image(image, self._missing(still))
        if image is not None or self._pictures.missing(still):
            self._settle()

    def _show_after(self, still: Still) -> None:
        image = self._pictures.get(still)
        self._columns.show_after_image(image, self._missing(still))

    def _missing(self, still: Still) -> str:
        gone = self._pictures.missing(still)
        return tr("The picture is not in the library") if gone else ""

    def _settle(self) -> None:
        QTimer.singleShot(0, self, lambda row=self._row: self._settled(row))

    def _settled(self, row: int) -> None:
        if row == self._row:
            self.settled.emit(row)
            self._look_ahead()

    def _look_ahead(self) -> None:
        """Loads the nearest picture that is not loaded yet; one at a time, so that a picture the
        person asks for is not queued behind many."""
        steps = self._episode.steps if self._episode is not None else ()
        near = sorted(range(len(steps)), key=lambda row: (abs(row - self._row), -row))
        for row in near[: 2 * AHEAD + 1]:
            still = _still(steps[row].frame)
            if still is None:
                continue
            if abs(row - self._row) * 2 + 1 > self._pictures.room_for(still):
                return
            if self._pictures.get(still) is None and not self._pictures.missing(still):
                return


def _still(frame: Frame | None) -> Still | None:
    return frame.still if frame is not None else None
