"""Activities that find things by a word: a list with a field that narrows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from demophone.apps.app import Activity, App
from demophone.views.bars import back_button, clear_button, search_bar
from demophone.views.fields import Action, Field
from demophone.views.geometry import Rect
from demophone.views.parts import Space, root
from demophone.views.view import View


class Searching(Activity):
    """Shows a list of what fits the words in a field."""

    def __init__(
        self, app: App, action: Action = "search", on_action: Callable[[], None] | None = None
    ) -> None:
        super().__init__(app)
        self._scroll = self.host.scroller()
        self._query = Field(
            "search_field",
            kind="search",
            action=action,
            on_change=self._changed,
            on_action=on_action,
        )

    def _changed(self) -> None:
        """There are other words in the field: what was found shows from its top."""
        self._scroll.offset = 0.0
        self.host.changed("search")

    def _clear(self) -> None:
        """Empties the field."""
        self._query.put("")
        self._changed()


class SearchableList(Searching):
    """A list that also exists without a search: Back ends the search first."""

    def back(self) -> bool:
        """Leaves the search."""
        if not self._query.text and not self.focused:
            return False
        self._query.put("")
        self.host.focus(None)
        return True


class SearchPage(Searching):
    """A page for nothing but a search: Back and the field, and below them what was found."""

    hint: ClassVar[str]
    """What the empty field says."""
    field_left: ClassVar[float] = 54
    """Where on the bar the field begins, in dp."""
    clears: ClassVar[bool] = False
    """Whether a cross empties the field."""

    def shown(self) -> None:
        """The field has the cursor at once."""
        if not self._query.text:
            self.host.focus(self._query)

    def build(self, s: Space) -> View:
        """The field, and what was found."""
        bar = Rect(16, s.top + 8, s.width - 32, 52)
        area = Rect(0, bar.bottom + 8, s.width, s.floor - bar.bottom - 8)
        cross = []
        if self.clears and self._query.text:
            cross.append(clear_button(s, bar.right - 26, bar.cy, self._clear))
        return root(
            s,
            self._results(s, area),
            search_bar(
                s,
                bar,
                self.hint,
                self._query,
                self.has_focus(self._query),
                (self.field_left, 52 if self.clears else 20),
                [back_button(s, bar.x + 26, bar.cy, self.host.finish)],
                cross,
            ),
        )

    def _results(self, s: Space, area: Rect) -> View:
        """The list of what was found."""
        raise NotImplementedError
