"""Splits a data set into parts: at random, or so that labels in the test part are not in training.

It uses no library and no files. A `SplitMember` holds the facts of an episode. A label of a split's
kind (app, template, ...) must not be in two parts. The same members, seed and shares give the same
parts on every machine, because the order is drawn by SHA-256.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from episodes.errors import KnownError

PARTS = ("train", "validation", "test")
SHARES = (80, 10, 10)
OLDER_SHARES = (90, 10, 0)
"""Of the episodes that are not of the newest version: train and validation."""

EPISODE, VERSION = "episode", "version"
_NAMED = 3


@dataclass(frozen=True, slots=True)
class SplitMember:
    """An episode to be assigned to a part.

    Attributes:
        key: determines its draw, equal in every library: data set, version and name.
        labels: by kind ("app", "template", ...); several if an episode has several apps.
    """

    key: str
    name: str
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, kind: str) -> tuple[str, ...]:
        """Returns its labels of a kind, without empty ones. Its only label of kind "episode" is its
        name."""
        if kind == EPISODE:
            return self.labels.get(kind, (self.name,))
        return tuple(label for label in self.labels.get(kind, ()) if label)


@dataclass(frozen=True, slots=True)
class Parted:
    """The parts of members.

    Attributes:
        parts: part by the member's key.
        left_out: by the member's key, the reason why it is in no part.
        labels: part by label; empty for a split by chance.
    """

    parts: Mapping[str, str]
    left_out: Mapping[str, str]
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Crossing:
    """A label that is in two or more parts.

    Attributes:
        where: (part, names of the episodes) of each part it is in.
    """

    kind: str
    label: str
    where: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def sentence(self) -> str:
        """Returns a sentence that names the label and its episodes."""
        if self.kind == EPISODE:
            return f"The episode “{self.label}” is in {_listed([part for part, _ in self.where])}."
        told = [f"{part} ({_first(names)})" for part, names in self.where]
        return f"The {self.kind} “{self.label}” is in {_listed(told)}."


def by_episode(members: Iterable[SplitMember], seed: int, shares: Sequence[int] = SHARES) -> Parted:
    """Assigns each episode to a part, drawn by its key."""
    keys = [member.key for member in members]
    return Parted(_drawn(keys, seed, shares), {}, {})


def by_label(
    members: Iterable[SplitMember], kind: str, seed: int, shares: Sequence[int] = SHARES
) -> Parted:
    """Returns parts without common labels of a kind. The shares are of labels, not of episodes.

    An episode whose labels are in different parts, and one without a label, is left out.

    Raises:
        KnownError: there are fewer labels than parts.
    """
    known = list(members)
    labels = sorted({label for member in known for label in member.of(kind)})
    wanted = sum(share > 0 for share in shares)
    if len(labels) < wanted:
        found = f"the episodes have {len(labels)} of the kind “{kind}” between them"
        raise KnownError(
            f"split by {kind}",
            f"{found}, for {wanted} parts" if labels else f"no episode has the label {kind}",
            "Split by something else, or by fewer parts with --shares.",
        )
    return _along(known, kind, _drawn(labels, seed, shares))


def by_version(
    members: Iterable[SplitMember], seed: int, shares: Sequence[int] = OLDER_SHARES
) -> Parted:
    """Assigns the newest version to test; episodes of other versions are drawn.

    Raises:
        KnownError: there is only one version, or none.
    """
    known = list(members)
    versions = sorted({v for member in known for v in member.of(VERSION)}, key=version_order)
    if len(versions) < 2:
        found = f"all are of Android {versions[0]}" if versions else "the version is unknown"
        raise KnownError("split by Android version", found, "Split by something else.")
    newest = versions[-1]
    older = [m.key for m in known if m.of(VERSION) and m.of(VERSION) != (newest,)]
    parts = _drawn(older, seed, shares) | {
        m.key: "test" for m in known if m.of(VERSION) == (newest,)
    }
    left = {m.key: "its version is unknown" for m in known if not m.of(VERSION)}
    labels = {
        version: "test" if version == newest else "train or validation" for version in versions
    }
    return Parted(parts, left, labels)


def version_order(version: str) -> tuple[tuple[int, ...], str]:
    """Returns the sort key of a version: its numbers, "10" after "9"."""
    return tuple(int(digits[:9]) for digits in re.findall(r"[0-9]+", version)), version


def crossings(
    members: Iterable[SplitMember], parts: Mapping[str, Sequence[str]], kinds: Iterable[str]
) -> tuple[Crossing, ...]:
    """Returns all labels of these kinds that are in two parts, in the order of the kinds.

    For versions only test is compared with the rest: train and validation share the older ones.

    Args:
        parts: the parts of each member by its key; more than one where a file names it twice.
    """
    known = [member for member in members if parts.get(member.key)]
    found = []
    for kind in kinds:
        where: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
        for member in known:
            for label in member.of(kind):
                for part in parts[member.key]:
                    where[label][part][member.name] = None
        found += [
            Crossing(kind, label, tuple((part, tuple(in_part[part])) for part in _ordered(in_part)))
            for label, in_part in sorted(where.items())
            if len(in_part) > 1 and (kind != VERSION or "test" in in_part)
        ]
    return tuple(found)


def counts(total: int, shares: Sequence[int]) -> tuple[int, ...]:
    """Returns how many of `total` each share gets: whole numbers that add up to `total`, and at
    least one for each share above 0 if there are enough.

    >>> counts(7, (80, 10, 10)), counts(2, (80, 10, 10))
    ((5, 1, 1), (2, 0, 0))
    """
    whole = sum(shares)
    got = [total * share // whole for share in shares]
    by_rest = sorted(range(len(shares)), key=lambda n: -(total * shares[n] % whole))
    for number in by_rest[: total - sum(got)]:
        got[number] += 1
    if total >= sum(share > 0 for share in shares):
        for number, share in enumerate(shares):
            if share > 0 and not got[number]:
                got[number] += 1
                got[got.index(max(got))] -= 1
    return tuple(got)


def _drawn(keys: Iterable[str], seed: int, shares: Sequence[int]) -> dict[str, str]:
    drawn = sorted(keys, key=lambda key: hashlib.sha256(f"{seed}\n{key}".encode()).digest())
    parts: dict[str, str] = {}
    start = 0
    for part, count in zip(PARTS, counts(len(drawn), shares), strict=True):
        parts.update(dict.fromkeys(drawn[start : start + count], part))
        start += count
    return parts


def _along(members: list[SplitMember], kind: str, labels: dict[str, str]) -> Parted:
    parts, left = {}, {}
    for member in members:
        found = _ordered(dict.fromkeys(labels[label] for label in member.of(kind)))
        if not found:
            left[member.key] = f"its {kind} is unknown"
        elif len(found) > 1:
            left[member.key] = f"what it has of the kind “{kind}” is in {_listed(found)}"
        else:
            parts[member.key] = found[0]
    return Parted(parts, left, labels)


def _ordered(parts: Iterable[str]) -> list[str]:
    known = {part: number for number, part in enumerate(PARTS)}
    return sorted(parts, key=lambda part: (known.get(part, len(PARTS)), part))


def _listed(words: Sequence[str]) -> str:
    return " and in ".join(words)


def _first(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
