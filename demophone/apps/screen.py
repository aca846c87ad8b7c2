"""The phone's screen: the scene of the moment, its picture, and who is told that it changed.

Pictures are drawn when somebody asks for one after a change, at the latest 50 ms after it, and
never without a change.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable
from typing import Any, Protocol

from demophone.apps import scene, system
from demophone.apps.app import Activity
from demophone.apps.preferences import StoredSettings
from demophone.apps.shade import Shade
from demophone.apps.typing import Typing
from demophone.device import DrawnScreen
from demophone.views.composer import Composer, Kind, Pixels
from demophone.views.ticker import Ticker
from demophone.views.view import View

DRAW_AFTER_SECONDS = 0.05
BLINK_SECONDS = 0.53
BLINKS = 12
TOAST_SECONDS = 2.0
TRANSITION_MS = 180
RIPPLE_MS = 160
KEYBOARD_MS = 160


class ScreenHost(Protocol):
    """What the screen needs of the phone."""

    deterministic: bool

    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def density(self) -> int: ...
    @property
    def rotation(self) -> int: ...
    @property
    def awake(self) -> bool: ...
    @property
    def front(self) -> Activity: ...
    @property
    def preferences(self) -> StoredSettings: ...
    @property
    def typing(self) -> Typing: ...
    @property
    def shade(self) -> Shade: ...
    @property
    def keyboard_shown(self) -> bool: ...
    @property
    def truth_kept(self) -> bool: ...
    def now_us(self) -> int: ...
    def wall(self) -> datetime.datetime: ...
    def press(self, keycode: int) -> None: ...
    def log(self, event: str, **facts: Any) -> None: ...


class PhoneScreen:
    """Draws the phone."""

    def __init__(self, body: ScreenHost, loop: asyncio.AbstractEventLoop) -> None:
        self._body = body
        self._loop = loop
        self.ticker = Ticker(loop, body.now_us, self._motion, self.changed)
        self._composer = Composer()
        self._scene: scene.Scene | None = None
        self._picture: DrawnScreen | None = None
        self._facts: dict[str, dict[str, Any]] = {}
        self._dirty = True
        self._reasons = ["boot"]
        self._changed_us = body.now_us()
        self._damage: list[Callable[[], None]] = []
        self._drawer: asyncio.TimerHandle | None = None
        self._blinker: asyncio.TimerHandle | None = None
        self._blinks = 0
        self._cursor = True
        self._toast = ""
        self.last_toast = ""
        self._toaster: asyncio.TimerHandle | None = None
        self._beater: asyncio.TimerHandle | None = None
        self._pressed: View | None = None
        self._spread = 1.0
        self._keyboard_down = 0.0
        self._leaving: View | None = None

    # --- pictures ----------------------------------------------------------------------------
    @property
    def scale(self) -> float:
        """Pixels of a dp."""
        return self._body.density / 160

    @property
    def number(self) -> int:
        """Of the last drawn screen; 0 before the first."""
        return self._picture.screen if self._picture is not None else 0

    def picture(self) -> DrawnScreen:
        """The screen as it is now; drawn only after a change."""
        if self._picture is not None and not self._dirty:
            return self._picture
        if self._drawer is not None:
            self._drawer.cancel()
            self._drawer = None
        body = self._body
        width, height = body.size
        self._dirty = False
        now = body.now_us()
        facts: list[dict[str, Any]] = []
        if body.awake:
            made = self.scene()
            pixels = (
                self._composer.black(width, height) if self.secure else self._drawn(width, height)
            )
            if body.truth_kept:
                facts = made.elements(self.scale)
        else:
            pixels = self._composer.black(width, height)
        seen = pixels.view()
        seen.flags.writeable = False
        self._picture = DrawnScreen(seen, now, self.number + 1)
        self._facts = {fact["id"]: fact for fact in facts}
        self._log(width, height, facts)
        self._beat_on()
        return self._picture

    def _drawn(self, width: int, height: int) -> Pixels:
        return self._composer.compose(
            scene.layers(self.scene(), self._keyboard_down, self._leaving),
            width,
            height,
            self.scale,
            self._body.preferences.font_scale,
            self._pressed.path if self._pressed is not None else "",
            self._spread,
        )

    @property
    def secure(self) -> bool:
        """Whether what shows may not be seen in pictures, as with Android's FLAG_SECURE."""
        return self._body.front.secure and self._body.awake and not self._body.shade.opened

    def scene(self) -> scene.Scene:
        """The windows as they are now."""
        if self._scene is None:
            body = self._body
            width, height = body.size
            shade = body.shade.build if body.shade.opened else None
            about = scene.Setting(
                width / self.scale,
                height / self.scale,
                self.scale,
                body.preferences,
                f"{body.wall():%H:%M}",
                self._cursor,
                self._toast,
                shade,
                body.press,
            )
            self._scene = scene.build(body.front, body.typing, about)
        return self._scene

    def fact(self, view: View | None) -> dict[str, Any] | None:
        """A view in the form of the truth log's last screen."""
        return self._facts.get(view.path) if view is not None else None

    def on_damage(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls back when a new picture would differ from the last one drawn."""
        self._damage.append(callback)

        def end() -> None:
            if callback in self._damage:
                self._damage.remove(callback)

        return end

    def changed(self, reason: str) -> None:
        """What is on the screen is to be drawn anew."""
        self._scene = None
        if reason not in self._reasons:
            self._reasons.append(reason)
        if reason != "cursor":
            self._changed_us = self._body.now_us()
            self._hold_cursor()
        if self._drawer is None:
            self._drawer = self._loop.call_later(DRAW_AFTER_SECONDS, self._draw_late)
        if not self._dirty:
            self._dirty = True
            for callback in list(self._damage):
                callback()

    def idle_for_us(self) -> int:
        """How long nothing but the cursor has changed."""
        still = not self.ticker.moving and not self._beat()
        return self._body.now_us() - self._changed_us if still else 0

    def still(self) -> None:
        """Ends every motion at once."""
        self.ticker.clear()
        self._composer.end()
        self._spread = 1.0
        self._keyboard_down = 0.0
        self._leaving = None

    # --- motion ------------------------------------------------------------------------------
    def lead_over(self, kind: Kind) -> None:
        """Begins a transition from what is on the screen to what will be."""
        if self._motion() <= 0 or not self._body.awake:
            return
        if self._dirty and not self.ticker.moving:
            self.picture()
        self._composer.begin(kind)

        def step(share: float) -> None:
            self._composer.share = share

        self.ticker.animate("transition", TRANSITION_MS, step)

    def snapshot(self) -> Any:
        """A small copy of the screen, for the recent apps; none of what may not be seen."""
        self.picture()
        if self.secure:
            return None
        return self._composer.snapshot(0.5)

    def keyboard_moves(self) -> None:
        """The keyboard slides in."""

        self._leaving = None

        def step(share: float) -> None:
            self._keyboard_down = 0.0 if share >= 1 else (1 - share) ** 3

        self.ticker.animate("keyboard", KEYBOARD_MS, step)

    def keyboard_leaves(self) -> None:
        """Slides the keyboard out; must be called while it is visible."""
        window = next((w for w in self.scene().windows if w.layer == "keyboard"), None)
        if window is None:
            return
        self._leaving = window.root

        def step(share: float) -> None:
            self._keyboard_down = share * share
            if share >= 1:
                self._leaving = None
                self._keyboard_down = 0.0

        self.ticker.animate("keyboard", KEYBOARD_MS * 0.75, step)

    def press(self, view: View | None) -> None:
        """Shows the pressed state of a view, or of none."""
        if view is self._pressed:
            return
        self._pressed = view
        keys = self._body.typing.keyboard
        held = view is not None and view.cls.endswith("Keyboard$Key")
        keys.pressed = view.key if view is not None and held else ""
        self.ticker.cancel("ripple")
        self._spread = 1.0
        if view is not None and view.ripple is not None:
            self.ticker.animate("ripple", RIPPLE_MS, self._grow)
        else:
            self.changed("press")

    def toast(self, text: str) -> None:
        """Shows a text for two seconds; not where time must not count."""
        self.last_toast = text
        if self._body.deterministic:
            return
        if self._toaster is not None:
            self._toaster.cancel()
        self._toast = text
        self._toaster = self._loop.call_later(TOAST_SECONDS, self._untoast)
        self.changed("toast")

    def _motion(self) -> float:
        return 0.0 if self._body.deterministic else self._body.preferences.motion

    def _grow(self, share: float) -> None:
        self._spread = share

    def _beat(self) -> float:
        """Seconds between the pictures of what moves without end; 0 if nothing does."""
        body = self._body
        return body.front.beat if body.awake and not body.shade.opened else 0.0

    def _beat_on(self) -> None:
        """Has the next picture of an endless motion drawn when it is due."""
        beat = self._beat()
        if beat and self._beater is None and not self._body.deterministic:
            self._beater = self._loop.call_later(beat, self._beaten)

    def _beaten(self) -> None:
        self._beater = None
        if self._beat():
            self.changed("beat")

    def _untoast(self) -> None:
        self._toast = ""
        self.changed("toast")

    def _draw_late(self) -> None:
        self._drawer = None
        if self._dirty:
            self.picture()

    def _hold_cursor(self) -> None:
        self._cursor = True
        self._blinks = 0
        if self._blinker is not None:
            self._blinker.cancel()
            self._blinker = None
        if not self._body.deterministic and self._body.keyboard_shown:
            self._blinker = self._loop.call_later(BLINK_SECONDS, self._blink)

    def _blink(self) -> None:
        self._blinker = None
        self._blinks += 1
        self._cursor = not self._cursor
        if self._blinks < BLINKS:
            self._blinker = self._loop.call_later(BLINK_SECONDS, self._blink)
        self.changed("cursor")

    def _log(self, width: int, height: int, facts: list[dict[str, Any]]) -> None:
        body = self._body
        package, activity = body.front.app.package, body.front.name
        if body.shade.opened:
            package, activity = system.PACKAGE, ".NotificationShade"
        reason, self._reasons = " ".join(self._reasons), []
        body.log(
            "screen",
            package=package,
            activity=activity,
            rotation=body.rotation,
            width=width,
            height=height,
            keyboard=body.keyboard_shown,
            awake=body.awake,
            reason=reason,
            settled=not self.ticker.moving and not self._beat(),
            secure=self.secure,
            elements=facts,
        )
