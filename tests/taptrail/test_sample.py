"""The sample a new user opens: its planted answer, through the use cases and by command."""

import json
import shutil
from pathlib import Path

import pytest

from episodes import actions as a
from episodes.store.library import Library
from replay.comparison import Only
from taptrail.usecases import episode_list
from taptrail.usecases.attempts import reference
from taptrail.usecases.run_comparison import compare_runs
from taptrail.usecases.sample import open_sample
from tools import make_sample_library as made

SHIPPED = Path(__file__).resolve().parents[2] / "assets" / "sample_library"
ONLY_B = [("s-0001", 2), ("s-0001", 5), ("s-0001", 12), ("s-0005", 3), ("s-0007", 4)]
ONLY_A = [("s-0001", 9), ("s-0005", 1), ("s-0007", 6)]
NEITHER = [("s-0001", 4)]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "library"
    return folder, open_sample(folder)


@pytest.mark.parametrize("protocol", ["guiodyssey@2", "taptrail-strict@1"])
def test_what_run_b_gets_right_and_run_a_does_not_is_as_planted(opened, protocol):
    folder, sample = opened
    found = compare_runs(folder, sample.runs, [protocol]).comparison
    steps = {
        only: [(row.any.episode, row.place[1]) for row in found.chosen(Only(only))]
        for only in ("b-right", "a-right", "all-wrong", "unscored")
    }
    assert steps == {"b-right": ONLY_B, "a-right": ONLY_A, "all-wrong": NEITHER, "unscored": []}


def test_the_attempts_of_the_task_give_the_planted_budget(opened):
    folder, sample = opened
    with Library.read(folder) as library:
        found = reference(library, sample.task)
    assert [(one.person, one.steps, one.outcome, one.counts) for one in found.attempts] == [
        ("Ana P.", 15, "complete", True),
        ("Ben K.", 17, "complete", True),
        ("Cem R.", 9, "failed", False),
        ("Dee L.", 20, "complete", True),
    ]
    walls = [one.times.wall for one in found.attempts if one.counts]
    assert walls == sorted(walls)
    assert all(20e6 < wall < 90e6 for wall in walls)
    budget = found.budget()
    assert (budget.steps, budget.rule) == (
        35,
        "2 x the mean of 3 attempts, 17.33 steps, not below 10 steps",
    )


def test_every_press_has_its_target_and_every_step_its_picture_and_app(opened):
    folder, _ = opened
    with Library.read(folder) as library:
        episodes = list(library.iterate())
    steps = [step for episode in episodes for step in episode.steps]
    assert len(steps) == 79
    assert all(step.frame is not None and step.frame.still is not None for step in steps)
    assert all(step.foreground is not None for step in steps)
    pointed = [step for step in steps if isinstance(step.action, a.Tap | a.LongPress | a.TypeText)]
    assert all(step.target is not None for step in pointed)
    assert {episode.task.category for episode in episodes} == {
        "Multi_Apps",
        "Web_Shopping",
        "General_Tool",
        "Information_Management",
    }


def test_the_same_answers_come_by_command(taptrail, tmp_path):
    library = tmp_path / "sample"
    told = taptrail("sample", "--library", library, "--json").json
    assert (told["episodes"], told["runs"]) == (7, ["run-a", "run-b"])
    compared = taptrail(
        "compare", "--run", "run-a", "--run", "run-b", "--protocol", "guiodyssey@2", "--only",
        "b-right", "--library", library, "--json",
    ).json  # fmt: skip
    assert [(row["episode"], row["step"]) for row in compared["steps"]] == ONLY_B
    attempts = taptrail(
        "attempts", "--task", told["task"], "--library", library, "--json"
    ).json  # fmt: skip
    assert attempts["budget"]["steps"] == 35


def test_the_sample_says_how_to_go_on_and_comes_once(taptrail, tmp_path):
    library = tmp_path / "sample"
    first = taptrail("sample", "--library", library)
    assert first.code == 0
    assert f"7 episodes and the runs run-a, run-b are in {library}." in first.out
    assert f"taptrail --library {library}" in first.out
    with Library.open(library) as opened:
        opened.delete_run("run-b")
    assert taptrail("sample", "--library", library, "--json").json["unchanged"] == 7
    assert [
        run["name"] for run in taptrail("runs", "--library", library, "--json").json["runs"]
    ] == [
        "run-a",
        "run-b",
    ]


def test_what_ships_is_what_the_script_records(opened):
    folder, _ = opened
    with Library.read(folder) as library:
        episodes = {episode.name: episode for episode in library.iterate()}
    assert list(episodes) == [visit.name for visit in made.VISITS]
    for visit in made.VISITS:
        episode = episodes[visit.name]
        assert (episode.actor.author, episode.task) == (made.PEOPLE[visit.person], visit.task)
        assert [type(step.action) for step in episode.steps] == [type(x) for x in visit.actions]
    planted = json.loads((SHIPPED / "planted.json").read_text())
    assert {
        run: [(wrong["episode"], wrong["step"]) for wrong in told["wrong"]]
        for run, told in planted.items()
    } == {run: list(wrong) for run, wrong in made.WRONG.items()}


def test_the_sample_stays_small():
    files = [path for path in SHIPPED.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3_000_000


def test_without_the_assets_the_sample_is_a_known_error(tmp_path, monkeypatch):
    from episodes.errors import KnownError
    from taptrail.usecases import sample

    shutil.copytree(SHIPPED, tmp_path / "sample_library", ignore=lambda *_: ["planted.json"])
    monkeypatch.setattr(sample.importlib.resources, "files", lambda _: tmp_path)
    with pytest.raises(KnownError, match="Install Taptrail again"):
        open_sample(tmp_path / "library")


def test_episodes_are_found_by_the_verdicts_of_a_run(taptrail, tmp_path):
    library = tmp_path / "sample"
    open_sample(library)

    def found(*words):
        listed = taptrail("episodes", "list", "--library", library, "--json", "--verdict", *words)
        return [one["name"] for one in listed.json["episodes"]]

    assert found("run-a", "taptrail-strict", "mismatch") == ["s-0001", "s-0005", "s-0007"]
    assert found("run-b", "guiodyssey@2", "mismatch") == ["s-0001", "s-0005", "s-0007"]
    assert found("run-a", "guiodyssey@2", "match") == list(made.ANSWERED)
    assert found("run-a", "guiodyssey@2", "unscored") == []
    assert episode_list.keep_verdicts(library, "run-a", "guiodyssey@2") == 0
    with Library.open(library) as opened:
        opened.delete_episode(opened.episode("s-0005").uuid)
    assert episode_list.keep_verdicts(library, "run-a", "guiodyssey@2") == 27
    wrong = taptrail(
        "episodes", "list", "--library", library, "--verdict", "run-a", "guiodyssey@2", "bad"
    )
    assert (wrong.code, "is none of: match, mismatch, unscored" in wrong.err) == (2, True)
