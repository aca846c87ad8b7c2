"""The filters of the list: one choice of each kind, with how many episodes it leaves."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from episodes.annotations import Decision
from episodes.episodes import EpisodeState
from episodes.store.queries import UNDECIDED, UNJUDGED, EpisodeQuery, Facets
from taptrail.gui import icons, theme
from taptrail.gui.components import cells
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.panel import Panel, PanelHead, Scrolled
from taptrail.gui.components.words import label
from taptrail.gui.decisions import decision_words
from taptrail.gui.episodes.saying import rule_words, source_words, state_words
from taptrail.gui.fonts import FACTS, font
from taptrail.gui.tasks.saying import outcome_words
from taptrail.words import tr

_MOST = 12


class Filters(Panel):
    """Signals:
    changed: the EpisodeQuery a person wants; its text is left as it was.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Filters"))
        self._query = EpisodeQuery()
        clear = Button(tr("Clear"), kind=QUIET, size="s")
        clear.clicked.connect(lambda: self._want(EpisodeQuery(text=self._query.text)))
        inside = Panel(tr("Filters"))
        self._groups = {
            kind: _Group(title)
            for kind, title in (
                ("dataset", tr("Source")),
                ("state", tr("State")),
                ("review", tr("Review")),
                ("judged", tr("Judged")),
                ("finding", tr("Findings")),
                ("app", tr("Apps")),
                ("category", tr("Category")),
                ("split", tr("Split")),
            )
        }
        for kind, group in self._groups.items():
            group.chosen.connect(lambda value, k=kind: self._choose(k, value))
        inside.add(*self._groups.values(), None)
        self.add(PanelHead(label(tr("Filters"), FACTS, 600), None, clear, right=6))
        self.add(Scrolled(inside))

    def show_facets(self, facets: Facets, query: EpisodeQuery) -> None:
        """Shows what there is to choose from, and what is chosen."""
        self._query = query
        self._groups["dataset"].show_choices(
            [(name, source_words(name, ""), n) for name, n in facets.datasets], query.dataset
        )
        self._groups["state"].show_choices(
            [(state.value, state_words(state)[2], n) for state, n in facets.states],
            query.state.value if query.state else "",
        )
        decided = [(one.value, decision_words(one)[2], n) for one, n in facets.reviews]
        open_ = sum(n for _, n in facets.datasets) - sum(n for _, n in facets.reviews)
        self._groups["review"].show_choices(
            [*decided, (UNDECIDED, tr("Open"), open_)] if decided or query.review else [],
            query.review,
        )
        judged = [(how, outcome_words(how)[2], n) for how, n in facets.judged]
        rest = sum(n for _, n in facets.datasets) - sum(n for _, n in facets.judged)
        self._groups["judged"].show_choices(
            [*judged, (UNJUDGED, tr("Not judged"), rest)] if judged or query.judged else [],
            query.judged,
        )
        self._groups["finding"].show_choices(
            [(rule, rule_words(rule), n) for rule, n in facets.findings], query.finding
        )
        self._groups["app"].show_choices([(a, a, n) for a, n in facets.apps], query.app)
        self._groups["category"].show_choices(
            [(name, name, n) for name, n in facets.categories], query.category
        )
        split = "\0".join(query.split) if query.split else ""
        self._groups["split"].show_choices(
            [("\0".join(pair), f"{pair[0]}: {pair[1]}", n) for pair, n in facets.splits], split
        )

    def drop(self, kind: str) -> None:
        """Takes one choice away."""
        self._choose(kind, "")

    def terms(self) -> list[tuple[str, str]]:
        """Returns what is chosen, as (kind, words) pairs."""
        found = []
        for kind, group in self._groups.items():
            if words := group.chosen_words():
                found.append((kind, words))
        return found

    def _choose(self, kind: str, value: str) -> None:
        query = self._query
        if kind == "state":
            query = replace(query, state=EpisodeState(value) if value else None)
        elif kind == "split":
            name, _, part = value.partition("\0")
            query = replace(query, split=(name, part) if value else None)
        elif kind == "review":
            decided = value not in ("", UNDECIDED)
            query = replace(query, review=Decision(value) if decided else value and UNDECIDED)
        else:
            query = replace(query, **{kind: value})  # type: ignore[arg-type]
        self._want(query)

    def _want(self, query: EpisodeQuery) -> None:
        self._query = query
        self.changed.emit(query)


class _Group(QWidget):
    chosen = Signal(str)

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

    def show_choices(self, choices: list[tuple[str, str, int]], chosen: str) -> None:
        shown = choices[:_MOST]
        if chosen and all(value != chosen for value, _, _ in shown):
            words = next((w for v, w, _ in choices if v == chosen), chosen)
            count = next((n for v, _, n in choices if v == chosen), 0)
            shown = [*shown, (chosen, words, count)]
        while len(self._rows) < len(shown):
            row = _Choice()
            row.clicked.connect(lambda _=False, r=row: self._clicked(r))
            self._column.addWidget(row)
            self._rows.append(row)
        for row, choice in zip(self._rows, shown, strict=False):
            row.show_choice(*choice, on=choice[0] == chosen)
        for row in self._rows[len(shown) :]:
            row.hide()
            row.setChecked(False)
        self.setVisible(bool(choices))

    def chosen_words(self) -> str:
        row = next((row for row in self._rows if row.isChecked()), None)
        return f"{self._title}: {row.text()}" if row else ""

    def _clicked(self, row: _Choice) -> None:
        self.chosen.emit("" if row.isChecked() else row.value)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))


class _Choice(QAbstractButton):
    def __init__(self) -> None:
        super().__init__()
        self.value, self._count = "", 0
        self.setFixedHeight(25)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def show_choice(self, value: str, words: str, count: int, *, on: bool) -> None:
        self.value, self._count = value, count
        self.setText(words)
        self.setCheckable(on)
        self.setChecked(on)
        self.setAccessibleName(tr("{name}, {count} episodes", name=words, count=count))
        self.setVisible(True)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, 25)

    def nextCheckState(self) -> None:
        """A click only asks; what is chosen comes back with the next search."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        on, middle = self.isChecked(), self.height() / 2
        icon = "radiobox-marked" if on else "radiobox-blank"
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
