"""Controller of the tools: points, boxes, outlines, the loupe, marks and masks.

The select and box tools are deselected after each step; the tools that set points stay.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from episodes import actions as a
from episodes.geometry import Box, Point
from taptrail.gui.annotate.frame import POINTING, Tool, whole_pixels
from taptrail.gui.annotate.sam2_prompts import PromptPoints
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.view import AnnotateView

_NEEDS_MODEL = (Tool.POINT, Tool.AVOID)


class ToolController(QObject):
    """Signals:
    confirmed: the user finished the box or the outline.
    begun: a tool was selected that works only on the step's own screen.
    """

    confirmed = Signal()
    begun = Signal()

    def __init__(self, state: AnnotateState, parts: AnnotateView, prompts: PromptPoints) -> None:
        super().__init__()
        self._state, self._parts, self._prompts = state, parts, prompts
        self._last = Tool.BOX
        frame, tools = parts.frame, parts.tools
        frame.picked.connect(self._pick)
        frame.confirmed.connect(self._confirm)
        frame.moved.connect(lambda x, y: parts.decision.action_form.move_place(x, y))
        frame.drafted.connect(lambda _: parts.show_focus())
        frame.masked.connect(self.toggle_masks)
        parts.tree.used.connect(self.use_node)
        prompts.changed.connect(parts.show_focus)
        tools.select.clicked.connect(lambda: self.take(Tool.SELECT))
        tools.box.clicked.connect(self.begin_box)
        for tool, button in (
            (Tool.POINT, tools.point),
            (Tool.AVOID, tools.avoid),
            (Tool.POLYGON, tools.polygon),
        ):
            button.clicked.connect(lambda _=False, t=tool: self.begin(t))
        tools.closer.clicked.connect(lambda: frame.zoom_by(1.5))
        tools.fit.clicked.connect(frame.zoom_out)
        tools.loupe.clicked.connect(self.keep_loupe)
        tools.marks.clicked.connect(lambda on: self.hide_marks(hide=not on))

    def take(self, tool: Tool) -> None:
        """Selects a tool and discards the drawn box."""
        frame = self._parts.frame
        if frame.tool() is not tool or frame.draft() is not None:
            frame.set_tool(tool)
        self._parts.show_tools()

    def begin(self, tool: Tool) -> None:
        """Selects a tool that sets points, if it can be used."""
        off = self._prompts.why_not() if tool in _NEEDS_MODEL else self._state.read_only
        if self._state.opened() is None or off or self._parts.decision.form_open():
            self._parts.show_tools()
            return
        self._last = tool
        self.begun.emit()
        self.take(tool)
        self._put_cursor()
        self._parts.frame.setFocus(Qt.FocusReason.OtherFocusReason)
        self._parts.show_focus()

    def begin_box(self) -> None:
        """Selects the tool that draws a box."""
        if (
            self._state.opened() is None
            or self._state.read_only
            or self._parts.decision.form_open()
        ):
            self._parts.show_tools()
            return
        self._last = Tool.BOX
        self.begun.emit()
        self.take(Tool.BOX)
        self._parts.frame.set_seed(self._state.first_box())
        self._parts.frame.setFocus(Qt.FocusReason.OtherFocusReason)
        self._parts.show_focus()

    def ask_box(self) -> None:
        """Asks SAM 2 for the object in the drawn box."""
        draft = self._parts.frame.draft()
        if draft is not None and not self._prompts.why_not():
            self._prompts.ask_box(draft)
            self.take(Tool.SELECT)

    def again(self) -> None:
        """Selects the last tool again."""
        if self._last is Tool.BOX:
            self.begin_box()
        else:
            self.begin(self._last)

    def after_step(self) -> None:
        """Prepares for another step: tools that set points stay, the box tool does not."""
        if self._parts.frame.tool() in _NEEDS_MODEL:
            self.take(self._parts.frame.tool())
            self._put_cursor()
        else:
            self.take(Tool.SELECT)
        self._pin()

    def after_form(self) -> None:
        """Deselects the tool of a form that was closed."""
        if not self._parts.decision.form_open() and self._parts.frame.tool() is Tool.PLACE:
            self.take(Tool.SELECT)

    def take_back(self) -> bool:
        """Removes the last point or corner. Returns whether there was one."""
        return not self._state.read_only and self._prompts.take_back()

    def undo_drawing(self) -> bool:
        """Discards the drawn box, else the last point or corner. Returns whether there was one."""
        frame = self._parts.frame
        if frame.draft() is not None and frame.tool() is Tool.BOX:
            frame.set_draft(None)
            return True
        return self.take_back()

    def put_away(self) -> bool:
        """Discards the box or corners, else deselects the tool. Returns whether it did either."""
        frame = self._parts.frame
        if frame.draft() is not None:
            frame.set_draft(None)
        elif self._state.corners:
            self._state.corners = []
            self._parts.show_focus()
        elif frame.tool() in (Tool.BOX, *POINTING):
            self.take(Tool.SELECT)
            self._parts.show_focus()
        else:
            return False
        return True

    def use_node(self) -> None:
        """Starts a box from the element selected in the tree."""
        node, opened = self._state.node_alone(), self._state.opened()
        if node is not None and opened is not None and opened.step.frame is not None:
            self.begin_box()
            if self._parts.frame.tool() is Tool.BOX:
                self._parts.frame.set_draft(whole_pixels(node.box, opened.step.frame.size))
        self._parts.frame.setFocus(Qt.FocusReason.OtherFocusReason)

    def drawn(self) -> Box | tuple[Point, ...] | None:
        """Returns the drawn box or outline, or None."""
        draft = self._parts.frame.draft()
        if draft is not None:
            return draft
        if self._parts.frame.tool() is Tool.POLYGON and len(self._state.corners) > 2:
            return tuple(self._state.corners)
        return None

    def drawing(self) -> bool:
        """Returns whether a box or an outline is being drawn."""
        return self._parts.frame.tool() in (Tool.BOX, Tool.POLYGON)

    def hide_marks(self, *, hide: bool) -> None:
        """Hides or shows the marks on the frame."""
        self._parts.painting.hidden = hide
        self._parts.tools.marks.setChecked(not hide)
        self._parts.show_marks()

    def toggle_marks(self) -> None:
        """Toggles the marks."""
        self.hide_marks(hide=not self._parts.painting.hidden)

    def toggle_masks(self) -> None:
        """Toggles the fill of masks."""
        self._parts.painting.masks = not self._parts.painting.masks
        self._parts.show_marks()

    def keep_loupe(self, on: bool) -> None:
        """Pins the loupe to the press, or unpins it."""
        self._parts.tools.loupe.setChecked(on)
        self._pin()

    def toggle_loupe(self) -> None:
        """Toggles the pinned loupe."""
        self.keep_loupe(not self._parts.tools.loupe.isChecked())

    def show_place(self, point: Point | None) -> None:
        """Shows the place in the action form."""
        self._parts.painting.place = point
        form = self._parts.decision.action_form
        if form.isVisible():
            self.take(Tool.PLACE if form.takes_place() else Tool.SELECT)
        self._parts.show_marks()

    def _pick(self, point: Point) -> None:
        tool = self._parts.frame.tool()
        if tool is Tool.PLACE:
            self._parts.decision.action_form.put_place(point)
        elif tool in POINTING and not self._state.read_only:
            self._prompts.put(point, tool)

    def _confirm(self) -> None:
        if self._parts.frame.tool() is Tool.PLACE:
            self._parts.decision.action_form.send()
        else:
            self.confirmed.emit()

    def _press(self) -> Point | None:
        opened = self._state.opened()
        return a.place(opened.gold.action) if opened is not None else None

    def _put_cursor(self) -> None:
        self._parts.frame.set_cursor(self._press())

    def _pin(self) -> None:
        kept = self._parts.tools.loupe.isChecked()
        self._parts.frame.pin_loupe(self._press() if kept else None)
