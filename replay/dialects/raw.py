"""Bare texts of a model, one a line, in the words of another dialect.

{"episode": "0019778284340925", "step": 1, "raw": "CLICK: (858, 640)"}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from replay.dialect import NO_STEP, Dialect, Limits, Row
from replay.dialects.lines import broken, clean, objects, place


def with_rows_of_text(dialect: Dialect) -> Dialect:
    """Returns a dialect that reads bare texts as the given one reads its answers."""
    return replace(dialect, rows=rows)


def rows(path: Path, limits: Limits) -> Iterator[Row]:
    """Yields the rows of a file of JSON lines with a text each."""
    for number, told in objects(path, limits):
        if isinstance(told, Row):
            yield told
            continue
        where = place(told)
        raw = told.get("raw")
        text = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False)
        if isinstance(where, str) and raw is None:
            yield broken(text[:1000], where, path, number)
        elif isinstance(where, str):  # it may be joined by its position
            text = clean(text)
            yield Row("", NO_STEP, text, raw, problem=where, file=path.name, line=number)
        elif "raw" not in told:
            yield Row(*where, "", problem="it has no “raw”", file=path.name, line=number)
        else:
            yield Row(*where, clean(text), value=raw, file=path.name, line=number)
