"""The oracles' random cases as steps and predictions, in episodes, for each protocol."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from episodes import actions as a
from episodes.annotations import Provenance, Region, RegionSource
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Point, Size
from episodes.recordings import DeviceFacts
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame, StepTree, TreeFit, TreeRecord, TreeStatus
from episodes.steps import Step
from scoring.protocols import PROTOCOLS
from tests.oracles import (
    aitw_cases,
    aitz_cases,
    androidcontrol_cases,
    guiodyssey_cases,
    odyssey_others_cases,
)
from tests.scoring.made import node

Case = dict[str, Any]
Row = tuple[Episode, Step, Prediction | None, bool]
Pair = tuple[Step, Prediction]

SEED = 20_260_105
CATEGORIES = ("General_Tool", "Multi_Apps", "Web_Shopping", "Social_Sharing", "Media", "Info")
NOTHING = Unreadable("no dialect has read it")
ANNOTATED = a.Other("annotated")


def rows(made: Callable[[int], Iterator[Pair]], count: int, seed: int = SEED) -> Iterator[Row]:
    """Yields `count` steps in episodes of one to nine, one in thirty without a prediction, one in
    sixty with a second one; now and then two episodes have one name."""
    rng = random.Random(seed)
    pairs = islice(made(seed), count)
    number = 0
    while steps := list(islice(pairs, rng.randint(1, 9))):
        number += 1
        name = f"{number - rng.randint(0, 1) if rng.random() < 0.05 else number:04d}"
        device = DeviceFacts(size=Size(1080, 2400), density=rng.choice([None, 420]))
        episode = Episode(
            f"u{number}",
            name,
            Origin("made"),
            Task("", category=rng.choice(CATEGORIES)),
            EpisodeState.FINISHED,
            (),
            device=device,
            declared_steps=len(steps) + (rng.random() < 0.1),
        )
        again: list[Row] = []
        for index, (step, said) in enumerate(steps):
            missing = rng.random() < 1 / 30
            step = _numbered(step, index)
            yield episode, step, None if missing else _placed(said, name, index, rng), False
            if rng.random() < 1 / 60:
                again.append((episode, step, _placed(said, name, index, rng), True))
        yield from again


def _numbered(step: Step, index: int) -> Step:
    return Step(
        index, step.action, frame=step.frame, native=step.native, tree=step.tree,
        regions=step.regions,
    )  # fmt: skip


def _placed(said: Prediction, name: str, index: int, rng: random.Random) -> Prediction:
    line = rng.randint(1, 10**6)
    return Prediction(name, index, said.raw, said.parsed, said.native, line=line)


def _native(space: str, value: Any) -> Native:
    return Native.of(space, value)


def _step(space: str, value: Any, size: tuple[int, int] | None, **more: Any) -> Step:
    frame = Frame(Size(*size), Basis.IMPORTED) if size is not None else None
    return Step(0, ANNOTATED, frame=frame, native=_native(space, value), **more)


def _said(raw: str = "", space: str = "", value: Any = None) -> Prediction:
    return Prediction("", 0, raw, NOTHING, _native(space, value) if space else None)


# ------------------------------------------------------------------------------------------- AITW


def _aitw(seed: int) -> Iterator[Pair]:
    for case in aitw_cases.cases(seed, 10**9):
        gold = _of_codes(case["gold"]) | {"boxes": _numbers(case["boxes"])}
        yield (
            _step("aitw", gold, (540, 1080)),
            _said(space="aitw", value=_of_codes(case["prediction"])),
        )


def _of_codes(told: Any) -> Any:
    if not isinstance(told, dict):
        return told
    names = {"action_type": "type", "touch": "touch", "lift": "lift", "text": "text"}
    return {name: _numbers(told.get(key, "")) for name, key in names.items() if key in told} | (
        {"text": ""} if "text" not in told else {}
    )


def _numbers(told: Any) -> Any:
    if isinstance(told, list | tuple):
        return [_numbers(one) for one in told]
    return "NaN" if isinstance(told, float) and math.isnan(told) else told


# ------------------------------------------------------------------------------------- GUIOdyssey


def _guiodyssey(seed: int) -> Iterator[Pair]:
    for case in guiodyssey_cases.cases(seed, 10**9):
        box = case["sam2_bbox"]
        region = Region(None, Provenance(RegionSource.IMPORT), native=_native("guiodyssey", box))
        step = _step("guiodyssey", case["gold"], None, regions=(region,) if box is not None else ())
        yield step, _said(space="guiodyssey", value=case["prediction"])


def _others(protocol: str) -> Callable[[int], Iterator[Pair]]:
    def pairs(seed: int) -> Iterator[Pair]:
        for case in odyssey_others_cases.cases(seed, 10**9):
            if case["protocol"] == protocol:
                answer = case["answer"]
                said = _said("?") if answer is None else _said(space="guiodyssey", value=answer)
                yield _step("guiodyssey", _annotation(case["gold"]), (1000, 2000)), said

    return pairs


def _annotation(gold: Case) -> Case:
    kind = gold["type"]
    if kind.startswith("PRESS_"):
        key = {"PRESS_HOME": "HOME", "PRESS_BACK": "BACK", "PRESS_RECENT": "APPSELECT"}[kind]
        return {"action": "CLICK", "info": f"KEY_{key}"}
    if kind in ("CLICK", "LONG_PRESS"):
        return {"action": kind, "info": [list(gold["point"])] * 2}
    if kind == "SCROLL":
        return {"action": kind, "info": [list(gold["start"]), list(gold["end"])]}
    names = {"TYPE": "TEXT", "IMPOSSIBLE": "INCOMPLETE"}
    return {"action": names.get(kind, kind), "info": gold.get("text", "")}


# ------------------------------------------------------------------------------------------- AITZ


def _aitz(seed: int) -> Iterator[Pair]:
    for case in aitz_cases.cases(seed, 10**9):
        gold = case["gold"]
        native = _of_codes(gold) | {"boxes": _numbers(case["boxes"])}
        yield _step("aitz", native, tuple(gold["size"])), _coat(case["prediction"], gold["size"])


def _coat(told: Any, size: tuple[int, int]) -> Prediction:
    if not isinstance(told, dict) or not isinstance(told.get("action"), str):
        return _said(json.dumps(told, default=str))
    arguments = {key: told[key] for key in ("direction", "text") if key in told}
    point, box = told.get("point"), told.get("box")
    edges = [*point, *point] if box is None and isinstance(point, list | tuple) else box
    if edges is not None:
        arguments["bbox"] = edges
    if isinstance(edges, list | tuple) and all(isinstance(n, int | float) for n in edges):
        sides = (*size, *size)
        arguments["bbox"] = [n * 1000 / side for n, side in zip(edges, sides, strict=False)]
    name = told["action"] + (f"_{told['button']}" if "button" in told else "")
    return _said(json.dumps({"ACTION": name, "ARGS": arguments}, default=str))


# --------------------------------------------------------------------------------- AndroidControl


def _androidcontrol(evaluator: str) -> Callable[[int], Iterator[Pair]]:
    space = {"paper": "androidcontrol", "agentcpm-no-flag": "agentcpm"}.get(evaluator, evaluator)

    def pairs(seed: int) -> Iterator[Pair]:
        for case in androidcontrol_cases.cases(evaluator, seed, 10**9):
            gold, told = case["arguments"]["gold"], case["arguments"]["prediction"]
            action = dict(gold["action"])
            if "candidates" in gold:
                action["candidate_bbox"] = gold["candidates"]
            boxes = [(box, {}) for box in gold.get("boxes", ())]
            boxes += [(one["box"], one) for one in gold.get("nodes", ())]
            tree = _tree(boxes) if "boxes" in gold or "nodes" in gold else None
            step = _step("androidcontrol", action, gold.get("size", (1080, 2400)), tree=tree)
            model = {"qwen2.5-vl": "qwen25vl", "qwen3-vl": "qwen3vl"}.get(
                case["arguments"].get("model", ""), space
            )
            yield step, _said(told if isinstance(told, str) else "", model, told)

    return pairs


def _tree(boxes: list[tuple[list[int], Case]]) -> StepTree:
    inner = "".join(
        node(_bounds(box), text=_xml(str(one.get("text", ""))))
        for box, one in boxes
        if all(abs(edge) < 10**6 and edge == int(edge) for edge in box)
    )
    xml = f'<hierarchy rotation="0">{inner}</hierarchy>'.encode()
    return StepTree(TreeRecord("uiautomator", xml, "test", TreeStatus.OK), TreeFit.FRESH)


def _bounds(box: list[int]) -> str:
    left, top, right, bottom = map(int, box)
    return f"[{left},{top}][{right},{bottom}]"


def _xml(text: str) -> str:
    told = text.encode("utf-8", "ignore").decode().replace("&", "&amp;").replace("<", "&lt;")
    return "".join(one for one in told.replace('"', "&quot;") if one.isprintable())


# ------------------------------------------------------------------------------------- recordings


def _recorded(seed: int) -> Iterator[Pair]:
    """Touches round the reach, in and beside the target's region, and other actions."""
    rng = random.Random(seed)
    size = Size(1080, 2400)
    while True:
        x, y = rng.randint(0, 1079), rng.randint(0, 2399)
        gold: a.Action = rng.choice([a.Tap, a.LongPress, a.DoubleTap])(Point(x, y))
        reach = rng.choice([63.0, 64.8])
        dx = rng.choice([0, 1, reach, math.nextafter(reach, 0), math.nextafter(reach, 99), 90])
        said: a.Action = rng.choice([a.Tap, a.Tap, a.LongPress])(Point(x + dx, y))
        if rng.random() < 0.4:
            gold, said = _other(rng), _other(rng)
        step = Step(0, gold, frame=Frame(size, Basis.IMPORTED))
        yield step, Prediction("", 0, "x", said if rng.random() < 0.95 else NOTHING)


