"""Common types of journal operations, and readers of their states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from episodes.store.errors import NotStorable
from episodes.store.writing import LibraryRows

if TYPE_CHECKING:
    from sqlite_utils import Database

State: TypeAlias = dict[str, Any]


class Target(NamedTuple):
    """Keys of the edited episode and step; `step` is None for an edit of the whole episode."""

    episode: int
    step: int | None


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of change.

    Attributes:
        now: returns the present state of what `after` would change, in the same form.
        make: makes it so.
    """

    now: Callable[[Database, Target, State], State]
    make: Callable[[Database, LibraryRows, Target, State], None]
    of_step: bool = True


def a_text(state: State, name: str) -> str:
    """Returns a text of a state.

    Raises:
        NotStorable: the value is not a text.
    """
    found = state.get(name)
    if not isinstance(found, str):
        raise NotStorable(f"{name} is not a text")
    return found
