import pytest

from episodes.store.library import Library


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "library") as library:
        yield library
