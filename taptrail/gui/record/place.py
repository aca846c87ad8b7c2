"""The place Record: the mirror in the middle, the task at the left, the steps at the right."""

from __future__ import annotations

from time import monotonic_ns

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QMenu, QStackedWidget

from episodes.actions import Ending
from episodes.annotations import Author
from episodes.errors import KnownError
from episodes.steps import Step
from recorder.device.adb import ListedPhone
from recorder.events import (
    AfterSaved,
    Back,
    Copied,
    Health,
    Lost,
    Problem,
    SessionState,
    StateChanged,
    StepDropped,
    StepRestored,
    StepSaved,
    TextCollected,
    TreeState,
)
from taptrail.gui import icons, phrases
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, PLAIN, QUIET, Button
from taptrail.gui.components.messages import ErrorBand
from taptrail.gui.components.panel import Panel, Split
from taptrail.gui.components.shell import Head, Place, StatusBar
from taptrail.gui.mirror import MirrorView
from taptrail.gui.record.connect import ConnectPage
from taptrail.gui.record.finish import StepsPanel
from taptrail.gui.record.head import RecordingPill
from taptrail.gui.record.hints import kept_keys, key_hints, phone_keys
from taptrail.gui.record.passing import pass_on
from taptrail.gui.record.stage import Stage
from taptrail.gui.record.task import TaskPanel
from taptrail.gui.record.timeline import Timeline, Track
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import Relay, WorkThread
from taptrail.usecases.live import Connected, Desk
from taptrail.usecases.naming import target_name
from taptrail.usecases.sample import home_picture
from taptrail.words import tr

_RUNNING = (
    SessionState.STARTING,
    SessionState.RECORDING,
    SessionState.PAUSED,
    SessionState.LOST,
)
_LOOK_MS, _TICK_MS, _HEALTH_MS = 3000, 100, 1000


