"""The interface of a dialect: how a model writes its predictions, read row by row.

A row is parsed before its step is known. Its action in pixels is computed later, with the step's
frame. A row that cannot be read is kept with its problem: counted, never dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.actions import Action
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Native, Point, Size
from episodes.runs import Unreadable
from episodes.steps import Step

NO_STEP = -1
Writer = Callable[[Action, Point], str | None]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a file is read.

    Attributes:
        row_bytes: a longer row is refused, by number.
        rows, file_bytes: a file with more is refused as a whole.
        document_bytes: a file that is one JSON value and larger is refused: it is held in memory.
        empty_rows: a run with more rows that name no step and hold no answer is refused.
        held_bytes: what the rows of a run may take in memory, about.
    """

    row_bytes: int = 1_000_000
    rows: int = 10_000_000
    file_bytes: int = 4_000_000_000
    document_bytes: int = 1_000_000_000
    empty_rows: int = 10_000
    held_bytes: int = 3_000_000_000


@dataclass(frozen=True, slots=True)
class Declared:
    """Import options of a run; "" if not given.

    Attributes:
        coordinates: "0-1", "0-999", "0-1000", "pixels", "resized:WxH"; "yx:" before it where
            y comes before x.
        scroll: "finger" or "content".
        level: "high", "low", "both".
        elements: the rule of `episodes.trees.element_lists` by which answers name elements by
            number; "" if the model was shown no such list.
    """

    coordinates: str = ""
    scroll: str = ""
    level: str = ""
    elements: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a prediction file.

    Attributes:
        episode, step: "" and -1 if the row does not name them.
        raw: the model's text, or the text of the row if it has none.
        value: the JSON value the action is read from.
        stated: the gold in the file, by field; checked, never used for scoring.
        problem: why this row cannot be read; "" if it can.
        line: 1-based; in a JSON array the element's number.
        number: a running number that the row has instead of a step; None if it has none.
    """

    episode: str
    step: int
    raw: str
    value: Any = None
    stated: dict[str, Any] | None = None
    problem: str = ""
    file: str = ""
    line: int = 0
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Dialect:
    """The syntax in which a family of models writes its answers: its reader and its writer.

    Attributes:
        coordinates: the spaces that may be declared, the dialect's own first.
        scrolls: the conventions that may be declared, the dialect's own first.
        rows: reads a file; raises KnownError if the file is not of this dialect.
        action: reads a row's action in pixels of a frame of that size.
        native: returns the row's own numbers or text, stored with the action.
        disagreements: returns how the gold that a row states differs from the library's step.
        write: returns an action in the dialect's words, None if it has none for it. The action's
            numbers are of the declared space, whose far right and bottom the point holds; a
            scroll's direction is the declared one.
        together: joins what several rows of a run's files hold of one step; None if each row is
            complete.
        lists: says whether the dialect itself lists the name of a row's action; a name may also be
            known from the vocabulary that all dialects share.
    """

    name: str
    title: str
    coordinates: tuple[str, ...]
    scrolls: tuple[str, ...]
    rows: Callable[[Path, Limits], Iterator[Row]]
    action: Callable[[Row, Size | None, Declared], Action | Unreadable]
    native: Callable[[Row, Declared], Native | None]
    disagreements: Callable[[Row, Step, Episode], list[str]]
    write: Writer
    together: Callable[[list[Row]], list[Row]] | None = None
    lists: Callable[[Row], bool] = lambda row: True

    def declared(self, said: Declared) -> Declared:
        """Returns the declaration, completed with the dialect's own values.

        Raises:
            KnownError: it contradicts the dialect.
        """
        return Declared(
            self._allowed("coordinates", said.coordinates, self.coordinates),
            self._allowed("scrolls", said.scroll, self.scrolls),
            self._allowed("instruction level", said.level, ("", "high", "low", "both")),
            said.elements,
        )

    def _allowed(self, what: str, said: str, known: tuple[str, ...]) -> str:
        if not said:
            return known[0]
        space = said.removeprefix("yx:") if what == "coordinates" and len(known) > 1 else said
        if space in known or ("resized:WxH" in known and space.startswith("resized:")):
            return said
        raise KnownError(
            f"read {self.name} predictions with {what} “{said}”",
            f"this dialect has {' or '.join(word for word in known if word)}",
            "Leave the option out, or name the dialect the file is really in.",
        )
