"""Bare texts of a model, one a line, in the words of another dialect.

{"episode": "0019778284340925", "step": 1, "raw": "CLICK: (858, 640)"}
"""

from __future__ import annotations

from dataclasses import replace

from replay.dialect import Dialect
from replay.dialects import layouts


def with_rows_of_text(dialect: Dialect) -> Dialect:
    """Returns a dialect that reads bare texts as the given one reads its answers."""
    return replace(dialect, rows=layouts.rows)
