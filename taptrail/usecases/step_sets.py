"""Step sets: names of the steps that a run is scored on, and queries that find them again.

A step set's name is "guiodyssey@2", with a split "guiodyssey@2 random/test", or "recorded
(answered)" for the episodes with an answer. The name is for people; no code parses it.
"""

from __future__ import annotations

from collections.abc import Iterable

from episodes.errors import KnownError
from episodes.runs import Run, StepSet
from episodes.store.library import Library
from episodes.store.queries import EpisodeQuery

ANSWERED = "(answered)"


def name_of(query: EpisodeQuery, only_answered: bool = False) -> str:
    """Returns the name of the steps of a query's episodes."""
    parts = [_said(query.dataset, query.version) or "all"]
    if query.split is not None:
        parts.append("/".join(query.split))
    return " ".join([*parts, ANSWERED] if only_answered else parts)


def query_of(run: Run) -> EpisodeQuery:
    """Returns the query for the episodes that a run is scored on."""
    return EpisodeQuery(
        dataset=run.dataset,
        version=run.dataset_version,
        split=run.split,
        run=run.name if run.only_answered else "",
    )


def difference(run: Run, found: StepSet) -> str:
    """Returns a sentence if the steps differ from those the run was imported for, or "".

    Args:
        found: the steps the run's query finds now.
    """
    told = run.step_set
    if told is None or (told.count, told.sha256) == (found.count, found.sha256):
        return ""
    if told.count == found.count:
        change = f"its {told.count} steps are others now"
    else:
        change = f"it was imported for {told.count} steps and is scored on {found.count}"
    return (
        f"The steps are not those the run was imported for: {change}. Episodes or steps have come, "
        "gone or changed their names since; import the run again to measure it on these."
    )


def split_of(text: str) -> tuple[str, str]:
    """Returns (split, part) of "random/test"; part "" for "random"."""
    split, _, part = text.partition("/")
    return split, part


def check_part(
    library: Library, split: tuple[str, str], doing: str, dataset: str = "", version: str = ""
) -> None:
    """Checks that a split and its part exist.

    Args:
        split: (split, part); part "" for any.
        dataset, version: of the split; "" for any.

    Raises:
        KnownError: there is none; the message lists the existing ones.
    """
    name, part = split
    known = [
        one
        for one in library.splits().all()
        if dataset in ("", one.split.dataset) and version in ("", one.split.version)
    ]
    found = [one for one in known if one.split.name == name]
    if not found:
        names = ", ".join(dict.fromkeys(one.split.name for one in known)) or "none at all"
        whose = _said(dataset, version)
        raise KnownError(
            doing,
            f"there is no split “{name}”{f' of {whose}' if whose else ''}; there are: {names}",
            "Name one of them with --split, or leave it out.",
        )
    parts = sorted({one for split in found for one, _ in split.parts})
    if part and part not in parts:
        raise KnownError(
            doing,
            f"the split “{name}” has no part “{part}”; its parts are: {', '.join(parts) or 'none'}",
            f"Say one of them with --split {name}/PART, or the whole with --split {name}.",
        )


def dataset_of(
    library: Library, names: Iterable[str], dataset: str, version: str, doing: str
) -> tuple[str, str]:
    """Returns the only data set and version with episodes of these names.

    Args:
        dataset, version: given by the user; "" if not given.

    Raises:
        KnownError: the library is empty, or several data sets match.
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
        told = _said(dataset, version) or (f"any data set's version {version}" if version else "")
        said = f" of {told}" if told else ""
        raise KnownError(
            doing,
            f"there are no episodes{said} in {library.folder}",
            "Import or record the episodes first.",
        )
    if len(found) > 1:
        listed = ", ".join(_said(name, held) for name, held in found)
        raise KnownError(
            doing,
            f"its episodes may be those of {listed}",
            "Say which with --dataset NAME and --dataset-version V.",
        )
    return found[0]


def _said(dataset: str, version: str) -> str:
    return f"{dataset}@{version}" if dataset and version else dataset
