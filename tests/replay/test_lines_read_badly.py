"""A line that is hard to read still answers its step: a wrong answer is not a missing one."""

import json

import pytest

from replay.dialect import NO_STEP, Limits
from replay.dialects import dialect


def _rows(tmp_path, data: bytes, row_bytes: int = 1_000_000):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(data)
    return list(dialect("raw", of_text="guiodyssey").rows(path, Limits(row_bytes=row_bytes)))


@pytest.mark.parametrize(
    ("member", "raw"),
    [
        ('"logprob": NaN, "raw": "HOME"', "HOME"),
        ('"logprob": -Infinity, "raw": "HOME"', "HOME"),
        ('"logprob": 1e999, "raw": "HOME"', "HOME"),
        ('"tokens": 123456789012345678901234567890, "raw": "HOME"', "HOME"),
        (r'"raw": "broken \ud800"', "broken ?"),
    ],
    ids=["NaN", "Infinity", "1e999", "a whole number beyond 64 bits", "half a surrogate pair"],
)
def test_what_python_writes_into_json_does_not_cost_the_answer(tmp_path, member, raw):
    [row] = _rows(tmp_path, b'{"episode": "e", "step": 3, %s}\n' % member.encode())
    assert (row.episode, row.step, row.raw, row.problem) == ("e", 3, raw, "")


def test_a_line_that_was_cut_off_is_an_unreadable_answer_of_its_step(tmp_path):
    [row] = _rows(tmp_path, b'{"episode": "e", "step": 3, "raw": "CLI')
    assert (row.episode, row.step) == ("e", 3)
    assert row.problem.startswith("the line is not JSON")


def test_a_line_that_is_too_long_is_an_unreadable_answer_of_its_step(tmp_path):
    long = json.dumps({"episode": "e", "step": 3, "raw": "x" * 5000})
    after = json.dumps({"episode": "e", "step": 4, "raw": "COMPLETE"})
    rows = _rows(tmp_path, f"{long}\n{after}\n".encode(), row_bytes=1000)
    assert [(r.episode, r.step, r.problem) for r in rows] == [
        ("e", 3, "the line is longer than 1000 bytes"),
        ("e", 4, ""),
    ]


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (rb'{"raw": "\"episode\": \"x\"", "episode": "e", "step": 3, ', ("e", 3)),
        (rb'{"episode_id": "e", "step_id": 3, "pred": {"TYPE": "a', ("e", 3)),
        (rb'{"meta": {"ep_id": 7.0, "stepIdx": "3"}, "pred": {"TYPE": "a', ("7", 3)),
        (rb'{"meta": {"ep_id": 7, "step": 3, "app": "a', ("7", 3)),
        (rb'{"images": [{"path": "/d/e_3.png"}], "response": "Act', ("e", 3)),
        (rb'{"custom_id": "e_3", "response": {"body": {"choices": [', ("e", 3)),
        (rb'{"pred": "say "hi"", "episode_id": "e", "step_id": 3}', ("e", 3)),
        (rb'{"episode_id": "e", "pred": "\xe5\x8c', ("e", NO_STEP)),
        (rb'{"raw": "\"episode\": \"x\", \"step\": 3', ("", NO_STEP)),
        (rb'{"a": x, "episode": "e", "step": 3, "episode": "f"', ("", 3)),
    ],
)
def test_a_broken_line_is_joined_to_the_step_it_still_names(tmp_path, line, place):
    [row] = _rows(tmp_path, line)
    assert (row.episode, row.step) == place
    assert row.problem.startswith("the line is not JSON")


def test_two_objects_on_one_line_are_two_rows(tmp_path):
    one, two = (json.dumps({"episode": "e", "step": n, "raw": "HOME"}) for n in (1, 2))
    rows = _rows(tmp_path, f"{one}{two}\n{one[:30]}{two}\n".encode())
    assert [(row.step, row.raw[:4], bool(row.problem)) for row in rows] == [
        (1, "HOME", False),
        (2, "HOME", False),
        (1, '{"ep', True),
        (2, "HOME", False),
    ]
