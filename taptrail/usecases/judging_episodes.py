"""Accepting a whole episode, sending it back, or rejecting it, with a reason; undoable."""

from __future__ import annotations

from episodes.annotations import Author, Decision, Edit
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.store.library import Library


def judge_episode(
    library: Library, episode: Episode, decision: Decision | None, author: Author, reason: str = ""
) -> Edit:
    """Says what becomes of an episode; None takes an earlier decision away.

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
