"""Facts of a step for the Review page."""

from __future__ import annotations

from episodes import actions as a
from episodes.geometry import Native
from episodes.runs import Prediction, Unreadable
from replay.side_by_side import compare_step
from scoring.protocols import PROTOCOLS
from tests.replay.made import annotated, episode

V2 = PROTOCOLS["guiodyssey@2"]


def said(answer, parsed):
    return Prediction("e", 0, answer, parsed, Native.of("guiodyssey", answer))


def test_a_step_is_compared_under_every_protocol():
    step = annotated(0, "TEXT", "hello", meant=a.TypeText("hello"))
    prediction = said("TYPE:", a.TypeText(""))
    found = compare_step(step, episode("e", [step]), prediction, V2)
    outcomes = {key: verdict.outcome.value for key, verdict in found.others.items()}
    assert (found.gold, found.predicted) == (a.TypeText("hello"), a.TypeText(""))
    assert found.verdict is found.others["guiodyssey@2"]
    assert list(outcomes) == list(PROTOCOLS)
    some = {key: outcomes[key] for key in ("guiodyssey@2", "guiodyssey@1", "taptrail-strict@1")}
    assert some == {
        "guiodyssey@2": "match",
        "guiodyssey@1": "match",
        "taptrail-strict@1": "mismatch",
    }


def test_a_missing_or_unreadable_prediction_has_no_action():
    step = annotated(0, "CLICK", [[500, 500]])
    whole = episode("e", [step])
    unreadable = said("??", Unreadable("no words"))
    assert compare_step(step, whole, None, V2).predicted is None
    assert compare_step(step, whole, unreadable, V2).predicted is None
