"""The golden cases, judged through the command that answers cases from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance import aitw, androidcontrol, evaluators
from tests.conformance.__main__ import answer, answers
from tests.conformance.guiodyssey import verdict_on

VECTORS = Path(__file__).parent.parent / "vectors"


def cases(name: str) -> list[dict]:
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    "name",
    [
        "guiodyssey.jsonl",
        "guiodyssey_aggregate.jsonl",
        "aitw.jsonl",
        "aitw_aggregate.jsonl",
    ],
)
def test_every_golden_case_is_answered_as_the_released_evaluator_answered_it(name):
    expected = {case["id"]: case["expected"] for case in cases(name)}
    got = {told["id"]: told["got"] for told in answers(VECTORS / name)}
    assert got == expected


def test_every_golden_verdict_carries_the_evaluator_s_own_label():
    golden = cases("guiodyssey.jsonl")
    got = {case["id"]: verdict_on(case, "guiodyssey@2").parts["label"] for case in golden}
    assert got == {case["id"]: case["label"] for case in golden}


def test_every_evaluator_judges_the_cases_they_disagree_on_as_it_was_seen_to():
    golden = cases("evaluator_disagreements.jsonl")
    names = (*evaluators.ODYSSEY, *evaluators.WILD)
    expected = [
        {name: verdict for name, verdict in case["verdicts"].items() if name in names}
        for case in golden
    ]
    told = list(answers(VECTORS / "evaluator_disagreements.jsonl"))
    assert [one["got"] for one in told] == expected
    assert {name for one in told for name in one["unsupported"]} == set(evaluators.NOT_HERE)


@pytest.mark.parametrize("name", evaluators.NOT_HERE)
def test_evaluators_that_are_not_a_protocol_are_reported_as_unsupported(name):
    assert answer({"id": "x", "protocol": name, "gold": {}}) == {
        "id": "x",
        "unsupported": evaluators.NOT_HERE[name],
    }


def test_one_evaluator_can_be_asked_by_the_golden_file_s_name_or_by_ours():
    case = cases("evaluator_disagreements.jsonl")[1]
    for name, key in evaluators.ODYSSEY.items():
        for protocol in (name, key):
            found = answer({"id": "x", "protocol": protocol, **pick(case)})
            assert found["got"] == case["verdicts"][name]


def pick(case: dict) -> dict:
    box = {"sam2_bbox": case["gold"]["sam2_bbox"]}
    return {"gold": case["gold"], "prediction": case["prediction"], "context": box}


def test_aitw_s_verdicts_are_marked_if_float64_would_not_agree():
    golden = cases("aitw.jsonl")
    told = {
        case["id"] for case in golden if aitw.verdict_on(case, "aitw@1").parts.get("float_fragile")
    }
    assert told == {case["id"] for case in golden if "float64_would_say" in case}


def test_no_expectation_is_read_from_the_cases(tmp_path):
    blinded = [
        {k: v for k, v in case.items() if k not in ("expected", "why", "case", "label")}
        for case in cases("guiodyssey.jsonl")
    ]
    file = tmp_path / "blind.jsonl"
    file.write_text("\n".join(json.dumps(case) for case in blinded), encoding="utf-8")
    assert list(answers(file)) == list(answers(VECTORS / "guiodyssey.jsonl"))


def test_an_unknown_protocol_is_reported_as_unsupported(tmp_path):
    file = tmp_path / "other.jsonl"
    file.write_text('{"id": "x-1", "protocol": "nowhere", "gold": {}}\n', encoding="utf-8")
    assert list(answers(file)) == [
        {"id": "x-1", "unsupported": "there is no protocol “nowhere” here"}
    ]


def test_androidcontrol_s_evaluators_are_answered_as_they_answered_themselves():
    golden = [case for case in cases("androidcontrol.jsonl") if case["protocol"] != "import"]
    expected = {case["id"]: case["expected"] for case in golden}
    assert {case["id"]: answer(case)["got"] for case in golden} == expected
    assert {case["variant"] for case in golden} == set(androidcontrol.VARIANTS)
