"""A monkey on the phone: whatever it touches, types or sets, the phone goes on and stays true."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree

import pytest

from demophone.device import TouchAction
from tests.demophone import drawn as hands
from tests.demophone.drawn import Drawn, MakeDrawn

make_drawn = hands.make_drawn

KEYS = (3, 4, 4, 4, 19, 20, 21, 22, 26, 61, 66, 67, 82, 84, 111, 112, 123, 187, 277, 278, 279, 29)
TEXTS = ("Mara", "a & <b>", "555 0142", "\n", "ü\ud800", "x" * 90)
SETTINGS = (
    ("secure", "ui_night_mode", ("1", "2")),
    ("secure", "navigation_mode", ("0", "2")),
    ("system", "font_scale", ("0.85", "1.0", "1.3", "nonsense")),
    ("global", "animator_duration_scale", ("0", "1.0")),
    ("system", "user_rotation", ("0", "1", "3", "nonsense")),
)


def _poke(drawn: Drawn, chance: random.Random) -> None:
    """Does one random thing."""
    phone = drawn.phone
    width, height = phone.size
    x, y = chance.uniform(-5, width + 5), chance.uniform(-5, height + 5)
    match chance.randrange(20):
        case 0 | 1 | 2 | 3 | 4 | 5:
            targets = [e for e in drawn.elements().values() if e["clickable"]]
            if targets:
                x, y = hands.middle(chance.choice(targets))
            drawn.tap_at(x, y)
        case 6 | 7:
            drawn.hold_at(x, y)
        case 8 | 9 | 10:
            drawn.swipe(x, y, chance.uniform(0, width), chance.uniform(0, height), steps=5)
        case 11:
            for pointer in (0, 1):
                drawn.touch(TouchAction.DOWN, x + 20 * pointer, y, pointer)
            drawn.touch(TouchAction.MOVE, x - 60, y)
            drawn.touch(chance.choice((TouchAction.UP, TouchAction.CANCEL)), x - 60, y)
            drawn.touch(TouchAction.UP, x + 20, y, 1)
        case 12 | 13 | 14:
            drawn.press(chance.choice(KEYS))
        case 15:
            phone.text(chance.choice(TEXTS), "shell")
        case 16:
            phone.scroll(x, y, chance.uniform(-2, 2), chance.uniform(-2, 2))
        case 17:
            namespace, key, values = chance.choice(SETTINGS)
            phone.put_setting(namespace, key, chance.choice(values))
        case 18:
            phone.start_app(chance.choice(list(phone.packages)), fresh=chance.random() < 0.3)
        case _:
            phone.expand(chance.choice(("notifications", "settings", None)))
    if not phone.awake:
        phone.wake(True)


@pytest.mark.parametrize("seed", range(4))
def test_a_monkey_breaks_nothing(make_drawn: MakeDrawn, seed: int) -> None:
    chance = random.Random(seed)
    drawn = make_drawn(size=(270, 600), density=105, deterministic=seed % 2 == 0)
    for _ in range(80):
        _poke(drawn, chance)
        drawn.loop.advance(chance.uniform(0, 0.3))
        ElementTree.fromstring(drawn.phone.hierarchy(compressed=chance.random() < 0.5))
    numbers = [line["screen"] for line in drawn.log("screen")]
    assert numbers == list(range(1, len(numbers) + 1))
    screens = {line["screen"]: line for line in drawn.log("screen")}
    for line in screens.values():
        names = [element["id"] for element in line["elements"]]
        assert len(names) == len(set(names))
    for line in drawn.log("input"):
        if line["action"] == "down" and line["element"] is not None:
            assert line["element"] in screens[line["screen"]]["elements"]
    assert {line["package"] for line in drawn.log("foreground")} > {"com.taptrail.demo.launcher"}
