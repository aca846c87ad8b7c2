"""Steps of several attempts side by side, with their times.

Times are those of `episodes.durations` for each step: pauses are subtracted, and the computer's
clock is used only if all steps have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from episodes.clocks import Moment
from episodes.durations import measure_times
from episodes.episodes import Episode
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.usecases.elements import target_name

MOST = 24


@dataclass(frozen=True, slots=True)
class TimedStep:
    """A step with its times in microseconds; None if no times were recorded.

    Attributes:
        name: of the element under the action; "" if unknown.
        at: start, counted from the beginning of the attempt.
        thinking: time since the end of the previous step, or since the beginning of the attempt.
    """

    step: Step
    name: str
    at: int | None
    thinking: int | None
    acting: int | None


@dataclass(frozen=True, slots=True)
class AttemptSteps:
    """An attempt with its steps in order."""

    uuid: str
    episode: str
    steps: tuple[TimedStep, ...]


def side_by_side(library: Library, episodes: Sequence[str]) -> tuple[AttemptSteps, ...]:
    """Returns the steps of episodes in the given order, at most MOST of them.

    Raises:
        KnownError: there is no such episode.
    """
    return tuple(attempt_steps(library.episode(name)) for name in episodes[:MOST])


def attempt_steps(episode: Episode) -> AttemptSteps:
    """Returns the steps of one episode with their times."""
    return AttemptSteps(episode.uuid, episode.name, tuple(_timed(episode)))


def _timed(episode: Episode) -> Iterator[TimedStep]:
    moments = [moment for step in episode.steps for moment in (step.began, step.ended)]
    host = all(moment.host_ns is not None for moment in moments if moment != Moment())

    def on_one_clock(moment: Moment) -> Moment:
        return moment if host else replace(moment, host_ns=None)

    taken = [(on_one_clock(step.began), on_one_clock(step.ended)) for step in episode.steps]
    videos = [on_one_clock(segment.started) for segment in episode.segments]
    gaps = [(gap.reason, gap.started, gap.ended) for gap in episode.gaps]
    wall_before = acted_before = 0
    for count, step in enumerate(episode.steps, 1):
        name = target_name(step)
        # `measure_times` gets all steps so far: pauses are subtracted once, in one place.
        so_far = measure_times(taken[:count], videos, gaps)
        known = taken[count - 1][0] != Moment() and so_far.wall is not None
        if not known or so_far.wall is None or so_far.acting is None:
            yield TimedStep(step, name, None, None, None)
            continue
        acting = so_far.acting - acted_before
        yield TimedStep(
            step,
            name,
            max(0, so_far.wall - acting),
            max(0, so_far.wall - wall_before - acting),
            acting,
        )
        wall_before, acted_before = so_far.wall, so_far.acting
