"""Lists, downloads, adds, measures and loads SAM 2's checkpoints."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from annotator.sam2.checkpoints import CHECKPOINTS, Checkpoint, identify
from annotator.sam2.client import WorkerState
from annotator.sam2.download import OnProgress, download_checkpoint, list_sources
from annotator.sam2.local_checkpoints import LocalCheckpoint, find_checkpoints, models_folder
from annotator.sam2.local_checkpoints import add_checkpoint as add_file
from annotator.sam2.speed import (
    COMFORTABLE,
    MeasuredSpeed,
    measure_speed,
    measured_speeds,
    suggest_checkpoint,
)
from annotator.segmenters import SEGMENTERS, Segmenter
from episodes.errors import KnownError
from episodes.operating_system import free_memory_mb
from taptrail.settings import Settings

YES = ("1", "on", "yes", "true")


@dataclass(frozen=True, slots=True)
class ListedCheckpoint:
    """A checkpoint: published, or added by the user.

    Attributes:
        published: its row in the table of published checkpoints; None if it has none.
        found: the file on this computer; None if there is none.
        measured: speed on this machine; None if not measured.
        suggested: whether it is recommended for this machine.
        used: whether it is the default.
    """

    name: str
    published: Checkpoint | None
    found: LocalCheckpoint | None
    measured: MeasuredSpeed | None
    suggested: bool
    used: bool


def threads() -> int:
    """Returns SAM 2's number of threads: all cores except one."""
    return max(1, (os.cpu_count() or 2) - 1)


def list_models(
    settings: Settings, environment: Mapping[str, str] = os.environ
) -> tuple[ListedCheckpoint, ...]:
    """Returns the published checkpoints and the added unlisted ones.

    Raises:
        KnownError: the settings or TAPTRAIL_SAM2_CHECKPOINT name a file that cannot be used.
    """
    found = find_checkpoints(settings.checkpoint, environment)
    usable = [one for one in found if not one.problem]
    used = usable[0].name if usable else ""
    known = measured_speeds()
    best = suggest_checkpoint(known, free_memory_mb())
    first = {one.name: one for one in reversed(found)}
    names = [*CHECKPOINTS, *(name for name in first if name not in CHECKPOINTS)]
    return tuple(
        ListedCheckpoint(
            name,
            CHECKPOINTS.get(name),
            first.get(name),
            known.get(name),
            name == best,
            name == used,
        )
        for name in names
    )


def measure_models(on_progress: OnProgress = lambda done, total: None) -> dict[str, MeasuredSpeed]:
    """Measures checkpoints from the smallest to the first that is too slow; returns the speeds.

    Raises:
        KnownError: torch or sam2 is missing, or the smallest does not run.
    """
    found: dict[str, MeasuredSpeed] = {}
    memory = free_memory_mb()
    for at, (name, one) in enumerate(CHECKPOINTS.items()):
        on_progress(at, len(CHECKPOINTS))
        too_large = memory is not None and one.memory > memory
        if found and (too_large or list(found.values())[-1].embed > COMFORTABLE):
            break  # the one before was too slow already
        found[name] = measure_speed(name, threads())
    on_progress(len(CHECKPOINTS), len(CHECKPOINTS))
    return found


def get_model(
    name: str,
    settings: Settings,
    *,
    mirror: str = "",
    on_progress: OnProgress = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
    environment: Mapping[str, str] = os.environ,
) -> LocalCheckpoint:
    """Downloads a published checkpoint into Taptrail's folder, unless it is on this computer.

    Raises:
        KnownError: there is no such checkpoint, or downloading is forbidden or fails.
        FetchingStopped: it was cancelled; the next call resumes the download.
    """
    one = CHECKPOINTS.get(name)
    if one is None:
        raise KnownError(
            f"fetch the checkpoint “{name}”",
            "SAM 2 has none of that name",
            f"There are: {', '.join(CHECKPOINTS)}.",
        )
    there = _whole(name, settings, environment)
    if there is not None:
        return there
    if not settings.models_download:
        raise _offline(one, "the settings say models_download = false")
    if environment.get("HF_HUB_OFFLINE", "").lower() in YES:
        raise _offline(one, "HF_HUB_OFFLINE is set")
    addresses = list_sources(one, mirror or settings.models_mirror, environment)
    download_checkpoint(
        one, models_folder(), addresses, on_progress=on_progress, cancelled=cancelled
    )
    found = _whole(name, settings, environment)
    assert found is not None, "what was fetched lies in our own folder"
    return found


def add_model(
    file: Path,
    *,
    trust: bool = False,
    config: str = "",
    on_progress: OnProgress = lambda done, total: None,
) -> LocalCheckpoint:
    """Copies the user's checkpoint into Taptrail's folder.

    Raises:
        KnownError: the file is neither listed nor trusted, or cannot be read or copied.
    """
    return add_file(file, trust=trust, config=config, on_progress=on_progress)


def open_segmenter(
    settings: Settings,
    name: str = "",
    *,
    on_state: Callable[[WorkerState], None] = lambda state: None,
    environment: Mapping[str, str] = os.environ,
) -> Segmenter:
    """Returns a segmenter; its process starts with the first request.

    Args:
        name: of a checkpoint; "" for the default of `list_models`.

    Raises:
        KnownError: there is no checkpoint on this computer.
    """
    opened = SEGMENTERS["sam2"]
    return opened(settings.checkpoint, name, on_state=on_state, environment=environment)


def check_model(found: LocalCheckpoint) -> LocalCheckpoint:
    """Returns the checkpoint after checking its sha256; a difference is its `problem`."""
    if found.problem or not found.weights.model.listed:
        return found
    try:
        identify(found.weights.path)
    except KnownError as error:
        return replace(found, problem=error.found)
    return found


def _whole(name: str, settings: Settings, environment: Mapping[str, str]) -> LocalCheckpoint | None:
    """Returns a checkpoint on this computer with the right sha256, or None."""
    for one in find_checkpoints(settings.checkpoint, environment):
        if one.name == name and not check_model(one).problem:
            return one
    return None


def _offline(one: Checkpoint, why: str) -> KnownError:
    return KnownError(
        f"fetch {one.file}",
        why,
        "Allow it there, or bring the file another way and add it with: taptrail models add FILE",
    )
