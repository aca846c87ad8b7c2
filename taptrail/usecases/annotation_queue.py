"""Queue of steps whose target a person has to check, in some episodes or a whole library."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from annotator.candidates import Level
from annotator.review_queue import is_sampled, order_for_review
from episodes.episodes import Episode
from episodes.store.library import EVERYTHING, Library
from episodes.store.queries import EpisodeQuery
from taptrail.usecases.annotating import OpenStep, StepState, open_step

_ORDER = (Level.LOW, Level.MEDIUM, Level.HIGH)


@dataclass(frozen=True, slots=True)
class QueuedStep:
    """A step to check."""

    uuid: str
    episode: str
    step: int
    level: Level


@dataclass(frozen=True, slots=True)
class AnnotationQueue:
    """Steps to check, in order.

    Attributes:
        steps: those with low confidence first, then medium, then a sample of the high ones.
        levels: number of waiting steps at each level, including high ones outside the sample.
        sampled: number of high ones in `steps`.
    """

    steps: tuple[QueuedStep, ...]
    levels: dict[str, int]
    sampled: int


def waiting_levels(opened: dict[int, OpenStep]) -> list[tuple[int, Level]]:
    """Returns (index, level) of the steps that need a target and have none."""
    return [
        (index, one.candidates.level)
        for index, one in opened.items()
        if one.candidates is not None and one.state in (StepState.LOW, StepState.WAITING)
    ]


def queued(
    library: Library, names: tuple[str, ...] = (), query: EpisodeQuery = EVERYTHING
) -> AnnotationQueue:
    """Returns the queue of the named episodes, or of all that a query finds.

    Raises:
        KnownError: there is no such episode.
    """
    found: list[QueuedStep] = []
    counts: Counter[Level] = Counter()
    for episode in map(library.episode, names) if names else library.iterate(query):
        levels = waiting_levels(_opened(episode))
        counts.update(level for _, level in levels)
        by_index = dict(levels)
        found += [
            QueuedStep(episode.uuid, episode.name, index, by_index[index])
            for index in order_for_review(episode.uuid, levels)
        ]
    found.sort(key=lambda one: _ORDER.index(one.level))  # stable: episodes stay in order
    high = sum(one.level is Level.HIGH for one in found)
    return AnnotationQueue(tuple(found), {level.value: counts[level] for level in _ORDER}, high)


def rest_of_high(episode: Episode, opened: dict[int, OpenStep]) -> list[int]:
    """Returns the indices of waiting steps with high confidence that are outside the sample."""
    return [
        index
        for index, level in waiting_levels(opened)
        if level is Level.HIGH and not is_sampled(episode.uuid, index)
    ]


def _opened(episode: Episode) -> dict[int, OpenStep]:
    return {step.index: open_step(episode, step) for step in episode.steps}
