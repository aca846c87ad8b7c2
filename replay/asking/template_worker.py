"""The process that renders templates: JSON lines in, JSON lines out. See `templates.py`."""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, Template
from jinja2.sandbox import ImmutableSandboxedEnvironment

from episodes.operating_system import limit_memory
from replay.asking.line_process import answer
from replay.asking.templates import MEMORY_LIMIT, OUTPUT_LIMIT

_SANDBOX = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined, keep_trailing_newline=False, trim_blocks=True, lstrip_blocks=True
)


@lru_cache(maxsize=64)
def _template(text: str) -> Template:
    return _SANDBOX.from_string(text)


def render(text: str, values: dict[str, Any]) -> str:
    """Returns a template's text.

    Raises:
        ValueError: it is longer than the limit.
    """
    parts, length = [], 0
    for part in _template(text).generate(values):
        length += len(part)
        if length > OUTPUT_LIMIT:
            raise ValueError(f"it prints more than {OUTPUT_LIMIT:,} characters")
        parts.append(part)
    return "".join(parts)


def main() -> None:
    """Answers requests until stdin ends."""
    limit_memory(MEMORY_LIMIT)
    answer({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer({"texts": [render(one, request["values"]) for one in request["templates"]]})
        except MemoryError:
            answer({"error": "it needs too much memory"})
        except Exception as error:  # noqa: BLE001 - a template may raise any error of Python's
            answer({"error": f"{type(error).__name__}: {str(error)[:500]}"})


if __name__ == "__main__":
    main()
