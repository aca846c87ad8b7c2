"""A hand's way through every app of the demo phone: about two hundred actions.

Where the next thing is only there once the last has worked, the hand waits for it (SETTLED), or
until the screen's tree is known as well (CALM); else it goes on as fast as it can (NOW).
"""

from __future__ import annotations

from collections.abc import Callable

from episodes.actions import Key
from episodes.geometry import Direction
from tests.e2e.walk import Pace, Walker

Scene = Callable[[Walker], None]

UP, DOWN, LEFT, RIGHT = Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT
CALM, NOW = Pace.CALM, Pace.NOW


def go_home(hand: Walker) -> None:
    """The button under the mirror; the home screen has settled when the next icon is tapped."""
    hand.key(Key.HOME)


def read_messages(hand: Walker) -> None:
    """Bubbles, a link inside one, a menu, the search, and an answer."""
    hand.tap("launcher/home/icon-messages")
    hand.tap("messages/list/filter-unread")
    hand.tap("messages/list/filter-all")
    hand.tap("messages/list/search", CALM)
    hand.type("ferry")
    hand.key(Key.BACK, how="keyboard")
    hand.tap("messages/search/back")
    hand.tap("messages/list/conversation-1", CALM)
    hand.tap("messages/thread/bubble-64/link-1", CALM)
    hand.tap("messages/thread/dialog/option-copy-number", CALM)
    hand.long_press("messages/thread/bubble-6?", CALM)
    hand.tap("messages/thread/menu/details", CALM)
    hand.tap("messages/thread/*button-ok")
    hand.double_tap("messages/thread/bubble-61", CALM)
    hand.swipe(DOWN, "messages/thread/messages")
    hand.wheel(UP, "messages/thread/messages")
    hand.pinch("messages/thread/messages", True)
    hand.tap("messages/thread/compose-text", CALM)
    hand.tap("keyboard/*key-o")
    hand.tap("keyboard/*key-k", NOW)
    hand.type(" bring the lamp")
    hand.tap("messages/thread/send")
    hand.tap("messages/thread/back")


def keep_a_contact(hand: Walker) -> None:
    """A new contact in four fields, a page, and a dialog that is cancelled."""
    hand.tap("launcher/home/icon-contacts")
    hand.tap("contacts/list/new-contact", CALM)
    hand.type("Mara")
    hand.key(Key.ENTER, how="keyboard")
    hand.type("Quill")
    hand.key(Key.ENTER, how="keyboard")
    hand.type("555 0142")
    hand.tap("contacts/editor/save")
    hand.swipe(UP, "contacts/list/list")
    hand.wheel(DOWN, "contacts/list/list")
    hand.tap("contacts/list/more")
    hand.tap("contacts/list/menu/go-to-the-top")
    hand.tap("contacts/list/contact-2", CALM)
    hand.tap("contacts/detail/favourite", CALM)
    hand.tap("contacts/detail/more")
    hand.tap("contacts/detail/menu/delete")
    hand.tap("contacts/detail/*button-cancel")
    hand.key(Key.BACK, how="mouse")


def call_somebody(hand: Walker) -> None:
    """A number on the pad, a call, and its end."""
    hand.tap("launcher/home/icon-phone", CALM)
    for digit in "5914026":
        hand.tap(f"phone/pad/key-{digit}", CALM if digit == "4" else NOW)
    hand.tap("phone/pad/backspace")
    hand.long_press("phone/pad/backspace")
    hand.tap("phone/pad/key-5")
    hand.tap("phone/pad/call", CALM)
    hand.tap("phone/call/speaker", NOW)
    hand.tap("phone/call/end-call", NOW)


def change_settings(hand: Walker) -> None:
    """Switches, a dialog, brightness, and a password."""
    hand.tap("launcher/home/icon-settings")
    hand.tap("settings/list/dark-theme", CALM)
    hand.tap("settings/list/dark-theme", CALM)
    hand.tap("settings/list/text-size")
    hand.tap("settings/list/dialog/button-cancel")
    hand.tap("settings/list/display", CALM)
    hand.tap("settings/display/darker")
    hand.tap("settings/display/brighter")
    hand.tap("settings/display/back")
    hand.tap("settings/list/wifi", CALM)
    hand.tap("settings/wifi/network-lighthouse", CALM)
    hand.type("grey-heron-27")
    hand.tap("settings/wifi-password/show-password", CALM)
    hand.tap("settings/wifi-password/connect")
    hand.tap("settings/wifi/back")
    hand.tap("settings/list/app-list")
    hand.tap("settings/apps/app-vault")
    hand.key(Key.BACK)
    hand.key(Key.BACK, NOW)


def write_a_note(hand: Walker) -> None:
    """A new note, a search, another layout, and the share sheet."""
    hand.tap("launcher/home/icon-notes")
    hand.tap("notes/list/new-note", CALM)
    hand.type("Dredger")
    hand.key(Key.ENTER, how="keyboard")
    hand.type("a lamp")
    hand.tap("notes/note/save", CALM)
    hand.tap("notes/note/back")
    hand.tap("notes/list/layout")
    hand.tap("notes/list/search-field")
    hand.type("dredg")
    hand.tap("notes/list/note-*", CALM)
    hand.tap("notes/note/share")
    hand.tap("notes/note/share/app-messages")
    hand.tap("messages/new/person-2", CALM)
    hand.key(Key.HOME, NOW)


