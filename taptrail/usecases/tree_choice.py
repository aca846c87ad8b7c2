"""The source of trees for a phone, with what is remembered of it between recordings."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from recorder.device.interface import Device, TreeSource


def choices_file() -> Path:
    """Returns the file that keeps on which phones the resident tree server does not run."""
    return Path(platformdirs.user_state_dir("taptrail", appauthor=False)) / "tree-sources.json"


def phone_trees(device: Device) -> TreeSource:
    """Returns the source that a recording on this phone uses."""
    return device.tree_source(refusals=choices_file())
