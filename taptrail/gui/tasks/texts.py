"""Texts and shapes of attempts, the same in charts, tables and for screen readers."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from taptrail.gui import phrases, theme
from taptrail.gui.components.chip import paint_letter
from taptrail.usecases.attempts import AgentsAttempt, CountingDecision, PersonsAttempt, Reference
from taptrail.words import tr

LETTERS = "ABCD"


class AttemptMark(Enum):
    """How an attempt is used in the reference; the value is its word."""

    COUNTS = "Counts"
    TAKEN_IN = "Taken in"
    OUTLIER = "Outlier"
    LEFT_OUT = "Left out"
    FAILED = "Not complete"


_OUTCOMES = {
    "complete": ("check-circle", "match", "Complete"),
    "impossible": ("cancel", "mismatch", "Impossible"),
    "failed": ("close-box", "mismatch", "Failed"),
    "given up": ("progress-alert", "mismatch", "Given up"),
    "": ("help-circle-outline", "text2", "Nobody says"),
}


def mark_of(one: PersonsAttempt) -> AttemptMark:
    """Returns how an attempt is used in the reference."""
    if one.counting is CountingDecision.LEFT_OUT:
        return AttemptMark.LEFT_OUT
    if one.counting is CountingDecision.TAKEN_IN:
        return AttemptMark.TAKEN_IN
    if one.counts:
        return AttemptMark.COUNTS
    return AttemptMark.OUTLIER if one.outlier else AttemptMark.FAILED


def outcome_words(outcome: str) -> tuple[str, str, str]:
    """Returns icon, colour token and word of the outcome of an attempt."""
    icon, ink, word = _OUTCOMES[outcome]
    return icon, ink, tr(word)


def person(one: PersonsAttempt) -> str:
    """Returns the person and the number of their attempt: "Ana P., 2"."""
    return f"{one.person or tr('Unnamed')}, {one.number}"


def time(us: float | None) -> str:
    """Returns a duration such as 1:38; "–" if it is unknown."""
    return "–" if us is None else phrases.clock(us)


def attempt_sentence(one: PersonsAttempt) -> str:
    """Returns a description of an attempt in one sentence."""
    parts = [
        f"{person(one)}, {one.name}",
        tr("1 step", "{n} steps", n=one.steps),
        tr("time {time}", time=time(one.times.wall)),
        tr("thinking {time}", time=time(one.times.thinking)),
        tr("acting {time}", time=time(one.times.acting)),
        outcome_words(one.outcome)[2].lower(),
        tr(mark_of(one).value).lower(),
    ]
    return ", ".join(parts) + (f": {one.why}" if one.why else "")


def agent_sentence(letter: str, one: AgentsAttempt) -> str:
    """Returns an agent's attempt in one sentence."""
    return tr(
        "agent {letter}, {agent}, {name}, {steps}, {outcome}",
        letter=letter,
        agent=one.agent or tr("unnamed"),
        name=one.name,
        steps=tr("1 step", "{n} steps", n=one.steps),
        outcome=outcome_words(one.outcome)[2].lower(),
    )


def letters_of(found: Reference) -> dict[str, str]:
    """Returns the letter of each agent by its name; "" from the fifth on."""
    agents = dict.fromkeys(one.agent for one in found.agents)
    return {
        agent: LETTERS[number] if number < len(LETTERS) else ""
        for number, agent in enumerate(agents)
    }


def counted_words(found: Reference) -> str:
    """Returns how many of the attempts are in the reference, and from how many people."""
    counted = sum(one.counts for one in found.attempts)
    words = "{some} of {all} counts; {people} tried" if counted == 1 else ""
    return tr(
        words or "{some} of {all} count; {people} tried",
        some=counted,
        all=tr("1 attempt", "{n} attempts", n=len(found.attempts)),
        people=tr("1 person", "{n} people", n=found.people),
    )


def paint_mark(painter: QPainter, at: QPointF, mark: AttemptMark, r: float = 4.5) -> None:
    """Draws the shape of a mark: dot, dot in a ring, ring, barred ring, cross."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    amber = theme.colour("person_mark")
    if mark is AttemptMark.FAILED:
        painter.setPen(QPen(theme.colour("mismatch"), 1.8))
        arm = r * 0.85
        painter.drawLine(at + QPointF(-arm, -arm), at + QPointF(arm, arm))
        painter.drawLine(at + QPointF(-arm, arm), at + QPointF(arm, -arm))
    elif mark in (AttemptMark.COUNTS, AttemptMark.TAKEN_IN):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(amber)
        painter.drawEllipse(at, *(2 * [r if mark is AttemptMark.COUNTS else r * 0.5]))
        if mark is AttemptMark.TAKEN_IN:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(amber, 1.5))
            painter.drawEllipse(at, r, r)
    else:
        painter.setPen(QPen(amber if mark is AttemptMark.OUTLIER else theme.colour("text3"), 1.8))
        painter.setBrush(theme.colour("panel"))
        painter.drawEllipse(at, r - 0.4, r - 0.4)
        if mark is AttemptMark.LEFT_OUT:
            arm = r * 0.6
            painter.drawLine(at + QPointF(-arm, arm), at + QPointF(arm, -arm))
    painter.restore()


def paint_agent(painter: QPainter, at: QPointF, letter: str) -> None:
    """Draws an agent's attempt: a square with its letter."""
    if letter:
        paint_letter(painter, at.x() - 7, at.y(), letter, 14)
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("text2"), 1.5))
    painter.setBrush(theme.colour("panel"))
    painter.drawRoundedRect(QRectF(at.x() - 6, at.y() - 6, 12, 12), 3, 3)
    painter.restore()
