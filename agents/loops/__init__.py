"""The loops: how a model is asked in one turn. One module each, one line in `LOOPS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents.loops import plain, summary, text
from agents.loops.asking import Asker, BeforeAfter
from replay.asking.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop.

    Attributes:
        observes: what the model is shown, in words.
        sees: whether it is shown pictures.
        prepare: returns the recipe as the loop asks it; raises KnownError if it does not fit.
        after: returns a sentence about an action that was done; "" for none.
    """

    name: str
    observes: str
    sees: bool
    prepare: Callable[[Recipe], Recipe]
    after: Callable[[Asker, BeforeAfter], str]


LOOPS: dict[str, Loop] = {
    "plain": Loop("plain", "screenshot", True, plain.prepare, plain.after),
    "summary": Loop(
        "summary", "screenshot, before and after", True, summary.prepare, summary.after
    ),
    "text": Loop("text", "list of elements", False, text.prepare, text.after),
}
