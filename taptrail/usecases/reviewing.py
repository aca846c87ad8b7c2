"""Looking at what models said beside what was done: verdicts of runs, and one step at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from episodes.actions import kind
from episodes.episodes import Episode
from episodes.runs import Prediction, Run
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery
from episodes.verdicts import Verdict
from replay.score_runs import score
from replay.side_by_side import SideBySide, compare_step
from scoring.protocol import Metrics, ScoredStep
from scoring.protocols import PROTOCOLS, lookup
from taptrail.usecases.step_sets import difference, query_of

Place = tuple[str, int]
"""An episode's uuid and the index of one of its steps."""


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """The verdict on one step of a run, with what a list shows of the step.

    Attributes:
        step: its index in the data.
        number: of its place in the episode, from 1; dropped steps leave no gap.
    """

    uuid: str
    episode: str
    step: int
    number: int
    kind: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run's numbers and verdicts; `steps` are in the library's order."""

    run: Run
    protocol: str
    metrics: Metrics
    steps: Mapping[Place, JudgedStep]


@dataclass(frozen=True, slots=True)
class OpenEpisode:
    """An episode, and what each run said of its steps, by run and step index."""

    episode: Episode
    predictions: Mapping[str, Mapping[int, Prediction]]


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
    now: list[Episode] = []

    def episodes() -> Iterator[Episode]:
        for episode in library.iterate(query):
            now[:] = [episode]
            yield episode

    def keep(scored: ScoredStep) -> None:
        (episode,) = now
        if not scored.doubled:
            number, step = next(
                (n, step) for n, step in enumerate(episode.steps, 1) if step.index == scored.step
            )
            judged[episode.uuid, scored.step] = JudgedStep(
                episode.uuid,
                episode.name,
                scored.step,
                number,
                kind(step.action),
                scored.verdict,
            )

    result = score(
        run,
        episodes(),
        lambda episode: library.predictions(run.name, episode.name),
        rules,
        orphans=library.orphans(run.name),
        keep_steps=False,
        on_step=keep,
        on_progress=on_progress,
        episode_count=library.count(query),
    )
    said = difference(run, result.step_set)
    notes = (said, *result.metrics.notes) if said else result.metrics.notes
    return JudgedRun(run, rules.key, replace(result.metrics, notes=notes), judged)


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
    """Returns the names of the runs with at least one answer on an episode, the newest last."""
    episode = library.episode(uuid)
    return tuple(
        run.name
        for run in library.runs()
        if _answers(run, episode) and any(library.predictions(run.name, episode.name))
    )


def compare(
    episode: Episode, step: Step, prediction: Prediction | None, protocol: str
) -> SideBySide:
    """Returns a step's verdict under a protocol, and under all others."""
    return compare_step(step, episode, prediction, lookup(protocol))


def runs_there_are(library: Library) -> tuple[Run, ...]:
    """Returns the manifests of all runs, the newest last."""
    return tuple(library.runs())


def protocols_there_are() -> tuple[tuple[str, str], ...]:
    """Returns key and title of each protocol."""
    return tuple((key, protocol.title) for key, protocol in PROTOCOLS.items())


def about_protocol(key: str) -> tuple[str, tuple[str, ...]]:
    """Returns a protocol's title, and what a reader of its numbers should know.

    Raises:
        KnownError: there is no such protocol.
    """
    protocol = lookup(key)
    return protocol.title, protocol.quirks


def episode_order(library: Library) -> tuple[str, ...]:
    """Returns the uuids of all episodes in the order they came in."""
    return tuple(summary.uuid for summary in library.episodes(EpisodeQuery()))


def tolerance(protocol: str, verdict: Verdict) -> float | None:
    """Returns how far from gold a point may lie, as a share of width and of height.

    None where the rules know no such limit, or it was not asked for.
    """
    limit = verdict.parts.get("limit")
    near = lookup(protocol).name == "guiodyssey" and verdict.parts.get("distance") is not None
    return float(limit) if near and isinstance(limit, int | float) else None


def _answers(run: Run, episode: Episode) -> bool:
    return run.dataset in ("", episode.origin.dataset) and run.dataset_version in (
        "",
        episode.origin.version,
    )
