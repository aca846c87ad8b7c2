"""Tree panel: the elements of a step as rows, searchable, in sync with the frame."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPen,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from annotator.candidates import node_ref
from episodes.trees.values import Node
from episodes.visible_text import visible_text
from taptrail.gui import icons, theme
from taptrail.gui.annotate.fitting import FittingLabel
from taptrail.gui.annotate.open_episode import ParsedTree
from taptrail.gui.components import cells
from taptrail.gui.components.chip import chip_width, paint_chip
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Icon, Panel, PanelHead, WidgetRow
from taptrail.gui.components.search import SearchField
from taptrail.gui.fonts import FACTS, font
from taptrail.words import tr

Index = QModelIndex | QPersistentModelIndex
NODE, REF, WORDS = (
    Qt.ItemDataRole.UserRole,
    Qt.ItemDataRole.UserRole + 1,
    Qt.ItemDataRole.UserRole + 2,
)
_ROW, _IN, _DEEPEST, _CLASS = 25, 14, 11, 34.0


class TreePanel(Panel):
    """Signals:
    chosen: the reference and Node of the row the user selected.
    used: Enter or a double click on a row.
    """

    chosen = Signal(str, object)
    used = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Tree"))
        self._count = label("", FACTS, tone="3")
        self.search = SearchField(tr("Find text, class or id"))
        self.view = _View()
        self._found = _Found()
        self.view.setModel(self._found)
        self._rows: dict[str, QStandardItem] = {}
        self._quiet = False
        self.lacking = label("", FACTS, tone="2", wrap=True)
        nothing = Panel(tr("No tree"))
        nothing.column.setContentsMargins(12, 12, 12, 12)
        nothing.column.setSpacing(6)
        nothing.add(Icon("file-tree-outline", 20, "text3"), self.lacking, None)
        self._stack = QStackedWidget()
        self._stack.addWidget(nothing)
        self._stack.addWidget(self.view)
        self._icon = Icon("check-circle", 14, "match")
        self._source = FittingLabel()
        self._foot = WidgetRow(self._icon, self._source, gap=6, height=34, margins=(12, 0, 12, 0))
        self._foot.row.setStretch(1, 1)
        line = Panel("", "line")
        line.setFixedHeight(1)
        self.add(
            PanelHead(label(tr("Tree"), FACTS, 600), self._count, None),
            WidgetRow(self.search, margins=(10, 8, 10, 8)),
            self._stack,
            line,
            self._foot,
        )
        self.column.setStretch(2, 1)
        self.search.searched.connect(self._search)
        self.view.selectionModel().currentChanged.connect(self._turned)
        self.view.used.connect(self.used)

    def show_tree(self, seen: ParsedTree | None) -> None:
        """Shows a tree; None while it is being loaded."""
        self._quiet = True
        model = QStandardItemModel(self)
        self._rows = {}
        tree = seen.tree if seen is not None else None
        for window in tree.windows if tree is not None else ():
            if window.root is not None and tree is not None:
                place = node_ref(tree, window, window.root)
                model.appendRow(self._item(place.partition("/")[0], window.root))
        old = self._found.sourceModel()
        self._found.setSourceModel(model)
        if old is not None:
            old.deleteLater()
        self.view.expandAll()
        self.view.hover(None)
        self._quiet = False
        self._count.setText(tr("1 element", "{n} elements", n=len(self._rows)) if tree else "")
        self._stack.setCurrentIndex(1 if tree is not None else 0)
        self._foot.setVisible(tree is not None)
        self.search.setEnabled(tree is not None)
        if seen is not None:
            self.lacking.setText(seen.words)
            self._source.set_ways(seen.words, *seen.shorter)
            fine = seen.fine
            self._icon.set_icon(
                "check-circle" if fine else "alert", "match" if fine else "mismatch"
            )
        else:
            self.lacking.setText("")

    def turn_to(self, ref: str) -> None:
        """Selects a row without emitting a signal; "" clears the selection."""
        self._quiet = True
        item = self._rows.get(ref)
        index = self._found.mapFromSource(item.index()) if item is not None else QModelIndex()
        self.view.setCurrentIndex(index)
        if index.isValid():
            self.view.scrollTo(index)
        else:
            self.view.clearSelection()
        self._quiet = False

    def hover(self, ref: str) -> None:
        """Highlights the row of the element under the pointer on the frame; "" for none."""
        item = self._rows.get(ref)
        index = self._found.mapFromSource(item.index()) if item is not None else None
        self.view.hover(index)

    def current(self) -> str:
        """Returns the reference of the current row; "" if there is none."""
        index = self.view.currentIndex()
        return str(index.data(REF)) if index.isValid() else ""

    def mark_pressed(self, refs: Mapping[str, str]) -> None:
        """Marks the rows under the press with the keys of their candidates."""
        self.view.pressed_rows = refs
        self.view.viewport().update()

    def _item(self, window: str, node: Node) -> QStandardItem:
        ref = f"{window}/{'.'.join(map(str, node.path))}"
        item = QStandardItem(row_words(node))
        item.setEditable(False)
        item.setData(node, NODE)
        item.setData(ref, REF)
        words = (node.text, node.description, node.hint, node.class_name, node.resource_id)
        item.setData("" if node.password else "\n".join(words).casefold(), WORDS)
        self._rows[ref] = item
        for child in node.children:
            item.appendRow(self._item(window, child))
        return item

    def _search(self, words: str) -> None:
        self._quiet = True
        self._found.look_for(words.casefold())
        self.view.expandAll()
        self._quiet = False

    def _turned(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and not self._quiet:
            self.chosen.emit(str(now.data(REF)), now.data(NODE))


def row_words(node: Node) -> str:
    """Returns a row as a screen reader reads it: its class, then its text."""
    return visible_text(" ".join(part for part in (short_class(node), _said(node)[0]) if part))


def short_class(node: Node) -> str:
    """Returns the last part of an element's class."""
    return node.class_name.rpartition(".")[2] or tr("element")


