"""Texts of the Review page: actions of gold and runs, for frames and strip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from episodes.actions import Action, DoubleTap, ElementRef, LongPress, Swipe, Tap
from episodes.density import likely_pixels_per_dp
from episodes.episodes import Episode
from episodes.geometry import Point
from episodes.media.playback import PlaybackTrack
from episodes.runs import Prediction, Unreadable
from episodes.screens import Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from replay.side_by_side import SideBySide
from replay.tolerance import Tolerance
from taptrail.gui import phrases
from taptrail.gui.components.chip import VERDICT_WORDS
from taptrail.gui.components.strip import StripItem
from taptrail.gui.review.columns import RunAnswer, ShownStep
from taptrail.usecases import reviewing
from taptrail.words import tr

LINGER_US = 600_000
Answer: TypeAlias = tuple[Prediction | None, Verdict | None]
"""What a run said of a step, and the verdict on it as far as that is known."""


def strip_item(
    episode: Episode, step: Step, judged: list[tuple[str, reviewing.JudgedRun]], row: int
) -> StripItem:
    """Returns the strip item of the step at a row, with the verdicts of (letter, run) pairs."""
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


def shown(episode: Episode, step: Step, tolerance: Tolerance | None = None) -> ShownStep:
    """Returns the frame of a step, with a text if it has none."""
    found = _of_frame(episode, step.frame)
    return replace(
        found,
        region=step.target.box if step.target else None,
        candidates=reviewing.candidates(step),
        tolerance=tolerance,
    )


def after(episode: Episode, row: int) -> tuple[ShownStep, RunAnswer]:
    """Returns the screen after a step, and its text."""
    frame = reviewing.screen_after(episode, row)
    own = episode.steps[row].after is not None
    words = tr("As it settled") if own else tr("Before the next step")
    if frame is None:
        words = tr("Not recorded")
    return _of_frame(episode, frame), RunAnswer("G", tr("After"), None, words)


def said(
    episode: Episode, step: Step, name: str, runs: Sequence[tuple[str, str, Answer | None]]
) -> list[RunAnswer]:
    """Returns the action of gold and then of each (letter, run, answer) for a step.

    Args:
        name: name of the element the recorded action hit; "" if unknown.
    """
    author = episode.actor.author
    gold = RunAnswer(
        "G",
        tr("Gold"),
        step.action,
        phrases.sentence(phrases.step_words(step, name)),
        step.texts.instruction or step.texts.intention,
        person=author.name if author else "",
    )
    return [gold, *(_of_run(*one) for one in runs)]


def answer(
    opened: reviewing.OpenEpisode,
    step: Step,
    run: str,
    sides: Mapping[str, SideBySide],
    judged: reviewing.JudgedRun | None,
) -> Answer:
    """Returns the action of a run for a step, with the verdict of its comparison or of the list."""
    if run in sides:
        return sides[run].prediction, sides[run].verdict
    known = judged.steps.get((opened.episode.uuid, step.index)) if judged is not None else None
    return opened.predictions[run].get(step.index), known.verdict if known is not None else None


def acted(episode: Episode, track: PlaybackTrack, at_us: float) -> Action | None:
    """Returns the action at a time of the video, up to that time.

    A swipe grows along its path; marks stay briefly after the finger is lifted.
    """
    for step, span in zip(reversed(episode.steps), reversed(track.steps), strict=True):
        if span is not None and span.began_us <= at_us:
            if at_us > span.ended_us + LINGER_US:
                return None
            if isinstance(step.action, Swipe) and at_us < span.ended_us:
                return _so_far(step.action, at_us - span.began_us, span.ended_us - span.began_us)
            return step.action
    return None


def _so_far(swipe: Swipe, since_us: float, whole_us: float) -> Swipe:
    path = tuple(contact for contact in swipe.path if contact.time_us <= since_us)
    if path:
        return replace(swipe, end=path[-1].at, duration_us=None, path=path)
    if swipe.path:
        return replace(swipe, end=swipe.start, duration_us=None, path=swipe.path[:1])
    share = min(1.0, since_us / whole_us) if whole_us else 1.0
    end = Point(
        swipe.start.x + (swipe.end.x - swipe.start.x) * share,
        swipe.start.y + (swipe.end.y - swipe.start.y) * share,
    )
    return replace(swipe, end=end, duration_us=None)


def _of_frame(episode: Episode, frame: Frame | None) -> ShownStep:
    if frame is None:
        return ShownStep(None, 1.0, None, tr("This step has no screen"))
    size = frame.size
    dp = likely_pixels_per_dp(episode.device, size)
    missing = tr("This step has no picture") if frame.still is None else ""
    return ShownStep(size, dp, None, missing, frame.protected)


def _of_run(letter: str, run: str, answer: Answer | None) -> RunAnswer:
    prediction, verdict = answer if answer is not None else (None, None)
    action = None
    if prediction is None:
        words = tr("No prediction")
    elif isinstance(prediction.parsed, Unreadable):
        words = tr("Could not be read")
    else:
        action = prediction.parsed
        words = phrases.sentence(phrases.action_words(action))
        if isinstance(action, Tap | DoubleTap | LongPress) and not isinstance(
            action.at, ElementRef
        ):
            words = tr("{words} px", words=words)  # reasons use the data set's own step numbers
    reason = phrases.rounded(verdict.reason) if verdict is not None else ""
    return RunAnswer(letter, run, action, words, reason, verdict.outcome if verdict else None)
