"""Settings section for SAM 2 checkpoints: list, download, add and select."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.sam2.download import DownloadStopped
from episodes.errors import KnownError
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import Bar
from taptrail.gui.components.panel import WidgetRow
from taptrail.gui.fonts import BODY, CAPTION, FACTS
from taptrail.gui.preferences import Preferences
from taptrail.gui.work import JobCancelled, Progress, WorkThread
from taptrail.usecases import models
from taptrail.usecases.models import ListedCheckpoint
from taptrail.words import tr

_NAME, _FACTS, _BAR = 96, 260, 150
_MB = 1_000_000


class Checkpoints(QWidget):
    """A line for each checkpoint with its actions. One action runs at a time.

    Signals:
        failed: the KnownError of an action.
        settled: an action is done; the message about it.
        used: another checkpoint was selected; an open model still uses the old one.
    """

    failed = Signal(object)
    settled = Signal(str)
    used = Signal()

    def __init__(self, preferences: Preferences, thread: WorkThread[None]) -> None:
        """Args:
        thread: finds, downloads and hashes files; not used for anything else.
        """
        super().__init__()
        self._preferences, self._thread = preferences, thread
        self.progress: Progress | None = None
        self.models: tuple[ListedCheckpoint, ...] = ()
        self.lines: dict[str, CheckpointLine] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.add = Button(tr("Add a file…"), size="s")
        self.add.clicked.connect(self._pick)
        self.measure = Button(tr("Measure here"), size="s")
        self.measure.clicked.connect(self._measure)
        self.cancel = Button(tr("Cancel"), size="s", kind=QUIET)
        self.cancel.clicked.connect(self._cancel)
        self._bar = Bar(name=tr("How far it is"))
        self._bar.setFixedWidth(_BAR)
        self.said = label("", CAPTION, tone="3")
        self._column.addWidget(
            WidgetRow(self.add, self.measure, self._bar, self.said, self.cancel, None)
        )
        self._show_busy(False)

    def look(self) -> None:
        """Lists the checkpoints, on the thread."""
        settings = self._preferences.settings
        self._thread.run(
            lambda _: models.list_models(settings),
            owner=self,
            done=self._show,
            failed=self.failed.emit,
        )

    def get(self, name: str) -> None:
        """Downloads a checkpoint; a cancelled download is continued the next time."""
        settings = self._preferences.settings

        def work(progress: Progress) -> str:
            try:
                models.get_model(
                    name, settings, on_progress=progress, cancelled=progress.is_cancelled
                )
            except DownloadStopped as stopped:
                raise JobCancelled from stopped
            return tr("{name} is ready", name=name)

        self._do(work, tr("fetching {name}", name=name), bytes_=True)

    def add_file(self, path: str) -> None:
        """Copies a checkpoint file of the user into Taptrail's folder."""

        def work(progress: Progress) -> str:
            found = models.add_model(Path(path), on_progress=progress)
            return tr("{name} is ready", name=found.name)

        self._do(work, tr("reading {name}", name=Path(path).name), bytes_=True)

    def use(self, name: str) -> None:
        """Selects a local checkpoint."""
        found = next((one.found for one in self.models if one.name == name), None)
        if found is not None:
            self._preferences.change(checkpoint=found.weights.path)
            self.used.emit()
            self.look()

    def _measure(self) -> None:
        def work(progress: Progress) -> str:
            models.measure_models(progress)
            return tr("Measured")

        self._do(work, tr("measuring"), bytes_=False)

    def _do(self, work: Callable[[Progress], str], words: str, *, bytes_: bool) -> None:
        if self.progress is not None:
            return
        progress = self.progress = Progress(self)
        progress.moved.connect(partial(self._moved, words=words, bytes_=bytes_))
        self._show_busy(True)
        self._bar.set_unknown()
        self.said.setText(words)

        def done(said: str) -> None:
            self._end()
            self.settled.emit(said)

        def failed(error: KnownError) -> None:
            self._end()
            self.failed.emit(error)

        def cancelled() -> None:
            self._end()
            self.settled.emit(tr("Cancelled; the next download continues"))

        self._thread.run(
            lambda _: work(progress),
            owner=self,
            done=done,
            failed=failed,
            cancelled=cancelled,
            progress=progress,
        )

    def _moved(self, done: int, total: int, *, words: str, bytes_: bool) -> None:
        if self.progress is None or not total:
            return
        self._bar.set_parts((done / total, "accent"))
        if bytes_:
            done, total = round(done / _MB), round(total / _MB)
            words = tr("{words}, {done} of {total} MB", words=words, done=done, total=total)
        self.said.setText(words)

    def _cancel(self) -> None:
        if self.progress is not None:
            self.progress.cancel()
            self.said.setText(tr("stopping"))

    def _end(self) -> None:
        self.progress = None
        self._show_busy(False)
        self.look()

    def _show_busy(self, busy: bool) -> None:
        held = self._holds_keyboard()
        ours, others = (self._bar, self.said, self.cancel), (self.add, self.measure)
        for part in ours if busy else others:
            part.setVisible(True)
        if held:
            # When a focused widget is hidden, Qt moves the focus to the window's first button.
            (self.cancel if busy else self.measure).setFocus()
        for part in others if busy else ours:
            part.setVisible(False)
        for line in self.lines.values():
            line.act.setEnabled(not busy)

    def _holds_keyboard(self) -> bool:
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def _show(self, found: tuple[ListedCheckpoint, ...]) -> None:
        self.models = found
        focus = self.window().focusWidget()
        held = next((name for name, line in self.lines.items() if line.act is focus), None)
        if held is not None:
            self.add.setFocus()
        for line in self.lines.values():
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines = {}
        for at, one in enumerate(found):
            line = CheckpointLine(one)
            line.act.clicked.connect(partial(self._act, one))
            line.act.setEnabled(self.progress is None)
            self.lines[one.name] = line
            self._column.insertWidget(at, line)
        acts = [line.act for line in self.lines.values()]
        # New lines would be last in the tab order, but they are above these buttons.
        for before, after in pairwise((self.add, *acts, self.add, self.measure, self.cancel)):
            QWidget.setTabOrder(before, after)
        if held in self.lines and not self.lines[held].act.isHidden():
            self.lines[held].act.setFocus()

    def _act(self, one: ListedCheckpoint) -> None:
        if one.found is not None and not one.found.problem:
            self.use(one.name)
        else:
            self.get(one.name)

    def _pick(self) -> None:
        file_dialog(self, tr("A checkpoint of SAM 2"), "checkpoint", self.add_file).open()