def _said(node: Node) -> tuple[str, bool]:
    """Returns the text beside the class, and whether it is the element's own."""
    if node.password:
        return tr("password field"), False
    own = node.text or node.description or node.hint
    if own:
        return f"“{' '.join(own.split())}”", True
    if node.opaque:
        return tr("drawn area"), False
    name = node.resource_id.rpartition("/")[2].replace("_", " ")
    return name, False


class _Found(QSortFilterProxyModel):
    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self.setRecursiveFilteringEnabled(True)

    def look_for(self, words: str) -> None:
        self._words = words
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        index = self.sourceModel().index(row, 0, parent)
        return self._words in str(index.data(WORDS) or "")


class _View(QTreeView):
    used = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Elements of the tree"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setExpandsOnDoubleClick(False)
        self.setItemDelegate(_Cell(self))
        self.doubleClicked.connect(lambda _: self.used.emit())
        self.hovered: QPersistentModelIndex | None = None
        self.pressed_rows: Mapping[str, str] = {}

    def hover(self, index: QModelIndex | None) -> None:
        self.hovered = QPersistentModelIndex(index) if index is not None else None
        if index is not None and index.isValid():
            self.scrollTo(index)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.used.emit()
        else:
            super().keyPressEvent(event)


class _Cell(QStyledItemDelegate):
    def __init__(self, view: _View) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node: Node = index.data(NODE)
        rect = QRectF(0, option.rect.top(), self._view.viewport().width(), option.rect.height())
        chosen = index == self._view.currentIndex()
        under = self._view.hovered is not None and index == self._view.hovered
        pointed = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.fillRect(rect, theme.colour("accent_tint"))
        elif under or pointed:
            painter.fillRect(rect, theme.colour("hover"))
        if chosen and self._view.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        depth, up = 0, index.parent()
        while up.isValid():
            depth, up = depth + 1, up.parent()
        x, middle = 10.0 + min(depth, _DEEPEST) * _IN, rect.center().y()
        icon = "chevron-down" if node.children else "circle-small"
        icons.paint(painter, icon, QPointF(x + 7, middle), 14, "text3")
        x += 20
        right = rect.right() - 8 - self._paint_end(painter, rect, node, str(index.data(REF)))
        face = font(FACTS)
        kind, (words, own) = short_class(node), _said(node)
        # The text distinguishes rows, so the class is elided first.
        needed = QFontMetricsF(font(FACTS, 500)).horizontalAdvance(words) + 6 if words else 0.0
        least = min(QFontMetricsF(face).horizontalAdvance(kind), _CLASS)
        across = min(
            QFontMetricsF(face).horizontalAdvance(kind), max(least, right - x - needed), right - x
        )
        across = max(0.0, across)
        mode = Qt.TextElideMode.ElideRight
        kind = QFontMetricsF(face).elidedText(kind, mode, across + 0.5)
        cells.line(painter, QRectF(x, rect.top(), across, rect.height()), kind, face, "text3")
        x += QFontMetricsF(face).horizontalAdvance(kind) + 6
        if x < right:
            room = QRectF(x, rect.top(), right - x, rect.height())
            ink = "text1" if own else "text2"
            cells.line(painter, room, words, font(FACTS, 500 if own else 400), ink)
        painter.restore()

    def _paint_end(self, painter: QPainter, rect: QRectF, node: Node, ref: str) -> float:
        middle = rect.center().y()
        if node.opaque:
            words = tr("no inside")
            across = chip_width(words, "eye-off-outline")
            left = rect.right() - 8 - across
            paint_chip(painter, left, middle, words, "mismatch", "eye-off-outline")
            return across + 6
        if ref in self._view.pressed_rows:
            icons.paint(painter, "gesture-tap", QPointF(rect.right() - 15, middle), 14, "name1")
            return 20
        return 0
