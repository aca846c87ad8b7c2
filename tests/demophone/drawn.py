"""The drawn phone under a test's hands: its clock is the test's, its log is at hand.

    make_drawn = drawn.make_drawn

    def test_it(make_drawn: MakeDrawn) -> None:
        drawn = make_drawn()
        drawn.tap("icon-contacts")

Nothing here goes over a wire; `phones.py` has that.
"""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from demophone.device import TouchAction
from demophone.phone import Phone


class HandLoop(asyncio.SelectorEventLoop):
    """An event loop whose time goes on only when a test says so."""

    def __init__(self) -> None:
        self._present = 1000.0
        super().__init__()

    def time(self) -> float:
        return self._present

    def advance(self, seconds: float) -> None:
        """Lets time pass, with every timer that ends in it."""
        end = self._present + seconds
        while True:
            waiting = [h for h in self._scheduled if not h.cancelled()]
            first = min((h.when() for h in waiting), default=end + 1)
            if first > end:
                break
            self._present = max(self._present, first)
            self.call_soon(self.stop)
            self.run_forever()
        self._present = end

    @property
    def timers(self) -> int:
        """How many timers are set."""
        return sum(not h.cancelled() for h in self._scheduled)


class Files:
    """A folder as the phone's file system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def host(self, path: str) -> Path:
        return self.folder / path.lstrip("/")


class TimedPhone(Phone):
    """A phone with the loop's clock."""

    def now_us(self) -> int:
        return round(self._loop.time() * 1e6)


class Drawn:
    """A phone, and what a test does with it."""

    def __init__(self, folder: Path, loop: HandLoop, **wishes: Any) -> None:
        self.loop = loop
        self.folder = folder
        self._log = io.StringIO()
        settings: dict[str, Any] = {
            "size": (540, 1200),
            "density": 210,
            "seed": 7,
            "deterministic": True,
            **wishes,
        }
        self.phone = TimedPhone(files=Files(folder), truth=self._log, loop=loop, **settings)

    # --- what it says ------------------------------------------------------------------------
    def log(self, event: str | None = None) -> list[dict[str, Any]]:
        """The lines of the truth log so far, of one event if named."""
        lines = [json.loads(line) for line in self._log.getvalue().splitlines()]
        return [line for line in lines if event is None or line["event"] == event]

    def elements(self) -> dict[str, dict[str, Any]]:
        """What the last screen showed, by id."""
        self.phone.picture()
        return {e["id"]: e for e in self.log("screen")[-1]["elements"]}

    def element(self, name: str) -> dict[str, Any]:
        """The one element whose id is this, or ends in it."""
        every = self.elements()
        found = [e for key, e in every.items() if key == name or key.endswith(f"/{name}")]
        assert len(found) == 1, f"{name}: {[e['id'] for e in found]} in {list(every)}"
        return found[0]

    def with_text(self, text: str) -> dict[str, Any]:
        """The one element with this text."""
        found = [e for e in self.elements().values() if e["text"] == text]
        assert len(found) == 1, f"{text}: {[e['id'] for e in found]}"
        return found[0]

    def rows(self, path: str, query: str) -> list[tuple[Any, ...]]:
        """Rows of one of the apps' databases."""
        with closing(sqlite3.connect(self.folder / path.lstrip("/"))) as db:
            return db.execute(query).fetchall()

    def rows_changed(self, path: str, statement: str) -> None:
        """Changes one of the apps' databases from outside."""
        with closing(sqlite3.connect(self.folder / path.lstrip("/"))) as db, db:
            db.execute(statement)

    # --- what is done to it ------------------------------------------------------------------
    def touch(self, action: TouchAction, x: float, y: float, pointer: int = 0) -> None:
        self.phone.touch(action, pointer, x, y, 1.0, "scrcpy")

    def tap_at(self, x: float, y: float) -> None:
        self.touch(TouchAction.DOWN, x, y)
        self.loop.advance(0.05)
        self.touch(TouchAction.UP, x, y)
        self.loop.advance(0.4)

    def tap(self, name: str) -> None:
        """Taps the middle of an element."""
        self.tap_at(*middle(self.element(name)))

    def tap_text(self, text: str) -> None:
        """Taps the middle of the element with a text."""
        self.tap_at(*middle(self.with_text(text)))

    def hold(self, name: str, seconds: float = 0.6) -> None:
        """Presses an element for a while."""
        self.hold_at(*middle(self.element(name)), seconds)

    def hold_at(self, x: float, y: float, seconds: float = 0.6) -> None:
        self.touch(TouchAction.DOWN, x, y)
        self.loop.advance(seconds)
        self.touch(TouchAction.UP, x, y)
        self.loop.advance(0.4)

    def swipe(
        self, x: float, y: float, x2: float, y2: float, seconds: float = 0.2, steps: int = 12
    ) -> None:
        """Draws a finger over the glass."""
        self.touch(TouchAction.DOWN, x, y)
        for i in range(1, steps + 1):
            self.loop.advance(seconds / steps)
            self.touch(TouchAction.MOVE, x + (x2 - x) * i / steps, y + (y2 - y) * i / steps)
        self.touch(TouchAction.UP, x2, y2)

    def press(self, keycode: int, meta: int = 0) -> None:
        """Presses a key."""
        self.phone.key(keycode, True, meta, "scrcpy")
        self.phone.key(keycode, False, meta, "scrcpy")
        self.loop.advance(0.4)

    def write(self, text: str) -> None:
        """Types on the soft keyboard, key by key."""
        for character in text:
            if character.isupper() and "shift" in self._keys():
                if self.phone.typing.keyboard.shift == "off":
                    self.tap("keyboard/shift")
            elif self.phone.typing.keyboard.shift == "once" and character.isalpha():
                self.tap("keyboard/shift")
                self.tap("keyboard/shift")
            name = "space" if character == " " else f"key-{character.lower()}"
            self.tap(f"keyboard/{name}")

    def _keys(self) -> set[str]:
        return {key.split("/")[-1] for key in self.elements() if key.startswith("keyboard/")}


def middle(element: dict[str, Any]) -> tuple[float, float]:
    """The middle of an element's box."""
    left, top, right, bottom = element["box"]
    return (left + right) / 2, (top + bottom) / 2


MakeDrawn = Callable[..., Drawn]


@pytest.fixture
def make_drawn(qapp: object, tmp_path: Path) -> Iterator[MakeDrawn]:
    """Makes drawn phones, each in a folder of its own."""
    loops: list[HandLoop] = []

    def make(folder: str = "phone", **wishes: Any) -> Drawn:
        loops.append(HandLoop())
        return Drawn(tmp_path / folder, loops[-1], **wishes)

    yield make
    for loop in loops:
        loop.close()
