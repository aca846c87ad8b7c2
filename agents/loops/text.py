"""The text loop: the model reads a list of elements and sees no picture (the idea of T3A)."""

from __future__ import annotations

import msgspec

from agents.loops.asking import Asker, BeforeAfter
from episodes.errors import KnownError
from replay.asking.recipe import Recipe


def prepare(recipe: Recipe) -> Recipe:
    """Returns the recipe without pictures.

    Raises:
        KnownError: it shows the model neither a list of elements nor a tree.
    """
    if recipe.shows.tree == "none":
        raise KnownError(
            f"run “{recipe.name}” in the loop “text”",
            "the recipe shows the model no elements",
            'Set tree = "list" in [shows] and write the elements in a template.',
        )
    messages = tuple(
        msgspec.structs.replace(message, order=tuple(one for one in message.order if one == "text"))
        for message in recipe.messages
    )
    history = msgspec.structs.replace(recipe.history, pictures=0)
    return msgspec.structs.replace(recipe, messages=messages, history=history)


def after(asker: Asker, done: BeforeAfter) -> str:
    """Asks nothing."""
    return ""
