"""What package names tell: which apps came with the phone, which one holds the settings."""

from __future__ import annotations

from collections.abc import Iterable

SYSTEM_PREFIXES = ("android.", "com.android.", "com.google.android.")
SYSTEM_APPS = ("launcher", "settings", "systemui")


def is_system(package: str) -> bool:
    """Whether `pm list packages -3` leaves the package out."""
    return package.startswith(SYSTEM_PREFIXES) or package.rpartition(".")[2] in SYSTEM_APPS


def settings_package(packages: Iterable[str]) -> str:
    """The package of the settings; Android's own name where there is none."""
    named = [package for package in packages if package.rpartition(".")[2] == "settings"]
    return named[0] if named else "com.android.settings"
