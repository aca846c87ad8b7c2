"""The Verdict tab: the reason of a verdict, other protocols, and the model's raw text."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from episodes.annotations import Decision, EpisodeReview
from episodes.runs import Answered, Ended, Prediction, Run, Unreadable
from episodes.verdicts import Outcome, Verdict
from replay.side_by_side import SideBySide
from taptrail.gui import icons, phrases
from taptrail.gui.annotate.judge_form import JudgeForm
from taptrail.gui.components import cells
from taptrail.gui.components.button import QUIET, Button
from taptrail.gui.components.chip import VERDICT_WORDS, Chip, Letter, VerdictChip
from taptrail.gui.components.labels import ElidedLabel, label
from taptrail.gui.components.messages import EmptyState
from taptrail.gui.components.panel import (
    Facts,
    Panel,
    Scrolled,
    Section,
    WidgetRow,
    section_head,
)
from taptrail.gui.components.tips import tip
from taptrail.gui.fonts import BODY, CAPTION, FACTS, font
from taptrail.gui.review.head import protocol_tip, protocol_words
from taptrail.gui.review.judgement import Judgement
from taptrail.words import tr

_MOST_TEXT = 20_000


class VerdictTab(Panel):
    """The Verdict tab of the right panel of Review.

    Signals:
        wanted: the user asked to choose a run.
        imports: the user asked to import predictions.
        left: the user left a form; the focus should return to where it was.
        asks: the user asked to read the request behind an answer: run, episode, step.
    """

    wanted = Signal()
    imports = Signal()
    left = Signal()
    asks = Signal(str, str, int)

    def __init__(self) -> None:
        super().__init__(tr("Why"))
        self._letter_place = WidgetRow()
        self._name = ElidedLabel("", BODY, 600)
        self._verdict = VerdictChip()
        head = WidgetRow(self._letter_place, self._name, self._verdict)
        head.row.setStretch(1, 1)
        self._reason = label("", BODY, wrap=True, selectable=True)
        self._rule = Chip("", "outline")
        self._protocol = Chip("", "outline")
        self._parts = Facts(104)
        self._others = _Others()
        self._raw = QPlainTextEdit()
        self._raw.setReadOnly(True)
        self._raw.setFont(font(FACTS, mono=True))
        self._raw.setAccessibleName(tr("What the model wrote"))
        self._raw.setFixedHeight(120)
        self._from = label("", CAPTION, tone="3", wrap=True)
        copy = Button("", "content-copy", kind=QUIET, size="s", tip=tr("Copy what the model wrote"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._raw.toPlainText()))
        self.request = Button(
            tr("Request"), kind=QUIET, size="s", tip=tr("What the model was sent")
        )
        self.request.setCheckable(True)
        self.request.toggled.connect(self._turn_to_request)
        self._answer, self._asked_about = "", ("", "", -1)
        inside = Panel(tr("Why"))
        self._verdict_part = Section(
            head, self._reason, WidgetRow(self._rule, self._protocol, None, gap=6), self._parts
        )
        self._raw_part = Section(
            section_head(tr("What the model wrote"), None, self.request, copy),
            self._raw,
            self._from,
            line=False,
        )
        self._how_many = label("", CAPTION, tone="3")
        self.all_rules = Button("", kind=QUIET, size="s")
        self.all_rules.setCheckable(True)
        self.all_rules.toggled.connect(self._fold)
        self._others_part = Section(
            section_head(tr("Under other rules"), None, self._how_many),
            self._others,
            self.all_rules,
        )
        self._others_part.column.setAlignment(self.all_rules, Qt.AlignmentFlag.AlignLeft)
        inside.add(self._verdict_part, self._others_part, self._raw_part, None)
        self.choose = Button(tr("Choose a run"), "plus")
        self.choose.clicked.connect(self.wanted)
        self.bring = Button(tr("Import predictions…"), "import")
        self.bring.clicked.connect(self.imports)
        self._empty = EmptyState("robot-outline", "", "", [self.choose, self.bring], aside=True)
        self._scrolled = Scrolled(inside)
        self.judgement, self.judge_form = Judgement(), JudgeForm()
        self.judge_form.closed.connect(self.close_forms)
        self.judgement.left.connect(self.left)
        self._line = Panel("", "line")
        self._line.setFixedHeight(1)
        self.add(self._scrolled, self._empty, self._line, self.judgement, self.judge_form)
        self.show_nothing()

    def open_judge(self, decision: Decision, review: EpisodeReview | None, still_open: str) -> None:
        """Opens the form for the decision on the episode, instead of the verdict on the step."""
        self.judgement.close_form(quiet=True)
        self.judgement.hide()
        self.judge_form.open_with(decision, review, still_open)

    def close_forms(self, *, quiet: bool = False) -> None:
        """Closes the forms."""
        self.judge_form.hide()
        self.judgement.show()
        self.judgement.close_form(quiet=quiet)

    def form_open(self) -> bool:
        """Returns whether a form is open."""
        return self.judgement.form_open() or self.judge_form.isVisibleTo(self)

    def show_nothing(self) -> None:
        """Shows that the library has no run."""
        self._say(
            tr("No runs yet"), tr("Import predictions to see them beside gold."), offered=False
        )

    def show_no_answer(self, offered: bool) -> None:
        """Shows that no selected run has predictions here; `offered`: whether other runs have."""
        self._say(
            tr("No selected run has predictions here"),
            tr("Choose a run, or import predictions for this episode in Episodes."),
            offered=offered,
        )

    def empty_words(self) -> str:
        """Returns the text shown instead of a verdict; "" while there is a verdict."""
        return self._empty.title.text() if self._empty.isVisibleTo(self) else ""

    def _say(self, words: str, more: str, *, offered: bool) -> None:
        self._empty.say(words, more)
        self.choose.setVisible(offered)
        self.bring.setVisible(not offered)
        self._scrolled.hide()
        self._empty.show()

    def show_step(self, letter: str, run: Run, side: SideBySide, protocol: str) -> None:
        """Shows the verdict on a run's prediction for a step, with its details."""
        self._empty.hide()
        self._scrolled.show()
        row = self._letter_place.row
        while (item := row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        row.addWidget(Letter(letter))
        self._name.set_text(run.name)
        self._verdict.show_outcome(side.verdict.outcome)
        self._reason.setText(phrases.rounded(side.verdict.reason))
        self._rule.set_words(tr("rule: {rule}", rule=side.verdict.rule))
        self._protocol.set_words(protocol_words(protocol))
        about = protocol_tip(protocol)
        self._rule.setToolTip(tip(f"{phrases.rounded(side.verdict.reason)}\n{about}"))
        self._protocol.setToolTip(tip(about))
        self._show_parts(side.verdict)
        self._others.show_verdicts(
            {k: v for k, v in side.others.items() if k != protocol}, side.verdict.outcome
        )
        self._fold(self.all_rules.isChecked())
        self._show_raw(side.prediction, run)

    def reason(self) -> str:
        """Returns the shown reason."""
        return self._reason.text()

    def outcome_word(self) -> str:
        """Returns the word of the shown verdict."""
        return self._verdict.word()

    def raw(self) -> str:
        """Returns the shown part of the model's raw text."""
        return self._raw.toPlainText()

    def about_answer(self) -> str:
        """Returns what is said below the model's words."""
        return self._from.text()

    def others(self) -> dict[str, str]:
        """Returns the words of the verdicts under the other protocols."""
        return self._others.words()

    def _fold(self, whole: bool) -> None:
        """Shows all other protocols, or only those with a different verdict."""
        others, all_, part = self._others, len(self._others.words()), self._others.apart()
        others.set_whole(whole or not part)
        if part:
            self._how_many.setText(tr("{n} of {all} differ", n=part, all=all_))
        else:
            self._how_many.setText(tr("All {all} say the same", all=all_))
        self.all_rules.setVisible(0 < part < all_)
        self.all_rules.set_words(
            tr("Only those that differ") if whole else tr("Show all {all}", all=all_)
        )

    def _show_parts(self, verdict: Verdict) -> None:
        self._parts.clear()
        shown = {k: v for k, v in verdict.parts.items() if v is not None and v is not False}
        for name, value in shown.items():
            self._parts.put(name.replace("_", " "), _value(value))
        self._parts.setVisible(bool(shown))

    def show_request(self, about: tuple[str, str, int], text: str) -> None:
        """Shows a request in place of its answer, unless a person has gone on meanwhile."""
        if self.request.isChecked() and about == self._asked_about:
            self._raw.setPlainText(text[:_MOST_TEXT] + ("…" if len(text) > _MOST_TEXT else ""))

    def _turn_to_request(self, on: bool) -> None:
        if on:
            self.asks.emit(*self._asked_about)
        else:
            self._raw.setPlainText(self._answer)

    def _show_raw(self, prediction: Prediction | None, run: Run) -> None:
        self.request.setVisible(bool(run.asking) and prediction is not None)
        if prediction is None:
            self.request.setChecked(False)
            self._raw.setPlainText("")
            self._raw.hide()
            self._from.setText(tr("The run has no prediction for this step."))
            return
        self._raw.show()
        text = prediction.raw
        cut = len(text) > _MOST_TEXT
        self._answer = text[:_MOST_TEXT] + ("…" if cut else "")
        about = (run.name, prediction.episode, prediction.step)
        if about != self._asked_about:  # a step is shown again when its verdicts come
            self._asked_about = about
            self.request.setChecked(False)
        if not self.request.isChecked():
            self._raw.setPlainText(self._answer)
        parts = _answered_words(prediction.answered) if prediction.answered is not None else []
        if isinstance(prediction.parsed, Unreadable):
            parts.append(tr("Could not be read: {why}.", why=prediction.parsed.reason.rstrip(".")))
        if prediction.line:
            parts.append(
                tr("{file}, line {line}", file=prediction.file or tr("File"), line=prediction.line)
            )
        if run.coordinates:
            parts.append(tr("coordinates {space} as declared", space=run.coordinates))
        if cut:
            parts.append(tr("1 character in all", "{n} characters in all", n=len(text)))
        self._from.setText(" · ".join(parts))


class _Others(QWidget):
    """One line per other protocol: shape, name, rule; the tooltip has the reason."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._verdicts: Mapping[str, Verdict] = {}
        self._outcome = Outcome.UNSCORED
        self._whole = False

    def show_verdicts(self, verdicts: Mapping[str, Verdict], outcome: Outcome) -> None:
        self._verdicts, self._outcome = verdicts, outcome
        self.setAccessibleName("; ".join(f"{key} {word}" for key, word in self.words().items()))
        self.setToolTip(
            tip("\n".join(f"{k}: {phrases.rounded(v.reason)}" for k, v in verdicts.items()))
        )
        self.updateGeometry()
        self.update()

    def words(self) -> dict[str, str]:
        return {key: tr(VERDICT_WORDS[v.outcome]) for key, v in self._verdicts.items()}

    def apart(self) -> int:
        return sum(v.outcome is not self._outcome for v in self._verdicts.values())

    def set_whole(self, whole: bool) -> None:
        self._whole = whole
        self.updateGeometry()
        self.update()

    def shown(self) -> dict[str, Verdict]:
        return {
            key: verdict
            for key, verdict in self._verdicts.items()
            if self._whole or verdict.outcome is not self._outcome
        }

    def sizeHint(self) -> QSize:
        return QSize(200, 24 * len(self.shown()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for number, (key, verdict) in enumerate(self.shown().items()):
            row = QRectF(0, 24 * number, self.width(), 24)
            icon, ink = icons.of_outcome(verdict.outcome)
            icons.paint(painter, icon, QPointF(8, row.center().y()), 15, ink)
            needed = QFontMetricsF(font(CAPTION)).horizontalAdvance(verdict.rule)
            rule = row.adjusted(max(row.width() / 2, row.width() - needed - 1), 0, 0, 0)
            cells.line(painter, rule, verdict.rule, font(CAPTION), "text3", right=True)
            name = row.adjusted(24, 0, rule.left() - row.right() - 8, 0)
            cells.line(painter, name, protocol_words(key), font(FACTS), "text1", middle=True)


def _answered_words(answered: Answered) -> list[str]:
    """Returns how an answer ended, and its tokens, each in words."""
    words = {
        Ended.STOP: "",
        Ended.CUT: tr("cut off at the limit of tokens"),
        Ended.REFUSED: tr("refused"),
        Ended.EMPTY: tr("an empty answer"),
        Ended.REASONING_ONLY: tr("reasoning and no answer"),
        Ended.OTHER: tr("ended as “{word}”", word=answered.finish),
    }
    said = [words[answered.ended]] if words[answered.ended] else []
    if answered.tokens is not None:
        tokens_in, tokens_out = (f"{count:,}" for count in answered.tokens)
        said.append(tr("tokens: {sent} in, {came} out", sent=tokens_in, came=tokens_out))
    return said


def _value(value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)
