"""What is private is drawn over before anybody writes pictures: exports, reports, films.

A private box of a step covers, in pixels, the frame of that step and the screen after the step
before it, which is the same screen; of the last step also what followed. Every other frame of the
episode with the very same picture is covered too. A private step counts as one box over all of it.
The tree of such a screen says its words, so it is left out. Covered pictures are PNG, black there.
"""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from episodes.annotations import Region
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.reading import StillPaths
from episodes.formats.writing import Written
from episodes.geometry import Box, Size
from episodes.media import pictures
from episodes.screens import Frame, Still
from episodes.steps import Step

Write = Callable[[Iterable[Episode], Path, StillPaths, str], Written]
_Boxes = dict[str, set[tuple[Box, Size] | None]]  # by sha256; None covers all of it

TREE = "the tree of a screen with a private box"
FINAL_TREE = "final_tree"  # where AndroidControl's reader keeps the tree of the screen at the end


def covering(write: Write) -> Write:
    """Returns a writer that never sees what is private in pictures and trees."""

    def covered(
        episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str
    ) -> Written:
        with tempfile.TemporaryDirectory(prefix="taptrail-") as beside:
            cover = Cover(stills, Path(beside))
            written = write(map(cover.episode, episodes), folder, cover, version)
        for where in cover.trees_left_out:
            written.lose(TREE, where)
        return written

    return covered


class Cover:
    """Draws over what is private; finds the pictures it drew, and all others, by their hash.

    Attributes:
        trees_left_out: where a tree was left out, "episode step 3".
    """

    def __init__(self, stills: StillPaths, folder: Path) -> None:
        """Keeps covered pictures in `folder`, for as long as somebody needs them."""
        self.trees_left_out: list[str] = []
        self._stills = stills
        self._folder = folder

    def path(self, sha256: str, media_type: str) -> Path:
        """Returns the file of a still, covered or as it was."""
        drawn = self._folder / f"{sha256}.png"
        return drawn if drawn.is_file() else self._stills.path(sha256, media_type)

    def episode(self, episode: Episode) -> Episode:
        """Returns the episode with covered pictures; itself where nothing in it is private.

        Private steps are still there, covered whole: writers leave them out and count them.

        Raises:
            KnownError: a picture to be covered cannot be read.
        """
        boxes = _boxes(episode)
        if not boxes and not any(step.private or step.private_boxes for step in episode.steps):
            return episode
        steps = []
        for step in episode.steps:
            if step.private_boxes and step.tree is not None:
                self.trees_left_out.append(f"{episode.name} step {step.index}")
            steps.append(
                replace(
                    step,
                    frame=self._frame(step.frame, boxes),
                    after=self._frame(step.after, boxes),
                    tree=None if step.private_boxes else step.tree,
                    regions=tuple(_wordless(region, step) for region in step.regions),
                )
            )
        last = episode.steps[-1]
        covered = bool(last.private or last.private_boxes)
        if episode.final is not None and episode.final.still is not None:
            covered = covered or episode.final.still.sha256 in boxes
        return replace(
            episode,
            steps=tuple(steps),
            final=self._frame(episode.final, boxes),
            extra=self._treeless(episode) if covered else episode.extra,
        )

    def _treeless(self, episode: Episode) -> str:
        """What a data set said beside, without the tree of the screen at the end."""
        told = json.loads(episode.extra) if FINAL_TREE in episode.extra else None
        if not isinstance(told, dict) or FINAL_TREE not in told:
            return episode.extra
        self.trees_left_out.append(f"{episode.name} at the end")
        del told[FINAL_TREE]
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")) if told else ""

    def _frame(self, frame: Frame | None, boxes: _Boxes) -> Frame | None:
        if frame is None or frame.still is None or frame.still.sha256 not in boxes:
            return frame
        native = frame.native
        if native is not None and frame.still.media_type != "image/png":
            native = str(PurePosixPath(native).with_suffix(".png"))
        still = self._covered(frame.still, boxes[frame.still.sha256])
        return replace(frame, still=still, native=native)

    def _covered(self, still: Still, boxes: set[tuple[Box, Size] | None]) -> Still:
        source = self._stills.path(still.sha256, still.media_type)
        try:
            pixels = pictures.decode(source.read_bytes())
        except OSError as error:
            raise KnownError(
                f"draw over the private parts of {source.name}",
                f"{source}: {error.strerror or error}",
                "Run `taptrail episodes check` on the library.",
            ) from error
        for box in boxes:
            if box is None:
                pixels[:] = 0
                continue
            edges, size = box
            across, down = pixels.shape[1] / size.width, pixels.shape[0] / size.height
            left, top = (
                max(0, math.floor(edges.left * across)),
                max(0, math.floor(edges.top * down)),
            )
            right, bottom = math.ceil(edges.right * across), math.ceil(edges.bottom * down)
            pixels[top : max(top, bottom), left : max(left, right)] = 0
        data = pictures.encode_png(pixels)
        sha256 = hashlib.sha256(data).hexdigest()
        (self._folder / f"{sha256}.png").write_bytes(data)
        return replace(
            still,
            sha256=sha256,
            media_type="image/png",
            byte_count=len(data),
            lossless=False,
            signature=None,
        )


def _boxes(episode: Episode) -> _Boxes:
    """What is to be covered of which picture."""
    boxes: _Boxes = defaultdict(set)
    for step, before, last in _with_neighbours(episode.steps):
        shown = [step.frame, before.after if before is not None else None]
        shown += [step.after, episode.final] if last else []
        for frame in shown:
            if frame is None or frame.still is None:
                continue
            if step.private:
                boxes[frame.still.sha256].add(None)
            for private in step.private_boxes:
                size = step.frame.size if step.frame is not None else None
                same = size is not None and _wide(size) == _wide(frame.size)
                boxes[frame.still.sha256].add((private.box, size) if same and size else None)
    return dict(boxes)


def _with_neighbours(steps: tuple[Step, ...]) -> Iterator[tuple[Step, Step | None, bool]]:
    for at, step in enumerate(steps):
        yield step, steps[at - 1] if at else None, at == len(steps) - 1


def _wide(size: Size) -> bool:
    return size.width > size.height


def _wordless(region: Region, step: Step) -> Region:
    """A region inside a private box keeps its place and loses its label."""
    inside = region.box is not None and any(
        region.box.centre in private.box for private in step.private_boxes
    )
    return replace(region, label="") if inside else region
