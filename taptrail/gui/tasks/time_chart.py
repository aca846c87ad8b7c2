"""Chart of attempt times (total, thinking, acting): box plots, with a dot for each attempt."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from episodes.durations import EpisodeTimes
from taptrail.gui import phrases, theme
from taptrail.gui.tasks.chart import (
    LEFT,
    RIGHT,
    Dot,
    DotChart,
    axis_step,
    drawn,
    lanes,
    nothing,
    paint_row_name,
    paint_tick,
)
from taptrail.gui.tasks.texts import attempt_sentence, mark_of, time
from taptrail.usecases.attempts import Reference
from taptrail.usecases.reference_times import Spread
from taptrail.words import tr

_ROW, _TOP, _FOOT = 50, 4, 24
_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 3600, 7200, 86400)
_LANES = (0, -9, 9, -17, 17)


class TimeChart(DotChart):
    """Three rows on one axis from 0; pauses are excluded."""

    def __init__(self) -> None:
        super().__init__(tr("Time of people"), _TOP + 3 * _ROW + _FOOT)
        self._found: Reference | None = None

    def show_reference(self, found: Reference | None) -> None:
        """Shows the attempts of a task."""
        self._found = found
        self.lay()

    def all_words(self) -> str:
        rows = [
            tr(
                "{name}: median {median}, quartiles {first} to {third}, of {n}",
                name=name,
                median=time(spread.median),
                first=time(spread.first_quartile),
                third=time(spread.third_quartile),
                n=spread.count,
            )
            for name, spread, _ in self._rows()
            if spread is not None
        ]
        return "; ".join([*rows, super().all_words()])

    def place_dots(self) -> list[Dot]:
        if self._found is None:
            return []
        dots = []
        for number, (_, _, value) in enumerate(self._rows()):
            known = [
                (us, one) for one in self._found.attempts if (us := value(one.times)) is not None
            ]
            known.sort(key=lambda pair: pair[0])
            known = known[:: drawn(len(self._found.attempts))]
            xs = [self._x(us) for us, _ in known]
            for x, lane, (_, one) in zip(xs, lanes(xs, 10, len(_LANES)), known, strict=True):
                at = QPointF(x, self._middle(number) + _LANES[lane])
                dots.append(Dot(one.uuid, at, attempt_sentence(one), mark_of(one)))
        return dots

    def paint_ground(self, painter: QPainter) -> None:
        most = self._most()
        if self._found is None or not most:
            if self._found is not None:
                nothing(painter, QRectF(self.rect()), tr("No times are stored for these attempts."))
            return
        bottom = _TOP + 3 * _ROW
        step = axis_step(most / 1e6, _STEPS, 8)
        for second in range(0, int(most / 1e6) + 1, step):
            words = phrases.clock(second * 1_000_000)
            paint_tick(painter, self._x(second * 1e6), _TOP, bottom, words)
        for number, (name, spread, _) in enumerate(self._rows()):
            middle = self._middle(number)
            below = "" if spread is None else tr("median {time}", time=time(spread.median))
            paint_row_name(painter, middle, name, below)
            if spread is not None:
                self._paint_box(painter, middle, spread)

    def _paint_box(self, painter: QPainter, middle: float, spread: Spread) -> None:
        least, most = self._x(spread.least), self._x(spread.most)
        painter.fillRect(QRectF(least, middle - 0.5, most - least, 1), theme.colour("text3"))
        first, third = self._x(spread.first_quartile), self._x(spread.third_quartile)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = theme.colour("person_mark")
        ground = QColor(theme.colour("person_tint"))
        ground.setAlphaF(0.75)
        painter.setPen(QPen(edge, 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(first, middle - 12, max(2.0, third - first), 24), 3, 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(edge)
        painter.drawRect(QRectF(self._x(spread.median) - 1, middle - 12, 2, 24))
        painter.restore()

    def _rows(self) -> tuple[tuple[str, Spread | None, Callable[[EpisodeTimes], int | None]], ...]:
        found = self._found
        wall, thinking, acting = (
            (found.wall, found.thinking, found.acting) if found is not None else (None, None, None)
        )
        return (
            (tr("Whole time"), wall, lambda times: times.wall),
            (tr("Thinking"), thinking, lambda times: times.thinking),
            (tr("Acting"), acting, lambda times: times.acting),
        )

    def _middle(self, number: int) -> float:
        return _TOP + _ROW * number + _ROW / 2

    def _most(self) -> float:
        if self._found is None:
            return 0.0
        return max((one.times.wall or 0 for one in self._found.attempts), default=0) * 1.05

    def _x(self, us: float) -> float:
        most = self._most() or 1.0
        return LEFT + us / most * max(1, self.width() - LEFT - RIGHT)
