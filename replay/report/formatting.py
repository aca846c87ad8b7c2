"""Formats actions, kinds and numbers as text, and makes hostile text safe to show."""

from __future__ import annotations

from typing import Protocol

from episodes import actions as a
from episodes.geometry import Box, Point
from episodes.key_names import KEY_LABELS
from episodes.key_names import format_key as named
from episodes.verdicts import Share
from scoring.statistics import Interval

THIN = "\u2009"
LONGEST_RAW, LONGEST_TEXT, LONGEST_NAME = 1000, 600, 120


class Tr(Protocol):
    """The translation function: translates an English sentence and fills in its placeholders."""

    def __call__(
        self, text: str, plural: str = "", /, *, n: int | None = None, **values: object
    ) -> str: ...


_KINDS = {
    "tap": "Tap",
    "double_tap": "Double tap",
    "long_press": "Long press",
    "swipe": "Swipe",
    "scroll": "Scroll",
    "pinch": "Pinch",
    "type_text": "Type",
    "press_key": "Key",
    "open_app": "Open app",
    "wait": "Wait",
    "answer": "Answer",
    "finish": "Finish",
    "other": "Other",
    "unreadable": "Unreadable",
    "missing": "None",
}


def kind_words(kind: str, tr: Tr) -> str:
    """Returns the label of a kind of action."""
    return tr(_KINDS[kind]) if kind in _KINDS else kind


def key_words(key: a.Key, name: str | None, tr: Tr) -> str:
    """Returns the name of a key."""
    if key in KEY_LABELS:
        return tr(KEY_LABELS[key])
    return named(name) or tr("Key")


def action_words(action: a.Action, tr: Tr, name: str = "") -> str:
    """Returns the label of an action, as "Tap New contact" or "Swipe up"; `name` is the
    target's."""
    match action:
        case a.Tap(at):
            return tr("Tap {target}", target=name or _target(at, tr))
        case a.DoubleTap(at):
            return tr("Double tap {target}", target=name or _target(at, tr))
        case a.LongPress(at):
            return tr("Long press {target}", target=name or _target(at, tr))
        case a.Swipe() | a.Scroll():
            verb = "Swipe {direction}" if isinstance(action, a.Swipe) else "Scroll {direction}"
            return tr(verb, direction=tr(action.direction.value))
        case a.Pinch(scale=scale):
            return tr("Pinch out") if scale > 1 else tr("Pinch in")
        case a.TypeText(text):
            return tr("Type “{text}”", text=short(text, 80))
        case a.PressKey(key, native):
            return tr("Press {key}", key=key_words(key, native, tr))
        case a.OpenApp(app):
            return tr("Open {app}", app=short(app, 80))
        case a.Wait():
            return tr("Wait")
        case a.Answer(text):
            return tr("Answer “{text}”", text=short(text, 80))
        case a.Finish(ending):
            return tr("Done") if ending is a.Ending.COMPLETE else tr("Impossible")
        case a.Other(other):
            return tr("Other: {name}", name=short(other, 80))


def _target(target: a.Target, tr: Tr) -> str:
    match target:
        case Point(x, y):
            return f"{x:.0f}, {y:.0f}"
        case Box():
            return f"{target.centre.x:.0f}, {target.centre.y:.0f}"
        case a.ElementRef(index, text, path):
            named = text or path or (f"#{index}" if index is not None else "")
            return tr("element {name}", name=short(named, 80))


def short(text: str, longest: int) -> str:
    """Returns the text as one line of at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def percent(share: Share | None) -> str:
    """Returns "88.1 %", or a dash for a share of nothing."""
    return value_words(share.hits / share.total * 100 if share and share.total else None)


def value_words(value: float | None) -> str:
    """Returns a percentage as text; a dash if there is none."""
    return f"{value:.1f}{THIN}%" if value is not None else "–"


def interval_words(interval: Interval | None) -> str:
    """Returns "81.2 to 93.9", or "" for no interval."""
    if interval is None:
        return ""
    return f"{interval.low * 100:.1f} – {interval.high * 100:.1f}"
