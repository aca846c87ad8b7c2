"""The plain loop: one question a turn; the history is the model's answers."""

from __future__ import annotations

from agents.loops.asking import Asker, BeforeAfter
from replay.asking.recipe import Recipe


def prepare(recipe: Recipe) -> Recipe:
    """Returns the recipe as it is."""
    return recipe


def after(asker: Asker, done: BeforeAfter) -> str:
    """Asks nothing."""
    return ""
