"""Imports the samples that ship with Taptrail.

`open_sample` imports attempts recorded on the demo phone, with two runs, for new users.
`import_sample` imports a drawn data set in GUIOdyssey's form whose two runs have known mistakes;
the demo without a window checks its scores with it.
"""

from __future__ import annotations

import importlib.resources
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.usecases.importing import ImportResult, OnProgress, import_episodes
from taptrail.usecases.known_mistakes import Mistake, MistakeKind
from taptrail.usecases.predictions import import_predictions

FORMAT, VERSION = "guiodyssey", "2"
SAMPLE, SAMPLE_VERSION = "sample", "1"
HOME = "home.png"


@dataclass(frozen=True, slots=True)
class SampleRun:
    """A run of the sample with its known mistakes."""

    name: str
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class SampleImport:
    """The imported sample."""

    imported: ImportResult
    episodes: tuple[str, ...]
    runs: tuple[SampleRun, ...]


def import_sample(library_folder: Path) -> SampleImport:
    """Imports the drawn sample and its runs; existing episodes and runs stay unchanged.

    Raises:
        KnownError: the library cannot be written, or the package lacks its assets.
    """
    with _shipped("sample", "mistakes.json") as folder:
        imported = import_episodes(FORMAT, folder, library_folder, version=VERSION)
        told = json.loads((folder / "mistakes.json").read_text(encoding="utf-8"))
        runs = []
        for name, mistakes in told.items():
            run = f"sample-{name}"
            import_predictions(
                (folder / "predictions" / f"{name}.json",),
                run,
                library_folder,
                dialect=FORMAT,
                model=f"{name} (made up)",
                dataset=FORMAT,
                dataset_version=VERSION,
                split=("random", "test"),
                replace=True,
            )
            runs.append(
                SampleRun(
                    run,
                    tuple(
                        Mistake(one["episode"], one["step"], MistakeKind(one["mistake"]))
                        for one in mistakes
                    ),
                )
            )
        names = tuple(sorted(path.stem for path in (folder / "annotations").glob("*.json")))
    return SampleImport(imported, names, tuple(runs))


@dataclass(frozen=True, slots=True)
class SampleLibrary:
    """The imported recorded sample.

    Attributes:
        runs: names of its two runs, A first.
        task: instruction of the task with attempts of several people.
    """

    imported: ImportResult
    runs: tuple[str, ...]
    task: str


def open_sample(library_folder: Path, on_progress: OnProgress | None = None) -> SampleLibrary:
    """Imports the recorded sample: attempts of people, their targets, two runs.

    Existing episodes stay unchanged, so a second call keeps a person's edits.

    Raises:
        KnownError: the library cannot be written, or the package lacks its assets.
    """
    with _shipped("sample_library", "planted.json") as folder:
        imported = import_episodes(
            "taptrail", folder, library_folder, version=SAMPLE_VERSION, on_progress=on_progress
        )
        planted = json.loads((folder / "planted.json").read_text(encoding="utf-8"))
        with Library.read(library_folder) as library:
            there = {run.name for run in library.runs()}
            task = library.episode("s-0001", SAMPLE).task.instruction
        for run in planted:
            if run not in there:
                import_predictions(
                    (folder / "runs" / f"{run}.jsonl",),
                    run,
                    library_folder,
                    dialect="taptrail",
                    model=planted[run]["model"],
                    dataset=SAMPLE,
                    dataset_version=SAMPLE_VERSION,
                    only_answered=True,
                )
    return SampleLibrary(imported, tuple(planted), task)


def home_picture() -> bytes:
    """Returns a picture of the demo phone's home screen, a PNG file.

    Raises:
        KnownError: the package lacks its assets.
    """
    with _shipped("sample_library", HOME) as folder:
        return (folder / HOME).read_bytes()


@contextmanager
def _shipped(name: str, needed: str) -> Iterator[Path]:
    """Yields a folder of the package's assets as a folder on disk."""
    with ExitStack() as stack:
        shipped = importlib.resources.files("assets") / name
        folder = stack.enter_context(importlib.resources.as_file(shipped))
        if not (folder / needed).is_file():
            raise KnownError(
                "import the sample", f"{folder} is not there", "Install Taptrail again."
            )
        yield folder
