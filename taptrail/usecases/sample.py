"""The sample data set that ships with Taptrail, and its two runs with known mistakes."""

from __future__ import annotations

import importlib.resources
import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from episodes.errors import KnownError
from taptrail.usecases.importing import Imported, import_episodes
from taptrail.usecases.known_mistakes import Kind, Mistake
from taptrail.usecases.predictions import import_predictions

FORMAT, VERSION = "guiodyssey", "2"


@dataclass(frozen=True, slots=True)
class SampleRun:
    """A run that ships, by its name in the library."""

    name: str
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample as it lies in a library."""

    imported: Imported
    episodes: tuple[str, ...]
    runs: tuple[SampleRun, ...]


def import_sample(library_folder: Path) -> Sample:
    """Brings the sample and its runs into a library; what is there already stays as it is.

    Raises:
        KnownError: the library cannot be written, or the package lacks its assets.
    """
    with ExitStack() as stack:
        shipped = importlib.resources.files("assets") / "sample"
        folder = stack.enter_context(importlib.resources.as_file(shipped))
        if not (folder / "mistakes.json").is_file():
            raise KnownError(
                "import the sample", f"{folder} is not there", "Install Taptrail again."
            )
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
                        Mistake(one["episode"], one["step"], Kind(one["mistake"]))
                        for one in mistakes
                    ),
                )
            )
        names = tuple(sorted(path.stem for path in (folder / "annotations").glob("*.json")))
    return Sample(imported, names, tuple(runs))
