"""What the wire side of the demo phone may ask of the phone behind it.

The phone is drawn and moved by `demophone.phone`; adbd, the shell and the scrcpy server only
know this protocol. Everything here is called on the one thread that runs the phone's event
loop; nothing blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Source = Literal["scrcpy", "shell", "glass"]


class TouchAction(Enum):
    """Android's motion actions, with their numbers on the wire."""

    DOWN = 0
    UP = 1
    MOVE = 2
    CANCEL = 3


@dataclass(frozen=True, slots=True)
class DrawnScreen:
    """One drawn screen.

    Attributes:
        pixels: `(height, width, 4) uint8`, BGRA, in the present rotation; not to be written to.
        time_us: the phone's monotonic clock when it was drawn; the video's PTS.
        screen: number of the drawn screen, as in the truth log.
    """

    pixels: NDArray[np.uint8]
    time_us: int
    screen: int


class DemoDevice(Protocol):
    """The phone as adbd, the shell and the scrcpy server see it."""

    seed: int
    faults: frozenset[str]

    # --- clock -------------------------------------------------------------------------------
    def now_us(self) -> int:
        """Microseconds of the phone's monotonic clock (CLOCK_MONOTONIC)."""

    def wall(self) -> datetime:
        """The clock that people and apps see, in the phone's local time."""

    def set_wall(self, moment: datetime) -> None:
        """Sets that clock."""

    def random(self, purpose: str) -> float:
        """The next seeded number in 0..1 of the sequence named `purpose`."""

    # --- screen ------------------------------------------------------------------------------
    @property
    def size(self) -> tuple[int, int]:
        """Width and height in the present rotation, in pixels."""

    @property
    def natural_size(self) -> tuple[int, int]:
        """Width and height with rotation 0."""

    @property
    def density(self) -> int:
        """Dots per inch; 160 means one pixel a dp."""

    @property
    def rotation(self) -> int:
        """Quarter turns, 0 to 3, as in Surface.ROTATION_*."""

    @property
    def awake(self) -> bool:
        """Whether the screen is on."""

    @property
    def secure(self) -> bool:
        """Whether the app in front keeps its screen out of pictures: those are black then."""

    def picture(self) -> DrawnScreen:
        """The screen as it is now; drawn again only when something changed."""

    def on_damage(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback` whenever a new picture would differ. Returns what ends that."""

    def rotate(self) -> None:
        """Turns the phone by a quarter: portrait and landscape in turn."""

    def set_rotation(self, rotation: int) -> None:
        """Turns the phone to `rotation` quarter turns."""

    def resize(self, natural: tuple[int, int]) -> None:
        """Gives the screen another size with rotation 0."""

    def wake(self, on: bool) -> None:
        """Turns the screen on or off."""

    # --- input -------------------------------------------------------------------------------
    def touch(
        self, action: TouchAction, pointer: int, x: float, y: float, pressure: float, source: Source
    ) -> None:
        """One finger position, in pixels of the present rotation. Logged in the truth log."""

    def scroll(self, x: float, y: float, horizontal: float, vertical: float) -> None:
        """A mouse wheel at (x, y); positive vertical scrolls the content down."""

    def key(self, keycode: int, down: bool, meta: int, source: Source) -> None:
        """One half of a key press; `keycode` is Android's (3 Home, 4 Back, 66 Enter, ...)."""

    def text(self, text: str, source: Source) -> None:
        """Text typed into the focused field, if there is one."""

    def expand(self, panel: Literal["notifications", "settings"] | None) -> None:
        """Opens a panel from the top, or closes it (None)."""

    # --- clipboard ---------------------------------------------------------------------------
    @property
    def clipboard(self) -> str:
        """The clipboard's text."""

    def set_clipboard(self, text: str, paste: bool = False) -> None:
        """Sets the clipboard, and pastes it into the focused field when asked."""

    def on_clipboard(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Calls `callback` when the phone itself changes the clipboard. Returns what ends that."""

    # --- what runs ---------------------------------------------------------------------------
    @property
    def foreground(self) -> tuple[str, str]:
        """Package and activity in front, e.g. ("com.android.contacts", ".EditorActivity")."""

    @property
    def packages(self) -> Mapping[str, str]:
        """Installed packages and their version names."""

    def start_app(self, package: str, activity: str | None = None, fresh: bool = False) -> bool:
        """Brings an app to the front. Returns whether there is such an app."""

    def stop_app(self, package: str) -> None:
        """Force-stops an app; the launcher shows if it was in front."""

    def clear_app(self, package: str) -> None:
        """Stops an app and puts its data back to how it was shipped."""

    def app_label(self, package: str) -> str:
        """The app's label; the package if it has none."""

    @property
    def tasks(self) -> Sequence[tuple[str, str]]:
        """Package and activity of the recent tasks, newest first."""

    @property
    def keyboard_shown(self) -> bool:
        """Whether the soft keyboard is up."""

    def setting(self, namespace: str, key: str) -> str | None:
        """A value of `settings get`; None if it is not set."""

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        """Changes a setting; the screen follows those it knows (dark theme, font scale, ...)."""

    # --- accessibility -----------------------------------------------------------------------
    def hierarchy(self, compressed: bool = False) -> str:
        """The XML of `uiautomator dump` for the screen as it is now."""

    def window_hierarchy(self, compressed: bool = False, depth: int = 50) -> str:
        """The XML of all windows, as the resident server of uiautomator2 gives it."""

    @property
    def last_toast(self) -> str:
        """The text of the newest toast; "" if there was none."""

    def clear_last_toast(self) -> None:
        """Forgets it."""

    def idle_for_us(self) -> int:
        """How long nothing on the screen has changed."""

    # --- truth -------------------------------------------------------------------------------
    def log(self, event: str, **facts: Any) -> None:
        """Adds a line to the truth log, with the device time and the number of the screen."""
