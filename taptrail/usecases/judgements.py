"""Judgements by people: objections to steps and verdicts, decisions on episodes, and their history.

A correct answer becomes an alternative gold action of its step. The two kinds of objection change
neither gold nor verdict; they are stored with a reason for those who correct the gold or read the
score. Each judgement is one line of the journal and can be undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.gold_actions import accepted_alternatives, current_gold
from episodes.annotations import Author, Decision, Edit, EpisodeReview, Objection, StepJudgement
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.store.library import Library
from scoring.protocols import PROTOCOLS, lookup
from taptrail.usecases.editing import HistoryLine, history


@dataclass(frozen=True, slots=True)
class StepObjection:
    """An objection, with its episode."""

    uuid: str
    episode: str
    said: StepJudgement


def why_not_also_right(step: Step, prediction: Prediction | None) -> str:
    """Returns why an answer cannot become an alternative of a step; "" if it can."""
    if prediction is None:
        return "the run has no answer for it"
    if isinstance(prediction.parsed, Unreadable):
        return "its answer could not be read"
    golds = (current_gold(step), *accepted_alternatives(step))
    if prediction.parsed in [gold.action for gold in golds]:
        return "its answer is right already"
    return ""


def accept_answer(
    library: Library,
    episode: Episode,
    step: Step,
    run: str,
    prediction: Prediction | None,
    author: Author,
) -> int:
    """Makes a run's answer an alternative gold action; returns its number.

    Raises:
        KnownError: there is no readable answer, or it is right already.
    """
    why = why_not_also_right(step, prediction)
    if why or prediction is None or isinstance(prediction.parsed, Unreadable):
        raise KnownError(
            f"accept what {run} answered to step {step.index} of {episode.name}",
            why,
            "Choose another step or run.",
        )
    return library.editor(author).add_alternative(
        episode.uuid, step.index, prediction.parsed, f"as {run} answered"
    )


def object_to_gold(
    library: Library, episode: Episode, step: Step, author: Author, reason: str
) -> Edit:
    """Stores the objection that a step's gold action is wrong.

    Raises:
        KnownError: there is no reason.
    """
    words = _reason(f"say that the gold of step {step.index} is wrong", reason)
    return library.editor(author).judge_step(episode.uuid, step.index, Objection.GOLD, words)


def object_to_verdict(
    library: Library,
    episode: Episode,
    step: Step,
    run: str,
    protocol: str,
    author: Author,
    reason: str,
) -> Edit:
    """Stores the objection that a protocol's verdict on a run's answer is wrong.

    Raises:
        KnownError: there is no reason, or no such run or protocol.
    """
    words = _reason(f"disagree with the verdict on step {step.index}", reason)
    return library.editor(author).judge_step(
        episode.uuid,
        step.index,
        Objection.VERDICT,
        words,
        run=library.run(run).name,
        protocol=lookup(protocol).key,
    )


def take_back(
    library: Library,
    episode: Episode,
    step: Step,
    author: Author,
    run: str = "",
    protocol: str = "",
) -> Edit:
    """Withdraws an author's objection: to a verdict, or without `run` to the gold action.

    Raises:
        KnownError: the author has none.
    """
    said = objection_of(
        [one.said for one in judgements(library, (episode.uuid,))], step, author, run, protocol
    )
    if said is None:
        raise KnownError(
            f"take an objection to step {step.index} of {episode.name} back",
            f"{author.name or 'you'} has none of this kind",
            "See them with: taptrail episodes objections",
        )
    return library.editor(author).judge_step(
        episode.uuid, step.index, said.objection, None, run=said.run, protocol=said.protocol
    )


def objection_of(
    said: Sequence[StepJudgement], step: Step, author: Author, run: str = "", protocol: str = ""
) -> StepJudgement | None:
    """Returns an author's objection to a step's gold or to a verdict; None if there is none."""
    wanted = (step.index, author.uuid, run, protocol)
    return next(
        (one for one in said if (one.step, one.author.uuid, one.run, one.protocol) == wanted), None
    )


def judgements(library: Library, names: Sequence[str] = ()) -> tuple[StepObjection, ...]:
    """Returns all objections in the named episodes or in all, in the order of the episodes.

    Raises:
        KnownError: there is no such episode.
    """
    if names:
        found = [(one.uuid, one.name) for one in map(library.episode, names)]
        told = [line for uuid, _ in found for line in library.step_judgements(uuid)]
        called = dict(found)
    else:
        told = list(library.step_judgements())
        called = {uuid: library.episode(uuid).name for uuid in dict(told)}
    return tuple(StepObjection(uuid, called[uuid], said) for uuid, said in told)


def takes_alternatives(protocol: str) -> bool:
    """Returns whether a protocol accepts alternative gold actions.

    Raises:
        KnownError: there is no such protocol.
    """
    return lookup(protocol) is PROTOCOLS["taptrail-strict@1"]


def _reason(doing: str, reason: str) -> str:
    words = " ".join(reason.split())
    if not words:
        raise KnownError(doing, "no reason is given", "Say what is wrong with it.")
    return words


def judge_episode(
    library: Library, episode: Episode, decision: Decision | None, author: Author, reason: str = ""
) -> Edit:
    """Stores the decision on an episode; None removes an earlier decision.

    Raises:
        KnownError: an episode is sent back or rejected without a reason.
    """
    words = " ".join(reason.split())
    if decision in (Decision.SENT_BACK, Decision.REJECTED) and not words:
        doing = "send back" if decision is Decision.SENT_BACK else "reject"
        raise KnownError(
            f"{doing} {episode.name}",
            "no reason is given",
            "Say what is wrong with it, so that the next person knows.",
        )
    return library.editor(author).review_episode(episode.uuid, decision, words)


@dataclass(frozen=True, slots=True)
class EpisodeHistory:
    """The history of one episode.

    Attributes:
        lines: its readable journal, oldest first.
        said: objections to its steps, and to verdicts on them.
        review: the decision in force; None if there is none.
    """

    uuid: str
    lines: tuple[HistoryLine, ...] = ()
    said: tuple[StepJudgement, ...] = ()
    review: EpisodeReview | None = None

    def lines_of(self, step: int) -> Sequence[HistoryLine]:
        """Returns the edits of a step and of the episode as a whole, newest first."""
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
