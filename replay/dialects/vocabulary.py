"""Words that all dialects share: directions, keys, endings and names of actions.

A dialect reads the names its models are documented to use. For any other name it returns
`unknown(...)`, which looks the name up here before it is reported: `Double Tap`, `left_double` and
`DoubleClick` are one action in every dialect. Names are compared by their letters and digits alone,
without a prefix such as `mobile.`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from episodes import actions as a
from episodes.geometry import Direction, Point
from episodes.runs import Unreadable
from replay.dialects.loose import micros, number_of, point_of
from replay.dialects.parsed import Parsed, ParseResult

MAX_NAME = 80
MAX_ARGUMENTS = 20_000

Arguments = Mapping[str, Any]

_KEYS = {
    "back": a.Key.BACK,
    "home": a.Key.HOME,
    "recent": a.Key.RECENTS,
    "recents": a.Key.RECENTS,
    "recentapp": a.Key.RECENTS,
    "recentapps": a.Key.RECENTS,
    "appselect": a.Key.RECENTS,
    "appswitch": a.Key.RECENTS,
    "overview": a.Key.RECENTS,
    "enter": a.Key.ENTER,
    "return": a.Key.ENTER,
    "delete": a.Key.DELETE,
    "del": a.Key.DELETE,
    "backspace": a.Key.DELETE,
    "tab": a.Key.TAB,
    "menu": a.Key.MENU,
    "power": a.Key.POWER,
    "volumeup": a.Key.VOLUME_UP,
    "volumedown": a.Key.VOLUME_DOWN,
}
_IMPOSSIBLE = (
    "impossible",
    "infeasible",
    "incomplete",
    "fail",
    "abort",
    "interrupt",
    "need_feedback",
    "unsolvable",
)

_POINTS = (
    "coordinate", "coordinates", "point", "points", "start_box", "start_point", "start_coordinate",
    "point1", "start", "from", "from_coord", "box", "bbox", "box_2d", "element", "position",
    "touch_point", "target", "0", "text",
)  # fmt: skip
_ENDS = (
    "coordinate2", "end_box", "end_point", "end_coordinate", "point2", "end", "to", "to_coord",
    "lift_point", "1",
)  # fmt: skip
_TEXTS = ("text", "content", "value", "message", "input_text", "argument", "return", "answer", "0")
_APPS = ("app_name", "app", "package", "package_name", "name", "value", "text", "content", "0")
_BUTTONS = ("key", "keys", "button", "keycode", "value", "text", "0")
_DIRECTIONS = ("direction", "to", "value", "text", "0")
_STATUSES = ("status", "goal_status", "task_status", "value", "0")
_SECONDS = ("time", "seconds", "duration", "value", "0")


def scroll(word: Any, at: a.Target | None = None) -> a.Scroll | Unreadable:
    """Returns a scroll in the direction a word names."""
    name = word.strip().lower() if isinstance(word, str) else ""
    if name not in tuple(Direction):
        return Unreadable(f"“{str(word)[:60]}” is not a direction", "scroll")
    return a.Scroll(Direction(name), at)


def key(word: Any) -> a.PressKey | Unreadable:
    """Returns the key a word names; an unknown one keeps its name."""
    name = word.strip() if isinstance(word, str) else ""
    if not 0 < len(name) <= MAX_NAME:
        return Unreadable(f"“{str(word)[:60]}” is not a key", "press_key")
    known = _KEYS.get(_letters(name.lower().removeprefix("keycode_")))
    return a.PressKey(known) if known is not None else a.PressKey(a.Key.OTHER, name)


def keys(value: Any) -> a.PressKey | Unreadable:
    """Returns the key of a name, or of several that are pressed together, also as a list's text."""
    if isinstance(value, str) and value.startswith("["):
        value = re.findall(r"\w{1,20}", value[:MAX_NAME])
    return key("+".join(map(str, value)) if isinstance(value, list) else value)


def ending(word: Any, reason: str | None = None) -> a.Finish:
    """Returns the end a status claims; a status that does not say otherwise means complete."""
    name = word.strip().lower() if isinstance(word, str) else ""
    failed = name.startswith(_IMPOSSIBLE)
    return a.Finish(a.Ending.IMPOSSIBLE if failed else a.Ending.COMPLETE, reason or None)


def no_point(kind: str) -> Unreadable:
    """Returns that an action of this kind has no point."""
    return Unreadable(f"the {kind.replace('_', ' ')} has no point", kind)


def no_text(kind: str) -> Unreadable:
    """Returns that an action of this kind has no text."""
    return Unreadable(f"the {kind.replace('_', ' ')} has no text", kind)


def unknown(name: str, arguments: Arguments) -> a.Other:
    """Returns an action under a name that the dialect does not list, to be looked up."""
    return a.Other(name[:MAX_NAME], json.dumps(dict(arguments), ensure_ascii=False)[:MAX_ARGUMENTS])


def looked_up(found: Parsed) -> ParseResult:
    """Returns the action that other dialects know by the name of an unknown one.

    A known name without its arguments is unreadable; a name that no dialect knows stays unknown.
    """
    if not isinstance(found.action, a.Other):
        return found
    try:
        arguments = json.loads(found.action.arguments)
    except (ValueError, RecursionError):
        return found
    if not isinstance(arguments, dict):
        return found
    action = named(found.action.name, arguments)
    if action is None:
        return found
    if isinstance(action, Unreadable):
        return action
    by_finger = found.by_finger or _is_stroke(found.action.name)
    return Parsed(action, by_finger, found.in_pixels, found.more, listed=False)


