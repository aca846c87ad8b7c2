"""Scores of the runs: AMS and SR, with the counts behind them."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from scoring.protocol import Metric
from taptrail.gui import theme
from taptrail.gui.components import cells
from taptrail.gui.components.chip import paint_letter
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import Bar
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.usecases.reviewing import JudgedRun
from taptrail.words import tr

_AMS, _SR = 60, 56
_INKS = {"A": "name1", "B": "name2", "C": "name3", "D": "name4"}


class Scores(QWidget):
    """One row per run, and below them the counts behind the numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 28, 0, 10)
        self._column.setSpacing(0)
        self._rows: list[_ScoreRow] = []
        self._made_of = label("", CAPTION, tone="3", wrap=True)
        self._made_of.setContentsMargins(12, 2, 12, 0)
        self._bar = Bar(2, tr("Judging"))
        self._bar.hide()
        self._column.addWidget(self._bar)
        self._column.addWidget(self._made_of)

    def show_runs(self, runs: list[tuple[str, str, JudgedRun | None]]) -> None:
        """Shows (letter, name, verdicts) of each run; the verdicts are None during scoring."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self._rows = []
        for number, (letter, name, judged) in enumerate(runs):
            row = _ScoreRow(letter, name, judged)
            self._column.insertWidget(number, row)
            self._rows.append(row)
        self._made_of.setText("\n".join(_made_of(*run) for run in runs if run[2] is not None))
        self._made_of.setVisible(any(run[2] is not None for run in runs))
        if any(run[2] is None for run in runs):
            self._bar.set_unknown()
            self._bar.show()
        else:
            self._bar.hide()

    def show_progress(self, done: int, total: int) -> None:
        """Shows the progress of scoring."""
        if total:
            self._bar.set_parts((done / total, "accent"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        head = QRectF(12, 8, self.width() - 24, 20)
        cells.line(painter, head, tr("Scores"), font(FACTS, 600), "text1")
        cells.line(painter, head, tr("SR"), font(CAPTION), "text3", right=True)
        cells.line(
            painter, head.adjusted(0, 0, -_SR, 0), tr("AMS"), font(CAPTION), "text3", right=True
        )
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class _ScoreRow(QWidget):
    def __init__(self, letter: str, name: str, judged: JudgedRun | None) -> None:
        super().__init__()
        self._letter, self._name = letter, name
        values = judged.metrics.values if judged else {}
        self._ams, self._sr = values.get("AMS"), values.get("SR")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        said = tr("Run {letter}, {name}: AMS {ams}, SR {sr}")
        self.setAccessibleName(
            said.format(letter=letter, name=name, ams=_number(self._ams), sr=_number(self._sr))
        )
        self.setToolTip(tip("\n".join(_note(k, v) for k, v in values.items() if "/" not in k)))

    def sizeHint(self) -> QSize:
        return QSize(200, 50)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        right = QRectF(12, 23, self.width() - 24, 22)
        paint_letter(painter, 12, 14, self._letter)
        name = QRectF(40, 3, self.width() - 52, 22)
        cells.line(painter, name, self._name, font(BODY, 500), "text1")
        ams = right.adjusted(0, 0, -_SR, 0)
        cells.line(painter, ams, _number(self._ams), font(BODY, 600), "text1", right=True)
        cells.line(painter, right, _number(self._sr), font(BODY), "text2", right=True)
        self._paint_axis(painter)

    def _paint_axis(self, painter: QPainter) -> None:
        left, right, y = 40.0, self.width() - 20.0 - _AMS - _SR, 34.0
        painter.fillRect(QRectF(left, y - 0.5, right - left, 1), theme.colour("line2"))
        for quarter in range(5):
            x = round(left + (right - left - 1) * quarter / 4)
            painter.fillRect(QRectF(x, y - 2.5, 1, 5), theme.colour("line2"))
        if self._ams is not None and self._ams.value is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour(_INKS[self._letter]))
            mark = left + (right - left) * self._ams.value / 100
            painter.drawRoundedRect(QRectF(mark - 2, y - 5, 4, 10), 1, 1)


def _number(metric: Metric | None) -> str:
    if metric is None:
        return "…"
    if metric.value is None:
        return "–"
    return f"{metric.value:.1f} {metric.unit}"


def _note(name: str, metric: Metric) -> str:
    share = f"  ({metric.share.hits:,} of {metric.share.total:,})" if metric.share else ""
    return f"{name}: {_number(metric)}{share} {metric.note}".rstrip()


def _made_of(letter: str, name: str, judged: JudgedRun | None) -> str:
    values = judged.metrics.values if judged else {}
    parts = []
    for metric, unit in (("AMS", tr("steps")), ("SR", tr("episodes"))):
        found = values.get(metric)
        if found is not None and found.share is not None:
            parts.append(
                tr(
                    "{hits} of {total} {unit}",
                    hits=f"{found.share.hits:,}",
                    total=f"{found.share.total:,}",
                    unit=unit,
                )
            )
    return f"{letter}: {', '.join(parts)}"
