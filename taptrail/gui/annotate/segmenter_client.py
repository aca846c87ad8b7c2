"""From the window to SAM 2 and back: places go in, masks come out; nothing here waits.

One thread waits for the answers; the model itself runs in a process of its own. Only the newest
question about a step is worth an answer: older ones that have not been answered are given up.
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
    changed: whether somebody answers is another now.
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
        """Looks whether there is a model."""
        self._thread.run(
            lambda _: None, owner=self, done=lambda _: self._say(""), failed=self._lacking
        )

    def why_not(self) -> str:
        """Returns why nobody answers; "" where somebody does."""
        return self._why

    def ask(
        self, episode: Episode, step: Step, prompt: Prompt, author: Author, asker: PromptPoints
    ) -> None:
        """Asks, and tells the asker when the answer is there; nothing where it is not wanted."""
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
            except segmenting.Stopped:
                return []

        self._thread.run(
            job,
            owner=asker,
            done=lambda regions: asker.answered(episode, step, regions),
            failed=asker.failed,
        )

    def stop(self) -> None:
        """Ends the thread; what is asked is given up. Who opened SAM 2 closes it."""
        self._newest = -1
        self._thread.stop()

    def _say(self, why: str) -> None:
        if why != self._why:
            self._why = why
            self.changed.emit()

    def _lacking(self, error: KnownError) -> None:
        self._say(f"{error.found.capitalize()}. {error.remedy}" if error.remedy else tr(NO_MODEL))
