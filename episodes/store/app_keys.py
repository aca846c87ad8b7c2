"""What tells the apps of a data set's episodes apart: packages, and names where nobody says those.

An app calls itself otherwise on a phone of another language, and its package stays. A name that a
task gives is looked up among the apps that were in front: in the episode, else in the data set.
Where the data set knows several packages of that name, the episode has all of them, so that none
crosses. The home screen and the system's own windows are no apps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlite_utils import Database

from episodes.foreground_apps import is_app

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
            named: the apps its task names; without any, those in front count.
        """
        fronts = self._fronts.get(episode, [])
        if not named:
            return tuple(dict.fromkeys(package or name for package, name in fronts))
        found: dict[str, None] = {}
        for name in map(str.casefold, named):
            own = [package for package, label in fronts if package and label == name]
            found.update(dict.fromkeys(own or sorted(self._packages.get(name, ())) or [name]))
        return tuple(found)
