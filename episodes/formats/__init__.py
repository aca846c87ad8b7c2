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
from episodes.formats.input_files import ImportNote, PictureStore, Refused, StillPaths
from episodes.formats.output_files import WriteReport
from episodes.formats.private_boxes import with_private_parts_covered
from episodes.task_verdicts import TaskVerdict


@dataclass(frozen=True, slots=True)
class Format:
    """One way to keep episodes in files.

    Attributes:
        title: its name for people.
        versions: those that can be read or written, the newest first.
        count: episodes at a path, by a quick look.
        read: yields episodes, refusals and notes from `(path, picture store, version or "")`; None
            if files of this kind hold no episodes.
        write: `(episodes, new folder, stills, version)` to what was written and lost; what is
            private is drawn over before; None if only the benchmark's own code writes them.
        regions: `(path)` to candidates for steps that are there already.
        verdict: what the files say of an attempt that was read; None if they say nothing.
    """

    name: str
    title: str
    versions: tuple[str, ...]
    count: Callable[[Path], int]
    read: Callable[[Path, PictureStore, str], Iterator[Episode | Refused | ImportNote]] | None
    write: Callable[[Iterable[Episode], Path, StillPaths, str], WriteReport] | None
    regions: Callable[[Path], Iterator[StepRegions | Refused | ImportNote]] | None = None
    verdict: Callable[[Episode], TaskVerdict | None] | None = None


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
            with_private_parts_covered(aitw_writer.write),
        ),
        Format(
            "aitz",
            "AITZ, steps with chains of thought",
            ("1",),
            aitz.count,
            aitz.read,
            with_private_parts_covered(aitz_writer.write),
        ),
        Format(
            "androidcontrol",
            "AndroidControl, TFRecords",
            ("1",),
            androidcontrol.count,
            androidcontrol.read,
            with_private_parts_covered(androidcontrol_writer.write),
        ),
        Format(
            "androidlab",
            "Android Lab's traces",
            ("1",),
            androidlab.count,
            androidlab.read,
            with_private_parts_covered(androidlab_writer.write),
        ),
        Format(
            "androidworld",
            "AndroidWorld's result files",
            ("1",),
            androidworld.count,
            androidworld.read,
            None,
            verdict=androidworld.verdict,
        ),
        Format(
            "coco",
            "COCO, regions alone",
            ("1",),
            _none,
            None,
            with_private_parts_covered(coco_writer.write),
            coco.read_regions,
        ),
        Format(
            "guiodyssey",
            "GUIOdyssey annotations",
            ("2", "1"),
            guiodyssey.count,
            guiodyssey.read,
            with_private_parts_covered(guiodyssey_writer.write),
        ),
        Format(
            "guiodyssey-tests",
            "GUIOdyssey with its evaluator's test files",
            ("2",),
            _none,
            None,
            with_private_parts_covered(guiodyssey_writer.write_with_tests),
        ),
        Format(
            "mobileworld",
            "MobileWorld's runs",
            ("1",),
            mobileworld.count,
            mobileworld.read,
            None,
            verdict=mobileworld.verdict,
        ),
        Format(
            "parquet",
            "Parquet tables",
            (parquet_writer.INSIDE, parquet_writer.BESIDE),
            parquet.count,
            parquet.read,
            with_private_parts_covered(parquet_writer.write),
        ),
        Format(
            "taptrail",
            "Taptrail lines and pictures",
            ("1",),
            taptrail.count,
            taptrail.read,
            with_private_parts_covered(taptrail_writer.write),
        ),
    )
}
