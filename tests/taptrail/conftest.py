"""The command line in this process, with what it prints and its exit code."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from taptrail.cli.main import run
from tests.demophone.phones import adb_server, demo_phone

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