def _other(rng: random.Random) -> a.Action:
    words = rng.choice(["", "hello", "Hello", " hello ", "caf\u00e9", "cafe\u0301"])
    return rng.choice(
        [
            a.TypeText(words),
            a.PressKey(rng.choice(list(a.Key))),
            a.OpenApp(words),
            a.Swipe(Point(500, 900), Point(rng.choice([100, 500, 900]), 500)),
            a.Wait(),
            a.Finish(rng.choice(list(a.Ending))),
            a.Answer(words),
            a.Other("dance"),
        ]
    )


def plain_odyssey(seed: int) -> Iterator[Pair]:
    """GUIOdyssey's steps and answers in their plain form, on limits and beside them."""
    rng = random.Random(seed)
    words = ("UP", "DOWN", "LEFT", "RIGHT", "SIDEWAYS")
    bare = ("PRESS_HOME", "PRESS_BACK", "PRESS_RECENT", "COMPLETE", "IMPOSSIBLE", "WAIT")
    typed = ("hello", "Hello", " hello ", "hello world", "caf\u00e9", "[hello]", "type", "hexxo")
    while True:
        kind = rng.choice(["CLICK"] * 5 + ["LONG_PRESS", "SCROLL", "TEXT", "KEY", "COMPLETE"])
        x, y = rng.randint(0, 1000), rng.randint(0, 1000)
        across = rng.choice([0, 1, 84, 112, 139, 140, 141, rng.randint(-400, 400)])
        down = rng.choice([0, 84, 112, 139, 140, rng.randint(-400, 400)])
        points = [[x, y], [x + across, y + down]]
        region: tuple[Region, ...] = ()
        if rng.random() < 0.5:
            edges = [x - 9, y - 9, x + across - rng.randint(0, 1), y + down]
            told = _native("guiodyssey", rng.choice([edges, edges, edges, [], [1, 2, 3]]))
            region = (Region(None, Provenance(RegionSource.IMPORT), native=told),)
        info: Any = {
            "KEY": rng.choice(["KEY_HOME", "KEY_BACK", "KEY_APPSELECT", "KEY_MENU"]),
            "TEXT": rng.choice(typed),
        }.get(kind, points)
        answers = [
            f"CLICK: ({x + across}, {y + down})",
            f"LONG_PRESS: ({x + across}.5, {y + down})",
            f"SCROLL: {rng.choice(words)}",
            f"TYPE: {rng.choice(typed)}",
            rng.choice(bare),
        ]
        likely = {"CLICK": 0, "LONG_PRESS": 1, "SCROLL": 2, "TEXT": 3}.get(kind, 4)
        answer = answers[likely if rng.random() < 0.8 else rng.randrange(5)]
        native = {"action": "CLICK" if kind == "KEY" else kind, "info": info}
        step = _step("guiodyssey", native, (1080, 2400), regions=region)
        yield step, _said(answer, "guiodyssey", answer)


