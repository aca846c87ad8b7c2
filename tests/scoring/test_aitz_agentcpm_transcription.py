"""AgentCPM-GUI's rule for AITZ against a transcription written from its description alone.

The description does not say in which order box edges, lengths and cosines are computed; cases on
which that decides (`SILENT`) are left out.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import islice

import pytest

from episodes.actions import Other
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Size
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import agentcpm
from tests.oracles import aitz_agentcpm as oracle
from tests.oracles.aitz_agentcpm_cases import SILENT, totals_cases
from tests.oracles.aitz_agentcpm_cases import cases as random_cases
from tests.scoring import COUNT

SEED = 20_260_106
EPISODE = Episode("u", "e", Origin("aitw"), Task(""), EpisodeState.FINISHED, ())
FRAME = Frame(Size(540, 1080), Basis.IMPORTED)
NOTHING = Unreadable("no action in it")


@cache
def cases() -> tuple[dict, ...]:
    """Cases whose outcome the description decides."""
    told = (case for case in random_cases(SEED, 2 * COUNT) if case["kind"] not in SILENT)
    return tuple(islice(told, COUNT))


def step_of(case: dict) -> Step:
    gold = case["gold"]
    native = {
        "action_type": gold["type"],
        "touch": gold["touch"],
        "lift": gold["lift"],
        "text": gold["text"],
    }
    if case["boxes"] is not None:
        native["boxes"] = [list(box) for box in case["boxes"]]
    return Step(0, Other("annotated"), frame=FRAME, native=Native.of("aitw", native))


def prediction_of(answer: dict | None) -> Prediction:
    raw = "I do not know." if answer is None else json.dumps(answer)
    return Prediction("e", 0, raw, NOTHING)


def ours(case: dict) -> Verdict:
    return agentcpm.AITZ.verdict(prediction_of(case["answer"]), step_of(case), EPISODE)


def theirs(case: dict) -> tuple[Outcome, bool, str]:
    told = oracle.judge(case["gold"], case["answer"], case["boxes"])
    if told is None:
        return Outcome.UNSCORED, False, "no-gold"
    right, kind, reason = told
    rules = {
        oracle.REFUSED: "unreadable",
        oracle.KIND: "type",
        oracle.TEXT: "text-contains",
        oracle.STOP: "type",
    }
    outcome = Outcome.MATCH if right else Outcome.MISMATCH
    return outcome, kind, rules.get(reason, reason)


def agree(case: dict) -> bool:
    verdict = ours(case)
    return (verdict.outcome, verdict.parts.get("type") is True, verdict.rule) == theirs(case)


def test_both_agree_on_random_cases_and_on_what_decided_them():
    assert len(cases()) == COUNT
    assert [case for case in cases() if not agree(case)] == []


def test_a_fifth_of_the_cases_is_on_a_threshold():
    assert sum(case["threshold"] for case in cases()) >= COUNT / 5


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("DISTANCE_LIMIT", 0.14000000000001),
        ("DISTANCE_LIMIT", 0.13999999999999),
        ("SWIPE_DISTANCE", 0.0401),
        ("SWIPE_DISTANCE", 0.0399),
        ("SCALE", 1.2001),
        ("SCALE", 1.1999),
    ],
)
def test_the_cases_notice_a_wrong_number(monkeypatch, name, wrong):
    monkeypatch.setattr(agentcpm, name, wrong)
    assert not all(agree(case) for case in cases() if case["threshold"])


def scored(episodes: list[list]) -> list[ScoredStep]:
    found = []
    for number, rows in enumerate(episodes):
        for step, row in enumerate(rows):
            right, kind = row or (False, False)
            outcome = Outcome.MATCH if right else Outcome.MISMATCH
            verdict = Verdict(outcome, "given", "", {"kind": "click", "type": kind})
            if row is None:
                verdict = agentcpm.AITZ.verdict(None, step_of(cases()[0]), EPISODE)
            found.append(ScoredStep(f"e{number}", step, verdict))
    return found


def test_the_totals_agree_with_the_transcription_s():
    for case in totals_cases(SEED, 300):
        values = agentcpm.AITZ.aggregate(scored(case["episodes"])).values
        for name, (much, whole) in oracle.totals(case["episodes"]).items():
            expected = float(round(Fraction(much) / whole * 100, 2)) if whole else None
            assert values[name].value == expected
