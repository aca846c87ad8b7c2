"""Asynchronous client of SAM 2: sends prompts, receives masks, never blocks the window.

One thread waits for the answers. The model runs in its own process. Only the newest request for a
step is answered; older unanswered ones are cancelled.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from annotator.sam2.values import Prompt
from annotator.segmenters import Segmenter
from episodes.annotations import Author, Region
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.steps import Step
from episodes.store.stills import StillFiles
from taptrail.gui.annotate.sam2_prompts import NO_MODEL, PromptPoints
from taptrail.gui.work import WorkThread
from taptrail.usecases import segmenting
from taptrail.words import tr

Opening = Callable[[], Segmenter]


class Sam2Client(QObject):
    """Signals:
    changed: the availability of SAM 2 changed.
    """

    changed = Signal()

    def __init__(self, folder: Path, opening: Opening) -> None:
        super().__init__()
        self._stills = StillFiles(folder)
        self._why = tr("Looking for a model…")
        self._numbers = itertools.count()
        self._newest = -1
        self._thread: WorkThread[Segmenter] = WorkThread("pointing", opening)
        self.look()

    def look(self) -> None:
        """Checks whether there is a model."""
        self._thread.run(
            lambda _: None, owner=self, done=lambda _: self._say(""), failed=self._lacking
        )

    def why_not(self) -> str:
        """Returns why SAM 2 is not available; "" if it is."""
        return self._why

    def ask(
        self, episode: Episode, step: Step, prompt: Prompt, author: Author, asker: PromptPoints
    ) -> None:
        """Asks SAM 2 and tells the asker the answer, unless the request was cancelled."""
        number = self._newest = next(self._numbers)

        def job(sam2: Segmenter) -> list[Region]:
            if number != self._newest:
                return []
            try:
                return segmenting.ask(
                    sam2,
                    self._stills,
                    episode,
                    step,
                    prompt,
                    author=author,
                    wanted=lambda: number == self._newest,
                )
            except segmenting.SegmentingStopped:
                return []

        self._thread.run(
            job,
            owner=asker,
            done=lambda regions: asker.answered(episode, step, regions),
            failed=asker.failed,
        )

    def stop(self) -> None:
        """Ends the thread and cancels all requests. SAM 2 is closed by its owner."""
        self._newest = -1
        self._thread.stop()

    def _say(self, why: str) -> None:
        if why != self._why:
            self._why = why
            self.changed.emit()

    def _lacking(self, error: KnownError) -> None:
        self._say(f"{error.found.capitalize()}. {error.remedy}" if error.remedy else tr(NO_MODEL))
