"""Which episodes a run answers, told by its manifest's step set, so that scoring takes the same.

A step set's name is "guiodyssey@2", with a split "guiodyssey@2 random/test", or "recorded
(answered)" for the episodes that have an answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from episodes.errors import KnownError
from episodes.runs import Run
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery

ANSWERED = "(answered)"


def name_of(query: EpisodeQuery, only_answered: bool = False) -> str:
    """Returns the name of the steps of a query's episodes."""
    name = f"{query.dataset}@{query.version}" if query.version else query.dataset or "all"
    parts = [name, *(["/".join(query.split)] if query.split is not None else [])]
    return " ".join([*parts, ANSWERED] if only_answered else parts)


def query_of(run: Run) -> EpisodeQuery:
    """Returns the query that finds the episodes a run is measured on."""
    name = run.step_set.name if run.step_set is not None else ""
    words = name.split(" ")[1:]
    split = next((word for word in words if word != ANSWERED), None)
    return EpisodeQuery(
        dataset=run.dataset,
        version=run.dataset_version,
        split=split_of(split) if split is not None else None,
        run=run.name if ANSWERED in words else "",
    )


def split_of(text: str) -> tuple[str, str]:
    """Returns (split, part) of "random/test"; part "" for "random"."""
    split, _, part = text.partition("/")
    return split, part


def dataset_of(
    library: Library, names: Iterable[str], dataset: str, version: str, doing: str
) -> tuple[str, str]:
    """Returns the one data set and version whose episodes have these names.

    Args:
        dataset, version: what somebody has said already; "" leaves it open.

    Raises:
        KnownError: the library is empty, or it is not clear which one is meant.
    """
    query = EpisodeQuery(dataset=dataset, version=version)
    wanted = set(names)
    all_sets: set[tuple[str, str]] = set()
    answered: set[tuple[str, str]] = set()
    for summary in library.episodes(query):
        key = (summary.dataset, summary.version)
        all_sets.add(key)
        if summary.name in wanted:
            answered.add(key)
    found = sorted(answered or all_sets)
    if not found:
        said = f" of {dataset}" if dataset else ""
        raise KnownError(
            doing,
            f"there are no episodes{said} in {library.folder}",
            "Import or record the episodes first.",
        )
    if len(found) > 1:
        listed = ", ".join(f"{name}@{held}" if held else name for name, held in found)
        raise KnownError(
            doing,
            f"its episodes may be those of {listed}",
            "Say which with --dataset NAME and --dataset-version V.",
        )
    return found[0]
