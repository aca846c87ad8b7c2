"""One episode of AndroidControl: its actions, and from an episode the features of its record.

The data set's action is stored with the pixels as its unchanged JSON, space "androidcontrol":
`{"action_type":"click","x":540,"y":390}`. Points are whole pixels of the step's screenshot. A
scroll gives the direction of the content; ours that of the finger, which is opposite.

Source: android_control/README.md of google-research/google-research at 1963839 and 0ced6d0.
"""

from __future__ import annotations

import json
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.formats.androidcontrol_targets import TARGETS, target_text
from episodes.formats.example import Feature
from episodes.formats.input_files import json_value
from episodes.formats.output_files import UnsupportedAction
from episodes.formats.private_boxes import FINAL_TREE as FINAL_TREE
from episodes.geometry import Direction, Native, Point, Size
from episodes.screens import Frame
from episodes.steps import Step

SPACE = "androidcontrol"
SCREENSHOTS, TREES = "screenshots", "accessibility_trees"
ACTIONS, INSTRUCTIONS = "actions", "step_instructions"
WIDTHS, HEIGHTS = "screenshot_widths", "screenshot_heights"
PER_STEP = (ACTIONS, INSTRUCTIONS, WIDTHS, HEIGHTS)
MAX_ACTION = 100_000
FARTHEST = 10**9

_KEYS = {"navigate_home": a.Key.HOME, "navigate_back": a.Key.BACK}
_KINDS = {key: kind for kind, key in _KEYS.items()}


def native_of(data: bytes) -> Native:
    """Returns an action unchanged.

    Raises:
        ValueError: it is not a JSON object, in a few words.
    """
    if len(data) > MAX_ACTION:
        raise ValueError(f"it has {len(data)} bytes; at most {MAX_ACTION} are read")
    told = json_value(data)
    if not isinstance(told, dict):
        raise ValueError("it is not an object")
    try:
        text = data.decode()
        json.loads(text)
    except ValueError:  # a byte order mark
        return Native.of(SPACE, told)
    return Native(SPACE, text)


def action_of(told: dict[str, Any]) -> a.Action:
    """Returns an action of the data set; one that lacks what it needs keeps its name."""
    kind = told.get("action_type")
    name = kind if isinstance(kind, str) else "no action_type"
    at = _point(told)
    text = told.get("text")
    match name:
        case "click" if at is not None:
            return a.Tap(at)
        case "long_press" if at is not None:
            return a.LongPress(at)
        case "scroll" if told.get("direction") in set(Direction):
            return a.Scroll(Direction(told["direction"]).opposite)
        case "open_app" if isinstance(told.get("app_name"), str):
            return a.OpenApp(told["app_name"])
        case "input_text" if isinstance(text, str):
            return a.TypeText(text)
        case "type" if isinstance(text, str) and at is not None:
            return a.TypeText(text, at, submit=True)
        case "navigate_home" | "navigate_back":
            return a.PressKey(_KEYS[name])
        case "wait":
            return a.Wait()
    rest = {key: value for key, value in told.items() if key != "action_type"}
    return a.Other(name[:200], json.dumps(rest, ensure_ascii=False, separators=(",", ":")))


def to_native(action: a.Action, frame: Frame | None) -> Native:
    """Returns a recorded action as the data set writes it, in whole pixels of the screenshot.

    Raises:
        UnsupportedAction: there is no such action.
    """
    match action:
        case a.Tap() | a.LongPress():
            at = a.place(action)
            if at is None:
                raise UnsupportedAction("a touch of an element that is named, not pointed at")
            x, y = _on_screenshot(at, frame)
            kind = "click" if isinstance(action, a.Tap) else "long_press"
            return Native.of(SPACE, {"action_type": kind, "x": x, "y": y})
        case a.Swipe() | a.Scroll():
            way = action.direction.opposite.value
            return Native.of(SPACE, {"action_type": "scroll", "direction": way})
        case a.TypeText(text):
            return Native.of(SPACE, {"action_type": "input_text", "text": text})
        case a.PressKey(key) if key in _KINDS:
            return Native.of(SPACE, {"action_type": _KINDS[key]})
        case a.OpenApp(app):
            return Native.of(SPACE, {"action_type": "open_app", "app_name": app})
        case a.Wait():
            return Native.of(SPACE, {"action_type": "wait"})
        case a.PressKey(key, name):
            raise UnsupportedAction(f"the key {name or key.value}")
        case a.Other(name):
            raise UnsupportedAction(f"the action “{name[:40]}”")
    raise UnsupportedAction(f"the action {a.kind(action).replace('_', ' ')}")


def has_own_action(step: Step) -> bool:
    """Whether a step has the data set's own action."""
    return (
        step.native is not None
        and step.native.space == SPACE
        and len(step.native.text) <= MAX_ACTION
        and isinstance(step.native.value, dict)
    )


def features_of(episode: Episode, number: int) -> dict[str, Feature]:
    """Returns the features of an episode whose steps have own actions, without pictures and trees.

    Args:
        number: its id.
    """
    frames = [step.frame for step in episode.steps]
    frames.append(episode.final or (frames[-1] if frames else None))
    sizes = [size_of(frame) for frame in frames]
    targets = [target_text(step, size_of(step.frame)) for step in episode.steps]
    return {
        "episode_id": Feature.of_ints([number]),
        "goal": Feature.of_texts([episode.task.instruction]),
        ACTIONS: Feature.of_texts(s.native.text if s.native else "" for s in episode.steps),
        INSTRUCTIONS: Feature.of_texts(step.texts.instruction for step in episode.steps),
        WIDTHS: Feature.of_ints(size.width if size is not None else 0 for size in sizes),
        HEIGHTS: Feature.of_ints(size.height if size is not None else 0 for size in sizes),
        **({TARGETS: Feature.of_texts(targets)} if any(targets) else {}),
    }


def size_of(frame: Frame | None) -> Size | None:
    """Returns the size of a frame's screenshot, else that of its coordinates."""
    if frame is None:
        return None
    return frame.still.size if frame.still is not None else frame.size


def _point(told: dict[str, Any]) -> Point | None:
    x, y = told.get("x"), told.get("y")
    if isinstance(x, bool) or isinstance(y, bool):
        return None
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        return None
    return Point(x, y) if abs(x) <= FARTHEST and abs(y) <= FARTHEST else None


def _on_screenshot(at: Point, frame: Frame | None) -> tuple[int, int]:
    size = size_of(frame)
    if frame is None or size is None:
        raise UnsupportedAction("a touch on a step without a frame")
    x, y = at.x * size.width / frame.size.width, at.y * size.height / frame.size.height
    if not (abs(x) <= FARTHEST and abs(y) <= FARTHEST):
        raise UnsupportedAction("a touch farther off than a file can say")
    return round(x), round(y)
