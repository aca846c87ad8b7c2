"""The golden cases, each as files on their way through import, predictions import and score.

Every case becomes an episode of a GUIOdyssey data set and a row of a prediction file, as the
benchmark's own evaluator writes it. What the commands print must be what the evaluator said.
"""

import json
from pathlib import Path

import pytest

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
CANNOT_HOLD: dict[str, str] = {}
"""Cases that the files cannot hold, by id, with the reason. There are none."""

CATEGORY = "General_Tool"
OUTCOMES = {True: "match", False: "mismatch"}


def rows(name):
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


CASES = [case for case in rows("guiodyssey.jsonl") if case["id"] not in CANNOT_HOLD]
LISTS = rows("guiodyssey_aggregate.jsonl")


def annotation(name, category, steps, length, device):
    return {
        "episode_id": name,
        "device_info": device,
        "task_info": {
            "category": category,
            "app": ["Notes"],
            "meta_task": "",
            "task": "",
            "instruction": "Do it",
        },
        "step_length": length,
        "steps": [
            {"step": number, "screenshot": f"{name}_{number}.png", "low_level_instruction": "Go"}
            | step
            for number, step in enumerate(steps)
        ],
    }


def row(name, step, prediction, gold, category, length, box):
    more = {"category": category, "step_length": length, "sam2_bbox": box}
    question = f"Picture 1: <img>/data/screenshots/{name}_{step}.png</img>\nWhat next?"
    return {"question": question, "pred": prediction, "gt": gold, "more_info": more}


def write(folder, annotations, predictions):
    (folder / "set/annotations").mkdir(parents=True)
    for value in annotations:
        file = folder / "set/annotations" / f"{value['episode_id']}.json"
        file.write_text(json.dumps(value))
    (folder / "predictions.json").write_text(json.dumps(predictions))


def scored(taptrail, folder, protocol="guiodyssey@2"):
    """Imports what was written and returns what all three commands print."""
    place = ("--library", folder / "library", "--json")
    imported = taptrail("import", "guiodyssey", folder / "set", "--version", "2", *place).json
    joined = taptrail(
        "predictions",
        "import",
        folder / "predictions.json",
        "--dialect",
        "guiodyssey",
        "--name",
        "golden",
        *place,
    ).json
    return (
        imported,
        joined,
        taptrail("score", "--protocol", protocol, "--run", "golden", *place).json,
    )


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golden")
    annotations, predictions = [], []
    for number, case in enumerate(CASES):
        name = f"{number:016d}"
        step = {"action": case["gold"]["action"], "info": case["gold"]["info"]}
        box = case["context"]["sam2_bbox"]
        if box is not None:
            step["sam2_bbox"] = box
        annotations.append(annotation(name, CATEGORY, [step], 1, case["context"]["device"]))
        predictions.append(
            row(name, 0, case["prediction"], case["gold"]["answer"], CATEGORY, 1, box)
        )
    write(folder, annotations, predictions)
    return folder


def test_every_verdict_is_the_evaluators(taptrail, cases):
    imported, joined, score = scored(taptrail, cases)
    assert len(CASES) == len(rows("guiodyssey.jsonl")) - len(CANNOT_HOLD)
    assert (imported["episodes"], imported["steps"], imported["refused"]) == (
        len(CASES),
        len(CASES),
        [],
    )
    assert {key: joined[key] for key in ("read", "joined", "missing", "doubled", "surplus")} == {
        "read": len(CASES),
        "joined": len(CASES),
        "missing": 0,
        "doubled": 0,
        "surplus": 0,
    }
    found = {step["episode"]: step["outcome"] for step in score["steps"]}
    assert {case["id"]: found[f"{n:016d}"] for n, case in enumerate(CASES)} == {
        case["id"]: OUTCOMES[case["expected"]] for case in CASES
    }
    right = sum(case["expected"] for case in CASES)
    assert score["metrics"]["AMS"] == {
        "value": round(100 * right / len(CASES), 2),
        "unit": "%",
        "hits": right,
        "total": len(CASES),
    }


def test_the_labels_are_the_evaluators(taptrail, cases):
    place = ("--library", cases / "library", "--json")
    score = taptrail("score", "--protocol", "guiodyssey", "--run", "golden", *place).json
    found = {step["episode"]: step["parts"].get("label") for step in score["steps"]}
    assert {case["id"]: found[f"{n:016d}"] for n, case in enumerate(CASES)} == {
        case["id"]: case["label"] for case in CASES
    }


PRESSED = {"action": "CLICK", "info": [[500, 500], [500, 500]]}
TYPED = {"action": "TEXT", "info": "weather"}


def prepared(folder, steps):
    """Writes a list of judged steps as a data set, and predictions that are judged so."""
    lengths = {step["episode"]: step["step_length"] for step in steps}
    categories = {step["episode"]: step["category"] for step in steps}
    typed = {(step["episode"], step["step"]) for step in steps if step["type_step"]}
    annotations = [
        annotation(
            name,
            categories[name],
            [TYPED if (name, number) in typed else PRESSED for number in range(length)],
            length,
            {"w": 1080, "h": 2400},
        )
        for name, length in lengths.items()
    ]
    predictions = []
    for step in steps:
        if step["type_step"]:
            gold, wrong = "TYPE: weather", "TYPE: football"
        else:
            gold, wrong = "CLICK: (500, 500)", "CLICK: (5, 5)"
        predictions.append(
            row(
                step["episode"],
                step["step"],
                gold if step["correct"] else wrong,
                gold,
                step["category"],
                step["step_length"],
                None,
            )
        )
    write(folder, annotations, predictions)


@pytest.mark.parametrize("case", LISTS, ids=[case["id"] for case in LISTS])
def test_every_number_is_the_evaluators(taptrail, tmp_path, case):
    prepared(tmp_path, case["steps"])
    _, _, score = scored(taptrail, tmp_path)
    metrics = score["metrics"]
    pooled, means = case["expected"].values()
    texts = sum(step["type_step"] for step in case["steps"])
    if texts == 0:
        assert pooled == means == {"error": "ZeroDivisionError"}
        assert metrics["text rate"]["value"] is None
        return
    assert (metrics["AMS"]["value"], metrics["SR"]["value"], metrics["AMS"]["total"]) == (
        pooled["AMS"],
        pooled["SR"],
        pooled["total"],
    )
    rate = metrics["text rate"]
    assert f"{rate['hits']} / {rate['total']} = {rate['value']:.2f}" == pooled["text"]
    both = (metrics["AMS/category mean"], metrics["SR/category mean"])
    if "error" in means:
        assert [metric["value"] for metric in both] == [None, None]
        assert means["error"] == "AssertionError"
        assert {metric["note"] for metric in both} == {"the original stops here: 5 of 6 categories"}
    else:
        assert [metric["value"] for metric in both] == [means["AMS"], means["SR"]]
