"""Auto-GUI's loop against a transcription written from its description alone.

The description leaves open whether a product is rounded before it is added; cases on which that
decides (`SILENT`) are left out, and their answers stay in the run, as later ones may need them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest

from episodes.actions import Other
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Native, Size
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import aitw, aitw_auto_gui
from scoring.protocols.aitw_answers import NAMES
from tests.oracles import auto_gui as oracle
from tests.oracles.auto_gui_cases import runs as random_runs
from tests.oracles.auto_gui_cases import silent_kind, totals_cases
from tests.scoring import COUNT

SEED = 20_260_105
EPISODE = Episode("u", "e", Origin("aitw"), Task(""), EpisodeState.FINISHED, ())
FRAME = Frame(Size(540, 1080), Basis.IMPORTED)
NOTHING = Unreadable("no action in it")
RULES = {
    "missing": "missing",
    "unreadable": "nothing_left",
    "no-gold": "unknown_boxes",
    "no-boxes": "no_boxes",
    "box": "tap_in_box",
    "tap-or-drag": "tap_and_swipe",
}
"""What the transcription calls our rules; its other names say the outcome, too."""
JUDGED = {"type": "type_", "distance": "tap_", "axis": "axis_"}


VERSIONS = {1: aitw_auto_gui.V1, 2: aitw_auto_gui.V2}


@cache
def runs() -> tuple[list[dict], ...]:
    return tuple(random_runs(SEED, COUNT))


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


def prediction_of(answer: dict | None, number: int) -> Prediction | None:
    """An answer in Auto-GUI's own words; what cannot be read is missing or not of its form."""
    if answer is None:
        return None
    if number % 3 == 0 and all(value is None for value in answer.values()):
        return Prediction("e", 0, "The model said nothing of use.", NOTHING)
    said = {}
    if answer["type"] is not None:
        said["action_type"] = NAMES[answer["type"]]
    for part in ("touch", "lift"):
        if answer[part] is not None:
            said[f"{part}_point"] = json.dumps(answer[part])
    if answer["text"] is not None:
        said["typed_text"] = answer["text"]
    junk = {"action_type": "SWIPE", "touch_point": "[0.5, ", "lift_point": 5, "typed_text": 7}
    if number % 2:
        said = junk | said
    pairs = ", ".join(f'"{key}": {json.dumps(value)}' for key, value in said.items())
    return Prediction("e", 0, f"Action Plan: [TYPE]; Action Decision: {pairs}", NOTHING)


def ours(run: list[dict], version: int = 2) -> list[Verdict]:
    rules = VERSIONS[version]
    carry = rules.carry
    assert carry is not None
    carried, found = carry(), []
    for number, case in enumerate(run):
        step = step_of(case)
        prediction = carried(prediction_of(case["answer"], number), step)
        found.append(rules.verdict(prediction, step, EPISODE))
    return found


def theirs(run: list[dict], version: int = 2) -> Iterator[dict | None]:
    """Yields the transcription's verdicts, None if the description leaves a choice."""
    left: dict = {}
    for case, told in zip(run, oracle.judge_run(run, version), strict=True):
        if case["answer"] is not None:
            oracle.read_into(left, case["answer"])
        whole = case["answer"] is not None and len(left) == len(oracle.PARTS)
        silent = silent_kind(case["gold"], left if whole else None, case["boxes"])
        yield told if silent is None else None


def compared(run: list[dict], version: int = 2) -> Iterator[tuple[dict, bool]]:
    """Yields the steps the description decides, with whether both say the same of them."""
    for case, verdict, told in zip(run, ours(run, version), theirs(run, version), strict=True):
        if told is not None:
            yield case, agree(verdict, told)


@cache
def steps(version: int = 2) -> list[tuple[dict, bool]]:
    return [pair for run in runs() for pair in compared(run, version)]


@cache
def edges() -> list[tuple[list[dict], list[dict | None]]]:
    """Steps on a threshold, each a run of its own, with the transcription's verdicts."""
    alone = [[case] for run in runs() for case in run if case["threshold"]][:600]
    return [(run, list(theirs(run))) for run in alone]


def differing() -> bool:
    return any(
        told is not None and not agree(verdict, told)
        for run, expected in edges()
        for verdict, told in zip(ours(run), expected, strict=True)
    )


def agree(verdict: Verdict, told: dict) -> bool:
    if verdict.outcome.value != told["outcome"] or not same_rule(verdict.rule, told["label"]):
        return False
    if verdict.rule in ("no-gold", "missing", "unreadable"):
        return True
    parts = (verdict.parts["text"], verdict.parts["reused"] or "")
    return parts == (told["text_right"], ", ".join(told["reused"]).replace("type", "kind"))


def same_rule(rule: str, label: str) -> bool:
    if rule in RULES:
        return label == RULES[rule]
    return label.startswith(JUDGED[rule])


@pytest.mark.parametrize("version", VERSIONS)
def test_both_agree_on_random_steps_on_what_was_reused_and_on_texts(version):
    assert len(steps(version)) > COUNT * 0.98
    assert [case for case, same in steps(version) if not same] == []


def test_a_fifth_of_the_steps_is_on_a_threshold_and_a_third_is_unreadable():
    assert sum(case["threshold"] for case, _ in steps()) >= COUNT / 5
    assert sum(case["kind"] == "unreadable" for case, _ in steps()) > COUNT / 4


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("TAP_DISTANCE", 0.1399999),
        ("TAP_DISTANCE", 0.1400001),
        ("SWIPE_DISTANCE", 0.0399999),
        ("SWIPE_DISTANCE", 0.0400001),
        ("ENLARGEMENT", 1.3999999),
    ],
)
def test_the_steps_notice_a_wrong_number(monkeypatch, name, wrong):
    edges()
    monkeypatch.setattr(aitw, name, wrong)
    assert differing()


@pytest.mark.parametrize("places", [3, 5])
def test_a_touch_rounded_in_another_way_changes_the_comparison(monkeypatch, places):
    def other(number: float, _: int) -> float:
        return round(number, places)

    edges()
    monkeypatch.setattr(aitw_auto_gui, "round", other, raising=False)
    assert differing()


def scored(rows: list[dict]) -> list[ScoredStep]:
    return [
        ScoredStep(
            "e",
            number,
            Verdict(Outcome(row["outcome"]), "given", "", {"text": row["text_right"]}),
            category=row["part"],
        )
        for number, row in enumerate(rows)
    ]


def test_the_totals_agree_with_the_transcription_s():
    for rows in totals_cases(SEED, 300):
        values, told = aitw_auto_gui.aggregate(scored(rows)).values, oracle.accuracies(rows)
        mean = told["mean"]
        assert values["accuracy"].value == (None if mean is None else percent(mean))
        for name, share in told["parts"].items():
            assert values[f"accuracy/{name}"].value == percent(share)
            assert values[f"text_acc/{name}"].value == percent(told["text"][name])
        named = {name for name in values if name.startswith("accuracy/")}
        assert named == {"accuracy/pooled", *(f"accuracy/{name}" for name in told["parts"])}


def percent(share) -> float:
    return float(round(share * 100, 2))
