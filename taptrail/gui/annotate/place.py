"""The place Annotate: one step after the other, what it meant is said and put right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QStackedWidget

from annotator.corrections import Change
from episodes import actions as a
from episodes.annotations import Author, RegionSource, Status
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from episodes.steps import Step
from episodes.store.library import Library
from episodes.trees.values import Node, Tree
from taptrail.gui import marks, phrases
from taptrail.gui.annotate import saying
from taptrail.gui.annotate.decision import Decision
from taptrail.gui.annotate.edits import Edits
from taptrail.gui.annotate.frame import AnnotateFrame, Tool, box_about, hint_keys, whole_pixels
from taptrail.gui.annotate.regions import Drawn, draw_regions, nearest
from taptrail.gui.annotate.reshape_form import Reshaping
from taptrail.gui.annotate.tools import Tools
from taptrail.gui.annotate.tree import TreePanel
from taptrail.gui.annotate.whole import SeenTree, Whole, node_under, read_tree_of, read_whole
from taptrail.gui.commands import key, keys
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.messages import EmptyState, ErrorBand
from taptrail.gui.components.panel import Icon, Panel, Row, Split
from taptrail.gui.components.shell import Head, Place, StatusBar
from taptrail.gui.components.strip import StepStrip
from taptrail.gui.components.words import ElidedLabel, label
from taptrail.gui.fonts import BODY, FACTS
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import annotating, editing, reviewing
from taptrail.usecases.annotating import Choice, OpenStep, StepState
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
        self._reader, self._pictures = reader, pictures
        self._edits = Edits(library_thread, folder, author)
        self._whole: Whole | None = None
        self._order: tuple[str, ...] = ()
        self._index = -1
        self._wanted_row = 0
        self._focus: int | None = None
        self._ahead: set[int] = set()
        self._labels: dict[tuple[int, str], str] = {}
        self._trees: dict[int, tuple[Step, SeenTree]] = {}
        self._node: tuple[str, Node] | None = None
        self._hover: Box | None = None
        self._form_place: Point | None = None
        self._form_waits = False
        self._hidden = False
        self._read_only = ""
        self._search = 0
        self._opening = False

        self.tree, self.frame, self.tools = TreePanel(), AnnotateFrame(), Tools()
        self.decision = Decision()
        self.strip = StepStrip(thumbnails, tr("Steps of the episode"))
        self._name = ElidedLabel("", FACTS, mono=True, ink="text2")
        self._instruction = ElidedLabel("", BODY)
        self._lock = Chip(tr("Read-only"), "outline", "lock-outline")
        self._lock.hide()
        self._undo = Button("", "undo", kind=QUIET, tip=tr("Undo"))
        self._redo = Button("", "redo", kind=QUIET, tip=tr("Redo"))
        self._before = Button("", "skip-previous", kind=QUIET, tip=tr("Episode before"))
        self._after = Button("", "skip-next", kind=QUIET, tip=tr("Next episode"))
        head = Head(
            tr("Annotate"),
            [self._name, self._instruction],
            [],
            [self._lock, self._undo, self._redo, self._before, self._after],
        )
        status = StatusBar(
            [
                KeyHint([key("accept")], tr("Accept")),
                KeyHint([key("last-annotated"), key("next-annotated")], tr("Step")),
                KeyHint(["Tab"], tr("Next low")),
                KeyHint([key("box")], tr("Box")),
                KeyHint([key("undo")], tr("Undo")),
                KeyHint([key("keys")], tr("All keys")),
            ]
        )
        self.furnish(head, self._body(), status)
        self._connect()

    def _body(self) -> QStackedWidget:
        middle = Panel(tr("Frame"), "stage")
        inside = Row(self.tools, self.frame, gap=0)
        inside.row.setStretch(1, 1)
        middle.add(inside)
        across = Split(
            Qt.Orientation.Horizontal,
            [self.tree, middle, self.decision],
            [284, 0, 356],
            [200, 320, 280],
            [236, 0, 336],
        )
        self._steps = label("", BODY, 600)
        self._counts: dict[StepState, tuple[Row, ElidedLabel]] = {}
        words = Panel(tr("Progress"))
        words.setFixedWidth(146)
        words.column.setContentsMargins(12, 0, 8, 0)
        words.column.setSpacing(1)
        words.add(None, self._steps)
        for state in (StepState.ACCEPTED, StepState.LOW, StepState.WAITING, StepState.NONE):
            icon, ink = saying.STATE_ICONS[state]
            said = ElidedLabel("", FACTS, ink="text2")
            row = Row(Icon(icon, 14, ink), said, gap=4)
            row.row.setStretch(1, 1)
            self._counts[state] = (row, said)
            words.add(row)
        words.add(None)
        bottom = Row(words, self.strip, gap=0)
        bottom.row.setStretch(1, 1)
        foot = Panel(tr("Steps"))
        foot.setFixedHeight(118)
        foot.add(bottom)
        line = Panel("", "line")
        line.setFixedHeight(1)
        whole = Panel(tr("Annotate"), "window")
        whole.add(across, line, foot)
        whole.column.setStretch(0, 1)
        self._stack = QStackedWidget()
        self._error = ErrorBand()
        for title, more in (
            (tr("Nothing to annotate yet"), tr("Record an episode, or import a data set.")),
            (
                tr("This episode has no steps"),
                tr("They may have been deleted: undo brings them back."),
            ),
        ):
            browse = Button(tr("Go to Episodes"), "table-large", kind=MAIN, size="l")
            browse.clicked.connect(self.browse)
            page = Panel(tr("Annotate"))
            if self._stack.count() == 0:
                page.add(self._error)
            page.add(EmptyState("vector-square", title, more, [browse]))
            page.column.setStretch(page.column.count() - 1, 1)
            self._stack.addWidget(page)
        self._stack.addWidget(whole)
        return self._stack

    def _connect(self) -> None:
        self.strip.chosen.connect(self.turn_to)
        self.tree.chosen.connect(self._choose_node)
        self.tree.used.connect(self._use_node)
        self.frame.hovered.connect(self._hover_frame)
        self.frame.picked.connect(self._pick)
        self.frame.drafted.connect(lambda _: self._show_focus())
        self.frame.confirmed.connect(self._confirm)
        self.frame.moved.connect(lambda x, y: self.decision.action_form.move_place(x, y))
        self.frame.low.connect(self.next_low)
        self._pictures.ready.connect(self._picture_ready)
        self._edits.changed.connect(self._edited)
        self._edits.failed.connect(self._not_edited)
        self._edits.waiting.connect(lambda _: self._show_status())
        d = self.decision
        d.accept.connect(self.accept)
        d.later.connect(lambda: self.turn_by(1))
        d.edit.connect(self.edit_action)
        d.clear.connect(self.clear_target)
        d.labelled.connect(self._label)
        d.text.connect(self._write)
        d.reshape.connect(self.reshape)
        d.drop.connect(self._drop_alternative)
        d.left.connect(self._back_to_frame)
        d.choices.chosen.connect(self.focus_on)
        d.choices.own.connect(self.begin_box)
        d.action_form.wanted.connect(self._change_action)
        d.action_form.recorded.connect(self._as_recorded)
        d.action_form.placed.connect(self._show_place)
        d.reshape_form.wanted.connect(self._reshape)
        self._undo.clicked.connect(self.undo)
        self._redo.clicked.connect(self.redo)
        self._before.clicked.connect(lambda: self._next_episode(-1))
        self._after.clicked.connect(lambda: self._next_episode(1))
        t = self.tools
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
            ("hide-marks", lambda: self._hide_marks(not self._hidden)),
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

    # --- what is there -------------------------------------------------------------------------

    def entered(self) -> None:
        """Looks for episodes, and whether they can be changed; stays where one was."""
        self._look_at_lock()
        self._reader.run(
            reviewing.episode_order, owner=self, done=self._found, failed=self._cannot_read
        )

    def open_at(self, uuid: str, row: int = 0) -> None:
        """Opens an episode at a step's row."""
        self._wanted_row, self._index = row, -1
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
        return ("", -1) if self._whole is None else (self._whole.episode.name, self._index)

    def state(self, index: int) -> StepState:
        """Returns what is to be done about a step, counting what is being saved as done."""
        if index in self._ahead:
            return StepState.ACCEPTED
        return self._whole.opened[index].state if self._whole is not None else StepState.NONE

    def focus(self) -> int | None:
        """Returns the place of the candidate in focus."""
        return self._focus

    def saved(self) -> bool:
        """Returns whether all that was done is in the library."""
        return not self._edits.pending()

    def _look_at_lock(self) -> None:
        self._edits.try_lock(self, lambda _: self._set_read_only(""), self._locked)

    def _locked(self, error: KnownError) -> None:
        self._set_read_only(str(error))

    def _set_read_only(self, why: str) -> None:
        self._read_only = why
        self._lock.setVisible(bool(why))
        self._lock.setToolTip(why)
        self.head.layout_again()
        self.decision.set_read_only(why)
        self.tools.box.set_off(why)
        if why:
            self._take(Tool.SELECT)
        self._show_undo()
        self._show_status()
        self._show_focus()

    def _found(self, order: tuple[str, ...]) -> None:
        self._order = order
        self._error.hide()
        if not order:
            self._whole = None
            self._stack.setCurrentIndex(0)
        elif not self._opening:
            if self._whole is None or self._whole.episode.uuid not in order:
                self.open_at(order[0])
            else:
                self._open(self._whole.episode.uuid)
        self._show_neighbours()
        self._show_status()

    def _open(self, uuid: str) -> None:
        self._search += 1
        search, before = self._search, self._whole
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
        if self._whole is None or self._whole.episode.uuid not in self._order:
            return
        at = self._order.index(self._whole.episode.uuid) + by
        if 0 <= at < len(self._order):
            self.decision.keep()
            self.open_at(self._order[at])

    # --- the open episode ----------------------------------------------------------------------

    def turn_to(self, row: int) -> None:
        """Shows another step of the open episode."""
        steps = self._all_steps()
        if 0 <= row < len(steps) and steps[row].index != self._index:
            self.decision.keep()
            self._index = steps[row].index
            self.decision.close_forms(quiet=True)
            self.frame.zoom_out()
            self._show_step()

    def turn_by(self, rows: int) -> None:
        """Goes to the next step, or the one before."""
        self.turn_to(self._row() + rows)

    def next_low(self, by: int) -> None:
        """Goes to the next step, or the one before, at which a person must decide."""
        rows = range(len(self._all_steps()))
        after = [row for row in rows if (row - self._row()) * by > 0]
        around = after if by > 0 else after[::-1]
        rest = [row for row in (rows if by > 0 else reversed(rows)) if row not in around]
        for row in (*around, *rest):
            step = self._all_steps()[row]
            if row != self._row() and self.state(step.index) is StepState.LOW:
                self.turn_to(row)
                return

    def focus_on(self, at: int) -> None:
        """Puts a candidate into focus."""
        opened = self._opened()
        if opened is not None and 0 <= at < len(opened.choices):
            self._take(Tool.SELECT)
            self._set_focus(at)

    def focus_by(self, by: int) -> None:
        """Puts the next larger candidate into focus, or the next smaller one."""
        opened = self._opened()
        if opened is None or not opened.choices or self._deciding_elsewhere():
            return
        if self._focus is None or self._focus >= len(opened.choices):
            at = opened.proposed or 0
        else:
            at = min(max(self._focus + by, 0), len(opened.choices) - 1)
        self.focus_on(at)

    def begin_box(self) -> None:
        """Takes the tool that draws a box."""
        opened = self._opened()
        if opened is None or self._read_only or self._deciding_elsewhere():
            self._show_tools()
            return
        self._take(Tool.BOX)
        self.frame.set_seed(self._first_box(opened))
        self.frame.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_focus()

    def accept(self) -> None:
        """Makes what is in focus the step's target, and goes on to the next that waits."""
        opened, whole = self._opened(), self._whole
        if opened is None or whole is None or self._read_only or self._deciding_elsewhere():
            return
        self.decision.keep()
        episode, step, box = whole.episode, opened.step, self.frame.draft()
        words = self._labels.get((step.index, self._label_key(opened)))
        if box is not None:
            self._edits.make(
                episode.uuid,
                lambda library, author: annotating.accept_own_box(
                    library, episode, step, box, author, words or ""
                ),
            )
        elif self.frame.tool() is Tool.BOX:
            return
        elif self._focus is not None:
            choice = opened.choices[self._focus]
            if not choice.region.chosen or choice.region.status is not Status.ACCEPTED:
                self._edits.make(
                    episode.uuid,
                    lambda library, author: annotating.accept(
                        library, episode, step, choice.region, author, words
                    ),
                )
        elif opened.candidates is not None:
            return
        if opened.candidates is not None or box is not None or self._focus is not None:
            self._ahead.add(step.index)
        self._labels = {at: said for at, said in self._labels.items() if at[0] != step.index}
        self._take(Tool.SELECT)
        self._go_on()

    def clear_target(self) -> None:
        """Leaves the step without a target."""
        opened, whole = self._opened(), self._whole
        if opened is None or whole is None or self._read_only or opened.step.target is None:
            return
        uuid, index = whole.episode.uuid, opened.step.index
        self._edits.make(
            uuid, lambda library, author: library.editor(author).clear_target(uuid, index)
        )

    def edit_action(self) -> None:
        """Opens the form that puts the action right."""
        opened = self._opened()
        if opened is not None and not self._read_only:
            self.decision.open_action(opened)
            self._show_place(self.decision.action_form.place())

    def reshape(self, doing: Reshaping) -> None:
        """Opens the form that deletes, merges or splits."""
        opened, steps, row = self._opened(), self._all_steps(), self._row()
        last = row + 1 >= len(steps)
        if opened is None or self._read_only or (doing is Reshaping.MERGE and last):
            return
        self.decision.open_reshape(doing, opened, row + 1, None if last else row + 2)

    def undo(self) -> None:
        """Takes the newest edit of the episode back, and shows its step."""
        if self._whole is not None and not self._read_only:
            self._edits.undo(self._whole.episode.uuid)

    def redo(self) -> None:
        """Makes the edit again that was taken back last, and shows its step."""
        if self._whole is not None and not self._read_only:
            self._edits.redo(self._whole.episode.uuid)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.decision.form_open():
            self.decision.close_forms()
        elif self.frame.draft() is not None:
            self.frame.set_draft(None)
        elif self.frame.tool() is Tool.BOX:
            self._take(Tool.SELECT)
            self._show_focus()
        else:
            self._node = None
            self._set_focus(self._first_focus())

    # --- showing -------------------------------------------------------------------------------

    def _show_whole(self, whole: Whole, turn_to: int | None) -> None:
        before = self._row()
        other = self._whole is None or self._whole.episode.uuid != whole.episode.uuid
        self._whole = whole
        if other:
            self._ahead, self._labels, self._trees = set(), {}, {}
            self.decision.close_forms(quiet=True)
        steps = whole.episode.steps
        indices = [step.index for step in steps]
        wanted = self._index if turn_to is None else turn_to
        if wanted not in indices and indices:
            row = self._wanted_row if self._index < 0 else max(0, before)
            wanted = indices[min(max(0, row), len(indices) - 1)]
        moved, self._index = other or wanted != self._index, wanted if indices else -1
        self._name.set_text(whole.episode.name)
        self._instruction.set_text(whole.episode.task.instruction or tr("No instruction"))
        self.head.layout_again()
        self._stack.setCurrentIndex(2 if steps else 1)
        self._show_undo()
        self._show_neighbours()
        self._show_status()
        if steps:
            self._show_step(moved=moved)

    def _show_step(self, *, moved: bool = True) -> None:
        opened, whole = self._opened(), self._whole
        if opened is None or whole is None:
            return
        step, frame = opened.step, opened.step.frame
        if moved:
            self._node = self._hover = None
            self._take(Tool.SELECT)
            self._focus = self._first_focus()
        elif self._focus is None or self._focus >= len(opened.choices):
            self._focus = self._first_focus()
        count = len(whole.episode.steps)
        self.decision.show_step(opened, self.state(step.index), self._row() + 1, count)
        if frame is None:
            self.frame.show_frame(None, 1.0)
        else:
            density = whole.episode.device.density
            dp = marks.dp_of(frame.size.width, frame.size.height, density)
            missing = "" if frame.still is not None else tr("This step has no picture")
            self.frame.show_frame(frame.size, dp, missing, protected=frame.protected)
            if frame.still is not None:
                self._show_picture()
        self._show_strip()
        self._show_tree(step)
        self._show_focus()

    def _show_strip(self) -> None:
        if self._whole is None:
            return
        steps = self._whole.episode.steps
        states = {step.index: self.state(step.index) for step in steps}
        items = [
            saying.strip_item(self._whole.opened[step.index], n, len(steps), states[step.index])
            for n, step in enumerate(steps, 1)
        ]
        self.strip.show_items(items, max(0, self._row()))
        self._steps.setText(tr("1 step", "{n} steps", n=len(steps)))
        counts = {state: list(states.values()).count(state) for state in StepState}
        for state, words in (
            (StepState.ACCEPTED, tr("{n} accepted", n=counts[StepState.ACCEPTED])),
            (StepState.LOW, tr("{n} low", n=counts[StepState.LOW])),
            (StepState.WAITING, tr("{n} waiting", n=counts[StepState.WAITING])),
            (
                StepState.NONE,
                tr("1 needs no target", "{n} need no target", n=counts[StepState.NONE]),
            ),
        ):
            row, said = self._counts[state]
            said.set_text(words)
            row.setVisible(bool(counts[state]))
        self.decision.show_counts(
            counts[StepState.ACCEPTED], counts[StepState.WAITING], counts[StepState.LOW]
        )

    def _show_tree(self, step: Step) -> None:
        kept = self._trees.get(step.index)
        if kept is not None and kept[0] == step:
            self._tree_ready(step, kept[1])
            return
        self.tree.show_tree(None)

        def done(seen: SeenTree) -> None:
            self._trees[step.index] = (step, seen)
            opened = self._opened()
            if opened is not None and opened.step is step:
                self._tree_ready(step, seen)
                self.frame.update()

        self._reader.run(
            lambda _: read_tree_of(step),
            owner=self,
            done=done,
            failed=self.decision.error.tell,
            next_up=True,
        )

    def _tree_ready(self, step: Step, seen: SeenTree) -> None:
        self.tree.show_tree(seen)
        opened = self._opened()
        if opened is not None and opened.step is step:
            self.tree.mark_pressed(
                {
                    one.region.provenance.node: str(at + 1)
                    for at, one in enumerate(opened.choices)
                    if one.candidate is not None
                }
            )
            self._follow_in_tree()

    def _show_picture(self) -> None:
        opened = self._opened()
        still = opened.step.frame.still if opened is not None and opened.step.frame else None
        if still is not None:
            image = self._pictures.get(still, next_up=True)
            gone = self._pictures.missing(still)
            self.frame.show_image(image, tr("The picture is missing") if gone else "")

    def _picture_ready(self, sha256: str) -> None:
        opened = self._opened()
        still = opened.step.frame.still if opened is not None and opened.step.frame else None
        if still is not None and still.sha256 == sha256:
            self._show_picture()

    def _show_focus(self) -> None:
        opened = self._opened()
        if opened is None:
            return
        drawing = self.frame.tool() is Tool.BOX
        self.decision.show_focus(
            opened,
            self._focus,
            self._label_shown(opened),
            drawing=drawing,
            drawn=self.frame.draft() is not None,
        )
        self._show_marks()

    def _show_marks(self) -> None:
        opened = self._opened()
        if opened is None:
            return
        words = [phrases.sentence(phrases.action_words(opened.gold.action))]
        if self._focus is not None:
            words.append(saying.title_of(opened.choices[self._focus]))
        self.frame.show_marks(None if self._hidden else self._paint_marks, ", ".join(words))

    def _paint_marks(self, painter: QPainter, scale: marks.Scale) -> None:
        opened = self._opened()
        if opened is None:
            return
        if self.decision.action_form.isVisible():
            if self._form_place is not None:
                marks.draw(painter, a.Tap(self._form_place), marks.PERSON, scale)
            return
        drawn = []
        draft = self.frame.draft()
        for at in nearest(len(opened.choices), self._focus):
            choice = opened.choices[at]
            box = choice.region.box
            if box is None:
                continue
            whole = at == self._focus and draft is None and self._node_alone() is None
            name = saying.short_title(choice)
            drawn.append(
                Drawn(
                    box,
                    choice.region.provenance.source,
                    str(at + 1) if at < 9 else "",
                    tr("Target: {what}", what=name) if choice.region.chosen else name,
                    whole,
                    choice.region.chosen,
                )
            )
        node = self._node_alone()
        if node is not None and draft is None:
            words = tr("Tree · {what}", what=node.class_name.rpartition(".")[2])
            drawn.append(Drawn(node.box, RegionSource.TREE, "", words, True))
        if self._hover is not None and self.frame.tool() is Tool.SELECT:
            drawn.append(Drawn(self._hover, RegionSource.TREE))
        draw_regions(painter, drawn, scale)
        marks.draw(painter, opened.gold.action, marks.PERSON, scale)

    def _show_neighbours(self) -> None:
        uuid = self._whole.episode.uuid if self._whole is not None else ""
        at = self._order.index(uuid) if uuid in self._order else -1
        self._before.setEnabled(at > 0)
        self._after.setEnabled(0 <= at < len(self._order) - 1)

    def _show_undo(self) -> None:
        undo = self._whole.undo if self._whole is not None else None
        redo = self._whole.redo if self._whole is not None else None
        self._undo.setEnabled(undo is not None and not self._read_only)
        self._undo.set_tip(self._read_only or saying.undo_words(undo))
        self._redo.setEnabled(redo is not None and not self._read_only)
        self._redo.set_tip(self._read_only or saying.redo_words(redo))

    def _show_status(self) -> None:
        waiting = self._edits.pending()
        if self._read_only:
            self.status.say(tr("Read-only"), "lock-outline", "text2")
            self.status.say_health(self._read_only)
            self.status.say_undo("")
            return
        if waiting:
            said = tr("1 change is being saved", "{n} changes are being saved", n=waiting)
            self.status.say(said, "timer-sand", "text2")
        else:
            self.status.say(tr("Saved"))
        undo = self._whole.undo if self._whole is not None else None
        self.status.say_health("")
        self.status.say_undo(saying.line_words(undo) if undo is not None else "")

    # --- what a person does on tree and frame --------------------------------------------------

    def _choose_node(self, ref: str, node: Node) -> None:
        self._node = (ref, node)
        at = self._choice_of(ref, node)
        if at is not None:
            self._focus = at
        self._take(Tool.SELECT)
        self._show_focus()

    def _use_node(self) -> None:
        node, opened = self._node_alone(), self._opened()
        if node is not None and opened is not None and opened.step.frame is not None:
            self.begin_box()
            if self.frame.tool() is Tool.BOX:
                self.frame.set_draft(whole_pixels(node.box, opened.step.frame.size))
        self._back_to_frame()

    def _hover_frame(self, point: Point | None) -> None:
        seen = self._seen()
        found = node_under(seen, point) if seen is not None and point is not None else None
        self._hover = found[1].box if found is not None else None
        self.tree.hover(found[0] if found is not None else "")

    def _pick(self, point: Point) -> None:
        if self.frame.tool() is Tool.POINT:
            self.decision.action_form.put_place(point)
            return
        opened, seen = self._opened(), self._seen()
        if opened is None:
            return
        found = node_under(seen, point) if seen is not None else None
        at = None
        if found is not None:
            self._node = found
            self.tree.turn_to(found[0])
            at = self._choice_of(*found)
        else:
            inside = [
                (one.region.box.area, number)
                for number, one in enumerate(opened.choices)
                if one.region.box is not None and point in one.region.box
            ]
            at = min(inside)[1] if inside else None
        if at is not None:
            self._focus = at
        self._show_focus()

    def _confirm(self) -> None:
        if self.frame.tool() is Tool.BOX:
            self.accept()
        else:
            self.decision.action_form.send()

    def _hide_marks(self, hide: bool) -> None:
        self._hidden = hide
        self.tools.marks.setChecked(not hide)
        self._show_marks()

    def _go_to_tree(self) -> None:
        self.tree.show()
        self.tree.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_label(self) -> None:
        if self.decision.label.isVisible() and not self._read_only:
            self.decision.label.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.decision.label.selectAll()

    def _show_place(self, point: Point | None) -> None:
        self._form_place = point
        form = self.decision.action_form
        if form.isVisible():
            self._take(Tool.POINT if form.takes_place() else Tool.SELECT)
        self.frame.update()

    def _back_to_frame(self) -> None:
        if not self.decision.form_open() and self.frame.tool() is Tool.POINT:
            self._take(Tool.SELECT)
        self.frame.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_marks()

    # --- changes -------------------------------------------------------------------------------

    def _label(self, words: str) -> None:
        opened, whole = self._opened(), self._whole
        if opened is None or whole is None:
            return
        choice = self._chosen(opened)
        settled = choice is not None and choice.region.chosen and choice.stored is not None
        if not settled or choice is None or self.frame.draft() is not None:
            self._labels[opened.step.index, self._label_key(opened)] = words
            return
        uuid, index, place = whole.episode.uuid, opened.step.index, choice.stored
        assert place is not None
        self._edits.make(
            uuid,
            lambda library, author: library.editor(author).label_region(uuid, index, place, words),
        )

    def _write(self, name: str, words: str) -> None:
        opened, whole = self._opened(), self._whole
        if opened is not None and whole is not None:
            uuid, index = whole.episode.uuid, opened.step.index
            self._edits.make(
                uuid,
                lambda library, author: library.editor(author).change_texts(
                    uuid, index, **{name: words}
                ),
            )

    def _change_action(self, change: Change, reason: str, also: bool) -> None:
        opened, whole = self._opened(), self._whole
        if opened is None or whole is None:
            return
        episode, step = whole.episode, opened.step
        make = editing.add_alternative if also else editing.change_action
        self._form_waits = True
        self._edits.make(
            episode.uuid,
            lambda library, author: make(library, episode, step, change, author, reason),
        )

    def _as_recorded(self, reason: str) -> None:
        opened, whole = self._opened(), self._whole
        if opened is None or whole is None:
            return
        episode, step = whole.episode, opened.step
        self._form_waits = True
        self._edits.make(
            episode.uuid,
            lambda library, author: editing.return_to_recorded(
                library, episode, step, author, reason
            ),
        )

    def _drop_alternative(self, number: int) -> None:
        opened, whole = self._opened(), self._whole
        if opened is None or whole is None or self._read_only:
            return
        uuid, index = whole.episode.uuid, opened.step.index
        self._edits.make(
            uuid,
            lambda library, author: library.editor(author).set_gold_status(
                uuid, index, number, Status.REJECTED
            ),
        )

    def _reshape(self, doing: Reshaping, reason: str, at: int | None) -> None:
        opened, whole, steps = self._opened(), self._whole, self._all_steps()
        if opened is None or whole is None:
            return
        episode, step, row = whole.episode, opened.step, self._row()

        def change(library: Library, author: Author) -> object:
            if doing is Reshaping.DELETE:
                return library.editor(author).delete_step(episode.uuid, step.index, reason)
            if doing is Reshaping.SPLIT:
                return editing.split_step(library, episode, step, author, at, reason)
            both = [steps[row].index, steps[row + 1].index]
            return editing.merge_steps(library, episode, both, author, reason)

        self._form_waits = True
        self._edits.make(episode.uuid, change)

    def _edited(self, whole: Whole, turn_to: int | None) -> None:
        if not self._edits.pending():
            self._ahead.clear()
        if self._whole is None or whole.episode.uuid != self._whole.episode.uuid:
            return
        self.decision.error.hide()
        if self._form_waits:
            self._form_waits = False
            self.decision.close_forms()
        self._show_whole(whole, turn_to)
        self.changed.emit()

    def _not_edited(self, error: KnownError) -> None:
        self._ahead.clear()
        if self._form_waits and self.decision.form_open():
            self._form_waits = False
            form = self.decision.action_form
            (form if form.isVisible() else self.decision.reshape_form).say_wrong(str(error))
        else:
            self.decision.error.tell(error)
        self._look_at_lock()
        if self._whole is not None:
            self._show_whole(self._whole, None)

    def _cannot_read(self, error: KnownError) -> None:
        self._opening = False
        if self._whole is None:
            self._error.tell(error)
        else:
            self.decision.error.tell(error)

    # --- small questions -----------------------------------------------------------------------

    def _all_steps(self) -> tuple[Step, ...]:
        return self._whole.episode.steps if self._whole is not None else ()

    def _row(self) -> int:
        indices = [step.index for step in self._all_steps()]
        return indices.index(self._index) if self._index in indices else -1

    def _opened(self) -> OpenStep | None:
        return self._whole.opened.get(self._index) if self._whole is not None else None

    def _seen(self) -> Tree | None:
        kept, opened = self._trees.get(self._index), self._opened()
        return kept[1].tree if kept and opened is not None and kept[0] == opened.step else None

    def _chosen(self, opened: OpenStep) -> Choice | None:
        return opened.choices[self._focus] if self._focus is not None else None

    def _first_focus(self) -> int | None:
        opened = self._opened()
        if opened is None:
            return None
        if opened.target is not None:
            return opened.target
        return opened.proposed

    def _set_focus(self, at: int | None) -> None:
        self._focus, self._node = at, None
        self._follow_in_tree()
        self._show_focus()

    def _follow_in_tree(self) -> None:
        opened = self._opened()
        choice = self._chosen(opened) if opened is not None else None
        self.tree.turn_to(choice.region.provenance.node if choice is not None else "")

    def _choice_of(self, ref: str, node: Node) -> int | None:
        opened = self._opened()
        for at, one in enumerate(opened.choices if opened is not None else ()):
            if one.region.provenance.node == ref or one.region.box == node.box:
                return at
        return None

    def _node_alone(self) -> Node | None:
        """The row that was chosen in the tree, where it is none of the candidates."""
        if self._node is None or self._choice_of(*self._node) is not None:
            return None
        return self._node[1]

    def _first_box(self, opened: OpenStep) -> Box | None:
        """The box the arrows begin with: the chosen row, the candidate in focus, or the press."""
        frame, whole = opened.step.frame, self._whole
        if frame is None or whole is None:
            return None
        node, choice = self._node_alone(), self._chosen(opened)
        if node is not None:
            return whole_pixels(node.box, frame.size)
        if choice is not None and choice.region.box is not None:
            return whole_pixels(choice.region.box, frame.size)
        size = frame.size
        dp = marks.dp_of(size.width, size.height, whole.episode.device.density)
        return box_about(a.place(opened.gold.action) or size.at(0.5, 0.5), size, dp)

    def _label_key(self, opened: OpenStep) -> str:
        choice = self._chosen(opened)
        if self.frame.tool() is Tool.BOX or choice is None:
            return "box"
        return choice.region.uuid or str(choice.region.box)

    def _label_shown(self, opened: OpenStep) -> str:
        typed = self._labels.get((opened.step.index, self._label_key(opened)))
        choice = self._chosen(opened)
        if typed is not None:
            return typed
        return (
            choice.region.label if choice is not None and self.frame.tool() is not Tool.BOX else ""
        )

    def _deciding_elsewhere(self) -> bool:
        return self.decision.form_open()

    def _go_on(self) -> None:
        """Goes to the next step that waits for a person; stays where there is none."""
        steps, here = self._all_steps(), self._row()
        around = [*range(here + 1, len(steps)), *range(here)]
        open_ = (StepState.LOW, StepState.WAITING)
        for row in around:
            if self.state(steps[row].index) in open_:
                self.turn_to(row)
                self._back_to_frame()
                return
        self._show_step(moved=False)
        self._back_to_frame()

    def _take(self, tool: Tool) -> None:
        if self.frame.tool() is not tool or self.frame.draft() is not None:
            self.frame.set_tool(tool)
        self._show_tools()

    def _show_tools(self) -> None:
        tool = self.frame.tool()
        self.tools.select.setChecked(tool is Tool.SELECT)
        self.tools.box.setChecked(tool is Tool.BOX)
