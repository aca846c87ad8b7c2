"""Segments all presses of a library with SAM 2, in one pass or several.

All results are in the library only, so a pass can be stopped or killed at any time and continues
later. The library is open for writing only while a press is stored.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from annotator.candidates import Level
from annotator.sam2.values import ModelId
from annotator.segment_order import Pace, StepPlace
from annotator.segmenters import Segmenter
from episodes.annotations import Author
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.steps import Step
from episodes.store.library import EVERYTHING, Library
from episodes.store.lock import LibraryBusy
from episodes.store.queries import EpisodeNotFound, EpisodeQuery
from taptrail.usecases.segmenting import SegmentedStep, SegmentingStopped, ask_press, keep_press

BUSY_SECONDS = 30.0
"""Maximum wait in seconds for a library that another process writes to."""
FAILURES = 3
"""Number of consecutive failures after which the pass ends."""

Keeping = Callable[[Callable[[Library], SegmentedStep]], SegmentedStep]
"""Calls a function with the library open for writing, and returns its result."""


@dataclass(slots=True)
class SegmentationProgress:
    """Progress or result of a pass.

    Attributes:
        waiting: presses without an answer of these weights at the start.
        done: number of presses asked about.
        regions: number of new candidates.
        accepted: number of presses that got a target.
        levels: number of presses at each confidence level.
        without_mask: (place, reason) of presses without a usable mask.
        failed: (place, reason) of presses that could not be segmented.
        seconds: recent time for a press; None before the second press.
    """

    model: ModelId
    waiting: int
    done: int = 0
    regions: int = 0
    accepted: int = 0
    levels: Counter[str] = field(default_factory=Counter)
    without_mask: list[tuple[str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    seconds: float | None = None

    @property
    def left(self) -> int:
        """Number of presses that still wait; failed ones wait for another pass."""
        return self.waiting - self.done


class SegmentationPass:
    """A pass over the waiting presses: counts, speed, and when to give up. For one thread.

    Args:
        reading: the library, opened by the same thread.
        keeping: stores results in the library.
    """

    def __init__(
        self,
        segmenter: Segmenter,
        reading: Library,
        keeping: Keeping,
        author: Author,
        waiting: int,
        accept_from: Level | None = None,
    ) -> None:
        self.told = SegmentationProgress(segmenter.model, waiting)
        self.pace = Pace()
        self._segmenter, self._reading, self._keeping = segmenter, reading, keeping
        self._author, self._accept_from = author, accept_from
        self._in_a_row = 0

    def segment(self, place: StepPlace, wanted: Callable[[], bool] = lambda: True) -> bool:
        """Segments one press and stores the result; returns whether it succeeded.

        Raises:
            KnownError: SAM 2 failed several times in a row, or the library cannot be written.
            SegmentingStopped: the request was cancelled; nothing of this press is stored.
        """
        found = self._found(place)
        if found is None:  # deleted meanwhile
            self.told.waiting -= 1
            return False
        episode, step = found
        began = time.monotonic()
        try:
            self._look_for_picture(episode, step)
            regions = ask_press(self._segmenter, self._reading.stills, episode, step, wanted)
        except KnownError as error:
            self._failed(episode, step, error)
            return False
        self._in_a_row = 0
        author, level = self._author, self._accept_from
        done = self._keeping(lambda kept: keep_press(kept, episode, step, regions, author, level))
        self._count(done, len(regions), time.monotonic() - began)
        return True

    def _found(self, place: StepPlace) -> tuple[Episode, Step] | None:
        try:
            episode = self._reading.episode(place.episode)
        except EpisodeNotFound:
            return None
        step = next((step for step in episode.steps if step.index == place.step), None)
        return None if step is None else (episode, step)

    def _look_for_picture(self, episode: Episode, step: Step) -> None:
        still = step.still
        if still is not None:
            path = self._reading.stills.path(still.sha256, still.media_type)
            if not path.is_file():
                raise _NoPicture(
                    f"segment step {step.index} of {episode.name}",
                    f"its picture {path.name} is not there",
                    "Look at the library with: taptrail episodes check",
                )

    def _failed(self, episode: Episode, step: Step, error: KnownError) -> None:
        self.told.failed.append((f"{episode.name} step {step.index}", error.found))
        if not isinstance(error, _NoPicture):
            self._in_a_row += 1
            if self._in_a_row >= FAILURES:
                raise error

    def _count(self, done: SegmentedStep, masks: int, seconds: float) -> None:
        told = self.told
        told.done += 1
        told.regions += done.regions
        told.accepted += done.accepted
        told.levels[done.level.value] += 1
        if not masks:
            where = f"{done.episode} step {done.step}"
            told.without_mask.append((where, "SAM 2 gave no mask that could be used"))
        if told.done > 1:  # the first one waits for the model to load
            self.pace.add(seconds)
            told.seconds = self.pace.seconds


class _NoPicture(KnownError):
    """A step's picture is missing: a fault of the library, not of SAM 2."""


def segment_library(
    folder: Path,
    segmenter: Segmenter,
    author: Author,
    *,
    query: EpisodeQuery = EVERYTHING,
    names: Sequence[str] = (),
    dataset: str | None = None,
    limit: int | None = None,
    accept_from: Level | None = None,
    on_progress: Callable[[int, int | None], None] = lambda done, total: None,
    on_step: Callable[[SegmentationProgress], None] = lambda told: None,
    wanted: Callable[[], bool] = lambda: True,
) -> SegmentationProgress:
    """Asks SAM 2 about each press that it was not asked about, and keeps its masks.

    Args:
        names: names or uuids of single episodes, of `dataset` where several have such a name; none
            for all that `query` finds.
        limit: at most so many presses; None for all.
        accept_from: as `annotating.propose`: None accepts nothing, and low is never accepted.
        on_step: called after each press with what was done so far.
        wanted: looked at many times a second; once it says no, the work ends with what it has.

    Raises:
        KnownError: there is no such episode, SAM 2 does not run here, or somebody else writes to
            the library for too long. What was kept stays.
    """
    with Library.read(folder) as reading:
        model = segmenter.model
        if not names and not reading.count(query):
            raise KnownError(
                f"segment the presses in {folder}",
                "there is no such episode",
                "Import or record episodes first, or name a data set that is there.",
            )
        waiting = reading.unasked_presses(model.name, model.version, query, names, dataset)
        go = SegmentationPass(
            segmenter, reading, _opened(folder, wanted), author, len(waiting), accept_from
        )
        chosen = waiting if limit is None else waiting[:limit]
        on_progress(0, len(chosen))
        for number, press in enumerate(chosen, start=1):
            try:
                go.segment(StepPlace(press.uuid, press.step), wanted)
            except SegmentingStopped:
                break
            on_progress(number, len(chosen))
            on_step(go.told)
        return go.told


def _opened(folder: Path, wanted: Callable[[], bool]) -> Keeping:
    def keeping(keep: Callable[[Library], SegmentedStep]) -> SegmentedStep:
        with _writable(folder, wanted) as library:
            return keep(library)

    return keeping


@contextmanager
def _writable(folder: Path, wanted: Callable[[], bool]) -> Iterator[Library]:
    """Opens the library, waiting for others to be done."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            library = Library.open(folder, create=False)
            break
        except LibraryBusy:
            if not wanted():
                raise SegmentingStopped from None
            if time.monotonic() >= until:
                raise
    with library:
        yield library
