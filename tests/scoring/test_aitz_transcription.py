"""AITZ's rule against a transcription written from its description alone.

The description is a column of a table. Where it leaves a choice open (`SILENT`) the rule follows
the released code, and `tests/scoring/test_aitz.py` has cases of each.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import islice

import pytest

from episodes.actions import Other
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Size
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import aitz
from scoring.protocols.aitz_answers import CoatAction
from tests.oracles import aitz as oracle
from tests.oracles.aitz_cases import SILENT, totals_cases
from tests.oracles.aitz_cases import cases as random_cases
from tests.scoring import COUNT

SEED = 20_260_103
EPISODE = Episode("u", "e", Origin("aitz"), Task(""), EpisodeState.FINISHED, ())


@cache
def cases() -> tuple[dict, ...]:
    """Cases whose outcome the description decides, half of them with the click at (0, 0)."""
    told = (case for case in random_cases(SEED, 2 * COUNT) if case["kind"] not in SILENT)
    return tuple(islice(told, COUNT))


def step_of(case: dict) -> Step:
    gold = case["gold"]
    native = {
        "action_type": gold["type"],
        "touch": gold["touch"],
        "lift": gold["lift"],
        "text": gold["text"],
        "boxes": [list(box) for box in case["boxes"]],
    }
    frame = Frame(Size(*gold["size"]), Basis.IMPORTED)
    return Step(0, Other("annotated"), frame=frame, native=Native.of("aitz", native))


def action_of(told: dict | None) -> CoatAction | None:
    if told is None or not oracle.is_readable(told):
        return None
    if told["action"] == "click":
        return CoatAction("click", box=tuple(told.get("box") or (*told["point"], *told["point"])))
    words = (told.get(key) for key in ("direction", "text", "button"))
    return CoatAction(told["action"], next((word for word in words if word is not None), ""))


def ours(case: dict) -> bool:
    action = action_of(case["prediction"])
    if action is None:
        return False
    gold = aitz.gold(step_of(case), EPISODE, lift=case["gold_click"] == "lift")
    return aitz.judge_action(action, gold).outcome is Outcome.MATCH


def theirs(case: dict) -> bool:
    arguments = case["gold"], case["prediction"], case["boxes"], case["gold_click"]
    return oracle.judge(*arguments)[0]


def test_both_agree_on_random_cases():
    assert len(cases()) == COUNT
    assert [case for case in cases() if ours(case) != theirs(case)] == []


def test_a_fifth_of_the_cases_is_on_a_threshold_and_both_readings_of_the_click_occur():
    assert sum(case["threshold"] for case in cases()) >= COUNT / 5
    clicks = Counter(case["gold_click"] for case in cases())
    assert min(clicks["lift"], clicks["released"]) > COUNT / 5


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("SCALE", 1.19),
        ("SCALE", 2.4),
        ("RATIO_LIMIT", 0.82),
        ("RATIO_LIMIT", 0.79),
        ("VERTICAL", 1),
    ],
)
def test_the_cases_notice_a_wrong_number(monkeypatch, name, wrong):
    monkeypatch.setattr(aitz, name, wrong)
    assert any(ours(case) != theirs(case) for case in cases())


def scored(steps: list[dict]) -> list[ScoredStep]:
    return [
        ScoredStep(
            step["episode"],
            step["step"],
            Verdict(
                Outcome.MATCH if step["correct"] else Outcome.MISMATCH, "given", "", {"kind": "x"}
            ),
            declared_steps=step["episode_length"],
        )
        for step in sorted(steps, key=lambda step: step["step"])
    ]


def test_the_totals_agree_with_the_transcription_s():
    for case in totals_cases(SEED, 300):
        if case["kind"] == "missing_steps":
            continue
        values = aitz.aggregate(scored(case["steps"])).values
        told = {name: values[name].value for name in ("exact_acc", "success_rate", "goal_progress")}
        assert told == {
            "exact_acc": percent(oracle.exact_match(case["steps"])),
            "success_rate": percent(oracle.success_rate(case["steps"])),
            "goal_progress": percent(oracle.goal_progress(case["steps"])),
        }


def percent(share) -> float:
    return float(round(share * 100, 2))
