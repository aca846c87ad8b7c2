"""The demo phone's truth log, read while it grows, and what can be asked of it.

A second opinion on everything the recorder says: which screen a frame of the video shows, which
touches and keys the phone received, which element each of them hit, and which app was in front.
It reads the log alone and shares no code with the phone or the recorder.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Element:
    """Something on a drawn screen; the box is in pixels of the screen as it was turned.

    Attributes:
        id: the phone's own name of it, e.g. "launcher/home/icon-messages".
        node: whether a dump of the window has a node for it.
        window: "app", "keyboard", "dialog" or "system".
    """

    id: str
    class_name: str
    text: str
    description: str
    resource_id: str
    box: tuple[int, int, int, int]
    clickable: bool
    long_clickable: bool
    editable: bool
    scrollable: bool
    node: bool
    window: str

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of its box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def touchable(self) -> bool:
        """Whether a tap or a long press does something to it."""
        return self.clickable or self.long_clickable or self.editable


@dataclass(frozen=True, slots=True)
class Screen:
    """One drawn screen; `secure` is one that may not be seen in pictures."""

    number: int
    t_us: int
    package: str
    activity: str
    rotation: int
    size: tuple[int, int]
    keyboard: bool
    settled: bool
    secure: bool
    elements: tuple[Element, ...]

    def element(self, element_id: str) -> Element | None:
        """The element with this id, or None."""
        return next((one for one in self.elements if one.id == element_id), None)


@dataclass(frozen=True, slots=True)
class SentFrame:
    """One frame of the video, as the phone sent it."""

    pts_us: int
    screen: int
    repeat: bool
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Input:
    """One touch, key half, text or turn of the wheel that the phone received.

    Attributes:
        kind: "touch", "key", "text" or "scroll".
        screen: number of the screen that was drawn last.
        size: of that screen, in pixels.
        foreground: package and activity that were in front when it came.
        facts: the line as it was logged.
        gestures: what the phone concluded from this input, before the next came.
    """

    t_us: int
    kind: str
    action: str
    screen: int
    size: tuple[int, int]
    element: Element | None
    accepted: bool
    foreground: tuple[str, str]
    facts: dict[str, Any]
    gestures: list[str] = field(default_factory=list)

    @property
    def at(self) -> tuple[float, float]:
        """Where it was, in pixels of the screen."""
        return self.facts["x"], self.facts["y"]

    def at_in(self, width: int, height: int) -> tuple[float, float]:
        """Where it was, in pixels of a video of the screen, whose sides are multiples of 8."""
        x, y = self.at
        return x * width / self.size[0], y * height / self.size[1]


class TruthLog:
    """A truth log that may still grow; `read` takes in what is new."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._foregrounds: list[tuple[int, str, str]] = []
        self.screens: dict[int, Screen] = {}
        self.frames: dict[int, SentFrame] = {}
        self.inputs: list[Input] = []
        self.ignored: list[dict[str, Any]] = []
        self.rotations: list[dict[str, Any]] = []
        self.labels: dict[str, str] = {}
        self.newest = 0

    def read(self) -> TruthLog:
        """Takes in the lines that are complete by now; returns itself."""
        with self._path.open("rb") as file:
            file.seek(self._read)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            self._take(json.loads(line))
        return self

    # --- what was shown ------------------------------------------------------------------------
    @property
    def screen(self) -> Screen:
        """The screen that was drawn last."""
        return self.screens[self.newest]

    def screen_of(self, pts_us: int) -> Screen:
        """The screen that a frame of the video shows.

        Raises:
            KeyError: the phone sent no frame of that time.
        """
        return self.screens[self.frames[pts_us].screen]

    def foreground_at(self, t_us: int) -> tuple[str, str]:
        """Package and activity in front at a time of the phone's clock."""
        at = bisect_right(self._foregrounds, t_us, key=lambda seen: seen[0]) - 1
        _, package, activity = self._foregrounds[max(at, 0)]
        return package, activity

    # --- lines ---------------------------------------------------------------------------------
    def _take(self, line: dict[str, Any]) -> None:
        match line["event"]:
            case "screen":
                self.newest = line["screen"]
                self.screens[self.newest] = Screen(
                    self.newest,
                    line["t_us"],
                    line["package"],
                    line["activity"],
                    line["rotation"],
                    (line["width"], line["height"]),
                    line["keyboard"],
                    line["settled"],
                    line["secure"],
                    tuple(_element(fact) for fact in line["elements"]),
                )
            case "frame":
                self.frames[line["pts_us"]] = SentFrame(
                    line["pts_us"], line["screen"], line["repeat"], (line["width"], line["height"])
                )
            case "foreground":
                self._foregrounds.append((line["t_us"], line["package"], line["activity"]))
                self.labels[line["package"]] = line["label"]
            case "input":
                _, package, activity = self._foregrounds[-1]
                found = line["element"]
                self.inputs.append(
                    Input(
                        line["t_us"],
                        line["kind"],
                        line["action"],
                        line["screen"],
                        self.screens[line["screen"]].size,
                        None if found is None else _element(found),
                        line["accepted"],
                        (package, activity),
                        line,
                    )
                )
            case "ignored":
                self.ignored.append(line)
            case "gesture":
                self.inputs[-1].gestures.append(line["kind"])
            case "rotation":
                self.rotations.append(line)


def _element(fact: dict[str, Any]) -> Element:
    left, top, right, bottom = fact["box"]
    return Element(
        fact["id"],
        fact["class"],
        fact["text"],
        fact["desc"],
        fact["resource_id"],
        (left, top, right, bottom),
        fact["clickable"],
        fact["long_clickable"],
        fact["editable"],
        fact["scrollable"],
        fact["node"],
        fact["window"],
    )
