"""Texts of the Annotate page for steps, candidates and levels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.candidates import Level
from annotator.lint.findings import LintSeverity
from episodes.annotations import Objection, Region, RegionSource, StepJudgement
from taptrail.gui import phrases
from taptrail.gui.components.strip import StripItem
from taptrail.gui.phrases import sentence
from taptrail.usecases.annotating import Choice, OpenStep, StepState
from taptrail.usecases.editing import HistoryLine
from taptrail.usecases.linting import ReportedFinding
from taptrail.words import tr

STATE_ICONS: dict[StepState, tuple[str, str]] = {
    StepState.ACCEPTED: ("check", "match"),
    StepState.LOW: ("alert", "mismatch"),
    StepState.WAITING: ("timer-sand", "text3"),
    StepState.NONE: ("minus", "text3"),
}
SEVERITIES = {
    LintSeverity.ERROR: ("alert-octagon", "record", "Error"),
    LintSeverity.LOOK: ("alert", "mismatch", "Look"),
    LintSeverity.NOTE: ("information-outline", "text2", "Note"),
}
"""How a severity looks: shape, ink, word."""
_STATES = {
    StepState.ACCEPTED: "accepted",
    StepState.LOW: "low, a person decides",
    StepState.WAITING: "waiting",
    StepState.NONE: "needs no target",
}


@dataclass(frozen=True, slots=True)
class BandContent:
    """The level band above the candidates.

    Attributes:
        bars: 1 to 3 for low to high; 0 for no bars.
        tone: "mismatch", "plain" or "match".
    """

    tone: str
    bars: int
    level: str
    title: str
    why: str
    todo: str


def strip_item(
    opened: OpenStep,
    number: int,
    count: int,
    state: StepState,
    findings: Sequence[ReportedFinding] = (),
) -> StripItem:
    """Returns the strip item of a step, with its state."""
    step = opened.step
    words = [
        tr("Step {n} of {all}", n=number, all=count),
        sentence(
            phrases.action_words(opened.gold.action, step.target.label if step.target else "")
        ),
        tr(_STATES[state]),
    ]
    if step.index != number - 1:
        words.append(tr("index {n} in the data", n=step.index))
    still = [one.finding.severity for one in findings if one.accepted is None]
    marked = None
    if still:
        worst = min(still, key=list(LintSeverity).index)
        shape, ink, _ = SEVERITIES[worst]
        marked = (shape, ink, len(still))
        words.append(tr("1 finding", "{n} findings", n=len(still)))
    return StripItem(
        number,
        opened.gold.action,
        step.frame,
        ", ".join(words),
        icon=STATE_ICONS[state],
        findings=marked,
    )


def counted(counts: Mapping[StepState, int]) -> dict[StepState, str]:
    """Returns the number of steps in each state as text."""
    return {
        StepState.ACCEPTED: tr("{n} accepted", n=counts[StepState.ACCEPTED]),
        StepState.LOW: tr("{n} low", n=counts[StepState.LOW]),
        StepState.WAITING: tr("{n} waiting", n=counts[StepState.WAITING]),
        StepState.NONE: tr("1 needs no target", "{n} need no target", n=counts[StepState.NONE]),
    }


def band(opened: OpenStep, state: StepState) -> BandContent:
    """Returns the confidence of the proposal, its reason, and what to do."""
    found = opened.candidates
    if state is StepState.NONE:
        return BandContent(
            "plain", 0, "", tr("Needs no target"), tr("This action has no target element."), ""
        )
    if state is StepState.ACCEPTED:
        at = opened.target
        what = title_of(opened.choices[at]) if at is not None else ""
        return BandContent(
            "match",
            0,
            tr("Accepted"),
            "",
            what,
            tr("Choose another one to change it."),
        )
    assert found is not None
    if found.level is Level.LOW:
        todo = (
            tr("Choose one of these, or draw a box.")
            if found.found
            else tr("Draw a box around the target.")
        )
        return BandContent("mismatch", 1, tr("Low"), tr("A person decides"), found.reason, todo)
    if found.level is Level.MEDIUM:
        return BandContent(
            "plain", 2, tr("Medium"), tr("Look, then accept"), found.reason, tr("Likely right.")
        )
    return BandContent("match", 3, tr("High"), tr("Almost certain"), found.reason, tr("Accept it."))


def choice_title(region: Region, element: str) -> str:
    """Returns the title of a candidate: its source and its content."""
    source = region.provenance.source
    if source is RegionSource.TREE:
        own = f"“{region.label}”" if region.label and region.label != element else ""
        return tr("Tree · {what}", what=" ".join(part for part in (element, own) if part))
    if source is RegionSource.PERSON:
        who = (
            region.author.name
            if region.author is not None and region.author.name
            else tr("a person")
        )
        return tr("Box by {who}", who=who) + (f" · “{region.label}”" if region.label else "")
    named = {
        RegionSource.SAM2: tr("SAM 2 · mask {n}", n=mask_number(region)),
        RegionSource.SUGGESTION: tr("Suggestion"),
        RegionSource.IMPORT: tr("Data set"),
    }[source]
    return f"{named} · “{region.label}”" if region.label else named


def mask_number(region: Region) -> int:
    """Returns the mask's number among the masks for one prompt; 1 if it was not stored."""
    try:
        told = json.loads(region.provenance.prompts or "{}")
    except ValueError:
        return 1
    number = told.get("mask") if isinstance(told, dict) else None
    return number if isinstance(number, int) else 1


