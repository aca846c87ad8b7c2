"""Finds the shards and splits of a TFRecord data set, and estimates its size.

Shards are named `<name>-00000-of-00020`, as these data sets are published, or `*.tfrecord` with
`.gz` or without. Splits are JSON objects of lists of episode ids: `*splits.json` beside the shards
or above them, and all of `splits/`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from episodes.errors import KnownError
from episodes.formats.example import Feature, read_example
from episodes.formats.input_files import (
    ImportNote,
    Refused,
    file_bytes,
    file_in_folder,
    format_value,
    json_value,
)
from episodes.formats.tfrecord import RecordReader
from episodes.wire import BadWire

SHARD = re.compile(r"(?P<name>.+)-\d{5}-of-\d{5}(\.[a-z]+)*")
STANDARD = "standard"
SUBSPLITS = "test_subsplits"
LOOK_BYTES = 16 * 1024 * 1024
LOOK_RECORDS = 20_000  # those of a few bytes pack well
MAX_SHARDS = 100_000
MAX_WRONG = 10_000  # records of nothing pack so well that a small file has millions

_TFRECORD = re.compile(r".+\.tfrecords?(\.gz|\.gzip)?")


@dataclass(frozen=True, slots=True)
class TfRecordFolder:
    """Shards and splits at a path.

    Attributes:
        whole: whether it is a folder, not one file.
        links_out: names of shards that are links out of the folder; they are not read.
    """

    whole: bool
    shards: tuple[Path, ...]
    splits: tuple[Path, ...]
    links_out: tuple[str, ...] = ()


@dataclass(slots=True)
class FolderSplits:
    """Which split each episode is in, as (split, part) pairs, and what was odd."""

    of_episode: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    named: dict[str, dict[str, None]] = field(default_factory=dict)
    notes: list[ImportNote] = field(default_factory=list)

    def absent(self, seen: set[str]) -> Iterator[ImportNote]:
        """Yields, per file, how many episodes it names that were not seen."""
        for file, names in self.named.items():
            missing = [name for name in names if name not in seen]
            if missing:
                first = f"names episodes that are not here, the first is {missing[0]}"
                yield ImportNote(file, first, len(missing))


def inspect_folder(path: Path, doing: str) -> TfRecordFolder:
    """Returns the shards and split files of a folder, of the folders in it, or one file.

    Raises:
        KnownError: there is none, or a folder may not be read.
    """
    try:
        if path.is_file():
            return TfRecordFolder(False, (path,), _split_files(path.parent, doing))
        if not path.is_dir():
            raise KnownError(doing, "there is no such file or folder", "Check the path.")
        root = path.resolve()
        names = [file for file in sorted((*path.glob("*"), *path.glob("*/*"))) if _is_shard(file)]
        shards = tuple(file for file in names if file.resolve().is_relative_to(root))
        splits = _split_files(path, doing)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise KnownError(doing, f"{path.name}: {error}", "Check the path.") from error
    if not shards or len(shards) > MAX_SHARDS:
        raise KnownError(
            doing,
            f"there are {len(shards)} TFRecord files (<name>-00000-of-00001, *.tfrecord)",
            "Give the folder that holds them, or one file.",
        )
    return TfRecordFolder(True, shards, splits, tuple(f.name for f in names if f not in shards))


def read_splits(files: tuple[Path, ...]) -> FolderSplits:
    """Returns what split files say; ids may be numbers or texts.

    Raises:
        KnownError: a split file is not an object of lists of ids.
    """
    pairs: dict[str, dict[tuple[str, str], None]] = {}
    found = FolderSplits()
    for file in files:
        split = split_name(file)
        for part, names in _parts(file).items():
            twice = sum(count - 1 for count in Counter(names).values())
            if twice:
                found.notes.append(
                    ImportNote(file.name, f"{format_value(part)} names episodes twice", twice)
                )
            for name in names:
                pairs.setdefault(name, {})[split, part] = None
                found.named.setdefault(file.name, {})[name] = None
    found.of_episode = {name: tuple(sorted(told)) for name, told in pairs.items()}
    return found


def split_name(file: Path) -> str:
    """Returns a split's name, from its file's: `splits.json` is the standard one."""
    if file.parent.name == "splits":
        return file.stem
    name = file.stem.removeprefix("android_control_")
    return STANDARD if name == "splits" else name.removesuffix("_splits")


def split_file(split: str) -> str:
    """Returns the file of a split, so that `split_name` gives its name again."""
    if split == STANDARD:
        return "splits.json"
    if split == SUBSPLITS:  # the name that evaluators look for
        return f"android_control_{split}.json"
    plain = split.endswith("splits") and not split.endswith("_splits")
    name = f"{split}.json" if plain and split != "splits" else f"{split}_splits.json"
    return name if not name.startswith("android_control_") else f"splits/{split}.json"


def records(
    layout: TfRecordFolder, doing: str
) -> Iterator[tuple[Path, str, dict[str, Feature] | Refused]]:
    """Yields (file, where, features or why there are none) of all records, shard by shard.

    After `MAX_WRONG` records that hold nothing, one after the other, the rest of a shard is left.
    """
    for name in layout.links_out:
        yield Path(name), name, Refused(name, "it is a link that leads out of its folder")
    for shard in layout.shards:
        try:
            reader = RecordReader(shard, doing)
        except KnownError as error:
            yield shard, shard.name, Refused(shard.name, error.found)
            continue
        wrong = 0
        with reader:
            for number, data in reader:
                where = f"{shard.name} record {number}"
                found = _features(data, where)
                yield shard, where, found
                wrong = wrong + 1 if isinstance(found, Refused) or not found else 0
                if wrong == MAX_WRONG:
                    reason = f"the {wrong} records up to this one hold nothing"
                    left = Refused(where, f"{reason}; the rest of the file is left out")
                    yield shard, where, left
                    break


def _features(data: bytes | Refused, where: str) -> dict[str, Feature] | Refused:
    if isinstance(data, Refused):
        return data
    try:
        return read_example(data)
    except BadWire as error:
        return Refused(where, f"it is no tf.train.Example: {error}")


def estimate_episodes(
    layout: TfRecordFolder, doing: str, begins: Callable[[dict[str, Feature]], Any | None]
) -> int:
    """Returns about how many episodes there are, from how the files begin.

    Args:
        begins: an id that changes where an episode begins; None for another data set's record.
    """
    count, seen, last, looked = 0, 0, None, 0
    for shard in layout.shards:
        with RecordReader(shard, doing) as reader:
            for _, data in reader:
                looked += 1
                if looked > LOOK_RECORDS:
                    break
                if isinstance(data, Refused):
                    continue
                try:
                    told = begins(read_example(data))
                except BadWire:
                    continue
                if told is not None and told != last:
                    count += 1
                last = told
                if seen + reader.position >= LOOK_BYTES:
                    break
            seen += reader.position
        if seen >= LOOK_BYTES or looked > LOOK_RECORDS:
            break
    everything = sum(shard.stat().st_size for shard in layout.shards)
    return count if seen >= everything else round(count * everything / max(seen, 1))


def _is_shard(file: Path) -> bool:
    named = SHARD.fullmatch(file.name) or _TFRECORD.fullmatch(file.name)
    return bool(named) and not file.name.endswith((".json", ".part")) and file.is_file()


def _split_files(folder: Path, doing: str) -> tuple[Path, ...]:
    """Splits may be beside the shard, or beside its folder."""
    for root in (folder, folder.parent):
        found = sorted((*root.glob("*splits.json"), *(root / "splits").glob("*.json")))
        if found:
            return tuple(
                file_in_folder(file.parent, file.name, doing) for file in found if file.is_file()
            )
    return ()


def _parts(file: Path) -> dict[str, list[str]]:
    doing = f"read {file.name}"
    try:
        file.name.encode()
        value = json_value(file_bytes(file, doing))
    except UnicodeEncodeError as error:
        raise KnownError(doing, "its name is not UTF-8", "Give it another name.") from error
    except ValueError as error:
        raise KnownError(doing, str(error), "Mend the file or take it away.") from error
    if not isinstance(value, dict):
        raise KnownError(doing, "it holds no JSON object", "Mend the file or take it away.")
    parts: dict[str, list[str]] = {}
    for part, ids in value.items():
        if not isinstance(ids, list) or not all(
            isinstance(one, str | int) and not isinstance(one, bool) for one in ids
        ):
            raise KnownError(
                doing, f"{format_value(part)} is not a list of ids", "Correct the file."
            )
        parts[part] = [str(one) for one in ids]
    return parts
