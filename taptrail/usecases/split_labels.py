"""Labels by which a split divides episodes: from the library, or from a JSON file.

A file has the form {label: [episode or instruction, ...]}, for example templates found by a
language model. Entries that fit no episode are counted with a reason.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from episodes.formats.input_files import file_bytes, format_value, json_value
from episodes.store.splits import Divided
from scoring.instruction_templates import SUBJECT, VERB, template, web_domains
from scoring.splits import VERSION

TEMPLATES = {SUBJECT: "subject template", VERB: "verb template"}
KINDS = (
    "app", "domain", "category", "task", "device", VERSION, "instruction", *TEMPLATES.values(),
    "parent",
)  # fmt: skip
"""Kinds of labels of an episode."""
WAYS = (
    "episode", VERSION, SUBJECT, VERB, "app", "domain", "category", "task", "device", "parent",
)  # fmt: skip
"""Ways to make a split."""

_RELEASES = {
    **{21: "5", 22: "5", 23: "6", 24: "7", 25: "7", 26: "8", 27: "8", 28: "9", 29: "10"},
    **{30: "11", 31: "12", 32: "12", 33: "13", 34: "14", 35: "15", 36: "16"},
}


def labels_of(one: Divided, dataset: str) -> dict[str, tuple[str, ...]]:
    """Returns an episode's labels from the library, by kind; "" is no label."""
    release = one.android_release or (
        _RELEASES.get(one.sdk, f"API {one.sdk}") if one.sdk is not None else ""
    )
    parent = one.name.partition(".")[0] if dataset == "aitw" else one.name
    return {
        "app": one.app_keys,
        "domain": web_domains(one.instruction) or one.app_keys,
        "category": (one.category,),
        "task": (one.template or _plain(one.instruction),),
        "device": (" ".join(filter(None, (one.manufacturer, one.model))) or one.product,),
        VERSION: (release,),
        "instruction": (_plain(one.instruction),),
        TEMPLATES[SUBJECT]: (template(one.instruction, SUBJECT),),
        TEMPLATES[VERB]: (template(one.instruction, VERB),),
        "parent": (parent,),
    }


def _plain(instruction: str) -> str:
    return " ".join(instruction.split()).casefold().rstrip(".!?…。")


STRANGE = "no episode of the data set has that name, and none that instruction"
TWICE = "it is listed twice under its label"
NAMED = "it is an instruction, and the file names each of its episodes elsewhere"
UNLABELLED = "its label is empty"
EMPTY = "it is a label without entries"


@dataclass(frozen=True, slots=True)
class SkippedLabels:
    """Entries of a file that gave no label.

    Attributes:
        first: the first of them, as written in the file.
    """

    reason: str
    first: str
    count: int


@dataclass(frozen=True, slots=True)
class LabelFile:
    """Labels from a file.

    Attributes:
        labels: of each episode, by uuid; () if the file gives none.
        taken: number of entries that gave a label.
        left_out: the other entries, by reason.
    """

    name: str
    labels: dict[str, tuple[str, ...]]
    taken: int
    left_out: tuple[SkippedLabels, ...]


def read_labels(file: Path, episodes: Sequence[Divided], doing: str) -> LabelFile:
    """Returns a file's labels of episodes, found by their names, or else by their instructions.

    Raises:
        KnownError: the file cannot be read, has another form, or no entry fits an episode.
    """
    entries = list(_entries(file, doing))
    named = {one.name for one in episodes}
    instructed: dict[str, list[Divided]] = defaultdict(list)
    for one in episodes:
        instructed[one.instruction].append(one)
    by_entry: dict[str, dict[str, None]] = defaultdict(dict)
    fits = []
    left = _Left()
    for label, entry in entries:
        if entry is None:
            left.add(EMPTY, label)
        elif not label.strip():
            left.add(UNLABELLED, entry)
        elif entry not in named and entry not in instructed:
            left.add(STRANGE, entry)
        elif label in by_entry[entry]:
            left.add(TWICE, entry)
        else:
            by_entry[entry][label] = None
            fits.append(entry)
    taken = 0
    for entry in fits:
        if entry in named or any(one.name not in by_entry for one in instructed[entry]):
            taken += 1
        else:
            left.add(NAMED, entry)
    if not taken:
        found = "it holds no label"
        if left.listed():
            told = "; ".join(
                f"{one.reason}: {one.count:,}, as {one.first}" for one in left.listed()
            )
            found = f"none of its entries fits ({told})"
        raise KnownError(
            doing,
            f"{file.name}: {found}",
            "Write it as {label: [episode or instruction, ...]}, with names as in "
            "`taptrail episodes list`.",
        )
    return LabelFile(
        file.name,
        {
            one.uuid: tuple(by_entry.get(one.name) or by_entry.get(one.instruction, {}))
            for one in episodes
        },
        taken,
        left.listed(),
    )


class _Left:
    def __init__(self) -> None:
        self._found: dict[str, list[str]] = defaultdict(list)

    def add(self, reason: str, what: str) -> None:
        self._found[reason].append(what)

    def listed(self) -> tuple[SkippedLabels, ...]:
        """Returns the skipped entries, the most frequent reason first."""
        found = sorted(self._found.items(), key=lambda one: -len(one[1]))
        return tuple(
            SkippedLabels(reason, format_value(all_[0]), len(all_)) for reason, all_ in found
        )


def _entries(file: Path, doing: str) -> Iterable[tuple[str, str | None]]:
    """Yields (label, entry); the entry is None for an empty label. A label may occur twice."""
    data = file_bytes(file, doing)
    try:
        json_value(data)
        told = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_Pairs)
    except ValueError as error:
        raise KnownError(doing, f"{file.name}: {error}", "Correct the file.") from error
    if not isinstance(told, _Pairs):
        raise KnownError(doing, f"{file.name} holds no JSON object", "Correct the file.")
    for label, listed in told:
        if isinstance(listed, _Pairs) or not _plain_list(listed):
            raise KnownError(
                doing,
                f"{file.name}: {format_value(label)} is no list of episodes or instructions",
                "Write it as {label: [episode or instruction, ...]}.",
            )
        if not listed:
            yield label, None
        for one in listed:
            yield label, str(one)


class _Pairs(list[tuple[str, Any]]):
    """Pairs of a JSON object, including repeated keys."""


def _plain_list(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, str | int) and not isinstance(one, bool) for one in value
    )
