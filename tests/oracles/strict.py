"""The rule of `taptrail-strict@1` and its totals, transcribed from their description.

Plain and slow on purpose. It shares no code with the product and knows nothing about pictures,
files, stored episodes or how a verdict is shown. Places are compared as exact fractions, so that
no rounding decides. What the description did not say when this was first written has been added
to it since, and is done here as it now says. It does not say in which order floats are computed:
`tests.oracles.strict_cases.SILENT` names the inputs on which that decides.

An action is a dictionary with its "kind" and what that kind has:

    tap, double_tap, long_press: at       swipe: start, end        scroll: direction
    pinch: scale                          type_text: text          press_key: key, name
    open_app: app                         wait                     answer: text
    finish: ending                        other: name

Places are ("point", x, y), ("box", left, top, right, bottom) or ("element", words), all in pixels
of the step's frame. A prediction is an action, UNREADABLE, or None if there is none. A step is

    {"action": action, "golds": [{"role", "status", "action"}], "regions": [{"box", "chosen",
    "status"}], "size": (width, height) of its frame or None, "density": dots per inch or None,
    "screen": (width, height) of the phone, or None}

Source: docs/protocols/taptrail-strict.md, taptrail-strict.
"""

import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

UNREADABLE = "unreadable"

MATCH = "match"
MISMATCH = "mismatch"
UNSCORED = "unscored"

DP = Fraction(24)
DP_PER_INCH = 160
SHARE_OF_SIDE = Fraction(6, 100)
SHARE_OF_SCREEN = Fraction(9, 10)
TAPS = ("tap", "double_tap", "long_press")
STROKES = ("swipe", "scroll")

# Why a step is judged as it is.
MISSING = "missing"
NOT_READ = "unreadable"
NO_GOLD = "gold_cannot_be_compared"
KIND = "kind"
NO_PLACE = "answer_without_a_place"
NO_FRAME = "step_without_a_frame"
REGION = "region"
DISTANCE = "distance"
TEXT = "text"
DIRECTION = "direction"
KEY = "key"
APP = "app"
ENDING = "ending"
PINCH = "pinch"
WAIT = "wait"
REASONS = (
    MISSING,
    NOT_READ,
    NO_GOLD,
    KIND,
    NO_PLACE,
    NO_FRAME,
    REGION,
    DISTANCE,
    TEXT,
    DIRECTION,
    KEY,
    APP,
    ENDING,
    PINCH,
    WAIT,
)

Action = dict[str, Any]
Step = dict[str, Any]
Corners = Sequence[float]


# ------------------------------------------------------------------------------------- one step


def judge(step: Step, prediction: Any) -> tuple[str, str]:
    """The outcome of the prediction, and which clause decided.

    With several right actions the reason is the first match's, else the first action's that
    could not be compared, else the first action's.
    """
    if not any(can_be_compared(gold) for gold in right_actions(step)):  # also without an answer
        return UNSCORED, NO_GOLD
    if prediction is None:
        return MISMATCH, MISSING
    if prediction == UNREADABLE:
        return MISMATCH, NOT_READ
    found = [judge_against(gold, step, prediction) for gold in right_actions(step)]
    for outcome in (MATCH, UNSCORED, MISMATCH):
        for verdict in found:
            if verdict[0] == outcome:
                return verdict
    raise ValueError("a step has at least the recorded action")


def right_actions(step: Step) -> list[Action]:
    """The recorded action, or accepted corrections in its place; and accepted alternatives."""
    accepted = [gold for gold in step["golds"] if gold["status"] == "accepted"]
    instead = [gold["action"] for gold in accepted if gold["role"] == "correction"]
    beside = [gold["action"] for gold in accepted if gold["role"] == "alternative"]
    return (instead or [step["action"]]) + beside


def judge_against(gold: Action, step: Step, prediction: Action) -> tuple[str, str]:
    """The outcome against one right action."""
    kind = gold["kind"]
    if not can_be_compared(gold):  # whatever was answered
        return UNSCORED, NO_GOLD
    if _family(kind) != _family(prediction["kind"]):  # before a place is asked for
        return MISMATCH, KIND
    if kind in TAPS:
        return judge_tap(gold, step, prediction)
    if kind in STROKES:
        return _is(finger(gold) == finger(prediction)), DIRECTION
    if kind in ("type_text", "answer"):
        return _is(same_text(gold["text"], prediction["text"])), TEXT
    if kind == "press_key":
        return _is(_key(gold) == _key(prediction)), KEY
    if kind == "open_app":
        return _is(
            _composed(gold["app"]).casefold() == _composed(prediction["app"]).casefold()
        ), APP
    if kind == "finish":
        return _is(gold["ending"] == prediction["ending"]), ENDING
    if kind == "pinch":
        return _is(way(gold["scale"]) == way(prediction["scale"])), PINCH
    return MATCH, WAIT


def can_be_compared(gold: Action) -> bool:
    """Whether the action has a place where it needs one, words where it needs some, and a rule."""
    if gold["kind"] in TAPS:
        return bool(gold["at"][0] != "element")
    if gold["kind"] in ("type_text", "answer"):
        return bool(gold["text"].strip())  # blanks are no text
    return bool(gold["kind"] != "other")


