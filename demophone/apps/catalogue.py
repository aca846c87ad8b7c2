"""Which apps the phone has. Adding one is one module, and one line here."""

from __future__ import annotations

from collections.abc import Sequence

from demophone.apps.address_book import AddressBook
from demophone.apps.agenda import Agenda
from demophone.apps.alarms import Alarms
from demophone.apps.app import App, Host
from demophone.apps.bookmarks import Bookmarks
from demophone.apps.calendar import Calendar
from demophone.apps.clock import ClockApp
from demophone.apps.contacts import Contacts
from demophone.apps.dialler import Dialler
from demophone.apps.greenhouse import Greenhouse
from demophone.apps.launcher import Launcher
from demophone.apps.mailbox import Mailbox
from demophone.apps.messages import Messages
from demophone.apps.notebook import Notebook
from demophone.apps.notes import Notes
from demophone.apps.reader import Reader
from demophone.apps.settings import SettingsApp
from demophone.apps.shop import Shop
from demophone.apps.vault import Vault


def apps(host: Host) -> list[App]:
    """A new phone's apps, in the launcher's order."""
    book = AddressBook(host.files, host.seed)
    mailbox = Mailbox(host.files, host.seed, book)
    return [
        Dialler(host, book),
        Messages(host, mailbox, book),
        Contacts(host, book),
        SettingsApp(host),
        Calendar(host, Agenda(host.files)),
        Notes(host, Notebook(host.files)),
        Shop(host, Greenhouse(host.files)),
        Reader(host, Bookmarks(host.files)),
        ClockApp(host, Alarms(host.files)),
        Vault(host),
    ]


def launcher(host: Host) -> App:
    """The launcher."""
    return Launcher(host)


def vocabulary(apps: Sequence[App]) -> list[str]:
    """Names that the keyboard may suggest."""
    return [word for app in apps for word in app.words()]
