"""Libraries of the one screen that the micro SAM 2 knows; left out with `--core`."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.sam2.client import Sam2
from tests.annotator.sam2 import micro
from tests.taptrail.segmenting import screens

NEED_SAM2 = ("test_steps.py", "test_batch.py", "test_command.py")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out what needs torch where that is asked for; where it is just missing, says so."""
    if collection_path.name not in NEED_SAM2:
        return None
    if config.getoption("--core"):
        return True
    if any(importlib.util.find_spec(name) is None for name in ("torch", "sam2")):
        raise pytest.UsageError("torch and sam2 are not installed; leave them out with --core")
    return None


@pytest.fixture(scope="session")
def sam2(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sam2]:
    """The micro model in its process."""
    with Sam2(micro.weights(), tmp_path_factory.mktemp("embeddings"), threads=1) as client:
        yield client


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library with one episode of six steps, four of them presses."""
    folder = tmp_path / "library"
    screens.build(folder)
    return folder
