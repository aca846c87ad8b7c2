"""The micro SAM 2 beside a window; left out with `--core`."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.sam2.client import Sam2
from tests.annotator.sam2 import micro


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out what needs torch where that is asked for; where it is just missing, says so."""
    if collection_path.name != "test_asking.py":
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
