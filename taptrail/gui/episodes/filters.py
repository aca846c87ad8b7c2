"""Left panel of the Episodes page: filters with several values, each with its result count."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from episodes.annotations import Decision
from episodes.episodes import EpisodeState
from episodes.store.filters import (
    ALL_TARGETS,
    NO_TARGETS,
    SOME_TARGETS,
    UNDECIDED,
    UNJUDGED,
    FilterKind,
)
from episodes.store.queries import EpisodeQuery
from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Panel, PanelHead, Scrolled
from taptrail.gui.decisions import decision_words
from taptrail.gui.episodes.texts import rule_words, source_words, state_words
from taptrail.gui.fonts import FACTS, font
from taptrail.gui.tasks.texts import outcome_words
from taptrail.words import tr

_MOST = 12
_TITLES = {
    FilterKind.PERSON: "Person",
    FilterKind.REVIEW: "Review",
    FilterKind.TARGETS: "Targets",
    FilterKind.APP: "Apps",
    FilterKind.FINDING: "Findings",
    FilterKind.STATE: "State",
    FilterKind.JUDGED: "Judged",
    FilterKind.DATASET: "Source",
    FilterKind.CATEGORY: "Category",
    FilterKind.SPLIT: "Split",
}
_TARGETS = {ALL_TARGETS: "All marked", SOME_TARGETS: "Some marked", NO_TARGETS: "None marked"}
_LAST = {FilterKind.REVIEW: UNDECIDED, FilterKind.JUDGED: UNJUDGED}
"""The value of a group that stands last. Without any other, the group Judged is hidden."""


class Filters(Panel):
    """Signals:
    changed: the EpisodeQuery with the new filters; its text is unchanged.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Filters"))
        self._query = EpisodeQuery()
        clear = Button(tr("Clear"), kind=QUIET, size="s")
        clear.clicked.connect(lambda: self._want(EpisodeQuery(text=self._query.text)))
        inside = Panel(tr("Filters"))
        self._groups = {kind: _Group(tr(title)) for kind, title in _TITLES.items()}
        for kind, group in self._groups.items():
            group.toggled.connect(lambda value, k=kind: self.toggle(k, value))
        inside.add(*self._groups.values(), None)
        self.add(PanelHead(label(tr("Filters"), FACTS, 600), None, clear, right=6))
        self.add(Scrolled(inside))

    def show_counts(
        self, counts: Mapping[FilterKind, Sequence[tuple[str, int]]], query: EpisodeQuery
    ) -> None:
        """Shows the values with their result counts, and the selected values."""
        self._query = query
        chosen = dict(query.chosen)
        for kind, group in self._groups.items():
            last, wanted = _LAST.get(kind), chosen.get(kind, ())
            found = [one for one in counts[kind] if one[0] != last]
            found += [one for one in counts[kind] if one[0] == last]
            if kind is FilterKind.JUDGED and not wanted and len(found) == 1 and found[0][0] == last:
                found = []
            found += [(value, 0) for value in wanted if value not in dict(found)]
            group.show_choices([(v, value_words(kind, v), n) for v, n in found], wanted)

    def toggle(self, kind: FilterKind, value: str) -> None:
        """Adds a value to the filter of a kind, or removes it."""
        before = dict(self._query.chosen).get(kind, ())
        after = tuple(one for one in before if one != value)
        self._set(kind, after if len(after) < len(before) else (*before, value))

    def drop(self, kind: str) -> None:
        """Removes the filter of a kind."""
        self._set(FilterKind(kind), ())

    def terms(self) -> list[tuple[str, str]]:
        """Returns the filters as (kind, text) pairs."""
        return [
            (kind, f"{tr(_TITLES[kind])}: {', '.join(value_words(kind, v) for v in values)}")
            for kind, values in self._query.chosen
        ]

    def _set(self, kind: FilterKind, values: tuple[str, ...]) -> None:
        chosen = dict(self._query.chosen) | {kind: values}
        kept = tuple((one, chosen[one]) for one in FilterKind if chosen.get(one))
        self._want(replace(self._query, chosen=kept))

    def _want(self, query: EpisodeQuery) -> None:
        self._query = query
        self.changed.emit(query)


def value_words(kind: FilterKind, value: str) -> str:
    """Returns the value of a filter as text."""
    match kind:
        case FilterKind.REVIEW:
            return tr("Open") if value == UNDECIDED else decision_words(Decision(value))[2]
        case FilterKind.TARGETS:
            return tr(_TARGETS[value])
        case FilterKind.STATE:
            return state_words(EpisodeState(value))[2]
        case FilterKind.JUDGED:
            return tr("Not judged") if value == UNJUDGED else outcome_words(value)[2]
        case FilterKind.DATASET:
            return source_words(value, "")
        case FilterKind.FINDING:
            return rule_words(value)
        case FilterKind.SPLIT:
            return ": ".join(value.split("\0"))
        case _:
            return value


class _Group(QWidget):
    toggled = Signal(str)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 10, 12, 9)
        self._column.setSpacing(0)
        head = label(title, FACTS, 600)
        self._column.addWidget(head)
        self._column.addSpacing(6)
        self._rows: list[_Choice] = []
        self.hide()

    def show_choices(
        self, choices: Sequence[tuple[str, str, int]], chosen: Collection[str]
    ) -> None:
        shown = [one for row, one in enumerate(choices) if row < _MOST or one[0] in chosen]
        while len(self._rows) < len(shown):
            row = _Choice()
            row.clicked.connect(lambda _=False, r=row: self.toggled.emit(r.value))
            self._column.addWidget(row)
            self._rows.append(row)
        for row, choice in zip(self._rows, shown, strict=False):
            row.show_choice(*choice, on=choice[0] in chosen)
        for row in self._rows[len(shown) :]:
            row.hide()
            row.setChecked(False)
        self.setVisible(bool(choices))

    def choices(self) -> dict[str, QAbstractButton]:
        """Returns the visible buttons by their text."""
        return {row.text(): row for row in self._rows if not row.isHidden()}

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class _Choice(QAbstractButton):
    def __init__(self) -> None:
        super().__init__()
        self.value, self._count = "", 0
        self.setCheckable(True)
        self.setFixedHeight(25)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_choice(self, value: str, words: str, count: int, *, on: bool) -> None:
        self.value, self._count = value, count
        self.setText(words)
        self.setChecked(on)
        self.setAccessibleName(tr("{name}, 1 episode", "{name}, {n} episodes", n=count, name=words))
        self.setVisible(True)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, 25)

    def nextCheckState(self) -> None:
        """A click only requests the change; the state follows with the next search."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        on, middle = self.isChecked(), self.height() / 2
        icon = "checkbox-marked" if on else "checkbox-blank-outline"
        icons.paint(painter, icon, QPointF(10, middle), 16, "accent" if on else "text3")
        count = f"{self._count:,}"
        across = QFontMetricsF(font(FACTS)).horizontalAdvance(count)
        cells.line(
            painter,
            QRectF(26, 0, self.width() - 34 - across, self.height()),
            self.text(),
            font(FACTS),
            "text1" if on or not self.underMouse() else "accent",
        )
        room = QRectF(self.width() - 60, 0, 60, self.height())
        cells.line(painter, room, count, font(FACTS), "text3", right=True)
