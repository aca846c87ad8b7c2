"""Renders a recipe's templates in a process of its own, which can be stopped.

Recipes are shared between strangers. A template runs in Jinja2's immutable sandbox with strict
variables, no includes, bounded memory, bounded output and a time limit; a template that does not
return is killed with its process, which gets no key and no other variable of ours.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from episodes.errors import KnownError
from replay.asking.line_process import LineProcess, NoAnswer

TIME_LIMIT_S = 2.0
OUTPUT_LIMIT = 1_000_000
MEMORY_LIMIT = 1 << 30
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP")


class TemplateRenderer:
    """Renders templates. Thread-safe."""

    def __init__(self, time_limit_s: float = TIME_LIMIT_S) -> None:
        """Prepares a process; the first call starts it."""
        self._time_limit_s = time_limit_s
        env = {name: os.environ[name] for name in _KEPT if name in os.environ}
        self._process = LineProcess("replay.asking.template_worker", env=env)

    def render(self, templates: Sequence[str], values: dict[str, Any]) -> list[str]:
        """Returns the text of each template for these values.

        Raises:
            KnownError: a template is wrong, runs too long, or needs too much memory.
        """
        request = {"templates": list(templates), "values": values}
        try:
            told = self._process.ask(request, self._time_limit_s)
        except NoAnswer as error:
            slow = f"it ran longer than {self._time_limit_s:g} s"
            raise _refused("it needs too much memory" if error.ended else slow) from None
        if "error" in told:
            raise _refused(told["error"])
        texts: list[str] = told["texts"]
        return texts

    def close(self) -> None:
        """Ends the process."""
        self._process.close()


def _refused(found: str) -> KnownError:
    return KnownError("render a template of the recipe", found, "Correct the template.")
