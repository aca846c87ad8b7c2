"""What is private is drawn over before anybody writes pictures: exports, reports, films.

A private box of a step covers, in pixels, the frame of that step and the screen after the step
before it, which is the same screen; of the last step also what followed. Every other frame of the
episode with the very same picture is covered too. A private step counts as one box over all of it.
The tree of a covered screen says its words, so it is left out. Covered pictures are PNG,
black there.

A screen that its app keeps out of pictures is black already; its tree goes, and what programs
called its regions. So does a stale tree of a step that follows such a screen or a covered one, and
a late one of a step before it: they may be that screen's. In all other trees the words in password
fields become stars.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from episodes.annotations import Region, RegionSource
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.formats.input_files import StillPaths
from episodes.formats.output_files import WriteReport
from episodes.geometry import Box, Size
from episodes.media import pictures
from episodes.screens import Frame, StepTree, Still, TreeFit
from episodes.steps import Step
from episodes.trees.forest import FORMAT, MAX_BYTES
from episodes.trees.passwords import without_passwords

Write = Callable[[Iterable[Episode], Path, StillPaths, str], WriteReport]
_Boxes = dict[str, set[tuple[Box, Size] | None]]  # by sha256; None covers all of it

TREE = "the tree of a screen with a private box"
PROTECTED = "the tree of a screen that its app protects"
LABEL = "the label of a region on a screen that its app protects"
FIELD = "the words in a password field of a tree"
UNREAD = "a tree with a password field that cannot be read"
FINAL_TREE = "final_tree"  # where AndroidControl's reader keeps the tree of the screen at the end


def with_private_parts_covered(write: Write) -> Write:
    """Returns a writer that never sees what is private in pictures and trees."""

    def covered(
        episodes: Iterable[Episode], folder: Path, stills: StillPaths, version: str
    ) -> WriteReport:
        with tempfile.TemporaryDirectory(prefix="taptrail-") as beside:
            cover = PrivacyCover(stills, Path(beside))
            written = write(map(cover.episode, episodes), folder, cover, version)
        for what, where in cover.left_out:
            written.count_loss(what, where)
        return written

    return covered


class PrivacyCover:
    """Draws over what is private; finds the pictures it drew, and all others, by their hash.

    Attributes:
        left_out: what was left out of trees and labels, and where, "episode step 3".
    """

    def __init__(self, stills: StillPaths, folder: Path) -> None:
        """Keeps covered pictures in `folder`, for as long as somebody needs them."""
        self.left_out: list[tuple[str, str]] = []
        self._stills = stills
        self._folder = folder

    def path(self, sha256: str, media_type: str) -> Path:
        """Returns the file of a still, covered or as it was."""
        drawn = self._folder / f"{sha256}.png"
        return drawn if drawn.is_file() else self._stills.path(sha256, media_type)

    def episode(self, episode: Episode) -> Episode:
        """Returns the episode with covered pictures, or itself if nothing must be hidden.

        Private steps are still there, covered whole: writers leave them out and count them.

        Raises:
            KnownError: a picture to be covered cannot be read.
        """
        boxes = _boxes(episode)
        closed = _closed(episode, boxes)
        steps = tuple(
            self._step(step, f"{episode.name} step {step.index}", boxes, why)
            for step, why in zip(episode.steps, closed, strict=True)
        )
        covered = False
        if episode.steps:
            last = episode.steps[-1]
            covered = bool(last.private or last.private_boxes)
        if episode.final is not None and episode.final.still is not None:
            covered = covered or episode.final.still.sha256 in boxes
        final = self._frame(episode.final, boxes)
        extra = self._without_final_tree(episode, whole=covered)
        same = extra is episode.extra and final is episode.final
        if same and all(new is old for new, old in zip(steps, episode.steps, strict=True)):
            return episode
        return replace(episode, steps=steps, final=final, extra=extra)

    def _step(self, step: Step, where: str, boxes: _Boxes, why: str) -> Step:
        frame, after = self._frame(step.frame, boxes), self._frame(step.after, boxes)
        tree = self._tree(step, where, why)
        covered = boxes.get(_picture(step.frame), set())
        regions = tuple(_wordless(region, step, covered) for region in step.regions)
        if why and not (step.private or step.private_boxes or covered):
            for at, region in enumerate(regions):
                if region.label and region.provenance.source is not RegionSource.PERSON:
                    self.left_out.append((LABEL, where))
                    regions = (*regions[:at], replace(region, label=""), *regions[at + 1 :])
        same = frame is step.frame and after is step.after and tree is step.tree
        if same and all(new is old for new, old in zip(regions, step.regions, strict=True)):
            return step
        return replace(step, frame=frame, after=after, tree=tree, regions=regions)

    def _tree(self, step: Step, where: str, why: str) -> StepTree | None:
        tree = step.tree
        told = step.private_boxes or (tree is not None and tree.record.data and not step.private)
        if tree is None or not told:
            return tree
        if why:
            self.left_out.append((why, where))
            return None
        data = without_passwords(tree.record.format, tree.record.data)
        if data == tree.record.data:
            return tree
        self.left_out.append((UNREAD if data is None else FIELD, where))
        return None if data is None else replace(tree, record=replace(tree.record, data=data))

    def _without_final_tree(self, episode: Episode, *, whole: bool) -> str:
        """Further facts of a data set, without what the tree of the screen at the end must not say.

        Args:
            whole: whether that is all of it, else the words in password fields.
        """
        told = json.loads(episode.extra) if FINAL_TREE in episode.extra else None
        if not isinstance(told, dict) or FINAL_TREE not in told:
            return episode.extra
        where = f"{episode.name} at the end"
        data = None if whole else _unpacked(told[FINAL_TREE])
        open_ = None if data is None else without_passwords(FORMAT, data)
        if not whole and open_ == data:
            return episode.extra
        self.left_out.append((TREE if whole else UNREAD if open_ is None else FIELD, where))
        if open_ is None:
            del told[FINAL_TREE]
        else:
            told[FINAL_TREE] = base64.b64encode(zlib.compress(open_)).decode()
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


def _unpacked(packed: Any) -> bytes | None:
    """The bytes of a tree at the end; None if it cannot be read, which no writer will either."""
    if not isinstance(packed, str):
        return None
    try:
        data = base64.b64decode(packed, validate=True)
        return zlib.decompressobj().decompress(data, MAX_BYTES)
    except (ValueError, zlib.error):
        return None


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


def _closed(episode: Episode, boxes: _Boxes) -> tuple[str, ...]:
    """Returns why each step's tree is left out; "" if it is exported."""
    own = [_hides(step.frame, boxes, step) for step in episode.steps]
    behind = "" if not own else own[-1] or _hides(episode.final, boxes)
    found = []
    for at, step in enumerate(episode.steps):
        why = own[at]
        if not why and step.tree is not None and step.tree.fit is TreeFit.STALE and at:
            why = own[at - 1]
        elif not why and step.tree is not None and step.tree.fit is TreeFit.LATE:
            why = own[at + 1] if at + 1 < len(own) else behind
        found.append(why)
    return tuple(found)


def _hides(frame: Frame | None, boxes: _Boxes, step: Step | None = None) -> str:
    """Returns why a screen's tree must be hidden; "" if it is public."""
    if _picture(frame) in boxes or (step is not None and (step.private or step.private_boxes)):
        return TREE
    return PROTECTED if frame is not None and frame.protected else ""


def _picture(frame: Frame | None) -> str:
    return frame.still.sha256 if frame is not None and frame.still is not None else ""


def _wordless(region: Region, step: Step, covered: set[tuple[Box, Size] | None]) -> Region:
    """A region inside what is covered keeps its place and loses its label."""
    if region.box is None:
        return region
    centre, size = region.box.centre, step.frame.size if step.frame is not None else None
    inside = any(centre in private.box for private in step.private_boxes) or any(
        one is None or one[1] != size or centre in one[0] for one in covered
    )
    return replace(region, label="") if inside else region
