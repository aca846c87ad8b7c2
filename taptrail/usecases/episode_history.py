"""History of an episode: its journal, the objections to its steps, the decision on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from episodes.annotations import EpisodeReview, StepJudgement
from episodes.store.library import Library
from taptrail.usecases.editing import HistoryLine, history


@dataclass(frozen=True, slots=True)
class EpisodeHistory:
    """The history of one episode.

    Attributes:
        lines: its journal in words, oldest first.
        said: objections to its steps, and to verdicts on them.
        review: the decision that stands; None where nobody has decided.
    """

    uuid: str
    lines: tuple[HistoryLine, ...] = ()
    said: tuple[StepJudgement, ...] = ()
    review: EpisodeReview | None = None

    def lines_of(self, step: int) -> Sequence[HistoryLine]:
        """Returns what was done to a step and to the episode as a whole, newest first."""
        return [line for line in reversed(self.lines) if line.step in (step, None)]

    def said_of(self, step: int) -> Sequence[StepJudgement]:
        """Returns the objections to a step."""
        return [one for one in self.said if one.step == step]


def load_episode_history(library: Library, uuid: str) -> EpisodeHistory:
    """Returns the history of an episode.

    Raises:
        KnownError: there is no such episode.
    """
    return EpisodeHistory(
        uuid,
        history(library, uuid),
        tuple(said for _, said in library.step_judgements(uuid)),
        library.episode_review(uuid),
    )
