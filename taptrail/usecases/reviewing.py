"""Reviews predictions beside recorded steps: verdicts of runs, and details of one step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import replay.tolerance
from episodes.actions import KINDS, Action, kind
from episodes.episodes import Episode
from episodes.geometry import Box, Direction
from episodes.runs import Prediction, Run, Unreadable
from episodes.screens import Frame
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from episodes.verdicts import Share, Verdict
from replay.judging import JudgedEpisode
from replay.score_runs import score
from replay.side_by_side import SideBySide, compare_step
from replay.step_facts import gold_action
from replay.tolerance import Tolerance
from scoring.numbers import Confusion, confusion, family, matching
from scoring.protocol import Metrics
from scoring.protocols import PROTOCOLS, lookup, newest
from taptrail.usecases.step_sets import difference, query_of

Place = tuple[str, int]
"""An episode's uuid and the index of one of its steps."""


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """The verdict on a step of a run, with facts about the step for lists.

    Attributes:
        step: its index in the data.
        apps: the app in front, or the task's apps if it was not recorded.
        number: position in the episode, from 1; dropped steps leave no gap.
    """

    uuid: str
    episode: str
    step: int
    number: int
    kind: str
    verdict: Verdict
    apps: tuple[str, ...] = ()
    category: str = ""


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run's metrics and verdicts; `steps` are in the library's order.

    Attributes:
        kinds: confusion matrix of gold and predicted kinds of action.
        pairs: both kinds, for each step in the matrix.
        by_kind: matching steps of scored ones, by the kind of the gold action.
        against: predicted swipes opposite to the gold's, of all pairs of swipes.
    """

    run: Run
    protocol: str
    metrics: Metrics
    steps: Mapping[Place, JudgedStep]
    kinds: Confusion = field(default_factory=lambda: Confusion((), (), {}))
    pairs: Mapping[Place, tuple[str, str]] = field(default_factory=dict)
    by_kind: Mapping[str, Share] = field(default_factory=dict)
    against: Share = Share(0, 0)


@dataclass(frozen=True, slots=True)
class OpenEpisode:
    """An episode with the predictions of runs, by run and step index."""

    episode: Episode
    predictions: Mapping[str, Mapping[int, Prediction]]


@dataclass(frozen=True, slots=True)
class ReviewContents:
    """Runs and episodes of a library, and the episode to open.

    Attributes:
        order: uuids of all episodes in the order they were added.
        uuid: of the episode to open; "" if there is none.
        answering: names of the runs that answer it.
    """

    runs: tuple[Run, ...]
    order: tuple[str, ...]
    uuid: str
    answering: tuple[str, ...]


def what_there_is(library: Library, wanted: str, *, must_be: bool = False) -> ReviewContents:
    """Returns the runs and episodes of a library, and the episode to open.

    Args:
        wanted: an episode's uuid. If it is not in the order, the first episode is opened, unless
            `must_be` is set.
    """
    order = episode_order(library)
    uuid = wanted if wanted in order or must_be else next(iter(order), "")
    answering = runs_that_answer(library, uuid) if uuid else ()
    return ReviewContents(runs_there_are(library), order, uuid, answering)


def judge_run(
    library: Library,
    run_name: str,
    protocol: str,
    on_progress: Callable[[int, int | None], None] | None = None,
) -> JudgedRun:
    """Returns all verdicts of a run under a protocol.

    Raises:
        KnownError: there is no such run or protocol.
    """
    run, rules = library.run(run_name), lookup(protocol)
    query = query_of(run)
    judged: dict[Place, JudgedStep] = {}
    turned: Counter[bool] = Counter()

    def add(found: JudgedEpisode) -> None:
        episode = found.episode
        steps = {step.index: (n, step) for n, step in enumerate(episode.steps, 1)}
        for one in found.predictions:
            if one.step in steps:
                against = _against(gold_action(steps[one.step][1]), one.parsed)
                turned.update(() if against is None else (against,))
        for scored in found.steps:
            if not (scored.doubled or scored.derived):  # a derived step has no screen
                number, step = steps[scored.step]
                judged[episode.uuid, scored.step] = JudgedStep(
                    episode.uuid,
                    episode.name,
                    scored.step,
                    number,
                    kind(step.action),
                    scored.verdict,
                    _apps(step, episode),
                    episode.task.category,
                )

    result = score(
        run,
        library.iterate(query),
        lambda episode: library.predictions(run.name, episode.name),
        rules,
        orphans=library.orphans(run.name),
        keep_steps=False,
        keep_facts=True,
        on_episode=add,
        on_progress=on_progress,
        episode_count=library.count(query),
    )
    other = difference(run, result.step_set)
    notes = (other, *result.metrics.notes) if other else result.metrics.notes
    return JudgedRun(
        run,
        rules.key,
        replace(result.metrics, notes=notes),
        judged,
        confusion(result.facts, KINDS),
        {
            (one.uuid, one.step): (family(one.gold), family(one.predicted))
            for one in result.facts
            if one.countable and not one.derived
        },
        {
            gold: matching(one for one in result.facts if family(one.gold) == gold)
            for gold in dict.fromkeys(family(one.gold) for one in result.facts)
        },
        Share(turned[True], turned.total()),
    )


def open_episode(library: Library, uuid: str, runs: tuple[str, ...]) -> OpenEpisode:
    """Returns an episode with the predictions of some runs."""
    episode = library.episode(uuid)
    return OpenEpisode(
        episode,
        {
            name: {found.step: found for found in library.predictions(name, episode.name)}
            for name in runs
            if _answers(library.run(name), episode)
        },
    )


def runs_that_answer(library: Library, uuid: str) -> tuple[str, ...]:
    """Returns names of runs with an answer for an episode, newest last."""
    episode = library.episode(uuid)
    return tuple(
        run.name
        for run in library.runs()
        if _answers(run, episode) and any(library.predictions(run.name, episode.name))
    )


def compare(
    episode: Episode, step: Step, prediction: Prediction | None, protocol: str
) -> SideBySide:
    """Returns a step's verdict under a protocol, and under the newest version of all others."""
    return compare_step(step, episode, prediction, lookup(protocol), newest())


