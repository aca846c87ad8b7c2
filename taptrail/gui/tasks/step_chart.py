"""Chart of the steps of people and agents, with equal values stacked, median and budget."""

from __future__ import annotations

from collections import Counter, defaultdict

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from taptrail.gui import theme
from taptrail.gui.fonts import CAPTION, font
from taptrail.gui.tasks.chart import (
    LEFT,
    RIGHT,
    Dot,
    DotChart,
    axis_step,
    drawn,
    nothing,
    paint_row_name,
    paint_tick,
)
from taptrail.gui.tasks.texts import agent_sentence, attempt_sentence, letters_of, mark_of
from taptrail.usecases.attempts import Reference
from taptrail.words import tr

_TOP, _FOOT, _HIGH = 22, 24, 122
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_DOT = 13.0
_APART = 80.0


class StepChart(DotChart):
    """Chart with an axis of steps from 0; each dot is an attempt."""

    def __init__(self) -> None:
        super().__init__(tr("Steps of people and agents"), _HIGH)
        self._found: Reference | None = None
        self._budget: int | None = None

    def show_reference(self, found: Reference | None, budget: int | None) -> None:
        """Shows the attempts of a task, and the step budget."""
        self._found, self._budget = found, budget
        self.lay()

    def all_words(self) -> str:
        words = []
        if self._found is not None and self._found.steps is not None:
            words.append(tr("median {median:g} steps", median=self._found.steps.median))
        if self._budget is not None:
            words.append(tr("budget 1 step", "budget {n} steps", n=self._budget))
        return "; ".join([*words, super().all_words()])

    def place_dots(self) -> list[Dot]:
        found = self._found
        if found is None:
            return []
        letters = letters_of(found)
        told: list[tuple[int, Dot]] = []
        people = sorted(found.attempts, key=lambda one: one.steps)
        for one in people[:: drawn(len(people))]:
            told.append((one.steps, Dot(one.uuid, QPointF(), attempt_sentence(one), mark_of(one))))
        agents = sorted(found.agents, key=lambda one: one.steps)
        for other in agents[:: drawn(len(agents))]:
            letter = letters[other.agent]
            words = agent_sentence(letter, other)
            told.append((other.steps, Dot(other.uuid, QPointF(), words, None, letter)))
        told.sort(key=lambda pair: pair[0])
        highest = max(Counter(steps for steps, _ in told).values(), default=1)
        apart = min(_DOT, (self._bottom() - _TOP - 8) / max(1, highest))
        above: dict[int, int] = defaultdict(int)
        dots = []
        for steps, dot in told:
            at = QPointF(self._x(steps), self._bottom() - 8 - above[steps] * apart)
            above[steps] += 1
            dots.append(Dot(dot.uuid, at, dot.words, dot.mark, dot.letter))
        return dots

    def paint_ground(self, painter: QPainter) -> None:
        found, most = self._found, self._most()
        if found is None or not most:
            if found is not None:
                nothing(painter, QRectF(self.rect()), tr("No attempt has steps."))
            return
        bottom = self._bottom()
        count = len(found.attempts)
        paint_row_name(painter, bottom - 24, tr("Steps"), tr("1 attempt", "{n} attempts", n=count))
        for tick in range(0, int(most) + 1, axis_step(most, _STEPS, 12)):
            paint_tick(painter, self._x(tick), _TOP, bottom, str(tick))
        painter.fillRect(
            QRectF(LEFT, bottom, self.width() - LEFT - RIGHT, 1), theme.colour("line2")
        )
        if self._budget is not None:
            self._paint_budget(painter, self._budget)
        if found.steps is not None:
            self._paint_median(painter, found.steps.median)

    def _paint_budget(self, painter: QPainter, steps: int) -> None:
        x, right = self._x(steps), self.width() - RIGHT
        past = QColor(theme.colour("mismatch_tint"))
        past.setAlphaF(0.6)
        painter.fillRect(QRectF(x, _TOP, right - x, self._bottom() - _TOP), past)
        ink = theme.colour("mismatch")
        painter.fillRect(QRectF(round(x) - 1, 16, 2, self._bottom() - 14), ink)
        median = self._found.steps if self._found is not None else None
        apart = x - self._x(median.median) if median is not None else x
        self._words_beside(painter, x, tr("budget {n}", n=steps), ink, left=abs(apart) > _APART)

    def _paint_median(self, painter: QPainter, steps: float) -> None:
        x = self._x(steps)
        pen = QPen(theme.colour("person_mark"), 1.5)
        pen.setDashPattern([3, 2.5])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, 16), QPointF(x, self._bottom()))
        ink = theme.colour("person")
        near = self._budget is not None and abs(self._x(self._budget) - x) < 2 * _APART
        self._words_beside(painter, x, tr("median {median:g}", median=steps), ink, left=near)

    def _words_beside(
        self, painter: QPainter, x: float, words: str, ink: QColor, *, left: bool
    ) -> None:
        painter.setFont(font(CAPTION, 600))
        painter.setPen(ink)
        across = painter.fontMetrics().horizontalAdvance(words)
        left = left or x + across + 8 > self.width()
        box = QRectF(x - across - 7 if left else x + 6, 2, across + 2, 16)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)

    def _bottom(self) -> float:
        return _HIGH - _FOOT

    def _most(self) -> float:
        if self._found is None:
            return 0.0
        people = [one.steps for one in self._found.attempts]
        agents = [one.steps for one in self._found.agents]
        most = max([*people, *agents, self._budget or 0], default=0)
        return most * 1.15 if most else 0.0

    def _x(self, steps: float) -> float:
        most = self._most() or 1.0
        return LEFT + steps / most * max(1, self.width() - LEFT - RIGHT)
