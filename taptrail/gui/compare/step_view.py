"""Shows a differing step: its screen with the gold action and the answers of the runs."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from episodes.errors import KnownError
from episodes.screens import Still
from episodes.store.library import Library
from replay.comparison import Comparison, ComparisonRow
from taptrail.gui.components.chip import Letter
from taptrail.gui.components.frame_view import FrameView
from taptrail.gui.components.labels import WrappedLabel
from taptrail.gui.components.panel import Panel
from taptrail.gui.components.panel import WidgetRow as Line
from taptrail.gui.fonts import BODY, FACTS
from taptrail.gui.review import texts
from taptrail.gui.review.columns import RunAnswer
from taptrail.gui.review.painting import MarkUnderlay, marked, words
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.usecases import reviewing
from taptrail.words import tr

_PAUSE_MS = 80
"""A person who walks down the list wants the step where they stop."""


class ComparedStep(Panel):
    """Shows one step at a time; reads files on the thread."""

    def __init__(self, thread: WorkThread[Library], pictures: Pictures) -> None:
        super().__init__(tr("The step"))
        self._thread, self._pictures = thread, pictures
        self._runs: tuple[tuple[str, str], ...] = ()
        self._wanted: reviewing.Place | None = None
        self._comparison: Comparison | None = None
        self._opened: reviewing.OpenEpisode | None = None
        self._still: Still | None = None
        self._place: reviewing.Place | None = None
        self._shown: list[RunAnswer] = []
        self.frame = FrameView(tr("Screen of the step"), margin=12)
        self.frame.setMinimumWidth(140)
        self._task = WrappedLabel(BODY)
        self._said = QWidget()
        self._lines = QVBoxLayout(self._said)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(8)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        pictures.ready.connect(self._ready)
        self._lay()

    def _lay(self) -> None:
        beside = QVBoxLayout()
        beside.setContentsMargins(0, 16, 16, 12)
        beside.setSpacing(12)
        beside.addWidget(self._task)
        beside.addWidget(self._said)
        beside.addStretch(1)
        whole = QWidget()
        across = QHBoxLayout(whole)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.frame, 2)
        across.addLayout(beside, 3)
        self.add(whole)

    def turn(self, row: ComparisonRow | None, comparison: Comparison | None) -> None:
        """Shows a step of a comparison, or none."""
        self._wanted = row.place if row is not None and not row.any.derived else None
        letters: dict[str, str] = {}
        for judged in comparison.sides if comparison is not None else ():
            letters.setdefault(judged.side.run.name, judged.side.letter)
        self._runs = tuple((letter, name) for name, letter in letters.items())
        if comparison is not self._comparison:
            self._comparison, self._opened = comparison, None
        if self._wanted is None:
            self._pause.stop()
            self._show_nothing()
        else:
            self._pause.start()

    def shown(self) -> reviewing.Place | None:
        """Returns the shown step, or None."""
        return self._place

    def lines(self) -> list[str]:
        """Returns the texts beside the screen, gold first."""
        return [one.words for one in self._shown]

    def _ask(self) -> None:
        wanted = self._wanted
        if wanted is None:
            return
        uuid, names = wanted[0], tuple(name for _, name in self._runs)

        def done(opened: reviewing.OpenEpisode) -> None:
            if wanted == self._wanted:
                self._show(opened, wanted[1])

        def failed(error: KnownError) -> None:
            if wanted == self._wanted:
                self._show_nothing(error.found)

        if self._opened is not None and self._opened.episode.uuid == uuid:
            self._show(self._opened, wanted[1])
            return
        self._thread.run(
            lambda library: reviewing.open_episode(library, uuid, names),
            owner=self,
            done=done,
            failed=failed,
            next_up=True,
        )

    def _show(self, opened: reviewing.OpenEpisode, index: int) -> None:
        self._opened, self._place = opened, (opened.episode.uuid, index)
        episode = opened.episode
        step = next((one for one in episode.steps if one.index == index), None)
        if step is None:
            self._show_nothing(tr("The step is no longer in the library"))
            return
        shown = texts.shown(episode, step)
        runs: list[tuple[str, str, texts.Answer | None]] = [
            (letter, name, texts.answer(opened, step, name, {}, None))
            for letter, name in self._runs
            if name in opened.predictions
        ]
        said = texts.said(episode, step, "", runs)
        self._task.set_text(episode.task.instruction)
        self._say(said)
        self.frame.show_frame(shown.size, shown.dp, shown.missing, protected=shown.protected)
        ground = MarkUnderlay(region=shown.region)
        self.frame.show_marks(
            marked([(one.who, one.action) for one in said], ground), words(ground)
        )
        self._still = step.still
        self._show_picture()

    def _show_nothing(self, why: str = "") -> None:
        self._still = self._place = None
        self._task.set_text("")
        self._say([])
        self.frame.show_frame(None, 1.0, why)
        self.frame.show_marks(None)

    def _say(self, said: list[RunAnswer]) -> None:
        self._shown = said
        while (item := self._lines.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for one in said:
            text = WrappedLabel(FACTS)
            text.set_text(one.words)
            line = Line(Letter(one.who, one.name), text, gap=8)
            line.row.setStretch(1, 1)
            self._lines.addWidget(line)

    def _ready(self, sha256: str) -> None:
        if self._still is not None and self._still.sha256 == sha256:
            self._show_picture()

    def _show_picture(self) -> None:
        if self._still is None:
            return
        image = self._pictures.get(self._still, next_up=True)
        gone = self._pictures.missing(self._still)
        self.frame.show_image(image, tr("The picture is not in the library") if gone else "")
