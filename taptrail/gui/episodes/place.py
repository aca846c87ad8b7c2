"""The Episodes page: filters, list, inspector, and imports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QWidget

from episodes.episodes import Episode, EpisodeState
from episodes.store.filters import FilterKind
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery, EpisodeSummary
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, PLAIN, Button
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.components.drop import DropSign
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import EmptyState, ErrorBand
from taptrail.gui.components.panel import Panel, PanelHead, PanelSplitter
from taptrail.gui.components.search import SearchField
from taptrail.gui.components.shell import Head, Page, StatusBar
from taptrail.gui.episodes.chosen import ChosenEpisodes, Selected
from taptrail.gui.episodes.export_job import export
from taptrail.gui.episodes.filters import Filters
from taptrail.gui.episodes.first_run import FirstRun
from taptrail.gui.episodes.import_bar import ImportBar
from taptrail.gui.episodes.import_controller import ImportController, dropped_path
from taptrail.gui.episodes.inspector import Inspector
from taptrail.gui.episodes.library_button import LibraryButton
from taptrail.gui.episodes.listing import EpisodesModel
from taptrail.gui.episodes.selection import SelectionBar
from taptrail.gui.episodes.table import EpisodesTable
from taptrail.gui.fonts import BODY
from taptrail.gui.history import ChangeHistory
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import episode_list, linting, sample
from taptrail.usecases.saved_changes import SavedChange
from taptrail.words import tr

_QUICK = 200


class EpisodesPlace(Page):
    """Signals:
    record: the user asked for the Record page.
    annotate, review: (uuid, row of the step) to show on that page.
    changed: an import has ended.
    said: (message, whether undo is offered) after a change.
    begun: "demo", "cable" or "wifi": the kind of phone to start with.
    read: the list was loaded; some of its episodes may not have been checked yet.
    switched: the folder (a Path) of the library to open.
    """

    record = Signal()
    annotate = Signal(str, int)
    review = Signal(str, int)
    changed = Signal()
    said = Signal(str, bool)
    begun = Signal(str)
    read = Signal()
    switched = Signal(object)

    def __init__(
        self,
        folder: Path,
        reader: WorkThread[Library],
        library_thread: WorkThread[None],
        pictures: Pictures,
        history: ChangeHistory,
        library: LibraryButton | None = None,
    ) -> None:
        """Builds the page.

        Args:
            history: makes and undoes the changes of this page.
            library: button that names the library and offers others; by default it offers none.
        """
        super().__init__("Episodes")
        self._folder, self._reader, self._history = folder, reader, history
        self._library_thread = library_thread
        self._query = self._shown = EpisodeQuery()
        self._search = SearchField(tr("Find in instructions, or a name"), key("find"), 420)
        self._model = EpisodesModel(reader)
        self.table = EpisodesTable(self._model)
        self._chosen = ChosenEpisodes(
            self.table,
            self._model,
            reader,
            lambda: self._query,
            lambda error: self.error.tell(error, about="list"),
        )
        self._filters = Filters()
        self.inspector = Inspector(pictures)
        self.imports = ImportBar(library_thread)
        self.selection = SelectionBar()
        self.error = ErrorBand()
        self.importer = ImportController(folder, reader, self.imports, self.error, self)
        self._found = label("", BODY, 600)
        self._of = label("", BODY, tone="3")
        self._import = Button(tr("Import"), "import", menu=True)
        record = Button(tr("Record"), "record-circle-outline", kind=MAIN, key=key("new-recording"))
        self._record = record
        self.library = library or LibraryButton(folder)
        self.library.wanted.connect(self.open_library)
        head = Head(
            tr("Episodes"),
            [self.library],
            [self._search],
            [self._import, record],
        )
        status = StatusBar([])
        self._first: bool | None = None
        self.furnish(head, self._body(), status)
        self.setAcceptDrops(True)
        self._sign = DropSign(self)
        self._search.searched.connect(lambda text: self._want(replace(self._query, text=text)))
        self._search.dropped.connect(self._filters.drop)
        self._filters.changed.connect(
            lambda query: self._want(replace(query, text=self._query.text))
        )
        self._model.failed.connect(self.error.tell)
        self.table.chosen.connect(self._choose)
        self.table.opened.connect(lambda row: self.annotate.emit(row.uuid, 0))
        self.inspector.annotate.connect(self.annotate)
        self.inspector.opened.connect(self.review)
        self.imports.finished.connect(self._imported)
        self._import.clicked.connect(self._offer_imports)
        record.clicked.connect(self.record)
        self.table.selected.connect(self._show_selection)
        self.selection.exported.connect(self._pick_export)
        self.selection.deleted.connect(self.delete_chosen)
        self.selection.restored.connect(self.restore_chosen)
        self.inspector.instructed.connect(
            lambda uuid, words: history.change_instruction(uuid, words, self._say_change)
        )
        history.changed.connect(lambda _: self.refresh())
        history.failed.connect(lambda error: self.error.tell(error))

    def _body(self) -> PanelSplitter:
        self._empty = FirstRun()
        self._empty.sample.connect(self.open_sample)
        for name in ("demo", "cable", "wifi"):
            getattr(self._empty, name).connect(lambda n=name: self.begun.emit(n))
        self._empty.imported.connect(self._offer_imports)
        clear = Button(tr("Clear the search"), size="l")
        clear.clicked.connect(self._clear)
        nothing = EmptyState("magnify", tr("No episode matches"), tr("Take a term away."), [clear])
        self._stack = QStackedWidget()
        for part in (self.table, self._empty, nothing):
            self._stack.addWidget(part)
        middle = Panel(tr("List of episodes"))
        self._list_head = PanelHead(self._found, self._of, None)
        middle.add(
            self._list_head,
            self.error,
            self._stack,
            self.selection,
            self.imports,
        )
        self._filters.setMinimumWidth(200)
        self._split = PanelSplitter(
            Qt.Orientation.Horizontal,
            [self._filters, middle, self.inspector],
            [220, 0, 348],
            [200, 360, 280],
            [200, 0, 320],
        )
        return self._split

    def entered(self) -> None:
        """Reloads the list."""
        self.refresh()
        if self._stack.currentIndex() == 0:
            self.table.setFocus()

    def chosen(self) -> str:
        """Returns the uuid of the current episode; "" if there is none."""
        index = self.table.currentIndex()
        summary = self._model.summary(index.row()) if index.isValid() else None
        return summary.uuid if summary is not None else ""

    def refresh(self) -> None:
        """Runs the search again."""
        self._chosen.look_up(self._show)

    def open_sample(self) -> None:
        """Imports the sample into this library: episodes of several people, and two runs."""
        self.importer.open_sample()

    def open_library(self, folder: Path) -> None:
        """Opens another library, if the folder is a library or can become one."""
        self._reader.run(
            lambda _: episode_list.check_folder(folder),
            owner=self,
            done=lambda _: self.switched.emit(folder),
            failed=self.error.tell,
            next_up=True,
        )

    def pick_predictions(self) -> None:
        """Asks for a file of predictions to import."""
        self.importer.pick_predictions()

    def export_chosen(self, format_name: str, version: str, parent: Path) -> None:
        """Exports the selected episodes into a new folder inside `parent`."""
        self.error.hide()
        self._chosen.each(
            lambda uuids: export(self.imports, self._folder, format_name, version, parent, uuids)
        )

    def delete_chosen(self) -> None:
        """Moves the selected episodes to the bin."""
        self._chosen.each(lambda uuids: self._history.delete(uuids, self._say_change))

    def restore_chosen(self) -> None:
        """Restores the selected episodes from the bin."""
        self._chosen.each(lambda uuids: self._history.restore(uuids, self._say_change))

    def _say_change(self, change: SavedChange) -> None:
        if change.numbers:
            count = len(change.numbers)
            many = tr("{what}: 1 episode", "{what}: {n} episodes", what=change.words, n=count)
            self.said.emit(change.words if count == 1 else many, True)

    def _show_selection(self, count: int) -> None:
        states = dict(self._query.chosen).get(FilterKind.STATE, ())
        self.selection.show_count(count, in_bin=states == (EpisodeState.DELETED.value,))
        self._chosen.note()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        path = dropped_path(event)
        if path is not None:
            event.acceptProposedAction()
            what = tr("as predictions") if path.suffix else tr("as a data set")
            self._sign.say(tr("Import {name} {what}", name=path.name, what=what))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._sign.say("")

    def dropEvent(self, event: QDropEvent) -> None:
        self._sign.say("")
        path = dropped_path(event)
        if path is not None:
            event.acceptProposedAction()
            self.importer.take(path)

    def _show(self, listing: episode_list.EpisodeMatches, selected: Selected) -> None:
        query = self._query
        self.error.settle("list")
        self._count_filters()
        asked = query != EpisodeQuery()
        if asked:
            some = f"{listing.found:,}"
            words = tr("{some} of 1 episode", "{some} of {n} episodes", n=listing.of, some=some)
        else:
            words = tr("1 episode", "{n} episodes", n=listing.of)
        self._found.setText(words)
        self._model.show_search(query, listing.found)
        self._stack.setCurrentIndex(0 if listing.found else 2 if asked else 1)
        self._record.set_kind(MAIN if listing.found or asked else PLAIN)  # the page has its own
        self._show_first(not listing.found and not asked)
        self.status.say(tr("All changes saved"))
        if listing.found:
            self.table.tell_again()
            self._chosen.choose_again(
                listing, selected, selected.row if query == self._shown else 0
            )
        else:
            self.inspector.show_nothing()
        self._shown = query
        self.read.emit()

    def _count_filters(self) -> None:
        """Counts the results of each filter value, unless a newer search was requested."""
        query = self._query

        def done(counts: dict[FilterKind, tuple[tuple[str, int], ...]]) -> None:
            if query == self._query and counts:
                self._filters.show_counts(counts, query)
                self._search.set_terms(self._filters.terms())

        self._reader.run(
            lambda library: library.filter_counts(query) if query == self._query else {},
            owner=self,
            done=done,
            failed=lambda error: self.error.tell(error, about="list"),
        )

    def show_looking(self, done: int, total: int) -> None:
        """Shows lint progress, unless only a few episodes are checked."""
        words = tr(
            "Checking: {done} of 1 episode",
            "Checking: {done} of {n} episodes",
            n=total,
            done=f"{done:,}",
        )
        self.status.say_health(words if total > _QUICK else "")

    def read_again(self) -> None:
        """Reloads the visible rows; the selection stays."""

        def done(listing: episode_list.EpisodeMatches, selected: Selected) -> None:
            if self._query == self._shown and listing.found == self._model.rowCount():
                self._count_filters()
                self._model.read_again()
                if listing.found:
                    self._chosen.choose_again(listing, selected, selected.row)
            else:
                self._show(listing, selected)

        self._chosen.look_up(done)

    def _show_first(self, first: bool) -> None:
        """Shows only the first page, because there is nothing to filter or inspect."""
        if first == self._first:
            return  # panels hidden by the user stay hidden
        self._first = first
        for part in (self._list_head, self._filters, self.inspector):
            part.setVisible(not first)
        self._split.lay()
        self.status.show_keys(_hints(first=first))
        if first:
            self._library_thread.run(
                lambda _: QImage.fromData(sample.home_picture()),
                owner=self,
                done=self._empty.picture.show_picture,
                failed=self.error.tell,
            )

    def _want(self, query: EpisodeQuery) -> None:
        if query != self._query:
            self._query = query
            self.refresh()

    def _clear(self) -> None:
        self._search.edit.clear()
        self._want(EpisodeQuery())

    def _choose(self, row: EpisodeSummary) -> None:
        self._chosen.note()

        def done(episode: Episode) -> None:
            current = self._model.summary(self.table.currentIndex().row())
            if current is not None and current.uuid == episode.uuid:
                self.inspector.show_episode(episode)
                self._look_at(episode)

        self._reader.run(
            lambda library: episode_list.whole_episode(library, row.uuid),
            owner=self,
            done=done,
            failed=self.error.tell,
            next_up=True,
        )

    def _look_at(self, episode: Episode) -> None:
        self._reader.run(
            lambda library: linting.lint_episode(library, episode, linting.surroundings(library)),
            owner=self,
            done=lambda told: self.inspector.show_found(episode.uuid, told),
            failed=self.error.tell,
        )

    def _imported(self) -> None:
        self.refresh()
        self.changed.emit()

    def _offer_imports(self) -> None:
        self.importer.show_menu(self._import)

    def _pick_export(self, format_name: str, version: str) -> None:
        file_dialog(
            self,
            tr("Folder to export into"),
            "export",
            lambda path: self.export_chosen(format_name, version, Path(path)),
            QFileDialog.FileMode.Directory,
            into=True,
        ).open()


def _hints(*, first: bool) -> list[QWidget]:
    """Returns the key hints for an empty library or for any other."""
    record = KeyHint([key("new-recording")], tr("Record"))
    if first:
        return [record, KeyHint([key("keys")], tr("All keys"))]
    return [
        KeyHint(["Up", "Down"], tr("Choose")),
        KeyHint(["Return"], tr("Annotate")),
        KeyHint([key("open-in-review")], tr("Review")),
        KeyHint([key("delete")], tr("Delete")),
        KeyHint([key("find")], tr("Find")),
        record,
    ]
