"""Screens of the demo phone's apps: the phone walks through them, and tells its elements."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from episodes.geometry import Box
from tests.annotator.screens.values import Element, Screen
from tests.demophone.drawn import Drawn, HandLoop, middle

APPS = (
    "calendar",
    "clock",
    "contacts",
    "phone",
    "messages",
    "notes",
    "reader",
    "settings",
    "shop",
)
FITTED = ("calendar", "phone", "notes", "settings")
"""Apps that the ranking may have seen; the others are what it is measured on."""
UNSEEN = tuple(app for app in APPS if app not in FITTED)
SMALLEST = 8
"""Elements with a shorter side in pixels are only just coming in at an edge of the screen."""


def phone_screens(
    folder: Path, apps: tuple[str, ...], dark: bool, each: int = 6, seed: int = 1
) -> list[Screen]:
    """Returns up to `each` different screens of each app, reached by presses that a seed chooses.

    Needs a QGuiApplication.
    """
    loop = HandLoop()
    try:
        drawn = Drawn(folder, loop)
        if dark:
            drawn.phone.put_setting("secure", "ui_night_mode", "2")
        return [screen for app in apps for screen in _walk(drawn, app, dark, each, seed)]
    finally:
        loop.close()


def _walk(drawn: Drawn, app: str, dark: bool, each: int, seed: int) -> list[Screen]:
    chance = np.random.default_rng([seed, *(ord(c) for c in app)])
    package = f"com.taptrail.demo.{app}"
    found: dict[bytes, Screen] = {}
    for _ in range(4 * each):
        if drawn.phone.foreground[0] != package:
            assert drawn.phone.start_app(package, fresh=True)
            drawn.loop.advance(0.5)
        screen, names = _seen(drawn, app, dark)
        if names:
            found.setdefault(screen.tree, screen)
            drawn.tap_at(*middle(names[int(chance.integers(len(names)))]))
        else:
            drawn.press(4)
        if len(found) == each:
            break
    return list(found.values())


def _seen(drawn: Drawn, app: str, dark: bool) -> tuple[Screen, list[dict]]:
    bgra = drawn.phone.picture().pixels
    elements = drawn.elements().values()
    taking = [
        one
        for one in elements
        if (one["clickable"] or one["long_clickable"])
        and min(one["box"][2] - one["box"][0], one["box"][3] - one["box"][1]) > SMALLEST
    ]
    whole = bgra.shape[0] * bgra.shape[1] * 0.8
    boxes = [Box(*map(float, one["box"])) for one in taking]
    kept = tuple(
        Element(box, one["class"].rpartition(".")[2])
        for box, one in zip(boxes, taking, strict=True)
        if box.area < whole
    )
    pixels = cv2.cvtColor(bgra, cv2.COLOR_BGRA2RGB)
    tree = drawn.phone.hierarchy().encode()
    screen = Screen(f"demo {app}", pixels, drawn.phone.density / 160, kept, dark, tree)
    return screen, [one for one in taking if one["node"]] if kept else []
