"""How well a step was captured: gaps, black and frozen frames, trees that do not belong to it."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.lint.episode_view import EpisodeView, StepView
from annotator.lint.findings import LintFinding, LintSeverity
from episodes import actions as a
from episodes.clocks import Moment
from episodes.recordings import Gap
from episodes.screens import StillSource, TreeFit
from episodes.trees.step_trees import NoTree, TreeProblem, tree_of_step

DARK = 16
"""A screen whose brightest part is below this, of 255, shows nothing."""
FROZEN_STEPS = 3
# Gaps in which nothing can be missing; `undelivered` reports its own.
_MEANT = ("paused", "rotated", "undelivered")


def gaps(episode: EpisodeView) -> Iterator[LintFinding]:
    """Reports time without capture, at the step that follows."""
    for gap in episode.episode.gaps:
        if gap.reason in _MEANT:
            continue
        after = next((view for view in episode if _before(gap.started, view.step.began)), None)
        long = _length(gap)
        took = f" of {long / 1e6:.1f} s" if long is not None else ""
        where = "before this step" if after is not None else "after the last step"
        reason = f"A gap{took} lies {where}: {gap.reason}."
        index = after.step.index if after is not None else None
        yield LintFinding("gap", LintSeverity.LOOK, index, reason)


def undelivered(episode: EpisodeView) -> Iterator[LintFinding]:
    """A step whose input the phone refused, so that it did not happen there."""
    refused = [gap.started for gap in episode.episode.gaps if gap.reason == "undelivered"]
    for moment in refused:
        begun = [view for view in episode if not _before(moment, view.step.began)]
        index = begun[-1].step.index if begun else None
        reason = "The phone refused this input, or a part of it: the step did not happen there."
        yield LintFinding("undelivered", LintSeverity.ERROR, index, reason)


def black(episode: EpisodeView) -> Iterator[LintFinding]:
    """A frame that shows nothing."""
    for view in episode:
        frame = view.step.frame
        if frame is None:
            continue
        if frame.protected:
            reason = "The app protects its screen from screenshots; the frame is black."
            yield LintFinding("black-frame", LintSeverity.NOTE, view.step.index, reason)
            continue
        luma = episode.luma(frame.still)
        if luma is not None and int(luma.max()) < DARK:
            reason = f"The frame is black: its brightest part is {int(luma.max())} of 255."
            yield LintFinding("black-frame", LintSeverity.ERROR, view.step.index, reason)


def frozen(episode: EpisodeView) -> Iterator[LintFinding]:
    """The very same picture of the video under several different actions."""
    row: list[StepView] = []
    for view in [*episode, None]:
        if view is not None and row and _same_picture(row[-1], view):
            row.append(view)
            continue
        different = {repr(one.action) for one in row if not isinstance(one.action, a.Wait)}
        if len(row) >= FROZEN_STEPS and len(different) >= FROZEN_STEPS - 1:
            first, last = row[0].step.index, row[-1].step.index
            reason = f"Steps {first} to {last} have the very same picture of the video."
            for one in row[1:]:
                yield LintFinding("frozen-frame", LintSeverity.LOOK, one.step.index, reason)
        row = [view] if view is not None else []


def changed_by_itself(episode: EpisodeView) -> Iterator[LintFinding]:
    """A screen that changed between two steps of a recording, after it had come to rest.

    The content came late, or somebody else operated the phone.
    """
    for view in episode:
        before = view.before
        if not episode.recorded or before is None or isinstance(before.action, a.Wait):
            continue
        if episode.differ(before.step.after, view.step.frame):
            reason = (
                f"The screen changed after step {before.step.index} had taken effect, "
                "without an action of this recording."
            )
            yield LintFinding("changed-by-itself", LintSeverity.NOTE, view.step.index, reason)


def stale_tree(episode: EpisodeView) -> Iterator[LintFinding]:
    """A tree of another moment, or of another shape, than the step's frame."""
    for view in episode:
        found = tree_of_step(view.step)
        if isinstance(found, NoTree) and found.of_another_screen:
            yield LintFinding("stale-tree", LintSeverity.LOOK, view.step.index, found.reason)


def missing_tree(episode: EpisodeView) -> Iterator[LintFinding]:
    """No tree where one can be expected: in recordings, and where other steps have one."""
    if not episode.recorded and not episode.has_trees:
        return
    for view in episode:
        if isinstance(view.action, a.Finish | a.Answer):
            continue
        found = tree_of_step(view.step)
        if not isinstance(found, NoTree):
            continue
        kept = view.step.tree
        asked_in_vain = kept is not None and kept.fit is TreeFit.FAILED
        if asked_in_vain or found.problem is TreeProblem.UNREADABLE:
            yield LintFinding("missing-tree", LintSeverity.LOOK, view.step.index, found.reason)
        elif found.problem is TreeProblem.NOT_REQUESTED:
            reason = found.reason
            if not episode.recorded:
                reason = "The data set has no tree for this step, and has for others."
            yield LintFinding("missing-tree", LintSeverity.NOTE, view.step.index, reason)


def _same_picture(one: StepView, other: StepView) -> bool:
    first, second = one.step.frame, other.step.frame
    if first is None or second is None or first.still is None or second.still is None:
        return False
    if first.still.source is not StillSource.STREAM:
        return False
    if first.packet is not None and second.packet is not None:
        return (first.segment, first.packet) == (second.segment, second.packet)
    return first.still.sha256 == second.still.sha256


def _before(one: Moment, other: Moment) -> bool:
    if one.host_ns is not None and other.host_ns is not None:
        return one.host_ns < other.host_ns
    if one.device_us is not None and other.device_us is not None:
        return one.device_us < other.device_us
    return False


def _length(gap: Gap) -> int | None:
    """Microseconds; None if it has no end or no clock both ends share."""
    if gap.ended is None:
        return None
    if gap.started.host_ns is not None and gap.ended.host_ns is not None:
        return (gap.ended.host_ns - gap.started.host_ns) // 1000
    if gap.started.device_us is not None and gap.ended.device_us is not None:
        return gap.ended.device_us - gap.started.device_us
    return None
