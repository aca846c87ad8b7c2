"""The Record page: the mirror in the middle, the task at the left, the steps at the right."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic_ns

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QStackedWidget

from agents.attempt import AttemptEnd
from episodes.actions import Ending
from episodes.annotations import Author
from episodes.errors import KnownError
from episodes.screens import TreeFit
from episodes.store.library import Library
from recorder.events import Back, Copied, Health, Lost, Problem, SessionState, TreeState
from taptrail.gui import phrases
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, PLAIN, Button
from taptrail.gui.components.messages import ErrorBand
from taptrail.gui.components.panel import Panel, PanelSplitter
from taptrail.gui.components.shell import Head, Page, StatusBar
from taptrail.gui.mirror import MirrorView
from taptrail.gui.preferences import Preferences
from taptrail.gui.record.agent import AgentRelay
from taptrail.gui.record.budget import TaskBudget
from taptrail.gui.record.connect import ConnectPage
from taptrail.gui.record.device import DeviceButton
from taptrail.gui.record.finish import StepsPanel
from taptrail.gui.record.head import RecordingPill
from taptrail.gui.record.hints import kept_keys, phone_keys
from taptrail.gui.record.phones import Phones
from taptrail.gui.record.pointer import PointerLookup
from taptrail.gui.record.stage import MirrorStage
from taptrail.gui.record.status_texts import QUESTION, locked, show_status, waiting_words
from taptrail.gui.record.take import RecordingRun
from taptrail.gui.record.task import TaskPanel
from taptrail.gui.record.timeline import RecordingTimeline
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import Relay, WorkThread
from taptrail.usecases.elements import ElementUnderPointer
from taptrail.usecases.live import Connected, Desk
from taptrail.usecases.live_agent import LiveAgent
from taptrail.usecases.sample import home_picture
from taptrail.words import tr

_TICK_MS, _HEALTH_MS = 100, 1000


class RecordPlace(Page):
    """Signals:
    recorded: (name, number of steps) of the episode that just ended.
    dropped: a message that a step was removed; `restore_last` puts it back.
    given_up: (uuid, reason) of an episode that was just given up.
    discarded: uuid of an episode that was just discarded.
    annotate, review: (uuid, row of the step) to show on that page.
    doctor: the user asked for the Doctor page.
    runs: (state, time) of the recording, each second; ("", "") at its end.
    """

    recorded = Signal(str, int)
    dropped = Signal(str)
    given_up = Signal(str, str)
    discarded = Signal(str)
    annotate = Signal(str, int)
    review = Signal(str, int)
    doctor = Signal()
    runs = Signal(str, str)

    def __init__(
        self,
        desk: Desk,
        phone: WorkThread[Desk],
        frames: Relay,
        events: Relay,
        pictures: Pictures,
        naming: WorkThread[None],
        pointing: WorkThread[None],
        reader: WorkThread[Library],
        preferences: Preferences,
    ) -> None:
        """Builds the page. Args:
        frames: signals that the desk has a new frame.
        events: relays the events of mirror and session.
        naming: thread that looks up names of elements in the trees of steps.
        pointing: thread that looks up the element under the pointer.
        preferences: the settings with author, modifier and budget rule.
        """
        super().__init__("Record")
        settings = preferences.settings
        self._desk, self._mod = desk, settings.modifier.capitalize()
        self.mirror = MirrorView(settings.modifier)
        self.connect_page = ConnectPage()
        self.task = TaskPanel()
        self.steps = StepsPanel(pictures)
        self.timeline = RecordingTimeline()
        self.pill = RecordingPill()
        self.phones = Phones(phone, self.connect_page)
        author = settings.as_author() if settings.author_uuid else None
        self.take = RecordingRun(desk, phone, naming, self.steps.model, author)
        self._budget = TaskBudget(reader, preferences, self)
        self._pointing = PointerLookup(self.mirror, desk, pointing)
        self.error = ErrorBand()
        self._device = DeviceButton(self.phones, self.recording)
        self._pause = Button(tr("Pause"), "pause", key=key("pause"))
        self._begin = Button(tr("Record"), "record-circle-outline", kind=MAIN, key=key("record"))
        head = Head(tr("Record"), [self._device], [self.pill, self._pause], [self._begin])
        self.furnish(head, self._body(), StatusBar([]))
        self._connect_parts(frames, events)
        self._connect_take()
        self._acting = False
        self._connect_agent()
        self._show_state()
        naming.run(
            lambda _: QImage.fromData(home_picture()),
            owner=self,
            done=self.connect_page.picture.show_picture,
            failed=self.connect_page.error.tell,
        )

    def _body(self) -> Panel:
        self._stage = MirrorStage(self.mirror, self._desk.rotate)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.connect_page)
        self._middle.addWidget(self._stage)
        middle = Panel(tr("Phone"), "stage")
        middle.add(self.error, self._middle)
        self._split = PanelSplitter(
            Qt.Orientation.Horizontal,
            [self.task, middle, self.steps],
            [288, 0, 372],
            [200, 320, 280],
            [240, 0, 320],
        )
        whole = Panel(tr("Record"), "window")
        whole.add(self._split, self.timeline)
        whole.column.setStretch(0, 1)
        return whole

    def _connect_parts(self, frames: Relay, events: Relay) -> None:
        frames.newest.connect(lambda _: self._show_frame())
        events.came.connect(self._hear)
        self.mirror.entered.connect(self._desk.send)
        self.mirror.focused.connect(lambda _: self._show_status())
        self.connect_page.doctor.connect(self.doctor)
        self.phones.came.connect(self._phone_came)
        self.phones.gone.connect(self._phone_gone)
        self.phones.failed.connect(self.error.tell)
        self._pointing.found.connect(self._show_pointed)
        self._budget.found.connect(self.task.so_far.show_budget)
        self._budget.failed.connect(self.error.tell)
        self.steps.dropped.connect(self._desk.drop_last)
        self.steps.marked.connect(lambda: self.annotate.emit(self.take.uuid, 0))
        self.steps.reviewed.connect(lambda: self.review.emit(self.take.uuid, 0))
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._show_time)
        self._health = QTimer(self)
        self._health.setInterval(_HEALTH_MS)
        self._health.timeout.connect(lambda: self._show_health(self._desk.health()))

    def _connect_take(self) -> None:
        take = self.take
        self._begin.clicked.connect(self.begin)
        self._pause.clicked.connect(take.pause_or_go_on)
        self.task.asked.connect(self.begin)
        self.steps.finished.connect(take.finish)
        self.steps.given_up.connect(take.give_up)
        self.steps.discarded.connect(take.discard)
        self.steps.resumed.connect(self.mirror.setFocus)
        take.changed.connect(self._changed)
        take.begun.connect(self.mirror.setFocus)
        take.counted.connect(self._show_steps)
        take.dropped.connect(self.dropped)
        take.ended.connect(self._ended)
        take.given_up.connect(self.given_up)
        take.discarded.connect(self.discarded)
        take.failed.connect(self.error.tell)

    def _connect_agent(self) -> None:
        self._agents = AgentRelay(self._desk.folder, self)
        panel = self.task.agent
        panel.asked.connect(self.let_model)
        panel.stopped.connect(lambda: self._with_agent(LiveAgent.stop))
        panel.taken.connect(self.take_over)
        panel.about.connect(self._stage.outline.show_box)
        self._agents.progress.connect(panel.show_progress)
        self._agents.ended.connect(self._agent_ended)

    # --- public interface ----------------------------------------------------------------------

    def entered(self) -> None:
        """Starts polling for phones if none is connected."""
        self.phones.watch()
        if self.phones.connected is not None:
            self.mirror.setFocus()

    def episode(self) -> str:
        """Returns the uuid of the last episode recorded in this window; "" before the first."""
        return self.take.uuid

    def more_keys(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Returns the keys that the mirror sends to the phone, while it has the focus."""
        return phone_keys(self._mod) if self.mirror.hasFocus() else ()

    def takes_key(self, key: str) -> bool:
        """Returns whether a key currently goes to the phone."""
        return self.mirror.hasFocus() and self.mirror.takes(key)

    def connect_phone(self, serial: str) -> None:
        """Mirrors a phone."""
        self.phones.connect_phone(serial)

    def start_demo_phone(self) -> None:
        """Starts the demo phone and mirrors it."""
        self.phones.start_demo_phone()

    def begin(self) -> None:
        """Starts an episode with the entered task."""
        if self.phones.connected is None or self.take.running:
            return
        task = self.task.task()
        if task is None:
            self.task.ask()
            return
        self.error.hide()
        self.task.so_far.show_steps(0)
        self._budget.look_up(task.instruction)
        self.take.begin(task)

    def let_model(self) -> None:
        """Starts an episode in which a model does the entered task."""
        if self.phones.connected is None or self.take.running:
            return
        task = self.task.task()
        if task is None:
            self.task.ask()
            return
        self.error.hide()
        try:
            agent = self.task.agent.agent(task, self._agents)
        except KnownError as error:
            self.error.tell(error)
            return
        self.task.agent.begin()
        self.task.so_far.show_steps(0)
        self._budget.look_up(task.instruction)
        self._acting = True
        self.take.begin(task, agent)

    def take_over(self) -> None:
        """Takes control from the model; the recording goes on."""
        self._with_agent(LiveAgent.take_over)
        self.mirror.setFocus()

    def _with_agent(self, do: Callable[[LiveAgent], None]) -> None:
        if (agent := self._desk.agent) is not None:
            do(agent)

    def _agent_ended(self, end: AttemptEnd | KnownError) -> None:
        self._acting = False
        if isinstance(end, KnownError):
            self.error.tell(end)
        else:
            self.task.agent.show_end(end)
        self._show_state()

    def finish(self, ending: Ending, reason: str = "") -> None:
        """Ends the episode with a claimed outcome."""
        self.take.finish(ending, reason)

    def offer_task(self, words: str, category: str) -> bool:
        """Fills in a task. Returns False during a recording."""
        if self.recording():
            return False
        self.task.show_task(words, category)
        return True

    def set_author(self, author: Author) -> None:
        """Sets the author from the next episode on."""
        self.take.author = author

    def connecting(self) -> bool:
        """Returns whether a phone is being connected."""
        return self.phones.busy or self.phones.connected is None

    def recording(self) -> bool:
        """Returns whether an episode is being recorded."""
        return self.take.running

    def restore_last(self) -> None:
        """Restores the last removed step of this recording."""
        self._desk.restore_last()

    def to_ask(self) -> tuple[str, str, str]:
        """Returns the question to ask during a recording: quitting ends it for good."""
        if not self.recording():
            return "", "", ""
        question, more, button = QUESTION
        return tr(question), tr(more), tr(button)

    def leaving(self) -> None:
        """Stops the timers; the phone thread ends session and mirror."""
        self.phones.stop()
        self._pointing.stop()
        for timer in (self._tick, self._health):
            timer.stop()

    # --- events --------------------------------------------------------------------------------

    def _hear(self, event: object) -> None:
        self.take.hear(event)
        match event:
            case TreeState():
                self.task.show_tree(event)
                self._pointing.look()
            case Health():
                self._show_health(event)
            case Lost(reason):
                self.mirror.show_away(reason)
            case Copied(text):
                QGuiApplication.clipboard().setText(text)
            case Back():
                self.mirror.show_away("")
            case Problem(error):
                self.error.tell(error)

    def _phone_came(self, phone: Connected) -> None:
        self.error.settle("locked")
        if phone.locked:
            self.error.tell(locked(phone), about="locked")
        self._middle.setCurrentIndex(1)
        self._health.start()
        self._show_frame()
        self._show_state()
        self.task.edit.setFocus()

    def _phone_gone(self) -> None:
        self._health.stop()
        self.mirror.clear()
        self.mirror.show_away("")
        self.task.clear_signal()
        self._middle.setCurrentIndex(0)
        self.take.forget()
        self._show_state()
        self.entered()

    def _changed(self) -> None:
        if self.take.state in (SessionState.FINISHED, SessionState.STOPPED):
            self.mirror.setFocus()  # the task stays, so that one key records the next attempt
        self._show_state()

    def _ended(self, name: str, steps: int, unwanted: bool) -> None:
        if unwanted:
            self.steps.show_changes()
            self.timeline.track = self.take.time.track
            self.timeline.show_track()
        else:
            self.steps.show_done(name)
            self._begin.set_kind(PLAIN)  # the next action for this episode is the main button
            self.recorded.emit(name, steps)

    # --- display -------------------------------------------------------------------------------

    def _show_frame(self) -> None:
        frame = self._desk.frame()
        if frame is not None:
            self.mirror.show_frame(frame)

    def _show_state(self) -> None:
        take, connected = self.take, self.phones.connected
        running = take.running
        self.pill.show_state(take.state)
        paused = take.state is SessionState.PAUSED
        self._pause.setVisible(running)
        self._pause.setEnabled(take.state in (SessionState.RECORDING, SessionState.PAUSED))
        self._pause.set_words(tr("Go on") if paused else tr("Pause"), "play" if paused else "pause")
        self._begin.setVisible(connected is not None and not running)
        self._begin.set_kind(MAIN)
        self._device.show_phone(connected)
        for part in (self.task, self.steps, self.timeline):
            part.setVisible(connected is not None)
        self.task.set_recording(recording=running)
        self.task.agent.set_recording(recording=running, acting=running and self._acting)
        self.steps.set_recording(recording=running)
        self.timeline.track = take.time.track
        self.timeline.track.running = running
        self._pointing.set_recording(recording=running)
        if running:
            self._tick.start()
        else:
            self._tick.stop()
            self.runs.emit("", "")
            self.steps.model.wait("")
            self.steps.show_changes()
        # During a recording every key goes to the phone; otherwise some stay with the window.
        self.mirror.keep(() if running else kept_keys())
        self._show_status()
        self._show_undo()
        self._show_time()
        self.head.layout_again()

    def _show_status(self) -> None:
        show_status(
            self.status,
            self.take,
            connected=self.phones.connected is not None,
            in_phone=self.mirror.hasFocus(),
            modifier=self._mod,
        )

    def _show_undo(self) -> None:
        self.status.say_undo(tr("Drop a step") if self.take.can_restore() else "")

    def _show_steps(self) -> None:
        self.steps.show_changes()
        self.task.so_far.show_steps(len(self.steps.model.steps))
        self.timeline.show_track()
        self._show_undo()

    def _show_time(self) -> None:
        time = self.take.time
        if not self.take.running or not time.track.began_ns:
            return
        took = time.look(monotonic_ns())
        self.pill.show_time(took)
        self.runs.emit(self.pill.word(), phrases.position(took))
        self.timeline.show_track()
        self.steps.model.wait(waiting_words(self.take))
        self.steps.show_changes()

    def _show_health(self, health: Health | None) -> None:
        if health is not None and self.phones.connected is not None:
            painted = self.mirror.painted()
            self.task.show_health(health, painted.size if painted is not None else None)

    def _show_pointed(self, found: ElementUnderPointer | None) -> None:
        painted, phone = self.mirror.painted(), self.phones.connected
        fresh = found is not None and found.fit is TreeFit.FRESH
        element = found.element if found is not None and fresh else None
        self._stage.outline.show_box(element.box if element is not None else None)
        self.task.pointer.show_element(
            found,
            painted.size if painted is not None else None,
            phone.facts if phone is not None else None,
        )