def plan_a_day(hand: Walker) -> None:
    """Months, a day, an event with a time, a reminder and a colour."""
    hand.tap("launcher/home/icon-calendar")
    hand.swipe(LEFT, "calendar/month/day-2026-05-13")
    hand.swipe(RIGHT, "calendar/month/day-2026-06-10")
    hand.tap("calendar/month/day-2026-05-16", CALM)
    hand.tap("calendar/month/new-event", CALM)
    hand.type("Ferry")
    hand.key(Key.BACK, how="keyboard")
    hand.tap("calendar/editor/start-time", CALM)
    hand.tap("calendar/editor/time-picker/hour-9", CALM)
    hand.tap("calendar/editor/time-picker/ok")
    hand.tap("calendar/editor/reminder", CALM)
    hand.tap("calendar/editor/dialog/option-1-hour-before")
    hand.tap("calendar/editor/colour-green")
    hand.tap("calendar/editor/save")
    hand.tap("calendar/month/day-view")
    hand.tap("calendar/day/next")
    hand.swipe(UP, "calendar/day/hours")
    hand.tap("calendar/day/back")
    hand.tap("calendar/month/search")
    hand.type("lunch")
    hand.tap("calendar/search/event-*")
    hand.tap("calendar/event/share", CALM)
    hand.tap("calendar/event/share/copy")
    hand.key(Key.BACK)


def buy_a_plant(hand: Walker) -> None:
    """Shelves, a product, a quantity, the basket, and an order that is not placed."""
    hand.tap("launcher/home/icon-fernway", CALM)
    hand.tap("shop/store/kind-shade")
    hand.swipe(LEFT, "shop/store/kinds")
    hand.swipe(UP, "shop/store/products")
    hand.swipe(DOWN, "shop/store/products", NOW)
    hand.tap("shop/store/product-moss-ball/add", CALM)
    hand.tap("shop/store/product-sedge", CALM)
    hand.tap("shop/product/quantity/more", CALM)
    hand.tap("shop/product/favourite")
    hand.tap("shop/product/add")
    hand.tap("shop/product/open-basket")
    hand.tap("shop/store/line-*/more", CALM)
    hand.tap("shop/store/check-out")
    hand.tap("shop/checkout/recipient-name")
    hand.type("Ana")
    hand.key(Key.BACK, how="keyboard")
    hand.tap("shop/checkout/delivery-pick-up", CALM)
    hand.tap("shop/checkout/back")
    hand.tap("shop/store/tab-find")
    hand.tap("shop/store/search-field")
    hand.type("fig")
    hand.tap("shop/store/result-rubber-fig", CALM)
    hand.key(Key.HOME, NOW, how="mouse")


def read_an_article(hand: Walker) -> None:
    """A page that is one node for the tree, and the buttons around it."""
    hand.tap("launcher/home/icon-reader")
    hand.tap("reader/list/article-dredger", CALM)
    hand.tap("reader/article/bookmark")
    hand.tap("reader/article/web/paragraph-3/link-1", CALM)
    hand.key(Key.BACK)
    hand.swipe(UP, "reader/article/web")
    hand.wheel(UP, "reader/article/web")
    hand.long_press("reader/article/web/item-?", CALM)
    hand.tap("reader/article/type-size", CALM)
    hand.tap("reader/article/dialog/option-large")
    hand.swipe(DOWN, "reader/article/web", NOW)
    hand.tap("reader/article/back", CALM)
    hand.tap("reader/list/filter-bookmarks")


def watch_the_clock(hand: Walker) -> None:
    """Alarms, and a stopwatch whose hands never rest."""
    hand.tap("launcher/home/icon-clock")
    hand.tap("clock/main/alarm-1")
    hand.tap("clock/main/new-alarm", CALM)
    hand.tap("clock/main/time-picker/hour-21", CALM)
    hand.tap("clock/main/time-picker/minute-40", CALM)
    hand.tap("clock/main/time-picker/ok")
    hand.tap("clock/main/tab-stopwatch")
    hand.tap("clock/main/start", CALM)
    hand.tap("clock/main/lap", NOW)
    hand.wheel(UP, pace=NOW)
    hand.tap("clock/main/start", NOW)
    hand.key(Key.HOME, NOW)


def open_the_vault(hand: Walker) -> None:
    """A screen that is black in the video, in peace and in haste."""
    hand.tap("launcher/home/icon-vault", CALM)
    hand.tap("vault/door/unlock", CALM)
    hand.tap("vault/secrets/secret-2", CALM)
    hand.tap("vault/secrets/show")
    hand.swipe(UP, "vault/secrets/secrets", CALM)
    hand.tap("vault/secrets/lock")
    hand.tap("vault/door/unlock")
    hand.tap("vault/secrets/secret-4", NOW)
    hand.tap("vault/secrets/back", NOW)


def look_around(hand: Walker) -> None:
    """The recent apps, the search from the home screen, and the shade."""
    hand.key(Key.RECENTS, CALM)
    hand.swipe(RIGHT, share=0.5)
    hand.key(Key.HOME)
    hand.swipe(UP, pace=CALM, share=0.3)
    hand.type("clo")
    hand.tap("launcher/search/app-clock", CALM)
    hand.key(Key.HOME, NOW)


def hurry(hand: Walker) -> None:
    """One thing after the other, on screens that still move."""
    for app in ("notes", "calendar", "vault", "fernway"):
        hand.tap(f"launcher/home/icon-{app}")
        hand.tap("*", NOW)
        hand.swipe(UP, pace=NOW, milliseconds=100)
        hand.key(Key.RECENTS, NOW)
        hand.key(Key.HOME, NOW)


SCENES: tuple[Scene, ...] = (
    read_messages,
    keep_a_contact,
    call_somebody,
    change_settings,
    write_a_note,
    plan_a_day,
    buy_a_plant,
    read_an_article,
    watch_the_clock,
    open_the_vault,
    look_around,
    hurry,
)
