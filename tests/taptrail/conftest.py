"""The command line in this process, with what it prints and its exit code."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from episodes.store.library import Library
from taptrail.cli.main import run
from tests.demophone.phones import adb_server, demo_phone
from tests.taptrail.annotated import shopping

__all__ = ["adb_server", "demo_phone"]


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What was printed, which must be one JSON value and nothing else."""
        assert self.code == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def taptrail(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def command(*words: str | Path) -> Done:
        capsys.readouterr()
        code = run([str(word) for word in words])
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return command


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def filled(library: Path) -> Path:
    """A library with the episode of a shopping."""
    with Library.open(library) as found:
        found.save_episodes([shopping()])
    return library


@pytest.fixture
def kept(filled: Path) -> Iterator[Library]:
    """What `filled` is, open."""
    with Library.open(filled) as found:
        yield found
