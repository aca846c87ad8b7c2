"""A library's picture_store in an empty folder."""

from pathlib import Path

import pytest

from episodes.formats.picture_store import LibraryPictureStore
from episodes.store.stills import StillFiles


@pytest.fixture
def stills(tmp_path: Path) -> StillFiles:
    return StillFiles(tmp_path / "library")


@pytest.fixture
def picture_store(stills: StillFiles) -> LibraryPictureStore:
    return LibraryPictureStore(stills)