def _family(kind: str) -> str:
    return "stroke" if kind in STROKES else kind


def _is(right: bool) -> str:
    return MATCH if right else MISMATCH


# ------------------------------------------------------------------------------------------ taps


def judge_tap(gold: Action, step: Step, prediction: Action) -> tuple[str, str]:
    """Inside a region that is trusted, or near the gold point."""
    if prediction["at"][0] == "element":
        return UNSCORED, NO_PLACE
    if step["size"] is None:
        return UNSCORED, NO_FRAME
    aim, place = point_of(gold["at"]), point_of(prediction["at"])
    if not all(isfinite(number) for number in place):  # near nothing
        return MISMATCH, DISTANCE
    region = chosen_box(step)
    if region is not None and trusted(region, aim, step["size"]) and holds(region, place):
        return MATCH, REGION
    return _is(squared(aim, place) <= tolerance(step) ** 2), DISTANCE


def point_of(target: Sequence[Any]) -> tuple[float, float]:
    """The point of a place; a box counts with its centre."""
    if target[0] == "box":
        _, left, top, right, bottom = target
        return (left + right) / 2, (top + bottom) / 2
    return target[1], target[2]


def chosen_box(step: Step) -> Corners | None:
    """The box of the region that was chosen, unless it was rejected."""
    for region in step["regions"]:
        if region["chosen"] and region["status"] != "rejected":
            box: Corners | None = region["box"]
            return box
    return None


def trusted(region: Corners, aim: tuple[float, float], size: Sequence[int]) -> bool:
    """It holds the gold point and covers less than 90 % of the screen."""
    return holds(region, aim) and covered(region, size) < SHARE_OF_SCREEN


def covered(region: Corners, size: Sequence[int]) -> Fraction:
    """The share of the screen it covers; what is off the screen covers nothing."""
    left, top, right, bottom = (Fraction(edge) for edge in region)
    width = min(right, Fraction(size[0])) - max(left, Fraction(0))
    height = min(bottom, Fraction(size[1])) - max(top, Fraction(0))
    return max(width, Fraction(0)) * max(height, Fraction(0)) / (size[0] * size[1])


def holds(region: Corners, point: Sequence[float]) -> bool:
    """Left and top edge are inside, right and bottom are not."""
    left, top, right, bottom = region
    return left <= point[0] < right and top <= point[1] < bottom


def squared(a: Sequence[float], b: Sequence[float]) -> Fraction:
    """The squared distance, exactly."""
    across, down = Fraction(a[0]) - Fraction(b[0]), Fraction(a[1]) - Fraction(b[1])
    return across * across + down * down


def tolerance(step: Step) -> Fraction:
    """24 dp in pixels of the frame, which shrink with its shorter side; 6 % of that side where the
    phone's density or size is unknown."""
    if step["density"] is None or step["screen"] is None:
        return SHARE_OF_SIDE * int(min(step["size"]))
    scale = Fraction(min(step["size"]), min(step["screen"]))
    return DP * int(step["density"]) / DP_PER_INCH * scale


# ---------------------------------------------------------------------------------- other kinds


def same_text(gold: str, predicted: str) -> bool:
    """Equal after composing (NFC) and stripping; an empty answer is wrong."""
    return _composed(predicted) != "" and _composed(gold) == _composed(predicted)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def finger(action: Action) -> str:
    """Which way the finger goes, in pixels; on an exact diagonal up or down."""
    if action["kind"] == "scroll":
        return str(action["direction"])
    across = Fraction(action["end"][0]) - Fraction(action["start"][0])
    down = Fraction(action["end"][1]) - Fraction(action["start"][1])
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"  # up for a finger that did not move


def way(scale: float) -> str:
    """Whether two fingers go apart, by a scale over 1."""
    return "apart" if scale > 1 else "not apart"


def _key(action: Action) -> tuple[str, str | None]:
    """The key; its name tells keys apart that have no word of their own."""
    return (action["key"], action["name"] if action["key"] == "other" else None)


# ---------------------------------------------------------------------------------------- totals


def totals(episodes: Sequence[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """AMS and SR, each as (right, of how many).

    An episode is {"declared": int or None, "rows": [(step, outcome)]}; of two rows for a step the
    first counts. It is wrong with a wrong step, else it cannot be told with an unscored step or
    with fewer steps than it declares, else it is right.
    """
    right = scored = whole = told = 0
    for episode in episodes:
        steps: dict[int, str] = {}
        for step, outcome in episode["rows"]:
            steps.setdefault(step, outcome)
        outcomes = list(steps.values())
        right += outcomes.count(MATCH)
        scored += len(outcomes) - outcomes.count(UNSCORED)
        declared = episode["declared"]
        if MISMATCH in outcomes:
            told += 1
        elif UNSCORED not in outcomes and (declared is None or len(outcomes) >= declared):
            told += 1
            whole += 1
    return {"AMS": (right, scored), "SR": (whole, told)}
