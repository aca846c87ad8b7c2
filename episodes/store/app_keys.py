"""Keys that identify the apps of a data set: the package, or the name if no package is known.

An app's name depends on the phone's language; its package does not. A name from a task is looked up
among the apps that were in front: first in the episode, then in the data set. If the data set has
several packages of that name, the episode gets all of them, so that no app is in two parts of a
split. The home screen and the system's own windows are not apps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from episodes.foreground_apps import is_app

if TYPE_CHECKING:
    from sqlite_utils import Database

_FRONTS = """
    SELECT episode, package, app_label FROM step
    JOIN episode ON episode.id = step.episode
    WHERE dataset = ? AND version = ? AND state NOT IN ('deleted', 'recording')
        AND deleted = 0 AND package IS NOT NULL
    GROUP BY episode, package, app_label ORDER BY episode, min(step.number)
"""


class AppKeys:
    """The apps that were in front in a data set, by episode and by name."""

    def __init__(self, db: Database, dataset: str, version: str) -> None:
        """Reads which apps were in front."""
        self._fronts: dict[int, list[tuple[str, str]]] = defaultdict(list)
        self._packages: dict[str, dict[str, None]] = defaultdict(dict)
        known = set()
        for episode, package, label in db.conn.execute(_FRONTS, (dataset, version)):
            name = (label or "").casefold()
            if package and not is_app(package):
                continue
            self._fronts[episode].append((package, name))
            if package:
                known.add(package)
                if name:
                    self._packages[name][package] = None
        for package in known:
            self._packages.setdefault(package.casefold(), {package: None})

    def of(self, episode: int, named: Sequence[str]) -> tuple[str, ...]:
        """Returns the keys of an episode's apps, each once.

        Args:
            named: the apps that its task names. If empty, the apps in front are used.
        """
        fronts = self._fronts.get(episode, [])
        if not named:
            return tuple(dict.fromkeys(package or name for package, name in fronts))
        found: dict[str, None] = {}
        for name in map(str.casefold, named):
            own = [package for package, label in fronts if package and label == name]
            found.update(dict.fromkeys(own or sorted(self._packages.get(name, ())) or [name]))
        return tuple(found)
