"""A conversation of the Messages app: bubbles, and the field to write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from demophone.apps import links
from demophone.apps.app import Activity, App
from demophone.apps.mailbox import Mailbox, MailMessage, Thread, day
from demophone.apps.sharing import share
from demophone.views.bars import back_button, more_button
from demophone.views.canvas import Canvas
from demophone.views.fields import Field
from demophone.views.geometry import Rect, centred
from demophone.views.inputs import pill_field, pill_height
from demophone.views.linked import LinkedText, LinkSpan, TextStyle
from demophone.views.overlays import OverlayChoice, dialog, menu
from demophone.views.parts import (
    FRAME,
    IMAGE_BUTTON,
    TEXT,
    Space,
    avatar,
    empty,
    icon_button,
    label,
    line,
    root,
    row,
    scroll_list,
)
from demophone.views.view import View

SIZE = 15.5
LEADING = 1.32
PAUSE_SECONDS = 3 * 3600
"""After a pause of this length, the time is shown between the bubbles."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A bubble or a time, with its position in the scrolled content."""

    y: float
    height: float
    make: Callable[[float], list[View]]
    message: int = 0


class ThreadScreen(Activity):
    """The messages with one person."""

    name: ClassVar[str] = ".ConversationActivity"
    path: ClassVar[str] = "messages/thread"

    def __init__(
        self, app: App, mailbox: Mailbox, number: int, message: int = 0, draft: str = ""
    ) -> None:
        super().__init__(app)
        self._mailbox = mailbox
        self._number = number
        self._sought = message
        self._scroll = self.host.scroller()
        self._scroll.offset = 1e9
        self._at_end = True
        self._zoom = 1.0
        self._compose = Field(
            "compose_text",
            multiline=True,
            action="send",
            on_change=lambda: self.host.changed("text"),
        )
        self._compose.put(draft)

    def shown(self) -> None:
        """What is seen is read."""
        thread = self._mailbox.thread(self._number)
        if thread is not None and thread.unread:
            self._mailbox.read(self._number)

    def pinch(self, factor: float) -> None:
        """Two fingers make the text larger or smaller."""
        self._zoom = min(2.0, max(0.7, self._zoom * factor))
        self.host.changed("pinch")

    def build(self, s: Space) -> View:
        """Bar, bubbles, field."""
        p = s.palette
        name, phone, tone = self._mailbox.facts(self._number)
        room = s.width - 32 - 40 - 60
        height = pill_height(s, self._compose, room)
        low = s.bottom - height - 10
        area = Rect(0, s.top + 57, s.width, low - s.top - 61)
        bubbles = self._list(s, area)
        initial = name[:1].upper() if name[:1].isalpha() else ""
        has_text = bool(self._compose.text.strip())
        return root(
            s,
            bubbles,
            line(s, 0, s.top + 56, s.width),
            back_button(s, 28, s.top + 28, self.host.finish),
            self._title(s, name, initial, tone),
            icon_button(
                s.width - 76,
                s.top + 28,
                "phone-outline",
                "Call",
                lambda: self._call(phone),
                "call",
                p.quiet,
            ),
            more_button(s, s.width - 28, s.top + 28, self.menu),
            pill_field(
                s,
                Rect(16, low, s.width - 92, height),
                "Text message",
                self._compose,
                self.has_focus(self._compose),
                20,
                20,
            ),
            self._send_button(s, s.width - 40, s.bottom - 36, has_text),
        )

    def menu(self) -> None:
        """The menu of the bar."""
        name, phone, _ = self._mailbox.facts(self._number)
        choices = [OverlayChoice("Copy number", lambda: self._copy(phone))]
        if not any(app.label == "Contacts" and _knows(app, phone) for app in self.host.apps):
            choices.append(OverlayChoice("Add contact", lambda: self._add(phone)))
        choices += [
            OverlayChoice("Normal text size", self._unzoom),
            OverlayChoice("Delete conversation", lambda: self._ask_delete(name), danger=True),
        ]
        self.host.show(menu(choices, 1e4, 44))

    # --- parts -------------------------------------------------------------------------------
    def _title(self, s: Space, name: str, initial: str, tone: str) -> View:
        box = Rect(52, s.top + 4, s.width - 160, 48)
        face = avatar(box.x + 20, box.cy, 17, initial, tone)
        word = label(
            Rect(box.x + 48, box.y, box.w - 52, 48),
            name,
            18,
            s.palette.text,
            500,
            key="title/name",
            res="name",
        )
        return row(box, "title", self._person, s, face, word, res="toolbar_title", radius=24)

    def _send_button(self, s: Space, cx: float, cy: float, enabled: bool) -> View:
        p = s.palette
        fill = p.primary if enabled else p.surface
        ink = p.on_primary if enabled else p.outline

        def paint(c: Canvas, v: View) -> None:
            c.circle(v.box.cx, v.box.cy, 24, fill)
            c.icon(v.box.cx + 1.5, v.box.cy, "send", 22, ink)

        return View(
            centred(cx, cy, 48),
            IMAGE_BUTTON,
            key="send",
            res="send_message_button",
            desc="Send message",
            paint=paint,
            tap=self._send,
            enabled=enabled,
            ripple=24,
            ripple_on=ink,
        )

    def _list(self, s: Space, area: Rect) -> View:
        thread = self._mailbox.thread(self._number)
        if thread is None:
            return View(
                area, FRAME, children=[empty(s, area, "message-outline", "No messages yet")]
            )
        placed, content = self._place(s, thread)
        if self._at_end:
            self._scroll.offset = 1e9
        top = area.y - self._scroll.measure(content, area.h)
        if self._sought:
            at = next((b.y for b in placed if b.message == self._sought), 0.0)
            self._sought = 0
            self._scroll.offset = at - area.h / 2
            top = area.y - self._scroll.measure(content, area.h)
        self._at_end = self._scroll.offset >= self._scroll.extent - 1
        views: list[View] = []
        for item in placed:
            if top + item.y + item.height > area.y and top + item.y < area.bottom:
                views += item.make(top + item.y)
        made = scroll_list(area, self._scroll, "messages", *views)
        made.pinch = self
        return made

    def _place(self, s: Space, thread: Thread) -> tuple[list[_Placed], float]:
        placed: list[_Placed] = []
        y = 8.0
        before: MailMessage | None = None
        messages = thread.messages
        for i, message in enumerate(messages):
            pause = before is None or (message.when - before.when).total_seconds() > PAUSE_SECONDS
            if pause:
                stamp = f"{day(message.when, self.host.wall())} {message.when:%H:%M}"
                placed.append(_Placed(y, 36, self._stamp(s, stamp, message.number)))
                y += 38
            elif before is not None:
                y += 3 if before.outgoing == message.outgoing else 12
            after = messages[i + 1] if i + 1 < len(messages) else None
            last = after is None or after.outgoing != message.outgoing
            joined = not pause and before is not None and before.outgoing == message.outgoing
            words = self._words(s, message)
            make = self._bubble(s, thread, message, words, joined, last)
            height = words.height + 20 + (12 if message.liked else 0)
            placed.append(_Placed(y, height, make, message.number))
            y += height
            before = message
        return placed, y + 10

    def _words(self, s: Space, message: MailMessage) -> LinkedText:
        """A message as it is set, with its numbers and dates linked."""
        p = s.palette
        size = SIZE * self._zoom
        ink, link_ink = (p.on_primary, p.on_primary) if message.outgoing else (p.text, p.primary)
        name = f"bubble-{message.number}/link"
        spans = [
            LinkSpan(link.start, link.end, self._following(link.uri), f"{name}-{i}")
            for i, link in enumerate(links.found(message.body, message.when), 1)
        ]
        room = min(s.width * 0.72, 440.0) - 32
        face = TextStyle(size, size * LEADING * s.font_scale, ink, link_ink)
        return LinkedText(s, message.body, room, face, spans)

    def _stamp(self, s: Space, words: str, number: int) -> Callable[[float], list[View]]:
        return lambda y: [
            label(
                Rect(24, y, s.width - 48, 36),
                words,
                12,
                s.palette.quiet,
                400,
                "centre",
                key=f"time-{number}",
                res="time_separator",
            )
        ]

    def _bubble(
        self,
        s: Space,
        thread: Thread,
        message: MailMessage,
        words: LinkedText,
        joined: bool,
        last: bool,
    ) -> Callable[[float], list[View]]:
        p = s.palette
        width, height = max(44.0, words.width + 32), words.height + 20
        fill = p.primary if message.outgoing else p.surface
        ink = p.on_primary if message.outgoing else p.text
        big, small = 20.0, 6.0
        upper, lower = small if joined else big, big if last else small
        corners = (big, upper, lower, big) if message.outgoing else (upper, big, big, lower)

        def paint(c: Canvas, v: View) -> None:
            c.corners(v.box, fill, corners)
            words.paint(c, v.box.x + 16, v.box.y + 10)

        def make(y: float) -> list[View]:
            x = s.width - 16 - width if message.outgoing else 60.0
            box = Rect(x, y, width, height)
            bubble = View(
                box,
                TEXT,
                key=f"bubble-{message.number}",
                res="message_text",
                text=message.body,
                paint=paint,
                long_press=lambda: self._held(message, box),
                double_tap=lambda: self._mailbox.like(message.number, not message.liked),
                ripple=20,
                ripple_on=ink,
                opaque=True,
                children=words.views(box.x + 16, box.y + 10),
            )
            views = [bubble]
            if last and not message.outgoing:
                face = avatar(34, box.bottom - 15, 15, thread.initial, thread.tone)
                views.append(face)
            if message.liked:
                views.append(_heart(s, box, message))
            return views

        return make

    # --- acts --------------------------------------------------------------------------------
    def _held(self, message: MailMessage, box: Rect) -> None:
        x = box.x + 24 if not message.outgoing else box.right - 190
        self.host.show(
            menu(
                [
                    OverlayChoice("Copy", lambda: self._copy(message.body), "content-copy"),
                    OverlayChoice(
                        "Share", lambda: share(self, "", message.body), "share-variant-outline"
                    ),
                    OverlayChoice("Delete", lambda: self._delete(message), "delete-outline"),
                    OverlayChoice("Details", lambda: self._details(message), "information-outline"),
                ],
                x,
                box.bottom + 6,
            )
        )

    def _following(self, uri: str) -> Callable[[], None]:
        """What a link in a bubble does: a date leads to the calendar, a number to a choice."""
        if not uri.startswith("tel:"):
            return lambda: self._follow(uri)
        phone = uri.removeprefix("tel:")
        known = any(app.showing(phone) is not None for app in self.host.apps)
        choices = [
            OverlayChoice(f"Call {phone}", lambda: self._follow(uri), "phone-outline"),
            OverlayChoice(
                "Send message", lambda: self._follow(f"sms:{phone}"), "message-text-outline"
            ),
            OverlayChoice(
                "Show contact" if known else "Add to contacts",
                lambda: self._follow(f"contact:{phone}"),
                "account-outline" if known else "account-plus-outline",
            ),
            OverlayChoice("Copy number", lambda: self._copy(phone), "content-copy"),
        ]
        return lambda: self.host.show(
            dialog(phone, "", [OverlayChoice("Cancel", _nothing)], choices)
        )

    def _follow(self, uri: str) -> None:
        links.follow(self, uri)

    def _copy(self, text: str) -> None:
        self.host.copy(text)
        self.host.toast("Copied")

    def _delete(self, message: MailMessage) -> None:
        self._mailbox.delete(message.number)
        self.host.changed("data")

    def _details(self, message: MailMessage) -> None:
        name, phone, _ = self._mailbox.facts(self._number)
        way = "To" if message.outgoing else "From"
        when = message.when
        facts = (
            f"Type: text message\n{way}: {name}, {phone}\n"
            f"{'Sent' if message.outgoing else 'Received'}: "
            f"{when:%A}, {when.day} {when:%B %Y}, {when:%H:%M}"
        )
        self.host.show(dialog("Message details", facts, [OverlayChoice("OK", lambda: None)]))

    def _send(self) -> None:
        text = self._compose.text.strip()
        if text:
            self._mailbox.send(self._number, text, self.host.wall())
            self._compose.put("")
            self._at_end = True
            self.host.changed("sent")

    def _unzoom(self) -> None:
        self._zoom = 1.0

    def _call(self, phone: str) -> None:
        _open_first(self, [app.calling(phone) for app in self.host.apps])

    def _add(self, phone: str) -> None:
        _open_first(self, [app.adding(phone) for app in self.host.apps])

    def _person(self) -> None:
        """The title leads to the person's page, or to a form for a new one."""
        _, phone, _ = self._mailbox.facts(self._number)
        pages = [app.showing(phone) for app in self.host.apps]
        _open_first(self, [*pages, *[app.adding(phone) for app in self.host.apps]])

    def _ask_delete(self, name: str) -> None:
        def delete() -> None:
            self._mailbox.delete_thread(self._number)
            self.host.finish()

        self.host.show(
            dialog(
                "Delete conversation?",
                f"All messages with {name} will be deleted from this phone.",
                [
                    OverlayChoice("Cancel", lambda: None),
                    OverlayChoice("Delete", delete, danger=True),
                ],
            )
        )


def _heart(s: Space, bubble: Rect, message: MailMessage) -> View:
    p = s.palette
    cx = bubble.x + 20 if message.outgoing else bubble.right - 20

    def paint(c: Canvas, v: View) -> None:
        c.circle(v.box.cx, v.box.cy, 12, p.background)
        c.circle(v.box.cx, v.box.cy, 10.5, p.tint)
        c.icon(v.box.cx, v.box.cy + 0.5, "heart", 13, "#c9213a" if not p.dark else "#ff8a96")

    return View(
        centred(cx, bubble.bottom + 3, 24),
        "android.widget.ImageView",
        key=f"heart-{message.number}",
        res="reaction",
        desc="Liked",
        paint=paint,
    )


def _nothing() -> None:
    """Only closes the dialog."""


def _knows(app: App, phone: str) -> bool:
    return app.showing(phone) is not None


def _open_first(activity: Activity, targets: list[Activity | None]) -> None:
    for target in targets:
        if target is not None:
            activity.host.open(target)
            return
