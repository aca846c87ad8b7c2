"""The page “Why do two numbers differ?”: sides, kinds of difference, and the steps of one kind."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from episodes.errors import KnownError
from episodes.store.library import Library
from replay.comparison import ComparisonRow, RuleGroup
from taptrail.gui.compare.comparison_worker import ComparisonResult, ComparisonWorker
from taptrail.gui.compare.lists import GroupLine, Lines, StepLine
from taptrail.gui.compare.sides import Sides
from taptrail.gui.compare.step_view import ComparedStep
from taptrail.gui.components.button import QUIET, Button, SegmentedControl
from taptrail.gui.components.chip import Chip
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.labels import label
from taptrail.gui.components.messages import Bar, EmptyState, ErrorBand
from taptrail.gui.components.panel import Panel, PanelHead, PanelSplitter, Scrolled
from taptrail.gui.fonts import BODY, FACTS
from taptrail.gui.review.head import ProtocolButton
from taptrail.gui.thumbnails import Pictures
from taptrail.gui.work import WorkThread
from taptrail.words import tr

RUNS, RULES = 0, 1
STRICT, PLAIN = "taptrail-strict@1", "guiodyssey@2"


class DifferencesPage(Panel):
    """Compares the runs of Review under its protocol, or one of them under two.

    Signals:
        opened: (uuid, index) of the step to show.
        closed: the user closed the page.
    """

    opened = Signal(object)
    closed = Signal()

    def __init__(
        self, thread: WorkThread[Library], reader: WorkThread[Library], pictures: Pictures
    ) -> None:
        """Args:
        thread: compares runs, which may take long. reader: loads the selected step.
        """
        super().__init__(tr("Why do two numbers differ?"), "window")
        self.comparing = ComparisonWorker(thread, self)
        self._runs: list[str] = []
        self._protocol = PLAIN
        self._mode = RULES
        self._answer: ComparisonResult | None = None
        self.mode = SegmentedControl(
            [("robot-outline", tr("Runs")), ("scale-balance", tr("Rules"))], tr("What is compared")
        )
        self.against = ProtocolButton(STRICT)
        self._against = STRICT
        self._with = label("", FACTS, tone="2")
        self.close_button = Button(tr("Back"), "close", kind=QUIET, tip=tr("Back to the steps"))
        self.sides = Sides()
        self.groups = Lines(tr("Different verdicts, by rule"), GroupLine)
        self.steps = Lines(tr("Steps of this group"), StepLine)
        self.sight = ComparedStep(reader, pictures)
        self._group_count, self._step_count = Chip("0"), Chip("0")
        self._bar = Bar(2, tr("Comparing"))
        self.error = ErrorBand()
        self._empty = EmptyState("compare", "", "")
        self._body = QStackedWidget()
        self._lay()
        self._connect()

    def _lay(self) -> None:
        head = PanelHead(
            label(tr("Why do two numbers differ?"), BODY, 600),
            self.mode,
            self._with,
            self.against,
            None,
            self.close_button,
        )
        head.setFixedHeight(44)
        left = Panel(tr("Compared"))
        left.add(Scrolled(self.sides))
        middle = _listed(tr("Different verdicts, by rule"), self._group_count, self.groups)
        steps = _listed(tr("Steps of this group"), self._step_count, self.steps)
        right = PanelSplitter(
            Qt.Orientation.Vertical, [steps, self.sight], [0, 460], [120, 200], [0, 400]
        )
        across = PanelSplitter(
            Qt.Orientation.Horizontal,
            [left, middle, right],
            [280, 340, 0],
            [230, 240, 280],
            [250, 290, 0],
        )
        nothing = Panel(tr("Why do two numbers differ?"))
        nothing.add(self._empty)
        self._body.addWidget(across)
        self._body.addWidget(nothing)
        ground = Panel("")
        ground.add(head, self._bar, self.error)
        self._bar.hide()
        self.add(ground, self._body)
        self.column.setStretch(1, 1)

    def _connect(self) -> None:
        self.mode.chosen.connect(self.choose_mode)
        self.against.chosen.connect(self.choose_against)
        self.close_button.clicked.connect(self.closed)
        self.groups.chosen.connect(self._show_group)
        self.groups.taken.connect(lambda _: self.steps.setFocus())
        self.groups.aside.connect(lambda way: self.steps.setFocus() if way > 0 else None)
        self.steps.aside.connect(lambda way: self.groups.setFocus() if way < 0 else None)
        self.steps.taken.connect(self._open)
        self.steps.chosen.connect(self._show_step)
        self.comparing.ready.connect(self._show)
        self.comparing.moved.connect(self._moved)
        self.comparing.failed.connect(self._fail)
        self.error.again.connect(self.look)

    # --- request -------------------------------------------------------------------------------

    def use(self, runs: list[str], protocol: str) -> None:
        """Compares these runs of Review, A first.

        Several runs are compared with each other under the protocol of Review, one run under two
        protocols.
        """
        if len(runs) != len(self._runs):
            self._mode = RUNS if len(runs) > 1 else RULES
        self._runs, self._protocol = list(runs), protocol
        if self._against == protocol:
            self._against = PLAIN if protocol == STRICT else STRICT
        self.look()

    def follow(self, runs: list[str], protocol: str) -> None:
        """Compares again if the runs or the protocol of Review changed."""
        if (list(runs), protocol) != (self._runs, self._protocol):
            self.use(runs, protocol)

    def choose_mode(self, mode: int) -> None:
        """Selects what is compared: runs or protocols."""
        self._mode = mode if len(self._runs) > 1 else RULES
        self.look()

    def choose_against(self, key: str) -> None:
        """Compares the protocol of Review with another one."""
        if key != self._protocol:
            self._against = key
            self.look()

    def look(self) -> None:
        """Compares again."""
        self.mode.set_choice(self._mode)
        rules = self._mode == RULES
        self.against.setVisible(rules)
        self.against.show_protocol(self._against)
        protocol = self._protocol.replace("@", " v")
        run = self._runs[0] if self._runs else ""
        self._with.setText(
            tr("{run} under {protocol} and", run=run, protocol=protocol)
            if rules
            else tr("under {protocol}", protocol=protocol)
        )
        self._with.setVisible(bool(self._runs))
        self.error.hide()
        if not self._runs:
            self.comparing.cancel()
            self._bar.hide()
            self._say_nothing(
                tr("No run is chosen"), tr("Choose one at the top left, then look again.")
            )
            return
        self._bar.set_unknown()
        self._bar.show()
        if rules:
            self.comparing.ask((self._runs[0],), (self._protocol, self._against))
        else:
            self.comparing.ask(tuple(self._runs), (self._protocol,))

    def hints(self) -> list[QWidget]:
        """Returns the key hints of the page."""
        return [
            KeyHint(["Up", "Down"], tr("Next")),
            KeyHint(["Left", "Right"], tr("Rules or steps")),
            KeyHint(["Return"], tr("Open the step")),
            KeyHint(["Escape"], tr("Back to the steps")),
        ]

    def answer(self) -> ComparisonResult | None:
        """Returns the shown comparison; None before the first."""
        return self._answer

    def leaving(self) -> None:
        """Cancels the comparison."""
        self.comparing.cancel()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    # --- result --------------------------------------------------------------------------------

    def _show(self, answer: ComparisonResult) -> None:
        self._answer = answer
        self._bar.hide()
        self._body.setCurrentIndex(0)
        comparison = answer.comparison
        self.sides.show_comparison(comparison, answer.figures)
        self._group_count.set_words(f"{len(answer.groups):,}")
        self.groups.show_items(answer.groups, comparison.letters)
        if not answer.groups:
            self.steps.show_items((), comparison.letters)
            self._step_count.set_words(tr("0 of {all}", all=f"{len(comparison.rows):,}"))
            self.sight.turn(None, None)

    def _show_group(self, row: int) -> None:
        group = self.groups.items()[row]
        if isinstance(group, RuleGroup) and self._answer is not None:
            comparison = self._answer.comparison
            self._step_count.set_words(
                tr(
                    "{some} of {all}",
                    some=f"{len(group.rows):,}",
                    all=f"{len(comparison.rows):,}",
                )
            )
            self.steps.show_items(group.rows, comparison.letters)

    def _show_step(self, row: int) -> None:
        step = self.steps.items()[row]
        if isinstance(step, ComparisonRow) and self._answer is not None:
            self.sight.turn(step, self._answer.comparison)

    def _open(self, row: int) -> None:
        step = self.steps.items()[row]
        if isinstance(step, ComparisonRow) and not step.any.derived:
            self.opened.emit(step.place)

    def _moved(self, done: int, total: int) -> None:
        if total:
            self._bar.set_parts((min(1.0, done / total), "accent"))

    def _fail(self, error: KnownError) -> None:
        self._bar.hide()
        self.error.tell(error, again=True)

    def _say_nothing(self, text: str, more: str) -> None:
        self._empty.say(text, more)
        self._body.setCurrentIndex(1)


def _listed(title: str, count: Chip, view: QWidget) -> Panel:
    panel = Panel(title)
    panel.add(PanelHead(label(title, FACTS, 600), count, None), view)
    panel.column.setStretch(1, 1)
    return panel
