"""The micro SAM 2 beside a window; left out with `--core`."""

from pathlib import Path

import pytest

from tests.annotator.sam2.needed import left_out, sam2

__all__ = ["sam2"]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out what needs torch where that is asked for."""
    return left_out(collection_path, ("test_asking.py",), config)
