"""Numbers in reasons lie on the side of their limit where the verdict is."""

import math
import re

import pytest

from episodes import actions as a
from episodes.geometry import Native, Point
from episodes.verdicts import Outcome
from scoring.protocols import PROTOCOLS
from tests.scoring.made import EPISODE, did, imported, node, recorded

LIMITS = {  # how far a tap on a screen of 1000x2000 may be across, and how the reason says it
    "guiodyssey/agentcpm": (
        140.0,
        r"(\S+) of the screen from the gold point; the limit is (\S+)\.",
    ),
    "guiodyssey/os-atlas": (140.0, r"(\S+) thousandths from the gold point; the limit is (\S+)\."),
    "guiodyssey/gui-r1": (140.0, r"(\S+) of the screen from the gold point; less than (\S+) is"),
    "aitw": (140.0, r"they are (\S+) of the screen apart, and the limit is (\S+)\."),
    "androidcontrol/os-atlas": (
        140.0,
        r"(\S+) thousandths from the gold point; the limit is (\S+)\.",
    ),
    "androidcontrol/gui-r1": (
        140.0,
        r"(\S+) of the screen from the gold point; less than (\S+) is",
    ),
}


def step_for(key):
    if key.startswith("androidcontrol"):
        return imported("androidcontrol", action_type="click", x=500, y=1000)
    return recorded(a.Tap(Point(500, 1000)), node("[0,0][1,1]"))


@pytest.mark.parametrize("key", LIMITS)
def test_the_reason_of_a_distance_never_contradicts_its_verdict(key):
    reach, words = LIMITS[key]
    protocol, step = PROTOCOLS[f"{key}@1"], step_for(key)
    seen = set()
    for across in (reach - 1, reach - 1e-9, math.nextafter(reach, 0), reach,
                   math.nextafter(reach, 999), reach + 1e-9, reach + 1, 400):  # fmt: skip
        x = 500 + across
        verdict = protocol.verdict(
            did(a.Tap(Point(x, 1000)), Native.of("pixels", {"at": {"point": [x, 1000]}})),
            step,
            EPISODE,
        )
        found = re.search(words, verdict.reason)
        assert found is not None, verdict
        told, limit = map(float, found.groups())
        strict = "less than" in verdict.reason
        right = told < limit if strict else told <= limit
        assert right == (verdict.outcome is Outcome.MATCH), verdict
        seen.add(verdict.outcome)
    assert seen == {Outcome.MATCH, Outcome.MISMATCH}
