"""A hand with a mouse and a keyboard that walks through the demo phone, chosen by a seed.

It aims at what the truth log says is on the frame that the window has painted, and keeps a list
of all it did, in the words in which steps are checked later.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from fnmatch import fnmatchcase
from time import monotonic_ns

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from episodes.actions import Ending, Finish, Key
from episodes.geometry import Direction, Point
from tests.e2e.bench import Bench, Painted
from tests.e2e.truth import Element, Screen, TruthLog

HASTE_MS = (70, 140)
TOAST_MS = 2_000  # as long as the demo phone shows a toast
STILL_US = 90_000  # the phone draws what has changed within 50 ms
LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
CODES = {Key.BACK: 4, Key.HOME: 3, Key.RECENTS: 187, Key.ENTER: 66, Key.DELETE: 67, Key.TAB: 61}


class Pace(Enum):
    """When the hand acts."""

    NOW = auto()  # as fast as a hand can, whatever moves
    SETTLED = auto()  # once the window shows a screen on which nothing moves
    CALM = auto()  # once its tree has been asked for, too


@dataclass(frozen=True, slots=True)
class Sent:
    """One input the phone must have received.

    Attributes:
        at: in pixels of the frame; None for keys and text.
    """

    kind: str
    action: str
    at: Point | None = None
    pointer: int | None = None
    detail: object = None


@dataclass(slots=True)
class Done:
    """One thing the hand did.

    Attributes:
        kind: as `episodes.actions.kind` names the step it must become.
        painted: what was on the window when it began.
        target: what it aimed at; None for a mere place, or where the aim may have moved.
        detail: direction, text, key or scale.
    """

    kind: str
    pace: Pace
    painted: Painted
    target: Element | None = None
    detail: object = None
    sent: list[Sent] = field(default_factory=list)
    ended_ns: int = 0


class Walker:
    """Acts on the bench's mirror."""

    def __init__(self, bench: Bench, truth: TruthLog, seed: int) -> None:
        self.bench = bench
        self.truth = truth
        self.random = random.Random(seed)
        self.done: list[Done] = []

    # --- where and when ------------------------------------------------------------------------
    def seen(self) -> Screen:
        """The screen that the window shows."""
        frame = self.bench.view.painted()
        assert frame is not None
        return self.truth.read().screen_of(frame.pts_us)

    def settle(self, where: Callable[[Screen], bool] = lambda screen: True) -> Screen:
        """Waits until the window shows the phone's newest screen, nothing moves, and it fits."""
        found: list[Screen] = []

        made = sum(len(one.sent) for one in self.done)

        def settled() -> bool:
            screen = self.seen()
            if len(self.truth.inputs) < made:
                return False
            last = max(screen.t_us, *(one.t_us for one in self.truth.inputs[-1:]), 0)
            still = screen.number == self.truth.newest and screen.settled
            if still and monotonic_ns() // 1000 - last > STILL_US and where(screen):
                found.append(screen)
            return bool(found)

        try:
            self.bench.until(settled)
        except Exception as error:
            screen = self.seen()
            ids = " ".join(one.id for one in screen.elements)
            raise AssertionError(
                f"after {len(self.done)} actions the window shows {screen.activity} "
                f"({screen.number} of {self.truth.newest}, settled {screen.settled}): {ids}"
            ) from error
        return found[-1]

    def finish(self) -> str:
        """Claims that the task is complete, once the screen changes no more by itself.

        Returns:
            the episode.
        """
        self.bench.pause(TOAST_MS)
        self.settle()
        episode = self.bench.session.episode
        self.bench.finish()
        painted = self.bench.watcher.seen[-1]
        self.done.append(Done("finish", Pace.SETTLED, painted, detail=Finish(Ending.COMPLETE)))
        return episode

    def wait(self, pace: Pace, where: Callable[[Screen], bool] = lambda screen: True) -> None:
        """Waits as long as a pace says."""
        if pace is Pace.NOW:
            self.bench.pause(self.random.randint(*HASTE_MS))
        else:
            self.settle(where)
        if pace is Pace.CALM:
            self.bench.wait_for_tree()
            self.settle(where)

    def find(self, pattern: str, pace: Pace) -> Element | None:
        """Something on the painted screen by the pattern of its id, chosen by the seed.

        Waits for it unless the pace is NOW; then there may be none.
        """

        def fits(screen: Screen) -> bool:
            return any(fnmatchcase(one.id, pattern) and _large(one) for one in screen.elements)

        self.wait(pace, fits)
        screen = self.seen()
        found = [one for one in screen.elements if fnmatchcase(one.id, pattern) and _large(one)]
        return self.random.choice(found) if found else None

    def place(self, point: tuple[float, float]) -> QPoint:
        """A pixel of the window over a place of the frame."""
        fit = self.bench.view.fit()
        assert fit is not None
        at = fit.to_window(Point(*point))
        low, high = fit.rect.topLeft(), fit.rect.bottomRight()
        return QPoint(
            round(min(max(at.x(), low.x() + 2), high.x() - 3)),
            round(min(max(at.y(), low.y() + 2), high.y() - 3)),
        )

    def _aim(self, element: Element | None) -> tuple[float, float]:
        if element is None:
            size = self.seen().size
            return size[0] * self.random.uniform(0.2, 0.8), size[1] * self.random.uniform(0.3, 0.7)
        left, top, right, bottom = element.box
        return (
            left + (right - left) * self.random.uniform(0.35, 0.65),
            top + (bottom - top) * self.random.uniform(0.4, 0.6),
        )

    # --- the mouse -----------------------------------------------------------------------------
    def tap(self, pattern: str, pace: Pace = Pace.SETTLED) -> None:
        """One click."""
        element = self.find(pattern, pace)
        at = self.place(self._aim(element))
        done = self._press("tap", pace, at, element)
        self.bench.pause(self.random.randint(40, 90))
        self._release(done, at)

    def double_tap(self, pattern: str, pace: Pace = Pace.SETTLED) -> None:
        """A double click, as Qt delivers one."""
        element = self.find(pattern, pace)
        at = self.place(self._aim(element))
        done = self._press("double_tap", pace, at, element)
        self.bench.pause(50)
        self._release(done, at)
        self.bench.pause(80)
        view = self.bench.view
        again = QMouseEvent(
            QEvent.Type.MouseButtonDblClick,
            QPointF(at),
            QPointF(view.mapToGlobal(at)),
            LEFT,
            LEFT,
            PLAIN,
        )
        QApplication.sendEvent(view, again)
        done.sent.append(self._touch("down", at, done.painted, again=True))
        self.bench.pause(50)
        self._release(done, at, again=True)

    def long_press(self, pattern: str, pace: Pace = Pace.SETTLED) -> None:
        """A button held still."""
        element = self.find(pattern, pace)
        at = self.place(self._aim(element))
        done = self._press("long_press", pace, at, element)
        self.bench.pause(620)
        self._release(done, at)

    def swipe(
        self,
        direction: Direction,
        pattern: str = "",
        pace: Pace = Pace.SETTLED,
        share: float = 0.4,
        milliseconds: int = 160,
    ) -> None:
        """A drag over the middle of something, or of the screen."""
        element = self.find(pattern, pace) if pattern else None
        if not pattern:
            self.wait(pace)
        width, height = self.seen().size
        x, y = element.centre if element is not None else (width / 2, height / 2)
        far = share * (width if direction in (Direction.LEFT, Direction.RIGHT) else height) / 2
        dx, dy = {
            Direction.LEFT: (-far, 0.0),
            Direction.RIGHT: (far, 0.0),
            Direction.UP: (0.0, -far),
            Direction.DOWN: (0.0, far),
        }[direction]
        slant = self.random.uniform(-6, 6)
        start = self.place((x - dx, y - dy))
        end = self.place((x + dx + (slant if not dx else 0), y + dy + (slant if not dy else 0)))
        done = self._press("swipe", pace, start, None, detail=direction)
        self._glide(done, start, end, milliseconds)
        self._release(done, end)

    def pinch(self, pattern: str, apart: bool, pace: Pace = Pace.SETTLED) -> None:
        """A drag with Control held: the second finger is across the middle of the screen."""
        element = self.find(pattern, pace)
        width, height = self.seen().size
        near = (width * 0.42, height * 0.44)
        away = (width * 0.30, height * 0.34)
        start, end = map(self.place, (near, away) if apart else (away, near))
        done = self._press("pinch", pace, start, element, fingers=2, detail=apart)
        self._glide(done, start, end, 200, fingers=2)
        self._release(done, end, fingers=2)

    def wheel(self, direction: Direction, pattern: str = "", pace: Pace = Pace.SETTLED) -> None:
        """Three notches; the direction is the finger's."""
        element = self.find(pattern, pace) if pattern else None
        if not pattern:
            self.wait(pace)
        at = self.place(self._aim(element))
        across, down = {
            Direction.UP: (0, -1),
            Direction.DOWN: (0, 1),
            Direction.LEFT: (1, 0),
            Direction.RIGHT: (-1, 0),
        }[direction]
        done: Done | None = None
        for _ in range(3):
            self._turn(at, across, down)
            if done is None:
                done = self._note("scroll", pace, element, detail=direction)
            done.sent.append(
                Sent("scroll", "scroll", self._mapped(at, done.painted), None, (across, down))
            )
            self.bench.pause(40)
        assert done is not None
        done.ended_ns = monotonic_ns()

    def _turn(self, at: QPoint, across: int, down: int) -> None:
        view = self.bench.view
        event = QWheelEvent(
            QPointF(at),
            QPointF(view.mapToGlobal(at)),
            QPoint(),
            QPoint(across * 120, down * 120),
            Qt.MouseButton.NoButton,
            PLAIN,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(view, event)

    # --- keys ----------------------------------------------------------------------------------
    def type(self, text: str, pace: Pace = Pace.SETTLED, gap_ms: int = 45) -> None:
        """Types on the computer's keyboard, and waits until that is a step."""
        self.wait(pace, lambda screen: screen.keyboard)
        done: Done | None = None
        for character in text:
            QTest.keyClicks(self.bench.view, character)
            if done is None:
                done = self._note("type_text", pace, None, detail=text)
            done.sent.append(Sent("text", "text", detail=character))
            done.ended_ns = monotonic_ns()
            self.bench.pause(gap_ms)

    def key(self, key: Key, pace: Pace = Pace.SETTLED, how: str = "button") -> None:
        """Presses a key of the phone: with a button of the window, the keyboard or the mouse."""
        self.wait(pace)
        view = self.bench.view
        if how == "button":
            self.bench.click(_BUTTONS[key])
        elif how == "mouse":
            buttons = {Key.BACK: Qt.MouseButton.RightButton, Key.HOME: Qt.MouseButton.MiddleButton}
            at = self.place(self._aim(None))
            QTest.mouseClick(view, buttons[key], PLAIN, at)
        else:
            QTest.keyClick(view, _KEYS[key], _MODIFIERS.get(key, PLAIN))
        done = self._note("press_key", pace, None, detail=key)
        done.sent = [Sent("key", half, detail=CODES[key]) for half in ("down", "up")]
        done.ended_ns = monotonic_ns()

    # --- inside --------------------------------------------------------------------------------
    def _note(self, kind: str, pace: Pace, target: Element | None, detail: object = None) -> Done:
        done = Done(kind, pace, self.bench.watcher.seen[-1], target, detail)
        self.done.append(done)
        return done

    def _press(
        self,
        kind: str,
        pace: Pace,
        at: QPoint,
        element: Element | None,
        fingers: int = 1,
        detail: object = None,
    ) -> Done:
        QTest.mousePress(self.bench.view, LEFT, CONTROL if fingers == 2 else PLAIN, at)
        done = self._note(kind, pace, element, detail)
        self._add(done, "down", at, fingers)
        return done

    def _release(self, done: Done, at: QPoint, fingers: int = 1, again: bool = False) -> None:
        QTest.mouseRelease(self.bench.view, LEFT, PLAIN, at)
        self._add(done, "up", at, fingers, again)
        done.ended_ns = monotonic_ns()

    def _glide(
        self, done: Done, start: QPoint, end: QPoint, milliseconds: int, fingers: int = 1
    ) -> None:
        moves = max(5, milliseconds // 20)
        for number in range(1, moves + 1):
            self.bench.pause(milliseconds // moves)
            at = start + (end - start) * number / moves
            QTest.mouseMove(self.bench.view, at)
            self._add(done, "move", at, fingers)

    def _add(self, done: Done, action: str, at: QPoint, fingers: int, again: bool = False) -> None:
        done.sent.append(self._touch(action, at, done.painted, again=again))
        if fingers == 2:
            point = done.sent[-1].at
            assert point is not None
            size = done.painted.size
            across = Point(
                min(max(size.width - point.x, 0.0), size.width - 1.0),
                min(max(size.height - point.y, 0.0), size.height - 1.0),
            )
            done.sent.append(Sent("touch", action, across, 1))

    def _touch(self, action: str, at: QPoint, painted: Painted, again: bool = False) -> Sent:
        # The second press of a double click lies on what is painted then.
        seen = self.bench.watcher.seen[-1] if again else painted
        return Sent("touch", action, self._mapped(at, seen), 0)

    def _mapped(self, at: QPoint, painted: Painted) -> Point:
        rect, size = painted.fit.rect, painted.size
        return Point(
            (at.x() - rect.x()) * size.width / rect.width(),
            (at.y() - rect.y()) * size.height / rect.height(),
        )


_BUTTONS = {Key.BACK: "Back", Key.HOME: "Home", Key.RECENTS: "Recents"}
_KEYS = {
    Key.BACK: Qt.Key.Key_Escape,
    Key.HOME: Qt.Key.Key_H,
    Key.RECENTS: Qt.Key.Key_S,
    Key.ENTER: Qt.Key.Key_Return,
    Key.DELETE: Qt.Key.Key_Backspace,
    Key.TAB: Qt.Key.Key_Tab,
}
_MODIFIERS = {
    Key.HOME: Qt.KeyboardModifier.AltModifier,
    Key.RECENTS: Qt.KeyboardModifier.AltModifier,
}


def _large(element: Element) -> bool:
    """Whether enough of it shows to be aimed at."""
    left, top, right, bottom = element.box
    return right - left >= 16 and bottom - top >= 20
