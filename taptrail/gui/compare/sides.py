"""Left column of the comparison page: sides with scores, differing settings, published scores."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from episodes.verdicts import Share
from replay.comparison import Comparison, Pair
from replay.sides import JudgedSide, lead_metric, whole_metric
from taptrail.gui.components.chip import Letter
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.panel import Icon, Section, WidgetRow, section_head
from taptrail.gui.fonts import BODY, CAPTION, FACTS
from taptrail.usecases.published import PublishedFigures, unlike
from taptrail.words import tr

_MOST_FIGURES, _MOST_SOURCES = 6, 6
_NUMBER = 52
_TOP = Qt.AlignmentFlag.AlignTop


class Sides(QWidget):
    """Sections for the sides, for each pair, and for each source of published scores."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("ground", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self._words: list[str] = []

    def show_comparison(
        self, comparison: Comparison, figures: tuple[PublishedFigures, ...]
    ) -> None:
        """Shows a comparison."""
        self.clear()
        keys = [judged.side.protocol.key for judged in comparison.sides]
        self._put(
            Section(
                section_head(tr("Compared")),
                *(_side(judged) for judged in comparison.sides),
                *(self._warning(words) for words in _warnings(comparison)),
            )
        )
        for pair in comparison.pairs:
            self._put(self._pair(pair))
        for one in figures[:_MOST_SOURCES]:
            self._put(self._published(one, keys))
        left = len(figures) - _MOST_SOURCES
        if left > 0:
            words = tr(
                "1 more source is in the manual", "{n} more sources are in the manual", n=left
            )
            self._put(Section(_narrow(label(words, CAPTION, tone="3", wrap=True)), line=False))

    def clear(self) -> None:
        """Removes all sections."""
        self._words = []
        while self._column.count() > 1:
            item = self._column.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def warnings(self) -> list[str]:
        """Returns the warnings against comparing these runs."""
        return list(self._words)

    def _put(self, part: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, part)

    def _warning(self, words: str) -> QWidget:
        self._words.append(words)
        text = _narrow(label(words, FACTS, wrap=True, selectable=True))
        row = WidgetRow(Icon("alert", 15, "mismatch", tr("To look at")), text, gap=6)
        row.row.setStretch(1, 1)
        row.row.setAlignment(row.row.itemAt(0).widget(), _TOP)  # type: ignore[union-attr, arg-type]
        return row

    def _pair(self, pair: Pair) -> QWidget:
        same = pair.agreement
        lines = [
            _line(tr("Only {a} right", a=pair.a), f"{pair.only_a:,}"),
            _line(tr("Only {b} right", b=pair.b), f"{pair.only_b:,}"),
            _line(tr("The same outcome"), _percent(same), _hits(same)),
        ]
        if pair.steps is not None:
            points = f"{pair.steps.value * 100:+.1f}".replace("-", "−")
            less = tr("Steps, {b} minus {a}", a=pair.a, b=pair.b)
            lines.append(_line(less, tr("{points} points", points=points)))
        lines.append(_line(tr("McNemar p"), f"{pair.p:.2g}"))
        section = Section(section_head(tr("{a} and {b}", a=pair.a, b=pair.b)), *lines)
        section.column.setSpacing(4)
        return section

    def _published(self, one: PublishedFigures, keys: list[str]) -> QWidget:
        rows: list[QWidget] = []
        for figure in one.rows[:_MOST_FIGURES]:
            name = ElidedLabel(figure.model, FACTS)
            value = label(f"{figure.value:g}", FACTS)
            setting = ElidedLabel(figure.setting, CAPTION, ink="text3")
            row = WidgetRow(name, setting, value, gap=8)
            row.row.setStretch(0, 1)
            rows.append(row)
        left = len(one.rows) - _MOST_FIGURES
        more = " " + tr("The first {n} of {all}.", n=_MOST_FIGURES, all=len(one.rows))
        about = f"{one.steps}. {unlike(one, keys)} {one.source}.{more if left > 0 else ''}"
        return Section(
            section_head(tr("Published: {metric}", metric=one.metric)),
            _narrow(label(about, CAPTION, tone="3", wrap=True)),
            *rows,
        )


def _narrow(text: QLabel) -> QLabel:
    """Allows a wrapped text to shrink to the width of its panel."""
    text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return text


def _side(judged: JudgedSide) -> QWidget:
    side = judged.side
    words = ElidedLabel(side.run.name, BODY, 500)
    rules = ElidedLabel(side.protocol.key.replace("@", " v"), FACTS, ink="text2")
    texts = QWidget()
    column = QVBoxLayout(texts)
    column.setContentsMargins(0, 0, 0, 4)
    column.setSpacing(1)
    for part in (words, rules):
        column.addWidget(part)
    for number in _numbers(judged):
        column.addWidget(number)
    row = WidgetRow(Letter(side.letter, side.run.name), texts, gap=8)
    row.row.setStretch(1, 1)
    row.row.setAlignment(row.row.itemAt(0).widget(), _TOP)  # type: ignore[union-attr, arg-type]
    return row


def _numbers(judged: JudgedSide) -> list[QWidget]:
    told: list[QWidget] = []
    for name in dict.fromkeys((lead_metric(judged), whole_metric(judged))):
        metric = judged.metrics.values.get(name)
        if metric is not None and metric.share is not None:
            told.append(_line(name, _percent(metric.share), _hits(metric.share)))
    return told


def _line(name: str, value: str, of: str = "") -> QWidget:
    """A line with a name at the left and its value at the right."""
    said, counted = ElidedLabel(name, FACTS, ink="text2"), label(of, FACTS, tone="3")
    number = label(value, FACTS, 500)
    number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    number.setMinimumWidth(_NUMBER)
    row = WidgetRow(said, counted, number, gap=4)
    row.row.setStretch(0, 1)
    row.setAccessibleName(" ".join(part for part in (name, value, of) if part))
    return row


def _warnings(comparison: Comparison) -> list[str]:
    whose: dict[str, list[str]] = {}
    for letter, words in zip(comparison.letters, comparison.changed, strict=True):
        if words:
            whose.setdefault(words, []).append(letter)
    told = [f"{', '.join(letters)}: {words}" for words, letters in whose.items()]
    for one in comparison.unlike:
        values = ", ".join(
            f"{letter} {value or tr('not declared')}"
            for letter, value in zip(comparison.letters, one.values, strict=True)
        )
        told.append(tr("Different {what}: {values}", what=tr(one.what), values=values))
    return told


def _percent(share: Share) -> str:
    return f"{share.hits / share.total * 100:.1f} %" if share.total else "–"


def _hits(share: Share) -> str:
    return tr("{hits} of {total}", hits=f"{share.hits:,}", total=f"{share.total:,}")
