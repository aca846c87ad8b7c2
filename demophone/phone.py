"""The demo phone itself: apps, screen, fingers and keys, behind the `Device` protocol.

Everything runs on the thread of the event loop that is given, and nothing runs while nothing
moves.
"""

from __future__ import annotations

import asyncio
import datetime
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TextIO

from PySide6.QtGui import QImage

from demophone.apps import catalogue, scene
from demophone.apps.app import Activity, App, Files
from demophone.apps.hands import Hands
from demophone.apps.navigation import Navigation
from demophone.apps.preferences import StoredSettings
from demophone.apps.screen import PhoneScreen
from demophone.apps.shade import Shade
from demophone.apps.tasks import Tasks
from demophone.apps.typing import Typing
from demophone.device import DrawnScreen, Source, TouchAction
from demophone.packages import PIXEL
from demophone.truth import TruthLog
from demophone.views import fonts
from demophone.views.fields import Field
from demophone.views.motion import ScrollPosition
from demophone.views.overlays import Overlay

BOOT_TIME = datetime.datetime(2026, 5, 14, 10, 24)  # noqa: DTZ001 - the phone's own local time


class Phone:
    """A phone that isn't there.

    Args:
        size: width and height in pixels with rotation 0.
        density: dots per inch.
        seed: decides names, numbers and messages, and `random`.
        files: where the apps keep their data.
        truth: path of the truth log.
        faults: names of the faults that the wire side is to show.
        deterministic: nothing moves by itself and the clock stands, so that the same touches
            give the same pictures.
        pixel_packages: the apps have the packages of a Pixel's.
        loop: the event loop, whose thread everything runs on.
    """

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1080, 2400),
        density: int = 420,
        seed: int = 0,
        files: Files,
        truth: TextIO | None = None,
        faults: frozenset[str] = frozenset(),
        deterministic: bool = False,
        pixel_packages: bool = False,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        fonts.prepare()
        self.seed = seed
        self.faults = faults
        self.files = files
        self.deterministic = deterministic
        self._natural = size
        self._density = density
        self._loop = loop
        self._truth = TruthLog(truth)
        self._randoms: dict[str, random.Random] = {}
        self._set_to, self._set_us = BOOT_TIME, self.now_us()
        self._rotation = 0
        self._awake = "screen-off" not in faults
        self._clip = ""
        self._clip_watchers: list[Callable[[str], None]] = []
        self.preferences = StoredSettings()
        self.shade = Shade(self)
        self.typing = Typing(self)
        self.screen = PhoneScreen(self, loop)
        self.hands = Hands(self)
        self._apps = catalogue.apps(self)
        for app in self._apps if pixel_packages else ():
            if app.package in PIXEL:
                app.rename(*PIXEL[app.package])
        self._launcher = catalogue.launcher(self)
        self._tasks = Tasks([*self._apps, self._launcher], self._launcher)
        self.navigation = Navigation(self, self._tasks, self._launcher)
        self.navigation.arrived("boot")
        self._wait_for_minute()

    # --- clock -------------------------------------------------------------------------------
    def now_us(self) -> int:
        """Microseconds of CLOCK_MONOTONIC."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000

    def random(self, purpose: str) -> float:
        """The next number in 0..1 of the sequence with that name."""
        if purpose not in self._randoms:
            self._randoms[purpose] = random.Random(f"{self.seed}:{purpose}")  # noqa: S311
        return self._randoms[purpose].random()

    def wall(self) -> datetime.datetime:
        """The time on the phone's clock: it was 10:24 when the phone started."""
        if self.deterministic:
            return self._set_to
        return self._set_to + datetime.timedelta(microseconds=self.now_us() - self._set_us)

    def set_wall(self, moment: datetime.datetime) -> None:
        """Sets the clock that people and apps see."""
        self._set_to, self._set_us = moment, self.now_us()
        self.changed("clock")

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        """Calls back on the loop's thread."""
        return self._loop.call_later(seconds, call)

    def _wait_for_minute(self) -> None:
        if not self.deterministic:
            now = self.wall()
            rest = 60.0 - now.second - now.microsecond / 1e6
            self.later(rest + 0.01, self._next_minute)

    def _next_minute(self) -> None:
        if self._awake:
            self.changed("clock")
        self._wait_for_minute()

    # --- screen ------------------------------------------------------------------------------
    @property
    def natural_size(self) -> tuple[int, int]:
        """Width and height with rotation 0, in pixels."""
        return self._natural

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in the present rotation, in pixels."""
        width, height = self._natural
        return (height, width) if self._rotation % 2 else (width, height)

    @property
    def density(self) -> int:
        """Dots per inch."""
        return self._density

    @property
    def rotation(self) -> int:
        """Quarter turns."""
        return self._rotation

    @property
    def awake(self) -> bool:
        """Whether the screen is on."""
        return self._awake

    def picture(self) -> DrawnScreen:
        """The screen as it is now; drawn only after a change."""
        return self.screen.picture()

    def on_damage(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls back when a new picture would differ. Returns what ends that."""
        return self.screen.on_damage(callback)

    def changed(self, reason: str) -> None:
        """What is on the screen is to be drawn anew."""
        self.screen.changed(reason)

    def idle_for_us(self) -> int:
        """How long nothing but the cursor has changed."""
        return 0 if self.hands.fingers.down else self.screen.idle_for_us()

    def rotate(self) -> None:
        """Turns to landscape, and back."""
        self.set_rotation(1 if self._rotation == 0 else 0)

    def set_rotation(self, rotation: int) -> None:
        """Turns the phone."""
        if rotation == self._rotation:
            return
        self.hands.fingers.cancel()
        self.screen.still()
        self._rotation = rotation
        self.preferences.put("system", "user_rotation", str(rotation))
        width, height = self.size
        self.log("rotation", rotation=rotation, width=width, height=height)
        self.changed("rotation")

    def resize(self, natural: tuple[int, int]) -> None:
        """Gives the screen another size, as `wm size` and an unfolded phone do."""
        if natural == self._natural:
            return
        self.hands.fingers.cancel()
        self.screen.still()
        self._natural = natural
        width, height = self.size
        self.log("rotation", rotation=self._rotation, width=width, height=height)
        self.changed("rotation")

    def wake(self, on: bool) -> None:
        """Turns the screen on or off."""
        if on == self._awake:
            return
        self.hands.fingers.cancel()
        self.shade.close()
        self.screen.still()
        self._awake = on
        self.log("wake", on=on)
        self.changed("wake")

    # --- input -------------------------------------------------------------------------------
    def touch(
        self, action: TouchAction, pointer: int, x: float, y: float, pressure: float, source: Source
    ) -> None:
        """One position of one finger, in pixels of the present rotation."""
        width, height = self.size
        inside = 0 <= x < width and 0 <= y < height
        begins = action is TouchAction.DOWN
        accepted = self._awake and (inside if begins else self.hands.fingers.holds(pointer))
        if begins:
            self.picture()
        dx, dy = x / self.screen.scale, y / self.screen.scale
        hit = self.hands.hit(dx, dy) if accepted else None
        self._log_input(
            "touch",
            source,
            action.name.lower(),
            accepted,
            self.screen.fact(hit),
            pointer=pointer,
            x=x,
            y=y,
            pressure=pressure,
        )
        if not accepted:
            return
        fingers = self.hands.fingers
        match action:
            case TouchAction.DOWN:
                fingers.press(pointer, dx, dy)
            case TouchAction.MOVE:
                fingers.move(pointer, dx, dy)
            case TouchAction.UP:
                fingers.lift(pointer, dx, dy)
            case TouchAction.CANCEL:
                fingers.cancel()

    def scroll(self, x: float, y: float, horizontal: float, vertical: float) -> None:
        """A mouse wheel; positive vertical moves the content down."""
        self.picture()
        dx, dy = x / self.screen.scale, y / self.screen.scale
        hit = self.screen.fact(self.hands.hit(dx, dy)) if self._awake else None
        self._log_input(
            "scroll",
            "scrcpy",
            "scroll",
            self._awake,
            hit,
            x=x,
            y=y,
            horizontal=horizontal,
            vertical=vertical,
        )
        if self._awake:
            self.hands.wheel(dx, dy, horizontal, vertical)

    def key(self, keycode: int, down: bool, meta: int, source: Source) -> None:
        """Handles half of a key press; the phone acts on the down event."""
        if down:
            self.picture()
        element = self.screen.fact(self.hands.focused_view())
        accepted = self.hands.takes(keycode)
        self._log_input(
            "key", source, "down" if down else "up", accepted, element, keycode=keycode, meta=meta
        )
        if down and accepted:
            self.log(
                "gesture",
                kind="key",
                element=element,
                keycode=keycode,
                x=None,
                y=None,
                x2=None,
                y2=None,
            )
            self.hands.press(keycode, meta)

    def press(self, keycode: int) -> None:
        """A key of the navigation bar."""
        self.hands.press(keycode, 0)

    def text(self, text: str, source: Source) -> None:
        """Text for the focused field."""
        self.picture()
        element = self.screen.fact(self.hands.focused_view())
        accepted = element is not None or self.hands.focused_view() is not None
        self._log_input("text", source, "text", accepted, element, text=text)
        if accepted:
            self.log(
                "gesture", kind="text", element=element, text=text, x=None, y=None, x2=None, y2=None
            )
            self.typing.typed(text)

    def expand(self, panel: Literal["notifications", "settings"] | None) -> None:
        """Opens the panel from the top, or closes it."""
        if panel is not None and self._awake:
            self.shade.open()
        else:
            self.shade.close()

    # --- clipboard ---------------------------------------------------------------------------
    @property
    def clipboard(self) -> str:
        """The clipboard's text."""
        return self._clip

    def set_clipboard(self, text: str, paste: bool = False) -> None:
        """Sets the clipboard from outside, and pastes it when asked."""
        self._clip = text
        self.log("clipboard", text=text, by="host")
        if paste and self._awake:
            self.typing.pasted()

    def copy(self, text: str) -> None:
        """Sets the clipboard from an app, and tells those who watch."""
        self._clip = text
        self.log("clipboard", text=text, by="phone")
        for callback in list(self._clip_watchers):
            callback(text)

    def on_clipboard(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Calls back when an app changes the clipboard. Returns what ends that."""
        self._clip_watchers.append(callback)

        def end() -> None:
            if callback in self._clip_watchers:
                self._clip_watchers.remove(callback)

        return end

    # --- what runs ---------------------------------------------------------------------------
    @property
    def front(self) -> Activity:
        """The activity in front."""
        return self._tasks.front.top

    @property
    def foreground(self) -> tuple[str, str]:
        """Package and activity in front."""
        return self.front.app.package, self.front.name

    @property
    def apps(self) -> Sequence[App]:
        """All apps in the launcher's order."""
        return self._apps

    @property
    def packages(self) -> Mapping[str, str]:
        """Installed packages and their versions."""
        return {app.package: app.version for app in (*self._apps, self._launcher)}

    def app_label(self, package: str) -> str:
        """Returns the label of an app; the package if it has none."""
        app = self._tasks.known(package)
        return app.label if app is not None else package

    @property
    def tasks(self) -> Sequence[tuple[str, str]]:
        """Package and activity of the recent tasks, the newest first."""
        return [(task.app.package, task.top.name) for task in self._tasks.recent]

    def recent(self) -> Sequence[tuple[App, QImage | None]]:
        """Recent apps with what they looked like, the newest first."""
        return [(task.app, task.snapshot) for task in self._tasks.recent]

    def start_app(self, package: str, activity: str | None = None, fresh: bool = False) -> bool:
        """Brings an app to the front. Returns whether there is such an app and activity."""
        return self.navigation.start_app(package, activity, fresh)

    def stop_app(self, package: str) -> None:
        """Ends an app; the launcher shows if it was in front."""
        self.navigation.stop_app(package)

    def clear_app(self, package: str) -> None:
        """Ends an app and puts its data back to how it was shipped."""
        self.navigation.clear_app(package)

    def push(self, activity: Activity) -> None:
        """Opens an activity on top of the one in front."""
        self.navigation.push(activity)

    def replace(self, activity: Activity) -> None:
        """Opens an activity in place of the one in front."""
        self.navigation.replace(activity)

    def open(self, activity: Activity) -> None:
        """Opens another app's activity; Back comes back here."""
        self.navigation.open(activity)

    def finish(self) -> None:
        """Closes the activity in front."""
        self.navigation.finish()

    # --- settings, accessibility, truth ------------------------------------------------------
    @property
    def keyboard_shown(self) -> bool:
        """Whether the soft keyboard is up."""
        return self._awake and not self.shade.opened and scene.keyboard_shown(self.front)

    def setting(self, namespace: str, key: str) -> str | None:
        """A value of `settings get`."""
        return self.preferences.get(namespace, key)

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        """Changes a setting; the screen follows those it knows."""
        if namespace == "system" and key == "user_rotation" and value in ("0", "1", "2", "3"):
            self.set_rotation(int(value))
        if self.preferences.put(namespace, key, value):
            self.changed("setting")

    def hierarchy(self, compressed: bool = False) -> str:
        """The XML of `uiautomator dump` for the active window."""
        self.picture()
        return self.screen.scene().tree(self._awake, self.screen.scale, self._rotation, compressed)

    def window_hierarchy(self, compressed: bool = False, depth: int = 50) -> str:
        """The XML of all windows, as the resident server of uiautomator2 gives it."""
        self.picture()
        made = self.screen.scene()
        return made.trees(self._awake, self.screen.scale, self._rotation, compressed, depth)

    @property
    def secure(self) -> bool:
        """Whether the app in front keeps its screen out of pictures and video."""
        return self.screen.secure

    @property
    def truth_kept(self) -> bool:
        """Whether there is a truth log."""
        return self._truth.kept

    def log(self, event: str, **facts: Any) -> None:
        """Adds a line to the truth log, with the clock and the number of the screen."""
        self._truth.log(event, self.now_us(), self.screen.number, **facts)

    def _log_input(
        self,
        kind: str,
        source: Source,
        action: str,
        accepted: bool,
        element: dict[str, Any] | None,
        **facts: Any,
    ) -> None:
        where: dict[str, Any] = {"pointer": None, "x": None, "y": None}
        self.log(
            "input",
            kind=kind,
            source=source,
            action=action,
            **{**where, **facts},
            element=element,
            accepted=accepted,
        )

    # --- what apps ask for -------------------------------------------------------------------
    def focus(self, field: Field | None) -> None:
        """Gives a field the cursor and shows the keyboard; None takes both away."""
        self.typing.attend(field)

    def show(self, overlay: Overlay) -> None:
        """Puts a dialog or menu over the screen."""
        self.front.overlay = overlay
        self.changed("overlay")

    def close_overlay(self) -> None:
        """Takes it away."""
        if self.front.overlay is not None:
            self.front.overlay = None
            self.changed("overlay")

    def toast(self, text: str) -> None:
        """Shows a text for two seconds."""
        self.screen.toast(text)

    @property
    def last_toast(self) -> str:
        """The text of the newest toast."""
        return self.screen.last_toast

    def clear_last_toast(self) -> None:
        """Forgets it."""
        self.screen.last_toast = ""

    def scroller(self, horizontal: bool = False) -> ScrollPosition:
        """A scroll state that moves the screen and flings."""
        return ScrollPosition(
            horizontal,
            on_move=lambda: self.changed("scroll"),
            on_fling=self.screen.ticker.fling,
        )

    def animate(self, purpose: str, milliseconds: int, step: Callable[[float], None]) -> None:
        """Runs an animation; jumps to its end if animations are off."""
        self.screen.ticker.animate(purpose, milliseconds, step)

    @property
    def vocabulary(self) -> Sequence[str]:
        """Names that the keyboard may suggest."""
        return catalogue.vocabulary(self._apps)

    def keyboard_moves(self) -> None:
        """The keyboard slides in."""
        self.screen.keyboard_moves()

    def keyboard_leaves(self) -> None:
        """The keyboard is about to slide out."""
        self.screen.keyboard_leaves()
