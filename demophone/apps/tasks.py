"""Which apps run, and where Back leads. Knows neither screen nor touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtGui import QImage

from demophone.apps.app import Activity, App


@dataclass(slots=True)
class _Entry:
    activity: Activity
    caller: str = ""
    """The app that opened it: Back returns there."""


@dataclass(slots=True)
class OpenedApp:
    """An app that was opened, with its stack of activities."""

    app: App
    stack: list[_Entry] = field(default_factory=list)
    snapshot: QImage | None = None

    @property
    def top(self) -> Activity:
        """The activity in front."""
        return self.stack[-1].activity


class Tasks:
    """The tasks of the phone; the launcher's is always there."""

    def __init__(self, apps: Sequence[App], launcher: App) -> None:
        self._apps = {app.package: app for app in apps}
        self._launcher = launcher.package
        self._tasks: dict[str, OpenedApp] = {}
        self._recent: list[str] = []
        self._front = launcher.package
        self._task(launcher.package)

    @property
    def front(self) -> OpenedApp:
        """The task in front."""
        return self._tasks[self._front]

    @property
    def at_home(self) -> bool:
        """Whether the launcher is in front."""
        return self._front == self._launcher

    @property
    def recent(self) -> list[OpenedApp]:
        """Tasks without the launcher, the newest first."""
        return [self._tasks[package] for package in self._recent]

    def known(self, package: str) -> App | None:
        """The app of a package."""
        return self._apps.get(package)

    def bring(self, package: str) -> OpenedApp:
        """Brings an app to the front, with a new first activity if it was not running."""
        task = self._task(package)
        self._front = package
        if package != self._launcher:
            self._recent = [package, *(p for p in self._recent if p != package)]
        return task

    def push(self, activity: Activity, caller: str = "") -> None:
        """Puts an activity on its app's task, and the task in front."""
        self.bring(activity.app.package).stack.append(_Entry(activity, caller))

    def replace(self, activity: Activity) -> None:
        """Replaces the activity in front; Back leads to the same activity as before."""
        caller = self.front.stack[-1].caller
        self.pop()
        self.push(activity, caller)

    def pop(self) -> bool:
        """Closes the activity in front. Returns False if it is the app's last one."""
        task = self.front
        if len(task.stack) < 2:
            return False
        entry = task.stack.pop()
        if entry.caller in self._tasks:
            self.bring(entry.caller)
        return True

    def home(self) -> None:
        """Puts the launcher's first screen in front."""
        self._front = self._launcher
        del self.front.stack[1:]

    def stop(self, package: str) -> bool:
        """Forgets an app's task. Returns whether it was in front."""
        was_front = package == self._front
        self._recent = [p for p in self._recent if p != package]
        self._tasks.pop(package, None)
        if was_front:
            self._task(self._launcher)
            self.home()
        return was_front

    def _task(self, package: str) -> OpenedApp:
        if package not in self._tasks:
            app = self._apps[package]
            self._tasks[package] = OpenedApp(app, [_Entry(app.home())])
        return self._tasks[package]
