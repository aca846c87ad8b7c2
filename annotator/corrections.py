"""An action with one thing changed, as a person corrects it: its kind, text, place, direction.

What the action had and its new kind can hold is kept. The way of the finger is dropped when the
place or the kind changes, because no finger went there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from episodes import actions as a
from episodes.errors import KnownError
from episodes.geometry import Direction, Point


@dataclass(frozen=True, slots=True)
class ActionChange:
    """A person's changes to an action; None leaves a field unchanged.

    Attributes:
        kind: a word of `episodes.actions.KINDS`, but "pinch", "other".
        text: typed, answered, or the reason of a finish.
        at: the place, or where a swipe starts; `end` is where it ends.
        key: a word of `Key`, or Android's name of another ("KEYCODE_CAMERA").
    """

    kind: str | None = None
    text: str | None = None
    at: Point | None = None
    end: Point | None = None
    direction: Direction | None = None
    key: str | None = None
    app: str | None = None
    ending: a.Ending | None = None


def correct_action(action: a.Action, change: ActionChange) -> a.Action:
    """Returns the action as it is right.

    Raises:
        KnownError: the kind needs something that neither the action nor the change has, or cannot
            hold what is to be changed.
    """
    kind = change.kind or a.kind(action)
    maker = _MAKERS.get(kind)
    if maker is None:
        if kind == a.kind(action) and change == ActionChange(change.kind):
            return action
        raise _refused(kind, f"only these can be written by hand: {', '.join(_MAKERS)}")
    needs, holds = _HOLDS[kind]
    for name in ("text", "at", "end", "direction", "key", "app", "ending"):
        if getattr(change, name) is not None and name not in holds:
            raise _refused(kind, f"it has no {_WORDS[name]}")
    old = _taken(action)
    merged = replace(
        old,
        **{name: value for name in holds if (value := getattr(change, name)) is not None},
    )
    for name in needs:
        if getattr(merged, name) is None:
            raise _refused(kind, f"its {_WORDS[name]} is not known")
    if kind == a.kind(action):
        return _again(action, change, merged)
    return maker(merged)


def _again(action: a.Action, change: ActionChange, merged: ActionChange) -> a.Action:
    """The same kind with one thing changed keeps all else, such as how long it took."""
    match action:
        case a.Tap() | a.DoubleTap() | a.LongPress() if change.at is not None:
            moved = replace(action, at=change.at, path=())
            return replace(moved, lift=None) if isinstance(moved, a.Tap) else moved
        case a.Swipe(start, end) if change.at is not None or change.end is not None:
            return replace(action, start=change.at or start, end=change.end or end, path=())
        case a.TypeText():
            return replace(
                action,
                text=action.text if change.text is None else change.text,
                target=action.target if change.at is None else change.at,
            )
        case a.Scroll():
            return replace(
                action,
                direction=change.direction or action.direction,
                at=action.at if change.at is None else change.at,
            )
        case a.Finish():
            return replace(
                action,
                ending=change.ending or action.ending,
                reason=action.reason if change.text is None else change.text or None,
            )
        case a.Answer() | a.OpenApp() | a.PressKey():
            return _MAKERS[a.kind(action)](merged)
    return action


def _taken(action: a.Action) -> ActionChange:
    """Returns the fields of an action that other kinds may also have."""
    at = a.place(action)
    match action:
        case a.Swipe(start, end):
            return ActionChange(at=start, end=end, direction=action.direction)
        case a.Scroll(direction):
            return ActionChange(at=at, direction=direction)
        case a.TypeText(text):
            return ActionChange(at=at, text=text)
        case a.Answer(text):
            return ActionChange(text=text)
        case a.PressKey(key, name):
            return ActionChange(key=name or key.value)
        case a.OpenApp(app):
            return ActionChange(app=app)
        case a.Finish(ending, reason):
            return ActionChange(ending=ending, text=reason)
        case _:
            return ActionChange(at=at)


def _key(change: ActionChange) -> a.PressKey:
    word = change.key or ""
    known = word in tuple(a.Key) and word != a.Key.OTHER
    return a.PressKey(a.Key(word)) if known else a.PressKey(a.Key.OTHER, word)


def _point(change: ActionChange) -> Point:
    assert change.at is not None
    return change.at


def _swipe(change: ActionChange) -> a.Swipe:
    assert change.end is not None
    return a.Swipe(_point(change), change.end)


def _scroll(change: ActionChange) -> a.Scroll:
    assert change.direction is not None
    return a.Scroll(change.direction, change.at)


_MAKERS: dict[str, Callable[[ActionChange], a.Action]] = {
    "tap": lambda c: a.Tap(_point(c)),
    "double_tap": lambda c: a.DoubleTap(_point(c)),
    "long_press": lambda c: a.LongPress(_point(c)),
    "swipe": _swipe,
    "scroll": _scroll,
    "type_text": lambda c: a.TypeText(c.text or "", c.at),
    "press_key": _key,
    "open_app": lambda c: a.OpenApp(c.app or ""),
    "wait": lambda c: a.Wait(),
    "answer": lambda c: a.Answer(c.text or ""),
    "finish": lambda c: a.Finish(c.ending or a.Ending.COMPLETE, c.text or None),
}
CORRECTABLE_KINDS: tuple[str, ...] = tuple(_MAKERS)
"""Kinds of action a person can write by hand."""

_HOLDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # what it needs, what it can hold
    "tap": (("at",), ("at",)),
    "double_tap": (("at",), ("at",)),
    "long_press": (("at",), ("at",)),
    "swipe": (("at", "end"), ("at", "end")),
    "scroll": (("direction",), ("direction", "at")),
    "type_text": (("text",), ("text", "at")),
    "press_key": (("key",), ("key",)),
    "open_app": (("app",), ("app",)),
    "wait": ((), ()),
    "answer": (("text",), ("text",)),
    "finish": ((), ("ending", "text")),
}
_WORDS = {
    "text": "text",
    "at": "place",
    "end": "end",
    "direction": "direction",
    "key": "key",
    "app": "app",
    "ending": "ending",
}


def _refused(kind: str, found: str) -> KnownError:
    return KnownError(
        f"make the action “{kind.replace('_', ' ')}”", found, "Say it, or choose another kind."
    )
