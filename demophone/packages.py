"""What package names tell: which apps came with the phone, which one holds the settings."""

from __future__ import annotations

from collections.abc import Iterable

SYSTEM_PREFIXES = ("android.", "com.android.", "com.google.android.")
SYSTEM_APPS = ("launcher", "settings", "systemui")

PIXEL = {
    "com.taptrail.demo.settings": ("com.android.settings", ".Settings"),
    "com.taptrail.demo.contacts": (
        "com.google.android.contacts",
        "com.android.contacts.activities.PeopleActivity",
    ),
    "com.taptrail.demo.clock": ("com.google.android.deskclock", "com.android.deskclock.DeskClock"),
    "com.taptrail.demo.phone": (
        "com.google.android.dialer",
        "com.google.android.dialer.extensions.GoogleDialtactsActivity",
    ),
    "com.taptrail.demo.messages": (
        "com.simplemobiletools.smsmessenger",
        "com.simplemobiletools.smsmessenger.activities.MainActivity",
    ),
    "com.taptrail.demo.calendar": (
        "com.google.android.calendar",
        "com.android.calendar.AllInOneActivity",
    ),
}
"""A Pixel's names of our apps and of their first activities, for `--pixel-packages`."""


def is_system(package: str) -> bool:
    """Whether `pm list packages -3` leaves the package out."""
    return package.startswith(SYSTEM_PREFIXES) or package.rpartition(".")[2] in SYSTEM_APPS


def settings_package(packages: Iterable[str]) -> str:
    """The package of the Settings app; Android's own name if there is none."""
    named = [package for package in packages if package.rpartition(".")[2] == "settings"]
    return named[0] if named else "com.android.settings"
