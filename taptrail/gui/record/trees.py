"""Texts about tree requests and the freshness of the newest tree."""

from __future__ import annotations

from episodes.screens import TreeFit, TreeStatus
from recorder.device.interface import SLOW_TREES
from recorder.events import TreeState
from taptrail.gui import phrases
from taptrail.usecases.elements import ElementUnderPointer
from taptrail.words import tr

_STATUS = {
    TreeStatus.OK: "read",
    TreeStatus.EMPTY: "empty",
    TreeStatus.NOT_IDLE: "the screen did not rest",
    TreeStatus.NO_ROOT: "no window",
    TreeStatus.KILLED: "broken off",
    TreeStatus.TIMEOUT: "no answer in time",
    TreeStatus.FAILED: "failed",
    TreeStatus.UNREADABLE: "cannot be read",
}
_FINE, _LOOK = ("check-circle", "match"), ("alert", "mismatch")


def asking_words(state: TreeState) -> tuple[str, str, str]:
    """Returns icon, colour token and text of the newest tree request; no icon while it runs."""
    if state.status is None:
        return tr("asked for…"), "", "text2"
    words = tr(_STATUS[state.status])
    if state.took_ms is not None:
        quick = state.took_ms < 95
        words += " " + (
            tr("in {ms:.0f} ms", ms=state.took_ms)
            if quick
            else tr("in {s:.1f} s", s=state.took_ms / 1000)
        )
    if state.source == SLOW_TREES:
        words += " · " + tr("slow source")
    return words, *(_FINE if state.status is TreeStatus.OK else _LOOK)


def tree_words(found: ElementUnderPointer) -> tuple[str, str, str]:
    """Returns icon, colour token and text of the freshness of the newest tree."""
    if found.fit is TreeFit.MISSING:
        return tr("not asked for yet"), "timer-sand", "text2"
    if found.fit is TreeFit.FAILED:
        return tr(_STATUS[found.status]), *_LOOK
    old = _age(found.age_us or 0)
    if found.fit is TreeFit.FRESH:
        return tr("{time} old, same screen", time=old), *_FINE
    return tr("{time} old, screen changed", time=old), *_LOOK


def _age(microseconds: int) -> str:
    """Returns an age rounded for reading: "0.2 s", "15 s", "1:38"."""
    if microseconds < 10_000_000:
        return phrases.seconds(microseconds)
    if microseconds < 60_000_000:
        return tr("{s:.0f} s", s=microseconds // 1_000_000)
    return phrases.position(microseconds)
