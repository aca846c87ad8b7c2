"""The windows that make up the screen at one moment: for the eye, the finger and the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from demophone import hierarchy, truth
from demophone.apps import system
from demophone.apps.app import Activity
from demophone.apps.preferences import StoredSettings
from demophone.apps.typing import Typing
from demophone.views.composer import Layer
from demophone.views.geometry import Rect
from demophone.views.parts import Space
from demophone.views.view import View, chain_at

LayerName = Literal["app", "keyboard", "dialog", "system"]


@dataclass(slots=True)
class SceneWindow:
    """One window: its views, and the app that owns it.

    Attributes:
        touchable: False for a toast. Touches reach the window below it, and Android reports only
            touchable windows to accessibility services.
    """

    layer: LayerName
    prefix: str
    package: str
    root: View
    touchable: bool = True


@dataclass(slots=True)
class Scene:
    """All windows, the lowest first.

    Attributes:
        windows: in the order in which they are drawn.
        screen: the screen in dp.
        app: the activity's window.
        modal: the window that takes every touch, if one does.
        modal_overlay: whether that is the front activity's dialog or menu.
    """

    screen: Rect
    windows: list[SceneWindow] = field(default_factory=list)
    app: SceneWindow | None = None
    modal: SceneWindow | None = None
    modal_overlay: bool = False

    def live(self) -> list[SceneWindow]:
        """The windows that a finger can reach, the lowest first."""
        at = 0 if self.modal is None else self.windows.index(self.modal)
        return [window for window in self.windows[at:] if window.touchable]

    def chain(self, x: float, y: float) -> list[View]:
        """The views under a point, of the uppermost window that has something there."""
        for window in reversed(self.live()):
            chain = chain_at(window.root, x, y)
            if chain and (window is self.modal or window.layer == "keyboard"):
                return chain
            if any(v.interactive for v in chain) or (chain and window is self.app):
                return chain
        return []

    def owner(self, view: View) -> SceneWindow | None:
        """The window that a view belongs to, also when both were made anew since."""
        return next((w for w in self.windows if view.path == f"{w.prefix}/{view.key}"), None)

    def name_views(self) -> None:
        """Gives every view with a key its path."""
        for window in self.windows:
            _name(window.root, window.prefix)

    def elements(self, scale: float) -> list[dict[str, Any]]:
        """Everything named that shows and can be reached, for the truth log."""
        return [
            fact
            for window in self.live()
            for fact in truth.elements(
                window.root, self.screen, scale, window.layer, window.prefix, window.package
            )
        ]

    def active(self) -> SceneWindow | None:
        """The window that a dump shows: the dialog or the shade if there is one."""
        return self.modal or self.app

    def tree(self, awake: bool, scale: float, rotation: int, compressed: bool) -> str:
        """The XML of the active window; without a node where the screen is off."""
        window = self.active() if awake else None
        if window is None:
            return hierarchy.empty(rotation)
        root = self._content(window)
        return hierarchy.dump(root, self.screen, scale, rotation, window.package, compressed)

    def trees(self, awake: bool, scale: float, rotation: int, compressed: bool, depth: int) -> str:
        """The XML of all windows that can be reached."""
        live = [(self._content(w), w.package) for w in self.live()] if awake else []
        return hierarchy.dump_windows(live, self.screen, scale, rotation, compressed, depth)

    def _content(self, window: SceneWindow) -> View:
        """A window's views; of a dialog only its plate."""
        plate = window is self.modal and self.modal_overlay
        return window.root.children[0] if plate else window.root


def _name(view: View, prefix: str) -> None:
    if view.key:
        view.path = f"{prefix}/{view.key}"
    for child in view.children:
        _name(child, prefix)


@dataclass(slots=True)
class Setting:
    """What a scene is made from, besides the activity."""

    width: float
    height: float
    scale: float
    preferences: StoredSettings
    time: str
    cursor: bool
    toast: str
    shade: Callable[[Space], View] | None
    press: Callable[[int], None]


def keyboard_shown(front: Activity) -> bool:
    """Whether an activity has the keyboard up."""
    modal = front.overlay is not None and front.overlay.modal
    return front.keyboard and front.focused is not None and not modal


def build(front: Activity, typing: Typing, about: Setting) -> Scene:
    """Makes the windows of the moment."""
    preferences = about.preferences
    palette = front.palettes[1 if preferences.dark else 0]
    strip = system.GESTURE_HEIGHT if preferences.gestures else system.BUTTONS_HEIGHT
    whole = Space(
        about.width,
        about.height,
        system.STATUS_HEIGHT,
        about.height - strip,
        palette,
        about.scale,
        preferences.font_scale,
        about.cursor,
    )
    scene = Scene(Rect(0, 0, about.width, about.height))
    package = front.app.package
    board = None
    s = whole
    if keyboard_shown(front) and front.focused is not None:
        board = typing.keyboard.build(whole, front.focused, typing.words())
        s = _shorter(whole, board.box.y)
    scene.app = SceneWindow("app", front.path, package, front.build(s))
    scene.windows.append(scene.app)
    if board is not None:
        scene.windows.append(SceneWindow("keyboard", "keyboard", KEYBOARD_PACKAGE, board))
    overlay = front.overlay
    if overlay is not None:
        window = SceneWindow("dialog", f"{front.path}/{overlay.name}", package, overlay.build(s))
        scene.windows.append(window)
        if overlay.modal:
            scene.modal, scene.modal_overlay = window, True
    if about.toast:
        toast = system.toast(s, about.toast)
        scene.windows.append(
            SceneWindow("system", "system/toast", system.PACKAGE, toast, touchable=False)
        )
    if about.shade is not None:
        scene.modal = _system("system/shade", about.shade(whole))
        scene.modal_overlay = False
        scene.windows.append(scene.modal)
    _frame(scene, front, whole, about, board is not None)
    scene.name_views()
    return scene


KEYBOARD_PACKAGE = "com.taptrail.demo.keyboard"


def _shorter(s: Space, bottom: float) -> Space:
    return Space(s.width, s.height, s.top, bottom, s.palette, s.scale, s.font_scale, s.cursor)


def _system(prefix: str, root: View) -> SceneWindow:
    return SceneWindow("system", prefix, system.PACKAGE, root)


def _frame(scene: Scene, front: Activity, s: Space, about: Setting, keyboard: bool) -> None:
    bright = front.app.package.endswith(".launcher") and front.path != "launcher/search"
    shaded = about.shade is not None
    tone = "#ffffff" if bright and not shaded else s.palette.text
    wifi = about.preferences.get("global", "wifi_on") == "1"
    scene.windows.append(_system("system/status", system.status_bar(s, about.time, tone, wifi)))
    if about.preferences.gestures:
        scene.windows.append(_system("system/navigation", system.gesture_pill(s, tone)))
    else:
        fill = "" if bright or keyboard or shaded else s.palette.background
        bar = system.navigation_buttons(s, tone, fill, about.press)
        scene.windows.append(_system("system/navigation", bar))


def layers(scene: Scene, keyboard_down: float, leaving: View | None) -> list[Layer]:
    """What is drawn; the keyboard, or one that is leaving, some share of its height lower."""
    made = [
        Layer(w.root, keyboard_down * w.root.box.h if w.layer == "keyboard" else 0.0)
        for w in scene.windows
    ]
    if leaving is not None:
        made.insert(1, Layer(leaving, keyboard_down * leaving.box.h))
    return made
