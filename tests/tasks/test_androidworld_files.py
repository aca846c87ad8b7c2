"""AndroidWorld's result files: out by its own checkpointer, in again, and its table over them.

TAPTRAIL_ANDROID_WORLD names a Python that has AndroidWorld; without it a stand-in writes them.
"""

from __future__ import annotations

import json
import os
import sys
import uuid
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.annotations import Author
from episodes.episodes import Actor, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.formats.androidworld_actions import action_of, json_action
from episodes.formats.androidworld_pickle import array_of, fields_of, read_records
from episodes.formats.picture_store import LibraryPictureStore
from episodes.geometry import Box, Direction, Point, Size
from episodes.screens import Basis, Frame
from episodes.steps import Step
from episodes.store.library import Library
from episodes.task_verdicts import OF_A_FILE, TaskVerdict
from taptrail.usecases.androidworld_results import save_world_results, world_numbers
from taptrail.usecases.importing import import_episodes
from tests.samples.drawn import png

REAL = os.environ.get("TAPTRAIL_ANDROID_WORLD", "")
STAND_IN = Path(__file__).parent / "small_world"
PYTHON, HOME = (REAL, None) if REAL else (sys.executable, STAND_IN)
WIFI = "SystemWifiTurnOff"
ANA = Actor("person", author=Author(str(uuid.uuid4()), "Ana"))
DONE = a.Finish(a.Ending.COMPLETE)
SCREEN = Size(64, 128)


def verdict(score: float | None, instance: int = 0) -> TaskVerdict:
    word = {None: "unknown", 1.0: "success", 0.0: "failed"}[score]
    details = {"score_by_the_benchmark": score, "run_seconds": 12.5}
    return TaskVerdict(
        task=WIFI,
        bench="androidworld",
        version="d9c569f",
        seed=1155463587,
        instance=instance,
        goal="Turn wifi off.",
        goal_before="Turn wifi off.",
        satisfied_at_start=False,
        score=score,
        verdict=word,
        claimed="complete",
        reason="its check raised KeyError: 'x'" if score is None else "is_successful said so",
        evidence="[]",
        details=json.dumps(details),
        judged_utc="2026-05-14T10:24:00+00:00",
    )


def attempt(library: Library, name: str, *actions: a.Action, actor: Actor = ANA) -> str:
    still = LibraryPictureStore(library.stills).keep_bytes(png(SCREEN), "0.png")
    frame = Frame(SCREEN, Basis.IMPORTED, still)
    steps = tuple(Step(number, one, frame) for number, one in enumerate(actions))
    episode = Episode(
        uuid=str(uuid.uuid4()),
        name=name,
        origin=Origin("recorded"),
        task=Task("Turn wifi off.", goal_id=WIFI),
        state=EpisodeState.FINISHED,
        steps=steps,
        actor=actor,
        finish=DONE,
    )
    library.save_episodes([episode])
    return episode.uuid


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "library") as kept:
        one = attempt(
            kept,
            "e-1",
            a.Tap(Point(10, 20)),
            a.Swipe(Point(30, 90), Point(30, 10), 300_000),
            a.PressKey(a.Key.VOLUME_UP),
            DONE,
        )
        kept.keep_task_verdict(one, verdict(1.0))
        kept.keep_task_verdict(attempt(kept, "e-2", DONE), verdict(0.0))
        kept.keep_task_verdict(attempt(kept, "e-3", DONE), verdict(None, 1))
        attempt(kept, "e-4", DONE)
    return tmp_path / "library"


def save(library: Path, folder: Path, *names: str):
    return save_world_results(library, folder, python=PYTHON, home=HOME, names=names)


