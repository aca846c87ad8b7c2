"""Which action counts as right on a step, when people have corrected the recorded one."""

from __future__ import annotations

from typing import NamedTuple

from episodes.actions import Action
from episodes.annotations import Status
from episodes.steps import Step


class GoldAction(NamedTuple):
    """The action that counts, its gold number (0: as recorded) and who corrected it why."""

    number: int
    action: Action
    author: str = ""
    reason: str = ""


def current_gold(step: Step) -> GoldAction:
    """Returns the newest accepted correction, or what was recorded."""
    for gold in reversed(step.golds):
        if gold.role == "correction" and gold.status is Status.ACCEPTED:
            author = gold.author.name if gold.author is not None else ""
            return GoldAction(gold.number, gold.action, author, gold.reason)
    return GoldAction(0, step.action)


def accepted_alternatives(step: Step) -> tuple[GoldAction, ...]:
    """Returns the accepted actions that are also right."""
    return tuple(
        GoldAction(gold.number, gold.action, gold.author.name if gold.author else "", gold.reason)
        for gold in step.golds
        if gold.role == "alternative" and gold.status is Status.ACCEPTED
    )
