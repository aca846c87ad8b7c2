"""The Annotate page: goes through steps, marks their targets and corrects their actions."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from episodes.annotations import Author
from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui.annotate.edit_queue import EditQueue
from taptrail.gui.annotate.element_hover import ElementHover
from taptrail.gui.annotate.episode_actions import EpisodeActions
from taptrail.gui.annotate.form_controller import FormController
from taptrail.gui.annotate.frame import Tool, hint_keys
from taptrail.gui.annotate.navigation import StepNavigation
from taptrail.gui.annotate.open_episode import AnnotatedEpisode
from taptrail.gui.annotate.overlays import Overlays
from taptrail.gui.annotate.privacy import PrivacyMarks
from taptrail.gui.annotate.reshape_form import Reshaping
from taptrail.gui.annotate.sam2_prompts import PromptPoints, SegmenterClient
from taptrail.gui.annotate.shortcuts import Does, bind
from taptrail.gui.annotate.state import AnnotateState
from taptrail.gui.annotate.step_edits import StepEdits
from taptrail.gui.annotate.suggestion_button import SuggestionControls
from taptrail.gui.annotate.suggestion_job import SuggestionJob
from taptrail.gui.annotate.target_acceptance import TargetAcceptance
from taptrail.gui.annotate.tool_controller import ToolController
from taptrail.gui.annotate.view import AnnotateView
from taptrail.gui.components.shell import Page
from taptrail.gui.remedies import error_words
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.words import tr

_CLOSING_S = 10.0


class AnnotatePlace(Page):
    """Signals:
    browse: the user asked for the Episodes page.
    changed: the library was changed.
    said: a message about what was done.
    """

    browse = Signal()
    changed = Signal()
    said = Signal(str)

    def __init__(
        self,
        folder: Path,
        reader: WorkThread[Library],
        library_thread: WorkThread[None],
        thumbnails: Pictures,
        pictures: Pictures,
        author: Author,
        answers: SegmenterClient | None = None,
    ) -> None:
        super().__init__("Annotate")
        self._reader = reader
        self._edits = EditQueue(library_thread, folder, author)
        self.state = AnnotateState()
        self.parts = AnnotateView(self.state, reader, thumbnails, pictures)
        self.tree, self.frame, self.tools = self.parts.tree, self.parts.frame, self.parts.tools
        self.decision, self.strip = self.parts.decision, self.parts.strip
        self._changes = StepEdits(self.state, self._edits)
        self._pointing = ElementHover(self.state, self.parts)
        self.prompts = PromptPoints(self.state, self._edits, answers)
        self.navigation = StepNavigation(self.state, self.parts)
        self.tool_control = ToolController(self.state, self.parts, self.prompts)
        self.acceptance = TargetAcceptance(
            self.state, self.parts, self._changes, self.prompts, self.tool_control, self.navigation
        )
        self.extras = Overlays(self.state, self.parts, reader)
        self.suggesting = SuggestionJob(folder, reader, library_thread, self._edits)
        self.suggestions = SuggestionControls(self.state, self.parts, self.suggesting)
        self.forms = FormController(self.state, self.parts, self._changes, self.tool_control)
        self.desk = EpisodeActions(self.state, self.parts, self._edits, reader)
        self.privacy = PrivacyMarks(self.state, self.parts, self._edits, self.tool_control)
        for part in (
            self._edits,
            self.parts,
            self._pointing,
            self.prompts,
            self.navigation,
            self.tool_control,
            self.acceptance,
            self.extras,
            self.suggesting,
            self.suggestions,
            self.forms,
            self.desk,
            self.privacy,
        ):
            part.setParent(self)  # results of other threads are dropped when the page is closed
        self._order: tuple[str, ...] = ()
        self._wanted_row = 0
        self._form_waits = False
        self._search = 0
        self._opening = False
        self._read_round = ""
        self.furnish(self.parts.head, self.parts.stack, self.parts.status)
        self._connect()
        self._bind()
        self.tool_control.hide_marks(hide=False)
        self.tool_control.take(Tool.SELECT)
        self.look_for_model()

    def _connect(self) -> None:
        p, d = self.parts, self.decision
        self._pointing.focused.connect(p.show_focus)
        self._edits.changed.connect(self._edited)
        self._edits.failed.connect(self._not_edited)
        self._edits.waiting.connect(lambda _: self._show_status())
        self.navigation.leaving.connect(d.keep)
        self.navigation.turned.connect(self.tool_control.after_step)
        self.navigation.turned.connect(self.extras.after_step)
        self.tool_control.begun.connect(lambda: self.extras.show_after(on=False))
        self.suggestions.kept.connect(self._suggested)
        self.suggestions.said.connect(self.said)
        self.privacy.said.connect(self.said)
        self.prompts.broke.connect(d.error.tell)
        self.prompts.changed.connect(self._show_status)
        self.desk.waits.connect(self._wait_for_form)
        self.forms.waits.connect(self._wait_for_form)
        self.desk.entered.connect(self._enter_mode)
        self.strip.chosen.connect(self.navigation.turn_to)
        self.frame.low.connect(self.navigation.next_low)
        d.later.connect(lambda: self.navigation.turn_by(1))
        d.left.connect(self._back_to_frame)
        d.choices.chosen.connect(self.navigation.focus_on)
        d.choices.own.connect(self.tool_control.begin_box)
        for button in p.browse:
            button.clicked.connect(self.browse)
        p.undo.clicked.connect(self.undo)
        p.redo.clicked.connect(self.redo)
        p.before.clicked.connect(lambda: self._next_episode(-1))
        p.after.clicked.connect(lambda: self._next_episode(1))
        p.queue.ordered.connect(lambda by_level: self.navigation.order(by_level=by_level))
        self.tools.tree.clicked.connect(self._go_to_tree)

    def _bind(self) -> None:
        own: dict[str, Does] = {
            "label": self._go_to_label,
            "clear-target": self.acceptance.clear_target,
            "tolerance-here": self.extras.toggle_tolerance,
            "after": self.extras.toggle_after,
            "suggest": self.suggestions.toggle,
            "tree": self._go_to_tree,
            "merge-steps": lambda: self.forms.reshape(Reshaping.MERGE),
            "split-step": lambda: self.forms.reshape(Reshaping.SPLIT),
            "delete-step": lambda: self.forms.reshape(Reshaping.DELETE),
            "private-box": self.privacy.hide_box,
            "private-step": self.privacy.toggle_step,
            "private-episode": self.privacy.toggle_episode,
            "zoom-in": lambda: self.frame.zoom_by(1.5),
            "zoom-out": lambda: self.frame.zoom_by(1 / 1.5),
            "zoom-fit": self.frame.zoom_out,
            "episode-after": lambda: self._next_episode(1),
            "episode-before": lambda: self._next_episode(-1),
        }
        bind(self, self.navigation, self.tool_control, self.desk, own)

    def more_keys(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return (
            (tr("Candidate 1 to 9"), ("1", "9")),
            *hint_keys(),
            (tr("Put the tool away"), ("Esc",)),
        )

    # --- which episode -------------------------------------------------------------------------

    def entered(self) -> None:
        """Lists the episodes and checks whether the library is writable; the open step stays."""
        self._look_at_lock()
        self.prompts.look()
        self._reader.run(
            reviewing.episode_order, owner=self, done=self._found, failed=self._cannot_read
        )

    def open_at(self, uuid: str, row: int = 0) -> None:
        """Opens an episode at a step, by its row."""
        self._wanted_row, self.state.index = row, -1
        self._open(uuid)

    def read_again(self) -> None:
        """Reads the open episode again after a change from elsewhere."""
        if self.state.whole is not None and not self._edits.pending():
            self._open(self.state.uuid())

    def use_protocol(self, protocol: str) -> None:
        """Shows the tolerance of this protocol."""
        self.extras.use_protocol(protocol)

    def leaving(self) -> None:
        """Saves typed text and waits until all edits are saved."""
        self.suggesting.stop()
        self.decision.keep()
        self._edits.settle(_CLOSING_S)

    def set_author(self, author: Author) -> None:
        """Sets the author of all further edits."""
        self._edits.set_author(author)
        if self.state.round:
            self._enter_mode()

    def look_for_model(self) -> None:
        """Shows whether SAM 2 is available."""
        self.parts.show_pointing(self.prompts.why_not())

    def where(self) -> tuple[str, int]:
        """Returns the name of the open episode and the index of its step; ("", -1) if none."""
        whole = self.state.whole
        return ("", -1) if whole is None else (whole.episode.name, self.state.index)

    def saved(self) -> bool:
        """Returns whether all edits are saved."""
        return not self._edits.pending()

    def _look_at_lock(self) -> None:
        self._edits.try_lock(
            self,
            lambda _: self._set_read_only(""),
            lambda error: self._set_read_only(error_words(error)),
        )

    def _set_read_only(self, why: str) -> None:
        self.state.read_only = why
        if why:
            self.tool_control.take(Tool.SELECT)
        self.parts.show_read_only()
        self.look_for_model()
        self.suggestions.show()
        self._show_status()

    def _found(self, order: tuple[str, ...]) -> None:
        self._order = order
        self.parts.error.hide()
        if not order:
            self.state.whole = None
            self.parts.show_nothing()
        elif not self._opening:
            uuid = self.state.uuid()
            if uuid in order:
                self._open(uuid)
            else:
                self.open_at(order[0])
        self._show_neighbours()
        self._show_status()

    def _open(self, uuid: str) -> None:
        self._search += 1
        search, before = self._search, self.state.whole
        mode, author = self._edits.mode(), self._edits.author()
        self._opening = True

        def done(whole: AnnotatedEpisode) -> None:
            if search == self._search:
                self._opening = False
                self._read_round = mode.round
                self._edits.know(whole)
                self._show_whole(whole, None)
                if self.hasFocus():
                    self._back_to_frame()

        def failed(error: KnownError) -> None:
            if search != self._search:
                return
            self._cannot_read(error)
            if self.state.round and self._read_round != self.state.round:
                self.desk.leave_round()  # no step was chosen here
            elif (
                self.state.index < 0 and self.state.whole is not None
            ):  # another episode is being opened
                self._show_whole(self.state.whole, None)

        self._reader.run(
            lambda library: mode.read(library, uuid, author, before),
            owner=self,
            done=done,
            failed=failed,
            next_up=True,
        )

    def _enter_mode(self) -> None:
        if self.state.whole is not None:
            self.state.ahead, self.state.labels, self.state.points = set(), {}, {}
            self._open(self.state.uuid())
        self._back_to_frame()

    def _next_episode(self, by: int) -> None:
        if self.state.uuid() not in self._order:
            return
        at = self._order.index(self.state.uuid()) + by
        if 0 <= at < len(self._order):
            self.decision.keep()
            self.open_at(self._order[at])

    def _show_neighbours(self) -> None:
        uuid = self.state.uuid()
        at = self._order.index(uuid) if uuid in self._order else -1
        self.parts.show_neighbours(before=at > 0, after=0 <= at < len(self._order) - 1)

    def _show_whole(self, whole: AnnotatedEpisode, turn_to: int | None) -> None:
        state, before, other = self.state, self.state.row(), self.state.uuid() != whole.episode.uuid
        state.whole = whole
        if other:
            state.ahead, state.labels, state.trees, state.points, state.findings = (
                set(),
                {},
                {},
                {},
                (),
            )
            self.decision.close_forms(quiet=True)
            self.decision.error.hide()  # the result belongs to the previous episode
        indices = [step.index for step in state.steps()]
        wanted = state.index if turn_to is None else turn_to
        if wanted not in indices and indices:
            row = self._wanted_row if state.index < 0 else max(0, before)
            wanted = indices[min(max(0, row), len(indices) - 1)]
        moved, state.index = other or wanted != state.index, wanted if indices else -1
        self.parts.show_episode()
        self._show_neighbours()
        self._show_status()
        if indices:
            self.navigation.show_step(moved=moved)
        self.desk.show_whole()

    def _show_status(self) -> None:
        self.parts.show_status(self._edits.pending(), looking=self.prompts.waiting())

    def _cannot_read(self, error: KnownError) -> None:
        self._opening = False
        (self.parts.error if self.state.whole is None else self.decision.error).tell(error)

    # --- keyboard focus -------------------------------------------------------------------------

    def _go_to_tree(self) -> None:
        self.tree.show()
        self.tree.view.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_label(self) -> None:
        if self.decision.label.isVisible() and not self.state.read_only:
            self.decision.label.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.decision.label.selectAll()

    def _back_to_frame(self) -> None:
        self.tool_control.after_form()
        self.frame.setFocus(Qt.FocusReason.OtherFocusReason)
        self.parts.show_marks()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.decision.form_open():
            self.decision.close_forms()
        elif not self.tool_control.put_away():
            self.state.node = None
            self.navigation.set_focus(self.state.first_focus())

    # --- changes -------------------------------------------------------------------------------

    def undo(self) -> None:
        """Discards the drawing on the step; without one, undoes the newest edit."""
        if self.state.whole is None or self.state.read_only or self.tool_control.undo_drawing():
            return
        self._edits.undo(self.state.uuid())

    def redo(self) -> None:
        """Redoes the last undone edit and shows its step."""
        if self.state.whole is not None and not self.state.read_only:
            self._edits.redo(self.state.uuid())

    def _wait_for_form(self) -> None:
        self._form_waits = True

    def _edited(self, whole: AnnotatedEpisode, turn_to: int | None) -> None:
        if not self._edits.pending():
            self.state.ahead.clear()
        if self.state.uuid() != whole.episode.uuid:
            return
        self.decision.error.hide()
        if self._form_waits:
            self._form_waits = False
            self.decision.close_forms()
        self._show_whole(whole, turn_to)
        self._show_fresh()
        self.changed.emit()

    def _suggested(self, uuid: str) -> None:
        if uuid == self.state.uuid():
            self.read_again()
        self.changed.emit()

    def _show_fresh(self) -> None:
        """Puts the best of the masks that just arrived in focus."""
        opened = self.state.opened()
        for uuid in self.prompts.take_fresh() if opened is not None else ():
            for at, one in enumerate(opened.choices if opened is not None else ()):
                if one.region.uuid == uuid:
                    self.navigation.set_focus(at)
                    return

    def _not_edited(self, error: KnownError) -> None:
        self.state.ahead.clear()
        if not (self._form_waits and self.decision.say_wrong(error_words(error))):
            self.decision.error.tell(error)
        self._form_waits = False
        self._look_at_lock()
        if self.state.whole is not None:
            self._show_whole(self.state.whole, None)
