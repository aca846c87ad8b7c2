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
from episodes.errors import KnownError
from episodes.media.pictures import decode
from episodes.media.signature import blocks, luma_of
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from episodes.trees.step_trees import NoTree, tree_of_step
from scoring.alignment import Alignment, Picture, SeenStep, align
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


@dataclass(frozen=True, slots=True)
class AlignedAttempts:
    """Two episodes with their alignment."""

    first: Episode
    second: Episode
    alignment: Alignment


def align_attempts(library: Library, first: str, second: str) -> AlignedAttempts:
    """Aligns two episodes of a library by what their screens show and what was done.

    Raises:
        KnownError: there is no such episode.
    """
    episodes = library.episode(first), library.episode(second)
    seen = (seen_steps(one, library.stills) for one in episodes)
    return AlignedAttempts(*episodes, align(*seen))


def seen_steps(episode: Episode, stills: StillFiles) -> tuple[SeenStep, ...]:
    """Returns what an alignment compares of each step. Pictures that cannot be read are left out.

    Nothing of a protected screen is used: its picture is black whatever it showed.
    """
    return tuple(_seen(step, stills) for step in episode.steps)


def _seen(step: Step, stills: StillFiles) -> SeenStep:
    hidden = step.frame is not None and step.frame.protected
    tree = tree_of_step(step)
    words: set[str] = set()
    if not hidden and not isinstance(tree, NoTree):
        for node in tree.walk():
            if node.visible and not node.password:
                told = (node.text, node.description, node.resource_id.rpartition("/")[2])
                words.update(filter(None, told))
    return SeenStep(
        step.action,
        None if hidden else _small_picture(step, stills),
        frozenset(words),
        step.foreground.package if step.foreground is not None else "",
        target_name(step),
        step.frame.size if step.frame is not None else None,
    )


def _small_picture(step: Step, stills: StillFiles) -> Picture | None:
    still = step.still
    if still is None:
        return None
    try:
        if still.signature is not None:
            return decode(still.signature)[..., 0]
        return blocks(luma_of(decode(stills.read(still.sha256, still.media_type))))
    except KnownError:
        return None


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
