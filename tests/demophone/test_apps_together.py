"""From app to app: links, the share sheet, and tasks that need several apps."""

from __future__ import annotations

import datetime

import pytest

from demophone.apps import address_book, agenda, links, mailbox, notebook
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, MakeDrawn, middle

make_drawn = hands.make_drawn

THURSDAY = datetime.datetime(2026, 5, 14, 10, 24)  # noqa: DTZ001 - the phone's own local time
PACKAGE = "com.taptrail.demo."


def _app(drawn: Drawn) -> tuple[str, str]:
    package, activity = drawn.phone.foreground
    return package.removeprefix(PACKAGE), activity


@pytest.mark.parametrize(
    ("text", "uris"),
    [
        ("My new number is 555 0142, please save it", ["tel:555 0142"]),
        ("The ferry leaves at nine on Saturday 16 May", ["event:2026-05-16"]),
        ("moved to 3 June, 08:15. Call 555 0377", ["event:2026-06-03T08:15", "tel:555 0377"]),
        ("Can we make it Friday at noon instead?", ["event:2026-05-15T12:00"]),
        ("Thursday 12:30 works", ["event:2026-05-14T12:30"]),
        ("Long ago, on 2 January", ["event:2027-01-02"]),
        ("31 February, order 0093, LK 2209 4416, 20 418", []),
        ("29 February", []),
        ("1555 01423 and 12:30", []),
    ],
)
def test_numbers_and_dates_of_a_text_are_found(text: str, uris: list[str]) -> None:
    assert [link.uri for link in links.found(text, THURSDAY)] == uris


def test_the_number_of_a_message_becomes_a_contact_and_its_date_an_event(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")
    drawn.tap("link-1")
    assert drawn.element("dialog/title")["text"] == "555 0142"
    drawn.tap("option-add-to-contacts")
    assert drawn.element("contacts/editor/phone")["text"] == "555 0142"
    drawn.tap("contacts/editor/first-name")
    drawn.write("Mara")
    drawn.tap("save")
    assert _app(drawn) == ("messages", ".ConversationActivity")
    drawn.press(4)
    drawn.tap("conversation-2")
    drawn.tap("link-1")
    assert _app(drawn) == ("calendar", ".EventEditorActivity")
    drawn.write("Ferry")
    drawn.press(4)
    drawn.tap("start-time")
    drawn.tap("hour-9")
    drawn.tap("ok")
    drawn.tap("save")
    assert _app(drawn) == ("messages", ".ConversationActivity")
    contact = "SELECT first_name, phone FROM contacts ORDER BY id DESC LIMIT 1"
    event = "SELECT title, starts_at, ends_at FROM events ORDER BY id DESC LIMIT 1"
    assert drawn.rows(address_book.PATH, contact) == [("Mara", "555 0142")]
    assert drawn.rows(agenda.PATH, event) == [("Ferry", "2026-05-16 09:00", "2026-05-16 10:00")]


def test_a_number_in_a_bubble_leads_to_pad_thread_contact_and_clipboard(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")
    for choice, app in (("call-555-0142", "phone"), ("send-message", "messages")):
        drawn.tap("link-1")
        drawn.tap(f"option-{choice}")
        assert _app(drawn)[0] == app
        if app == "phone":
            assert drawn.element("phone/pad/digits")["text"] == "555 0142"
            drawn.press(4)
    drawn.tap("link-1")
    drawn.tap("option-copy-number")
    assert drawn.phone.clipboard == "555 0142"


def test_a_link_is_hit_by_itself_and_a_long_press_on_it_is_the_bubbles(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")
    link = drawn.element("link-1")
    assert (link["node"], link["clickable"], link["text"]) == (False, True, "555 0142")
    assert "link" not in drawn.phone.hierarchy()
    drawn.hold("link-1")
    gesture = drawn.log("gesture")[-1]
    assert (gesture["kind"], gesture["element"]["id"]) == (
        "long_press",
        "messages/thread/bubble-64",
    )
    assert drawn.element("menu/share")["clickable"]
    drawn.press(4)
    drawn.tap("link-1")
    assert drawn.log("gesture")[-1]["element"]["id"] == "messages/thread/bubble-64/link-1"


def test_a_message_is_shared_with_notes_and_calendar(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-2")
    bubble = next(
        key for key, e in drawn.elements().items() if e["text"].startswith("The ferry leaves")
    )
    drawn.hold(bubble)
    drawn.tap("menu/share")
    offered = {key.rpartition("/")[2] for key in drawn.elements() if "/share/app-" in key}
    assert offered == {"app-calendar", "app-notes"}
    drawn.tap("share/app-calendar")
    assert drawn.element("editor/start-date")["text"] == "Sat, 16 May 2026"
    assert drawn.element("title-text")["text"].startswith("The ferry leaves at nine")
    drawn.press(4)
    drawn.tap("dialog/button-discard")
    assert _app(drawn) == ("messages", ".ConversationActivity")
    drawn.hold(bubble)
    drawn.tap("menu/share")
    drawn.tap("share/app-notes")
    drawn.tap("notes/note/save")
    path = drawn.folder / notebook.FOLDER.lstrip("/")
    made = [p.read_text() for p in path.iterdir() if p.name.startswith("The ferry")]
    assert made == ["The ferry leaves at nine on Saturday 16 May, do not be late"]


def test_a_note_goes_to_somebody_as_a_message_and_back_leads_to_the_note(
    make_drawn: MakeDrawn,
) -> None:
    drawn = make_drawn()
    drawn.tap("icon-notes")
    drawn.tap_at(*middle(drawn.with_text("Meter reading")))
    drawn.tap("notes/note/share")
    drawn.tap("share/app-messages")
    drawn.tap("messages/new/recipient")
    drawn.write("oren")
    drawn.tap_text("Oren Falk")
    text = drawn.element("compose-text")["text"]
    assert text.startswith("14 May  20 418\n")
    drawn.tap("messages/thread/send")
    sent = "SELECT body FROM messages ORDER BY id DESC LIMIT 1"
    assert drawn.rows(mailbox.PATH, sent) == [(text,)]
    drawn.press(4)
    assert _app(drawn) == ("notes", ".NoteActivity")


def test_the_share_sheet_copies_and_closes(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-calendar")
    drawn.tap("event-6")
    drawn.tap("calendar/event/share")
    assert "Choir" in drawn.element("share/preview")["text"]
    drawn.tap("share/copy")
    assert drawn.phone.clipboard == "Choir: Thursday 14 May at 18:00, St Anne's hall"
    drawn.tap("calendar/event/share")
    drawn.tap_at(270, 200)
    assert "/share/" not in " ".join(drawn.elements())


def test_links_of_an_article_open_other_apps(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-reader")
    drawn.tap("article-night-trains")
    places = {
        "paragraph-2/link-1": ("reader", ".ArticleActivity", 1),
        "item-3/link-1": ("shop", ".ProductActivity", 1),
        "paragraph-4/link-1": ("calendar", ".EventEditorActivity", 2),  # the keyboard goes first
        "paragraph-4/link-2": ("phone", ".DialpadActivity", 1),
    }
    for name, (app, activity, backs) in places.items():
        while not any(key.endswith(f"/{name}") for key in drawn.elements()):
            drawn.swipe(270, 900, 270, 700)
            drawn.loop.advance(0.4)
        drawn.tap(name)
        assert _app(drawn) == (app, activity)
        for _ in range(backs):
            drawn.press(4)
        assert _app(drawn) == ("reader", ".ArticleActivity")
