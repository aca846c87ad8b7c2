"""The apps: nothing that can be tapped is dead, in any theme, size or rotation."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable

import pytest

from demophone.apps.address_book import PATH as CONTACTS_PATH
from demophone.apps.mailbox import PATH as MESSAGES_PATH
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, MakeDrawn, middle

make_drawn = hands.make_drawn

Way = Callable[[Drawn], None]
SOUP = f"note-{zlib.crc32(b'Soup'):08x}"


def _taps(*names: str) -> Way:
    def go(drawn: Drawn) -> None:
        for name in names:
            if name.startswith("hold "):
                drawn.hold(name.removeprefix("hold "))
            elif name.startswith("key "):
                drawn.press(int(name.removeprefix("key ")))
            else:
                _scroll_to(drawn, name)
                drawn.tap(name)

    return go


def _scroll_to(drawn: Drawn, name: str) -> None:
    """On a small screen what is wanted may lie below."""
    width, height = drawn.phone.size
    for _ in range(3):
        if any(key == name or key.endswith(f"/{name}") for key in drawn.elements()):
            return
        drawn.swipe(width / 2, height * 0.7, width / 2, height * 0.4)
        drawn.loop.advance(0.4)


SCREENS: dict[str, Way] = {
    "home": _taps(),
    "app search": _taps("launcher/home/search", "key 4"),
    "recents": _taps("icon-contacts", "key 187"),
    "conversations": _taps("icon-messages"),
    "menu of conversations": _taps("icon-messages", "more"),
    "thread": _taps("icon-messages", "conversation-1"),
    "menu of a thread": _taps("icon-messages", "conversation-1", "more"),
    "new message": _taps("icon-messages", "start-chat", "key 4"),
    "message search": _taps("icon-messages", "messages/list/search", "keyboard/key-s", "key 4"),
    "contacts": _taps("icon-contacts"),
    "contact": _taps("icon-contacts", "contact-2"),
    "menu of a contact": _taps("icon-contacts", "contact-2", "more"),
    "menu in the list": _taps("icon-contacts", "hold contact-2"),
    "contact form": _taps("icon-contacts", "new-contact", "keyboard/key-m", "key 4"),
    "keyboard": _taps("icon-contacts", "new-contact", "keyboard/key-m"),
    "signs": _taps("icon-contacts", "new-contact", "keyboard/key-m", "keyboard/signs"),
    "number pad": _taps(
        "icon-contacts", "new-contact", "keyboard/action", "keyboard/action", "keyboard/key-5"
    ),
    "discard": _taps("icon-contacts", "new-contact", "keyboard/key-m", "key 4", "key 4"),
    "settings": _taps("icon-settings"),
    "text size": _taps("icon-settings", "text-size"),
    "navigation": _taps("icon-settings", "navigation"),
    "about": _taps("icon-settings", "about"),
    "dialler": _taps("icon-phone", "key-5"),
    "call": _taps("icon-contacts", "contact-2", "contacts/detail/call"),
    "number in a bubble": _taps("icon-messages", "conversation-1", "link-1"),
    "share sheet": _taps("icon-messages", "conversation-1", "hold bubble-64", "menu/share"),
    "month": _taps("icon-calendar"),
    "menu of the calendar": _taps("icon-calendar", "more"),
    "day": _taps("icon-calendar", "day-view"),
    "event": _taps("icon-calendar", "event-4"),
    "event form": _taps("icon-calendar", "month/new-event", "key 4"),
    "date": _taps("icon-calendar", "month/new-event", "key 4", "start-date"),
    "hour": _taps("icon-calendar", "month/new-event", "key 4", "start-time"),
    "minute": _taps("icon-calendar", "month/new-event", "key 4", "end-time", "hour-15"),
    "reminder": _taps("icon-calendar", "month/new-event", "key 4", "reminder"),
    "event search": _taps("icon-calendar", "month/search", "key 4"),
    "notes": _taps("icon-notes"),
    "new note": _taps("icon-notes", "new-note", "keyboard/key-m", "key 4"),
    "menu of a note": _taps("icon-notes", SOUP, "more"),
    "menu in the notes": _taps("icon-notes", f"hold {SOUP}"),
    "shop": _taps("icon-fernway"),
    "product": _taps("icon-fernway", "product-rubber-fig"),
    "finding plants": _taps("icon-fernway", "tab-find"),
    "basket": _taps("icon-fernway", "product-rubber-fig/add", "open-basket"),
    "empty basket": _taps("icon-fernway", "open-basket"),
    "till": _taps("icon-fernway", "product-rubber-fig/add", "open-basket", "check-out"),
    "what one ordered": _taps("icon-fernway", "tab-you"),
    "articles": _taps("icon-reader"),
    "article": _taps("icon-reader", "article-night-trains"),
    "type size": _taps("icon-reader", "article-night-trains", "type-size"),
    "alarms": _taps("icon-clock"),
    "face of the clock": _taps("icon-clock", "tab-clock"),
    "stopwatch": _taps("icon-clock", "tab-stopwatch", "main/start"),
    "stopped watch": _taps("icon-clock", "tab-stopwatch", "main/start", "main/lap", "main/start"),
    "door of the vault": _taps("icon-vault"),
    "networks": _taps("icon-settings", "wifi"),
    "password": _taps("icon-settings", "wifi", "network-lighthouse", "key 4"),
    "display": _taps("icon-settings", "display"),
    "all apps": _taps("icon-settings", "app-list"),
    "app info": _taps("icon-calendar", "key 3", "icon-settings", "app-list", "app-calendar"),
}


def _some_of_each_kind(names: Iterable[str]) -> list[str]:
    """The names; of days, hours and the like, that differ in numbers alone, the first and last."""
    kinds: dict[str, list[str]] = {}
    for name in names:
        kinds.setdefault(re.sub(r"\d+", "#", name), []).append(name)
    return [name for kind in kinds.values() for name in dict.fromkeys((kind[0], kind[-1]))]


def _state(drawn: Drawn) -> tuple[object, ...]:
    field = drawn.phone.typing.field
    return (
        drawn.phone.picture().pixels.tobytes(),
        drawn.phone.foreground,
        len(drawn.log("clipboard")),
        (field.cursor, field.text) if field is not None else None,
    )


@pytest.mark.parametrize("name", SCREENS)
def test_whatever_can_be_tapped_does_something(make_drawn: MakeDrawn, name: str) -> None:
    go = SCREENS[name]
    first = make_drawn("first", size=(360, 800), density=140)
    go(first)
    wanted = _some_of_each_kind(
        e["id"]
        for e in first.elements().values()
        if e["clickable"] and not e["editable"] and not e["id"].endswith("list/filter-all")
    )
    assert wanted
    dead = []
    for i, element in enumerate(wanted):
        drawn = make_drawn(f"{i}", size=(360, 800), density=140)
        go(drawn)
        before = _state(drawn)
        drawn.tap(element)
        if _state(drawn) == before:
            dead.append(element)
    assert dead == []


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize(
    "wish",
    [
        {"size": (540, 1200), "density": 210},
        {"size": (720, 1600), "density": 280, "settings": {"ui_night_mode": "2"}},
        {"size": (540, 1200), "density": 210, "rotation": 1},
        {"size": (720, 1280), "density": 320, "settings": {"navigation_mode": "0"}},
    ],
    ids=["plain", "dark", "landscape", "small"],
)
def test_what_can_be_tapped_can_be_reached(
    make_drawn: MakeDrawn, name: str, wish: dict[str, object]
) -> None:
    settings = wish.get("settings", {})
    size = {key: wish[key] for key in ("size", "density")}
    drawn = make_drawn(**size)
    assert isinstance(settings, dict)
    for key, value in settings.items():
        drawn.phone.put_setting("secure", key, value)
    SCREENS[name](drawn)
    drawn.phone.set_rotation(int(str(wish.get("rotation", 0))))
    width, height = drawn.phone.size
    for element in drawn.elements().values():
        left, top, right, bottom = element["box"]
        assert 0 <= left < right <= width, element
        assert 0 <= top < bottom <= height, element
    for element in drawn.elements().values():
        if element["clickable"] and _big(element["box"], drawn.phone.density):
            x, y = middle(element)
            scale = drawn.phone.density / 160
            hit = drawn.phone.hands.hit(x / scale, y / scale)
            assert hit is not None, element
            covered = hit.path == element["id"] or _over(hit.path)
            assert covered, (element["id"], hit.path)


def _big(box: list[int], density: int) -> bool:
    """Whether enough of it shows to be meant; what a list cuts off is not."""
    return min(box[2] - box[0], box[3] - box[1]) >= 20 * density / 160


def _over(path: str) -> bool:
    """What may lie over the middle of a row: the floating buttons, what is planned at an hour."""
    floating = ("/new-contact", "/start-chat", "/clear-all", "/new-event", "/new-note",
                "/new-alarm")  # fmt: skip
    return path.endswith(floating) or path.startswith("calendar/day/event-")


def test_conversations_and_contacts_are_many_and_scroll(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    assert drawn.rows(MESSAGES_PATH, "SELECT count(*) FROM threads")[0][0] >= 12
    assert drawn.rows(CONTACTS_PATH, "SELECT count(*) FROM contacts")[0][0] >= 45
    for app, key in (("messages", "conversations"), ("contacts", "list")):
        drawn.press(3)
        drawn.tap(f"icon-{app}")
        assert drawn.element(f"{app}/list/{key}")["scrollable"] is True


def test_a_favourite_is_also_at_the_top(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.hold("contact-8")
    drawn.tap("menu/add-to-favourites")
    assert drawn.element("section-favourites")["text"] == "Favourites"
    drawn.tap("star-8")
    assert drawn.element("contacts/detail/name")["text"] == "Dov Ashe"


def test_a_changed_contact_is_written(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("contact-8")
    drawn.tap("edit")
    drawn.tap("contacts/editor/last-name")
    drawn.phone.typing.chosen()
    drawn.phone.text("Birch", "scrcpy")
    drawn.tap("contacts/editor/picture")
    drawn.tap("save")
    drawn.phone.picture()
    row = "SELECT first_name, last_name FROM contacts WHERE id = 8"
    assert drawn.rows(CONTACTS_PATH, row) == [("Dov", "Birch")]
    assert drawn.element("contacts/detail/name")["text"] == "Dov Birch"


def test_search_finds_messages_and_leads_to_them(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("messages/list/search")
    drawn.write("bicycles")
    found = [e for key, e in drawn.elements().items() if key.endswith("/snippet")]
    assert [("bicycles" in e["text"]) for e in found] == [True, True]
    drawn.tap(found[1]["id"].removesuffix("/snippet"))
    drawn.press(4)
    assert any("two bicycles" in e["text"] for e in drawn.elements().values())


def test_a_new_conversation_begins_with_a_contact_or_a_number(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("start-chat")
    drawn.tap("messages/new/recipient")
    drawn.phone.text("555 9999", "scrcpy")
    drawn.tap("messages/new/number")
    drawn.tap("compose-text")
    drawn.write("hi")
    drawn.tap("messages/thread/send")
    last = "SELECT t.phone, m.body FROM messages m JOIN threads t ON t.id = m.thread_id " \
           "ORDER BY m.id DESC LIMIT 1"  # fmt: skip
    assert drawn.rows(MESSAGES_PATH, last) == [("555 9999", "Hi")]
    drawn.press(4)
    drawn.press(4)
    assert drawn.phone.foreground[1] == ".ConversationListActivity"


def test_a_conversation_bears_the_name_that_the_contacts_give(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-messages")
    drawn.tap("conversation-1")
    drawn.tap("more")
    drawn.tap("menu/add-contact")
    assert drawn.element("contacts/editor/phone")["text"] == "555 0142"
    drawn.tap("contacts/editor/first-name")
    drawn.write("Mara New")
    drawn.tap("save")
    assert drawn.phone.foreground[1] == ".ConversationActivity"
    assert drawn.element("title/name")["text"] == "Mara New"
    drawn.tap("title")
    assert drawn.element("contacts/detail/name")["text"] == "Mara New"
    drawn.press(4)
    drawn.press(4)
    assert drawn.element("conversation-1/name")["text"] == "Mara New"


def test_apps_are_started_and_stopped_from_outside(make_drawn: MakeDrawn) -> None:
    phone = make_drawn().phone
    contacts = "com.taptrail.demo.contacts"
    assert phone.start_app(contacts, ".ContactEditorActivity")
    assert phone.foreground == (contacts, ".ContactEditorActivity")
    assert phone.start_app(contacts, fresh=True)
    assert phone.foreground == (contacts, ".ContactListActivity")
    assert not phone.start_app("com.example.none")
    assert not phone.start_app(contacts, ".NoSuchActivity")
    phone.stop_app(contacts)
    assert phone.foreground == ("com.taptrail.demo.launcher", ".LauncherActivity")
    assert phone.tasks == []
    assert phone.app_label(contacts) == "Contacts"
    assert phone.app_label("com.example.none") == "com.example.none"
    assert contacts in phone.packages


def test_a_change_of_the_database_from_outside_is_seen(make_drawn: MakeDrawn) -> None:
    drawn = make_drawn()
    drawn.tap("icon-contacts")
    drawn.tap("contact-2")
    drawn.rows_changed(CONTACTS_PATH, "UPDATE contacts SET first_name = 'Xenia' WHERE id = 2")
    drawn.press(4)
    drawn.tap("search-field")
    drawn.write("Xen")
    assert drawn.with_text("Xenia Rook")["id"] == "contacts/list/contact-2/name"
