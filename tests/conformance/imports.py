"""Answers to cases of reading: what a released reader or converter makes of a model's text.

AgentCPM-GUI's conversions, GUI-R1's rows and the sizes of pictures are the product's own. The
parsers of UI-TARS and UI-Venus and the conversion for Qwen2.5-VL refuse what the dialects take, and
their results are no actions: they are told here as their sources have them. A reader that raises
answers with its error's name.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from typing import Any

from episodes.geometry import Size
from replay.coordinates import ResizeRule, smart_resize
from replay.dialects import agentcpm_conversions as conversions
from scoring.protocols.androidcontrol.gui_r1 import row_in

Told = dict[str, Any]
TARS_RULE = ResizeRule(28, 100 * 28 * 28, 16_384 * 28 * 28)


def knows(case: Told) -> bool:
    """Whether a case asks for a reading."""
    variant = case.get("variant")
    return case.get("protocol") == "import" and isinstance(variant, str) and variant in _ANSWERS


def answer(case: Told) -> Told:
    """Answers a case with what the reader returns, or with its error's name."""
    try:
        return {"got": _ANSWERS[case["variant"]](case)}
    except _RAISED as error:
        return {"got": {"error": type(error).__name__}}


_RAISED = (ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError)


def _resized(case: Told) -> Told:
    context = case["context"]
    rule = ResizeRule(context["factor"], context["min_pixels"], context["max_pixels"])
    picture = smart_resize(Size(*context["screen"]), rule)
    return {"resized": [picture.width, picture.height]}


def _qwen(case: Told) -> Told:
    """AgentCPM-GUI's script for Qwen2.5-VL; it wants its tags on lines of their own."""
    told = case["prediction"].split("<tool_call>\n")[1].split("\n</tool_call>")[0]
    arguments = json.loads(told)["arguments"]
    width, height = case["context"]["resized"]

    def thousandths(name: str) -> tuple[float, float]:
        x, y = arguments[name]
        return x / width * 1000, y / height * 1000

    def point(at: tuple[float, float]) -> list[int]:
        return [int(at[0]), int(at[1])]

    match arguments["action"]:
        case "click":
            return {"POINT": point(thousandths("coordinate"))}
        case "long_press":
            at = point(thousandths("coordinate"))
            return {"POINT": at, "duration": arguments["time"] * 1000}
        case "swipe":
            start, end = thousandths("coordinate"), thousandths("coordinate2")
            across, down = end[0] - start[0], end[1] - start[1]
            if abs(across) > abs(down):
                way = "right" if across > 0 else "left"
            else:
                way = "down" if down > 0 else "up"
            return {"POINT": point(start), "to": way}
        case "type":
            return {"TYPE": arguments["text"]}
        case "system_button" if arguments["button"] in ("Back", "Home", "Enter"):
            return {"PRESS": arguments["button"].upper()}
        case "terminate":
            return {"STATUS": "finish"}
        case "wait":
            return {"duration": arguments["time"] * 1000}
    return {}


def _gui_r1(case: Told) -> Told:
    row = row_in(case["prediction"])
    return {
        "action": row["pred_action"],
        "coord": row["pred_coord"],
        "text": row["pred_input_text"],
    }


_HEADS = ("Thought:", "Reflection:", "Action_Summary:")
_THOUGHT = re.compile(r"Thought: (.+?)(?=\s*Action: |$)", re.DOTALL)
_SUMMARY = re.compile(r"Action_Summary: (.+?)(?=\s*Action: |$)", re.DOTALL)
_REFLECTION = re.compile(r"Reflection: (.+?)Action_Summary: (.+?)(?=\s*Action: |$)", re.DOTALL)
_NAMES = (("start_point=", "start_box="), ("end_point=", "end_box="), ("point=", "start_box="))
_TYPED = re.compile(r"type\(content='(.*?)'\)")
_BARE_QUOTE, _ESCAPED = re.compile(r"(?<!\\)'"), r"\\'"
_POINT = re.compile(r"<point>(\d+)\s+(\d+)</point>")


def _ui_tars(case: Told) -> list[Told]:
    """UI-TARS's own parser: it takes no box tokens, and gives boxes as texts of fractions."""
    text = case["prediction"].strip()
    if "<point>" in text:
        text = _POINT.sub(_pair_of_point, text.replace("[EOS]", "")).strip()
    for name, box in _NAMES:
        text = text.replace(name, box)
    sides = _sides(case["context"])
    reflection, thought = _thoughts(text)
    if "Action:" not in text:
        raise AssertionError("there is no action")
    found = []
    closed = [_closed(part) for part in text.split("Action: ")[-1].split(")\n\n")]
    for called, arguments in [_call(part) for part in closed]:
        inputs = _inputs(arguments, sides)
        told = {"action_type": called, "action_inputs": inputs}
        found.append({"reflection": reflection, "thought": thought, **told})
    return found


def _closed(part: str) -> str:
    """Returns a call with its bracket; quotes inside a typed text are escaped, in no other."""
    closed = part if part.strip().endswith(")") else part.strip() + ")"
    if "type(content" not in part:
        return closed
    if _TYPED.search(closed) is None:
        raise ValueError("it types no text")
    content = _TYPED.sub(lambda told: told[1], closed)
    return f"type(content='{_BARE_QUOTE.sub(_ESCAPED, content)}')"


