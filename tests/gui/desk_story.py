"""Episodes for the desk: a long one of all levels, and one on which every source has something.

Masks are drawn as SAM 2 gives them: a region with its picture, score, stability and prompt.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageDraw

from episodes.annotations import Author, Mask, Provenance, Region, RegionSource
from episodes.clocks import Moment
from episodes.episodes import Episode
from episodes.geometry import Box
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from tests.gui import annotate_story, story
from tests.gui.built_once import built_once

LONG, LONG_NAME = "0c8d3c1e-1111-4111-8111-000000000500", "e-0500"
DESK, DESK_NAME = "0c8d3c1e-1111-4111-8111-000000000411", "e-0411"
BEN = Author("7a1f6e0c-0000-4000-8000-000000000002", "Ben K.")
SAM2 = Author("taptrail:sam2", "SAM 2", "program")
BUTTON, CARD = Box(300, 1030, 510, 1110), Box(60, 560, 480, 1000)


def mask(box: Box, score: float, *, round_by: int, number: int = 1) -> Region:
    """Returns a region as SAM 2 gives it, with rounded corners."""
    size = round(box.width), round(box.height)
    picture = Image.new("L", size)
    ImageDraw.Draw(picture).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), round_by, 255)
    told = f'{{"points":[[0,0]],"mask":{number}}}'
    made = Provenance(
        RegionSource.SAM2, "sam2.1_hiera_tiny", "7402e0d864fa", told, score, stability=0.97
    )
    name = f"mask-{number}-{box.left:.0f}-{box.top:.0f}"
    return Region(box, made, mask=Mask(box, story.png(picture)), uuid=name)


def suggestion(box: Box, score: float) -> Region:
    """Returns a region as it is found without weights."""
    made = Provenance(RegionSource.SUGGESTION, "edges", "1", score=score)
    return Region(box, made, uuid=f"suggestion-{box.left:.0f}-{box.top:.0f}")


def long_steps(files: StillFiles) -> tuple[Step, ...]:
    """Sixty: of ten, five high, one medium, two low, one of them without a tree; two of no target.

    No two neighbours are alike, so that no finding says they are one.
    """
    short = {step.index: step for step in annotate_story.steps(files)}
    high, field, medium, web, stale = (short[at] for at in (1, 2, 4, 5, 6))
    typed, swipe = short[3], short[7]
    ten = (high, field, typed, high, medium, web, field, swipe, high, stale)
    steps = []
    for index in range(59):
        one = ten[index % 10]
        began = 1_000_000_000 + index * 2_400_000_000
        ended = Moment(host_ns=began + 120_000_000)
        steps.append(replace(one, index=index, began=Moment(host_ns=began), ended=ended))
    began = 1_000_000_000 + 59 * 2_400_000_000
    end = replace(short[8], index=59, began=Moment(host_ns=began))
    return (*steps, replace(end, ended=Moment(host_ns=began + 1)))


def long(files: StillFiles) -> Episode:
    """The episode of sixty steps."""
    return replace(story.recorded(files), uuid=LONG, name=LONG_NAME, steps=long_steps(files))


def desk(files: StillFiles) -> Episode:
    """Nine steps, with masks and suggestions on those that a tree does not explain."""
    steps = list(annotate_story.steps(files))
    steps[1] = replace(
        steps[1],
        regions=(
            mask(BUTTON, 0.94, round_by=20),
            mask(Box(336, 1054, 474, 1086), 0.71, round_by=8, number=2),
            suggestion(Box(328, 1048, 482, 1092), 0.66),
        ),
    )
    steps[5] = replace(
        steps[5],
        regions=(
            mask(CARD, 0.88, round_by=18),
            mask(Box(80, 640, 470, 760), 0.74, round_by=10, number=2),
            suggestion(Box(70, 600, 476, 800), 0.61),
        ),
    )
    return replace(story.recorded(files), uuid=DESK, name=DESK_NAME, steps=tuple(steps))


@built_once
def build(folder: Path, *, long_one: bool = True) -> None:
    """Makes a library that holds both, the long one first."""
    files = StillFiles(folder)
    with Library.open(folder) as library:
        report = library.save_episodes([*([long(files)] if long_one else []), desk(files)])
        assert not report.refused
