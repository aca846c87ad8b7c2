"""How AndroidWorld compares texts, answers and database rows.

Source: utils/fuzzy_match_lib.py, task_evals/information_retrieval/proto_utils.py,
task_evals/common_validators/sqlite_validators.py.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

SIMILAR = 0.9
"""Two texts are equal from this ratio on. One wrong digit of a long number passes."""

DATE_FORMAT = "%B %d %Y"

Row = Mapping[str, Any]


class Match(StrEnum):
    """What kind of value an answer is."""

    STRING = "STRING_MATCH"
    NUMBER = "NUMBER_MATCH"
    DATE = "DATE_MATCH"
    TIME = "TIME_MATCH"


class WrongForm(ValueError):
    """An answer that cannot be read as the kind of value asked for; AndroidWorld scores it 0."""


def fuzzy_match(a: object, b: object, *, ignore_case: bool = True) -> bool:
    """Returns whether two values are nearly the same text; None equals nothing."""
    if a is None or b is None:
        return False
    one, other = str(a), str(b)
    if ignore_case:
        one, other = one.lower(), other.lower()
    return difflib.SequenceMatcher(None, one, other).ratio() >= SIMILAR


def answer_matches(
    answer: str,
    expected: Sequence[object],
    match: Match = Match.STRING,
    tolerance: float | None = None,
) -> bool:
    """Returns whether a comma-separated answer has as many parts as are expected, each near one.

    The same part given twice can stand for two expected values: the benchmark's quirk.

    Raises:
        WrongForm: a part is no number, date or time.
    """
    parts = _cast([part.strip() for part in answer.split(",")], match)
    if len(parts) != len(expected):
        return False
    wanted = _cast([str(value) for value in expected], match)
    return all(any(_equal(part, value, match, tolerance) for value in wanted) for part in parts)


def rows_added(
    before: Sequence[Row],
    after: Sequence[Row],
    reference: Sequence[Row],
    *,
    compare: Collection[str],
    free_form: Collection[str] = (),
) -> bool:
    """Returns whether the reference rows were added, no others, and no old row changed.

    Args:
        compare: the columns in which a new row has to equal its reference.
        free_form: those of them that are compared as free text.
    """

    def matches(wanted: Row, row: Row) -> bool:
        return all(
            fuzzy_match(wanted[column], row[column])
            if column in free_form
            else wanted[column] == row[column]
            for column in compare
        )

    found = all(any(matches(wanted, row) for row in after) for wanted in reference)
    kept = all(row in after for row in before)
    return found and len(after) == len(before) + len(reference) and kept


def rows_removed(
    before: Sequence[Row], after: Sequence[Row], ids: Collection[Any], *, id_column: str
) -> bool:
    """Returns whether the rows with these ids are gone, and all others are as they were.

    Raises:
        ValueError: an id was not there before.
    """
    known = {row[id_column] for row in before}
    for row_id in ids:
        if row_id not in known:
            raise ValueError(f"row ID {row_id} not present in before.")
    as_wanted = all((row in after) != (row[id_column] in ids) for row in before)
    return as_wanted and all(row in before for row in after)


def _cast(values: Sequence[str], match: Match) -> list[Any]:
    try:
        match match:
            case Match.STRING:
                return list(values)
            case Match.NUMBER:
                return [float(value) for value in values]
            case Match.DATE:
                return [datetime.strptime(value, DATE_FORMAT).date() for value in values]  # noqa: DTZ007
            case Match.TIME:
                return [datetime.strptime(value, "%H:%M").time() for value in values]  # noqa: DTZ007
    except ValueError as error:
        raise WrongForm("Answer given in the incorrect format.") from error


def _equal(a: Any, b: Any, match: Match, tolerance: float | None) -> bool:
    if match is Match.STRING:
        return fuzzy_match(a, b)
    if match is Match.NUMBER and tolerance is not None:
        return bool(abs(a - b) < tolerance)
    return bool(a == b)