def _call(text: str) -> tuple[str | None, Told]:
    """Returns the name and arguments of a call, parsed as Python and never run."""
    if len(text) > 20_000:
        raise ValueError("it is too long")
    try:
        call = ast.parse(text.replace("\n", "\\n").lstrip(), mode="eval").body
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("it is no call") from error
    if not isinstance(call, ast.Call):
        raise ValueError("it is no call")
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", None)
    values = {str(word.arg): getattr(word.value, "value", None) for word in call.keywords}
    return name, values


def _thoughts(text: str) -> tuple[str | None, str | None]:
    if text.startswith("Reflection:"):
        both = _REFLECTION.search(text)
        return (both[1].strip(), both[2].strip()) if both is not None else (None, None)
    told = (_SUMMARY if text.startswith("Action_Summary:") else _THOUGHT).search(text)
    return None, told[1].strip() if told is not None else None


def _inputs(arguments: Told, sides: tuple[int, int]) -> Told:
    found: Told = {}
    for name, value in arguments.items():
        if value == "":
            continue
        found[name] = value.lstrip()
        if "start_box" in name or "end_box" in name:
            found[name] = _fractions(found[name], sides)
    return found


def _sides(context: Told) -> tuple[int, int]:
    """Returns the numbers across and down by which a model's numbers are divided."""
    if context["model_type"] == "qwen25vl":
        picture = smart_resize(Size(*context["screen"]), TARS_RULE)
        return picture.width, picture.height
    return context["factor"], context["factor"]


def _fractions(box: str, sides: tuple[int, int]) -> str:
    numbers = [float(part) for part in box.replace("(", "").replace(")", "").split(",")]
    told = [number / sides[place % 2] for place, number in enumerate(numbers)]
    return str(told * 2 if len(told) == 2 else told)


def _pair_of_point(found: re.Match[str]) -> str:
    return f"({int(found[1])},{int(found[2])})"


def _ui_venus(case: Told) -> Told:
    """UI-Venus's own parser: it knows no web actions, and wants what each action has."""
    called = re.match(r"^(\w+)\((.*)\)$", case["prediction"].strip(), re.DOTALL)
    if called is None:
        raise ValueError("it is no call")
    told: dict[str, str | None] = {}
    for pair in _pairs(called[2].strip()):
        name, equals, value = pair.partition("=")
        told[name.strip()] = value.strip("'").strip() if equals else None
    return {"action": called[1], "params": _params(called[1], told)}


def _pairs(text: str) -> list[str]:
    """Returns the arguments between commas that are in no quotes and no round brackets."""
    parts, depth = [""], 0
    quote: str | None = None
    for sign in text:
        if sign in "\"'" and not quote:
            quote = sign
        elif sign == quote:
            quote = None
        elif not quote:
            depth += (sign == "(") - (sign == ")")
            if sign == "," and depth == 0:
                parts.append("")
                continue
        parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def _params(name: str, told: dict[str, str | None]) -> Told:
    match name:
        case "Click" | "LongPress":
            return {"box": _wanted(_pair(told.get("box")))}
        case "Drag":
            start, end = _pair(told.get("start")), _pair(told.get("end"))
            return {"start": _wanted(start), "end": _wanted(end)}
        case "Scroll":
            start, end = _pair(told.get("start")), _pair(told.get("end"))
            if start is not None and end is not None:
                return {"start": start, "end": end, "direction": ""}
            if "direction" not in told:
                raise ValueError("it has no direction")
            return {"start": [], "end": [], "direction": told["direction"]}
        case "Type" | "CallUser":
            return {"content": _wanted(told.get("content"))}
        case "Launch":
            return {"app": _wanted(told.get("app", "")), "url": told.get("url", "")}
        case "Finished":
            return {"content": told.get("content", "")}
        case "Wait" | "PressBack" | "PressHome" | "PressEnter" | "PressRecent":
            return {}
    raise ValueError(f"there is no action {name}")


def _wanted(value: Any) -> Any:
    if value is None:
        raise ValueError("it lacks an argument")
    return value


_PAIR = re.compile(r"\(([\d.]+),([\d.]+)\)")
_SPACED_PAIR = re.compile(r"\(\s*([\d.]+)\s*,\s*([\d.]+)\s*\)")


def _pair(text: str | None) -> list[float] | None:
    told = text or ""
    found = _PAIR.match(told.replace(" ", "")) or _SPACED_PAIR.match(told)
    return [float(found[1]), float(found[2])] if found is not None else None


def _converted(convert: Callable[[str], Told]) -> Callable[[Told], Told]:
    return lambda case: convert(case["prediction"])


_ANSWERS: dict[str, Callable[[Told], Any]] = {
    "ui_tars_parser": _ui_tars,
    "agentcpm_from_ui_tars": _converted(conversions.of_ui_tars),
    "agentcpm_from_os_atlas": _converted(conversions.of_os_atlas),
    "agentcpm_from_aguvis": _converted(conversions.of_aguvis),
    "agentcpm_from_qwen25vl": _qwen,
    "gui_r1": _gui_r1,
    "ui_venus": _ui_venus,
    "smart_resize_28": _resized,
}
