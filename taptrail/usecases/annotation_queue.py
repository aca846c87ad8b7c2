"""Which steps a person has to look at, over some episodes or a whole library, in order."""

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
    """One step to look at."""

    uuid: str
    episode: str
    step: int
    level: Level


@dataclass(frozen=True, slots=True)
class AnnotationQueue:
    """What is to be looked at.

    Attributes:
        steps: low ones of all episodes first, then medium, then the sampled high ones.
        levels: how many steps wait at each level, the high ones that are not sampled too.
        sampled: how many high ones are in `steps`.
    """

    steps: tuple[QueuedStep, ...]
    levels: dict[str, int]
    sampled: int


def waiting_levels(opened: dict[int, OpenStep]) -> list[tuple[int, Level]]:
    """Returns (index, level) of the steps that have no target and need one."""
    return [
        (index, one.candidates.level)
        for index, one in opened.items()
        if one.candidates is not None and one.state in (StepState.LOW, StepState.WAITING)
    ]


def queued(
    library: Library, names: tuple[str, ...] = (), query: EpisodeQuery = EVERYTHING
) -> AnnotationQueue:
    """Returns the queue of some episodes by name, or of all that a query finds.

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
    """Returns the indices of waiting high steps that nobody needs to look at."""
    return [
        index
        for index, level in waiting_levels(opened)
        if level is Level.HIGH and not is_sampled(episode.uuid, index)
    ]


def _opened(episode: Episode) -> dict[int, OpenStep]:
    return {step.index: open_step(episode, step) for step in episode.steps}
