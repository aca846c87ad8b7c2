"""Reads, makes, lists, shows and checks splits of a library's data sets."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from episodes.formats.input_files import file_bytes, file_name_problem, format_value
from episodes.formats.tfrecord_folder import read_splits, split_name
from episodes.store.library import Library
from episodes.store.splits import Divided, KnownSplit, Split
from scoring.instruction_templates import RULE, RULE_DESCRIPTIONS, template
from scoring.splits import (
    EPISODE,
    OLDER_SHARES,
    PARTS,
    SHARES,
    VERSION,
    Crossing,
    Parted,
    SplitMember,
    by_episode,
    by_label,
    by_version,
    crossings,
)
from taptrail.usecases.split_labels import KINDS, TEMPLATES, WAYS, LabelFile, labels_of, read_labels

_ODYSSEY = "_split.json"
SUFFIX = "_splits.json"
"""The longest suffix that exports add to a split's name."""


@dataclass(frozen=True, slots=True)
class SplitMade:
    """Result of reading or making a split.

    Attributes:
        left_out: number of episodes in no part, by reason.
        labels: number of labels (apps, templates, ...) in each part; {} for a random split.
        absent: names in the file without an episode here; `twice` counts repeated names.
        unchanged: whether the library had the same split already.
        label_file: the file of labels; None if there was none.
    """

    known: KnownSplit
    left_out: Mapping[str, int]
    labels: Mapping[str, int]
    absent: tuple[str, ...] = ()
    twice: int = 0
    unchanged: bool = False
    label_file: LabelFile | None = None


@dataclass(frozen=True, slots=True)
class SplitChecked:
    """Result of checking a split: labels that are in two parts.

    Attributes:
        unknown: number of episodes without a label, by kind.
        given: name of the label file stored with the split; "" if the library's labels are
            checked.
    """

    known: KnownSplit
    kinds: tuple[str, ...]
    episodes: int
    unknown: Mapping[str, int]
    crossings: tuple[Crossing, ...]
    given: str = ""


def read_split(
    library_folder: Path, file: Path, dataset: str, version: str = "", *, name: str = ""
) -> SplitMade:
    """Reads a published split from a JSON file with a list of episodes for each part.

    Args:
        name: "" for the file's: `random_split.json`, `splits/standard.json`, `splits.json`.

    Raises:
        KnownError: the file cannot be read, names no episode of the data set, the split's name is
            not a valid file name, or the library has a split of that name with other members.
    """
    doing = f"read the split {file.name}"
    data = file_bytes(file, doing)
    named = name or (
        file.name.removesuffix(_ODYSSEY) if file.name.endswith(_ODYSSEY) else split_name(file)
    )
    _check_name(named, doing)
    told = read_splits((file,))
    with Library.open(library_folder, create=False) as library:
        version = _version(library, dataset, version, doing)
        uuids = {one.name: one.uuid for one in library.splits().divided(dataset, version)}
        members, absent = [], []
        for listed, pairs in told.of_episode.items():
            plain = listed if listed in uuids else listed.removesuffix(".json")
            if plain in uuids:
                members += [(uuids[plain], part) for _, part in pairs]
            else:
                absent.append(listed)
        if not members:
            raise KnownError(
                doing,
                f"none of the {len(absent)} episodes it names is one of {_said(dataset, version)}",
                "Import the episodes first, or say another --dataset.",
            )
        split = Split(
            dataset,
            version,
            named,
            "as published",
            "",
            "",
            file.name,
            hashlib.sha256(data).hexdigest(),
        )
        twice = sum(note.count for note in told.notes)
        known = _held(library, split)
        if known is not None and set(library.splits().members(known.split)) == set(members):
            return SplitMade(known, {}, {}, tuple(absent), twice, unchanged=True)
        library.splits().save(split, members)
        found = library.splits().find(named, dataset, version)
    return SplitMade(found, {}, {}, tuple(absent), twice)


