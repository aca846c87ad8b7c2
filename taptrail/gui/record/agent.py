"""Left panel of Record: lets a model do the task; shows what it says and is about to do."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from agents.attempt import AttemptEnd, Progress
from agents.stopping import Limits, StopWord
from episodes import actions as a
from episodes.episodes import Task
from episodes.errors import KnownError
from episodes.geometry import Box, Point
from taptrail.gui.commands import key
from taptrail.gui.components.button import DANGER, Button
from taptrail.gui.components.fields import FormField
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Section, section_head
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.gui.phrases import action_words, sentence
from taptrail.usecases.agent_runs import AgentOptions
from taptrail.usecases.live_agent import HOLD_S, LiveAgent
from taptrail.usecases.predicting import ModelServer, goes_out, recipe_of
from taptrail.words import tr

LONGEST_WORDS = 600
_AROUND = 0.045
"""Half the side of the box around an act that is about to happen, in widths of the screen."""


class AgentPanel(Section):
    """The form before a recording, and the model's words during one.

    Attributes:
        hold_s: how long an act is drawn on the mirror before it is done.

    Signals:
        asked: the person wants the model to do the task.
        stopped, taken: the person stops the model, or takes over.
        about: the box of the act that is about to happen, in pixels of the frame; None for none.
    """

    asked = Signal()
    stopped = Signal()
    taken = Signal()
    about = Signal(object)

    def __init__(self) -> None:
        super().__init__(section_head(tr("Model"), None, icon="robot-outline"))
        self.recipe = FormField(tr("Recipe"), tr("Recipe file, or a dialect such as qwen3vl"))
        self.model = FormField(tr("Model"), tr("Name of the model at the server"))
        self.address = FormField(tr("Address"), "http://127.0.0.1:8000/v1")
        self.loop = QComboBox()
        self.loop.setFont(font(FACTS))
        self.loop.setAccessibleName(tr("Loop"))
        for name, words in (
            ("plain", tr("Sees the screen")),
            ("summary", tr("Sees the screen, and compares before and after")),
            ("text", tr("Reads the list of elements")),
        ):
            self.loop.addItem(words, name)
        self._go = Button(tr("Let the model do it"), "robot-outline", key=key("let-model"))
        self._go.clicked.connect(self.asked)
        self._form = QWidget()
        column = QVBoxLayout(self._form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self.recipe, self.model, self.address, self.loop, self._go):
            column.addWidget(part)
        self._turn = label("", CAPTION, tone="3", wrap=True)
        self._says = label("", BODY, wrap=True, selectable=True)
        self._acts = label("", BODY, 500, wrap=True)
        self._stop = Button(tr("Stop the model"), "stop", kind=DANGER, key=key("stop-model"))
        self._take = Button(tr("Take over"), "hand-back-right-outline", key=key("take-over"))
        self._stop.clicked.connect(self.stopped)
        self._take.clicked.connect(self.taken)
        self._live = QWidget()
        live = QVBoxLayout(self._live)
        live.setContentsMargins(0, 0, 0, 0)
        live.setSpacing(8)
        for shown in (self._turn, self._says, self._acts, self._take, self._stop):
            live.addWidget(shown)
        self._acting = 0
        self.hold_s = HOLD_S
        self._ended = label("", BODY, wrap=True)
        self._ended.hide()
        for whole in (self._ended, self._form, self._live):
            self.column.addWidget(whole)
        self.set_recording(recording=False, acting=False)

    def set_recording(self, *, recording: bool, acting: bool) -> None:
        """Shows the form before a recording, and the model's words while it acts."""
        self._form.setVisible(not recording)
        self._live.setVisible(recording and acting)
        self.setVisible(not recording or acting or bool(self._ended.text()))
        if not acting:
            self.about.emit(None)

    def begin(self) -> None:
        """Clears the words of the attempt before."""
        self._ended.setText("")
        self._ended.hide()
        for part in (self._turn, self._says, self._acts):
            part.setText("")

    def acting_in(self) -> int:
        """Returns the turn whose act is about to happen; 0 if none is."""
        return self._acting

    def show_progress(self, progress: Progress) -> None:
        """Shows what the model does now."""
        stages = {
            "looks": tr("Turn {n}: waits for the screen", n=progress.number),
            "asks": tr("Turn {n}: the model reads the screen", n=progress.number),
            "says": tr("Turn {n}: the model has answered", n=progress.number),
            "acts": tr("Turn {n}: is about to act", n=progress.number),
            "done": tr("Turn {n} is done", n=progress.number),
        }
        self._turn.setText(stages[progress.stage])
        self._acting = progress.number if progress.stage == "acts" else 0
        match progress.stage:
            case "says":
                self._says.setText(progress.text[:LONGEST_WORDS])
            case "acts":
                words = progress.text
                if progress.action is not None:
                    words = sentence(action_words(progress.action, progress.name))
                self._acts.setText(words)
                self.about.emit(_box(progress))
            case "done":
                self._acts.setText(progress.text)
                self.about.emit(None)
            case _:
                self.about.emit(None)

    def show_end(self, end: AttemptEnd) -> None:
        """Shows why the attempt ended."""
        words = {
            StopWord.TAKEN_OVER: tr("You have taken over. What you do is recorded as yours."),
            StopWord.STOPPED: tr("You stopped the model."),
            StopWord.COMPLETE: tr("The model says that the task is complete."),
            StopWord.IMPOSSIBLE: tr("The model says that the task is impossible."),
        }
        text = words.get(end.word) or tr("The attempt ended: {why}.", why=end.word.value)
        self._ended.setText(f"{text} {end.reason}".strip())
        self._ended.show()

    def agent(self, task: Task, relay: AgentRelay) -> LiveAgent:
        """Returns a model for this task, by what the form says.

        Raises:
            KnownError: the recipe cannot be read, or pictures would leave this network.
        """
        address = self.address.text().strip() or self.address.placeholderText()
        server = ModelServer(address)
        host = goes_out(server)
        if host:
            raise KnownError(
                tr("let a model act"),
                tr("screenshots would leave this network for {host}", host=host),
                tr("Use a server in this network, or the command line."),
            )
        loop = str(self.loop.currentData())
        name = self.recipe.text().strip() or "qwen3vl"
        recipe = recipe_of(name, relay.folder, self.model.text().strip(), text=loop == "text")
        options = AgentOptions(
            self.model.text().strip() or recipe.name,
            loop=loop,
            limits=Limits(),
            all_apps=True,
            hold_s=self.hold_s,
        )
        return LiveAgent(task, recipe, server, options, relay.progress.emit, relay.ended.emit)


class AgentRelay(QObject):
    """Carries what the model does from its thread to the window's.

    Signals:
        progress: a `Progress`.
        ended: an `AttemptEnd`, or a KnownError.
    """

    progress = Signal(object)
    ended = Signal(object)

    def __init__(self, folder: Path, parent: QObject) -> None:
        """Args: folder: of the library, whose runs name recipes."""
        super().__init__(parent)
        self.folder = folder


def _box(progress: Progress) -> Box | None:
    point = None if progress.action is None else a.place(progress.action)
    if not isinstance(point, Point) or progress.frame_size is None:
        return None
    half = progress.frame_size.width * _AROUND
    return Box(point.x - half, point.y - half, point.x + half, point.y + half)
