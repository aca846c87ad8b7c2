"""GUI-R1's rule: it compares the place and the words, not the kind of action.

Three parts are read from an answer, each independently: an action's name, a point and an input
text. Clicks are right near the gold point, texts, apps and scroll words by the words they
share.
Other steps only count in the type accuracy. Native form of a prediction, space "gui-r1": the row of
its file, {"pred_action": "click", "pred_coord": [510, 500], "pred_input_text": "no input text"},
in pixels of the frame. In version 2 a text of GUI-R1 without its tags has none of the three. The
rules are described in `docs/protocols/androidcontrol.md`.

Source: guir1/eval/eval_omni.py and guir1/inference/inference_vllm_android.py of ritzz-ai/GUI-R1 at
d43eea2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from episodes import actions as a
from episodes.episodes import Episode
from episodes.geometry import Size
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from episodes.verdicts import Outcome, Share, Verdict
from scoring.protocol import (
    CannotSay,
    Counts,
    Metric,
    Metrics,
    ScoredStep,
    ScoringProtocol,
    unscored,
)
from scoring.protocols.androidcontrol import actions as ac
from scoring.protocols.androidcontrol import tool_calls
from scoring.protocols.androidcontrol.counting import share_metric
from scoring.protocols.androidcontrol.verdicts import (
    FAILURES,
    Value,
    decided,
    missing,
    short,
    stops,
)
from scoring.protocols.word_overlap import lenient_f1
from scoring.rounding import format_pair, format_root_pair

SPACE = "gui-r1"
LIMIT = 0.14
F1_LIMIT = 0.5
NO_TEXT = "no input text"
NO_POINT = [0, 0, 0, 0]
NOT_COUNTED = "not-counted"
_GROUNDED = ("click", "long_press", "moveto", "doubleclick", "rightclick")
_WORDED = ("open_app", "type", "scroll", "select")
_MARK = "<answer>"
_OF_BASE_MODEL = "resized:qwen2.5-vl"
"""The space of GUI-R1's points where nothing else is declared: its base model's picture."""
_MAX_PIXELS = 12_845_056


@dataclass(frozen=True, slots=True)
class GuiR1Gold:
    """A row's gold, in pixels of a picture of this size.

    Attributes:
        group: what the rows of one file are counted by, beside the action.
    """

    action: str
    point: tuple[float, float] | None
    text: str
    size: Size
    group: str = "androidcontrol"


def gold(step: Step, episode: Episode) -> GuiR1Gold | CannotSay:
    """Returns the gold of a step; a scroll keeps the data set's word, where the content goes."""
    action, size = ac.gold_action(step), ac.size_of(step)
    if isinstance(action, CannotSay):
        return action
    if size is None:
        return CannotSay("the step has no frame to measure points in")
    kind, point, text = row_of(action)
    return GuiR1Gold(kind, point, text, size)


def row_of(action: ac.ActionJson) -> tuple[str, tuple[float, float] | None, str]:
    """Returns an action of the data set's JSON as a row's action, point and input text."""
    kind = action["action_type"]
    match kind:
        case "click" | "long_press":
            return kind, (action["x"], action["y"]), NO_TEXT
        case "scroll":
            return kind, None, action["direction"]
        case "input_text" | "type" | "type_text":
            return "type", None, action["text"]
        case "open_app":
            return kind, None, action["app_name"]
        case "navigate_back" | "navigate_home":
            return kind.replace("navigate", "press"), None, NO_TEXT
        case "status":
            return "complete", None, NO_TEXT
    return kind, None, NO_TEXT


def judge(prediction: Prediction | None, gold: GuiR1Gold, *, tag: bool) -> Verdict:
    """Returns the verdict on one prediction; unscored for steps that only have a type.

    Args:
        tag: whether a text of GUI-R1 is one only with its `<answer>`.
    """
    if prediction is None:
        return missing({"kind": gold.action, "group": gold.group}, counted=False)
    row = _row(prediction, gold.size, tag=tag)
    if isinstance(row, CannotSay):
        return unscored("no-place", row.reason)
    return judge_row(row, gold)


def judge_row(row: dict[str, Any], gold: GuiR1Gold) -> Verdict:
    """Returns the verdict on a row of the prediction file, its points in pixels of the picture."""
    parts: dict[str, Value] = {"kind": gold.action, "group": gold.group}
    try:
        parts["type"] = row["pred_action"] == gold.action
        if gold.point is not None and gold.action in _GROUNDED:
            return _touch(row, gold.point, gold.size, parts)
        if gold.action in _WORDED:
            text = row["pred_input_text"]
            f1 = lenient_f1(gold.text, text)
            reason = f"The words of “{short(text)}” and “{short(gold.text)}” have an F1 of "
            said, limit = format_pair(f1, F1_LIMIT)
            reason += f"{said}; at least {limit} is asked."
            return _verdict(f1 >= F1_LIMIT, "text-words", reason, {**parts, "f1": f1})
    except FAILURES as error:
        return stops(error, "the row has no value that can be compared", parts)
    reason = f"The original counts {gold.action} steps in the type accuracy alone."
    return Verdict(Outcome.UNSCORED, NOT_COUNTED, reason, parts)


