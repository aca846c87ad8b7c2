"""The task around the steps: its words, its end, and how long each step took."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import quantiles

from annotator.lint.episode_view import EpisodeView, StepView
from annotator.lint.findings import LintFinding, LintSeverity
from episodes import actions as a
from episodes.clocks import Moment
from episodes.episodes import EpisodeState

LONG_THOUGHT_US = 10_000_000
"""A pause before a step is never an outlier below this."""
MIN_TIMES = 5
"""Quartiles of fewer pauses are not meaningful."""
SPREADS = 3.0


def empty_instruction(episode: EpisodeView) -> Iterator[LintFinding]:
    """Reports an empty instruction."""
    if not episode.episode.task.instruction.strip():
        yield LintFinding(
            "empty-instruction", LintSeverity.ERROR, None, "The instruction is empty."
        )


def unseen_app(episode: EpisodeView) -> Iterator[LintFinding]:
    """The instruction names an app that no step is in and none opens."""
    words = episode.episode.task.instruction
    present = {name.casefold() for name in _apps(episode)}
    if not present:
        return  # the apps of the steps are unknown
    for app in sorted(episode.facts.apps | set(episode.episode.task.apps)):
        if app.casefold() not in present and _names(words, app):
            reason = f"The instruction names {app}, and no step is in it or opens it."
            yield LintFinding("app-not-seen", LintSeverity.LOOK, None, reason)


def missing_finish(episode: EpisodeView) -> Iterator[LintFinding]:
    """Reports an episode without a finish."""
    one = episode.episode
    if one.state is EpisodeState.INCOMPLETE:
        reason = f"The episode was cut off after {len(one.steps)} steps."
        yield LintFinding("finish-missing", LintSeverity.LOOK, None, reason)
        return
    if one.finish is not None or any(isinstance(step.action, a.Finish) for step in episode):
        return
    severity = LintSeverity.LOOK if episode.recorded else LintSeverity.NOTE
    yield LintFinding("finish-missing", severity, None, "No step says that the task is done.")


def odd_times(episode: EpisodeView) -> Iterator[LintFinding]:
    """A pause far longer than the episode's others, or times that run backwards."""
    pauses: list[tuple[StepView, int]] = []
    for view in episode:
        began, ended = _us(view.step.began), _us(view.step.ended)
        if began is not None and ended is not None and ended < began:
            reason = f"It ended {(began - ended) / 1e6:.3f} s before it began."
            yield LintFinding("odd-time", LintSeverity.ERROR, view.step.index, reason)
        last = _us(view.before.step.began) if view.before is not None else None
        if began is None or last is None:
            continue
        if began < last:
            reason = f"It began {(last - began) / 1e6:.3f} s before the step before it."
            yield LintFinding("odd-time", LintSeverity.ERROR, view.step.index, reason)
            continue
        assert view.before is not None
        rested = began - (_us(view.before.step.ended) or last) - _paused(episode, last, began)
        pauses.append((view, max(0, rested)))
    if len(pauses) < MIN_TIMES:
        return
    lower, _, upper = quantiles((rested for _, rested in pauses), n=4, method="inclusive")
    limit = max(LONG_THOUGHT_US, upper + SPREADS * (upper - lower))
    for view, rested in pauses:
        if rested > limit:
            reason = (
                f"{rested / 1e6:.1f} s passed before it; the middle half of the episode's steps "
                f"took {lower / 1e6:.1f} to {upper / 1e6:.1f} s."
            )
            yield LintFinding("odd-time", LintSeverity.NOTE, view.step.index, reason)


def _apps(episode: EpisodeView) -> Iterator[str]:
    for view in episode:
        foreground = view.step.foreground
        if foreground is not None:
            yield foreground.label or foreground.package
            yield foreground.package
        if isinstance(view.action, a.OpenApp):
            yield view.action.app


def _names(words: str, app: str) -> bool:
    """Whether words name an app: as a name within a sentence, or with the word "app" after it."""
    if len(app) < 3 or "." in app:
        return False
    name = re.escape(app)
    if re.search(rf"\b{name} app\b", words, re.IGNORECASE):
        return True
    return re.search(rf"(?<=[a-z,;:] ){name}\b", words) is not None and app[:1].isupper()


def _us(moment: Moment | None) -> int | None:
    if moment is None:
        return None
    return moment.device_us if moment.host_ns is None else moment.host_ns // 1000


def _paused(episode: EpisodeView, start: int, end: int) -> int:
    total = 0
    for gap in episode.episode.gaps:
        began, ended = _us(gap.started), _us(gap.ended)
        if began is not None:
            total += max(0, min(end, end if ended is None else ended) - max(start, began))
    return total
