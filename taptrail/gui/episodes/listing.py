"""Item model of the episode list; pages of rows are loaded when they become visible."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery, EpisodeSummary, Order
from episodes.visible_text import visible_text
from taptrail.gui import phrases
from taptrail.gui.components.tips import tip
from taptrail.gui.episodes.texts import (
    findings_mark,
    findings_sentence,
    source_words,
    state_words,
)
from taptrail.gui.work import WorkThread
from taptrail.usecases import episode_list
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
PAGE = 100
PAGES_KEPT = 40
NAME, INSTRUCTION, APPS, STEPS, TIME, SOURCE, STATE, FINDINGS = range(8)
SUMMARY = Qt.ItemDataRole.UserRole
HEADS = ("Episode", "Instruction", "Apps", "Steps", "Time", "Source", "State", "Findings")
_SAID = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
ORDERS = {
    NAME: Order.NAME,
    INSTRUCTION: Order.INSTRUCTION,
    STEPS: Order.STEPS,
    TIME: Order.DURATION,
    STATE: Order.STATE,
    FINDINGS: Order.FINDINGS,
}


class EpisodesModel(QAbstractTableModel):
    """Signals:
    failed: a KnownError.
    """

    failed = Signal(object)

    def __init__(self, reader: WorkThread[Library], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self._query, self._order, self._descending = EpisodeQuery(), Order.ADDED, True
        self._count = 0
        self._pages: OrderedDict[int, list[EpisodeSummary]] = OrderedDict()
        self._asked: set[int] = set()
        self._wanted: set[int] = set()
        self._search = 0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._ask)

    def show_search(self, query: EpisodeQuery, count: int) -> None:
        """Shows search results; rows are loaded when they become visible."""
        self.beginResetModel()
        self._query, self._count = query, count
        self._forget()
        self.endResetModel()

    def read_again(self) -> None:
        """Reloads the loaded rows; the old ones stay until then."""
        self._search += 1
        self._asked.clear()
        self._wanted.update(self._pages)
        self._soon.start(0)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column, in the database."""
        self.beginResetModel()
        self._order = ORDERS.get(column, Order.ADDED)
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._forget()
        self.endResetModel()

    def summary(self, row: int) -> EpisodeSummary | None:
        """Returns a row if it is loaded; else requests its page."""
        number, within = divmod(row, PAGE)
        found = self._pages.get(number)
        if found is None:
            if number not in self._asked:
                self._wanted.add(number)
                self._soon.start(0)
            return None
        self._pages.move_to_end(number)
        return found[within] if within < len(found) else None

    def asking(self) -> tuple[EpisodeQuery, Order, bool]:
        """Returns the query, the order, and whether it is descending."""
        return self._query, self._order, self._descending

    def pages_read(self) -> int:
        """Returns the number of loaded pages."""
        return len(self._pages)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(HEADS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(HEADS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft
            if section in (STEPS, TIME):
                side = Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.summary(index.row())
        if role == SUMMARY:
            return row
        if row is None:
            return None
        if index.column() == FINDINGS and role in _SAID:
            words = findings_sentence(row)
            return tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._words(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (NAME, INSTRUCTION, APPS):
            return tip(self._words(row, index.column()))
        return None

    def _words(self, row: EpisodeSummary, column: int) -> str:
        match column:
            case 0:
                return visible_text(row.name)
            case 1:
                return visible_text(row.instruction)
            case 2:
                return visible_text(", ".join(row.apps))
            case 3:
                return str(row.step_count)
            case 4:
                return phrases.clock(row.duration_us) if row.duration_us is not None else "–"
            case 5:
                return source_words(row.dataset, row.version)
            case 6:
                return state_words(row.state, row.review)[2]
            case _:
                return findings_mark(row)[2]

    def _forget(self) -> None:
        self._search += 1
        self._pages.clear()
        self._asked.clear()
        self._wanted.clear()

    def _ask(self) -> None:
        for number in sorted(self._wanted):
            self._asked.add(number)
            self._read(number)
        self._wanted.clear()

    def _read(self, number: int) -> None:
        search, query, order, descending = (
            self._search,
            self._query,
            self._order,
            self._descending,
        )

        def job(library: Library) -> list[EpisodeSummary]:
            return episode_list.page(
                library, query, order, descending=descending, start=number * PAGE, count=PAGE
            )

        def done(rows: list[EpisodeSummary]) -> None:
            if search == self._search:
                self._keep(number, rows)

        def failed(error: KnownError) -> None:
            if search == self._search:
                self._asked.discard(number)
                self.failed.emit(error)

        self._reader.run(job, owner=self, done=done, failed=failed)

    def _keep(self, number: int, rows: list[EpisodeSummary]) -> None:
        self._asked.discard(number)
        self._pages[number] = rows
        while len(self._pages) > PAGES_KEPT:
            self._pages.popitem(last=False)
        first = number * PAGE
        last = min(first + PAGE, self._count) - 1
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(HEADS) - 1))
