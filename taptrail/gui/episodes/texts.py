"""Texts for episodes: states, sources, times and findings."""

from __future__ import annotations

from datetime import datetime

from episodes.annotations import Decision
from episodes.episodes import EpisodeState
from episodes.store.queries import EpisodeSummary
from taptrail.gui.decisions import decision_words
from taptrail.words import tr

_STATES = {
    EpisodeState.RECORDING: ("record-circle-outline", "record", "Recording"),
    EpisodeState.FINISHED: ("check-circle", "match", "Finished"),
    EpisodeState.INCOMPLETE: ("progress-alert", "mismatch", "Incomplete"),
    EpisodeState.DELETED: ("delete-outline", "text3", "Deleted"),
}
_SOURCES = {
    "recorded": "Recorded",
    "guiodyssey": "GUIOdyssey",
    "taptrail": "Taptrail",
    "sample": "Sample",
}


def state_words(state: EpisodeState, review: Decision | None = None) -> tuple[str, str, str]:
    """Returns icon, colour token and word of a state, or of the decision on a finished episode."""
    if review is not None and state is EpisodeState.FINISHED:
        return decision_words(review)
    icon, ink, word = _STATES[state]
    return icon, ink, tr(word)


def source_words(dataset: str, version: str) -> str:
    """Returns the source of an episode as text."""
    return f"{tr(_SOURCES.get(dataset, dataset))} {version}".strip()


def local_time(utc: str) -> str:
    """Returns a stored time in the local time zone; "" if there is none."""
    if not utc:
        return ""
    try:
        when = datetime.fromisoformat(utc).astimezone()
    except ValueError:
        return utc
    return f"{when.day} {when:%b}, {when:%H:%M}"


def rule_words(rule: str) -> str:
    """Returns the title of a lint rule for filters: "Stale tree"."""
    return tr(rule.replace("-", " ").capitalize())


def findings_mark(row: EpisodeSummary) -> tuple[str, str, str]:
    """Returns icon ("" for none), colour token and text for the number of open findings.

    Notes do not count. The text is "" if lint has not run since the episode changed.
    """
    if row.findings is None:
        return "", "text3", ""
    if not row.findings:
        return "", "text3", "–"
    return *(
        ("alert-octagon", "record") if row.errors else ("alert", "mismatch")
    ), f"{row.findings:,}"


def findings_sentence(row: EpisodeSummary) -> str:
    """Returns the open findings of an episode as text."""
    if row.findings is None:
        return tr("Not looked at yet")
    counts = (
        (row.errors, tr("1 error", "{n} errors", n=row.errors or 0)),
        (row.looks, tr("1 to check", "{n} to check", n=row.looks or 0)),
        (row.notes, tr("1 note", "{n} notes", n=row.notes or 0)),
    )
    return ", ".join(words for count, words in counts if count) or tr("Nothing found")
