"""A run's verdicts and numbers, from a file to what the command prints."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path

import pytest

from episodes.runs import Run, StepSet
from episodes.verdicts import Share
from replay.dialect import Declared, Limits
from replay.dialects import DIALECTS
from replay.joining import join
from replay.score_runs import group_predictions, score, score_to_json, step_set
from scoring.protocol import Metric
from scoring.protocols import PROTOCOLS
from tests.replay.made import NO_BOX, annotated, clicks, episode, json_file, official

VECTORS = Path(__file__).parent.parent / "vectors"
GUIODYSSEY = DIALECTS["guiodyssey"]
V2 = PROTOCOLS["guiodyssey@2"]
STRICT = PROTOCOLS["taptrail-strict@1"]
RUN = Run("r", "guiodyssey")


def scored(folder, elements, episodes, protocol=V2, **more):
    rows = GUIODYSSEY.rows(json_file(folder, elements), Limits())
    joined = join(rows, episodes, GUIODYSSEY, Declared())
    predictions = group_predictions(joined.predictions)
    return score(RUN, episodes, predictions, protocol, orphans=joined.orphans, **more)


def test_the_printed_json_has_the_shape_that_is_promised(tmp_path):
    result = scored(tmp_path, [official("a", 0, "CLICK: (900, 500)")], [clicks("a", 1)])
    printed = json.loads(json.dumps(score_to_json(result, "/lib")))
    line = "guiodyssey/2/a/0\n"
    digest = hashlib.sha256(line.encode()).hexdigest()
    assert {name: printed[name] for name in ("protocol", "version", "library", "run")} == {
        "protocol": "guiodyssey",
        "version": "2",
        "library": "/lib",
        "run": "r",
    }
    assert printed["step_set"] == {"name": "all", "n": 1, "sha256": digest}
    assert printed["metrics"]["AMS"] == {"value": 0.0, "unit": "%", "hits": 0, "total": 1}
    assert printed["metrics"]["AMS/category mean"] == {
        "value": None,
        "unit": "%",
        "hits": None,
        "total": None,
        "note": "the original stops here: 1 of 6 categories",
    }
    assert printed["steps"] == [
        {
            "episode": "a",
            "step": 0,
            "outcome": "mismatch",
            "rule": "distance",
            "reason": "It is 0.4 of the screen from the gold point; the limit is 0.14.",
            "parts": {
                "label": "click_fail",
                "type": True,
                "limit": 0.14,
                "inside_region": None,
                "distance": 0.4,
                "on_threshold": False,
                "float_fragile": False,
            },
        }
    ]


def test_doubled_and_missing_rows_count_by_each_protocol_s_rules(tmp_path):
    elements = [
        official("a", 0, "CLICK: (500, 500)"),
        official("a", 1, "CLICK: (500, 500)"),
        official("a", 1, "CLICK: (1, 1)"),
        official("b", 0, "CLICK: (500, 500)"),
    ]
    episodes = [clicks("a"), clicks("b"), clicks("never answered")]
    theirs, ours = (scored(tmp_path, elements, episodes, p).metrics.values for p in (V2, STRICT))
    assert (theirs["AMS"].share, theirs["SR"].share) == (Share(3, 4), Share(0, 0))
    assert (ours["AMS"].share, ours["SR"].share) == (Share(3, 6), Share(1, 3))


def test_verdicts_are_passed_on_episode_by_episode_and_need_not_be_kept(tmp_path):
    judged, progress = [], []
    result = scored(
        tmp_path,
        [official("a", 0, "CLICK: (500, 500)")],
        [clicks("a"), clicks("b")],
        keep_steps=False,
        on_episode=lambda one: judged.extend(
            (step.episode, step.step, step.verdict.rule) for step in one.steps
        ),
        on_progress=lambda done, total: progress.append((done, total)),
        episode_count=2,
    )
    assert judged == [
        ("a", 0, "distance"),
        ("a", 1, "missing"),
        ("b", 0, "missing"),
        ("b", 1, "missing"),
    ]
    assert (progress, result.steps) == ([(1, 2), (2, 2)], ())


def test_a_declared_length_is_what_an_episode_s_rows_are_counted_against(tmp_path):
    long = clicks("a", 1, declared_steps=2)
    result = scored(tmp_path, [official("a", 0, "CLICK: (500, 500)")], [long])
    assert result.metrics.values["SR"].share == Share(0, 0)


def test_a_step_without_gold_is_left_out_and_counted(tmp_path):
    steps = [annotated(0, *NO_BOX), annotated(1, "FLY", "")]
    elements = [official("a", n, "CLICK: (500, 500)") for n in (0, 1)]
    result = scored(tmp_path, elements, [episode("a", steps)])
    assert result.metrics.values["AMS"] == Metric(100.0, Share(1, 1))
    assert result.metrics.tally["steps left out: no-gold"] == 1


def test_order_does_not_change_a_step_set():
    lines = ["d/1/a/0", "d/1/a/1", "d/1/b/0"]
    assert step_set("s", lines) == step_set("s", reversed(lines))
    digest = hashlib.sha256(b"d/1/a/0\nd/1/a/1\nd/1/b/0\n").hexdigest()
    assert step_set("s", lines) == StepSet("s", 3, digest)


def golden_steps():
    cases = (VECTORS / "guiodyssey.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(case) for case in cases]


def test_the_golden_cases_come_out_the_same_through_a_prediction_file(tmp_path):
    cases = golden_steps()
    elements, episodes = [], []
    for case in cases:
        gold, box = case["gold"], case["context"]["sam2_bbox"]
        step = annotated(0, gold["action"], gold["info"], sam2_bbox=box)
        episodes.append(episode(case["id"], [step]))
        info = {"category": "Multi_Apps", "step_length": 1, "sam2_bbox": box}
        elements.append(
            official(case["id"], 0, case["prediction"], gt=gold["answer"], more_info=info)
        )
    rows = GUIODYSSEY.rows(json_file(tmp_path, elements), Limits())
    joined = join(rows, episodes, GUIODYSSEY, Declared())
    result = score(RUN, episodes, group_predictions(joined.predictions), V2)
    got = {step.episode: step.verdict.parts["label"] for step in result.steps}
    assert got == {case["id"]: case["label"] for case in cases}
    assert (joined.disagreements.first, joined.orphans) == ([], [])


def golden_runs():
    cases = (VECTORS / "guiodyssey_aggregate.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(case) for case in cases]


@pytest.mark.parametrize("case", golden_runs(), ids=lambda case: case["id"])
def test_the_golden_runs_come_out_the_same_through_a_prediction_file(tmp_path, case):
    steps, categories, lengths, elements = defaultdict(dict), {}, {}, []
    for told in case["steps"]:
        name, index = told["episode"], told["step"]
        kind = ("TEXT", "hello") if told["type_step"] else NO_BOX
        right = "TYPE: hello" if told["type_step"] else "CLICK: (500, 500)"
        wrong = "TYPE: zzz" if told["type_step"] else "CLICK: (0, 0)"
        steps[name][index] = annotated(index, *kind)
        categories[name], lengths[name] = told["category"], told["step_length"]
        elements.append(official(name, index, right if told["correct"] else wrong))
    episodes = [
        episode(name, found.values(), categories[name], declared_steps=lengths[name])
        for name, found in steps.items()
    ]
    values = scored(tmp_path, elements, episodes).metrics.values
    for way, prefix in zip(case["expected"].values(), ("", "/category mean"), strict=True):
        if way.get("error") == "AssertionError":
            assert values[f"AMS{prefix}"].value is None
        elif way.get("error") == "ZeroDivisionError":
            assert values["text rate"].value is None
        else:
            got = (values[f"AMS{prefix}"].value, values[f"SR{prefix}"].value)
            assert got == (way["AMS"], way["SR"])
            assert values["AMS"].share.total == way["total"]
