"""Points inside and outside the target, and outlines drawn by hand.

Points are a prompt for SAM 2, which is asked again after each point. Corners form an outline drawn
by the user.
"""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, Signal

from annotator.sam2.values import Prompt
from episodes import actions as a
from episodes.annotations import Author, Region
from episodes.episodes import Episode
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.steps import Step
from taptrail.gui.annotate.edit_queue import EditQueue
from taptrail.gui.annotate.frame import Tool
from taptrail.gui.annotate.state import AnnotateState
from taptrail.usecases import segmenting
from taptrail.words import tr

NO_MODEL = "SAM 2 is not set up yet. Settings fetches a checkpoint."


class SegmenterClient(Protocol):
    """Sends prompts to SAM 2 and returns its answers, on the window's thread.

    `ask` leads to a call of `answered` with the index of the step, or of `failed`.
    """

    def why_not(self) -> str:
        """Returns why SAM 2 is not available; "" if it is."""
        ...

    def look(self) -> None:
        """Checks again whether SAM 2 is available."""
        ...

    def ask(
        self, episode: Episode, step: Step, prompt: Prompt, author: Author, asker: PromptPoints
    ) -> None:
        """Asks SAM 2, and calls `answered` or `failed` of the asker afterwards."""
        ...


class PromptPoints(QObject):
    """Signals:
    changed: the points or corners changed.
    came: the masks of an answer are being saved as candidates of the step with this index.
    broke: the KnownError of a failed request.
    """

    changed = Signal()
    came = Signal(int)
    broke = Signal(object)

    def __init__(
        self, state: AnnotateState, edits: EditQueue, answers: SegmenterClient | None = None
    ) -> None:
        super().__init__()
        self._state, self._edits, self._answers = state, edits, answers
        self._waiting = 0
        self._fresh: list[str] = []

    def why_not(self) -> str:
        """Returns why point prompts are disabled; "" if they are enabled."""
        if self._state.read_only:
            return self._state.read_only
        return self._answers.why_not() if self._answers is not None else tr(NO_MODEL)

    def look(self) -> None:
        """Checks again whether SAM 2 is available."""
        if self._answers is not None:
            self._answers.look()

    def waiting(self) -> bool:
        """Returns whether a request is under way."""
        return self._waiting > 0

    def places(self) -> list[tuple[Point, bool]]:
        """Returns the points of the current step, each with whether it is inside the target."""
        return self._state.points.get(self._state.index, [])

    def put(self, point: Point, tool: Tool) -> None:
        """Adds a point or a corner."""
        if tool is Tool.POLYGON:
            self._state.corners.append(point)
        else:
            self._state.points.setdefault(self._state.index, []).append((point, tool is Tool.POINT))
            self._ask()
        self.changed.emit()

    def ask_box(self, box: Box) -> None:
        """Asks SAM 2 for the object in a box, with the points that are set."""
        self._ask(box)
        self.changed.emit()

    def take_fresh(self) -> list[str]:
        """Returns the uuids of the newest masks, best first, and forgets them."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def take_back(self) -> bool:
        """Removes the last point or corner. Returns whether there was one."""
        if self._state.corners:
            self._state.corners.pop()
        elif self.places():
            self.places().pop()
            self._ask()
        else:
            return False
        self.changed.emit()
        return True

    def clear(self) -> bool:
        """Removes all points and corners of the step. Returns whether there were any."""
        there = bool(self._state.corners or self.places())
        self._state.corners.clear()
        self._state.points.pop(self._state.index, None)
        if there:
            self.changed.emit()
        return there

    def answered(self, episode: Episode, step: Step, regions: list[Region]) -> None:
        """Saves the masks of an answer as candidates."""
        self._waiting -= 1
        if regions:
            best = sorted(regions, key=lambda one: -(one.provenance.score or 0.0))
            self._fresh = [one.uuid for one in best]
            self._edits.make(
                episode.uuid,
                lambda library, author: segmenting.keep(library, episode, step, regions, author),
            )
            self.came.emit(step.index)
        self.changed.emit()

    def failed(self, error: KnownError) -> None:
        """Reports that a request failed."""
        self._waiting -= 1
        self.broke.emit(error)
        self.changed.emit()

    def _ask(self, box: Box | None = None) -> None:
        """Asks with the points; if none of them is inside, the press itself is added as one."""
        opened, whole = self._state.opened(), self._state.whole
        if opened is None or whole is None or self._answers is None:
            return
        inside = tuple(point for point, within in self.places() if within)
        outside = tuple(point for point, within in self.places() if not within)
        press = a.place(opened.gold.action)
        if not inside and outside and press is not None:
            inside = (press,)
        if not inside and box is None:
            return
        self._waiting += 1
        prompt = Prompt(inside, outside, box)
        self._answers.ask(whole.episode, opened.step, prompt, self._edits.author(), self)