def _touch(
    row: dict[str, Any], point: tuple[float, float], size: Size, parts: dict[str, Value]
) -> Verdict:
    x, y = row["pred_coord"][:2]
    squares = ((point[0] - x) / size.width) ** 2 + ((point[1] - y) / size.height) ** 2
    said, limit = format_root_pair(squares, LIMIT**2)
    reason = f"It is {said} of the screen from the gold point; less than {limit} is asked."
    if row["pred_coord"] == NO_POINT:
        reason = f"No point was read, so (0, 0) is taken. {reason}"
    measured: dict[str, Value] = {"distance": squares**0.5, "limit": LIMIT}
    return _verdict(squares < LIMIT**2, "distance", reason, parts | measured)


def _verdict(right: bool, rule: str, reason: str, parts: dict[str, Value]) -> Verdict:
    if right and not parts["type"]:
        reason += " The kind of action is another and is not asked for."
    return decided(right, rule, reason, parts)


_ACTION = re.compile(r"'action':\s*'(\w+)'")
_TEXT = re.compile(r"'input_text':\s*'(.*?)'")
_PAIR = re.compile(r"\[(\d+),\s*(\d+)\]")
_SPACE = re.compile(r"\s*")
_KEYS = tuple(re.compile(rf"['\"]{key}['\"]\s*:") for key in ("action", "input_text"))


def row_in(said: Any) -> dict[str, Any]:
    """Returns the row of a model's text; what is not found is None, zeros, or no input text."""
    told = _between(said) if isinstance(said, str) else None
    action = _ACTION.search(told) if told is not None else None
    text = _TEXT.search(told) if told is not None else None
    return {
        "pred_action": action[1] if action is not None else None,
        "pred_coord": _coord(told) if told is not None else NO_POINT,
        "pred_input_text": text[1] if text is not None else NO_TEXT,
    }


def _between(said: str) -> str | None:
    _, tag, rest = said[: tool_calls.MAX_TEXT].partition(_MARK)
    told, end, _ = rest.partition("</answer>")
    return told.strip() if tag and end else None


def _coord(told: str) -> list[int]:
    """Returns the last pair in brackets of the first line that has one between braces.

    White space after a pair may lead to the brace of a later line.
    """
    line: int | None = None
    found = NO_POINT
    for pair in _PAIR.finditer(told):
        start = told.rfind("\n", 0, pair.start()) + 1
        if line is not None and start != line:
            break
        space = _SPACE.match(told, pair.end())
        after = told.find("\n", space.end() if space is not None else pair.end())
        tail = told[pair.end() : after if after >= 0 else len(told)]
        if "{" in told[start : pair.start()] and "}" in tail:
            line = start
            found = [_whole(pair[1]), _whole(pair[2])]
    return found


def _whole(run: str) -> int:
    return int(run[:300])


def is_own_text(raw: str, *, tag: bool = False) -> bool:
    """Whether a text is GUI-R1's: it has the tag, or names an action and an input text.

    Args:
        tag: whether only the tag is looked for.
    """
    return _MARK in raw or (not tag and all(key.search(raw) for key in _KEYS))


def _row(prediction: Prediction, size: Size, *, tag: bool) -> dict[str, Any] | CannotSay:
    own = ac.own_answer(prediction, SPACE, (_MARK,))
    if own is not None:
        return own if isinstance(own, dict) else row_in(own)
    space = prediction.native.space if prediction.native is not None else ""
    picture = picture_of(space, size)
    if is_own_text(prediction.raw, tag=tag) and (picture is not None or space == "pixels"):
        row = row_in(prediction.raw)
        if picture is not None:
            x, y = row["pred_coord"][:2]
            scaled = [x * size.width / picture.width, y * size.height / picture.height]
            row["pred_coord"] = scaled if row["pred_coord"] != NO_POINT else NO_POINT
        return row
    if isinstance(prediction.parsed, Unreadable):
        return row_in(None)
    return _as_row(prediction, prediction.parsed, size)


def picture_of(space: str, size: Size) -> Size | None:
    """Returns the size of the picture that a model's pixels are of; None for other spaces."""
    if space != _OF_BASE_MODEL:
        return ac.resized(space)
    picture = tool_calls.picture_size(size, _MAX_PIXELS)
    return picture if picture.width and picture.height else None


def _as_row(prediction: Prediction, parsed: a.Action, size: Size) -> dict[str, Any] | CannotSay:
    """Returns an action of another dialect as a row, its point not rounded."""
    told = ac.as_json(parsed, whole=False)
    if isinstance(told, CannotSay):
        if "pointed at" in told.reason:
            return told
        told = {"action_type": a.describe_kind(parsed)}
    kind, point, text = row_of(told)
    own = ac.own_numbers(prediction.native, size)
    if own and point is not None:
        point = own[0]
    return {
        "pred_action": kind,
        "pred_coord": list(point) if point is not None else NO_POINT,
        "pred_input_text": text,
    }


