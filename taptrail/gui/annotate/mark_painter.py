"""Draws the marks on the frame of a step: candidates, the selected tree element, the action."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QPainter

from episodes import actions as a
from episodes.annotations import RegionSource
from episodes.geometry import Box, Point
from episodes.trees.values import Node
from replay.tolerance import Tolerance
from taptrail.gui import marks
from taptrail.gui.annotate import texts
from taptrail.gui.annotate.open_episode import outline_key
from taptrail.gui.annotate.places import draw_corners, draw_places, draw_private
from taptrail.gui.annotate.regions import DrawnRegion, draw_regions, nearest
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.review.painting import outline
from taptrail.words import tr

_LETTER = 0.55
"""How wide a letter is at most, in heights of its line."""


class MarkPainter:
    """Draws the marks of the current step.

    Attributes:
        hover: the element under the pointer. place: the place in the action form; drawn alone while
            the form is open.
        form: whether the action form is open.
        draft: whether a box is being drawn; no candidate is in focus then.
        hidden: whether marks are hidden.
        masks: whether masks are filled.
        tolerance: the region in which a touch counts as right, if it is shown.
    """

    def __init__(self, state: AnnotateState) -> None:
        self._state = state
        self.hover: Box | None = None
        self.place: Point | None = None
        self.form = self.draft = self.hidden = False
        self.masks = True
        self.tolerance: Tolerance | None = None

    def paint(self, painter: QPainter, scale: marks.MarkScale) -> None:
        """Draws all marks."""
        opened = self._state.opened()
        if opened is None:
            return
        if self.form:
            if self.place is not None:
                marks.draw(painter, a.Tap(self.place), marks.PERSON, scale)
            return
        if self.tolerance is not None:
            marks.draw_tolerance(painter, outline(self.tolerance, scale), scale)
        draw_private(painter, [one.box for one in opened.step.private_boxes], scale)
        draw_regions(painter, self.regions(), scale, self._worded())
        draw_corners(painter, self._state.corners, scale)
        marks.draw(painter, opened.gold.action, marks.PERSON, scale)
        draw_places(painter, self._state.points.get(self._state.index, ()), scale)

    def _worded(self) -> list[Box]:
        """Returns the boxes that labels must not cover: all elements that are not containers."""
        tree = self._state.seen()
        if tree is None:
            return []
        return [
            _written(node)
            for window in tree.windows
            for node in (window.root.walk() if window.root is not None else ())
            if not node.children
        ]

    def regions(self) -> list[DrawnRegion]:
        """Returns the drawn regions: at most five candidates of the step."""
        opened = self._state.opened()
        if opened is None:
            return []
        drawn = []
        node, whole = self._state.node_alone(), self._state.whole
        letters = whole.letters.get(self._state.index, ()) if whole is not None else ()
        for at in nearest(len(opened.choices), self._state.focus):
            choice = opened.choices[at]
            if choice.region.box is None or whole is None:
                continue
            letter = letters[at] if at < len(letters) else ""
            name = texts.short_title(choice) if not letter else ""
            settled = choice.region.chosen and not letter
            drawn.append(
                DrawnRegion(
                    choice.region.box,
                    choice.region.provenance.source,
                    str(at + 1) if at < 9 else "",
                    tr("Target: {what}", what=name) if settled else name,
                    at == self._state.focus and not self.draft and node is None,
                    settled,
                    whole.outlines.get(outline_key(choice.region), ()),
                    self.masks,
                    letter,
                )
            )
        if node is not None and not self.draft:
            words = tr("Tree · {what}", what=node.class_name.rpartition(".")[2])
            drawn.append(DrawnRegion(node.box, RegionSource.TREE, "", words, True))
        if self.hover is not None:
            drawn.append(DrawnRegion(self.hover, RegionSource.TREE))
        return drawn


def _written(node: Node) -> Box:
    """Returns where a leaf most likely has content: text fills its line from the left."""
    box, words = node.box, node.text
    if not words:
        return box
    return replace(box, right=min(box.right, box.left + len(words) * box.height * _LETTER))
