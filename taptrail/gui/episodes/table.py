"""The table of episodes: as many rows as the library has, read a page at a time when seen."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from episodes.annotations import Decision
from episodes.episodes import EpisodeState
from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery, EpisodeSummary, Order
from taptrail.gui import icons, phrases, theme
from taptrail.gui.components import cells
from taptrail.gui.components.tips import tip
from taptrail.gui.decisions import decision_words
from taptrail.gui.fonts import BODY, FACTS, font
from taptrail.gui.work import WorkThread
from taptrail.usecases import browsing
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
PAGE = 100
PAGES_KEPT = 40
ROW = 44
NAME, INSTRUCTION, APPS, STEPS, TIME, SOURCE, STATE = range(7)
SUMMARY = Qt.ItemDataRole.UserRole
_HEADS = ("Episode", "Instruction", "Apps", "Steps", "Time", "Source", "State")
_WIDTHS = (96, 0, 128, 60, 60, 104, 112)
_ORDERS = {
    NAME: Order.NAME,
    INSTRUCTION: Order.INSTRUCTION,
    STEPS: Order.STEPS,
    TIME: Order.DURATION,
    STATE: Order.STATE,
}
_STATES = {
    EpisodeState.RECORDING: ("record-circle-outline", "record", "Recording"),
    EpisodeState.FINISHED: ("check-circle", "match", "Finished"),
    EpisodeState.INCOMPLETE: ("progress-alert", "mismatch", "Incomplete"),
    EpisodeState.DELETED: ("delete-outline", "text3", "Deleted"),
}
_SOURCES = {
    "recorded": "Recorded",
    "guiodyssey": "GUIOdyssey",
    "taptrail": "Taptrail",
    "sample": "Sample",
}


def state_words(state: EpisodeState, review: Decision | None = None) -> tuple[str, str, str]:
    """Returns icon, ink and word of a state, or of what was decided on a finished episode."""
    if review is not None and state is EpisodeState.FINISHED:
        return decision_words(review)
    icon, ink, word = _STATES[state]
    return icon, ink, tr(word)


def source_words(dataset: str, version: str) -> str:
    """Returns where an episode is from, as people say it."""
    return f"{tr(_SOURCES.get(dataset, dataset))} {version}".strip()


def local_time(utc: str) -> str:
    """Returns a stored time as day and time of this place; "" for none."""
    if not utc:
        return ""
    try:
        when = datetime.fromisoformat(utc).astimezone()
    except ValueError:
        return utc
    return f"{when.day} {when:%b}, {when:%H:%M}"


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
        """Shows what a search has found; rows are read when they are seen."""
        self.beginResetModel()
        self._query, self._count = query, count
        self._forget()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column, in the library."""
        self.beginResetModel()
        self._order = _ORDERS.get(column, Order.ADDED)
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._forget()
        self.endResetModel()

    def summary(self, row: int) -> EpisodeSummary | None:
        """Returns a row if it has been read; else asks for its page."""
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
        """Returns what the rows are: query, order, and whether it descends."""
        return self._query, self._order, self._descending

    def pages_read(self) -> int:
        """Returns how many pages are at hand."""
        return len(self._pages)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        return 0 if parent.isValid() else len(_HEADS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(_HEADS[section])
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
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._words(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole and index.column() in (NAME, INSTRUCTION, APPS):
            return tip(self._words(row, index.column()))
        return None

    def _words(self, row: EpisodeSummary, column: int) -> str:
        match column:
            case 0:
                return row.name
            case 1:
                return row.instruction
            case 2:
                return ", ".join(row.apps)
            case 3:
                return str(row.step_count)
            case 4:
                return phrases.clock(row.duration_us) if row.duration_us is not None else "–"
            case 5:
                return source_words(row.dataset, row.version)
            case _:
                return state_words(row.state, row.review)[2]

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
            return browsing.page(
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
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(_HEADS) - 1))


class EpisodesTable(QTableView):
    """Signals:
    chosen: the EpisodeSummary of the current row.
    opened: the EpisodeSummary of a row that was double clicked or entered.
    selected: how many rows are chosen now.
    """

    chosen = Signal(object)
    opened = Signal(object)
    selected = Signal(int)

    def __init__(self, model: EpisodesModel) -> None:
        super().__init__()
        self.setAccessibleName(tr("Episodes"))
        self.setModel(model)
        self._model = model
        self.hovered = -1
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setItemDelegate(_Cell(self))
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW)
        head = self.horizontalHeader()
        head.setFont(font(FACTS, 500))
        head.setFixedHeight(31)
        head.setHighlightSections(False)
        head.setSectionsClickable(True)
        head.setMinimumSectionSize(40)
        for column, width in enumerate(_WIDTHS):
            if width:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
                self.setColumnWidth(column, width)
            else:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        head.sectionClicked.connect(self._sort_by)
        self._sorted: tuple[int, bool] = (-1, True)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self._tell(now.row()))
        self.selectionModel().selectionChanged.connect(
            lambda *_: self.selected.emit(self.selected_count())
        )
        # Methods, not lambdas: Qt forgets them with the table, though the model may live on.
        model.modelReset.connect(self._emptied)
        model.dataChanged.connect(self._tell_again)
        self.doubleClicked.connect(lambda index: self._open(index.row()))
        self._told = ""

    @Slot()
    def _emptied(self) -> None:
        self.selected.emit(0)

    @Slot()
    def _tell_again(self) -> None:
        self._tell(self.currentIndex().row())

    def choose(self, row: int) -> None:
        """Chooses one row alone, whatever keys are held."""
        how = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(
            self._model.index(row, 0), how.ClearAndSelect | how.Rows
        )

    def selected_ranges(self) -> list[tuple[int, int]]:
        """Returns the chosen rows as (first, count), from the top."""
        chosen = self.selectionModel().selection()
        spans = {(chosen.at(n).top(), chosen.at(n).bottom()) for n in range(chosen.count())}
        return [(top, bottom - top + 1) for top, bottom in sorted(spans)]

    def selected_count(self) -> int:
        """Returns how many rows are chosen."""
        return sum(count for _, count in self.selected_ranges())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex().row())
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(int(event.position().y()))
        if row != self.hovered:
            self.hovered = row
            self.viewport().update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: object) -> None:
        self.hovered = -1
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        index = self.currentIndex()
        if self.hasFocus() and index.isValid():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(theme.colour("accent"), 2))
            top = self.rowViewportPosition(index.row())
            painter.drawRect(QRectF(1, top + 1, self.viewport().width() - 2, ROW - 2))

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.setColumnHidden(APPS, self.width() < 760)
        self.setColumnHidden(SOURCE, self.width() < 560)

    def _sort_by(self, column: int) -> None:
        if column not in _ORDERS:
            return
        before, descending = self._sorted
        self._sorted = (column, not descending if column == before else False)
        way = self._sorted[1]
        self._model.sort(
            column, Qt.SortOrder.DescendingOrder if way else Qt.SortOrder.AscendingOrder
        )

    def _tell(self, row: int) -> None:
        summary = self._model.summary(row) if row >= 0 else None
        if summary is not None and summary.uuid != self._told:
            self._told = summary.uuid
            self.chosen.emit(summary)

    def tell_again(self) -> None:
        """Tells of the current row even if it is the one told of last."""
        self._told = ""
        self._tell(self.currentIndex().row())

    def _open(self, row: int) -> None:
        summary = self._model.summary(row) if row >= 0 else None
        if summary is not None:
            self.opened.emit(summary)


