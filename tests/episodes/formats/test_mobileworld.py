"""Runs of the format mobileworld: steps, answers of a person, the benchmark's result."""

from __future__ import annotations

import json

import pytest

from episodes import actions as a
from episodes.episodes import Episode, EpisodeState
from episodes.errors import KnownError
from episodes.formats import mobileworld
from episodes.formats.input_files import MissingPicture, Refused
from episodes.geometry import Point
from episodes.store.library import Library
from taptrail.usecases.importing import import_episodes
from tests.samples.drawn import png


def run(folder, steps, name="SendMail"):
    place = folder / "model-a" / name
    (place / "screenshots").mkdir(parents=True)
    (place / "traj.json").write_text(
        json.dumps({"0": {"tools": [], "traj": steps, "token_usage": {}}})
    )
    (place / "result.txt").write_text("score: 1.0\nreason: sent")
    (place / "screenshots" / f"{name}-0-1.png").write_bytes(png())
    return folder / "model-a"


def step(number, action, **more):
    told = {"task_goal": "Send a mail.", "step": number, "prediction": "p", "action": action}
    return told | {"ask_user_response": None, "tool_call": None} | more


def read(path, picture_store):
    found = list(mobileworld.read(path, picture_store))
    return [one for one in found if isinstance(one, Episode)], [
        one for one in found if not isinstance(one, Episode)
    ]


def test_a_trajectory_is_imported_with_its_result(tmp_path, picture_store):
    steps = [
        step(1, {"action_type": "click", "coordinate": [30, 40]}),
        step(2, {"action_type": "ask_user", "text": "To whom?"}, ask_user_response="Ana"),
        step(3, {"action_type": "status", "goal_status": "complete"}),
        "no step",
    ]
    (episode,), problems = read(run(tmp_path, steps), picture_store)
    assert (episode.name, episode.task.instruction) == ("model-a-SendMail", "Send a mail.")
    assert (episode.state, episode.actor.agent) == (EpisodeState.FINISHED, "model-a")
    assert episode.steps[0].action == a.Tap(Point(30, 40))
    assert episode.steps[0].frame.still is not None
    assert isinstance(episode.steps[1].action, a.Other)
    assert episode.steps[1].texts.context == "Ana"
    assert json.loads(episode.extra) == {"result": "score: 1.0\nreason: sent"}
    assert [type(one) for one in problems] == [Refused, MissingPicture, MissingPicture]


def test_the_result_is_stored_as_a_verdict_apart_from_the_agent_s_claim(tmp_path, picture_store):
    path = run(tmp_path, [step(1, {"action_type": "finished"})])
    (episode,), _ = read(path, picture_store)
    told = mobileworld.verdict(episode)
    assert (told.bench, told.task, told.score) == ("mobileworld", "SendMail", 1.0)
    assert (told.verdict, told.claimed, told.reason) == ("success", "complete", "sent")
    for text, score, verdict in (
        ("score: 0.0\nreason: Unknown reason", 0.0, "failed"),
        ("score: lots", None, "unknown"),
    ):
        (path / "SendMail" / "result.txt").write_text(text)
        told = mobileworld.verdict(read(path, picture_store)[0][0])
        assert (told.score, told.verdict) == (score, verdict)
    (path / "SendMail" / "result.txt").unlink()
    assert mobileworld.verdict(read(path, picture_store)[0][0]) is None


def test_backups_are_skipped_and_the_usage_of_tokens_is_not_an_attempt(tmp_path, picture_store):
    drag = {"action_type": "drag", "start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4}
    path = run(tmp_path, [step(1, drag)])
    run(tmp_path, [step(1, drag)], "SendMail_backup_20260101_120000")
    file = path / "SendMail" / "traj.json"
    told = json.loads(file.read_text()) | {"token_usage": {"prompt_tokens": 3}}
    file.write_text(json.dumps(told))
    (episode,), problems = read(path, picture_store)
    assert episode.steps[0].action == a.Swipe(Point(1, 2), Point(3, 4))
    assert [(one.where, one.reason) for one in problems] == [
        ("model-a/SendMail_backup_20260101_120000", "it is a backup, and was passed over")
    ]


def test_an_import_stores_the_verdicts_of_the_files_with_the_episodes(tmp_path):
    path = run(tmp_path, [step(1, {"action_type": "status", "goal_status": "complete"})])
    for _ in range(2):
        import_episodes("mobileworld", path, tmp_path / "library")
    with Library.read(tmp_path / "library") as library:
        ((uuid, told),) = library.task_verdicts()
        assert library.episode(uuid).name == "model-a-SendMail"
    assert (told.score, told.version) == (1.0, "as in its file")


def test_a_file_that_is_not_a_trajectory_is_refused(tmp_path, picture_store):
    path = run(tmp_path, [])
    (path / "SendMail" / "traj.json").write_text('{"0": 1}')
    assert [one.reason for one in read(path, picture_store)[1]] == ["it has no list of steps"]
    (path / "SendMail" / "traj.json").write_text("{")
    assert isinstance(read(path, picture_store)[1][0], Refused)
    with pytest.raises(KnownError, match=r"no folder with traj\.json"):
        list(mobileworld.read(path / "SendMail" / "screenshots", picture_store))
