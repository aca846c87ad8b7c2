"""The Notes app: cards of all notes, and the page where one is written."""

from __future__ import annotations

from typing import ClassVar

from demophone.apps.app import Activity, App, Host, Shared
from demophone.apps.notebook import Note, Notebook
from demophone.apps.search import SearchableList
from demophone.apps.sharing import share
from demophone.views.bars import back_button, clear_button, more_button, search_bar
from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect
from demophone.views.inputs import area_height, cursor_bottom, plain_field, text_area
from demophone.views.overlays import OverlayChoice, dialog, menu
from demophone.views.parts import (
    GROUP,
    Space,
    empty,
    fab,
    icon_button,
    label,
    root,
    scroll_list,
)
from demophone.views.theme import SAND, Palette, blend
from demophone.views.view import View

CARDS = ("#fbe7b2", "#e4ecd4", "#e3e6f5", "#f3dfd7", "#f3eee0", "#dcecee")
GAP = 10.0


class Notes(App):
    """The Notes app."""

    package: ClassVar[str] = "com.taptrail.demo.notes"
    label: ClassVar[str] = "Notes"
    symbol: ClassVar[str] = "note-text"
    tone: ClassVar[str] = "#d69a1f"
    palettes: ClassVar[tuple[Palette, Palette]] = SAND
    version: ClassVar[str] = "2.2.0"

    def __init__(self, host: Host, notebook: Notebook) -> None:
        super().__init__(host)
        self.notebook = notebook
        self.grid = True

    def home(self) -> Activity:
        """All notes."""
        return NoteList(self)

    def activity(self, name: str) -> Activity | None:
        """All notes, or an empty one."""
        if name == NotePage.name:
            return NotePage(self, None)
        return super().activity(name)

    def receiving(self, shared: Shared) -> Activity | None:
        """A new note with the text."""
        return NotePage(self, None, shared)

    def reset(self) -> None:
        """Puts the notes back to how they were shipped."""
        self.grid = True
        self.notebook.reset()


class NoteList(SearchableList):
    """All notes as cards, beside each other or one a row."""

    name: ClassVar[str] = ".NoteListActivity"
    path: ClassVar[str] = "notes/list"

    def __init__(self, app: Notes) -> None:
        super().__init__(app)
        self._notes = app

    def build(self, s: Space) -> View:
        """Title, search, cards, and the button for a new note."""
        p = s.palette
        y = s.top + 4
        grid = self._notes.grid
        bar = [
            label(Rect(24, y, s.width - 130, 52), "Notes", 26, p.text, key="title", res="title"),
            icon_button(
                s.width - 28,
                y + 26,
                "view-agenda-outline" if grid else "view-grid-outline",
                "List" if grid else "Grid",
                self._turn,
                "layout",
                p.quiet,
            ),
        ]
        y += 54
        box = Rect(16, y, s.width - 32, 48)
        cross = []
        if self._query.text:
            cross.append(clear_button(s, s.width - 40, box.cy, self._clear, side=44))
        focused = self.has_focus(self._query)
        plate = search_bar(
            s, box, "Search notes", self._query, focused, (42, 42), after=cross, glass=21
        )
        y += 58
        area = Rect(0, y, s.width, s.floor - y)
        new = fab(s, s.width - 20, s.bottom - 20, "plus", "", self._new, "new-note")
        return root(s, self._cards(s, area), *bar, plate, new)

    def _cards(self, s: Space, area: Rect) -> View:
        wanted = self._query.text.strip().lower()
        notes = [n for n in self._notes.notebook.all() if wanted in f"{n.title}\n{n.text}".lower()]
        columns = (4 if s.wide else 2) if self._notes.grid else 1
        width = (s.width - 32 - GAP * (columns - 1)) / columns
        bottoms = [0.0] * columns
        placed: list[tuple[Rect, Note, list[str]]] = []
        for note in notes:
            lines = s.wrap(note.text.strip(), 14, width - 28)[: 7 if columns > 1 else 3]
            height = 50 + 14 * s.font_scale * 1.4 * len(lines) + 4
            at = bottoms.index(min(bottoms))
            placed.append((Rect(16 + (width + GAP) * at, bottoms[at], width, height), note, lines))
            bottoms[at] += height + GAP
        top = area.y - self._scroll.measure(max(bottoms) + 88 + s.floor - s.bottom, area.h)
        views = [
            self._card(s, box.moved(0, top), note, lines)
            for box, note, lines in placed
            if box.bottom + top > area.y and box.y + top < area.bottom
        ]
        if not notes:
            views.append(empty(s, area, "note-search-outline", "No note has that"))
        return scroll_list(area, self._scroll, "notes", *views)

    def _card(self, s: Space, box: Rect, note: Note, lines: list[str]) -> View:
        p = s.palette
        tone = CARDS[(int(note.number, 16) >> 12) % len(CARDS)]
        fill = blend(p.background, tone, 0.16) if p.dark else tone
        step = 14 * s.font_scale * 1.4
        key = f"note-{note.number}"

        def words(c: Canvas, v: View) -> None:
            for i, text in enumerate(lines):
                c.text(Rect(v.box.x, v.box.y + step * i, v.box.w + 4, step), text, 14, p.quiet)

        return View(
            box,
            GROUP,
            key=key,
            res="note_card",
            paint=lambda c, v: c.fill(v.box, fill, 14),
            tap=lambda: self.host.push(NotePage(self._notes, note)),
            long_press=lambda: self._held(note, box),
            ripple=14,
            ripple_on=p.text,
            children=[
                label(
                    Rect(box.x + 14, box.y + 10, box.w - 28, 30),
                    note.title,
                    16,
                    p.text,
                    500,
                    key=f"{key}/title",
                    res="title",
                ),
                View(
                    Rect(box.x + 14, box.y + 42, box.w - 28, step * len(lines)),
                    "android.widget.TextView",
                    key=f"{key}/text",
                    res="text",
                    text="\n".join(lines),
                    paint=words,
                ),
            ],
        )

    def _held(self, note: Note, box: Rect) -> None:
        choices = [
            OverlayChoice(
                "Share", lambda: share(self, note.title, note.text), "share-variant-outline"
            ),
            OverlayChoice(
                "Delete",
                lambda: _ask_delete(self, self._notes, note.title, False),
                "delete-outline",
                danger=True,
            ),
        ]
        self.host.show(menu(choices, box.x + 16, box.y + 44))

    def _turn(self) -> None:
        self._notes.grid = not self._notes.grid
        self._scroll.offset = 0.0

    def _new(self) -> None:
        self.host.push(NotePage(self._notes, None))