class _Cell(QStyledItemDelegate):
    def __init__(self, table: EpisodesTable) -> None:
        super().__init__(table)
        self._table = table

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRectF(option.rect)
        chosen = self._table.selectionModel().isRowSelected(index.row(), QModelIndex())
        painter.save()
        cells.row_ground(painter, rect, chosen=chosen, hover=index.row() == self._table.hovered)
        row = index.data(SUMMARY)
        if isinstance(row, EpisodeSummary):
            words = str(index.data(Qt.ItemDataRole.DisplayRole))
            left = 12 if index.column() == NAME else 8
            self._write(painter, rect.adjusted(left, 0, -8, -1), index.column(), row, words)
        elif index.column() == INSTRUCTION:
            grey = QRectF(rect.left() + 8, rect.center().y() - 5, rect.width() * 0.6, 10)
            painter.fillRect(grey, theme.colour("hover"))
        painter.restore()

    def _write(
        self, painter: QPainter, rect: QRectF, column: int, row: EpisodeSummary, words: str
    ) -> None:
        facts = font(FACTS)
        match column:
            case 0:
                cells.line(painter, rect, words, font(FACTS, mono=True), "text2", middle=True)
            case 1:
                cells.lines(painter, rect, words, font(BODY, 500), "text1", high=17)
            case 2:
                cells.lines(painter, rect, words, facts, "text2", high=16)
            case 3:
                cells.line(painter, rect, words, facts, "text1", right=True)
            case 4:
                cells.line(painter, rect, words, facts, "text2", right=True)
            case 5:
                cells.line(painter, rect, words, facts, "text2")
            case _:
                icon, ink, word = state_words(row.state, row.review)
                icons.paint(painter, icon, QPointF(rect.left() + 7.5, rect.center().y()), 15, ink)
                cells.line(painter, rect.adjusted(21, 0, 0, 0), word, facts, "text1")
