"""The place Annotate: one step after the other, what it meant is said and put right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut

from annotator.corrections import Change
from episodes.annotations import Author
from episodes.errors import KnownError
from episodes.geometry import Point
from episodes.store.library import Library
from taptrail.gui.annotate.at_hand import OPEN, AtHand
from taptrail.gui.annotate.changes import Changes
from taptrail.gui.annotate.edits import Edits
from taptrail.gui.annotate.frame import Tool, hint_keys, whole_pixels
from taptrail.gui.annotate.pointing import Pointing
from taptrail.gui.annotate.reshape_form import Reshaping
from taptrail.gui.annotate.showing import Showing
from taptrail.gui.annotate.whole import Whole, read_whole
from taptrail.gui.commands import keys
from taptrail.gui.components.shell import Place
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.usecases.annotating import StepState
from taptrail.words import tr

_CLOSING_S = 10.0


class AnnotatePlace(Place):
    """Signals:
    browse: a person wants to go to Episodes.
    changed: something has been changed in the library.
    """

    browse = Signal()
    changed = Signal()

    def __init__(
        self,
        folder: Path,
        reader: WorkThread[Library],
        library_thread: WorkThread[None],
        thumbnails: Pictures,
        pictures: Pictures,
        author: Author,
    ) -> None:
        super().__init__("Annotate")
        self._reader = reader
        self._edits = Edits(library_thread, folder, author)
        self.at = AtHand()
        self.parts = Showing(self.at, reader, thumbnails, pictures)
        self.tree, self.frame, self.tools = self.parts.tree, self.parts.frame, self.parts.tools
        self.decision, self.strip = self.parts.decision, self.parts.strip
        self._changes = Changes(self.at, self._edits)
        self._pointing = Pointing(self.at, self.parts)
        self._order: tuple[str, ...] = ()
        self._wanted_row = 0
        self._form_waits = False
        self._search = 0
        self._opening = False
        self.furnish(self.parts.head, self.parts.stack, self.parts.status)
        self._connect()

    def _connect(self) -> None:
        p, d, t = self.parts, self.decision, self.tools
        self._pointing.focused.connect(p.show_focus)
        self._edits.changed.connect(self._edited)
        self._edits.failed.connect(self._not_edited)
        self._edits.waiting.connect(lambda _: self._show_status())
        self.strip.chosen.connect(self.turn_to)
        self.tree.used.connect(self._use_node)
        self.frame.drafted.connect(lambda _: p.show_focus())
        self.frame.confirmed.connect(self._confirm)
        self.frame.moved.connect(lambda x, y: d.action_form.move_place(x, y))
        self.frame.low.connect(self.next_low)
        d.accept.connect(self.accept)
        d.later.connect(lambda: self.turn_by(1))
        d.edit.connect(self.edit_action)
        d.clear.connect(self.clear_target)
        d.labelled.connect(self._label)
        d.text.connect(self._changes.write)
        d.reshape.connect(self.reshape)
        d.drop.connect(self._drop_alternative)
        d.left.connect(self._back_to_frame)
        d.choices.chosen.connect(self.focus_on)
        d.choices.own.connect(self.begin_box)
        d.action_form.wanted.connect(self._change_action)
        d.action_form.recorded.connect(self._as_recorded)
        d.action_form.placed.connect(self._show_place)
        d.reshape_form.wanted.connect(self._reshape)
        for button in p.browse:
            button.clicked.connect(self.browse)
        p.undo.clicked.connect(self.undo)
        p.redo.clicked.connect(self.redo)
        p.before.clicked.connect(lambda: self._next_episode(-1))
        p.after.clicked.connect(lambda: self._next_episode(1))
        t.select.clicked.connect(lambda: self._take(Tool.SELECT))
        t.box.clicked.connect(self.begin_box)
        t.closer.clicked.connect(lambda: self.frame.zoom_by(1.5))
        t.fit.clicked.connect(self.frame.zoom_out)
        t.marks.clicked.connect(lambda on: self._hide_marks(not on))
        t.tree.clicked.connect(self._go_to_tree)
        for command, does in (
            ("last-annotated", lambda: self.turn_by(-1)),
            ("smaller", lambda: self.focus_by(-1)),
            ("larger", lambda: self.focus_by(1)),
            ("box", self.begin_box),
            ("select", lambda: self._take(Tool.SELECT)),
            ("label", self._go_to_label),
            ("clear-target", self.clear_target),
            ("hide-marks", lambda: self._hide_marks(not p.painting.hidden)),
            ("tree", self._go_to_tree),
            ("merge-steps", lambda: self.reshape(Reshaping.MERGE)),
            ("split-step", lambda: self.reshape(Reshaping.SPLIT)),
            ("delete-step", lambda: self.reshape(Reshaping.DELETE)),
            ("zoom-in", lambda: self.frame.zoom_by(1.5)),
            ("zoom-out", lambda: self.frame.zoom_by(1 / 1.5)),
            ("zoom-fit", self.frame.zoom_out),
            ("episode-after", lambda: self._next_episode(1)),
            ("episode-before", lambda: self._next_episode(-1)),
        ):
            for sequence in keys(command):
                self._key(sequence, does)
        for number in range(9):
            self._key(str(number + 1), lambda n=number: self.focus_on(n))
        self._take(Tool.SELECT)
        self._hide_marks(False)

    def _key(self, sequence: str, does: object) -> None:
        shortcut = QShortcut(QKeySequence(sequence), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(does)

    def more_keys(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (
            (tr("Candidate 1 to 9"), ("1", "9")),
            *hint_keys(),
            (tr("Put the tool away"), ("Esc",)),
        )

    # --- which episode -------------------------------------------------------------------------

    def entered(self) -> None:
        """Looks for episodes, and whether they can be changed; stays where one was."""
        self._look_at_lock()
        self._reader.run(
            reviewing.episode_order, owner=self, done=self._found, failed=self._cannot_read
        )

    def open_at(self, uuid: str, row: int = 0) -> None:
        """Opens an episode at a step's row."""
        self._wanted_row, self.at.index = row, -1
        self._open(uuid)

    def leaving(self) -> None:
        """Keeps what is being typed, and waits until all is saved."""
        self.decision.keep()
        self._edits.settle(_CLOSING_S)

    def set_author(self, author: Author) -> None:
        """Makes all further changes in the name of somebody else."""
        self._edits.set_author(author)

    def where(self) -> tuple[str, int]:
        """Returns the name of the open episode and the index of its step; ("", -1) for none."""
        whole = self.at.whole
        return ("", -1) if whole is None else (whole.episode.name, self.at.index)

    def saved(self) -> bool:
        """Returns whether all that was done is in the library."""
        return not self._edits.pending()

    def _look_at_lock(self) -> None:
        self._edits.try_lock(
            self, lambda _: self._set_read_only(""), lambda error: self._set_read_only(str(error))
        )

    def _set_read_only(self, why: str) -> None:
        self.at.read_only = why
        if why:
            self._take(Tool.SELECT)
        self.parts.show_read_only()
        self._show_status()

    def _found(self, order: tuple[str, ...]) -> None:
        self._order = order
        self.parts.error.hide()
        if not order:
            self.at.whole = None
            self.parts.show_nothing()
        elif not self._opening:
            uuid = self.at.uuid()
            if uuid in order:
                self._open(uuid)
            else:
                self.open_at(order[0])
        self._show_neighbours()
        self._show_status()

    def _open(self, uuid: str) -> None:
        self._search += 1
        search, before = self._search, self.at.whole
        self._opening = True

        def done(whole: Whole) -> None:
            if search == self._search:
                self._opening = False
                self._edits.know(whole)
                self._show_whole(whole, None)
                if self.hasFocus():
                    self._back_to_frame()

        self._reader.run(
            lambda library: read_whole(library, uuid, before),
            owner=self,
            done=done,
            failed=self._cannot_read,
            next_up=True,
        )

    def _next_episode(self, by: int) -> None:
        if self.at.uuid() not in self._order:
            return
        at = self._order.index(self.at.uuid()) + by
        if 0 <= at < len(self._order):
            self.decision.keep()
            self.open_at(self._order[at])

    def _show_neighbours(self) -> None:
        uuid = self.at.uuid()
        at = self._order.index(uuid) if uuid in self._order else -1
        self.parts.show_neighbours(before=at > 0, after=0 <= at < len(self._order) - 1)

    def _show_whole(self, whole: Whole, turn_to: int | None) -> None:
        at, before, other = self.at, self.at.row(), self.at.uuid() != whole.episode.uuid
        at.whole = whole
        if other:
            at.ahead, at.labels, at.trees = set(), {}, {}
            self.decision.close_forms(quiet=True)
        indices = [step.index for step in at.steps()]
        wanted = at.index if turn_to is None else turn_to
        if wanted not in indices and indices:
            row = self._wanted_row if at.index < 0 else max(0, before)
            wanted = indices[min(max(0, row), len(indices) - 1)]
        moved, at.index = other or wanted != at.index, wanted if indices else -1
        self.parts.show_episode()
        self._show_neighbours()
        self._show_status()
        if indices:
            self._show_step(moved=moved)

    def _show_step(self, *, moved: bool) -> None:
        opened = self.at.opened()
        if opened is None:
            return
        if moved:
            self.at.node = self.parts.painting.hover = None
            self._take(Tool.SELECT)
            self.at.focus = self.at.first_focus()
        elif self.at.focus is None or self.at.focus >= len(opened.choices):
            self.at.focus = self.at.first_focus()
        self.parts.show_step()

    def _show_status(self) -> None:
        self.parts.show_status(self._edits.pending())

    def _cannot_read(self, error: KnownError) -> None:
        self._opening = False
        (self.parts.error if self.at.whole is None else self.decision.error).tell(error)

    # --- which step and candidate --------------------------------------------------------------

    def turn_to(self, row: int) -> None:
        """Shows another step of the open episode."""
        steps = self.at.steps()
        if 0 <= row < len(steps) and steps[row].index != self.at.index:
            self.decision.keep()
            self.at.index = steps[row].index
            self.decision.close_forms(quiet=True)
            self.frame.zoom_out()
            self._show_step(moved=True)

    def turn_by(self, rows: int) -> None:
        """Goes to the next step, or the one before."""
        self.turn_to(self.at.row() + rows)

    def next_low(self, by: int) -> None:
        """Goes to the next step, or the one before, at which a person must decide."""
        for row in self.at.rows_after(by):
            if self.at.state(self.at.steps()[row].index) is StepState.LOW:
                self.turn_to(row)
                return

    def focus_on(self, at: int) -> None:
        """Puts a candidate into focus."""
        opened = self.at.opened()
        if opened is not None and 0 <= at < len(opened.choices):
            self._take(Tool.SELECT)
            self._set_focus(at)

    def focus_by(self, by: int) -> None:
        """Puts the next larger candidate into focus, or the next smaller one."""
        beside = self.at.focus_beside(by)
        if beside is not None and not self.decision.form_open():
            self.focus_on(beside)

    def _set_focus(self, at: int | None) -> None:
        self.at.focus, self.at.node = at, None
        self.parts.sights.follow()
        self.parts.show_focus()

    def _go_on(self) -> None:
        """Goes to the next step that waits for a person; stays where there is none."""
        for row in self.at.rows_after(1):
            if self.at.state(self.at.steps()[row].index) in OPEN:
                self.turn_to(row)
                break
        else:
            self._show_step(moved=False)
        self._back_to_frame()

    # --- tools ---------------------------------------------------------------------------------

    def _take(self, tool: Tool) -> None:
        if self.frame.tool() is not tool or self.frame.draft() is not None:
            self.frame.set_tool(tool)
        self.parts.show_tools()

    def begin_box(self) -> None:
        """Takes the tool that draws a box."""
        if self.at.opened() is None or self.at.read_only or self.decision.form_open():
            self.parts.show_tools()
            return
        self._take(Tool.BOX)
        self.frame.set_seed(self.at.first_box())
        self.frame.setFocus(Qt.FocusReason.OtherFocusReason)
        self.parts.show_focus()

    def _use_node(self) -> None:
        node, opened = self.at.node_alone(), self.at.opened()
        if node is not None and opened is not None and opened.step.frame is not None:
            self.begin_box()
            if self.frame.tool() is Tool.BOX:
                self.frame.set_draft(whole_pixels(node.box, opened.step.frame.size))
        self._back_to_frame()

    def _confirm(self) -> None:
        if self.frame.tool() is Tool.BOX:
            self.accept()
        else:
            self.decision.action_form.send()

    def _hide_marks(self, hide: bool) -> None:
        self.parts.painting.hidden = hide
        self.tools.marks.setChecked(not hide)
        self.parts.show_marks()

    def _go_to_tree(self) -> None:
        self.tree.show()
        self.tree.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_label(self) -> None:
        if self.decision.label.isVisible() and not self.at.read_only:
            self.decision.label.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.decision.label.selectAll()

    def _show_place(self, point: Point | None) -> None:
        self.parts.painting.place = point
        form = self.decision.action_form
        if form.isVisible():
            self._take(Tool.PLACE if form.takes_place() else Tool.SELECT)
        self.parts.show_marks()

    def _back_to_frame(self) -> None:
        if not self.decision.form_open() and self.frame.tool() is Tool.PLACE:
            self._take(Tool.SELECT)
        self.frame.setFocus(Qt.FocusReason.OtherFocusReason)
        self.parts.show_marks()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.decision.form_open():
            self.decision.close_forms()
        elif self.frame.draft() is not None:
            self.frame.set_draft(None)
        elif self.frame.tool() is Tool.BOX:
            self._take(Tool.SELECT)
            self.parts.show_focus()
        else:
            self.at.node = None
            self._set_focus(self.at.first_focus())

    # --- changes -------------------------------------------------------------------------------

    def accept(self) -> None:
        """Makes what is in focus the step's target, and goes on to the next that waits."""
        opened = self.at.opened()
        if opened is None or self.at.read_only or self.decision.form_open():
            return
        self.decision.keep()
        box, choice = self.frame.draft(), self.at.chosen()
        words = self.at.labels.get(self.at.label_key(drawing=self.frame.tool() is Tool.BOX))
        if box is not None:
            self._changes.accept_box(box, words or "")
        elif self.frame.tool() is Tool.BOX:
            return
        elif choice is not None:
            self._changes.accept(choice, words)
        elif opened.candidates is not None:
            return
        if opened.candidates is not None or box is not None or choice is not None:
            self.at.ahead.add(opened.step.index)
        self.at.forget_labels(opened.step.index)
        self._take(Tool.SELECT)
        self._go_on()

    def clear_target(self) -> None:
        """Leaves the step without a target."""
        opened = self.at.opened()
        if opened is not None and opened.step.target is not None and not self.at.read_only:
            self._changes.clear_target()

    def edit_action(self) -> None:
        """Opens the form that puts the action right."""
        opened = self.at.opened()
        if opened is not None and not self.at.read_only:
            self.decision.open_action(opened)
            self._show_place(self.decision.action_form.place())

    def reshape(self, doing: Reshaping) -> None:
        """Opens the form that deletes, merges or splits."""
        opened, row = self.at.opened(), self.at.row()
        last = row + 1 >= len(self.at.steps())
        if opened is None or self.at.read_only or (doing is Reshaping.MERGE and last):
            return
        self.decision.open_reshape(doing, opened, row + 1, None if last else row + 2)

    def undo(self) -> None:
        """Takes the newest edit of the episode back, and shows its step."""
        if self.at.whole is not None and not self.at.read_only:
            self._edits.undo(self.at.uuid())

    def redo(self) -> None:
        """Makes the edit again that was taken back last, and shows its step."""
        if self.at.whole is not None and not self.at.read_only:
            self._edits.redo(self.at.uuid())

    def _label(self, words: str) -> None:
        choice = self.at.chosen()
        settled = choice is not None and choice.region.chosen and choice.stored is not None
        if not settled or choice is None or self.frame.draft() is not None:
            drawing = self.frame.tool() is Tool.BOX
            self.at.labels[self.at.label_key(drawing=drawing)] = words
        elif choice.stored is not None:
            self._changes.label(choice.stored, words)

    def _drop_alternative(self, number: int) -> None:
        if not self.at.read_only:
            self._changes.drop_alternative(number)

    def _change_action(self, change: Change, reason: str, also: bool) -> None:
        self._form_waits = True
        self._changes.change_action(change, reason, also=also)

    def _as_recorded(self, reason: str) -> None:
        self._form_waits = True
        self._changes.as_recorded(reason)

    def _reshape(self, doing: Reshaping, reason: str, at: int | None) -> None:
        self._form_waits = True
        self._changes.reshape(doing, reason, at)

    def _edited(self, whole: Whole, turn_to: int | None) -> None:
        if not self._edits.pending():
            self.at.ahead.clear()
        if self.at.uuid() != whole.episode.uuid:
            return
        self.decision.error.hide()
        if self._form_waits:
            self._form_waits = False
            self.decision.close_forms()
        self._show_whole(whole, turn_to)
        self.changed.emit()

    def _not_edited(self, error: KnownError) -> None:
        self.at.ahead.clear()
        if self._form_waits and self.decision.form_open():
            self._form_waits = False
            form = self.decision.action_form
            (form if form.isVisible() else self.decision.reshape_form).say_wrong(str(error))
        else:
            self.decision.error.tell(error)
        self._look_at_lock()
        if self.at.whole is not None:
            self._show_whole(self.at.whole, None)
