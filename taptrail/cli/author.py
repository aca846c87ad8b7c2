"""The author of recordings and edits: the person in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from episodes.annotations import Author
    from taptrail.settings import Settings


def author() -> Author:
    """Returns the person in the settings; creates and saves one if there is none.

    Raises:
        KnownError: the settings cannot be read or written.
    """
    return kept_settings().as_author()


def kept_settings() -> Settings:
    """Returns the settings with a person; creates and saves the person if there is none.

    Raises:
        KnownError: they cannot be read or written.
    """
    from taptrail.settings import load_settings, save_settings, settings_file

    file = settings_file()
    settings = load_settings(file)
    if not file.is_file() or settings.author_uuid not in file.read_text(encoding="utf-8"):
        save_settings(settings, file)
    return settings
