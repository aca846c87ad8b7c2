"""Creates the window with its pages and threads, and connects them."""

from __future__ import annotations

import logging
import threading
import traceback
from pathlib import Path
from types import TracebackType

from episodes.errors import KnownError
from episodes.store.recovery import Recovery
from recorder.device.interface import Devices
from recorder.devices import open_devices
from taptrail.gui import theme
from taptrail.gui.annotate.place import AnnotatePlace
from taptrail.gui.annotate.segmenter_client import Sam2Client
from taptrail.gui.components import dialogs
from taptrail.gui.components.panel import PanelSplitter
from taptrail.gui.components.shell import Page
from taptrail.gui.doctor.place import DoctorPlace
from taptrail.gui.episodes.library_button import LibraryButton
from taptrail.gui.episodes.lint_watcher import LintWatcher
from taptrail.gui.episodes.place import EpisodesPlace
from taptrail.gui.history import ChangeHistory
from taptrail.gui.main_window import MainWindow
from taptrail.gui.preferences import Preferences
from taptrail.gui.record.place import RecordPlace
from taptrail.gui.remedies import error_words
from taptrail.gui.review.place import ReviewPlace
from taptrail.gui.segmenting.bar import SegmentBar
from taptrail.gui.segmenting.model import SharedModel
from taptrail.gui.segmenting.queue import SegmentProgress, SegmentQueue
from taptrail.gui.services import WindowServices
from taptrail.gui.settings_place import SettingsPlace
from taptrail.gui.tasks.place import TasksPlace
from taptrail.gui.window_state import WindowState
from taptrail.gui.work import Relay, WorkThread
from taptrail.settings import Settings
from taptrail.usecases import episode_list, models
from taptrail.usecases.attempts import CountingDecision
from taptrail.usecases.live import Desk
from taptrail.usecases.reviewing import runs_there_are
from taptrail.usecases.saved_changes import PendingEdits, SavedChange
from taptrail.words import tr

PLACES = ("record", "episodes", "annotate", "review", "tasks")
_PATIENCE_S = 1.0
log = logging.getLogger(__name__)


