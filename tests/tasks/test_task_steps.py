"""How many steps people needed for a task, from a library; scripts are no people."""

from __future__ import annotations

import uuid
from pathlib import Path

from episodes import actions as a
from episodes.annotations import Author
from episodes.episodes import Actor, Attempt, Episode, EpisodeState, Origin, Task
from episodes.steps import Step
from episodes.store.library import Library
from episodes.task_verdicts import TaskVerdict
from taptrail.usecases.task_steps import task_steps

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


def test_a_task_without_recordings_says_so(tmp_path):
    with kept(tmp_path) as library:
        (found,) = task_steps(library, NAME)
    assert (found.attempts, found.steps, found.budget) == (0, None, None)


def test_a_verdict_is_kept_beside_its_episode_replaced_by_a_newer_one_and_merged(tmp_path):
    one = episode("e-1", 3)
    verdict = TaskVerdict(
        task=NAME,
        bench="androidworld",
        version="d9c569f",
        seed=7,
        instance=0,
        goal="Turn Wi-Fi off.",
        goal_before="Turn Wi-Fi off.",
        satisfied_at_start=None,
        score=None,
        verdict="unknown",
        claimed="complete",
        reason="its check raised",
        evidence="[]",
        details="{}",
        judged_utc="2026-05-14T10:24:00+00:00",
    )
    newer = TaskVerdict(**{f: getattr(verdict, f) for f in verdict.__dataclass_fields__} | {
        "score": 1.0, "verdict": "success", "satisfied_at_start": False})  # fmt: skip
    with kept(tmp_path / "a", one) as library:
        library.keep_task_verdict(one.uuid, verdict)
        assert library.task_verdicts(one.uuid) == ((one.uuid, verdict),)
        library.keep_task_verdict(one.uuid, newer)
        assert library.task_verdicts() == ((one.uuid, newer),)
        with Library.open(tmp_path / "b") as other:
            other.merge(library)
            assert other.task_verdicts() == ((one.uuid, newer),)
