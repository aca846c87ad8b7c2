"""Right panel of the Annotate page: question, candidates, accept button, texts of the step."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from episodes.annotations import Decision as Judgement
from episodes.annotations import EpisodeReview, StepJudgement
from episodes.steps import Step
from taptrail.gui import icons, phrases
from taptrail.gui.annotate import texts
from taptrail.gui.annotate.action_form import ActionForm
from taptrail.gui.annotate.alternatives import Alternatives
from taptrail.gui.annotate.band import LevelBand
from taptrail.gui.annotate.choices import ChoiceList
from taptrail.gui.annotate.findings import FindingsList
from taptrail.gui.annotate.fitting import fitting
from taptrail.gui.annotate.judge_form import JudgeForm
from taptrail.gui.annotate.reshape_form import ReshapeForm, Reshaping
from taptrail.gui.annotate.rounds import RoundForm
from taptrail.gui.commands import key
from taptrail.gui.components.button import MAIN, QUIET, Button
from taptrail.gui.components.fields import SavedField, named
from taptrail.gui.components.keycap import KeyHint
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import ErrorBand
from taptrail.gui.components.panel import Icon, Panel, Scrolled, Section, WidgetRow, section_head
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.usecases.annotating import OpenStep, StepState
from taptrail.usecases.blind import BlindRound
from taptrail.words import tr

TEXTS = ("instruction", "description", "intention", "context", "note")
_TEXT_WORDS = {
    "instruction": ("Instruction", "what to do, as one would say it"),
    "description": ("Description", "what the screen shows"),
    "intention": ("Intention", "why this step"),
    "context": ("Context", "what came before"),
    "note": ("Note", "for the annotators"),
}


ROUND = "In a blind round only targets are chosen."
_ROUND_ANSWER = 116
_TITLE = 150
"""What stands beside the words of the main button, with its margins and a scroll bar."""


class DecisionPanel(Panel):
    """Right panel of the Annotate page.

    Signals:
        accept, later, edit, clear: the button was pressed.
        labelled: the new label of the region in focus.
        text: the name and the new value of one of TEXTS.
        reshape: the Reshaping to open the form for.
        drop: the number of the alternative to reject.
        menu_opened: the QMenu of the step before it is shown, so that listeners can add entries.
        left: the user left a field; the frame should get the keyboard focus.
    """

    accept = Signal()
    later = Signal()
    edit = Signal()
    clear = Signal()
    labelled = Signal(str)
    text = Signal(str, str)
    reshape = Signal(object)
    drop = Signal(int)
    menu_opened = Signal(object)
    left = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Decision"))
        self._icon = Icon("gesture-tap", 20, "accent")
        self.title = ElidedLabel("", BODY, 600)
        self.place = ElidedLabel("", FACTS, mono=True, ink="text3")
        self.pencil = Button(
            "",
            "pencil-outline",
            kind=QUIET,
            size="s",
            key=key("edit-action"),
            tip=tr("Edit action"),
        )
        self._more = Button(
            "", "dots-horizontal", kind=QUIET, size="s", tip=tr("More about the step")
        )
        head = WidgetRow(
            self._icon,
            self.title,
            self.place,
            self.pencil,
            self._more,
            height=44,
            margins=(12, 0, 8, 0),
        )
        head.row.setStretch(1, 1)
        self.band = LevelBand()
        self.error = ErrorBand()
        self.choices = ChoiceList(key("box"))
        ask = WidgetRow(
            label(tr("Which part was meant?"), FACTS, 600),
            None,
            KeyHint([key("smaller"), key("larger")], tr("smaller, larger")),
            height=34,
            margins=(12, 0, 12, 0),
        )
        self.go = Button(tr("Accept"), "check", kind=MAIN, size="l", key=key("accept"))
        self.go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.wait = Button(tr("Later"), size="l", key=key("next-annotated"))
        self.action_form, self.reshape_form = ActionForm(), ReshapeForm()
        self.judge_form, self.round_form = JudgeForm(), RoundForm()
        self._forms = (self.action_form, self.reshape_form, self.judge_form, self.round_form)
        self.findings = FindingsList()
        self.answering = QWidget()
        column = QVBoxLayout(self.answering)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._asking = QWidget()
        inner = QVBoxLayout(self._asking)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(ask)
        inner.addWidget(_line())
        inner.addWidget(self.choices)
        column.addWidget(self._asking)
        answer = WidgetRow(self.go, self.wait, margins=(12, 12, 12, 12))
        answer.row.setStretch(0, 1)
        column.addWidget(answer)
        column.addWidget(_line())

        self.label = SavedField(tr("Label"), tr("what the element is called"))
        self.texts = {
            name: SavedField(tr(_TEXT_WORDS[name][0]), tr(_TEXT_WORDS[name][1])) for name in TEXTS
        }
        self._label_row = named(tr("Label"), self.label)
        self._text_rows = [
            named(tr(_TEXT_WORDS[name][0]), field) for name, field in self.texts.items()
        ]
        words = Section(section_head(tr("Words")), self._label_row, *self._text_rows)
        self._also = Alternatives()
        self._also_part = Section(section_head(tr("Also right")), self._also)
        self._said = label("", CAPTION, tone="3", wrap=True)
        self._said_part = Section(None, self._said, line=False)
        inside = Panel(tr("Decision"))
        inside.add(
            self.band,
            self.error,
            *self._forms,
            self.answering,
            self.findings,
            words,
            self._also_part,
            self._said_part,
            None,
        )
        self._count = label("", FACTS, tone="2")
        self._low = label("", FACTS, tone="2")
        foot = WidgetRow(self._count, None, self._low, height=34, margins=(12, 0, 12, 0))
        self.scrolled = Scrolled(inside)
        self.add(head, _line(), self.scrolled, _line(), foot)
        self.column.setStretch(2, 1)
        self._read_only = ""
        self._answer: tuple[str, ...] = ("",)
        self._free = True
        self._menu_for: Step | None = None
        self._has_next = False
        self._wire()

    def _wire(self) -> None:
        self.go.clicked.connect(self.accept)
        self.wait.clicked.connect(self.later)
        self.pencil.clicked.connect(self.edit)
        self._more.clicked.connect(self._show_menu)
        self.label.saved.connect(self.labelled)
        self._also.dropped.connect(self.drop)
        for name, field in self.texts.items():
            field.saved.connect(lambda words, n=name: self.text.emit(n, words))
        for field in (self.label, *self.texts.values()):
            field.left.connect(self.left)
        for form in self._forms:
            form.closed.connect(self.close_forms)
        self.findings.left.connect(self.left)

    def show_step(
        self,
        opened: OpenStep,
        state: StepState,
        number: int,
        count: int,
        objections: Sequence[StepJudgement] = (),
    ) -> None:
        """Shows a step as step `number` of `count`, counted from 1."""
        step, action = opened.step, opened.gold.action
        self._menu_for, self._has_next = step, number < count
        verb, _ = phrases.action_words(action)
        self._icon.set_icon(icons.of_action(action))
        self.title.set_text(tr("Step {n} of {all} · {what}", n=number, all=count, what=verb))
        # If there is little room, the typed text is elided, not the step number.
        self.title.setMinimumWidth(min(self.title.sizeHint().width(), _TITLE))
        words = phrases.sentence(phrases.action_words(action)).removeprefix(verb).strip()
        self.place.set_text(words)
        self.band.show_band(texts.band(opened, state))
        self._asking.setVisible(state is not StepState.NONE or bool(opened.choices))
        for name, field in self.texts.items():
            field.show_value(getattr(step.texts, name))
        self._also.show_golds([(one.number, one.action) for one in opened.alternatives])
        self._also_part.setVisible(bool(opened.alternatives))
        said = []
        if opened.gold.number:
            was = phrases.sentence(phrases.action_words(step.action))
            by = opened.gold.author or tr("somebody")
            words = tr("Corrected by {who}. Recorded: {what}.", who=by, what=was)
            said.append(words + (f" {opened.gold.reason}" if opened.gold.reason else ""))
        said += [texts.objection_words(one) for one in objections]
        if step.private:
            said.append(tr("Private step: left out of every export."))
        if step.private_boxes:
            said.append(
                tr(
                    "1 private box: black in every export.",
                    "{n} private boxes: black in every export.",
                    n=len(step.private_boxes),
                )
            )
        self._said.setText("\n".join(said))
        self._said_part.setVisible(bool(said))

    def show_focus(
        self,
        opened: OpenStep,
        focus: int | None,
        label: str,
        *,
        drawing: bool,
        drawn: str,
        who: Sequence[texts.Who] = (),
    ) -> None:
        """Shows which candidate is in focus and what Accept does.

        Args:
            drawing: whether the user is drawing a box or an outline.
            drawn: name of the finished drawing, for example "the box"; "" for none.
            who: during the settling of a round, the people who chose each candidate.
        """
        self.choices.show_choices(opened.choices, focus, own=drawing, who=who)
        self._label_row.setVisible(bool(opened.choices) or drawing)
        self.label.show_value(label)
        chosen = opened.choices[focus] if focus is not None else None
        shorter: tuple[str, ...] = ()
        if drawn:
            words = tr("Accept {what}", what=drawn)
        elif drawing or chosen is None:
            words = tr("Accept")
        elif who and focus is not None and who[focus].letters:
            words = tr("Take {who}", who=texts.taken_title(chosen, who[focus]))
        elif chosen.region.chosen:
            words = tr("Keep {what}", what=texts.short_title(chosen))
            shorter = (tr("Keep {what}", what=texts.shortest_title(chosen)), tr("Keep it"))
        else:
            words = tr("Accept {what}", what=texts.short_title(chosen))
            shorter = (tr("Accept {what}", what=texts.shortest_title(chosen)), tr("Accept it"))
        if not drawing and chosen is None and not opened.choices and opened.candidates is None:
            words = tr("Go on")
        self._answer = (words, *shorter) if words not in (tr("Accept"), tr("Go on")) else (words,)
        self._cut_answer()
        off = ""
        if self._read_only:
            off = self._read_only
        elif words == tr("Accept"):
            off = tr("Nothing to accept yet: draw a box, or choose a candidate")
        self.go.setEnabled(not off)
        self.go.set_tip(off or tr("{what}, then go to the next step that waits", what=words))

    def show_counts(self, accepted: int, low: int, seconds: float | None) -> None:
        """Shows the progress of the episode; `seconds` is the median time per target."""
        words = [tr("{n} accepted", n=accepted)]
        if seconds is not None:
            words.append(tr("median {s:.1f} s", s=seconds))
        self._count.setText(" · ".join(words))
        self._count.setToolTip(tip(tr("Median time from showing a step to its target")))
        self._low.setText(tr("{n} low left here", n=low))

    def counts(self) -> str:
        """Returns the shown progress of the episode."""
        return f"{self._count.text()}, {self._low.text()}"

    def open_judge(
        self, decision: Judgement, review: EpisodeReview | None, still_open: str
    ) -> None:
        """Opens the form for the decision on the episode."""
        self.close_forms(quiet=True)
        self.answering.hide()
        self.judge_form.open_with(decision, review, still_open)

    def open_rounds(self, rounds: Sequence[BlindRound]) -> None:
        """Opens the form for blind rounds."""
        self.close_forms(quiet=True)
        self.answering.hide()
        self.round_form.open_with(rounds)

    def say_wrong(self, words: str) -> bool:
        """Shows in the open form why its values are not accepted.

        Returns False if no form is open.
        """
        for form in self._forms:
            if form.isVisibleTo(self):
                form.say_wrong(words)
                return True
        return False

    def open_action(self, opened: OpenStep) -> None:
        """Opens the form for the action."""
        self.close_forms(quiet=True)
        self.answering.hide()
        self.action_form.open_with(opened.gold.action, corrected=opened.gold.number != 0)

    def open_reshape(
        self, doing: Reshaping, opened: OpenStep, number: int, after: int | None
    ) -> None:
        """Opens the form that deletes, merges or splits a step; `number` counts from 1."""
        self.close_forms(quiet=True)
        self.answering.hide()
        self.reshape_form.open_with(doing, number, after, opened.gold.action)

    def close_forms(self, *, quiet: bool = False) -> None:
        """Closes the forms."""
        was = self.form_open()
        for form in self._forms:
            form.hide()
        self.answering.show()
        if was and not quiet:
            self.left.emit()

    def form_open(self) -> bool:
        """Returns whether one of the forms is open."""
        return any(form.isVisibleTo(self) for form in self._forms)

    def keep(self) -> None:
        """Saves text that is still being typed."""
        for field in (self.label, *self.texts.values()):
            field.keep()

    def set_read_only(self, why: str) -> None:
        """Disables all changes and shows the reason; "" enables them."""
        self._read_only = why
        for field in (self.label, *self.texts.values()):
            field.setReadOnly(bool(why))
            field.setToolTip(tip(why))
        self._also.setEnabled(not why and self._free)
        self.pencil.setEnabled(not why and self._free)
        self.pencil.set_tip(why or (tr("Edit action") if self._free else tr(ROUND)))
        self._more.setEnabled(not why)
        self._more.set_tip(why or tr("More about the step"))

    def set_free(self, *, free: bool) -> None:
        """Hides all but the choice of targets, as in a blind round, or shows everything again."""
        self._free = free
        for row in self._text_rows:
            row.setVisible(free)
        self.set_read_only(self._read_only)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut_answer()

    def _cut_answer(self) -> None:
        """Shortens the text of the main button in a narrow panel; its key stays."""
        room = self.width() - self.wait.sizeHint().width() - _ROUND_ANSWER
        metrics = QFontMetricsF(font(BODY, 500))
        self.go.set_words(fitting(self._answer, metrics, max(60, room)))

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        step = self._menu_for
        if step is not None and (step.target is not None or not self._free):
            words = tr("Clear the target") if self._free else tr("There is no target")
            action = menu.addAction(icons.icon("close"), words)
            action.triggered.connect(self.clear)
        menu.addSeparator()
        for doing, icon, words in (
            (Reshaping.MERGE, "call-merge", tr("Merge with the next step…")),
            (Reshaping.SPLIT, "call-split", tr("Split the step…")),
            (Reshaping.DELETE, "delete-outline", tr("Delete the step…")),
        ):
            action = menu.addAction(icons.icon(icon), words)
            action.setEnabled(self._free and (doing is not Reshaping.MERGE or self._has_next))
            action.triggered.connect(lambda _=False, d=doing: self.reshape.emit(d))
        self.menu_opened.emit(menu)
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height() + 4)))


def _line() -> Panel:
    line = Panel("", "line")
    line.setFixedHeight(1)
    return line
