"""How one gets from screen to screen: apps, activities, Back, Home and the recent apps."""

from __future__ import annotations

from typing import Any, Protocol

from demophone.apps.app import Activity, App
from demophone.apps.launcher import Home, Recents
from demophone.apps.screen import PhoneScreen
from demophone.apps.shade import Shade
from demophone.apps.tasks import Tasks
from demophone.views.composer import Kind


class NavigationHost(Protocol):
    """What navigation needs of the phone."""

    @property
    def screen(self) -> PhoneScreen: ...
    @property
    def shade(self) -> Shade: ...
    @property
    def awake(self) -> bool: ...
    @property
    def keyboard_shown(self) -> bool: ...
    def changed(self, reason: str) -> None: ...
    def log(self, event: str, **facts: Any) -> None: ...


class Navigation:
    """Moves between activities, with the transitions that lead over."""

    def __init__(self, body: NavigationHost, tasks: Tasks, launcher: App) -> None:
        self._body = body
        self._tasks = tasks
        self._launcher = launcher
        self._said = ("", "")
        self._seen: Activity | None = None

    @property
    def _foreground(self) -> tuple[str, str]:
        top = self._tasks.front.top
        return top.app.package, top.name

    def start_app(self, package: str, activity: str | None = None, fresh: bool = False) -> bool:
        """Brings an app to the front. Returns whether there is such an app and activity."""
        app = self._tasks.known(package)
        if app is not None and activity == app.alias:
            activity = None
        wanted = app.activity(activity) if app is not None and activity is not None else None
        if app is None or (activity is not None and wanted is None):
            return False
        self._body.shade.close()
        self._leave("forward")
        if app is self._launcher:
            self._tasks.home()
        else:
            if fresh:
                self._tasks.stop(package)
            top = self._tasks.bring(package).top
            if wanted is not None and top.name != wanted.name:
                self._tasks.push(wanted)
        self.arrived("start")
        return True

    def stop_app(self, package: str) -> None:
        """Ends an app; the launcher shows if it was in front."""
        if package == self._launcher.package:
            return
        if self._tasks.front.top.app.package == package:
            self._leave("fade")
        self._tasks.stop(package)
        self.arrived("stop")

    def clear_app(self, package: str) -> None:
        """Ends an app and puts its data back to how it was shipped."""
        app = self._tasks.known(package)
        if app is not None:
            self.stop_app(package)
            app.reset()
            self._body.changed("data")

    def push(self, activity: Activity) -> None:
        """Opens an activity on top of the one in front."""
        self._leave("forward")
        self._tasks.push(activity)
        self.arrived("push")

    def replace(self, activity: Activity) -> None:
        """Opens an activity in place of the one in front."""
        self._leave("forward")
        self._tasks.replace(activity)
        self.arrived("push")

    def open(self, activity: Activity) -> None:
        """Opens another app's activity; Back comes back here."""
        caller = self._tasks.front.top.app.package
        self._leave("forward")
        self._tasks.push(activity, "" if caller == activity.app.package else caller)
        self.arrived("open")

    def finish(self) -> None:
        """Closes the activity in front; the app's first one stays, behind the launcher."""
        self._leave("back")
        if not self._tasks.pop():
            self._tasks.home()
        self.arrived("finish")

    def go_home(self) -> None:
        """Shows the launcher's first screen."""
        self._body.shade.close()
        self._tasks.front.top.overlay = None
        if not isinstance(self._tasks.front.top, Home):
            self._leave("fade")
            self._tasks.home()
            self.arrived("home")
        else:
            self._body.changed("home")

    def go_back(self) -> None:
        """Closes what is uppermost: shade, dialog, keyboard, part of a screen, screen."""
        front = self._tasks.front.top
        if self._body.shade.opened:
            self._body.shade.close()
        elif front.overlay is not None:
            overlay, front.overlay = front.overlay, None
            if overlay.dismissed is not None:
                overlay.dismissed()
            self._body.changed("back")
        elif self._body.keyboard_shown:
            self._body.screen.keyboard_leaves()
            front.keyboard = False
            self._body.changed("keyboard")
        elif front.back():
            self._body.changed("back")
        elif not isinstance(front, Home):
            self.finish()

    def show_recents(self) -> None:
        """Shows the recent apps; the app before, where they show already."""
        self._body.shade.close()
        if isinstance(self._tasks.front.top, Recents):
            recent = self._tasks.recent
            if recent:
                self.start_app(recent[0].app.package)
            return
        self._leave("fade")
        self._tasks.home()
        self._tasks.push(Recents(self._launcher))
        self.arrived("recents")

    def _leave(self, kind: Kind) -> None:
        """The activity in front is about to go: keeps its picture."""
        task = self._tasks.front
        if not self._tasks.at_home and not self._body.shade.opened and self._body.awake:
            task.snapshot = self._body.screen.snapshot()
        self._body.screen.ticker.cancel("fling")
        self._body.screen.lead_over(kind)

    def arrived(self, reason: str) -> None:
        """Called when another activity may be in front."""
        if self._foreground != self._said:
            self._said = self._foreground
            package, activity = self._said
            self._body.log(
                "foreground", package=package, activity=activity, label=self._tasks.front.app.label
            )
        if self._tasks.front.top is not self._seen:
            self._seen = self._tasks.front.top
            self._seen.shown()
        self._body.changed(reason)
