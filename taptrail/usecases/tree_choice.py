"""Chooses the tree source of a phone; remembers phones without the resident tree server."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from recorder.device.phone import Phone
from recorder.tree_sources import PhoneTrees, TreeChoices


def choices_file() -> Path:
    """Returns the file that lists phones on which the resident tree server does not run."""
    return Path(platformdirs.user_state_dir("taptrail", appauthor=False)) / "tree-sources.json"


def phone_trees(phone: Phone) -> PhoneTrees:
    """Returns the tree source for recordings on this phone."""
    return PhoneTrees(phone, TreeChoices(choices_file()))
