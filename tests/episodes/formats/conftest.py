"""A library's shelf in an empty folder."""

from pathlib import Path

import pytest

from episodes.formats.shelf import LibraryShelf
from episodes.store.stills import StillFiles


@pytest.fixture
def stills(tmp_path: Path) -> StillFiles:
    return StillFiles(tmp_path / "library")


@pytest.fixture
def shelf(stills: StillFiles) -> LibraryShelf:
    return LibraryShelf(stills)
