"""Which checkpoints of SAM 2 there are, and what a file has to be to be one of them.

Source: facebookresearch/sam2 at 2b90b9f5 (names, configurations, where they lie). Meta publishes no
checksums; these are what several public projects recorded of both hosts, and what the hub files
each checkpoint under.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from annotator.sam2.values import ModelId
from episodes.errors import KnownError

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A published set of weights.

    Attributes:
        name: what a person calls it: "tiny".
        file: its name on the publisher's host.
        size: bytes.
        config: the configuration inside of the `sam2` package that it belongs to.
        hub: its repository on the Hugging Face hub.
        memory: MB of RAM the worker needs at most, measured on one 1080x2400 screen.
    """

    name: str
    file: str
    size: int
    sha256: str
    config: str
    hub: str
    memory: int


CHECKPOINTS = {
    one.name: one
    for one in (
        Checkpoint(
            "tiny",
            "sam2.1_hiera_tiny.pt",
            156_008_466,
            "7402e0d864fa82708a20fbd15bc84245c2f26dff0eb43a4b5b93452deb34be69",
            "configs/sam2.1/sam2.1_hiera_t.yaml",
            "facebook/sam2.1-hiera-tiny",
            1200,
        ),
        Checkpoint(
            "small",
            "sam2.1_hiera_small.pt",
            184_416_285,
            "6d1aa6f30de5c92224f8172114de081d104bbd23dd9dc5c58996f0cad5dc4d38",
            "configs/sam2.1/sam2.1_hiera_s.yaml",
            "facebook/sam2.1-hiera-small",
            1200,
        ),
        Checkpoint(
            "base-plus",
            "sam2.1_hiera_base_plus.pt",
            323_606_802,
            "a2345aede8715ab1d5d31b4a509fb160c5a4af1970f199d9054ccfb746c004c5",
            "configs/sam2.1/sam2.1_hiera_b+.yaml",
            "facebook/sam2.1-hiera-base-plus",
            1500,
        ),
        Checkpoint(
            "large",
            "sam2.1_hiera_large.pt",
            898_083_611,
            "2647878d5dfa5098f2f8649825738a9345572bae2d4350a2468587ece47dd318",
            "configs/sam2.1/sam2.1_hiera_l.yaml",
            "facebook/sam2.1-hiera-large",
            2200,
        ),
    )
}
BY_SHA256 = {one.sha256: one for one in CHECKPOINTS.values()}


@dataclass(frozen=True, slots=True)
class Weights:
    """A checkpoint that may be loaded: expected size and sha256, and its configuration.

    Attributes:
        path: absolute.
        model: its name and the sha256 it must have.
        config: the configuration inside of the `sam2` package.
        overrides: changes of that configuration, as Hydra writes them.
        size: bytes it must have; None if only the sha256 is known.
    """

    path: Path
    model: ModelId
    config: str
    overrides: tuple[str, ...] = ()
    size: int | None = None


def published_weights(checkpoint: Checkpoint, path: Path) -> Weights:
    """Returns a published checkpoint at `path`; the file is not read."""
    model = ModelId(checkpoint.file.removesuffix(".pt"), checkpoint.sha256)
    return Weights(path.absolute(), model, checkpoint.config, size=checkpoint.size)


def identify(
    path: Path,
    *,
    trust: bool = False,
    config: str = "",
    on_progress: Callable[[int, int | None], None] = lambda done, total: None,
) -> Weights:
    """Returns the checkpoint of a file, identified by its sha256.

    Args:
        trust: take a file that no table lists; it is called unlisted wherever its masks go.
        config: the configuration of an unlisted file; tiny's if empty.

    Raises:
        KnownError: the file cannot be read, or its sha256 is not listed and it is not trusted.
    """
    with open_weights(path) as stream:
        found = sha256_of(stream, on_progress)
    known = BY_SHA256.get(found)
    if known is not None:
        return published_weights(known, path)
    if trust:
        model = ModelId(path.name.removesuffix(".pt")[:80], found, listed=False)
        return Weights(path.absolute(), model, config or CHECKPOINTS["tiny"].config)
    raise KnownError(
        f"use {path} with SAM 2",
        f"its sha256 {found[:16]}… is none of the published checkpoints'" + _cut_short(path),
        "Fetch one with: taptrail models get tiny. If you know where the file is from, add it "
        "with: taptrail models add FILE --trust",
    )


def open_weights(path: Path) -> BinaryIO:
    """Opens a file of weights for reading.

    Raises:
        KnownError: it is not there, no file, or may not be read.
    """
    try:
        if path.exists() and not path.is_file():
            raise OSError(0, "it is not a regular file")
        return path.open("rb")
    except OSError as error:
        why = "it is not there" if isinstance(error, FileNotFoundError) else str(error.strerror)
        raise KnownError(
            f"read the checkpoint {path}",
            why,
            "Look for it with: taptrail models list, or fetch one with: taptrail models get tiny",
        ) from error


def sha256_of(
    stream: BinaryIO, on_progress: Callable[[int, int | None], None] = lambda done, total: None
) -> str:
    """Returns the sha256 of what is left of a stream, telling how many bytes were read."""
    sha256, done = hashlib.sha256(), 0
    while chunk := stream.read(CHUNK):
        sha256.update(chunk)
        done += len(chunk)
        on_progress(done, None)
    return sha256.hexdigest()


def _cut_short(path: Path) -> str:
    """Adds, where a published checkpoint's name promises more bytes, that the file is cut short."""
    size = path.stat().st_size
    for one in CHECKPOINTS.values():
        if one.file == path.name and size < one.size:
            return f"; it has {size:,} of {one.size:,} bytes, so it was cut short"
    return ""
