"""Three goes at one task that needs three apps: careful, quick with a pause, and in vain."""

from __future__ import annotations

from collections.abc import Callable

from episodes.actions import Key
from tests.e2e.walk import Pace, Walker

TASK = (
    "Copy the number from the message into a new contact and put the appointment into the calendar"
)
CALM = Pace.CALM


def carefully(hand: Walker) -> None:
    """The contact and the event, with the time that the message leaves open."""
    hand.tap("launcher/home/icon-messages", CALM)
    hand.tap("messages/list/conversation-1", CALM)
    hand.tap("messages/thread/bubble-64/link-1", CALM)
    hand.tap("messages/thread/dialog/option-add-to-contacts", CALM)
    hand.tap("contacts/editor/first-name", CALM)
    hand.type("Mara")
    hand.tap("contacts/editor/save", CALM)
    hand.key(Key.BACK, CALM)
    hand.tap("messages/list/conversation-2", CALM)
    hand.tap("messages/thread/bubble-*/link-1", CALM)
    hand.type("Ferry")
    hand.key(Key.BACK, how="keyboard")
    hand.tap("calendar/editor/start-time", CALM)
    hand.tap("calendar/editor/time-picker/hour-9", CALM)
    hand.tap("calendar/editor/time-picker/ok", CALM)
    hand.tap("calendar/editor/save", CALM)
    hand.key(Key.BACK)
    hand.key(Key.HOME)


def quickly(hand: Walker, pause: Callable[[], None]) -> None:
    """The number by way of the clipboard, the event without its time; somebody rings in between."""
    hand.tap("launcher/home/icon-messages")
    hand.tap("messages/list/conversation-1")
    hand.tap("messages/thread/bubble-64/link-1")
    hand.tap("messages/thread/dialog/option-copy-number")
    hand.key(Key.HOME)
    hand.tap("launcher/home/icon-contacts")
    hand.tap("contacts/list/new-contact")
    hand.type("Mara Q")
    hand.tap("contacts/editor/phone")
    hand.long_press("contacts/editor/phone")
    hand.tap("contacts/editor/actions/paste")
    hand.tap("contacts/editor/save")
    hand.key(Key.HOME)
    pause()
    hand.tap("launcher/home/icon-messages")
    hand.key(Key.BACK)
    hand.tap("messages/list/conversation-2")
    hand.tap("messages/thread/bubble-*/link-1")
    hand.type("Ferry")
    hand.tap("calendar/editor/save")
    hand.key(Key.BACK)
    hand.key(Key.HOME)


def in_vain(hand: Walker) -> None:
    """Reads the number, and keeps nothing."""
    hand.tap("launcher/home/icon-messages")
    hand.tap("messages/list/conversation-1")
    hand.tap("messages/thread/bubble-64/link-1")
    hand.tap("messages/thread/dialog/button-cancel")
    hand.key(Key.BACK)
    hand.key(Key.HOME)
