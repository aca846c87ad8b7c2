"""Writes reports from Review: the menu of formats, the progress, and the result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QUrl
from PySide6.QtGui import QDesktopServices, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QVBoxLayout, QWidget

from episodes.errors import KnownError
from episodes.store.library import Library
from taptrail.gui import icons, theme
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.components.labels import ElidedLabel
from taptrail.gui.components.messages import EPISODES_DONE, ErrorBand, JobBar
from taptrail.gui.components.panel import Icon, WidgetRow
from taptrail.gui.fonts import FACTS
from taptrail.gui.work import Progress, WorkThread
from taptrail.usecases.report_files import ReportOptions, WrittenReport, write_report
from taptrail.words import tr

PAGE, CSV, MARKDOWN, LATEX = "page", "csv", "markdown", "latex"
KINDS = (PAGE, CSV, MARKDOWN, LATEX)
_ENDINGS = {PAGE: ".html", CSV: "", MARKDOWN: ".md", LATEX: ".tex"}


class ReportBar(QWidget):
    """A bar that is shown while a report is written, and with its result."""

    def __init__(self, thread: WorkThread[Library]) -> None:
        super().__init__()
        self._thread = thread
        self._progress: Progress | None = None
        self._file: Path | None = None
        self.opens: Callable[[QUrl], object] = QDesktopServices.openUrl
        self.job = JobBar()
        self.job.cancelled.connect(self.cancel)
        self.error = ErrorBand()
        self._words = ElidedLabel("", FACTS)
        self.open = Button(tr("Open"), "file-chart-outline", size="s")
        self.open.clicked.connect(lambda: self._show(whole=True))
        self.folder = Button(tr("Show in its folder"), size="s")
        self.folder.clicked.connect(lambda: self._show(whole=False))
        close = Button("", "close", kind=QUIET, size="s", tip=tr("Close the message"))
        icon = Icon("check-circle", 17, "match")
        self._done = WidgetRow(
            icon, self._words, self.open, self.folder, close, height=44, margins=(12, 1, 12, 0)
        )
        self._done.row.setStretch(1, 1)
        close.clicked.connect(self._done.hide)
        self._done.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.error, self.job, self._done):
            column.addWidget(part)

    def menu(self, button: QWidget, runs: list[str], protocol: str) -> QMenu:
        """Returns the menu of reports for these runs."""
        menu = QMenu(button)
        words = {
            PAGE: tr("One HTML page…"),
            CSV: tr("Tables as CSV files…"),
            MARKDOWN: tr("Tables as Markdown…"),
            LATEX: tr("Tables as LaTeX…"),
        }
        for kind in KINDS:
            name = "file-chart-outline" if kind == PAGE else "file-document-outline"
            action = menu.addAction(icons.icon(name), words[kind])
            action.triggered.connect(lambda _=False, k=kind: self._ask(k, runs, protocol))
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def offer(self, button: QWidget, runs: list[str], protocol: str) -> None:
        """Opens that menu below a button."""
        menu = self.menu(button, runs, protocol)
        across = menu.sizeHint().width() - button.width()
        menu.popup(button.mapToGlobal(QPoint(-across, button.height() + 4)))

    def write(self, kind: str, path: Path, runs: list[str], protocol: str) -> None:
        """Writes a report of runs under a protocol; CSV takes a folder."""
        if self._progress is not None:
            return
        wanted = ReportOptions(
            page=path if kind == PAGE else None,
            csv=path if kind == CSV else None,
            markdown=path if kind == MARKDOWN else None,
            latex=path if kind == LATEX else None,
        )
        progress = Progress(self)
        progress.moved.connect(self.job.moved)
        self._progress = progress
        self.error.hide()
        self._done.hide()
        self.job.begin(tr("Writing {name}", name=path.name), EPISODES_DONE, "file-chart-outline")
        self._thread.run(
            lambda library: write_report(
                library.folder, runs, [protocol], wanted, on_progress=progress
            ),
            owner=self,
            done=self._written,
            failed=self._failed,
            cancelled=self._end,
            progress=progress,
        )

    def cancel(self) -> None:
        """Cancels the report; no file remains."""
        if self._progress is not None:
            self._progress.cancel()

    def words(self) -> str:
        """Returns the message about the last report; "" if there is none."""
        if self.error.isVisibleTo(self):
            return self.error.text()
        return self._words.text() if self._done.isVisibleTo(self) else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))

    def _ask(self, kind: str, runs: list[str], protocol: str) -> None:
        dialog = file_dialog(
            self,
            tr("Where to write the report"),
            "report",
            lambda path: self.write(kind, Path(path), runs, protocol),
            into=kind == CSV,
        )
        if kind == CSV:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
        else:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(_ENDINGS[kind].removeprefix("."))
            dialog.selectFile("report" + _ENDINGS[kind])
        dialog.open()

    def _written(self, written: WrittenReport) -> None:
        self._end()
        self._file = written.files[0][0]
        left_out = written.private_steps + written.private_episodes
        parts = [
            tr("Written: {name}", name=self._file.name),
            tr(
                "{some} of 1 step shown",
                "{some} of {n} steps shown",
                n=written.found,
                some=written.shown,
            ),
            _size(sum(size for _, size in written.files)),
        ]
        if written.without_picture:
            parts.append(tr("{count} without a picture", count=written.without_picture))
        if left_out:
            parts.append(tr("{count} private left out", count=left_out))
        if self._file.suffix != ".html":
            del parts[1]
        self._words.set_text(" · ".join(parts))
        self._done.show()

    def _failed(self, error: KnownError) -> None:
        self._end()
        self.error.tell(error)

    def _end(self) -> None:
        self._progress = None
        self.job.hide()

    def _show(self, *, whole: bool) -> None:
        if self._file is not None:
            shown = self._file if whole else self._file.parent
            self.opens(QUrl.fromLocalFile(str(shown)))


def _size(count: int) -> str:
    if count < 1_000_000:
        return tr("{size} kB", size=max(1, round(count / 1000)))
    return tr("{size:.1f} MB", size=count / 1e6)