def runs_there_are(library: Library) -> tuple[Run, ...]:
    """Returns the manifests of all runs, newest last."""
    return tuple(library.runs())


def protocols_there_are() -> tuple[tuple[str, str], ...]:
    """Returns key and title of each protocol."""
    return tuple((key, protocol.title) for key, protocol in PROTOCOLS.items())


def about_protocol(key: str) -> tuple[str, tuple[str, ...]]:
    """Returns a protocol's title and its quirks.

    Raises:
        KnownError: there is no such protocol.
    """
    protocol = lookup(key)
    return protocol.title, protocol.quirks


def episode_order(library: Library) -> tuple[str, ...]:
    """Returns the uuids of all episodes in the order they were added."""
    return tuple(summary.uuid for summary in library.episodes(EpisodeQuery()))


def tolerance(episode: Episode, step: Step, protocol: str) -> Tolerance | None:
    """Returns the area of a frame where a touch is right; None if the protocol defines none."""
    return replay.tolerance.tolerance(lookup(protocol), step, episode)


def candidates(step: Step, most: int = 5) -> tuple[Box, ...]:
    """Returns boxes of other candidates than the target."""
    boxes = dict.fromkeys(
        region.box for region in step.regions if region.box is not None and not region.chosen
    )
    target = step.target.box if step.target is not None else None
    return tuple(box for box in boxes if box != target)[:most]


def screen_after(episode: Episode, row: int) -> Frame | None:
    """Returns the frame after a step: the settled screen, or the next step's frame."""
    steps = episode.steps
    if steps[row].after is not None:
        return steps[row].after
    return steps[row + 1].frame if row + 1 < len(steps) else episode.final


def _against(gold: Action, said: Action | Unreadable) -> bool | None:
    """Returns whether two swipes are opposite; None if they are not on one axis."""
    both = [getattr(one, "direction", None) for one in (gold, said)]
    if not all(isinstance(one, Direction) for one in both):
        return None
    if both[0] is both[1]:
        return False
    return True if set(both) in _OPPOSITE else None


_OPPOSITE = ({Direction.UP, Direction.DOWN}, {Direction.LEFT, Direction.RIGHT})


def _apps(step: Step, episode: Episode) -> tuple[str, ...]:
    front = step.foreground
    return (front.label or front.package,) if front is not None else episode.task.apps


def _answers(run: Run, episode: Episode) -> bool:
    return run.dataset in ("", episode.origin.dataset) and run.dataset_version in (
        "",
        episode.origin.version,
    )
