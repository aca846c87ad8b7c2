"""Presses: what they hit, what came of them, and how sensible their region is."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.lint.findings import Finding, Fix, Severity
from annotator.lint.seen import SeenEpisode, SeenStep
from episodes.actions import DoubleTap, LongPress, Tap, TypeText
from episodes.geometry import Box
from episodes.trees.hits import nodes_at

SCREEN_SHARE = 0.8
LARGE_SHARE = 0.1
SMALL_DP = 12


def is_press(seen: SeenStep) -> bool:
    """Returns whether the action that counts is a tap, double tap or long press."""
    return isinstance(seen.action, Tap | DoubleTap | LongPress)


def outside_elements(episode: SeenEpisode) -> Iterator[Finding]:
    """A press where the tree has nothing but the screen itself."""
    for seen in episode:
        if not is_press(seen) or seen.point is None or seen.size is None:
            continue
        tree = seen.tree
        if tree is None:
            continue
        screen = seen.size.width * seen.size.height
        if any(node.box.area < SCREEN_SHARE * screen for _, node in nodes_at(tree, seen.point)):
            continue
        reason = f"No element of the tree lies under the press at {_at(seen)}."
        yield Finding("press-outside-elements", Severity.LOOK, seen.step.index, reason)


def outside_region(episode: SeenEpisode) -> Iterator[Finding]:
    """A press that lies outside the region somebody chose for it."""
    for seen in episode:
        target = seen.step.target
        if not is_press(seen) or seen.point is None or target is None or target.box is None:
            continue
        box, point = target.box, seen.point
        if box.left <= point.x <= box.right and box.top <= point.y <= box.bottom:
            continue
        reason = (
            f"The press at {_at(seen)} lies outside its region, "
            f"{box.left:.0f}, {box.top:.0f} to {box.right:.0f}, {box.bottom:.0f}."
        )
        fix = Fix.PROPOSE_TARGET if seen.tree is not None else None
        yield Finding("press-outside-region", Severity.ERROR, seen.step.index, reason, fix)


def without_effect(episode: SeenEpisode) -> Iterator[Finding]:
    """A press after which the screen looks as before, in the same app.

    A press on a field before its text is no such one: the field may have had the focus.
    """
    for seen in episode:
        if not is_press(seen) or _before_text(seen):
            continue
        if seen.changed is False and not _app_changed(seen):
            reason = f"The screen looks the same after the press at {_at(seen)}."
            fix = Fix.DELETE_STEP
            yield Finding("press-without-effect", Severity.LOOK, seen.step.index, reason, fix)


def large_region(episode: SeenEpisode) -> Iterator[Finding]:
    """A region that is likely more than what was meant."""
    for seen, box in _regions(episode):
        share = seen.share(box)
        if share > LARGE_SHARE:
            reason = f"The region covers {share:.0%} of the screen.".replace("%", " %")
            yield Finding("large-region", Severity.LOOK, seen.step.index, reason)


def small_region(episode: SeenEpisode) -> Iterator[Finding]:
    """A region that is likely a letter or a glyph of what was meant."""
    for seen, box in _regions(episode):
        side = seen.dp(min(box.width, box.height))
        if side < SMALL_DP:
            reason = f"The region's shorter side is {side:.0f} dp, less than {SMALL_DP} dp."
            yield Finding("small-region", Severity.LOOK, seen.step.index, reason)


def _regions(episode: SeenEpisode) -> Iterator[tuple[SeenStep, Box]]:
    for seen in episode:
        target = seen.step.target
        if target is not None and target.box is not None and seen.size is not None:
            yield seen, target.box


def _before_text(seen: SeenStep) -> bool:
    return seen.next is not None and isinstance(seen.next.action, TypeText)


def _app_changed(seen: SeenStep) -> bool:
    if seen.next is None:
        return False
    here, there = seen.step.foreground, seen.next.step.foreground
    if here is None or there is None:
        return False
    return (here.package, here.activity) != (there.package, there.activity)


def _at(seen: SeenStep) -> str:
    assert seen.point is not None
    return f"{seen.point.x:.0f}, {seen.point.y:.0f}"
