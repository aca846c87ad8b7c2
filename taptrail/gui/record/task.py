"""Left panel of the Record page: task, progress, element under the pointer, signal quality."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from episodes.episodes import Task
from episodes.geometry import Size
from recorder.events import Health, TreeState
from taptrail.gui.components.labels import label
from taptrail.gui.components.panel import Facts, Panel, Scrolled, Section, section_head
from taptrail.gui.fonts import BODY, CAPTION, FACTS, TITLE, font
from taptrail.gui.record.agent import AgentPanel
from taptrail.gui.record.budget import StepsSoFar
from taptrail.gui.record.pointer import ACROSS, PointerPanel
from taptrail.gui.record.trees import asking_words
from taptrail.words import tr


class TaskPanel(Panel):
    """Signals:
    asked: Ctrl+Enter was pressed in the instruction, to start the recording.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Task"))
        self.edit = _Instruction()
        self.edit.entered.connect(self.asked)
        self._hint = label(
            tr("What should be done, as you would ask a person."), CAPTION, tone="3", wrap=True
        )
        # Space for two lines, so that nothing moves or overlaps in a narrow panel.
        self._hint.setMinimumHeight(2 * self._hint.fontMetrics().lineSpacing())
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._category = QLineEdit()
        self._category.setFont(font(BODY))
        self._category.setPlaceholderText(tr("Category, if you sort by one"))
        self._category.setAccessibleName(tr("Category"))
        self._said = label("", TITLE, 500, wrap=True, selectable=True)
        self._name = label("", FACTS, tone="3", mono=True)
        self._task = Section(
            section_head(tr("Task"), None, self._name, icon="clipboard-check-outline"),
            self.edit,
            self._said,
            self._hint,
            self._category,
        )
        self.so_far = StepsSoFar()
        self.pointer = PointerPanel()
        self._facts = Facts(ACROSS)
        self._signal = Section(
            section_head(tr("Signal"), None, icon="pulse"), self._facts, line=False
        )
        inside = Panel(tr("Task"))
        self.agent = AgentPanel()
        inside.add(self._task, self.agent, self.so_far, self.pointer, self._signal, None)
        self.add(Scrolled(inside))
        self.clear_signal()
        self.set_recording(recording=False)

    def task(self) -> Task | None:
        """Returns the entered task, or None if the instruction is empty."""
        words = " ".join(self.edit.toPlainText().split())
        return Task(words, category=self._category.text().strip()) if words else None

    def show_task(self, words: str, category: str) -> None:
        """Fills in a task, to be recorded or edited."""
        self.edit.setPlainText(words)
        self._category.setText(category)

    def ask(self) -> None:
        """Shows that the instruction is missing."""
        self._hint.setText(tr("Write what should be done, then record."))
        self._hint.setProperty("tone", "mismatch")
        self._hint.style().polish(self._hint)
        self.edit.setFocus()

    def set_recording(self, *, recording: bool) -> None:
        """Shows the instruction during a recording, else the field for it."""
        self._said.setText(" ".join(self.edit.toPlainText().split()))
        self._said.setVisible(recording)
        self.so_far.setVisible(recording)
        self.pointer.setVisible(recording)
        for part in (self.edit, self._hint, self._category):
            part.setVisible(not recording)
        self._hint.setText(tr("What should be done, as you would ask a person."))
        self._hint.setProperty("tone", "3")
        self._hint.style().polish(self._hint)
        if not recording:
            self._name.setText("")

    def show_health(self, health: Health, size: Size | None) -> None:
        """Shows the state of video and disk."""
        put = self._facts.put
        self._signal.show()
        if size is not None:
            rate = tr("{fps:.0f} fps", fps=health.fps) if health.fps else tr("still")
            put(tr("Video"), f"{size.width} × {size.height} · {rate}")
        lost, all_ = health.lost, health.packets
        words = tr("{lost} of 1 packet", "{lost} of {n} packets", n=all_, lost=f"{lost:,}")
        icon, ink = ("alert", "mismatch") if lost else ("check-circle", "match")
        put(tr("Lost"), words, icon=icon, ink=ink)
        if health.delay_ms is not None:
            put(tr("Delay"), tr("{ms:.0f} ms", ms=health.delay_ms))

    def show_tree(self, state: TreeState) -> None:
        """Shows the result of the newest tree request."""
        words, icon, ink = asking_words(state)
        self._facts.put(tr("Last tree"), words, icon=icon, ink=ink)

    def clear_signal(self) -> None:
        """Clears the signal section."""
        self._facts.clear()
        self._signal.hide()


class _Instruction(QPlainTextEdit):
    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFont(font(BODY))
        self.setFixedHeight(84)
        self.setTabChangesFocus(True)
        self.setPlaceholderText(tr("Add a contact named Mara Quill"))
        self.setAccessibleName(tr("Instruction"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
            return
        super().keyPressEvent(event)
