"""The rule of taptrail-strict against a transcription written from its description alone.

The description does not say in which order distances and areas are computed; cases on which that
decides (`SILENT`) are left out.
"""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest

from episodes import actions as a
from episodes.annotations import Gold, Provenance, Region, RegionSource, Status
from episodes.episodes import Episode, EpisodeState, Origin, Task
from episodes.geometry import Box, Direction, Point, Size
from episodes.recordings import DeviceFacts
from episodes.runs import Prediction, Unreadable
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.verdicts import Outcome, Verdict
from scoring.protocol import ScoredStep
from scoring.protocols import taptrail_strict
from tests.oracles import strict as oracle
from tests.oracles.strict_cases import SILENT, totals_cases
from tests.oracles.strict_cases import cases as random_cases
from tests.scoring import COUNT

SEED = 20_260_104
DRAWN = Provenance(RegionSource.PERSON)
RULES = {
    "missing": "missing",
    "unreadable": "unreadable",
    "no-gold": oracle.NO_GOLD,
    "kind": oracle.KIND,
    "region": oracle.REGION,
    "distance": oracle.DISTANCE,
    "text": oracle.TEXT,
    "direction": oracle.DIRECTION,
    "key": oracle.KEY,
    "app": oracle.APP,
    "ending": oracle.ENDING,
    "pinch": oracle.PINCH,
}
"""What the transcription calls our rules; those that are missing here have two names there."""


@cache
def cases() -> tuple[dict, ...]:
    """Cases whose outcome the description decides."""
    told = (case for case in random_cases(SEED, 2 * COUNT) if case["kind"] not in SILENT)
    return tuple(islice(told, COUNT))


def target_of(told: tuple | None) -> a.Target | None:
    match told:
        case ("point", x, y):
            return Point(x, y)
        case ("box", left, top, right, bottom):
            return Box(left, top, right, bottom)
        case ("element", words):
            return a.ElementRef(text=words)
    return None


def action_of(told: dict) -> a.Action:
    match told:
        case {"kind": "tap" | "double_tap" | "long_press" as kind, "at": at}:
            types = {"tap": a.Tap, "double_tap": a.DoubleTap, "long_press": a.LongPress}
            return types[kind](target_of(at))
        case {"kind": "swipe", "start": start, "end": end}:
            return a.Swipe(Point(*start), Point(*end))
        case {"kind": "scroll", "direction": word, "at": at}:
            return a.Scroll(Direction(word), target_of(at))
        case {"kind": "pinch", "centre": centre, "scale": scale}:
            return a.Pinch(Point(*centre), scale)
        case {"kind": "type_text", "text": text}:
            return a.TypeText(text, target_of(told["target"]), told["clear"], told["submit"])
        case {"kind": "press_key", "key": key, "name": name}:
            return a.PressKey(a.Key(key), name)
        case {"kind": "open_app", "app": app}:
            return a.OpenApp(app)
        case {"kind": "wait", "duration_us": duration}:
            return a.Wait(duration)
        case {"kind": "answer", "text": text}:
            return a.Answer(text)
        case {"kind": "finish", "ending": ending, "reason": reason}:
            return a.Finish(a.Ending(ending), reason)
    return a.Other(told["name"])


def region_of(told: dict) -> Region:
    box = Box(*told["box"]) if told["box"] is not None else None
    return Region(box, DRAWN, status=Status(told["status"]), chosen=told["chosen"])


def step_of(told: dict) -> Step:
    frame = Frame(Size(*told["size"]), Basis.PAINTED) if told["size"] is not None else None
    golds = tuple(
        Gold(number, action_of(gold["action"]), gold["role"], "", Status(gold["status"]))
        for number, gold in enumerate(told["golds"], start=1)
    )
    regions = tuple(map(region_of, told["regions"]))
    return Step(0, action_of(told["action"]), frame, regions=regions, golds=golds)


def episode_of(told: dict) -> Episode:
    size = Size(*told["screen"]) if told["screen"] is not None else None
    device = DeviceFacts(size=size, density=told["density"])
    origin, state = Origin("recorded"), EpisodeState.FINISHED
    return Episode("u", "e", origin, Task(""), state, (), device=device)


def prediction_of(told: dict | str | None) -> Prediction | None:
    if told is None:
        return None
    parsed = action_of(told) if isinstance(told, dict) else Unreadable("no action in it")
    return Prediction("e", 0, "", parsed)


def ours(case: dict) -> Verdict:
    step, episode = step_of(case["step"]), episode_of(case["step"])
    return taptrail_strict.V1.verdict(prediction_of(case["prediction"]), step, episode)


def theirs(case: dict) -> tuple[Outcome, str]:
    outcome, reason = oracle.judge(case["step"], case["prediction"])
    return Outcome(outcome), reason


def same_rule(rule: str, reason: str) -> bool:
    if rule == "no-place":
        return reason in (oracle.NO_PLACE, oracle.NO_FRAME)
    return reason in (RULES[rule], oracle.WAIT if rule == "kind" else "")


def agree(case: dict) -> bool:
    verdict, (outcome, reason) = ours(case), theirs(case)
    return verdict.outcome is outcome and same_rule(verdict.rule, reason)


def test_both_agree_on_random_cases_and_on_what_decided_them():
    assert len(cases()) == COUNT
    assert [case for case in cases() if not agree(case)] == []


def test_a_fifth_of_the_cases_is_on_a_threshold():
    assert sum(case["threshold"] for case in cases()) >= COUNT / 5


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("REACH_DP", 24.000000001),
        ("REACH_DP", 23.999999999),
        ("REACH_OF_SHORT_SIDE", 0.060000000001),
        ("REACH_OF_SHORT_SIDE", 0.059999999999),
        ("WHOLE_SCREEN", 0.900000000001),
        ("WHOLE_SCREEN", 0.899999999999),
        ("composed", str.strip),
        ("composed", lambda text: text),
    ],
)
def test_the_cases_notice_a_wrong_number_and_a_text_that_is_not_composed(monkeypatch, name, wrong):
    monkeypatch.setattr(taptrail_strict, name, wrong)
    assert not all(agree(case) for case in cases())


def scored(episodes: list[dict]) -> list[ScoredStep]:
    found = []
    for number, episode in enumerate(episodes):
        seen: set[int] = set()
        for step, outcome in episode["rows"]:
            verdict = Verdict(Outcome(outcome), "given", "")
            found.append(
                ScoredStep(
                    f"e{number}",
                    step,
                    verdict,
                    declared_steps=episode["declared"] or 0,
                    doubled=step in seen,
                )
            )
            seen.add(step)
    return found


def test_the_totals_agree_with_the_transcription_s():
    for episodes in totals_cases(SEED, 300):
        values = taptrail_strict.aggregate(scored(episodes)).values
        shares = {name: values[name].share for name in ("AMS", "SR")}
        assert {name: (share.hits, share.total) for name, share in shares.items()} == (
            oracle.totals(episodes)
        )
