"""Libraries of the one screen that the micro SAM 2 knows; left out with `--core`."""

from pathlib import Path

import pytest

from tests.annotator.sam2.needed import left_out, sam2
from tests.taptrail.segmenting import screens

__all__ = ["sam2"]

NEED_SAM2 = ("test_steps.py", "test_batch.py", "test_command.py")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out what needs torch where that is asked for."""
    return left_out(collection_path, NEED_SAM2, config)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library with one episode of six steps, four of them presses."""
    folder = tmp_path / "library"
    screens.build(folder)
    return folder
