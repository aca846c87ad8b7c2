"""Actions as English sentences for prompts. The window's language never changes them.

`VERSION` is part of a run's recipe: a changed sentence changes what a model is asked.
"""

from __future__ import annotations

from episodes import actions as a
from episodes.geometry import Box, Point

VERSION = 1
PRIVATE = "(kept private)"


def sentence(action: a.Action) -> str:
    """Returns what was done, in one sentence without coordinates."""
    match action:
        case a.Tap(at):
            return f"Tapped{_on(at)}."
        case a.DoubleTap(at):
            return f"Double-tapped{_on(at)}."
        case a.LongPress(at):
            return f"Long-pressed{_on(at)}."
        case a.Swipe() | a.Scroll():
            return f"Swiped {action.direction.value} with the finger."
        case a.Pinch(_, scale):
            return "Pinched to zoom in." if scale > 1 else "Pinched to zoom out."
        case a.TypeText(text):
            return f"Typed “{text}”."
        case a.PressKey(key):
            return f"Pressed {key.value.replace('_', ' ')}."
        case a.OpenApp(app):
            return f"Opened the app {app}."
        case a.Wait():
            return "Waited."
        case a.Answer(text):
            return f"Answered “{text}”."
        case a.Finish(ending):
            return "Finished: complete." if ending is a.Ending.COMPLETE else "Gave up: impossible."
        case a.Other(name):
            return f"Did {name}."
    raise TypeError(f"no sentence for {type(action).__name__}")


def _on(at: a.Target | None) -> str:
    if isinstance(at, a.ElementRef) and at.text:
        return f" “{at.text}”"
    return " on the screen" if at is None or isinstance(at, Point | Box | a.ElementRef) else ""
