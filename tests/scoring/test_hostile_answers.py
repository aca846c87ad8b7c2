"""Golds and answers nobody would write, against every rule that reads texts or native numbers."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from episodes import actions as a
from episodes.geometry import Box, Direction, Native, Point
from episodes.runs import Prediction, Unreadable
from episodes.steps import Step
from scoring.protocols import PROTOCOLS
from tests.scoring.made import EPISODE, imported, node, recorded

COUNT = 1_500
SEED = 20_260_105
RULES = [key for key in PROTOCOLS if key.startswith(("aitw", "aitz", "guiodyssey/"))]

KEYS = [
    *("action_type", "touch", "lift", "text", "boxes", "description", "action", "info", "POINT"),
    *("to", "PRESS", "TYPE", "STATUS", "duration", "ACTION", "ARGS", "bbox", "idx", "direction"),
    *("touch_point", "typed_text", "at", "point", "start", "end", "kind", "reused"),
]
ATOMS: list[Any] = [
    *(None, True, False, 0, 1, 3, 4, -1, 10**40, 1e308, -1e308, float("nan"), float("inf"), 0.5),
    *("NaN", "up", "DUAL_POINT", "TYPE", "CLICK", "press_", "x" * 50, "", "[0.5, 0.5]", "\ud800"),
    *([], {}, [0.5, 0.5], [1, 2, 3, 4], [[1, 2], [3, 4]], [[0.1, 0.1, 0.2, 0.2]]),
]
WORDS = [
    *("CLICK: ", "TYPE: ", "SCROLL: ", "PRESS_HOME", "(1, 2)", "**", "Action Decision: "),
    *("actions:\n", "<answer>", "</answer>", "'action': 'click'", "{", "}", '"ACTION"', '"touch"'),
    *(":", ",", "\n", "é", "٣", "-", "1.5", "(1e400, 2)"),
]
ACTIONS: list[a.Action] = [
    a.Tap(Point(1, 2)),
    a.Tap(Point(float("nan"), float("inf"))),
    a.Tap(Box(0, 0, 5, 5)),
    a.Tap(a.ElementRef(1)),
    a.LongPress(Point(1e300, -1e300)),
    a.Swipe(Point(0, 0), Point(float("nan"), 1e308)),
    a.Swipe(Point(1, 1), Point(1, 1)),
    a.Scroll(Direction.UP),
    a.TypeText(""),
    a.PressKey(a.Key.OTHER, "K"),
    a.Finish(a.Ending.COMPLETE),
    a.Wait(),
    a.Other("z"),
    a.Pinch(Point(1, 1), 2.0),
]
GOLDS: list[Step] = [
    imported("aitw", action_type=4, touch=[0.5, 0.5], lift=[0.5, 0.5], text="", boxes=[]),
    imported("aitz", action_type=4, touch=[0.5, 0.5], lift=[0.5, 0.9], text="", boxes=[[1, 1, 2]]),
    imported("aitz", action_type=3, touch=[-1, -1], lift=[-1, -1], text="hi", description="type"),
    imported("guiodyssey", action="CLICK", info=[[5, 5]]),
    imported("guiodyssey", action="CLICK", info=[[1e300, 10**400]]),
    imported("guiodyssey", action="TEXT", info="hi"),
    imported("guiodyssey", action="SCROLL", info=[[1, 1], [5, 9]]),
]


class Drawer:
    """Draws steps and predictions, the same for a seed."""

    def __init__(self) -> None:
        self.rng = random.Random(SEED)

    def value(self, depth: int = 0) -> Any:
        chance = self.rng.random()
        if depth > 2 or chance < 0.6:
            return self.rng.choice(ATOMS)
        if chance < 0.8:
            return [self.value(depth + 1) for _ in range(self.rng.randint(0, 4))]
        return self.told(depth + 1)

    def told(self, depth: int = 0) -> dict[str, Any]:
        return {self.rng.choice(KEYS): self.value(depth) for _ in range(self.rng.randint(0, 8))}

    def step(self) -> Step:
        chance = self.rng.random()
        if chance < 0.4:
            return imported(self.rng.choice(["aitw", "aitz", "guiodyssey"]), **self.told())
        if chance < 0.7:
            nodes = [node("[0,0][9,9]")] if chance < 0.6 else []
            return recorded(self.rng.choice(ACTIONS), *nodes)
        return self.rng.choice(GOLDS)

    def raw(self) -> str:
        if self.rng.random() < 0.5:
            return json.dumps(self.told())
        return "".join(self.rng.choice(WORDS) for _ in range(self.rng.randint(0, 6)))

    def prediction(self) -> Prediction | None:
        spaces = ["aitw", "guiodyssey", "0-1", "0-1000", "odd"]
        native = None
        if self.rng.random() < 0.5:
            native = Native.of(self.rng.choice(spaces), self.value())
        parsed = self.rng.choice([*ACTIONS, Unreadable("no words")])
        return Prediction("e", 0, self.raw(), parsed, native)


def drawn() -> list[tuple[Step, Prediction | None]]:
    drawer = Drawer()
    return [(drawer.step(), drawer.prediction()) for _ in range(COUNT)]


@pytest.mark.parametrize("key", RULES)
def test_every_step_and_answer_has_a_verdict_with_a_reason_and_plain_parts(key):
    protocol = PROTOCOLS[key]
    carry = protocol.carry() if protocol.carry is not None else lambda told, _: told
    outcomes = set()
    for step, prediction in drawn():
        verdict = protocol.verdict(carry(prediction, step), step, EPISODE)
        outcomes.add(verdict.outcome.value)
        assert verdict.reason
        json.dumps(dict(verdict.parts), allow_nan=False)
    assert outcomes == {"match", "mismatch", "unscored"}
