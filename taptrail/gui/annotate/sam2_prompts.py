"""Pointing at what was meant: places inside and outside of it, and outlines drawn by hand.

Places are a prompt for SAM 2, asked again with each place; corners are an outline of one's own.
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
    """Whoever brings prompts to SAM 2 and its answers back, on the thread of the window.

    `ask` is answered by `answered` with the index of the step, or by `failed`.
    """

    def why_not(self) -> str:
        """Returns why nobody answers; "" where somebody does."""
        ...

    def look(self) -> None:
        """Looks again whether somebody answers."""
        ...

    def ask(
        self, episode: Episode, step: Step, prompt: Prompt, author: Author, asker: PromptPoints
    ) -> None:
        """Asks, and calls the asker's `answered` or `failed` when the answer is there."""
        ...


class PromptPoints(QObject):
    """Signals:
    changed: places or corners are others now.
    came: the masks of an answer are being kept as candidates of the step with this index.
    broke: the KnownError of an answer that did not come.
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
        """Returns why nobody can be asked with places; "" where somebody can."""
        if self._state.read_only:
            return self._state.read_only
        return self._answers.why_not() if self._answers is not None else tr(NO_MODEL)

    def look(self) -> None:
        """Looks again whether somebody can be asked."""
        if self._answers is not None:
            self._answers.look()

    def waiting(self) -> bool:
        """Returns whether an answer is on its way."""
        return self._waiting > 0

    def places(self) -> list[tuple[Point, bool]]:
        """Returns the points of the current step, each with whether it is inside."""
        return self._state.points.get(self._state.index, [])

    def put(self, point: Point, tool: Tool) -> None:
        """Sets a place or a corner."""
        if tool is Tool.POLYGON:
            self._state.corners.append(point)
        else:
            self._state.points.setdefault(self._state.index, []).append((point, tool is Tool.POINT))
            self._ask()
        self.changed.emit()

    def ask_box(self, box: Box) -> None:
        """Asks about what is inside of a box, with the places that are set."""
        self._ask(box)
        self.changed.emit()

    def take_fresh(self) -> list[str]:
        """Returns the uuids of the masks that came last, the best first; once."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def take_back(self) -> bool:
        """Removes the last point or corner; returns whether there was one."""
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
        """Removes all points and corners of the step; returns whether there were any."""
        there = bool(self._state.corners or self.places())
        self._state.corners.clear()
        self._state.points.pop(self._state.index, None)
        if there:
            self.changed.emit()
        return there

    def answered(self, episode: Episode, step: Step, regions: list[Region]) -> None:
        """Keeps the masks of an answer as candidates."""
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
        """Asks with the places; where none of them is inside, the press itself is."""
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
