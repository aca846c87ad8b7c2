"""What the element a step's action met is called, where that can be said with certainty."""

from __future__ import annotations

from episodes.actions import DoubleTap, LongPress, Tap, TypeText, place
from episodes.errors import KnownError
from episodes.screens import TreeFit, TreeStatus
from episodes.steps import Step
from episodes.trees.hits import label, target_at
from episodes.trees.reading import read_record

LONGEST = 60


def target_name(step: Step) -> str:
    """Returns the words of the element under an action; "" where nobody can tell.

    The chosen target's label comes first. A tree that is late or stale names nothing: it may show
    another screen.
    """
    chosen = step.target
    if chosen is not None and chosen.label:
        return chosen.label
    point = place(step.action)
    if not isinstance(step.action, Tap | DoubleTap | LongPress | TypeText) or point is None:
        return ""
    told = step.tree
    if told is None or step.frame is None or told.record.status is not TreeStatus.OK:
        return ""
    if told.fit not in (TreeFit.FRESH, TreeFit.IMPORTED):
        return ""
    try:
        found = target_at(read_record(told.record, step.frame.size), point)
    except KnownError:
        return ""  # an unreadable tree is said of the tree itself, where it is shown
    words = " ".join(label(found[1]).split()) if found is not None else ""
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
