"""What can be asked which part of a picture a press meant: a table, name -> how it is opened.

The only one runs SAM 2 in a separate process. Another one would answer the same
questions with the same values.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from annotator.sam2.client import Job, Sam2, WorkerState
from annotator.sam2.local_checkpoints import choose_checkpoint, embeddings_folder, find_checkpoints
from annotator.sam2.values import ModelId, PictureFile, Prompt, Proposals
from episodes.geometry import Box


class Segmenter(Protocol):
    """A model that is ready to be asked. Usable from any thread; only `propose` waits."""

    @property
    def model(self) -> ModelId:
        """Which weights answer."""
        ...

    def submit(
        self, frame: PictureFile, prompt: Prompt, view: Box | None = None, *, soon: bool = False
    ) -> Job:
        """Takes a prompt and returns at once; `soon` puts it before all that wait."""
        ...

    def warm(self, frame: PictureFile, prompt: Prompt, view: Box | None = None) -> Job:
        """Has ready what this prompt will need, behind all that wait."""
        ...

    def propose(self, frame: PictureFile, prompt: Prompt, view: Box | None = None) -> Proposals:
        """Returns the masks the prompt may mean.

        Raises:
            KnownError: the picture cannot be read, or the model does not answer.
        """
        ...

    def cancel(self, job: Job) -> None:
        """Gives a job up, also while it is worked at."""
        ...

    def close(self) -> None:
        """Gives up all that waits, and everything the model takes."""
        ...

    def __enter__(self) -> Self:
        """Closes at the end of the block."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...


class Opener(Protocol):
    """How a segmenter is opened. Returns at once; the model is loaded with the first question."""

    def __call__(
        self,
        named: Path | None = None,
        name: str = "",
        *,
        on_state: Callable[[WorkerState], None] = ...,
        environment: Mapping[str, str] = ...,
    ) -> Segmenter:
        """Opens it.

        Args:
            named: a file of weights to take before any other; by the settings.
            name: of the weights; "" takes the first there are.

        Raises:
            KnownError: there are none on this computer.
        """
        ...


def open_sam2(
    named: Path | None = None,
    name: str = "",
    *,
    on_state: Callable[[WorkerState], None] = lambda state: None,
    environment: Mapping[str, str] = os.environ,
) -> Sam2:
    """Returns SAM 2 with a checkpoint of this computer, its embeddings cached in the home folder.

    Raises:
        KnownError: there is no checkpoint, or a file is named that cannot be used.
    """
    found = choose_checkpoint(find_checkpoints(named, environment), name)
    return Sam2(found.weights, embeddings_folder(), on_state=on_state)


SEGMENTERS: dict[str, Opener] = {"sam2": open_sam2}
