"""What fingers and keys do to the phone: acts on the views, and the system's own gestures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from demophone.apps import system
from demophone.apps.app import Activity
from demophone.apps.navigation import Navigation
from demophone.apps.preferences import StoredSettings
from demophone.apps.screen import PhoneScreen
from demophone.apps.shade import Shade
from demophone.apps.typing import Typing
from demophone.views.keycodes import SHIFT, KeyCode, character
from demophone.views.motion import ScrollPosition
from demophone.views.touch import Fingers
from demophone.views.view import Drag, View

EDGE = 18.0
"""dp at each side where a drag inwards means Back."""
WHEEL_STEP = 64.0
KEY_STEP = 96.0
HELD_SPEED = 260.0
"""dp per second below which a drag from the lower edge means the recent apps, not Home."""


class HandsHost(Protocol):
    """What the hands need of the phone."""

    deterministic: bool

    @property
    def screen(self) -> PhoneScreen: ...
    @property
    def front(self) -> Activity: ...
    @property
    def preferences(self) -> StoredSettings: ...
    @property
    def typing(self) -> Typing: ...
    @property
    def shade(self) -> Shade: ...
    @property
    def awake(self) -> bool: ...
    @property
    def size(self) -> tuple[int, int]: ...
    def now_us(self) -> int: ...
    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle: ...
    def log(self, event: str, **facts: Any) -> None: ...
    def wake(self, on: bool) -> None: ...
    @property
    def navigation(self) -> Navigation: ...
    def close_overlay(self) -> None: ...
    def copy(self, text: str) -> None: ...


class Hands:
    """Fingers and keys on the phone. Positions are in dp."""

    def __init__(self, body: HandsHost) -> None:
        self._body = body
        self.deterministic = body.deterministic
        self.fingers = Fingers(self)

    def now_us(self) -> int:
        """The phone's clock."""
        return self._body.now_us()

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        """Calls back on the loop's thread."""
        return self._body.later(seconds, call)

    def hit(self, x: float, y: float) -> View | None:
        """The innermost view at a point that a finger can do something to."""
        chain = self._body.screen.scene().chain(x, y)
        return next((v for v in reversed(chain) if v.interactive), None)

    def focused_view(self) -> View | None:
        """The view of the field with the cursor."""
        field = self._body.front.focused
        window = self._body.screen.scene().app
        if field is None or window is None or not self._body.awake:
            return None
        return _with_field(window.root, field)

    def wheel(self, x: float, y: float, horizontal: float, vertical: float) -> bool:
        """Turns the wheel. Returns whether something there scrolls."""
        screen = self._body.screen
        for view in reversed(screen.scene().chain(x, y)):
            drag = view.drag
            if isinstance(drag, ScrollPosition) and drag.extent > 0:
                step = -vertical
                if drag.horizontal:
                    step = horizontal or -vertical
                screen.ticker.cancel("fling")
                drag.to(drag.offset + step * WHEEL_STEP)
                return True
        return False

    # --- the fingers' stage ------------------------------------------------------------------
    def chain(self, x: float, y: float) -> list[View]:
        """The views under a point; a fling stops under the finger."""
        self._body.screen.ticker.cancel("fling")
        return self._body.screen.scene().chain(x, y)

    def system_drag(self, x: float, y: float, dx: float, dy: float) -> Drag | None:
        """The system's drags from the edges."""
        scale = self._body.screen.scale
        width, height = (side / scale for side in self._body.size)
        shade = self._body.shade
        if shade.opened:
            up = -dy > abs(dx)
            return system.EdgeDrag(lambda *far: shade.dragged(far[1])) if up else None
        if y < system.STATUS_HEIGHT and dy > abs(dx):
            return system.EdgeDrag(lambda *far: shade.dragged(far[1]))
        if not self._body.preferences.gestures:
            return None
        if y > height - system.GESTURE_HEIGHT and -dy > abs(dx):
            return system.EdgeDrag(self._from_below)
        inwards = (x < EDGE and dx > 0) or (x > width - EDGE and dx < 0)
        return system.EdgeDrag(self._from_side) if inwards and abs(dx) > abs(dy) else None

    def pressed(self, view: View | None) -> None:
        """Shows the pressed state."""
        self._body.screen.press(view)

    def tapped(self, view: View | None, x: float, y: float) -> None:
        """A tap."""
        made = self._body.screen.scene()
        overlay = self._body.front.overlay
        if overlay is not None and overlay.modal and made.modal_overlay and made.modal is not None:
            if view is None and not made.modal.root.children[0].box.contains(x, y):
                self._body.close_overlay()
                if overlay.dismissed is not None:
                    overlay.dismissed()
                return
        elif overlay is not None and not overlay.modal:
            owner = made.owner(view) if view is not None else None
            if owner is None or owner.layer != "dialog":
                self._body.close_overlay()
        if view is None:
            return
        if view.field is not None:
            layout = view.field.layout
            self._body.typing.attend(view.field)
            if layout is not None:
                view.field.move(layout.index_at(view.field.text, x, y))
                self._body.typing.keyboard.capitalise(view.field)
            self._body.screen.changed("cursor moved")
        elif view.tap is not None:
            if made.modal_overlay:
                self._body.close_overlay()
            view.tap()
            self._body.typing.refresh()
            self._body.screen.changed("tap")

    def double_tapped(self, view: View, x: float, y: float) -> None:
        """A second tap soon after the first."""
        if view.double_tap is not None:
            view.double_tap()
            self._body.screen.changed("double tap")
        elif view.field is not None:
            self._choose(view, x, y)

    def long_pressed(self, view: View, x: float, y: float) -> None:
        """A finger that rested."""
        if view.field is not None:
            self._choose(view, x, y)
        elif view.long_press is not None:
            view.long_press()
            self._body.screen.changed("long press")

    def concluded(
        self, kind: str, view: View | None, start: tuple[float, float], end: tuple[float, float]
    ) -> None:
        """Notes a gesture, in pixels."""
        s = self._body.screen.scale
        self._body.log(
            "gesture",
            kind=kind,
            element=self._body.screen.fact(view),
            x=round(start[0] * s, 2),
            y=round(start[1] * s, 2),
            x2=round(end[0] * s, 2),
            y2=round(end[1] * s, 2),
        )

    # --- keys --------------------------------------------------------------------------------
    def takes(self, keycode: int) -> bool:
        """Whether the phone knows a key, in its present state."""
        if not self._body.awake:
            return keycode in (KeyCode.POWER, KeyCode.WAKE)
        known = keycode in KeyCode.__members__.values() or bool(character(keycode, 0))
        return known and keycode != KeyCode.WAKE

    def press(self, keycode: int, meta: int) -> None:
        """A key went down."""
        body = self._body
        match keycode:
            case KeyCode.POWER:
                body.wake(not body.awake)
            case KeyCode.SLEEP:
                body.wake(False)
            case KeyCode.WAKE:
                body.wake(True)
            case KeyCode.HOME:
                body.navigation.go_home()
            case KeyCode.BACK | KeyCode.ESCAPE:
                body.navigation.go_back()
            case KeyCode.RECENTS:
                body.navigation.show_recents()
            case KeyCode.NOTIFICATION:
                body.shade.open()
            case _:
                self._press_in_app(keycode, meta)

    def _press_in_app(self, keycode: int, meta: int) -> None:
        front = self._body.front
        if self._body.shade.opened:
            return
        if front.overlay is not None and front.overlay.modal:
            return
        if keycode == KeyCode.MENU:
            front.menu()
        elif keycode == KeyCode.TAB or (
            keycode in (KeyCode.UP, KeyCode.DOWN) and front.focused is not None
        ):
            self._next_field(back=keycode == KeyCode.UP or bool(meta & SHIFT))
        elif not self._body.typing.key(keycode, meta):
            steps = {
                KeyCode.UP: -1.0,
                KeyCode.DOWN: 1.0,
                KeyCode.PAGE_UP: -5.0,
                KeyCode.PAGE_DOWN: 5.0,
            }
            if keycode in list(steps):
                self._scroll_by(steps[KeyCode(keycode)] * KEY_STEP)

    def _next_field(self, back: bool) -> None:
        window = self._body.screen.scene().app
        fields = [v.field for v in _walk(window.root) if v.field] if window is not None else []
        if not fields:
            return
        focused = self._body.front.focused
        if focused in fields:
            at = (fields.index(focused) + (-1 if back else 1)) % len(fields)
        else:
            at = 0
        self._body.typing.attend(fields[at])

    def _scroll_by(self, step: float) -> None:
        window = self._body.screen.scene().app
        views = _walk(window.root) if window is not None else []
        for view in views:
            if isinstance(view.drag, ScrollPosition) and view.drag.to(view.drag.offset + step):
                return

    # --- parts -------------------------------------------------------------------------------
    def _choose(self, view: View, x: float, y: float) -> None:
        field = view.field
        if field is None:
            return
        layout = field.layout
        self._body.typing.attend(field)
        if layout is not None:
            field.choose_word(layout.index_at(field.text, x, y))
        self._body.typing.offer(view.box)

    def _from_below(self, dx: float, dy: float, vx: float, vy: float) -> None:
        if dy > -40:
            return
        if abs(vy) < HELD_SPEED:
            self._body.navigation.show_recents()
        else:
            self._body.navigation.go_home()

    def _from_side(self, dx: float, dy: float, vx: float, vy: float) -> None:
        if abs(dx) > 40:
            self._body.navigation.go_back()


def _walk(view: View) -> list[View]:
    found = [view]
    for child in view.children:
        found += _walk(child)
    return found


def _with_field(root: View, field: object) -> View | None:
    return next((v for v in _walk(root) if v.field is field), None)
