"""The Messages app: its list of conversations, and search in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from demophone.apps.address_book import AddressBook
from demophone.apps.app import Activity, App, Host, Shared
from demophone.apps.mailbox import Mailbox, MailMessage, Thread, day
from demophone.apps.new_message import NewMessage
from demophone.apps.search import SearchPage
from demophone.apps.system import Notice
from demophone.apps.thread import ThreadScreen
from demophone.packages import settings_package
from demophone.views.bars import more_button
from demophone.views.geometry import Rect, centred
from demophone.views.overlays import OverlayChoice, dialog, menu
from demophone.views.parts import (
    Space,
    avatar,
    chip,
    fab,
    icon_button,
    label,
    list_of,
    root,
    row,
)
from demophone.views.theme import BLUE, Palette
from demophone.views.view import View

ROW = 72.0


class Messages(App):
    """Text messages."""

    package: ClassVar[str] = "com.taptrail.demo.messages"
    label: ClassVar[str] = "Messages"
    symbol: ClassVar[str] = "message-text"
    tone: ClassVar[str] = "#3d6fd6"
    palettes: ClassVar[tuple[Palette, Palette]] = BLUE
    version: ClassVar[str] = "7.3.1"

    def __init__(self, host: Host, mailbox: Mailbox, book: AddressBook) -> None:
        super().__init__(host)
        self.mailbox = mailbox
        self.book = book
        self._told = True

    def home(self) -> Activity:
        """The conversations."""
        return Conversations(self)

    def activity(self, name: str) -> Activity | None:
        """The conversations, or a new message."""
        if name == NewMessage.name:
            return NewMessage(self, self.mailbox, self.book)
        return super().activity(name)

    def writing(self, phone: str) -> Activity | None:
        """The thread with a number."""
        contact = self.book.by_phone(phone)
        name = contact.name if contact is not None else phone
        number = self.mailbox.begin(name, phone, contact.tone if contact is not None else "")
        return ThreadScreen(self, self.mailbox, number)

    def opening(self, uri: str) -> Activity | None:
        """`sms:` leads to the thread with a number."""
        return self.writing(uri.removeprefix("sms:")) if uri.startswith("sms:") else None

    def receiving(self, shared: Shared) -> Activity | None:
        """A new message with the text in it."""
        return NewMessage(self, self.mailbox, self.book, draft=shared.text)

    def notices(self) -> Sequence[Notice]:
        """The newest unread messages."""
        unread = [t for t in self.mailbox.threads() if t.unread] if self._told else []
        return [self._notice(thread) for thread in unread[:2]]

    def clear_notices(self) -> None:
        """Says nothing more of the messages that there are."""
        self._told = False

    def reset(self) -> None:
        """Puts the messages back to how they were shipped."""
        self._told = True
        self.mailbox.reset()

    def _notice(self, thread: Thread) -> Notice:
        last = thread.messages[-1]

        def act() -> None:
            self.host.start_app(self.package)
            self.host.push(ThreadScreen(self, self.mailbox, thread.number))

        when = day(last.when, self.host.wall(), brief=True)
        return Notice(thread.name, last.body, self.label, when, thread.tone, act)


class Conversations(Activity):
    """Everybody who wrote, the newest first."""

    name: ClassVar[str] = ".ConversationListActivity"
    path: ClassVar[str] = "messages/list"

    def __init__(self, app: Messages) -> None:
        super().__init__(app)
        self._messages = app
        self._scroll = self.host.scroller()
        self._unread = False

    def build(self, s: Space) -> View:
        """Title, filters, conversations, and the button for a new one."""
        p = s.palette
        y = s.top + 4
        views = [
            label(Rect(24, y, s.width - 150, 56), "Messages", 26, p.text, key="title", res="title"),
            icon_button(s.width - 76, y + 28, "magnify", "Search", self._search, "search", p.quiet),
            more_button(s, s.width - 28, y + 28, self.menu),
        ]
        y += 62
        every = chip(s, 20, y, "All", not self._unread, lambda: self._filter(False), "filter-all")
        unread = chip(
            s,
            every.box.right + 8,
            y,
            "Unread",
            self._unread,
            lambda: self._filter(True),
            "filter-unread",
        )
        y += 42
        area = Rect(0, y, s.width, s.floor - y)
        threads = [t for t in self._messages.mailbox.threads() if t.unread or not self._unread]
        word = "Nothing unread" if self._unread else "No conversations"
        conversations = list_of(
            s,
            area,
            self._scroll,
            "conversations",
            threads,
            s.grown(ROW),
            lambda box, thread: self._row(s, box, thread),
            88,
            ("message-outline", word),
            to_edge=True,
        )
        start = fab(
            s,
            s.width - 20,
            s.bottom - 20,
            "message-plus-outline",
            "Start chat",
            self._start,
            "start-chat",
        )
        return root(s, conversations, *views, every, unread, start)

    def menu(self) -> None:
        """The menu of the bar."""
        self.host.show(
            menu(
                [
                    OverlayChoice("Mark all as read", self._read_all),
                    OverlayChoice("Settings", lambda: self._settings()),
                ],
                1e4,
                44,
            )
        )

    def _row(self, s: Space, box: Rect, thread: Thread) -> View:
        p = s.palette
        last = thread.messages[-1]
        key = f"conversation-{thread.number}"
        said = ("You: " if last.outgoing else "") + last.body.replace("\n", " ")
        ink = p.text if thread.unread else p.quiet
        weight = 500 if thread.unread else 400
        middle = box.cy
        when = day(last.when, self.host.wall(), brief=True)
        made = row(
            box,
            key,
            lambda: self._open(thread.number),
            s,
            avatar(42, middle, 22, thread.initial, thread.tone),
            label(
                Rect(78, middle - 24, s.width - 148, 24),
                thread.name,
                16,
                p.text,
                600 if thread.unread else 400,
                key=f"{key}/name",
                res="name",
            ),
            label(
                Rect(78, middle + 1, s.width - 122, 22),
                said,
                14,
                ink,
                weight,
                key=f"{key}/snippet",
                res="snippet",
            ),
            label(
                Rect(s.width - 80, middle - 23, 60, 22),
                when,
                12,
                ink,
                weight,
                "right",
                key=f"{key}/time",
                res="time",
            ),
            long_press=lambda: self._held(thread, box),
        )
        if thread.unread:
            dot = centred(s.width - 25, middle + 12, 10)
            made.add(
                View(
                    dot,
                    res="unread",
                    desc="Unread",
                    paint=lambda c, v: c.circle(v.box.cx, v.box.cy, 5, p.primary),
                )
            )
        return made

    def _open(self, number: int) -> None:
        self.host.push(ThreadScreen(self.app, self._messages.mailbox, number))

    def _held(self, thread: Thread, box: Rect) -> None:
        mailbox = self._messages.mailbox
        word = "Mark as read" if thread.unread else "Mark as unread"
        self.host.show(
            menu(
                [
                    OverlayChoice(
                        word,
                        lambda: mailbox.read(thread.number, not thread.unread),
                        "email-open-outline" if thread.unread else "email-outline",
                    ),
                    OverlayChoice(
                        "Delete", lambda: self._ask(thread), "delete-outline", danger=True
                    ),
                ],
                78,
                box.cy + 12,
            )
        )

    def _ask(self, thread: Thread) -> None:
        self.host.show(
            dialog(
                "Delete conversation?",
                f"All messages with {thread.name} will be deleted from this phone.",
                [
                    OverlayChoice("Cancel", lambda: None),
                    OverlayChoice(
                        "Delete",
                        lambda: self._messages.mailbox.delete_thread(thread.number),
                        danger=True,
                    ),
                ],
            )
        )

    def _filter(self, unread: bool) -> None:
        self._unread = unread
        self._scroll.offset = 0.0

    def _search(self) -> None:
        self.host.push(MessageSearch(self._messages))

    def _start(self) -> None:
        self.host.push(NewMessage(self.app, self._messages.mailbox, self._messages.book))

    def _read_all(self) -> None:
        for thread in self._messages.mailbox.threads():
            if thread.unread:
                self._messages.mailbox.read(thread.number)

    def _settings(self) -> None:
        self.host.start_app(settings_package(app.package for app in self.host.apps))


class MessageSearch(SearchPage):
    """Finds messages by a word."""

    name: ClassVar[str] = ".SearchActivity"
    path: ClassVar[str] = "messages/search"
    hint: ClassVar[str] = "Search messages"
    clears: ClassVar[bool] = True

    def __init__(self, app: Messages) -> None:
        super().__init__(app)
        self._messages = app

    def _results(self, s: Space, area: Rect) -> View:
        text = "No message has that" if self._query.text else "Words, names or numbers"
        return list_of(
            s,
            area,
            self._scroll,
            "results",
            self._messages.mailbox.found(self._query.text),
            s.grown(ROW),
            lambda box, found: self._row(s, box, *found),
            24,
            ("message-text-outline", text),
        )

    def _row(self, s: Space, box: Rect, thread: Thread, message: MailMessage) -> View:
        p = s.palette
        key = f"result-{message.number}"
        when = day(message.when, self.host.wall(), brief=True)
        return row(
            box,
            key,
            lambda: self._open(thread.number, message.number),
            s,
            avatar(42, box.cy, 20, thread.initial, thread.tone),
            label(
                Rect(78, box.cy - 24, s.width - 160, 24),
                thread.name,
                15,
                p.text,
                500,
                key=f"{key}/name",
                res="name",
            ),
            label(
                Rect(78, box.cy, s.width - 98, 22),
                message.body.replace("\n", " "),
                14,
                p.quiet,
                key=f"{key}/snippet",
                res="snippet",
            ),
            label(
                Rect(s.width - 80, box.cy - 23, 60, 22),
                when,
                12,
                p.quiet,
                400,
                "right",
                key=f"{key}/time",
                res="time",
            ),
        )

    def _open(self, thread: int, message: int) -> None:
        self.host.push(ThreadScreen(self.app, self._messages.mailbox, thread, message))
