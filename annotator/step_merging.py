"""Joins several steps into one, or cuts one into two, if the recording split them wrongly.

Unknown facts stay unknown: the second half of a text has no picture of its own. The journal keeps
the steps that were replaced; this module does not access it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from episodes import actions as a
from episodes.clocks import Moment
from episodes.errors import KnownError
from episodes.screens import Basis
from episodes.steps import Step, StepTexts


def join_steps(steps: Sequence[Step], action: a.Action | None = None) -> Step:
    """Returns neighbouring steps as one: the first's screen, and the screen after the last.

    Args:
        action: what they were together; None to have it computed.

    Raises:
        KnownError: there are fewer than two, or no one action says what they were together.
    """
    if len(steps) < 2:
        raise KnownError(
            "merge steps", "that takes at least two of them", "Name two or more neighbouring steps."
        )
    made = action
    if made is None:
        made = steps[0].action
        for step in steps[1:]:
            made = _together(made, step.action)
    first, last = steps[0], steps[-1]
    return replace(
        first,
        action=made,
        native=None,
        ended=last.ended,
        after=last.after,
        texts=_texts(steps),
        golds=(),
        private=any(step.private for step in steps),
        extra="",
        private_boxes=tuple(box for step in steps for box in step.private_boxes),
    )


def cut_step(step: Step, at: int | None = None) -> tuple[Step, Step]:
    """Returns a step as two.

    A text is cut before character `at`; at its end, the key that sent it off becomes a step. A
    double tap becomes two taps.

    Raises:
        KnownError: it is neither, or there is nothing to cut off.
    """
    first, second = _cut(step.action, at)
    frame = step.frame
    if frame is not None:
        frame = replace(frame, still=None, packet=None, segment=None, pts_us=None, native=None)
        frame = replace(frame, basis=Basis.BEFORE_ACTION, received_ns=None, painted_ns=None)
    return (
        replace(step, action=first, native=None, golds=(), extra="", after=None),
        Step(
            index=step.index + 1,
            action=second,
            frame=frame,
            source=step.source,
            began=Moment(),
            ended=Moment(),
            after=step.after,
            foreground=step.foreground,
            private=step.private,
            private_boxes=step.private_boxes,
        ),
    )


def _together(first: a.Action, second: a.Action) -> a.Action:
    match first, second:
        case a.TypeText(submit=False), a.TypeText(clear=False):
            return replace(first, text=first.text + second.text, submit=second.submit)
        case a.TypeText(submit=False), a.PressKey(a.Key.ENTER):
            return replace(first, submit=True)
        case a.Tap(at), a.TypeText(target=None):
            return replace(second, target=at)
        case a.Tap(at), a.Tap():
            return a.DoubleTap(at, first.path)
        case a.Scroll(), a.Scroll() if first.direction is second.direction:
            return first
        case a.Wait(), a.Wait():
            known = first.duration_us is not None and second.duration_us is not None
            return a.Wait(first.duration_us + second.duration_us if known else None)  # type: ignore[operator]
    raise KnownError(
        "merge steps",
        f"“{_named(first)}” and then “{_named(second)}” are no one action",
        "Say which action they were together.",
    )


def _cut(action: a.Action, at: int | None) -> tuple[a.Action, a.Action]:
    match action:
        case a.TypeText(text) if at is not None and 0 < at < len(text):
            return (
                replace(action, text=text[:at], submit=False),
                a.TypeText(text[at:], action.target, submit=action.submit),
            )
        case a.TypeText(text, submit=True) if at is None or at == len(text):
            return replace(action, submit=False), a.PressKey(a.Key.ENTER)
        case a.TypeText(text):
            cut = "nowhere" if at is None else f"before character {at}"
            raise KnownError(
                "split a step",
                f"its text has {len(text)} characters, and a cut {cut} makes no two",
                f"Say before which character, 1 to {len(text) - 1}."
                if len(text) > 1
                else "One character is not two.",
            )
        case a.DoubleTap(target):
            return a.Tap(target), a.Tap(target)
    raise KnownError(
        "split a step",
        f"“{_named(action)}” has no parts",
        "Only typed texts and double taps can be split.",
    )


def _named(action: a.Action) -> str:
    return a.kind(action).replace("_", " ")


def _texts(steps: Sequence[Step]) -> StepTexts:
    """The words of the steps one after the other; the description is of the first screen."""

    def joined(name: str) -> str:
        words = (getattr(step.texts, name) for step in steps)
        return " ".join(dict.fromkeys(word for word in words if word))

    return StepTexts(
        instruction=joined("instruction"),
        description=steps[0].texts.description,
        intention=joined("intention"),
        context=steps[0].texts.context,
        note=joined("note"),
    )
