"""Scores a run from columns. The metrics equal those of `replay.score_runs`; steps are not listed.

Batches are judged one after another, or on other machines (`replay.cluster`). Only counts are kept
of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from episodes.errors import KnownError
from episodes.runs import Run, StepSet
from episodes.step_columns import StepColumns
from replay.score_runs import ScoreResult
from scoring.bulk.auto_gui import carried
from scoring.bulk.counts import Partial, together
from scoring.bulk.table import BULK, score_batch
from scoring.protocol import ScoringProtocol

AT_ONCE = 64  # counts of so many batches are put together before more come in


def fits(protocol: ScoringProtocol) -> bool:
    """Whether columns hold all steps that a protocol judges. They do not hold added end steps."""
    return protocol.end is None


def refuse_ends(protocol: ScoringProtocol) -> None:
    """Raises:
    KnownError: the protocol judges ends that no column holds.
    """
    if not fits(protocol):
        raise KnownError(
            f"score columns under {protocol.key}",
            "it puts ends behind episodes, and columns hold none",
            "Score the library: `taptrail score`.",
        )


def score_columns(
    run: Run,
    batches: Iterable[StepColumns],
    protocol: ScoringProtocol,
    step_set: StepSet,
    *,
    on_progress: Callable[[int, int], None] | None = None,
    episode_count: int = 0,
) -> ScoreResult:
    """Returns the run's metrics over the steps of the batches, which form the step set.

    Args:
        on_progress: called with (episodes done, `episode_count`) after each batch.
    """

    def judged() -> Iterator[Partial]:
        done = 0
        for batch in carried(protocol, batches):
            yield score_batch(protocol, batch)
            done += len(batch.episodes)
            if on_progress is not None:
                on_progress(done, episode_count)

    metrics = BULK[protocol.key].totals(in_groups(judged()))
    return ScoreResult(protocol, run, step_set, metrics, ())


def in_groups(partials: Iterator[Partial]) -> Partial:
    """Returns the counts of all batches, combined a few at a time."""
    groups = []
    while group := list(islice(partials, AT_ONCE)):
        groups.append(together(group))
    return together(groups)
