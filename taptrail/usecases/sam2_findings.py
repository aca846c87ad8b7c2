"""The doctor's checks of SAM 2: torch, the package, a checkpoint. Imports none of them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path

from annotator.sam2.installation import install
from annotator.sam2.local_checkpoints import choose_checkpoint, find_checkpoints
from annotator.sam2.speed import measured_speeds
from episodes.errors import KnownError
from recorder.doctor import CheckLevel, CheckResult

WITHOUT = "Targets are proposed from the phone's tree alone."
REPAIR = "sam2"


def sam2_findings(checkpoint: Path | None, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Yields findings about SAM 2; none is an error, because everything else works without it."""
    missing = [name for name in ("torch", "sam2") if not _distribution(name)]
    if missing:
        yield CheckResult(
            CheckLevel.WARNING,
            "SAM 2",
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed",
            "Install it the light way, about 1 GB.",
            WITHOUT,
            fix=REPAIR,
        )
    else:
        told = " and ".join(_distribution(name) for name in ("torch", "sam2"))
        yield CheckResult(CheckLevel.OK, "SAM 2", f"{told} are installed")
    try:
        found = choose_checkpoint(find_checkpoints(checkpoint, environment))
    except KnownError as error:
        yield CheckResult(CheckLevel.WARNING, "checkpoint", error.found, error.remedy, WITHOUT)
        return
    seconds = measured_speeds().get(found.name)
    pace = f"{seconds.embed:.1f} s for a screen here" if seconds else "not measured here yet"
    yield CheckResult(CheckLevel.OK, "checkpoint", f"{found.name} in {found.weights.path}, {pace}")


def install_sam2() -> str:
    """Installs torch and sam2 and returns a sentence with their versions. Takes some minutes.

    Raises:
        KnownError: they cannot be downloaded or built.
    """
    return install()


def _distribution(name: str) -> str:
    """Returns the distribution that provides the module `name`, with its version; or ""."""
    if importlib.util.find_spec(name) is None:
        return ""
    for owner in importlib.metadata.packages_distributions().get(name, []):
        return f"{owner} {importlib.metadata.version(owner)}"
    return name
