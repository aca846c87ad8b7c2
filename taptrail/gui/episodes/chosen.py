"""The selected episodes, which stay selected while rows are sorted, added or removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt

from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery, Order
from taptrail.gui.episodes.listing import ORDERS, EpisodesModel
from taptrail.gui.episodes.table import EpisodesTable
from taptrail.gui.work import WorkThread
from taptrail.usecases import episode_list

_FOLLOWED = 1000
"""Of so many chosen episodes at most the list knows where they are after a change."""


@dataclass(frozen=True)
class Selected:
    """The selected episodes. Attributes:
    current: uuid of the current episode; "" before there is one.
    row: its row.
    chosen: uuids of all selected episodes.
    """

    current: str = ""
    row: int = 0
    chosen: tuple[str, ...] = ()

    def uuids(self) -> tuple[str, ...]:
        """Returns the uuids of all of them."""
        return tuple(dict.fromkeys((self.current, *self.chosen))) if self.current else ()


class ChosenEpisodes(QObject):
    """Tracks the selected episodes of a table.

    Args:
        query: returns the search that the list shows or is about to show.
        failed: called with the error of a failed lookup.
    """

    def __init__(
        self,
        table: EpisodesTable,
        model: EpisodesModel,
        reader: WorkThread[Library],
        query: Callable[[], EpisodeQuery],
        failed: Callable[[KnownError], None],
    ) -> None:
        super().__init__(table)
        self._table, self._model, self._reader = table, model, reader
        self._query, self._failed = query, failed
        self._selected = Selected()
        table.sorting.connect(self._sort)

    def look_up(self, done: Callable[[episode_list.EpisodeMatches, Selected], None]) -> None:
        """Counts the search results and finds the selected episodes in them."""
        _, order, descending = self._model.asking()
        self._look_up(order, descending, done)

    def note(self) -> None:
        """Stores which episodes are selected, and which is current."""
        rows = [
            row
            for first, count in self._table.selected_ranges()
            for row in range(first, min(first + count, first + _FOLLOWED))
        ]
        chosen = [one.uuid for row in rows[:_FOLLOWED] if (one := self._model.summary(row))]
        row = self._table.currentIndex().row()
        current = self._model.summary(row) if row >= 0 else None
        if current is not None:
            self._selected = Selected(current.uuid, row, tuple(chosen))

    def choose_again(
        self, listing: episode_list.EpisodeMatches, selected: Selected, instead: int
    ) -> None:
        """Selects the same episodes again, wherever they are in the list now.

        If the current episode is gone, the row `instead` becomes current but not selected, so that
        no command applies to the wrong episode.
        """
        if not selected.current:
            self._table.choose(0)
            return
        self._table.clearSelection()
        row = listing.rows.get(selected.current, instead)
        self._table.go_to(min(row, listing.found - 1))
        self._table.choose_rows(
            listing.rows[uuid] for uuid in selected.chosen if uuid in listing.rows
        )

    def each(self, does: Callable[[tuple[str, ...]], None]) -> None:
        """Calls `does` with the uuids of the selected episodes, unless there are none."""
        ranges = self._table.selected_ranges()
        query, order, descending = self._model.asking()
        if not ranges:
            return
        self._reader.run(
            lambda library: episode_list.uuids_of(
                library, query, order, descending=descending, ranges=ranges
            ),
            owner=self,
            done=does,
            failed=self._failed,
            next_up=True,
        )

    def _look_up(
        self,
        order: Order,
        descending: bool,
        done: Callable[[episode_list.EpisodeMatches, Selected], None],
    ) -> None:
        """Counts the search results and finds the selected episodes in them, for a sort order."""
        query, selected = self._query(), self._selected

        def found(listing: episode_list.EpisodeMatches) -> None:
            if query != self._query():
                return
            if selected == self._selected:
                done(listing, selected)
            else:  # the selection changed in the meantime
                self._look_up(order, descending, done)

        self._reader.run(
            lambda library: episode_list.look_up(
                library, query, order, descending=descending, uuids=selected.uuids()
            ),
            owner=self,
            done=found,
            failed=self._failed,
            next_up=True,
        )

    def _sort(self, column: int, way: Qt.SortOrder) -> None:
        def done(listing: episode_list.EpisodeMatches, selected: Selected) -> None:
            self._model.sort(column, way)
            if listing.found:
                self.choose_again(listing, selected, selected.row)

        order = ORDERS.get(column, Order.ADDED)
        self._look_up(order, way is Qt.SortOrder.DescendingOrder, done)
