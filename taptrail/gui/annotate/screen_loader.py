"""Loads the picture and the tree of the current step on other threads, and shows them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from episodes.density import likely_pixels_per_dp
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.recordings import DeviceFacts
from episodes.screens import Frame, Still
from episodes.steps import Step
from episodes.store.library import Library
from taptrail.gui.annotate.frame import AnnotateFrame
from taptrail.gui.annotate.open_episode import ParsedTree, read_tree_of
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.tree import TreePanel
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.words import tr


class ScreenLoader(QObject):
    """Shows picture and tree once they are loaded, if the step is still current.

    Attributes:
        after: whether the screen after the step is shown instead of its own.
    """

    def __init__(
        self,
        state: AnnotateState,
        frame: AnnotateFrame,
        tree: TreePanel,
        reader: WorkThread[Library],
        pictures: Pictures,
        failed: Callable[[KnownError], None],
    ) -> None:
        super().__init__()
        self._state, self._frame, self._tree = state, frame, tree
        self._reader, self._pictures, self._failed = reader, pictures, failed
        self.after = False
        self._after: Frame | None = None
        pictures.ready.connect(self._picture_ready)

    def show_step(self, step: Step, device: DeviceFacts) -> None:
        """Shows a step."""
        self.show_frame_of(step, device)
        self._show_tree(step)

    def show_after(self, episode: Episode | None, row: int) -> None:
        """Sets which screen `show_frame_of` shows: the one after a step, or (None) its own."""
        self.after = episode is not None
        self._after = reviewing.screen_after(episode, row) if episode is not None else None
        self._frame.set_banner(self._banner(episode, row))

    def show_frame_of(self, step: Step, device: DeviceFacts) -> None:
        """Shows the picture of the step or of the screen after it, without the tree."""
        frame = self._shown(step)
        if frame is None:
            missing = tr("The screen after this step was not recorded") if self.after else ""
            self._frame.show_frame(step.frame.size if step.frame else None, 1.0, missing)
            return
        dp = likely_pixels_per_dp(device, frame.size)
        missing = "" if frame.still is not None else tr("This step has no picture")
        self._frame.show_frame(frame.size, dp, missing, protected=frame.protected)
        if frame.still is not None:
            self._show_picture(frame.still)

    def _shown(self, step: Step) -> Frame | None:
        return self._after if self.after else step.frame

    def _banner(self, episode: Episode | None, row: int) -> str:
        if episode is None:
            return ""
        settled = episode.steps[row].after is not None
        when = tr("as it settled") if settled else tr("before the next step")
        return tr("After the step, {when}", when=when)

    def follow(self) -> None:
        """Selects the tree row of the candidate in focus."""
        choice = self._state.chosen()
        self._tree.turn_to(choice.region.provenance.node if choice is not None else "")

    def _show_tree(self, step: Step) -> None:
        kept = self._state.trees.get(step.index)
        if kept is not None and kept[0] == step:
            self._tree_ready(step, kept[1])
            return
        self._tree.show_tree(None)

        def done(seen: ParsedTree) -> None:
            self._state.trees[step.index] = (step, seen)
            opened = self._state.opened()
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

    def _tree_ready(self, step: Step, seen: ParsedTree) -> None:
        self._tree.show_tree(seen)
        opened = self._state.opened()
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
        opened = self._state.opened()
        frame = self._shown(opened.step) if opened is not None else None
        if frame is not None and frame.still is not None and frame.still.sha256 == sha256:
            self._show_picture(frame.still)
