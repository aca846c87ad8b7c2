"""Imports data sets, the sample and predictions into the library of the Episodes page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from episodes.store.library import Library
from replay.dialect import Declared
from taptrail.gui import icons
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.components.messages import EPISODES_DONE, ErrorBand
from taptrail.gui.episodes.import_bar import ImportBar, ImportOutcome
from taptrail.gui.remedies import window_words
from taptrail.gui.work import WorkThread
from taptrail.usecases import episode_list, importing, prediction_files, predictions, sample
from taptrail.words import tr


class ImportController(QObject):
    """Asks what to import, and imports it; `imports` shows progress."""

    def __init__(
        self,
        folder: Path,
        reader: WorkThread[Library],
        imports: ImportBar,
        error: ErrorBand,
        window: QWidget,
    ) -> None:
        """`window` is the parent of dialogs and menus."""
        super().__init__(window)
        self._folder, self._reader = folder, reader
        self.imports, self._error, self._window = imports, error, window
        imports.form.wanted.connect(self.import_predictions)

    def import_folder(self, format_name: str, path: Path) -> None:
        """Imports a data set."""
        self._error.hide()
        title = tr("Importing {name}", name=title_of(format_name))

        def outcome(result: importing.ImportResult) -> ImportOutcome:
            words = [
                tr("1 episode", "{n} episodes", n=result.episodes),
                tr("1 step", "{n} steps", n=result.steps),
            ]
            if result.missing_screens:
                words.append(
                    tr("1 picture missing", "{n} pictures missing", n=result.missing_screens)
                )
            if result.unchanged:
                words.append(tr("1 was here before", "{n} were here before", n=result.unchanged))
            text = tr("Imported {name}: {what}", name=path.name, what=", ".join(words))
            refused = tuple((r.where, r.reason, r.count) for r in result.refused)
            return ImportOutcome(text, refused, result.episodes > 0)

        self.imports.run(
            title,
            EPISODES_DONE,
            lambda progress: importing.import_episodes(
                format_name, path, self._folder, on_progress=progress
            ),
            outcome,
        )

    def open_sample(self) -> None:
        """Imports the sample into this library: episodes of several people, and two runs."""
        self._error.hide()

        def outcome(found: sample.SampleLibrary) -> ImportOutcome:
            words = tr(
                "1 episode, and the runs {runs}. Choose one and open it in Review.",
                "{n} episodes, and the runs {runs}. Choose one and open it in Review.",
                n=found.imported.episodes,
                runs=" and ".join(found.runs),
            )
            return ImportOutcome(tr("The sample is here: {what}", what=words), (), True)

        self.imports.run(
            tr("Opening the sample"),
            EPISODES_DONE,
            lambda progress: sample.open_sample(self._folder, progress),
            outcome,
        )

    def import_predictions(
        self,
        file: Path,
        dialect: str,
        run: str,
        declared: Declared = predictions.NOTHING_SAID,
    ) -> None:
        """Imports a model's predictions as a run."""

        def outcome(result: predictions.ImportedRun) -> ImportOutcome:
            counts = result.counts
            words = [
                tr(
                    "{joined} of {read} joined",
                    joined=f"{counts.joined:,}",
                    read=f"{counts.read:,}",
                )
            ]
            for count, one, many in (
                (counts.missing, "1 step without prediction", "{n} steps without prediction"),
                (counts.unreadable, "1 unreadable", "{n} unreadable"),
            ):
                if count:
                    words.append(tr(one, many, n=count))
            strays = (
                (run, tr("no such episode or step"), counts.surplus),
                (run, tr("a second prediction for a step"), counts.doubled),
            )
            text = tr("Run {name}: {what}", name=run, what=", ".join(words))
            left_out = tuple(stray for stray in strays if stray[2])
            told = f"{text}. {window_words(result.nothing)}" if result.nothing else text
            return ImportOutcome(told, left_out, not result.nothing)

        self.imports.run(
            tr("Importing the run {name}", name=run),
            EPISODES_DONE,
            lambda progress: predictions.import_predictions(
                (file,),
                run,
                self._folder,
                dialect=dialect,
                declared=declared,
                on_progress=progress,
            ),
            outcome,
            again=self.imports.form.ask_again,
        )

    def take(self, path: Path) -> None:
        """Imports a dropped file of predictions or a dropped data set folder."""
        if path.suffix:
            self.ask_predictions(path)
        else:
            self._reader.run(
                lambda _: episode_list.format_at(path),
                owner=self,
                done=lambda name: self.import_folder(name, path),
                failed=self._error.tell,
            )

    def show_menu(self, below: QWidget) -> None:
        """Opens the import menu below a button."""
        menu = QMenu(self._window)
        for name, title in episode_list.formats_there_are():
            action = menu.addAction(icons.icon("import"), tr("{name}…", name=title))
            action.triggered.connect(lambda _=False, n=name: self._pick_folder(n))
        menu.addSeparator()
        action = menu.addAction(icons.icon("file-chart-outline"), tr("Predictions file…"))
        action.triggered.connect(self.pick_predictions)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(below.mapToGlobal(QPoint(0, below.height() + 4)))

    def _pick_folder(self, format_name: str) -> None:
        file_dialog(
            self._window,
            tr("Folder to import"),
            "import",
            lambda path: self.import_folder(format_name, Path(path)),
            QFileDialog.FileMode.Directory,
        ).open()

    def pick_predictions(self) -> None:
        """Asks for a file of predictions to import."""
        dialog = file_dialog(
            self._window,
            tr("File of predictions"),
            "predictions",
            lambda path: self.ask_predictions(Path(path)),
            QFileDialog.FileMode.ExistingFile,
        )
        dialog.setNameFilter(tr("Predictions (*.json *.jsonl)"))
        dialog.open()

    def ask_predictions(self, file: Path) -> None:
        """Asks for the import options of a file of predictions."""
        self.imports.form.ask(file, predictions.dialects_there_are())
        self._reader.run(
            lambda _: prediction_files.dialects_that_read(file),
            owner=self,
            done=lambda names: self.imports.form.suggest(file, names),
            failed=self._error.tell,
        )


def dropped_path(event: QDropEvent) -> Path | None:
    """Returns the dragged local file or folder."""
    urls = [url for url in event.mimeData().urls() if url.isLocalFile()]
    return Path(urls[0].toLocalFile()) if urls else None


def title_of(format_name: str) -> str:
    """Returns the title of a format."""
    return dict(episode_list.formats_there_are()).get(format_name, format_name)