def test_an_attempt_of_a_person_is_written_by_the_benchmark_s_own_code_and_read_again(
    library, tmp_path
):
    done = save(library, tmp_path / "out")
    assert (done.episodes, done.steps, done.pictures) == (3, 6, 6)
    assert {loss.what: loss.count for loss in done.losses} == {
        "the path of a stroke, written as a scroll": 1,
        "an action that AndroidWorld has no word for": 1,
        "the steps of an attempt whose verdict is unknown": 1,
    }
    files = sorted(str(one.relative_to(tmp_path / "out")) for one in tmp_path.rglob("*.pkl.gz"))
    assert files == [
        f"human-2/{WIFI}_0.pkl.gz",
        f"human/{WIFI}_0.pkl.gz",
        f"human/{WIFI}_1.pkl.gz",
    ]
    (record,) = read_records(tmp_path / "out" / "human" / f"{WIFI}_0.pkl.gz")
    assert (record["is_successful"], record["episode_length"], record["seed"]) == (
        1.0,
        4,
        1155463587,
    )
    assert (record["agent_name"], record["instance_id"]) == ("human", 0)
    assert record["screen_config"]["width"] == 64
    data = record["episode_data"]
    assert fields_of(data["action_output_json"][0])["x"] == 10
    assert array_of(data["before_screenshot"][0]).pixels().shape == (128, 64, 3)
    kept = json.loads(data["taptrail"][1])["action"]
    assert (kept["kind"], kept["end"]) == ("swipe", [30, 10])

    back = tmp_path / "back"
    report = import_episodes("androidworld", tmp_path / "out", back)
    assert (report.episodes, report.steps, report.refused) == (3, 5, ())
    with Library.read(back) as again:
        found = {again.episode(one).name: told for one, told in again.task_verdicts()}
        steps = again.episode(f"human-{WIFI}_0").steps
    assert [step.action for step in steps] == [
        a.Tap(Point(10, 20)),
        a.Scroll(Direction.UP),
        a.Other("unknown", '{"action_type": "unknown"}'),
        DONE,
    ]
    told = found[f"human-{WIFI}_0"]
    assert (told.score, told.verdict, told.claimed, told.version) == (
        1.0,
        "success",
        "complete",
        OF_A_FILE,
    )
    failed = found[f"human-{WIFI}_1"]
    assert (failed.score, failed.verdict) == (None, "unknown")
    assert failed.reason == "its check raised KeyError: 'x'"


def test_the_table_is_made_by_the_benchmark_s_function_and_by_our_rule_alike(library, tmp_path):
    save(library, tmp_path / "out")
    import_episodes("androidworld", tmp_path / "out", tmp_path / "back")
    for place in (library, tmp_path / "back"):
        with Library.read(place) as kept:
            (ours,) = world_numbers(kept)
            (theirs,) = world_numbers(kept, PYTHON, HOME)
        assert (ours.agent, ours.attempts, ours.unknown) == ("human", 3, 1)
        for name in ("num_complete_trials", "mean_success_rate", "total_runtime_s"):
            assert theirs.rows[0][name] == ours.rows[0][name]
        assert (ours.rows[0]["mean_success_rate"], ours.rows[0]["num_fail_trials"]) == (0.5, 1)
        assert theirs.rows[0]["num_fail_trials"] == 1
        assert ours.rows[0]["mean_episode_length"] == 2.5


def test_what_androidworld_has_not_judged_is_not_written(library, tmp_path):
    done = save(library, tmp_path / "out", "e-4")
    assert [(loss.what, loss.count) for loss in done.losses] == [
        ("an episode that AndroidWorld has not judged", 1)
    ]
    with Library.open(tmp_path / "empty"):
        pass
    with pytest.raises(KnownError, match="no attempt that it judged"):
        save(tmp_path / "empty", tmp_path / "other")


@pytest.mark.parametrize(
    "action",
    [
        a.Tap(Point(3, 4)),
        a.Tap(a.ElementRef(index=7)),
        a.DoubleTap(Point(3, 4)),
        a.LongPress(Point(3, 4)),
        a.Scroll(Direction.LEFT),
        a.Scroll(Direction.DOWN, a.ElementRef(index=0)),
        a.TypeText("a", Point(1, 2), True, submit=True),
        a.PressKey(a.Key.BACK),
        a.PressKey(a.Key.ENTER),
        a.OpenApp("Clock"),
        a.Answer("4"),
        a.Finish(a.Ending.IMPOSSIBLE),
    ],
)
def test_what_is_written_as_a_json_action_is_read_as_the_same_action(action):
    told = json_action(action)
    assert told is not None
    assert action_of(told, []) == action


def test_a_box_is_written_as_its_centre_and_a_pinch_not_at_all():
    assert json_action(a.Tap(Box(0, 0, 10, 20))) == {"action_type": "click", "x": 5, "y": 10}
    assert json_action(a.Other("fly", "{}")) is None
