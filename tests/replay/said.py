"""Helper: reads one answer in a dialect."""

from __future__ import annotations

from typing import Any

from episodes.actions import Action
from episodes.geometry import Native, Size
from episodes.runs import Unreadable
from replay.dialect import Declared, Row
from replay.dialects import DIALECTS
from tests.replay.made import PHONE


def said(
    name: str, answer: Any, *, size: Size | None = PHONE, coordinates: str = "", scroll: str = ""
) -> Action | Unreadable:
    """The action read of an answer, in pixels of a phone's frame."""
    dialect = DIALECTS[name]
    row = Row("e", 0, answer if isinstance(answer, str) else "", answer)
    return dialect.action(row, size, dialect.declared(Declared(coordinates, scroll)))


def kept(name: str, answer: Any, *, coordinates: str = "") -> Native | None:
    """What is kept of an answer beside its action."""
    dialect = DIALECTS[name]
    return dialect.native(
        Row("e", 0, "", answer), dialect.declared(Declared(coordinates=coordinates))
    )
