"""Steps that people needed for a task, from a library; scripts do not count."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.annotations import Author
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task
from episodes.errors import KnownError
from episodes.steps import Step
from episodes.store.library import Library
from episodes.task_verdicts import TaskVerdict
from taptrail.usecases.task_steps import StepsForm, task_steps, write_steps

NAME = "SystemWifiTurnOff"
ANA = Actor("person", author=Author(str(uuid.uuid4()), "Ana"))


def episode(name: str, steps: int, actor: Actor = ANA) -> Episode:
    done = a.Finish(a.Ending.COMPLETE)
    actions = [*[a.Wait()] * (steps - 1), done]
    return Episode(
        uuid=str(uuid.uuid4()),
        name=name,
        origin=Origin("recorded"),
        task=Task("Turn Wi-Fi off.", goal_id=NAME),
        state=EpisodeState.FINISHED,
        steps=tuple(Step(number, action) for number, action in enumerate(actions)),
        actor=actor,
        attempt=Attempt(1, "complete"),
        finish=done,
    )


def verdict(word: str, task: str = NAME) -> TaskVerdict:
    return TaskVerdict(
        task=task,
        bench="androidworld",
        version="d9c569f",
        seed=7,
        instance=0,
        goal="Turn Wi-Fi off.",
        goal_before="Turn Wi-Fi off.",
        satisfied_at_start=None,
        score={"success": 1.0, "failed": 0.0, "unknown": None}[word],
        verdict=word,
        claimed="complete",
        reason="its check raised",
        evidence="[]",
        details="{}",
        judged_utc="2026-05-14T10:24:00+00:00",
    )


def kept(folder: Path, *episodes: Episode) -> Library:
    library = Library.open(folder)
    library.save_episodes(episodes)
    return library


def test_people_s_attempts_count_and_scripts_never_do(tmp_path):
    script = Actor("agent", agent="script")
    with kept(
        tmp_path, episode("e-1", 4), episode("e-2", 6), episode("e-3", 40, script)
    ) as library:
        (found,) = task_steps(library, NAME)
        assert (found.attempts, found.people, found.budget) == (2, 1, 10)
        assert found.steps == {"mean": 5.0, "median": 5.0, "least": 4, "most": 6}
        assert (found.published_steps, found.published_budget) == (3, 10)
        assert [one.task for one in task_steps(library)] == [NAME]


def test_what_the_device_says_counts_before_the_claim_and_a_reviewer_before_both(tmp_path):
    episodes = [
        replace(episode(f"e-{steps}", steps), attempt=Attempt(1)) for steps in (3, 5, 9, 11)
    ]
    with kept(tmp_path, *episodes) as library:
        for one, word in zip(episodes, ("success", "failed", "unknown", "failed"), strict=True):
            library.keep_task_verdict(one.uuid, verdict(word))
        ended = Attempt(2, "complete")
        library.editor(ANA.author).set_attempt(episodes[3].uuid, ended)
        library.keep_task_verdict(episodes[0].uuid, verdict("failed", task="Another"))
        (found,) = task_steps(library, NAME)
    # e-3 counts by the device, e-9 by its claim, e-11 by the reviewer
    assert found.steps is not None
    assert (found.attempts, found.steps["least"], found.steps["most"]) == (3, 3, 11)


def test_recordings_are_found_by_the_words_of_their_task_too(tmp_path):
    plain = replace(episode("e-1", 4), task=Task("Copy  the number."))
    with kept(tmp_path, plain, episode("e-2", 6)) as library:
        (found,) = task_steps(library, "Copy the number.")
        assert (found.task, found.attempts) == ("Copy the number.", 1)
        assert [one.task for one in task_steps(library)] == ["Copy the number.", NAME]
        (turned,) = task_steps(library, "Turn Wi-Fi off.")
        assert turned.attempts == 1


def test_the_steps_are_written_as_a_table_and_as_each_benchmark_keeps_its_own(tmp_path):
    with kept(tmp_path / "library", episode("e-1", 4), episode("e-2", 5)) as library:
        found = task_steps(library, known=["SystemWifiTurnOn", NAME])
    assert [(one.task, one.attempts) for one in found] == [(NAME, 2), ("SystemWifiTurnOn", 0)]
    table, lab, world = (tmp_path / name for name in ("a.csv", "b.json", "c.json"))
    assert write_steps(found, table, StepsForm.CSV) == 2
    assert table.read_text().splitlines() == [
        "task,attempts,people,mean,median,least,most,budget,published_steps,published_budget",
        f"{NAME},2,1,4.5,4.5,4,5,10,3,10",
        "SystemWifiTurnOn,0,0,,,,,,3,10",
    ]
    assert write_steps(found, lab, StepsForm.ANDROIDLAB) == 1
    assert json.loads(lab.read_text()) == {NAME: 5}
    assert write_steps(found, world, StepsForm.ANDROIDWORLD) == 1
    assert json.loads(world.read_text()) == [{"task_name": NAME, "optimal_steps": "5"}]
    with pytest.raises(KnownError, match="Choose another place"):
        write_steps(found, tmp_path, StepsForm.CSV)


def test_a_task_without_recordings_says_so(tmp_path):
    with kept(tmp_path) as library:
        (found,) = task_steps(library, NAME)
    assert (found.attempts, found.steps, found.budget) == (0, None, None)


def test_a_verdict_is_kept_beside_its_episode_replaced_by_a_newer_one_and_merged(tmp_path):
    one = episode("e-1", 3)
    older = verdict("unknown")
    newer = replace(older, score=1.0, verdict="success", satisfied_at_start=False)
    with kept(tmp_path / "a", one) as library:
        library.keep_task_verdict(one.uuid, older)
        assert library.task_verdicts(one.uuid) == ((one.uuid, older),)
        library.keep_task_verdict(one.uuid, newer)
        assert library.task_verdicts() == ((one.uuid, newer),)
        with Library.open(tmp_path / "b") as other:
            other.merge(library)
            assert other.task_verdicts() == ((one.uuid, newer),)