def named(name: str, arguments: Arguments) -> a.Action | Unreadable | None:
    """Returns the action of a name and its arguments; None if no dialect has that name."""
    letters = _letters(name.rpartition(".")[2])
    build = _BUILDERS.get(letters)
    if build is not None:
        return build(arguments)
    pressed = _KEYS.get(_pressed(letters))
    if pressed is not None:
        return a.PressKey(pressed)
    for verb in ("scroll", "swipe"):
        if letters.removeprefix(verb) in tuple(Direction):
            return scroll(letters.removeprefix(verb), _point(arguments))
    return None


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def _pressed(letters: str) -> str:
    """Returns the key's word in `presshome`, `navigateback`, `homebutton` and their like."""
    for verb in ("press", "navigate", "keyboard", "system", "key", "goto", "go", "open"):
        if letters.startswith(verb):
            letters = letters.removeprefix(verb)
            break
    return letters.removesuffix("button").removesuffix("key")


def _is_stroke(name: str) -> bool:
    """Returns whether a name always means a movement of the finger."""
    return _letters(name.rpartition(".")[2]).startswith(_STROKES)


def _first(arguments: Arguments, names: tuple[str, ...]) -> Any:
    return next((arguments[name] for name in names if name in arguments), None)


def _first_text(arguments: Arguments, names: tuple[str, ...]) -> str | None:
    values = (arguments.get(name) for name in names)
    return next((value for value in values if isinstance(value, str)), None)


def _point(arguments: Arguments, names: tuple[str, ...] = _POINTS) -> Point | None:
    x, y = number_of(arguments.get("x")), number_of(arguments.get("y"))
    if x is not None and y is not None and names is _POINTS:
        return Point(x, y)
    return next((at for name in names if (at := point_of(arguments.get(name)))), None)


def _tap(arguments: Arguments) -> a.Action | Unreadable:
    at = _point(arguments)
    return a.Tap(at) if at is not None else no_point("tap")


def _double_tap(arguments: Arguments) -> a.Action | Unreadable:
    at = _point(arguments)
    return a.DoubleTap(at) if at is not None else no_point("double_tap")


def _long_press(arguments: Arguments) -> a.Action | Unreadable:
    at = _point(arguments)
    return a.LongPress(at) if at is not None else no_point("long_press")


def _stroke(arguments: Arguments) -> a.Action | Unreadable:
    start, end = _point(arguments), _point(arguments, _ENDS)
    if start is not None and end is not None:
        return a.Swipe(start, end)
    word = _first_text(arguments, _DIRECTIONS)
    return scroll(word, start) if word is not None else no_point("swipe")


def _press(arguments: Arguments) -> a.Action | Unreadable:
    button = _first(arguments, _BUTTONS)
    at = _point(arguments)
    return a.Tap(at) if button is None and at is not None else keys(button)


def _type_text(arguments: Arguments) -> a.Action | Unreadable:
    text = _first_text(arguments, _TEXTS)
    return a.TypeText(text) if text is not None else no_text("type_text")


def _open_app(arguments: Arguments) -> a.Action | Unreadable:
    app = _first_text(arguments, _APPS)
    return a.OpenApp(app) if app is not None else no_text("open_app")


def _wait(arguments: Arguments) -> a.Action:
    return a.Wait(micros(_first(arguments, _SECONDS)))


def _answer(arguments: Arguments) -> a.Action | Unreadable:
    text = _first_text(arguments, _TEXTS)
    return a.Answer(text) if text is not None else no_text("answer")


def _finish(arguments: Arguments) -> a.Action:
    status = _first_text(arguments, _STATUSES)
    known = status is not None and ending(status).ending is a.Ending.IMPOSSIBLE
    return ending(status if known else None, _first_text(arguments, _TEXTS[:-1]))


def _give_up(arguments: Arguments) -> a.Action:
    return a.Finish(a.Ending.IMPOSSIBLE, _first_text(arguments, _TEXTS) or None)


_Builder = Callable[[Arguments], a.Action | Unreadable]
_NAMES: tuple[tuple[_Builder, str], ...] = (
    (_tap, "tap click leftclick leftsingle singletap singleclick touch clickelement tapelement"),
    (_double_tap, "doubletap doubleclick leftdouble leftdoubleclick doubletouch dblclick"),
    (_long_press, "longpress longclick longtap longtouch presshold pressandhold tapandhold"),
    (_stroke, "swipe slide drag draganddrop dragto fling flick leftclickdrag scroll"),
    (_type_text, "type typetext inputtext input write enterword entertext typename settext text"),
    (_press, "press presskey key keyevent hotkey systembutton buttonpress pressbutton"),
    (_open_app, "openapp open launch launchapp awake startapp openapplication launchapplication"),
    (_wait, "wait sleep idle pause"),
    (_answer, "answer reply respond askuser ask interact takeover"),
    (_finish, "finish finished complete completed done terminate stop taskcomplete status"),
    (_finish, "statustaskcomplete"),
    (_give_up, "calluser impossible infeasible incomplete fail failed giveup abort error"),
    (_give_up, "taskimpossible statustaskimpossible"),
)
_BUILDERS = {name: build for build, names in _NAMES for name in names.split()}
_STROKES = ("swipe", "slide", "drag", "fling", "flick", "leftclickdrag")
