"""Chooses the tree source of a phone; remembers phones without the resident tree server."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from recorder.device.interface import Device, TreeSource


def choices_file() -> Path:
    """Returns the file that lists phones on which the resident tree server does not run."""
    return Path(platformdirs.user_state_dir("taptrail", appauthor=False)) / "tree-sources.json"


def phone_trees(device: Device) -> TreeSource:
    """Returns the source that a recording on this phone uses."""
    return device.tree_source(refusals=choices_file())
