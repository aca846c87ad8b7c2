"""Connects the tree and the frame: selects the row of the element under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from episodes.geometry import Point
from episodes.trees.values import Node
from taptrail.gui.annotate.frame import Tool
from taptrail.gui.annotate.open_episode import node_under
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.view import AnnotateView


class ElementHover(QObject):
    """Signals: focused: another candidate or element is in focus."""

    focused = Signal()

    def __init__(self, state: AnnotateState, show: AnnotateView) -> None:
        super().__init__()
        self._state, self._show = state, show
        show.tree.chosen.connect(self._choose_node)
        show.frame.hovered.connect(self._hover)
        show.frame.picked.connect(self._pick)

    def _choose_node(self, ref: str, node: Node) -> None:
        self._state.node = (ref, node)
        at = self._state.choice_of(ref, node)
        if at is not None:
            self._state.focus = at
        self._show.frame.set_tool(Tool.SELECT)
        self.focused.emit()

    def _hover(self, point: Point | None) -> None:
        seen = self._state.seen()
        found = node_under(seen, point) if seen is not None and point is not None else None
        selecting = self._show.frame.tool() is Tool.SELECT
        self._show.painting.hover = found[1].box if found is not None and selecting else None
        self._show.tree.hover(found[0] if found is not None else "")

    def _pick(self, point: Point) -> None:
        opened, seen = self._state.opened(), self._state.seen()
        if opened is None or self._show.frame.tool() is not Tool.SELECT:
            return
        found = node_under(seen, point) if seen is not None else None
        at = None
        if found is not None:
            self._state.node = found
            self._show.tree.turn_to(found[0])
            at = self._state.choice_of(*found)
        else:
            inside = [
                (one.region.box.area, number)
                for number, one in enumerate(opened.choices)
                if one.region.box is not None and point in one.region.box
            ]
            at = min(inside)[1] if inside else None
        if at is not None:
            self._state.focus = at
        self.focused.emit()
