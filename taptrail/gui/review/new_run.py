"""The bar in which a person asks a model about the library's steps and watches the answers come."""

from __future__ import annotations

import contextlib
import os
import time
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage, QIntValidator, QPixmap
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from episodes.errors import KnownError
from episodes.store.library import Library
from episodes.visible_text import visible_text
from replay.asking.answers_file import StoredAnswer
from replay.asking.recipe import Recipe, load_recipe
from replay.asking.runner import Spending
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.dialogs import file_dialog
from taptrail.gui.components.fields import FormField
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import ErrorBand, JobBar
from taptrail.gui.components.panel import Icon, Panel, WidgetRow
from taptrail.gui.fonts import CAPTION, FACTS
from taptrail.gui.work import JobCancelled, Progress, Relay, WorkThread
from taptrail.settings import API_KEY
from taptrail.usecases.predicting import ModelServer, PredictionRun, Selection, goes_out, predict
from taptrail.words import tr

CARDS = 4
"""So many first answers are shown beside their screens."""
_CARD_HEIGHT = 132
STEPS_DONE = ("{done} of 1 step", "{done} of {n} steps")
_HEIGHT = 40


class AnswerCard(QWidget):
    """One of the first answers of a run, beside the screen that the model was asked about."""

    def __init__(self, answer: StoredAnswer, screen: QImage) -> None:
        super().__init__()
        picture = QLabel()
        picture.setPixmap(QPixmap.fromImage(screen))
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        place = f"{answer.episode}/{answer.step}"
        tokens = (
            tr("{ended} · {tokens_out:,} tokens", ended=_ended(answer), tokens_out=answer.tokens[1])
            if answer.tokens is not None
            else _ended(answer)
        )
        words = label(" ".join(answer.raw[:300].split()), FACTS, mono=True, wrap=True)
        words.setAlignment(Qt.AlignmentFlag.AlignTop)
        words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        beside = QVBoxLayout()
        beside.setSpacing(2)
        beside.addWidget(ElidedLabel(place, CAPTION, 600))
        beside.addWidget(words, 1)
        beside.addWidget(ElidedLabel(tokens, CAPTION, ink="text2"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(picture)
        row.addLayout(beside, 1)
        self.setFixedHeight(_CARD_HEIGHT)
        self.setAccessibleName(f"{place}: {words.text()}")


def _ended(answer: StoredAnswer) -> str:
    return tr(str(answer.ended).replace("_", " "))


def screen_of(folder: Path, selection: Selection, answer: StoredAnswer, height: int) -> QImage:
    """Returns the screen of an answered step, scaled to a height. Takes some milliseconds.

    Raises:
        KnownError: the library or the picture cannot be read.
    """
    with Library.read(folder) as library:
        episode = library.episode(
            answer.episode, selection.dataset or None, selection.version or None
        )
        step = next(one for one in episode.steps if one.index == answer.step)
        assert step.still is not None  # a step without a picture is not asked about
        data = library.stills.read(step.still.sha256, step.still.media_type)
    return QImage.fromData(data).scaledToHeight(height, Qt.TransformationMode.SmoothTransformation)


class NewRunBar(Panel):
    """Signals:
    made: a run has answers: its name, and the uuid of the first episode that was answered.
    """

    made = Signal(str, str)

    def __init__(self) -> None:
        super().__init__(tr("New run"))
        self._thread: WorkThread[None] | None = None
        self._progress: Progress | None = None
        self._recipe: Path | None = None
        self._wanted: tuple[Path, Recipe, str, ModelServer, Selection] | None = None
        self._began = 0.0
        self._relay = Relay(self)
        self._relay.newest.connect(self._show_answer)
        self._relay.came.connect(self._show_card)
        self._spending = Spending()
        self.error = ErrorBand()
        self._form, self._consent = self._make_form(), self._make_consent()
        self.job = JobBar()
        self.job.cancelled.connect(self.cancel)
        self._rate, self._newest = ElidedLabel("", FACTS), ElidedLabel("", FACTS)
        self._rate.setFixedWidth(420)
        self._answers = WidgetRow(self._rate, self._newest, height=28, margins=(37, 0, 12, 4))
        self._answers.row.setStretch(1, 1)
        self._cards = WidgetRow(gap=16, height=_CARD_HEIGHT + 8, margins=(37, 0, 12, 8))
        self._words = ElidedLabel("", FACTS)
        close = Button("", "close", kind=QUIET, size="s", tip=tr("Close the message"))
        icon = Icon("check-circle", 17, "match")
        self._done = WidgetRow(icon, self._words, close, height=44, margins=(12, 1, 12, 0))
        self._done.row.setStretch(1, 1)
        close.clicked.connect(self._done.hide)
        self.add(self.error, self._form, self._consent, self.job, self._answers, self._cards)
        self.add(self._done)
        for part in (self._form, self._consent, self._answers, self._cards, self._done):
            part.hide()

    def _make_form(self) -> QWidget:
        self.choose = Button(tr("Recipe…"), "file-outline", size="s")
        self.choose.clicked.connect(self._choose)
        self.model = FormField(
            tr("Address of the server, or module:function"), "http://127.0.0.1:8000/v1"
        )
        self.name = FormField(tr("Name of the run"), tr("Name of the run"))
        self.limit = FormField(tr("Maximum number of steps"), tr("all steps"))
        self.limit.setValidator(QIntValidator(1, 10_000_000, self.limit))
        self.price = FormField(tr("Price of a million tokens: in, out"), tr("price in, out"))
        self.name.setMaximumWidth(200)
        self.price.setMaximumWidth(120)
        self.limit.setMaximumWidth(96)
        self.start = Button(tr("Ask"), kind=MAIN, size="s")
        self.start.clicked.connect(self.ask)
        away = Button(tr("Cancel"), size="s")
        form = WidgetRow(
            Icon("robot-outline", 17, "accent"),
            *(self.choose, self.model, self.name, self.limit, self.price, self.start, away),
            height=_HEIGHT,
            margins=(12, 4, 12, 0),
        )
        form.row.setStretch(2, 1)
        away.clicked.connect(form.hide)
        for line in (self.model, self.name, self.limit, self.price):
            line.done.connect(self.ask)
            line.left.connect(form.hide)
        return form

    def _make_consent(self) -> QWidget:
        self._host = ElidedLabel("", FACTS)
        self.agree = Button("", kind=MAIN, size="s")
        self.agree.clicked.connect(self._send)
        refuse = Button(tr("Do not send"), size="s")
        consent = WidgetRow(
            Icon("shield-lock-outline", 17, "accent"),
            *(self._host, self.agree, refuse),
            height=_HEIGHT,
            margins=(12, 4, 12, 0),
        )
        consent.row.setStretch(1, 1)
        refuse.clicked.connect(self._refuse)
        return consent

    def open(self) -> None:
        """Opens the form, unless a model is being asked."""
        if self._progress is None:
            self._done.hide()
            self.error.hide()
            self._consent.hide()
            self._form.show()
            QTimer.singleShot(0, self.choose.setFocus)

    def use_recipe(self, file: Path) -> None:
        """Takes a recipe file, and its name for the run where none is written yet."""
        self._recipe = file
        self.choose.set_words(file.name)
        if not self.name.text():
            self.name.setText(file.stem)

    def use_folder(self, folder: Path) -> None:
        """Sets the folder of the library that is asked about."""
        self._folder = folder

    def ask(self) -> None:
        """Asks the model, after consent where pictures would leave this network."""
        model, name = self.model.text().strip(), self.name.text().strip()
        prices = _prices(self.price.text())
        needed = (self.model, not model), (self.name, not name), (self.price, prices is None)
        for line, wrong in needed:
            line.say_wrong(wrong=wrong)
        if self._recipe is None or any(wrong for _, wrong in needed) or self._progress is not None:
            return
        assert prices is not None
        self._spending = Spending(*prices)
        limit = int(self.limit.text()) if self.limit.hasAcceptableInput() else None
        web = "://" in model
        key = os.environ.get(API_KEY, "")
        self.error.hide()
        try:
            server = ModelServer(model if web else "", "" if web else model, key)
            host = goes_out(server)
            recipe = load_recipe(self._recipe)
        except KnownError as error:
            self.error.tell(error)
            return
        server = ModelServer(server.endpoint, server.function, key, host)
        self._wanted = (self._folder, recipe, name, server, Selection(limit=limit))
        self._form.hide()
        if host:
            self._host.set_text(
                tr("Screenshots would leave this network for {host}.", host=visible_text(host))
            )
            self.agree.set_words(tr("Send to {host}", host=visible_text(host)))
            self._consent.show()
        else:
            self._send()

    def cancel(self) -> None:
        """Ends the asking after the requests under way; the answers so far become the run."""
        if self._progress is not None:
            self._progress.cancel()

    def stop(self, patience: float) -> None:
        """Ends the asking and its thread. Answers so far are kept for the next time."""
        if self._thread is not None:
            self._thread.stop(patience)

    def words(self) -> str:
        """Returns what is said of the last run; "" while nothing is."""
        if self.error.isVisibleTo(self):
            return self.error.text()
        return self._words.text() if self._done.isVisibleTo(self) else ""

    def cost(self) -> str:
        """Returns the rate, tokens and money so far."""
        return self._rate.text()

    def newest(self) -> str:
        """Returns what is said of the newest answer."""
        return self._newest.text()

    def _refuse(self) -> None:
        self._wanted = None
        self._consent.hide()
        self._form.show()

    def _choose(self) -> None:
        file_dialog(
            self,
            tr("Choose a recipe"),
            "recipe",
            lambda path: self.use_recipe(Path(path)),
            QFileDialog.FileMode.ExistingFile,
        ).open()

    def _send(self) -> None:
        if self._wanted is None:
            return
        folder, recipe, name, server, selection = self._wanted
        self._wanted = None
        self._consent.hide()
        progress = Progress(self)
        progress.moved.connect(self.job.moved)
        progress.moved.connect(self._show_rate)
        self._progress, self._began = progress, time.monotonic()
        self._rate.set_text("")
        self._newest.set_text("")
        self._answers.show()
        while (old := self._cards.row.takeAt(0)) is not None:
            if (card := old.widget()) is not None:
                card.deleteLater()
        spending, numbers = self._spending, count()
        self.job.begin(tr("Asking {name}", name=visible_text(name)), STEPS_DONE, "robot-outline")
        if self._thread is None:
            self._thread = WorkThread("asking", lambda: None)

        def moved(done: int, total: int | None) -> None:
            with contextlib.suppress(JobCancelled):  # a cancelled run still becomes a run
                progress(done, total)

        def answered(answer: StoredAnswer) -> None:
            """On a thread of the asking."""
            self._relay.put(answer)
            if next(numbers) < CARDS:
                with contextlib.suppress(KnownError):  # the run goes on without its card
                    screen = screen_of(folder, selection, answer, _CARD_HEIGHT)
                    self._relay.send((answer, screen))

        def work(_: None) -> tuple[PredictionRun, str]:
            done = predict(
                recipe,
                folder,
                name,
                server,
                selection,
                probe_first=bool(server.endpoint),
                cancelled=progress.is_cancelled,
                on_progress=moved,
                on_answer=answered,
                spending=spending,
            )
            if done.imported is None:
                return done, ""
            run, first = done.imported.run, done.outcome.answers[0]
            with Library.read(folder) as library:
                episode = library.episode(first.episode, run.dataset, run.dataset_version)
            return done, episode.uuid

        self._thread.run(
            work,
            owner=self,
            done=lambda found: self._finished(name, *found),
            failed=self._failed,
            progress=progress,
        )

    def _show_rate(self, done: int, total: int) -> None:
        taken = time.monotonic() - self._began
        if done and taken > 0:
            parts = [tr("Steps a second: {rate}", rate=f"{done / taken:.1f}")]
            spent = self._spending
            if spent.tokens_in or spent.tokens_out:
                parts.append(
                    tr(
                        "tokens: {tokens_in:,} in, {tokens_out:,} out",
                        tokens_in=spent.tokens_in,
                        tokens_out=spent.tokens_out,
                    )
                )
            if spent.money:
                parts.append(tr("money: {money}", money=f"{spent.money:.2f}"))
            self._rate.set_text(" · ".join(parts))

    def _show_answer(self, answer: StoredAnswer) -> None:
        words = " ".join(visible_text(answer.raw[:300]).split())
        self._newest.set_text(f"{visible_text(answer.episode)}/{answer.step}: {words}")

    def _show_card(self, shown: tuple[StoredAnswer, QImage]) -> None:
        if self._progress is not None:
            self._cards.row.addWidget(AnswerCard(*shown), 1)
            self._cards.show()

    def _finished(self, name: str, done: PredictionRun, uuid: str) -> None:
        self._end()
        said = done.summary
        parts = [
            tr(
                "{name}: {some} of 1 step answered",
                "{name}: {some} of {n} steps answered",
                n=said["steps"],
                some=said["answers"],
                name=visible_text(name),
            )
        ]
        if said["failed"]:
            parts.append(tr("{count} failed", count=said["failed"]))
            parts.append(visible_text(done.outcome.failures[0].reason))
        if said["stopped"]:
            parts.append(tr("stopped: {why}", why=visible_text(said["stopped"])))
        self._words.set_text(" · ".join(parts))
        self._done.show()
        if uuid:
            self.made.emit(name, uuid)

    def _failed(self, error: KnownError) -> None:
        self._end()
        self._form.show()
        self.error.tell(error)

    def _end(self) -> None:
        self._progress = None
        self.job.hide()
        self._answers.hide()
        self._cards.hide()


def _prices(text: str) -> tuple[float, float] | None:
    """Returns two prices "0.2, 0.6"; zeros for no text, None for another one."""
    if not text.strip():
        return 0.0, 0.0
    parts = text.replace(";", ",").split(",") if "," in text else text.split()
    try:
        tokens_in, tokens_out = (float(part) for part in parts)
    except ValueError:
        return None
    return (tokens_in, tokens_out) if min(tokens_in, tokens_out) >= 0 else None
