"""What gold and runs say of a step, as frames and strip show it."""

from __future__ import annotations

from episodes.episodes import Episode
from episodes.runs import Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome
from replay.side_by_side import SideBySide
from taptrail.gui import marks, phrases
from taptrail.gui.components.chip import VERDICT_WORDS
from taptrail.gui.components.strip import StripItem
from taptrail.gui.review.columns import Said, Shown
from taptrail.usecases import reviewing
from taptrail.words import tr


def strip_item(
    episode: Episode, step: Step, judged: list[tuple[str, reviewing.JudgedRun]], row: int
) -> StripItem:
    """Returns the step at a row, with the verdicts of (letter, run) pairs below it."""
    said = [
        tr("Step {n} of {all}", n=row + 1, all=len(episode.steps)),
        phrases.sentence(phrases.step_words(step)),
    ]
    outcomes: list[Outcome | None] = []
    for letter, run in judged:
        found = run.steps.get((episode.uuid, step.index))
        outcomes.append(found.verdict.outcome if found else None)
        if found is not None:
            word = tr(VERDICT_WORDS[found.verdict.outcome])
            said.append(
                tr("run {who} {word}, {why}", who=letter, word=word, why=found.verdict.rule)
            )
    if step.index != row:
        said.append(tr("index {n} in the data", n=step.index))
    return StripItem(row + 1, step.action, step.frame, ", ".join(said), tuple(outcomes))


def shown(episode: Episode, step: Step) -> Shown:
    """Returns the frame of a step, with what to say where it has none."""
    frame = step.frame
    if frame is None:
        return Shown(None, 1.0, None, tr("This step has no screen"))
    size = frame.size
    dp = marks.dp_of(size.width, size.height, episode.device.density)
    missing = tr("This step has no picture") if frame.still is None else ""
    box = step.target.box if step.target else None
    return Shown(size, dp, box, missing, frame.protected)


def said(
    episode: Episode,
    step: Step,
    name: str,
    sides: list[tuple[str, str, SideBySide]],
    protocol: str,
) -> list[Said]:
    """Returns what gold and then each (letter, run, comparison) says of a step.

    Args:
        name: of the element the recorded action met; "" where it is not known.
    """
    limits = [reviewing.tolerance(protocol, side.verdict) for _, _, side in sides]
    author = episode.actor.author
    gold = Said(
        "G",
        tr("Gold"),
        step.action,
        phrases.sentence(phrases.step_words(step, name)),
        step.texts.instruction or step.texts.intention,
        person=author.name if author else "",
        tolerance=next((limit for limit in limits if limit is not None), None),
    )
    return [gold, *(_of_run(*one) for one in sides)]


def _of_run(letter: str, run: str, side: SideBySide) -> Said:
    prediction = side.prediction
    if prediction is None:
        words = tr("No prediction")
    elif isinstance(prediction.parsed, Unreadable):
        words = tr("Could not be read")
    else:
        words = phrases.sentence(phrases.action_words(prediction.parsed))
    return Said(letter, run, side.predicted, words, side.verdict.reason, side.verdict.outcome)