class NotePage(Activity):
    """One note, to read and to write; it is saved when one leaves."""

    name: ClassVar[str] = ".NoteActivity"
    path: ClassVar[str] = "notes/note"

    def __init__(self, app: Notes, note: Note | None, shared: Shared | None = None) -> None:
        super().__init__(app)
        self._notes = app
        self._scroll = self.host.scroller()
        self._saved = note.title if note is not None else ""
        self._when = note.when if note is not None else None
        self._title = Field("note_title", action="next", on_change=self._typed)
        self._body = Field("note_body", multiline=True, on_change=self._typed)
        self._title.following = self._body
        if note is not None:
            self._title.put(note.title)
            self._body.put(note.text)
        self._before = (self._title.text, self._body.text)
        if shared is not None:
            self._title.put(shared.title)
            self._body.put(shared.text)

    def shown(self) -> None:
        """An empty note is written into at once."""
        if not self._saved and not self._title.text and not self._body.text:
            self.host.focus(self._title)

    def build(self, s: Space) -> View:
        """Bar, title, text."""
        p = s.palette
        room = min(s.width - 48, 640.0)
        left = (s.width - room) / 2
        area = Rect(0, s.top + 57, s.width, s.floor - s.top - 57)
        written = area_height(s, self._body, room)
        content = 64 + written + 40 + s.floor - s.bottom
        if self.keyboard and self.focused is self._body:
            self._scroll.measure(content, area.h)
            low = 64 + cursor_bottom(s, self._body, room) + 12 - (s.bottom - area.y)
            high = max(low, 64 + cursor_bottom(s, self._body, room) - 40)
            self._scroll.offset = min(max(self._scroll.offset, low), high)
        y = area.y - self._scroll.measure(content, area.h)
        body = max(written, area.h - 64 - 24)
        views = [
            plain_field(
                s, Rect(left, y + 6, room, 52), "Title", self._title,
                self.has_focus(self._title), 22,
            ),
            text_area(
                s, Rect(left, y + 64, room, body), "Note", self._body, self.has_focus(self._body)
            ),
        ]  # fmt: skip
        edited = f"Edited {self._when.day} {self._when:%B, %H:%M}" if self._when else "New note"
        bar = [
            back_button(s, 28, s.top + 28, self._leave),
            label(Rect(58, s.top + 4, s.width - 220, 48), edited, 13, p.quiet, key="edited",
                  res="edited"),
            icon_button(s.width - 124, s.top + 28, "check", "Save", self._keep, "save",
                        p.primary if self._differs else p.outline, enabled=self._differs),
            icon_button(s.width - 76, s.top + 28, "share-variant-outline", "Share", self._share,
                        "share", p.quiet if self._body.text else p.outline,
                        enabled=bool(self._body.text)),
            more_button(s, s.width - 28, s.top + 28, self.menu),
        ]  # fmt: skip
        return root(s, scroll_list(area, self._scroll, "page", *views, res="page"), *bar)

    def back(self) -> bool:
        """Saves what was written."""
        self._save()
        return False

    def menu(self) -> None:
        """The menu of the bar."""
        choices = [OverlayChoice("Copy text", self._copy)]
        if self._saved:
            ask = lambda: _ask_delete(self, self._notes, self._saved, True)  # noqa: E731
            choices.append(OverlayChoice("Delete", ask, danger=True))
        else:
            choices.append(OverlayChoice("Discard", self.host.finish, danger=True))
        self.host.show(menu(choices, 1e4, 44))

    @property
    def _differs(self) -> bool:
        return (self._title.text, self._body.text) != self._before

    def _typed(self) -> None:
        self.host.changed("text")

    def _keep(self) -> None:
        self._save()
        self.host.focus(None)
        self.host.toast("Note saved")

    def _save(self) -> None:
        if not self._differs or not (self._title.text.strip() or self._body.text.strip()):
            return
        now = self.host.wall()
        title = self._title.text.strip()
        self._saved = self._notes.notebook.put(self._saved, title, self._body.text, now)
        self._title.put(self._saved)
        self._when = now
        self._before = (self._title.text, self._body.text)

    def _leave(self) -> None:
        self._save()
        self.host.finish()

    def _share(self) -> None:
        share(self, self._title.text.strip(), self._body.text)

    def _copy(self) -> None:
        self.host.copy(self._body.text)
        self.host.toast("Copied")


def _ask_delete(activity: Activity, notes: Notes, title: str, leave: bool) -> None:
    def delete() -> None:
        notes.notebook.delete(title)
        if leave:
            activity.host.finish()
        activity.host.changed("data")

    activity.host.show(
        dialog(
            "Delete note?",
            f"{title} will be deleted from this phone.",
            [OverlayChoice("Cancel", lambda: None), OverlayChoice("Delete", delete, danger=True)],
        )
    )
