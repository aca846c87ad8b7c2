"""A pytest plugin that makes this Python behave as if Qt were not installed.

    python -m pytest -p no:pytest-qt -p tests.without_qt tests/episodes tests/scoring

The demo phone draws with Qt, but in a process of its own, as a real phone would. Of each file only
the first two tests run, with the first of their values: enough to see whether its room needs Qt.
The whole suite runs all of them.
"""

import sys
from collections import defaultdict
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

TESTS_A_FILE = 2
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
    """Keeps the first two tests of each file."""
    kept: dict[Path, dict[str, pytest.Item]] = defaultdict(dict)
    for item in items:
        if len(kept[item.path]) < TESTS_A_FILE:
            kept[item.path].setdefault(item.nodeid.partition("[")[0], item)
    chosen = [item for tests in kept.values() for item in tests.values()]
    config.hook.pytest_deselected(items=[one for one in items if one not in set(chosen)])
    items[:] = chosen
