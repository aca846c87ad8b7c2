"""Checks and repairs a library, and merges another library into it."""

from __future__ import annotations

from pathlib import Path

from episodes.errors import KnownError
from episodes.store.checking import CheckReport
from episodes.store.library import EVERYTHING, Library
from episodes.store.merge_report import MergeReport
from episodes.store.queries import EpisodeQuery
from taptrail.usecases.importing import OnProgress


def check_library(
    library_folder: Path,
    query: EpisodeQuery = EVERYTHING,
    *,
    repair: bool = False,
    on_progress: OnProgress | None = None,
) -> CheckReport:
    """Checks files, hashes, counts, order and trees, and with `repair` fixes what it can.

    Nothing is deleted: files without a step are moved to the library's folder `orphans`.

    Raises:
        KnownError: there is no library, or it is to be repaired and another process writes to it.
    """
    opened = Library.open(library_folder, create=False) if repair else Library.read(library_folder)
    with opened as library:
        return library.check(query, on_progress, repair)


def merge_libraries(
    library_folder: Path, other_folder: Path, on_progress: OnProgress | None = None
) -> MergeReport:
    """Copies the contents of another library into this one; the other is not changed.

    Raises:
        KnownError: one of them is no library, or they are the same; another process writes to the
            first; the disk is full.
    """
    if library_folder.resolve() == other_folder.resolve():
        raise KnownError(
            f"merge {other_folder}", "it is the library itself", "Name another library's folder."
        )
    with Library.read(other_folder) as other, Library.open(library_folder) as library:
        return library.merge(other, on_progress)