PAIRS: dict[str, Callable[[int], Iterator[Pair]]] = {
    "aitw@1": _aitw,
    "aitw@2": _aitw,
    "aitw/auto-gui@1": _aitw,
    "aitw/auto-gui@2": _aitw,
    "aitz@1": _aitz,
    "aitz@2": _aitz,
    "aitz/lift@1": _aitz,
    "aitz/lift@2": _aitz,
    "aitz/agentcpm@1": _aitw,
    "aitz/agentcpm@2": _aitw,
    "guiodyssey@1": _guiodyssey,
    "guiodyssey@2": _guiodyssey,
    "guiodyssey/os-atlas@1": _others(odyssey_others_cases.OS_ATLAS),
    "guiodyssey/os-atlas@2": _others(odyssey_others_cases.OS_ATLAS),
    "guiodyssey/agentcpm@1": _others(odyssey_others_cases.AGENTCPM),
    "guiodyssey/gui-r1@1": _others(odyssey_others_cases.GUI_R1),
    "guiodyssey/gui-r1@2": _others(odyssey_others_cases.GUI_R1),
    **{
        key: _androidcontrol(name)
        for name in androidcontrol_cases.EVALUATORS
        for key in PROTOCOLS
        if key.startswith(f"androidcontrol/{name}@")
    },
    "androidcontrol/gui-r1@2": _androidcontrol("gui-r1"),
    "taptrail-strict@1": _recorded,
}
