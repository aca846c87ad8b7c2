"""A pytest plugin that makes this Python behave as if Qt were not installed.

    python -m pytest -p no:pytest-qt -p tests.without_qt tests/episodes tests/scoring

The demo phone draws with Qt, but in a process of its own, as a real phone would. Of a test with
parameters only the first case runs: whether code needs Qt does not depend on the values, and the
whole suite runs all of them.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

BARRED = {"PySide6", "shiboken6", "qtpy", "qtawesome", "superqt", "pytestqt"}


class NoQt:
    """Finds nothing under the names of Qt, before anybody else is asked."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in BARRED:
            raise ModuleNotFoundError(f"No module named {name!r} (Qt is barred here)", name=name)
        return None


already = sorted(BARRED & set(sys.modules))
if already:
    raise RuntimeError(f"Qt cannot be barred any more, it was imported: {', '.join(already)}")
sys.meta_path.insert(0, NoQt())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the first case of each test."""
    first: dict[str, pytest.Item] = {}
    for item in items:
        first.setdefault(item.nodeid.partition("[")[0], item)
    kept = list(first.values())
    config.hook.pytest_deselected(items=[one for one in items if one not in set(kept)])
    items[:] = kept