def make_split(
    library_folder: Path,
    dataset: str,
    by: str,
    *,
    version: str = "",
    seed: int = 0,
    shares: Sequence[int] | None = None,
    name: str = "",
    labels_file: Path | None = None,
) -> SplitMade:
    """Makes a split and saves it as "NAME@1", or with the next free number.

    Args:
        by: one of `WAYS`.
        shares: of train, validation and test; None for 80, 10, 10. For a split by version, shares
            of the episodes below the newest version; None for 90, 10.
        name: "" for "random" if the split is by episode, or else for `by`.
        labels_file: a JSON object with the episodes or instructions of each template, domain, ...;
            replaces the library's labels.

    Raises:
        KnownError: the data set is missing or cannot be split this way; no label in the file fits
            an episode; the name is not a valid file name.
    """
    doing = f"split {dataset} by {by}"
    if by not in WAYS:
        raise KnownError(doing, f"there is no way “{by}”", f"Use one of {', '.join(WAYS)}.")
    if labels_file is not None and by in (EPISODE, VERSION):
        raise KnownError(doing, "it takes no file of labels", "Leave the file out.")
    kept = tuple(shares) if shares is not None else OLDER_SHARES if by == VERSION else SHARES
    if len(kept) != len(PARTS) or min(kept) < 0 or not sum(kept):
        raise KnownError(
            doing,
            f"the shares are {_slashed(kept)}",
            "Give three that are not all nothing, as in 80/10/10.",
        )
    if by == VERSION and kept[2]:
        raise KnownError(
            doing,
            f"the shares are {_slashed(kept)}, and test is the newest version and nothing else",
            "Give the shares of train and validation, as in 90/10/0.",
        )
    kind = TEMPLATES.get(by, by)
    plain = name or ("random" if by == EPISODE else by)
    _check_name(f"{plain}@1", doing)
    with Library.open(library_folder, create=False) as library:
        version = _version(library, dataset, version, doing)
        episodes = library.splits().divided(dataset, version)
        masked: dict[str, str] = {}
        told = None
        made_by: dict[str, Any] = {"by": kind, "seed": seed, "shares": list(kept)}
        if labels_file is not None:
            told = read_labels(labels_file, episodes, doing)
            given = told.labels
            members = [_member(one, dataset, version, {kind: given[one.uuid]}) for one in episodes]
            made_by["labels_of"] = told.name
            made_by["labels"] = {
                one.name: list(given[one.uuid]) for one in episodes if given[one.uuid]
            }
            if by in TEMPLATES:
                masked = {one.instruction: label for one in episodes for label in given[one.uuid]}
        else:
            members = [_member(one, dataset, version) for one in episodes]
            if by in TEMPLATES:
                masked = {one.instruction: template(one.instruction, by) for one in episodes}
        parted = _parted(members, by, kind, seed, kept)
        split = Split(
            dataset,
            version,
            _free_name(library, dataset, version, plain),
            _in_words(by, kind, seed, kept, labels_file),
            _masking(by, masked, labels_file) if masked else "",
            _json(made_by | {"parts": dict(parted.labels)}),
        )
        _check_name(split.name, doing)
        uuids = dict(zip((member.key for member in members), episodes, strict=True))
        library.splits().save(
            split, [(uuids[key].uuid, part) for key, part in parted.parts.items()]
        )
        found = library.splits().find(split.name, dataset, version)
    return SplitMade(
        found,
        Counter(parted.left_out.values()),
        Counter(sorted(parted.labels.values())),
        label_file=told,
    )


def list_splits(library_folder: Path) -> tuple[KnownSplit, ...]:
    """Returns all splits of a library.

    Raises:
        KnownError: there is no library.
    """
    with Library.read(library_folder) as library:
        return tuple(library.splits().all())


def show_split(
    library_folder: Path, name: str, dataset: str = "", version: str = ""
) -> tuple[KnownSplit, tuple[tuple[str, str], ...]]:
    """Returns a split with pairs (episode name, part).

    Raises:
        KnownError: there is no such split, or several data sets have one.
    """
    with Library.read(library_folder) as library:
        known = library.splits().find(name, dataset, version)
        named = _names(library, known.split)
        return known, tuple(
            (named[uuid], part) for uuid, part in library.splits().members(known.split)
        )


