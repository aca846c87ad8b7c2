"""A person's way through several apps, and what is left of it in databases and in the log."""

from __future__ import annotations

from demophone.apps import address_book, mailbox
from demophone.device import TouchAction
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, MakeDrawn, middle

CONTACTS = "com.taptrail.demo.contacts"
LAUNCHER = "com.taptrail.demo.launcher"
MESSAGES = "com.taptrail.demo.messages"
PHONE = "com.taptrail.demo.phone"
MARA = "SELECT first_name, last_name, phone, email FROM contacts WHERE first_name = 'Mara'"
make_drawn = hands.make_drawn


def _copy_number_of_mara(drawn: Drawn) -> None:
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")
    number = drawn.phone.hierarchy()
    assert "555 0142" in number
    bubble = next(e for e in drawn.elements().values() if "555 0142" in e["text"])
    drawn.hold(bubble["id"])
    drawn.tap("messages/thread/menu/copy")


def test_a_number_goes_from_a_message_into_a_new_contact(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    _copy_number_of_mara(drawn)
    drawn.press(3)
    drawn.tap("icon-contacts")
    drawn.tap("new-contact")
    drawn.write("Mara")
    drawn.tap("keyboard/action")
    drawn.write("Quill")
    drawn.tap("contacts/editor/phone")
    drawn.hold("contacts/editor/phone")
    drawn.tap("contacts/editor/actions/paste")
    assert drawn.element("contacts/editor/phone")["text"] == "555 0142"
    drawn.tap("contacts/editor/save")

    assert drawn.rows(address_book.PATH, MARA) == [("Mara", "Quill", "555 0142", "")]
    assert [(line["package"], line["activity"]) for line in drawn.log("foreground")] == [
        (LAUNCHER, ".LauncherActivity"),
        (MESSAGES, ".ConversationListActivity"),
        (MESSAGES, ".ConversationActivity"),
        (LAUNCHER, ".LauncherActivity"),
        (CONTACTS, ".ContactListActivity"),
        (CONTACTS, ".ContactEditorActivity"),
        (CONTACTS, ".ContactListActivity"),
    ]
    assert [line["label"] for line in drawn.log("foreground")][1] == "Messages"
    clipped = drawn.log("clipboard")
    assert [(line["by"], "555 0142" in line["text"]) for line in clipped] == [("phone", True)]
    kinds = [line["kind"] for line in drawn.log("gesture")]
    assert kinds.count("long_press") == 2
    assert "key" in kinds


def test_every_input_can_be_found_on_the_screen_it_was_made_on(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    _copy_number_of_mara(drawn)
    screens = {line["screen"]: line for line in drawn.log("screen")}
    downs = [line for line in drawn.log("input") if line["action"] == "down"]
    assert len(downs) == 4
    for line in downs:
        shown = screens[line["screen"]]
        assert line["element"] in shown["elements"]
        assert line["t_us"] >= shown["t_us"]
        left, top, right, bottom = line["element"]["box"]
        assert left <= line["x"] <= right
        assert top <= line["y"] <= bottom


def test_screens_are_counted_without_a_gap(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    _copy_number_of_mara(drawn)
    numbers = [line["screen"] for line in drawn.log("screen")]
    assert numbers == list(range(1, len(numbers) + 1))
    times = [line["t_us"] for line in drawn.log()]
    assert times == sorted(times)


def test_the_contact_leads_to_its_messages_and_back(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("search-field")
    drawn.write("oren")
    drawn.tap_text("Oren Falk")
    assert drawn.phone.foreground == (CONTACTS, ".ContactDetailActivity")
    drawn.tap("contacts/detail/message")
    assert drawn.phone.foreground == (MESSAGES, ".ConversationActivity")
    assert drawn.element("messages/thread/title/name")["text"] == "Oren Falk"
    drawn.tap("compose-text")
    drawn.write("hello")
    drawn.tap("messages/thread/send")
    sent = "SELECT body, outgoing FROM messages ORDER BY id DESC LIMIT 1"
    assert drawn.rows(mailbox.PATH, sent) == [("Hello", 1)]
    drawn.press(4)
    drawn.press(4)
    assert drawn.phone.foreground == (CONTACTS, ".ContactDetailActivity")
    drawn.tap("contacts/detail/call")
    assert drawn.phone.foreground == (PHONE, ".InCallActivity")
    drawn.tap("end-call")
    assert drawn.phone.foreground == (CONTACTS, ".ContactDetailActivity")


def test_the_same_seed_and_touches_give_the_same_pictures(make_drawn: MakeDrawn) -> None:
    def walk(folder: str) -> list[bytes]:
        drawn = make_drawn(folder)
        pictures = [drawn.phone.picture().pixels.tobytes()]
        for name in ("icon-contacts", "new-contact", "keyboard/key-o", "save"):
            drawn.tap(name)
            pictures.append(drawn.phone.picture().pixels.tobytes())
        drawn.swipe(270, 900, 262, 300)
        pictures.append(drawn.phone.picture().pixels.tobytes())
        return pictures

    first, second = walk("one"), walk("two")
    assert first == second
    assert len(set(first)) == len(first)


def test_another_seed_has_other_people(make_drawn: MakeDrawn) -> None:
    everybody = "SELECT first_name, last_name, phone FROM contacts"
    seven, eight = make_drawn("seven", seed=7), make_drawn("eight", seed=8)
    people = [drawn.rows(address_book.PATH, everybody) for drawn in (seven, eight)]
    assert [len(rows) for rows in people] == [48, 48]
    assert people[0] != people[1]
    assert len({phone for _, _, phone in people[0]}) == 48


def test_app_data_goes_back_to_how_it_was_shipped(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    count = "SELECT count(*) FROM contacts"
    drawn.tap("icon-contacts")
    drawn.tap("contact-2")
    drawn.tap("more")
    drawn.tap("menu/delete")
    drawn.tap("dialog/button-cancel")
    assert drawn.rows(address_book.PATH, count) == [(48,)]
    drawn.tap("more")
    drawn.tap("menu/delete")
    drawn.tap("dialog/button-delete")
    assert drawn.phone.foreground == (CONTACTS, ".ContactListActivity")
    assert drawn.rows(address_book.PATH, count) == [(47,)]
    drawn.phone.clear_app(CONTACTS)
    assert drawn.rows(address_book.PATH, count) == [(48,)]
    assert drawn.phone.foreground == (LAUNCHER, ".LauncherActivity")


def test_a_cancelled_touch_does_nothing(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    x, y = middle(drawn.element("icon-contacts"))
    drawn.touch(TouchAction.DOWN, x, y)
    drawn.touch(TouchAction.CANCEL, x, y)
    drawn.loop.advance(1.0)
    assert drawn.phone.foreground[0] == LAUNCHER
    assert drawn.log("gesture") == []