@dataclass(slots=True)
class GroupCounts:
    """Counts by group and action; a key that never had a hit is in no total."""

    all: Counter[tuple[str, str]] = field(default_factory=Counter)
    typed: Counter[tuple[str, str]] = field(default_factory=Counter)
    placed: Counter[tuple[str, str]] = field(default_factory=Counter)
    worded: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[tuple[str, str]] = field(default_factory=Counter)
    tally: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict) -> None:
        """Counts one row; a step that is only left out of step accuracy still has a type."""
        counted = verdict.outcome is not Outcome.UNSCORED
        if not counted:
            self.tally[f"steps left out: {verdict.rule}"] += 1
            if verdict.rule != NOT_COUNTED:
                return
        key = str(verdict.parts.get("group", "")), str(verdict.parts.get("kind", ""))
        self.all[key] += 1
        self.typed[key] += verdict.parts.get("type") is True
        if counted:
            (self.placed if key[1] in _GROUNDED else self.worded)[key] += 1
            self.right[key] += verdict.outcome is Outcome.MATCH

    @property
    def shares(self) -> dict[str, Share]:
        """The original's three numbers, in the order they are printed."""
        return {
            "ALL Type": self._of_hit(self.typed, self.all),
            "ALL Step": self._of_hit(self.right, self.placed + self.worded),
            "ALL GR": self._of_hit(self.right, self.placed),
        }

    def _of_hit(self, hits: Counter[tuple[str, str]], rows: Counter[tuple[str, str]]) -> Share:
        keys = [key for key in rows if hits[key]]
        return Share(sum(hits[key] for key in keys), sum(rows[key] for key in keys))


def original_summary(verdicts: Iterable[Verdict]) -> dict[str, float | str]:
    """Returns what the original prints, to six digits; `error_after` where it stops."""
    rows = GroupCounts()
    for verdict in verdicts:
        rows.add(verdict)
    printed: dict[str, float | str] = {}
    for name, share in rows.shares.items():
        if not share.total:
            return printed | {"error_after": "ZeroDivisionError"}
        printed[name] = round(share.hits / share.total, 6)
    return printed


def aggregate(scored: Iterable[ScoredStep]) -> Metrics:
    """Returns the original's three numbers, and step accuracy with the kinds that vanish there."""
    rows = GroupCounts()
    for step in scored:
        rows.add(step.verdict)
    counted = rows.placed + rows.worded
    stop = "the original stops here: nothing of it was right"
    values: dict[str, Metric] = {
        "step accuracy": share_metric(Share(rows.right.total(), counted.total())),
        "type accuracy": share_metric(Share(rows.typed.total(), rows.all.total())),
        **{name: share_metric(share, stop) for name, share in rows.shares.items()},
    }
    for group, kind in sorted(rows.all):
        key = (group, kind)
        values[f"type accuracy/{kind}"] = share_metric(Share(rows.typed[key], rows.all[key]))
        if counted[key]:
            values[f"step accuracy/{kind}"] = share_metric(Share(rows.right[key], counted[key]))
    vanished = sum(number for key, number in counted.items() if not rows.right[key])
    rows.tally["steps that vanish from ALL Step: none of their kind is right"] = vanished
    notes = (
        "A kind of action without any right step vanishes from the original's totals; “step "
        "accuracy” and “type accuracy” keep it.",
    )
    return Metrics(values, notes, dict(rows.tally))


def _version(version: str, title: str, quirk: str) -> ScoringProtocol:
    return ScoringProtocol(
        name="androidcontrol/gui-r1",
        version=version,
        title=title,
        source="ritzz-ai/GUI-R1@d43eea2, guir1/eval/eval_omni.py",
        quirks=(
            "Step accuracy never looks at the kind of action.",
            "Waits, keys and ends are in the type accuracy alone.",
            "A kind of action without any right step vanishes from the denominator.",
            "An answer without a point is judged as one at (0, 0); -100 cannot be read, so it is "
            "one.",
            quirk,
            "Distance is compared in squares, strictly: exactly 0.14 is wrong.",
            "Of two single words one may be a part of the other: “Mail” opens “Gmail”.",
            "Which way the scroll words of its files mean is not told; the data set's are taken.",
            "The original takes its gold from the prediction file.",
        ),
        counts=Counts(
            missing="left out",
            unreadable="judged as an answer at (0, 0) without a text",
            unscored="left out; waits, keys and ends count in the type accuracy",
            doubled="the first counts",
        ),
        gold=gold,
        judge=partial(judge, tag=version == "1"),
        aggregate=aggregate,
    )


V2 = _version(
    "2",
    "GUI-R1 on AndroidControl",
    "Without `<answer>` and `</answer>` a text of GUI-R1 has no action, point or text.",
)
V1 = _version(
    "1",
    "GUI-R1 on AndroidControl, tags not required",
    "A text of GUI-R1 without `<answer>` is read all the same; the original does not.",
)