def check_split(
    library_folder: Path,
    name: str,
    dataset: str = "",
    version: str = "",
    *,
    apart: Iterable[str] = (),
) -> SplitChecked:
    """Checks that no episode or label is in two parts.

    For the split's own kind, the labels stored with it are used, if there are any.

    Args:
        apart: kinds that must not cross (`KINDS`); () for the kind the split was made by.

    Raises:
        KnownError: there is no such split or kind.
    """
    wanted = tuple(dict.fromkeys(apart))
    unknown = next((kind for kind in wanted if kind not in KINDS), None)
    if unknown is not None:
        raise KnownError(
            f"check the split “{name}”",
            f"there is no kind “{unknown}”",
            f"Use one of {', '.join(KINDS)}.",
        )
    with Library.read(library_folder) as library:
        known = library.splits().find(name, dataset, version)
        split = known.split
        pairs = library.splits().members(split)
        episodes = library.splits().divided(split.dataset, split.version)
    made_by = json.loads(split.made_by) if split.made_by else {}
    by, given = made_by.get("by", ""), made_by.get("labels")
    kinds = (EPISODE, *(wanted or ((by,) if by in KINDS else ())))
    stored = json.loads(split.masking).get("output", {}) if split.masking else {}
    parts: dict[str, list[str]] = defaultdict(list)
    for uuid, part in pairs:
        parts[uuid].append(part)
    members = []
    for one in episodes:
        labels = labels_of(one, split.dataset)
        if given is not None:
            labels[by] = tuple(given.get(one.name, ()))
        elif by in TEMPLATES.values() and one.instruction in stored:
            labels[by] = (stored[one.instruction],)
        members.append(SplitMember(one.uuid, one.name, labels))
    inside = [member for member in members if member.key in parts]
    return SplitChecked(
        known,
        kinds,
        len(inside),
        {kind: sum(not member.of(kind) for member in inside) for kind in kinds[1:]},
        crossings(inside, parts, kinds),
        made_by.get("labels_of", "") if given is not None and by in kinds else "",
    )


def _parted(
    members: list[SplitMember], by: str, kind: str, seed: int, shares: tuple[int, ...]
) -> Parted:
    if by == EPISODE:
        return by_episode(members, seed, shares)
    if by == VERSION:
        return by_version(members, seed, shares)
    return by_label(members, kind, seed, shares)


def _member(
    one: Divided, dataset: str, version: str, labels: Mapping[str, tuple[str, ...]] | None = None
) -> SplitMember:
    key = f"{dataset}/{version}/{one.name}"
    return SplitMember(key, one.name, labels_of(one, dataset) if labels is None else labels)


def _in_words(
    by: str, kind: str, seed: int, shares: tuple[int, ...], labels_file: Path | None
) -> str:
    told = _slashed(shares)
    if by == EPISODE:
        return f"by episode, {told}, seed {seed}"
    if by == VERSION:
        return f"by Android version, the newest in test alone; the others {told}, seed {seed}"
    source = f" of {labels_file.name}" if labels_file is not None else ""
    return f"by {kind}{source}, {told} of them, seed {seed}"


def _slashed(shares: Sequence[int]) -> str:
    return "/".join(map(str, shares))


def _check_name(name: str, doing: str) -> None:
    """Refuses a split's name that is not a valid file name."""
    why = "" if name.removesuffix("@1").strip() else "is empty"
    why = why or file_name_problem(f"{name}{SUFFIX}")
    if why:
        raise KnownError(
            doing,
            f"the split's name {format_value(name)} {why}, and exports name a file after it",
            "Give another with --name.",
        )


def _masking(by: str, masked: Mapping[str, str], labels_file: Path | None) -> str:
    rule = {"rule": RULE, "in_words": RULE_DESCRIPTIONS[by]}
    if labels_file is not None:
        rule = {"rule": "file", "in_words": labels_file.name}
    return _json({"masked": by, **rule, "output": dict(masked)})


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _names(library: Library, split: Split) -> dict[str, str]:
    return {one.uuid: one.name for one in library.splits().divided(split.dataset, split.version)}


def _held(library: Library, split: Split) -> KnownSplit | None:
    whose = (split.dataset, split.version, split.name)
    return next(
        (
            one
            for one in library.splits().all()
            if (one.split.dataset, one.split.version, one.split.name) == whose
        ),
        None,
    )


def _free_name(library: Library, dataset: str, version: str, name: str) -> str:
    taken = {
        one.split.name
        for one in library.splits().all()
        if (one.split.dataset, one.split.version) == (dataset, version)
    }
    number = 1
    while f"{name}@{number}" in taken:
        number += 1
    return f"{name}@{number}"


def _version(library: Library, dataset: str, version: str, doing: str) -> str:
    """Returns the data set's version: the given one, or the only one."""
    found = library.splits().versions(dataset)
    if version in found:
        return version
    if not version and len(found) == 1:
        return found[0]
    if not found:
        raise KnownError(
            doing, f"there are no episodes of {dataset} here", "Import or record them first."
        )
    raise KnownError(
        doing,
        f"there are episodes of {', '.join(_said(dataset, one) for one in found)}",
        "Say which with --dataset-version V.",
    )


def _said(dataset: str, version: str) -> str:
    return f"{dataset}@{version}" if version else dataset
