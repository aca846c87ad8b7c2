"""A phone of one flat colour, for tests of the wire: the colour changes with every touch.

`python -m tests.demophone.flat_phone` takes the same arguments as the real one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import numpy as np

from demophone.__main__ import run
from demophone.device import DrawnScreen, Source, TouchAction
from demophone.filesystem import FileSystem

LAUNCHER = ("com.android.launcher3", ".Launcher")
# Blue, green, red of each screen in turn.
COLOURS = ((200, 40, 40), (40, 200, 40), (40, 40, 200), (180, 180, 40), (120, 120, 120))
PACKAGES = {
    "com.android.contacts": "14.2.1",
    "com.android.launcher3": "14",
    "com.android.settings": "14",
    "org.example.notes": "1.2.3",
}


class FlatPhone:
    """The `Device` protocol without anything drawn.

    Attributes:
        calls: what was asked of the phone, in order.
    """

    def __init__(
        self,
        size: tuple[int, int] = (320, 640),
        truth: TextIO | None = None,
        faults: frozenset[str] = frozenset(),
        seed: int = 1,
        density: int = 160,
    ) -> None:
        self.seed = seed
        self.faults = faults
        self.density = density
        self.natural_size = size
        self.rotation = 0
        self.awake = True
        self.secure = False
        self.clipboard = ""
        self.last_toast = ""
        self.foreground = LAUNCHER
        self.packages: Mapping[str, str] = PACKAGES
        self.keyboard_shown = False
        self.calls: list[tuple[Any, ...]] = []
        self._truth = truth
        self._settings: dict[tuple[str, str], str] = {}
        self._screen = 0
        self._picture: DrawnScreen | None = None
        self._damage: list[Callable[[], None]] = []
        self._clip_watchers: list[Callable[[str], None]] = []
        self._random = random.Random(seed)
        self._changed_us = self.now_us()

    def now_us(self) -> int:
        return time.monotonic_ns() // 1000

    def wall(self) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None)

    def set_wall(self, moment: datetime) -> None:
        self.log("clock", to=moment.isoformat())

    def random(self, purpose: str) -> float:
        return self._random.random()

    @property
    def size(self) -> tuple[int, int]:
        width, height = self.natural_size
        return (height, width) if self.rotation % 2 else (width, height)

    def picture(self) -> DrawnScreen:
        if self._picture is None:
            width, height = self.size
            pixels = np.full((height, width, 4), 255, np.uint8)
            pixels[:, :, :3] = COLOURS[self._screen % len(COLOURS)] if self.awake else (0, 0, 0)
            self._screen += 1
            self._picture = DrawnScreen(pixels, self.now_us(), self._screen)
            self.log("screen", number=self._screen)
        return self._picture

    def _change(self) -> None:
        self._picture = None
        self._changed_us = self.now_us()
        for callback in list(self._damage):
            callback()

    def on_damage(self, callback: Callable[[], None]) -> Callable[[], None]:
        self._damage.append(callback)
        return lambda: self._damage.remove(callback)

    def rotate(self) -> None:
        self.set_rotation(0 if self.rotation else 1)

    def set_rotation(self, rotation: int) -> None:
        self.rotation = rotation
        self._change()

    def resize(self, natural: tuple[int, int]) -> None:
        """Its size is fixed."""

    def wake(self, on: bool) -> None:
        if on != self.awake:
            self.awake = on
            self._change()

    def _call(self, *what: Any) -> None:
        self.calls.append(what)
        self.log("call", what=list(what))

    def touch(
        self, action: TouchAction, pointer: int, x: float, y: float, pressure: float, source: Source
    ) -> None:
        self._call("touch", action.name, pointer, x, y, round(pressure, 4), source)
        if action is TouchAction.DOWN:
            self._change()

    def scroll(self, x: float, y: float, horizontal: float, vertical: float) -> None:
        self._call("scroll", x, y, horizontal, vertical)

    def key(self, keycode: int, down: bool, meta: int, source: Source) -> None:
        self._call("key", keycode, down, meta, source)
        if keycode in (26, 223, 224) and down:
            self.wake(keycode == 224 or (keycode == 26 and not self.awake))

    def text(self, text: str, source: Source) -> None:
        self._call("text", text, source)

    def expand(self, panel: Literal["notifications", "settings"] | None) -> None:
        self._call("expand", panel)

    def clear_last_toast(self) -> None:
        self.last_toast = ""

    def set_clipboard(self, text: str, paste: bool = False) -> None:
        self.clipboard = text
        self._call("set_clipboard", text, paste)

    def copy(self, text: str) -> None:
        """The phone's user copies something."""
        self.clipboard = text
        for callback in list(self._clip_watchers):
            callback(text)

    def on_clipboard(self, callback: Callable[[str], None]) -> Callable[[], None]:
        self._clip_watchers.append(callback)
        return lambda: self._clip_watchers.remove(callback)

    def start_app(self, package: str, activity: str | None = None, fresh: bool = False) -> bool:
        self._call("start_app", package, activity, fresh)
        if package in self.packages:
            self.foreground = (package, activity or ".MainActivity")
        return package in self.packages

    def stop_app(self, package: str) -> None:
        self._call("stop_app", package)
        if self.foreground[0] == package:
            self.foreground = LAUNCHER

    def clear_app(self, package: str) -> None:
        self._call("clear_app", package)

    def app_label(self, package: str) -> str:
        return package.rpartition(".")[2].capitalize()

    @property
    def tasks(self) -> Sequence[tuple[str, str]]:
        return [self.foreground, LAUNCHER]

    def setting(self, namespace: str, key: str) -> str | None:
        return self._settings.get((namespace, key))

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        self._settings[namespace, key] = value

    def hierarchy(self, compressed: bool = False) -> str:
        width, height = self.size
        return (
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
            f'<hierarchy rotation="{self.rotation}"><node index="0" text="flat" '
            f'package="{self.foreground[0]}" bounds="[0,0][{width},{height}]" /></hierarchy>'
        )

    def window_hierarchy(self, compressed: bool = False, depth: int = 50) -> str:
        return self.hierarchy(compressed)

    def idle_for_us(self) -> int:
        return self.now_us() - self._changed_us

    def log(self, event: str, **facts: Any) -> None:
        if self._truth is not None:
            line = {"event": event, "t_us": self.now_us(), "screen": self._screen, **facts}
            self._truth.write(json.dumps(line) + "\n")
            self._truth.flush()


def make(
    options: argparse.Namespace,
    files: FileSystem,
    truth: TextIO | None,
    loop: asyncio.AbstractEventLoop,
) -> FlatPhone:
    return FlatPhone(options.size, truth, options.faults, options.seed, options.density)


if __name__ == "__main__":
    sys.exit(run(make))
