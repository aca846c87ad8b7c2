"""Recordings as the writers of the data sets' formats get them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from episodes.actions import Action
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.formats.picture_store import LibraryPictureStore
from episodes.geometry import Size
from episodes.screens import Basis, Frame
from episodes.steps import Step
from tests.samples.drawn import png

SIZE = Size(36, 80)
KETTLE = Task("Buy a kettle")

MakeStep = Callable[..., Step]


def recorded(*made: Step, task: Task = KETTLE, **more: Any) -> Episode:
    """A recording of steps, which are numbered as they come."""
    return Episode(
        uuid="7d2b3c1e-0000-4000-8000-000000000001",
        name="e-0001",
        origin=Origin("recorded"),
        task=task,
        state=EpisodeState.FINISHED,
        steps=tuple(replace(step, index=number) for number, step in enumerate(made)),
        **more,
    )


@pytest.fixture
def done(tmp_path: Path, picture_store: LibraryPictureStore) -> MakeStep:
    """Makes a step on a frame of `SIZE`, whose still may be of another size."""

    def make(action: Action, shade: int = 90, size: Size = SIZE, **more: Any) -> Step:
        path = tmp_path / "picture.png"
        path.write_bytes(png(size, shade))
        return Step(0, action, Frame(SIZE, Basis.PAINTED, picture_store.keep(path)), **more)

    return make
