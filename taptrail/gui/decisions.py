"""Icon, colour token and word for each decision on an episode."""

from __future__ import annotations

from episodes.annotations import Decision
from taptrail.words import tr

_SHOWN = {
    Decision.ACCEPTED: ("check-circle", "match", "Accepted"),
    Decision.SENT_BACK: ("undo-variant", "mismatch", "Sent back"),
    Decision.REJECTED: ("cancel", "record", "Rejected"),
}


def decision_words(decision: Decision) -> tuple[str, str, str]:
    """Returns icon, colour token and word; the token is also the tone of a chip."""
    icon, ink, word = _SHOWN[decision]
    return icon, ink, tr(word)
