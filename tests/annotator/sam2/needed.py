"""What tests of the micro SAM 2 need: torch and sam2, and the model in a process of its own.

from tests.annotator.sam2.needed import left_out, sam2
"""

import importlib.util
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from annotator.sam2.client import Sam2
from tests.annotator.sam2 import micro


def left_out(path: Path, need_sam2: Collection[str], config: pytest.Config) -> bool | None:
    """True for a file that needs torch where that is left out; None lets pytest take it.

    Raises:
        pytest.UsageError: torch or sam2 is needed and just missing.
    """
    if path.name not in need_sam2:
        return None
    if config.getoption("--core"):
        return True
    if any(importlib.util.find_spec(name) is None for name in ("torch", "sam2")):
        raise pytest.UsageError(
            "torch and sam2 are not installed: run python3 bootstrap.py test, or leave them out "
            "with --core"
        )
    return None


@pytest.fixture(scope="session")
def sam2(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sam2]:
    """The micro model in its process."""
    with Sam2(micro.weights(), tmp_path_factory.mktemp("embeddings"), threads=1) as client:
        yield client