def title_of(choice: Choice) -> str:
    """Returns the title of a choice."""
    return choice_title(choice.region, choice.candidate.element if choice.candidate else "")


def short_title(choice: Choice) -> str:
    """Returns a short title for frames and buttons: source and class."""
    source = choice.region.provenance.source
    if source is RegionSource.TREE:
        element = choice.candidate.element if choice.candidate else tr("element")
        return tr("Tree · {what}", what=element)
    if source is RegionSource.PERSON:
        author = choice.region.author
        if author is None or not author.name:
            return tr("Box")
        return tr("Box by {who}", who=author.name)
    return {
        RegionSource.SAM2: tr("SAM 2 · mask {n}", n=mask_number(choice.region)),
        RegionSource.SUGGESTION: tr("Suggestion"),
        RegionSource.IMPORT: tr("Data set"),
    }[source]


def shortest_title(choice: Choice) -> str:
    """Returns the shortest title, for narrow buttons: the class, the mask or the box."""
    source = choice.region.provenance.source
    if source is RegionSource.TREE:
        return choice.candidate.element if choice.candidate else tr("element")
    if source is RegionSource.SAM2:
        return tr("mask {n}", n=mask_number(choice.region))
    if source is RegionSource.PERSON:
        return tr("the box")
    return short_title(choice)


def suggested_words(regions: int, unseen: int, *, stopped: bool) -> str:
    """Returns the result of a suggestion job as text."""
    words = [tr("1 candidate is new", "{n} candidates are new", n=regions)]
    if unseen:
        words.append(tr("1 press has no picture", "{n} presses have no picture", n=unseen))
    if stopped:
        words.append(tr("stopped before the end"))
    return ", ".join(words)


def objection_words(said: StepJudgement) -> str:
    """Returns an objection to the step, or to a verdict on it, as text."""
    who = said.author.name or tr("somebody")
    if said.objection is Objection.GOLD:
        return tr("{who} objects to this step: {why}", who=who, why=said.reason)
    return tr(
        "{who} disagrees with the verdict on {run}: {why}", who=who, run=said.run, why=said.reason
    )


def detail_of(choice: Choice) -> str:
    """Returns the distinguishing detail of a candidate, in a few words."""
    one = choice.candidate
    if one is None:
        made = choice.region.provenance
        if made.score is not None:
            words = [tr("score {score:.2f}", score=made.score)]
            if made.stability is not None:
                words.append(tr("stability {s:.2f}", s=made.stability))
            if made.source is RegionSource.SUGGESTION:
                words.append(tr("no model"))
            return " · ".join(words)
        if choice.region.provenance.source is RegionSource.TREE:
            return tr("no longer under the press")
        return tr("drawn by hand") if choice.from_person else ""
    parts = []
    if choice.proposed:
        parts.append(tr("proposed"))
    if one.screen_sized:
        parts.append(tr("the whole screen"))
    if one.off:
        parts.append(tr("switched off"))
    elif one.editable:
        parts.append(tr("a field"))
    elif one.takes_touch:
        parts.append(tr("takes the touch"))
    elif one.opaque:
        parts.append(tr("its content is unknown"))
    else:
        parts.append(tr("only shows something"))
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Who:
    """The people who made a choice in a blind round: letters, names and seconds."""

    letters: str
    names: tuple[str, ...]
    seconds: tuple[float, ...]


def taken_title(choice: Choice, who: Who) -> str:
    """Returns the title of a choice in a round: who made it."""
    if not who.names:
        return tr("Settled: {what}", what=short_title(choice))
    return ", ".join(name or tr("somebody") for name in who.names)


def taken_detail(choice: Choice, who: Who) -> str:
    """Returns what they chose, and how long it took."""
    what = tr("no target") if choice.region.box is None else title_of(choice)
    if choice.region.box is not None and choice.from_person:
        own = choice.region.label
        what = tr("a drawn box") + (f" “{own}”" if own else "")
    times = ", ".join(tr("{s:.1f} s", s=s) for s in who.seconds)
    return " · ".join(part for part in (what, times) if part)


def size_of(choice: Choice) -> str:
    """Returns a candidate's width and height in pixels; "" if it has no box."""
    box = choice.region.box
    return f"{box.width:.0f} × {box.height:.0f}" if box is not None else ""


def undo_words(line: HistoryLine | None) -> str:
    """Returns the edit that Undo would undo, as text."""
    return tr("Undo: {what}", what=line_words(line)) if line is not None else tr("Nothing to undo")


def redo_words(line: HistoryLine | None) -> str:
    """Returns the edit that Redo would redo, as text."""
    if line is None:
        return tr("Nothing to redo")
    what = line.words.partition(": ")[2] or tr("what was taken back last")
    return tr("Redo: {what}", what=_with_step(what, line))


def line_words(line: HistoryLine) -> str:
    """Returns an edit as part of a sentence: "accept a region, step 5"."""
    return _with_step(line.words, line)


def _with_step(words: str, line: HistoryLine) -> str:
    lower = words[:1].lower() + words[1:]
    return lower if line.step is None else tr("{what}, step {n}", what=lower, n=line.step + 1)
