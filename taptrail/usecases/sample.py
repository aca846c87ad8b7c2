"""What ships with Taptrail to try it on.

`open_sample` brings in attempts recorded on the demo phone, with two runs beside them: what a new
user opens. `import_sample` brings in a drawn data set in GUIOdyssey's form whose two runs have
known mistakes: what the demo without a window checks its scores by.
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
    """A run that ships, by its name in the library."""

    name: str
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class SampleImport:
    """The sample as it lies in a library."""

    imported: ImportResult
    episodes: tuple[str, ...]
    runs: tuple[SampleRun, ...]


def import_sample(library_folder: Path) -> SampleImport:
    """Brings the sample and its runs into a library; what is there already stays as it is.

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
    """The recorded sample as it lies in a library.

    Attributes:
        runs: names of its two runs, A first.
        task: the words of the task that several people tried.
    """

    imported: ImportResult
    runs: tuple[str, ...]
    task: str


def open_sample(library_folder: Path, on_progress: OnProgress | None = None) -> SampleLibrary:
    """Brings the recorded sample into a library: attempts of people, their targets, two runs.

    What is there already stays as it is, so a second call changes nothing a person has done.

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
    """Gives a folder of the package's assets as a real one."""
    with ExitStack() as stack:
        shipped = importlib.resources.files("assets") / name
        folder = stack.enter_context(importlib.resources.as_file(shipped))
        if not (folder / needed).is_file():
            raise KnownError(
                "import the sample", f"{folder} is not there", "Install Taptrail again."
            )
        yield folder
