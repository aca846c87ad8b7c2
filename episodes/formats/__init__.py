"""Files to episodes and back: one module a format, one line each in the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from episodes.episodes import Episode
from episodes.formats import (
    aitw,
    aitw_writer,
    aitz,
    aitz_writer,
    androidcontrol,
    androidcontrol_writer,
    androidlab,
    androidlab_writer,
    androidworld,
    coco,
    coco_writer,
    guiodyssey,
    guiodyssey_writer,
    mobileworld,
    parquet,
    parquet_writer,
    taptrail,
    taptrail_writer,
)
from episodes.formats.coco import StepRegions
from episodes.formats.private_boxes import covering
from episodes.formats.reading import Note, Refused, Shelf, StillPaths
from episodes.formats.writing import Written


@dataclass(frozen=True, slots=True)
class Format:
    """One way to keep episodes in files.

    Attributes:
        title: its name for people.
        versions: those that can be read or written, the newest first.
        count: episodes at a path, by a quick look.
        read: `(path, shelf, version or "")` to episodes, refusals and notes; None where files of
            this kind hold no episodes.
        write: `(episodes, new folder, stills, version)` to what was written and lost; what is
            private is drawn over before; None where only the benchmark's own code writes them.
        regions: `(path)` to candidates for steps that are there already.
    """

    name: str
    title: str
    versions: tuple[str, ...]
    count: Callable[[Path], int]
    read: Callable[[Path, Shelf, str], Iterator[Episode | Refused | Note]] | None
    write: Callable[[Iterable[Episode], Path, StillPaths, str], Written] | None
    regions: Callable[[Path], Iterator[StepRegions | Refused | Note]] | None = None


def _none(path: Path) -> int:
    """How many episodes there are in files of a kind that holds none."""
    return 0


FORMATS: dict[str, Format] = {
    f.name: f
    for f in (
        Format(
            "aitw",
            "Android in the Wild, TFRecords",
            ("1",),
            aitw.count,
            aitw.read,
            covering(aitw_writer.write),
        ),
        Format(
            "aitz",
            "AITZ, steps with chains of thought",
            ("1",),
            aitz.count,
            aitz.read,
            covering(aitz_writer.write),
        ),
        Format(
            "androidcontrol",
            "AndroidControl, TFRecords",
            ("1",),
            androidcontrol.count,
            androidcontrol.read,
            covering(androidcontrol_writer.write),
        ),
        Format(
            "androidlab",
            "Android Lab's traces",
            ("1",),
            androidlab.count,
            androidlab.read,
            covering(androidlab_writer.write),
        ),
        Format(
            "androidworld",
            "AndroidWorld's result files",
            ("1",),
            androidworld.count,
            androidworld.read,
            None,
        ),
        Format(
            "coco",
            "COCO, regions alone",
            ("1",),
            _none,
            None,
            covering(coco_writer.write),
            coco.read_regions,
        ),
        Format(
            "guiodyssey",
            "GUIOdyssey annotations",
            ("2", "1"),
            guiodyssey.count,
            guiodyssey.read,
            covering(guiodyssey_writer.write),
        ),
        Format(
            "guiodyssey-tests",
            "GUIOdyssey with its evaluator's test files",
            ("2",),
            _none,
            None,
            covering(guiodyssey_writer.write_with_tests),
        ),
        Format(
            "mobileworld",
            "MobileWorld's runs",
            ("1",),
            mobileworld.count,
            mobileworld.read,
            None,
        ),
        Format(
            "parquet",
            "Parquet tables",
            (parquet_writer.INSIDE, parquet_writer.BESIDE),
            parquet.count,
            parquet.read,
            covering(parquet_writer.write),
        ),
        Format(
            "taptrail",
            "Taptrail lines and pictures",
            ("1",),
            taptrail.count,
            taptrail.read,
            covering(taptrail_writer.write),
        ),
    )
}