class CheckpointLine(WidgetRow):
    """One checkpoint: name, size, and Get, Use or "in use"."""

    def __init__(self, one: ListedCheckpoint) -> None:
        self.name = one.name
        self.facts = ElidedLabel(_facts(one), FACTS, ink="text2")
        self.facts.setFixedWidth(_FACTS)
        name = ElidedLabel(one.name, BODY, 600)
        name.setFixedWidth(_NAME)
        here = one.found is not None and not one.found.problem
        self.act = Button(tr("Use") if here else tr("Get"), "" if here else "download", size="s")
        self.act.setAccessibleName(
            tr("Use {name}", name=one.name) if here else tr("Get {name}", name=one.name)
        )
        self.act.setVisible(not one.used and (here or one.published is not None))
        chips: list[QWidget] = []
        if one.used:
            chips.append(Chip(tr("In use"), "chosen", "check"))
        if one.published is None:
            chips.append(Chip(tr("Unlisted")))
        if one.suggested:
            chips.append(Chip(tr("Suits this computer")))
        if one.found is not None and one.found.problem:
            chips.append(ElidedLabel(one.found.problem, CAPTION, ink="mismatch"))
        super().__init__(name, self.facts, self.act, *chips, None, gap=12, height=26)

    def words(self) -> str:
        """Returns the text of the line for a screen reader."""
        return f"{self.name}: {self.facts.text()}"


def _facts(one: ListedCheckpoint) -> str:
    told = []
    if one.published is not None:
        told.append(tr("{size} MB", size=round(one.published.size / _MB)))
        told.append(tr("{memory} GB of memory", memory=f"{one.published.memory / 1000:.1f}"))
    if one.measured is not None:
        told.append(tr("{seconds} s a screen", seconds=f"{one.measured.embed:.1f}"))
    return ", ".join(told)
