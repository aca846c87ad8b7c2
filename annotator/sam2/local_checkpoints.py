"""Finds the checkpoints on this computer and chooses one.

The order is: the file that TAPTRAIL_SAM2_CHECKPOINT or the settings name; Taptrail's own folder; an
existing Hugging Face cache, which is only read. The hash of a file is checked when it is loaded.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import platformdirs

from annotator.sam2.checkpoints import (
    BY_SHA256,
    CHECKPOINTS,
    Checkpoint,
    Weights,
    identify,
    published_weights,
)
from annotator.sam2.values import ModelId
from episodes.errors import KnownError

VARIABLE = "TAPTRAIL_SAM2_CHECKPOINT"
OnProgress = Callable[[int, int | None], None]


class TrustNote(msgspec.Struct, frozen=True):
    """Facts stored with an unlisted checkpoint that the user trusts."""

    sha256: str
    config: str


@dataclass(frozen=True, slots=True)
class LocalCheckpoint:
    """A checkpoint on this computer.

    Attributes:
        name: "tiny", or an unlisted file's name.
        where: "named", "taptrail" or "hub".
        problem: why it cannot be used; "" if nothing speaks against it.
    """

    name: str
    where: str
    weights: Weights
    problem: str = ""


def models_folder() -> Path:
    """Returns Taptrail's own folder of checkpoints; it need not be there."""
    return Path(platformdirs.user_data_dir("taptrail", appauthor=False)) / "models"


def embeddings_folder() -> Path:
    """Returns the folder embeddings are cached in; it may be deleted at any time."""
    return Path(platformdirs.user_cache_dir("taptrail", appauthor=False)) / "embeddings"


def find_checkpoints(
    named: Path | None = None, environment: Mapping[str, str] = os.environ
) -> list[LocalCheckpoint]:
    """Returns the checkpoints on this computer, in the order in which they are taken.

    Args:
        named: the file in the settings; the environment's takes precedence.

    Raises:
        KnownError: a file is named and cannot be used.
    """
    found = []
    chosen = environment.get(VARIABLE) or named
    if chosen:
        weights = _named(Path(chosen).expanduser())
        found.append(LocalCheckpoint(_name(weights), "named", weights))
    found += _own(models_folder())
    found += _hub(environment)
    return found


def choose_checkpoint(found: list[LocalCheckpoint], wanted: str = "") -> LocalCheckpoint:
    """Returns the checkpoint to use: the one of that name, else the first without a problem.

    Raises:
        KnownError: there is none.
    """
    usable = [one for one in found if not one.problem and wanted in ("", one.name)]
    if usable:
        return usable[0]
    broken = next((one for one in found if wanted in ("", one.name)), None)
    name = wanted or "tiny"
    if broken is not None:
        raise KnownError(
            f"use {broken.weights.path}",
            broken.problem,
            f"Fetch it again: taptrail models get {name}",
        )
    raise KnownError(
        "use SAM 2",
        f"there is no checkpoint{f' “{wanted}”' if wanted else ''} on this computer",
        f"Fetch one in Settings, or with: taptrail models get {name}",
    )


def add_checkpoint(
    file: Path,
    *,
    trust: bool = False,
    config: str = "",
    on_progress: OnProgress = lambda done, total: None,
) -> LocalCheckpoint:
    """Copies a checkpoint into Taptrail's folder, if it is a listed one or is trusted.

    An unlisted one that is called like a published one gets digits of its sha256 behind its name:
    it is not taken for the published one cut short, and does not take its place.

    Raises:
        KnownError: it cannot be read, is not listed, or there is no room.
    """
    weights = identify(file, trust=trust, config=config, on_progress=on_progress)
    folder = models_folder()
    known = BY_SHA256.get(weights.model.checkpoint)
    target = folder / (known.file if known else _own_name(weights.model))
    beside = target.with_name(target.name + ".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if file.resolve() != target.resolve():
            shutil.copyfile(file, beside)
            # What was copied is what was looked at, or it gets no name.
            identify(beside, trust=trust, config=config)
            beside.replace(target)
        if known is None:
            note = TrustNote(weights.model.checkpoint, weights.config)
            _note(target).write_bytes(msgspec.json.encode(note))
    except OSError as error:
        raise KnownError(
            f"add {file}", f"{folder} cannot be written: {error.strerror}", "Make room there."
        ) from error
    own = [one for one in _own(folder) if one.weights.path == target.absolute()]
    return own[0]


def _own_name(model: ModelId) -> str:
    """The file name of an unlisted checkpoint in Taptrail's folder: never a published one's."""
    name = f"{model.name}.pt"
    published = {one.file for one in CHECKPOINTS.values()}
    return name if name not in published else f"{model.name}-{model.checkpoint[:12]}.pt"


def _named(path: Path) -> Weights:
    """The weights a person named: a listed file by its size, else one trusted by its note."""
    path = path.absolute()
    if not path.is_file():
        raise KnownError(
            f"use the checkpoint {path}",
            "there is no such file",
            f"Look at {VARIABLE} and at “checkpoint” in the settings.",
        )
    noted = _trusted(path)
    return noted if noted is not None else identify(path)


def _own(folder: Path) -> Iterator[LocalCheckpoint]:
    names = {one.file for one in CHECKPOINTS.values()}
    for one in CHECKPOINTS.values():
        if (folder / one.file).is_file():
            yield _listed(one, folder / one.file, "taptrail")
    for path in sorted(folder.glob("*.pt")):
        if path.name not in names:
            weights = _trusted(path)
            if weights is not None:
                yield LocalCheckpoint(weights.model.name, "taptrail", weights)


def _hub(environment: Mapping[str, str]) -> Iterator[LocalCheckpoint]:
    root = hub_cache(environment)
    for one in CHECKPOINTS.values():
        snapshots = root / f"models--{one.hub.replace('/', '--')}" / "snapshots"
        for path in sorted(snapshots.glob(f"*/{one.file}")):
            if path.is_file():
                yield _listed(one, path, "hub")
                break


def hub_cache(environment: Mapping[str, str] = os.environ) -> Path:
    """Returns where the hub's own programs keep what they fetched."""
    if named := environment.get("HF_HUB_CACHE"):
        return Path(named).expanduser()
    home = environment.get("HF_HOME")
    if home:
        return Path(home).expanduser() / "hub"
    cache = environment.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "huggingface" / "hub"


def _listed(one: Checkpoint, path: Path, where: str) -> LocalCheckpoint:
    size = path.stat().st_size
    problem = ""
    if size != one.size:
        problem = f"it has {size:,} of {one.size:,} bytes"
    return LocalCheckpoint(one.name, where, published_weights(one, path), problem)


def _trusted(path: Path) -> Weights | None:
    try:
        note = msgspec.json.decode(_note(path).read_bytes(), type=TrustNote)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None
    model = ModelId(path.name.removesuffix(".pt")[:80], note.sha256, listed=False)
    return Weights(path.absolute(), model, note.config)


def _note(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _name(weights: Weights) -> str:
    known = BY_SHA256.get(weights.model.checkpoint)
    return known.name if known else weights.model.name
