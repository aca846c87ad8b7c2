"""Exports and imports splits with episodes: rule, templates, labels and members.

An export lists only the exported episodes. Private episodes and those outside the query are in no
list of members, labels or templates.
"""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.input_files import ImportNote, Refused
from episodes.formats.output_files import Loss
from episodes.formats.split_file import FILE, ExportedSplit, read_splits, write_splits
from episodes.store.library import Library
from episodes.store.splits import KnownSplit, Split
from taptrail.usecases.split_labels import TEMPLATES, labels_of

OURS = ("chat", "parquet", "taptrail")
"""Formats that include `split.json`."""
WITHOUT_PARTS = ("aitz", "chat")
"""Formats whose episodes do not name their parts."""
NO_EPISODES = ("coco",)
BESIDE = f"the rule and templates of a split, which are in {FILE}"
NOWHERE = "a split"


class _Member(NamedTuple):
    uuid: str
    name: str
    instruction: str
    part: str


@dataclass(slots=True)
class ExportedMembers:
    """Members of splits among the episodes of an export."""

    _of: dict[tuple[str, str, str], list[_Member]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def noted(self, episodes: Iterator[Episode]) -> Iterator[Episode]:
        """Yields the episodes, and collects the splits of those that are not private."""
        for episode in episodes:
            if not episode.private:
                words = episode.task.instruction
                for split, part in episode.splits:
                    key = (episode.origin.dataset, episode.origin.version, split)
                    self._of[key].append(_Member(episode.uuid, episode.name, words, part))
            yield episode

    def write(
        self, library: Library, format_name: str, folder: Path, names: dict[str, str]
    ) -> tuple[Loss, ...]:
        """Writes the splits beside the exported files; returns what the files cannot hold.

        Args:
            names: names of episodes in the files by uuid, if they differ.

        Raises:
            KnownError: the disk is full.
        """
        known = {
            (one.split.dataset, one.split.version, one.split.name): one
            for one in (library.splits().all() if self._of else ())
        }
        found = [known[key] for key in self._of if key in known]
        if format_name in NO_EPISODES:
            return _loss(NOWHERE, [one.split for one in found])
        ruled = [one.split for one in found if one.split.rule or one.split.made_by]
        if format_name not in WITHOUT_PARTS:
            found = [one for one in found if one.split in ruled]
        if found:
            told = [self._told(library, one, names) for one in found]
            write_splits(folder, told, f"export to {folder}")
        return () if format_name in OURS else _loss(BESIDE, ruled)

    def _told(self, library: Library, known: KnownSplit, names: dict[str, str]) -> ExportedSplit:
        split = known.split
        leaving = self._of[split.dataset, split.version, split.name]
        named = {one.name: names.get(one.uuid, one.name) for one in leaving}
        made_by = json.loads(split.made_by) if split.made_by else {}
        masking = json.loads(split.masking) if split.masking else {}
        instructions = {one.instruction for one in leaving}
        output = {key: value for key, value in masking.get("output", {}).items()
                  if key in instructions}  # fmt: skip
        shown: set[str] = set()
        if "labels" in made_by:
            made_by["labels"] = {
                named[name]: labels for name, labels in made_by["labels"].items() if name in named
            }
            shown = {label for labels in made_by["labels"].values() for label in labels}
        elif made_by.get("by") in TEMPLATES.values():
            shown = set(output.values())
        elif made_by.get("parts"):
            shown = {
                label
                for one in library.splits().divided(split.dataset, split.version)
                if one.name in named
                for label in labels_of(one, split.dataset).get(made_by.get("by", ""), ())
            }
        if "parts" in made_by:
            made_by["parts"] = {k: part for k, part in made_by["parts"].items() if k in shown}
        if "output" in masking:
            masking["output"] = output
        return ExportedSplit(
            dataclasses.replace(split, masking=_json(masking), made_by=_json(made_by)),
            tuple((named[one.name], one.part) for one in leaving),
        )


def take_splits(
    library: Library, path: Path, came: set[tuple[str, str]]
) -> tuple[tuple[str, ...], list[Refused | ImportNote]]:
    """Imports the splits beside imported files, after their episodes.

    Args:
        came: data set and version of the episodes.

    Returns: the names of the imported splits, and what was not imported.

    Raises:
        KnownError: the library cannot be written.
    """
    taken: list[str] = []
    remarks: list[Refused | ImportNote] = []
    try:
        found = read_splits(path, f"import {path}")
    except KnownError as error:  # the episodes were imported and must be reported
        return (), [Refused(FILE, error.found)]
    for told in found:
        if not isinstance(told, ExportedSplit):
            remarks.append(told)
            continue
        where = f"{FILE} {told.split.name}"
        whose = _whose(told.split, came)
        if whose is None:
            remarks.append(Refused(where, "it is of a data set that is not in these files"))
            continue
        split = dataclasses.replace(told.split, dataset=whose[0], version=whose[1])
        uuids = {one.name: one.uuid for one in library.splits().divided(*whose)}
        absent = [name for name, _ in told.members if name not in uuids]
        if absent:
            reason = f"names episodes that are not here, the first is {absent[0]}"
            remarks.append(ImportNote(where, reason, len(absent)))
        members = [(uuids[name], part) for name, part in told.members if name in uuids]
        if not members:
            continue
        why = library.splits().take(split, members)
        if why:
            remarks.append(Refused(where, why))
        else:
            taken.append(split.name)
    return tuple(taken), remarks


def _whose(split: Split, came: set[tuple[str, str]]) -> tuple[str, str] | None:
    """Returns the data set and version of a split in this library, or None."""
    if (split.dataset, split.version) in came:
        return split.dataset, split.version
    return next(iter(came)) if len(came) == 1 else None


def _loss(what: str, splits: list[Split]) -> tuple[Loss, ...]:
    return (Loss(what, splits[0].name, len(splits)),) if splits else ()


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
