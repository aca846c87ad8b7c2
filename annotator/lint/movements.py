"""Swipes, scrolls and typed text; and steps that were recorded twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from annotator.lint.episode_view import EpisodeView, StepView
from annotator.lint.findings import Fix, LintFinding, LintSeverity
from episodes import actions as a
from episodes.geometry import Direction, Point

NEAR_DP = 12
"""Two presses nearer than this are of one place."""

_WORD = re.compile(r"\b(swipe|fling|scroll)(?:s|ed|ing)?\b", re.IGNORECASE)
_WAY = re.compile(r"\b(up|down|left|right)(?:wards?)?\b", re.IGNORECASE)
_BARE_TREES = ("aitw-ocr",)  # they know no fields


def text_without_focus(episode: EpisodeView) -> Iterator[LintFinding]:
    """Reports typed text if the tree shows no field for it."""
    for view in episode:
        if not isinstance(view.action, a.TypeText) or view.tree is None:
            continue
        assert view.step.tree is not None
        if view.step.tree.record.format in _BARE_TREES:
            continue
        point = view.point
        fields = [node for node in view.tree.walk() if node.editable and node.visible]
        if any(node.focused or (point is not None and point in node.box) for node in fields):
            continue
        told = (
            f"none of the {len(fields)} fields on the screen has the focus"
            if len(fields) > 1
            else "the one field on the screen does not have the focus"
            if fields
            else "there is no field on the screen"
        )
        reason = f"{len(view.action.text)} characters were typed, but {told}."
        yield LintFinding("text-without-focus", LintSeverity.LOOK, view.step.index, reason)


def against_instruction(episode: EpisodeView) -> Iterator[LintFinding]:
    """Reports a swipe or scroll against the direction in the step's instruction."""
    for view in episode:
        way = _way(view.action)
        wanted = _wanted(view.step.texts.instruction)
        if way is None or wanted is None:
            continue
        word, told = wanted
        # "Scroll down" speaks of the content in most data sets, and of the finger in some.
        right = {told} if word != "scroll" else {told.opposite}
        if way in right:
            continue
        words = f"The instruction says “{word} {told.value}”, but the finger moves {way.value}"
        if word == "scroll" and way is told:
            reason = f"{words}: right only if they mean the finger and not the content."
            yield LintFinding(
                "swipe-against-instruction", LintSeverity.NOTE, view.step.index, reason
            )
        else:
            reason = f"{words}."
            yield LintFinding(
                "swipe-against-instruction", LintSeverity.LOOK, view.step.index, reason
            )


def swipe_without_effect(episode: EpisodeView) -> Iterator[LintFinding]:
    """A swipe or scroll after which the screen looks as before."""
    for view in episode:
        if isinstance(view.action, a.Swipe | a.Scroll | a.Pinch) and view.changed is False:
            kind = a.kind(view.action)
            reason = f"The screen looks the same after the {kind}."
            fix = Fix.DELETE_STEP
            yield LintFinding(
                "swipe-without-effect", LintSeverity.LOOK, view.step.index, reason, fix
            )


def duplicates(episode: EpisodeView) -> Iterator[LintFinding]:
    """A step that does the same as the one before on a screen that looks the same."""
    for view in episode:
        before = view.before
        if before is None or isinstance(view.action, a.Wait | a.Finish):
            continue
        if not _same(view, before.action):
            continue
        if episode.differ(before.step.frame, view.step.frame) is False:
            reason = f"It does the same as step {before.step.index}, on the same screen."
            fix = Fix.DELETE_STEP
            yield LintFinding("duplicate-step", LintSeverity.LOOK, view.step.index, reason, fix)


def _way(action: a.Action) -> Direction | None:
    match action:
        case a.Swipe(start=start, end=end) if start != end:
            return action.direction
        case a.Scroll(direction=direction):
            return direction
        case _:
            return None


def _wanted(words: str) -> tuple[str, Direction] | None:
    """Returns the direction in the instruction; None if it has none or several."""
    verbs = {found.lower() for found in _WORD.findall(words[:1000])}
    ways = {found.lower() for found in _WAY.findall(words[:1000])}
    if len(verbs) != 1 or len(ways) != 1:
        return None
    return verbs.pop(), Direction(ways.pop())


def _same(view: StepView, other: a.Action) -> bool:
    """Whether two actions do the same; fingers and times differ by a little."""
    action = view.action
    if type(action) is not type(other):
        return False
    match action, other:
        case (a.Tap(at=Point() as one), a.Tap(at=Point() as two)) | (
            a.DoubleTap(at=Point() as one),
            a.DoubleTap(at=Point() as two),
        ):
            return _near(view, one, two)
        case a.LongPress(at=Point() as one), a.LongPress(at=Point() as two):
            return _near(view, one, two)
        case a.Swipe(), a.Swipe():
            return _near(view, action.start, other.start) and _near(view, action.end, other.end)
        case a.Pinch(), a.Pinch():
            return replace(action, path=()) == replace(other, path=())
        case _:
            return action == other


def _near(view: StepView, one: Point, two: Point) -> bool:
    return view.size is not None and view.dp(one.distance_to(two)) < NEAR_DP