class Window:
    """The window with its pages and threads."""

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        devices: Devices | None = None,
        remembered: WindowState | None = None,
        file: Path | None = None,
    ) -> None:
        """Creates the window; `main.show()` shows it.

        Args:
            remembered: stored panel widths; without it they last only as long as the window.
            file: the settings file; without it changes last only as long as the window.
        """
        self.preferences = Preferences(settings, file)
        self._own_devices = devices is None
        self._library_there = threading.Event()
        self.parts = parts = WindowServices(folder, ready=self._library_there)
        self._frames, self._events = Relay(parts), Relay(parts)
        self.desk = Desk(
            folder,
            devices if devices is not None else open_devices(settings.adb_port),
            lambda: self._frames.put(True),
            self._events.send,
        )
        self.phone: WorkThread[Desk] = WorkThread("phone", lambda: self.desk, Desk.close)
        self.pointing: WorkThread[None] = WorkThread("pointer", lambda: None)
        self.record = RecordPlace(
            self.desk,
            self.phone,
            self._frames,
            self._events,
            parts.small,
            parts.drawing,
            self.pointing,
            parts.reader,
            self.preferences,
        )
        self.history = ChangeHistory(
            folder, parts.library, parts.reader, settings.as_author(), parts
        )
        widths = remembered or WindowState()
        self.episodes = EpisodesPlace(
            folder,
            parts.reader,
            parts.library,
            parts.small,
            self.history,
            LibraryButton(folder, widths.libraries, lambda: not self.record.recording()),
        )
        self.linting: WorkThread[None] = WorkThread("linting", lambda: None)
        self.findings = LintWatcher(
            folder, self.linting, lambda: not self.record.recording(), parts
        )
        self.model = SharedModel(lambda: models.open_segmenter(self.preferences.settings))
        self.asking = Sam2Client(folder, self.model.opened)
        self.annotate = AnnotatePlace(
            folder,
            parts.reader,
            parts.library,
            parts.small,
            parts.large,
            settings.as_author(),
            self.asking,
        )
        self.queue = SegmentQueue(
            folder, self.model, parts.library, settings.as_author(), settings.segment, parts
        )
        self.review = ReviewPlace(parts.reader, parts.judge, parts.small, parts.large, self.history)
        self.tasks = TasksPlace(
            parts.reader, parts.judge, parts.small, self.history, self.preferences
        )
        self.looking: WorkThread[None] = WorkThread("doctor", lambda: None)
        self.doctor = DoctorPlace(
            folder,
            self.looking,
            lambda: self.desk.adb_port,
            lambda: self.preferences.settings.checkpoint,
        )
        self.fetching: WorkThread[None] = WorkThread("checkpoints", lambda: None)
        self.settings = SettingsPlace(self.preferences, self.fetching)
        self.settings.checkpoints.used.connect(self.model.close)
        self.main = MainWindow(
            [
                (self.record, "record-circle-outline"),
                (self.episodes, "table-large"),
                (self.annotate, "vector-square"),
                (self.review, "compare"),
                (self.tasks, "clipboard-check-outline"),
                (self.doctor, "stethoscope"),
                (self.settings, "cog-outline"),
            ],
            settings.modifier.capitalize().replace("Super", "Meta"),
            low=2,
        )
        self.segmenting = SegmentBar(self.queue)
        self.main.add_bar(self.segmenting)
        dialogs.use(widths)
        for place in (self.record, self.episodes, self.annotate, self.review, self.tasks):
            for split in place.findChildren(PanelSplitter):
                split.remember(widths, place.key)
        self._followed: dict[str, str] = {}
        self._wire()
        self._stopped = False
        parts.library.run(
            lambda _: self._make_ready(folder),
            owner=self.main,
            done=self._ready,
            failed=self._not_ready,
        )

    def stop(self) -> None:
        """Stops all threads, last one first; returns after they have ended. Twice is once."""
        if not self._stopped:
            self._stopped = True
            self.queue.stop()
            self.asking.stop()
            self.review.asking.stop(_PATIENCE_S)
            self.model.close()
            self.pointing.stop()
            self.linting.stop()
            if self.record.connecting():
                # Nothing is being recorded; adb and the phone may be slow.
                self.desk.give_up()
                self.phone.stop(_PATIENCE_S)
            else:
                self.phone.stop()
            self.looking.stop(_PATIENCE_S)
            self.fetching.stop(_PATIENCE_S)
            self.parts.stop()

    def bug(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Logs an unexpected exception and shows it in the window."""
        log.error("%s", "".join(traceback.format_exception(kind, error, trace)))
        self.main.toast.tell(
            tr(
                "An unexpected error occurred: {what}. The terminal has the details.",
                what=kind.__name__,
            ),
            "alert-octagon",
        )

    def _wire(self) -> None:
        go = self.main.go_to
        self.episodes.record.connect(lambda: go(PLACES.index("record")))
        self.episodes.review.connect(self._review)
        self.episodes.annotate.connect(self._annotate)
        self.episodes.read.connect(self.findings.look)
        self.findings.moved.connect(self.episodes.show_looking)
        self.findings.kept.connect(self.episodes.read_again)
        self.findings.failed.connect(self._change_failed)
        self.annotate.browse.connect(lambda: go(PLACES.index("episodes")))
        self.annotate.changed.connect(self.history.look)
        self.annotate.said.connect(lambda words: self.main.toast.tell(words, "check"))
        self.review.scorer.changed.connect(
            lambda: self.annotate.use_protocol(self.review.scorer.protocol)
        )
        self.review.browse.connect(lambda: go(PLACES.index("episodes")))
        self.tasks.browse.connect(lambda: go(PLACES.index("episodes")))
        self.tasks.record.connect(self._record)
        self.tasks.review.connect(self._review)
        self.tasks.annotate.connect(self._annotate)
        self.tasks.said.connect(self._say_change)
        self.record.recorded.connect(self._recorded)
        self.record.review.connect(self._review)
        self.record.annotate.connect(self._annotate)
        self.record.given_up.connect(self._gave_up)
        self.record.discarded.connect(self._discarded)
        self.review.imports.connect(self._import_predictions)
        self.review.said.connect(self._say_change)
        self.record.doctor.connect(lambda: go(len(PLACES)))
        self.episodes.begun.connect(self._begin_with)
        self.main.closing.connect(self.stop)
        self.main.went.connect(self._follow)
        self.main.undone.connect(self._undo)
        self.main.redone.connect(self._redo)
        self.history.pending.connect(self._show_pending)
        self.history.failed.connect(self._change_failed)
        self.episodes.said.connect(self._say_change)
        self.record.dropped.connect(self._say_drop)
        self.record.runs.connect(
            lambda words, time: self.main.show_recording(self.record, words, time)
        )
        self.record.recorded.connect(lambda *_: self.history.look())
        self.record.recorded.connect(lambda *_: self.queue.segment_episode(self.record.episode()))
        self.record.mirror.entered.connect(lambda _: self.queue.touched())
        self._events.came.connect(self.queue.hear)
        self.main.segmented.connect(self._segment)
        self.settings.segmented.connect(self._segment)
        self.queue.moved.connect(self._segmented)
        self.annotate.navigation.turned.connect(self._turned)
        self.asking.changed.connect(self.annotate.look_for_model)
        self.preferences.changed.connect(self._use)

    def _record(self, words: str, category: str) -> None:
        self.main.go_to(PLACES.index("record"))
        if words and not self.record.offer_task(words, category):
            told = tr("Finish the recording that is under way, then record another attempt.")
            self.main.toast.tell(told, "record-circle-outline")

    def _begin_with(self, what: str) -> None:
        self.main.go_to(PLACES.index("record"))
        page = self.record.connect_page
        if what == "demo":
            self.record.start_demo_phone()
        elif what == "cable":
            page.show_cable()
        else:
            page.show_pairing()

    def _follow(self, place: Page) -> None:
        """Opens the episode selected in Episodes since this page was last opened."""
        chosen = self.episodes.chosen()
        if not isinstance(place, AnnotatePlace | ReviewPlace) or not chosen:
            return
        if chosen != self._followed.get(place.key):
            self._followed[place.key] = chosen
            place.open_at(chosen)

    def _review(self, uuid: str, row: int) -> None:
        self._followed[self.review.key] = self.episodes.chosen()
        self.main.go_to(PLACES.index("review"))
        self.review.open_at(uuid, row)

    def _annotate(self, uuid: str, row: int) -> None:
        self._followed[self.annotate.key] = self.episodes.chosen()
        self.main.go_to(PLACES.index("annotate"))
        self.annotate.open_at(uuid, row)

    def _recorded(self, name: str, steps: int) -> None:
        words = tr("{name} saved, 1 step", "{name} saved, {n} steps", n=steps, name=name)
        self.main.toast.tell(words, "check-circle")
        self.parts.reader.run(
            lambda library: bool(runs_there_are(library)),
            owner=self.main,
            done=self.record.steps.offer_review,
            failed=self._change_failed,
        )

    def _gave_up(self, uuid: str, reason: str) -> None:
        def done(_: SavedChange) -> None:
            self.main.toast.tell(tr("Saved as given up"), "flag-outline")

        # The attempt stores the reason why it does not count.
        self.history.decide_attempt(uuid, "given up", CountingDecision.LEFT_OUT, reason, done)

    def _discarded(self, uuid: str) -> None:
        self.history.delete(
            (uuid,), lambda _: self._say_change(tr("The recording is in the bin"), True)
        )

    def _import_predictions(self) -> None:
        self.main.go_to(PLACES.index("episodes"))
        self.episodes.pick_predictions()

    def _use(self, settings: Settings) -> None:
        theme.apply(settings.theme)
        author = settings.as_author()
        self.history.author = author
        self.record.set_author(author)
        self.annotate.set_author(author)
        self.queue.author = author
        self.queue.use(settings.segment)
        if self._own_devices:
            self.desk.use(open_devices(settings.adb_port))

    def _segment(self) -> None:
        if self.queue.running():
            self.queue.pause()
        else:
            self.segmenting.error.hide()
            self.queue.segment_all()

    def _segmented(self, moved: SegmentProgress) -> None:
        if moved.kept is not None and moved.kept[0] == self.annotate.state.uuid():
            self.annotate.read_again()

    def _turned(self) -> None:
        self.queue.look_at(self.annotate.state.uuid(), self.annotate.state.index)

    def _undo(self) -> None:
        if self.main.place() is self.record and self.record.recording():
            self.record.restore_last()
        elif self.main.place() is self.annotate:
            self.annotate.undo()
        else:
            self.history.undo(lambda change: self._say_turn(change, tr("Nothing to undo")))

    def _redo(self) -> None:
        if self.main.place() is self.annotate:
            self.annotate.redo()
            return
        self.history.redo(lambda change: self._say_turn(change, tr("Nothing to do again")))

    def _say_turn(self, change: SavedChange, nothing: str) -> None:
        self.main.toast.tell(change.words or nothing, "undo" if change.words else "check")

    def _say_change(self, words: str, offered: bool) -> None:
        self.main.toast.tell(words, "check", tr("Undo"), self._undo if offered else None)

    def _say_drop(self, words: str) -> None:
        self.main.toast.tell(words, "check", tr("Undo"), self.record.restore_last)

    def _show_pending(self, pending: PendingEdits) -> None:
        for place in (self.episodes, self.review, self.tasks):
            place.status.say_undo(pending.undo)

    def _change_failed(self, error: KnownError) -> None:
        if self.main.place() is not self.episodes:
            self.main.toast.tell(error_words(error), "alert-octagon")

    def _make_ready(self, folder: Path) -> Recovery:
        """Creates the library on its thread; readers wait until then."""
        try:
            return episode_list.make_ready(folder)
        finally:
            self._library_there.set()

    def _ready(self, recovery: Recovery) -> None:
        place: Page = self.main.place()
        place.entered()
        self.history.look()
        self.queue.begin()
        if text := _recovery_text(recovery):
            self.main.toast.tell(text, "progress-alert")

    def _not_ready(self, error: KnownError) -> None:
        self.main.place().entered()
        self.main.toast.tell(error_words(error), "lock-outline")


def _recovery_text(recovery: Recovery) -> str:
    """Returns messages from opening the library; "" if there are none."""
    said = []
    if recovery.episodes:
        said.append(
            tr(
                "1 episode was interrupted. Its saved steps are kept.",
                "{n} episodes were interrupted. Their saved steps are kept.",
                n=len(recovery.episodes),
            )
        )
    if recovery.lost:
        said.append(
            tr(
                "1 saved change is missing from the database, as after a power cut.",
                "{n} saved changes are missing from the database, as after a power cut.",
                n=sum(last - first + 1 for first, last in recovery.lost),
            )
        )
    if recovery.moved:
        said.append(
            tr(
                "1 picture without a step is now in the library's folder “orphans”.",
                "{n} pictures without a step are now in the library's folder “orphans”.",
                n=len(recovery.moved),
            )
        )
    return " ".join(said)
