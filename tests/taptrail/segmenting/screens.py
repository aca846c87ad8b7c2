"""The micro model's screen as a phone of 600 x 600 pixels shows it, in steps of an episode.

SAM 2 squashes what it is shown to a square. A square screen is shown to it whole, so the model,
which knows only its whole screen, sees what it has learned. Each step's picture differs in a few
pixels from the others, so that each is embedded for itself.
"""

import cv2
import numpy as np

from episodes import actions as a
from episodes.annotations import Author
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Size
from episodes.media.pictures import encode_png
from episodes.recordings import DeviceFacts
from episodes.screens import (
    Basis,
    Frame,
    StepTree,
    Still,
    StillSource,
    TreeFit,
    TreeRecord,
    TreeStatus,
)
from episodes.steps import Step
from episodes.store.library import Library
from episodes.store.stills import StillFiles
from tests.annotator.sam2 import micro

SIDE = 600
SIZE = Size(SIDE, SIDE)
MARY = Author("uuid-of-mary", "Mary")
PRESSED = ("send", "cancel", "left card", "search")


def box(name: str) -> Box:
    """Where an element of the micro screen is on the square one."""
    there, _ = micro.ELEMENTS[name]
    across, down = SIDE / micro.SIZE.width, SIDE / micro.SIZE.height
    return Box(there.left * across, there.top * down, there.right * across, there.bottom * down)


def still(files: StillFiles, number: int) -> Still:
    """Keeps the screen, with a mark of a few pixels in its corner that is no other step's."""
    pixels = cv2.resize(micro.screen(), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    pixels[:2, : 2 + number] = (number * 7 % 256, 90, 90)
    data = encode_png(pixels.astype(np.uint8))
    sha256 = files.write(data, "image/png")
    return Still(sha256, "image/png", SIZE, len(data), StillSource.IMPORT, lossless=True)


def tree(*names: str) -> StepTree:
    """A fresh tree that tells of these elements alone."""
    nodes = "".join(
        f'<node class="android.widget.Button" clickable="true" text="{name}" bounds="'
        f'[{one.left:.0f},{one.top:.0f}][{one.right:.0f},{one.bottom:.0f}]"/>'
        for name in names
        for one in (box(name),)
    )
    data = (
        f'<hierarchy rotation="0"><node class="android.widget.FrameLayout" '
        f'bounds="[0,0][{SIDE},{SIDE}]">{nodes}</node></hierarchy>'
    )
    record = TreeRecord("uiautomator", data.encode(), "test", TreeStatus.OK, size=SIZE)
    return StepTree(record, TreeFit.FRESH)


def episode(files: StillFiles, name: str = "e-0001", first: int = 0) -> Episode:
    """Four presses, the first two with a tree, then a wait and the end."""
    steps = [
        Step(
            at,
            a.Tap(box(pressed).centre),
            Frame(SIZE, Basis.PAINTED, still(files, first + at)),
            tree=tree(*micro.ELEMENTS) if at < 2 else None,
        )
        for at, pressed in enumerate(PRESSED)
    ]
    steps.append(Step(4, a.Wait(), Frame(SIZE, Basis.PAINTED, still(files, first + 4))))
    steps.append(Step(5, a.Finish(a.Ending.COMPLETE)))
    return Episode(
        uuid=f"uuid-{name}",
        name=name,
        origin=Origin("recorded"),
        task=Task("Send it"),
        state=EpisodeState.FINISHED,
        steps=tuple(steps),
        actor=Actor(author=MARY),
        device=DeviceFacts(size=SIZE, density=240),
        finish=a.Finish(a.Ending.COMPLETE),
    )


def build(folder, episodes: int = 1) -> None:
    """Makes a library."""
    with Library.open(folder) as library:
        library.save_episodes(
            [
                episode(library.stills, f"e-{number:04}", first=number * 10)
                for number in range(1, episodes + 1)
            ]
        )
