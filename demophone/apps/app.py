"""What an app and its activities are to the phone, and the phone to them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from PySide6.QtGui import QImage

from demophone.apps.system import Notice
from demophone.views.fields import Field
from demophone.views.motion import ScrollPosition
from demophone.views.overlays import Overlay
from demophone.views.parts import Space
from demophone.views.theme import BLUE, Palette
from demophone.views.view import View


@dataclass(frozen=True, slots=True)
class Shared:
    """Content shared between apps: an optional title, and a text."""

    title: str
    text: str


class Files(Protocol):
    """The part of the phone's file system that apps need."""

    def host(self, path: str) -> Path:
        """Returns the computer's path of a path on the phone."""


class Host(Protocol):
    """What the phone does for its apps."""

    files: Files
    seed: int

    def changed(self, reason: str) -> None:
        """Something on the screen is to be drawn anew."""

    def push(self, activity: Activity) -> None:
        """Opens an activity of the app in front, on top of what is there."""

    def replace(self, activity: Activity) -> None:
        """Opens an activity in place of the one in front."""

    def open(self, activity: Activity) -> None:
        """Opens an activity of another app; Back comes back here."""

    def finish(self) -> None:
        """Closes the activity in front."""

    def start_app(self, package: str, activity: str | None = None, fresh: bool = False) -> bool:
        """Brings an app to the front."""

    def stop_app(self, package: str) -> None:
        """Ends an app and resets its activities."""

    def focus(self, field: Field | None) -> None:
        """Gives a field the cursor and shows the keyboard; None takes both away."""

    def show(self, overlay: Overlay) -> None:
        """Puts a dialog or menu over the screen."""

    def close_overlay(self) -> None:
        """Takes it away."""

    def copy(self, text: str) -> None:
        """Puts text on the clipboard."""

    def toast(self, text: str) -> None:
        """Says something for two seconds."""

    def wall(self) -> datetime.datetime:
        """The time on the phone's clock."""

    def setting(self, namespace: str, key: str) -> str | None:
        """A system setting."""

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        """Changes a system setting."""

    def scroller(self, horizontal: bool = False) -> ScrollPosition:
        """A scroll state that moves the screen and flings."""

    def animate(self, purpose: str, milliseconds: int, step: Callable[[float], None]) -> None:
        """Calls `step` with 0 to 1 during the animation; once with 1 if animations are off."""

    @property
    def apps(self) -> Sequence[App]:
        """All apps, in the launcher's order."""

    @property
    def clipboard(self) -> str:
        """The clipboard's text."""

    def recent(self) -> Sequence[tuple[App, QImage | None]]:
        """The apps that were used, newest first, with what they looked like."""


class Activity:
    """One screen of an app. It holds the state; `build` makes the views."""

    name: ClassVar[str]
    """As in a component name, e.g. ".ThreadActivity"."""
    path: ClassVar[str]
    """Prefix of its elements in the truth log, e.g. "messages/thread"."""
    secure: ClassVar[bool] = False
    """Whether pictures and video of it are black."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.host = app.host
        self.overlay: Overlay | None = None
        self.focused: Field | None = None
        self.keyboard = False

    @property
    def palettes(self) -> tuple[Palette, Palette]:
        """Light and dark colours."""
        return self.app.palettes

    def build(self, s: Space) -> View:
        """The screen's views for this space."""
        raise NotImplementedError

    def back(self) -> bool:
        """Goes a step back inside. Returns False if the activity is to be closed."""
        return False

    def shown(self) -> None:
        """Came to the front."""

    def menu(self) -> None:
        """The Menu key was pressed."""

    @property
    def beat(self) -> float:
        """Seconds between two pictures of something that moves without end; 0: nothing does."""
        return 0.0

    def has_focus(self, field: Field) -> bool:
        """Whether the field has the cursor."""
        return self.focused is field


class App:
    """An installed app."""

    package: ClassVar[str]
    label: ClassVar[str]
    symbol: ClassVar[str]
    """Its icon's name."""
    tone: ClassVar[str]
    """The colour of its icon."""
    palettes: ClassVar[tuple[Palette, Palette]] = BLUE
    version: ClassVar[str] = "1.0"
    listed: ClassVar[bool] = True
    """Whether the launcher shows it."""

    alias: str = ""
    """A further name under which the first activity can be started."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def rename(self, package: str, alias: str) -> None:
        """Gives the app another package, before anything of it is shown."""
        vars(self).update(package=package, alias=alias)

    def home(self) -> Activity:
        """A new first activity."""
        raise NotImplementedError

    def activity(self, name: str) -> Activity | None:
        """Returns a new activity by its name, if it is exported."""
        first = self.home()
        return first if first.name == name else None

    def reset(self) -> None:
        """Puts its data back to how it was shipped."""

    def calling(self, phone: str) -> Activity | None:
        """The activity that calls a number, where this app can."""
        return None

    def writing(self, phone: str) -> Activity | None:
        """The activity that writes to a number, where this app can."""
        return None

    def adding(self, phone: str) -> Activity | None:
        """The activity that makes a contact of a number, where this app can."""
        return None

    def showing(self, phone: str) -> Activity | None:
        """The activity that shows who has a number, where this app knows."""
        return None

    def opening(self, uri: str) -> Activity | None:
        """Returns the activity that a link opens, if the app handles it."""
        return None

    def receiving(self, shared: Shared) -> Activity | None:
        """The activity that takes what another app shares, where this app can."""
        return None

    def words(self) -> Sequence[str]:
        """Names that the keyboard may suggest."""
        return ()

    def notices(self) -> Sequence[Notice]:
        """Its notifications."""
        return ()

    def clear_notices(self) -> None:
        """The user has seen its notifications."""
