"""Presses: what they hit, what came of them, and how sensible their region is."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.lint.episode_view import EpisodeView, StepView
from annotator.lint.findings import Fix, LintFinding, LintSeverity
from episodes.actions import DoubleTap, LongPress, Tap, TypeText
from episodes.geometry import Box
from episodes.trees.hits import nodes_at

SCREEN_SHARE = 0.8
LARGE_SHARE = 0.1
SMALL_DP = 12


def is_press(view: StepView) -> bool:
    """Returns whether the action that counts is a tap, double tap or long press."""
    return isinstance(view.action, Tap | DoubleTap | LongPress)


def outside_elements(episode: EpisodeView) -> Iterator[LintFinding]:
    """A press where the tree has nothing but the screen itself."""
    for view in episode:
        if not is_press(view) or view.point is None or view.size is None:
            continue
        tree = view.tree
        if tree is None:
            continue
        screen = view.size.width * view.size.height
        if any(node.box.area < SCREEN_SHARE * screen for _, node in nodes_at(tree, view.point)):
            continue
        reason = f"No element of the tree is under the press at {_at(view)}."
        yield LintFinding("press-outside-elements", LintSeverity.LOOK, view.step.index, reason)


def outside_region(episode: EpisodeView) -> Iterator[LintFinding]:
    """Reports a press outside its target."""
    for view in episode:
        target = view.step.target
        if not is_press(view) or view.point is None or target is None or target.box is None:
            continue
        box, point = target.box, view.point
        if box.left <= point.x <= box.right and box.top <= point.y <= box.bottom:
            continue
        reason = (
            f"The press at {_at(view)} is outside its region, "
            f"{box.left:.0f}, {box.top:.0f} to {box.right:.0f}, {box.bottom:.0f}."
        )
        fix = Fix.PROPOSE_TARGET if view.tree is not None else None
        yield LintFinding("press-outside-region", LintSeverity.ERROR, view.step.index, reason, fix)


def without_effect(episode: EpisodeView) -> Iterator[LintFinding]:
    """A press after which the screen looks as before, in the same app.

    A press on a field before its text does not count: the field may have had the focus.
    """
    for view in episode:
        if not is_press(view) or _before_text(view):
            continue
        if view.changed is False and not _app_changed(view):
            reason = f"The screen looks the same after the press at {_at(view)}."
            fix = Fix.DELETE_STEP
            yield LintFinding(
                "press-without-effect", LintSeverity.LOOK, view.step.index, reason, fix
            )


def large_region(episode: EpisodeView) -> Iterator[LintFinding]:
    """A region that is likely more than what was meant."""
    for view, box in _regions(episode):
        share = view.share(box)
        if share > LARGE_SHARE:
            reason = f"The region covers {share:.0%} of the screen.".replace("%", " %")
            yield LintFinding("large-region", LintSeverity.LOOK, view.step.index, reason)


def small_region(episode: EpisodeView) -> Iterator[LintFinding]:
    """A region that is likely a letter or a glyph of what was meant."""
    for view, box in _regions(episode):
        side = view.dp(min(box.width, box.height))
        if side < SMALL_DP:
            reason = f"The region's shorter side is {side:.0f} dp, less than {SMALL_DP} dp."
            yield LintFinding("small-region", LintSeverity.LOOK, view.step.index, reason)


def _regions(episode: EpisodeView) -> Iterator[tuple[StepView, Box]]:
    for view in episode:
        target = view.step.target
        if target is not None and target.box is not None and view.size is not None:
            yield view, target.box


def _before_text(view: StepView) -> bool:
    return view.next is not None and isinstance(view.next.action, TypeText)


def _app_changed(view: StepView) -> bool:
    if view.next is None:
        return False
    here, there = view.step.foreground, view.next.step.foreground
    if here is None or there is None:
        return False
    return (here.package, here.activity) != (there.package, there.activity)


def _at(view: StepView) -> str:
    assert view.point is not None
    return f"{view.point.x:.0f}, {view.point.y:.0f}"