class RecordPlace(Place):
    """Signals:
    recorded: (name, number of steps) of an episode that has just ended.
    dropped: in words, a step was taken out again; `restore_last` puts it back.
    given_up, discarded: uuid of an episode that has just ended so.
    annotate, review: (uuid, row of the step) a person wants to see there.
    doctor: a person wants to know what is missing.
    runs: (word, time) of the recording, each second; twice "" when none runs any more.
    """

    recorded = Signal(str, int)
    dropped = Signal(str)
    given_up = Signal(str)
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
        author: Author | None,
        modifier: str = "alt",
    ) -> None:
        """Builds the place.

        Args:
            frames: tells that a frame waits at the desk.
            events: tells what mirror and session tell.
            naming: where elements are looked for in trees.
        """
        super().__init__("Record")
        self._desk, self._phone, self._author = desk, phone, author
        self._naming = naming
        self._state = SessionState.NEW
        self._connected: Connected | None = None
        self._busy = False
        self._typing = self._uuid = ""
        self._ending: SignalInstance | None = None
        self._out: dict[int, Step] = {}
        self._undo: list[int] = []
        self._paused_ns = 0
        self._pause_began = 0
        self.mirror = MirrorView(modifier)
        self.connect_page = ConnectPage()
        self.task = TaskPanel()
        self.steps = StepsPanel(pictures)
        self.timeline = Timeline()
        self.pill = RecordingPill()
        self._error = ErrorBand()
        self._device = Button(tr("No phone yet"), "cellphone-off", kind=QUIET, menu=True)
        self._pause = Button(tr("Pause"), "pause", key=key("pause"))
        self._begin = Button(tr("Record"), "record-circle-outline", kind=MAIN, key=key("record"))
        head = Head(tr("Record"), [self._device], [self.pill, self._pause], [self._begin])
        self._mod = modifier.capitalize()
        self.furnish(head, self._body(), StatusBar([]))
        self._connect_parts(frames, events)
        self._show_state()
        naming.run(
            lambda _: QImage.fromData(home_picture()),
            owner=self,
            done=self.connect_page.picture.show_picture,
            failed=self.connect_page.error.tell,
        )

    def _body(self) -> Panel:
        self._stage = Stage(self.mirror, self._desk.rotate)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.connect_page)
        self._middle.addWidget(self._stage)
        middle = Panel(tr("Phone"), "stage")
        middle.add(self._error, self._middle)
        self._split = Split(
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
        pass_on(self.mirror, self._desk)
        self.mirror.focused.connect(lambda _: self._show_status())
        self.connect_page.demo.connect(self.start_demo_phone)
        self.connect_page.serial.connect(self.connect_phone)
        self.connect_page.again.connect(self.look_for_phones)
        self.connect_page.paired.connect(self.pair_phone)
        self.connect_page.doctor.connect(self.doctor)
        self._device.clicked.connect(self._show_device_menu)
        self._begin.clicked.connect(self.begin)
        self._pause.clicked.connect(self._pause_or_go_on)
        self.task.asked.connect(self.begin)
        self.steps.finished.connect(self.finish)
        self.steps.dropped.connect(self._desk.drop_last)
        self.steps.given_up.connect(self.give_up)
        self.steps.discarded.connect(self.discard)
        self.steps.marked.connect(lambda: self.annotate.emit(self._uuid, 0))
        self.steps.reviewed.connect(lambda: self.review.emit(self._uuid, 0))
        self._looking = QTimer(self)
        self._looking.setInterval(_LOOK_MS)
        self._looking.timeout.connect(self.look_for_phones)
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._show_time)
        self._health = QTimer(self)
        self._health.setInterval(_HEALTH_MS)
        self._health.timeout.connect(self._show_health)

    # --- the phone -----------------------------------------------------------------------------

    def entered(self) -> None:
        """Looks for phones while none is connected."""
        if self._connected is None and not self._busy:
            self.look_for_phones()
            self._looking.start()
        if self._connected is not None:
            self.mirror.setFocus()

    def episode(self) -> str:
        """Returns the uuid of the newest episode of this window; "" before the first."""
        return self._uuid

    def more_keys(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Returns the keys the mirror has for the phone, while it has the keyboard."""
        return phone_keys(self._mod) if self.mirror.hasFocus() else ()

    def takes_key(self, key: str) -> bool:
        """Returns whether a key goes to the phone now."""
        return self.mirror.hasFocus() and self.mirror.takes(key)

    def look_for_phones(self) -> None:
        """Reads the list of phones anew."""
        if self._connected is None and not self._busy and self.isVisible():
            self._phone.run(
                lambda desk: desk.phones(),
                owner=self,
                done=self._show_phones,
                failed=self._no_list,
            )

    def connect_phone(self, serial: str) -> None:
        """Mirrors a phone."""
        self._wait_for_phone(tr("Connecting {serial}", serial=serial), lambda d: d.connect(serial))

    def pair_phone(self, address: str, code: str) -> None:
        """Pairs this computer with a phone's wireless debugging; nothing is mirrored yet."""
        if self._busy:
            return
        self._busy = True
        self.connect_page.set_busy(tr("Pairing with {address}", address=address))

        def settled() -> None:
            self._busy = False
            self.connect_page.set_busy("")

        def done(_: None) -> None:
            settled()
            self.connect_page.say(
                tr("Paired. Now connect it by the address under “IP address & Port” on the phone.")
            )

        def failed(error: KnownError) -> None:
            settled()
            self.connect_page.error.tell(error)

        self._phone.run(lambda desk: desk.pair(address, code), owner=self, done=done, failed=failed)

    def start_demo_phone(self) -> None:
        """Starts the demo phone and mirrors it."""
        self._wait_for_phone(tr("Starting the demo phone"), lambda desk: desk.start_demo_phone())

    def disconnect_phone(self) -> None:
        """Lets the phone go; a recording ends without a claim."""
        self._connected = None
        self._health.stop()
        self._phone.run(
            lambda desk: desk.disconnect(),
            owner=self,
            done=lambda _: self._phone_gone(),
            failed=self._error.tell,
        )

    def _wait_for_phone(self, words: str, job: object) -> None:
        if self._busy or not callable(job):
            return
        self._busy = True
        self._looking.stop()
        self.connect_page.set_busy(words)

        def done(connected: Connected) -> None:
            self._busy = False
            self.connect_page.set_busy("")
            self._connected = connected
            self._error.settle("locked")
            if connected.locked:
                self._error.tell(_locked(connected), about="locked")
            self._middle.setCurrentIndex(1)
            self._health.start()
            self._show_frame()
            self._show_state()
            self.task.edit.setFocus()

        def failed(error: KnownError) -> None:
            self._busy = False
            self.connect_page.set_busy("")
            self.connect_page.error.tell(error)
            self._looking.start()

        self._phone.run(job, owner=self, done=done, failed=failed)

    def _phone_gone(self) -> None:
        self.mirror.clear()
        self.mirror.show_away("")
        self.task.clear_signal()
        self._middle.setCurrentIndex(0)
        self._state = SessionState.NEW
        self._show_state()
        self.entered()

    def _show_phones(self, phones: tuple[ListedPhone, ...]) -> None:
        if self._connected is None:
            self.connect_page.error.settle("list")
            self.connect_page.show_phones(phones)

    def _no_list(self, error: KnownError) -> None:
        self.connect_page.error.tell(error, about="list")

    def _show_device_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._connected is None:
            action = menu.addAction(icons.icon("play"), tr("Start the demo phone"))
            action.triggered.connect(self.start_demo_phone)
            action = menu.addAction(icons.icon("refresh"), tr("Look again"))
            action.triggered.connect(self.look_for_phones)
        else:
            action = menu.addAction(icons.icon("cellphone-off"), tr("Let this phone go"))
            action.setEnabled(self._state not in _RUNNING)
            action.triggered.connect(self.disconnect_phone)
        menu.popup(self._device.mapToGlobal(QPoint(0, self._device.height() + 4)))

    # --- the recording -------------------------------------------------------------------------

    def begin(self) -> None:
        """Begins an episode with the task that is written."""
        if self._connected is None or self._state in _RUNNING:
            return
        task, author = self.task.task(), self._author
        if task is None:
            self.task.ask()
            return
        self._error.hide()
        self._ending = None
        self._state = SessionState.STARTING
        self._paused_ns = self._pause_began = 0
        self.timeline.track = Track()
        self.steps.model.begin()
        self._out.clear()
        self._undo = []
        self.task.show_count(0)
        self._show_state()

        def began(uuid: str) -> None:
            self._uuid = uuid
            self.mirror.setFocus()

        def failed(error: KnownError) -> None:
            self._state = SessionState.NEW
            self._show_state()
            self._error.tell(error)

        self._phone.run(
            lambda desk: desk.begin(task, author),
            owner=self,
            done=began,
            failed=failed,
        )

    def finish(self, ending: Ending, reason: str = "") -> None:
        """Ends the episode with a claim."""
        if self._state in _RUNNING:
            self._desk.finish(ending, reason)

    def give_up(self) -> None:
        """Ends the episode: whoever acts has given up, and claims nothing."""
        self._leave(self.given_up)

    def discard(self) -> None:
        """Ends the episode, which nobody wants; the bin has it then."""
        self._leave(self.discarded)

    def _leave(self, ending: SignalInstance) -> None:
        if self._state in _RUNNING:
            self._ending = ending
            self._desk.leave()

    def offer_task(self, words: str, category: str) -> bool:
        """Writes a task into the fields; returns False while an episode is under way."""
        if self.recording():
            return False
        self.task.show_task(words, category)
        return True

    def set_author(self, author: Author) -> None:
        """Records in another name from the next episode on."""
        self._author = author

    def connecting(self) -> bool:
        """Returns whether a phone is being waited for."""
        return self._busy or self._connected is None

    def recording(self) -> bool:
        """Returns whether an episode is under way."""
        return self._state in _RUNNING

    def restore_last(self) -> None:
        """Puts back the step that was dropped last in this recording."""
        self._desk.restore_last()

    def to_ask(self) -> tuple[str, str, str]:
        """Asks while an episode is under way: quitting ends it for good."""
        if not self.recording():
            return "", "", ""
        return (
            tr("A recording is under way"),
            tr("Quitting ends it. What was done so far is kept, without saying how it ended."),
            tr("End it and quit"),
        )

    def leaving(self) -> None:
        """Stops the clocks; the phone's thread ends session and mirror."""
        for timer in (self._looking, self._tick, self._health):
            timer.stop()

    def _pause_or_go_on(self) -> None:
        if self._state is SessionState.RECORDING:
            self._desk.pause()
        elif self._state is SessionState.PAUSED:
            self._desk.resume()

    # --- what is told --------------------------------------------------------------------------

    def _hear(self, event: object) -> None:
        track = self.timeline.track
        match event:
            case StateChanged(state):
                self._changed(state)
            case StepSaved(step):
                self.steps.model.add(step)
                self._name(step)
                track.steps = list(self.steps.model.steps)
                self._show_count()
            case StepDropped(index):
                self._dropped_step(index)
            case StepRestored(index):
                self._restored_step(index)
            case AfterSaved(index, frame):
                self.steps.model.set_after(index, frame)
            case TextCollected(text):
                self._typing = text
            case TreeState():
                self.task.show_tree(event)
            case Health():
                self._show_health(event)
            case Lost(reason):
                self.mirror.show_away(reason)
            case Copied(text):
                QGuiApplication.clipboard().setText(text)
            case Back():
                self.mirror.show_away("")
            case Problem(error):
                self._error.tell(error)

    def _dropped_step(self, index: int) -> None:
        step = self.steps.model.drop(index)
        self._show_steps()
        if step is not None:
            self._out[index] = step
            self._undo = [*self._undo, index]
            self._show_undo()
            self.dropped.emit(tr("Dropped step {n}", n=len(self.steps.model.steps) + 1))

    def _restored_step(self, index: int) -> None:
        step = self._out.pop(index, None)
        self._undo = [one for one in self._undo if one != index]
        if step is not None:
            self.steps.model.put_back(step)
        self._show_steps()
        self._show_undo()

    def _show_steps(self) -> None:
        self.timeline.track.steps = list(self.steps.model.steps)
        self._show_count()

    def _show_undo(self) -> None:
        self.status.say_undo(tr("Drop a step") if self._undo and self.recording() else "")

    def _name(self, step: Step) -> None:
        episode = self._uuid

        def done(words: str) -> None:
            if words and episode == self._uuid:
                self.steps.model.name(step.index, words)

        self._naming.run(
            lambda _: target_name(step), owner=self, done=done, failed=self._error.tell
        )

    def _changed(self, state: SessionState) -> None:
        now = monotonic_ns()
        self._state = state
        track = self.timeline.track
        if state is SessionState.RECORDING and not track.began_ns:
            track.began_ns = track.now_ns = now
        if state in (SessionState.PAUSED, SessionState.LOST) and not self._pause_began:
            self._pause_began = now
        elif self._pause_began and state not in (SessionState.PAUSED, SessionState.LOST):
            self._end_pause(now)
        if state in (SessionState.FINISHED, SessionState.STOPPED):
            self._close()
        self._show_state()

    def _end_pause(self, now: int) -> None:
        took = now - self._pause_began
        self._paused_ns += took
        words = tr("Paused {time}", time=phrases.seconds(took // 1000))
        self.timeline.track.pauses.append((self._pause_began, now, words))
        self._pause_began = self.timeline.track.paused_since_ns = 0

    def _close(self) -> None:
        count = len(self.steps.model.steps)
        self._phone.run(
            lambda desk: desk.end_recording(),
            owner=self,
            done=lambda name: self._closed(name, count),
            failed=self._error.tell,
        )
        if self._state is SessionState.FINISHED or self._ending is self.given_up:
            self.task.clear()

    def _closed(self, name: str, steps: int) -> None:
        ending, self._ending = self._ending, None
        if ending is self.discarded:
            self.steps.model.begin()
            self.steps.show_changes()
            self.timeline.track = Track()
            self.timeline.show_track()
        else:
            self.steps.show_done(name)
            self._begin.set_kind(PLAIN)  # what comes next with this episode is the main thing
            self.recorded.emit(name, steps)
        if ending is not None:
            ending.emit(self._uuid)

    # --- what is shown -------------------------------------------------------------------------

    def _show_frame(self) -> None:
        frame = self._desk.frame()
        if frame is not None:
            self.mirror.show_frame(frame)

    def _show_state(self) -> None:
        running = self._state in _RUNNING
        connected = self._connected
        self.pill.show_state(self._state)
        paused = self._state is SessionState.PAUSED
        self._pause.setVisible(running)
        self._pause.setEnabled(self._state in (SessionState.RECORDING, SessionState.PAUSED))
        self._pause.set_words(tr("Go on") if paused else tr("Pause"), "play" if paused else "pause")
        self._begin.setVisible(connected is not None and not running)
        self._begin.set_kind(MAIN)
        if connected is None:
            self._device.set_words(tr("No phone yet"), "cellphone-off")
        else:
            version = connected.facts.android_release
            tail = tr("Android {v}", v=version) if version else connected.serial
            self._device.set_words(connected.name, "cellphone-link", tail)
        for part in (self.task, self.steps):
            part.setVisible(connected is not None)
        self.timeline.setVisible(connected is not None)
        self.task.set_recording(recording=running)
        self.steps.set_recording(recording=running)
        self.timeline.track.running = running
        if running:
            self._tick.start()
        else:
            self._tick.stop()
            self.runs.emit("", "")
            self.steps.model.wait("")
            self.steps.show_changes()
        # Who records says with every key what the phone gets; who only looks round does not.
        self.mirror.keep(() if running else kept_keys())
        self._show_status()
        self._show_undo()
        self._show_time()
        self.head.layout_again()

    def _show_status(self) -> None:
        running = self.recording()
        if self._connected is None:
            self.status.say(tr("No phone"), "cellphone-off", "text2")
            self.status.say_health(tr("Watches for cables by itself"))
        else:
            if self._state is SessionState.PAUSED:
                self.status.say(tr("Paused"), "pause", "mismatch")
            elif running:
                self.status.say(tr("Saved as you go"))
            else:
                self.status.say(tr("Nothing is recorded"), "circle-outline", "text3")
            if self.mirror.hasFocus():
                self.status.say_health(tr("Other keys go to the phone"))
            else:
                self.status.say_health(tr("Click the phone to type on it"))
        hints = key_hints(
            self._mod,
            connected=self._connected is not None,
            running=running,
            in_phone=self.mirror.hasFocus(),
            paused=self._state is SessionState.PAUSED,
        )
        self.status.show_keys(hints)

    def _show_count(self) -> None:
        self.steps.show_changes()
        self.task.show_count(len(self.steps.model.steps))
        self.timeline.show_track()

    def _show_time(self) -> None:
        track, now = self.timeline.track, monotonic_ns()
        if self._state not in _RUNNING or not track.began_ns:
            return
        away = now - self._pause_began if self._pause_began else 0
        took = (now - track.began_ns - self._paused_ns - away) // 1000
        self.pill.show_time(took)
        self.runs.emit(self.pill.word(), phrases.position(took))
        track.now_ns = now
        track.paused_since_ns = self._pause_began
        self.timeline.show_track()
        self.steps.model.wait(self._waiting(now))
        self.steps.show_changes()

    def _waiting(self, now: int) -> str:
        if self._typing:
            return tr("Typing “{text}”", text=self._typing)
        if self._state is not SessionState.RECORDING:
            return tr("Nothing is kept until you go on")
        steps = self.steps.model.steps
        last = steps[-1].ended.host_ns if steps else self.timeline.track.began_ns
        thinking = max(0, now - (last or self.timeline.track.began_ns)) // 1000
        return tr("Waiting for a touch · thinking {time}", time=phrases.seconds(thinking))

    def _show_health(self, told: Health | None = None) -> None:
        health = told if told is not None else self._desk.health()
        if health is not None and self._connected is not None:
            painted = self.mirror.painted()
            self.task.show_health(health, painted.size if painted is not None else None)


def _locked(phone: Connected) -> KnownError:
    """Returns in words that a phone's lock screen is in front, and what to do."""
    return KnownError(
        tr("reach the apps of {name}", name=phone.name),
        tr("its lock screen is in front"),
        tr(
            "Unlock it here with the mouse, or on the phone: many phones keep their code pad out "
            "of the picture."
        ),
    )
