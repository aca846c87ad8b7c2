"""The picture and the tree of the step at hand, as they come from other threads."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from episodes.errors import KnownError
from episodes.screens import Still
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui import marks
from taptrail.gui.annotate.at_hand import AtHand
from taptrail.gui.annotate.frame import AnnotateFrame
from taptrail.gui.annotate.tree import TreePanel
from taptrail.gui.annotate.whole import SeenTree, read_tree_of
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.words import tr


class Sights(QObject):
    """Shows them as soon as they are there, if the step is still the one at hand."""

    def __init__(
        self,
        at: AtHand,
        frame: AnnotateFrame,
        tree: TreePanel,
        reader: WorkThread[Library],
        pictures: Pictures,
        failed: Callable[[KnownError], None],
    ) -> None:
        super().__init__()
        self._at, self._frame, self._tree = at, frame, tree
        self._reader, self._pictures, self._failed = reader, pictures, failed
        pictures.ready.connect(self._picture_ready)

    def show_step(self, step: Step, density: int | None) -> None:
        """Turns to a step."""
        frame = step.frame
        if frame is None:
            self._frame.show_frame(None, 1.0)
        else:
            dp = marks.dp_of(frame.size.width, frame.size.height, density)
            missing = "" if frame.still is not None else tr("This step has no picture")
            self._frame.show_frame(frame.size, dp, missing, protected=frame.protected)
            if frame.still is not None:
                self._show_picture(frame.still)
        self._show_tree(step)

    def follow(self) -> None:
        """Turns to the row of the candidate in focus."""
        choice = self._at.chosen()
        self._tree.turn_to(choice.region.provenance.node if choice is not None else "")

    def _show_tree(self, step: Step) -> None:
        kept = self._at.trees.get(step.index)
        if kept is not None and kept[0] == step:
            self._tree_ready(step, kept[1])
            return
        self._tree.show_tree(None)

        def done(seen: SeenTree) -> None:
            self._at.trees[step.index] = (step, seen)
            opened = self._at.opened()
            if opened is not None and opened.step is step:
                self._tree_ready(step, seen)
                self._frame.update()

        self._reader.run(
            lambda _: read_tree_of(step),
            owner=self,
            done=done,
            failed=self._failed,
            next_up=True,
        )

    def _tree_ready(self, step: Step, seen: SeenTree) -> None:
        self._tree.show_tree(seen)
        opened = self._at.opened()
        if opened is not None and opened.step is step:
            self._tree.mark_pressed(
                {
                    one.region.provenance.node: str(at + 1)
                    for at, one in enumerate(opened.choices)
                    if one.candidate is not None
                }
            )
            self.follow()

    def _show_picture(self, still: Still) -> None:
        image = self._pictures.get(still, next_up=True)
        gone = self._pictures.missing(still)
        self._frame.show_image(image, tr("The picture is missing") if gone else "")

    def _picture_ready(self, sha256: str) -> None:
        opened = self._at.opened()
        frame = opened.step.frame if opened is not None else None
        if frame is not None and frame.still is not None and frame.still.sha256 == sha256:
            self._show_picture(frame.still)
