"""Texts for actions and times, the same in lists, heads and for screen readers."""

from __future__ import annotations

import re

from episodes import actions as a
from episodes import durations
from episodes.geometry import Box, Point
from episodes.key_names import KEY_LABELS, format_key
from episodes.steps import Step
from taptrail.words import tr


def action_words(action: a.Action, name: str = "") -> tuple[str, str]:
    """Returns verb and object: ("Tap", "New contact"), ("Press", "Back").

    Args:
        name: name of the element if known; otherwise the text has its place.
    """
    match action:
        case a.Tap(at):
            return tr("Tap"), name or target_words(at)
        case a.DoubleTap(at):
            return tr("Double tap"), name or target_words(at)
        case a.LongPress(at):
            return tr("Long press"), name or target_words(at)
        case a.Swipe():
            return tr("Swipe"), tr(action.direction.value)
        case a.Scroll(direction):
            return tr("Scroll"), tr(direction.value)
        case a.Pinch(scale=scale):
            return tr("Pinch"), tr("out") if scale > 1 else tr("in")
        case a.TypeText(text):
            return tr("Type"), f"“{text}”"
        case a.PressKey(key, native):
            named = tr(KEY_LABELS[key]) if key in KEY_LABELS else format_key(native)
            return tr("Press"), named or tr("a key")
        case a.OpenApp(app):
            return tr("Open"), app
        case a.Wait(duration_us):
            return tr("Wait"), seconds(duration_us) if duration_us else ""
        case a.Answer(text):
            return tr("Answer"), f"“{text}”"
        case a.Finish(ending):
            done = ending is a.Ending.COMPLETE
            return tr("Finish"), tr("complete") if done else tr("impossible")
        case a.Other(other):
            return tr("Other"), other


def step_words(step: Step, name: str = "") -> tuple[str, str]:
    """Returns a step's verb and object, with the name of its target if known."""
    return action_words(step.action, name or (step.target.label if step.target else ""))


def sentence(words: tuple[str, str]) -> str:
    """Returns verb and object as one text."""
    return " ".join(word for word in words if word)


def target_words(target: a.Target) -> str:
    """Returns a place as text: whole pixels, or the element's name."""
    match target:
        case Point(x, y):
            return f"{x:.0f}, {y:.0f}"
        case Box():
            return f"{target.centre.x:.0f}, {target.centre.y:.0f}"
        case a.ElementRef(index, text, path):
            return text or path or (tr("element {index}", index=index) if index is not None else "")


_NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")


def rounded(text: str) -> str:
    """Returns a text with its decimal numbers rounded for reading: "0.88", "485".

    Different numbers stay different, so that a value just beyond a limit differs from it.
    """
    numbers = set(_NUMBER.findall(text))
    different = len({float(one) for one in numbers})
    for digits in range(3, 18):
        short = {one: _short(float(one), digits) for one in numbers}
        if len(set(short.values())) == different:
            break
    return _NUMBER.sub(lambda found: short[found.group()], text)


def _short(value: float, digits: int) -> str:
    """Returns a number with so many significant digits, at most one less after the point."""
    whole = len(str(int(value)))
    after = max(0, digits - 1 if value < 1 else digits - whole)
    words = f"{value:.{after}f}"
    return words.rstrip("0").rstrip(".") if "." in words else words


def seconds(microseconds: int) -> str:
    """Returns a short duration, such as "2.4 s"."""
    return tr("{seconds:.1f} s", seconds=microseconds / 1e6)


def clock(microseconds: float) -> str:
    """Returns a longer duration, such as "1:38" or "1:02:38", rounded to seconds."""
    return durations.format_duration(microseconds)


def position(microseconds: float) -> str:
    """Returns a position in time, rounded down to seconds like a running clock."""
    return durations.format_duration(microseconds // 1_000_000 * 1_000_000)


def step_time_us(step: Step) -> int | None:
    """Returns the duration of a step's action; None if it was not measured."""
    for began, ended, unit in (
        (step.began.host_ns, step.ended.host_ns, 1000),
        (step.began.device_us, step.ended.device_us, 1),
    ):
        if began is not None and ended is not None:
            return (ended - began) // unit
    return None
