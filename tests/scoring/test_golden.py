"""The golden cases, judged through the command that answers cases from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.__main__ import answers
from tests.conformance.guiodyssey import verdict_on

VECTORS = Path(__file__).parent.parent / "vectors"


def cases(name: str) -> list[dict]:
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", ["guiodyssey.jsonl", "guiodyssey_aggregate.jsonl"])
def test_every_golden_case_is_answered_as_the_released_evaluator_answered_it(name):
    expected = {case["id"]: case["expected"] for case in cases(name)}
    got = {told["id"]: told["got"] for told in answers(VECTORS / name)}
    assert got == expected


def test_every_golden_verdict_carries_the_evaluator_s_own_label():
    golden = cases("guiodyssey.jsonl")
    got = {case["id"]: verdict_on(case, "guiodyssey@2").parts["label"] for case in golden}
    assert got == {case["id"]: case["label"] for case in golden}


def test_no_expectation_is_read_from_the_cases(tmp_path):
    blinded = [
        {k: v for k, v in case.items() if k not in ("expected", "why", "case", "label")}
        for case in cases("guiodyssey.jsonl")
    ]
    file = tmp_path / "blind.jsonl"
    file.write_text("\n".join(json.dumps(case) for case in blinded), encoding="utf-8")
    assert list(answers(file)) == list(answers(VECTORS / "guiodyssey.jsonl"))


def test_a_protocol_nobody_knows_is_unsupported_and_says_so(tmp_path):
    file = tmp_path / "other.jsonl"
    file.write_text('{"id": "x-1", "protocol": "nowhere", "gold": {}}\n', encoding="utf-8")
    assert list(answers(file)) == [
        {"id": "x-1", "unsupported": "there is no protocol “nowhere” here"}
    ]
